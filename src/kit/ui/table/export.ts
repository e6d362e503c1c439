import { type Receipt, receiptLines, receiptNote } from '../../../contracts/tools/receipt.ts'
import {
  type Cell,
  csvLine,
  tableHead,
  tsvLine,
  uniqueHeadings,
  workbookCell,
  workbookCharacters,
  workbookPieces,
} from '../../write-table.ts'
import { currentLocale, type Locale, translator } from '../language.tsx'
import { messages } from '../messages.ts'
import { showNotice } from '../notices.ts'

/** Hands a blob to the browser as a download. */
export const downloadBlob = (blob: Blob, fileName: string): void => {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The download has its own reference by then; a minute is ample also for slow machines.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export const downloadText = (text: string, fileName: string, type = 'text/plain'): void =>
  downloadBlob(new Blob([text], { type: `${type};charset=utf-8` }), fileName)

export const downloadJson = (value: unknown, fileName: string): void =>
  downloadText(`${JSON.stringify(value, null, 2)}\n`, fileName, 'application/json')

/** A receipt as a file of its own, beside a format that has no place for one; `base` is the name of what it tells of. */
export const downloadReceipt = (receipt: Receipt, base: string): void =>
  downloadText(`${receiptLines(receipt).join('\n')}\n`, `${base}.receipt.txt`)

export type { Cell }

export interface Sheet {
  columns: string[]
  rows: Cell[][]
  receipt?: Receipt
  /** Further lines of the head: which rows these are, in which order. */
  notes?: readonly string[]
}

const headOf = ({ receipt, notes = [] }: Sheet): string[] => [
  ...(receipt === undefined ? [] : receiptLines(receipt)),
  ...notes,
]

/** Tab-separated text with its receipt as `#` lines before it. */
export const renderTsv = (sheet: Sheet): string =>
  tableHead(headOf(sheet), sheet.columns, 'tsv') + sheet.rows.map(tsvLine).join('')

/** Comma-separated text after RFC 4180, with a byte-order mark and CRLF; the receipt as `#` lines before it. */
export const renderCsv = (sheet: Sheet): string =>
  tableHead(headOf(sheet), sheet.columns, 'csv') + sheet.rows.map(csvLine).join('')

/** FASTA with lines of 60 residues; how it was made ends each description, since FASTA has no comments. */
export const renderFasta = (entries: { header: string; sequence: string }[], receipt: Receipt): string => {
  const note = receiptNote(receiptLines(receipt))
  return entries
    .map(({ header, sequence }) => `>${header} ${note}\n${sequence.replace(/(.{60})(?=.)/g, '$1\n')}\n`)
    .join('')
}

export type TableFormat = 'tsv' | 'csv' | 'xlsx'

/** Most rows of an Excel sheet, the head row included (Excel specifications and limits). */
const excelRows = 1_048_576

type WorkbookRow = ({ value: string | number | boolean } | null)[]

/**
 * The sheets of a workbook: numbers as numbers, a table longer than a sheet in further sheets, the receipt on a sheet of its own; there it
 * also says how many cells hold more than a cell can and were cut.
 */
export const renderWorkbook = (
  sheet: Sheet,
  locale: Locale = currentLocale(),
): { pages: { sheet: string; data: WorkbookRow[]; stickyRowsCount?: number }[]; cutCells: number } => {
  const t = translator(messages, locale)
  let cutCells = 0
  const cell = (value: Cell): WorkbookRow[number] => {
    const made = workbookCell(value)
    if (made.cut) cutCells += 1
    return made.value === null ? null : { value: made.value }
  }
  const headings = uniqueHeadings(sheet.columns)
  const pages: { sheet: string; data: WorkbookRow[]; stickyRowsCount?: number }[] = []
  for (let from = 0; from === 0 || from < sheet.rows.length; from += excelRows - 1)
    pages.push({
      sheet: from === 0 ? t('export.dataSheet') : `${t('export.dataSheet')} ${from / (excelRows - 1) + 1}`,
      data: [headings.map(cell), ...sheet.rows.slice(from, from + excelRows - 1).map((row) => row.map(cell))],
      stickyRowsCount: 1,
    })
  const reported = cutCells === 0 ? [] : [t('export.cutCells', { count: cutCells, limit: workbookCharacters })]
  const head = [...reported, ...headOf(sheet)].flatMap(workbookPieces)
  if (head.length > 0) pages.push({ sheet: t('export.receiptSheet'), data: head.map((line) => [{ value: line }]) })
  return { pages, cutCells }
}

/** Downloads a table in a format; a reader is told of cells that a workbook cannot hold whole. */
export const downloadTable = async (sheet: Sheet, name: string, format: TableFormat): Promise<void> => {
  if (format === 'tsv') return downloadText(renderTsv(sheet), `${name}.tsv`, 'text/tab-separated-values')
  if (format === 'csv') return downloadText(renderCsv(sheet), `${name}.csv`, 'text/csv')
  const { default: writeXlsxFile } = await import('write-excel-file/browser')
  const { pages, cutCells } = renderWorkbook(sheet)
  downloadBlob(await writeXlsxFile(pages).toBlob(), `${name}.xlsx`)
  if (cutCells === 0) return
  const t = translator(messages, currentLocale())
  const text = t('export.cutCells', { count: cutCells, limit: workbookCharacters })
  showNotice({ kind: 'message', level: 'warning', text })
}

/** Properties that a copied figure must carry with it, since it leaves the page's style sheets behind. */
const figureProperties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
  'visibility',
] as const

/**
 * An SVG of the page as a file that stands alone: styles written into it, colours of the light theme on white
 * whatever theme is shown, a title and the receipt as its description.
 */
export const renderSvg = (svg: SVGSVGElement, description?: string): string => {
  const host = document.createElement('div')
  host.dataset.theme = 'light'
  host.style.cssText = 'position:absolute;inset-inline-start:-100000px;inset-block-start:0'
  host.className = `nv-figure ${svg.parentElement?.className ?? ''}`
  const copy = svg.cloneNode(true) as SVGSVGElement
  // A drawing made for the file alone, in place of a canvas, is hidden on the page: its file would be an empty sheet.
  copy.style.visibility = 'visible'
  host.append(copy)
  document.body.append(host)
  try {
    for (const element of copy.querySelectorAll('[data-screen-only]')) element.remove()
    const elements = [copy, ...copy.querySelectorAll<SVGElement>('*')]
    // All styles are read before any class goes: an element's style may hang on the class of its parent.
    const styles = elements.map((element) => {
      const style = getComputedStyle(element)
      return figureProperties.map((property) => style.getPropertyValue(property))
    })
    elements.forEach((element, index) => {
      figureProperties.forEach((property, at) => {
        const value = styles[index]?.[at] ?? ''
        if (value !== '') element.setAttribute(property, value)
      })
      element.removeAttribute('style')
      element.removeAttribute('class')
    })
    const { width, height } = svg.viewBox.baseVal?.width ? svg.viewBox.baseVal : svg.getBoundingClientRect()
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
    copy.setAttribute('width', String(width))
    copy.setAttribute('height', String(height))
    const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
    const box = svg.viewBox.baseVal
    ground.setAttribute('x', String(box?.x ?? 0))
    ground.setAttribute('y', String(box?.y ?? 0))
    ground.setAttribute('width', String(width))
    ground.setAttribute('height', String(height))
    ground.setAttribute('fill', '#ffffff')
    copy.prepend(ground)
    if (description !== undefined) {
      const desc = document.createElementNS('http://www.w3.org/2000/svg', 'desc')
      desc.textContent = description
      copy.prepend(desc)
    }
    return new XMLSerializer().serializeToString(copy)
  } finally {
    host.remove()
  }
}

/** Pixels a CSS pixel in PNG exports: 3 gives about 300 dpi for a figure printed at its screen size of 96 dpi. */
const pngScale = 3

/** Longest side of a canvas in pixels, and most pixels of one, that every current browser can hold (Safari holds least). */
const longestCanvasSide = 16_384
const maxCanvasPixels = 16_384 * 16_384

/** Pixels a CSS pixel that a figure of this size is saved at: {@link pngScale}, or what a canvas holds where the figure is large. */
export const pngScaleOf = (width: number, height: number): number =>
  Math.min(
    pngScale,
    longestCanvasSide / Math.max(width, height, 1),
    Math.sqrt(maxCanvasPixels / Math.max(width * height, 1)),
  )

/** PNG of an SVG as {@link renderSvg} writes it; rejects where the browser cannot draw or hold it. */
export const renderPng = async (svgText: string): Promise<Blob> => {
  const url = URL.createObjectURL(new Blob([svgText], { type: 'image/svg+xml;charset=utf-8' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    const scale = pngScaleOf(image.naturalWidth, image.naturalHeight)
    canvas.width = Math.floor(image.naturalWidth * scale)
    canvas.height = Math.floor(image.naturalHeight * scale)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error('The figure is too large to draw')) : resolve(blob)),
        'image/png',
      ),
    )
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** A name for a file out of any words: `fileName('BLAST hits', 'H37Rv')` is `blast-hits-h37rv`. */
export const fileName = (...parts: (string | null | undefined)[]): string =>
  parts
    .filter((part) => part !== null && part !== undefined && part !== '')
    .join('-')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 120)
