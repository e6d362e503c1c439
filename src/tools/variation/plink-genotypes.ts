import { open } from 'node:fs/promises'
import { DefectLog } from '../../bio/text/defects.ts'
import { LineReader } from '../../bio/text/text-lines.ts'
import { inputDefects } from '../../kit/input-defects.ts'
import type { BakeContext } from '../../kit/loader.ts'
import { readReportedLines } from '../../kit/read-input.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { openSink } from '../../store/file-sink.ts'
import { openGenome } from '../../store/genome-fasta.ts'
import toolDefects from './defects.ts'

// Genotypes of PLINK 1: a matrix of two bits each (.bed), with its variants (.bim) and samples (.fam) beside it. Source: PLINK 1.9,
// "File format reference".

const magic = [0x6c, 0x1b]
const isVariantMajor = 0x01
/** Variants that are read at a time. */
const piecesOf = 512
const bases = /^[ACGTN]+$/i
const isKnown = /^[ACGT]$/i
/** What PLINK calls the chromosomes of humans that have no number. */
const lettered = new Map([
  ['23', 'X'],
  ['24', 'Y'],
  ['25', 'X'],
  ['26', 'MT'],
])

export const isPlinkBed = (start: Buffer): boolean => magic.every((byte, at) => start[at] === byte)

/** The files that stand beside a .bed. */
export const besidePlinkBed = (file: string): { bim: string; fam: string } => ({
  bim: file.replace(/\.bed$/i, '.bim'),
  fam: file.replace(/\.bed$/i, '.fam'),
})

interface PlinkVariant {
  sequence: string
  id: string
  position1: number
  a1: string
  a2: string
}

const readRows = (file: string, context: BakeContext, onRow: (cells: string[]) => void): Promise<void> =>
  readReportedLines(file, context, (line) => {
    if (line.trim() !== '') onRow(line.trim().split(/\s+/))
  })

/** Names of the samples: those of their own, with the family's where two have one. */
const readSamples = async (file: string, context: BakeContext): Promise<string[]> => {
  const rows: string[][] = []
  await readRows(file, context, (cells) => rows.push(cells))
  const own = rows.map((cells) => cells[1] ?? '')
  return new Set(own).size === own.length ? own : rows.map(([family, id]) => `${family}_${id}`)
}

const countRows = async (file: string, context: BakeContext): Promise<number> => {
  let count = 0
  await readRows(file, context, () => {
    count += 1
  })
  return count
}

const readVariant = (line: string, context: BakeContext): PlinkVariant => {
  const [chromosome = '', id = '.', , position = '', a1 = '0', a2 = '0'] = line.trim().split(/\s+/)
  const letter = lettered.get(chromosome)
  const sequence =
    letter !== undefined && context.findSequence(chromosome) === null && context.findSequence(letter) !== null
      ? letter
      : chromosome
  return { sequence, id, position1: Number(position), a1, a2 }
}

/** Variants in pieces: there may be tens of millions. What is wrong with the letters of the file was told when its lines were counted. */
async function* readVariants(file: string, context: BakeContext): AsyncGenerator<PlinkVariant[]> {
  let pending: PlinkVariant[] = []
  const reader = new LineReader({
    file,
    log: new DefectLog(0),
    onLine: (line) => {
      if (line.trim() !== '') pending.push(readVariant(line, context))
    },
  })
  for await (const bytes of readDecompressed(await context.resolveFile(file))) {
    reader.push(bytes)
    for (let first = 0; first + piecesOf <= pending.length; first += piecesOf)
      yield pending.slice(first, first + piecesOf)
    pending = pending.slice(pending.length - (pending.length % piecesOf))
  }
  reader.end()
  if (pending.length > 0) yield pending
}

/** Genotypes by their two bits: homozygous of the first allele, missing, heterozygous, homozygous of the second. */
const genotypes = (isFirstReference: boolean, hasOther: boolean): string[] => {
  const [other, both] = hasOther ? ['1/1', '0/1'] : ['./.', './.']
  return isFirstReference ? ['0/0', './.', both, other] : [other, './.', both, '0/0']
}

/**
 * Writes the genotypes as a VCF and gives whether it is one. PLINK does not say which allele the genome has, and by default makes the
 * rarer one the first: the genome itself tells. Variants whose alleles are no bases (1 and 2, I and D) are left out and counted.
 */
export const writePlinkVcf = async (
  file: string,
  path: string,
  vcf: string,
  context: BakeContext,
): Promise<boolean> => {
  const beside = besidePlinkBed(file)
  const samples = await readSamples(beside.fam, context)
  const total = await countRows(beside.bim, context)
  const width = Math.ceil(samples.length / 4)
  const bed = await open(path)
  const genome = await openGenome(context.directory)
  const out = await openSink(vcf)
  const damaged = (reason: string): false => {
    context.report(inputDefects, { code: 'file-damaged', file, line: null, params: { reason } })
    return false
  }
  try {
    const start = Buffer.alloc(3)
    await bed.read(start, 0, 3, 0)
    if (start[2] !== isVariantMajor) return damaged('sample-major: plink --bfile NAME --make-bed --out NEW')
    const { size } = await bed.stat()
    if (size !== 3 + total * width) return damaged(`${size} bytes, ${total} variants × ${samples.length} samples`)
    await out.write(
      `##fileformat=VCFv4.2\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n${['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...samples].join('\t')}\n`,
    )
    /** So many bases of the genome where the variant stands; null where it has none. */
    const fetchAt = async ({ sequence, position1 }: PlinkVariant, count: number): Promise<string | null> => {
      const name = context.findSequence(sequence)
      const lengthBp = name === null ? null : genome.lengthOf(name)
      const end0 = position1 - 1 + count
      if (lengthBp === null || !Number.isInteger(position1) || position1 < 1 || end0 > lengthBp) return null
      return (await genome.fetch(name!, position1 - 1, end0)).toUpperCase()
    }
    const isInGenome = async (variant: PlinkVariant, allele: string): Promise<boolean> =>
      (await fetchAt(variant, allele.length)) === allele.toUpperCase()
    let leftOut = 0
    let example = ''
    let first = 0
    for await (const piece of readVariants(beside.bim, context)) {
      context.signal.throwIfAborted()
      const bits = Buffer.alloc(piece.length * width)
      await bed.read(bits, 0, bits.length, 3 + first * width)
      const lines: string[] = []
      for (const [at, variant] of piece.entries()) {
        const { sequence, position1, id, a1, a2 } = variant
        const isBases = (allele: string): boolean => bases.test(allele)
        // A variant that all have alike has 0 for the allele that nobody has.
        if (!(isBases(a2) && (isBases(a1) || a1 === '0')) && !(a2 === '0' && isBases(a1))) {
          leftOut += 1
          example ||= `${id} ${a1}/${a2}`
          continue
        }
        const isFirstReference =
          a2 === '0' || (isBases(a1) && !(await isInGenome(variant, a2)) && (await isInGenome(variant, a1)))
        const [reference, other] = isFirstReference ? [a1, a2] : [a2, a1]
        // All samples have a base that the genome does not.
        const base = other === '0' && reference.length === 1 ? await fetchAt(variant, 1) : null
        const isOther =
          base !== null && isKnown.test(base) && isKnown.test(reference) && base !== reference.toUpperCase()
        const words = genotypes(isFirstReference !== isOther, isOther || other !== '0')
        const alleles = isOther ? [base, reference] : [reference, other === '0' ? '.' : other]
        const row = [sequence, position1, id, ...alleles, '.', '.', '.', 'GT']
        for (let sample = 0; sample < samples.length; sample += 1)
          row.push(words[(bits[at * width + (sample >> 2)]! >> ((sample & 3) * 2)) & 3]!)
        lines.push(row.join('\t'))
      }
      first += piece.length
      if (lines.length > 0) await out.write(`${lines.join('\n')}\n`)
    }
    if (leftOut > 0) {
      const code = leftOut === total ? 'variants-plink-no-alleles' : 'variants-plink-alleles'
      const params = { count: leftOut, total, example }
      context.report(toolDefects, { code, file: beside.bim, line: null, params })
    }
    if (leftOut === total) return false
    await out.end()
    return true
  } finally {
    await out.discard()
    await genome.close()
    await bed.close()
  }
}
