import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { definePage, defineScreen, type Screen } from '../../kit/ui/define-screen.ts'
import { call } from '../../kit/ui/request.ts'
import { ToolScreen } from '../../kit/ui/tool-screen.tsx'
import { listScans } from './endpoints.ts'
import messages from './messages.ts'
import { Overview } from './overview.tsx'
import { pText, ScanNav } from './parts.tsx'
import { PlacePage } from './place-page.tsx'
import { RunForm } from './run-form.tsx'
import { RunResult } from './run-result.tsx'
import { ScanPage } from './scan-page.tsx'
import tool, { fewestSamples } from './tool.ts'
import './screen.css'

const runScreen = defineScreen({
  tool,
  messages,
  Form: RunForm,
  Result: RunResult,
  layout: 'top',
  loadExample: async (example) => {
    const list = await call(listScans, { assembly: example.assembly })
    for (const set of list.phenotypes) {
      const trait = set.traits.find(({ type }) => type === 'quantitative') ?? set.traits[0]
      const variants =
        list.variants.find(({ simulated, samples }) => simulated === set.simulated && samples >= fewestSamples) ??
        list.variants.find(({ samples }) => samples >= fewestSamples)
      if (trait !== undefined && variants !== undefined)
        return { ...example, source: 'loaded' as const, phenotype: `${set.id}|${trait.id}`, variants: variants.id }
    }
    return null
  },
  headline: ({ result, t }) =>
    t('head.run', {
      trait: result.trait,
      tested: result.tested,
      samples: result.samples,
      significant: result.significant,
      loci: result.loci.length,
      best: result.best === null ? '–' : result.best.id,
      p: result.best === null ? '–' : pText(result.best.logP),
    }),
})

/** Fields of the form in the address mean the form. */
const asksForm = ['job', 'run', 'draft', 'source', 'values', 'phenotype', 'model', 'variants', 'covariates']

const Page = (): ReactNode => {
  const [query] = useSearchParams()
  if (query.has('scan')) return <ScanPage />
  if (query.has('place') || query.has('gene')) return <PlacePage />
  if (!asksForm.some((name) => query.has(name))) return <Overview />
  return (
    <>
      <ScanNav now={query.has('job') ? '' : 'run'} assembly={query.get('assembly') ?? ''} />
      <ToolScreen key={tool.id} screen={runScreen as unknown as Screen} />
    </>
  )
}

export default definePage({ Page })
