import { scaleLinear } from 'd3'
import { type ReactNode, useMemo } from 'react'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useText } from '../../kit/ui/language.tsx'
import { shorten, TermChoice, type TermFigureProps, termName } from './figure-terms.tsx'
import messages from './messages.ts'
import { listIntersections } from './term-network.ts'
import type { TermResult } from './tool.ts'

const maxTerms = 10
const maxColumns = 40
const rowHeight = 22
const barHeight = 130
const letterWidth = 6.4

/** The best terms with different genes; of those with the same genes the first. */
const differing = (terms: TermResult[]): TermResult[] => {
  const seen = new Set<string>()
  return terms
    .filter(({ genes }) => {
      const key = [...genes].sort((a, b) => a - b).join(' ')
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
    .slice(0, maxTerms)
}

/** How many genes of the set have exactly which of the best terms. */
export const UpsetFigure = ({ result, terms, of, receipt }: TermFigureProps): ReactNode => {
  const t = useText(messages)
  const [root, width] = useWidth<HTMLDivElement>()
  const rows = useMemo(() => differing(terms), [terms])
  const all = useMemo(() => listIntersections(rows), [rows])
  const left = Math.min(width * 0.4, Math.max(...rows.map((term) => termName(term).length)) * letterWidth + 60)
  const columns = all.slice(0, Math.min(maxColumns, Math.max(4, Math.floor((width - left - 10) / 16))))
  const step = Math.min(34, (width - left - 10) / Math.max(1, columns.length))
  const max = Math.max(1, ...columns.map(({ genes }) => genes.length))
  const top = 18
  const y = (count: number): number => top + barHeight - (count / max) * barHeight
  const matrixTop = top + barHeight + 14
  const height = matrixTop + rows.length * rowHeight + 8
  const namesOf = (at: number[]): string => at.map((one) => termName(rows[one]!)).join(' + ')
  const symbolsOf = (genes: number[]): string =>
    genes.map((at) => result.genes[at]!.symbol ?? result.genes[at]!.id).join(' ')
  const rowY = (at: number): number => matrixTop + rowHeight * (at + 0.5)
  return (
    <FigureFrame
      title={t('view.upset')}
      aside={t('figure.of', { shown: rows.length, of })}
      name="enrichment-intersections"
      receipt={receipt}
      method={t('upset.method')}
      numbers={{
        rows: all,
        rowKey: ({ at }) => at.join(' '),
        columns: [
          { key: 'terms', title: t('column.terms'), long: true, value: ({ at }) => namesOf(at) },
          { key: 'count', title: t('upset.size'), kind: 'number', value: ({ genes }) => genes.length },
          { key: 'genes', title: t('column.genes'), long: true, value: ({ genes }) => symbolsOf(genes) },
        ],
      }}
    >
      <div ref={root} className="enr-figure">
        <Drawing width={width} height={height} label={t('view.upset')}>
          <Axis
            side="left"
            scale={scaleLinear([0, max], [top + barHeight, top])}
            at={left - 4}
            grid={width - 8}
            name={t('upset.size')}
            whole
          />
          {rows.map((term, at) => (
            <TermChoice key={`${term.collection} ${term.id}`} id={term.id}>
              <title>{termName(term)}</title>
              {at % 2 === 0 ? (
                <rect className="enr-stripe" x={0} y={rowY(at) - rowHeight / 2} width={width} height={rowHeight} />
              ) : null}
              <text x={left - 8} y={rowY(at)} textAnchor="end" dominantBaseline="central">
                {shorten(termName(term), Math.max(8, Math.floor((left - 14) / letterWidth)))}
              </text>
            </TermChoice>
          ))}
          {columns.map(({ at, genes }, column) => {
            const x = left + step * (column + 0.5)
            return (
              <g key={at.join(' ')}>
                <title>{`${t('upset.only', { count: genes.length, terms: namesOf(at) })}\n${shorten(symbolsOf(genes), 300)}`}</title>
                <rect
                  className="enr-bar"
                  x={x - step * 0.33}
                  y={y(genes.length)}
                  width={step * 0.66}
                  height={top + barHeight - y(genes.length)}
                />
                <text className="enr-count" x={x} y={y(genes.length) - 4} textAnchor="middle">
                  {genes.length}
                </text>
                {rows.map((term, row) => (
                  <circle
                    key={term.id}
                    cx={x}
                    cy={rowY(row)}
                    r={4.5}
                    className={at.includes(row) ? 'enr-dot' : 'enr-no-dot'}
                  />
                ))}
                <line className="enr-joint" x1={x} x2={x} y1={rowY(at[0]!)} y2={rowY(at.at(-1)!)} />
              </g>
            )
          })}
        </Drawing>
      </div>
    </FigureFrame>
  )
}
