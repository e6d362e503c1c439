import { dnaState, isWhole } from '../../../bio/comparative/gene-presence.ts'
import { isOrtholog } from '../../../bio/comparative/orthology.ts'
import { isCurrentFor } from '../../../bio/comparative/uncompared.ts'
import {
  type AssemblyGeneState,
  type AssemblyProtein,
  type GeneStates,
  maxProteinChanges,
  type ProteinChanges,
} from '../../../contracts/gene-states.ts'
import type { GeneSummary } from '../../../contracts/genes.ts'
import type { Homolog, PortalData } from '../portal-data.ts'
import { longestCoding } from '../protein-features.ts'
import { type CodingParts, codingPartsOf, GeneDnaFinder, type GenePresence, maxNamed, overlapOn } from './gene-dna.ts'

type Dna = AssemblyGeneState['dna']
type Relative = AssemblyGeneState['genes'][number]

/** Assemblies that are looked at at once. */
const atOnce = 4

/** What is said of the gene's DNA, in short. */
const dnaOf = ({ evidence, identity, places, through }: GenePresence): Dna => {
  const { reason, alignedBp, lengthBp } = evidence
  const unknown = reason === 'gap' || reason === 'contig-end'
  const state = unknown ? 'unknown' : dnaState(evidence)
  return {
    state,
    reason: state !== 'unknown' ? null : reason === null || reason === 'replaced' ? 'unaligned' : reason,
    alignedShare: alignedBp / lengthBp,
    identity,
    locus: places[0] ?? null,
    through,
  }
}

const presenceOf = ({ state, by, evidence }: GenePresence): AssemblyGeneState['presence'] => ({
  state,
  by,
  copies: evidence.copies,
  moved: evidence.moved,
  insertedBp: evidence.insertedBp,
  frame:
    evidence.frame === null
      ? null
      : { change: evidence.frame.change, hgvs: evidence.frame.hgvs, keptShare: evidence.frame.keptShare },
})

/** What other assemblies have of one gene. */
class StateFinder {
  constructor(
    private readonly data: PortalData,
    private readonly finder: GeneDnaFinder,
    private readonly coding: CodingParts | null,
    /** What was computed of the gene at the load. */
    private readonly stored: ReadonlyMap<string, GenePresence>,
  ) {}

  async findState(
    assembly: { id: string; partial: boolean },
    homologs: readonly Homolog[],
    family: readonly string[],
  ): Promise<AssemblyGeneState> {
    const presence = this.stored.get(assembly.id) ?? (await this.finder.findPresence(assembly.id, this.coding))
    const dna = dnaOf(presence)
    const here = await this.data.getGenes(assembly.id, presence.genes)
    const atLocus = new Set(here.map(({ id }) => id))
    const hits = new Map(homologs.filter((one) => one.assembly === assembly.id).map((one) => [one.gene, one]))
    const allCalled = [...hits.values()]
      .filter(isOrtholog)
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
    const placeKnown = presence.evidence.alignedBp > 0
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
        else if ((await this.finder.leadsBack(assembly.id, there)) !== false) orthologs.push(relative(gene, false))
      }
    }
    // A gene on a remnant is no counterpart of the whole.
    const counterparts = dna.state === 'gone' ? [] : here
    const placed = counterparts
      .filter(({ id }) => !orthologs.some(({ gene }) => gene === id))
      .map(({ id }) => relative(id, true))
    const ownGenes = new Set([...orthologs, ...placed].map(({ gene }) => gene))
    const copied = await this.finder.genesAt(assembly.id, [...presence.copies, ...presence.paralogs])
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
      presence: presenceOf(presence),
    }
  }
}

/** Answers of one assembly after the other, some at once, in their order. */
const eachOf = async <One, Answer>(all: readonly One[], find: (one: One) => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (let first = 0; first < all.length; first += atOnce)
    answers.push(...(await Promise.all(all.slice(first, first + atOnce).map(find))))
  return answers
}

/** Other assemblies of the gene's species, or one of them, and what follows the gene into them. */
const openFollowing = async (data: PortalData, gene: GeneSummary, to: string | undefined) => {
  const species = (await data.getAssembly(gene.assembly)).species
  const others = (await data.listAssemblies())
    .filter((one) => one.species === species && one.id !== gene.assembly && (to === undefined || one.id === to))
    .map(({ id, partial }) => ({ id, partial: partial !== null }))
  const alignment = await data.alignments.getState(gene.assembly)
  const [whole] = await data.getGenes(gene.assembly, [gene.id])
  const transcripts = whole?.transcripts ?? []
  return {
    others,
    alignment,
    transcripts,
    coding: codingPartsOf(transcripts, gene.strand),
    stored: await data.presence.ofGene(gene.assembly, gene.id),
    finder: new GeneDnaFinder(data, gene, alignment),
  }
}

/**
 * What each other assembly of the species, or one of them, has of a gene: of the gene itself, by orthologs and by where its DNA is
 * aligned, not of its family. `gene` by its id, in `assembly`.
 */
export const findGeneStates = async (data: PortalData, gene: GeneSummary, to?: string): Promise<GeneStates> => {
  const { others, alignment, coding, stored, finder } = await openFollowing(data, gene, to)
  const homology = await data.getHomology()
  const [row] = homology === null ? [] : await data.listHomologs(gene.assembly, [gene.id])
  const group = row?.orthogroup == null ? null : await data.getOrthogroup(row.orthogroup)
  const states = new StateFinder(data, finder, coding, stored)
  const found = await eachOf(others, (one) =>
    states.findState(one, row?.homologs ?? [], group?.members.get(one.id) ?? []),
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
    states: found,
  }
}

/**
 * What differs in the gene's protein where another assembly has the gene with its reading frame, or one of them: read from the bases when it
 * is asked for. Of assemblies in which it is broken or absent, or found by a search alone, there is no answer.
 */
export const findProteinChanges = async (data: PortalData, gene: GeneSummary, to?: string): Promise<ProteinChanges> => {
  const { others, transcripts, coding, stored, finder } = await openFollowing(data, gene, to)
  if (coding === null) return { transcript: null, proteins: [] }
  const found = await eachOf(others, async ({ id }): Promise<AssemblyProtein[]> => {
    const presence = stored.get(id) ?? (await finder.findPresence(id, coding))
    if (presence.by !== 'alignment' || !isWhole(presence.state)) return []
    const protein = await finder.compareProtein(id, coding)
    if (protein === null) return []
    const { residues, compared, changes } = protein
    return [{ assembly: id, residues, compared, total: changes.length, changes: changes.slice(0, maxProteinChanges) }]
  })
  return { transcript: longestCoding(transcripts)?.id ?? null, proteins: found.flat() }
}
