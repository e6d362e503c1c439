import { ContactMapError } from '../../bio/contacts/contact-map.ts'
import { openHdf5 } from '../hdf5-file.ts'
import { type BinRange, type ContactReader, WindowTooLarge } from './contact-reader.ts'
import {
  attribute,
  type Dataset,
  datasetOf,
  type Group,
  groupOf,
  listWeights,
  numbersOf,
  readWeights,
} from './cooler-file.ts'

/** Contacts that are read in one go: 16 MB of bins and counts. */
const pixelsPerRead = 1 << 20
const defaultMaxPixels = 60e6

interface Matrix {
  bins: Group
  second: Dataset
  counts: Dataset
  /** Number of the first bin of each chromosome, and of all bins. */
  starts: Float64Array
  rowStarts: Dataset
  symmetric: boolean
  /** Contacts that HDF5 unpacks together. */
  chunk: number
}

const chunkOf = (dataset: Dataset): number => {
  const { chunks } = dataset.metadata as { chunks?: number[] | null }
  return Math.max(1, chunks?.[0] ?? 1)
}

/** Numbers of bins, as they lie in memory: of integers of 64 bits the lower halves, since no genome has 2³¹ bins. */
const binsOf = (dataset: Dataset, from: number, to: number): { numbers: ArrayLike<number>; step: number } => {
  const values = to > from ? dataset.slice([[from, to]]) : null
  if (values instanceof BigInt64Array || values instanceof BigUint64Array)
    return { numbers: new Int32Array(values.buffer, values.byteOffset, values.length * 2), step: 2 }
  return { numbers: values instanceof Int32Array ? values : numbersOf(dataset, from, to), step: 1 }
}

/**
 * Opens a .cool or .mcool that the loader checked. Reads by cooler's own index (`bin1_offset`): of each row only what can lie in the
 * window, rows that lie near each other in the file together. Rejects with ContactMapError when the file is damaged.
 */
export const openCooler = async (file: string): Promise<ContactReader> => {
  const handle = await openHdf5(file)
  if (handle === null) throw new ContactMapError('contacts-no-map', { format: 'HDF5' })
  const matrices = new Map<number, Matrix>()

  const matrixOf = (binBp: number): Matrix => {
    const known = matrices.get(binBp)
    if (known !== undefined) return known
    const several = handle.get('resolutions') !== null
    const root = several ? groupOf(groupOf(handle, 'resolutions'), String(binBp)) : handle
    if (Number(attribute(root, 'bin-size')) !== binBp)
      throw new ContactMapError('contacts-part-missing', { part: `resolutions/${binBp}` })
    const pixels = groupOf(root, 'pixels')
    const indexes = groupOf(root, 'indexes')
    const second = datasetOf(pixels, 'bin2_id')
    const matrix: Matrix = {
      bins: groupOf(root, 'bins'),
      second,
      counts: datasetOf(pixels, 'count'),
      starts: numbersOf(datasetOf(indexes, 'chrom_offset')),
      rowStarts: datasetOf(indexes, 'bin1_offset'),
      symmetric: (attribute(root, 'storage-mode') ?? 'symmetric-upper') === 'symmetric-upper',
      chunk: chunkOf(second),
    }
    matrices.set(binBp, matrix)
    return matrix
  }

  /**
   * Visits the stored pixels of these rows and columns, bins of the whole genome, at most `farthest` bins apart.
   */
  const readRows = async (
    matrix: Matrix,
    rows: { from: number; to: number },
    columns: { from: number; to: number },
    visit: (one: number, two: number, count: number) => void,
    { maxPixels = defaultMaxPixels, signal }: { maxPixels?: number; signal?: AbortSignal } = {},
    farthest = Number.POSITIVE_INFINITY,
  ): Promise<void> => {
    if (rows.to <= rows.from || columns.to <= columns.from) return
    const starts = numbersOf(matrix.rowStarts, rows.from, rows.to + 1)
    // Segments of the file that hold what is asked for. Of a symmetric map a row's pixels begin at the diagonal, in order of the second
    // bin: as many as there are bins from there to the last that is asked for can matter.
    const segments: [from: number, to: number][] = []
    let total = 0
    for (let row = rows.from; row < rows.to; row += 1) {
      const from = starts[row - rows.from]!
      const end = starts[row - rows.from + 1]!
      if (end === from) continue
      const last = Math.min(columns.to, row + farthest + 1)
      const reach = matrix.symmetric ? Math.max(0, last - row) : end - from
      const to = Math.min(end, from + reach)
      if (to <= from) continue
      const previous = segments.at(-1)
      if (previous !== undefined && from - previous[1] <= matrix.chunk) {
        total += to - previous[1]
        previous[1] = to
      } else {
        total += to - from
        segments.push([from, to])
      }
    }
    if (total > maxPixels) throw new WindowTooLarge(total)
    let row = rows.from
    for (const [from, to] of segments) {
      for (let start = from; start < to; start += pixelsPerRead) {
        const end = Math.min(to, start + pixelsPerRead)
        signal?.throwIfAborted()
        const { numbers: twos, step } = binsOf(matrix.second, start, end)
        let counts: Float64Array | null = null
        for (let at = 0; at < end - start; at += 1) {
          const two = twos[at * step]!
          if (two < columns.from || two >= columns.to) continue
          // Counts are unpacked only where something lies in the window.
          counts ??= numbersOf(matrix.counts, start, end)
          while (starts[row - rows.from + 1]! <= start + at) row += 1
          if (two - row <= farthest) visit(row, two, counts[at]!)
        }
        if (to - from > pixelsPerRead) await new Promise((resume) => setImmediate(resume))
      }
    }
  }

  const absolute = (
    matrix: Matrix,
    { chromosome, from, to }: BinRange,
  ): { first: number; from: number; to: number } => {
    const first = matrix.starts[chromosome]!
    const bins = matrix.starts[chromosome + 1]! - first
    return { first, from: first + Math.max(0, from), to: first + Math.min(bins, to) }
  }

  return {
    listNormalizations: async (binBp) => listWeights(matrixOf(binBp).bins),
    readWindow: async (binBp, x, y, visit, options) => {
      const matrix = matrixOf(binBp)
      const inX = absolute(matrix, x)
      const inY = absolute(matrix, y)
      if (!matrix.symmetric) {
        await readRows(matrix, inX, inY, (one, two, count) => visit(one - inX.first, two - inY.first, count), options)
        return
      }
      const same = inX.from === inY.from && inX.to === inY.to
      // Stored is the half in which the first bin is not the greater: rows of x with columns of y, and rows of y with columns of x.
      await readRows(
        matrix,
        inX,
        inY,
        (one, two, count) => {
          visit(one - inX.first, two - inY.first, count)
          if (same && one !== two) visit(two - inX.first, one - inY.first, count)
        },
        options,
      )
      if (!same)
        await readRows(
          matrix,
          inY,
          inX,
          (one, two, count) => {
            // The other reading saw those whose both bins are in both ranges in this order already, but for the mirror.
            const seen = one === two && one >= inX.from && one < inX.to && two >= inY.from && two < inY.to
            if (!seen) visit(two - inX.first, one - inY.first, count)
          },
          options,
        )
    },
    readPartners: async (binBp, x, chromosomes, visit, options) => {
      const matrix = matrixOf(binBp)
      const inX = absolute(matrix, x)
      const wanted = new Set(chromosomes)
      wanted.delete(x.chromosome)
      const { starts } = matrix
      const bins = starts.at(-1)!
      let chromosome = 0
      const emit = (own: number, other: number, count: number): void => {
        while (other >= starts[chromosome + 1]!) chromosome += 1
        while (other < starts[chromosome]!) chromosome -= 1
        if (wanted.has(chromosome)) visit(chromosome, own - inX.first, other - starts[chromosome]!, count)
      }
      await readRows(matrix, inX, { from: 0, to: bins }, emit, options)
      if (matrix.symmetric)
        await readRows(matrix, { from: 0, to: inX.first }, inX, (one, two, count) => emit(two, one, count), options)
    },
    readBand: async (binBp, range, farthest, visit, options) => {
      const matrix = matrixOf(binBp)
      const rows = absolute(matrix, range)
      await readRows(
        matrix,
        rows,
        rows,
        (one, two, count) => {
          if (one <= two) visit(one - rows.first, two - rows.first, count)
        },
        options,
        farthest,
      )
    },
    readWeights: async (binBp, range, normalization) => {
      const matrix = matrixOf(binBp)
      if (!listWeights(matrix.bins).includes(normalization)) return null
      const { from, to } = absolute(matrix, range)
      return readWeights(matrix.bins, normalization, from, to)
    },
    readExpected: async () => null,
    close: async () => {
      handle.close()
    },
  }
}
