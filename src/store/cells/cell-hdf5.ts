import type * as H5 from 'h5wasm/node'
import {
  type CellColumn,
  type CellCoordinates,
  type CellEntries,
  CellFileError,
  type CellTable,
  levelsOf,
  noLevel,
} from '../../bio/expression/cell-table.ts'
import { openHdf5 } from '../hdf5-file.ts'

// AnnData, all layouts so far: anndata.readthedocs.io "On-disk format" (compound tables up to 0.6, `__categories` in 0.7, groups with
// encoding-type since 0.8). 10x Genomics' feature-barcode matrix: "Cell Ranger, HDF5 feature-barcode matrix format", of version 2 and 3.

/** HDF5's own filters that the reader here undoes: deflate, shuffle, Fletcher32. It returns garbage for others. */
const readableFilters = new Set([1, 2, 3])
/** Values in memory at a time. */
const piece = 1 << 20

type Group = H5.Group
type Dataset = H5.Dataset
type Numbers = ArrayLike<number> | ArrayLike<bigint>

const isGroup = (entity: unknown): entity is Group =>
  typeof entity === 'object' && entity !== null && 'keys' in entity && typeof entity.keys === 'function'
const isDataset = (entity: unknown): entity is Dataset =>
  typeof entity === 'object' && entity !== null && 'shape' in entity && 'filters' in entity

const checkFilters = (dataset: Dataset, name: string): Dataset => {
  const filter = dataset.filters.find(({ id }) => !readableFilters.has(id))
  if (filter !== undefined) throw new CellFileError('cells-filter', { part: name, filter: filter.name || filter.id })
  return dataset
}
const datasetOf = (parent: Group, name: string): Dataset => {
  const found = parent.get(name)
  if (!isDataset(found)) throw new CellFileError('cells-part-missing', { part: name })
  return checkFilters(found, name)
}
const lengthOf = (dataset: Dataset): number => dataset.shape?.[0] ?? 0
const inconsistent = (part: string, found: string | number, expected: string | number): CellFileError =>
  new CellFileError('cells-inconsistent', { part, found, expected })

const numbers = (values: unknown): Float64Array => {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) return Float64Array.from(values, Number)
  return Float64Array.from(values as ArrayLike<number>, Number)
}
const texts = (dataset: Dataset): string[] => {
  const value = dataset.value as unknown
  return Array.from(value as ArrayLike<unknown>, (one) => String(one).replace(/\0+$/, ''))
}
const isText = (dataset: Dataset): boolean => typeof dataset.dtype === 'string' && /S|A\d/.test(dataset.dtype)

const attribute = (entity: Group | Dataset, name: string): unknown => {
  const found = entity.attrs[name]
  return found === undefined ? undefined : found.value
}

const makeEntries = (size: number): CellEntries => ({
  cells: new Uint32Array(size),
  genes: new Uint32Array(size),
  values: new Float64Array(size),
  count: 0,
})
const pause = (): Promise<void> => new Promise((resume) => setImmediate(resume))

/** Goes through a matrix compressed along `major`: rows are the cells, or the genes. */
async function* scanCompressed(
  group: Group,
  part: string,
  cellCount: number,
  geneCount: number,
  byCell: boolean,
): AsyncGenerator<CellEntries> {
  const data = datasetOf(group, 'data')
  const indices = datasetOf(group, 'indices')
  const starts = numbers(datasetOf(group, 'indptr').value)
  const majors = byCell ? cellCount : geneCount
  const minors = byCell ? geneCount : cellCount
  const total = lengthOf(data)
  if (starts.length !== majors + 1) throw inconsistent(`${part}/indptr`, starts.length, majors + 1)
  if (starts[0] !== 0 || starts[majors] !== total) throw inconsistent(`${part}/indptr`, starts[majors]!, total)
  if (lengthOf(indices) !== total) throw inconsistent(`${part}/indices`, lengthOf(indices), total)
  const entries = makeEntries(Math.min(piece, total))
  let major = 0
  for (let from = 0; from < total; from += piece) {
    const to = Math.min(total, from + piece)
    const values = data.slice([[from, to]]) as Numbers
    const minor = indices.slice([[from, to]]) as Numbers
    for (let at = 0; at < to - from; at += 1) {
      while (starts[major + 1]! <= from + at) {
        major += 1
        if (starts[major + 1]! < starts[major]!)
          throw inconsistent(`${part}/indptr`, starts[major + 1]!, `≥ ${starts[major]}`)
      }
      const other = Number(minor[at])
      if (!(other >= 0 && other < minors)) throw inconsistent(`${part}/indices`, other, `0–${minors - 1}`)
      entries.cells[at] = byCell ? major : other
      entries.genes[at] = byCell ? other : major
      entries.values[at] = Number(values[at])
    }
    entries.count = to - from
    yield entries
    await pause()
  }
}

async function* scanDense(
  dataset: Dataset,
  part: string,
  cellCount: number,
  geneCount: number,
): AsyncGenerator<CellEntries> {
  const shape = dataset.shape ?? []
  if (shape[0] !== cellCount || shape[1] !== geneCount)
    throw inconsistent(part, shape.join(' × '), `${cellCount} × ${geneCount}`)
  const rows = Math.max(1, Math.floor(piece / Math.max(1, geneCount)))
  const entries = makeEntries(rows * geneCount)
  for (let from = 0; from < cellCount; from += rows) {
    const to = Math.min(cellCount, from + rows)
    const values = dataset.slice([
      [from, to],
      [0, geneCount],
    ]) as Numbers
    let count = 0
    for (let at = 0; at < (to - from) * geneCount; at += 1) {
      const value = Number(values[at])
      if (value === 0) continue
      entries.cells[count] = from + Math.floor(at / geneCount)
      entries.genes[count] = at % geneCount
      entries.values[count] = value
      count += 1
    }
    entries.count = count
    yield entries
    await pause()
  }
}

/** Columns of a table of AnnData: read when asked for, so that a broken one spoils no other. */
interface Table {
  index: string[]
  columns: Map<string, () => CellColumn | string[] | null>
}

const codesColumn = (name: string, codes: ArrayLike<number | bigint>, levels: string[]): CellColumn => ({
  name,
  kind: 'category',
  levels,
  codes: Uint16Array.from({ length: codes.length }, (_, at) => {
    const code = Number(codes[at])
    return code >= 0 && code < levels.length ? code : noLevel
  }),
})
const numberColumn = (name: string, values: ArrayLike<number | bigint>): CellColumn => ({
  name,
  kind: 'number',
  values: Float32Array.from({ length: values.length }, (_, at) => Number(values[at])),
})

const readColumn = (parent: Group, name: string, length: number): CellColumn | string[] | null => {
  const found = parent.get(name)
  const check = (dataset: Dataset): Dataset => {
    if (lengthOf(dataset) !== length) throw inconsistent(name, lengthOf(dataset), length)
    return dataset
  }
  if (isGroup(found)) {
    const keys = found.keys()
    if (keys.includes('codes'))
      return codesColumn(
        name,
        check(datasetOf(found, 'codes')).value as unknown as Numbers as ArrayLike<number>,
        texts(datasetOf(found, 'categories')),
      )
    if (!keys.includes('values')) return null
    // Nullable numbers and booleans: values beside a mask.
    const column = numberColumn(name, check(datasetOf(found, 'values')).value as unknown as ArrayLike<number>)
    const mask = keys.includes('mask') ? numbers(datasetOf(found, 'mask').value) : null
    if (column.kind === 'number') for (const at of column.values.keys()) if (mask?.[at]) column.values[at] = Number.NaN
    return column
  }
  if (!isDataset(found)) return null
  check(checkFilters(found, name))
  const old = parent.get('__categories')
  if (isGroup(old) && old.keys().includes(name))
    return codesColumn(name, found.value as unknown as ArrayLike<number>, texts(datasetOf(old, name)))
  if (isText(found)) return texts(found)
  const value = found.value as unknown
  if (!ArrayBuffer.isView(value) && !Array.isArray(value)) return null
  if (found.metadata.enum_type !== undefined && found.metadata.enum_type !== null)
    return levelsOf(
      name,
      Array.from(value as unknown as ArrayLike<number>, (one) => (Number(one) ? 'true' : 'false')),
    )
  return numberColumn(name, value as unknown as ArrayLike<number>)
}

/** A table as a group of columns, or all rows in one compound data set with categories kept aside. */
const readTable = (parent: Group, part: string, aside: Group | null): Table => {
  const found = parent.get(part)
  if (isGroup(found)) {
    const indexName = attribute(found, '_index')
    const name = typeof indexName === 'string' ? indexName : found.keys().includes('_index') ? '_index' : 'index'
    const index = texts(datasetOf(found, name))
    const names = found.keys().filter((key) => key !== name && key !== '__categories')
    return { index, columns: new Map(names.map((key) => [key, () => readColumn(found, key, index.length)])) }
  }
  if (!isDataset(found)) throw new CellFileError('cells-part-missing', { part })
  checkFilters(found, part)
  const members = found.metadata.compound_type?.members
  if (members === undefined) throw new CellFileError('cells-part-missing', { part })
  const rows = found.value as unknown as unknown[][]
  const at = Math.max(
    0,
    members.findIndex(({ name }) => name === 'index' || name === '_index'),
  )
  const columns: Table['columns'] = new Map()
  for (const [place, { name }] of members.entries()) {
    if (place === at) continue
    columns.set(name, () => {
      const values = rows.map((row) => row[place])
      const levels = aside?.get(`${name}_categories`)
      if (isDataset(levels)) return codesColumn(name, values as number[], texts(checkFilters(levels, name)))
      if (typeof values[0] === 'string') return values.map(String)
      return typeof values[0] === 'number' || typeof values[0] === 'bigint'
        ? numberColumn(name, values as number[])
        : null
    })
  }
  return { index: rows.map((row) => String(row[at])), columns }
}

/** Columns of the genes' table that may hold what gene models call a gene. */
const nameColumns = /^(gene|feature)?s?_?(id|ids|name|names|symbol|symbols|accession)$|^(ensembl|locus).*$/i

const readCoordinates = (root: Group, cells: number): CellCoordinates[] => {
  const found = root.get('obsm')
  const made: CellCoordinates[] = []
  if (isGroup(found))
    for (const key of found.keys()) {
      const dataset = found.get(key)
      if (!isDataset(dataset) || dataset.shape?.length !== 2 || dataset.shape[0] !== cells) continue
      const width = dataset.shape[1]!
      if (width < 2 || width > 200) continue
      made.push({ name: key, width, values: Float32Array.from(numbers(checkFilters(dataset, `obsm/${key}`).value)) })
    }
  else if (isDataset(found)) {
    const members = found.metadata.compound_type?.members ?? []
    const rows = checkFilters(found, 'obsm').value as unknown as ArrayLike<number>[][]
    for (const [index, { name }] of members.entries()) {
      const width = rows[0]?.[index]?.length ?? 0
      if (width < 2 || rows.length !== cells) continue
      const values = new Float32Array(cells * width)
      for (const [cell, row] of rows.entries()) values.set(Array.from(row[index]!, Number), cell * width)
      made.push({ name, width, values })
    }
  }
  return made
}

const readAnnData = (file: H5.File, layer: string | undefined): CellTable => {
  const root: Group = file
  const aside = root.get('uns')
  const obs = readTable(root, 'obs', isGroup(aside) ? aside : null)
  const path = layer === undefined ? 'X' : layer === 'raw' ? 'raw/X' : `layers/${layer}`
  const rawTable = root.get('raw')
  // Before 0.7 the raw genes were beside the raw matrix at the top.
  const old = layer === 'raw' && !isGroup(rawTable)
  const matrix = root.get(old ? 'raw.X' : path)
  if (matrix === null || matrix === undefined) throw new CellFileError('cells-part-missing', { part: path })
  const genesOf =
    layer !== 'raw'
      ? readTable(root, 'var', null)
      : old
        ? readTable(root, 'raw.var', null)
        : readTable(rawTable as Group, 'var', null)
  const cells = obs.index
  const genes = genesOf.index.map((name) => [name])
  for (const [name, read] of genesOf.columns) {
    if (!nameColumns.test(name)) continue
    const column = read()
    if (Array.isArray(column)) for (const [at, one] of column.entries()) genes[at]?.push(one)
    else if (column?.kind === 'category')
      for (const [at, code] of column.codes.entries()) if (code !== noLevel) genes[at]?.push(column.levels[code]!)
  }
  const columns: CellColumn[] = []
  const left: string[] = []
  for (const [name, read] of obs.columns) {
    const column = read()
    const made = Array.isArray(column) ? levelsOf(name, column) : column
    if (made === null) left.push(name)
    else columns.push(made)
  }
  const layers = root.get('layers')
  const raw = isGroup(rawTable) || root.keys().includes('raw.X')
  let layout: string
  let scan: CellTable['scan']
  if (isGroup(matrix)) {
    const encoding = String(attribute(matrix, 'encoding-type') ?? attribute(matrix, 'h5sparse_format') ?? '')
    const byCell = encoding.startsWith('csr')
    if (!byCell && !encoding.startsWith('csc')) throw new CellFileError('cells-format', { format: encoding || path })
    layout = `AnnData ${byCell ? 'CSR' : 'CSC'}`
    scan = () => scanCompressed(matrix, path, cells.length, genes.length, byCell)
  } else if (isDataset(matrix)) {
    checkFilters(matrix, path)
    layout = 'AnnData'
    scan = () => scanDense(matrix, path, cells.length, genes.length)
  } else throw new CellFileError('cells-part-missing', { part: path })
  return {
    layout,
    cells,
    genes,
    columns,
    left,
    coordinates: readCoordinates(root, cells.length),
    layers: [...(raw ? ['raw'] : []), ...(isGroup(layers) ? layers.keys() : [])],
    scan,
    close: () => file.close(),
  }
}

const readTenX = (file: H5.File): CellTable => {
  const named = file.get('matrix')
  const group = isGroup(named)
    ? named
    : file
        .keys()
        .map((key) => file.get(key))
        .find((one) => isGroup(one) && one.keys().includes('indptr'))
  if (!isGroup(group)) throw new CellFileError('cells-format', { format: 'HDF5' })
  const cells = texts(datasetOf(group, 'barcodes'))
  const features = group.get('features')
  const table = isGroup(features) ? features : group
  const ids = texts(datasetOf(table, isGroup(features) ? 'id' : 'genes'))
  const symbols = texts(datasetOf(table, isGroup(features) ? 'name' : 'gene_names'))
  const types =
    isGroup(features) && features.keys().includes('feature_type') ? texts(datasetOf(features, 'feature_type')) : null
  const shape = numbers(datasetOf(group, 'shape').value)
  if (shape[0] !== ids.length || shape[1] !== cells.length)
    throw inconsistent('shape', [...shape].join(' × '), `${ids.length} × ${cells.length}`)
  return {
    layout: '10x HDF5',
    cells,
    // Antibodies and guides are no genes: nothing names them.
    genes: ids.map((id, at) => (types === null || types[at] === 'Gene Expression' ? [id, symbols[at] ?? ''] : [])),
    columns: [],
    left: [],
    coordinates: [],
    layers: [],
    // The file's columns are its cells.
    scan: () => scanCompressed(group, 'matrix', cells.length, ids.length, true),
    close: () => file.close(),
  }
}

/**
 * Opens an .h5ad file (all layouts of AnnData; `layer` names other values than X, `raw` those of raw) or 10x Genomics' .h5. Values stay
 * in the file. Rejects with CellFileError when it is neither, is packed by a filter that cannot be undone, or contradicts itself.
 */
export const openCellHdf5 = async (path: string, layer?: string): Promise<CellTable> => {
  const file = await openHdf5(path)
  if (file === null) throw new CellFileError('cells-format', { format: 'HDF5' })
  try {
    const keys = file.keys()
    return keys.includes('obs') && keys.includes('var') ? readAnnData(file, layer) : readTenX(file)
  } catch (error) {
    file.close()
    throw error
  }
}
