import type { ReactNode } from 'react'
import { useAddressValues } from '../../../kit/ui/address-values.ts'
import { useText } from '../../../kit/ui/language.tsx'
import { TraitField, useSets } from '../form.tsx'
import messages from '../messages.ts'

/** A phenotype to hold beside an answer that has none yet, which is then asked for with it. */
export const TraitChoice = ({ assembly }: { assembly: string }): ReactNode => {
  const t = useText(messages)
  const [address, change] = useAddressValues()
  const traits = useSets(assembly).data?.traits
  if (traits === undefined) return null
  if (traits.length === 0) return <p className="nv-quiet">{t('traits.none')}</p>
  // The address of a job has no question that could be asked otherwise.
  if (address.get('job') !== null) return <p className="nv-quiet">{t('traits.choose')}</p>
  return (
    <div className="nv-figure-fields">
      <TraitField
        traits={traits}
        value=""
        onChoose={(trait) => change({ trait: trait === '' ? null : trait, run: '1' })}
      />
    </div>
  )
}
