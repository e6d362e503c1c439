import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  findCollinearBlocks,
  type GeneMatches,
  type GeneRanks,
  hitsAGene,
  rankGenes,
} from '../../bio/comparative/collinear-blocks.ts'
import { collinearDefects } from '../../bio/comparative/collinear-defects.ts'
import type { FileBlock } from '../../bio/comparative/collinear-files.ts'
import { indexSequenceNames } from '../../bio/sequence/chromosome-order.ts'
import { listSequenceRows } from '../../database/sequences.ts'
import {
  blocksIndexKind,
  blocksKind,
  createBlocksWriter,
  type GivenBlocks,
  givenBlocksFile,
  type PairBlocks,
  type StoredBlock,
} from '../../kit/data/collinear-blocks.ts'
import type { PortalBakeContext } from '../../kit/loader.ts'
import { readTextIfPresent } from '../../store/baked-text.ts'
import { openSink } from '../../store/file-sink.ts'
import type { FullHits } from './pair-file.ts'
import type { Proteome } from './proteome.ts'
import { type ProteomeNames, readProteomeNames } from './proteome-names.ts'

/** The best hits of each gene in the other genome, both ways: a hit stays that is among those of either gene. */
const bestHits = (hits: FullHits, counts: [number, number], within: boolean): GeneMatches => {
  const order = Array.from(hits.bits.keys()).sort((p, q) => hits.bits[q]! - hits.bits[p]!)
  const taken: [Uint8Array, Uint8Array] = [new Uint8Array(counts[0]), new Uint8Array(counts[1])]
  const seen = new Set<number>()
  const kept: number[] = []
  for (const at of order) {
    const a = hits.a[at]!
    const b = hits.b[at]!
    if (within && a === b) continue
    if (taken[0][a]! >= hitsAGene && taken[1][b]! >= hitsAGene) continue
    const key = within ? Math.min(a, b) * counts[1] + Math.max(a, b) : a * counts[1] + b
    if (seen.has(key)) continue
    seen.add(key)
    taken[0][a]! += 1
    taken[1][b]! += 1
    kept.push(at)
  }
  return {
    a: Int32Array.from(kept, (at) => (within ? Math.min(hits.a[at]!, hits.b[at]!) : hits.a[at]!)),
    b: Int32Array.from(kept, (at) => (within ? Math.max(hits.a[at]!, hits.b[at]!) : hits.b[at]!)),
    evalue: Float64Array.from(kept, (at) => hits.evalue[at]!),
  }
}

const ranksOf = ({ order, starts }: Proteome): GeneRanks => rankGenes(order.sequence, starts)

/** Where the genes of one side of a block stand. */
const span = ({ order, starts, ends, sequenceNames }: Proteome, genes: number[]) => {
  let [start, end] = [Number.POSITIVE_INFINITY, 0]
  for (const gene of genes) {
    start = Math.min(start, starts[gene]!)
    end = Math.max(end, ends[gene]!)
  }
  return { sequence: sequenceNames[order.sequence[genes[0]!]!]!, start, end }
}

const storeBlock = (
  x: Proteome,
  y: Proteome,
  { a, b, ...about }: Pick<StoredBlock, 'a' | 'b' | 'orientation' | 'score' | 'evalue' | 'pairs'>,
): StoredBlock => {
  const [first, second] = [span(x, a), span(y, b)]
  return {
    sequenceA: first.sequence,
    startA: first.start,
    endA: first.end,
    sequenceB: second.sequence,
    startB: second.start,
    endB: second.end,
    ...about,
    a,
    b,
  }
}

const computeBlocks = (x: Proteome, y: Proteome, hits: FullHits): PairBlocks => {
  const within = x === y
  const matches = bestHits(hits, [x.genes.length, y.genes.length], within)
  const blocks = findCollinearBlocks(matches, ranksOf(x), within ? null : ranksOf(y))
  return {
    source: 'computed',
    blocks: blocks.map(({ a, b, orientation, score, evalue }) =>
      storeBlock(x, y, { a, b, orientation, score, evalue: Number(evalue.toPrecision(3)), pairs: a.length }),
    ),
  }
}

type Sequences = { name: string; aliases: string[] }[]

/** A block of a lab's file as it is kept, or null where nothing of it is known here; unknown names are noted. */
const readGiven = (
  block: FileBlock,
  sides: [Proteome, Proteome],
  names: [ProteomeNames, ProteomeNames],
  sequences: [Sequences, Sequences],
  unknown: Set<string>,
): StoredBlock | null => {
  const [x, y] = sides
  if (block.a.sequence !== null && block.b.sequence !== null) {
    const [p, q] = ([block.a.sequence, block.b.sequence] as const).map((name, side) => {
      const found = indexSequenceNames(sequences[side as 0 | 1]).resolve(name).name
      if (found === null) unknown.add(name)
      return found
    }) as [string | null, string | null]
    if (p === null || q === null) return null
    return {
      sequenceA: p,
      startA: block.a.start1!,
      endA: block.a.end1!,
      sequenceB: q,
      startB: block.b.start1!,
      endB: block.b.end1!,
      orientation: block.orientation ?? 1,
      score: block.score,
      evalue: null,
      pairs: 0,
      a: [],
      b: [],
    }
  }
  const pairs: [number, number][] = []
  for (const [at, gene] of block.a.genes.entries()) {
    const [a, b] = [names[0].find(gene), names[1].find(block.b.genes[at]!)]
    if (a === null) unknown.add(gene)
    if (b === null) unknown.add(block.b.genes[at]!)
    if (a !== null && b !== null) pairs.push([a, b])
  }
  // A block is one of two sequences; a pair elsewhere is of another release of the genes.
  const [first] = pairs
  const together = pairs.filter(
    ([a, b]) =>
      x.order.sequence[a] === x.order.sequence[first![0]] && y.order.sequence[b] === y.order.sequence[first![1]],
  )
  if (together.length < 2) return null
  together.sort((p, q) => p[0] - q[0])
  const a = together.map(([gene]) => gene)
  const b = together.map(([, gene]) => gene)
  const rises = b.slice(1).filter((gene, at) => gene > b[at]!).length
  const stored = storeBlock(x, y, {
    a,
    b,
    score: block.score,
    evalue: block.evalue,
    pairs: block.geneCount ?? together.length,
    orientation: block.orientation ?? (2 * rises >= b.length - 1 ? 1 : -1),
  })
  // Of `.simple` the ends are known, and they are no pairs of homologs.
  return block.geneCount === null ? stored : { ...stored, a: [], b: [] }
}

/** Blocks of the files that labs gave, by pairs of proteomes; the first side is the later one. */
const readGivenBlocks = async (proteomes: Proteome[], context: PortalBakeContext): Promise<Map<string, PairBlocks>> => {
  const given = new Map<string, PairBlocks>()
  // Few labs bring blocks, and the names of all genes are many.
  let allNames: ProteomeNames[] | undefined
  const sequences = new Map<number, Sequences>()
  const sequencesOf = async (at: number): Promise<Sequences> => {
    const known = sequences.get(at) ?? (await listSequenceRows(context.sql, proteomes[at]!.assembly.bundle))
    sequences.set(at, known)
    return known
  }
  for (const { fetchFiles, species } of context.species) {
    const text = await readTextIfPresent(join(await fetchFiles([givenBlocksFile]), givenBlocksFile))
    if (text === null) continue
    if (allNames === undefined) {
      allNames = []
      for (const proteome of proteomes) allNames.push(await readProteomeNames(proteome, context))
    }
    const names = allNames
    for (const { file, assemblies, blocks } of JSON.parse(text) as GivenBlocks[]) {
      const unknown = new Set<string>()
      const ofAssembly = (id: string): number => proteomes.findIndex(({ assembly }) => assembly.id === id)
      const sidesOf = ({ a, b }: FileBlock): [number, number] => {
        if (assemblies !== null) return [ofAssembly(assemblies[0]), ofAssembly(assemblies[1])]
        const find = (genes: string[]): number => {
          const fits = names.flatMap((known, at) => (genes.some((gene) => known.find(gene) !== null) ? [at] : []))
          return fits.find((at) => proteomes[at]!.assembly.species === species) ?? fits[0] ?? -1
        }
        return [find(a.genes), find(b.genes)]
      }
      for (const block of blocks) {
        const [p, q] = sidesOf(block)
        if (p === -1 || q === -1) {
          unknown.add(p === -1 ? (assemblies?.[0] ?? block.a.genes[0]!) : (assemblies?.[1] ?? block.b.genes[0]!))
          continue
        }
        const turned = p < q
        const [x, y] = turned ? [q, p] : [p, q]
        const stored = readGiven(
          turned ? { ...block, a: block.b, b: block.a } : block,
          [proteomes[x]!, proteomes[y]!],
          [names[x]!, names[y]!],
          [await sequencesOf(x), await sequencesOf(y)],
          unknown,
        )
        if (stored === null) continue
        const key = `${x} ${y}`
        const pair = given.get(key)
        if (pair === undefined) given.set(key, { source: { file }, blocks: [stored] })
        else pair.blocks.push(stored)
      }
      const [example] = unknown
      if (example !== undefined)
        context.report(collinearDefects, {
          code: 'collinear-name',
          file,
          line: null,
          params: { count: unknown.size, example },
        })
    }
  }
  return given
}

/**
 * Writes the genes of every assembly and the collinear blocks of every pair, computed from the hits unless a lab gave a file of them;
 * resolves to the number of blocks.
 */
export const writeBlocks = async (
  proteomes: Proteome[],
  groups: Int32Array[],
  readHits: (x: number, y: number) => Promise<FullHits>,
  context: PortalBakeContext,
): Promise<number> => {
  const given = await readGivenBlocks(proteomes, context)
  const file = await openSink(join(context.directory, `${blocksKind}.gz`))
  const writer = createBlocksWriter((bytes) => file.write(bytes))
  let count = 0
  try {
    for (const [x, proteome] of proteomes.entries()) {
      const { assembly, genes, symbols, starts, ends, order, sequenceNames } = proteome
      await writer.addGenes(assembly.bundle, {
        sequences: sequenceNames,
        id: genes,
        symbol: symbols,
        sequence: [...order.sequence],
        start: starts,
        end: ends,
        strand: [...order.strand],
        group: [...groups[x]!],
      })
      for (let y = 0; y <= x; y += 1) {
        context.signal.throwIfAborted()
        const blocks = given.get(`${x} ${y}`) ?? computeBlocks(proteome, proteomes[y]!, await readHits(x, y))
        count += blocks.blocks.length
        await writer.addBlocks(assembly.bundle, proteomes[y]!.assembly.bundle, blocks)
      }
    }
    await file.end()
  } finally {
    await file.discard()
  }
  await writeFile(join(context.directory, `${blocksKind}.json`), writer.finish())
  context.addFile(`${blocksKind}.gz`, { kind: blocksKind })
  context.addFile(`${blocksKind}.json`, { kind: blocksIndexKind })
  return count
}
