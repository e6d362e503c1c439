import { WithSymbols } from '../../kit/ui/gene/with-symbols.tsx'
import { defineScreen } from '../../kit/ui/tool/define-screen.ts'
import messages from './messages.ts'
import { PrimerResultView } from './result-view.tsx'
import tool, { type GenomeVerdict, type Pair } from './tool.ts'
import './screen.css'

type Values = Record<string, unknown>
const isSource =
  (...sources: string[]) =>
  (values: Values): boolean =>
    sources.includes(String(values.source ?? 'genes'))
const isSearched = (values: Values): boolean => values.searched !== 'none'
const advanced = { advanced: true }
const rule = { advanced: true, when: isSearched }

const having = ({ specificity }: Pair): GenomeVerdict[] =>
  (specificity?.genomes ?? []).filter((one) => one.product !== null)

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result: PrimerResultView,
  layout: 'top',
  fields: {
    genes: { when: isSource('genes'), rows: 3, required: true },
    assembly: { when: isSource('genes', 'regions'), needs: 'genome' },
    regions: { when: isSource('regions'), rows: 3 },
    sequence: { when: isSource('sequence'), widget: 'sequence', rows: 7 },
    part: { when: isSource('genes') },
    flankBp: {
      when: (values) =>
        isSource('genes')(values) && values.part !== 'cdna' && values.part !== 'cds' && values.purpose !== 'qpcr',
    },
    junction: { when: (values) => isSource('genes')(values) && values.purpose === 'qpcr' },
    excluded: advanced,
    included: advanced,
    probe: advanced,
    assemblies: { needs: 'genome', when: isSearched },
    pairs: advanced,
    leftPrimer: advanced,
    rightPrimer: advanced,
    sizeMin: advanced,
    sizeOpt: advanced,
    sizeMax: advanced,
    tmMin: advanced,
    tmOpt: advanced,
    tmMax: advanced,
    tmDifference: advanced,
    gcMin: advanced,
    gcMax: advanced,
    gcClamp: advanced,
    polyX: advanced,
    selfAny: advanced,
    selfEnd: advanced,
    hairpin: advanced,
    pairAny: advanced,
    pairEnd: advanced,
    endStability: advanced,
    templateAlignment: advanced,
    maskLowerCase: advanced,
    monovalent: advanced,
    divalent: advanced,
    dntp: advanced,
    oligo: advanced,
    advanced: { advanced: true, rows: 3 },
    minMismatches: rule,
    minThreePrimeMismatches: rule,
    threePrimeBp: rule,
    ignoreMismatches: rule,
    maxProductBp: rule,
  },
  headline: ({ result, t, format, assemblyName }) => {
    const first = result.designs.length === 1 ? result.designs[0]?.pairs[0] : undefined
    const text = [
      t('head.pairs', {
        pairs: result.pairCount,
        solved: result.solved,
        templates: result.designs.length,
        name: result.designs[0]?.symbol ?? result.designs[0]?.name ?? '',
      }),
      ...(result.pairCount > 0 && result.searchedAssemblies.length === 0 ? [t('head.notChecked')] : []),
      ...(first?.specificity == null
        ? []
        : [
            t('head.genomes', {
              size: first.productBp,
              have: having(first).length,
              all: first.specificity.genomes.length,
              lacking: having(first).length === first.specificity.genomes.length ? 'none' : 'some',
              names: format.list(
                first.specificity.genomes.flatMap((one) => (one.product === null ? assemblyName(one.assembly) : [])),
              ),
            }),
          ]),
      ...(result.leftOut.length === 0 ? [] : [t('head.leftOut', { count: result.leftOut.length })]),
      ...(result.specificPairs === null || result.pairCount === 0
        ? []
        : [
            t('head.specific', {
              count: result.specificPairs,
              all: result.pairCount,
              part: result.specificPairs === result.pairCount ? 'all' : 'some',
            }),
          ]),
      ...(result.problems.length === 0 ? [] : [t('head.problems', { count: result.problems.length })]),
    ].join(t('head.then'))
    return <WithSymbols text={text} genes={result.designs} />
  },
})
