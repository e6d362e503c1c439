import type { z } from 'zod'
import {
  clusterGenomes,
  countFrequencies,
  countGenomes,
  expectedGrowth,
  type FamilyCounts,
  fitPowerLaw,
  orderFamilies,
  packPresence,
  resampleGrowth,
} from '../../bio/comparative/pan-genome.ts'
import { computeNx } from '../../bio/sequence/assembly-stats.ts'
import { type Busco, buscoKind } from '../../contracts/busco.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { listOrthogroupGenes } from '../../database/homologs.ts'
import { countPresence } from '../../kit/data/genes/presence-frequencies.ts'
import type { HomologyState, PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { type Compared, chooseAssemblies, citations, countsOf } from './choose-assemblies.ts'
import { routes } from './routes.ts'
import tool, { type ComparedAssembly, limits, type PanGenome, type SetRow } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

const describeAssemblies = async (
  data: PortalData,
  { assemblies }: Compared,
  { genomes, counts }: FamilyCounts,
  present: Uint16Array,
): Promise<ComparedAssembly[]> => {
  const families = new Array<number>(genomes).fill(0)
  const alone = new Array<number>(genomes).fill(0)
  for (const [family, sum] of present.entries())
    for (let genome = 0; sum > 0 && genome < genomes; genome += 1)
      if (counts[family * genomes + genome]! > 0) {
        families[genome]! += 1
        if (sum === 1) alone[genome]! += 1
      }
  const described: ComparedAssembly[] = []
  for (const [at, one] of assemblies.entries()) {
    const lengths = (await data.listSequences(one.id)).map(({ lengthBp }) => lengthBp)
    const busco =
      (one.dataTypes[buscoKind] ?? 0) > 0
        ? await data.getRecord<Busco>(buscoKind, buscoKind, { assembly: one.id })
        : null
    const { id, speciesName, reference, outgroup, simulated, lengthBp, gcFraction, sequenceCount, n50Bp, gapBp } = one
    described.push({
      id,
      speciesName,
      reference,
      outgroup,
      simulated,
      lengthBp,
      gcFraction,
      sequenceCount,
      n50Bp,
      gapBp,
      busco,
      partial: one.partial !== null,
      l50: computeNx(lengths, 0.5).count,
      geneCount: one.geneCount,
      codingGeneCount: one.codingGeneCount,
      families: families[at]!,
      alone: alone[at]!,
    })
  }
  return described
}

/** Cells of the matrix, two bits each from the lowest on. */
const packCells = ({ genomes, counts }: FamilyCounts, order: Uint32Array): Buffer => {
  const cells = Buffer.alloc(Math.ceil((order.length * genomes) / 4))
  let index = 0
  for (const family of order)
    for (let at = family * genomes; at < (family + 1) * genomes; at += 1) {
      cells[index >>> 2]! |= Math.min(3, counts[at]!) << ((index & 3) * 2)
      index += 1
    }
  return cells
}

const drawMatrix = (
  counts: FamilyCounts,
  present: Uint16Array,
  genomeOrder: readonly number[],
): PanGenome['matrix'] => {
  let order = orderFamilies(counts, genomeOrder)
  let notDrawn = 0
  if (order.length * counts.genomes > limits.drawnCells) {
    const room = Math.floor(limits.drawnCells / counts.genomes)
    // The families of one assembly stand last: those are what there is no room for, and what says least.
    notDrawn =
      order.length -
      Math.max(
        room,
        order.findIndex((family) => present[family] === 1),
      )
    notDrawn = Math.max(0, Math.min(notDrawn, order.length))
    order = order.slice(0, order.length - notDrawn)
  }
  return {
    families: Buffer.from(order.buffer, order.byteOffset, order.byteLength).toString('base64'),
    cells: packCells(counts, order).toString('base64'),
    count: order.length,
    notDrawn,
  }
}

const membersOf = async (
  data: PortalData,
  state: HomologyState,
  assembly: string,
  orthogroups: string[],
): Promise<Map<string, string[]>> => {
  const members = new Map<string, string[]>()
  const rows = await listOrthogroupGenes(data.sql, state.bundle, await data.bundleNumber(assembly), orthogroups)
  for (const { gene, orthogroup } of rows) {
    const own = members.get(orthogroup)
    if (own === undefined) members.set(orthogroup, [gene])
    else own.push(gene)
  }
  for (const own of members.values()) own.sort()
  return members
}

const describeSet = async (
  names: string[],
  { assembly }: Pick<Input, 'assembly'>,
  { state, assemblies }: Compared,
  data: PortalData,
): Promise<NonNullable<PanGenome['set']>> => {
  const resolved = await data.resolveGenes(names, assembly)
  const interpretations = new Map<string, GeneSummary[]>()
  for (const { query, gene } of resolved.found) interpretations.set(query, [gene])
  for (const { query, genes } of resolved.ambiguous) interpretations.set(query, genes)
  const indexes = new Map(assemblies.map(({ id }, at) => [id, at]))
  const asked: { query: string; gene: GeneSummary }[] = []
  const unknown: string[] = []
  for (const query of names) {
    // A name that several assemblies have means the gene of the first of those compared: their genes are mostly one family. A gene
    // of another assembly leads to its family as well: symbols are often the reference's alone.
    const [first] = [...(interpretations.get(query) ?? [])].sort(
      (a, b) => (indexes.get(a.assembly) ?? assemblies.length) - (indexes.get(b.assembly) ?? assemblies.length),
    )
    if (first === undefined) unknown.push(query)
    else asked.push({ query, gene: first })
  }
  const orthogroups = new Map<string, string>()
  for (const id of new Set(asked.map(({ gene }) => gene.assembly))) {
    const genes = asked.flatMap(({ gene }) => (gene.assembly === id ? [gene.id] : []))
    for (const [gene, group] of await data.listOrthogroups(id, genes)) orthogroups.set(`${id}/${gene}`, group)
  }
  const wanted = [...new Set(orthogroups.values())]
  const members = await Promise.all(assemblies.map(({ id }) => membersOf(data, state, id, wanted)))
  return {
    unknown,
    rows: asked.map(({ query, gene }): SetRow => {
      const group = orthogroups.get(`${gene.assembly}/${gene.id}`)
      return {
        query,
        assembly: gene.assembly,
        gene: gene.id,
        symbol: gene.symbol,
        description: gene.description,
        family: group ?? null,
        members: group === undefined ? [] : members.map((own) => own.get(group) ?? []),
      }
    }),
  }
}

/** Genes by the number of assemblies that have them; null where not every assembly's genes were followed in the others. */
const countGenes = async (
  data: PortalData,
  { assemblies }: Compared,
  signal: AbortSignal,
): Promise<PanGenome['genes']> => {
  const ids = assemblies.map(({ id }) => id)
  const state = await data.presence.getState(ids[0]!)
  if (state === null || !ids.every((id) => state.assemblies.includes(id))) return null
  return countPresence(data, ids, signal)
}

const run = async (input: Input, { data, receipt, signal }: EngineContext): Promise<PanGenome> => {
  const compared = await chooseAssemblies(data, input.assemblies)
  if (input.assembly !== undefined) await data.getAssembly(input.assembly)
  const counts = await countsOf(data, compared.assemblies)
  signal.throwIfAborted()
  const present = countGenomes(counts)
  const frequencies = countFrequencies(present, counts.genomes)
  const presence = packPresence(counts)
  const growth = expectedGrowth(frequencies)
  const spread = resampleGrowth(presence, input.orders, input.seed)
  signal.throwIfAborted()
  const tree = clusterGenomes(presence)
  const sizes = growth.pan.map((_, at) => at + 1)
  for (const { id } of compared.assemblies) receipt.addData(id)
  receipt.addStep({
    program: 'NovoDB pan-genome',
    version: String(tool.version),
    formula: `families are orthogroups; means over all orders exactly, families x (1 - C(G-k,n)/C(G,n)) and families x C(k,n)/C(G,n); middle 95 % over ${spread.complete ? `all ${spread.orders} orders` : `${spread.orders} orders drawn with seed ${input.seed}`}; pan-genome n = kappa N^gamma and new families n = kappa N^-alpha by least squares through the means`,
  })
  receipt.cite(citations.tettelin)
  receipt.cite(citations.hurlbert)
  receipt.cite(citations.mcl)
  const { state } = compared
  return {
    computedAt: state.computedAt,
    current: state.current,
    missing: state.missing,
    leftOut: compared.leftOut,
    outgroups: compared.outgroups,
    assemblies: await describeAssemblies(data, compared, counts, present),
    frequencies,
    genes: await countGenes(data, compared, signal),
    growth,
    spread,
    heaps: fitPowerLaw(sizes, growth.pan),
    fresh: fitPowerLaw(sizes.slice(1), growth.fresh.slice(1)),
    tree,
    matrix: drawMatrix(counts, present, tree.order),
    set: input.genes === undefined ? null : await describeSet(input.genes, input, compared, data),
  }
}

export default defineEngine({
  tool,
  programs: [],
  run,
  routes,
})
