import type { ReactNode } from 'react'
import { useFormat, useText } from './language.tsx'
import { messages } from './messages.ts'

/** What a result rests on when the loaded data have changed since homologues, orthogroups and blocks were computed. */
export const StaleHomology = ({
  state,
}: {
  state: { current: boolean; missing: string[]; computedAt: string }
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  if (state.current) return null
  const date = format.dateTime(state.computedAt)
  return (
    <div className="nv-banner nv-banner-warn" role="status">
      <strong>{t('staleHomology.title')}</strong>
      <p>
        {state.missing.length > 0
          ? t('staleHomology.missing', { assemblies: state.missing.join(', '), date })
          : t('staleHomology.removed', { date })}
      </p>
    </div>
  )
}
