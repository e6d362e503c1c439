import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findKeptColumns, keepColumns } from '../../bio/alignment/alignment-columns.ts'
import { renderNewick, TreeTextError } from '../../bio/phylogeny/newick.ts'
import { listLeaves, listNodes } from '../../bio/phylogeny/phylogeny.ts'
import { type ParsedTreeFile, parseTreeFile } from '../../bio/phylogeny/tree-files.ts'
import { hasGeneticCode } from '../../bio/sequence/genetic-codes.ts'
import { detectAlphabet } from '../../bio/sequence/sequence.ts'
import { fieldError } from '../../contracts/errors.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { alignSequences, renderRows } from './align.ts'
import { buildTree } from './build-tree.ts'
import { collectGenes } from './collect-genes.ts'
import { requirements } from './programs.ts'
import { nameLeavesApart, readFasta, readPasted, type TreeSequence } from './read-sequences.ts'
import { alignmentFile, columnsFile, routes } from './routes.ts'
import tool, { limits, type Note, type TreeInput, type TreeResult } from './tool.ts'

const minSequences = 3

const ranges = (columns: readonly number[]): [number, number][] => {
  const pieces: [number, number][] = []
  for (const column of columns) {
    const last = pieces.at(-1)
    if (last !== undefined && last[1] === column) last[1] = column + 1
    else pieces.push([column, column + 1])
  }
  return pieces
}

const readTree = (text: string): ParsedTreeFile => {
  try {
    return parseTreeFile(text)
  } catch (error) {
    if (!(error instanceof TreeTextError)) throw error
    const { problem, line, column, found } = error
    throw fieldError(['tree'], `tree.${problem}`, { line, column, found })
  }
}

/** A tree that was given, with the alignment of its leaves where that was given too. */
const showTree = async (input: TreeInput, context: EngineContext): Promise<TreeResult> => {
  const { root, rooted, treeCount, format } = readTree(input.tree)
  const notes: Note[] = []
  const leaves = listLeaves(root)
  if (leaves.length > limits.leaves)
    throw fieldError(['tree'], 'tree.tooManyLeaves', { count: leaves.length, limit: limits.leaves })
  if (leaves.length < 2) throw fieldError(['tree'], 'tree.tooFewLeaves')
  if (treeCount > 1) notes.push({ id: 'note.severalTrees', params: { count: treeCount } })
  const named = nameLeavesApart(leaves)
  for (const [at, leaf] of leaves.entries()) leaf.name = named.leaves[at]!.name
  notes.push(...named.notes)
  const negative = listNodes(root).filter(({ length }) => (length ?? 0) < 0).length
  if (negative > 0) notes.push({ id: 'note.negative', params: { count: negative } })
  let alignment: TreeResult['alignment'] = null
  if (input.alignment.trim() !== '') {
    const records = readFasta(input.alignment, 'alignment')
    const [first] = records
    const odd = records.find(({ sequence }) => sequence.length !== first!.sequence.length)
    if (first === undefined || odd !== undefined)
      throw fieldError(['alignment'], 'align.lengths', {
        name: odd?.name.slice(0, 60) ?? '',
        length: odd?.sequence.length ?? 0,
        first: first?.name.slice(0, 60) ?? '',
        firstLength: first?.sequence.length ?? 0,
      })
    const byName = new Map(records.map(({ name, sequence }) => [name, sequence]))
    const rows = leaves.flatMap(({ name }) => (byName.has(name) ? [{ name, row: byName.get(name)! }] : []))
    if (rows.length === 0) throw fieldError(['alignment'], 'alignment.noLeaf', { name: first.name.slice(0, 60) })
    if (rows.length < leaves.length)
      notes.push({ id: 'note.withoutRow', params: { count: leaves.length - rows.length, total: leaves.length } })
    await writeFile(
      join(context.directory, alignmentFile),
      renderRows(
        rows.map(({ row }) => row),
        (at) => rows[at]!.name,
      ),
    )
    const columns = first.sequence.length
    alignment = {
      alphabet: detectAlphabet(records.map(({ sequence }) => sequence.slice(0, 5000)).join('')) ?? 'protein',
      codons: false,
      rows: rows.length,
      columns,
      kept: [[0, columns]],
      keptColumns: columns,
      program: null,
    }
  }
  context.receipt.addStep({
    program: 'NovoDB tree',
    version: String(tool.version),
    formula: `tree as given (${format})`,
  })
  return {
    newick: renderNewick({ root, rooted }),
    rooted,
    supportKind: listNodes(root).some(({ support }) => support.length > 0) ? 'file' : null,
    leaves: leaves.map(({ name }) => ({
      name,
      gene: null,
      symbol: null,
      assembly: null,
      species: null,
      description: null,
    })),
    source: 'tree',
    method: null,
    model: null,
    logLikelihood: null,
    alignment,
    notes,
    problems: [],
  }
}

const collect = async (
  input: TreeInput,
  context: EngineContext,
): Promise<{
  sequences: TreeSequence[]
  alphabet: 'nucleotide' | 'protein'
  codons: boolean
  notes: Note[]
  problems: TreeResult['problems']
}> => {
  if (input.source === 'sequence') {
    const pasted = readPasted(input.sequence, input.geneticCode)
    if (input.codons && pasted.alphabet === 'protein') throw fieldError(['codons'], 'align.codonsOfProtein')
    if (input.codons && !hasGeneticCode(input.geneticCode))
      throw fieldError(['geneticCode'], 'geneticCode.unknown', { code: input.geneticCode })
    return { ...pasted, codons: input.codons, problems: [] }
  }
  if (input.align === 'none') throw fieldError(['align'], 'align.genesUnaligned')
  const collected = await collectGenes(input, context)
  return {
    ...collected,
    alphabet: input.molecule === 'protein' ? 'protein' : 'nucleotide',
    codons: input.molecule === 'codon',
  }
}

export default defineEngine({
  tool,
  programs: requirements,
  // A search for the best model and a thousand bootstrap trees of two hundred proteins take hours.
  bounds: { timeoutMs: 6 * 60 * 60 * 1000 },
  routes,
  run: async (input, context) => {
    if (input.source === 'tree') return showTree(input, context)
    context.progress(null, 'step.collect')
    const { sequences, alphabet, codons, notes, problems } = await collect(input, context)
    const field = input.source === 'sequence' ? 'sequence' : 'genes'
    if (sequences.length < minSequences)
      throw fieldError([field], input.source === 'family' ? 'family.tooFew' : 'sequence.tooFew', {
        count: sequences.length,
        min: minSequences,
      })
    if (sequences.length > limits.sequences)
      throw fieldError([field], 'sequence.tooMany', { count: sequences.length, limit: limits.sequences })
    const long = sequences.find(({ sequence }) => sequence.length > limits.residues)
    if (long !== undefined)
      throw fieldError([field], 'sequence.long', {
        name: long.leaf.name.slice(0, 60),
        length: long.sequence.length,
        limit: limits.residues,
      })
    if (input.method === 'iqtree' && sequences.length > limits.iqtreeSequences)
      throw fieldError(['method'], 'method.iqtreeTooMany', { count: sequences.length, limit: limits.iqtreeSequences })
    context.progress(null, 'step.align')
    const aligned = await alignSequences(sequences, alphabet, codons, input, context, notes)
    const names = sequences.map(({ leaf }) => leaf.name)
    const columns = aligned[0]!.length
    const kept =
      input.trim === 'none'
        ? Array.from({ length: columns }, (_, at) => at)
        : findKeptColumns(aligned, input.maxGaps / 100, codons ? 3 : 1)
    if (kept.length === 0) throw fieldError(['maxGaps'], 'trim.nothingLeft', { columns, percent: input.maxGaps })
    const rows = kept.length === columns ? aligned : keepColumns(aligned, kept)
    const bare = rows.findIndex((row) => /^[-.]*$/.test(row))
    if (bare >= 0)
      throw fieldError([input.trim === 'none' ? field : 'maxGaps'], 'trim.onlyGaps', {
        name: names[bare]!.slice(0, 60),
      })
    const nameOf = (at: number): string => names[at]!
    await writeFile(join(context.directory, alignmentFile), renderRows(aligned, nameOf))
    await writeFile(join(context.directory, columnsFile), renderRows(rows, nameOf))
    context.signal.throwIfAborted()
    context.progress(null, 'step.tree')
    const built = await buildTree(rows, names, alphabet, input, context, notes)
    if (sequences.length === minSequences) notes.push({ id: 'note.three', params: {} })
    return {
      newick: renderNewick(built.tree),
      rooted: false,
      supportKind: built.supportKind,
      leaves: sequences.map(({ leaf }) => leaf),
      source: input.source,
      method: input.method,
      model: built.model,
      logLikelihood: built.logLikelihood,
      alignment: {
        alphabet,
        codons,
        rows: rows.length,
        columns,
        kept: ranges(kept),
        keptColumns: kept.length,
        program: input.align === 'none' ? null : input.align,
      },
      notes,
      problems,
    }
  },
})
