import { useQuery } from '@tanstack/react-query'
import { addressOf, type CallOptions, call, queryOf, requestAnswer } from '../../kit/ui/request.ts'
import { listCellDatasets } from './endpoints.ts'
import type { CellDataset } from './stored.ts'

const staleTime = 30 * 60_000

/** Data sets of an assembly; of a gene, those that have it. */
export const useCellDatasets = (assembly: string | undefined, gene?: string) =>
  useQuery({
    queryKey: ['cell-datasets', assembly ?? '', gene],
    enabled: assembly !== undefined && assembly !== '',
    queryFn: async (context) => (await call(listCellDatasets, { assembly: assembly!, gene }, context)).datasets,
    staleTime,
    retry: false,
  })

const fetchBytes = async (path: string, input: Record<string, unknown>, context: CallOptions): Promise<ArrayBuffer> => {
  const url = addressOf(`/api/tools/singlecellexpress/${path}${queryOf(input)}`)
  const response = await requestAnswer(url, { headers: { Accept: '*/*' } }, context)
  return response.arrayBuffer()
}

/** Where a NumPy file's cells begin (numpy.lib.format 1.0: the header's length stands at byte 8). */
const bodyOf = (file: ArrayBuffer): number => 10 + new DataView(file).getUint16(8, true)

/** x and y of every cell; undefined until they are there. */
export const useMap = (assembly: string, dataset: string, map: number) =>
  useQuery({
    queryKey: ['cell-map', assembly, dataset, map],
    queryFn: async (context) => {
      const file = await fetchBytes('map.npy', { assembly, dataset, map }, context)
      return new Float32Array(file, bodyOf(file))
    },
    staleTime,
    retry: false,
  })

/** What cells are coloured by. */
export type Colouring = { kind: 'column'; name: string } | { kind: 'genes'; genes: string } | null

export type CellColours =
  | { kind: 'levels'; codes: Uint16Array }
  | { kind: 'numbers'; values: Float32Array; min: number; max: number; expressing: number }

export const useColours = (assembly: string, dataset: CellDataset, colouring: Colouring) =>
  useQuery({
    queryKey: ['cell-colours', assembly, dataset.id, colouring],
    enabled: colouring !== null,
    queryFn: async (context): Promise<CellColours> => {
      if (colouring?.kind === 'genes') {
        const file = await fetchBytes('values.bin', { assembly, dataset: dataset.id, genes: colouring.genes }, context)
        const count = new DataView(file).getUint32(0, true)
        const cells = new Uint32Array(file, 4, count)
        const given = new Float32Array(file, 4 + 4 * count, count)
        const values = new Float32Array(dataset.cellCount)
        let [min, max] = [0, 0]
        for (let at = 0; at < count; at += 1) {
          const value = given[at]!
          values[cells[at]!] = value
          if (value > max) max = value
          if (value < min) min = value
        }
        return { kind: 'numbers', values, min, max, expressing: count }
      }
      const name = colouring!.name
      const column = dataset.columns.find((one) => one.name === name)
      const file = await fetchBytes('column.npy', { assembly, dataset: dataset.id, column: name }, context)
      if (column?.levels != null) return { kind: 'levels', codes: new Uint16Array(file, bodyOf(file)) }
      const [min, max] = column?.range ?? [0, 1]
      return {
        kind: 'numbers',
        values: new Float32Array(file, bodyOf(file)),
        min,
        max,
        expressing: dataset.cellCount - (column?.missing ?? 0),
      }
    },
    staleTime,
    gcTime: 60_000,
    retry: false,
  })
