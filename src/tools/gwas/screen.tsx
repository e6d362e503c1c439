import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { definePage, defineScreen, type Screen } from '../../kit/ui/tool/define-screen.ts'
import { ToolScreen } from '../../kit/ui/tool/tool-screen.tsx'
import { pText, ScanNav } from './figures/parts.tsx'
import { RunForm } from './form.tsx'
import { LocusPage } from './locus-page.tsx'
import messages from './messages.ts'
import { Overview } from './overview.tsx'
import { RunResult } from './result-view.tsx'
import { ScanPage } from './scan-page.tsx'
import tool from './tool.ts'
import './screen.css'

const runScreen = defineScreen({
  tool,
  messages,
  Form: RunForm,
  Result: RunResult,
  layout: 'top',
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
  if (query.has('locus') || query.has('gene')) return <LocusPage />
  if (!asksForm.some((name) => query.has(name))) return <Overview />
  return (
    <>
      <ScanNav now={query.has('job') ? '' : 'run'} assembly={query.get('assembly') ?? ''} />
      <ToolScreen key={tool.id} screen={runScreen as unknown as Screen} />
    </>
  )
}

export default definePage({ Page })
