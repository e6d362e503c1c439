import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type DistanceModel, joinAlignment } from '../../bio/phylogeny/neighbour-joining.ts'
import { parseNewick } from '../../bio/phylogeny/newick.ts'
import { listNodes, type PhyloTree } from '../../bio/phylogeny/phylogeny.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { renderRows, safeName } from './align.ts'
import { readIqTreeProgress } from './iqtree-progress.ts'
import { citations } from './programs.ts'
import tool, { limits, type Note, ownSeed, type TreeInput, type TreeResult } from './tool.ts'

type Alphabet = 'nucleotide' | 'protein'

interface BuiltTree extends Pick<TreeResult, 'supportKind' | 'model' | 'logLikelihood'> {
  tree: PhyloTree
}

const runFastTree = async (alphabet: Alphabet, input: TreeInput, context: EngineContext): Promise<BuiltTree> => {
  // FastTree's own model of proteins is Jones, Taylor & Thornton's, which has no option.
  const model =
    alphabet === 'protein'
      ? input.proteinModel === 'jtt'
        ? []
        : [`-${input.proteinModel}`]
      : input.dnaModel === 'gtr'
        ? ['-nt', '-gtr']
        : ['-nt']
  const { errorText } = await context.runProgram({
    program: 'fasttree',
    // Without a seed FastTree takes one of its own that is always the same (314159 in 2.1): so the tree is the one of a run by hand.
    arguments: [
      ...model,
      ...(input.gamma ? ['-gamma'] : []),
      ...(input.seed === undefined ? [] : ['-seed', String(input.seed)]),
      'columns.fa',
    ],
    environment: { OMP_NUM_THREADS: '1' },
    outputFile: 'fasttree.nwk',
  })
  context.receipt.cite(citations.fasttree)
  const likelihood = [...errorText.matchAll(/LogLk\s*=\s*(-?[\d.]+)/g)].at(-1)?.[1]
  const name = alphabet === 'protein' ? input.proteinModel.toUpperCase() : input.dnaModel.toUpperCase()
  return {
    tree: parseNewick(await readFile(join(context.directory, 'fasttree.nwk'), 'utf8')),
    supportKind: 'sh',
    model: `${name}+CAT${input.gamma ? '+Gamma20' : ''}`,
    logLikelihood: likelihood === undefined ? null : Number(likelihood),
  }
}

/** How often the log of IQ-TREE is read, for what is told of its progress. */
const logIntervalMs = 1000

/** Tells the progress of IQ-TREE until it is stopped. It never goes back, though the program's own reckoning does. */
const followLog = (file: string, context: EngineContext): { stop(): void } => {
  let furthest = 0
  let reading = false
  let stopped = false
  const look = async (): Promise<void> => {
    // The log is there a little after the program has started.
    const seen = readIqTreeProgress(await readFile(file, 'utf8').catch(() => ''))
    if (stopped || seen === null) return
    furthest = Math.max(furthest, seen.fraction)
    context.progress(furthest, seen.step)
  }
  const timer = setInterval(() => {
    if (reading) return
    reading = true
    void look().finally(() => {
      reading = false
    })
  }, logIntervalMs)
  return {
    stop: () => {
      stopped = true
      clearInterval(timer)
    },
  }
}

/** IQ-TREE finds the support of a tree of fewer different sequences meaningless and stops. */
const minForSupport = 4

const runIqTree = async (
  alphabet: Alphabet,
  distinct: number,
  input: TreeInput,
  context: EngineContext,
  notes: Note[],
): Promise<BuiltTree> => {
  if (distinct < 3) throw fieldError(['method'], 'tree.tooFewDistinct', { count: distinct })
  const { support } = input
  const supported = support !== 'none' && distinct >= minForSupport ? support : null
  if (support !== 'none' && supported === null) notes.push({ id: 'note.noSupport', params: { count: distinct } })
  const wanted = (kind: 'ufboot' | 'alrt'): string[] =>
    supported === kind || supported === 'both' ? [kind === 'ufboot' ? '-B' : '-alrt', String(input.replicates)] : []
  const following = followLog(join(context.directory, 'iqtree.log'), context)
  try {
    await context.runProgram({
      program: 'iqtree2',
      arguments: [
        ...['-s', 'columns.fa', '-st', alphabet === 'protein' ? 'AA' : 'DNA', '-m', input.iqModel],
        ...wanted('alrt'),
        ...wanted('ufboot'),
        // One thread and a stated seed: the same tree every time.
        ...['-T', '1', '--seed', String(input.seed ?? ownSeed), '--prefix', 'iqtree', '-redo'],
      ],
      outputFile: 'iqtree.out',
      explainFailure: (_, errorText) => {
        const words = /ERROR:\s*(.+)/.exec(errorText)?.[1]?.trim()
        if (words === undefined) return null
        // What is no model it knows it takes for a file of one.
        if (/model|rate|frequency|file not found/i.test(words))
          return fieldError(['iqModel'], 'iqModel.refused', { model: input.iqModel, words: words.slice(0, 200) })
        return null
      },
    })
  } finally {
    following.stop()
  }
  context.receipt.cite(citations.iqtree)
  if (/^(MFP|MF|TEST)/.test(input.iqModel)) context.receipt.cite(citations.modelFinder)
  if (wanted('ufboot').length > 0) context.receipt.cite(citations.ufboot)
  if (wanted('alrt').length > 0) context.receipt.cite(citations.alrt)
  const tree = parseNewick(await readFile(join(context.directory, 'iqtree.treefile'), 'utf8'))
  const report = await readFile(join(context.directory, 'iqtree.iqtree'), 'utf8')
  const model =
    /Best-fit model according to \w+: (\S+)/.exec(report)?.[1] ??
    /Model of substitution: (\S+)/.exec(report)?.[1] ??
    null
  const likelihood = /Log-likelihood of the tree: (-?[\d.]+)/.exec(report)?.[1]
  return {
    tree,
    supportKind: supported,
    model,
    logLikelihood: likelihood === undefined ? null : Number(likelihood),
  }
}

/** After so long a computation lets others have their turn: its being cancelled is heard then. */
const turnMs = 50

const runNeighbourJoining = async (
  rows: readonly string[],
  alphabet: Alphabet,
  input: TreeInput,
  context: EngineContext,
  notes: Note[],
): Promise<BuiltTree> => {
  const protein = alphabet === 'protein'
  if (protein && input.distance === 'jc69') throw fieldError(['distance'], 'distance.protein')
  const model: DistanceModel = input.distance === 'corrected' ? (protein ? 'kimura' : 'k80') : input.distance
  const replicates = input.bootstrap
  const seed = input.seed ?? ownSeed
  if (replicates > 0 && rows.length > limits.bootstrapSequences)
    throw fieldError(['bootstrap'], 'bootstrap.tooMany', { count: rows.length, limit: limits.bootstrapSequences })
  const steps = joinAlignment(
    rows.map((_, at) => safeName(at)),
    rows,
    { model, protein, replicates, seed },
  )
  let turned = Date.now()
  let step = steps.next()
  for (; !step.done; step = steps.next()) {
    if (Date.now() - turned < turnMs) continue
    context.progress(step.value, 'step.tree')
    await setImmediate()
    context.signal.throwIfAborted()
    turned = Date.now()
  }
  const { tree, far } = step.value
  if (far > 0) notes.push({ id: 'note.far', params: { count: far } })
  context.receipt.addStep({
    program: 'NovoDB tree',
    version: String(tool.version),
    formula: `neighbor joining (Studier-Keppler criterion), ${model} distances with pairwise deletion, ${replicates} bootstrap replicates, seed ${seed}`,
  })
  context.receipt.cite(citations.nj)
  if (replicates > 0) context.receipt.cite(citations.bootstrap)
  return {
    tree,
    supportKind: replicates > 0 ? 'bootstrap' : null,
    model: { p: 'p-distance', jc69: 'JC69', k80: 'K80', kimura: 'Kimura 1983' }[model],
    logLikelihood: null,
  }
}

/** The tree of an alignment, its leaves under the names that `names` has in the order of the rows. */
export const buildTree = async (
  rows: readonly string[],
  names: readonly string[],
  alphabet: Alphabet,
  input: TreeInput,
  context: EngineContext,
  notes: Note[],
): Promise<BuiltTree> => {
  const distinct = new Set(rows).size
  if (distinct < rows.length) notes.push({ id: 'note.identical', params: { count: rows.length - distinct, distinct } })
  await writeFile(join(context.directory, 'columns.fa'), renderRows(rows))
  const built =
    input.method === 'fasttree'
      ? await runFastTree(alphabet, input, context)
      : input.method === 'iqtree'
        ? await runIqTree(alphabet, distinct, input, context, notes)
        : await runNeighbourJoining(rows, alphabet, input, context, notes)
  const own = new Map(names.map((name, at) => [safeName(at), name]))
  for (const node of listNodes(built.tree.root)) if (node.children.length === 0) node.name = own.get(node.name)!
  return built
}
