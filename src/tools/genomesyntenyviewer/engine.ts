import type { z } from 'zod'
import { nameBlocks } from '../../bio/comparative/block-kinds.ts'
import { defaultModel, hitsAGene } from '../../bio/comparative/collinear-blocks.ts'
import { evenly, shareOut } from '../../bio/statistics/even-samples.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { GeneTable, StoredBlock } from '../../kit/data/collinear-blocks.ts'
import { createDifferenceFinder } from '../../kit/data/differences/find-differences.ts'
import { nameRegions } from '../../kit/data/differences/named-regions.ts'
import type { NamedFeature, PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { homologyPrograms } from '../../kit/programs.ts'
import { type GenePairList, measurePairs } from './measure-pairs.ts'
import { openBlocks, readGenes } from './open-blocks.ts'
import { routes } from './routes.ts'
import tool, {
  type Block,
  type Genome,
  type KsDistribution,
  limits,
  type SyntenyDifference,
  type SyntenyResult,
} from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** Of the shortest difference: a shorter feature is the same place as none. */
const shortestNamed = 0.8

const describeGenome = async (data: PortalData, assembly: string, genes: GeneTable): Promise<Genome> => {
  const { id, name, speciesName, partial } = await data.getAssembly(assembly)
  const counts = new Map<string, number>()
  for (const sequence of genes.sequence)
    counts.set(genes.sequences[sequence]!, (counts.get(genes.sequences[sequence]!) ?? 0) + 1)
  const all = (await data.listSequences(assembly)).flatMap((one) => {
    const count = counts.get(one.name)
    return count === undefined ? [] : [{ name: one.name, lengthBp: one.lengthBp, genes: count }]
  })
  const kept = new Set([...all].sort((a, b) => b.lengthBp - a.lengthBp).slice(0, limits.sequences))
  return {
    id,
    name,
    speciesName,
    partial: partial !== null,
    codingGenes: genes.id.length,
    sequences: all.filter((one) => kept.has(one)),
    omitted: all.length - kept.size,
  }
}

/** Which of the genomes are compared, by their places. */
const comparisonsOf = ({ assemblies, compare, within }: Input): [number, number][] => {
  const wanted: [number, number][] = []
  for (const first of assemblies.keys())
    for (const second of assemblies.keys()) {
      const self = first === second && (within || assemblies.length === 1)
      const asked = compare === 'next' ? second === first + 1 : second > first && (compare === 'all' || first === 0)
      if (self || asked) wanted.push([first, second])
    }
  return wanted
}

const passes = ({ pairs, a, evalue }: StoredBlock, input: Input): boolean =>
  // Segments of an alignment have no pairs of genes to count.
  (pairs >= input.minimumGenes || (pairs === 0 && a.length === 0)) && (evalue ?? 0) <= input.evalue

/** Ks of the pairs of genes of each comparison, of all together at most `limits.ksPairs`, taken evenly along the first genome. */
const measureKs = async (
  lists: readonly GenePairList[],
  tables: ReadonlyMap<string, GeneTable>,
  { data, signal }: Pick<EngineContext, 'data' | 'signal'>,
): Promise<Omit<KsDistribution, 'first' | 'second'>[]> => {
  const shares = shareOut(
    lists.map(({ a }) => a.length),
    limits.ksPairs,
  )
  const taken = lists.map((list, number) => {
    const order = [...list.a.keys()].sort((p, q) => list.a[p]! - list.a[q]! || list.b[p]! - list.b[q]!)
    const indexes = evenly(order.length, shares[number]!).map((at) => order[at]!)
    return { ...list, a: indexes.map((at) => list.a[at]!), b: indexes.map((at) => list.b[at]!) }
  })
  return (await measurePairs(taken, tables, data, signal)).map((counts, number) => ({
    pairs: lists[number]!.a.length,
    measured: counts.length,
    values: counts.flatMap((one) => (one?.ks == null ? [] : [Number(one.ks.toFixed(4))])).sort((x, y) => x - y),
  }))
}

const run = async (input: Input, context: EngineContext): Promise<SyntenyResult> => {
  const { data, receipt, signal } = context
  const repeated = input.assemblies.find((id, at) => input.assemblies.indexOf(id) !== at)
  if (repeated !== undefined) throw fieldError(['assemblies'], 'problem.twice', { assembly: repeated })
  for (const assembly of input.assemblies) await data.getAssembly(assembly)
  const blocks = await openBlocks(data)
  const state = (await data.getHomology())!
  const genomes: Genome[] = []
  const tables = new Map<string, GeneTable>()
  for (const assembly of input.assemblies) {
    const genes = await readGenes(blocks, assembly)
    tables.set(assembly, genes)
    genomes.push(await describeGenome(data, assembly, genes))
  }
  const shown = genomes.map(({ sequences }) => new Set(sequences.map(({ name }) => name)))
  const found: Block[] = []
  const comparisons: SyntenyResult['comparisons'] = []
  const pairLists: GenePairList[] = []
  const differences: Omit<SyntenyDifference, 'regions'>[] = []
  const findDifferences = createDifferenceFinder(
    data,
    tables,
    { minimumBp: input.minimumBp, most: limits.differences, mostGenes: limits.differenceGenes },
    signal,
  )
  for (const [first, second] of comparisonsOf(input)) {
    signal.throwIfAborted()
    const pair = await blocks.between(input.assemblies[first]!, input.assemblies[second]!)
    if (pair === null) continue
    const kinds = nameBlocks(pair.blocks, first === second)
    const [genesA, genesB] = [new Set<number>(), new Set<number>()]
    const named: { a: number[]; b: number[] } = { a: [], b: [] }
    let [count, pairs] = [0, 0]
    for (const [number, block] of pair.blocks.entries()) {
      if (!passes(block, input)) continue
      if (!shown[first]!.has(block.sequenceA) || !shown[second]!.has(block.sequenceB)) continue
      const { a, b, ...about } = block
      for (const [at, gene] of a.entries()) {
        genesA.add(gene)
        ;(first === second ? genesA : genesB).add(b[at]!)
        named.a.push(gene)
        named.b.push(b[at]!)
      }
      count += 1
      pairs += block.pairs
      found.push({ first, second, number, kind: kinds[number]!, ...about })
    }
    const own =
      first === second
        ? null
        : await findDifferences(input.assemblies[first]!, input.assemblies[second]!, pair.blocks, kinds)
    differences.push(...(own?.largest ?? []).map((one) => ({ first, second, ...one })))
    pairLists.push({ first: input.assemblies[first]!, second: input.assemblies[second]!, ...named })
    comparisons.push({
      first,
      second,
      file: pair.source === 'computed' ? null : pair.source.file,
      blocks: count,
      pairs,
      genesA: genesA.size,
      genesB: first === second ? genesA.size : genesB.size,
      differences: own === null ? null : { counts: own.counts, truncated: own.truncated },
    })
  }
  differences.sort((a, b) => b.sizeBp - a.sizeBp)
  found.sort((a, b) => b.pairs - a.pairs || b.endA - b.startA - (a.endA - a.startA))
  const measured = input.ksDistribution ? await measureKs(pairLists, tables, context) : null
  const listed = differences.slice(0, limits.differences)
  const features = new Map<number, NamedFeature[]>()
  for (const genome of new Set(listed.flatMap(({ first, second }) => [first, second])))
    features.set(
      genome,
      await data.listFeatures(input.assemblies[genome]!, shortestNamed * input.minimumBp, limits.features),
    )
  const { matchScore, gapPenalty, matchSize, overlapWindow, maxGaps, evalue } = defaultModel
  receipt.addStep({
    program: 'NovoDB collinear blocks',
    version: String(tool.version),
    formula: `computed ${state.computedAt} unless a file was given: ${hitsAGene} best hits of each protein; chains of score ${matchScore} a pair ${gapPenalty} a gene between (MCScanX: match size ${matchSize}, overlap window ${overlapWindow}, max gaps ${maxGaps}, e-value ${evalue})`,
  })
  if (comparisons.some((one) => one.differences !== null))
    receipt.addStep({
      program: 'NovoDB structural differences',
      version: String(tool.version),
      formula: `at least ${input.minimumBp} bp, between genomes of one species with at least 60 % of the genes of the smaller in collinear blocks: of those aligned to their reference, gaps within and between neighbouring alignments of a chain (minimap2), further copies and inversions; of others, differences in the distance between ends of genes of collinear blocks that agree in both genomes, and inverted blocks. An insertion of which at least three genes and 80 % have family members of their own within 200 kb is a duplication`,
    })
  if (measured !== null)
    receipt.addStep({
      program: 'NovoDB Ks',
      version: String(tool.version),
      formula: `Nei and Gojobori with Jukes and Cantor's correction, codons along proteins aligned from end to end (BLOSUM62, gap 11 + 1 a residue); ${measured.reduce((sum, one) => sum + one.measured, 0)} of ${measured.reduce((sum, one) => sum + one.pairs, 0)} pairs, evenly along the first genome`,
    })
  for (const { id } of genomes) receipt.addData(id)
  for (const citation of citations) receipt.cite(citation)
  return {
    computedAt: state.computedAt,
    current: state.current,
    missing: state.missing,
    ks:
      measured === null
        ? null
        : measured.map((one, at) => ({
            first: comparisons[at]!.first,
            second: comparisons[at]!.second,
            ...one,
          })),
    genomes,
    comparisons,
    differences: listed.map((one) => ({
      ...one,
      regions: nameRegions(one, [features.get(one.first) ?? [], features.get(one.second) ?? []]),
    })),
    totalDifferences: comparisons.reduce(
      (sum, one) => sum + Object.values(one.differences?.counts ?? {}).reduce((total, count) => total + count, 0),
      0,
    ),
    blocks: found.slice(0, limits.blocks),
    total: found.length,
  }
}

const citations = [
  { text: 'Wang Y, Tang H, DeBarry JD, et al. Nucleic Acids Research 40, e49 (2012).', doi: '10.1093/nar/gkr1293' },
  { text: 'Tang H, Bowers JE, Wang X, et al. Science 320, 486-488 (2008).', doi: '10.1126/science.1153917' },
  { text: 'Goel M, Sun H, Jiao W-B, Schneeberger K. Genome Biology 20, 277 (2019).', doi: '10.1186/s13059-019-1911-0' },
  { text: 'Buchfink B, Reuter K, Drost H-G. Nature Methods 18, 366-368 (2021).', doi: '10.1038/s41592-021-01101-x' },
  {
    text: 'Nei M, Gojobori T. Molecular Biology and Evolution 3, 418-426 (1986).',
    doi: '10.1093/oxfordjournals.molbev.a040410',
  },
]

export default defineEngine({
  tool,
  programs: homologyPrograms,
  routes,
  run,
})
