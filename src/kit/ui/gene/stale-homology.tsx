import type { ReactNode } from 'react'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { useAssemblies, useSpecies } from '../portal-data.ts'
import { type Compared, listUncompared } from './uncompared.ts'

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
  // What is computed after a load belongs to it: the load ends when the orthogroups stand.
  const running = useSpecies().data?.loads.some((load) => load.state === 'running') ?? false
  if (state.current) return null
  const uncompared = listUncompared(state.missing, { own, chosen }, assemblies)
  if (uncompared.length === 0 && state.missing.length > 0) return null
  const date = format.dateTime(state.computedAt)
  const title = uncompared.length > 0 ? 'staleHomology.uncompared' : 'staleHomology.title'
  const text = uncompared.length > 0 ? 'staleHomology.missing' : 'staleHomology.removed'
  return (
    <div className="nv-banner nv-banner-warn" role="status">
      <strong>{t(title, { assemblies: uncompared.join(', ') })}</strong>
      <p>{t(running && uncompared.length > 0 ? 'staleHomology.running' : text, { date })}</p>
    </div>
  )
}
