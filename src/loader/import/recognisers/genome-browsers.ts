import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { DefectLog } from '../../../bio/text/defects.ts'
import { readTextLines } from '../../text-file.ts'
import { collinear, positions } from '../entries.ts'
import { importDefects } from '../import-defects.ts'
import { type AssemblyFacts, defineRecogniser, type Finding, type InputFile, type Text } from '../recogniser.ts'
import { fileTexts } from '../texts.ts'

/** A track as a genome browser describes it: what readers call it, and where it lies. */
interface Described {
  id: string
  name: string
  /** Null where it names no file that is read here; `kind` says what it names. */
  uri: string | null
  kind: string
  category?: string
  description?: string
  /** Names of the assemblies that it lies on, or compares: the query first. */
  assemblies?: string[]
}

const maxConfigBytes = 16 * 2 ** 20

const texts = {
  config: { en: 'configuration of JBrowse 2', zh: 'JBrowse 2 配置' },
  aliases: { en: 'other names of the sequences', zh: '序列别名表' },
  program: { en: 'JBrowse 2 itself', zh: 'JBrowse 2 程序文件' },
  hub: { en: 'track hub of UCSC', zh: 'UCSC track hub' },
} satisfies Record<string, Text>

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => value !== null && typeof value === 'object'
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
/** Names of tracks may have elements of HTML: what a reader sees of them. */
const plainOf = (value: unknown): string | undefined => textOf(value)?.replace(/<\/?[a-z][^<>]*>/gi, '')
/** `{ uri }`, `{ localPath }` (JBrowse desktop), or the address itself. */
const placeOf = (value: unknown): string | undefined =>
  isFields(value) ? (textOf(value.uri) ?? textOf(value.localPath)) : textOf(value)

/** Where the data of an adapter lie: `bamLocation: { uri }`, or `uri` itself; not its indexes. */
const addressOf = (adapter: Fields): string | null => {
  const place = Object.entries(adapter).find(
    ([key]) =>
      /(^l|L)ocation$/.test(key) && !/^(index|fai|gzi|crai|bai|csi|tbi|names|chromSizes|bed[12])Location$/i.test(key),
  )
  return textOf(adapter.uri) ?? placeOf(place?.[1]) ?? null
}

/** The adapters of a track that has several in one, as a signal of several samples. */
const partsOf = (adapter: Fields): Fields[] => {
  const { subadapters, bigWigs, subadapter } = adapter
  if (Array.isArray(subadapters)) return subadapters.filter(isFields)
  if (Array.isArray(bigWigs))
    return bigWigs.flatMap((uri) => placeOf(uri) ?? []).map((uri) => ({ type: 'BigWigAdapter', uri }))
  return isFields(subadapter) ? [subadapter] : [adapter]
}

/** A genome of a config.json: its sequences, and where other names of these are. */
interface ConfiguredGenome {
  name: string
  displayName?: string
  uri: string | null
  aliasesUri: string | null
  aliases: string[][]
}

const namesOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? [])

/** Genomes of a config.json (`assemblies`, or the `assembly` of one). */
export const readJbrowseGenomes = (text: string): ConfiguredGenome[] => {
  const config = parseConfig(text)
  if (config === null) return []
  const { assemblies, assembly } = config
  return (Array.isArray(assemblies) ? assemblies : [assembly]).filter(isFields).flatMap((own) => {
    const name = textOf(own.name)
    if (name === undefined) return []
    const adapterOf = (value: unknown): Fields => (isFields(value) && isFields(value.adapter) ? value.adapter : {})
    const aliases = adapterOf(own.refNameAliases)
    const displayName = textOf(own.displayName)
    return [
      {
        name,
        ...(displayName === undefined ? {} : { displayName }),
        uri: addressOf(adapterOf(own.sequence)),
        aliasesUri: addressOf(aliases),
        aliases: (Array.isArray(aliases.features) ? aliases.features : [])
          .filter(isFields)
          .flatMap((one) =>
            textOf(one.refName) === undefined ? [] : [[textOf(one.refName)!, ...namesOf(one.aliases)]],
          ),
      },
    ]
  })
}

const parseConfig = (text: string): Fields | null => {
  try {
    const config: unknown = JSON.parse(text)
    return isFields(config) ? config : null
  } catch {
    return null
  }
}

/** Tracks of a config.json; null when it is another file of that name. */
export const readJbrowseConfig = (text: string): Described[] | null => {
  const { tracks, assemblies, assembly } = parseConfig(text) ?? {}
  if (!Array.isArray(tracks) || !(Array.isArray(assemblies) || isFields(assembly))) return null
  return tracks.filter(isFields).flatMap((track) => {
    const id = textOf(track.trackId)
    if (id === undefined) return []
    const name = plainOf(track.name) ?? id
    const category = Array.isArray(track.category) ? textOf(track.category.at(-1)) : undefined
    const description = plainOf(track.description)
    const parts = isFields(track.adapter) ? partsOf(track.adapter) : []
    const own = isFields(track.adapter) ? track.adapter : {}
    const pair = [own.queryAssembly, own.targetAssembly].flatMap(namesOf)
    const on = [pair, namesOf(own.assemblyNames), namesOf(track.assemblyNames)].find((names) => names.length > 0)
    if (parts.length === 0) return [{ id, name, uri: null, kind: textOf(track.type) ?? 'track' }]
    return parts.map((part, number) => {
      const own = textOf(part.name) ?? textOf(part.source)
      const several = parts.length > 1
      return {
        id: several ? `${id}-${number + 1}` : id,
        name: several ? `${name}, ${own ?? number + 1}` : name,
        uri: addressOf(part),
        kind: textOf(part.type) ?? 'adapter',
        ...(category === undefined ? {} : { category }),
        ...(description === undefined ? {} : { description }),
        ...(on === undefined ? {} : { assemblies: on }),
      }
    })
  })
}

/** Stanzas of a hub's text: `key value` lines, parted by empty ones; continued lines end in a backslash. */
const readStanzas = (text: string): Map<string, string>[] =>
  text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n\s*\r?\n/)
    .map(
      (stanza) =>
        new Map(
          stanza
            .split(/\r?\n/)
            .map((line) => /^([A-Za-z]\w*)\s+(.+)$/.exec(line.trim()))
            .flatMap((match) => (match ? [[match[1]!, match[2]!] as const] : [])),
        ),
    )

/**
 * Tracks of a trackDb.txt, or of a hub in one file (`useOneFile on`). Tracks within others (superTrack, compositeTrack, view, multiWig)
 * have the outermost of these as their category.
 */
export const readTrackDb = (text: string): Described[] => {
  const stanzas = readStanzas(text).filter((stanza) => stanza.has('track'))
  const byId = new Map(stanzas.map((stanza) => [stanza.get('track')!, stanza]))
  const parentOf = (stanza: Map<string, string>): Map<string, string> | undefined => {
    // Behind the name stands whether it is shown at first; a superTrack names its own as a parent too (`superTrack Name show`).
    const superTrack = stanza.get('superTrack')
    const [parent] = (stanza.get('parent') ?? stanza.get('subTrack') ?? superTrack ?? '').split(/\s+/)
    return parent === undefined ? undefined : byId.get(parent)
  }
  const outermost = (stanza: Map<string, string>): Map<string, string> | null => {
    let found: Map<string, string> | null = null
    const seen = new Set([stanza])
    for (let next = parentOf(stanza); next !== undefined && !seen.has(next); next = parentOf(next)) {
      seen.add(next)
      found = next
    }
    return found
  }
  return stanzas.flatMap((stanza) => {
    const id = stanza.get('track')!
    const uri = stanza.get('bigDataUrl')
    if (uri === undefined) return []
    const name = stanza.get('shortLabel') ?? id
    const category = outermost(stanza)?.get('shortLabel')
    const description = stanza.get('longLabel')
    return [
      {
        id,
        name,
        uri,
        kind: stanza.get('type')?.split(/\s+/)[0] ?? 'track',
        ...(category === undefined ? {} : { category }),
        ...(description === undefined || description === name ? {} : { description }),
      },
    ]
  })
}

interface HubGenome {
  id: string
  twoBitPath: string
  organism?: string
}

/** Genomes that a hub brings itself (an assembly hub), of its genomes.txt or of a hub in one file. */
export const readHubGenomes = (text: string): HubGenome[] =>
  readStanzas(text).flatMap((stanza) => {
    const id = stanza.get('genome')
    const twoBitPath = stanza.get('twoBitPath')
    if (id === undefined || twoBitPath === undefined) return []
    const organism = stanza.get('scientificName')
    return [{ id, twoBitPath, ...(organism === undefined ? {} : { organism }) }]
  })

/** Genus and species at the head of what a genome is called. */
const binomial = /^[A-Z][a-z]+ [a-z]{3,}(?![a-z])/

/** A web application as its builder lays it out. */
const partOfProgram =
  /^(static\/(js|css|media)\/.+|index\.html|asset-manifest\.json|manifest\.json|favicon\.ico|robots\.txt|version\.txt|umd_plugin\.js)$/

/** Unplaced sequences beyond these are found by their own names only. */
const maxAliasRows = 200_000

/** UCSC's tables of the names that archives give each sequence; those of JBrowse are told by its configuration. */
const isAliasTable = ({ name, format, lines }: InputFile): boolean =>
  (format === 'table' || format === 'text') &&
  /chromAlias\S*\.(txt|tsv|tab)(\.gz)?$/i.test(name) &&
  lines.some((line) => line.includes('\t'))

const isElsewhere = (uri: string): boolean => /^([a-z][a-z0-9+.-]*:)?\/\//i.test(uri)

const decoded = (uri: string): string => {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

const hubLine = /^\s*(bigDataUrl|genomesFile|twoBitPath|trackDb|hub|superTrack|compositeTrack)\s+\S/

/** JBrowse 2 and UCSC track hubs: their tracks, where the files are among those that were given, by the names that readers know. */
export default defineRecogniser({
  id: 'genome-browsers',
  title: { en: 'Tracks of a genome browser', zh: '基因组浏览器的轨道' },
  order: 300,
  recognise: async (files, { all, each, log, signal }) => {
    const findings: Finding[] = []
    const facts = new Map<string, AssemblyFacts>()
    const homes = new Map<InputFile, string>()
    const byPath = new Map(all.map((file) => [file.path, file]))
    const free = new Set(files)
    const fileAt = (config: InputFile, uri: string): InputFile | undefined => {
      const at = (path: string): InputFile | undefined => byPath.get(posix.normalize(posix.join(config.folder, path)))
      return at(uri) ?? at(decoded(uri))
    }
    const take = (
      config: InputFile,
      tracks: readonly Described[],
      groups: ReadonlyMap<string, string> = new Map(),
    ): void => {
      const left: Record<'import-tracks-elsewhere' | 'import-tracks-missing' | 'import-tracks-unread', string[]> = {
        'import-tracks-elsewhere': [],
        'import-tracks-missing': [],
        'import-tracks-unread': [],
      }
      for (const { id, name, uri, kind, category, description, assemblies = [] } of tracks) {
        const file = uri === null ? undefined : fileAt(config, uri)
        if (uri === null) left['import-tracks-unread'].push(`${name} (${kind})`)
        else if (isElsewhere(uri)) left['import-tracks-elsewhere'].push(name)
        else if (file === undefined) left['import-tracks-missing'].push(uri)
        const on = assemblies.map((one) => groups.get(one))
        if (file !== undefined && on[0] !== undefined) homes.set(file, on[0])
        // Genes and genomes are recognised as such.
        if (
          file === undefined ||
          !free.has(file) ||
          (file.format === 'gff3' && /\t(gene|CDS)\t/.test(file.lines.join('\n')))
        )
          continue
        if (file.format === 'paf') {
          free.delete(file)
          const [query, target] = on
          findings.push(collinear(file, query === undefined || target === undefined ? undefined : [query, target]))
          continue
        }
        const more = { id, name, ...(description === undefined ? {} : { description }) }
        const finding = positions(file, category === undefined ? more : { ...more, category })
        if (finding === null) continue
        free.delete(file)
        const [group] = on
        findings.push(group === undefined || finding.take !== 'entry' ? finding : { ...finding, group })
      }
      for (const code of Object.keys(left) as (keyof typeof left)[]) {
        const names = left[code]
        if (names.length > 0)
          log.report(importDefects, code, config.path, null, {
            count: names.length,
            total: tracks.length,
            names: `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`,
          })
      }
    }
    const takeGenomes = (config: InputFile, genomes: readonly HubGenome[]): void => {
      for (const { id, twoBitPath, organism } of genomes) {
        const file = fileAt(config, twoBitPath)
        if (file === undefined || !free.has(file) || file.format !== 'twobit') continue
        free.delete(file)
        findings.push({ file, what: fileTexts.genome, take: 'genome', group: `hub ${id}` })
        facts.set(`hub ${id}`, { id, ...(organism === undefined ? {} : { organism }) })
      }
    }
    /** Genomes of a configuration that are among the files; of each name the group. */
    const takeConfigured = async (
      config: InputFile,
      genomes: readonly ConfiguredGenome[],
    ): Promise<Map<string, string>> => {
      const groups = new Map<string, string>()
      for (const { name, displayName, uri, aliasesUri, aliases } of genomes) {
        const file = uri === null ? undefined : fileAt(config, uri)
        if (file === undefined || (file.format !== 'twobit' && file.format !== 'fasta-dna')) continue
        const group = `jbrowse ${file.path}`
        groups.set(name, group)
        // Another configuration, or another name in this one, may have brought it.
        if (!free.has(file)) continue
        free.delete(file)
        findings.push({ file, what: fileTexts.genome, take: 'genome', group })
        facts.set(group, {
          id: name,
          ...(displayName === undefined ? {} : { name: displayName }),
          ...(displayName !== undefined && binomial.test(displayName) ? { organism: displayName } : {}),
        })
        if (aliases.length > 0)
          findings.push({ file: config, what: texts.config, take: 'aliases', group, rows: aliases })
        const table = aliasesUri === null ? undefined : fileAt(config, aliasesUri)
        if (table === undefined || !free.has(table)) continue
        free.delete(table)
        findings.push({ file: table, what: texts.aliases, take: 'aliases', group, rows: await readRows(table) })
      }
      return groups
    }
    const readRows = async (file: InputFile): Promise<string[][]> => {
      const rows: string[][] = []
      // What is wrong with it is told where it is missed: names that are of no sequence.
      await readTextLines(
        file.absolute,
        file.path,
        new DefectLog(0),
        (line) => {
          if (rows.length < maxAliasRows && line.trim() !== '' && !line.startsWith('#'))
            rows.push(line.split('\t').map((cell) => cell.trim()))
        },
        signal,
      )
      return rows
    }
    for await (const file of each(files)) {
      if (file.bytes > maxConfigBytes) continue
      if (isAliasTable(file)) {
        free.delete(file)
        findings.push({ file, what: texts.aliases, take: 'aliases', group: null, rows: await readRows(file) })
      }
    }
    for await (const file of each(files)) {
      if (file.bytes > maxConfigBytes) continue
      if (file.format === 'json' && /config.*\.json$/i.test(file.name)) {
        const text = await readFile(file.absolute, 'utf8')
        const tracks = readJbrowseConfig(text)
        if (tracks === null) continue
        findings.push({ file, what: texts.config, take: 'read' })
        take(file, tracks, await takeConfigured(file, readJbrowseGenomes(text)))
      } else if (file.format === 'text' && file.lines.some((line) => hubLine.test(line))) {
        const text = await readFile(file.absolute, 'utf8')
        findings.push({ file, what: texts.hub, take: 'read' })
        take(file, readTrackDb(text))
        takeGenomes(file, readHubGenomes(text))
        for (const groups of readStanzas(text).flatMap((stanza) => stanza.get('groups') ?? [])) {
          const own = fileAt(file, groups)
          if (own === undefined || !free.has(own) || own.format !== 'text') continue
          free.delete(own)
          findings.push({ file: own, what: texts.hub, take: 'read' })
        }
      }
    }
    // What JBrowse itself is made of.
    const roots = new Set(
      all.flatMap(({ path, format }) => (format === 'html' ? (/^(.*\/)?(?=index\.html$)/.exec(path)?.[0] ?? []) : [])),
    )
    const installed = [...roots].filter((root) => all.some(({ path }) => path.startsWith(`${root}static/js/`)))
    for (const file of free)
      if (installed.some((root) => file.path.startsWith(root) && partOfProgram.test(file.path.slice(root.length))))
        findings.push({ file, what: texts.program, take: 'none', why: fileTexts.nothing })
    return { findings, facts, homes }
  },
})
