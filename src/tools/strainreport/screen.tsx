import { defineScreen } from '../../kit/ui/tool/define-screen.ts'
import messages from './messages.ts'
import { ResultView } from './result-view.tsx'
import tool from './tool.ts'

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result: ResultView,
  layout: 'top',
  fields: { reference: { advanced: true }, minimumBp: { advanced: true } },
  headline: ({ result: { report, all }, t, assemblyName }) => {
    if (all !== null) return t('head.all', { count: all.rows.length - 1, reference: assemblyName(all.reference) })
    if (report === null) return null
    return t('head', {
      strain: assemblyName(report.strain.id),
      reference: assemblyName(report.reference.id),
      differences: report.structure?.total ?? -1,
      lost: report.genes?.counts.lost ?? -1,
      snps:
        report.density === null || !report.density.toldApart
          ? t('head.noSnps')
          : t('head.snps', { count: report.density.substitutions }),
    })
  },
})
