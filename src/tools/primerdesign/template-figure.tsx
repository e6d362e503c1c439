import { scaleLinear } from 'd3'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { Design, Oligo } from './tool.ts'

const rowHeight = 26
const headHeight = 82
/** Under the name of the axis. */
const featureY = 64
const primerHalf = 6
const namePx = 11

/** A template to scale with what is on it, and a row for each pair: primers as arrows, the product between them as a line. */
export const TemplateFigure = ({
  design,
  chosen,
  onChoose,
}: {
  design: Design
  chosen: number
  onChoose: (rank: number) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>()
  const [hovered, setHovered] = useState<number | null>(null)
  const left = 46
  const inner = Math.max(120, width - left - 16)
  const x = (position: number): number => left + ((position - 1) / design.lengthBp) * inner
  const height = headHeight + design.pairs.length * rowHeight + 8
  const label = t('result.figureLabel', { length: design.lengthBp, pairs: design.pairs.length })
  const hasCoding = design.features.some((one) => one.kind === 'cds')
  // Junctions that a product must hold have their own line.
  const targets = design.targets.filter((one) => one.end !== one.start + 1 || !design.junctions.includes(one.start))
  // Templates run 5′ to 3′ of their gene.
  const coding = design.features
    .filter((one) => one.kind === 'cds')
    .toSorted((a, b) => b.end - b.start - (a.end - a.start))[0]
  const geneName = `${design.symbol ?? design.name} →`
  const named =
    coding !== undefined && x(coding.end + 1) - x(coding.start) > labelWidth(geneName, namePx) + 12 ? geneName : null
  const kinds = [...new Set(design.features.map((one) => one.kind))]
  const keys = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = Math.min(design.pairs.length, Math.max(1, chosen + step))
    onChoose(next)
    root.current?.querySelector<HTMLElement>(`[data-rank="${next}"]`)?.focus()
  }
  const arrow = (oligo: Oligo, y: number, forward: boolean): string => {
    const from = x(oligo.start)
    const to = Math.max(from + 7, x(oligo.end + 1))
    const tip = Math.min(6, to - from)
    return forward
      ? `M${from},${y - primerHalf}H${to - tip}L${to},${y}L${to - tip},${y + primerHalf}H${from}Z`
      : `M${to},${y - primerHalf}H${from + tip}L${from},${y}L${from + tip},${y + primerHalf}H${to}Z`
  }
  const sizeOf = (pair: Design['pairs'][number]): string => `${format.number(pair.productBp)} bp`
  /** Where the size of the product stands: behind its end, or before its beginning where there is more room. */
  const sizeAt = (pair: Design['pairs'][number]): number | null => {
    const room = labelWidth(sizeOf(pair), namePx) + 10
    if (x(pair.right.end + 1) + room < width) return x(pair.right.end + 1) + 10
    return x(pair.left.start) - room > left ? x(pair.left.start) - room : null
  }
  const say = (name: string, oligo: Oligo): string =>
    `${name} ${oligo.sequence} ${format.number(oligo.start)}..${format.number(oligo.end)}, Tm ${format.fixed(oligo.tm, 1)} °C, GC ${format.fixed(oligo.gcPercent, 1)} %`
  return (
    <div ref={root} className="primer-figure">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drawing; arrow keys move between the rows within. */}
      <svg
        data-figure
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="group"
        aria-label={label}
        onKeyDown={keys}
      >
        <title>{label}</title>
        <Axis
          side="top"
          scale={scaleLinear([1, design.lengthBp + 1], [left, left + inner])}
          at={40.5}
          within={[0, width]}
          positions
          name={(unit) => t('legend.axis', { unit })}
        />
        {targets.map((one) => (
          <rect
            key={`t${one.start}`}
            className="primer-target"
            x={x(one.start)}
            width={Math.max(2, x(one.end + 1) - x(one.start))}
            y={46}
            height={height - 50}
          >
            <title>{`${t('legend.target')} ${one.start}..${one.end}`}</title>
          </rect>
        ))}
        {design.excluded.map((one) => (
          <rect
            key={`e${one.start}`}
            className="primer-excluded"
            x={x(one.start)}
            width={Math.max(2, x(one.end + 1) - x(one.start))}
            y={46}
            height={height - 50}
          >
            <title>{`${t('legend.excluded')} ${one.start}..${one.end}`}</title>
          </rect>
        ))}
        {design.included === null ? null : (
          <rect
            className="primer-included"
            x={x(design.included.start)}
            width={x(design.included.end + 1) - x(design.included.start)}
            y={48}
            height={32}
          >
            <title>{`${t('legend.included')} ${design.included.start}..${design.included.end}`}</title>
          </rect>
        )}
        <line className="primer-template" x1={left} x2={left + inner} y1={featureY} y2={featureY} />
        {design.features.map((one) => {
          const half = one.kind === 'cds' ? 8 : hasCoding ? 5 : 7
          return (
            <rect
              key={`${one.kind}${one.start}`}
              className={one.kind === 'cds' ? 'nv-cds' : 'nv-utr'}
              x={x(one.start)}
              width={Math.max(1, x(one.end + 1) - x(one.start))}
              y={featureY - half}
              height={2 * half}
            >
              <title>{`${t(`legend.${one.kind}`)} ${format.number(one.start)}..${format.number(one.end)}`}</title>
            </rect>
          )
        })}
        {coding === undefined || named === null ? null : (
          <text
            className="primer-gene"
            fontStyle={design.symbol === null ? undefined : 'italic'}
            x={(x(coding.start) + x(coding.end + 1)) / 2}
            y={featureY + 4}
            textAnchor="middle"
          >
            {named}
          </text>
        )}
        {design.junctions.map((one) => (
          <line key={one} className="primer-junction" x1={x(one + 1)} x2={x(one + 1)} y1={48} y2={height - 6}>
            <title>{`${t('legend.junction')} ${one}/${one + 1}`}</title>
          </line>
        ))}
        {design.pairs.map((pair) => {
          const y = headHeight + (pair.rank - 0.5) * rowHeight
          const name = `${t('legend.pair', { rank: pair.rank })}: ${pair.left.sequence} / ${pair.right.sequence}, ${format.number(pair.productBp)} bp`
          return (
            // biome-ignore lint/a11y/useSemanticElements: a button cannot stand within a drawing.
            <g
              key={pair.rank}
              data-rank={pair.rank}
              role="button"
              tabIndex={pair.rank === chosen ? 0 : -1}
              aria-pressed={pair.rank === chosen}
              aria-label={name}
              className={`primer-row${pair.rank === chosen ? ' primer-row-chosen' : ''}${pair.rank === hovered ? ' primer-row-hovered' : ''}`}
              onClick={() => onChoose(pair.rank)}
              onPointerEnter={() => setHovered(pair.rank)}
              onPointerLeave={() => setHovered(null)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return
                event.preventDefault()
                onChoose(pair.rank)
              }}
            >
              <rect className="primer-row-ground" x={0} y={y - rowHeight / 2} width={width} height={rowHeight} />
              <text x={left - 12} y={y + 4} textAnchor="end">
                {pair.rank}
              </text>
              <line className="primer-product" x1={x(pair.left.start)} x2={x(pair.right.end + 1)} y1={y} y2={y}>
                <title>{name}</title>
              </line>
              <path className="primer-left" d={arrow(pair.left, y, true)}>
                <title>{say(t('oligo.left'), pair.left)}</title>
              </path>
              <path className="primer-right" d={arrow(pair.right, y, false)}>
                <title>{say(t('oligo.right'), pair.right)}</title>
              </path>
              {pair.internal === null ? null : (
                <rect
                  className="primer-probe"
                  x={x(pair.internal.start)}
                  width={Math.max(4, x(pair.internal.end + 1) - x(pair.internal.start))}
                  y={y - 4}
                  height={8}
                >
                  <title>{say(t('oligo.internal'), pair.internal)}</title>
                </rect>
              )}
            </g>
          )
        })}
        {/* Beside the rows, whose names say the size: a button's name begins with what is read on it. */}
        {design.pairs.map((pair) =>
          sizeAt(pair) === null ? null : (
            <text
              key={pair.rank}
              className="primer-size"
              aria-hidden
              pointerEvents="none"
              x={sizeAt(pair)!}
              y={headHeight + (pair.rank - 0.5) * rowHeight + 4}
            >
              {sizeOf(pair)}
            </text>
          ),
        )}
      </svg>
      <ul className="nv-legend" data-legend>
        <li>
          <i className="nv-key primer-key-left" /> {t('oligo.left')}
        </li>
        <li>
          <i className="nv-key primer-key-right" /> {t('oligo.right')}
        </li>
        {kinds.map((kind) => (
          <li key={kind}>
            <i className={`nv-key ${kind === 'cds' ? 'nv-key-cds' : 'nv-key-utr'}`} /> {t(`legend.${kind}`)}
          </li>
        ))}
        {targets.length === 0 ? null : (
          <li>
            <i className="nv-key primer-key-target" /> {t('legend.target')}
          </li>
        )}
        {design.excluded.length === 0 ? null : (
          <li>
            <i className="nv-key primer-key-excluded" /> {t('legend.excluded')}
          </li>
        )}
        {design.junctions.length === 0 ? null : (
          <li>
            <i className="nv-key primer-key-junction" /> {t('legend.junction')}
          </li>
        )}
        <li className="nv-quiet">{t('legend.keys')}</li>
      </ul>
    </div>
  )
}
