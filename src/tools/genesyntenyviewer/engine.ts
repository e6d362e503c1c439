import type { z } from 'zod'
import { nameBlocks } from '../../bio/comparative/block-kinds.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { type GeneGap, mostBetween } from '../../contracts/gene-loci.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { openCollinearBlocks } from '../../kit/data/collinear-blocks.ts'
import { markBrokenGenes } from '../../kit/data/genes/broken-genes.ts'
import { findGeneGaps } from '../../kit/data/genes/gene-gaps.ts'
import { findGeneLocus } from '../../kit/data/genes/gene-loci.ts'
import { listLacking } from '../../kit/data/genes/lost-genes.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine } from '../../kit/engine.ts'
import { homologyPrograms } from '../../kit/programs.ts'
import tool, { type GeneBlock, type GeneSyntenyResult, limits, type Track } from './tool.ts'

type Input = z.output<(typeof tool)['input']>
type Wanted = Pick<Track, 'assembly' | 'gene' | 'relation' | 'identity'>

const readGenes = async ({ genes, assembly }: Input, data: PortalData) => {
  const { found, ambiguous, unknown } = await data.resolveGenes(genes, assembly)
  if (unknown[0] !== undefined) {
    const params = { name: unknown.slice(0, 10).join(', ') }
    throw new PortalError('UNKNOWN_GENE', {
      message: 'problem.unknownGene',
      params,
      problems: [{ path: ['genes'], message: 'problem.unknownGene', params }],
    })
  }
  const interpretations = new Map<string, GeneSummary[]>([
    ...found.map(({ query, gene }): [string, GeneSummary[]] => [query, [gene]]),
    ...ambiguous.map(({ query, genes: all }): [string, GeneSummary[]] => [query, all]),
  ])
  return genes.flatMap((name) => {
    const [gene, ...others] = interpretations.get(name) ?? []
    return gene === undefined ? [] : [{ gene, others }]
  })
}

/** Genes beside each other, such as those of an operon, are one locus: that of the middle one, where its neighbours hold them all. */
const findSharedLocus = async (
  genes: readonly GeneSummary[],
  besides: number,
  data: PortalData,
): Promise<GeneSummary | null> => {
  const [first] = genes
  if (
    first === undefined ||
    genes.some(({ assembly, sequence }) => assembly !== first.assembly || sequence !== first.sequence)
  )
    return null
  const middle = [...genes].sort((p, q) => p.start - q.start)[Math.floor((genes.length - 1) / 2)]!
  const locus = await findGeneLocus(data, middle.assembly, middle.id, besides)
  const held = new Set(locus?.genes.map(({ id }) => id))
  return genes.every(({ id }) => held.has(id)) ? middle : null
}

/**
 * The best homolog of each other assembly: the partner in a block that is no copy, then orthologs with the most support by gene
 * order; paralogs where asked for. Of an assembly that lacks the gene by its DNA there is none: the place of the gene is drawn.
 */
const chooseHomologs = async (
  gene: GeneSummary,
  input: Input,
  blocks: readonly GeneBlock[],
  data: PortalData,
): Promise<Wanted[]> => {
  const partners = new Set(
    blocks.flatMap(({ kind, otherAssembly, partner }) =>
      kind === 'duplicated' || partner === null ? [] : [`${otherAssembly}/${partner}`],
    ),
  )
  const inBlock = (one: { assembly: string; gene: string }): number =>
    Number(partners.has(`${one.assembly}/${one.gene}`))
  const [row] = await data.listHomologs(gene.assembly, [gene.id])
  const lacking = await listLacking(data, gene)
  const rank = { ortholog: 0, coortholog: 1, paralog: 1, member: 2 }
  const homologs = (row?.homologs ?? [])
    .flatMap(({ relation, ...one }) => (relation === 'similar' ? [] : [{ ...one, relation }]))
    .filter(({ assembly }) =>
      assembly === gene.assembly
        ? input.paralogs
        : !lacking.has(assembly) && (input.assemblies.length === 0 || input.assemblies.includes(assembly)),
    )
    .sort(
      (p, q) =>
        inBlock(q) - inBlock(p) ||
        rank[p.relation] - rank[q.relation] ||
        q.sharedNeighbours - p.sharedNeighbours ||
        q.bitScore - p.bitScore,
    )
  const seen = new Set<string>()
  const chosen: Wanted[] = []
  for (const { assembly, gene: id, relation, identity } of homologs) {
    if (assembly !== gene.assembly && seen.has(assembly)) continue
    seen.add(assembly)
    chosen.push({ assembly, gene: id, relation, identity })
  }
  // In the order of the assemblies, the gene's own first: neighbours of like strains stand beside each other.
  const order = (await data.listAssemblies()).map(({ id }) => id)
  const place = (assembly: string): number => (assembly === gene.assembly ? -1 : order.indexOf(assembly))
  return chosen.sort((p, q) => place(p.assembly) - place(q.assembly))
}

const listBlocks = async (gene: GeneSummary, data: PortalData): Promise<GeneBlock[]> => {
  const open = await openCollinearBlocks(data)
  const own = await open?.genes(gene.assembly)
  if (open === null || own === null || own === undefined) return []
  const number = own.id.indexOf(gene.id)
  const found: GeneBlock[] = []
  for (const { id: other } of await data.listAssemblies()) {
    const pair = await open.between(gene.assembly, other)
    const genes = pair === null ? null : await open.genes(other)
    if (pair === null || genes === null) continue
    const within = other === gene.assembly
    const kinds = nameBlocks(pair.blocks, within)
    for (const [at, block] of pair.blocks.entries()) {
      const add = (turned: boolean): void => {
        const [sequence, start, end] = turned
          ? [block.sequenceB, block.startB, block.endB]
          : [block.sequenceA, block.startA, block.endA]
        if (sequence !== gene.sequence || start > gene.end || end < gene.start) return
        const index = (turned ? block.b : block.a).indexOf(number)
        const partner = index === -1 ? null : (turned ? block.a : block.b)[index]!
        found.push({
          sequence,
          start,
          end,
          otherAssembly: other,
          otherSequence: turned ? block.sequenceA : block.sequenceB,
          otherStart: turned ? block.startA : block.startB,
          otherEnd: turned ? block.endA : block.endB,
          orientation: block.orientation,
          kind: kinds[at]!,
          pairs: block.pairs,
          score: block.score,
          evalue: block.evalue,
          partner: partner === null ? null : genes.id[partner]!,
          partnerSymbol: partner === null ? null : genes.symbol[partner]!,
        })
      }
      add(false)
      // Within one assembly a block stands once, and the gene may be on its second side.
      if (within) add(true)
    }
  }
  return found.sort((p, q) => Number(q.partner !== null) - Number(p.partner !== null) || q.pairs - p.pairs)
}

export default defineEngine({
  tool,
  programs: homologyPrograms,
  run: async (input, { data, receipt, signal }): Promise<GeneSyntenyResult> => {
    const state = await data.getHomology()
    if (state === null || state.covered.length === 0)
      throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.notComputed' })
    for (const assembly of input.assemblies) await data.getAssembly(assembly)
    const named = await readGenes(input, data)
    const asked = [...new Map(named.map((one) => [`${one.gene.assembly}/${one.gene.id}`, one])).values()]
    if (asked[0] === undefined) throw fieldError(['genes'], 'problem.noGene')
    const shared =
      asked.length === 1
        ? null
        : await findSharedLocus(
            asked.map((one) => one.gene),
            input.besides,
            data,
          )
    const { gene, others } = shared === null ? asked[0] : { gene: shared, others: [] }
    const more = shared === null ? asked.slice(1) : []
    const blocks = await listBlocks(gene, data)
    const homologs = more.length === 0 ? await chooseHomologs(gene, input, blocks, data) : []
    const paralogs = new Set(homologs.filter(({ assembly }) => assembly === gene.assembly).map((one) => one.gene))
    // A doubling of the genome leaves copies so old that no orthogroup holds both: blocks know them.
    const copies = input.paralogs
      ? [...new Set(blocks.flatMap((one) => (one.otherAssembly === gene.assembly ? (one.partner ?? []) : [])))]
      : []
    const wanted: Wanted[] = [
      { assembly: gene.assembly, gene: gene.id, relation: null, identity: null },
      ...more.map(({ gene: one }) => ({ assembly: one.assembly, gene: one.id, relation: null, identity: null })),
      ...homologs,
      ...(more.length > 0 ? [] : copies)
        .filter((copy) => !paralogs.has(copy))
        .map((copy): Wanted => ({ assembly: gene.assembly, gene: copy, relation: 'duplicate', identity: null })),
    ]
    const species = new Map((await data.listAssemblies()).map(({ id, speciesName }) => [id, speciesName]))
    const tracks: Track[] = []
    for (const one of wanted.slice(0, limits.tracks)) {
      signal.throwIfAborted()
      const locus = await findGeneLocus(data, one.assembly, one.gene, input.besides)
      if (locus === null) continue
      const top = new Set(
        (tracks[0] ?? locus).genes.filter(({ id }) => id !== gene.id).map(({ orthogroup }) => orthogroup),
      )
      const neighbours = locus.genes.filter(({ id, orthogroup }) => id !== locus.gene && orthogroup !== null)
      tracks.push({
        ...locus,
        speciesName: species.get(one.assembly) ?? '',
        relation: one.relation,
        identity: one.identity,
        shared: neighbours.filter(({ orthogroup }) => top.has(orthogroup)).length,
        neighbours: neighbours.length,
      })
    }
    const present = new Set(wanted.map(({ assembly }) => assembly))
    // Of what was not compared nothing is known, least of all that it lacks the gene.
    const compared = state.missing.includes(gene.assembly) ? [] : state.covered
    const wantedAssemblies = compared.filter((id) => input.assemblies.length === 0 || input.assemblies.includes(id))
    const without = more.length === 0 ? wantedAssemblies.filter((assembly) => !present.has(assembly)) : []
    const gaps = await findGeneGaps(
      data,
      gene,
      without.slice(0, limits.tracks - tracks.length),
      { besides: input.besides },
      signal,
    )
    // What stands beside a gap lies further from the gene than the rows reach.
    const marked = await markBrokenGenes(data, gene, 2 * input.besides + mostBetween, [...tracks, ...gaps])
    signal.throwIfAborted()
    receipt.addStep({
      program: 'NovoDB gene synteny',
      version: String(tool.version),
      formula: `homologs, orthogroups and collinear blocks as computed ${state.computedAt}; of each assembly the best homolog by relation, neighbours in common and score; of an assembly without one the place between orthologs of the nearest neighbours on either side (anchors), where at most ${mostBetween} genes lie between them`,
    })
    for (const assembly of new Set([...tracks, ...gaps].map(({ assembly }) => assembly))) receipt.addData(assembly)
    for (const citation of citations) receipt.cite(citation)
    return {
      computedAt: state.computedAt,
      current: state.current,
      missing: state.missing,
      gene,
      tracks: marked.slice(0, tracks.length) as Track[],
      orthogroup: (await data.listOrthogroups(gene.assembly, [gene.id])).get(gene.id) ?? null,
      together: shared === null ? [] : asked.map((one) => one.gene.id),
      otherInterpretations: others.map(({ assembly, id }) => ({ assembly, id })),
      found: wanted.length,
      without,
      gaps: marked.slice(tracks.length) as GeneGap[],
      blocks: blocks.slice(0, limits.blocks),
      totalBlocks: blocks.length,
    }
  },
})

const citations = [
  { text: 'Wang Y, Tang H, DeBarry JD, et al. Nucleic Acids Research 40, e49 (2012).', doi: '10.1093/nar/gkr1293' },
  { text: 'Emms DM, Kelly S. Genome Biology 16, 157 (2015).', doi: '10.1186/s13059-015-0721-2' },
  { text: 'Buchfink B, Reuter K, Drost H-G. Nature Methods 18, 366-368 (2021).', doi: '10.1038/s41592-021-01101-x' },
]
