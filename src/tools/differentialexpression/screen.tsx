import type { ReactNode } from 'react'
import { expressionData } from '../../contracts/expression.ts'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { directionOf } from '../../kit/ui/figures/change-figure.tsx'
import { PublicationOfData } from '../../kit/ui/gene/cited-data.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { defineScreen } from '../../kit/ui/tool/define-screen.ts'
import { ComparisonForm } from './form.tsx'
import messages from './messages.ts'
import { ResultView } from './result-view.tsx'
import tool, { type ComparisonResult } from './tool.ts'
import './screen.css'

const Headline = ({ result }: { result: ComparisonResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const bounds = { fold: 1, significance: result.alpha }
  const directions = result.genes.map((gene) => directionOf(gene, bounds))
  const measured = result.dataset.measure === null ? 'expression' : 'other'
  const asked = result.chosen === null ? null : new Set(result.chosen.genes)
  const chosen = asked === null ? null : directions.filter((_, at) => asked.has(result.genes[at]!.id))
  return (
    <>
      {format.sentences([
        t('head.compared', {
          measured,
          test: result.testName,
          reference: result.referenceName,
          up: directions.filter((direction) => direction > 0).length,
          down: directions.filter((direction) => direction < 0).length,
          count: result.genes.length,
          alpha: format.statistic(result.alpha),
          tested: result.samples.filter(({ group }) => group === 'test').length,
          other: result.samples.filter(({ group }) => group === 'reference').length,
        }),
        chosen === null
          ? ''
          : t('head.chosen', {
              measured,
              count: chosen.length,
              up: chosen.filter((direction) => direction > 0).length,
              down: chosen.filter((direction) => direction < 0).length,
            }),
      ])}{' '}
      <SimulatedTag simulated={result.dataset.simulated} />{' '}
      <PublicationOfData assembly={result.assembly} dataset={result.dataset} />
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form: ComparisonForm,
  fields: { assembly: { needs: expressionData } },
  Result: ResultView,
  headline: ({ result }) => <Headline result={result} />,
})
