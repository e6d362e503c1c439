import type { Group } from 'h5wasm/node'
import h5 from 'h5wasm/node'

// A small cooler, written by hand for tests.

export interface MadeCooler {
  chromosomes: { name: string; lengthBp: number }[]
  binBp: number
  /** Two bins and their contacts, in order. */
  pixels: [bin1: number, bin2: number, count: number][]
  /** Instead of what the pixels give. */
  bin1Offsets?: number[]
  attributes?: Record<string, string | number>
  /** Columns of the table of bins that balance the map. */
  weights?: Record<string, Float64Array>
}

/** Writes a .cool file of cooler's schema version 3, or with `resolutions` an .mcool of several. */
export const writeCooler = async (file: string, made: MadeCooler | MadeCooler[]): Promise<void> => {
  await h5.ready
  const handle = new h5.File(file, 'w')
  try {
    if (!Array.isArray(made)) writeMatrix(handle, made)
    else {
      const resolutions = handle.create_group('resolutions')
      for (const one of made) writeMatrix(resolutions.create_group(String(one.binBp)), one)
    }
  } finally {
    handle.close()
  }
}

const writeMatrix = (root: Pick<Group, 'create_group' | 'create_attribute'>, made: MadeCooler): void => {
  const { chromosomes, binBp, pixels } = made
  const offsets = [0]
  const bins: [chromosome: number, start: number, end: number][] = []
  for (const [number, { lengthBp }] of chromosomes.entries()) {
    for (let start = 0; start < lengthBp; start += binBp) bins.push([number, start, Math.min(lengthBp, start + binBp)])
    offsets.push(bins.length)
  }
  const rows = bins.map((_, bin) => pixels.filter(([one]) => one < bin).length)
  const numbers = (group: Group, name: string, values: number[]): void => {
    group.create_dataset({
      name,
      data: Int32Array.from(values),
      chunks: [Math.max(1, values.length)],
      compression: 'gzip',
    })
  }
  const attributes = {
    format: 'HDF5::Cooler',
    'format-version': '3',
    'bin-type': 'fixed',
    'bin-size': binBp,
    'storage-mode': 'symmetric-upper',
    nnz: pixels.length,
    ...made.attributes,
  }
  for (const [name, value] of Object.entries(attributes)) root.create_attribute(name, value)
  const chroms = root.create_group('chroms')
  chroms.create_dataset({ name: 'name', data: chromosomes.map(({ name }) => name), dtype: 'S32' })
  numbers(
    chroms,
    'length',
    chromosomes.map(({ lengthBp }) => lengthBp),
  )
  const table = root.create_group('bins')
  numbers(
    table,
    'chrom',
    bins.map(([chromosome]) => chromosome),
  )
  numbers(
    table,
    'start',
    bins.map(([, start]) => start),
  )
  numbers(
    table,
    'end',
    bins.map(([, , end]) => end),
  )
  for (const [name, data] of Object.entries(made.weights ?? {})) table.create_dataset({ name, data })
  const indexes = root.create_group('indexes')
  numbers(indexes, 'chrom_offset', offsets)
  numbers(indexes, 'bin1_offset', made.bin1Offsets ?? [...rows, pixels.length])
  const cells = root.create_group('pixels')
  numbers(
    cells,
    'bin1_id',
    pixels.map(([one]) => one),
  )
  numbers(
    cells,
    'bin2_id',
    pixels.map(([, two]) => two),
  )
  numbers(
    cells,
    'count',
    pixels.map(([, , value]) => value),
  )
}
