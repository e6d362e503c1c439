import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Defect, DefectLog, type DefectTotal } from '../bio/text/defects.ts'
import { LineReader } from '../bio/text/text-lines.ts'
import { renderCanonicalJson } from '../contracts/canonical-json.ts'
import type { BundleFileSummary } from '../database/catalogue.ts'
import type { BakeContext, ToolLoader } from '../kit/loader.ts'
import { readDecompressed } from '../store/decompressed.ts'
import { keptPartKind } from '../store/kept-inputs.ts'
import type { PortalFiles } from '../store/portal-files.ts'
import { StoreError } from '../store/store-error.ts'
import type { BundleUnderConstruction } from './bake-assembly.ts'
import { loaderVersion } from './fingerprint.ts'

/** A bundle of before, whose parts may serve again. */
export interface EarlierBundle {
  uid: string
  files: readonly BundleFileSummary[]
}

export interface KeptPartsOptions {
  files: PortalFiles
  /** The newest first. */
  earlier: readonly EarlierBundle[]
  /** SHA-256 of every file of the assembly's entries, by its path. */
  digests: ReadonlyMap<string, string>
  programs: readonly string[]
}

/** Lies in a bundle beside what it tells of: the files of a part, what it reported, and its rows. */
const journalPath = (name: string, key: string): string => `parts/${name}.${key}.jsonl.gz`

type FileNote = Parameters<BundleUnderConstruction['add']>[1]
/** Methods by which a loader writes rows; they are called again with the same values. */
const rowMethods = ['addRecord', 'addTerm', 'addGeneTerm', 'addSearchEntry'] as const
interface PartEnd {
  result: unknown
  defects: readonly Defect[]
  totals: DefectTotal[]
}
type Entry =
  | ['file', string, FileNote]
  | [(typeof rowMethods)[number], never]
  | ['addRow', string, never]
  | ['end', PartEnd]

/** A log of its own that tells another as it is told: what a part reported is known when it ends. */
class TeeLog extends DefectLog {
  readonly #to: DefectLog

  constructor(to: DefectLog) {
    super(to.keepPerCode)
    this.#to = to
  }

  override report(...given: Parameters<DefectLog['report']>): void {
    super.report(...given)
    this.#to.report(...given)
  }

  override add(defect: Defect): void {
    super.add(defect)
    this.#to.add(defect)
  }
}

export interface PartOptions {
  /** A part of the bundle, as a file may be named. */
  name: string
  /** All that decides what comes of it, beside the files. */
  inputs: unknown
  /** Paths of the files it reads. */
  files: readonly string[]
  log: DefectLog
  bundle: BundleUnderConstruction
}

/**
 * What an assembly's bundle is made of, part by part: a part whose inputs are those of an earlier bundle is taken from it, files and rows,
 * so that adding a table to a genome computes the table. It comes out as if it had been made anew.
 */
export class KeptParts {
  readonly #options: KeptPartsOptions
  /** Names of the parts that were taken from an earlier bundle. */
  readonly reused: string[] = []
  /** What is known of the files that were taken: no checksum of them is to be computed. */
  readonly known = new Map<string, { bytes: number; sha256: string }>()

  constructor(options: KeptPartsOptions) {
    this.#options = options
  }

  #keyOf({ name, inputs, files }: PartOptions): string {
    const digests = [...new Set(files)].sort().map((file) => {
      const digest = this.#options.digests.get(file)
      // By its path alone a file that was changed would pass for the one before.
      if (digest === undefined) throw new Error(`${name} reads ${file}, which is not among the inputs of the bundle`)
      return digest
    })
    const whole = renderCanonicalJson({ loaderVersion, name, inputs, digests, programs: this.#options.programs })
    return createHash('sha256').update(whole).digest('hex').slice(0, 32)
  }

  /** The result of `make`, which must survive JSON; what it adds to the bundle and tells the log is taken over with it. */
  run = async <T>(
    options: PartOptions,
    make: (log: DefectLog, add: BundleUnderConstruction['add']) => Promise<T>,
    /** Told of each file, made or taken. */
    onFile: BundleUnderConstruction['add'],
  ): Promise<T> => {
    const path = journalPath(options.name, this.#keyOf(options))
    const taken = await this.#take(path, options, onFile)
    if (taken !== null) return taken.result as T
    const journal = await Journal.create(options.bundle, path)
    try {
      const log = new TeeLog(options.log)
      const result = await make(log, (file, note) => {
        onFile(file, note)
        journal.note(['file', file, note])
      })
      await journal.end(['end', { result, defects: log.defects, totals: log.totals() }])
      options.bundle.add(path, { kind: keptPartKind })
      return result
    } catch (error) {
      await journal.abort()
      throw error
    }
  }

  /** The same for a tool's loader, which writes rows by its context. */
  bake = async (
    options: Omit<PartOptions, 'bundle'>,
    loader: ToolLoader,
    value: unknown,
    context: BakeContext,
    bundle: BundleUnderConstruction,
  ): Promise<Record<string, number>> => {
    const path = journalPath(options.name, this.#keyOf({ ...options, bundle }))
    const addFile: BundleUnderConstruction['add'] = (file, { kind, meta }) =>
      context.addFile(file, { kind, ...(meta === undefined ? {} : { download: meta.download as never }) })
    const taken = await this.#take(path, { ...options, bundle }, addFile, { loader, context })
    if (taken !== null) return taken.result as Record<string, number>
    const journal = await Journal.create(bundle, path)
    try {
      const log = new TeeLog(options.log)
      const own: BakeContext = {
        ...context,
        addFile: (file, about) => {
          context.addFile(file, about)
          const meta = about.download === undefined ? {} : { meta: { download: about.download } }
          journal.note(['file', file, { kind: about.kind, ...meta }])
        },
        addRow: async (table, values) => {
          await context.addRow(table, values)
          await journal.write(['addRow', table.name, values as never])
        },
        ...Object.fromEntries(
          rowMethods.map((method) => [
            method,
            async (given: never) => {
              await context[method](given)
              await journal.write([method, given])
            },
          ]),
        ),
        report: (catalogue, { code, file, line, params }) => log.report(catalogue, code, file, line, params),
        forward: (defect) => log.add(defect),
        ...(loader.readsTerms === true
          ? {}
          : {
              termsOf: () => {
                throw new Error(`${options.name} reads terms and does not declare it (readsTerms)`)
              },
            }),
      }
      const result = await loader.bake(value, own)
      await journal.end(['end', { result, defects: log.defects, totals: log.totals() }])
      bundle.add(path, { kind: keptPartKind })
      return result
    } catch (error) {
      await journal.abort()
      throw error
    }
  }

  async #take(
    path: string,
    options: PartOptions,
    onFile: BundleUnderConstruction['add'],
    rows?: { loader: ToolLoader; context: BakeContext },
  ): Promise<{ result: unknown } | null> {
    const { bundle, log } = options
    const placed = await this.#place(path, bundle)
    if (placed === null) return null
    const { source, notes, end } = placed
    if (rows !== undefined)
      await readJournal(join(bundle.directory, path), async (line) => {
        const entry = JSON.parse(line) as Entry
        if (entry[0] === 'file' || entry[0] === 'end') return
        if (entry[0] === 'addRow') {
          const table = rows.loader.tables!.find(({ name }) => name === entry[1])!
          await rows.context.addRow(table, entry[2])
        } else await rows.context[entry[0]](entry[1])
      })
    log.take(end.defects, end.totals)
    const facts = new Map(source.files.map((file) => [file.path, file]))
    for (const [file, note] of [...notes, [path, { kind: keptPartKind }] as [string, FileNote]]) {
      const { bytes, sha256 } = facts.get(file)!
      this.known.set(file, { bytes, sha256 })
      if (file === path) bundle.add(file, note)
      else onFile(file, note)
    }
    this.reused.push(options.name)
    return { result: end.result }
  }

  /**
   * Puts the files of a part, its journal among them, from the newest earlier bundle that has all of them into the one that is made. Null
   * where none has: a part whose files are gone or damaged is made anew, and keeps no load from ending.
   */
  async #place(
    path: string,
    bundle: BundleUnderConstruction,
  ): Promise<{ source: EarlierBundle; notes: [string, FileNote][]; end: PartEnd } | null> {
    for (const source of this.#options.earlier) {
      const facts = new Map(source.files.map((file) => [file.path, file]))
      const journal = facts.get(path)
      if (journal === undefined) continue
      const notes: [string, FileNote][] = []
      let end: PartEnd | null = null
      const placed: string[] = []
      try {
        const folder = await this.#options.files.fetch(source.uid, [journal])
        await readJournal(join(folder, path), (line) => {
          // Rows are very many, and are read once the files are there.
          if (!line.startsWith('["file"') && !line.startsWith('["end"')) return
          const entry = JSON.parse(line) as Entry
          if (entry[0] === 'file') notes.push([entry[1], entry[2]])
          else if (entry[0] === 'end') end = entry[1]
        })
        if (end === null) continue
        const wanted = [...notes.map(([file]) => facts.get(file)!), journal]
        await this.#options.files.fetch(source.uid, wanted)
        for (const file of wanted) {
          const target = join(bundle.directory, file.path)
          await placeFile(join(folder, file.path), target)
          placed.push(target)
          if ((await stat(target)).size !== file.bytes) throw new StoreError('truncated', target, 'is not whole')
        }
        return { source, notes, end }
      } catch (error) {
        await Promise.all(placed.map((file) => rm(file, { force: true })))
        if (!isDamage(error)) throw error
      }
    }
    return null
  }
}

/** A file that is gone or is not what it was; a full disk and a store that does not answer are another matter. */
const isDamage = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'ENOENT' || code === 'missing' || code === 'truncated' || code === 'corrupt'
}

const readJournal = async (file: string, onLine: (line: string) => Promise<void> | void): Promise<void> => {
  const lines: string[] = []
  const reader = new LineReader({ file, log: new DefectLog(), onLine: (line) => lines.push(line) })
  const play = async (): Promise<void> => {
    for (const line of lines.splice(0)) await onLine(line)
  }
  for await (const piece of readDecompressed(file)) {
    reader.push(piece)
    await play()
  }
  reader.end()
  await play()
}

/** Takes the first of these files that an earlier bundle has; null where none can be had. */
export const takeEarlierFile = async (
  { files, earlier }: Pick<KeptPartsOptions, 'files' | 'earlier'>,
  paths: readonly string[],
  directory: string,
): Promise<BundleFileSummary | null> => {
  for (const { uid, files: own } of earlier) {
    const facts = own.find(({ path }) => paths.includes(path))
    if (facts === undefined) continue
    try {
      await placeFile(join(await files.fetch(uid, [facts]), facts.path), join(directory, facts.path))
      return facts
    } catch {
      // Of a bundle whose files are gone; it is made anew.
    }
  }
  return null
}

/** Files of bundles never change, so two bundles may have one between them; a copy where the file system has no links. */
const placeFile = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true })
  await link(from, to).catch(() => copyFile(from, to))
}

/** What a part wrote, line by line, on its way into the bundle. */
class Journal {
  readonly #gzip = createGzip({ level: 1 })
  readonly #written: Promise<void>
  #failure: unknown = null

  private constructor(file: string) {
    this.#written = pipeline(this.#gzip, createWriteStream(file))
    this.#written.catch((error: unknown) => {
      this.#failure = error
    })
  }

  static async create(bundle: BundleUnderConstruction, path: string): Promise<Journal> {
    const file = join(bundle.directory, path)
    await mkdir(dirname(file), { recursive: true })
    return new Journal(file)
  }

  note(entry: Entry): void {
    this.#gzip.write(`${JSON.stringify(entry)}\n`)
  }

  async write(entry: Entry): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    if (!this.#gzip.write(`${JSON.stringify(entry)}\n`)) await Promise.race([once(this.#gzip, 'drain'), this.#written])
  }

  async end(entry: Entry): Promise<void> {
    this.#gzip.end(`${JSON.stringify(entry)}\n`)
    await this.#written
  }

  async abort(): Promise<void> {
    this.#gzip.destroy()
    await this.#written.catch(() => undefined)
  }
}
