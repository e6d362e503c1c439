import { scaleLinear } from 'd3'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { roundTicks } from '../../kit/ui/figures/axis-ticks.ts'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { motifLabel } from './enrichment-figure.tsx'
import messages from './messages.ts'
import type { MotifInput, MotifSearchResult, Site } from './tool.ts'

const rowHeight = 30
const headHeight = 26
const shownRows = 30
/** Motifs with a colour of their own; more could not be told apart. */
const coloured = 7

/** Sites on the promoters with the best of them: a line for each, drawn from the point that it is measured from. */
export const PromoterFigure = ({
  input,
  result,
  receipt,
}: {
  input: MotifInput
  result: MotifSearchResult
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>()
  const [chosen, setChosen] = useState('')
  const { motifs, sequences } = result
  const bySequence = new Map<string, Site[]>()
  const counts = new Map<number, number>()
  for (const site of result.sites) {
    counts.set(site.motif, (counts.get(site.motif) ?? 0) + 1)
    if (chosen !== '' && motifs[site.motif]!.id !== chosen) continue
    const list = bySequence.get(site.sequence)
    if (list === undefined) bySequence.set(site.sequence, [site])
    else list.push(site)
  }
  const withSites = sequences.filter(({ name }) => bySequence.has(name))
  const rows = withSites.slice(0, shownRows)
  if (rows.length === 0 && chosen === '') return null
  const ranked = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!)
  const colourOf = new Map(ranked.slice(0, coloured).map((motif, at) => [motif, categoryColour(at)]))
  const pasted = input.source === 'sequence'
  const otherRule = (row: (typeof rows)[number]): boolean => row.rule !== null && row.rule !== 'asked'
  const labelOf = (row: (typeof rows)[number]): string =>
    `${row.symbol ?? row.gene ?? row.name}${otherRule(row) ? ' *' : ''}`
  const longest = Math.max(4, ...rows.map((row) => labelOf(row).length))
  const left = Math.min(width * 0.3, longest * 7.4 + 18)
  // The word at the anchor, which stands at the right end, is cut by nothing.
  const inner = Math.max(80, width - left - 40)
  // Promoters are drawn so that the points from which they are measured stand over each other.
  const before = pasted ? 0 : Math.max(1, ...rows.map(({ relativeStart }) => Math.max(0, -(relativeStart ?? 0))))
  const total = pasted ? Math.max(1, ...rows.map(({ lengthBp }) => lengthBp)) : before + input.insideBp
  const x = (offsetBp: number): number => left + (offsetBp / Math.max(1, total)) * inner
  const offsetOf = (row: (typeof rows)[number], at1: number): number =>
    at1 - 1 + (pasted ? 0 : before - Math.max(0, -(row.relativeStart ?? 0)))
  const minPValue = Math.min(1e-6, ...result.sites.map(({ pValue }) => pValue))
  const tall = (pValue: number): number => 5 + 7 * Math.min(1, -Math.log10(pValue) / -Math.log10(minPValue))
  const height = headHeight + rows.length * rowHeight + 6
  const anchor = t((result.anchor ?? input.from) === 'coding' ? 'promoters.startCodon' : 'promoters.tss')
  const label = t('promoters.figure', { motifs: counts.size, count: rows.length })
  const bases = (tick: number): string => `${format.tick(tick)} bp`
  const marks = pasted
    ? roundTicks(0, total, inner, 'x', true).map((tick) => ({ at: tick, text: bases(tick) }))
    : roundTicks(-before, input.insideBp, inner, 'x', true).map((tick) => ({
        at: tick + before,
        text: tick === 0 ? anchor : bases(tick),
      }))
  return (
    <FigureFrame
      title={t(pasted ? 'promoters.titleSequence' : 'promoters.title')}
      aside={
        rows.length < result.sequencesWithSites
          ? t('promoters.aside', { shown: rows.length, all: result.sequencesWithSites })
          : undefined
      }
      name="motif-sites"
      receipt={receipt}
      method={[t('promoters.method'), ...(rows.some(otherRule) ? [t('promoters.otherRule')] : [])].join(' ')}
      numbers={{
        rows: rows.flatMap((row) => bySequence.get(row.name)!),
        rowKey: (site) => `${site.motif} ${site.sequence} ${site.start} ${site.strand}`,
        columns: [
          { key: 'sequence', title: t('column.sequence'), kind: 'id', value: (site) => site.sequence },
          { key: 'motif', title: t('column.motif'), kind: 'id', value: (site) => motifs[site.motif]!.id },
          { key: 'start', title: t('column.start'), kind: 'number', value: (site) => site.relativeStart ?? site.start },
          { key: 'end', title: t('column.end'), kind: 'number', value: (site) => site.relativeEnd ?? site.end },
          { key: 'strand', title: t('column.strand'), value: (site) => site.strand },
          { key: 'p', title: t('column.pValue'), kind: 'pValue', value: (site) => site.pValue },
        ],
      }}
    >
      {counts.size > 1 ? (
        <div className="motif-choose">
          <SelectField
            label={t('promoters.choose')}
            value={chosen}
            onChoose={setChosen}
            options={[
              { value: '', label: t('promoters.all') },
              ...ranked.map((motif) => ({
                value: motifs[motif]!.id,
                label: `${motifLabel(motifs[motif]!)} · ${format.number(counts.get(motif)!)}`,
              })),
            ]}
          />
          {chosen === '' ? (
            <ul className="motif-key" data-legend>
              {ranked.slice(0, coloured).map((motif) => (
                <li key={motif}>
                  <span style={{ background: colourOf.get(motif) }} />
                  {motifLabel(motifs[motif]!)}
                </li>
              ))}
              {ranked.length > coloured ? (
                <li>
                  <span className="motif-key-other" />
                  {t('promoters.other')}
                </li>
              ) : null}
            </ul>
          ) : null}
        </div>
      ) : null}
      <div ref={root} className="motif-figure">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drawing; genes within are links. */}
        <svg
          data-figure
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={label}
        >
          <title>{label}</title>
          <Axis
            side="top"
            scale={scaleLinear([0, total], [left, left + inner])}
            at={20.5}
            ticks={marks.map(({ at }) => at)}
            text={(tick) => marks.find(({ at }) => at === tick)!.text}
            within={[left - 24, width]}
          />
          {pasted ? null : (
            <line className="motif-anchor" x1={x(before)} x2={x(before)} y1={headHeight - 4} y2={height} />
          )}
          {rows.map((row, number) => {
            const y = headHeight + rowHeight * (number + 0.5)
            const name = labelOf(row)
            const room = Math.max(5, Math.floor((left - 10) / 7.4))
            const text = (
              <text
                x={left - 10}
                y={y}
                textAnchor="end"
                dominantBaseline="central"
                fontStyle={row.symbol === null ? undefined : 'italic'}
              >
                {name.length > room ? `${name.slice(0, room - 1)}…` : name}
              </text>
            )
            return (
              <g key={row.name} className="motif-row">
                {row.gene === null || result.assembly === null ? (
                  text
                ) : (
                  <Link to={geneAddress(row.gene, result.assembly)} aria-label={`${row.gene} ${row.symbol ?? ''}`}>
                    {text}
                  </Link>
                )}
                <line
                  className="motif-line"
                  x1={x(offsetOf(row, 1))}
                  x2={x(offsetOf(row, row.lengthBp + 1))}
                  y1={y}
                  y2={y}
                />
                {bySequence
                  .get(row.name)!
                  .slice()
                  .reverse()
                  .map((site) => {
                    const from = x(offsetOf(row, site.start))
                    const size = Math.max(3, x(offsetOf(row, site.end + 1)) - from)
                    const up = tall(site.pValue)
                    return (
                      <rect
                        key={`${site.motif} ${site.start} ${site.strand}`}
                        className="motif-site"
                        x={from}
                        width={size}
                        y={site.strand === '+' ? y - up : y}
                        height={up}
                        fill={colourOf.get(site.motif) ?? 'var(--muted)'}
                      >
                        <title>
                          {t('promoters.site', {
                            motif: motifLabel(motifs[site.motif]!),
                            start: format.number(site.relativeStart ?? site.start),
                            end: format.number(site.relativeEnd ?? site.end),
                            strand: site.strand === '-' ? '−' : '+',
                            pValue: format.pValue(site.pValue),
                            matched: site.matched,
                          })}
                        </title>
                      </rect>
                    )
                  })}
              </g>
            )
          })}
        </svg>
      </div>
    </FigureFrame>
  )
}
