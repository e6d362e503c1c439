import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { transposonName } from '../../bio/repeats/transposon-classes.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { browserAddress } from '../../kit/ui/browser-address.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { CategoryTextures, categoryEdge, categoryFill, useTextureId } from '../../kit/ui/figures/category-marks.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { RoleNote, useRegionLabel, useRoleStyle } from '../../kit/ui/gene/sequence-name.tsx'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { addressOf } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { ageColumns } from './element-columns.tsx'
import { CodeName, codeLabel, infoAddress, RateField, useRate } from './element-parts.tsx'
import messages from './messages.ts'
import { StructureFigure } from './structure-figure.tsx'
import tool, { type FoundElement, type TransposonResult } from './tool.ts'

type Identify = NonNullable<TransposonResult['identify']>

const rowHeight = 26
const labelPx = 96
const axisPx = 40
const narrowestPx = 300
const maxSequences = 60
/** Bases around an element where the genome browser opens. */
const flankBp = 2000

/** Elements along the searched sequences. */
const LociFigure = ({ identify, receipt }: { identify: Identify; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const regionOf = useRegionLabel()
  const styleOf = useRoleStyle()
  const { assembly } = identify
  const [root, given] = useWidth<HTMLElement>()
  const width = Math.max(narrowestPx, given)
  const withElements = new Set(identify.elements.map(({ sequence }) => sequence))
  const shown = identify.sequences.filter(({ name }) => withElements.has(name)).slice(0, maxSequences)
  const codes = [...new Set(identify.elements.map(({ code }) => code))].sort()
  const starts = new Map<string, [number, number]>()
  // A region of a chromosome is drawn as that region.
  for (const { name, lengthBp } of shown) {
    const own = identify.elements.filter(({ sequence }) => sequence === name)
    const beyond = own.some(({ end }) => end > lengthBp)
    starts.set(
      name,
      beyond ? [Math.min(...own.map(({ start }) => start)), Math.max(...own.map(({ end }) => end))] : [1, lengthBp],
    )
  }
  const longest = Math.max(1, ...[...starts.values()].map(([from, to]) => to - from + 1))
  const inner = width - labelPx - 12
  // Several sequences are measured from their first base, one by its own positions.
  const origin = shown.length === 1 ? starts.get(shown[0]!.name)![0] - 1 : 0
  const figure = useTextureId()
  const legend: LegendEntry[] = codes.map((code, at) => ({
    key: code,
    label: codeLabel(code, language),
    colour: categoryFill(figure, at),
  }))
  const head = 8 + legendHeight(legend, width)
  return (
    <FigureFrame
      title={t('found.places')}
      name="transposons-found"
      receipt={receipt}
      method={t('found.placesMethod')}
      numbers={{
        rows: identify.elements,
        rowKey: ({ number }) => String(number),
        columns: [
          { key: 'number', title: t('column.number'), kind: 'number', value: ({ number }) => number },
          { key: 'code', title: t('column.code'), kind: 'id', value: ({ code }) => code },
          {
            key: 'sequence',
            title: t('column.sequence'),
            kind: 'id',
            value: ({ sequence }) => sequence,
            on: ({ sequence }) => ({ assembly, sequence }),
          },
          { key: 'start', title: t('column.start'), kind: 'number', value: ({ start }) => start },
          { key: 'end', title: t('column.end'), kind: 'number', value: ({ end }) => end },
        ],
      }}
    >
      <RoleNote sequences={shown.map(({ name }) => ({ assembly, sequence: name }))} />
      <ScrollBox ref={root} className="te-figure" label={t('found.places')}>
        <svg width={width} height={head + shown.length * rowHeight + axisPx} role="img" aria-label={t('found.places')}>
          <CategoryTextures figure={figure} count={codes.length} />
          <Legend entries={legend} y={0} width={width} />
          {shown.map(({ name }, row) => {
            const y = head + row * rowHeight
            const [from, to] = starts.get(name)!
            return (
              <g key={name}>
                <text
                  x={labelPx - 8}
                  y={y + 9}
                  textAnchor="end"
                  dominantBaseline="central"
                  fontSize={12}
                  fontStyle={styleOf(assembly, name)}
                  fill="var(--figure-ink)"
                >
                  {name.length > 13 ? `${name.slice(0, 12)}…` : name}
                </text>
                <rect
                  x={labelPx}
                  y={y + 6}
                  width={((to - from + 1) / longest) * inner}
                  height={6}
                  fill="var(--figure-grid)"
                />
                {identify.elements
                  .filter(({ sequence }) => sequence === name)
                  .map((one) => (
                    <rect
                      key={one.number}
                      x={labelPx + ((one.start - from) / longest) * inner}
                      y={y}
                      width={Math.max(2, (one.lengthBp / longest) * inner)}
                      height={18}
                      fill={categoryFill(figure, codes.indexOf(one.code))}
                      stroke={categoryEdge}
                      strokeWidth={0.5}
                    >
                      <title>{`${one.number}: ${one.code} ${one.family ?? ''} ${regionOf(assembly, one)}`}</title>
                    </rect>
                  ))}
              </g>
            )
          })}
          <Axis
            side="bottom"
            scale={scaleLinear([origin, origin + longest], [labelPx, labelPx + inner])}
            at={head + shown.length * rowHeight}
            positions
            name={(unit) => t('overview.axisPosition', { unit })}
          />
        </svg>
      </ScrollBox>
    </FigureFrame>
  )
}

const domainsOf = (one: FoundElement): string =>
  one.parts.flatMap(({ type, name }) => (type === 'domain' && name !== null ? [name] : [])).join(', ')

/** What an identification found. */
export const FoundView = ({
  input,
  identify,
  receipt,
  job,
}: {
  input: z.output<(typeof tool)['input']>
  identify: Identify
  receipt: Receipt
  job: string | null
}): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const regionOf = useRegionLabel()
  const rate = useRate(identify.statedRate)
  const [chosen, setChosen] = useState<number | null>(null)
  const { assembly, elements } = identify
  const tandemBp = identify.tandemBp ?? 0
  const arrays = tandemBp === 0 ? null : <p className="nv-quiet">{t('found.tandem', { length: tandemBp })}</p>
  if (elements.length === 0)
    return (
      <>
        <EmptyState title={t('none.identify')} why={t('none.identifyWhy', { candidates: identify.candidates })} />
        {arrays}
      </>
    )
  const one = elements.find(({ number }) => number === chosen) ?? elements[0]!
  const genes = [...new Set(elements.flatMap((element) => element.genes))]
  const yes = (value: boolean): string => t(value ? 'value.yes' : 'value.no')
  const file = (name: string): string => addressOf(`/api/tools/${tool.id}/jobs/${job}/${name}`)
  return (
    <>
      <LociFigure identify={identify} receipt={receipt} />
      <StructureFigure
        key={one.number}
        name={`transposon-${one.number}`}
        title={t('found.structure', { number: one.number, region: regionOf(assembly, one) })}
        start={one.start}
        end={one.end}
        strand={one.strand}
        parts={one.parts}
        colouredBefore={new Set(elements.map(({ code }) => code)).size}
        receipt={receipt}
      />
      {assembly === null ? null : (
        <p>
          <ButtonLink to={browserAddress({ assembly, ...one }, { marginBp: flankBp, mark: true })}>
            {t('info.browser')}
          </ButtonLink>
        </p>
      )}
      {elements.some(({ ltrDivergence }) => ltrDivergence !== null) ? <RateField stated={identify.statedRate} /> : null}
      <Card
        title={t('found.title')}
        actions={
          <>
            {genes.length > 0 && assembly !== null ? (
              <GeneSetMenu genes={genes.map((id) => ({ id, assembly }))} />
            ) : null}
            {job === null ? null : (
              <>
                <a className="nv-button nv-button-default nv-button-small" href={file('elements.gff3')}>
                  {t('found.gff3')}
                </a>
                {input.methods.map((method) => {
                  const program = method === 'ltr' ? 'LTRharvest' : 'TIRvish'
                  return (
                    <a
                      key={program}
                      className="nv-button nv-button-quiet nv-button-small"
                      href={file(`${program.toLowerCase()}.gff3`)}
                    >
                      {t('found.raw', { program })}
                    </a>
                  )
                })}
              </>
            )}
          </>
        }
        flush
      >
        <ResultTable
          label={t('found.title')}
          name="transposons-found"
          receipt={receipt}
          rows={elements}
          rowKey={({ number }) => String(number)}
          onRow={({ number }) => setChosen(number)}
          marked={String(one.number)}
          columns={[
            { key: 'number', title: t('column.number'), kind: 'number', value: ({ number }) => number },
            {
              key: 'code',
              title: t('column.code'),
              kind: 'id',
              main: true,
              value: ({ code }) => code,
              render: ({ code }) => <CodeName code={code} />,
            },
            { key: 'class', title: t('column.class'), value: ({ code }) => transposonName(code, language) },
            { key: 'family', title: t('column.family'), value: ({ family }) => family },
            { key: 'evidence', title: t('column.evidence'), value: ({ evidence }) => t(`evidence.${evidence}`) },
            {
              key: 'sequence',
              title: t('column.sequence'),
              kind: 'id',
              value: ({ sequence }) => sequence,
              on: ({ sequence }) => ({ assembly, sequence }),
            },
            { key: 'start', title: t('column.start'), kind: 'number', main: true, value: ({ start }) => start },
            { key: 'end', title: t('column.end'), kind: 'number', value: ({ end }) => end },
            { key: 'strand', title: t('column.strand'), kind: 'id', value: ({ strand }) => strand },
            { key: 'length', title: t('column.length'), kind: 'number', main: true, value: ({ lengthBp }) => lengthBp },
            {
              key: 'ltrIdentity',
              title: t('column.ltrIdentity'),
              kind: 'number',
              digits: 2,
              value: ({ ltrIdentity }) => ltrIdentity,
            },
            {
              key: 'ltrDivergence',
              title: t('column.ltrDivergence'),
              help: t('help.ltrDivergence'),
              kind: 'number',
              digits: 2,
              value: ({ ltrDivergence }) => ltrDivergence,
            },
            ...ageColumns((element: FoundElement) => element, rate, t),
            { key: 'targetSite', title: t('column.targetSite'), kind: 'id', value: ({ targetSite }) => targetSite },
            { key: 'domains', title: t('column.domains'), value: domainsOf },
            {
              key: 'annotated',
              title: t('column.annotated'),
              kind: 'id',
              value: ({ annotated }) => annotated,
              render: ({ annotated }) =>
                annotated === null || assembly === null ? (
                  <span className="nv-none">–</span>
                ) : (
                  <Link to={infoAddress(annotated, assembly)}>{annotated}</Link>
                ),
            },
            { key: 'genes', title: t('column.genes'), long: true, value: (row) => row.genes.join(', ') },
            {
              key: 'split',
              title: t('column.split'),
              help: t('help.split'),
              hidden: true,
              value: ({ split }) => yes(split),
            },
            {
              key: 'similarity',
              title: t('column.similarity'),
              kind: 'number',
              digits: 2,
              hidden: true,
              value: ({ similarity }) => similarity,
            },
            {
              key: 'coverage',
              title: t('column.coverage'),
              kind: 'number',
              digits: 1,
              hidden: true,
              value: ({ familyCoverage }) => familyCoverage,
            },
          ]}
        />
      </Card>
      {identify.profiles === 0 ? (
        <p className="nv-quiet">
          {t('found.profiles', { profiles: identify.profiles, library: identify.librarySize })}
        </p>
      ) : null}
      {identify.annotatedFull === null ? null : (
        <p className="nv-quiet">
          {t('found.loaded', {
            count: identify.annotatedFull,
            found: elements.filter(({ annotated }) => annotated !== null).length,
          })}
        </p>
      )}
      <details className="nv-quiet">
        <summary>{t('chosen.title')}</summary>
        <p>
          {input.overlaps === 'chosen' && input.methods.includes('ltr')
            ? t('chosen.about', { candidates: identify.candidates, kept: elements.length })
            : t('chosen.none', { candidates: identify.candidates })}
        </p>
      </details>
      {arrays}
    </>
  )
}
