import { z } from 'zod'
import type { AlignmentPiece } from '../../bio/alignment/lift.ts'
import { parseCigar, renderCigar } from '../../bio/alignment/paf.ts'
import type { SharedVariant, StructuralVariant, VariantClass } from '../../bio/alignment/structural-variants.ts'
import { variantClasses } from '../../bio/alignment/structural-variants.ts'

// Files of what is aligned over all assemblies, as the loader writes and `alignment-data.ts` reads them. All are BGZF text with CSI
// indexes, so that a look-up reads little, and tabix reads them too.

/** Of a species: its assemblies against its reference. What is named by number is a bundle. */
const alignedSpeciesSchema = z.object({
  species: z.string(),
  reference: z.object({ id: z.string(), bundle: z.number() }),
  assemblies: z.array(
    z.object({
      id: z.string(),
      bundle: z.number(),
      preset: z.string(),
      /** Of a sample; gap-compressed, of 1. Null when nothing of it aligned. */
      divergence: z.number().nullable(),
      /** It was aligned for an earlier load. */
      reused: z.boolean(),
      /** Bases of the reference with an aligned base of it, and the reverse. */
      alignedBp: z.number(),
      ownAlignedBp: z.number(),
      chains: z.number(),
      variants: z.record(z.string(), z.number()),
      /** Variants left out because either assembly has unknown bases there. */
      leftOut: z.number(),
    }),
  ),
  /** After those of several assemblies were taken together. */
  variantCount: z.number(),
})
export const alignmentsAboutSchema = z.object({
  program: z.string(),
  species: z.array(alignedSpeciesSchema),
  elapsedMs: z.number(),
})
export type AlignmentsAbout = z.infer<typeof alignmentsAboutSchema>

/** Paths in the bundle, by the number of the reference's bundle. */
export const alignmentFiles = {
  byReference: (reference: number): string => `${reference}/alignments.bed.gz`,
  byAssembly: (reference: number, assembly: number): string => `${reference}/alignments.${assembly}.bed.gz`,
  spans: (reference: number): string => `${reference}/aligned.bed.gz`,
  variants: (reference: number, name: string): string => `${reference}/${name}.structural-variants.vcf.gz`,
  paf: (reference: number, name: string, other: string): string => `${reference}/${other}_to_${name}.paf.gz`,
}

/** Columns: place of the source (BED), bundle and place of the other side, strand, chain, its score, mapping quality, gap, operations. */
export const renderPiece = (piece: AlignmentPiece, assembly: number): string =>
  [
    piece.source,
    piece.sourceStart0,
    piece.sourceEnd0,
    assembly,
    piece.other,
    piece.otherStart0,
    piece.otherEnd0,
    piece.strand,
    piece.chain,
    piece.chainScore,
    piece.mapq,
    piece.gap ? 1 : 0,
    renderCigar(piece.cigar),
  ].join('\t')

/** Null when the piece is of an assembly that is not asked for: its operations are not read then. */
export const parsePiece = (
  line: string,
  wanted: (assembly: number) => boolean,
): { assembly: number; piece: AlignmentPiece } | null => {
  const cells = line.split('\t')
  const assembly = Number(cells[3])
  if (!wanted(assembly)) return null
  return {
    assembly,
    piece: {
      source: cells[0]!,
      sourceStart0: Number(cells[1]),
      sourceEnd0: Number(cells[2]),
      other: cells[4]!,
      otherStart0: Number(cells[5]),
      otherEnd0: Number(cells[6]),
      strand: cells[7] === '-' ? '-' : '+',
      chain: Number(cells[8]),
      chainScore: Number(cells[9]),
      mapq: Number(cells[10]),
      gap: cells[11] === '1',
      cigar: parseCigar(cells[12]!),
    },
  }
}

/**
 * What an assembly has of the reference: `aligned`, `deleted` (alignments go on at both sides and pass over it) or `replaced` (other
 * bases are there). What is in no span is not aligned, and nothing is known of it.
 */
export const spanStates = ['aligned', 'deleted', 'replaced'] as const
export type SpanState = (typeof spanStates)[number]

const vcfClasses: Record<VariantClass, { type: string; alt: string; text: string }> = {
  deletion: { type: 'DEL', alt: '<DEL>', text: 'Deletion' },
  insertion: { type: 'INS', alt: '<INS>', text: 'Insertion' },
  replacement: { type: 'DELINS', alt: '<DELINS>', text: 'Other bases in place of those of the reference' },
  'tandem-duplication': { type: 'DUP', alt: '<DUP:TANDEM>', text: 'Tandem duplication' },
  duplication: { type: 'DUP', alt: '<DUP>', text: 'Further copy elsewhere in the assembly' },
  inversion: { type: 'INV', alt: '<INV>', text: 'Inversion' },
  breakpoint: { type: 'BND', alt: '', text: '' },
}
const alleles = new Map(variantClasses.map((name) => [vcfClasses[name].alt, name]))

export interface VariantSample {
  /** Bundle of the assembly. */
  assembly: number
  id: string
}

/** Lines before the records of a VCF of structural variants (VCF 4.3), the assemblies being its samples. */
export const renderVariantHeader = (
  reference: string,
  sequences: readonly { name: string; lengthBp: number }[],
  samples: readonly VariantSample[],
): string[] => [
  '##fileformat=VCFv4.3',
  '##source=NovoDB, from alignments of whole genomes by minimap2',
  `##reference=${reference}`,
  ...sequences.map(({ name, lengthBp }) => `##contig=<ID=${name},length=${lengthBp}>`),
  ...variantClasses
    .filter((name) => name !== 'breakpoint')
    .map((name) => `##ALT=<ID=${vcfClasses[name].alt.slice(1, -1)},Description="${vcfClasses[name].text}">`),
  '##INFO=<ID=SVTYPE,Number=1,Type=String,Description="Type of structural variant">',
  '##INFO=<ID=END,Number=1,Type=Integer,Description="Last base of the variant on the reference">',
  '##INFO=<ID=SVLEN,Number=1,Type=Integer,Description="Bases more (or, negative, less) than the reference has; of inversions and duplications their length">',
  '##INFO=<ID=MATEID,Number=1,Type=String,Description="The other side of the breakpoint">',
  '##FORMAT=<ID=GT,Number=1,Type=String,Description="1: has the variant; 0: is aligned through without it; .: not aligned here">',
  '##FORMAT=<ID=AP,Number=1,Type=String,Description="Place in the assembly: sequence, first base, last base and strand, by |; of a deletion the bases beside it">',
  ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...samples.map(({ id }) => id)].join('\t'),
]

const breakendAllele = (
  base: string,
  side: 'left' | 'right',
  mate: { name: string; side: 'left' | 'right'; position0: number },
) => {
  const place = `${mate.name}:${mate.side === 'left' ? mate.position0 : mate.position0 + 1}`
  const bracket = mate.side === 'left' ? ']' : '['
  return side === 'left' ? `${base}${bracket}${place}${bracket}` : `${bracket}${place}${bracket}${base}`
}

const signedLength = ({ class: kind, lengthBp, start0, end0, carriers }: SharedVariant): number => {
  if (kind === 'deletion') return -lengthBp
  if (kind !== 'replacement') return lengthBp
  return carriers[0]!.queryEnd0 - carriers[0]!.queryStart0 - (end0 - start0)
}

/** Signs that part the fields of a VCF are written as their numbers (VCF 4.3, section 1.2). */
const escapeName = (name: string): string =>
  name.replace(/[%:;=,|\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
const unescapeName = (text: string): string =>
  text.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Genotype of each sample: `aligned` tells of those that do not carry the variant whether they are aligned through. */
const sampleCells = (
  variant: SharedVariant,
  samples: readonly VariantSample[],
  aligned: (sample: number) => boolean,
): string[] =>
  samples.map(({ assembly }, number) => {
    const carrier = variant.carriers.find((one) => one.assembly === assembly)
    if (carrier === undefined) return aligned(number) ? '0:.' : '.:.'
    const { query, queryStart0, queryEnd0, strand } = carrier
    const [first1, last1] = queryEnd0 > queryStart0 ? [queryStart0 + 1, queryEnd0] : [queryStart0, queryStart0 + 1]
    return `1:${[escapeName(query), first1, last1, strand].join('|')}`
  })

/**
 * Records of one variant: one, or two of a breakpoint. `baseAt` gives the reference base before the variant. `carriers` name bundles.
 */
export const renderVariant = async (
  variant: SharedVariant,
  id: string,
  samples: readonly VariantSample[],
  aligned: (sample: number) => boolean,
  baseAt: (sequence: string, position0: number) => Promise<string>,
): Promise<{ sequence: string; start0: number; line: string }[]> => {
  const cells = sampleCells(variant, samples, aligned)
  const line = (sequence: string, pos1: number, name: string, base: string, alt: string, info: string) => ({
    sequence,
    start0: pos1 - 1,
    line: [sequence, pos1, name, base, alt, '.', 'PASS', info, 'GT:AP', ...cells].join('\t'),
  })
  const { mate } = variant
  if (mate !== null) {
    const ends = [
      { name: variant.target, side: mate.side, position0: variant.start0 },
      { name: mate.target, side: mate.otherSide, position0: mate.position0 },
    ] as const
    return Promise.all(
      ends.map(async (end, number) => {
        const other = ends[1 - number]!
        const pos1 = Math.max(1, end.side === 'left' ? end.position0 : end.position0 + 1)
        const base = await baseAt(end.name, pos1 - 1)
        const info = `SVTYPE=BND;MATEID=${id}_${2 - number}`
        return line(end.name, pos1, `${id}_${number + 1}`, base, breakendAllele(base, end.side, other), info)
      }),
    )
  }
  const { type, alt } = vcfClasses[variant.class]
  const pos1 = Math.max(1, variant.start0)
  const base = await baseAt(variant.target, pos1 - 1)
  const info = `SVTYPE=${type};END=${Math.max(pos1, variant.end0)};SVLEN=${signedLength(variant)}`
  return [line(variant.target, pos1, id, base, alt, info)]
}

/** A record as it is read back; places from 0, ends excluded. */
export interface StoredVariant {
  id: string
  class: VariantClass
  sequence: string
  start0: number
  end0: number
  /** As SVLEN; 0 of a breakpoint. */
  lengthBp: number
  mate: StructuralVariant['mate']
  /** By sample: a carrier's place in its assembly, `true` when it is aligned through without the variant, `null` when not aligned. */
  samples: ({ sequence: string; start1: number; end1: number; strand: '+' | '-' } | true | null)[]
}

/** One record of a file that `renderVariant` wrote; null for one that it did not write. */
export const parseVariant = (line: string): StoredVariant | null => {
  const [sequence, pos, id, , alt, , , info, , ...cells] = line.split('\t')
  const notes = new Map((info ?? '').split(';').map((note) => note.split('=') as [string, string]))
  const samples = cells.map((cell): StoredVariant['samples'][number] => {
    const [genotype, place] = cell.split(/:(.*)/s)
    if (genotype === '0') return true
    if (genotype !== '1' || place === undefined) return null
    const [name, start1, end1, strand] = place.split('|')
    return {
      sequence: unescapeName(name!),
      start1: Number(start1),
      end1: Number(end1),
      strand: strand === '-' ? '-' : '+',
    }
  })
  const pos1 = Number(pos)
  if (notes.get('SVTYPE') === 'BND') {
    const match = /^(?:[A-Za-z]+([[\]])(.+):(\d+)[[\]]|([[\]])(.+):(\d+)[[\]][A-Za-z]+)$/.exec(alt ?? '')
    if (match === null) return null
    const side = match[1] === undefined ? ('right' as const) : ('left' as const)
    const otherSide = (match[1] ?? match[4]) === ']' ? ('left' as const) : ('right' as const)
    const other1 = Number(match[3] ?? match[6])
    const start0 = side === 'left' ? pos1 : pos1 - 1
    return {
      id: id!,
      class: 'breakpoint',
      sequence: sequence!,
      start0,
      end0: start0,
      lengthBp: 0,
      mate: { side, target: (match[2] ?? match[5])!, position0: otherSide === 'left' ? other1 : other1 - 1, otherSide },
      samples,
    }
  }
  const found = alleles.get(alt ?? '')
  const end = Number(notes.get('END'))
  if (found === undefined || !Number.isInteger(end)) return null
  return {
    id: id!,
    class: found,
    sequence: sequence!,
    // A variant at the first base has no base before it.
    start0: pos1,
    end0: found === 'insertion' ? pos1 : end,
    lengthBp: Number(notes.get('SVLEN')),
    mate: null,
    samples,
  }
}
