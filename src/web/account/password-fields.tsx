import { type ReactNode, useState } from 'react'
import { accountMessages } from '../../contracts/accounts/account-messages.ts'
import { gradePassword, passwordStrengths } from '../../contracts/accounts/identity.ts'
import { Field, TextInput } from '../../kit/ui/controls/field.tsx'
import { TextField } from '../../kit/ui/controls/text-field.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { messages } from '../messages/account.ts'

/**
 * A new password with its strength beside it, and the same once more: that the two differ is said as soon as the second can no longer
 * become the first, and when it is left. `about`: what the password should not be made of.
 */
export const NewPasswordFields = ({
  password,
  confirm,
  about,
  problems,
  onChange,
  replacing = false,
}: {
  password: string
  confirm: string
  about: string[]
  problems: Record<string, string[]>
  onChange: (change: { password?: string; confirm?: string }) => void
  /** There is one already: this is to take its place. */
  replacing?: boolean
}): ReactNode => {
  const t = useText(messages)
  const a = useText(accountMessages)
  const [left, setLeft] = useState(false)
  const strength = gradePassword(password, about)
  const differ = confirm !== '' && confirm !== password && (left || !password.startsWith(confirm))
  return (
    <>
      <Field
        label={t(replacing ? 'field.newPassword' : 'field.password')}
        problems={problems.password ?? []}
        help={t('password.rule')}
        aside={password === '' ? undefined : t('password.strength', { strength: t(`password.${strength}`) })}
      >
        {(ids) => (
          <>
            <TextInput
              {...ids}
              name="password"
              type="password"
              autoComplete="new-password"
              maxLength={200}
              value={password}
              onChange={(event) => onChange({ password: event.target.value })}
            />
            <meter
              className={`account-strength account-strength-${strength}`}
              min={0}
              max={passwordStrengths.length}
              value={password === '' ? 0 : passwordStrengths.indexOf(strength) + 1}
              aria-label={t('password.meter')}
            />
          </>
        )}
      </Field>
      <TextField
        label={t('field.confirm')}
        problems={differ ? [a('account.passwordsDiffer')] : (problems.confirm ?? [])}
        name="confirm"
        type="password"
        autoComplete="new-password"
        maxLength={200}
        value={confirm}
        onBlur={() => setLeft(true)}
        onText={(text) => onChange({ confirm: text })}
      />
    </>
  )
}
