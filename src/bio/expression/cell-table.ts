import type { textDefects } from '../text/text-defects.ts'
import type { cellDefects } from './cell-defects.ts'

export type CellDefectCode = keyof typeof cellDefects | keyof typeof textDefects

/** Why a file of cells cannot be used. */
export class CellFileError extends Error {
  readonly code: CellDefectCode
  readonly params: Record<string, string | number>

  constructor(code: CellDefectCode, params: Record<string, string | number> = {}) {
    super(`${code} ${JSON.stringify(params)}`)
    this.name = 'CellFileError'
    this.code = code
    this.params = params
  }
}

/** Code of a cell about which a column says nothing. */
export const noLevel = 65_535

/** What is told of each cell: one of some names, or a number (NaN where there is none). */
export type CellColumn =
  | { name: string; kind: 'category'; levels: string[]; codes: Uint16Array }
  | { name: string; kind: 'number'; values: Float32Array }

/** Coordinates of the cells, `width` numbers a cell. */
export interface CellCoordinates {
  name: string
  width: number
  values: Float32Array
}

/** Some of a matrix's values that are not zero: `count` of each array hold them. The arrays are used again for the next piece. */
export interface CellEntries {
  cells: Uint32Array
  genes: Uint32Array
  values: Float64Array
  count: number
}

/** A file of cells and genes, open: small things are read, values are gone through as often as wanted. */
export interface CellTable {
  layout: string
  cells: string[]
  /** Names of each gene, the file's own first, then what else may be known to the gene models. */
  genes: string[][]
  columns: CellColumn[]
  /** Columns that are neither names nor numbers, or tell each cell apart. */
  left: string[]
  coordinates: CellCoordinates[]
  /** Other layers of values by name. */
  layers: string[]
  scan(): AsyncGenerator<CellEntries>
  close(): void
}

/** More levels than this name cells, not kinds of cells. */
const maxLevels = 2000

/** Texts as levels in the order of their first cell; null where they are too many to be kinds of cells. `''` and NA say nothing. */
export const levelsOf = (name: string, texts: readonly string[]): CellColumn | null => {
  const indexes = new Map<string, number>()
  const codes = new Uint16Array(texts.length)
  for (const [at, text] of texts.entries()) {
    if (/^(|na|nan|none|null)$/i.test(text)) {
      codes[at] = noLevel
      continue
    }
    let index = indexes.get(text)
    if (index === undefined) {
      if (indexes.size >= maxLevels) return null
      index = indexes.size
      indexes.set(text, index)
    }
    codes[at] = index
  }
  if (indexes.size === 0 || (indexes.size > 20 && indexes.size > texts.length / 2)) return null
  return { name, kind: 'category', levels: [...indexes.keys()], codes }
}

/** A column of a table as numbers where all that is there are numbers, else as levels. */
export const columnOf = (name: string, texts: readonly string[]): CellColumn | null => {
  const missing = /^(|na|nan|none|null)$/i
  const numeric =
    texts.some((text) => !missing.test(text)) &&
    texts.every((text) => missing.test(text) || Number.isFinite(Number(text)))
  if (!numeric) return levelsOf(name, texts)
  const distinct = new Set(texts)
  // Clusters are often numbered: few whole numbers are names.
  if (
    distinct.size <= Math.min(50, Math.max(2, texts.length / 2)) &&
    [...distinct].every((text) => missing.test(text) || /^\d{1,3}$/.test(text))
  )
    return levelsOf(name, texts)
  return {
    name,
    kind: 'number',
    values: Float32Array.from(texts, (text) => (missing.test(text) ? Number.NaN : Number(text))),
  }
}
