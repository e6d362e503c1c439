import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { deleteAccount, exportAccount, type Profile } from '../../../../contracts/accounts/account.ts'
import { Button } from '../../../../kit/ui/controls/button.tsx'
import { Dialog } from '../../../../kit/ui/controls/dialog.tsx'
import { TextField } from '../../../../kit/ui/controls/text-field.tsx'
import { useText } from '../../../../kit/ui/language.tsx'
import { call } from '../../../../kit/ui/request.ts'
import { downloadBlob } from '../../../../kit/ui/table/export.ts'
import { useSession } from '../../../account/session.tsx'
import { attempt, notifySuccess } from '../../../attempt.ts'
import { FormFailure } from '../../../form-failure.tsx'
import { messages } from '../../../messages/account.ts'
import { SubmitForm } from '../../../submit-form.tsx'
import { useForm } from '../../../use-form.ts'

export const OwnData = ({ profile }: { profile: Profile }): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const { forget } = useSession()
  const [open, setOpen] = useState(false)
  const form = useForm(
    deleteAccount,
    { password: '' },
    {
      onDone: () => {
        setOpen(false)
        forget()
        notifySuccess(t('settings.deleted'))
        navigate('/home', { replace: true })
      },
    },
  )
  return (
    <div className="account-stack">
      <p>{t('settings.exportLead')}</p>
      <div className="account-actions">
        <Button
          onClick={() =>
            void attempt(async () => {
              const all = await call(exportAccount, {})
              downloadBlob(
                new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' }),
                `novodb-${profile.username}.json`,
              )
            })
          }
        >
          {t('settings.export')}
        </Button>
      </div>
      {profile.username === 'admin' ? null : (
        <>
          <p>{t('settings.deleteLead')}</p>
          <div className="account-actions">
            <Button look="danger" onClick={() => setOpen(true)}>
              {t('settings.delete')}
            </Button>
          </div>
          <Dialog
            open={open}
            onClose={() => setOpen(false)}
            title={t('settings.deleteTitle', { username: profile.username })}
          >
            <SubmitForm onSubmit={() => void form.submit()}>
              <p>{t('settings.deleteWhy')}</p>
              <TextField
                {...form.field('password')}
                label={t('field.password')}
                name="deletePassword"
                type="password"
                autoComplete="current-password"
                maxLength={200}
              />
              <FormFailure failure={form.failure} />
              <Button type="submit" look="danger" busy={form.busy}>
                {t('settings.delete')}
              </Button>
            </SubmitForm>
          </Dialog>
        </>
      )}
    </div>
  )
}
