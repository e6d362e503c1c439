import { guessAnnotationFormat } from '../../bio/annotation/annotation.ts'
import type { AssemblyFacts, Finding, InputFile, Recognition } from './recogniser.ts'
import { fileTexts as texts } from './texts.ts'

/** Files of one run of a program: what it names by one prefix, in one folder. */
export interface Run {
  group: string
  prefix: string
  /** The gene file that the run is known by. */
  genes: InputFile
  files: InputFile[]
}

/** Runs of a program, each known by a gene file of it; `prefixOf` is what the names of its files have in common. */
export const findRuns = (
  files: readonly InputFile[],
  isGenes: (file: InputFile) => boolean,
  prefixOf: (file: InputFile) => string = (file) => file.name.replace(/\.(gff3?|gtf|gbff|gbk)(\.gz)?$/i, ''),
): Run[] =>
  files.filter(isGenes).map((genes) => {
    const prefix = prefixOf(genes)
    return {
      group: `${genes.folder}/${prefix}`,
      prefix,
      genes,
      files: files.filter(({ folder, name }) => folder === genes.folder && name.startsWith(`${prefix}.`)),
    }
  })

/** What annotators write beside their genes, by the ending of the name; null for what none of them does. */
export const describeRunFile = (file: InputFile, group: string): Finding | null => {
  const { name, format } = file
  const ending = name.replace(/\.gz$/i, '').split('.').at(-1)!.toLowerCase()
  // A feature table of NCBI begins as FASTA does.
  if (ending === 'tsv' || ending === 'tbl') return { file, what: texts.table, take: 'none', why: texts.inGenes }
  if (format === 'fasta-dna' && ['fna', 'fa', 'fasta', 'fsa', 'fas'].includes(ending))
    return { file, what: texts.genome, take: 'genome', group }
  if (format === 'fasta-dna') return { file, what: texts.cds, take: 'none', why: texts.derived }
  if (format === 'fasta-protein') return { file, what: texts.proteins, take: 'none', why: texts.derived }
  if (format === 'gff3') return { file, what: texts.gff3, take: 'genes', group, rank: 1 }
  if (format === 'gtf') return { file, what: texts.gtf, take: 'genes', group, rank: 2 }
  if (format === 'genbank') return { file, what: texts.genbank, take: 'genes', group, rank: 3 }
  if (format === 'embl') return { file, what: texts.embl, take: 'none', why: texts.sameGenes }
  if (['log', 'err'].includes(ending)) return { file, what: texts.log, take: 'none', why: texts.nothing }
  if (['txt', 'json', 'sqn', 'svg', 'png', 'agp'].includes(ending))
    return { file, what: texts.summary, take: 'none', why: texts.nothing }
  return null
}

/** A table of functional annotation that an annotator wrote beside its genes, by its headings; null for any other table. */
export const annotationTable = (file: InputFile, group: string): Finding | null => {
  const format = guessAnnotationFormat(file.name, file.lines)
  if (format === null || format === 'table') return null
  return {
    file,
    what: texts.annotation,
    take: 'entry',
    group,
    entry: 'annotation',
    list: true,
    scope: 'assembly',
    value: { file },
  }
}

/** Recognises runs whose every file is told by its ending, with the same facts of each. */
export const recogniseRuns = (
  runs: readonly Run[],
  factsOf: (run: Run) => AssemblyFacts,
  describe: (file: InputFile, run: Run) => Finding | null = (file, { group }) => describeRunFile(file, group),
): Recognition => ({
  findings: runs.flatMap((run) => run.files.flatMap((file) => describe(file, run) ?? [])),
  facts: new Map(runs.map((run) => [run.group, factsOf(run)])),
})

/** Whether one of the first lines of a file matches. */
export const says = ({ lines }: InputFile, pattern: RegExp): boolean => lines.some((line) => pattern.test(line))

/** The first group of the first line that matches. */
export const readLine = ({ lines }: InputFile, pattern: RegExp): string | undefined => {
  for (const line of lines) {
    const found = pattern.exec(line)
    if (found) return found[1]!.trim()
  }
  return undefined
}
