import type { QuantilePoint, ThinnedScan } from '../../bio/association/association-summary.ts'
import type { AssociationFormat } from '../../bio/association/association-table.ts'
import type { LocalizedText } from '../../contracts/text.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { openTabix } from '../../store/tabix-reader.ts'

/** Kind of data of an assembly with association scans, and of the records of its sets. */
export const associationData = 'gwas'
/** Kind of the records with what a figure of a trait needs; their id is that of the set, `|`, and the trait's number. */
export const associationPlotKind = 'gwas-plot'

/** One test of one variant. Alleles and numbers are null where the table does not tell them. */
export interface Association {
  sequence: string
  /** From 1. */
  position: number
  /** The variant's name in the table, or its place. */
  id: string
  /** The allele that beta and frequency are of. */
  effectAllele: string | null
  otherAllele: string | null
  /** -log10 of the p-value. */
  logP: number
  /** Of odds ratios their natural logarithm. */
  beta: number | null
  se: number | null
  frequency: number | null
  minorFrequency: number | null
  samples: number | null
  /** Identity of the trait within its set. */
  trait: string
}

/** A trait of a set, with what is told of it in lists. */
export interface AssociationTrait {
  id: string
  count: number
  /** Whether all tests are there; of hits only neither lambda nor a quantile plot would mean anything. */
  complete: boolean
  lambda: number | null
  /** The p-value from which a test counts as significant; null where nothing was stated and the number of tests is unknown. */
  threshold: number | null
  /** How the threshold came about. */
  thresholdBy: 'stated' | 'bonferroni' | null
  significant: number | null
  best: Association | null
}

/** A loaded table of associations, as the record of kind `gwas` has it. */
export interface BakedAssociationSet {
  id: string
  name: LocalizedText
  description: LocalizedText | null
  /** Within the bundle: BED with further columns, sorted, with its index. */
  file: string
  format: AssociationFormat
  unit: string | null
  /** Sets of phenotypes and of variants that the scan was made of, where the administrator says so. */
  phenotypes: string | null
  variants: string | null
  licence: string | null
  simulated: boolean
  rows: number
  traits: AssociationTrait[]
}

export interface AssociationSet extends BakedAssociationSet {
  assembly: string
  /** Absolute path of the file. */
  path: string
}

/** What a figure and the list of loci of a trait are made of. */
export interface AssociationPlot {
  trait: string
  /** Sequences by their numbers in `scan`. */
  sequences: { name: string; lengthBp: number }[]
  scan: ThinnedScan
  /** Empty for hits only. */
  quantiles: QuantilePoint[]
  /** The best rows, and the best of each segment that has one beyond 1e-4; best first. */
  hits: Association[]
}

export const associationColumns = [
  'chrom',
  'start',
  'end',
  'name',
  'score',
  'strand',
  'effect_allele',
  'other_allele',
  'mlog10p',
  'beta',
  'se',
  'af',
  'maf',
  'n',
  'trait',
] as const

const shown = (value: string | number | null): string => (value === null ? '' : String(value))

/** Six digits are what any of these programs computes. */
const digits = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(6)))

const word = (text: string): string => (/[\t\r\n]/.test(text) ? text.replace(/[\t\r\n]+/g, ' ') : text)

/** A line of the baked table: BED 6 with the further columns of `associationColumns`; the score is ten times -log10 p, at most 1000. */
export const renderAssociation = (row: Association): string =>
  `${row.sequence}\t${row.position - 1}\t${row.position}\t${word(row.id)}\t${Math.min(1000, Math.round(10 * row.logP))}\t.\t${shown(row.effectAllele)}\t${shown(row.otherAllele)}\t${Number(row.logP.toPrecision(8))}\t${shown(digits(row.beta))}\t${shown(digits(row.se))}\t${shown(digits(row.frequency))}\t${shown(digits(row.minorFrequency))}\t${shown(row.samples)}\t${word(row.trait)}`

const numberOf = (cell: string | undefined): number | null => (cell === undefined || cell === '' ? null : Number(cell))

const parseAssociation = (line: string): Association => {
  const cells = line.split('\t')
  return {
    sequence: cells[0]!,
    position: Number(cells[2]),
    id: cells[3]!,
    effectAllele: cells[6] || null,
    otherAllele: cells[7] || null,
    logP: Number(cells[8]),
    beta: numberOf(cells[9]),
    se: numberOf(cells[10]),
    frequency: numberOf(cells[11]),
    minorFrequency: numberOf(cells[12]),
    samples: numberOf(cells[13]),
    trait: cells[14] ?? '',
  }
}

/** All tables of associations of an assembly, in the order of its manifest; none when it has none. */
export const listAssociationSets = async (data: PortalData, assembly: string): Promise<AssociationSet[]> => {
  const records = await data.listRecords<BakedAssociationSet>(associationData, { assembly })
  const sets: AssociationSet[] = []
  for (const { data: set } of records) {
    const path = await data.bundleFile(assembly, set.file)
    if (path !== null) sets.push({ ...set, assembly, path })
  }
  return sets
}

/** What the figures of a trait need; null when there is no such trait. */
export const readAssociationPlot = (
  data: PortalData,
  set: AssociationSet,
  trait: string,
): Promise<AssociationPlot | null> =>
  data.getRecord<AssociationPlot>(associationPlotKind, `${set.id}|${set.traits.findIndex(({ id }) => id === trait)}`, {
    assembly: set.assembly,
  })

/** Segment of a sequence, 1-based inclusive. */
export interface AssociationRegion {
  sequence: string
  start1: number
  end1: number
}

/** Where a row of `associationColumns` has its position and its -log10 p. */
const [positionColumn, logPColumn] = [associationColumns.indexOf('end'), associationColumns.indexOf('mlog10p')]

/**
 * Hands position and -log10 p of every test of a trait on a segment to `take`, in order of position, and counts them: for figures, which
 * need no more of the millions of tests of a chromosome. Rejects as `readAssociations` does.
 */
export const readAssociationPoints = async (
  path: string,
  region: AssociationRegion,
  trait: string,
  take: (position: number, logP: number) => void,
  signal?: AbortSignal,
): Promise<number> => {
  const file = await openTabix(path)
  try {
    const ending = `\t${word(trait)}`
    let count = 0
    for await (const lines of file.lineBlocks(region.sequence, region.start1 - 1, region.end1)) {
      signal?.throwIfAborted()
      for (const line of lines) {
        if (!line.endsWith(ending)) continue
        let from = 0
        let position = 0
        for (let column = 0; column < logPColumn; column += 1) {
          const tab = line.indexOf('\t', from)
          if (column === positionColumn) position = Number(line.slice(from, tab))
          from = tab + 1
        }
        take(position, Number(line.slice(from, line.indexOf('\t', from))))
        count += 1
      }
    }
    return count
  } finally {
    await file.close()
  }
}

/**
 * Rows of a baked table on a segment, in order of position, of one trait or of all; memory holds a block of the file at a time.
 * Rejects with StoreError where the file cannot be read.
 */
export async function* readAssociations(
  path: string,
  region: AssociationRegion,
  trait: string | null,
  signal?: AbortSignal,
): AsyncGenerator<Association> {
  const file = await openTabix(path)
  try {
    const ending = trait === null ? '' : `\t${word(trait)}`
    let count = 0
    for await (const line of file.lines(region.sequence, region.start1 - 1, region.end1)) {
      count += 1
      if (count % 10_000 === 0) signal?.throwIfAborted()
      if (trait === null || line.endsWith(ending)) yield parseAssociation(line)
    }
  } finally {
    await file.close()
  }
}
