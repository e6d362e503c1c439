import { type ReactNode, useMemo, useState } from 'react'
import { type GraphRegion, renderGfa, spellSteps } from '../../bio/graph/variation-graph.ts'
import { type Receipt, receiptLines } from '../../contracts/tools/receipt.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Facts } from '../../kit/ui/controls/card.tsx'
import { Segmented } from '../../kit/ui/controls/field.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { categoryDash, categoryEdge } from '../../kit/ui/figures/category-marks.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { SequenceView } from '../../kit/ui/gene/sequence-view.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { downloadText, renderFasta } from '../../kit/ui/table/export.ts'
import messages from './messages.ts'
import { readAnsweredRegion } from './read-region.ts'
import type { GraphResult } from './tool.ts'
import { type DrawnLine, groupWalks, layoutTubeMap, type TubeMap } from './tube-layout.ts'

const zooms = [0.5, 1, 1.5, 2] as const
const geneRowPx = 18
const rulerPx = 26
/** Lines that are named in the legend; more are counted. */
const namedLines = 24
const strokePx = 5

/** Where a base of the assembly stands in the drawing. */
const placeOfBase = ({ nodes, walks }: GraphRegion, map: TubeMap): ((position0: number) => number) => {
  const placed = new Map(map.nodes.map((one) => [one.node, one]))
  const stops: [number, number, number, number][] = []
  let at = walks[0]?.start0 ?? 0
  for (const { node } of walks[0]?.steps ?? []) {
    const { lengthBp } = nodes[node]!
    const { x, width } = placed.get(node)!
    stops.push([at, at + lengthBp, x, x + width])
    at += lengthBp
  }
  return (position0) => {
    const stop = stops.find(([, to]) => position0 < to) ?? stops.at(-1)
    if (stop === undefined) return 0
    const [from, to, left, right] = stop
    const share = Math.min(1, Math.max(0, (position0 - from) / Math.max(1, to - from)))
    return left + share * (right - left)
  }
}

/** Rows of genes at most: where more stand over each other the region is to be looked at more closely. */
const mostGeneRows = 6

interface PlacedGene {
  gene: GraphResult['genes'][number]
  left: number
  right: number
  row: number
}

/** Genes over the nodes that they lie on, in as few rows as keep their names apart. */
const placeGenes = (result: GraphResult, x: (position0: number) => number): PlacedGene[] => {
  const rows: number[] = []
  return result.genes.flatMap((gene) => {
    const [left, right] = [x(Math.max(result.start, gene.start) - 1), x(Math.min(result.end, gene.end))]
    const end = Math.max(right, left + labelWidth(gene.symbol ?? gene.id, 11) + 20)
    let row = rows.findIndex((taken) => taken + 6 < left)
    if (row === -1) row = rows.length
    if (row >= mostGeneRows) return []
    rows[row] = end
    return [{ gene, left, right, row }]
  })
}

const Genes = ({ placed }: { placed: readonly PlacedGene[] }): ReactNode =>
  placed.map(({ gene, left, right, row }) => {
    const label = gene.symbol ?? gene.id
    const y = rulerPx + row * geneRowPx
    return (
      <g key={gene.id} className="pgb-gene">
        <title>{`${gene.id} ${gene.description ?? ''}`}</title>
        <rect x={left} y={y + 11} width={Math.max(2, right - left)} height={5} rx={2} />
        <text x={left} y={y + 8} fontStyle={gene.symbol === null ? 'normal' : 'italic'}>
          {gene.strand === '-' ? `‹ ${label}` : `${label} ›`}
        </text>
      </g>
    )
  })

/** Samples of a line; those that are assemblies by their names. */
const lineName = (result: GraphResult, { walks }: DrawnLine, nameOf: (id: string) => string): string[] => [
  ...new Set(walks.map((walk) => nameOf(result.region.walks[walk]!.sample))),
]

/** Mark of a line: the assembly's in the text's colour, the others by category. */
const colourOf = (number: number): string => (number === 0 ? 'var(--figure-ink)' : categoryColour(number - 1))
const dashOf = (number: number): string | undefined => categoryDash(number - 1)

export const TubeFigure = ({ result, receipt }: { result: GraphResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const nameOf = useAssemblyNames()
  const [widths, setWidths] = useState<'compact' | 'scale'>('compact')
  const [zoom, setZoom] = useState<(typeof zooms)[number]>(1)
  const [lit, setLit] = useState<number | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const { sequence, start, end } = result
  const region = useMemo(() => readAnsweredRegion(result.region), [result.region])
  const lines = useMemo(() => groupWalks(region), [region])
  const [root, given] = useWidth<HTMLDivElement>()
  const map = useMemo(
    () => layoutTubeMap(region, lines, { widths, leastPx: given - 32 }),
    [region, lines, widths, given],
  )
  const x = useMemo(() => placeOfBase(region, map), [region, map])
  const placedGenes = useMemo(() => placeGenes(result, x), [result, x])
  const geneRows = placedGenes.reduce((rows, { row }) => Math.max(rows, row + 1), 0)
  const top = rulerPx + (geneRows === 0 ? 0 : geneRows * geneRowPx + 18)
  const height = top + map.height + 12
  const width = map.width + 16
  const base = `${result.assembly}-${sequence}-${start}-${end}`
  const node = chosen === null ? undefined : region.nodes[chosen]
  const passing = (of: number): string[] => [
    ...new Set(
      region.walks.filter(({ steps }) => steps.some((step) => step.node === of)).map(({ sample }) => nameOf(sample)),
    ),
  ]
  const ticks = useMemo(() => {
    const shown: { at: number; x: number }[] = []
    let at = region.walks[0]?.start0 ?? 0
    let last = Number.NEGATIVE_INFINITY
    for (const step of region.walks[0]?.steps ?? []) {
      const left = x(at)
      if (left - last > 130) {
        shown.push({ at: at + 1, x: left })
        last = left
      }
      at += region.nodes[step.node]!.lengthBp
    }
    return shown
  }, [region, x])
  return (
    <FigureFrame
      title={t('map.title')}
      aside={t('map.count', {
        nodes: region.nodes.length,
        lines: lines.length,
        genomes: new Set(region.walks.map(({ sample }) => sample)).size,
      })}
      name={`${base}-graph`}
      receipt={receipt}
      method={t(widths === 'compact' ? 'map.methodCompact' : 'map.methodScale')}
      numbers={{
        rows: region.nodes.map((one, number) => ({ ...one, number })),
        rowKey: ({ number }) => String(number),
        columns: [
          { key: 'name', title: t('column.node'), kind: 'id', value: ({ name }) => name },
          { key: 'length', title: t('column.length'), kind: 'number', value: ({ lengthBp }) => lengthBp },
          { key: 'samples', title: t('column.samples'), value: ({ number }) => format.series(passing(number)) },
          { key: 'sequence', title: t('column.bases'), long: true, value: ({ sequence: bases }) => bases },
        ],
      }}
      actions={
        <>
          <Segmented
            label={t('map.widths')}
            value={widths}
            onChoose={(value) => setWidths(value as 'compact' | 'scale')}
            options={[
              { value: 'compact', label: t('map.compact') },
              { value: 'scale', label: t('map.scale') },
            ]}
          />
          <Segmented
            label={t('map.zoom')}
            value={String(zoom)}
            onChoose={(value) => setZoom(Number(value) as (typeof zooms)[number])}
            options={zooms.map((value) => ({ value: String(value), label: `${value * 100} %` }))}
          />
          <Menu
            size="small"
            look="quiet"
            label={t('map.files')}
            items={[
              {
                key: 'gfa',
                label: t('map.gfa'),
                run: () => downloadText(renderGfa(region, receiptLines(receipt)), `${base}.gfa`),
              },
              {
                key: 'fasta',
                label: t('map.fasta'),
                run: () =>
                  downloadText(
                    renderFasta(
                      region.walks.flatMap((walk) => {
                        const bases = spellSteps(region.nodes, walk.steps)
                        const from = walk.start0 + 1
                        return bases === null || bases === ''
                          ? []
                          : [
                              {
                                header: `${walk.name} ${walk.sequence}:${from}-${from + bases.length - 1}${walk.turned ? ' (-)' : ''}`,
                                sequence: bases,
                              },
                            ]
                      }),
                      receipt,
                    ),
                    `${base}.fa`,
                  ),
              },
            ]}
          />
        </>
      }
    >
      <div ref={root} />
      <ScrollBox className="pgb-scroll" label={t('map.title')}>
        {/* biome-ignore lint/a11y/useSemanticElements: an SVG has no fieldset. */}
        <svg
          data-figure
          role="group"
          aria-label={t('map.title')}
          width={width * zoom}
          height={height * zoom}
          viewBox={`0 0 ${width} ${height}`}
        >
          <title>{`${nameOf(result.assembly)} ${regionOf(result.assembly, { sequence, start, end })}`}</title>
          {ticks.map((tick) => (
            <g key={tick.at} className="pgb-tick">
              <line x1={tick.x} x2={tick.x} y1={14} y2={20} />
              <text x={tick.x} y={11}>
                {format.number(tick.at, 0)}
              </text>
            </g>
          ))}
          <Genes placed={placedGenes} />
          <g transform={`translate(0,${top})`}>
            {map.lines
              .map(({ line, path }, number) => (
                // biome-ignore lint/a11y/noStaticElementInteractions: the legend does the same by the keyboard.
                <g
                  key={line.walks[0]}
                  className={`pgb-line${lit === null ? '' : lit === number ? ' pgb-lit' : ' pgb-dim'}`}
                  strokeDasharray={dashOf(number)}
                  onMouseEnter={() => setLit(number)}
                  onMouseLeave={() => setLit(null)}
                >
                  <title>{format.series(lineName(result, line, nameOf))}</title>
                  <path d={path} stroke={categoryEdge} strokeWidth={strokePx + 1.5} />
                  <path d={path} stroke={colourOf(number)} strokeWidth={strokePx} />
                </g>
              ))
              .reverse()}
            {map.nodes.map((placed) => {
              const { name, lengthBp } = region.nodes[placed.node]!
              const label = t('map.node', { name, length: format.basePairs(lengthBp) })
              return (
                // biome-ignore lint/a11y/useSemanticElements: no buttons within an SVG.
                <g
                  key={placed.node}
                  role="button"
                  tabIndex={0}
                  aria-pressed={chosen === placed.node}
                  aria-label={placed.letters === null ? label : `${label}: ${placed.letters}`}
                  className={`pgb-node${chosen === placed.node ? ' pgb-chosen' : ''}`}
                  onClick={() => setChosen(chosen === placed.node ? null : placed.node)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' && event.key !== ' ') return
                    event.preventDefault()
                    setChosen(chosen === placed.node ? null : placed.node)
                  }}
                >
                  <title>{label}</title>
                  <rect x={placed.x} y={placed.y} width={placed.width} height={placed.height} rx={4} />
                  {placed.width < 16 ? null : (
                    <text aria-hidden x={placed.x + placed.width / 2} y={placed.y - 1.5} textAnchor="middle">
                      {placed.letters ?? format.basePairs(lengthBp)}
                    </text>
                  )}
                </g>
              )
            })}
          </g>
        </svg>
      </ScrollBox>
      <ul className="pgb-legend" data-legend>
        {lines.slice(0, namedLines).map((line, number) => (
          <li key={line.walks[0]}>
            <button
              type="button"
              className="pgb-key"
              onMouseEnter={() => setLit(number)}
              onMouseLeave={() => setLit(null)}
              onFocus={() => setLit(number)}
              onBlur={() => setLit(null)}
            >
              <svg width={26} height={8} aria-hidden>
                <g strokeDasharray={dashOf(number)}>
                  <path d="M0,4H26" stroke={categoryEdge} strokeWidth={strokePx + 1.5} />
                  <path d="M0,4H26" stroke={colourOf(number)} strokeWidth={strokePx} />
                </g>
              </svg>
              {number === 0 ? <b>{t('map.reference', { assembly: nameOf(result.assembly) })}</b> : null}
              {format.names(
                lineName(result, line, nameOf).filter((name) => number > 0 || name !== nameOf(result.assembly)),
              )}
            </button>
          </li>
        ))}
        {lines.length > namedLines ? <li>{t('map.moreLines', { count: lines.length - namedLines })}</li> : null}
      </ul>
      {node === undefined ? null : (
        <div className="pgb-detail">
          <Facts
            facts={[
              { name: t('column.node'), value: <code>{node.name}</code> },
              { name: t('column.length'), value: format.basePairs(node.lengthBp) },
              { name: t('column.samples'), value: format.series(passing(chosen!)) },
            ]}
          />
          {node.sequence === null ? (
            <p className="nv-quiet">{t('map.noBases')}</p>
          ) : (
            <SequenceView sequence={node.sequence} header={node.name} kind="nucleotide" />
          )}
          <Button size="small" look="quiet" onClick={() => setChosen(null)}>
            {t('map.close')}
          </Button>
        </div>
      )}
    </FigureFrame>
  )
}
