import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Gene, Transcript } from '../../../contracts/genes.ts'
import { useRoleStyle } from '../gene/sequence-name.tsx'
import { useFormat, useText } from '../language.tsx'
import { Axis } from './axis.tsx'
import { roundTicks } from './axis-ticks.ts'
import { messages } from './figure-messages.ts'
import { useWidth } from './use-width.ts'

/** Parts of an exon by whether they are coding: `[{start, end, coding}]`, ascending; 1-based, inclusive. */
export const exonParts = (
  transcript: Pick<Transcript, 'exons'> & { cds: readonly { start: number; end: number; phase?: number }[] },
): { start: number; end: number; coding: boolean }[] =>
  transcript.exons.flatMap((exon) => {
    const parts: { start: number; end: number; coding: boolean }[] = []
    let at = exon.start
    for (const cds of transcript.cds) {
      const start = Math.max(cds.start, exon.start)
      const end = Math.min(cds.end, exon.end)
      if (start > end) continue
      if (start > at) parts.push({ start: at, end: start - 1, coding: false })
      parts.push({ start, end, coding: true })
      at = end + 1
    }
    if (at <= exon.end) parts.push({ start: at, end: exon.end, coding: false })
    return parts
  })

/** Strand on which a part of a transcript is read: its own where the transcript is trans-spliced, else the gene's. */
export const strandOfPart = (
  transcript: Pick<Transcript, 'readingOrder'>,
  part: { start: number; end: number },
  geneStrand: Gene['strand'],
): Gene['strand'] =>
  transcript.readingOrder?.find((piece) => piece.start <= part.end && piece.end >= part.start)?.strand ?? geneStrand

/** A position as the sequence numbers it: one beyond the origin of a circular sequence counts from its first base again. */
export const positionOnCircle = (position: number, circularBp: number | null): number =>
  circularBp !== null && position > circularBp ? position - circularBp : position

const rowHeight = 38
const axisHeight = 34

/** Every transcript of a gene to scale: coding exons tall, untranslated low, introns as lines with arrows of the strand. */
export const GeneStructure = ({
  gene,
  circularBp = null,
}: {
  gene: Gene
  /** Length of the gene's sequence when it is circular: a gene across its origin ends beyond it. */
  circularBp?: number | null
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const styleOf = useRoleStyle()
  const [root, width] = useWidth<HTMLDivElement>()
  const narrow = width < 560
  const namesPx = narrow
    ? 8
    : Math.min(
        190,
        Math.max(90, gene.sequence.length * 6.4 + 40, ...gene.transcripts.map((one) => one.id.length * 7.6 + 16)),
      )
  const span = gene.end - gene.start + 1
  const inner = width - namesPx - 14
  const x = (position: number): number => namesPx + ((position - gene.start) / span) * inner
  const height = axisHeight + gene.transcripts.length * rowHeight + 4
  const arrowOf = (strand: Gene['strand']): string =>
    strand === '-' ? 'M3.5,-3.5 L-0.5,0 L3.5,3.5' : 'M-3.5,-3.5 L0.5,0 L-3.5,3.5'
  const arrow = arrowOf(gene.strand)
  const shown = (position: number): string => format.number(positionOnCircle(position, circularBp))
  const label = t('structure.label', {
    gene: gene.symbol ?? gene.id,
    count: gene.transcripts.length,
    strand: gene.strand === '-' ? 'minus' : gene.strand === '+' ? 'plus' : 'none',
    length: format.basePairs(span),
  })
  return (
    <div ref={root} className="nv-structure">
      <svg data-figure viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
        <title>{label}</title>
        <g className="nv-axis">
          {narrow ? null : (
            <text x={0} y={16} fontStyle={styleOf(gene.assembly, gene.sequence)}>
              {t('structure.axis', { sequence: gene.sequence })}
            </text>
          )}
        </g>
        <Axis
          side="top"
          scale={scaleLinear([gene.start, gene.end + 1], [namesPx, namesPx + inner])}
          at={22.5}
          ticks={roundTicks(gene.start, gene.end, inner, 'x', true)}
          text={shown}
          within={[narrow ? 0 : namesPx - 20, width]}
        />
        {gene.transcripts.map((transcript, index) => {
          const y = axisHeight + index * rowHeight + rowHeight / 2
          const coding = transcript.cds.length > 0
          const parts = exonParts(transcript)
          const arrows: number[] = []
          for (let at = x(transcript.start) + 14; at < x(transcript.end) - 8; at += 26) arrows.push(at)
          return (
            <g key={transcript.id}>
              {narrow ? (
                <text className="nv-figure-mono" x={namesPx} y={y - 12} fontSize={10}>
                  {transcript.id}
                </text>
              ) : (
                <text className="nv-figure-mono" x={0} y={y + 4}>
                  {transcript.id}
                </text>
              )}
              <line
                className="nv-intron"
                // Between parts that were spliced from different transcripts lies no intron.
                strokeDasharray={transcript.readingOrder === undefined ? undefined : '2 4'}
                x1={x(transcript.start)}
                x2={x(transcript.end + 1)}
                y1={y}
                y2={y}
              />
              {gene.strand === '.' || transcript.readingOrder !== undefined
                ? null
                : arrows.map((at) => (
                    <path key={at} className="nv-intron-arrow" d={arrow} transform={`translate(${at},${y})`} />
                  ))}
              {parts.map((part) => {
                const half = part.coding ? 9 : coding ? 5 : 7
                return (
                  <rect
                    key={part.start}
                    className={part.coding ? 'nv-cds' : coding ? 'nv-utr' : 'nv-noncoding'}
                    x={x(part.start)}
                    width={Math.max(1, x(part.end + 1) - x(part.start))}
                    y={y - half}
                    height={half * 2}
                    rx={1.5}
                  >
                    <title>
                      {`${t(part.coding ? 'structure.cds' : coding ? 'structure.utr' : 'structure.noncoding')} ${shown(part.start)}..${shown(part.end)} (${format.number(part.end - part.start + 1)} bp)`}
                    </title>
                  </rect>
                )
              })}
              {gene.strand === '.'
                ? null
                : parts
                    .filter((part) => x(part.end + 1) - x(part.start) > 34)
                    .flatMap((part) => {
                      const marks: number[] = []
                      for (let at = x(part.start) + 17; at < x(part.end + 1) - 12; at += 46) marks.push(at)
                      return marks.map((at) => (
                        <path
                          key={`${part.start}/${at}`}
                          className="nv-strand-mark"
                          d={arrowOf(strandOfPart(transcript, part, gene.strand))}
                          transform={`translate(${at},${y})`}
                        />
                      ))
                    })}
            </g>
          )
        })}
      </svg>
      <ul className="nv-legend" data-legend>
        <li>
          <i className="nv-key nv-key-cds" /> {t('structure.cds')}
        </li>
        {gene.transcripts.some((one) => one.cds.length > 0 && exonParts(one).some((part) => !part.coding)) ? (
          <li>
            <i className="nv-key nv-key-utr" /> {t('structure.utr')}
          </li>
        ) : null}
        {gene.transcripts.some((one) => one.exons.length > 1 && one.readingOrder === undefined) ? (
          <li>
            <i className="nv-key nv-key-intron" /> {t('structure.intron')}
          </li>
        ) : null}
        {gene.transcripts.some((one) => one.readingOrder !== undefined) ? <li>{t('structure.transSpliced')}</li> : null}
      </ul>
    </div>
  )
}
