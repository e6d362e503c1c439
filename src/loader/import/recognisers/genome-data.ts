import { posix } from 'node:path'
import { listed, positions } from '../entries.ts'
import { defineRecogniser, type Finding, type InputFile, type Text } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

const notLoaded: Record<string, Text> = {
  bigbed: { en: 'features, BigBed', zh: '特征，BigBed' },
  bedgraph: { en: 'signal, bedGraph', zh: '信号轨道，bedGraph' },
  wig: { en: 'signal, WIG', zh: '信号轨道，WIG' },
  sam: { en: 'aligned reads, SAM', zh: '比对的 reads，SAM' },
  twobit: { en: 'genome sequence, 2bit', zh: '基因组序列，2bit' },
  'plink-bed': { en: 'genotypes, PLINK', zh: '基因型，PLINK' },
  embl: texts.embl,
  fastq: { en: 'reads, FASTQ', zh: '测序 reads，FASTQ' },
  alignment: { en: 'alignment of sequences', zh: '序列比对' },
}

const cells: Text = { en: 'single cells', zh: '单细胞数据' }
const contacts: Text = { en: 'contact map (Hi-C)', zh: '互作矩阵（Hi-C）' }
const graph: Text = { en: 'pan-genome graph', zh: '泛基因组图' }

const besideMatrix = /^(barcodes|features|genes)\.tsv(\.gz)?$/

const describeHdf5 = (file: InputFile): Finding | null => {
  if (/\.(cool|mcool)$/i.test(file.name)) return listed(file, 'contacts', contacts)
  if (/\.h5ad$/i.test(file.name)) return listed(file, 'singleCell', cells)
  // Others are named .h5 too (kallisto, Keras): 10x has its words in the name.
  return /(feature_bc_matrix|gene_bc_matri(x|ces))\w*\.(h5|hdf5)$/i.test(file.name)
    ? listed(file, 'singleCell', cells)
    : null
}

const describe = (file: InputFile, folders: ReadonlySet<string>): Finding | null => {
  const { format, name, folder } = file
  if (format === 'hdf5') return describeHdf5(file)
  if (format === 'hic') return listed(file, 'contacts', contacts)
  if (format === 'gfa') return listed(file, 'graphs', graph)
  if (format === 'matrix-market') {
    // A matrix alone names neither its cells nor its genes.
    if (!folders.has(folder)) return { file, what: cells, take: 'none', why: matrixAlone }
    return listed(file, 'singleCell', cells, { id: posix.basename(folder), name: posix.basename(folder) })
  }
  if (besideMatrix.test(name) && folders.has(folder)) return { file, what: cells, take: 'read' }
  const other = notLoaded[format]
  if (other !== undefined) return { file, what: other, take: 'none', why: texts.notYet }
  return positions(file)
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
  recognise: (files) => {
    const having = (names: RegExp): Set<string> =>
      new Set(files.filter(({ name }) => names.test(name)).map(({ folder }) => folder))
    const barcodes = having(/^barcodes\.tsv/)
    const folders = new Set([...having(/^(features|genes)\.tsv/)].filter((folder) => barcodes.has(folder)))
    return { findings: files.flatMap((file) => describe(file, folders) ?? []) }
  },
})
