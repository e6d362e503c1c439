import type { ReactNode } from 'react'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { useSpecies } from '../portal-data.ts'

/** What a result rests on when the loaded data have changed since homologs, orthogroups and blocks were computed. */
export const StaleHomology = ({
  state,
}: {
  state: { current: boolean; missing: string[]; computedAt: string }
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  // What is computed after a load belongs to it: the load ends when the orthogroups stand.
  const running = useSpecies().data?.loads.some((load) => load.state === 'running') ?? false
  if (state.current) return null
  const date = format.dateTime(state.computedAt)
  return (
    <div className="nv-banner nv-banner-warn" role="status">
      <strong>{t(running ? 'staleHomology.running' : 'staleHomology.title')}</strong>
      <p>
        {state.missing.length > 0
          ? t(running ? 'staleHomology.soon' : 'staleHomology.missing', { assemblies: state.missing.join(', '), date })
          : t('staleHomology.removed', { date })}
      </p>
    </div>
  )
}
