import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, isAbsolute, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GeneModelReader } from '../../bio/annotation/gene-model-reader.ts'
import { type Defect, DefectLog, defectText } from '../../bio/text/defects.ts'
import type { ImportAction } from '../../contracts/accounts/imports.ts'
import { createWaitingLoad, listActiveSpecies } from '../../database/catalogue.ts'
import type { Database, Sql } from '../../database/connect.ts'
import { checkSpecies } from '../../loader/check-species.ts'
import { readDefectCatalogue } from '../../loader/defect-catalogue.ts'
import {
  type AddOptions,
  type AddReport,
  addToSpecies,
  type ManifestChange,
  removeFromSpecies,
} from '../../loader/import/add-to-species.ts'
import { inAddingTurn, noTurn } from '../../loader/import/adding-turn.ts'
import type { Ask, Question } from '../../loader/import/compose.ts'
import { importDefects } from '../../loader/import/import-defects.ts'
import { nameEntry, readAnswer } from '../../loader/import/import-report.ts'
import { type ImportReport, importSpecies } from '../../loader/import/import-species.ts'
import { readInputFile, withinFolders } from '../../loader/import/input-files.ts'
import type { InputFile } from '../../loader/import/recogniser.ts'
import { listServedSpecies } from '../../loader/import/served-species.ts'
import { unpackArchive } from '../../loader/import/unpack.ts'
import { getFileChecksum } from '../../store/checksum.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { getDiskSpace, reserveOf } from '../../store/disk-space.ts'
import type { Config } from '../config.ts'
import { loadChange, ManifestLeftError } from '../loads/load-change.ts'
import { carryOutLoad } from '../loads/load-folder.ts'
import { archiveInWords, placelessIn } from './defect-words.ts'
import { DownloadRefused, downloadFile } from './download.ts'
import type { ImportFolder, ImportOrder, ImportOrigin, StoredCheck, StoredSurvey } from './import-folder.ts'

const manifestName = 'species.yaml'
/** What says in a folder that an archive was unpacked into it. */
const unpackedName = '.novodb-import.json'
/** Of more files than these only the numbers are told. */
const toldFiles = 1000
const toldDefects = 200
const toldGenes = 5
const toldRows = 6
const toldTables = 12
const toldColumns = 8
/** Enough of a file of gene models for its first genes. */
const previewBytes = 4 * 1024 ** 2

interface Work {
  folder: ImportFolder
  origin: ImportOrigin
  /** What may be fetched from an address. */
  maxBytes: number
  order: ImportOrder
  /** Folders of the server that files may lie in. */
  roots: readonly string[]
  signal: AbortSignal
  onProgress(step: string, fraction: number): void
  /** The portal's, which only additions ask; closed by whoever made it. */
  openDatabase(): Promise<Database>
  config: Config
}

/** Does what was asked for; false where the files do not allow it, which the survey then says. */
export const workOn = async (action: ImportAction, work: Work): Promise<boolean> => {
  const { folder } = work
  if (action === 'look') {
    await folder.forget('checked.json')
    for (;;) {
      const { length } = await folder.listUploaded()
      const isDone = await look(work)
      // What was on its way when this began may have arrived since.
      if (work.origin.address !== null || (await folder.listUploaded()).length === length) return isDone
    }
  }
  if ((await folder.read('survey.json'))?.addition != null) return action === 'write' && change(work)
  if (!(await write(work))) return false
  return action === 'write' || check(work)
}

/** Own manifests of what was given, also in an archive once it is unpacked: it is loaded as they say. */
const findGivenManifests = async ({ folder, roots, origin: { source } }: Work): Promise<string[]> => {
  if (source !== null) {
    const own = join(source, manifestName)
    // One that is a link out of the folders of the settings is not read, nor shown.
    if ((await isFile(own)) && (await (await withinFolders(roots))(own))) return [own]
  }
  const uploaded = (await folder.listUploaded())
    .map(({ path }) => path)
    .filter((path) => basename(path) === manifestName && path.split('/').length <= 2)
  const found = await Promise.all(
    (await listFolders(folder.folder))
      .filter((place) => existsSync(join(place, unpackedName)))
      .map(async (place) => [place, ...(await listFolders(place))].map((home) => join(home, manifestName))),
  )
  const within = await withinFolders([folder.folder])
  const manifests = [...new Set([...uploaded.map((path) => join(folder.folder, path)), ...found.flat()])]
  const isGiven = await Promise.all(manifests.map(async (file) => (await isFile(file)) && within(file)))
  return manifests.filter((_, at) => isGiven[at])
}

const listFolders = async (place: string): Promise<string[]> =>
  (await readdir(place, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(place, name))

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  )

const look = async (work: Work): Promise<boolean> => {
  const { folder } = work
  if (work.origin.remove !== null) return lookAtRemoval(work)
  const log = new DefectLog(toldDefects)
  await fetchAddress(work, log)
  await takeSums(work)
  const paths = log.hasErrors ? null : await preparePaths(work, log)
  const questions: StoredSurvey['questions'] = []
  const given = await findGivenManifests(work)
  const own = paths === null || given.length > 0 ? null : await recognise(work, paths, true, questions)
  // Data without a genome are of one that is loaded.
  const isAlone = own !== null && own.log.count('import-no-genome') > 0 && (totalsOf(own.log).error ?? 0) === 1
  const added = isAlone && paths !== null ? await findAddition(work, paths, questions) : null
  const report = added?.report ?? own
  const totals = totalsOf(log)
  for (const [severity, count] of Object.entries(report === null ? {} : totalsOf(report.log)))
    totals[severity] = (totals[severity] ?? 0) + count
  const manifests =
    added?.manifests ??
    own?.manifests.map((manifest) => ({ folder: relative(folder.folder, manifest.folder), text: manifest.text })) ??
    (await Promise.all(
      given.map(async (file) => {
        const own = file.slice(0, -manifestName.length - 1)
        const within = relative(folder.folder, own)
        return { folder: within.startsWith('..') ? own : within, text: await readFile(file, 'utf8') }
      }),
    ))
  const accounts = report?.accounts ?? []
  const counts: Record<string, number> = {}
  for (const { state } of accounts) counts[state] = (counts[state] ?? 0) + 1
  const ok = (totals.error ?? 0) === 0
  await folder.write('survey.json', {
    addition: added?.addition ?? null,
    sources: report?.sources ?? [],
    files: accounts.slice(0, toldFiles).map(({ file, what, state, entry, assembly, why }) => ({
      path: file.path,
      format: file.format,
      bytes: file.bytes,
      state,
      what,
      why: why ?? null,
      entry: entry ?? null,
      assembly: assembly ?? null,
    })),
    counts,
    species: await Promise.all(
      (report?.species ?? []).map(async (species) => ({
        id: species.id,
        name: species.name,
        assemblies: await Promise.all(
          species.assemblies.slice(0, 50).map(async (assembly) => ({
            id: assembly.id,
            sequences: assembly.counts?.sequences ?? null,
            totalBp: assembly.counts?.totalBp ?? null,
            first: assembly.counts?.first.slice(0, 30) ?? [],
            genes: assembly.genes[0] === undefined ? [] : await previewGenes(assembly.genes[0]),
          })),
        ),
      })),
    ),
    tables: accounts
      .filter(({ state, entry }) => state === 'taken' && entry !== 'genome' && entry !== 'genes')
      .flatMap(({ file }) => previewTable(file) ?? [])
      .slice(0, toldTables),
    questions,
    manifests: manifests.map((manifest) => ({ ...manifest, edited: false })),
    defects: await describe(folder, [...log.defects, ...(report?.log.defects ?? [])]),
    totals,
    ok: ok && manifests.length > 0,
  })
  return ok
}

const withoutEdits = (change: ManifestChange | null): StoredSurvey['manifests'] =>
  change === null ? [] : [{ folder: change.folder, text: change.text, edited: false }]

/** Which species in service the files are of, and what they add to it. */
const findAddition = async (
  work: Work,
  paths: string[],
  questions: StoredSurvey['questions'],
): Promise<{
  report: AddReport
  addition: StoredSurvey['addition']
  manifests: StoredSurvey['manifests']
} | null> => {
  const { order } = work
  const { sql } = await work.openDatabase()
  const active = await listActiveSpecies(sql)
  if (active.length === 0) return null
  const told = active.find(({ id }) => id === order.answers[homeQuestionId])?.id ?? null
  const own: StoredSurvey['questions'] = []
  const report = await addToSpecies({ ...addOptions(work, paths, own), sql, species: told, dryRun: true, turn: noTurn })
  questions.splice(0, questions.length, ...own)
  const name = (id: string): string => {
    const named = active.find((one) => one.id === id)?.manifest.name ?? id
    // Strains may have been loaded as species of one name.
    return active.filter(({ manifest }) => manifest.name === named).length > 1 ? `${named} (${id})` : named
  }
  questions.unshift({
    id: homeQuestionId,
    text: { en: 'Species to which these data are added', zh: '这些数据所要添加到的物种' },
    choices: active.map(({ id }) => ({ value: id, text: { en: name(id), zh: name(id) } })),
    fallback: report.home ?? told,
    answer: told,
  })
  for (const species of report.species) species.name = name(species.id)
  return {
    report,
    addition: { species: report.home, removes: false, entries: report.added },
    manifests: withoutEdits(report.manifest),
  }
}

const homeQuestionId = 'home'

const addOptions = (
  { folder, order, roots, signal, onProgress }: Work,
  paths: string[],
  questions: StoredSurvey['questions'],
): Omit<AddOptions, 'sql' | 'species' | 'dryRun' | 'turn'> => ({
  paths,
  language: order.language,
  confined: [folder.folder, ...roots],
  ask: askFrom(order, questions),
  signal,
  onProgress,
})

/** What taking an entry out would change. */
const lookAtRemoval = async (work: Work): Promise<boolean> => {
  const { folder, origin } = work
  const { sql } = await work.openDatabase()
  const { species } = origin.remove!
  const entry = nameEntry(origin.remove!)
  const report = await removeFromSpecies({ sql, species, entry, dryRun: true, turn: noTurn })
  const ok = !report.log.hasErrors && report.manifest !== null
  await folder.write('survey.json', {
    addition: { species: report.home, removes: true, entries: report.added },
    sources: [],
    files: [],
    counts: {},
    species: [],
    tables: [],
    questions: [],
    manifests: withoutEdits(report.manifest),
    defects: await describe(folder, report.log.defects),
    totals: totalsOf(report.log),
    ok,
  })
  return ok
}

/** Writes what was added or taken out into the manifest of the species in service, and loads it; what is refused is put back. */
const change = async (work: Work): Promise<boolean> => {
  const { folder, origin, signal, onProgress, config, order } = work
  const survey = await folder.read('survey.json')
  const species = survey?.addition?.species
  if (survey?.ok !== true || species == null) return false
  const database = await work.openDatabase()
  const { sql } = database
  return inAddingTurn({ database, signal, onWaiting: () => onProgress('wait', 0) }, async (turn) => {
    const { remove } = origin
    const earlier = await folder.read('addition.json')
    // Noted before the manifest is another, and without the load of an addition before it.
    const onWrite = (change: ManifestChange): Promise<void> =>
      folder.write('addition.json', { species, change, load: null, settled: false })
    const log = new DefectLog(toldDefects)
    const paths = remove === null ? await preparePaths(work, log) : []
    const report =
      paths === null
        ? null
        : remove === null
          ? await addToSpecies({ ...addOptions(work, paths, []), sql, species, dryRun: false, turn, onWrite })
          : await removeFromSpecies({ sql, species, entry: nameEntry(remove), dryRun: false, turn, onWrite })
    const manifest = report?.manifest ?? null
    if (report === null || report.log.hasErrors || manifest === null || manifest.kept === null) {
      const told = report?.log ?? log
      const defects = await describe(folder, told.defects)
      await folder.write('survey.json', { ...survey, defects, totals: totalsOf(told), ok: false })
      return false
    }
    const note = { species, change: manifest, load: null as number | null }
    await folder.write('survey.json', { ...survey, manifests: withoutEdits(manifest) })
    let isTakenBack = false
    const load = async (): Promise<boolean> => {
      const id = await createLoadRow(
        sql,
        { folder: manifest.folder, host: hostname(), startedBy: order.startedBy },
        signal,
      )
      note.load = id
      await folder.write('addition.json', { ...note, settled: false })
      const { loads } = (await folder.read('loads.json')) ?? { loads: [] }
      await folder.write('loads.json', { loads: [...loads, id], waiting: [], before: loads.length })
      return (await carryOutLoad(config, database, id, signal, onProgress)).ok
    }
    const onTakenBack = (): void => {
      isTakenBack = true
    }
    let isSettled = true
    try {
      return await loadChange({ sql, species, manifest }, load, onTakenBack)
    } catch (error) {
      // Whoever comes next tries again.
      isSettled = !(error instanceof ManifestLeftError)
      throw error
    } finally {
      // What is in service is what undo has to do with: not a change that was put back.
      const settled = isTakenBack && earlier !== null ? earlier : { ...note, settled: isSettled }
      await folder.write('addition.json', settled)
    }
  })
}

const askAgainMs = 1000

/** The row of a load, once no other is on its way. */
const createLoadRow = async (
  sql: Sql,
  load: Parameters<typeof createWaitingLoad>[1],
  signal: AbortSignal,
): Promise<number> => {
  for (;;) {
    const id = await createWaitingLoad(sql, load)
    if (id !== null) return id
    await sleep(askAgainMs, undefined, { signal })
  }
}

/** Fetches the file of an address, once. */
const fetchAddress = async ({ folder, origin, maxBytes, signal, onProgress }: Work, log: DefectLog): Promise<void> => {
  const { address, checksum } = origin
  if (address === null || (await folder.listUploaded()).length > 0) return
  const { freeBytes, totalBytes } = await getDiskSpace(folder.folder)
  try {
    onProgress('download', 0)
    const fetched = await downloadFile({
      address,
      folder: folder.folder,
      maxBytes: Math.min(maxBytes, Math.max(0, freeBytes - reserveOf(totalBytes))),
      checksum,
      signal,
      onProgress: (fraction) => onProgress('download', fraction),
    })
    await folder.noteUploaded('download', { path: fetched.path, bytes: fetched.bytes })
  } catch (error) {
    if (!(error instanceof DownloadRefused)) throw error
    log.report(importDefects, error.code, address, null, error.params)
  }
}

/** SHA-256 of what was uploaded, for whoever compares it with a list; that it arrived as it was sent each piece was compared for. */
const takeSums = async ({ folder, signal, onProgress }: Work): Promise<void> => {
  const files = await folder.listUploaded()
  const before = (await folder.read('sums.json')) ?? {}
  const sums: typeof before = {}
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const { path, bytes } of files) {
    const absolute = join(folder.folder, path)
    const facts = await stat(absolute).catch(() => null)
    const known = before[path]
    // An archive that was unpacked is gone; its sum is kept.
    const isKnown = known !== undefined && (facts === null || known.modified === Math.floor(facts.mtimeMs))
    if (isKnown) sums[path] = known
    else if (facts !== null) {
      onProgress('sums', done / Math.max(1, total))
      const { sha256 } = await getFileChecksum(absolute, { signal })
      sums[path] = { bytes, modified: Math.floor(facts.mtimeMs), sha256 }
    }
    done += bytes
  }
  await folder.write('sums.json', sums)
}

/** What the recognisers are given: archives are unpacked once, below the folder of the import, and then are no longer needed. */
const preparePaths = async (work: Work, log: DefectLog): Promise<string[] | null> => {
  const { folder, origin, signal, onProgress } = work
  const { source } = origin
  const paths: string[] = []
  const unpack = async (archive: string, name: string): Promise<boolean> =>
    unpackArchive({
      archive,
      name,
      into: await findUnpackFolder(folder.folder, name),
      log,
      signal,
      onProgress: (fraction) => onProgress('unpack', fraction),
    })
  const entries = await readdir(folder.folder, { withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile() || entry.name === manifestName) continue
    const absolute = join(folder.folder, entry.name)
    const { format } = await readInputFile(entry.name, absolute)
    if (format === 'compressed') log.report(importDefects, 'import-archive-kind', entry.name, null)
    if (format !== 'archive') continue
    if (!(await unpack(absolute, entry.name))) return null
    await rm(absolute)
  }
  if (source !== null) {
    const isArchive = (await isFile(source)) && (await readInputFile(basename(source), source)).format === 'archive'
    if (isArchive) {
      if (!(await unpack(source, basename(source)))) return null
    } else paths.push(source)
  }
  if (log.hasErrors) return null
  const own = (await readdir(folder.folder)).some((name) => !name.startsWith('.novodb-') && name !== manifestName)
  return own || paths.length === 0 ? [folder.folder, ...paths] : paths
}

/** A folder for the files of an archive: named like it, and of nothing else. */
const findUnpackFolder = async (folder: string, archive: string): Promise<string> => {
  const stem = archive.replace(/(\.tar)?\.[a-z0-9]+$/i, '') || 'archive'
  const into = join(folder, stem)
  const isFree = (await stat(into).catch(() => null)) === null
  return isFree || (await isFile(join(into, unpackedName))) ? into : join(folder, `${stem}-unpacked`)
}

const recognise = (
  { folder, order, roots, signal, onProgress, openDatabase }: Work,
  paths: string[],
  dryRun: boolean,
  questions: StoredSurvey['questions'],
): Promise<ImportReport> => {
  return importSpecies({
    paths,
    into: folder.folder,
    dryRun,
    rewrite: true,
    language: order.language,
    confined: [folder.folder, ...roots],
    ask: askFrom(order, questions),
    listServed: async () => listServedSpecies((await openDatabase()).sql),
    signal,
    onProgress,
  })
}

/** Answers from what a person said on the page, and notes what was asked. */
const askFrom =
  (order: ImportOrder, questions: StoredSurvey['questions']): Ask =>
  async (question) => {
    const answer = answerOf(question, order.answers)
    const { id, text, choices, fallback } = question
    questions.push({ id, text, choices, fallback, answer })
    return answer
  }

const answerOf = (question: Question, answers: Readonly<Record<string, string>>): string | null => {
  const given = answers[question.id]
  return given === undefined || given === '' ? null : readAnswer(given, question)
}

/** Writes the manifests: as the answers have it, and over that what a person has written. */
const write = async (work: Work): Promise<boolean> => {
  const { folder, order } = work
  const survey = await folder.read('survey.json')
  if (survey === null || !survey.ok) return false
  let { manifests } = survey
  if ((await findGivenManifests(work)).length === 0) {
    const log = new DefectLog(toldDefects)
    const paths = await preparePaths(work, log)
    const questions: StoredSurvey['questions'] = []
    const report = paths === null ? null : await recognise(work, paths, false, questions)
    if (report === null || report.log.hasErrors) {
      const defects = await describe(folder, (report?.log ?? log).defects)
      await folder.write('survey.json', { ...survey, defects, totals: totalsOf(report?.log ?? log), ok: false })
      return false
    }
    manifests = report.manifests.map(({ folder: home, text }) => ({
      folder: relative(folder.folder, home),
      text,
      edited: false,
    }))
    survey.questions = questions
  }
  for (const manifest of manifests) {
    const edited = order.manifests.find((one) => one.folder === manifest.folder)
    // That of a folder of the server is not the page's to change.
    if (edited === undefined || edited.text === manifest.text || isAbsolute(manifest.folder)) continue
    manifest.text = edited.text
    manifest.edited = true
    const file = join(folder.folder, manifest.folder, manifestName)
    await writeFile(`${file}.novodb-part`, edited.text)
    await rename(`${file}.novodb-part`, file)
  }
  await folder.write('survey.json', { ...survey, manifests })
  return true
}

const check = async ({ folder, roots, signal, onProgress }: Work): Promise<boolean> => {
  const survey = await folder.read('survey.json')
  const result: StoredCheck = { defects: [], totals: {}, ok: true }
  for (const { folder: home } of survey?.manifests ?? []) {
    const place = isAbsolute(home) ? home : join(folder.folder, home)
    const { log } = await checkSpecies(place, signal, onProgress, { confined: [folder.folder, ...roots] })
    result.defects.push(...(await describe(folder, log.defects)))
    for (const [severity, count] of Object.entries(totalsOf(log)))
      result.totals[severity] = (result.totals[severity] ?? 0) + count
    result.ok &&= !log.hasErrors
  }
  await folder.write('checked.json', { ...result, defects: result.defects.slice(0, toldDefects) })
  return true
}

const totalsOf = (log: DefectLog): Record<string, number> => {
  const totals: Record<string, number> = {}
  for (const { severity, count } of log.totals()) totals[severity] = (totals[severity] ?? 0) + count
  return totals
}

/** Defects of an import in both languages; where its files lie on the server is no matter of the reader's. */
const describe = async (folder: ImportFolder, defects: readonly Defect[]): Promise<StoredCheck['defects']> => {
  const catalogue = await readDefectCatalogue()
  const [only, ...others] = await folder.listUploaded()
  const placeless = placelessIn(folder.folder, only !== undefined && others.length === 0 ? only.path : folder.id)
  return defects.slice(0, toldDefects).map((one) => {
    const defect = archiveInWords(one)
    return {
      severity: defect.severity,
      file: placeless(defect.file),
      line: defect.line,
      text: {
        en: placeless(defectText(defect, catalogue, 'en')),
        zh: placeless(defectText(defect, catalogue, 'zh')),
      },
    }
  })
}

/** The first genes of a file as a reader of gene models has them, of its first lines alone. */
const previewGenes = async (file: InputFile): Promise<StoredSurvey['species'][0]['assemblies'][0]['genes']> => {
  const reader = new GeneModelReader({ file: file.path, log: new DefectLog(0) })
  let bytes = 0
  let isCut = false
  try {
    for await (const piece of readDecompressed(file.absolute)) {
      bytes += piece.length
      isCut = bytes > previewBytes
      // The last line of a piece is cut off.
      reader.push(isCut ? piece.subarray(0, piece.lastIndexOf(10) + 1) : piece)
      if (isCut) break
    }
    const { genes } = reader.finish()
    const whole = (isCut ? genes.slice(0, -1) : genes).filter(({ transcripts }) => transcripts.length > 0)
    return (whole.length > 0 ? whole : genes).slice(0, toldGenes).map((gene) => {
      const [longest] = [...gene.transcripts].sort((a, b) => b.end1 - b.start1 - (a.end1 - a.start1))
      const spans = (parts: readonly { start1: number; end1: number }[]) =>
        parts.map(({ start1, end1 }) => ({ start: start1, end: end1 }))
      return {
        id: gene.id,
        symbol: gene.symbol,
        sequence: gene.sequenceName,
        start: gene.start1,
        end: gene.end1,
        strand: gene.strand === '+' || gene.strand === '-' ? gene.strand : '.',
        exons: longest === undefined ? [{ start: gene.start1, end: gene.end1 }] : spans(longest.exons),
        cds: longest === undefined ? [] : spans(longest.cds),
      }
    })
  } catch {
    // What is wrong with the file is told by whoever loads it.
    return []
  }
}

const tableFormats: ReadonlySet<InputFile['format']> = new Set(['table', 'vcf', 'bed', 'bedgraph', 'gff3'])

/** The first rows of a table; null of what is none. */
const previewTable = ({ path, lines, format }: InputFile): StoredSurvey['tables'][0] | null => {
  if (!tableFormats.has(format)) return null
  const told = lines.filter((line) => line !== '' && !line.startsWith('##')).slice(0, toldRows)
  for (const separator of ['\t', ',']) {
    const rows = told.map((line) => line.split(separator))
    if (rows.length < 2 || rows.some((cells) => cells.length < 2)) continue
    return {
      path,
      rows: rows.map((cells) =>
        cells.slice(0, toldColumns).map((cell) => (cell.length > 40 ? `${cell.slice(0, 40)}…` : cell)),
      ),
    }
  }
  return null
}
