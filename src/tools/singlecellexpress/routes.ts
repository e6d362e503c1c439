import { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import { splitIdentifiers } from '../../contracts/tools/tool.ts'
import { findMatrixGenes } from '../../kit/data/expression-genes.ts'
import { defineRoute, type ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { listCells, openCells } from './cell-data.ts'
import { listCellDatasets } from './endpoints.ts'
import { cellFiles } from './stored.ts'
import { limits } from './tool.ts'

const place = z.object({ assembly: z.string().max(64), dataset: z.string().max(100).optional() })
const numpy = 'application/octet-stream'

export const routes: ToolRoute[] = [
  answerEndpoint(listCellDatasets, async ({ assembly, gene }, { data }) => {
    await data.getAssembly(assembly)
    const datasets = await listCells(data, assembly)
    if (gene === undefined) return { datasets }
    const cells = await Promise.all(datasets.map(({ id }) => openCells(data, assembly, id)))
    return { datasets: cells.filter(({ rows }) => rows.has(gene)).map(({ dataset }) => dataset) }
  }),

  defineRoute({
    path: 'map.npy',
    summary:
      'Coordinates of all cells on a map of a data set, by its place among the maps: NumPy file, float32, cells × 2',
    input: place.extend({ map: z.coerce.number().int().min(0).max(1000).default(0) }),
    handle: async ({ assembly, dataset: asked, map }, { data }) => {
      const { dataset, file } = await openCells(data, assembly, asked)
      if (map >= dataset.embeddings.length) throw new PortalError('NOT_FOUND')
      return { file: file(cellFiles(dataset.id).embedding(map)), contentType: numpy, fileName: `${dataset.id}-map.npy` }
    },
  }),

  defineRoute({
    path: 'column.npy',
    summary:
      'A column of all cells, by its name: NumPy file; uint16 places in the list of names (65535 for none), or float32 numbers',
    input: place.extend({ column: z.string().max(200) }),
    handle: async ({ assembly, dataset: asked, column }, { data }) => {
      const { dataset, file } = await openCells(data, assembly, asked)
      const found = dataset.columns.find(({ name }) => name === column)
      if (found === undefined) throw new PortalError('NOT_FOUND')
      return {
        file: file(cellFiles(dataset.id).column(found.file)),
        contentType: numpy,
        fileName: `${dataset.id}-column.npy`,
      }
    },
  }),

  defineRoute({
    path: 'values.bin',
    summary:
      'Expression of a gene, or the mean of several (a score), in the cells where it is not zero: little-endian uint32 count, that many uint32 cells from 0, that many float32 values',
    input: place.extend({ genes: z.string().min(1).max(20_000) }),
    handle: async ({ assembly, dataset: asked, genes }, { data, signal }) => {
      const cells = await openCells(data, assembly, asked)
      const { found } = await findMatrixGenes(data, assembly, splitIdentifiers(genes).slice(0, limits.genes), cells)
      const values = await cells.openValues()
      try {
        let one = await values.read(cells.rows.get(found[0]!)!)
        if (found.length > 1) {
          const sums = new Float32Array(cells.dataset.cellCount)
          for (const gene of found) {
            signal.throwIfAborted()
            const own = await values.read(cells.rows.get(gene)!)
            for (let at = 0; at < own.cells.length; at += 1) sums[own.cells[at]!]! += own.values[at]! / found.length
          }
          let count = 0
          for (const sum of sums) if (sum !== 0) count += 1
          one = { cells: new Uint32Array(count), values: new Float32Array(count) }
          count = 0
          for (let cell = 0; cell < sums.length; cell += 1)
            if (sums[cell] !== 0) {
              one.cells[count] = cell
              one.values[count] = sums[cell]!
              count += 1
            }
        }
        const count = one.cells.length
        const body = new Uint8Array(4 + 8 * count)
        new DataView(body.buffer).setUint32(0, count, true)
        body.set(new Uint8Array(one.cells.buffer, one.cells.byteOffset, 4 * count), 4)
        body.set(new Uint8Array(one.values.buffer, one.values.byteOffset, 4 * count), 4 + 4 * count)
        return {
          body,
          contentType: numpy,
          fileName: `${cells.dataset.id}-${found.length === 1 ? found[0] : 'score'}.bin`,
        }
      } finally {
        await values.close()
      }
    },
  }),
]
