import type { ReactNode } from 'react'
import type { z } from 'zod'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { decimalsFor } from '../../kit/ui/figures/decimals.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { CorrelationView } from './correlation-view.tsx'
import { listPhenotypes } from './endpoints.ts'
import { PhenotypeForm } from './form.tsx'
import messages from './messages.ts'
import { StartView } from './start-view.tsx'
import tool, { type PhenotypeResult } from './tool.ts'
import { TraitView } from './trait-view.tsx'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

const significant = 0.05

const ResultView = ({ input, result, receipt }: ResultProps<Input, PhenotypeResult>): ReactNode => {
  if (result.trait !== null)
    return (
      <TraitView
        key={`${result.dataset.id}/${result.trait.trait.id}`}
        result={result}
        report={result.trait}
        receipt={receipt}
      />
    )
  return result.correlation === null ? null : (
    <CorrelationView result={result} correlation={result.correlation} group={input.group} receipt={receipt} />
  )
}

const Headline = ({ result }: { result: PhenotypeResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { dataset, trait: report, correlation } = result
  const simulated = <SimulatedTag simulated={dataset.simulated} />
  if (report !== null) {
    const { figures, heritability, name, unit, accessions } = report.trait
    const digits = figures === null ? 0 : decimalsFor(figures.max - figures.min)
    return (
      <>
        {t('head.trait', {
          trait: format.text(name),
          count: accessions,
          unit: unit ?? 'none',
          mean: figures === null ? 'none' : format.number(figures.mean, digits),
          deviation: figures?.deviation == null ? '–' : format.number(figures.deviation, digits),
          heritability: heritability === null ? 'none' : format.number(heritability.value, 2),
        })}{' '}
        {simulated}
      </>
    )
  }
  return correlation === null ? null : (
    <>
      {t('head.correlation', {
        traits: correlation.traits.length,
        dataset: format.text(dataset.name),
        count: correlation.adjustedPValue.filter((p) => p !== null && p < significant).length,
      })}{' '}
      {simulated}
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form: PhenotypeForm,
  Start: StartView,
  Result: ResultView,
  asked: ({ result, format }) => [
    ...(result.trait === null ? [] : [format.text(result.trait.trait.name)]),
    format.text(result.dataset.name),
  ],
  headline: ({ result }) => <Headline result={result} />,
  // A trait of repeated measurements in many accessions shows most.
  loadExample: async () => {
    const { species, datasets } = await call(listPhenotypes, {})
    const found = datasets
      .flatMap((set) => set.traits.map((trait) => ({ set, trait })))
      .sort(
        (a, b) =>
          Number(b.trait.type === 'quantitative') - Number(a.trait.type === 'quantitative') ||
          Number(b.trait.heritability !== null) - Number(a.trait.heritability !== null) ||
          b.trait.accessions - a.trait.accessions,
      )[0]
    return species === null || found === undefined ? null : { species, dataset: found.set.id, trait: found.trait.id }
  },
})
