import { defineScreen } from '../../kit/ui/define-screen.ts'
import { BlastForm } from './blast-form.tsx'
import { BlastResultView } from './blast-result.tsx'
import messages from './messages.ts'
import { renderEvalue, shortNumber } from './tabular.ts'
import tool from './tool.ts'
import './screen.css'

export default defineScreen({
  tool,
  messages,
  layout: 'side',
  Form: BlastForm,
  Result: BlastResultView,
  headline: ({ result, t }) => {
    const evalue = shortNumber(result.settings.evalue)
    if (result.hits === 0) return t('headline.none', { queries: result.queries.length, evalue })
    const only = result.queries.length === 1 ? result.queries[0] : undefined
    if (only?.best)
      return t('headline.one', {
        hits: only.hits,
        assemblies: new Set(result.databases.flatMap((one) => one.assembly ?? [])).size,
        best: [only.best.subject, only.best.assembly].filter((part) => part !== null).join(' · '),
        identity: String(only.best.identityPercent),
        coverage: String(only.best.queryCoveragePercent),
        evalue: renderEvalue(only.best.evalue),
      })
    return t('headline.many', {
      found: result.queries.filter((query) => query.hits > 0).length,
      queries: result.queries.length,
      hits: result.hits,
      hsps: result.hsps,
    })
  },
})
