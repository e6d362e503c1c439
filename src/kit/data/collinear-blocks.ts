import type { collinearFormats, FileBlock } from '../../bio/comparative/collinear-files.ts'
import { createMemberWriter, openMembers } from './member-file.ts'
import type { PortalData } from './portal-data.ts'

/** Kinds of the two files among what is computed over all assemblies: the members, and where each stands. */
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

/** Members are named by bundles: one for its genes, two for blocks. */
export const createBlocksWriter = (write: (bytes: Uint8Array) => Promise<void>) => {
  const { add, finish } = createMemberWriter(write)
  return {
    addGenes: (bundle: number, genes: GeneTable): Promise<void> => add(String(bundle), genes),
    /** The first side is the assembly of `a`; within one assembly each block stands once. */
    addBlocks: (a: number, b: number, blocks: PairBlocks): Promise<void> => add(`${a}-${b}`, blocks),
    finish,
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
  const { read } = await openMembers(file, indexFile)
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
