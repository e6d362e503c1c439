import { stemOf, toId } from './names.ts'
import type { EntryFinding, Finding, InputFile, Side, Text } from './recogniser.ts'

/** An item of a list of the assembly that the positions, names and folder of the file tell: tracks, variants, maps. */
export const listed = (
  file: InputFile,
  entry: string,
  what: Text,
  more: { id?: string; name?: string } & Record<string, unknown> = {},
): Finding => {
  const stem = stemOf(file.name) || file.name
  const { id = stem, name = stem, ...rest } = more
  return {
    file,
    what,
    take: 'entry',
    group: null,
    entry,
    list: true,
    scope: 'assembly',
    value: { id: toId(id, 80) || entry, name, file, ...rest },
  }
}

const trackTypes: [RegExp, string][] = [
  [/\.(bw|bigwig)$/i, 'bigwig'],
  [/\.(bedgraph|bdg|bg)(\.b?gz)?$/i, 'bedgraph'],
  [/\.wig(\.b?gz)?$/i, 'wig'],
  [/\.(bb|bigbed)$/i, 'bigbed'],
  [/\.sam(\.b?gz)?$/i, 'sam'],
  [/\.bam$/i, 'bam'],
  [/\.cram$/i, 'cram'],
  [/\.bed(\.b?gz)?$/i, 'bed'],
  [/\.gff3?(\.b?gz)?$/i, 'gff3'],
]

/** A track of the genome browser; its type is written where the name does not say it. */
export const track = (file: InputFile, what: Text, more: Parameters<typeof listed>[3] = {}): Finding => {
  const told = trackTypes.find(([ending]) => ending.test(file.name))?.[1]
  return listed(file, 'tracks', what, { ...more, ...(told === file.format ? {} : { type: file.format }) })
}

export const trackTexts = {
  bigwig: { en: 'signal, BigWig', zh: '信号轨道，BigWig' },
  bedgraph: { en: 'signal, bedGraph', zh: '信号轨道，bedGraph' },
  wig: { en: 'signal, WIG', zh: '信号轨道，WIG' },
  bam: { en: 'aligned reads, BAM', zh: '比对的 reads，BAM' },
  cram: { en: 'aligned reads, CRAM', zh: '比对的 reads，CRAM' },
  sam: { en: 'aligned reads, SAM', zh: '比对的 reads，SAM' },
  bed: { en: 'features, BED', zh: '特征，BED' },
  bigbed: { en: 'features, BigBed', zh: '特征，BigBed' },
  gff3: { en: 'features, GFF3', zh: '特征，GFF3' },
} satisfies Partial<Record<InputFile['format'], Text>>

const isTrack = (format: InputFile['format']): format is keyof typeof trackTexts => format in trackTexts

const variantsText: Text = { en: 'variants', zh: '变异' }
const contactsText: Text = { en: 'contact map (Hi-C)', zh: '互作矩阵（Hi-C）' }

const collinearText: Text = { en: 'alignments of two genomes, PAF', zh: '两个基因组的比对，PAF' }

/** Alignments of two assemblies as collinear blocks: the query first (PAF). `groups` are theirs, where it is told. */
export const collinear = (file: InputFile, groups?: readonly [string, string]): EntryFinding => {
  const rows = file.lines.map((line) => line.split('\t')).filter((cells) => cells.length >= 12)
  const side = (column: number, group: string | undefined): Side => ({
    ...(group === undefined ? {} : { group }),
    sequences: [...new Set(rows.map((cells) => cells[column]!))],
  })
  return {
    file,
    what: collinearText,
    take: 'entry',
    group: null,
    entry: 'synteny',
    list: true,
    scope: 'species',
    value: { file },
    sides: [side(0, groups?.[0]), side(5, groups?.[1])],
  }
}

/** What a file of positions becomes: a set of variants, a contact map or a track; null where it is none that is loaded. */
export const positions = (file: InputFile, more: Parameters<typeof listed>[3] = {}): Finding | null => {
  const { category, ...named } = more
  const { format } = file
  if (format === 'vcf' || format === 'bcf') return listed(file, 'variants', variantsText, named)
  if (format === 'hic' || (format === 'hdf5' && /\.m?cool$/i.test(file.name)))
    return listed(file, 'contacts', contactsText, named)
  return isTrack(format) ? track(file, trackTexts[format], category === undefined ? named : more) : null
}
