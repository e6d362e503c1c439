import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Profile, resendConfirmation, updateProfile } from '../../../../contracts/accounts/account.ts'
import { accountMessages } from '../../../../contracts/accounts/account-messages.ts'
import { Button } from '../../../../kit/ui/controls/button.tsx'
import { Tag } from '../../../../kit/ui/controls/card.tsx'
import { Field, TextArea } from '../../../../kit/ui/controls/field.tsx'
import { TextField } from '../../../../kit/ui/controls/text-field.tsx'
import { useText } from '../../../../kit/ui/language.tsx'
import { call } from '../../../../kit/ui/request.ts'
import { PhoneCodeFields, usePhoneCode } from '../../../account/phone-code-field.tsx'
import { attempt, notifySuccess } from '../../../attempt.ts'
import { FormFailure } from '../../../form-failure.tsx'
import { messages } from '../../../messages/account.ts'
import { SubmitForm } from '../../../submit-form.tsx'
import { useForm } from '../../../use-form.ts'
import { WorkFields } from '../../../work-fields.tsx'

const texts = ['nickname', 'country', 'province', 'address'] as const

/** What the specification asks for, each with its message where it is left empty. */
const asked = {
  email: 'account.needEmail',
  nickname: 'account.needNickname',
  profile: 'account.needProfile',
  country: 'account.needCountry',
  province: 'account.needProvince',
  address: 'account.needAddress',
} as const
const askedNames = [...(Object.keys(asked) as (keyof typeof asked)[]), 'phone' as const]

/** The profile: what is filled in is saved, and what is asked for and still empty is told beside its field. */
export const ProfileForm = ({ profile }: { profile: Profile }): ReactNode => {
  const t = useText(messages)
  const a = useText(accountMessages)
  const client = useQueryClient()
  const [reported, setReported] = useState(false)
  const code = usePhoneCode('confirm')
  const form = useForm(
    updateProfile,
    {
      email: profile.newEmail ?? profile.email,
      nickname: profile.nickname,
      profile: profile.profile,
      country: profile.country,
      province: profile.province,
      address: profile.address,
      phone: profile.phone,
      captcha: '',
      workplace: profile.workplace ?? '',
      jobType: profile.jobType ?? '',
    },
    {
      onDone: async ({ profile: saved, delivered }) => {
        client.setQueryData(['profile'], saved)
        form.set({ captcha: '' })
        if (delivered !== null) notifySuccess(t(delivered === 'mail' ? 'settings.savedMail' : 'settings.savedOutbox'))
        else if (empty.length === 0) notifySuccess(t('settings.saved'))
        else notifySuccess(t('settings.savedPart', { count: empty.length }))
      },
    },
  )
  const { values } = form
  const empty = askedNames.filter((name) => values[name].trim() === '')
  const problems = reported
    ? {
        ...form.problems,
        ...Object.fromEntries(
          empty.map((name) => [name, [name === 'phone' ? t('settings.needPhone') : a(asked[name])]]),
        ),
      }
    : form.problems
  return (
    <SubmitForm
      columns
      onSubmit={() => {
        setReported(true)
        if (empty.length === askedNames.length && values.workplace === '' && values.jobType === '') return
        // What has not been changed is not sent: an address or number that is confirmed stays so. What is empty is left as it was.
        void form.submit({
          ...(values.phone === profile.phone && values.captcha === '' ? { phone: undefined } : {}),
          ...(values.email === (profile.newEmail ?? profile.email) ? { email: undefined } : {}),
          ...Object.fromEntries(empty.map((name) => [name, undefined])),
        })
      }}
    >
      <TextField
        {...form.field('email')}
        label={t('field.email')}
        problems={problems.email ?? []}
        help={profile.newEmail === null ? undefined : t('settings.pending', { email: profile.newEmail })}
        aside={
          profile.email === '' ? undefined : (
            <Tag tone={profile.emailConfirmed ? 'green' : 'amber'}>
              {t(profile.emailConfirmed ? 'center.confirmed' : 'center.unconfirmed')}
            </Tag>
          )
        }
        type="email"
        autoComplete="email"
        maxLength={254}
      />
      {texts.map((name) => (
        <TextField
          key={name}
          label={t(`field.${name}`)}
          problems={problems[name] ?? []}
          name={name}
          maxLength={name === 'address' ? 300 : name === 'nickname' ? 60 : 100}
          value={values[name]}
          onText={(text) => form.set({ [name]: text })}
        />
      ))}
      <WorkFields workplace={values.workplace} jobType={values.jobType} problems={problems} onChange={form.set} />
      <PhoneCodeFields
        phone={values.phone}
        captcha={values.captcha}
        code={code}
        problems={problems}
        onChange={form.set}
      />
      <div className="account-wide">
        <Field label={t('field.profile')} problems={problems.profile ?? []}>
          {(ids) => (
            <TextArea
              {...ids}
              name="profile"
              rows={4}
              maxLength={2000}
              value={values.profile}
              onChange={(event) => form.set({ profile: event.target.value })}
            />
          )}
        </Field>
      </div>
      <div className="account-wide account-stack">
        <FormFailure failure={form.failure} />
        <div className="account-actions">
          <Button type="submit" look="primary" busy={form.busy}>
            {t('settings.save')}
          </Button>
          {profile.newEmail === null && (profile.email === '' || profile.emailConfirmed) ? null : (
            <Button
              look="quiet"
              onClick={() =>
                void attempt(async () => {
                  const { delivered } = await call(resendConfirmation, {})
                  notifySuccess(t(delivered === 'mail' ? 'settings.resent' : 'settings.resentOutbox'))
                })
              }
            >
              {t('settings.resend')}
            </Button>
          )}
        </div>
      </div>
    </SubmitForm>
  )
}
