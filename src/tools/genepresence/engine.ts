import type { z } from 'zod'
import { isAbsent, isPresent, presenceRules } from '../../bio/comparative/gene-presence.ts'
import { expectedGrowth } from '../../bio/comparative/pan-genome.ts'
import { isMobileElementGene } from '../../bio/repeats/insertion-sequences.ts'
import { nameRegions } from '../../kit/data/differences/named-regions.ts'
import { countPresence } from '../../kit/data/genes/presence-frequencies.ts'
import type { NamedFeature, PortalData } from '../../kit/data/portal-data.ts'
import type { PresenceGenes } from '../../kit/data/presence-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { presencePrograms } from '../../kit/programs.ts'
import { type Compared, chooseGenes, countStates, readCompared } from './read-presence.ts'
import { routes } from './routes.ts'
import tool, { type LostRegion, letterOfState, limits, type Presence } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** A genome that has fewer of an assembly's genes is too distant to say what another has lost. */
const closeShare = 0.8

/** Features shorter than the shortest gene's deletion name no region. */
const shortestNamed = 50

/** Genes of a genome by the sequences that they are on, each in the order of starts. */
const overlapCounter = (genes: PresenceGenes): ((sequence: number, start: number, end: number) => number) => {
  const bySequence = new Map<number, number[]>()
  for (const [gene, sequence] of genes.sequence.entries()) {
    const list = bySequence.get(sequence)
    if (list === undefined) bySequence.set(sequence, [gene])
    else list.push(gene)
  }
  return (sequence, start, end) =>
    (bySequence.get(sequence) ?? []).filter((gene) => genes.start[gene]! <= end && genes.end[gene]! >= start).length
}

/**
 * Genomes that lack the same neighbours have one region; of the genes that were asked for. What only mobile elements lost comes last: a
 * copy that one genome has and another has not is no region of interest.
 */
const listRegions = (
  { genomes, genes }: Compared,
  chosen: ReadonlySet<number>,
  features: readonly NamedFeature[],
): LostRegion[] => {
  const regions = new Map<string, LostRegion>()
  const countOverlapping = overlapCounter(genes)
  for (const [number, { runs, states }] of genomes.entries())
    for (const { first, last, start, end, lostBp } of runs) {
      let count = 0
      let asked = false
      let mobile = true
      for (let gene = first; gene <= last; gene += 1) {
        if (isAbsent(states[gene]!)) {
          count += 1
          mobile &&= isMobileElementGene(genes.description[gene]!)
        }
        asked ||= chosen.has(gene)
      }
      if (!asked) continue
      const key = `${first} ${last} ${start} ${end}`
      const known = regions.get(key)
      if (known !== undefined) {
        known.genomes.push(number)
        continue
      }
      const sequence = genes.sequences[genes.sequence[first]!]!
      const place = { sequence, start, end, lengthBp: end - start + 1, parts: [] }
      regions.set(key, {
        genomes: [number],
        first,
        last,
        firstGene: genes.id[first]!,
        lastGene: genes.id[last]!,
        firstSymbol: genes.symbol[first]!,
        lastSymbol: genes.symbol[last]!,
        names: nameRegions({ a: place, b: { ...place, lengthBp: 0 } }, [features, []]),
        genes: count,
        overlapping: countOverlapping(genes.sequence[first]!, start, end),
        mobile,
        sequence,
        start,
        end,
        sizeBp: lostBp ?? end - start + 1,
      })
    }
  return [...regions.values()]
    .sort((a, b) => Number(a.mobile) - Number(b.mobile) || b.genes - a.genes || b.sizeBp - a.sizeBp)
    .slice(0, limits.runs)
}

const run = async (input: Input, { data, receipt, signal }: EngineContext): Promise<Presence> => {
  const compared = await readCompared(data, input)
  const { computed, assembly, genes, genomes, outgroups } = compared
  const { chosen, unknown, lost } = await chooseGenes(data, compared, input)
  const shown = chosen.slice(0, Math.floor(limits.drawnCells / Math.max(1, genomes.length)))
  const frequencies = await countPresence(data, [assembly, ...genomes.map(({ id }) => id)], signal)
  const growthOf = (counts: number[]) => {
    const { pan, core } = expectedGrowth(counts)
    return { pan, core }
  }
  for (const id of [assembly, ...genomes.map((one) => one.id)]) receipt.addData(id)
  receipt.addStep({
    program: 'NovoDB gene presence',
    version: String(tool.version),
    formula: `each gene followed by its DNA: through whole-genome alignments, and where these do not have it by blastn of the gene and tblastn of its protein against the whole genome (E <= 1e-5), a place counting as the gene's own when it leads back to it or is no other gene's; there from ${presenceRules.minShare} of its bases on, whole from ${presenceRules.wholeShare}, disrupted where less than ${presenceRules.wholeShare} of its codons are read in frame before the first stop or the start codon is lost, split by ${presenceRules.splitBp} bp of other DNA or more`,
  })
  for (const told of computed.programs) {
    const [program = told, ...version] = told.split(' ')
    receipt.addStep({
      program,
      version: version.join(' '),
      formula: `run when the genomes were compared, ${computed.computedAt}`,
    })
  }
  receipt.cite({
    text: 'Li H. Minimap2: pairwise alignment for nucleotide sequences. Bioinformatics 34, 3094-3100 (2018).',
    doi: '10.1093/bioinformatics/bty191',
  })
  receipt.cite({
    text: 'Camacho C, et al. BLAST+: architecture and applications. BMC Bioinformatics 10, 421 (2009).',
    doi: '10.1186/1471-2105-10-421',
  })
  const column = <T>(of: readonly T[]): T[] => shown.map((gene) => of[gene]!)
  return {
    assembly,
    species: computed.species,
    reference: computed.reference,
    computedAt: computed.computedAt,
    programs: computed.programs,
    missing: computed.missing.filter((id) => !outgroups.some((one) => one.id === id)),
    outgroups: outgroups.map(({ id, counts }) => ({
      id,
      basis: 'orthogroup',
      counts: counts === null ? null : column(counts),
    })),
    genomes: genomes.map(({ id, partial, states }) => ({
      id,
      partial,
      counts: countStates(chosen.map((gene) => states[gene]!)),
      genes: states.length,
    })),
    total: genes.id.length,
    genes: {
      number: shown,
      id: column(genes.id),
      symbol: column(genes.symbol),
      description: column(genes.description),
      sequence: shown.map((gene) => genes.sequences[genes.sequence[gene]!]!),
      start: column(genes.start),
      end: column(genes.end),
      strand: column(genes.strand),
      states: shown.map((gene) => genomes.map(({ states }) => letterOfState(states[gene]!)).join('')),
    },
    unknown,
    lost,
    regions: listRegions(compared, new Set(chosen), await data.listFeatures(assembly, shortestNamed, limits.features)),
    growth: { dna: growthOf(frequencies.dna), annotated: growthOf(frequencies.annotated) },
  }
}

/** The genomes that have most genes of an assembly, and among them the one that has lost most: what it alone has lost. */
const completeExample = async (
  example: z.input<(typeof tool)['input']>,
  data: PortalData,
): Promise<z.input<(typeof tool)['input']> | null> => {
  const assembly = example.assembly!
  const state = await data.presence.getState(assembly)
  if (state === null) return null
  const shares: { id: string; present: number; absent: number }[] = []
  for (const id of state.assemblies) {
    const found = id === assembly ? null : await data.presence.states(assembly, id)
    if (found === null) continue
    const count = (is: typeof isPresent): number => found.states.filter(is).length / found.states.length
    shares.push({ id, present: count(isPresent), absent: count(isAbsent) })
  }
  const close = shares.filter(({ present }) => present >= closeShare)
  const [most] = [...(close.length > 0 ? close : shares)].sort((a, b) => b.absent - a.absent)
  if (most === undefined) return null
  return {
    assembly,
    assemblies: (close.length > 0 ? close : shares).map(({ id }) => id),
    absent: [most.id],
    others: true,
  }
}

export default defineEngine({
  tool,
  completeExample,
  programs: presencePrograms,
  run,
  routes,
})
