import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { ColourScale, Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import {
  shorten,
  significance,
  significanceColour,
  TermChoice,
  type TermFigureProps,
  termName,
  useTermNumbers,
  useTermTitle,
} from './figure-terms.tsx'
import messages from './messages.ts'
import type { TermResult } from './tool.ts'

const rowHeightBeside = 26
/** A row whose name stands above its mark, and where the mark is in it. */
const rowHeightBelow = 42
const markBelow = 30
/** Below this width, names that would have to be cut beside the marks stand above them. */
const narrowPx = 560
const headHeight = 20
const footHeight = 42
const legendHeight = 54
const maxRadius = 11
const letterWidth = 6.6
/** Of a line of many letters, which differ less from their mean than those of one word. */
const narrowLetterWidth = 6

/** Terms one below another: as bubbles by fold, number of genes and p-value, or as bars by p-value. */
export const RowFigure = ({
  kind,
  result,
  terms,
  of,
  receipt,
}: TermFigureProps & { kind: 'bubble' | 'bar' }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const titleOf = useTermTitle()
  const numbers = useTermNumbers(result, terms)
  const [root, width] = useWidth<HTMLDivElement>()
  const longest = Math.max(...terms.map((term) => termName(term).length))
  const nameWidth = longest * letterWidth + 16
  // Terms of one ontology begin with the same words: cut to a few letters they would all read alike.
  const above = width < narrowPx && nameWidth > width * 0.46
  const rowHeight = above ? rowHeightBelow : rowHeightBeside
  const left = above ? maxRadius + 4 : Math.min(width * 0.46, nameWidth)
  const right = kind === 'bar' ? 76 : 20
  const inner = Math.max(40, width - left - right)
  const measure = (term: TermResult): number => (kind === 'bar' ? significance(term.adjustedPValue) : term.fold)
  // Of what is depleted the fold ends below 1, at which nothing is told: the axis goes so far.
  const max = Math.max(...(kind === 'bar' ? [] : [1]), ...terms.map(measure)) * 1.06
  const maxGenes = Math.max(1, ...terms.map(({ setCount }) => setCount))
  const maxSignificance = Math.max(...terms.map(({ adjustedPValue }) => significance(adjustedPValue)))
  const x = (value: number): number => left + (value / max) * inner
  const radius = (count: number): number => Math.max(2.5, maxRadius * Math.sqrt(count / maxGenes))
  const bottom = headHeight + terms.length * rowHeight
  const height = bottom + footHeight + legendHeight
  const room = Math.max(8, Math.floor(above ? (width - 8) / narrowLetterWidth : (left - 12) / letterWidth))
  const sizes = [...new Set([maxGenes, Math.ceil(maxGenes / 2), Math.max(1, Math.ceil(maxGenes / 8))])]
  const legendTop = bottom + footHeight + 14
  const legendLeft = Math.min(left, 16)
  const sizeStep = Math.min(62, Math.max(40, (width - legendLeft - 225) / Math.max(1, sizes.length - 1)))
  return (
    <FigureFrame
      title={t(`view.${kind}`)}
      aside={t('figure.of', { shown: terms.length, of })}
      name={`enrichment-${kind}`}
      receipt={receipt}
      method={t(`${kind}.method`)}
      numbers={numbers}
    >
      <div ref={root} className="enr-figure">
        <Drawing width={width} height={height} label={t(`view.${kind}`)}>
          <Axis
            side="bottom"
            scale={scaleLinear([0, max], [left, left + inner])}
            at={bottom + 2}
            grid={headHeight - 8}
            name={t(kind === 'bar' ? 'figure.significance' : 'figure.fold')}
          />
          {terms.map((term, row) => {
            const top = headHeight + rowHeight * row
            const y = top + (above ? markBelow : rowHeight / 2)
            const colour = significanceColour(term.adjustedPValue, maxSignificance)
            return (
              <TermChoice key={`${term.collection} ${term.id}`} id={term.id}>
                <title>{titleOf(term, result.collections[term.collection]!)}</title>
                <rect className="enr-hit" x={0} y={top} width={width} height={rowHeight} />
                <text
                  x={above ? 4 : left - 10}
                  y={above ? top + 10 : y}
                  textAnchor={above ? 'start' : 'end'}
                  dominantBaseline="central"
                >
                  {shorten(termName(term), room)}
                </text>
                {kind === 'bar' ? (
                  <>
                    <rect
                      x={left}
                      y={y - 8}
                      width={Math.max(1, x(measure(term)) - left)}
                      height={16}
                      rx={2}
                      fill={colour}
                      className="enr-mark"
                    />
                    <text className="enr-quiet" x={x(measure(term)) + 6} y={y} dominantBaseline="central">
                      {`${format.number(term.setCount)} / ${format.number(term.backgroundCount)}`}
                    </text>
                  </>
                ) : (
                  <circle cx={x(term.fold)} cy={y} r={radius(term.setCount)} fill={colour} className="enr-mark" />
                )}
              </TermChoice>
            )
          })}
          <SignificanceScale x={legendLeft} y={legendTop} max={maxSignificance} />
          {kind === 'bar'
            ? null
            : sizes.map((count, at) => (
                <g key={count} transform={`translate(${legendLeft + 190 + at * sizeStep},${legendTop + 8})`}>
                  <circle r={radius(count)} className="enr-size" />
                  <text x={maxRadius + 5} dominantBaseline="central">
                    {format.number(count)}
                  </text>
                  {at === 0 ? (
                    <text className="enr-quiet" x={-maxRadius} y={24}>
                      {t('figure.genes')}
                    </text>
                  ) : null}
                </g>
              ))}
        </Drawing>
      </div>
    </FigureFrame>
  )
}

/** What the colours mean. */
export const SignificanceScale = ({ x, y, max }: { x: number; y: number; max: number }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  return (
    <ColourScale
      x={x}
      y={y}
      title={t('figure.significance')}
      colour={(fraction) => significanceColour(10 ** -(max * fraction), max)}
      ends={['0', format.number(max, max < 10 ? 1 : 0)]}
    />
  )
}
