import type { ReactNode } from 'react'
import { type Compared, isCurrentFor, listUncompared } from '../../../bio/comparative/uncompared.ts'
import { useFormat, useText } from '../language.tsx'
import { useAssemblies, useSpecies } from '../portal-data.ts'
import { useAssemblyList } from './species-names.tsx'
import { messages } from './stale-homology-messages.ts'

/** What a result rests on when the data that it is about have changed since homologs, orthogroups and blocks were computed. */
export const StaleHomology = ({
  state,
  own,
  chosen,
}: Compared & {
  state: { current: boolean; missing: string[]; computedAt: string }
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const assemblies = useAssemblies()
  const listOf = useAssemblyList()
  // What is computed after a load belongs to it: the load ends when the orthogroups stand.
  const running = useSpecies().data?.loads.some((load) => load.state === 'running') ?? false
  if (isCurrentFor(state, { own, chosen }, assemblies)) return null
  const uncompared = listUncompared(state.missing, { own, chosen }, assemblies)
  const date = format.dateTime(state.computedAt)
  const title = uncompared.length > 0 ? 'staleHomology.uncompared' : 'staleHomology.title'
  const text = uncompared.length > 0 ? 'staleHomology.missing' : 'staleHomology.removed'
  return (
    <div className="nv-banner nv-banner-warn" role="status">
      <strong>{t(title, { assemblies: listOf(uncompared) })}</strong>
      <p>{t(running && uncompared.length > 0 ? 'staleHomology.running' : text, { date })}</p>
    </div>
  )
}
