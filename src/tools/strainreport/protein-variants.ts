import { Coverage } from '../../bio/alignment/alignment-chains.ts'
import type { SmallVariant } from '../../bio/alignment/density.ts'
import { findExons } from '../../bio/annotation/gene-geometry.ts'
import type { GeneModel } from '../../bio/annotation/gene-models.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { compareGravity, consequenceBits, consequences, impactOf } from '../../bio/variation/consequences.ts'
import { type GenomeChange, genomeEffects } from '../../bio/variation/genome-effects.ts'
import { parseVcfRecord, readGenotypes } from '../../bio/variation/vcf.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import type { CatalogueGene, PortalData } from '../../kit/data/portal-data.ts'
import { listVariantSets } from '../../kit/data/variant-data.ts'
import { findGenomeSample } from '../../kit/data/variants/genome-sample.ts'
import { noFilter, openSet } from '../../kit/data/variants/open-set.ts'
import { createEffectTeller } from '../../kit/data/variants/told-effects.ts'
import { keyOf } from '../../kit/data/variants/variant-key.ts'
import {
  type ListedImpact,
  limits,
  listedImpacts,
  type ProteinVariant,
  type ProteinVariants,
  type VariantCount,
} from './tool.ts'

const isListed = (impact: string): impact is ListedImpact => (listedImpacts as readonly string[]).includes(impact)
const listedBits = consequenceBits(consequences.filter(({ impact }) => isListed(impact)).map(({ name }) => name))

/**
 * Of a gene product: that it is broken, or that it is another; null of what leaves it as it is, as an insertion does whose first codon is the
 * stop: it is told as a retained stop first.
 */
export const listedImpactOf = (names: readonly string[]): ListedImpact | null => {
  if (names[0] === 'stop_retained') return null
  const impacts = names.map(impactOf)
  return listedImpacts.find((impact) => impacts.includes(impact)) ?? null
}

/** Bases beside an exon by which it is spliced. */
const spliceBp = 2
/** Genes are read in the order of the genome: so many bases are fetched together. */
const blockBp = 500_000
const keptBlocks = 40
/** Alleles are spelt so far. */
const speltBp = 60
/** Changes that are read together and named. */
const namedChanges = 20

/** How many of their codons the strain reads of genes, in frame. */
const readKeptShares = async (
  data: PortalData,
  strain: string,
  reference: string,
  genes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> => {
  const shares = new Map<string, number>()
  const known = await data.presence.genes(reference)
  if (known === null) return shares
  const numbers = [...known.id.keys()].filter((number) => genes.has(known.id[number]!))
  for (const [number, { evidence }] of await data.presence.genesIn(reference, strain, numbers))
    if (evidence.frame !== null) shares.set(known.id[number]!, evidence.frame.keptShare)
  return shares
}

type FoundVariant = Omit<ProteinVariant, 'symbol' | 'description' | 'keptShare'>

/** The variants of a strain that change proteins, in no order: counts of all, and as many of each impact as are listed. */
export interface FoundVariants extends Pick<ProteinVariants, 'basis' | 'set'> {
  rows: Record<ListedImpact, FoundVariant[]>
  counts: Record<string, number>
  totals: Record<ListedImpact, VariantCount>
}

/** Takes variants as they are found; of a distant strain they are more than are kept. */
const collectVariants = () => {
  const rows: FoundVariants['rows'] = { high: [], moderate: [] }
  const counts: Record<string, number> = {}
  const totals = { high: 0, moderate: 0 }
  const genes = { high: new Set<string>(), moderate: new Set<string>() }
  return {
    add: (variant: FoundVariant): void => {
      const [gravest] = variant.consequences
      const impact = listedImpactOf(variant.consequences)
      if (impact === null) return
      counts[gravest!] = (counts[gravest!] ?? 0) + 1
      totals[impact] += 1
      genes[impact].add(variant.gene)
      if (rows[impact].length < limits.variants) rows[impact].push(variant)
    },
    finish: (): Pick<FoundVariants, 'rows' | 'counts' | 'totals'> => ({
      rows,
      counts,
      totals: {
        high: { variants: totals.high, genes: genes.high.size },
        moderate: { variants: totals.moderate, genes: genes.moderate.size },
      },
    }),
  }
}

/** Those that are listed, of high impact first, with what is known of their genes. */
export const describeVariants = async (
  data: PortalData,
  { strain, reference }: { strain: string; reference: string },
  { rows, ...about }: FoundVariants,
): Promise<ProteinVariants> => {
  const order = new Map((await data.listSequences(reference)).map(({ name }, at) => [name, at]))
  const placeOf = ({ sequence }: FoundVariant): number => order.get(sequence) ?? order.size
  for (const list of Object.values(rows))
    list.sort((a, b) => placeOf(a) - placeOf(b) || a.changes[0]!.start - b.changes[0]!.start)
  const listed = [...rows.high, ...rows.moderate].slice(0, limits.variants)
  const named = new Set(listed.map(({ gene }) => gene))
  const shares = await readKeptShares(data, strain, reference, named)
  const genes = new Map((await data.getGenes(reference, [...named])).map((gene) => [gene.id, gene]))
  return {
    ...about,
    rows: listed.map((row) => ({
      ...row,
      symbol: genes.get(row.gene)?.symbol ?? null,
      description: genes.get(row.gene)?.description ?? null,
      keptShare: shares.get(row.gene) ?? null,
    })),
  }
}

const spell = (bases: string): string => (bases.length > speltBp ? `${bases.slice(0, speltBp)}…` : bases)

/** From a loaded set of variants of which one sample is the strain; null where there is none whose consequences are known. */
export const findLoadedVariants = async (
  data: PortalData,
  strain: AssemblySummary,
  reference: string,
  signal: AbortSignal,
): Promise<FoundVariants | null> => {
  for (const set of await listVariantSets(data, reference)) {
    const sample = findGenomeSample(set.samples, strain)
    if (sample < 0 || set.consequences === null || !set.hasGenotypes) continue
    const tell = createEffectTeller(data, reference)
    const found = collectVariants()
    const open = await openSet(set)
    try {
      const all = [{ from: 0, to: set.sites }]
      for await (const piece of open.scan(all, { ...noFilter, consequenceBits: listedBits }, signal))
        for await (const { row, line } of open.readRows(
          piece.map((one) => one.row),
          signal,
        )) {
          const record = parseVcfRecord(line)
          const genotypes = record && readGenotypes(record, set.samples.length, set.ploidy)
          if (record === null || genotypes === null) continue
          const alleles = new Set(
            genotypes.alleles.subarray(sample * genotypes.ploidy, (sample + 1) * genotypes.ploidy),
          )
          // One row a gene and allele: the gravest of its transcripts.
          const worst = new Map<string, Awaited<ReturnType<typeof tell>>[number]>()
          for (const effect of await tell(record)) {
            const carried = effect.allele === null ? [...alleles].some((one) => one > 0) : alleles.has(effect.allele)
            if (!carried || listedImpactOf(effect.consequences) === null) continue
            const key = `${effect.gene} ${effect.allele}`
            const before = worst.get(key)
            if (before === undefined || compareGravity(effect, before) < 0) worst.set(key, effect)
          }
          for (const effect of worst.values())
            found.add({
              gene: effect.gene,
              transcript: effect.transcript,
              consequences: effect.consequences,
              hgvs: effect.proteinChange,
              sequence: record.sequence,
              changes: [
                {
                  start: record.position1,
                  end: record.end1,
                  from: spell(record.reference),
                  to: spell(record.alternates[(effect.allele ?? 1) - 1] ?? '.'),
                },
              ],
              own: null,
              variant: record.ids[0] ?? keyOf(record, row),
            })
        }
    } finally {
      await open.close()
    }
    return { ...found.finish(), basis: 'variants', set: { id: set.id, name: set.name, sample: set.samples[sample]! } }
  }
  return null
}

/** Reads parts of an assembly that follow each other: of some sequences a block is kept, that of which bases were wanted last. */
const createBlockReader = async (data: PortalData, assembly: string) => {
  const lengths = new Map((await data.listSequences(assembly)).map(({ name, lengthBp }) => [name, lengthBp]))
  const blocks = new Map<string, { start1: number; bases: string }>()
  return async (sequence: string, start1: number, end1: number): Promise<string> => {
    const lengthBp = lengths.get(sequence)!
    // Over the origin of a circle, and parts of which few would follow.
    if (end1 > lengthBp || end1 - start1 >= blockBp) return data.fetchSequence(assembly, sequence, start1, end1)
    let block = blocks.get(sequence)
    if (block === undefined || start1 < block.start1 || end1 >= block.start1 + block.bases.length) {
      const first1 = Math.max(1, start1 - blockBp / 10)
      const last1 = Math.min(lengthBp, first1 + blockBp + end1 - start1)
      block = { start1: first1, bases: (await data.fetchSequence(assembly, sequence, first1, last1)).toUpperCase() }
      if (blocks.size >= keptBlocks) blocks.delete(blocks.keys().next().value!)
      blocks.set(sequence, block)
    }
    return block.bases.slice(start1 - block.start1, end1 - block.start1 + 1)
  }
}

interface PlacedChange extends GenomeChange {
  variant: SmallVariant
}

/** A gene of the catalogue as its annotation has it. */
const modelOf = ({ start, end, sequence, transcripts, ...gene }: CatalogueGene): GeneModel => ({
  ...gene,
  sequenceName: sequence,
  start1: start,
  end1: end,
  attributes: {},
  transcripts: transcripts.map((one) => ({
    id: one.id,
    biotype: one.biotype,
    start1: one.start,
    end1: one.end,
    exons: findExons(one).map(({ start1, end1 }) => ({ start1, end1 })),
    cds: one.cds.map(([start1, end1, phase]) => ({ start1, end1, phase: phase as 0 | 1 | 2 })),
    proteinId: null,
    attributes: {},
    ...(one.readingOrder === undefined
      ? {}
      : { readingOrder: one.readingOrder.map(([start1, end1, on]) => ({ start1, end1, strand: on })) }),
  })),
})

/** Coding parts and splice sites of all genes: elsewhere nothing changes a protein. */
export const readCodingPlaces = async (data: PortalData, assembly: string): Promise<Coverage> => {
  const looked = new Coverage()
  const lengths = new Map((await data.listSequences(assembly)).map(({ name, lengthBp }) => [name, lengthBp]))
  const look = (sequence: string, start1: number, end1: number): void => {
    const lengthBp = lengths.get(sequence)!
    looked.add(sequence, Math.max(0, start1 - 1), Math.min(lengthBp, end1))
    // Over the origin of a circle.
    if (end1 > lengthBp) looked.add(sequence, Math.max(0, start1 - 1 - lengthBp), end1 - lengthBp)
  }
  for await (const genes of data.streamGenes(assembly))
    for (const gene of genes)
      for (const transcript of gene.transcripts) {
        for (const [start1, end1] of transcript.cds) look(gene.sequence, start1, end1)
        const exons = findExons(transcript)
        for (const [number, { end1 }] of exons.slice(0, -1).entries()) {
          const next1 = exons[number + 1]!.start1
          look(gene.sequence, end1 + 1, end1 + spliceBp)
          look(gene.sequence, next1 - spliceBp, next1 - 1)
        }
      }
  return looked
}

/**
 * From the alignment of the two: hears of its variants (`add`), of which it keeps those at coding places of the reference, and tells what
 * all that a gene has do together.
 */
export const collectAlignedVariants = async (
  data: PortalData,
  strain: string,
  reference: string,
  codingPlaces: Coverage,
  signal: AbortSignal,
): Promise<{ add(variant: SmallVariant): void; finish(): Promise<FoundVariants> }> => {
  const lengths = new Map((await data.listSequences(reference)).map((one) => [one.name, one]))
  const [readReference, readStrain] = await Promise.all([reference, strain].map((id) => createBlockReader(data, id)))
  const kept = new Map<string, SmallVariant[]>()
  const add = (variant: SmallVariant): void => {
    const { source, sourceStart0, sourceEnd0 } = variant
    if (codingPlaces.within(source, sourceStart0 - 1, sourceEnd0 + 1).length === 0) return
    const list = kept.get(source)
    if (list === undefined) kept.set(source, [variant])
    else list.push(variant)
  }
  /** What a gene has: whole within it, in its own numbers where it is over the origin. */
  const variantsOf = (gene: CatalogueGene): { variant: SmallVariant; start1: number }[] => {
    const list = kept.get(gene.sequence) ?? []
    const { lengthBp } = lengths.get(gene.sequence)!
    const found: { variant: SmallVariant; start1: number }[] = []
    for (const shift of gene.end > lengthBp ? [0, lengthBp] : [0]) {
      let [low, high0] = [0, list.length]
      while (low < high0) {
        const middle = (low + high0) >> 1
        if (list[middle]!.sourceStart0 + shift < gene.start - 1) low = middle + 1
        else high0 = middle
      }
      for (let at = low; at < list.length && list[at]!.sourceStart0 + shift < gene.end; at += 1)
        if (list[at]!.sourceEnd0 + shift <= gene.end)
          found.push({ variant: list[at]!, start1: list[at]!.sourceStart0 + 1 + shift })
    }
    return found
  }
  const readChanges = async (gene: CatalogueGene): Promise<PlacedChange[]> => {
    const found = variantsOf(gene)
    const changes: PlacedChange[] = []
    for (const { variant, start1 } of found) {
      const { sourceStart0, sourceEnd0, other, otherStart0, otherEnd0, strand } = variant
      const bases = otherEnd0 === otherStart0 ? '' : await readStrain!(other, otherStart0 + 1, otherEnd0)
      changes.push({
        start1,
        from: ' '.repeat(sourceEnd0 - sourceStart0),
        to: strand === '-' ? reverseComplement(bases, { rna: false }) : bases,
        variant,
      })
    }
    return changes
  }
  const readGene = async (gene: CatalogueGene): Promise<FoundVariant[]> => {
    const placed = await readChanges(gene)
    if (placed.length === 0) return []
    const own = (await readReference!(gene.sequence, gene.start, gene.end)).toUpperCase()
    const basesOf = (start1: number, end1: number): string => own.slice(start1 - gene.start, end1 - gene.start + 1)
    const changes = placed
      .map((one): PlacedChange => ({ ...one, from: basesOf(one.start1, one.start1 + one.from.length - 1) }))
      .sort((a, b) => a.start1 - b.start1)
    const { geneticCode, lengthBp } = lengths.get(gene.sequence)!
    const effects = genomeEffects(modelOf(gene), geneticCode, changes, basesOf).filter(
      (one) => listedImpactOf(one.consequences) !== null,
    )
    // What the same changes do to several transcripts is one row, with the gravest.
    const told = new Map<string, (typeof effects)[number]>()
    for (const effect of effects) {
      const key = `${Math.min(...effect.changes.map(({ start1 }) => start1))}`
      const before = told.get(key)
      const gravity = { ...effect, aminoAcids: effect.hgvs }
      if (before === undefined || compareGravity(gravity, { ...before, aminoAcids: before.hgvs }) < 0)
        told.set(key, effect)
    }
    return [...told.values()].map((effect): FoundVariant => {
      const sorted = [...effect.changes].sort((a, b) => a.start1 - b.start1)
      const { other } = sorted[0]!.variant
      const there = sorted.filter(({ variant }) => variant.other === other)
      return {
        gene: gene.id,
        transcript: effect.transcript,
        consequences: effect.consequences,
        hgvs: effect.hgvs,
        sequence: gene.sequence,
        changes: sorted.slice(0, namedChanges).map(({ start1, from, to }) => {
          const start = start1 > lengthBp ? start1 - lengthBp : start1
          return { start, end: start + from.length - 1, from: spell(from), to: spell(to) }
        }),
        own: {
          sequence: other,
          start: Math.min(...there.map(({ variant }) => variant.otherStart0 + 1)),
          end: Math.max(...there.map(({ variant }) => variant.otherEnd0)),
        },
        variant: null,
      }
    })
  }
  return {
    add,
    finish: async () => {
      for (const list of kept.values())
        list.sort((a, b) => a.sourceStart0 - b.sourceStart0 || a.sourceEnd0 - b.sourceEnd0)
      const all = collectVariants()
      for await (const genes of data.streamGenes(reference))
        for (const gene of genes) {
          signal.throwIfAborted()
          for (const variant of await readGene(gene)) all.add(variant)
        }
      return { ...all.finish(), basis: 'alignment', set: null }
    },
  }
}
