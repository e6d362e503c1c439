import { useQuery } from '@tanstack/react-query'
import { addressOf, call, fetchAnswer, queryOf, RequestError, requestHeaders } from '../../kit/ui/request.ts'
import type { CellDataset } from './dataset.ts'
import { listCellDatasets } from './endpoints.ts'

const staleTime = 30 * 60_000

/** Data sets of an assembly; of a gene, those that have it. */
export const useCellDatasets = (assembly: string | undefined, gene?: string): CellDataset[] | undefined =>
  useQuery({
    queryKey: ['cell-datasets', assembly ?? '', gene],
    enabled: assembly !== undefined && assembly !== '',
    queryFn: async ({ signal }) =>
      (await call(listCellDatasets, { assembly: assembly!, gene }, { signal, skipErrorHandler: true })).datasets,
    staleTime,
    retry: false,
  }).data

const fetchBytes = async (path: string, input: Record<string, unknown>, signal: AbortSignal): Promise<ArrayBuffer> => {
  const url = addressOf(`/api/tools/singlecellexpress/${path}${queryOf(input)}`)
  const response = await fetchAnswer(url, { headers: { ...requestHeaders(url), Accept: '*/*' }, signal })
  if (response.ok) return response.arrayBuffer()
  const body = (await response.json().catch(() => null)) as { errorMessage?: string; errorCode?: string } | null
  throw new RequestError({
    errorCode: body?.errorCode ?? 'INTERNAL',
    errorMessage: body?.errorMessage ?? String(response.status),
    showType: 0,
    status: response.status,
  })
}

/** Where a NumPy file's cells begin (numpy.lib.format 1.0: the header's length stands at byte 8). */
const bodyOf = (file: ArrayBuffer): number => 10 + new DataView(file).getUint16(8, true)

/** x and y of every cell; undefined until they are there. */
export const useMap = (assembly: string, dataset: string, map: number) =>
  useQuery({
    queryKey: ['cell-map', assembly, dataset, map],
    queryFn: async ({ signal }) => {
      const file = await fetchBytes('map.npy', { assembly, dataset, map }, signal)
      return new Float32Array(file, bodyOf(file))
    },
    staleTime,
    retry: false,
  })

/** What cells are coloured by. */
export type Colouring = { kind: 'column'; name: string } | { kind: 'genes'; genes: string } | null

export type CellColours =
  | { kind: 'levels'; codes: Uint16Array }
  | { kind: 'numbers'; values: Float32Array; least: number; most: number; expressing: number }

export const useColours = (assembly: string, dataset: CellDataset, colouring: Colouring) =>
  useQuery({
    queryKey: ['cell-colours', assembly, dataset.id, colouring],
    enabled: colouring !== null,
    queryFn: async ({ signal }): Promise<CellColours> => {
      if (colouring?.kind === 'genes') {
        const file = await fetchBytes('values.bin', { assembly, dataset: dataset.id, genes: colouring.genes }, signal)
        const count = new DataView(file).getUint32(0, true)
        const cells = new Uint32Array(file, 4, count)
        const given = new Float32Array(file, 4 + 4 * count, count)
        const values = new Float32Array(dataset.cellCount)
        let [least, most] = [0, 0]
        for (let at = 0; at < count; at += 1) {
          const value = given[at]!
          values[cells[at]!] = value
          if (value > most) most = value
          if (value < least) least = value
        }
        return { kind: 'numbers', values, least, most, expressing: count }
      }
      const name = colouring!.name
      const column = dataset.columns.find((one) => one.name === name)
      const file = await fetchBytes('column.npy', { assembly, dataset: dataset.id, column: name }, signal)
      if (column?.levels != null) return { kind: 'levels', codes: new Uint16Array(file, bodyOf(file)) }
      const [least, most] = column?.range ?? [0, 1]
      return {
        kind: 'numbers',
        values: new Float32Array(file, bodyOf(file)),
        least,
        most,
        expressing: dataset.cellCount - (column?.missing ?? 0),
      }
    },
    staleTime,
    gcTime: 60_000,
    retry: false,
  })
