// Records and genotypes of VCF files, of any ploidy. Source: VCF 4.3 and 4.5 specifications (hts-specs), sections 1.6.1 and 1.6.2.

/** A line of a VCF. Coordinates count from 1; the last base is that of REF, or END of INFO where that lies behind it. */
export interface VcfRecord {
  sequence: string
  position1: number
  end1: number
  ids: string[]
  reference: string
  /** Empty for a site without a variant. */
  alternates: string[]
  quality: number | null
  /** Filters that it failed: none where it passed all, `.` where none were applied (VCF 4.3, section 1.6.1). */
  filters: string[]
  info: string
  /** Keys of what each sample has, with colons between; empty without samples. */
  format: string
  /** The samples' columns as they stand. */
  samples: string
}

/** Genotypes of one record, sample after sample. */
export interface Genotypes {
  /** Most copies that a sample has here. */
  ploidy: number
  /** `ploidy` numbers a sample: 0 is REF; -1 not called; -2 the sample has fewer copies. */
  alleles: Int16Array
  /** 1 for a sample whose copies are phased; one copy is. */
  phased: Uint8Array
}

export const missingAllele = -1
export const absentCopy = -2

/** The names of the samples of a `#CHROM` line. Example: `readSampleNames('#CHROM\tPOS\t…\tFORMAT\tA\tB')` is `['A', 'B']`. */
export const readSampleNames = (columnLine: string): string[] =>
  columnLine
    .replace(/\r?\n?$/, '')
    .split('\t')
    .slice(9)

/**
 * Reads a line; null when it has fewer than eight columns or its position is no number.
 *
 * Example: `parseVcfRecord('1\t7\t.\tAC\tA,<DEL>\t30\tPASS\tEND=20')` has `position1` 7, `end1` 20, `alternates` `['A', '<DEL>']`.
 */
export const parseVcfRecord = (line: string): VcfRecord | null => {
  const cuts: number[] = []
  for (let at = line.indexOf('\t'); at >= 0 && cuts.length < 9; at = line.indexOf('\t', at + 1)) cuts.push(at)
  if (cuts.length < 7) return null
  const column = (number: number): string =>
    line.slice(number === 0 ? 0 : cuts[number - 1]! + 1, cuts[number] ?? line.length)
  const position1 = Number(column(1))
  if (!Number.isInteger(position1) || position1 < 0) return null
  const reference = column(3)
  const alternates = column(4)
  const ids = column(2)
  const quality = column(5)
  const filters = column(6)
  const info = column(7)
  const end = /(?:^|;)END=(\d{1,15})(?:;|$)/.exec(info)
  return {
    sequence: column(0),
    position1,
    end1: Math.max(position1 + reference.length - 1, end === null ? 0 : Number(end[1])),
    ids: ids === '.' || ids === '' ? [] : ids.split(';'),
    reference,
    alternates: alternates === '.' || alternates === '' ? [] : alternates.split(','),
    quality: quality === '.' || quality === '' || Number.isNaN(Number(quality)) ? null : Number(quality),
    filters: filters === 'PASS' ? [] : filters === '' ? ['.'] : filters.split(';'),
    info,
    format: cuts.length > 8 ? column(8) : '',
    samples: cuts.length > 8 ? line.slice(cuts[8]! + 1) : '',
  }
}

/**
 * The value of a key of INFO; true for a flag, null when it is not there.
 *
 * Example: `infoValue('DP=4;DB', 'DB')` is true, of `DP` it is `'4'`.
 */
export const infoValue = (info: string, key: string): string | true | null => {
  for (const part of info.split(';')) {
    if (part === key) return true
    if (part.startsWith(key) && part[key.length] === '=') return part.slice(key.length + 1)
  }
  return null
}

const zero = 48
const slash = 47
const bar = 124
const colon = 58
const tab = 9
const dot = 46

/**
 * A sample's genotype as GT writes it, with another text for each allele where one is given; `.` where a copy is not called.
 *
 * Example: of the alleles `[0, 1]`, phased, it is `0|1`, and with `(allele) => 'AG'[allele]!` `A|G`.
 */
export const writeGenotype = (
  { ploidy, alleles, phased }: Genotypes,
  sample: number,
  textOf: (allele: number) => string = String,
): string =>
  [...alleles.subarray(sample * ploidy, (sample + 1) * ploidy)]
    .filter((allele) => allele !== absentCopy)
    .map((allele) => (allele === missingAllele ? '.' : textOf(allele)))
    .join(phased[sample] === 1 ? '|' : '/')

/**
 * The genotypes of a record; null when it has none (no GT, or no samples). Samples that the line does not have are not called.
 *
 * Example: of the samples `0/1`, `.`, `1|1` the alleles are `[0, 1, -1, -2, 1, 1]` and `phased` is `[0, 1, 1]`.
 */
export const readGenotypes = (
  record: Pick<VcfRecord, 'format' | 'samples'>,
  sampleCount: number,
  ploidy = 2,
): Genotypes | null => {
  const keyAt = record.format.split(':').indexOf('GT')
  if (keyAt < 0 || sampleCount === 0) return null
  const plain = readPlainDiploids(record, sampleCount)
  if (plain !== null) return plain
  for (let max = Math.max(1, ploidy); ; ) {
    const alleles = new Int16Array(sampleCount * max).fill(absentCopy)
    const phased = new Uint8Array(sampleCount).fill(1)
    const needed = scanGenotypes(record.samples, keyAt, sampleCount, max, alleles, phased)
    if (needed > max) max = needed
    else if (needed < max) {
      // Fewer copies than was thought, in every sample.
      const min = Math.max(1, needed)
      const packed = new Int16Array(sampleCount * min)
      for (let sample = 0; sample < sampleCount; sample += 1)
        for (let copy = 0; copy < min; copy += 1) packed[sample * min + copy] = alleles[sample * max + copy]!
      return { ploidy: min, alleles: packed, phased }
    } else return { ploidy: max, alleles, phased }
  }
}

const encoder = new TextEncoder()
let plainBytes = new Uint8Array()

/**
 * Two copies a sample, each one digit or a dot, and nothing else in the columns, as sets of thousands of accessions mostly have them: four
 * letters a sample, read as bytes, for a letter of a text takes several times as long. Null where a column is of another form.
 */
const readPlainDiploids = (
  { format, samples: text }: Pick<VcfRecord, 'format' | 'samples'>,
  sampleCount: number,
): Genotypes | null => {
  if (format !== 'GT' || text.length !== 4 * sampleCount - 1) return null
  // Room for one letter more of any kind: a text of other letters than ASCII is longer in bytes.
  if (plainBytes.length < text.length + 4) plainBytes = new Uint8Array(text.length + 4)
  if (encoder.encodeInto(text, plainBytes).written !== text.length) return null
  const bytes = plainBytes
  const alleles = new Int16Array(2 * sampleCount)
  const phased = new Uint8Array(sampleCount)
  for (let sample = 0; sample < sampleCount; sample += 1) {
    const at = 4 * sample
    const sign = bytes[at + 1]!
    if ((sign !== bar && sign !== slash) || (sample + 1 < sampleCount && bytes[at + 3] !== tab)) return null
    const first = bytes[at]!
    const second = bytes[at + 2]!
    if (!isPlain(first) || !isPlain(second)) return null
    alleles[2 * sample] = first === dot ? missingAllele : first - zero
    alleles[2 * sample + 1] = second === dot ? missingAllele : second - zero
    phased[sample] = sign === bar ? 1 : 0
  }
  return { ploidy: 2, alleles, phased }
}

const isPlain = (code: number): boolean => (code >= zero && code <= 57) || code === dot

/** Fills in the alleles and answers the most copies that a sample has; more than `ploidy`: not all were kept. */
const scanGenotypes = (
  text: string,
  keyAt: number,
  sampleCount: number,
  ploidy: number,
  alleles: Int16Array,
  phased: Uint8Array,
): number => {
  let at = 0
  let max = 0
  for (let sample = 0; sample < sampleCount; sample += 1) {
    const first = sample * ploidy
    if (at > text.length) {
      alleles[first] = missingAllele
      max = Math.max(max, 1)
      continue
    }
    for (let key = 0; key < keyAt && at < text.length && text.charCodeAt(at) !== tab; ) {
      if (text.charCodeAt(at) === colon) key += 1
      at += 1
    }
    const start = at
    let copy = 0
    let value = missingAllele
    for (;;) {
      const code = at < text.length ? text.charCodeAt(at) : tab
      if (code >= zero && code <= 57) value = (value < 0 ? 0 : value * 10) + code - zero
      else if (code !== dot) {
        // A sign of phase before the first allele is of VCF 4.4: it says that this copy is phased.
        const leads = at === start && (code === slash || code === bar)
        if (!leads) {
          if (copy < ploidy) alleles[first + copy] = value
          copy += 1
          value = missingAllele
        }
        if (code === slash) phased[sample] = 0
        else if (code !== bar) break
      }
      at += 1
    }
    max = Math.max(max, copy)
    while (at < text.length && text.charCodeAt(at) !== tab) at += 1
    at += 1
  }
  return max
}

export interface AlleleCounts {
  /** Copies of each allele, REF first. */
  counts: number[]
  /** Copies called. */
  called: number
  /** Samples looked at, and those of them of which a copy is not called. */
  samples: number
  missing: number
}

/**
 * Counts alleles, of some samples or of all. `alleleCount` is that of REF and ALT together; numbers beyond it are not called.
 *
 * Example: of `0/1`, `./.`, `1/1` with two alleles it is `{counts: [1, 3], called: 4, samples: 3, missing: 1}`.
 */
export const countAlleles = (
  { ploidy, alleles }: Genotypes,
  alleleCount: number,
  samples?: ArrayLike<number>,
): AlleleCounts => {
  const counts = new Array<number>(alleleCount).fill(0)
  const sampleCount = samples?.length ?? alleles.length / ploidy
  let called = 0
  let missing = 0
  for (let number = 0; number < sampleCount; number += 1) {
    const first = (samples === undefined ? number : samples[number]!) * ploidy
    let isMissing = false
    for (let copy = 0; copy < ploidy; copy += 1) {
      const allele = alleles[first + copy]!
      if (allele >= 0 && allele < alleleCount) {
        counts[allele]! += 1
        called += 1
      } else if (allele !== absentCopy) isMissing = true
    }
    if (isMissing) missing += 1
  }
  return { counts, called, samples: sampleCount, missing }
}

/**
 * Dose of other alleles than REF in each sample, or of `allele` alone: twice its share of the sample's copies, so that a haploid sample
 * and a diploid one without another allele are alike (as PLINK codes haploids, 0 and 2); NaN where a copy is not called.
 *
 * Example: of `0/1`, `./1`, `2|2`, `1`, `0/0/0/1` they are `[1, NaN, 2, 2, 0.5]`, and of allele 1 `[1, NaN, 0, 2, 0.5]`.
 */
export const dosages = ({ ploidy, alleles }: Genotypes, allele?: number): Float64Array => {
  const found = new Float64Array(alleles.length / ploidy)
  for (let sample = 0; sample < found.length; sample += 1) {
    let sum = 0
    let copies = 0
    for (let copy = 0; copy < ploidy; copy += 1) {
      const value = alleles[sample * ploidy + copy]!
      if (value === absentCopy) continue
      copies += 1
      if (value === missingAllele) sum = Number.NaN
      else if (allele === undefined ? value > 0 : value === allele) sum += 1
    }
    found[sample] = (2 * sum) / copies
  }
  return found
}

export const variantTypes = ['snv', 'mnv', 'insertion', 'deletion', 'other'] as const
export type VariantType = (typeof variantTypes)[number]

/**
 * What an allele changes: one base, several at once, added or lost bases, or something that REF and ALT do not spell (symbolic
 * alleles, breakends, `*`).
 *
 * Example: `variantType('A', 'ATT')` is `insertion`; `variantType('A', '<DEL>')` is `other`.
 */
export const variantType = (reference: string, alternate: string): VariantType => {
  if (!/^[A-Za-z]+$/.test(alternate)) return 'other'
  if (alternate.length > reference.length) return 'insertion'
  if (alternate.length < reference.length) return 'deletion'
  return reference.length === 1 ? 'snv' : 'mnv'
}
