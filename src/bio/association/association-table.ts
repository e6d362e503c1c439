// Tables of association tests: one variant (of one trait) a line, as the programs of the field write them.
//
// Names of columns: PheWeb (its documented fields and aliases), PLINK 1.9 (.assoc, .assoc.linear, .assoc.logistic, .qassoc) and 2.0
// (.glm.*), GEMMA 0.98 (.assoc.txt), GCTA (.mlma, .fastGWA), REGENIE, SAIGE, BOLT-LMM, METAL, EPACTS, TASSEL, GAPIT, GWAS-SSF of the
// GWAS Catalog, LocusZoom, and what tables of publications call the same.

import { readPosition } from '../sequence/region.ts'
import { findSeparator, readNumber, splitCells } from '../text/table-cells.ts'

export const associationFields = [
  'chromosome',
  'position',
  'id',
  'effectAllele',
  'otherAllele',
  'ref',
  'alt',
  'p',
  'logP',
  'beta',
  'se',
  'oddsRatio',
  'frequency',
  'minorFrequency',
  'samples',
  'trait',
  'test',
  'omitted',
] as const
export type AssociationField = (typeof associationFields)[number]

/** Names of columns, letters and digits only, lower case; the earlier ones are taken where a table has several. */
const names: Record<AssociationField, readonly string[]> = {
  chromosome: ['chrom', 'chr', 'chromosome', 'chromosomename', 'hmchrom', 'contig', 'scaffold', 'seqid', 'chromid'],
  // GENPOS is a position in bp in REGENIE and in centimorgans in BOLT-LMM, which has BP too.
  position: [
    ...['pos', 'bp', 'ps', 'position', 'basepairlocation', 'begin', 'beg', 'bpposition', 'posbp', 'positionbp'],
    ...['physicalposition', 'chrpos', 'snppos', 'coordinate', 'start', 'location', 'genpos', 'hmpos'],
  ],
  id: [
    ...['id', 'snp', 'rs', 'rsid', 'rsids', 'marker', 'markername', 'markerid', 'snpid', 'variantid', 'variant'],
    ...['variantname', 'gwasmarkers', 'locus', 'name', 'hmrsid', 'hmvariantid'],
  ],
  effectAllele: [
    'effectallele',
    'a1',
    'ea',
    'testedallele',
    'codedallele',
    'allele1',
    'effallele',
    'riskallele',
    'hmeffectallele',
  ],
  otherAllele: [
    ...['otherallele', 'a2', 'oa', 'nea', 'noneffectallele', 'allele0', 'a0', 'noncodedallele', 'allele2'],
    'baselineallele',
    'hmotherallele',
  ],
  ref: ['ref', 'reference', 'refallele', 'referenceallele'],
  alt: ['alt', 'alternate', 'altallele', 'alternateallele', 'alternative', 'alternativeallele'],
  p: [
    ...['pwald', 'pboltlmm', 'pval', 'p', 'pvalue', 'plrt', 'pscore', 'pvaluefixed', 'pboltlmminf', 'pvalspa', 'pspa'],
    ...['plinreg', 'markerp', 'gwaspvalue', 'pvalnominal', 'prob', 'frequentistaddpvalue'],
  ],
  logP: [
    ...['log10p', 'mlogp', 'mlog10p', 'neglog10p', 'neglog10pvalue', 'neglogp', 'neglogpvalue', 'logpvalue', 'logp'],
    ...['minuslog10p', 'minuslog10pvalue', 'nlog10p', 'nlogp', 'log10pvalue', 'neglog10pval', 'mlog10pvalue', 'lp'],
    'log10pval',
  ],
  beta: [
    'beta',
    'b',
    'effect',
    'effectsize',
    'es',
    'coef',
    'coefficient',
    'estimate',
    'logor',
    'alleffect',
    'snpeffect',
    'hmbeta',
  ],
  se: [
    ...['sebeta', 'se', 'stderr', 'standarderror', 'betase', 'logorse', 'seb', 'stderror', 'effectse', 'sebetasnpadd'],
    'seeffect',
  ],
  oddsRatio: ['or', 'oddsratio', 'orallele', 'hmoddsratio'],
  frequency: [
    ...['af', 'afalt', 'a1freq', 'a1frq', 'freq', 'freq1', 'af1', 'effectallelefrequency', 'eaf', 'afallele2'],
    ...[
      'allelefrequency',
      'allelefreq',
      'frq',
      'altfreq',
      'altaf',
      'freqa1',
      'effectallelefreq',
      'afea',
      'hmeffectallelefrequency',
    ],
  ],
  minorFrequency: ['maf', 'minorallelefrequency', 'minorallelefreq', 'mafall'],
  samples: [
    'numsamples',
    'n',
    'ns',
    'nobs',
    'obsct',
    'nmiss',
    'samplesize',
    'nsamples',
    'ntotal',
    'totaln',
    'nanalyzed',
  ],
  trait: [
    'trait',
    'phenotype',
    'pheno',
    'phenocode',
    'phenostring',
    'traitname',
    'phenoname',
    'envcondition',
    'traitid',
  ],
  test: ['test', 'model'],
  omitted: ['omitted'],
}

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const associationFormats = ['plink', 'plink2', 'gemma', 'gcta', 'regenie', 'saige', 'bolt', 'pheweb', 'table'] as const
export type AssociationFormat = (typeof associationFormats)[number]

/** A line that was read; what the table does not tell is null. */
export interface AssociationRow {
  chromosome: string | null
  position1: number | null
  id: string | null
  /** The allele that `beta` and `frequency` are of. */
  effectAllele: string | null
  otherAllele: string | null
  /** -log10 of the p-value, also where the p-value is too small for a number of the machine. */
  logP: number
  /** The table says p = 0: `logP` is computed from beta and its standard error, or at least what it says. */
  zero: boolean
  beta: number | null
  se: number | null
  frequency: number | null
  minorFrequency: number | null
  samples: number | null
  trait: string | null
}

/**
 * Why a line is left out: another test than the first line's, no p-value, a number below 0 or above 1 where a p-value should be, or a
 * text that is no number.
 */
export type AssociationSkip = 'test' | 'missing' | 'beyond' | 'unreadable'

export class AssociationTableError extends Error {
  readonly reason: 'no-p' | 'no-place' | 'column'
  readonly column: string
  readonly columns: string[]
  constructor(reason: 'no-p' | 'no-place' | 'column', column: string, columns: string[]) {
    super(`${reason} ${column}`)
    this.reason = reason
    this.column = column
    this.columns = columns
  }
}

export interface AssociationReader {
  format: AssociationFormat
  /** The table's own name of the column that each field was read from. */
  columns: Partial<Record<AssociationField, string>>
  read(line: string): AssociationRow | AssociationSkip
  /** What a line has under the heading of a field; '' where there is none. */
  cellOf(line: string, field: AssociationField): string
}

/** Where a p-value is 0 for want of digits and nothing else is known: less than the least number of the machine (5e-324). */
const minLogPOfZero = 323.3

/**
 * -log10 of a p-value as a table writes it; exact also below 1e-308, where it is taken from the digits. Null for what is no p-value.
 *
 * Example: of '1e-400' it is 400, of '0.05' about 1.301, of '0' Infinity, of 'NA' NaN, of '1.2' null.
 */
export const readLogP = (text: string): number | null => {
  const value = Number(text)
  if (value > 1e-300 && value <= 1) return value === 1 ? 0 : -Math.log10(value)
  const small = /^\s*\+?(\d+\.?\d*|\.\d+)[eE]-(\d+)\s*$/.exec(text)
  if (small !== null) {
    const mantissa = Number(small[1])
    return mantissa === 0 ? Number.POSITIVE_INFINITY : Number(small[2]) - Math.log10(mantissa)
  }
  if (value === 0 && text.trim() !== '') return Number.POSITIVE_INFINITY
  const number = readNumber(text)
  return number !== null && Number.isNaN(number) ? Number.NaN : null
}

/**
 * -log10 of the two-sided p-value of a standard normal z; also far beyond what a machine's numbers hold. Of small |z| by the
 * complementary error function's continued fraction, which converges there too.
 *
 * Example: `logPOfZ(1.959964)` is 1.30103, `logPOfZ(40)` is 349.137.
 */
export const logPOfZ = (z: number): number => {
  const x = Math.abs(z)
  // Abramowitz & Stegun 26.2.14: Q(x) = phi(x) / (x + 1/(x + 2/(x + 3/(x + ...)))); evaluated from its end.
  if (x < 2) {
    // Series of phi times the sum of odd powers, Abramowitz & Stegun 26.2.11.
    let term = x
    let sum = x
    for (let at = 3; at < 200 && term > 1e-17 * sum; at += 2) {
      term *= (x * x) / at
      sum += term
    }
    const inside = (2 * sum * Math.exp(-0.5 * x * x)) / Math.sqrt(2 * Math.PI)
    return Math.max(0, -Math.log10(1 - inside))
  }
  let tail = x
  for (let at = 200; at >= 1; at -= 1) tail = x + at / tail
  return (0.5 * x * x + 0.5 * Math.log(2 * Math.PI) + Math.log(tail) - Math.LN2) / Math.LN10
}

/** A place within a name of a variant: `chr1_12345_A_T`, `10:114758349_C/T`, `1-10583-rs58108140`, `c1p37409`; null where there is none. */
export const readLocusInName = (
  id: string,
): { chromosome: string; position1: number; ref: string | null; alt: string | null } | null => {
  const match =
    /^([A-Za-z0-9.]+?)[:_-](\d+)(?:[:_/-]([ACGTN]+)[:_/>-]([ACGTN]+))?(?:[:_/-].*)?$/i.exec(id) ??
    /^(?:c|chr|chromosome)(\d{1,3}|[XYM])p(?:os)?(\d+)$/i.exec(id) ??
    /^S(\d{1,3})_(\d+)$/.exec(id)
  if (match === null || /^rs$/i.test(match[1]!)) return null
  return {
    chromosome: match[1]!,
    position1: Number(match[2]),
    ref: match[3]?.toUpperCase() ?? null,
    alt: match[4]?.toUpperCase() ?? null,
  }
}

const isMissing = (cell: string | undefined): boolean =>
  cell === undefined || /^(|na|nan|n\/a|\.|-|-9|null|none)$/i.test(cell)

const textOf = (cell: string | undefined): string | null => (isMissing(cell) ? null : cell!)

const numberOf = (cell: string | undefined): number | null => {
  if (cell === undefined || cell === '') return null
  const value = Number(cell)
  return Number.isFinite(value) ? value : null
}

/** A position as programs write it (R and pandas also as 1e+05 and 100.0), or as people do (1,100); null for what is none. */
const positionOf = (cell: string | undefined): number | null => {
  if (cell === undefined || cell === '') return null
  const value = Number(cell)
  if (!Number.isNaN(value)) return value >= 1 && Number.isSafeInteger(value) ? value : null
  const read = readPosition(cell)
  return read.ok ? read.value : null
}

const detectFormat = (heading: readonly string[]): AssociationFormat => {
  const has = (...wanted: string[]): boolean => wanted.every((name) => heading.includes(name))
  if (has('rs', 'ps', 'allele1', 'allele0') || has('rs', 'ps', 'plrt')) return 'gemma'
  if (has('pboltlmminf') || has('pboltlmm')) return 'bolt'
  if (has('genpos', 'allele0', 'log10p')) return 'regenie'
  if (has('allele1', 'allele2', 'afallele2') || has('markerid', 'afallele2')) return 'saige'
  if (has('chrom', 'pos', 'obsct')) return 'plink2'
  if (has('chr', 'snp', 'bp', 'a1', 'a2', 'freq', 'b')) return 'gcta'
  if (has('chr', 'snp', 'pos', 'a1', 'a2', 'af1')) return 'gcta'
  if (has('chr', 'snp', 'bp') && (has('nmiss') || has('chisq') || has('a1'))) return 'plink'
  if (has('chrom', 'pos', 'ref', 'alt') && (has('pval') || has('mlogp'))) return 'pheweb'
  return 'table'
}

/** What parts the cells: tab, comma, semicolon, or any blanks as PLINK has them. */
const separatorOf = (heading: string): string | null => {
  if (heading.includes('\t')) return '\t'
  const separator = findSeparator(heading)
  return heading.includes(separator) ? separator : null
}

/**
 * Tells a table of associations by its heading, and gives back what reads its lines. `given` names columns where the heading does not
 * tell (a column of the table by field). Throws AssociationTableError when it has no p-value, no place and no name of variants, or
 * lacks a column that was named.
 *
 * Example: `openAssociations('CHR SNP BP A1 TEST NMISS BETA STAT P').read('1 rs1 100 A ADD 90 0.5 4 1e-4')` has `position1` 100,
 * `logP` 4 and `samples` 90; a line with TEST `COV1` is 'test'.
 */
export const openAssociations = (
  heading: string,
  given: Partial<Record<AssociationField, string>> = {},
): AssociationReader => {
  const separator = separatorOf(heading)
  const cut = (line: string): string[] => {
    if (separator === null) return line.trim().split(/\s+/)
    const cells = splitCells(line, separator)
    for (const [at, cell] of cells.entries()) {
      const first = cell.charCodeAt(0)
      if (first <= 32 || cell.charCodeAt(cell.length - 1) <= 32) cells[at] = cell.trim()
    }
    return cells
  }
  const heads = cut(heading).map((name) => name.replace(/^#/, ''))
  const plain = heads.map(plainName)
  const format = detectFormat(plain)
  const at = {} as Record<AssociationField, number>
  for (const field of associationFields) {
    const wanted = given[field]
    if (wanted !== undefined) {
      const index = heads.findIndex((name) => name === wanted || name === wanted.replace(/^#/, ''))
      if (index < 0) throw new AssociationTableError('column', wanted, heads)
      at[field] = index
      continue
    }
    at[field] = -1
    for (const name of names[field]) {
      const index = plain.indexOf(name)
      if (index >= 0 && !Object.values(at).includes(index)) {
        at[field] = index
        break
      }
    }
  }
  // SAIGE's allele 2 is the one that beta is of (its documentation, "Output file").
  if (format === 'saige') {
    at.effectAllele = plain.indexOf('allele2')
    at.otherAllele = plain.indexOf('allele1')
  }
  // GEMMA's n_miss counts the missing, PLINK's NMISS the others.
  if (format === 'gemma') at.samples = -1
  if (at.p < 0 && at.logP < 0) throw new AssociationTableError('no-p', '', heads)
  if ((at.chromosome < 0 || at.position < 0) && at.id < 0) throw new AssociationTableError('no-place', '', heads)
  let firstTest: string | null = null

  const read = (line: string): AssociationRow | AssociationSkip => {
    const cells = cut(line)
    // A cell without heading moves those behind it, or all of them (names of rows, as R writes): nothing says which.
    if (cells.length > heads.length && cells.slice(heads.length).some((cell) => cell !== '')) return 'unreadable'
    if (at.test >= 0) {
      const test = cells[at.test] ?? ''
      firstTest ??= test
      if (test !== firstTest) return 'test'
    }
    let logP: number | null
    let pCell: string | null = null
    if (at.logP >= 0) {
      const cell = cells[at.logP]
      const value = cell === undefined || isMissing(cell) ? Number.NaN : Number(cell)
      // Some write log10(p), which is negative.
      logP = Number.isNaN(value) ? (isMissing(cell) ? Number.NaN : null) : Math.abs(value)
      if (logP !== null && Number.isNaN(logP) && at.p >= 0) pCell = cells[at.p] ?? ''
    } else {
      pCell = cells[at.p] ?? ''
      logP = Number.NaN
    }
    if (pCell !== null && pCell !== '-9') logP = readLogP(pCell)
    if (logP === null) return pCell !== null && Number.isFinite(Number(pCell)) ? 'beyond' : 'unreadable'
    if (Number.isNaN(logP)) return 'missing'
    let beta = at.beta < 0 ? null : numberOf(cells[at.beta])
    const se = at.se < 0 ? null : numberOf(cells[at.se])
    if (beta === null && at.oddsRatio >= 0) {
      const ratio = numberOf(cells[at.oddsRatio])
      if (ratio !== null && ratio > 0) beta = Math.log(ratio)
    }
    const zero = logP === Number.POSITIVE_INFINITY
    if (zero)
      logP = beta !== null && se !== null && se > 0 ? Math.max(minLogPOfZero, logPOfZ(beta / se)) : minLogPOfZero
    const id = at.id < 0 ? null : textOf(cells[at.id])
    let chromosome = at.chromosome < 0 ? null : textOf(cells[at.chromosome])
    let position1 = at.position < 0 ? null : positionOf(cells[at.position])
    let effectAllele = at.effectAllele < 0 ? null : textOf(cells[at.effectAllele])
    let otherAllele = at.otherAllele < 0 ? null : textOf(cells[at.otherAllele])
    const ref = at.ref < 0 ? null : textOf(cells[at.ref])
    const alt = at.alt < 0 ? null : textOf(cells[at.alt])
    if (effectAllele === null) effectAllele = alt
    if (otherAllele === null && at.omitted >= 0) otherAllele = textOf(cells[at.omitted])
    if (otherAllele === null && ref !== null) otherAllele = effectAllele === ref ? alt : ref
    if (id !== null && (chromosome === null || position1 === null)) {
      const place = readLocusInName(id)
      if (place !== null) {
        chromosome = place.chromosome
        position1 = place.position1
        effectAllele ??= place.alt
        otherAllele ??= place.ref
      }
    }
    const frequency = at.frequency < 0 ? null : numberOf(cells[at.frequency])
    const minor = at.minorFrequency < 0 ? null : numberOf(cells[at.minorFrequency])
    return {
      chromosome,
      position1,
      id,
      effectAllele: effectAllele?.toUpperCase() ?? null,
      otherAllele: otherAllele?.toUpperCase() ?? null,
      logP,
      zero,
      beta,
      se,
      frequency,
      minorFrequency: minor ?? (frequency === null ? null : Math.min(frequency, 1 - frequency)),
      samples: at.samples < 0 ? null : numberOf(cells[at.samples]),
      trait: at.trait < 0 ? null : textOf(cells[at.trait]),
    }
  }

  const columns: Partial<Record<AssociationField, string>> = {}
  for (const field of associationFields) if (at[field] >= 0) columns[field] = heads[at[field]]!
  const cellOf = (line: string, field: AssociationField): string => cut(line)[at[field]] ?? ''
  return { format, columns, read, cellOf }
}
