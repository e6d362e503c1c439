import { Download } from 'lucide-react'
import { type ReactNode, useContext, useMemo, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { useWidth } from '../figures/use-width.ts'
import { useFormat, useText } from '../language.tsx'
import { downloadText, fileName, renderFasta } from '../table/export.ts'
import { usePageReceipt } from '../tool/catalogue-receipt.ts'
import { ReceiptBelow } from '../tool/receipt.tsx'
import { usePrinting } from '../use-printing.ts'
import { messages } from './sequence-messages.ts'

const group = 10
const mostGroups = 6
/** Height of a line, width of a letter and room behind a line's number in pixels; the style sheet sets the same. */
const [linePx, letterPx, numberGapPx] = [22, 7.81, 16]
/** Lines drawn before and after those in sight, so that scrolling does not show gaps. */
const overscan = 12
const boxPx = 420

/** Lines that are printed at most, 30,000 residues: a chromosome is a file, not a print. */
const printedLines = 500

/**
 * Groups of ten residues that a line has room for behind a number of so many letters: as few as fit, so that none is out of sight.
 *
 * @example groupsThatFit(800, 6) // 6
 * @example groupsThatFit(290, 6) // 2
 */
export const groupsThatFit = (widthPx: number, numberLetters: number): number => {
  const room = widthPx - numberLetters * letterPx - numberGapPx
  // Each has a blank before it, the first has none.
  return Math.max(1, Math.min(mostGroups, Math.floor((room + letterPx) / ((group + 1) * letterPx))))
}

/** A sequence in numbered lines of ten-residue groups, as GenBank prints it; long ones draw only the lines in sight. */
export const SequenceView = ({
  sequence,
  header,
  kind,
  start1 = 1,
  actions,
}: {
  sequence: string
  /** FASTA header, without `>`. */
  header: string
  kind: 'nucleotide' | 'protein'
  /** Number of the first residue. */
  start1?: number
  actions?: ReactNode
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const below = useContext(ReceiptBelow)
  const pageReceipt = usePageReceipt(header)
  const [top, setTop] = useState(0)
  const [box, width] = useWidth<HTMLElement>()
  const numberLetters = String(start1 + sequence.length).length + 2
  const printing = usePrinting()
  const lineLength = group * (printing ? mostGroups : groupsThatFit(width, numberLetters))
  const lines = Math.ceil(sequence.length / lineLength)
  const first = printing ? 0 : Math.max(0, Math.floor(top / linePx) - overscan)
  const last = Math.min(lines, printing ? printedLines : first + Math.ceil(boxPx / linePx) + 2 * overscan)
  const shown = useMemo(
    () =>
      Array.from({ length: Math.max(0, last - first) }, (_, index) => {
        const from = (first + index) * lineLength
        return {
          from,
          text: (sequence.slice(from, from + lineLength).match(/.{1,10}/g) ?? []).join(' '),
        }
      }),
    [sequence, first, last, lineLength],
  )
  return (
    <div className="nv-sequence">
      <div className="nv-sequence-bar">
        <code className="nv-sequence-header">&gt;{header}</code>
        <span className="nv-quiet">
          {t(kind === 'protein' ? 'sequence.aa' : 'sequence.nt', { count: sequence.length })}
        </span>
        <span className="nv-grow" />
        {actions}
        <CopyButton look="quiet" textOf={() => sequence} reported={t('sequence.copied')}>
          {t('sequence.copy')}
        </CopyButton>
        <Button
          size="small"
          look="quiet"
          icon={<Download size={14} aria-hidden />}
          onClick={() =>
            downloadText(
              renderFasta([{ header, sequence }], below ?? pageReceipt()),
              `${fileName(header.split(/\s/)[0])}.fa`,
              'text/x-fasta',
            )
          }
        >
          {t('sequence.fasta')}
        </Button>
      </div>
      <section
        ref={box}
        className="nv-sequence-box"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long sequence must be scrollable with the keyboard.
        tabIndex={0}
        aria-label={header}
        style={{ maxBlockSize: boxPx }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div style={{ blockSize: lines * linePx, position: 'relative' }}>
          <pre style={{ insetBlockStart: first * linePx }}>
            {shown.map((line) => (
              <div key={line.from}>
                <span className="nv-sequence-number">
                  {String(format.number(start1 + line.from)).padStart(numberLetters)}
                </span>
                {line.text}
              </div>
            ))}
          </pre>
        </div>
      </section>
    </div>
  )
}
