import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { positions } from '../entries.ts'
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
}

const maxConfigBytes = 16 * 2 ** 20

const texts = {
  config: { en: 'configuration of JBrowse 2', zh: 'JBrowse 2 配置' },
  hub: { en: 'track hub of UCSC', zh: 'UCSC track hub' },
} satisfies Record<string, Text>

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => value !== null && typeof value === 'object'
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
/** `{ uri }`, `{ localPath }` (JBrowse desktop), or the address itself. */
const placeOf = (value: unknown): string | undefined =>
  isFields(value) ? (textOf(value.uri) ?? textOf(value.localPath)) : textOf(value)

/** Where the data of an adapter lie: `bamLocation: { uri }`, or `uri` itself; not its indexes. */
const addressOf = (adapter: Fields): string | null => {
  const place = Object.entries(adapter).find(
    ([key]) =>
      /Location$/.test(key) && !/^(index|fai|gzi|crai|bai|csi|tbi|names|chromSizes|bed[12])Location$/i.test(key),
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

/** Tracks of a config.json; null when it is another file of that name. */
export const readJbrowseConfig = (text: string): Described[] | null => {
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch {
    return null
  }
  const { tracks, assemblies, assembly } = isFields(config) ? config : {}
  if (!Array.isArray(tracks) || !(Array.isArray(assemblies) || isFields(assembly))) return null
  return tracks.filter(isFields).flatMap((track) => {
    const id = textOf(track.trackId)
    if (id === undefined) return []
    const name = textOf(track.name) ?? id
    const category = Array.isArray(track.category) ? textOf(track.category.at(-1)) : undefined
    const description = textOf(track.description)
    const parts = isFields(track.adapter) ? partsOf(track.adapter) : []
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
  recognise: async (files, { all, each, log }) => {
    const findings: Finding[] = []
    const facts = new Map<string, AssemblyFacts>()
    const byPath = new Map(all.map((file) => [file.path, file]))
    const free = new Set(files)
    const fileAt = (config: InputFile, uri: string): InputFile | undefined => {
      const at = (path: string): InputFile | undefined => byPath.get(posix.normalize(posix.join(config.folder, path)))
      return at(uri) ?? at(decoded(uri))
    }
    const take = (config: InputFile, tracks: readonly Described[]): void => {
      const left: Record<'import-tracks-elsewhere' | 'import-tracks-missing' | 'import-tracks-unread', string[]> = {
        'import-tracks-elsewhere': [],
        'import-tracks-missing': [],
        'import-tracks-unread': [],
      }
      for (const { id, name, uri, kind, category, description } of tracks) {
        const file = uri === null ? undefined : fileAt(config, uri)
        if (uri === null) left['import-tracks-unread'].push(`${name} (${kind})`)
        else if (isElsewhere(uri)) left['import-tracks-elsewhere'].push(name)
        else if (file === undefined) left['import-tracks-missing'].push(uri)
        // Genes and genomes are recognised as such.
        if (
          file === undefined ||
          !free.has(file) ||
          (file.format === 'gff3' && /\t(gene|CDS)\t/.test(file.lines.join('\n')))
        )
          continue
        const more = { id, name, ...(description === undefined ? {} : { description }) }
        const finding = positions(file, category === undefined ? more : { ...more, category })
        if (finding === null) continue
        free.delete(file)
        findings.push(finding)
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
    for await (const file of each(files)) {
      if (file.bytes > maxConfigBytes) continue
      if (file.format === 'json' && /config.*\.json$/i.test(file.name)) {
        const tracks = readJbrowseConfig(await readFile(file.absolute, 'utf8'))
        if (tracks === null) continue
        findings.push({ file, what: texts.config, take: 'read' })
        take(file, tracks)
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
    return { findings, facts }
  },
})
