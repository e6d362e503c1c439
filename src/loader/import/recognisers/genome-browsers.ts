import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { positions } from '../entries.ts'
import { defineRecogniser, type Finding, type InputFile, type Text } from '../recogniser.ts'

/** A track as a genome browser describes it: what readers call it, and where it lies. */
interface Described {
  id: string
  name: string
  uri: string
  category?: string
}

const maxConfigBytes = 16 * 2 ** 20

const texts = {
  config: { en: 'configuration of JBrowse 2', zh: 'JBrowse 2 配置' },
  hub: { en: 'track hub of UCSC', zh: 'UCSC track hub' },
} satisfies Record<string, Text>

/** Every address in an adapter: `bamLocation: { uri }`, or `uri` itself; without those of indexes. */
const addressOf = (adapter: unknown): string | null => {
  if (adapter === null || typeof adapter !== 'object') return null
  const entries = Object.entries(adapter as Record<string, unknown>)
  const own = entries.find(([key, value]) => key === 'uri' && typeof value === 'string')
  if (own) return own[1] as string
  const place = entries.find(
    ([key]) => /Location$/.test(key) && !/(^index|fai|gzi|crai|bai|csi|tbi)Location$/i.test(key),
  )
  const uri = (place?.[1] as { uri?: unknown; localPath?: unknown } | undefined) ?? {}
  return typeof uri.uri === 'string' ? uri.uri : typeof uri.localPath === 'string' ? uri.localPath : null
}

/** Tracks of a config.json; null when it is another file of that name. */
export const readJbrowseConfig = (text: string): Described[] | null => {
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch {
    return null
  }
  const { tracks, assemblies } = (config ?? {}) as { tracks?: unknown; assemblies?: unknown }
  if (!Array.isArray(tracks) || !Array.isArray(assemblies)) return null
  return (tracks as Record<string, unknown>[]).flatMap((track) => {
    const uri = addressOf(track.adapter)
    const id = typeof track.trackId === 'string' ? track.trackId : null
    if (uri === null || id === null) return []
    const category = Array.isArray(track.category) ? track.category.at(-1) : undefined
    return [
      {
        id,
        name: typeof track.name === 'string' ? track.name : id,
        uri,
        ...(typeof category === 'string' ? { category } : {}),
      },
    ]
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
            .map((line) => /^\s*([A-Za-z]\w*)\s+(.*?)\s*$/.exec(line))
            .flatMap((match) => (match ? [[match[1]!, match[2]!] as const] : [])),
        ),
    )

/** Tracks of a trackDb.txt, or of a hub in one file (`useOneFile on`). */
export const readTrackDb = (text: string): Described[] =>
  readStanzas(text).flatMap((stanza) => {
    const id = stanza.get('track')
    const uri = stanza.get('bigDataUrl')
    return id === undefined || uri === undefined ? [] : [{ id, name: stanza.get('shortLabel') ?? id, uri }]
  })

/** JBrowse 2 and UCSC track hubs: their tracks, where the files are among those that were given, by the names that readers know. */
export default defineRecogniser({
  id: 'genome-browsers',
  title: { en: 'Tracks of a genome browser', zh: '基因组浏览器的轨道' },
  order: 300,
  recognise: async (files, { all }) => {
    const findings: Finding[] = []
    const byPath = new Map(all.map((file) => [file.path, file]))
    const free = new Set(files)
    const take = (config: InputFile, tracks: readonly Described[]): void => {
      for (const { id, name, uri, category } of tracks) {
        // An address elsewhere names nothing that was given.
        if (/^[a-z][a-z0-9+.-]*:\/\//i.test(uri)) continue
        const file = byPath.get(posix.normalize(posix.join(config.folder, uri)))
        // Genes and genomes are recognised as such.
        if (
          file === undefined ||
          !free.has(file) ||
          (file.format === 'gff3' && /\t(gene|CDS)\t/.test(file.lines.join('\n')))
        )
          continue
        const finding = positions(file, {
          id,
          name,
          ...(category === undefined || file.format === 'vcf' ? {} : { category }),
        })
        if (finding === null) continue
        free.delete(file)
        findings.push(finding)
      }
    }
    for (const file of files) {
      if (file.bytes > maxConfigBytes) continue
      if (file.format === 'json' && /config.*\.json$/i.test(file.name)) {
        const tracks = readJbrowseConfig(await readFile(file.absolute, 'utf8'))
        if (tracks === null) continue
        findings.push({ file, what: texts.config, take: 'read' })
        take(file, tracks)
      } else if (
        file.format === 'text' &&
        file.lines.some((line) => /^\s*(bigDataUrl|genomesFile|trackDb|hub)\s+\S/.test(line))
      ) {
        const tracks = readTrackDb(await readFile(file.absolute, 'utf8'))
        findings.push({ file, what: texts.hub, take: 'read' })
        take(file, tracks)
      }
    }
    return { findings }
  },
})
