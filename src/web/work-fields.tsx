import type { ReactNode } from 'react'
import { jobTypes, workplaces } from '../contracts/accounts/auth.ts'
import { Field, Select } from '../kit/ui/controls/field.tsx'
import { useText } from '../kit/ui/language.tsx'
import { messages } from './messages/account.ts'

/** Workplace and job type, as registration and the profile ask for them. */
export const WorkFields = ({
  workplace,
  jobType,
  problems,
  onChange,
}: {
  workplace: string
  jobType: string
  problems: Record<string, string[]>
  onChange: (change: { workplace?: string; jobType?: string }) => void
}): ReactNode => {
  const t = useText(messages)
  const choose = { value: '', label: t('field.choose') }
  return (
    <>
      <Field label={t('field.workplace')} problems={problems.workplace ?? []}>
        {(ids) => (
          <Select
            {...ids}
            name="workplace"
            value={workplace}
            options={[choose, ...workplaces.map((one) => ({ value: one, label: t(`workplace.${one}`) }))]}
            onChoose={(chosen) => onChange({ workplace: chosen })}
          />
        )}
      </Field>
      <Field label={t('field.jobType')} problems={problems.jobType ?? []}>
        {(ids) => (
          <Select
            {...ids}
            name="jobType"
            value={jobType}
            options={[choose, ...jobTypes.map((one) => ({ value: one, label: t(`jobType.${one}`) }))]}
            onChoose={(chosen) => onChange({ jobType: chosen })}
          />
        )}
      </Field>
    </>
  )
}
