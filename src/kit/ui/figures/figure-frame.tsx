import { Download, Image, Table2 } from 'lucide-react'
import { createContext, type ReactNode, type RefObject, useContext, useLayoutEffect, useRef, useState } from 'react'
import { type Receipt, receiptLines } from '../../../contracts/tools/receipt.ts'
import { Button } from '../controls/button.tsx'
import { FoldActions, useFold } from '../controls/folding-card.tsx'
import { type FigureFile, useGathered } from '../gathered-files.ts'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { showNotice } from '../notices.ts'
import { downloadBlob, downloadText, fileName, renderPng, renderSvg } from '../table/export.ts'
import { ResultTable, type TableColumn } from '../table/result-table.tsx'
import { ReceiptBelow, ReceiptView } from '../tool/receipt.tsx'
import { usePrinting } from '../use-printing.ts'
import { noteOnCanvas, readLegend, withLegend, withNote } from './legend-file.ts'

export interface FigureNumbers<Row> {
  columns: TableColumn<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
}

/** A drawing of at least so much fills the sheet. */
const widePx = 600

/**
 * On paper nothing scrolls: a drawing that is wider than the sheet, as a heat map of many samples, is made smaller. Browsers shrink a
 * page until its widest table has room: a wide drawing is then as wide as the table.
 */
const useFitOnSheet = (body: RefObject<HTMLElement | null>): void => {
  const printing = usePrinting()
  useLayoutEffect(() => {
    if (!printing) return
    const undo: (() => void)[] = []
    for (const svg of body.current?.querySelectorAll<SVGSVGElement>('svg[width][height]') ?? []) {
      if (svg.closest('.nv-layers') !== null) continue
      const isScaled = svg.hasAttribute('viewBox')
      if (!isScaled) svg.setAttribute('viewBox', `0 0 ${svg.getAttribute('width')} ${svg.getAttribute('height')}`)
      const own = Number(svg.getAttribute('width')) >= widePx ? ['nv-fits-sheet', 'nv-fills-sheet'] : ['nv-fits-sheet']
      svg.classList.add(...own)
      undo.push(() => {
        if (!isScaled) svg.removeAttribute('viewBox')
        svg.classList.remove(...own)
      })
    }
    return () => {
      for (const one of undo) one()
    }
  }, [printing, body])
}

/** All that is drawn below is of simulated data, as in a section of the gene page. */
export const SimulatedBelow = createContext(false)

/**
 * The frame of every figure: title, SVG and PNG and the numbers behind it always in the same place at the right, a
 * method line below, and the receipt where the page does not end with it. The figure is the first `svg` among the children, or what
 * `renderFile` draws, or a
 * `canvas` (PNG only). Lists among the children that are marked `data-legend` go into the files below it.
 */
export const FigureFrame = <Row,>({
  title,
  aside,
  numbers,
  method,
  receipt,
  actions,
  children,
  name,
  id,
  renderFile,
  simulated,
}: {
  title: string
  aside?: ReactNode
  numbers?: FigureNumbers<Row>
  /** One sentence: how this was computed and drawn. */
  method?: ReactNode
  receipt?: Receipt
  actions?: ReactNode
  children: ReactNode
  /** Base of the file names; the title when absent. */
  name?: string
  id?: string
  /** The figure as the text of an SVG file, for drawings on a canvas; null when it cannot be drawn now. */
  renderFile?: () => string | null
  /** Whether what is drawn is simulated, where no receipt says it: it stands in the figure and in its files. */
  simulated?: boolean
}): ReactNode => {
  const below = useContext(ReceiptBelow)
  const ownReceipt = below === receipt ? undefined : receipt
  const t = useText(messages)
  const fold = useFold()
  const body = useRef<HTMLDivElement>(null)
  useFitOnSheet(body)
  const [asTable, setAsTable] = useState(false)
  const file = fileName(name ?? title)

  const isBelowSimulated = useContext(SimulatedBelow)
  const isSimulated = simulated ?? (isBelowSimulated || ((receipt ?? below)?.simulated ?? []).length > 0)
  const note = isSimulated ? t('figure.simulated') : null

  const drawFile = async (): Promise<FigureFile | null> => {
    const legend = body.current === null ? [] : readLegend(body.current)
    const own = renderFile?.() ?? null
    if (own !== null) return { name: file, svg: withNote(withLegend(own, legend), note) }
    // Buttons and legends among the children have pictures too, which are not the figure.
    const svg =
      body.current?.querySelector<SVGSVGElement>('svg[data-figure]') ??
      body.current?.querySelector<SVGSVGElement>('svg:not(.lucide, .nv-category-swatch)')
    if (svg !== null && svg !== undefined) {
      const about = receipt === undefined ? title : [title, ...receiptLines(receipt)].join('\n')
      return { name: file, svg: withNote(withLegend(renderSvg(svg, about), legend), note) }
    }
    const canvas = body.current?.querySelector('canvas')
    if (canvas === null || canvas === undefined) return null
    const png = await new Promise<Blob | null>((resolve) => noteOnCanvas(canvas, note).toBlob(resolve, 'image/png'))
    return png === null ? null : { name: file, png }
  }
  useGathered(drawFile)
  const save = async (kind: 'svg' | 'png'): Promise<void> => {
    const drawn = await drawFile()
    if (drawn === null) return
    if ('png' in drawn) downloadBlob(drawn.png, `${file}.png`)
    else if (kind === 'svg') downloadText(drawn.svg, `${file}.svg`, 'image/svg+xml')
    else downloadBlob(await renderPng(drawn.svg), `${file}.png`)
  }
  const onSave = (kind: 'svg' | 'png'): void => {
    save(kind).catch(() => showNotice({ kind: 'message', level: 'error', text: t('figure.notSaved'), stayMs: 15_000 }))
  }

  // The head of a folding card says the same title, and takes the actions.
  const told = fold?.title === title
  const buttons = (
    <>
      {actions}
      {numbers === undefined ? null : (
        <Button
          size="small"
          look="quiet"
          aria-pressed={asTable}
          icon={asTable ? <Image size={14} aria-hidden /> : <Table2 size={14} aria-hidden />}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? t('figure.figure') : t('figure.numbers')}
        </Button>
      )}
      {(['svg', 'png'] as const).map((kind) => (
        <Button
          key={kind}
          size="small"
          look="quiet"
          disabled={asTable}
          icon={<Download size={14} aria-hidden />}
          onClick={() => onSave(kind)}
        >
          {kind.toUpperCase()}
        </Button>
      ))}
    </>
  )
  return (
    <section className="nv-card nv-figure" id={id}>
      {told ? (
        <FoldActions>{buttons}</FoldActions>
      ) : (
        <header className="nv-card-head">
          {fold === null ? <h2>{title}</h2> : <h3>{title}</h3>}
          {aside === undefined ? null : <span className="nv-card-aside">{aside}</span>}
          <div className="nv-card-actions">{buttons}</div>
        </header>
      )}
      {/* The figure stays mounted while the numbers show, so that its zoom and selection are not lost. */}
      <div ref={body} className="nv-figure-body" hidden={asTable}>
        {note === null ? null : <p className="nv-figure-simulated">{note}</p>}
        {children}
      </div>
      {asTable && numbers !== undefined ? (
        <div className="nv-card-body">
          <ResultTable plain {...numbers} name={file} receipt={receipt} label={title} />
        </div>
      ) : null}
      {method === undefined && ownReceipt === undefined ? null : (
        <footer className="nv-card-foot">
          {method === undefined ? null : (
            <p className="nv-method">
              <strong>{t('figure.method')}</strong> {method}
            </p>
          )}
          {ownReceipt === undefined ? null : <ReceiptView receipt={ownReceipt} />}
        </footer>
      )}
    </section>
  )
}
