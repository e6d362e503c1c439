import { constants } from 'node:fs'
import { access, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type DefectLanguage, DefectLog } from '../../bio/text/defects.ts'
import { isInside } from '../../store/byte-range.ts'
import {
  type Account,
  type Ask,
  composeSpecies,
  type LoadedAssembly,
  type Question,
  type SpeciesPlan,
} from './compose.ts'
import { findRecognisers } from './find-recognisers.ts'
import { importDefects } from './import-defects.ts'
import { readInputFile, readInputFiles, withinFolders } from './input-files.ts'
import { stemOf, tellingName } from './names.ts'
import { eachFile, filesOf, type InputFile, type Recognition, type Text } from './recogniser.ts'
import { ownId, replacementQuestion, type ServedSpecies } from './served-species.ts'
import { unpackArchive } from './unpack.ts'
import { writeGenome } from './write-genome.ts'
import { hasMarks, renderManifest } from './write-manifest.ts'

export interface ImportOptions {
  /** Folders, archives and single files, as they were given. */
  paths: readonly string[]
  /** Where the manifest is written, and archives are unpacked; beside the data when absent. */
  into?: string | undefined
  /** Nothing is written but in a temporary folder, which is gone afterwards. */
  dryRun: boolean
  /** A manifest that is there already is put aside; else it is left as it stands. */
  rewrite: boolean
  language: DefectLanguage
  /** Files that links lead to elsewhere than into these are left out: for whoever may not read the files of the machine. */
  confined?: readonly string[] | undefined
  ask: Ask
  /** Species in service by their ids: a person is asked before one takes the place of another strain's. */
  listServed?: (() => Promise<ReadonlyMap<string, ServedSpecies>>) | undefined
  signal: AbortSignal
  onProgress(step: ImportStep, fraction: number): void
}

export type ImportStep = 'unpack' | 'look' | 'recognise' | 'wait'

export interface ImportReport {
  /** Sources that were recognised, in the order in which they were. */
  sources: { title: Text; files: number }[]
  accounts: Account[]
  species: SpeciesPlan[]
  /** Manifests by the folder they were written to, or would be; `marked` ones have lines that a person has yet to check. */
  manifests: { folder: string; file: string; text: string; state: 'written' | 'kept' | 'would-be'; marked: boolean }[]
  /** Questions that nobody answered: marked in the manifests. */
  open: Question[]
  log: DefectLog
}

export const manifestName = 'species.yaml'

/** The folder of the manifest: the one that was given, that of the files, or one beside the archive. */
const chooseFolder = async (options: ImportOptions, kinds: ReadonlyMap<string, string>): Promise<string | null> => {
  if (options.into !== undefined) return resolve(options.into)
  const places = options.paths.map((path) => {
    const kind = kinds.get(path)
    if (kind === 'folder') return resolve(path)
    if (kind === 'archive') return join(dirname(resolve(path)), basename(path).replace(/(\.tar)?\.[a-z0-9]+$/i, ''))
    return dirname(resolve(path))
  })
  const [first] = places
  // Of several, the one that the others lie in.
  const outer = places.find((place) => places.every((other) => isInside(other, place)))
  return outer ?? (places.length === 1 ? first! : null)
}

/**
 * Looks at what was given, says what each file is, and writes species.yaml of it. Loads nothing: that is done with the folders of
 * `manifests`, by the same code as for a manifest that a person wrote.
 */
export const importSpecies = async (options: ImportOptions): Promise<ImportReport> => {
  const log = new DefectLog(200)
  const report: ImportReport = { sources: [], accounts: [], species: [], manifests: [], open: [], log }
  const { signal } = options
  const kinds = await findKinds(options.paths, log)
  if (log.hasErrors) return report
  const folder = await chooseFolder(options, kinds)
  if (folder === null) {
    log.report(importDefects, 'import-folder-needed', options.paths.join(', '), null)
    return report
  }

  const temporary = options.dryRun ? await mkdtemp(join(tmpdir(), 'novodb-import-')) : null
  try {
    const present = await stat(join(folder, manifestName)).catch(() => null)
    if (present !== null && !options.rewrite && !options.dryRun) {
      // A person may have edited it: it is loaded as it stands.
      const file = join(folder, manifestName)
      const text = await readFile(file, 'utf8')
      report.manifests.push({ folder, file, text, state: 'kept', marked: hasMarks(text) })
      return report
    }
    const archives = options.paths.filter((path) => kinds.get(path) === 'archive')
    if (temporary === null && !(await prepareFolder(folder, archives.length > 0, options, log))) return report
    const own = await readGiven(options, kinds, temporary ?? folder, log)
    if (own === null) return report
    const home = temporary ?? folder
    const given = options.rewrite ? [] : await findUnpackedManifests(archives.map(unpackFolder(home, archives)))
    for (const file of given) {
      const text = await readFile(file, 'utf8')
      const place = join(folder, relative(home, file))
      report.manifests.push({ folder: dirname(place), file: place, text, state: 'kept', marked: hasMarks(text) })
    }
    if (given.length > 0) return report
    await recognise(own, options, report, folder)
    if (log.hasErrors) return report
    const single = report.species.length === 1
    const served = (await options.listServed?.()) ?? new Map<string, ServedSpecies>()
    for (const plan of report.species) {
      const question = replacementQuestion(plan, single ? folder : join(folder, plan.id), served)
      if (question === null) continue
      const answer = await options.ask(question)
      if (answer === null) {
        report.open.push(question)
        plan.remarks.set('species', question.text)
      }
      if (answer !== 'replace') plan.id = ownId(plan, served)
    }
    for (const plan of report.species) {
      const home = single ? folder : join(folder, plan.id)
      const file = join(home, manifestName)
      // Of a dry run the data of an archive lie elsewhere than they will.
      const text = renderManifest(
        plan,
        single ? (temporary !== null && archives.length > 0 ? temporary : folder) : home,
        options.language,
      )
      if (options.dryRun) {
        report.manifests.push({ folder: home, file, text, state: 'would-be', marked: hasMarks(text) })
        continue
      }
      await mkdir(home, { recursive: true })
      for (const { genome } of plan.assemblies)
        if ('from' in genome) await writeGenome(genome.from, join(home, genome.fileName), signal)
      if (await stat(file).catch(() => null))
        await rename(file, `${file}.${new Date().toISOString().replaceAll(':', '')}`)
      await writeFile(`${file}.novodb-part`, text)
      await rename(`${file}.novodb-part`, file)
      report.manifests.push({ folder: home, file, text, state: 'written', marked: hasMarks(text) })
    }
    return report
  } finally {
    if (temporary !== null) await rm(temporary, { recursive: true, force: true })
  }
}

/** What each path is; what there is not is told. */
export const findKinds = async (paths: readonly string[], log: DefectLog): Promise<Map<string, PathKind>> => {
  const kinds = new Map<string, PathKind>()
  for (const path of paths) {
    const facts = await stat(path).catch(() => null)
    if (facts === null) log.report(importDefects, 'import-missing', path, null)
    else if (facts.isDirectory()) kinds.set(path, 'folder')
    else if (facts.isFile()) {
      const { format } = await readInputFile(path, resolve(path))
      if (format === 'compressed') log.report(importDefects, 'import-archive-kind', path, null)
      kinds.set(path, format === 'archive' ? 'archive' : 'file')
    }
  }
  return kinds
}

export type PathKind = 'folder' | 'archive' | 'file'

/** Where an archive is unpacked: archives of one name within may not lie over each other. */
const unpackFolder =
  (place: string, archives: readonly string[]) =>
  (archive: string): string =>
    archives.length > 1 ? join(place, basename(archive).replace(/(\.tar)?\.[a-z0-9]+$/i, '')) : place

/** Manifests that archives brought: of a species folder that was packed itself, or with the folder around it. */
const findUnpackedManifests = async (folders: readonly string[]): Promise<string[]> => {
  const found: string[] = []
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true })
    const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
    for (const place of [folder, ...inner]) {
      const file = join(place, manifestName)
      if ((await lstat(file).catch(() => null))?.isFile() === true) found.push(file)
    }
  }
  return found
}

/** Every file of what was given, archives unpacked to `place`; null where that cannot be. A manifest is none of them. */
export const readGiven = async (
  options: Pick<ImportOptions, 'paths' | 'confined' | 'signal' | 'onProgress'>,
  kinds: ReadonlyMap<string, PathKind>,
  place: string,
  log: DefectLog,
): Promise<InputFile[] | null> => {
  const { signal } = options
  const within = await withinFolders(options.confined)
  const archives = options.paths.filter((path) => kinds.get(path) === 'archive')
  const files: InputFile[] = []
  for (const [number, path] of options.paths.entries()) {
    const several = options.paths.length > 1
    const kind = kinds.get(path)!
    if (kind === 'archive') {
      const into = unpackFolder(place, archives)(path)
      const unpacked = await unpackArchive({
        archive: resolve(path),
        name: path,
        into,
        log,
        signal,
        onProgress: (fraction) => options.onProgress('unpack', fraction),
      })
      if (!unpacked) return null
      files.push(...(await readInputFiles(into, archives.length > 1 ? `${basename(into)}/` : '', log, signal)))
    } else {
      options.onProgress('look', number / options.paths.length)
      files.push(
        ...(await readInputFiles(
          resolve(path),
          several && kind === 'folder' ? `${basename(resolve(path))}/` : '',
          log,
          signal,
          within,
        )),
      )
    }
    if (log.hasErrors) return null
  }
  return files.filter(({ name }) => name !== manifestName)
}

/** Whether the manifest can be written there, and archives unpacked without mixing with what is somebody else's. */
const prepareFolder = async (
  folder: string,
  unpacks: boolean,
  options: ImportOptions,
  log: DefectLog,
): Promise<boolean> => {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    log.report(importDefects, 'import-folder-unwritable', folder, null, {
      reason: (error as NodeJS.ErrnoException).code ?? String(error),
    })
    return false
  }
  if (!unpacks) return true
  const given = new Set(options.paths.map((path) => resolve(path)))
  const names = await readdir(folder)
  const isOurs = names.some((name) => name.startsWith('.novodb-import'))
  const foreign = names.filter((name) => !given.has(join(folder, name)))
  if (foreign.length === 0 || isOurs) return true
  // Several archives have a folder each, which says whose it is.
  const ours = await Promise.all(
    foreign.map((name) =>
      stat(join(folder, name, '.novodb-import.json')).then(
        () => true,
        () => false,
      ),
    ),
  )
  if (ours.every(Boolean)) return true
  log.report(importDefects, 'import-folder-taken', folder, null)
  return false
}

/** What the species is called until a person says it: by the folder of its genome, what was given, or a file. */
const suggestName = (files: readonly InputFile[], folder: string): string => {
  const sequences = files.filter(({ format }) => format === 'fasta-dna')
  const named = sequences.length > 0 ? sequences : files
  const folders = named.flatMap((file) => file.folder.split('/').toReversed())
  return (
    tellingName([...folders, basename(folder), ...named.map(({ name }) => name)]) ??
    (stemOf(basename(folder)) || 'species')
  )
}

/** Of the time of recognising, which goes to the beginnings of files; the rest to genomes and genes, which are read whole. */
const looked = 0.3

/** Says of the files what they are and what becomes of them; with `loaded`, what they add to that. */
export const recognise = async (
  files: readonly InputFile[],
  options: Pick<ImportOptions, 'ask' | 'signal' | 'onProgress'>,
  report: Pick<ImportReport, 'sources' | 'accounts' | 'species' | 'open' | 'log'>,
  folder: string,
  loaded?: readonly LoadedAssembly[],
): Promise<void> => {
  const { log } = report
  const { signal } = options
  const recognisers = await findRecognisers()
  const recognitions: Recognition[] = []
  let free = files
  for (const [number, recogniser] of recognisers.entries()) {
    signal.throwIfAborted()
    options.onProgress('recognise', (looked * number) / recognisers.length)
    const found = await recogniser.recognise(free, {
      all: files,
      log,
      signal,
      each: (own) =>
        eachFile(own, signal, (done) =>
          options.onProgress('recognise', (looked * (number + done)) / recognisers.length),
        ),
    })
    const taken = new Set(found.findings.flatMap(filesOf))
    if (taken.size === 0) continue
    // What lies beside data is no source.
    if (found.findings.some(({ take }) => take !== 'none'))
      report.sources.push({ title: recogniser.title, files: taken.size })
    recognitions.push(found)
    free = free.filter((file) => !taken.has(file))
  }
  const composition = await composeSpecies(files, recognitions, {
    ask: options.ask,
    log,
    signal,
    fallbackName: suggestName(files, folder),
    onProgress: (fraction) => options.onProgress('recognise', looked + (1 - looked) * fraction),
    ...(loaded === undefined ? {} : { loaded }),
  })
  report.accounts = composition.accounts
  report.species = composition.species
  report.open = composition.open
}
