import { setImmediate } from 'node:timers/promises'
import type { DefectLanguage, DefectLog } from '../../bio/text/defects.ts'
import type { FileFormat } from './file-format.ts'

/** A text of the command line in both languages. */
export type Text = Readonly<Record<DefectLanguage, string>>

/** A file of what was given, with what its first bytes say. */
export interface InputFile {
  /** As it is told, with `/`: under the folder or archive that was given. */
  readonly path: string
  readonly name: string
  /** Folder of `path`; empty at the top. */
  readonly folder: string
  readonly absolute: string
  readonly bytes: number
  readonly format: FileFormat
  /** First lines of a text, unpacked; none of what is no text. */
  readonly lines: readonly string[]
  readonly compressed: boolean
}

/** What is known of an assembly before its files are read: each entry as `species.yaml` has it. */
export interface AssemblyFacts {
  /** Scientific name; what distinguishes strains may follow it. */
  organism?: string
  taxonId?: number
  commonName?: string
  id?: string
  name?: string
  strain?: string
  accession?: string
  source?: Text
  reference?: boolean
  geneticCode?: number
  /** Where the code of what has none of its own was read; null when it is the usual one of the program. */
  sequences?: SequenceFacts[]
}

export interface SequenceFacts {
  name: string
  aliases?: string[]
  circular?: boolean
  geneticCode?: number
  role?: 'chromosome' | 'accessory' | 'organelle' | 'plasmid' | 'scaffold'
  /** Of an organelle: which. */
  organelle?: 'mitochondrion' | 'plastid'
}

/** A folder that an entry names in place of its files. */
export interface InputFolder {
  readonly absolute: string
}

/** A choice that the files leave open, whose answer stands in the value under `key`. */
export interface OpenValue {
  key: string
  text: Text
  choices: readonly string[]
  fallback: string
}

/** An entry of the assembly, or of the species: files and folders in `value` are given as InputFile and InputFolder. */
export interface EntryFinding {
  file: InputFile
  what: Text
  take: 'entry'
  group: string | null
  entry: string
  list: boolean
  scope: 'assembly' | 'species'
  value: unknown
  /** Further files that `value` names. */
  also?: readonly { file: InputFile; what: Text }[]
  /** Of some rows the names that the file has for the gene, by which its assembly is found. */
  genes?: readonly (readonly string[])[]
  /** The same of other lines of the file, for where the first are of no assembly, or of several. */
  readGenes?: (lines: readonly string[]) => readonly (readonly string[])[]
  /** Nothing but its genes says what it is: where they are of no assembly here, it is not recognised. */
  onlyByGenes?: boolean
  /** Names of the sequences that it has positions on. */
  sequences?: readonly string[]
  /** Of what compares two assemblies, whose ids are written as `assemblies`: what tells the first and the second. */
  sides?: readonly [Side, Side]
  open?: OpenValue
  /** It stands in this list of an item of `entry`; `alone` says what is missing where there is no such item. */
  within?: { list: string; alone: Text }
}

/** An assembly by its group, or by names of its sequences. */
export interface Side {
  group?: string
  sequences: readonly string[]
}

/**
 * What a recogniser says of one file. Files of one `group` belong to one assembly; of what has none of its own, the genome is found by
 * folder, name and the names of sequences.
 */
export type Finding =
  | EntryFinding
  | ({ file: InputFile; what: Text } & (
      | { take: 'genome'; group: string }
      /** Of a group the genes of the lowest rank are taken, the others are the same in another form. */
      | { take: 'genes'; group: string; rank: number }
      | { take: 'proteins'; group: string }
      /** What it says has been read. */
      | { take: 'read' }
      /** Other names of sequences, a row a sequence; null where only the names tell of which assembly. */
      | { take: 'aliases'; group: string | null; rows: readonly (readonly string[])[] }
      /** Known, and not needed, or not to be loaded yet. */
      | { take: 'none'; why: Text }
    ))

/** The files that a finding accounts for. */
export const filesOf = (finding: Finding): InputFile[] => [
  finding.file,
  ...(finding.take === 'entry' ? (finding.also ?? []).map(({ file }) => file) : []),
]

export interface Recognition {
  findings: Finding[]
  /** By group. */
  facts?: Map<string, AssemblyFacts>
  /** Groups of the assemblies of files that another recogniser takes. */
  homes?: Map<InputFile, string>
}

export interface RecogniseContext {
  /** Every file of what was given, also those that another recogniser took. */
  all: readonly InputFile[]
  log: DefectLog
  signal: AbortSignal
  /**
   * Files one by one, for what looks into each: now and then others of the process have their turn, so that a signal stops it and
   * progress is seen.
   */
  each(files: readonly InputFile[]): AsyncIterable<InputFile>
}

/** The longest that other work of the process waits for recognising, ms. */
const longestTurn = 50

/** Goes through files for a recogniser; throws what the signal has when it is given. */
export async function* eachFile(
  files: readonly InputFile[],
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): AsyncGenerator<InputFile> {
  let turn = performance.now()
  for (const [at, file] of files.entries()) {
    if (performance.now() - turn > longestTurn) {
      await setImmediate()
      signal.throwIfAborted()
      onProgress(at / files.length)
      turn = performance.now()
    }
    yield file
  }
}

/**
 * A source of files: an archive, a program, a format. A file of recognisers/ has one as its default export, and needs nothing else.
 * They are asked by their order, each for the files that none before it has taken.
 */
export interface Recogniser {
  id: string
  title: Text
  /** Sources that know what belongs together come first (below 500), then formats, then what is known and not needed (900). */
  order: number
  recognise(files: readonly InputFile[], context: RecogniseContext): Promise<Recognition> | Recognition
}

export const defineRecogniser = (recogniser: Recogniser): Recogniser => recogniser
