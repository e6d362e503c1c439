import { type GeoPermissibleObjects, geoEqualEarth, geoGraticule10, geoPath } from 'd3'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { EmptyState } from '../controls/empty-state.tsx'
import { Segmented } from '../controls/field.tsx'
import { accessionAddress } from '../gene/accession-address.ts'
import { useFormat, useText } from '../language.tsx'
import messages from './accession-map-messages.ts'
import { decimalsFor } from './decimals.ts'
import { ColourScale, Drawing } from './drawing.tsx'
import { FigureFrame } from './figure-frame.tsx'
import { groupLegend } from './group-legend.ts'
import { readLand } from './land.ts'
import { Legend, type LegendEntry, legendHeight } from './legend.tsx'
import { markPath, maxMarks, noMark } from './mark-shapes.ts'
import { viridis } from './palette.ts'
import { useWidth } from './use-width.ts'
import './accession-map.css'

export interface PlacedAccession {
  accession: string
  name: string | null
  latitude: number
  longitude: number
  group: string | null
  value: number | null
  level: string | null
}

/** Land of the whole world, and in finer strokes for a part of it; files of the portal, no map of a service. */
const useLand = (fine: boolean): GeoPermissibleObjects | null => {
  const [land, setLand] = useState<{ fine: boolean; land: GeoPermissibleObjects } | null>(null)
  useEffect(() => {
    let wanted = true
    const file = fine ? import('world-atlas/land-50m.json') : import('world-atlas/land-110m.json')
    void file.then((module) => {
      if (wanted) setLand({ fine, land: readLand(module.default as unknown as Parameters<typeof readLand>[0]) })
    })
    return () => {
      wanted = false
    }
  }, [fine])
  return land?.land ?? null
}

/** A part of the world is never drawn larger than so many times the whole. */
const maxTimes = 40
/** Pixels between accessions of one place: Vogel's spiral, which keeps them apart alike. */
const apartPx = 5
const goldenAngle = Math.PI * (3 - Math.sqrt(5))
const usualHeight = 400

/** Accessions where they come from. Colour is the value where there is one and it is asked for, else the group with a shape of its own. */
export const AccessionMap = ({
  points,
  total,
  species,
  simulated = false,
  groups,
  colours,
  none,
  levels = null,
  unit,
  receipt,
  name,
  title,
}: {
  points: PlacedAccession[]
  /** Accessions, with and without a place. */
  total: number
  species: string
  simulated?: boolean
  /** Names of the groups, in the order of their colours. */
  groups: string[]
  /** Another colour of the n-th group than the palette's, and what is said of those without a group. */
  colours?: (at: number) => string
  none?: string
  levels?: string[] | null
  /** What the values are. */
  unit?: string
  receipt?: Receipt
  name: string
  title?: string
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>()
  const [view, setView] = useState<'world' | 'fit'>('world')
  const hasValues = levels !== null || points.some(({ value }) => value !== null)
  const [wanted, setColour] = useState<'value' | 'group'>('value')
  const colour = hasValues && (wanted === 'value' || groups.length === 0) ? 'value' : 'group'
  const land = useLand(view === 'fit')
  const height = Math.max(220, Math.min(usualHeight, width * 0.52))

  const path = useMemo(() => {
    const projection = geoEqualEarth().fitExtent(
      [
        [4, 4],
        [width - 4, height - 4],
      ],
      { type: 'Sphere' },
    )
    if (view === 'fit' && points.length > 0) {
      const whole = projection.scale()
      // The middle of the points turned to the middle of the map, so that the ocean's edge does not part them.
      const east = points.reduce((sum, one) => sum + Math.cos((one.longitude * Math.PI) / 180), 0)
      const north = points.reduce((sum, one) => sum + Math.sin((one.longitude * Math.PI) / 180), 0)
      projection.rotate([(-Math.atan2(north, east) * 180) / Math.PI, 0])
      projection.fitExtent(
        [
          [40, 40],
          [width - 40, height - 40],
        ],
        {
          type: 'MultiPoint',
          coordinates: points.map(({ longitude, latitude }): [number, number] => [longitude, latitude]),
        },
      )
      const scale = Math.min(projection.scale(), whole * maxTimes)
      if (!(scale < projection.scale()) && Number.isFinite(scale)) projection.scale(scale)
      else {
        // One place alone: it stands in the middle.
        const first = points[0]!
        projection.scale(whole * maxTimes).translate([0, 0])
        const [x, y] = projection([first.longitude, first.latitude]) ?? [0, 0]
        projection.translate([width / 2 - x, height / 2 - y])
      }
      projection.clipExtent([
        [0, 0],
        [width, height],
      ])
    }
    return { projection, draw: geoPath(projection) }
  }, [view, points, width, height])

  const placed = useMemo(() => {
    const met = new Map<string, number>()
    return points.flatMap((point) => {
      const at = path.projection([point.longitude, point.latitude])
      if (at === null) return []
      const key = `${Math.round(at[0] / apartPx)}/${Math.round(at[1] / apartPx)}`
      const turn = met.get(key) ?? 0
      met.set(key, turn + 1)
      const away = apartPx * 0.8 * Math.sqrt(turn)
      return [{ point, x: at[0] + away * Math.cos(turn * goldenAngle), y: at[1] + away * Math.sin(turn * goldenAngle) }]
    })
  }, [points, path])

  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  const [low, high] = [
    values.reduce((a, b) => Math.min(a, b), Infinity),
    values.reduce((a, b) => Math.max(a, b), -Infinity),
  ]
  const digits = decimalsFor(high - low)
  const byLevel = colour === 'value' && levels !== null
  const kinds = byLevel ? levels : groups
  const legend: LegendEntry[] =
    colour === 'value' && levels === null
      ? // The colour is the value's; the shapes are those of the groups.
        groupLegend(groups, t('map.other'), () => 'var(--figure-axis)')
      : [
          ...groupLegend(kinds, t('map.other'), byLevel ? undefined : colours),
          ...(points.some((one) => (byLevel ? one.level : one.group) === null)
            ? [{ key: '~none', label: none ?? t('map.none'), colour: 'var(--figure-axis)', mark: noMark }]
            : []),
        ]
  const markOf = (point: PlacedAccession): { fill: string; mark: number } => {
    if (colour === 'value' && levels === null)
      return {
        fill:
          point.value === null ? 'var(--figure-axis)' : viridis(high > low ? (point.value - low) / (high - low) : 0.5),
        mark:
          groups.length === 0 ? 0 : point.group === null ? noMark : Math.min(groups.indexOf(point.group), maxMarks - 1),
      }
    const kind = byLevel ? point.level : point.group
    const at = kind === null ? -1 : kinds.indexOf(kind)
    const entry =
      kind === null ? legend.find(({ key }) => key === '~none') : (legend[Math.min(at, maxMarks - 1)] ?? legend[0])
    return { fill: entry?.colour ?? 'var(--figure-axis)', mark: entry?.mark ?? noMark }
  }
  const titleOf = ({ accession, name: label, group, value, level, latitude, longitude }: PlacedAccession): string =>
    [
      label === null || label === accession ? accession : `${accession} (${label})`,
      group ?? '',
      level ?? (value === null ? '' : format.number(value, digits)),
      `${format.number(latitude, 2)}°, ${format.number(longitude, 2)}°`,
    ]
      .filter((part) => part !== '')
      .join(' · ')
  const scaleRoom = colour === 'value' && levels === null && values.length > 0 ? 46 : 0
  const below = scaleRoom + legendHeight(legend, width)
  if (points.length === 0) return <EmptyState title={t('map.noPlaces')} />

  return (
    <FigureFrame
      title={title ?? t('map.title')}
      name={`${name}-map`}
      aside={total === 1 ? undefined : t('map.placed', { placed: points.length, total })}
      method={`${t('map.method')}${simulated ? ` ${t('map.simulated')}` : ''}`}
      {...(receipt === undefined ? {} : { receipt })}
      numbers={{
        rows: points,
        rowKey: (one) => one.accession,
        columns: [
          { key: 'accession', title: t('column.accession'), kind: 'id', value: (one) => one.accession },
          { key: 'name', title: t('column.name'), value: (one) => one.name },
          { key: 'group', title: t('column.group'), value: (one) => one.group },
          { key: 'latitude', title: t('column.latitude'), kind: 'number', digits: 4, value: (one) => one.latitude },
          { key: 'longitude', title: t('column.longitude'), kind: 'number', digits: 4, value: (one) => one.longitude },
          { key: 'value', title: t('column.value'), value: (one) => one.level ?? one.value },
        ],
      }}
    >
      <div className="nv-figure-bar">
        <Segmented
          label={t('map.view')}
          value={view}
          onChoose={(value) => setView(value as 'world')}
          options={[
            { value: 'world', label: t('map.world') },
            { value: 'fit', label: t('map.fit') },
          ]}
        />
        {hasValues && groups.length > 0 ? (
          <Segmented
            label={t('map.colour')}
            value={colour}
            onChoose={(value) => setColour(value as 'value')}
            options={[
              { value: 'value', label: t('map.byValue') },
              { value: 'group', label: t('map.byGroup') },
            ]}
          />
        ) : null}
      </div>
      <div ref={root}>
        <Drawing width={width} height={height + below} label={t('map.title')}>
          <path className="nv-map-sea" d={path.draw({ type: 'Sphere' }) ?? ''} />
          <path className="nv-map-graticule" d={path.draw(geoGraticule10()) ?? ''} />
          {land === null ? null : <path className="nv-map-land" d={path.draw(land) ?? ''} />}
          {placed.map(({ point, x, y }) => {
            const { fill, mark } = markOf(point)
            return (
              <Link key={point.accession} to={accessionAddress(species, point.accession)} className="nv-map-point">
                <path transform={`translate(${x},${y})`} d={markPath(mark)} fill={fill}>
                  <title>{titleOf(point)}</title>
                </path>
              </Link>
            )
          })}
          {scaleRoom === 0 ? null : (
            <ColourScale
              x={8}
              y={height + 12}
              colour={viridis}
              ends={[format.number(low, digits), format.number(high, digits)]}
              {...(unit === undefined ? {} : { title: unit })}
            />
          )}
          <Legend entries={legend} width={width} y={height + scaleRoom + 2} />
        </Drawing>
      </div>
    </FigureFrame>
  )
}
