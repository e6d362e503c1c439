import { type ReactNode, useState } from 'react'
import { type Delivery, sendCaptcha } from '../../contracts/accounts/auth.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Field, TextInput } from '../../kit/ui/controls/field.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { messages } from '../messages/account.ts'
import { type Form, useForm } from '../use-form.ts'
import { useCountdown } from './countdown.ts'

export interface PhoneCode {
  purpose: 'login' | 'confirm'
  form: Form<Record<string, never>>
  /** How the last code went out; null before the first. */
  delivered: Delivery | null
  /** Until the next may be asked for. */
  seconds: number
}

/** Asking for codes: held by whoever draws the fields now and then, so that the countdown goes on while they are not to be seen. */
export const usePhoneCode = (purpose: PhoneCode['purpose']): PhoneCode => {
  const { seconds, start } = useCountdown()
  const [delivered, setDelivered] = useState<Delivery | null>(null)
  const form = useForm(
    sendCaptcha,
    {},
    {
      onDone: (answer) => {
        setDelivered(answer.delivered)
        start(answer.resendSeconds)
      },
    },
  )
  return { purpose, form, delivered, seconds }
}

/** What is said beside the code: the same for every number, since who has one is nobody's business, and how a number is confirmed. */
const helpOf = ({ purpose, delivered }: PhoneCode) => {
  if (purpose === 'confirm')
    return delivered === null ? 'code.why' : delivered === 'outbox' ? 'code.outbox' : 'code.sent'
  return delivered === null ? 'code.loginWhy' : delivered === 'outbox' ? 'code.loginOutbox' : 'code.loginSent'
}

/**
 * The phone number and the code sent to it. The button sends one and counts the seconds until the next may be asked for;
 * where the portal has no text message service, the field says that the code waits in the outbox.
 */
export const PhoneCodeFields = ({
  phone,
  captcha,
  code,
  problems,
  onChange,
  phoneOptional = false,
}: {
  phone: string
  captcha: string
  code: PhoneCode
  problems: Record<string, string[]>
  onChange: (change: { phone?: string; captcha?: string }) => void
  phoneOptional?: boolean
}): ReactNode => {
  const t = useText(messages)
  const { form, seconds, purpose } = code
  return (
    <>
      <Field
        label={t('field.phone')}
        optional={phoneOptional}
        problems={[...(problems.phone ?? []), ...(form.problems.phone ?? [])]}
        help={phoneOptional ? t('code.later') : undefined}
      >
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
              form.reset()
              onChange({ phone: event.target.value })
            }}
          />
        )}
      </Field>
      <Field
        label={t('field.captcha')}
        optional={purpose === 'confirm'}
        problems={[...(problems.captcha ?? []), ...(form.failure === null ? [] : [form.failure])]}
        help={t(helpOf(code))}
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
            <Button busy={form.busy} disabled={seconds > 0} onClick={() => void form.submit({ phone, purpose })}>
              {seconds > 0 ? t('code.again', { seconds }) : t('code.get')}
            </Button>
          </div>
        )}
      </Field>
    </>
  )
}
