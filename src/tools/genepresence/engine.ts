import type { z } from 'zod'
import { isAbsent, isPresent, presenceRules } from '../../bio/comparative/gene-presence.ts'
import { expectedGrowth } from '../../bio/comparative/pan-genome.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { blastProgram } from '../../kit/programs.ts'
import { type Compared, chooseGenes, countStates, readCompared } from './read-presence.ts'
import { routes } from './routes.ts'
import tool, { type LostRegion, letterOfState, limits, type Presence } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** A genome that has fewer of an assembly's genes is too distant to say what another has lost. */
const closeShare = 0.8

/** Genomes that lack the same neighbours have one region; of the genes that were asked for. */
const listRegions = ({ genomes, genes }: Compared, chosen: ReadonlySet<number>): LostRegion[] => {
  const regions = new Map<string, LostRegion>()
  for (const [number, { runs, presences }] of genomes.entries())
    for (const { first, last, start, end } of runs) {
      let count = 0
      let asked = false
      for (let gene = first; gene <= last; gene += 1) {
        if (isAbsent(presences[gene]!.state)) count += 1
        asked ||= chosen.has(gene)
      }
      if (!asked) continue
      const key = `${first} ${last}`
      const known = regions.get(key)
      if (known !== undefined) {
        known.genomes.push(number)
        continue
      }
      regions.set(key, {
        genomes: [number],
        first,
        last,
        firstGene: genes.id[first]!,
        lastGene: genes.id[last]!,
        genes: count,
        sequence: genes.sequences[genes.sequence[first]!]!,
        start,
        end,
      })
    }
  return [...regions.values()]
    .sort((a, b) => b.genes - a.genes || b.end - b.start - (a.end - a.start))
    .slice(0, limits.runs)
}

/**
 * Pan-genome and core of all genomes: a gene of one of them that k of them have stands for a k-th of a family that is in k of them, so that
 * each family is counted once whoever's genes are followed.
 */
const countGrowth = async (
  data: PortalData,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Presence['growth']> => {
  const dna = new Array<number>(ids.length + 1).fill(0)
  const annotated = new Array<number>(ids.length + 1).fill(0)
  for (const id of ids) {
    signal.throwIfAborted()
    const genes = await data.presence.genes(id)
    if (genes === null) continue
    const [byDna, byGenes] = [new Uint16Array(genes.id.length).fill(1), new Uint16Array(genes.id.length).fill(1)]
    for (const other of ids) {
      if (other === id) continue
      const found = await data.presence.between(id, other)
      for (const [gene, { state, evidence }] of (found?.genes ?? []).entries())
        if (isPresent(state)) {
          byDna[gene]! += 1
          if (evidence.annotated) byGenes[gene]! += 1
        }
    }
    for (const count of byDna) dna[count]! += 1 / count
    for (const count of byGenes) annotated[count]! += 1 / count
  }
  const growthOf = (frequencies: number[]) => {
    const { pan, core } = expectedGrowth(frequencies)
    return { pan, core }
  }
  return { dna: growthOf(dna), annotated: growthOf(annotated) }
}

const run = async (input: Input, { data, receipt, signal }: EngineContext): Promise<Presence> => {
  const compared = await readCompared(data, input)
  const { computed, assembly, genes, genomes } = compared
  const { chosen, unknown } = await chooseGenes(data, compared, input)
  const shown = chosen.slice(0, Math.floor(limits.drawnCells / Math.max(1, genomes.length)))
  const growth = await countGrowth(data, [assembly, ...genomes.map(({ id }) => id)], signal)
  for (const id of [assembly, ...genomes.map((one) => one.id)]) receipt.addData(id)
  receipt.addStep({
    program: 'NovoDB gene presence',
    version: String(tool.version),
    formula: `each gene followed by its DNA: through whole-genome alignments, and where these do not have it by blastn of the gene and tblastn of its protein against the whole genome (E <= 1e-5), a place counting as the gene's own when it leads back to it or is no other gene's; there from ${presenceRules.minShare} of its bases on, whole from ${presenceRules.wholeShare}, disrupted where less than ${presenceRules.wholeShare} of its codons are read in frame before the first stop or the start codon is lost, split by ${presenceRules.splitBp} bp of other DNA or more`,
  })
  for (const program of computed.programs) receipt.addStep({ program, version: computed.computedAt })
  receipt.cite({
    text: 'Li H. Minimap2: pairwise alignment for nucleotide sequences. Bioinformatics 34, 3094-3100 (2018).',
    doi: '10.1093/bioinformatics/bty191',
  })
  receipt.cite({
    text: 'Camacho C, et al. BLAST+: architecture and applications. BMC Bioinformatics 10, 421 (2009).',
    doi: '10.1186/1471-2105-10-421',
  })
  const outgroups = new Set((await data.listAssemblies()).flatMap(({ id, outgroup }) => (outgroup ? [id] : [])))
  const column = <T>(of: readonly T[]): T[] => shown.map((gene) => of[gene]!)
  return {
    assembly,
    species: computed.species,
    reference: computed.reference,
    computedAt: computed.computedAt,
    programs: computed.programs,
    // Outgroups are left out on purpose.
    missing: computed.missing.filter((id) => !outgroups.has(id)),
    genomes: genomes.map(({ id, partial, presences }) => ({
      id,
      partial,
      counts: countStates(chosen.map((gene) => presences[gene]!.state)),
      genes: presences.length,
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
      states: shown.map((gene) => genomes.map(({ presences }) => letterOfState(presences[gene]!.state)).join('')),
    },
    unknown,
    regions: listRegions(compared, new Set(chosen)),
    growth,
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
    const found = id === assembly ? null : await data.presence.between(assembly, id)
    if (found === null) continue
    const count = (is: typeof isPresent): number =>
      found.genes.filter((one) => is(one.state)).length / found.genes.length
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
  programs: ['blastn', 'tblastn', 'makeblastdb'].map(blastProgram),
  run,
  routes,
})
