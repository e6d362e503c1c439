import { isCurrentFor } from '../../../bio/comparative/uncompared.ts'
import { oppositeStrand } from '../../../bio/sequence/region.ts'
import { sharedWordShare } from '../../../bio/sequence/shared-words.ts'
import type { AssemblyGeneState, GeneStates } from '../../../contracts/gene-states.ts'
import type { GeneSummary } from '../../../contracts/genes.ts'
import { type AssemblyLift, type AssemblyLocus, liftLimitBp } from '../../../contracts/lift.ts'
import type { AlignmentState, GenomeLocus } from '../alignment-data.ts'
import type { Homolog, PortalData } from '../portal-data.ts'

type Dna = AssemblyGeneState['dna']
type Relative = AssemblyGeneState['genes'][number]

/** A gene is called lost below this share of it, as in presence by DNA. */
const minShare = 0.5
/** Less is not looked up on its own: a lift takes no smaller part for a place. */
const minPartBp = 50
/** Words of the gene among other bases from which on they may be it: a tenth of a point is chance, DNA that differs by a fifth has more. */
const minWordShare = 0.03
/** Other bases that are looked through for it. */
const maxSearchedBp = 100_000
/** Genes that are named of one assembly. */
const maxNamed = 50
/** Assemblies that are looked at at once. */
const atOnce = 4

const unknownDna = (reason: NonNullable<Dna['reason']>, through: string | null = null): Dna => ({
  state: 'unknown',
  reason,
  alignedShare: 0,
  identity: null,
  locus: null,
  through,
})

const placeOf = (gene: GeneSummary): GenomeLocus => ({
  assembly: gene.assembly,
  sequence: gene.sequence,
  start1: gene.start,
  end1: gene.end,
})

const overlapBp = (a: { start: number; end: number }, b: { start: number; end: number }): number =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start) + 1)

/** Overlap of two segments of one sequence, of which one may go on over the origin of a circle. */
const overlapOn = (lengthBp: number, a: { start: number; end: number }, b: { start: number; end: number }): number =>
  Math.max(...[-lengthBp, 0, lengthBp].map((turn) => overlapBp(a, { start: b.start + turn, end: b.end + turn })))

interface OwnDna {
  dna: Dna
  /** Places that are the gene's own, of a remnant too; none when nothing of it is there or nothing is known. */
  own: AssemblyLocus[]
  /** Places of what looks like it and is not it. */
  copies: AssemblyLocus[]
}

/** Looks genes of a species up in its other assemblies; one object serves one gene. */
class StateFinder {
  private readonly lengthBp: number

  constructor(
    private readonly data: PortalData,
    private readonly gene: GeneSummary,
    private readonly alignment: AlignmentState | null,
  ) {
    this.lengthBp = gene.end - gene.start + 1
  }

  private async liftTo(locus: GenomeLocus, to: string): Promise<AssemblyLift | null> {
    if (locus.end1 - locus.start1 >= liftLimitBp) return null
    return (await this.data.alignments.lift(locus, [to])).lifts[0] ?? null
  }

  /** Whether a place of another assembly, followed back, is the gene; null when it cannot be followed. */
  private async leadsBack(assembly: string, locus: { sequence: string; start: number; end: number }) {
    const { sequence, start, end } = locus
    const back = await this.liftTo({ assembly, sequence, start1: start, end1: end }, this.gene.assembly)
    if (back === null || back.outcome === 'unaligned' || back.outcome === 'reference-lacks') return null
    const { lengthBp } = await this.data.getSequence(this.gene.assembly, this.gene.sequence)
    // Over a place that the longer alignment passes, only a copy is left to lead anywhere.
    if (back.deletedAt !== null) {
      const { sequence: on, ...interval } = back.deletedAt
      // The gap on this side is where the gene is: both may be there, too different to align.
      return back.outcome === 'replaced' && on === this.gene.sequence && overlapOn(lengthBp, this.gene, interval) > 0
        ? null
        : false
    }
    return back.loci.some(
      (one) => one.role !== 'copy' && one.sequence === this.gene.sequence && overlapOn(lengthBp, this.gene, one) > 0,
    )
  }

  /**
   * Bases of the gene's ends, beyond what is aligned, that alignments pass over, and those in whose stead others stand; the rest lies
   * where nothing is aligned.
   */
  private async goneAtEnds(assembly: string, loci: readonly AssemblyLocus[]) {
    let gone = 0
    let other = 0
    const from = Math.min(...loci.map(({ regionStart }) => regionStart))
    const to = Math.max(...loci.map(({ regionEnd }) => regionEnd))
    for (const [start1, end1] of [
      [this.gene.start, from - 1],
      [to + 1, this.gene.end],
    ] as const) {
      if (end1 - start1 + 1 < minPartBp) continue
      const lift = await this.liftTo({ ...placeOf(this.gene), start1, end1 }, assembly)
      if (lift === null || (lift.outcome !== 'deleted' && lift.outcome !== 'replaced')) continue
      const isThere = lift.deletedAt !== null && !(await this.isLost(assembly, lift, { start1, end1 }))
      if (isThere) other += end1 - start1 + 1
      else gone += end1 - start1 + 1
    }
    return { gone, other }
  }

  /**
   * Whether a part of the gene that alignments pass over is gone. Other bases where it would be may be it, too different to align;
   * not where they are too few to hold half of what they stand for, and have none of its words.
   */
  private async isLost(
    assembly: string,
    { outcome, deletedAt }: Pick<AssemblyLift, 'outcome' | 'deletedAt'>,
    part: { start1: number; end1: number },
  ): Promise<boolean> {
    if (outcome !== 'replaced' || deletedAt === null) return true
    const { sequence, start, end } = deletedAt
    const back = await this.liftTo({ assembly, sequence, start1: start, end1: end }, this.gene.assembly)
    const gap = back?.outcome === 'replaced' ? back.deletedAt : null
    const partBp = part.end1 - part.start1 + 1
    const missingBp = Math.max(partBp, gap === null || gap === undefined ? 0 : gap.end - gap.start + 1)
    if (end - start + 1 >= minShare * missingBp || end - start + 1 > maxSearchedBp) return false
    const [own, other] = await Promise.all([
      this.data.fetchSequence(this.gene.assembly, this.gene.sequence, part.start1, part.end1),
      this.data.fetchSequence(assembly, sequence, start, end),
    ])
    return sharedWordShare(own, other) < minWordShare
  }

  /** A place with the gene's own strand there, of one with the alignment's. */
  private stranded<Place extends { strand: '+' | '-' } | null>(place: Place): Place {
    if (place === null || this.gene.strand !== '-') return place
    return { ...place, strand: oppositeStrand(place.strand) }
  }

  async findDna(assembly: string): Promise<OwnDna> {
    const none = (dna: Dna): OwnDna => ({ dna, own: [], copies: [] })
    const { alignment } = this
    const known = (id: string): boolean =>
      alignment !== null && (id === alignment.reference || alignment.assemblies.some((one) => one.id === id))
    if (!known(this.gene.assembly) || !known(assembly)) return none(unknownDna('assembly'))
    const lift = await this.liftTo(placeOf(this.gene), assembly)
    if (lift === null) return none(unknownDna('long'))
    const { outcome, through, loci, deletedAt } = lift
    if (outcome === 'unaligned') return none(unknownDna('unaligned', through))
    if (outcome === 'reference-lacks') return none(unknownDna('reference', through))
    const absent = { reason: null, alignedShare: 0, identity: null, locus: this.stranded(deletedAt), through }
    if (loci.length === 0) {
      const whole = { start1: this.gene.start, end1: this.gene.end }
      return none({ ...absent, state: (await this.isLost(assembly, lift, whole)) ? 'gone' : 'replaced' })
    }
    const [best] = loci as [AssemblyLocus, ...AssemblyLocus[]]
    // Found aside from where its neighbours are: it has moved, or this is the place of a copy and of another gene.
    if (deletedAt !== null && (await this.leadsBack(assembly, best)) !== true)
      return { dna: { ...absent, state: 'gone' }, own: [], copies: loci }
    const own = loci.filter(({ role }) => role !== 'copy')
    const copies = loci.filter(({ role }) => role === 'copy')
    const alignedBp = Math.min(
      this.lengthBp,
      own.reduce((sum, locus) => sum + locus.alignedBp, 0),
    )
    const alignedShare = alignedBp / this.lengthBp
    const { sequence, start, end, strand, identity } = best
    const locus = this.stranded({ sequence, start, end, strand })
    const dna = { reason: null, alignedShare, identity, locus, through }
    if (alignedShare >= minShare) return { dna: { ...dna, state: 'present' }, own, copies }
    let { gone, other } = await this.goneAtEnds(assembly, own)
    for (const { missingBp, insertedBp } of own) {
      gone += Math.max(0, missingBp - insertedBp)
      other += Math.min(missingBp, insertedBp)
    }
    // What is left of it is its own place still: a truncated gene there is its truncated ortholog.
    if (gone >= minShare * this.lengthBp) return { dna: { ...dna, state: 'gone' }, own, copies }
    if (gone + other >= minShare * this.lengthBp) return { dna: { ...dna, state: 'replaced' }, own, copies }
    return { dna: { ...dna, state: 'unknown', reason: 'unaligned' }, own, copies }
  }

  /** Genes of the gene's kind and strand that fill half of one of the places, or lie there by half. */
  private async genesAt(assembly: string, loci: readonly AssemblyLocus[]): Promise<GeneSummary[]> {
    const found = new Map<string, GeneSummary>()
    const coding = this.gene.biotype === 'protein_coding'
    for (const locus of loci.slice(0, maxNamed)) {
      const { lengthBp } = await this.data.getSequence(assembly, locus.sequence)
      const genes = await this.data.listGenesInRegion(assembly, locus.sequence, locus.start, locus.end, maxNamed)
      const turned = this.gene.strand === '.' ? '.' : (this.gene.strand === '+') === (locus.strand === '+') ? '+' : '-'
      for (const one of genes) {
        if (turned !== '.' && one.strand !== '.' && one.strand !== turned) continue
        if (coding !== (one.biotype === 'protein_coding') && !one.biotype.includes('pseudogene')) continue
        const bp = overlapOn(lengthBp, one, locus)
        if (bp >= minShare * Math.min(one.end - one.start + 1, locus.end - locus.start + 1)) found.set(one.id, one)
      }
    }
    return [...found.values()]
  }

  async findState(
    assembly: { id: string; partial: boolean },
    homologs: readonly Homolog[],
    family: readonly string[],
  ): Promise<AssemblyGeneState> {
    const { dna, own, copies } = await this.findDna(assembly.id)
    const here = await this.genesAt(assembly.id, own)
    const atLocus = new Set(here.map(({ id }) => id))
    const hits = new Map(homologs.filter((one) => one.assembly === assembly.id).map((one) => [one.gene, one]))
    const allCalled = [...hits.values()]
      .filter(({ relation }) => relation === 'ortholog' || relation === 'coortholog')
      .sort((a, b) => Number(b.relation === 'ortholog') - Number(a.relation === 'ortholog'))
    // Each that stands elsewhere is followed back by itself: of a transposon's hundreds of copies only the first.
    const called = allCalled.slice(0, maxNamed)
    const notFollowed = new Set(allCalled.slice(maxNamed).map(({ gene }) => gene))
    const summaries = new Map<string, GeneSummary>()
    const wanted = [...called.map(({ gene }) => gene), ...family].slice(0, 10 * maxNamed)
    for (const gene of wanted.length === 0 ? [] : await this.data.getGenes(assembly.id, wanted))
      summaries.set(gene.id, gene)
    for (const gene of here) summaries.set(gene.id, gene)
    const relative = (gene: string, sameLocus: boolean | null): Relative => ({
      gene,
      symbol: summaries.get(gene)?.symbol ?? null,
      identity: hits.get(gene)?.identity ?? null,
      sameLocus,
    })
    const placeKnown = own.length > 0
    const orthologs: Relative[] = []
    for (const { gene } of called) {
      const there = summaries.get(gene)
      if (atLocus.has(gene)) orthologs.push(relative(gene, true))
      else if (dna.state === 'unknown' && !placeKnown) orthologs.push(relative(gene, null))
      else if (there !== undefined) {
        const { lengthBp } = await this.data.getSequence(assembly.id, there.sequence)
        const inGap =
          dna.state === 'replaced' &&
          dna.locus?.sequence === there.sequence &&
          overlapOn(lengthBp, there, dna.locus) > 0
        // The nearest protein elsewhere is the ortholog only if its own place is not that of another gene.
        if (inGap) orthologs.push(relative(gene, true))
        else if ((await this.leadsBack(assembly.id, there)) !== false) orthologs.push(relative(gene, false))
      }
    }
    // A gene on a remnant is no counterpart of the whole.
    const counterparts = dna.state === 'gone' ? [] : here
    const placed = counterparts
      .filter(({ id }) => !orthologs.some(({ gene }) => gene === id))
      .map(({ id }) => relative(id, true))
    const ownGenes = new Set([...orthologs, ...placed].map(({ gene }) => gene))
    const copied = await this.genesAt(assembly.id, copies)
    for (const gene of copied) summaries.set(gene.id, gene)
    const paralogs = [...new Set([...family, ...called.map(({ gene }) => gene), ...copied.map(({ id }) => id)])]
      .filter((gene) => !ownGenes.has(gene) && !notFollowed.has(gene))
      .slice(0, maxNamed)
      .map((gene) => relative(gene, dna.state === 'unknown' && !placeKnown ? null : atLocus.has(gene)))
    const state =
      orthologs.length > 0
        ? 'ortholog'
        : placed.length > 0
          ? 'same-locus'
          : dna.state === 'present'
            ? 'unannotated'
            : dna.state !== 'gone'
              ? 'unknown'
              : paralogs.length > 0
                ? 'paralogs'
                : 'gone'
    return {
      assembly: assembly.id,
      partial: assembly.partial,
      state,
      genes: orthologs.length > 0 ? orthologs : placed,
      paralogs,
      dna,
    }
  }
}

/**
 * What each other assembly of the species, or one of them, has of a gene: of the gene itself, by orthologs and by where its DNA is
 * aligned, not of its family. `gene` by its id, in `assembly`.
 */
export const findGeneStates = async (data: PortalData, gene: GeneSummary, to?: string): Promise<GeneStates> => {
  const species = (await data.getAssembly(gene.assembly)).species
  const others = (await data.listAssemblies())
    .filter((one) => one.species === species && one.id !== gene.assembly && (to === undefined || one.id === to))
    .map(({ id, partial }) => ({ id, partial: partial !== null }))
  const homology = await data.getHomology()
  const [row] = homology === null ? [] : await data.listHomologs(gene.assembly, [gene.id])
  const group = row?.orthogroup == null ? null : await data.getOrthogroup(row.orthogroup)
  const alignment = await data.alignments.getState(gene.assembly)
  const finder = new StateFinder(data, gene, alignment)
  const states: AssemblyGeneState[] = []
  for (let first = 0; first < others.length; first += atOnce)
    states.push(
      ...(await Promise.all(
        others
          .slice(first, first + atOnce)
          .map((one) => finder.findState(one, row?.homologs ?? [], group?.members.get(one.id) ?? [])),
      )),
    )
  const { assembly, id, symbol, description, biotype, sequence, start, end, strand } = gene
  return {
    gene: { assembly, id, symbol, description, biotype, sequence, start, end, strand },
    family: row?.orthogroup ?? null,
    homology:
      row === undefined || homology === null
        ? null
        : {
            computedAt: homology.computedAt,
            current: isCurrentFor(homology, { own: [gene.assembly], chosen: [] }, await data.listAssemblies()),
          },
    alignment:
      alignment === null
        ? null
        : { reference: alignment.reference, program: alignment.program, computedAt: alignment.computedAt },
    states,
  }
}
