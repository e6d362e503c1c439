import type * as H5 from 'h5wasm/node'
import { type ContactMap, ContactMapError, type ContactResolution } from '../../bio/contacts/contact-map.ts'
import { createDistanceSums, type ExpectedTable } from '../../bio/contacts/contact-statistics.ts'
import { openHdf5 } from '../hdf5-file.ts'

// Cooler, schema versions 2 and 3: N. Abdennur, L. A. Mirny, Bioinformatics 36:311-316 (2020); cooler.readthedocs.io, schema.

/** HDF5's own filters that the reader here undoes: deflate, shuffle, Fletcher32. It returns garbage for others. */
const readableFilters = new Set([1, 2, 3])
const pixelsPerRead = 1 << 20

export type Group = H5.Group
export type Dataset = H5.Dataset

export const inconsistent = (part: string, found: string | number, expected: string | number): ContactMapError =>
  new ContactMapError('contacts-inconsistent', { part, found, expected })

export const isGroup = (entity: unknown): entity is Group =>
  typeof entity === 'object' && entity !== null && 'keys' in entity && typeof entity.keys === 'function'

const isDataset = (entity: unknown): entity is Dataset =>
  typeof entity === 'object' && entity !== null && 'shape' in entity && 'filters' in entity

export const groupOf = (parent: Group, name: string): Group => {
  const found = parent.get(name)
  if (!isGroup(found)) throw new ContactMapError('contacts-part-missing', { part: name })
  return found
}

export const datasetOf = (parent: Group, name: string): Dataset => {
  const found = parent.get(name)
  if (!isDataset(found)) throw new ContactMapError('contacts-part-missing', { part: name })
  const filter = found.filters.find(({ id }) => !readableFilters.has(id))
  if (filter !== undefined)
    throw new ContactMapError('contacts-filter', { part: name, filter: filter.name || filter.id })
  return found
}

export const lengthOf = (dataset: Dataset): number => dataset.shape?.[0] ?? 0

/**
 * Values of a one-dimensional data set. Integers of 64 bits are read by their halves: made one by one into JavaScript's own big
 * integers they would take most of the time of a query.
 */
export const numbersOf = (dataset: Dataset, from = 0, to = lengthOf(dataset)): Float64Array => {
  const values = to > from ? dataset.slice([[from, to]]) : null
  if (values === null || !ArrayBuffer.isView(values)) return new Float64Array(0)
  if (!(values instanceof BigInt64Array || values instanceof BigUint64Array))
    return Float64Array.from(values as unknown as ArrayLike<number>)
  const numbers = new Float64Array(values.length)
  const low = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
  const high = new Int32Array(values.buffer, values.byteOffset, values.length * 2)
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = low[2 * at]! + high[2 * at + 1]! * 2 ** 32
  return numbers
}

/** Columns of the table of bins that every cooler has; those beside them that hold numbers with a fraction are weights. */
const binColumns = new Set(['chrom', 'start', 'end'])
/** Columns by which a contact is divided, as juicer's vectors are; others are factors (cooler's `divisive_weights`). */
const divisors = /^(?:(?:GW|INTER)_)?(?:KR|VC|VC_SQRT|SCALE)$/

/** Names of the balancing weights of a matrix, cooler's own `weight` first. */
export const listWeights = (bins: Group): string[] =>
  bins
    .keys()
    .filter((key) => {
      if (binColumns.has(key)) return false
      const column = bins.get(key)
      return isDataset(column) && /^[<>]?[fd]/.test(String(column.dtype)) && lengthOf(column) > 0
    })
    .sort((a, b) => Number(b === 'weight') - Number(a === 'weight') || a.localeCompare(b))

/** Factors of bins from `from` to before `to`: NaN for those that balancing left out. */
export const readWeights = (bins: Group, name: string, from: number, to: number): Float64Array => {
  const weights = numbersOf(datasetOf(bins, name), from, to)
  const divisive = divisors.test(name)
  for (let at = 0; at < weights.length; at += 1) {
    const value = divisive ? 1 / weights[at]! : weights[at]!
    weights[at] = Number.isFinite(value) && value !== 0 ? value : Number.NaN
  }
  return weights
}

export const attribute = (group: Group, name: string): string | number | null => {
  const value = group.attrs[name]?.value
  if (typeof value === 'string' || typeof value === 'number') return value
  return typeof value === 'bigint' ? Number(value) : null
}

/** Offsets must begin at 0, never fall, and end with the number of what they point into. */
const checkOffsets = (dataset: Dataset, part: string, entries: number, total: number): Float64Array => {
  if (lengthOf(dataset) !== entries + 1) throw inconsistent(part, lengthOf(dataset), entries + 1)
  const offsets = numbersOf(dataset)
  for (let at = 1; at < offsets.length; at += 1) {
    if (offsets[at]! < offsets[at - 1]!) throw inconsistent(part, offsets[at]!, `≥ ${offsets[at - 1]}`)
  }
  if (offsets[0] !== 0) throw inconsistent(part, offsets[0]!, 0)
  if (offsets[entries] !== total) throw inconsistent(part, offsets[entries]!, total)
  return offsets
}

/** Reads every pixel: two bins that exist, in order, with a count; each row where the index has it. */
const checkPixels = async (
  pixels: Group,
  rows: Float64Array,
  bins: number,
  symmetric: boolean,
  signal?: AbortSignal,
  onPixels?: (ones: Float64Array, twos: Float64Array, counts: Float64Array) => void,
) => {
  const first = datasetOf(pixels, 'bin1_id')
  const second = datasetOf(pixels, 'bin2_id')
  const counts = datasetOf(pixels, 'count')
  const total = lengthOf(first)
  for (const [part, dataset] of [
    ['pixels/bin2_id', second],
    ['pixels/count', counts],
  ] as const) {
    if (lengthOf(dataset) !== total) throw inconsistent(part, lengthOf(dataset), total)
  }
  for (let from = 0; from < total; from += pixelsPerRead) {
    const to = Math.min(total, from + pixelsPerRead)
    const ones = numbersOf(first, from, to)
    const twos = numbersOf(second, from, to)
    const values = numbersOf(counts, from, to)
    for (let at = 0; at < ones.length; at += 1) {
      const one = ones[at]!
      const two = twos[at]!
      const number = from + at
      if (!(one >= 0 && one < bins)) throw inconsistent('pixels/bin1_id', one, `0–${bins - 1}`)
      if (!(two >= (symmetric ? one : 0) && two < bins))
        throw inconsistent('pixels/bin2_id', two, `${symmetric ? one : 0}–${bins - 1}`)
      if (number < rows[one]! || number >= rows[one + 1]!)
        throw inconsistent('indexes/bin1_offset', number, `${rows[one]}–${rows[one + 1]}`)
      if (!(values[at]! >= 0)) throw inconsistent('pixels/count', values[at]!, '≥ 0')
    }
    onPixels?.(ones, twos, values)
    signal?.throwIfAborted()
    // Long maps take minutes: what else this process does goes on in between.
    await new Promise((resume) => setImmediate(resume))
  }
}

interface Matrix {
  formatVersion: number
  genome: string | null
  chromosomes: ContactMap['chromosomes']
  resolution: ContactResolution
}

/** Told of each resolution what its expected values are, when its pixels have been read. */
export type OnExpected = (binBp: number, expected: ExpectedTable) => Promise<void>

const readMatrix = async (root: Group, signal?: AbortSignal, onExpected?: OnExpected): Promise<Matrix> => {
  const format = attribute(root, 'format')
  if (format !== null && format !== 'HDF5::Cooler') throw new ContactMapError('contacts-no-map', { format: 'cooler' })
  const version = Number(attribute(root, 'format-version') ?? Number.NaN)
  if (version !== 2 && version !== 3)
    throw new ContactMapError('contacts-version', { version: Number.isNaN(version) ? '?' : version, expected: '2–3' })
  const binBp = Number(attribute(root, 'bin-size') ?? Number.NaN)
  if (attribute(root, 'bin-type') !== 'fixed' || !Number.isInteger(binBp) || binBp <= 0)
    throw inconsistent('bin-type', String(attribute(root, 'bin-type')), 'fixed')

  const chroms = groupOf(root, 'chroms')
  const names = datasetOf(chroms, 'name').to_array() as string[]
  const lengths = numbersOf(datasetOf(chroms, 'length'))
  if (names.length !== lengths.length || names.length === 0) throw inconsistent('chroms', names.length, lengths.length)
  const chromosomes = names.map((name, at) => ({ name: name.replace(/\0+$/, ''), lengthBp: lengths[at]! }))

  const bins = groupOf(root, 'bins')
  const starts = numbersOf(datasetOf(bins, 'start'))
  const ends = numbersOf(datasetOf(bins, 'end'))
  const expected = chromosomes.reduce((sum, { lengthBp }) => sum + Math.ceil(lengthBp / binBp), 0)
  if (starts.length !== expected) throw inconsistent('bins', starts.length, expected)
  const indexes = groupOf(root, 'indexes')
  const offsets = checkOffsets(datasetOf(indexes, 'chrom_offset'), 'indexes/chrom_offset', names.length, expected)
  for (const [number, { name, lengthBp }] of chromosomes.entries()) {
    for (let bin = offsets[number]!, start = 0; bin < offsets[number + 1]!; bin += 1, start += binBp) {
      if (starts[bin] !== start) throw inconsistent(`bins/start ${name}`, starts[bin]!, start)
      const end = Math.min(lengthBp, start + binBp)
      if (ends[bin] !== end) throw inconsistent(`bins/end ${name}`, ends[bin]!, end)
    }
  }

  const pixels = groupOf(root, 'pixels')
  const total = lengthOf(datasetOf(pixels, 'bin1_id'))
  const statedCount = attribute(root, 'nnz')
  if (statedCount !== null && Number(statedCount) !== total) throw inconsistent('nnz', statedCount, total)
  const rows = checkOffsets(datasetOf(indexes, 'bin1_offset'), 'indexes/bin1_offset', expected, total)
  // Schema version 2 knows symmetric maps only.
  const symmetric = (attribute(root, 'storage-mode') ?? 'symmetric-upper') === 'symmetric-upper'
  const weightNames = listWeights(bins)
  const sums =
    onExpected === undefined
      ? null
      : createDistanceSums(
          chromosomes.map(({ name }, number) => ({ name, bins: offsets[number + 1]! - offsets[number]! })),
          weightNames.map((name) => ({ name, values: readWeights(bins, name, 0, expected) })),
        )
  await checkPixels(pixels, rows, expected, symmetric, signal, sums?.add)
  if (sums !== null) await onExpected?.(binBp, sums.finish())

  const balanced = weightNames.length > 0
  const genome = attribute(root, 'genome-assembly')
  return {
    formatVersion: version,
    genome: genome === null || genome === 'unknown' || genome === '' ? null : String(genome),
    chromosomes,
    resolution: { binBp, bins: expected, pixels: total, balanced },
  }
}

/**
 * What a .cool or .mcool file holds, after reading the whole of it: tables of one length, bins that tile the chromosomes,
 * indexes that point where they should, pixels of existing bins. Rejects with ContactMapError when it is not so. With `onExpected`
 * the same reading gives the contacts expected at each distance.
 */
export const readCoolerFile = async (
  file: string,
  signal?: AbortSignal,
  onExpected?: OnExpected,
): Promise<ContactMap> => {
  const handle = await openHdf5(file)
  if (handle === null) throw new ContactMapError('contacts-no-map', { format: 'HDF5' })
  try {
    const resolutions = handle.get('resolutions')
    const several = isGroup(resolutions)
    const matrices: Matrix[] = []
    if (several) {
      for (const key of resolutions.keys()) {
        const matrix = await readMatrix(groupOf(resolutions, key), signal, onExpected)
        if (String(matrix.resolution.binBp) !== key)
          throw inconsistent(`resolutions/${key}`, matrix.resolution.binBp, key)
        matrices.push(matrix)
      }
    } else matrices.push(await readMatrix(handle, signal, onExpected))
    const [first] = matrices
    if (first === undefined) throw new ContactMapError('contacts-part-missing', { part: 'resolutions' })
    const reported = (matrix: Matrix): string => JSON.stringify(matrix.chromosomes)
    const other = matrices.find((matrix) => reported(matrix) !== reported(first))
    if (other !== undefined)
      throw inconsistent(`chroms ${other.resolution.binBp}`, other.chromosomes.length, first.chromosomes.length)
    return {
      format: several ? 'mcool' : 'cool',
      formatVersion: first.formatVersion,
      genome: first.genome,
      chromosomes: first.chromosomes,
      resolutions: matrices.map(({ resolution }) => resolution).sort((a, b) => a.binBp - b.binBp),
    }
  } finally {
    handle.close()
  }
}
