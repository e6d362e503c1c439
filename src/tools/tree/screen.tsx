import { parseNewick } from '../../bio/phylogeny/newick.ts'
import { listLeaves, listNodes } from '../../bio/phylogeny/phylogeny.ts'
import { defineScreen } from '../../kit/ui/tool/define-screen.ts'
import messages from './messages.ts'
import { TreeResultView } from './result-view.tsx'
import tool from './tool.ts'
import './screen.css'

type Values = Record<string, unknown>
const is =
  (name: string, ...wanted: string[]) =>
  (values: Values): boolean =>
    wanted.includes(String(values[name]))
const isMade = (values: Values): boolean => values.source !== 'tree'
const both =
  (...tests: ((values: Values) => boolean)[]) =>
  (values: Values): boolean =>
    tests.every((one) => one(values))
const ofGenes = is('source', 'genes', 'family')

/** From which value a branch is said to have strong support: IQ-TREE's advice for UFBoot and SH-aLRT, and the usual ones for the others. */
const strong = { sh: 0.9, ufboot: 95, alrt: 80, both: 95, bootstrap: 70, file: null } as const

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result: TreeResultView,
  layout: 'top',
  fields: {
    genes: { when: ofGenes, rows: 3, required: true },
    assembly: { when: ofGenes, allowAll: true, needs: 'genes' },
    similar: { when: is('source', 'family') },
    relatives: { when: is('source', 'family'), advanced: true },
    assemblies: { when: is('source', 'family'), advanced: true, needs: 'genes' },
    molecule: { when: ofGenes },
    sequence: { when: is('source', 'sequence'), widget: 'sequence', rows: 8 },
    codons: { when: is('source', 'sequence') },
    geneticCode: { when: both(is('source', 'sequence'), (values) => values.codons === true) },
    tree: { when: is('source', 'tree'), rows: 6 },
    alignment: { when: is('source', 'tree'), rows: 4, required: false },
    align: { when: isMade },
    mafftMode: { when: both(isMade, is('align', 'mafft')), advanced: true },
    trim: { when: isMade },
    maxGaps: { when: both(isMade, is('trim', 'gaps')) },
    method: { when: isMade },
    proteinModel: { when: both(isMade, is('method', 'fasttree')), advanced: true },
    dnaModel: { when: both(isMade, is('method', 'fasttree')), advanced: true },
    gamma: { when: both(isMade, is('method', 'fasttree')), advanced: true },
    iqModel: { when: both(isMade, is('method', 'iqtree')) },
    support: { when: both(isMade, is('method', 'iqtree')) },
    replicates: { when: both(isMade, is('method', 'iqtree')), advanced: true },
    distance: { when: both(isMade, is('method', 'nj')) },
    bootstrap: { when: both(isMade, is('method', 'nj')) },
    seed: { when: isMade, advanced: true },
  },
  headline: ({ result, t, format }) => {
    const { root } = parseNewick(result.newick)
    const inner = listNodes(root).filter((node) => node.children.length > 0 && node.id !== root.id)
    const leaves = listLeaves(root).length
    const bar = result.supportKind === null ? null : strong[result.supportKind]
    const supported = inner.filter(({ support }) => support.length > 0)
    const head =
      result.method === null || result.alignment === null
        ? t('head.given', { leaves, inner: inner.length })
        : t('head.made', {
            leaves,
            columns: result.alignment.keptColumns,
            method: t(`method.${result.method}`),
            model: result.model ?? 'none',
            supported: bar === null || supported.length === 0 ? 'no' : 'yes',
            strong: supported.filter(({ support }) => support.at(-1)! >= (bar ?? 0)).length,
            inner: supported.length,
            threshold: format.number(bar ?? 0, 2),
          })
    return result.problems.length === 0 ? head : `${head} ${t('head.problems', { count: result.problems.length })}`
  },
})
