import {
  type AnnotationFormat,
  createAnnotationReader,
  guessAnnotationFormat,
} from '../../../bio/annotation/annotation.ts'
import { parseBuscoSummary } from '../../../bio/comparative/busco.ts'
import { DefectLog } from '../../../bio/text/defects.ts'
import { says } from '../annotator.ts'
import { defineRecogniser, type Finding, type InputFile, type Text } from '../recogniser.ts'
import { fileTexts as texts } from '../texts.ts'

const kinds = {
  busco: { en: 'completeness, BUSCO', zh: '完整性评估，BUSCO' },
  elements: { en: 'transposable elements', zh: '转座元件' },
  library: { en: 'library of repeat families', zh: '重复序列家族库' },
  ontology: { en: 'ontology', zh: '本体' },
  references: { en: 'references', zh: '参考文献' },
  orthogroups: { en: 'orthogroups', zh: '直系同源组' },
  blocks: { en: 'collinear blocks', zh: '共线性区块' },
} satisfies Record<string, Text>

/** The table of terms whose second column is of a vocabulary; other tables of two columns may be anything. */
const isTermTable = ({ lines }: InputFile): boolean => {
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'))
  const terms = rows.filter((cells) =>
    /^(GO:\d{7}|IPR\d{6}|PF\d{5}(\.\d+)?|K\d{5}|EC:?[\d.-]+)$/.test(cells[1]?.trim() ?? ''),
  )
  return rows.length > 0 && terms.length > 0.8 * rows.length
}

const annotationFormat = (file: InputFile): AnnotationFormat | null => {
  if (file.format !== 'table' && file.format !== 'text') return null
  const format = guessAnnotationFormat(file.name, file.lines)
  return format === 'table' && !isTermTable(file) ? null : format
}

/** Names of the genes in lines of an annotation. */
const genesIn = (file: InputFile, format: AnnotationFormat, lines = file.lines): string[][] => {
  const names = new Map<string, string[]>()
  const reader = createAnnotationReader(format, {
    file: file.path,
    // What is wrong with it is told by whoever loads it.
    log: new DefectLog(0),
    onRow: ({ gene, otherNames }) => names.set(gene, [gene, ...otherNames]),
  })
  for (const [at, line] of lines.entries()) reader.addLine(line, at + 1)
  return [...names.values()]
}

/** Elements of one assembly: the better table, and the library that says of which class a family is. */
const recogniseElements = (files: readonly InputFile[]): Finding[] => {
  const isElements = (file: InputFile): boolean =>
    (file.format === 'gff3' &&
      says(file, /\tEDTA\t|[;\t]classification=[^;]+|;method=(structural|homology)/i) &&
      !says(file, /\t(gene|CDS)\t/)) ||
    (file.format === 'text' && says(file, /^\s+SW\s+perc\s+perc\s+perc\s+query/))
  const rank = ({ name }: InputFile): number =>
    /TEanno\.gff3/.test(name) ? 0 : /intact\.gff3/.test(name) ? 2 : /\.out(\.gz)?$/.test(name) ? 3 : 1
  const isLibrary = (file: InputFile): boolean => {
    const heads = file.lines.filter((line) => line.startsWith('>'))
    return file.format === 'fasta-dna' && heads.length > 0 && heads.every((line) => /^>\S+#[\w?-]+(\/\S+)?/.test(line))
  }
  const libraries = files.filter(isLibrary)
  const folders = new Map<string, InputFile[]>()
  for (const file of files.filter(isElements)) {
    // EDTA writes into folders named by the genome.
    const home = file.folder.replace(/(^|\/)[^/]*\.EDTA\.[^/]*$/, '$1')
    folders.set(home, [...(folders.get(home) ?? []), file])
  }
  const findings: Finding[] = []
  const used = new Set<InputFile>()
  for (const own of folders.values()) {
    const [best, ...others] = own.sort((a, b) => rank(a) - rank(b))
    const library = libraries.length === 1 ? libraries[0] : libraries.find(({ folder }) => folder === best!.folder)
    if (library !== undefined) used.add(library)
    findings.push({
      file: best!,
      what: kinds.elements,
      take: 'entry',
      group: null,
      entry: 'transposableElements',
      list: false,
      scope: 'assembly',
      value: { file: best!, ...(library === undefined ? {} : { library: { file: library } }) },
    })
    for (const file of others)
      findings.push({
        file,
        what: kinds.elements,
        take: 'none',
        why: { en: `${best!.path} is taken`, zh: `已选用 ${best!.path}` },
      })
  }
  for (const file of libraries)
    findings.push(
      used.has(file)
        ? { file, what: kinds.library, take: 'read' }
        : {
            file,
            what: kinds.library,
            take: 'none',
            why: { en: 'no elements are given with it', zh: '未同时给出转座元件注释' },
          },
    )
  return findings
}

/** Of Panaroo and Roary. */
const isPresence = (file: InputFile): boolean => says(file, /^"?Gene"?,"?Non-unique Gene name"?,"?Annotation"?,/)

/** Of OrthoFinder before 2.3: parted by tabs, with no heading above the groups. */
const isOldGroups = ({ name, lines }: InputFile): boolean =>
  /^Orthogroups\.csv/.test(name) && /^\t\S/.test(lines[0] ?? '') && /^OG\d+\t/.test(lines[1] ?? '')

/** Of an OrthoFinder run the hierarchical orthogroups, which are the better ones, else the older table. */
const recogniseOrthogroups = (files: readonly InputFile[]): Finding[] => {
  const tables = files.filter(
    (file) =>
      // Wide rows, or a comma within quotes, are no table at first sight; the heading tells.
      (file.format === 'table' || file.format === 'text') &&
      !/GeneCount|UnassignedGenes/i.test(file.name) &&
      (isOldGroups(file) ||
        says(file, /^HOG\tOG\tGene Tree Parent Clade\t/) ||
        says(file, /^Orthogroup\t\S/) ||
        isPresence(file)),
  )
  const best =
    tables.find(({ name }) => /^N0\.tsv/.test(name)) ??
    tables.find(({ name }) => /^Orthogroups\.[ct]sv/.test(name)) ??
    tables.find(({ name }) => /^gene_presence_absence\.csv/.test(name)) ??
    tables.find(isPresence)
  return tables.map((file) =>
    file === best
      ? {
          file,
          what: kinds.orthogroups,
          take: 'entry',
          group: null,
          entry: 'orthogroups',
          list: false,
          scope: 'species',
          value: file,
        }
      : {
          file,
          what: kinds.orthogroups,
          take: 'none',
          why: { en: 'another table of the run is taken', zh: '已选用该次运行的另一张表' },
        },
  )
}

const describe = (file: InputFile): Finding | null => {
  const shared = { file, take: 'entry' as const, group: null, list: true, scope: 'species' as const }
  if (file.format === 'obo') {
    const isGo = says(file, /^(ontology: go\b|id: GO:)/)
    return { ...shared, what: kinds.ontology, entry: 'ontologies', value: { file, ...(isGo ? { source: 'GO' } : {}) } }
  }
  if (file.format === 'text' || file.format === 'table' || file.format === 'json') {
    if (/short_summary|busco/i.test(file.name) && parseBuscoSummary(file.lines.join('\n')) !== null)
      return { ...shared, what: kinds.busco, entry: 'busco', list: false, scope: 'assembly', value: file }
  }
  if (file.format === 'text') {
    if (says(file, /^@(article|book|misc|inproceedings|phdthesis)\s*\{/i) || says(file, /^TY {2}- /))
      return { ...shared, what: kinds.references, entry: 'references', value: file }
    if (says(file, /^#+ Parameters #+$/) || says(file, /^## Alignment \d+: score=/))
      return { ...shared, what: kinds.blocks, entry: 'synteny', value: { file } }
  }
  const format = annotationFormat(file)
  if (format !== null)
    return {
      ...shared,
      what: texts.annotation,
      entry: 'annotation',
      scope: 'assembly',
      value: { file },
      genes: genesIn(file, format),
      readGenes: (lines) => genesIn(file, format, lines),
    }
  return null
}

/** What is said of genes and genomes: functional annotation, transposable elements, orthogroups, completeness, ontologies, references. */
export default defineRecogniser({
  id: 'gene-data',
  title: { en: 'Annotation and results', zh: '注释与分析结果' },
  order: 400,
  recognise: async (files, { each }) => {
    const findings = [...recogniseElements(files), ...recogniseOrthogroups(files)]
    const taken = new Set(findings.map(({ file }) => file))
    for await (const file of each(files.filter((one) => !taken.has(one))))
      findings.push(...[describe(file) ?? []].flat())
    return { findings }
  },
})
