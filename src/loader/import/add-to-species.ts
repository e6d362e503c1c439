import { constants } from 'node:fs'
import { access, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { type Document, isMap, isSeq, parseDocument, visit, type YAMLSeq } from 'yaml'
import { indexSequenceNames } from '../../bio/sequence/chromosome-order.ts'
import { type DefectLanguage, DefectLog } from '../../bio/text/defects.ts'
import { renderCanonicalJson } from '../../contracts/canonical-json.ts'
import { type ActiveSpecies, findLoadFolder, listActiveSpecies } from '../../database/catalogue.ts'
import type { Sql } from '../../database/connect.ts'
import { streamGeneRows } from '../../database/genes.ts'
import { listSequenceRows } from '../../database/sequences.ts'
import { GeneNames, namesOfGene } from '../../kit/data/genes/gene-names.ts'
import { findLoaders, readManifest } from '../manifest.ts'
import type { AddingTurn } from './adding-turn.ts'
import { type Ask, type LoadedAssembly, type Question, type SpeciesPlan, withOwnId } from './compose.ts'
import { importDefects } from './import-defects.ts'
import {
  findKinds,
  type ImportOptions,
  type ImportReport,
  manifestName,
  readGiven,
  recognise,
} from './import-species.ts'
import type { InputFolder, Text } from './recogniser.ts'
import { marksOf, maxFlowWidth, oneOrList, pathFrom, withPaths } from './write-manifest.ts'

export interface AddOptions extends Omit<ImportOptions, 'rewrite'> {
  sql: Sql
  /** The species that is added to; null for the one that the files fit. */
  species: string | null
  /** Taken before anything is written, and held until what was written is loaded. */
  turn: AddingTurn
  /** Hears of the change before the manifest is another: whoever is cut off after that finds what to put back. */
  onWrite?: OnWrite
}

type OnWrite = (change: ManifestChange) => Promise<void>

/** An entry of species.yaml that was added, or taken out. */
export interface AddedEntry {
  /** Null of an entry of the species. */
  assembly: string | null
  entry: string
  /** Of an item of a list. */
  id: string | null
  /** It took the place of another value: gene models. */
  replaces: boolean
}

export interface AddReport extends Omit<ImportReport, 'manifests'> {
  /** What is added to; null where that is none, or several. */
  home: string | null
  added: AddedEntry[]
  /** The manifest before and after; `folder` is loaded next. Null where nothing is to be loaded. */
  manifest: ManifestChange | null
}

export interface ManifestChange {
  folder: string
  file: string
  before: string
  text: string
  /** Where the manifest of before lies; null while nothing is written. */
  kept: string | null
}

/** The manifest of a species that is loaded, as it stands in its folder now. */
interface Home {
  folder: string
  /** Where it was loaded last; names of containers change with each start. */
  host: string
  text: string
  document: Document
}

/**
 * Looks at files and says what they add to a species that is loaded; without `dryRun` it is written into its species.yaml, which is then
 * to be loaded: what has not changed is taken from what is in service. Nothing is written where something is wrong.
 */
export const addToSpecies = async (options: AddOptions): Promise<AddReport> => {
  const answers = new Map<string, string | null>()
  const ask: Ask = async (question) => {
    const known = answers.get(question.id)
    if (known !== undefined) return known
    const answer = await options.ask(question)
    answers.set(question.id, answer)
    return answer
  }
  const report = await addOnce({ ...options, ask })
  // Another addition was written and loaded before this one had its turn: what is added is found anew, beside that.
  return report.log.count('import-add-manifest-busy') > 0 ? addOnce({ ...options, ask }) : report
}

const addOnce = async (options: AddOptions): Promise<AddReport> => {
  const log = new DefectLog(200)
  const report: AddReport = {
    sources: [],
    accounts: [],
    species: [],
    open: [],
    log,
    home: null,
    added: [],
    manifest: null,
  }
  const active = await listActiveSpecies(options.sql)
  const candidates = options.species === null ? active : active.filter(({ id }) => id === options.species)
  if (active.length === 0 && options.species === null) {
    // Nothing is loaded that data without a genome could be of.
    log.report(importDefects, 'import-no-genome', options.paths.join(', '), null)
    return report
  }
  if (candidates.length === 0) {
    const known = active.map(({ id }) => id).join(', ') || '–'
    log.report(importDefects, 'import-add-unknown-species', options.species ?? '', null, { known })
    return report
  }
  const homes = new Map<string, Promise<Home | null>>()
  const homeOf = (species: ActiveSpecies): Promise<Home | null> => {
    const found = homes.get(species.id) ?? openHome(options.sql, species, log)
    homes.set(species.id, found)
    return found
  }
  const kinds = await findKinds(options.paths, log)
  if (log.hasErrors) return report
  const archive = options.paths.find((path) => kinds.get(path) === 'archive')
  const temporary = options.dryRun ? await mkdtemp(join(tmpdir(), 'novodb-import-')) : null
  try {
    const place = temporary ?? options.into ?? (archive === undefined ? '' : besideArchive(archive))
    const files = await readGiven(options, kinds, place, log)
    if (files === null) return report
    const loaded: LoadedAssembly[] = []
    for (const species of candidates)
      for (const bundle of species.bundles)
        if (bundle.assembly !== null) {
          const { assembly } = bundle
          loaded.push({
            id: assembly,
            species: species.id,
            names: indexSequenceNames(await listSequenceRows(options.sql, bundle.bundle)),
            genes: await readGeneNames(options.sql, bundle.bundle),
            readEntry: async () => {
              const home = await homeOf(species)
              const own = (home?.document.toJS() as { assemblies?: { id?: unknown }[] } | undefined)?.assemblies
              return (own?.find(({ id }) => id === assembly) ?? {}) as Record<string, unknown>
            },
          })
        }
    await recognise(files, options, report, basename(place) || 'import', loaded)
    const [plan] = report.species
    if (plan === undefined) {
      if (!log.hasErrors) log.report(importDefects, 'import-add-nothing', options.paths.join(', '), null)
      return report
    }
    report.home = plan.id
    const species = candidates.find(({ id }) => id === plan.id)!
    const home = await homeOf(species)
    if (home === null || log.hasErrors) return report
    await warnOfChanges(home, species, log)
    if (log.hasErrors) return report
    if (options.species === null && !options.dryRun) {
      // Found by what the files say: whoever gave no name is asked before anything in service is changed.
      const question = homeQuestion(plan.id)
      const answer = await options.ask(question)
      if (answer === 'no') return report
      if (answer === null) report.open.push(question)
    }
    for (const { id } of plan.assemblies)
      if (findAssembly(home.document, id) === null)
        log.report(importDefects, 'import-add-assembly-gone', join(home.folder, manifestName), null, {
          assembly: id,
          folder: home.folder,
        })
    if (log.hasErrors) return report
    report.added = amend(home, plan, options.language)
    // What nobody answered is not put into the manifest of what is in service.
    const isTold = options.dryRun || report.open.length > 0
    if (!isTold) await options.turn.take()
    report.manifest = await writeChange(home, isTold, log, options.onWrite)
    return report
  } finally {
    if (temporary !== null) await rm(temporary, { recursive: true, force: true })
  }
}

const homeQuestion = (species: string): Question => ({
  id: 'home',
  text: { en: `Add these data to ${species}, and load it?`, zh: `将这些数据添加到 ${species} 并加载？` },
  choices: [
    { value: 'yes', text: { en: 'yes', zh: '是' } },
    { value: 'no', text: { en: 'no', zh: '否' } },
  ],
  fallback: 'yes',
})

const besideArchive = (path: string): string =>
  join(dirname(resolve(path)), basename(path).replace(/(\.tar)?\.[a-z0-9]+$/i, ''))

/** Takes an entry out of species.yaml again, named as `assembly/entry/id`, `assembly/entry` or `entry/id`. */
export const removeFromSpecies = async (options: {
  sql: Sql
  species: string
  entry: string
  dryRun: boolean
  turn: AddingTurn
  onWrite?: OnWrite
}): Promise<Pick<AddReport, 'log' | 'home' | 'added' | 'manifest'>> => {
  const log = new DefectLog(200)
  const nothing = { log, home: null, added: [], manifest: null }
  const active = await listActiveSpecies(options.sql)
  const species = active.find(({ id }) => id === options.species)
  if (species === undefined) {
    const known = active.map(({ id }) => id).join(', ') || '–'
    log.report(importDefects, 'import-add-unknown-species', options.species, null, { known })
    return nothing
  }
  if (!options.dryRun) await options.turn.take()
  const home = await openHome(options.sql, species, log)
  if (home === null) return nothing
  const parts = options.entry.split('/')
  const at = findAssembly(home.document, parts[0]!)
  const [entry, ...rest] = at === null ? parts : parts.slice(1)
  const id = rest.join('/')
  const path = findList(home.document, [...(at ?? [])], entry ?? '', id)
  const owned = home.document.getIn(path)
  const position = findItem(owned, id)
  // A genome and what an assembly is called are no data of it.
  const isWhole = rest.length === 0 && owned !== undefined && !fixed.has(entry!)
  if (!isWhole && position < 0) {
    const example = `${species.bundles.find(({ assembly }) => assembly !== null)?.assembly ?? 'ASSEMBLY'}/expression/ID`
    log.report(importDefects, 'import-add-entry-unknown', options.entry, null, { example })
    return nothing
  }
  await warnOfChanges(home, species, log)
  if (log.hasErrors) return nothing
  const isLast = isSeq(owned) && owned.items.length === 1
  home.document.deleteIn(isWhole || isLast ? path : [...path, position])
  const removed: AddedEntry = {
    assembly: at === null ? null : parts[0]!,
    entry: entry!,
    id: id || null,
    replaces: false,
  }
  return {
    log,
    home: species.id,
    added: [removed],
    manifest: await writeChange(home, options.dryRun, log, options.onWrite),
  }
}

/** Place of an item of a list by its id, or by its file where it has none; -1 where there is none. */
const findItem = (list: unknown, id: string): number =>
  isSeq(list) ? (list.toJSON() as unknown[]).findIndex((item) => nameOf(item) === id) : -1

/** Where the list of an entry stands: `expression.differential` is one of an item of `expression`, the one that has the id. */
const findList = (document: Document, owner: (string | number)[], entry: string, id: string): (string | number)[] => {
  const [outer, inner] = entry.split('.')
  if (inner === undefined) return [...owner, entry]
  const items = document.getIn([...owner, outer!])
  const at = isSeq(items) ? items.items.findIndex((item) => isMap(item) && findItem(item.get(inner), id) >= 0) : -1
  return [...owner, outer!, at, inner]
}

/** Entries of a species that can be taken out, as its species.yaml has them now. */
export const listEntries = async (
  sql: Sql,
  species: string,
): Promise<{ folder: string; entries: Omit<AddedEntry, 'replaces'>[] } | null> => {
  const found = await findLoadFolder(sql, species)
  const text = found === null ? null : await readFile(join(found.folder, manifestName), 'utf8').catch(() => null)
  if (text === null) return null
  const data = new Set(['annotation', 'ontologies'])
  for (const { loader } of await findLoaders()) if (loader.entry !== null) data.add(loader.entry)
  const entriesOf = (owner: object, assembly: string | null): Omit<AddedEntry, 'replaces'>[] =>
    Object.entries(owner)
      .filter(([entry]) => data.has(entry))
      .flatMap(([entry, value]: [string, unknown]) =>
        Array.isArray(value)
          ? // What has no name of its own can be taken out with the others alone.
            [...new Set(value.map((item) => nameOf(item)))].map((id) => ({ assembly, entry, id }))
          : [{ assembly, entry, id: null }],
      )
  const whole = (parseDocument(text).toJS({ maxAliasCount: 100 }) ?? {}) as { assemblies?: { id?: unknown }[] }
  const own = (whole.assemblies ?? []).flatMap((one) => entriesOf(one, String(one.id)))
  return { folder: found!.folder, entries: [...own, ...entriesOf(whole, null)] }
}

const fixed = new Set(['novodb', 'species', 'name', 'assemblies', 'id', 'genome'])

/**
 * Puts the manifest of before back, as after a load that was refused: the folder then says again what is in service. False where somebody
 * else has changed it meanwhile, whose entries stay.
 */
export const takeBack = async ({ file, before, kept, text }: ManifestChange): Promise<boolean> => {
  if (kept === null) return false
  const present = await readFile(file, 'utf8')
  // It was put back already, by one that was cut off after that.
  if (present === before) return true
  if (present !== text) return false
  await replaceFile(file, before)
  await rm(kept, { force: true })
  return true
}

/** Makes the change again that was taken back, where what it was taken back for cannot be done. */
export const redoChange = async ({ file, before, kept, text }: ManifestChange): Promise<void> => {
  if (kept === null || (await readFile(file, 'utf8')) !== before) return
  await writeFile(kept, before, { mode: (await stat(file)).mode })
  await replaceFile(file, text)
}

const replaceFile = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.novodb-part`, text, { mode: (await stat(file)).mode })
  await rename(`${file}.novodb-part`, file)
}

const readGeneNames = async (sql: Sql, bundle: number): Promise<GeneNames> => {
  const names = new GeneNames()
  for await (const rows of streamGeneRows(sql, bundle)) for (const row of rows) names.add(row.id, namesOfGene(row))
  return names
}

const openHome = async (sql: Sql, species: ActiveSpecies, log: DefectLog): Promise<Home | null> => {
  const found = await findLoadFolder(sql, species.id)
  const file = join(found?.folder ?? '', manifestName)
  const text = found === null ? null : await readFile(file, 'utf8').catch(() => null)
  if (text === null) {
    log.report(importDefects, 'import-add-folder-gone', species.id, null, {
      species: species.id,
      folder: found?.folder ?? '–',
      host: found?.host ?? '–',
    })
    return null
  }
  const folder = found!.folder
  for (const path of [folder, file]) {
    const reason = await access(path, constants.W_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code ?? String(error),
    )
    if (reason === null) continue
    log.report(importDefects, 'import-add-folder-unwritable', path, null, { species: species.id, reason })
    return null
  }
  return { folder, host: found!.host, text, document: parseDocument(text) }
}

/** Whoever edited the manifest since means it, and is told that it comes along. */
const warnOfChanges = async ({ folder, host }: Home, species: ActiveSpecies, log: DefectLog): Promise<void> => {
  const own = new DefectLog()
  const manifest = await readManifest(folder, await findLoaders(), own)
  if (manifest !== null && renderCanonicalJson(manifest) === renderCanonicalJson(species.manifest)) return
  const file = join(folder, manifestName)
  // A folder of that path on another host that says something else is not the one that was loaded.
  if (host === hostname()) log.report(importDefects, 'import-add-manifest-changed', file, null)
  else log.report(importDefects, 'import-add-other-host', file, null, { species: species.id, host })
}

const findAssembly = (document: Document, id: string): ['assemblies', number] | null => {
  const assemblies = document.get('assemblies')
  if (!isSeq(assemblies)) return null
  const position = assemblies.items.findIndex((item) => isMap(item) && item.get('id') === id)
  return position < 0 ? null : ['assemblies', position]
}

/** Writes what a plan adds into the document, and leaves the rest as a person wrote it. */
const amend = ({ document, folder }: Home, plan: SpeciesPlan, language: DefectLanguage): AddedEntry[] => {
  const added: AddedEntry[] = []
  const pathOf: (place: InputFolder) => string = pathFrom(folder)
  const note = (value: unknown, remark: Text | undefined) => {
    const node = document.createNode(withPaths(value, pathOf))
    visit(node, {
      Map: (_, map) => {
        if (JSON.stringify(map.toJSON()).length < maxFlowWidth) map.flow = true
      },
      Seq: (_, list) => {
        if (list.items.every((item) => !isMap(item)) && JSON.stringify(list.toJSON()).length < maxFlowWidth)
          list.flow = true
      },
    })
    if (remark !== undefined) node.commentBefore = marksOf(remark, language)
    return node
  }
  const add = (owner: (string | number)[], assembly: string | null, at: string, key: string, value: unknown): void => {
    const path = [...owner, key]
    const present = document.getIn(path)
    const remarkOf = (item: unknown): Text | undefined =>
      plan.remarks.get(`${at}${key}${idOf(item) === null ? '' : `.${idOf(item)}`}`)
    if (!Array.isArray(value)) {
      if (present !== undefined) return
      document.setIn(path, note(value, remarkOf(value)))
      added.push({ assembly, entry: key, id: null, replaces: false })
      return
    }
    const before = isSeq(present) ? ((present as YAMLSeq).toJSON() as unknown[]) : []
    for (const [number, item] of value.entries()) {
      if (number < before.length) {
        // An item of before may have got further ones: comparisons of a data set.
        for (const [inner, list] of Object.entries((item ?? {}) as Record<string, unknown>))
          if (Array.isArray(list)) {
            const held = ((before[number] as Record<string, unknown>)[inner] as unknown[] | undefined) ?? []
            for (const one of list.slice(held.length)) {
              addItem([...path, number, inner], note(one, undefined))
              added.push({ assembly, entry: `${key}.${inner}`, id: nameOf(withPaths(one, pathOf)), replaces: false })
            }
          }
        continue
      }
      addItem(path, note(item, remarkOf(item)))
      added.push({ assembly, entry: key, id: nameOf(withPaths(item, pathOf)), replaces: false })
    }
  }
  const addItem = (path: (string | number)[], node: ReturnType<typeof note>): void => {
    if (isSeq(document.getIn(path))) document.addIn(path, node)
    else document.setIn(path, document.createNode([node]))
  }
  for (const assembly of plan.assemblies) {
    const owner = findAssembly(document, assembly.id)!
    for (const [key, value] of [
      ['genes', assembly.genes.length === 0 ? null : oneOrList(assembly.genes.map(pathOf))],
      ['proteins', assembly.proteins === null ? null : pathOf(assembly.proteins)],
    ] as const) {
      const before = document.getIn([...owner, key])
      if (value === null) {
        // Proteins of other gene models are none of these.
        if (key === 'proteins' && assembly.genes.length > 0) document.deleteIn([...owner, key])
        continue
      }
      document.setIn([...owner, key], document.createNode(value))
      added.push({ assembly: assembly.id, entry: key, id: null, replaces: before !== undefined })
    }
    for (const [key, value] of assembly.entries)
      if (!fixed.has(key)) add(owner, assembly.id, `assemblies.${assembly.id}.`, key, value)
  }
  for (const [key, value] of plan.entries) {
    const present = document.getIn([key])
    const items = isSeq(present) ? ((present as YAMLSeq).toJSON() as unknown[]) : []
    if (!Array.isArray(value)) add([], null, '', key, value)
    else {
      const all = [...items]
      for (const item of value) all.push(withOwnId(item, all))
      add([], null, '', key, all)
    }
  }
  return added
}

/** By what an item of a list is named: its id, else its file, else itself. */
const nameOf = (item: unknown): string | null => {
  if (typeof item === 'string') return item
  if (item === null || typeof item !== 'object') return null
  const { id, file } = item as { id?: unknown; file?: unknown }
  return id !== undefined ? String(id) : typeof file === 'string' ? file : null
}

const idOf = (item: unknown): string | null =>
  item !== null && typeof item === 'object' && 'id' in item ? String(item.id) : null

/** Writes the amended manifest; the one of before is put aside, as `import --rewrite` does. */
const writeChange = async (
  home: Home,
  dryRun: boolean,
  log: DefectLog,
  onWrite?: OnWrite,
): Promise<ManifestChange | null> => {
  const file = join(home.folder, manifestName)
  const text = home.document.toString({ lineWidth: 0, flowCollectionPadding: true })
  const change = { folder: home.folder, file, before: home.text, text, kept: null }
  if (dryRun || log.hasErrors) return change
  const kept = `${file}.${new Date().toISOString().replaceAll(':', '')}`
  const mode = (await stat(file)).mode
  await writeFile(`${file}.novodb-part`, text, { mode })
  // Another addition may have been written since this one was begun; its entries are not overwritten.
  if ((await readFile(file, 'utf8')) !== home.text) {
    await rm(`${file}.novodb-part`, { force: true })
    log.report(importDefects, 'import-add-manifest-busy', file, null)
    return change
  }
  await writeFile(kept, home.text, { mode })
  await onWrite?.({ ...change, kept })
  await rename(`${file}.novodb-part`, file)
  return { ...change, kept }
}
