import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PortalError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/portal-data.ts'
import { openMatrix } from '../../store/npy-matrix.ts'
import { type InteractionSet, interactionData, interactionFiles } from './dataset.ts'

/** Data sets of an assembly in the order of species.yaml. */
export const listInteractionSets = async (data: PortalData, assembly: string): Promise<InteractionSet[]> =>
  ((await data.getAssembly(assembly)).dataTypes[interactionData] ?? 0) === 0
    ? []
    : (await data.listRecords<InteractionSet>(interactionData, { assembly })).map((record) => record.data)

interface GeneIndex {
  genes: string[]
  rows: Map<string, number>
  starts: Float64Array
}

/** Indexes by file, which never change: a few of those asked for last. */
const indexes = new Map<string, Promise<GeneIndex>>()
/** Numbers of partners of all genes by file and filter. */
const degrees = new Map<string, Promise<Degrees>>()
const mostKept = 12

const keep = <T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> => {
  const known = kept.get(key)
  if (known !== undefined) {
    kept.delete(key)
    kept.set(key, known)
    return known
  }
  const made = make()
  kept.set(key, made)
  made.catch(() => kept.delete(key))
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
  return made
}

const readIndex = async (genesFile: string, startsFile: string): Promise<GeneIndex> => {
  const genes = (await readFile(genesFile, 'utf8')).split('\n').slice(0, -1)
  const matrix = await openMatrix(startsFile, '<f8')
  try {
    const starts = await matrix.readCells(0, matrix.rows)
    return { genes, rows: new Map(genes.map((gene, row) => [gene, row])), starts }
  } finally {
    await matrix.close()
  }
}

interface Degrees {
  byRow: Uint32Array
  /** Interactions of the whole network. */
  edges: number
}

/** Partners of a gene with their values: the score (or the records), then the channels, for each. */
export interface GenePartners {
  partners: Uint32Array
  values: Uint16Array
}

export interface OpenInteractions {
  assembly: string
  dataset: InteractionSet
  genes: string[]
  rows: ReadonlyMap<string, number>
  /** Cells of `values` a partner. */
  columns: number
  readPartners(rows: readonly number[]): Promise<GenePartners[]>
  /** Partners of every gene that pass; `key` tells one filter from another. */
  countPartners(
    key: string,
    passes: (values: Uint16Array, first: number) => boolean,
    signal: AbortSignal,
  ): Promise<Degrees>
}

/** A data set of an assembly; the first when none is named, null where the assembly has none. Rejects with NOT_FOUND for a name that it has not. */
export const openInteractionSet = async (
  data: PortalData,
  assembly: string,
  wanted: string | undefined,
): Promise<OpenInteractions | null> => {
  const all = await listInteractionSets(data, assembly)
  const dataset = wanted === undefined ? all[0] : all.find(({ id }) => id === wanted)
  if (dataset === undefined) {
    if (wanted === undefined) return null
    const params = { dataset: wanted, names: all.map(({ id }) => id).join(', ') }
    throw new PortalError('NOT_FOUND', {
      ...{ message: 'problem.unknownDataset', params },
      problems: [{ path: ['dataset'], message: 'problem.unknownDataset', params }],
    })
  }
  const directory = await data.bundleDirectory(assembly)
  const files = interactionFiles(dataset.id)
  const at = (path: string): string => join(directory, path)
  const { genes, rows, starts } = await keep(indexes, at(files.genes), () =>
    readIndex(at(files.genes), at(files.starts)),
  )
  const columns = dataset.channels.length + 1
  return {
    ...{ assembly, dataset, genes, rows, columns },
    readPartners: async (wantedRows) => {
      const [partners, values] = await Promise.all([
        openMatrix(at(files.partners), '<u4'),
        openMatrix(at(files.values), '<u2'),
      ])
      try {
        const found: GenePartners[] = []
        for (const row of wantedRows) {
          const [first, count] = [starts[row]!, starts[row + 1]! - starts[row]!]
          const [own, cells] = await Promise.all([
            partners.readCells(first, count),
            values.readCells(first * columns, count * columns),
          ])
          found.push({ partners: own, values: cells })
        }
        return found
      } finally {
        await Promise.all([partners.close(), values.close()])
      }
    },
    countPartners: (key, passes, signal) =>
      keep(degrees, `${at(files.values)} ${key}`, async () => {
        const byRow = new Uint32Array(genes.length)
        const values = await openMatrix(at(files.values), '<u2')
        let gene = 0
        let total = 0
        try {
          for await (const { first, count, cells } of values.scan()) {
            signal.throwIfAborted()
            for (let row = 0; row < count; row += 1) {
              while (starts[gene + 1]! <= first + row) gene += 1
              if (!passes(cells, row * columns)) continue
              byRow[gene]! += 1
              total += 1
            }
          }
        } finally {
          await values.close()
        }
        return { byRow, edges: total / 2 }
      }),
  }
}
