import { defineScreen } from '../../kit/ui/tool/define-screen.ts'
import { DiagnosticForm, diagnosticFields } from './form.tsx'
import messages from './messages.ts'
import { DiagnosticResultView } from './result-view.tsx'
import tool from './tool.ts'
import './screen.css'

/** Genomes that are named one by one; more are counted. */
const namedGenomes = 2

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  fields: diagnosticFields,
  Form: DiagnosticForm,
  Result: DiagnosticResultView,
  layout: 'top',
  headline: ({ result, t, format, assemblyName }) => {
    const { target, spare, sized } = result.groups
    const targets =
      target.length <= namedGenomes
        ? format.list(target.map(assemblyName))
        : t('head.genomes', { count: target.length })
    if (result.siteCount === 0) return t('head.nothing', { method: result.method, targets })
    const [best] = result.pairs
    if (best === undefined) return t('head.noPrimers', { count: result.siteCount })
    if (result.discriminating === 0) return t('head.fail', { count: result.designed })
    const count = result.pairs.length
    const compared = [...spare, ...sized]
    const spared = compared.length
    const sizes = [
      ...new Set(
        best.outcomes
          .filter(({ group }) => group === 'spare' || group === 'sized')
          .flatMap(({ bands }) => bands.slice(0, 1).map(({ lengthBp }) => lengthBp)),
      ),
    ].sort((a, b) => a - b)
    const others = best.outcomes.filter(({ group }) => group === 'other')
    const amplified = others.filter(({ bands }) => bands.length > 0).length
    return [
      t(`head.${result.method}`, {
        count,
        targets,
        spared: result.method === 'presence' ? spare.length : spared,
        size: format.number(best.productBp),
        others: spared <= namedGenomes ? format.list(compared.map(assemblyName)) : t('head.genomes', { count: spared }),
        sizes: format.list(sizes.map((size) => format.number(size))),
      }),
      ...(result.method === 'presence' && amplified > 0 ? [t('head.others', { amplified, all: others.length })] : []),
    ].join(t('head.sep'))
  },
})
