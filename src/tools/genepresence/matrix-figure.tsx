import { scaleLinear } from 'd3'
import { ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { type PresenceState, presenceStates } from '../../bio/comparative/gene-presence.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Segmented } from '../../kit/ui/controls/field.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { shortenNames } from '../../kit/ui/figures/shortened-names.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { PresenceMark, presenceColour, presenceShapes } from '../../kit/ui/gene/presence-mark.tsx'
import { messages as presenceMessages } from '../../kit/ui/gene/presence-messages.ts'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import { type Presence, stateOfLetter } from './tool.ts'

const rowPx = 22
/** On a phone names stand above their rows, whole. */
const phonePx = 560
const nameRowPx = 18
const axisPx = 40
const letterPx = 6.6
/** A cell of at least this width has its state's shape. */
const shapePx = 11
/** Wide enough for the name of its gene below, read upwards; wider than the widest it says no more. */
const [namedPx, widestPx] = [14, 64]
const geneFontPx = 11
/** Names of genes are cut beyond so many letters. */
const mostLetters = 18
/** What is drawn where a column stands for several genes: the first of these that any of them has. */
const rarest: readonly PresenceState[] = [
  ...(['gone', 'paralog', 'disrupted', 'truncated', 'split', 'moved'] as const),
  ...(['not-found', 'unknown', 'copies', 'unannotated', 'intact'] as const),
]
/** Of what is there and whole, paler, so that what differs is seen. */
const opacity: Partial<Record<PresenceState, number>> = {
  intact: 0.28,
  paralog: 0.55,
  unannotated: 0.5,
  unknown: 0.35,
  'not-found': 0.8,
}

const orderGenes = (states: readonly string[], byState: boolean): number[] => {
  const order = [...states.keys()]
  if (!byState) return order
  const rank = (text: string): string =>
    [...text].map((letter) => rarest.indexOf(stateOfLetter(letter)).toString(36)).join('')
  const keys = states.map(rank)
  return order.sort((a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : a - b))
}

/** Genes by genomes; each cell has the colour of its state and, where there is room, its shape. */
export const MatrixFigure = ({ result, receipt }: { result: Presence; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const words = useText(presenceMessages)
  const nameOf = useAssemblyNames()
  const [root, given] = useWidth<HTMLDivElement>()
  const { genes, genomes } = result
  const total = genes.id.length
  const [view, setView] = useState<[number, number]>([0, total])
  const [byState, setByState] = useState(false)
  const order = useMemo(() => orderGenes(genes.states, byState), [genes.states, byState])
  const width = Math.max(300, given)
  const names = genomes.map(({ id }) => nameOf(id))
  const above = given < phonePx ? nameRowPx : 0
  const left = above > 0 ? 2 : Math.min(220, width * 0.3, Math.max(...names.map((name) => name.length)) * letterPx + 12)
  const labels = above > 0 ? names : shortenNames(names, (left - 6) / letterPx)
  const inner = width - left - 8
  const [from, to] = [Math.min(view[0], Math.max(0, total - 1)), Math.min(view[1], total)]
  const cellPx = Math.min(widestPx, inner / Math.max(1, to - from))
  const columns = Math.min(to - from, Math.floor(inner))
  const rowTop = (row: number): number => row * (rowPx + above) + above
  const rowsPx = (rowPx + above) * genomes.length
  const geneNames = useMemo(
    () =>
      cellPx < namedPx
        ? null
        : shortenNames(
            order.slice(from, to).map((gene) => genes.symbol[gene] ?? genes.id[gene]!),
            mostLetters,
          ),
    [genes, order, from, to, cellPx],
  )
  const height =
    rowsPx + (geneNames === null ? axisPx : 12 + Math.max(...geneNames.map((name) => labelWidth(name, geneFontPx))))
  /** Runs of one state in each row. */
  const pieces = useMemo(() => {
    const perColumn = (to - from) / Math.max(1, columns)
    return genomes.map((_, row) => {
      const runs: { from: number; to: number; state: PresenceState }[] = []
      for (let column = 0; column < columns; column += 1) {
        const [first, last] = [from + Math.floor(column * perColumn), from + Math.floor((column + 1) * perColumn)]
        let best = rarest.length - 1
        for (let at = first; at < Math.max(first + 1, last); at += 1)
          best = Math.min(best, rarest.indexOf(stateOfLetter(genes.states[order[at]!]![row]!)))
        const state = rarest[best]!
        const run = runs.at(-1)
        if (run !== undefined && run.state === state && cellPx < shapePx) run.to = column + 1
        else runs.push({ from: column, to: column + 1, state })
      }
      return runs
    })
  }, [genomes, genes.states, order, from, to, columns, cellPx])
  const zoom = (factor: number): void => {
    const count = Math.max(Math.min(10, total), Math.min(total, Math.round((to - from) * factor)))
    const first = Math.max(0, Math.min(total - count, Math.round((from + to - count) / 2)))
    setView([first, first + count])
  }
  const move = (step: number): void => {
    const first = Math.max(0, Math.min(total - (to - from), from + step))
    setView([first, first + to - from])
  }
  const columnPx = (cellPx * (to - from)) / Math.max(1, columns)
  const present = presenceStates.filter((_, at) => genomes.some(({ counts }) => counts[at]! > 0))
  if (total === 0) return null
  return (
    <FigureFrame
      title={t('matrix.title')}
      aside={t('matrix.shown', { from: from + 1, to, total })}
      name="gene-presence"
      receipt={receipt}
      method={t('matrix.method')}
    >
      <div className="presence-bar">
        <Button size="small" icon={<ZoomIn size={14} aria-hidden />} onClick={() => zoom(0.5)}>
          {t('matrix.zoomIn')}
        </Button>
        <Button
          size="small"
          icon={<ZoomOut size={14} aria-hidden />}
          disabled={to - from === total}
          onClick={() => zoom(2)}
        >
          {t('matrix.zoomOut')}
        </Button>
        <Segmented
          label={t('matrix.order')}
          value={byState ? 'states' : 'genome'}
          onChoose={(value) => setByState(value === 'states')}
          options={[
            { value: 'genome', label: t('matrix.genome') },
            { value: 'states', label: t('matrix.states') },
          ]}
        />
      </div>
      <ul className="presence-legend" data-legend>
        {present.map((state) => (
          <li key={state} title={words(`lead.${state}`)}>
            {cellPx >= shapePx ? (
              <PresenceMark state={state} />
            ) : (
              <svg width={14} height={14} aria-hidden>
                <rect width={14} height={14} rx={2} fill={presenceColour[state]} fillOpacity={opacity[state] ?? 1} />
              </svg>
            )}{' '}
            {words(`state.${state}`)}
          </li>
        ))}
      </ul>
      <div ref={root} className="presence-figure">
        <svg
          data-figure
          width={width}
          height={height}
          role="img"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys zoom and move it.
          tabIndex={0}
          aria-label={t('matrix.label', { genes: total, genomes: genomes.length })}
          onKeyDown={(event) => {
            const far = Math.ceil((to - from) / 8)
            const act = new Map([
              ['+', () => zoom(0.5)],
              ['=', () => zoom(0.5)],
              ['-', () => zoom(2)],
              ['ArrowRight', () => move(far)],
              ['ArrowLeft', () => move(-far)],
              ['Home', () => move(-total)],
              ['End', () => move(total)],
            ]).get(event.key)
            if (act === undefined) return
            event.preventDefault()
            act()
          }}
        >
          {pieces.map((runs, row) => (
            <g key={genomes[row]!.id}>
              <text
                x={above > 0 ? 0 : left - 6}
                y={above > 0 ? rowTop(row) - above / 2 : rowTop(row) + rowPx / 2}
                textAnchor={above > 0 ? 'start' : 'end'}
                dominantBaseline="central"
                fontSize={12}
                fill="var(--figure-ink)"
              >
                <title>{names[row]}</title>
                {labels[row]}
              </text>
              {runs.map((run) => {
                const x = left + run.from * columnPx
                const wide = (run.to - run.from) * columnPx
                const gene = order[from + Math.floor((run.from * (to - from)) / columns)]!
                const told = `${genes.symbol[gene] ?? genes.id[gene]}, ${names[row]}: ${words(`state.${run.state}`)}`
                return cellPx >= shapePx ? (
                  <g key={run.from} color={presenceColour[run.state]}>
                    <title>{told}</title>
                    <rect x={x} y={rowTop(row)} width={wide} height={rowPx} fill="transparent" />
                    <g transform={`translate(${x + wide / 2 - 7} ${rowTop(row) + rowPx / 2 - 7}) scale(0.875)`}>
                      {presenceShapes[run.state]}
                    </g>
                  </g>
                ) : (
                  <rect
                    key={run.from}
                    x={x}
                    y={rowTop(row) + 2}
                    width={Math.max(wide, 1)}
                    height={rowPx - 4}
                    fill={presenceColour[run.state]}
                    fillOpacity={opacity[run.state] ?? 1}
                  >
                    {run.to - run.from === 1 ? <title>{told}</title> : null}
                  </rect>
                )
              })}
            </g>
          ))}
          {geneNames === null ? (
            <Axis
              side="bottom"
              // A gene is in the middle of its column.
              scale={scaleLinear([from + 0.5, to + 0.5], [left, left + inner])}
              at={rowsPx}
              within={[left - 20, width]}
              name={t('matrix.axis')}
              whole
            />
          ) : (
            geneNames.map((name, column) => {
              const gene = order[from + column]!
              return (
                <text
                  key={genes.id[gene]}
                  transform={`translate(${left + (column + 0.5) * cellPx},${rowsPx + 6}) rotate(-90)`}
                  textAnchor="end"
                  dominantBaseline="central"
                  fontSize={geneFontPx}
                  fontStyle={genes.symbol[gene] === null ? 'normal' : 'italic'}
                  fill="var(--figure-ink)"
                >
                  <title>{genes.symbol[gene] ?? genes.id[gene]}</title>
                  {name}
                </text>
              )
            })
          )}
        </svg>
      </div>
    </FigureFrame>
  )
}
