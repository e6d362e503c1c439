import type { ReactNode } from 'react'
import { changePassword, type Profile } from '../../../../contracts/accounts/account.ts'
import { Button } from '../../../../kit/ui/controls/button.tsx'
import { TextField } from '../../../../kit/ui/controls/text-field.tsx'
import { useText } from '../../../../kit/ui/language.tsx'
import { NewPasswordFields } from '../../../account/password-fields.tsx'
import { notifySuccess } from '../../../attempt.ts'
import { FormFailure } from '../../../form-failure.tsx'
import { messages } from '../../../messages/account.ts'
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
    <form
      className="nv-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <TextField
        label={t('field.currentPassword')}
        problems={form.problems.currentPassword ?? []}
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        maxLength={200}
        value={form.values.currentPassword}
        onText={(text) => form.set({ currentPassword: text })}
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
    </form>
  )
}
