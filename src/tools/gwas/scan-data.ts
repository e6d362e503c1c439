import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  groupLoci,
  type Locus,
  ScanThinner,
  type ThinnedScan,
  usualWindowBp,
} from '../../bio/association/association-summary.ts'
import { impactOf, impacts, parseEffects } from '../../bio/variation/consequences.ts'
import { doseR2 } from '../../bio/variation/linkage.ts'
import { dosages, infoValue } from '../../bio/variation/vcf.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { listVariantSets, readVariants, type VariantRecord, type VariantSet } from '../../kit/data/variant-data.ts'
import {
  type Association,
  type AssociationPlot,
  type AssociationSet,
  type AssociationTrait,
  listAssociationSets,
  readAssociationPlot,
  readAssociationPoints,
  readAssociations,
} from './stored.ts'
import { type AssociationHit, type LocusGene, type LocusView, limits, resultSchema } from './tool.ts'

/** Files of a run in its directory, and what a figure of it needs. */
export const runFiles = { table: 'associations.bed.gz', plot: 'plot.json' }

export interface RunPlot {
  trait: AssociationTrait
  plot: AssociationPlot
}

/** A scan wherever it stands: a trait of a loaded table, or what a job computed. */
export interface OpenScan {
  assembly: string
  set: AssociationSet | null
  trait: AssociationTrait
  /** Of the rows in the table. */
  path: string
  plot: AssociationPlot
  /** Set of variants that it was made of, where that is known. */
  variants: string | null
}

export interface ScanAddress {
  assembly?: string | undefined
  scan?: string | undefined
  trait?: string | undefined
  job?: string | undefined
}

export const assemblyOf = async (data: PortalData, asked: string | undefined): Promise<string> => {
  if (asked !== undefined && asked !== '') return (await data.getAssembly(asked)).id
  const assemblies = await data.listAssemblies()
  const found = assemblies.find((one) => (one.dataTypes.gwas ?? 0) > 0) ?? (await data.defaultAssembly())
  if (found === null || found === undefined) throw new PortalError('NOT_FOUND')
  return found.id
}

type OpenJob = (id: string) => Promise<{ directory: string; result: unknown }>

/** Rejects with NOT_FOUND, in words, when there is no such scan. */
export const openScan = async (data: PortalData, address: ScanAddress, openJob: OpenJob): Promise<OpenScan> => {
  if (address.job !== undefined) {
    const { directory, result } = await openJob(address.job)
    const parsed = resultSchema.safeParse(result)
    if (!parsed.success) throw new PortalError('NOT_FOUND')
    const { trait, plot } = JSON.parse(await readFile(join(directory, runFiles.plot), 'utf8')) as RunPlot
    const { assembly, variants } = parsed.data
    return { assembly, set: null, trait, plot, path: join(directory, runFiles.table), variants }
  }
  const assembly = await assemblyOf(data, address.assembly)
  const sets = await listAssociationSets(data, assembly)
  const set = address.scan === undefined ? sets[0] : sets.find(({ id }) => id === address.scan)
  const trait = address.trait === undefined ? set?.traits[0] : set?.traits.find(({ id }) => id === address.trait)
  const plot = set === undefined || trait === undefined ? null : await readAssociationPlot(data, set, trait.id)
  if (set === undefined || trait === undefined || plot === null)
    throw new PortalError('NOT_FOUND', {
      message: 'problem.noScan',
      params: { scan: address.scan ?? '', trait: address.trait ?? '', assembly },
    })
  return { assembly, set, trait, path: set.path, plot, variants: set.variants }
}

/** The set of variants for linkage: the one asked for, the scan's own, or the first with genotypes of two or more samples. */
export const findLinkageSet = async (
  data: PortalData,
  scan: Pick<OpenScan, 'assembly' | 'variants'>,
  asked?: string,
): Promise<VariantSet | null> => {
  const sets = (await listVariantSets(data, scan.assembly)).filter(
    ({ hasGenotypes, samples }) => hasGenotypes && samples.length > 1,
  )
  return (
    sets.find(({ id }) => id === asked) ??
    (asked === undefined ? (sets.find(({ id }) => id === scan.variants) ?? sets[0] ?? null) : null)
  )
}

const matches = (row: Association, record: VariantRecord): number | null => {
  if (record.position1 !== row.position) return null
  const alleles = [row.effectAllele, row.otherAllele]
  for (const [number, alternate] of record.alternates.entries())
    if (alleles.includes(alternate.toUpperCase()) && alleles.includes(record.reference.toUpperCase())) return number + 1
  // A table without alleles, or with letters of its own for them: the place decides.
  return alleles.every((allele) => allele !== null && /^[ACGTN]+$/.test(allele)) ? null : 1
}

/** Doses of the allele that a test was of; null when the variants do not have it. */
export const readDoses = async (
  set: VariantSet,
  row: Association,
  signal: AbortSignal,
): Promise<Float64Array | null> => {
  const region = { sequence: row.sequence, start1: row.position, end1: row.position }
  for await (const record of readVariants(set, region, signal)) {
    const allele = matches(row, record)
    if (allele !== null && record.genotypes !== null) return dosages(record.genotypes, allele)
  }
  return null
}

/** r2 of every test of a list with the lead, by position and name; the list ascends by position. */
export const linkTo = async (
  set: VariantSet,
  lead: Float64Array,
  rows: readonly Association[],
  signal: AbortSignal,
): Promise<(number | null)[]> => {
  const found = new Array<number | null>(rows.length).fill(null)
  if (rows.length === 0) return found
  const first = rows[0]!
  const region = { sequence: first.sequence, start1: first.position, end1: rows.at(-1)!.position }
  let from = 0
  for await (const record of readVariants(set, region, signal)) {
    while (from < rows.length && rows[from]!.position < record.position1) from += 1
    if (record.genotypes === null) continue
    for (let at = from; at < rows.length && rows[at]!.position === record.position1; at += 1) {
      const allele = matches(rows[at]!, record)
      if (allele !== null && found[at] === null) found[at] = doseR2(lead, dosages(record.genotypes, allele))
    }
  }
  return found
}

/** Genes named with a locus; beyond are counted. */
const maxGenes = 8
const maxGenesRead = 300
/** Loci of which linkage and consequences are looked up; of more that would take too long. */
const maxLooked = 60

/** What the hits of a locus do to genes: consequences by gene, gravest first. */
const readConsequences = async (
  set: VariantSet,
  locus: Locus<Association>,
  signal: AbortSignal,
): Promise<Map<string, string[]>> => {
  const positions = new Set(locus.hits.map(({ position }) => position))
  const byGene = new Map<string, Set<string>>()
  const region = { sequence: locus.lead.sequence, start1: locus.start1, end1: locus.end1 }
  for await (const record of readVariants({ ...set, samples: [] }, region, signal)) {
    const value = positions.has(record.position1) ? infoValue(record.info, 'BCSQ') : null
    if (typeof value !== 'string') continue
    for (const { gene, consequences } of parseEffects(value, record.position1, record.reference, record.alternates)) {
      const own = byGene.get(gene)
      if (own === undefined) byGene.set(gene, new Set(consequences))
      else for (const name of consequences) own.add(name)
    }
  }
  const rank = (name: string): number => impacts.indexOf(impactOf(name))
  return new Map([...byGene].map(([gene, names]) => [gene, [...names].sort((a, b) => rank(a) - rank(b))]))
}

/** Genes within reach of a locus, the likeliest first: changed in their protein by a hit, then by distance from the lead. */
const rankGenes = async (
  data: PortalData,
  assembly: string,
  locus: Locus<Association>,
  windowBp: number,
  lengthBp: number,
  consequences: Map<string, string[]>,
): Promise<{ genes: LocusGene[]; geneCount: number }> => {
  const found = await data.listGenesInRegion(
    assembly,
    locus.lead.sequence,
    Math.max(1, locus.start1 - windowBp),
    Math.min(lengthBp, locus.end1 + windowBp),
    maxGenesRead,
  )
  const at = locus.lead.position
  const genes = found.map(
    (gene): LocusGene => ({
      id: gene.id,
      symbol: gene.symbol,
      description: gene.description,
      start: gene.start,
      end: gene.end,
      strand: gene.strand,
      distanceBp: at < gene.start ? gene.start - at : at > gene.end ? at - gene.end : 0,
      consequences: consequences.get(gene.id) ?? [],
    }),
  )
  // Low impacts tell no more than that the hit lies in the gene.
  const grave = ({ consequences: names }: LocusGene): number =>
    Math.min(2, ...names.map((name) => impacts.indexOf(impactOf(name))))
  genes.sort((a, b) => grave(a) - grave(b) || a.distanceBp - b.distanceBp || a.start - b.start)
  return { genes: genes.slice(0, maxGenes), geneCount: found.length }
}

export interface LociOptions {
  threshold: number | null
  windowBp?: number | undefined
  minR2: number
  signal: AbortSignal
}

/**
 * Loci of a scan with their candidate genes, best first. Without a threshold (of a table of hits) every row counts. With `minR2` a
 * hit belongs to a locus only when it is that much linked with the lead, or when its linkage is not known.
 */
export const findLoci = async (
  data: PortalData,
  scan: OpenScan,
  options: LociOptions,
): Promise<{ loci: LocusView[]; lociCut: boolean; windowBp: number; linkage: string | null }> => {
  const { signal } = options
  const lengths = new Map(scan.plot.sequences.map(({ name, lengthBp }) => [name, lengthBp]))
  const windowBp =
    options.windowBp ?? usualWindowBp(scan.plot.sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0))
  const min = options.threshold === null ? 0 : -Math.log10(options.threshold)
  const set = await findLinkageSet(data, scan)
  const byDistance = (hits: readonly Association[], max: number) => groupLoci(hits, { min, windowBp, max })
  let grouped = byDistance(scan.plot.hits, limits.loci)
  let linkage: string | null = null
  if (options.minR2 > 0 && set !== null) {
    linkage = set.id
    const loci: Locus<Association>[] = []
    // Each window is divided anew by its lead's linkage, until nothing is left of it.
    for (const whole of grouped.loci.slice(0, maxLooked)) {
      let rest = [...whole.hits].sort((a, b) => a.position - b.position)
      while (rest.some(({ logP }) => logP >= min) && loci.length < limits.loci) {
        signal.throwIfAborted()
        const lead = rest.reduce((best, hit) => (hit.logP > best.logP ? hit : best))
        const doses = await readDoses(set, lead, signal)
        const r2 = doses === null ? rest.map(() => null) : await linkTo(set, doses, rest, signal)
        const own = rest.filter((hit, at) => hit === lead || r2[at] === null || r2[at]! >= options.minR2)
        const significant = own.filter(({ logP }) => logP >= min).map(({ position }) => position)
        loci.push({ lead, hits: own, start1: Math.min(...significant), end1: Math.max(...significant) })
        const taken = new Set(own)
        rest = rest.filter((hit) => !taken.has(hit))
      }
    }
    grouped = {
      loci: loci.sort((a, b) => b.lead.logP - a.lead.logP),
      cut: grouped.cut || grouped.loci.length > maxLooked,
    }
  }
  const loci: LocusView[] = []
  for (const [number, locus] of grouped.loci.entries()) {
    signal.throwIfAborted()
    const known = set === null || number >= maxLooked ? new Map() : await readConsequences(set, locus, signal)
    const length = lengths.get(locus.lead.sequence) ?? locus.end1
    loci.push({
      lead: locus.lead,
      start: locus.start1,
      end: locus.end1,
      hitCount: locus.hits.filter(({ logP }) => logP >= min).length,
      ...(await rankGenes(data, scan.assembly, locus, windowBp, length, known)),
    })
  }
  return { loci, lociCut: grouped.cut, windowBp, linkage }
}

/** A segment thinned anew; the positions stay those of the sequence. */
export const thinSegment = async (
  scan: OpenScan,
  region: { sequence: string; start1: number; end1: number },
  signal: AbortSignal,
): Promise<{ scan: ThinnedScan; rows: number }> => {
  const number = scan.plot.sequences.findIndex(({ name }) => name === region.sequence)
  const thinner = new ScanThinner([region.end1 - region.start1 + 1])
  const take = (position: number, logP: number): void => thinner.add(0, position - region.start1 + 1, logP)
  const rows = await readAssociationPoints(scan.path, region, scan.trait.id, take, signal)
  const thin = thinner.finish()
  return {
    rows,
    scan: {
      ...thin,
      runs: thin.runs.map((value, at) => (at % 4 === 0 ? number : value)),
      points: thin.points.map((value, at) =>
        at % 3 === 0 ? number : at % 3 === 1 ? value + region.start1 - 1 : value,
      ),
    },
  }
}

/** Rows of a region, the best `most` of them in order of position, and how many there are. */
export const readRegionRows = async (
  scan: OpenScan,
  region: { sequence: string; start1: number; end1: number },
  max: number,
  signal: AbortSignal,
): Promise<{ rows: AssociationHit[]; total: number }> => {
  let rows: AssociationHit[] = []
  let total = 0
  for await (const row of readAssociations(scan.path, region, scan.trait.id, signal)) {
    total += 1
    if (total > limits.regionRows)
      throw new PortalError('ENGINE_LIMIT', { message: 'problem.tooManyRows', params: { limit: limits.regionRows } })
    rows.push(row)
    if (rows.length >= 4 * max) rows = rows.sort((a, b) => b.logP - a.logP).slice(0, max)
  }
  rows = rows.sort((a, b) => b.logP - a.logP).slice(0, max)
  return { rows: rows.sort((a, b) => a.position - b.position), total }
}
