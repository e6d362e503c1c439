import { join } from 'node:path'
import { PortalError } from '../../contracts/errors.ts'
import { readGeneList } from '../../kit/data/genes/gene-list.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { RecentAnswers } from '../../kit/recent-answers.ts'
import { openMatrix } from '../../store/npy-matrix.ts'
import { type InteractionSet, interactionData, interactionFiles } from './stored.ts'

/** Data sets of an assembly in the order of species.yaml. */
export const listInteractionSets = async (data: PortalData, assembly: string): Promise<InteractionSet[]> =>
  ((await data.getAssembly(assembly)).dataTypes[interactionData] ?? 0) === 0
    ? []
    : (await data.listRecords<InteractionSet>(interactionData, { assembly })).map((record) => record.data)

/** Where the partners of each gene begin, by file, which never changes. */
const partnerStarts = new RecentAnswers<Float64Array>(12)
/** Numbers of partners of all genes by file and filter. */
const degrees = new RecentAnswers<Degrees>(12)

const readStarts = async (file: string): Promise<Float64Array> => {
  const matrix = await openMatrix(file, '<f8')
  try {
    return await matrix.readCells(0, matrix.rows)
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
  countPartners(key: string, passes: (values: Uint16Array, first: number) => boolean): Promise<Degrees>
}

/**
 * A data set of an assembly; the first when none is named, null where the assembly has none. Rejects with NOT_FOUND for a name that it
 * has not.
 */
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
      message: 'problem.unknownDataset',
      params,
      problems: [{ path: ['dataset'], message: 'problem.unknownDataset', params }],
    })
  }
  const files = interactionFiles(dataset.id)
  const directory = await data.bundleFiles(assembly, `${files.folder}/`)
  const at = (path: string): string => join(directory, path)
  const { genes, rows } = await readGeneList(at(files.genes))
  const starts = await partnerStarts.get(at(files.starts), () => readStarts(at(files.starts)))
  const columns = dataset.channels.length + 1
  return {
    assembly,
    dataset,
    genes,
    rows,
    columns,
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
    countPartners: (key, passes) =>
      degrees.get(`${at(files.values)} ${key}`, async () => {
        const byRow = new Uint32Array(genes.length)
        const values = await openMatrix(at(files.values), '<u2')
        let gene = 0
        let total = 0
        try {
          for await (const { first, count, cells } of values.scan()) {
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

/** Other assemblies with interactions from which orthologs lead to this one: other species last, as the nearest say most. */
export const listSources = async (
  data: PortalData,
  assembly: string,
): Promise<{ assembly: string; dataset: InteractionSet }[]> => {
  const homology = await data.getHomology()
  if (homology === null || !homology.covered.includes(assembly)) return []
  const { species } = await data.getAssembly(assembly)
  const others = (await data.listAssemblies()).filter(
    ({ id, dataTypes }) => id !== assembly && (dataTypes[interactionData] ?? 0) > 0 && homology.covered.includes(id),
  )
  others.sort((a, b) => Number(b.species === species) - Number(a.species === species))
  return Promise.all(
    others.map(async ({ id }) => ({ assembly: id, dataset: (await listInteractionSets(data, id))[0]! })),
  )
}
