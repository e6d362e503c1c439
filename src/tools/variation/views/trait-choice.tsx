import type { ReactNode } from 'react'
import { useAddressValues } from '../../../kit/ui/address-values.ts'
import { SelectField } from '../../../kit/ui/controls/field.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { useSets } from '../form.tsx'
import messages from '../messages.ts'

/** A phenotype to hold beside an answer that has none yet, which is then asked for with it. */
export const TraitChoice = ({ assembly }: { assembly: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [address, change] = useAddressValues()
  const traits = useSets(assembly).data?.traits
  if (traits === undefined) return null
  if (traits.length === 0) return <p className="nv-quiet">{t('traits.none')}</p>
  // The address of a job has no question that could be asked otherwise.
  if (address.get('job') !== null) return <p className="nv-quiet">{t('traits.choose')}</p>
  return (
    <div className="nv-figure-fields">
      <SelectField
        label={t('field.trait')}
        value=""
        onChoose={(trait) => change({ trait: trait === '' ? null : trait, run: '1' })}
        options={[
          { value: '', label: t('trait.none') },
          ...traits.map(({ value, name, unit }) => ({
            value,
            label: `${format.text(name)}${unit === null ? '' : ` (${unit})`}`,
          })),
        ]}
      />
    </div>
  )
}
