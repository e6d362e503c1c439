import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listSequences } from '../../../contracts/species.ts'
import { RoleOf, useSequenceRole } from '../gene/sequence-name.tsx'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { call } from '../request.ts'
import { Combobox } from './combobox.tsx'
import { NumberInput } from './field.tsx'

/** 1-based, inclusive; start above end means the reverse complement where a tool says so. */
export interface RegionValue {
  sequence: string
  start: number | undefined
  end: number | undefined
}

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
      <NumberInput
        aria-label={t('region.start')}
        placeholder={t('region.start')}
        min={1}
        max={chosen?.lengthBp}
        value={value.start}
        onNumber={(start) => onValue({ ...value, start })}
      />
      <span aria-hidden>..</span>
      <NumberInput
        aria-label={t('region.end')}
        placeholder={t('region.end')}
        min={1}
        max={chosen?.lengthBp}
        value={value.end}
        onNumber={(end) => onValue({ ...value, end })}
      />
      {chosen === undefined ? null : (
        <span className="nv-quiet">
          {t('region.length', { length: format.basePairs(chosen.lengthBp) })}
          <RoleOf assembly={assembly} sequence={chosen.name} />
        </span>
      )}
    </div>
  )
}
