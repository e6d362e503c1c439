import { dirname, posix } from 'node:path'
import { isSampleHeading, parseSampleSheet } from '../../../bio/expression/expression-matrix.ts'
import type { ExpressionUnit } from '../../../bio/expression/expression-statistics.ts'
import {
  chooseQuantifications,
  detectQuantification,
  type QuantificationLayout,
} from '../../../bio/expression/quantification.ts'
import { samplePlacer } from '../../../bio/expression/sample-names.ts'
import { DefectLog } from '../../../bio/text/defects.ts'
import { detectOtherTable, isStarCount } from '../../../bio/text/other-tables.ts'
import { readNumber } from '../../../bio/text/table-cells.ts'
import { readTextLines } from '../../text-file.ts'
import { listed } from '../entries.ts'
import { stemOf } from '../names.ts'
import {
  defineRecogniser,
  type EntryFinding,
  type Finding,
  type InputFile,
  type RecogniseContext,
  type Text,
} from '../recogniser.ts'
import { isNumeric, linesOf, namesInRows, readTableHead, rowsLike, type TableHead } from '../table-file.ts'
import { fileTexts as texts } from '../texts.ts'

const kinds = {
  matrix: { en: 'expression matrix', zh: '表达矩阵' },
  differential: { en: 'differential expression', zh: '差异表达' },
  sheet: { en: 'sample sheet', zh: '样本信息表' },
  beside: { en: 'log or index of the quantification', zh: '定量流程的日志或索引文件' },
} satisfies Record<string, Text>
const quantified = (program: string): Text => ({ en: `quantification, ${program}`, zh: `定量结果，${program}` })

const why = {
  matrixTaken: { en: 'the matrix of all samples is taken', zh: '已选用包含全部样本的矩阵' },
  otherUnit: { en: 'the table of TPM is taken', zh: '已选用 TPM 表' },
  genes: { en: 'the files of genes are taken', zh: '已选用基因水平的文件' },
  transcripts: {
    en: 'the file of transcripts is taken, and summed to the same',
    zh: '已选用转录本水平的文件，汇总后结果相同',
  },
  alone: {
    en: 'it stands with the expression data that it was computed from: give these as well',
    zh: '差异表达结果须与其所依据的表达数据一同加载：请同时给出表达数据',
  },
  sheets: {
    en: 'several sheets have these samples: name one in species.yaml, under expression',
    zh: '有多张样本信息表包含这些样本：请在 species.yaml 的 expression 下指定其一',
  },
} satisfies Record<string, Text>

/** A data set before its sample sheet is known: `samples` as headings or paths name them. */
interface DataSet {
  finding: EntryFinding
  samples: readonly string[]
}

// Files of one sample each --------------------------------------------------------------------------------------------

interface SampleFile {
  file: InputFile
  layout: QuantificationLayout
}

/** A table of a name and a number may be anything: htseq-count's is known by its name or its last rows. */
const isHtseq = (file: InputFile): boolean =>
  /(^|[._-])(htseq|htseq[._-]?counts?|counts?)([._-]|$)/i.test(file.name) ||
  file.lines.some((line) => line.startsWith('__no_feature\t'))

const readLayout = (file: InputFile): QuantificationLayout | null => {
  const layout = detectQuantification(linesOf(file))
  return layout === null || (layout.program === 'htseq-count' && !isHtseq(file)) ? null : layout
}

/** Names of genes in rows of a file of one sample. */
const genesOf = (rows: readonly string[]): string[][] =>
  rows
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => [line.split('\t')[0]!])
    .filter(([name]) => !isStarCount(name!) && !name!.startsWith('__'))

const rowsOf = ({ file, layout }: SampleFile): readonly string[] =>
  linesOf(file)
    .filter((line) => !line.startsWith('#'))
    .slice(layout.hasHeading ? 1 : 0)

/** Files that have the same name for each sample lie in a folder of the sample. */
const namedAlike =
  /^(quant(\.genes)?\.sf|abundance\.tsv|ReadsPerGene\.out\.tab|gene_abund\.tab|genes\.fpkm_tracking)(\.gz)?$/

/** Files of a program by the folder of its run: the one that they are in, or that of the folders of their samples. */
const gatherRuns = (samples: readonly SampleFile[]): Map<string, SampleFile[]> => {
  const keyOf = ({ file, layout }: SampleFile): string => `${layout.program}\t${file.folder}`
  const inFolder = new Map<string, number>()
  for (const one of samples) inFolder.set(keyOf(one), (inFolder.get(keyOf(one)) ?? 0) + 1)
  const runs = new Map<string, SampleFile[]>()
  for (const one of samples) {
    const { folder, name } = one.file
    const isApart = folder !== '' && (namedAlike.test(name) || inFolder.get(keyOf(one)) === 1)
    const root = isApart ? posix.dirname(folder).replace(/^\.$/, '') : folder
    const key = `${one.layout.program}\t${root}`
    const run = runs.get(key)
    if (run === undefined) runs.set(key, [one])
    else run.push(one)
  }
  return runs
}

const setOfRun = (root: string, run: readonly SampleFile[], all: readonly InputFile[]): DataSet => {
  const [first] = run
  const { program, columns } = first!.layout
  const unit = (['TPM', 'FPKM', 'counts'] as const).find((one) => columns[one] !== undefined)!
  const paths = run.map(({ file }) => file.path)
  const inRoot = all.filter(({ folder }) => root !== '' && (folder === root || folder.startsWith(`${root}/`)))
  const chosen = new Set(chooseQuantifications(inRoot.map(({ path }) => path)))
  const isWhole = chosen.size === paths.length && paths.every((path) => chosen.has(path))
  let absolute = dirname(first!.file.absolute)
  for (let { folder } = first!.file; folder !== root && folder !== ''; ) {
    absolute = dirname(absolute)
    folder = posix.dirname(folder).replace(/^\.$/, '')
  }
  const files = run.map(({ file }) => file)
  const title = posix.basename(root) || program
  const listedFirst = listed(first!.file, 'expression', quantified(program), { id: title, name: title }) as EntryFinding
  const { id, name } = listedFirst.value as { id: string; name: string }
  return {
    samples: paths,
    finding: {
      ...listedFirst,
      value: {
        id,
        name,
        ...(isWhole ? { folder: { absolute } } : { file: files.length === 1 ? files[0] : files }),
        unit,
      },
      also: run.slice(1).map(({ file, layout }) => ({ file, what: quantified(layout.program) })),
      genes: genesOf(rowsOf(first!)),
      readGenes: genesOf,
      onlyByGenes: program === 'htseq-count',
    },
  }
}

/** What programs write beside the quantification of a sample. */
const beside =
  /(Log(\.final|\.progress)?\.out|SJ\.out\.tab|abundance\.h5|run_info\.json|cmd_info\.json|meta_info\.json|lib_format_counts\.json|flenDist\.txt|\.summary|ambig_info\.tsv|(expected|observed)_(bias|gc)(_3p)?|fld|tx2gene\.tsv|(gene|transcript)_lengths\.tsv)(\.gz)?$/

// Matrices ------------------------------------------------------------------------------------------------------------

const unitWords: [RegExp, ExpressionUnit][] = [
  [/(^|[^a-z])tpm([^a-z]|$)/i, 'TPM'],
  [/(^|[^a-z])fpkm([^a-z]|$)/i, 'FPKM'],
  [/(^|[^a-z])rpkm([^a-z]|$)/i, 'RPKM'],
  [/(^|[^a-z])cpm([^a-z]|$)/i, 'CPM'],
  [/(^|[^a-z])(raw)?(read)?_?counts?([^a-z]|$)/i, 'counts'],
]
const asked: readonly ExpressionUnit[] = ['TPM', 'FPKM', 'RPKM', 'CPM', 'counts', 'intensity', 'log2', 'log2ratio']
/** No logarithm to base 2 of a measured value is above it. */
const maxLog2 = 30

/** The unit that the name and the values tell, or the likeliest, which a person is to confirm. */
const unitOf = (name: string, values: readonly number[]): { unit: ExpressionUnit; isTold: boolean } => {
  const isNegative = values.some((value) => value < 0)
  const isWhole = values.every((value) => Number.isInteger(value))
  const told = unitWords.find(([word]) => word.test(name))?.[1]
  // A name may be of what the values were before they were made logarithms.
  if (told !== undefined && !isNegative && !/(^|[^a-z])(log2?|vst|rlog)/i.test(name))
    return { unit: told, isTold: true }
  if (isNegative) return { unit: 'log2ratio', isTold: false }
  if (isWhole) return { unit: 'counts', isTold: false }
  return { unit: values.every((value) => value < maxLog2) ? 'log2' : 'TPM', isTold: false }
}
const unitText: Text = { en: 'the unit of the values', zh: '表达值的单位' }

/** Columns of samples; null where the table is no matrix: one of them has text in it, or the heading is a row. */
const sampleColumns = ({ headings, rows, shift }: TableHead): number[] | null => {
  const columns = [...headings.keys()].filter(
    (at) => at + shift > 0 && headings[at] !== '' && isSampleHeading(headings[at]!),
  )
  const isMatrix =
    columns.length > 0 &&
    !headings.slice(1).every(isNumeric) &&
    rows.every((cells) => columns.every((at) => cells[at + shift] === undefined || isNumeric(cells[at + shift])))
  return isMatrix ? columns : null
}

const firstCells = (rows: readonly (readonly string[])[]): string[][] => rows.map((cells) => [cells[0]!])

const readMatrix = (file: InputFile): DataSet | null => {
  const head = readTableHead(file)
  if (head === null || detectOtherTable(head.headings) !== null) return null
  const columns = sampleColumns(head)
  const isCounted = file.lines[0]?.startsWith('# Program:featureCounts') === true
  const isNamed = isCounted || unitWords.some(([word]) => word.test(file.name))
  if (columns === null || (columns.length < 2 && !isNamed)) return null
  const values = head.rows.flatMap((cells) =>
    columns.map((at) => readNumber(cells[at + head.shift] ?? '') ?? Number.NaN),
  )
  const { unit, isTold } = unitOf(
    isCounted ? 'counts' : file.name,
    values.filter((value) => !Number.isNaN(value)),
  )
  const what = isCounted ? quantified('featureCounts') : kinds.matrix
  // The run names the tables of its aligners alike, in a folder of each (salmon/, star_salmon/).
  const folder = merged.test(file.name) ? posix.basename(file.folder) : ''
  const finding = listed(file, 'expression', what, folder === '' ? {} : { id: folder, name: folder }) as EntryFinding
  return {
    samples: columns.map((at) => head.headings[at]!),
    finding: {
      ...finding,
      value: { ...(finding.value as object), unit },
      genes: firstCells(head.rows),
      readGenes: (lines) => firstCells(rowsLike(head, lines)),
      onlyByGenes: !isCounted,
      ...(isTold ? {} : { open: { key: 'unit', text: unitText, choices: asked, fallback: unit } }),
    },
  }
}

/** Tables of one run of nf-core/rnaseq: its merged TPM of genes, of which the others are forms. */
const merged = /^(salmon|kallisto|rsem)\.merged\.(gene|transcript)_(tpm|counts\w*|lengths)\.tsv(\.gz)?$/
const isMergedTpm = (name: string): boolean => /\.merged\.gene_tpm\.tsv/.test(name)

// Results and sheets ---------------------------------------------------------------------------------------------------

const readDifferential = (file: InputFile): Finding | null => {
  const head = readTableHead(file)
  const other = head === null ? null : detectOtherTable(head.headings)
  if (head === null || other?.kind !== 'comparison') return null
  const what = {
    en: `${kinds.differential.en}, ${other.program}`,
    zh: `${kinds.differential.zh}，${other.program}`,
  }
  const named = stemOf(file.name).replace(/[._-](deseq2?|edger|limma|results?|degs?|de)(?=[._-]|$)/gi, '')
  const name = named || stemOf(file.name)
  const finding = listed(file, 'expression', what, { id: name, name }) as EntryFinding
  const readGenes = (lines: readonly string[]): string[][] => namesInRows(rowsLike(head, lines))
  return { ...finding, genes: namesInRows(head.rows), readGenes, within: { list: 'differential', alone: why.alone } }
}

/** Names in the first column of what may be a sheet; a table of more bytes or rows than this is none. */
const maxSheetBytes = 4 * 1024 * 1024
const maxSheetRows = 20_000
const readSheet = async (file: InputFile, signal: AbortSignal): Promise<{ ids: string[]; factors: number } | null> => {
  if (file.bytes > maxSheetBytes || readTableHead(file) === null) return null
  const lines: string[] = []
  // What is wrong with it is told by whoever loads it.
  const log = new DefectLog(0)
  await readTextLines(file.absolute, file.path, log, (line) => lines.push(line), signal)
  if (lines.length > maxSheetRows) return null
  const { samples, factors } = parseSampleSheet(lines, file.path, log)
  return { ids: samples.map(({ id }) => id), factors: factors.length }
}

/** Gives each data set the sheet that has all its samples: the nearest, of these the one that says most of them. */
const addSheets = async (
  sets: readonly DataSet[],
  files: readonly InputFile[],
  { signal, each }: RecogniseContext,
): Promise<Finding[]> => {
  /** Of each set the sheets that have all its samples: what is no sheet is not kept. */
  const sheets = new Map<DataSet, { file: InputFile; factors: number }[]>(sets.map((set) => [set, []]))
  const places = sets.map((set) => ({ set, place: samplePlacer(set.samples) }))
  for await (const file of each(sets.length > 0 ? files : [])) {
    const sheet = await readSheet(file, signal)
    if (sheet === null) continue
    for (const { set, place } of places) {
      if (sheet.ids.length < set.samples.length) continue
      const placed = new Set(place(sheet.ids).filter((at) => at !== null))
      if (placed.size === set.samples.length) sheets.get(set)!.push({ file, factors: sheet.factors })
    }
  }
  const left = new Map<InputFile, Finding>()
  const used = new Set<InputFile>()
  for (const set of sets) {
    const { finding } = set
    const folders = finding.file.folder.split('/')
    const near = ({ folder }: InputFile): number => folders.filter((part, at) => folder.split('/')[at] === part).length
    const fitting = sheets.get(set)!.sort((a, b) => near(b.file) - near(a.file) || b.factors - a.factors)
    const [best, next] = fitting
    if (best === undefined) continue
    if (next !== undefined && near(next.file) === near(best.file) && next.factors === best.factors) {
      for (const { file } of fitting) left.set(file, { file, what: kinds.sheet, take: 'none', why: why.sheets })
      continue
    }
    Object.assign(finding.value as object, { samples: best.file })
    if (!used.has(best.file)) finding.also = [...(finding.also ?? []), { file: best.file, what: kinds.sheet }]
    used.add(best.file)
  }
  return [...left.values()].filter(({ file }) => !used.has(file))
}

/** Expression: matrices, files of one sample each as programs write them, differential expression, and sheets of samples. */
export default defineRecogniser({
  id: 'expression',
  title: { en: 'Expression', zh: '表达数据' },
  order: 350,
  recognise: async (files, context) => {
    const { all, each } = context
    const paths = new Set(files.map(({ path }) => path))
    const findings: Finding[] = []
    const sets: DataSet[] = []
    const seen = new Set<InputFile>()
    const leave = (file: InputFile, what: Text, reason: Text): void => {
      findings.push({ file, what, take: 'none', why: reason })
      seen.add(file)
    }
    // What is merged stands for the files of the same run.
    const tpm = files.filter(({ name }) => isMergedTpm(name))
    const isBelow = (file: InputFile, { folder }: InputFile): boolean =>
      file.folder === folder || folder === '' || file.folder.startsWith(`${folder}/`)
    for (const file of files.filter(({ name }) => merged.test(name)))
      if (!tpm.includes(file) && tpm.some((one) => one.folder === file.folder)) leave(file, kinds.matrix, why.otherUnit)
    const samples: SampleFile[] = []
    for await (const file of each(files)) {
      const layout = seen.has(file) ? null : readLayout(file)
      if (layout === null) continue
      seen.add(file)
      const isBeside = (name: string): boolean => paths.has(posix.join(file.folder, name))
      if (tpm.some((one) => isBelow(file, one))) leave(file, quantified(layout.program), why.matrixTaken)
      else if (/^quant\.genes\.sf/.test(file.name) && ['quant.sf', 'quant.sf.gz'].some(isBeside))
        leave(file, quantified(layout.program), why.transcripts)
      else if (
        /\.isoforms\.results/.test(file.name) &&
        isBeside(file.name.replace('.isoforms.results', '.genes.results'))
      )
        leave(file, quantified(layout.program), why.genes)
      else samples.push({ file, layout })
    }
    for (const [key, run] of gatherRuns(samples)) sets.push(setOfRun(key.split('\t')[1]!, run, all))
    for await (const file of each(files.filter((one) => !seen.has(one)))) {
      const differential = readDifferential(file)
      if (differential !== null) findings.push(differential)
      const set = differential === null ? readMatrix(file) : null
      if (set !== null) sets.push(set)
      if (differential !== null || set !== null) seen.add(file)
    }
    const free = files.filter((file) => !seen.has(file))
    findings.push(...(await addSheets(sets, free, context)), ...sets.map(({ finding }) => finding))
    const taken = new Set(sets.flatMap(({ finding }) => (finding.also ?? []).map(({ file }) => file)))
    for (const file of free)
      if (sets.length > 0 && beside.test(file.name) && !taken.has(file)) leave(file, kinds.beside, texts.nothing)
    return { findings }
  },
})
