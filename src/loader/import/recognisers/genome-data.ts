import { posix } from 'node:path'
import { nameSamples } from '../../../bio/expression/sample-names.ts'
import { isSortedByPosition } from '../../../store/track-sequences.ts'
import { collinear, listed, positions, trackTexts } from '../entries.ts'
import { defineRecogniser, type EntryFinding, type Finding, filesOf, type InputFile, type Text } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

/** Formats that are known and not read, with what to do about each. */
const notLoaded: Record<string, { what: Text; why: Text }> = {
  fastq: { what: { en: 'reads, FASTQ', zh: '测序 reads，FASTQ' }, why: texts.notYet },
  alignment: { what: { en: 'alignment of sequences', zh: '序列比对' }, why: texts.notYet },
}

const genotypes: Text = { en: 'genotypes, PLINK', zh: '基因型，PLINK' }
const besideGenotypes: Text = {
  en: '.bim and .fam of the same name are not beside it',
  zh: '旁边没有同名的 .bim 和 .fam',
}

/** The genotypes of PLINK with what names their variants and samples. */
const describePlink = (file: InputFile, byPath: ReadonlyMap<string, InputFile>): Finding => {
  const beside = (ending: string): InputFile | undefined => byPath.get(file.path.replace(/\.bed$/i, ending))
  const [bim, fam] = [beside('.bim'), beside('.fam')]
  if (bim === undefined || fam === undefined) return { file, what: genotypes, take: 'none', why: besideGenotypes }
  const sequences = new Set(bim.lines.flatMap((line) => line.trim().split(/\s+/)[0] || []))
  return {
    ...(listed(file, 'variants', genotypes) as EntryFinding),
    also: [
      { file: bim, what: genotypes },
      { file: fam, what: genotypes },
    ],
    sequences: [...sequences],
  }
}

const cells: Text = { en: 'single cells', zh: '单细胞数据' }
const graph: Text = { en: 'pan-genome graph', zh: '泛基因组图' }

const besideMatrix = /^(barcodes|features|genes)\.tsv(\.gz)?$/

const describeHdf5 = (file: InputFile): Finding | null => {
  if (/\.h5ad$/i.test(file.name)) return listed(file, 'singleCell', cells)
  // Others are named .h5 too (kallisto, Keras): 10x has its words in the name.
  return /(feature_bc_matrix|gene_bc_matri(x|ces))\w*\.(h5|hdf5)$/i.test(file.name)
    ? listed(file, 'singleCell', cells)
    : null
}

const isAlignments = ({ format }: InputFile): boolean => format === 'bam' || format === 'cram' || format === 'sam'

/** `leaf.sam` and `leaf.sorted.bam` to `leaf`; what was marked or filtered is no other form of the same. */
const unsortedName = (name: string): string =>
  name
    .replace(/\.gz$/i, '')
    .replace(/\.(bam|sam)$/i, '')
    .replace(/[._-](sorted|sort|srt|sortedByCoord)(?=(\.out)?$)/i, '')

/** Reads in the order of the genome before those in another, and BAM before SAM. */
const formRank = async ({ format, absolute }: InputFile): Promise<number> =>
  format === 'sam' ? 2 : (await isSortedByPosition(absolute).catch(() => false)) ? 0 : 1

/** Alignments that lie beside them in a better form: of each which file that is. */
const findOtherForms = async (files: readonly InputFile[]): Promise<Map<InputFile, InputFile>> => {
  const forms = new Map<string, InputFile[]>()
  for (const file of files) {
    if (file.format !== 'bam' && file.format !== 'sam') continue
    const key = `${file.folder}/${unsortedName(file.name)}`
    const own = forms.get(key)
    if (own === undefined) forms.set(key, [file])
    else own.push(file)
  }
  const others = new Map<InputFile, InputFile>()
  for (const own of forms.values()) {
    if (own.length === 1) continue
    const ranked = await Promise.all(own.map(async (file) => ({ file, rank: await formRank(file) })))
    const best = ranked.reduce((one, other) => (other.rank < one.rank ? other : one))
    for (const { file, rank } of ranked) if (rank > best.rank) others.set(file, best.file)
  }
  return others
}

/** Aligners name files by the sample, or alike in a folder of the sample. */
const sampleNames = (files: readonly InputFile[]): Map<InputFile, string> => {
  const alignments = files.filter(isAlignments)
  const counts = new Map<string, number>()
  for (const { name } of alignments) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isAlike = ({ name }: InputFile): boolean => counts.get(name)! > 1
  const named = (own: readonly InputFile[]): [InputFile, string][] => {
    const names = nameSamples(own.map(({ path }) => path))
    return own.map((file, at) => [file, names[at]!])
  }
  return new Map([...named(alignments.filter(isAlike)), ...named(alignments.filter((file) => !isAlike(file)))])
}

const describe = (
  file: InputFile,
  folders: ReadonlySet<string>,
  samples: ReadonlyMap<InputFile, string>,
): Finding | null => {
  const { format, name, folder } = file
  if (format === 'hdf5') return positions(file) ?? describeHdf5(file)
  if (format === 'gfa') return listed(file, 'graphs', graph)
  if (format === 'matrix-market') {
    // A matrix alone names neither its cells nor its genes.
    if (!folders.has(folder)) return { file, what: cells, take: 'none', why: matrixAlone }
    return listed(file, 'singleCell', cells, { id: posix.basename(folder), name: posix.basename(folder) })
  }
  if (besideMatrix.test(name) && folders.has(folder)) return { file, what: cells, take: 'read' }
  const other = notLoaded[format]
  if (other !== undefined) return { file, take: 'none', ...other }
  if (format === 'paf') return collinear(file)
  const sample = samples.get(file)
  return positions(file, sample === undefined ? {} : { id: sample, name: sample })
}

const matrixAlone: Text = {
  en: 'barcodes.tsv and features.tsv are not beside it',
  zh: '旁边没有 barcodes.tsv 和 features.tsv',
}

/** What lies on a genome or counts its genes, told by its format alone: tracks, variants, contact maps, graphs, single cells. */
export default defineRecogniser({
  id: 'genome-data',
  title: { en: 'Data on a genome', zh: '基因组相关数据' },
  order: 600,
  recognise: async (files, { all, each }) => {
    const having = (names: RegExp): Set<string> =>
      new Set(files.filter(({ name }) => names.test(name)).map(({ folder }) => folder))
    const barcodes = having(/^barcodes\.tsv/)
    const folders = new Set([...having(/^(features|genes)\.tsv/)].filter((folder) => barcodes.has(folder)))
    const byPath = new Map(all.map((file) => [file.path, file]))
    const genotyped = files.filter(({ format }) => format === 'plink-bed').map((file) => describePlink(file, byPath))
    const claimed = new Set(genotyped.flatMap(filesOf))
    const otherForms = await findOtherForms(files)
    const left = [...otherForms].map(([file, best]): Finding => {
      const why = { en: `${best.name} of the same sample is taken`, zh: `已采用同一样本的 ${best.name}` }
      return { file, what: trackTexts[file.format === 'sam' ? 'sam' : 'bam'], take: 'none', why }
    })
    const free = files.filter((file) => !claimed.has(file) && !otherForms.has(file))
    const samples = sampleNames(free)
    const findings = [...genotyped, ...left]
    for await (const file of each(free)) findings.push(...[describe(file, folders, samples) ?? []].flat())
    return { findings }
  },
})
