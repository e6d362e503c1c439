import type { ReactNode } from 'react'
import { changePassword, type Profile } from '../../../../contracts/accounts/account.ts'
import { Button } from '../../../../kit/ui/controls/button.tsx'
import { TextField } from '../../../../kit/ui/controls/text-field.tsx'
import { useText } from '../../../../kit/ui/language.tsx'
import { NewPasswordFields } from '../../../account/password-fields.tsx'
import { notifySuccess } from '../../../attempt.ts'
import { FormFailure } from '../../../form-failure.tsx'
import { messages } from '../../../messages/account.ts'
import { SubmitForm } from '../../../submit-form.tsx'
import { useForm } from '../../../use-form.ts'

export const PasswordForm = ({ profile }: { profile: Profile }): ReactNode => {
  const t = useText(messages)
  const form = useForm(
    changePassword,
    { currentPassword: '', password: '', confirm: '' },
    {
      onDone: () => {
        form.reset()
        notifySuccess(t('settings.passwordChanged'))
      },
    },
  )
  return (
    <SubmitForm onSubmit={() => void form.submit()}>
      <TextField
        {...form.field('currentPassword')}
        label={t('field.currentPassword')}
        type="password"
        autoComplete="current-password"
        maxLength={200}
      />
      <NewPasswordFields
        password={form.values.password}
        confirm={form.values.confirm}
        about={[profile.username, profile.email, profile.phone]}
        problems={form.problems}
        onChange={form.set}
        replacing
      />
      <FormFailure failure={form.failure} />
      <div className="account-actions">
        <Button type="submit" look="primary" busy={form.busy}>
          {t('settings.changePassword')}
        </Button>
      </div>
    </SubmitForm>
  )
}
