import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { useTheme } from '../../kit/ui/theme.ts'
import { writeAddress } from './address.ts'
import { trackIdOf } from './browser-config.ts'
import { getBrowserConfig } from './endpoints.ts'
import messages from './messages.ts'
import { partsOnSequence, windowAround } from './window-around.ts'
import './screen.css'

// A megabyte of script: fetched only when a reader opens the section.
const BrowserView = lazy(() => import('./browser-view.tsx'))

const quiet = (): void => {}

const useConfig = ({ assembly }: Gene) => {
  const language = useLanguage()
  return useQuery({
    queryKey: ['jbrowse-config', assembly, language],
    queryFn: (context) => call(getBrowserConfig, { assembly }, context),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const theme = useTheme()
  const summary = useAssemblies().find((one) => one.id === gene.assembly)
  const answer = useConfig(gene)
  const config = answer.data
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
    <>
      <FoldActions>
        <ButtonLink size="small" look="quiet" to={`/jbrowse/?${address}`}>
          {t('panel.open')}
        </ButtonLink>
      </FoldActions>
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
    </>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const tracks = useConfig(gene).data?.tracks
  return tracks === undefined ? undefined : { count: tracks.length, text: t('panel.gist', { count: tracks.length }) }
}

export default defineGenePanel({
  id: 'jbrowse',
  messages,
  section: { topic: 'genome', order: 10, heightPx: 480, useGist, Panel },
})
