import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import type { collinearFormats, FileBlock } from '../../bio/comparative/collinear-files.ts'
import { openByteSource } from '../../store/byte-range.ts'
import { RecentAnswers } from '../recent-answers.ts'
import type { PortalData } from './portal-data.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Kinds of the two files among what is computed over all assemblies: gzip members one after the other, and where each stands. */
export const blocksKind = 'collinear-blocks'
export const blocksIndexKind = 'collinear-blocks-index'

/** What a species' bundle has of a lab's own files of collinear blocks. */
export const givenBlocksFile = 'collinear-blocks.json'
/** Counted under this name where a species has some. */
export const givenBlocksType = 'synteny'

export interface GivenBlocks {
  file: string
  format: (typeof collinearFormats)[number]
  /** Ids of the assemblies of the first and the second side; null where the genes tell. */
  assemblies: [string, string] | null
  blocks: FileBlock[]
}

/** Coding genes of an assembly in genome order; arrays of one length. */
export interface GeneTable {
  sequences: string[]
  id: string[]
  symbol: (string | null)[]
  /** Number of the sequence. */
  sequence: number[]
  start: number[]
  end: number[]
  /** 1, -1 or 0. */
  strand: number[]
  /** Number of the orthogroup, 0 for the largest. */
  group: number[]
}

/** A block between two assemblies; segments are 1-based, inclusive. */
export interface StoredBlock {
  sequenceA: string
  startA: number
  endA: number
  sequenceB: string
  startB: number
  endB: number
  /** 1 when both sides read alike, -1 when one is turned round. */
  orientation: 1 | -1
  score: number | null
  evalue: number | null
  /** Pairs of genes, also where they are not named. */
  pairs: number
  /** Numbers of the genes in the two tables, by rising place on the first side. */
  a: number[]
  b: number[]
}

export interface PairBlocks {
  /** Computed here, or the name of the file that a lab gave. */
  source: 'computed' | { file: string }
  blocks: StoredBlock[]
}

type Index = Record<string, [offset: number, length: number]>

/** Writes members one after the other; `finish` gives the index. Members are named by bundles: one for its genes, two for blocks. */
export const createBlocksWriter = (write: (bytes: Uint8Array) => Promise<void>) => {
  const index: Index = {}
  let offset = 0
  const add = async (key: string, value: unknown): Promise<void> => {
    const bytes = await compress(JSON.stringify(value))
    await write(bytes)
    index[key] = [offset, bytes.length]
    offset += bytes.length
  }
  return {
    addGenes: (bundle: number, genes: GeneTable): Promise<void> => add(String(bundle), genes),
    /** The first side is the assembly of `a`; within one assembly each block stands once. */
    addBlocks: (a: number, b: number, blocks: PairBlocks): Promise<void> => add(`${a}-${b}`, blocks),
    finish: (): string => JSON.stringify(index),
  }
}

/** Turns a block round: the second side becomes the first, pairs in its order. */
const flipBlock = (block: StoredBlock): StoredBlock => {
  const order = [...block.b.keys()].sort((p, q) => block.b[p]! - block.b[q]!)
  return {
    ...block,
    sequenceA: block.sequenceB,
    startA: block.startB,
    endA: block.endB,
    sequenceB: block.sequenceA,
    startB: block.startA,
    endB: block.endA,
    a: order.map((at) => block.b[at]!),
    b: order.map((at) => block.a[at]!),
  }
}

/** Members lately read, of any release: files do not change. */
const members = new RecentAnswers<unknown>(60)

const keep = <T>(key: string, read: () => Promise<T>): Promise<T> => members.get(key, read) as Promise<T>

const readPart = async (path: string, offset: number, length: number): Promise<Buffer> => {
  const file = await openByteSource(path)
  try {
    return await file.read(offset, offset + length)
  } finally {
    await file.close()
  }
}

const indexSchema = z.record(z.string(), z.tuple([z.number(), z.number()]))

export interface OpenBlocks {
  /** Genes of an assembly; null when the computation does not know it. */
  genes(assembly: string): Promise<GeneTable | null>
  /** Blocks with the first assembly as first side; null when nothing was computed of the two. */
  between(first: string, second: string): Promise<PairBlocks | null>
}

/** Collinear blocks of what is loaded; null when none were computed. */
export const openCollinearBlocks = async (data: PortalData): Promise<OpenBlocks | null> => {
  const [state, file, indexFile] = await Promise.all([
    data.getHomology(),
    data.homologyFile(blocksKind),
    data.homologyFile(blocksIndexKind),
  ])
  if (state === null || file === null || indexFile === null) return null
  const covered = new Set(state.covered)
  const index = await keep(indexFile, async () => indexSchema.parse(JSON.parse(await readFile(indexFile, 'utf8'))))
  const read = async <T>(key: string): Promise<T | null> => {
    const place = index[key]
    if (place === undefined) return null
    return keep(`${file} ${key}`, async () => {
      const bytes = await readPart(file, place[0], place[1])
      return JSON.parse((await decompress(bytes)).toString('utf8')) as T
    })
  }
  return {
    genes: async (assembly) =>
      covered.has(assembly) ? read<GeneTable>(String(await data.bundleNumber(assembly))) : null,
    between: async (first, second) => {
      if (!covered.has(first) || !covered.has(second)) return null
      const [a, b] = await Promise.all([data.bundleNumber(first), data.bundleNumber(second)])
      const straight = await read<PairBlocks>(`${a}-${b}`)
      if (straight !== null) return straight
      const other = await read<PairBlocks>(`${b}-${a}`)
      return other === null ? null : { source: other.source, blocks: other.blocks.map(flipBlock) }
    },
  }
}
