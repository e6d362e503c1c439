import { scaleLinear } from 'd3'
import { type ReactNode, useMemo } from 'react'
import { differenceKinds } from '../../bio/comparative/structural-differences.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { differenceColour, differenceMark, differenceShape } from '../../kit/ui/figures/difference-colours.ts'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { fittingLabels } from '../../kit/ui/figures/fitting-labels.ts'
import { Legend, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useRegionLabel, useRoleStyle } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import { differenceKey } from './structure-card.tsx'
import type { StrainReport } from './tool.ts'

type Drawn = NonNullable<StrainReport['drawn']>

const barPx = 15
const ribbonPx = 92
const markPx = 9
const labelPx = 11
const rows = 3
const edgePx = 16
/** Of a difference whose name is written at least, where regions bear none. */
const namedShare = 1 / 1000

const ribbonColours = { forward: '#9db8ae', inverted: categoryColour(5) } as const

/** Sequences end to end with a gap between: where each begins, and the length of all. */
const layOut = (sequences: Drawn['reference'], gapBp: number): { starts: Map<string, number>; total: number } => {
  const starts = new Map<string, number>()
  let total = 0
  for (const { name, lengthBp } of sequences) {
    starts.set(name, total)
    total += lengthBp + gapBp
  }
  return { starts, total: Math.max(1, total - gapBp) }
}

/** What of a place is drawn: over the origin of a circle it has a part at either end of the sequence. */
const drawnParts = (
  { start, end }: { start: number; end: number },
  lengthBp: number,
): [start: number, end: number][] =>
  end <= lengthBp
    ? [[start, end]]
    : [
        [start, lengthBp],
        [1, end - lengthBp],
      ]

/** Both genomes to one scale with the segments that they have in common, and where they differ. */
export const ChromosomeFigure = ({ report, receipt }: { report: StrainReport; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const regionOf = useRegionLabel()
  const styleOf = useRoleStyle()
  const [root, width] = useWidth<HTMLDivElement>()
  const drawn = report.drawn!
  const [reference, strain] = [report.reference.id, report.strain.id]
  const right = width - edgePx
  const { starts, ownStarts, scale } = useMemo(() => {
    const longest = Math.max(
      ...[drawn.reference, drawn.strain].map((all) => all.reduce((sum, { lengthBp }) => sum + lengthBp, 0)),
    )
    const most = Math.max(drawn.reference.length, drawn.strain.length)
    const gapBp = most === 1 ? 0 : (longest * Math.min(0.006, 0.2 / most)) | 0
    const [first, second] = [layOut(drawn.reference, gapBp), layOut(drawn.strain, gapBp)]
    return {
      starts: first.starts,
      ownStarts: second.starts,
      scale: scaleLinear([0, Math.max(first.total, second.total)], [edgePx, right]),
    }
  }, [drawn, right])
  const differences = report.structure?.differences ?? []
  const xOf = (side: 'reference' | 'strain', sequence: string, position: number): number | null => {
    const start = (side === 'reference' ? starts : ownStarts).get(sequence)
    return start === undefined ? null : scale(start + position)
  }
  const many = Math.max(drawn.reference.length, drawn.strain.length) > 1
  const labels = differences
    .flatMap((one) => {
      const inStrain = one.kind === 'insertion' || one.copyIn === 'second'
      const side = inStrain ? one.b : one.a
      const at = inStrain ? 'strain' : 'reference'
      const lengthBp = drawn[at].find(({ name }) => name === side.sequence)?.lengthBp ?? side.end
      const [from, to] = drawnParts(side, lengthBp)[0]!
      const x = xOf(at, side.sequence, (from + to) / 2)
      const text =
        one.regions[0] ?? (one.sizeBp >= namedShare * report.reference.lengthBp ? format.basePairs(one.sizeBp) : null)
      return x === null || text === null
        ? []
        : [{ x, text, inStrain, named: one.regions.length > 0 ? 1 : 0, size: one.sizeBp }]
    })
    .sort((a, b) => b.named - a.named || b.size - a.size)
  const placed: { x: number; text: string; inStrain: boolean; row: number }[] = []
  for (const label of labels) {
    const half = labelWidth(label.text, labelPx) / 2 + 3
    if (label.x - half < 0 || label.x + half > width) continue
    const row = Array.from({ length: rows }, (_, at) => at).find((at) =>
      placed.every(
        (other) =>
          other.inStrain !== label.inStrain ||
          other.row !== at ||
          Math.abs(other.x - label.x) > half + labelWidth(other.text, labelPx) / 2,
      ),
    )
    if (row !== undefined) placed.push({ ...label, row })
  }
  const usedRows = (inStrain: boolean): number =>
    placed.reduce((most, one) => (one.inStrain === inStrain ? Math.max(most, one.row + 1) : most), 0)
  const axisPx = 44
  const nameRow = many ? 16 : 0
  const top = axisPx + 18 + usedRows(false) * 14 + markPx * 2
  const yReference = top + nameRow
  const yStrain = yReference + barPx + ribbonPx
  const below = yStrain + barPx + nameRow + markPx * 2
  const labelsEnd = below + usedRows(true) * 14
  const yAxis = labelsEnd + 26
  const legend = [
    { key: 'forward', label: t('drawn.forward'), colour: ribbonColours.forward },
    ...(drawn.segments.some(({ strand }) => strand === '-')
      ? [{ key: 'inverted', label: t('drawn.inverted'), colour: ribbonColours.inverted }]
      : []),
    ...differenceKinds
      .filter((kind) => differences.some((one) => one.kind === kind))
      .map((kind) => ({
        key: kind,
        label: t(`kind.${kind}`),
        colour: differenceColour(kind),
        mark: differenceShape(kind),
      })),
  ]
  const legendY = yAxis + 44
  const nameBars = (side: 'reference' | 'strain', y: number): ReactNode => {
    const all = side === 'reference' ? drawn.reference : drawn.strain
    const id = side === 'reference' ? reference : strain
    const texts = all.map(({ name, lengthBp }) => ({ text: name, at: xOf(side, name, lengthBp / 2)! }))
    const fits = fittingLabels(texts, labelPx, 0, width)
    return texts.map(({ text, at }, number) =>
      fits[number] ? (
        <text key={text} x={at} y={y} textAnchor="middle" fontSize={labelPx} fontStyle={styleOf(id, text)}>
          {text}
        </text>
      ) : null,
    )
  }
  const tellDifference = (one: (typeof differences)[number]): string => {
    const inStrain = one.kind === 'insertion' || one.copyIn === 'second'
    const [id, side] = inStrain ? ([strain, one.b] as const) : ([reference, one.a] as const)
    return [
      [t(`kind.${one.kind}`), format.basePairs(one.sizeBp), ...one.regions].join(' · '),
      `${nameOf(id)} ${regionOf(id, side)}`,
      one.genes.length === 0 ? '' : one.genes.slice(0, 12).join(', '),
    ]
      .filter((line) => line !== '')
      .join('\n')
  }
  return (
    <FigureFrame
      title={t('drawn.title')}
      name={`strain-chromosomes-${strain}`}
      receipt={receipt}
      method={[t('drawn.method'), ...(drawn.omitted === 0 ? [] : [t('drawn.omitted', { count: drawn.omitted })])].join(
        ' ',
      )}
      numbers={{
        rows: drawn.segments,
        rowKey: ({ source, start, other, otherStart }) => `${source}-${start}-${other}-${otherStart}`,
        columns: [
          {
            key: 'reference',
            title: t('column.inReference'),
            kind: 'region',
            value: ({ source, start, end }) => `${source}:${start}..${end}`,
            on: ({ source }) => ({ assembly: reference, sequence: source }),
          },
          {
            key: 'strain',
            title: t('column.inStrain'),
            kind: 'region',
            value: ({ other, otherStart, otherEnd }) => `${other}:${otherStart}..${otherEnd}`,
            on: ({ other }) => ({ assembly: strain, sequence: other }),
          },
          { key: 'strand', title: t('column.strand'), value: ({ strand }) => strand },
          { key: 'size', title: t('column.size'), kind: 'number', value: ({ start, end }) => end - start + 1 },
        ],
      }}
    >
      <div ref={root} className="strain-figure">
        <svg
          data-figure
          width={width}
          height={legendY + legendHeight(legend, width - 32) + 6}
          role="img"
          aria-label={t('drawn.title')}
        >
          <Axis
            side="top"
            scale={scale}
            at={axisPx}
            positions
            name={(unit) => t('drawn.axis', { genome: nameOf(reference), unit })}
          />
          {drawn.segments.map((one) => {
            const [a, b] = [xOf('reference', one.source, one.start - 1), xOf('reference', one.source, one.end)]
            const [c, d] = [xOf('strain', one.other, one.otherStart - 1), xOf('strain', one.other, one.otherEnd)]
            if (a === null || b === null || c === null || d === null) return null
            const [e, f] = one.strand === '+' ? [d, c] : [c, d]
            const [upper, lower] = [yReference + barPx + 1, yStrain - 1]
            const middle = (upper + lower) / 2
            return (
              <path
                key={`${one.source}-${one.start}-${one.other}-${one.otherStart}`}
                d={`M${a},${upper}L${b},${upper}C${b},${middle} ${e},${middle} ${e},${lower}L${f},${lower}C${f},${middle} ${a},${middle} ${a},${upper}Z`}
                fill={one.strand === '+' ? ribbonColours.forward : ribbonColours.inverted}
                fillOpacity={one.strand === '+' ? 0.55 : 0.65}
              >
                <title>
                  {`${nameOf(reference)} ${regionOf(reference, { sequence: one.source, start: one.start, end: one.end })}\n${nameOf(strain)} ${regionOf(strain, { sequence: one.other, start: one.otherStart, end: one.otherEnd, strand: one.strand })}`}
                </title>
              </path>
            )
          })}
          {drawn.reference.map(({ name, lengthBp }) => (
            <rect
              key={name}
              x={xOf('reference', name, 0)!}
              y={yReference}
              width={Math.max(1, scale(lengthBp) - scale(0))}
              height={barPx}
              rx={3}
              className="strain-bar"
            />
          ))}
          {drawn.strain.map(({ name, lengthBp }) => (
            <rect
              key={name}
              x={xOf('strain', name, 0)!}
              y={yStrain}
              width={Math.max(1, scale(lengthBp) - scale(0))}
              height={barPx}
              rx={3}
              className="strain-bar"
            />
          ))}
          {many ? nameBars('reference', yReference - 4) : null}
          {many ? nameBars('strain', yStrain + barPx + 13) : null}
          {[...differences].reverse().map((one) => {
            const inStrain = one.kind === 'insertion' || one.copyIn === 'second'
            const side = inStrain ? one.b : one.a
            const at = inStrain ? 'strain' : 'reference'
            const lengthBp = drawn[at].find(({ name }) => name === side.sequence)?.lengthBp
            if (lengthBp === undefined) return null
            const parts = drawnParts(side, lengthBp).map(([start, end]) => [
              xOf(at, side.sequence, start - 1)!,
              xOf(at, side.sequence, end)!,
            ]) as [number, number][]
            const [from, to] = parts[0]!
            const y = inStrain ? yStrain : yReference
            return (
              <g key={differenceKey(one)}>
                <title>{tellDifference(one)}</title>
                {parts.map(([left, end]) => (
                  <rect
                    key={left}
                    x={left}
                    y={y}
                    width={Math.max(1, end - left)}
                    height={barPx}
                    fill={differenceColour(one.kind)}
                  />
                ))}
                <path
                  transform={`translate(${(from + to) / 2},${inStrain ? yStrain + barPx + nameRow + markPx : yReference - nameRow - markPx})`}
                  d={differenceMark(one.kind, 34)}
                  fill={differenceColour(one.kind)}
                />
              </g>
            )
          })}
          {placed.map((one) => (
            <text
              key={`${one.text}-${one.x}`}
              x={one.x}
              y={one.inStrain ? below + 10 + one.row * 14 : top - markPx * 2 - 4 - one.row * 14}
              textAnchor="middle"
              fontSize={labelPx}
            >
              {one.text}
            </text>
          ))}
          <Axis
            side="bottom"
            scale={scale}
            at={yAxis}
            positions
            name={(unit) => t('drawn.axis', { genome: nameOf(strain), unit })}
          />
          <Legend entries={legend} width={width - 32} x={16} y={legendY} />
        </svg>
      </div>
    </FigureFrame>
  )
}
