import { listNames } from '../../kit/ui/gene/promoter-rules-text.ts'
import { defineScreen } from '../../kit/ui/tool/define-screen.ts'
import { motifLabel } from './enrichment-figure.tsx'
import { MotifForm } from './form.tsx'
import messages from './messages.ts'
import { MotifResultView } from './result-view.tsx'
import tool from './tool.ts'
import './screen.css'

/** Adjusted p-value up to which a motif is called enriched in the headline. */
const enrichedAt = 0.05
/** Names without a promoter that the headline tells. */
const maxNamedProblems = 8

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form: MotifForm,
  Result: MotifResultView,
  headline: ({ input, result, t, shared, format }) => {
    const [best] = result.sites
    const enriched = result.motifs
      .filter(({ enrichment }) => enrichment !== null && enrichment.adjustedPValue <= enrichedAt)
      .sort((a, b) => a.enrichment!.pValue - b.enrichment!.pValue)
    return [
      t('head.sites', {
        sites: result.siteCount,
        motifs: result.motifs.length,
        found: result.sequencesWithSites,
        all: result.sequenceCount,
        kind: input.source === 'sequence' ? 'sequences' : 'promoters',
      }),
      ...(best === undefined
        ? []
        : [
            t('head.best', {
              motif: motifLabel(result.motifs[best.motif]!),
              gene: best.symbol ?? best.gene ?? best.sequence,
              pValue: format.pValue(best.pValue),
            }),
          ]),
      ...(result.backgroundCount === null
        ? []
        : [
            t('head.enriched', {
              count: enriched.length,
              best: enriched[0] === undefined ? 'none' : motifLabel(enriched[0]),
            }),
          ]),
      ...(result.background.kind === 'own' ? [t('head.ownBackground')] : []),
      ...(result.problemCount === 0
        ? []
        : [
            t('head.problems', {
              count: result.problemCount,
              names: listNames(
                result.problems.slice(0, maxNamedProblems).map(({ query }) => query),
                result.problemCount - Math.min(maxNamedProblems, result.problems.length),
                { shared, format },
              ),
            }),
          ]),
    ].join(' · ')
  },
})
