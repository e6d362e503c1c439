import { z } from 'zod'
import { saysSimulated } from '../../contracts/simulated.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { type Language, textIn } from '../../contracts/text.ts'
import messages from './messages.ts'
import type { BakedTrack, ContactMapRecord } from './stored.ts'

/**
 * The configuration of JBrowse 2 (jbrowse.org, configuration guide of version 3): plain data that any JBrowse can read
 * when the addresses are completed. Coordinates do not occur in it.
 */

const browserTrackSchema = z.object({
  /** Within its assembly; what addresses of views hold. */
  id: z.string(),
  /** Within the configuration. */
  trackId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  category: z.string(),
  kind: z.string(),
  simulated: z.boolean(),
})
export type BrowserTrack = z.infer<typeof browserTrackSchema>

const undrawnMapSchema = z.object({ name: z.string(), format: z.string(), file: z.string() })
/** A contact map that JBrowse cannot draw; `file` is its address, which begins with "/". */
export type UndrawnMap = z.infer<typeof undrawnMapSchema>

const objectSchema = z.record(z.string(), z.unknown())

export const browserConfigSchema = z.object({
  assembly: z.string(),
  /** Tracks of the assembly, in the order of the list. */
  tracks: z.array(browserTrackSchema),
  /** Contact maps of the assembly that are no tracks, as JBrowse reads no format but .hic. */
  undrawnMaps: z.array(undrawnMapSchema),
  /** Ids of the tracks that open when an address names none. */
  defaultTracks: z.array(z.string()),
  jbrowse: z.object({ assemblies: z.array(objectSchema), tracks: z.array(objectSchema) }),
})
export type BrowserConfig = z.infer<typeof browserConfigSchema>

export interface ConfiguredAssembly {
  summary: AssemblySummary
  /** Gene models in the bundle: those with genes cut at origins where there are such; null when the assembly has none. */
  genesFile: string | null
  tracks: BakedTrack[]
  contacts: ContactMapRecord[]
}

/** Tracks that open by themselves: the genes and the first of each category, so that a first look shows every kind. */
const maxDefaultTracks = 4

const contactsHeight = 220

export const trackIdOf = (assembly: string, id: string): string => `${assembly}:${id}`

/** Fills of genes by strand: the colours of the strands everywhere in the portal, between their light and dark forms. */
const strandFill = "jexl:get(feature,'strand')<0?'#d08a1f':'#1a936a'"
const strandSoft = "jexl:get(feature,'strand')<0?'#e7c48d':'#8fcab3'"

const location = (assembly: AssemblySummary, path: string): { uri: string; locationType: 'UriLocation' } => ({
  uri: `/data/${assembly.bundle}/${path.split('/').map(encodeURIComponent).join('/')}`,
  locationType: 'UriLocation',
})

const tabixIndex = (assembly: AssemblySummary, path: string): object => ({
  location: location(assembly, path),
  indexType: path.endsWith('.tbi') ? 'TBI' : path.endsWith('.bai') ? 'BAI' : 'CSI',
})

const sequenceAdapter = (assembly: AssemblySummary): object => ({
  type: 'BgzipFastaAdapter',
  fastaLocation: location(assembly, 'genome.fa.gz'),
  faiLocation: location(assembly, 'genome.fa.gz.fai'),
  gziLocation: location(assembly, 'genome.fa.gz.gzi'),
})

/** Legible on the light and on the dark ground; JBrowse's own blue is not. */
export const labels = { type: 'SvgFeatureLabels', descriptionColor: '#64806f' }

const geneDisplay = (trackId: string): object => ({
  type: 'LinearBasicDisplay',
  displayId: `${trackId}-LinearBasicDisplay`,
  height: 170,
  renderer: {
    type: 'SvgFeatureRenderer',
    color1: strandFill,
    color2: '#7d8f87',
    color3: strandSoft,
    height: 12,
    labels,
  },
})

const signalDisplay = (trackId: string): object => ({
  type: 'LinearWiggleDisplay',
  displayId: `${trackId}-LinearWiggleDisplay`,
  height: 90,
  defaultRendering: 'xyplot',
  renderers: { XYPlotRenderer: { type: 'XYPlotRenderer', posColor: '#1a936a', negColor: '#c0561f' } },
})

/** Type of track, adapter and display of a baked track. */
const bakedTrack = (assembly: AssemblySummary, track: BakedTrack, trackId: string): Record<string, unknown> | null => {
  const file = location(assembly, track.file)
  if (track.type === 'bigwig') {
    return {
      type: 'QuantitativeTrack',
      adapter: { type: 'BigWigAdapter', bigWigLocation: file },
      displays: [signalDisplay(trackId)],
    }
  }
  if (track.type === 'bigbed') {
    return {
      type: 'FeatureTrack',
      adapter: { type: 'BigBedAdapter', bigBedLocation: file },
      displays: [{ ...geneDisplay(trackId), height: 60 }],
    }
  }
  if (track.index === null) return null
  const index = tabixIndex(assembly, track.index)
  switch (track.type) {
    case 'bam':
      return {
        type: 'AlignmentsTrack',
        // With the genome at hand differences are seen of reads without MD tags too, which minimap2 and others leave out.
        adapter: { type: 'BamAdapter', bamLocation: file, index, sequenceAdapter: sequenceAdapter(assembly) },
      }
    case 'cram':
      return {
        type: 'AlignmentsTrack',
        adapter: {
          type: 'CramAdapter',
          cramLocation: file,
          craiLocation: location(assembly, track.index),
          sequenceAdapter: sequenceAdapter(assembly),
        },
      }
    case 'vcf':
      return {
        type: 'VariantTrack',
        adapter: { type: 'VcfTabixAdapter', vcfGzLocation: file, index },
        displays: [
          {
            type: 'LinearVariantDisplay',
            displayId: `${trackId}-LinearVariantDisplay`,
            renderer: { type: 'SvgFeatureRenderer', labels },
          },
        ],
      }
    case 'bed':
      if (track.scoreColumn !== undefined)
        return {
          type: 'QuantitativeTrack',
          adapter: { type: 'BedTabixAdapter', bedGzLocation: file, index, scoreColumn: track.scoreColumn },
          displays: [signalDisplay(trackId)],
        }
      return {
        type: 'FeatureTrack',
        adapter: { type: 'BedTabixAdapter', bedGzLocation: file, index },
        displays: [{ ...geneDisplay(trackId), height: 60 }],
      }
    case 'gff3':
      return {
        type: 'FeatureTrack',
        adapter: { type: 'Gff3TabixAdapter', gffGzLocation: file, index },
        displays: [geneDisplay(trackId)],
      }
  }
}

/** Name of what is simulated with a word of that, unless its own says so. */
const marked = (name: string, simulated: boolean, language: Language): string =>
  simulated && !saysSimulated(name) ? messages[language]['name.simulated'].replace('{name}', name) : name

/** Tracks of one assembly with what the portal's own list says of them. */
const tracksOf = (
  { summary, genesFile, tracks, contacts }: ConfiguredAssembly,
  language: Language,
): { listed: BrowserTrack; configured: Record<string, unknown> }[] => {
  const text = messages[language]
  const entry = (
    id: string,
    kind: string,
    about: { name: string; description: string | null; category: string; simulated: boolean },
    configured: Record<string, unknown>,
  ) => {
    const trackId = trackIdOf(summary.id, id)
    const name = marked(about.name, about.simulated, language)
    return {
      listed: { id, trackId, kind, ...about, name: about.name },
      configured: {
        ...configured,
        trackId,
        name,
        assemblyNames: [summary.id],
        category: [about.category],
        ...(about.description === null ? {} : { description: about.description }),
      },
    }
  }
  const genome = text['category.genome']
  const simulated = summary.simulated
  const list = []
  if (genesFile !== null) {
    const trackId = trackIdOf(summary.id, 'genes')
    list.push(
      entry(
        'genes',
        'genes',
        { name: text['track.genes'], description: text['track.genesAbout'], category: genome, simulated },
        {
          type: 'FeatureTrack',
          adapter: {
            type: 'Gff3TabixAdapter',
            gffGzLocation: location(summary, genesFile),
            index: tabixIndex(summary, `${genesFile}.csi`),
          },
          displays: [geneDisplay(trackId)],
        },
      ),
    )
  }
  list.push(
    entry(
      'gc',
      'gc',
      { name: text['track.gc'], description: text['track.gcAbout'], category: genome, simulated },
      {
        type: 'GCContentTrack',
        adapter: { type: 'GCContentAdapter', sequenceAdapter: sequenceAdapter(summary) },
      },
    ),
  )
  for (const track of tracks) {
    const configured = bakedTrack(summary, track, trackIdOf(summary.id, track.id))
    if (configured === null) continue
    list.push(
      entry(
        track.id,
        track.scoreColumn === undefined ? track.type : 'windows',
        {
          name: textIn(track.name, language),
          description: track.description === null ? null : textIn(track.description, language),
          category: track.category === null ? text[`category.${track.type}`] : textIn(track.category, language),
          simulated: track.simulated,
        },
        configured,
      ),
    )
  }
  for (const map of contacts) {
    if (map.format !== 'hic') continue
    const id = `contacts-${map.id}`
    list.push(
      entry(
        id,
        'contacts',
        {
          name: textIn(map.name, language),
          description: map.description === null ? null : textIn(map.description, language),
          category: text['category.contacts'],
          simulated: map.simulated,
        },
        {
          type: 'HicTrack',
          adapter: { type: 'HicAdapter', hicLocation: location(summary, map.file) },
          displays: [
            {
              type: 'LinearHicDisplay',
              displayId: `${trackIdOf(summary.id, id)}-LinearHicDisplay`,
              height: contactsHeight,
            },
          ],
        },
      ),
    )
  }
  return list
}

/**
 * Configuration for viewing one assembly: all assemblies (other views compare them), every track of the one and the genes
 * of the others. Names are in the reader's language; what is simulated says so in its name. Addresses begin with "/".
 */
export const renderBrowserConfig = (
  assembly: string,
  assemblies: ConfiguredAssembly[],
  language: Language,
): BrowserConfig => {
  const own = assemblies.find((one) => one.summary.id === assembly)!
  // Of real data first, as everywhere: the assembly's own, and only then what is simulated.
  const tracks = tracksOf(own, language).sort((a, b) => Number(a.listed.simulated) - Number(b.listed.simulated))
  const sequenceName = messages[language]['track.sequence']
  const sequenceTrack: BrowserTrack = {
    id: 'sequence',
    trackId: trackIdOf(assembly, 'sequence'),
    name: sequenceName,
    description: messages[language]['track.sequenceAbout'],
    category: messages[language]['category.genome'],
    kind: 'sequence',
    simulated: own.summary.simulated,
  }
  const categories = new Set<string>()
  const firsts = tracks.filter(({ listed }) => {
    // Of a contact map, or of windows as wide as genes, the few kilobases of a first look show nothing.
    if (['gc', 'contacts', 'windows'].includes(listed.kind) || categories.has(listed.category)) return false
    categories.add(listed.category)
    return true
  })
  // A genome without any other track opens with its GC content rather than with an empty view.
  const opened = firsts.length > 0 ? firsts : tracks
  return {
    assembly,
    tracks: [sequenceTrack, ...tracks.map((track) => track.listed)],
    undrawnMaps: own.contacts
      .filter((map) => map.format !== 'hic')
      .map((map) => ({
        name: marked(textIn(map.name, language), map.simulated, language),
        format: `.${map.format}`,
        file: location(own.summary, map.file).uri,
      })),
    defaultTracks: opened.slice(0, maxDefaultTracks).map(({ listed }) => listed.id),
    jbrowse: {
      assemblies: assemblies.map(({ summary }) => ({
        name: summary.id,
        displayName: marked(summary.name, summary.simulated, language),
        sequence: {
          type: 'ReferenceSequenceTrack',
          trackId: trackIdOf(summary.id, 'sequence'),
          name: sequenceName,
          assemblyNames: [summary.id],
          adapter: sequenceAdapter(summary),
        },
        refNameAliases: {
          adapter: {
            type: 'RefNameAliasAdapter',
            adapterId: `${summary.id}-names`,
            location: {
              uri: `/api/tools/jbrowse/names?assembly=${encodeURIComponent(summary.id)}&bundle=${encodeURIComponent(summary.bundle)}`,
              locationType: 'UriLocation',
            },
          },
        },
      })),
      tracks: [
        ...tracks.map((track) => track.configured),
        ...assemblies
          .filter((one) => one !== own && one.genesFile !== null)
          .flatMap((one) => tracksOf({ ...one, tracks: [], contacts: [] }, language).map((track) => track.configured)),
      ],
    },
  }
}

/** The same configuration with its addresses completed by `base`, e.g. `https://example.org/genomes`. */
export const completeAddresses = <T>(value: T, base: string): T => {
  if (Array.isArray(value)) return value.map((one) => completeAddresses(one, base)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'uri' && typeof inner === 'string' && inner.startsWith('/')
        ? base + inner
        : completeAddresses(inner, base),
    ]),
  ) as T
}
