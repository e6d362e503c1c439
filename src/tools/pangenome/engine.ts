import type { z } from 'zod'
import { orthogroupId } from '../../bio/comparative/orthology.ts'
import {
  clusterGenomes,
  countFrequencies,
  countGenomes,
  expectedGrowth,
  type FamilyCounts,
  familyClass,
  fitPowerLaw,
  orderFamilies,
  packPresence,
  resampleGrowth,
} from '../../bio/comparative/pan-genome.ts'
import { computeNx } from '../../bio/sequence/assembly-stats.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { listOrthogroupGenes, listRepresentatives } from '../../database/homologs.ts'
import { readFamilyCounts } from '../../kit/data/family-counts.ts'
import type { HomologyState, PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, defineRoute, type EngineContext } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { tableHead, tsvLine } from '../../kit/write-table.ts'
import { type Compared, chooseAssemblies, requireHomology } from './choose-assemblies.ts'
import { fileInput, getGeneFamily, listFamilies, listFamilyGenes, maxNamed } from './endpoints.ts'
import { buscoKind } from './load.ts'
import tool, { type Busco, type ComparedAssembly, limits, type PanGenome, type SetRow } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

const countsOf = async (data: PortalData, assemblies: AssemblySummary[]): Promise<FamilyCounts> => {
  const counts = await readFamilyCounts(
    data,
    assemblies.map(({ id }) => id),
  )
  if (counts === null) throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.olderLoad' })
  return counts
}

/** A family's number by its orthogroup's id. */
const familyOf = (orthogroup: string): number => Number(orthogroup.slice(2))

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
    const { id, speciesName, reference, simulated, lengthBp, gcFraction, sequenceCount, n50Bp, gapBp } = one
    described.push({
      id,
      speciesName,
      reference,
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
        family: group === undefined ? null : familyOf(group),
        members: group === undefined ? [] : members.map((own) => own.get(group) ?? []),
      }
    }),
  }
}

const citations = {
  tettelin: {
    text: 'Tettelin H, Riley D, Cattuto C, Medini D. Current Opinion in Microbiology 11, 472-477 (2008).',
    doi: '10.1016/j.mib.2008.09.006',
  },
  hurlbert: { text: 'Hurlbert SH. Ecology 52, 577-586 (1971).', doi: '10.2307/1934145' },
  mcl: {
    text: 'Enright AJ, Van Dongen S, Ouzounis CA. Nucleic Acids Research 30, 1575-1584 (2002).',
    doi: '10.1093/nar/30.7.1575',
  },
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
    assemblies: await describeAssemblies(data, compared, counts, present),
    frequencies,
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
  routes: [
    answerEndpoint(listFamilies, async ({ assemblies: asked }, { data }) => {
      const { state, assemblies } = await chooseAssemblies(data, asked)
      const counts = await countsOf(data, assemblies)
      const named: { family: number; genes: number; max: number; present: number }[] = []
      const wanted: string[][] = assemblies.map(() => [])
      let total = 0
      for (let family = 0; family < counts.families; family += 1) {
        let [genes, max, present, first] = [0, 0, 0, -1]
        for (let genome = 0; genome < counts.genomes; genome += 1) {
          const own = counts.counts[family * counts.genomes + genome]!
          if (own === 0) continue
          if (first < 0) first = genome
          genes += own
          present += 1
          if (own > max) max = own
        }
        if (present === 0) continue
        total += 1
        if (named.length >= maxNamed) continue
        named.push({ family, genes, max, present })
        wanted[first]!.push(orthogroupId(family))
      }
      const about = new Map<number, { at: number; gene: string; symbol: string | null; description: string | null }>()
      for (const [at, groups] of wanted.entries()) {
        if (groups.length === 0) continue
        const bundle = await data.bundleNumber(assemblies[at]!.id)
        for (const row of await listRepresentatives(data.sql, state.bundle, bundle, groups))
          about.set(familyOf(row.orthogroup), { at, ...row })
      }
      return {
        total,
        families: named.map(({ family }) => family),
        genes: named.map(({ genes }) => genes),
        max: named.map(({ max }) => max),
        present: named.map(({ present }) => present),
        assembly: named.map(({ family }) => about.get(family)?.at ?? 0),
        gene: named.map(({ family }) => about.get(family)?.gene ?? ''),
        symbol: named.map(({ family }) => about.get(family)?.symbol ?? null),
        description: named.map(({ family }) => about.get(family)?.description ?? null),
      }
    }),
    answerEndpoint(listFamilyGenes, async ({ assembly, families }, { data }) => {
      const state = await requireHomology(data)
      const { id } = await data.getAssembly(assembly)
      if (!state.covered.includes(id)) return { genes: [] }
      const wanted = families === undefined ? null : new Set(families)
      const rows = await listOrthogroupGenes(data.sql, state.bundle, await data.bundleNumber(id))
      return {
        genes: rows
          .map(({ gene, orthogroup }) => ({ id: gene, family: familyOf(orthogroup) }))
          .filter(({ family }) => wanted === null || wanted.has(family))
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      }
    }),
    answerEndpoint(getGeneFamily, async ({ assembly, gene }, { data }) => {
      const around = (await data.getAssembly(assembly)).id
      const { state, assemblies } = await chooseAssemblies(data, [], around)
      const group = (await data.listOrthogroups(around, [gene])).get(gene)
      const counts = await countsOf(data, assemblies)
      const members = group === undefined ? null : (await data.getOrthogroup(group))?.members
      return {
        known: !state.missing.includes(around),
        family: group === undefined ? null : familyOf(group),
        current: state.current,
        assemblies: assemblies.map(({ id, partial }) => ({
          id,
          partial: partial !== null,
          genes: members?.get(id) ?? [],
        })),
        frequencies: countFrequencies(countGenomes(counts), counts.genomes),
      }
    }),
    defineRoute({
      path: 'file',
      summary: 'Table of all gene families: class, and their genes in each assembly',
      method: 'POST',
      input: fileInput,
      handle: async (input, { data, describeReceipt, signal }) => {
        const { assemblies } = await chooseAssemblies(data, input.assemblies)
        const ids = assemblies.map(({ id }) => id)
        const head = await describeReceipt({
          parameters: { ...input, assemblies: ids },
          assemblies: ids,
          steps: [
            {
              program: 'NovoDB pan-genome',
              version: String(tool.version),
              formula: `core in >= ${input.core} of the assemblies, soft core >= ${input.softCore}, private in <= ${input.private}, shell the rest; a family counts as present where any of its genes is annotated, which tells nothing of the DNA of one gene`,
            },
          ],
          citations: [citations.mcl],
        })
        const body = async function* (): AsyncGenerator<string> {
          yield tableHead(head, ['family', 'class', 'assemblies', 'genes', ...ids], 'tsv')
          for await (const groups of data.streamOrthogroups()) {
            signal.throwIfAborted()
            const lines: string[] = []
            for (const { id, members } of groups) {
              const own = ids.map((assembly) => members.get(assembly) ?? [])
              const present = own.filter((genes) => genes.length > 0).length
              if (present === 0) continue
              const kind = familyClass(present, ids.length, input)
              const genes = own.reduce((sum, one) => sum + one.length, 0)
              const cells = own.map((one) => (input.cells === 'counts' ? one.length : one.join(',')))
              lines.push(tsvLine([id, kind, present, genes, ...cells]))
            }
            yield lines.join('')
          }
        }
        return {
          body: body(),
          contentType: 'text/tab-separated-values; charset=utf-8',
          fileName: `gene-families-${input.cells}.tsv`,
        }
      },
    }),
  ],
})
