import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { WithSymbols } from '../../kit/ui/gene/with-symbols.tsx'
import { definePage, defineScreen, type Screen } from '../../kit/ui/tool/define-screen.ts'
import { ToolScreen } from '../../kit/ui/tool/tool-screen.tsx'
import { geneOf, pInLine, ScanNav } from './figures/parts.tsx'
import { hints, RunForm } from './form.tsx'
import { LocusPage } from './locus-page.tsx'
import messages from './messages.ts'
import { RunResult } from './result-view.tsx'
import { ScanPage } from './scan-page.tsx'
import { StartView } from './start-view.tsx'
import tool from './tool.ts'
import './screen.css'

const runScreen = defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form: RunForm,
  fields: hints,
  Start: StartView,
  Result: RunResult,
  layout: 'top',
  asked: ({ input, result, format }) =>
    input.source === 'loaded' ? [result.traitName === undefined ? result.trait : format.text(result.traitName)] : [],
  headline: ({ result, t, format }) => (
    <>
      <WithSymbols
        genes={result.loci.flatMap(({ genes }) => genes)}
        text={t('head.run', {
          trait: result.traitName === undefined ? result.trait : format.text(result.traitName),
          tested: result.tested,
          samples: result.samples,
          significant: result.significant,
          loci: result.loci.length,
          best: result.best === null ? '–' : result.best.id,
          gene: geneOf(result.best, result.loci),
          p: result.best === null ? '–' : pInLine(result.best.logP),
        })}
      />{' '}
      <SimulatedTag simulated={result.simulated === true} />
    </>
  ),
})

const Page = (): ReactNode => {
  const [query] = useSearchParams()
  if (query.has('scan')) return <ScanPage />
  if (query.has('locus') || query.has('gene')) return <LocusPage />
  return (
    <ToolScreen
      key={tool.id}
      screen={runScreen as unknown as Screen}
      pages={<ScanNav now="overview" assembly={query.get('assembly') ?? ''} />}
    />
  )
}

export default definePage({ Page })
