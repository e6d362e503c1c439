import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { messages as kit } from '../../kit/ui/messages.ts'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { useTheme } from '../../kit/ui/theme.ts'
import { writeAddress } from './address.ts'
import { trackIdOf } from './browser-config.ts'
import { getBrowserConfig } from './endpoints.ts'
import messages from './messages.ts'
import { partsOnSequence, windowAround } from './window-around.ts'
import './screen.css'

// A megabyte of script: fetched only when a reader asks to see it here.
const BrowserView = lazy(() => import('./browser-view.tsx'))

const maxNamed = 8
const quiet = (): void => {}

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const tKit = useText(kit)
  const language = useLanguage()
  const theme = useTheme()
  const [open, setOpen] = useState(false)
  const summary = useAssemblies().find((one) => one.id === gene.assembly)
  const answer = useQuery({
    queryKey: ['jbrowse-config', gene.assembly, language],
    queryFn: (context) => call(getBrowserConfig, { assembly: gene.assembly }, context),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const config = answer.data
  const loaded = config?.tracks.filter((track) => !['sequence', 'gc', 'genes'].includes(track.kind)) ?? []
  const count = config?.tracks.length
  useEffect(() => {
    if (count !== undefined) report(count)
  }, [count, report])
  const [loci, own] = useMemo(() => {
    const known = summary?.sequences.find((one) => one.name === gene.sequence)
    const sequence = known ?? { lengthBp: gene.end, circular: false }
    const named = (parts: { start: number; end: number }[]) =>
      parts.map((part) => ({ sequence: gene.sequence, ...part }))
    return [named(windowAround(gene, sequence)), named(partsOnSequence(gene, sequence))]
  }, [gene, summary])
  if (answer.isError) return <Unanswered of={answer} />
  if (config === undefined) return <Waiting />
  const address = writeAddress({ assembly: gene.assembly, loci: loci, highlights: own })
  return (
    <div className="jbrowse-panel">
      {loaded.length === 0 ? (
        <p className="nv-quiet">{t('panel.genesOnly')}</p>
      ) : (
        <>
          <p className="nv-quiet">{t('panel.lead')}</p>
          <ul>
            {loaded.slice(0, maxNamed).map((track) => (
              <li key={track.id} title={track.description ?? undefined}>
                {track.name}{' '}
                {track.simulated ? (
                  <Tag tone="amber" title={tKit('simulated.why')}>
                    {tKit('simulated.tag')}
                  </Tag>
                ) : null}
              </li>
            ))}
            {loaded.length > maxNamed ? <li>{t('panel.more', { count: loaded.length - maxNamed })}</li> : null}
          </ul>
        </>
      )}
      <div className="jbrowse-panel-actions">
        {open ? null : (
          <Button icon={<Eye size={15} aria-hidden />} onClick={() => setOpen(true)}>
            {t('panel.show')}
          </Button>
        )}
        <ButtonLink to={`/jbrowse/?${address}`}>{t('panel.open')}</ButtonLink>
      </div>
      {open ? (
        <div className="jbrowse-frame jbrowse-panel-frame">
          <Suspense fallback={<Waiting label={t('page.loading')} />}>
            <BrowserView
              config={config}
              loci={loci}
              highlights={own}
              trackIds={config.defaultTracks.map((id) => trackIdOf(config.assembly, id))}
              extraTracks={[]}
              theme={theme}
              onState={quiet}
            />
          </Suspense>
        </div>
      ) : null}
    </div>
  )
}

export default defineGenePanel({ id: 'jbrowse', order: 110, messages, Panel })
