import { useQuery } from '@tanstack/react-query'
import { scaleLinear } from 'd3'
import { Grid3x3 } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useState } from 'react'
import type { z } from 'zod'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Segmented } from '../../../kit/ui/controls/field.tsx'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { layCategoryLabels } from '../../../kit/ui/figures/category-labels.ts'
import { CategoryTextures, categoryFill, useTextureId } from '../../../kit/ui/figures/category-marks.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { pointerPosition } from '../../../kit/ui/figures/figure-pointer.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../../kit/ui/figures/legend.tsx'
import { shortenNames } from '../../../kit/ui/figures/shortened-names.ts'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { consequenceColour, useConsequenceName, useImpactLegend } from '../../../kit/ui/gene/consequence-mark.tsx'
import { useRegionLabel, useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import { populationCategory, populationTextures } from '../effect-parts.tsx'
import { getMatrix } from '../endpoints.ts'
import messages from '../messages.ts'
import { SiteLines } from './gene-models.tsx'

type Matrix = z.output<(typeof getMatrix)['output']>

/** Reference, another allele, not called; between the first two by the share of copies. */
const referenceColour = [225, 234, 229]
// Neither a population's colour nor an impact's.
const otherColour = [84, 24, 84]
const missingColour = [150, 150, 150]

const nameLetters = 16
const stripPx = 10
const effectPx = 8
const minRow = 2
const maxRow = 18
const tallest = 620
const maxColumn = 110
const namedRow = 10
/** Lines from columns to the axis of positions below: their height, and more of them are thinned. */
const linesPx = 26
const axisPx = 48
const maxLines = 250
/** Names of columns: their letters, the most that they take above, and the line that says what columns are. */
const columnNames = { fontPx: 11, maxRoomPx: 120 }
const axisNamePx = 16

type MatrixSite = Matrix['sites'][number]

const changeName = ({ gene, symbol, proteinChange }: MatrixSite): string | null =>
  gene === null || proteinChange === null ? null : `${symbol ?? gene} ${proteinChange}`

/** Share of the copies of an accession that are not REF; null where it is not called. */
const shareOf = (letter: string): number | null => (letter === '.' ? null : letter === 'a' ? 1 : Number(letter) / 10)

const paint = (matrix: Matrix, order: readonly number[]): string => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, matrix.sites.length)
  canvas.height = Math.max(1, order.length)
  const context = canvas.getContext('2d')
  if (context === null) return ''
  const image = context.createImageData(canvas.width, canvas.height)
  for (const [y, row] of order.entries()) {
    const letters = matrix.rows[row]!
    for (let x = 0; x < letters.length; x += 1) {
      const letter = letters[x]!
      const share = shareOf(letter)
      const at = 4 * (y * canvas.width + x)
      for (let part = 0; part < 3; part += 1)
        image.data[at + part] =
          share === null
            ? missingColour[part]!
            : referenceColour[part]! + share * (otherColour[part]! - referenceColour[part]!)
      image.data[at + 3] = 255
    }
  }
  context.putImageData(image, 0, 0)
  return canvas.toDataURL()
}

const Drawn = ({
  assembly,
  matrix,
  receipt,
  name,
}: {
  assembly: string
  matrix: Matrix
  receipt: Receipt
  name: string
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const figure = useTextureId()
  const regionOf = useRegionLabel()
  const labelOf = useSequenceLabel()
  const nameOf = useConsequenceName()
  const [root, given] = useWidth<HTMLDivElement>()
  const [order, setOrder] = useState<'population' | 'clustered'>('population')
  /** The cell that is told of: a row and a column as drawn. */
  const [cell, setCell] = useState<{ row: number; column: number } | null>(null)
  const populations = [...new Set(matrix.samples.map(({ population }) => population ?? ''))].sort()
  const rows = useMemo(() => {
    if (order === 'clustered') return matrix.clustered
    return matrix.samples
      .map((_, at) => at)
      .sort((a, b) => {
        const [p, q] = [matrix.samples[a]!.population ?? '~', matrix.samples[b]!.population ?? '~']
        return p < q ? -1 : p > q ? 1 : a - b
      })
  }, [matrix, order])
  const picture = useMemo(() => paint(matrix, rows), [matrix, rows])
  const width = Math.max(300, given)
  const rowPx = Math.max(minRow, Math.min(maxRow, Math.floor(tallest / rows.length)))
  // Names that have to be cut say less than ids that need not be.
  const long = matrix.samples.some(({ name }) => (name?.length ?? 0) > nameLetters)
  const names = shortenNames(
    rows.map((row) => (long ? matrix.samples[row]!.id : (matrix.samples[row]!.name ?? matrix.samples[row]!.id))),
    nameLetters,
  )
  const widest = Math.max(0, ...names.map((one) => labelWidth(one, Math.min(12, rowPx))))
  const left = axisNamePx + (rowPx >= namedRow ? Math.ceil(widest) + 10 : 4) + stripPx + 4
  // A column of one variant over the whole width would say no more.
  const cells = Math.min(width - left - 8, matrix.sites.length * maxColumn)
  const css = (colour: readonly number[]): string => `rgb(${colour.join()})`
  const legend: LegendEntry[] = [
    ...(populations.length > 1
      ? populations.map((population, at) => ({
          key: `of ${population}`,
          label: population === '' ? '–' : population,
          colour: categoryFill(figure, populationCategory(at)),
        }))
      : []),
    ...useImpactLegend()(matrix.sites.map(({ consequence }) => consequence)),
    { key: 'reference', label: t('figure.reference'), colour: css(referenceColour) },
    { key: 'other', label: t('figure.alternate'), colour: css(otherColour) },
    { key: 'missing', label: t('figure.notCalled'), colour: css(missingColour) },
  ]
  const columnPx = cells / matrix.sites.length
  // Of one gene its name would stand at every column.
  const oneGene = new Set(matrix.sites.map(({ gene }) => gene)).size === 1
  const siteName = (site: MatrixSite): string =>
    (oneGene ? site.proteinChange : changeName(site)) ?? format.number(site.position)
  const laid = layCategoryLabels(matrix.sites.map(siteName), columnPx, columnNames)
  // Either every column has its name, or none: what columns are is said beside them.
  const hasNames = laid.every === 1
  const rowsName = t('figure.rows', { count: rows.length })
  const columnsName = t('figure.columns', { count: matrix.sites.length })
  const hasRowsName = labelWidth(rowsName, columnNames.fontPx) <= rows.length * rowPx
  const nameTop = 4 + legendHeight(legend, width - 8)
  const top = nameTop + axisNamePx + (hasNames ? laid.roomPx : 0)
  const bodyTop = top + effectPx + 3
  const bodyBottom = bodyTop + rows.length * rowPx
  // Columns are as wide as each other: lines lead from them to their places, where all lie on one sequence.
  const [first, last] = [matrix.sites[0], matrix.sites.at(-1)]
  const oneSequence = first !== undefined && matrix.sites.every(({ sequence }) => sequence === first.sequence)
  const margin = first === undefined || last === undefined ? 0 : Math.max(1, (last.position - first.position) * 0.02)
  const places =
    first === undefined || last === undefined || !oneSequence
      ? null
      : scaleLinear([Math.max(1, first.position - margin), last.position + margin], [left, left + cells])
  const every = Math.max(1, Math.ceil(matrix.sites.length / maxLines))
  const height = bodyBottom + (places === null ? 8 : linesPx + axisPx)
  const cellAt = (event: PointerEvent<SVGSVGElement>): void => {
    const [x, y] = pointerPosition(event)
    const [row, column] = [Math.floor((y - bodyTop) / rowPx), Math.floor((x - left) / columnPx)]
    setCell(matrix.sites[column] === undefined || rows[row] === undefined ? null : { row, column })
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = new Map([
      ['ArrowUp', [-1, 0]],
      ['ArrowDown', [1, 0]],
      ['ArrowLeft', [0, -1]],
      ['ArrowRight', [0, 1]],
    ]).get(event.key)
    if (step === undefined || rows.length === 0 || matrix.sites.length === 0) return
    event.preventDefault()
    const within = (place: number, count: number): number => Math.max(0, Math.min(count - 1, place))
    setCell((before) => ({
      row: within((before?.row ?? 0) + (before === null ? 0 : step[0]!), rows.length),
      column: within((before?.column ?? 0) + (before === null ? 0 : step[1]!), matrix.sites.length),
    }))
  }
  const told = (): { x: number; y: number; text: string } | null => {
    const row = cell === null ? undefined : rows[cell.row]
    const site = cell === null ? undefined : matrix.sites[cell.column]
    if (cell === null || row === undefined || site === undefined) return null
    const sample = matrix.samples[row]!
    const share = shareOf(matrix.rows[row]![cell.column]!)
    const parts = [
      `${sample.name ?? sample.id}${sample.population === null ? '' : ` (${sample.population})`}`,
      changeName(site),
      `${regionOf(assembly, { sequence: site.sequence, start: site.position })} ${site.reference}>${site.alternates.join(',')}`,
      nameOf(site.consequence),
      share === null ? t('figure.notCalled') : format.percent(share, 0),
    ]
    return {
      x: left + (cell.column + 0.5) * columnPx,
      y: bodyTop + (cell.row + 0.5) * rowPx,
      text: parts.filter((one) => one !== null).join(' · '),
    }
  }
  const tip = told()
  return (
    <FigureFrame
      title={t('figure.matrix')}
      name={`${name}-genotypes`}
      receipt={receipt}
      method={t('figure.matrixMethod')}
      numbers={{
        rows,
        rowKey: (row) => matrix.samples[row]!.id,
        columns: [
          { key: 'accession', title: t('column.accession'), kind: 'id', value: (row) => matrix.samples[row]!.id },
          { key: 'name', title: t('column.name'), hidden: true, value: (row) => matrix.samples[row]!.name },
          { key: 'population', title: t('column.population'), value: (row) => matrix.samples[row]!.population },
          ...matrix.sites.map((site, at) => ({
            key: site.key,
            title: siteName(site),
            help: site.key,
            kind: 'number' as const,
            digits: 1,
            value: (row: number) => shareOf(matrix.rows[row]![at]!),
          })),
        ],
      }}
      actions={
        <Segmented
          label={t('figure.order')}
          value={order}
          options={[
            { value: 'population', label: t('figure.byPopulation') },
            { value: 'clustered', label: t('figure.clustered') },
          ]}
          onChoose={(value) => setOrder(value as 'population')}
        />
      }
    >
      {matrix.complete ? null : <p className="nv-warn">{t('note.matrixPart')}</p>}
      {matrix.total > matrix.sites.length ? (
        <p className="nv-warn">{t('note.matrixCut', { total: matrix.total, shown: matrix.sites.length })}</p>
      ) : null}
      {matrix.samplesLeftOut > 0 ? (
        <p className="nv-warn">{t('note.samplesCut', { count: matrix.samplesLeftOut })}</p>
      ) : null}
      <div ref={root} className="variation-figure variation-matrix">
        <svg
          data-figure
          width={width}
          height={height}
          role="img"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move from cell to cell.
          tabIndex={0}
          aria-label={`${t('figure.matrix')}: ${rowsName}, ${columnsName}`}
          onPointerMove={cellAt}
          onPointerLeave={() => setCell(null)}
          onKeyDown={onKey}
          onBlur={() => setCell(null)}
        >
          <CategoryTextures figure={figure} count={populationTextures(populations.length)} />
          <Legend entries={legend} x={4} y={2} width={width - 8} />
          <text x={left} y={nameTop + 11} fontSize={columnNames.fontPx} fill="var(--figure-ink)">
            {hasRowsName ? columnsName : `${columnsName}, ${rowsName}`}
          </text>
          {hasRowsName ? (
            <text
              transform={`translate(11,${(bodyTop + bodyBottom) / 2}) rotate(-90)`}
              textAnchor="middle"
              fontSize={columnNames.fontPx}
              fill="var(--figure-ink)"
            >
              {rowsName}
            </text>
          ) : null}
          {hasNames
            ? matrix.sites.map((site, at) => (
                <text
                  key={site.key}
                  transform={`translate(${left + (at + 0.5) * columnPx},${top - 4}) rotate(${laid.angle === 0 ? 0 : -90})`}
                  textAnchor={laid.angle === 0 ? 'middle' : 'start'}
                  dominantBaseline={laid.angle === 0 ? 'auto' : 'central'}
                  fontSize={columnNames.fontPx}
                  fill="var(--figure-ink)"
                >
                  {laid.texts[at]}
                  <title>{`${site.key} ${changeName(site) ?? ''}`}</title>
                </text>
              ))
            : null}
          {matrix.sites.map(({ row, consequence }, at) => (
            <rect
              key={row}
              x={left + at * columnPx}
              y={top}
              width={Math.max(0.5, columnPx)}
              height={effectPx}
              fill={consequenceColour(consequence)}
            />
          ))}
          <image
            href={picture}
            x={left}
            y={bodyTop}
            width={cells}
            height={rows.length * rowPx}
            preserveAspectRatio="none"
            style={{ imageRendering: 'pixelated' }}
          />
          {places === null ? null : (
            <>
              <SiteLines
                sites={matrix.sites.flatMap(({ position }, at) =>
                  at % every === 0 ? [{ place: places(position), column: left + (at + 0.5) * columnPx }] : [],
                )}
                from={bodyBottom + linesPx}
                to={bodyBottom + 2}
              />
              <Axis
                side="bottom"
                scale={places}
                at={bodyBottom + linesPx}
                positions
                name={(unit) => t('figure.position', { sequence: labelOf(assembly, first!.sequence), unit })}
              />
            </>
          )}
          {cell === null || tip === null ? null : (
            <rect
              x={left + cell.column * columnPx}
              y={bodyTop + cell.row * rowPx}
              width={Math.max(2, columnPx)}
              height={rowPx}
              fill="none"
              stroke="var(--figure-ink)"
              strokeWidth={1.5}
            />
          )}
          {rows.map((row, at) => (
            <g key={row}>
              <rect
                x={left - stripPx - 2}
                y={bodyTop + at * rowPx}
                width={stripPx}
                height={rowPx}
                fill={
                  populations.length > 1
                    ? categoryFill(
                        figure,
                        populationCategory(populations.indexOf(matrix.samples[row]!.population ?? '')),
                      )
                    : 'transparent'
                }
              />
              {rowPx >= namedRow ? (
                <text
                  x={left - stripPx - 6}
                  y={bodyTop + (at + 0.5) * rowPx}
                  textAnchor="end"
                  dominantBaseline="central"
                  fontSize={Math.min(12, rowPx)}
                  fill="var(--figure-ink)"
                >
                  {names[at]}
                  <title>{matrix.samples[row]!.name ?? matrix.samples[row]!.id}</title>
                </text>
              ) : null}
            </g>
          ))}
        </svg>
        {tip === null ? null : (
          <div
            className="variation-tip"
            role="status"
            style={{ left: Math.min(tip.x + 12, width - 250), top: tip.y + 14 }}
          >
            {tip.text}
          </div>
        )}
      </div>
    </FigureFrame>
  )
}

/** Genotypes of the variants that pass; of many, drawn only when asked for, as they are read from a large part of the file. */
export const MatrixCard = ({
  assembly,
  filter,
  receipt,
  name,
  isSmall,
}: {
  assembly: string
  filter: Record<string, unknown>
  receipt: Receipt
  name: string
  isSmall: boolean
}): ReactNode => {
  const t = useText(messages)
  const [shown, setShown] = useState(isSmall)
  const answer = useQuery({
    queryKey: ['variation-matrix', JSON.stringify(filter)],
    enabled: shown,
    queryFn: (context) =>
      call(
        getMatrix,
        filter as Parameters<typeof call<(typeof getMatrix)['input'], (typeof getMatrix)['output']>>[1],
        context,
      ),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (answer.data !== undefined && shown)
    return <Drawn assembly={assembly} matrix={answer.data} receipt={receipt} name={name} />
  return (
    <Card title={t('figure.matrix')}>
      {answer.isError ? (
        <Unanswered of={answer} />
      ) : shown ? (
        <Waiting />
      ) : (
        <Button icon={<Grid3x3 size={15} aria-hidden />} onClick={() => setShown(true)}>
          {t('figure.show')}
        </Button>
      )}
    </Card>
  )
}
