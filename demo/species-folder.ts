import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { stringify } from 'yaml'
import type { z } from 'zod'
import type { speciesManifestSchema } from '../src/contracts/manifest.ts'
import type { LocalizedText } from '../src/contracts/text.ts'
import { DemoDiskFull } from './demo-error.ts'
import { deleteForgotten } from './forgotten-folders.ts'

type ManifestInput = z.input<typeof speciesManifestSchema>

/** What the tools' loaders read beside the loader's own entries. */
export interface TrackEntry {
  id: string
  name: LocalizedText
  file: string
  type: 'bigwig' | 'bam' | 'cram' | 'vcf' | 'bed' | 'gff3'
  index?: string
  description?: LocalizedText
  simulated?: boolean
  category?: LocalizedText
}

export interface ContactsEntry {
  id: string
  name: LocalizedText
  file: string
  description?: LocalizedText
  licence?: string
  simulated?: boolean
}

/** VCF or BCF with the genotypes of accessions. */
export interface VariantsEntry {
  id: string
  name: LocalizedText
  file: string
  description?: LocalizedText
  licence?: string
  simulated?: boolean
}

export interface ElementsEntry {
  file?: string
  find?: 'ltr' | 'tir' | 'both'
  library?: { file: string }
}

export interface ExpressionEntry {
  id: string
  name: LocalizedText
  file: string | string[]
  unit: 'TPM' | 'FPKM' | 'RPKM' | 'CPM' | 'counts' | 'intensity' | 'log2' | 'log2ratio'
  samples?: string
  group?: string
  measure?: LocalizedText
  description?: LocalizedText
  source?: LocalizedText
  licence?: string
  simulated?: boolean
  picture?: { file: string; factor: string }
  differential?: {
    id: string
    name: LocalizedText
    file?: string
    test?: string
    reference?: string
    description?: LocalizedText
    columns?: { log2FoldChange?: string; pValue?: string; adjustedPValue?: string; baseMean?: string | string[] }
  }[]
}

export interface SingleCellEntry {
  id: string
  name: LocalizedText
  file: string
  metadata?: string
  geneColumn?: string
  group?: string
  description?: LocalizedText
  source?: LocalizedText
  licence?: string
  simulated?: boolean
}

/** Association scans: tables of p-values. */
export interface AssociationsEntry {
  id: string
  name: LocalizedText
  file: string
  trait?: string
  unit?: string
  threshold?: number
  complete?: boolean
  phenotypes?: string
  variants?: string
  description?: LocalizedText
  licence?: string
  simulated?: boolean
}

/** Windows of population statistics. */
export interface SweepsEntry {
  id: string
  name: LocalizedText
  file: string
  columns?: { column: string; statistic?: string; populations?: string[] }[]
  populations?: string[]
  variants?: string
  description?: LocalizedText
  licence?: string
  simulated?: boolean
}

/** Interacting proteins: pairs of genes. */
export interface InteractionsEntry {
  id: string
  name: LocalizedText
  file: string
  names?: string
  description?: LocalizedText
  source?: LocalizedText
  licence?: string
  simulated?: boolean
}

export interface DownloadEntry {
  file: string
  title: LocalizedText
  description?: LocalizedText
  licence?: string
}

export interface MotifsEntry {
  file: string
  id?: string
  title?: LocalizedText
  source?: LocalizedText
  licence?: string
}

/** Profiles of transcription factors; for every assembly of the species. */
export interface FactorsEntry {
  profiles: string[]
  /** What rules call the domain of each profile. */
  domains: Record<string, string>
}

/** The README.md that a demo species is written with, as its manifest offers it to readers. */
export const readmeDownload: DownloadEntry = {
  file: 'README.md',
  title: { en: 'About this data', zh: '数据说明' },
  description: {
    en: 'Where each file comes from, its licence, and what was computed.',
    zh: '各文件的来源、许可与计算方法。',
  },
}

/** Tables or drawings of pathways; without files a vocabulary of the annotation. */
export interface PathwaysEntry {
  file?: string | string[]
  source?: string
  title?: string | { en: string; zh: string }
  licence?: string
}

/** Pan-genome graphs that the assembly has a path through. */
export interface GraphEntry {
  id: string
  name: string | { en: string; zh: string }
  file: string
  sample?: string
  description?: string | { en: string; zh: string }
  licence?: string
}

export type AssemblyFolder = ManifestInput['assemblies'][number] & {
  tracks?: TrackEntry[]
  contacts?: ContactsEntry[]
  variants?: VariantsEntry[]
  graphs?: GraphEntry[]
  transposableElements?: ElementsEntry
  expression?: ExpressionEntry[]
  pathways?: PathwaysEntry[]
  singleCell?: SingleCellEntry[]
  interactions?: InteractionsEntry[]
  gwas?: AssociationsEntry[]
  sweeps?: SweepsEntry[]
  downloads?: DownloadEntry[]
}

export interface AccessionsEntry {
  file: string
  licence?: string
  simulated?: boolean
}

export interface PhenotypesEntry {
  id: string
  name: LocalizedText
  file: string
  traits?: string
  missing?: string[]
  description?: LocalizedText
  source?: LocalizedText
  licence?: string
  simulated?: boolean
}

/** `species.yaml` as the demo writes it. */
export type SpeciesFolder = Omit<ManifestInput, 'assemblies'> & {
  assemblies: AssemblyFolder[]
  downloads?: DownloadEntry[]
  references?: string[]
  motifs?: MotifsEntry[]
  transcriptionFactors?: FactorsEntry
  accessions?: AccessionsEntry
  phenotypes?: PhenotypesEntry[]
}

const manifestName = 'species.yaml'
const stampName = '.complete.json'

export async function writeManifest(directory: string, manifest: SpeciesFolder): Promise<void> {
  const text = stringify(manifest, { lineWidth: 120, aliasDuplicateObjects: false })
  await writeFile(join(directory, manifestName), text)
}

export interface MakeFolderOptions {
  /** Where the finished folder stands. */
  directory: string
  /** Raised with every change of what is written: a folder made by another version is made again. */
  version: string
  /** Bytes that the folder may take while it is made. */
  neededBytes: number
  /** Writes the folder's files; called with the staging directory only when there is something to make. */
  make: (staging: string) => Promise<void>
}

/**
 * Makes a folder as a whole or not at all: written beside its place, renamed when finished. A finished one of the same
 * version is left as it is. Resolves to whether it was made now. Rejects with DemoError `disk-full` before anything is
 * written.
 */
export async function makeFolder(options: MakeFolderOptions): Promise<boolean> {
  const { directory, version, neededBytes, make } = options
  if ((await readStamp(directory)) === version) return false
  await mkdir(dirname(directory), { recursive: true })
  await deleteForgotten(dirname(directory), /^.+\.(\d+)\.making$/)
  const { bavail, bsize } = await statfs(dirname(directory))
  if (bavail * bsize < neededBytes)
    throw new DemoDiskFull(
      `${directory} needs ${Math.ceil(neededBytes / 1e6)} MB; ${Math.floor((bavail * bsize) / 1e6)} MB are free`,
      neededBytes,
    )
  const staging = `${directory}.${process.pid}.making`
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging)
  try {
    await make(staging)
    await writeFile(join(staging, stampName), `${JSON.stringify({ version })}\n`)
    await rm(directory, { recursive: true, force: true })
    await rename(staging, directory)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  return true
}

async function readStamp(directory: string): Promise<string | null> {
  try {
    const manifest = await stat(join(directory, manifestName))
    const stamp: unknown = JSON.parse(await readFile(join(directory, stampName), 'utf8'))
    const known = manifest.isFile() && typeof stamp === 'object' && stamp !== null && 'version' in stamp
    return known && typeof stamp.version === 'string' ? stamp.version : null
  } catch {
    return null
  }
}

/** Writes lines (without their ends) as text, gzipped when the name ends in .gz; the folder is made when it is missing. */
export async function writeLines(file: string, lines: Iterable<string>): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const source = Readable.from(inPieces(lines))
  const out = createWriteStream(file)
  if (file.endsWith('.gz')) await pipeline(source, createGzip(), out)
  else await pipeline(source, out)
}

const pieceCharacters = 1 << 16

function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = ''
  for (const line of lines) {
    piece += line
    piece += '\n'
    if (piece.length >= pieceCharacters) {
      yield piece
      piece = ''
    }
  }
  if (piece) yield piece
}

/** Copies a file, gzipping it on the way. */
export async function copyGzipped(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await pipeline(createReadStream(from), createGzip(), createWriteStream(to))
}
