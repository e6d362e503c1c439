import { call } from '../../kit/ui/request.ts'
import { defineScreen } from '../../kit/ui/tool/define-screen.ts'
import { listExamples } from './endpoints.ts'
import { termName } from './figure-terms.tsx'
import { EnrichmentForm } from './form.tsx'
import messages from './messages.ts'
import { EnrichmentResultView } from './result-view.tsx'
import { StartView } from './start-view.tsx'
import tool from './tool.ts'
import './screen.css'

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form: EnrichmentForm,
  Start: StartView,
  Result: EnrichmentResultView,
  loadExample: async ({ assembly }) => {
    const answer = await call(listExamples, { assembly: typeof assembly === 'string' ? assembly : undefined })
    const [first] = answer.examples
    return first === undefined || answer.assembly === null ? null : { genes: first.genes, assembly: answer.assembly }
  },
  headline: ({ input, result, t, format }) => {
    const tests = result.collections.reduce((sum, one) => sum + one.tests, 0)
    const count = result.collections.reduce((sum, one) => sum + one.significant, 0)
    const best = result.terms.reduce<(typeof result.terms)[number] | undefined>(
      (min, term) => (min === undefined || term.pValue < min.pValue ? term : min),
      undefined,
    )
    return [
      t('head.enriched', {
        count,
        tests,
        threshold: format.statistic(input.threshold),
        direction: input.direction,
      }),
      ...(input.correctedOver === 'collection' ? [] : [t(`head.corrected.${input.correctedOver}`)]),
      ...(count === 0 || best === undefined
        ? []
        : [t('head.best', { term: termName(best), pValue: format.pValue(best.adjustedPValue) })]),
      ...(result.problemCount === 0 ? [] : [t('head.genes', { found: result.genes.length, asked: result.asked })]),
    ].join(' · ')
  },
})
