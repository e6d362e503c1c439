import { type ReactNode, useState } from 'react'
import { type Delivery, sendCaptcha } from '../contracts/auth.ts'
import { Button } from '../kit/ui/button.tsx'
import { Field, TextInput } from '../kit/ui/field.tsx'
import { useText } from '../kit/ui/language.tsx'
import { useCountdown } from './countdown.ts'
import { messages } from './messages/account.ts'
import { useForm } from './use-form.ts'

/**
 * The phone number and the code sent to it. The button sends one and counts the seconds until the next may be asked for;
 * where the portal has no text message service, the field says that the code waits in the outbox.
 */
export const PhoneCodeFields = ({
  phone,
  captcha,
  purpose,
  problems,
  onChange,
  codeOptional = false,
}: {
  phone: string
  captcha: string
  purpose: 'login' | 'confirm'
  problems: Record<string, string[]>
  onChange: (change: { phone?: string; captcha?: string }) => void
  codeOptional?: boolean
}): ReactNode => {
  const t = useText(messages)
  const { seconds, start } = useCountdown()
  const [delivered, setDelivered] = useState<Delivery | null>(null)
  const code = useForm(
    sendCaptcha,
    {},
    {
      onDone: (answer) => {
        setDelivered(answer.delivered)
        start(answer.resendSeconds)
      },
    },
  )
  return (
    <>
      <Field label={t('field.phone')} problems={[...(problems.phone ?? []), ...(code.problems.phone ?? [])]}>
        {(ids) => (
          <TextInput
            {...ids}
            name="phone"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            maxLength={40}
            value={phone}
            onChange={(event) => {
              code.reset()
              onChange({ phone: event.target.value })
            }}
          />
        )}
      </Field>
      <Field
        label={t('field.captcha')}
        optional={codeOptional}
        problems={[...(problems.captcha ?? []), ...(code.failure === null ? [] : [code.failure])]}
        help={
          delivered === null
            ? codeOptional
              ? t('code.why')
              : undefined
            : t(delivered === 'outbox' ? 'code.outbox' : 'code.sent')
        }
      >
        {(ids) => (
          <div className="account-code">
            <TextInput
              {...ids}
              name="captcha"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              value={captcha}
              onChange={(event) => onChange({ captcha: event.target.value })}
            />
            <Button busy={code.busy} disabled={seconds > 0} onClick={() => void code.submit({ phone, purpose })}>
              {seconds > 0 ? t('code.again', { seconds }) : t('code.get')}
            </Button>
          </div>
        )}
      </Field>
    </>
  )
}
