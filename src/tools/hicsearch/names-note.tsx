import type { ReactNode } from 'react'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { BakedContacts } from './stored.ts'

/** Which chromosomes of the map are called otherwise in the assembly, and which it does not have. */
export const NamesNote = ({ map, assembly }: { map: BakedContacts; assembly: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const renamed = map.chromosomes.flatMap(({ name, sequence }) =>
    sequence !== null && sequence !== name ? [`${name} → ${sequence}`] : [],
  )
  const unknown = map.chromosomes.flatMap(({ name, sequence }) => (sequence === null ? [name] : []))
  return (
    <>
      {renamed.length === 0 ? null : <p className="nv-quiet">{t('names.renamed', { list: format.names(renamed) })}</p>}
      {unknown.length === 0 ? null : (
        <p className="nv-quiet">{t('names.unknown', { assembly, list: format.names(unknown) })}</p>
      )}
    </>
  )
}
