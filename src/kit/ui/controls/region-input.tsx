import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listSequences } from '../../../contracts/species.ts'
import { RoleOf, useSequenceRole } from '../gene/sequence-name.tsx'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { call } from '../request.ts'
import { Combobox } from './combobox.tsx'
import { TextInput } from './field.tsx'

/**
 * 1-based, inclusive; start above end means the reverse complement where a tool says so. A position that is not written in plain digits
 * stays the text that was typed, which the schema reads or refuses as everywhere (contracts/region.ts).
 */
export interface RegionValue {
  sequence: string
  start: number | string | undefined
  end: number | string | undefined
}

/** A box of its own for a position: one of the kind `number` drops commas, and would take 12,34 for 1234. */
const PositionInput = ({
  label,
  value,
  onValue,
}: {
  label: string
  value: number | string | undefined
  onValue: (value: number | string | undefined) => void
}): ReactNode => (
  <TextInput
    inputMode="numeric"
    className="nv-number"
    aria-label={label}
    placeholder={label}
    maxLength={40}
    value={value ?? ''}
    onChange={({ target }) =>
      onValue(
        target.value === '' ? undefined : /^[1-9]\d{0,14}$/.test(target.value) ? Number(target.value) : target.value,
      )
    }
  />
)

/** Chooses a sequence of an assembly (typing filters; thousands of scaffolds are found by the server) and a range on it. */
export const RegionInput = ({
  assembly,
  value,
  onValue,
  id,
  invalid,
}: {
  assembly: string
  value: RegionValue
  onValue: (value: RegionValue) => void
  id?: string
  invalid?: true | undefined
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const roleOf = useSequenceRole()
  const answer = useQuery({
    queryKey: ['sequences', assembly, value.sequence],
    queryFn: (context) => call(listSequences, { assembly, q: value.sequence, limit: 50 }, context),
    enabled: assembly !== '',
    placeholderData: (previous) => previous,
    staleTime: 300_000,
  })
  const sequences = answer.data?.sequences ?? []
  const chosen = sequences.find((one) => one.name === value.sequence)
  return (
    <div className="nv-region">
      <Combobox
        id={id}
        label={t('region.sequence')}
        placeholder={t('region.sequence')}
        chooser
        text={value.sequence}
        inputClassName="nv-input nv-mono"
        invalid={invalid}
        busy={answer.isFetching}
        onText={(sequence) => onValue({ ...value, sequence })}
        choices={sequences.map((one) => ({
          value: one.name,
          label: <code>{one.name}</code>,
          hint: [roleOf(assembly, one.name), format.basePairs(one.lengthBp)]
            .filter((part) => part !== null)
            .join(' · '),
        }))}
        onChoose={(sequence) => onValue({ ...value, sequence })}
      />
      <PositionInput label={t('region.start')} value={value.start} onValue={(start) => onValue({ ...value, start })} />
      <span aria-hidden>..</span>
      <PositionInput label={t('region.end')} value={value.end} onValue={(end) => onValue({ ...value, end })} />
      {chosen === undefined ? null : (
        <span className="nv-quiet">
          {t('region.length', { length: format.basePairs(chosen.lengthBp) })}
          <RoleOf assembly={assembly} sequence={chosen.name} />
        </span>
      )}
    </div>
  )
}
