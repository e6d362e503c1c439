import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Button, ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { CopyButton } from '../../../kit/ui/controls/copy-button.tsx'
import { EmptyState } from '../../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../../kit/ui/controls/expression-fields.tsx'
import { Menu } from '../../../kit/ui/controls/menu.tsx'
import { AccessionMap } from '../../../kit/ui/figures/accession-map.tsx'
import { maxMarks } from '../../../kit/ui/figures/mark-shapes.ts'
import { accessionAddress } from '../../../kit/ui/gene/accession-address.ts'
import { useAccessionColumn } from '../../../kit/ui/gene/biology-names.ts'
import { useRegionLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { useAssemblies } from '../../../kit/ui/portal-data.ts'
import { ResultTable, type TableColumn } from '../../../kit/ui/table/result-table.tsx'
import { useOpenings } from '../../../kit/ui/tool/tool-openings.ts'
import { variationAddress } from '../effect-parts.tsx'
import messages from '../messages.ts'
import tool, { type HaplotypesResult, limits, type VariationResult } from '../tool.ts'
import { haplotypeColour } from './haplotype-colours.ts'
import { HaplotypeFigure } from './haplotype-figure.tsx'
import { TraitChoice } from './trait-choice.tsx'

type Row = HaplotypesResult['haplotypes'][number]
type Phenotype = NonNullable<HaplotypesResult['phenotype']>

/** Populations and haplotypes that go together so much are said to be structure (Cramér's V; Cohen 1988 calls 0.5 a large effect). */
const strongStructure = 0.5
/** An address holds so many names of accessions. */
const maxNamed = 60
/** Variants of the haplotypes that are offered as markers; more are no menu. */
const maxMarkers = 60
/** Letters of a change of bases that a menu has room for. */
const maxChange = 24

/** What the tests say, and what may lie behind it: populations. */
const TestsCard = ({
  found,
  phenotype,
  assembly,
  name,
  receipt,
}: {
  found: HaplotypesResult
  phenotype: Phenotype
  assembly: string
  name: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const columnName = useAccessionColumn()
  const species = useAssemblies().find(({ id }) => id === assembly)?.species ?? ''
  const onward = useOpenings('trait').filter((opening) => opening.tool.id !== tool.id)
  const { method, test, within, exactPValue } = phenotype
  const statistic = { kruskal: 'H', anova: 'F', welch: 'F', table: 'χ²' }[method]
  const rank = (index: number): string => found.haplotypes[index]?.name ?? '–'
  const { structure } = found
  return (
    <Card
      title={t('test.title', { trait: format.text(phenotype.name) })}
      aside={<SimulatedTag simulated={phenotype.simulated} />}
      actions={onward.map(({ tool: other, label, address }) => (
        <ButtonLink
          key={other.id}
          size="small"
          to={address({
            species,
            assembly,
            dataset: phenotype.set,
            trait: phenotype.trait,
            phenotype: `${phenotype.set}|${phenotype.trait}`,
          })}
        >
          {label}
        </ButtonLink>
      ))}
    >
      <ul className="variation-tests">
        {test === null ? (
          <li>{t('head.noTest', { trait: format.text(phenotype.name) })}</li>
        ) : (
          <li>
            {t('test.line', {
              name: method === 'table' ? t('test.table') : t(`option.test.${method}`),
              statistic: `${statistic} = ${format.statistic(test.statistic)}, df = ${test.degrees}${test.residualDegrees === null ? '' : `, ${format.number(test.residualDegrees, 1)}`}`,
              p: format.pValue(test.pValue),
              effect: format.number(test.effect, 3),
            })}
          </li>
        )}
        {exactPValue === null || exactPValue === undefined ? null : (
          <li>{t('test.exact', { p: format.pValue(exactPValue) })}</li>
        )}
        {within === undefined || method === 'table' || test === null || found.populations.length === 0 ? null : (
          <li>
            {within === null
              ? t('test.withinNone')
              : t('test.within', {
                  accessions: within.accessions,
                  populations: within.populations,
                  statistic: format.statistic(within.statistic),
                  degrees: within.degrees,
                  residual: within.residualDegrees ?? 0,
                  p: format.pValue(within.pValue),
                })}
          </li>
        )}
        {structure === null || structure === undefined ? null : (
          <li className={structure.effect >= strongStructure ? 'nv-warn' : ''}>
            {t('test.structure', {
              grouping: found.grouping === null ? t('column.population') : columnName(found.grouping ?? 'population'),
              v: format.number(structure.effect, 2),
              p: format.pValue(structure.pValue),
              strong: structure.effect >= strongStructure ? 'yes' : 'no',
            })}{' '}
            {structure.fewExpected > 0.2 ? `${t('test.structureFew')} ` : ''}
            {t('test.gwas')}
          </li>
        )}
      </ul>
      {phenotype.pairs.length === 0 ? null : (
        <ResultTable
          label={t('haplotypes.pairs')}
          name={`${name}-haplotype-pairs`}
          receipt={receipt}
          rows={phenotype.pairs}
          rowKey={({ a, b }) => `${a}-${b}`}
          pageSize={25}
          columns={[
            { key: 'pair', title: t('column.pair'), value: ({ a, b }) => `${rank(a)} – ${rank(b)}` },
            {
              key: 'difference',
              title: t('column.difference'),
              kind: 'number',
              digits: 4,
              hidden: method === 'table',
              value: ({ difference }) => difference,
            },
            { key: 'p', title: t('column.p'), kind: 'pValue', value: ({ pValue }) => pValue },
            {
              key: 'adjusted',
              title: t('column.adjusted'),
              kind: 'pValue',
              value: ({ adjustedPValue }) => adjustedPValue,
            },
          ]}
        />
      )}
    </Card>
  )
}

const OriginMap = ({
  found,
  selected,
  assembly,
  name,
  receipt,
}: {
  found: HaplotypesResult
  selected: number | null
  assembly: string
  name: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const species = useAssemblies().find(({ id }) => id === assembly)?.species ?? ''
  const shown = found.accessions.filter(({ haplotypes }) => selected === null || haplotypes.includes(selected))
  const names = found.haplotypes.map((row) => row.name)
  const points = shown.flatMap(({ id, name: label, latitude, longitude, haplotypes }) => {
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return []
    const [first] = haplotypes
    const isOne = first !== undefined && haplotypes.every((one) => one === first)
    return [
      {
        accession: id,
        name: label ?? null,
        latitude,
        longitude,
        group: isOne ? (names[first] ?? t('haplotypes.other')) : null,
        value: null,
        level: null,
      },
    ]
  })
  if (!found.accessions.some(({ latitude }) => typeof latitude === 'number'))
    return <p className="nv-quiet">{t('map.noPlaces')}</p>
  return (
    <AccessionMap
      key={selected ?? 'all'}
      title={selected === null ? t('map.title') : `${t('map.title')}: ${names[selected]}`}
      points={points}
      total={shown.length}
      species={species}
      simulated={found.simulatedAccessions ?? false}
      // Those beyond the last mark are the others, whether listed or not.
      groups={found.haplotypes.length < maxMarks ? names : [...names, t('haplotypes.other')]}
      colours={haplotypeColour(found.populations.length)}
      none={t('map.none')}
      receipt={receipt}
      name={`${name}-haplotypes`}
    />
  )
}

export const HaplotypesView = ({ result, receipt }: { result: VariationResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const navigate = useNavigate()
  const species = useAssemblies().find(({ id }) => id === result.assembly)?.species ?? ''
  const [chosen, setSelected] = useState<number | null>(null)
  const found = result.haplotypes!
  const { blocks, phenotype } = found
  /** Of one copy nothing is homozygous or heterozygous. */
  const haploid = result.set.ploidy === 1 ? 'yes' : 'no'
  // Another answer may have fewer.
  const selected = chosen !== null && chosen < found.haplotypes.length ? chosen : null
  const name = found.symbol ?? (found.gene === '' ? regionOf(result.assembly, found.locus) : found.gene)
  const rank = (index: number): string => found.haplotypes[index]?.name ?? t('haplotypes.other')
  const count = found.haplotypeCount ?? found.haplotypes.length
  const without = found.accessions.filter(({ haplotypes }) => haplotypes.length === 0).length
  const listed = found.accessions.filter(({ haplotypes }) => selected === null || haplotypes.includes(selected))
  const place = { sequence: found.locus.sequence, start: found.locus.start, end: found.locus.end }
  return (
    <>
      <p className="nv-quiet">{t('note.dropped', { count: found.siteCount, ...found.dropped })}</p>
      {blocks === null || blocks === undefined ? null : (
        <p className="nv-quiet">
          {t('blocks.told', {
            count: blocks.blocks.length,
            rule: t(`option.blocks.${blocks.rule}`),
            sites: blocks.sites,
            of: blocks.of,
            all: blocks.sites === blocks.of ? 'yes' : 'no',
          })}{' '}
          {blocks.blocks.length === 0 && blocks.rule === 'gabriel' && blocks.sites > 1 ? t('blocks.none') : null}
        </p>
      )}
      {found.haplotypes.length === 0 || found.sites.length === 0 ? (
        <EmptyState title={t('haplotypes.none')} why={t('haplotypes.noneWhy')} />
      ) : (
        <>
          {without * 4 < found.accessions.length ? null : (
            <p className="nv-warn">{t('haplotypes.many', { count: without, haploid })}</p>
          )}
          {count === found.haplotypes.length ? null : (
            <p className="nv-warn">{t('haplotypes.cut', { all: count, shown: found.haplotypes.length })}</p>
          )}
          {phenotype === null ? <TraitChoice assembly={result.assembly} /> : null}
          <HaplotypeFigure
            found={found}
            name={name}
            receipt={receipt}
            assembly={result.assembly}
            set={result.set.id}
            haploid={haploid}
            selected={selected}
            onSelect={setSelected}
          />
          {phenotype === null ? null : (
            <TestsCard found={found} phenotype={phenotype} assembly={result.assembly} name={name} receipt={receipt} />
          )}
          <OriginMap found={found} selected={selected} assembly={result.assembly} name={name} receipt={receipt} />
          <Card
            title={selected === null ? t('haplotypes.accessions') : t('carriers.title', { haplotype: rank(selected) })}
            aside={
              <>
                {format.number(listed.length)} <SimulatedTag simulated={result.set.simulated} />
              </>
            }
            actions={
              <>
                {selected === null ? null : (
                  <>
                    <Button size="small" onClick={() => setSelected(null)}>
                      {t('carriers.all')}
                    </Button>
                    {listed.length > Math.min(maxNamed, limits.matrixSamples) ? null : (
                      <ButtonLink
                        size="small"
                        to={variationAddress({
                          assembly: result.assembly,
                          set: result.set.id,
                          region: `${place.sequence}:${place.start}..${place.end}`,
                          carriers: listed.map(({ id }) => id).join(','),
                        })}
                      >
                        {t('carriers.shared')}
                      </ButtonLink>
                    )}
                  </>
                )}
                <CopyButton
                  textOf={() => listed.map(({ id }) => id).join('\n')}
                  reported={t('carriers.copied', { count: listed.length })}
                >
                  {t('carriers.copy')}
                </CopyButton>
              </>
            }
            flush
          >
            <ResultTable
              label={t('haplotypes.accessions')}
              name={selected === null ? `${name}-accessions` : `${name}-${rank(selected)}-accessions`}
              receipt={receipt}
              rows={listed}
              rowKey={({ id }) => id}
              columns={[
                {
                  key: 'accession',
                  title: t('column.accession'),
                  kind: 'id',
                  value: ({ id }) => id,
                  render: ({ id, population, country, latitude }) =>
                    // Those that no table of accessions describes have no page.
                    population === null && (country ?? null) === null && (latitude ?? null) === null ? (
                      id
                    ) : (
                      <Link to={accessionAddress(species, id)}>{id}</Link>
                    ),
                },
                {
                  key: 'name',
                  title: t('column.name'),
                  hidden: true,
                  value: ({ name: own }) => own,
                },
                { key: 'population', title: t('column.population'), value: ({ population }) => population },
                { key: 'country', title: t('column.country'), value: ({ country }) => country },
                {
                  key: 'haplotype',
                  title: t('column.haplotype'),
                  value: ({ haplotypes }) => haplotypes.map(rank).join(' / '),
                },
                { key: 'state', title: t('column.state'), value: ({ state }) => t(`state.${state}`) },
                {
                  key: 'value',
                  title: phenotype === null ? t('column.value') : format.text(phenotype.name),
                  ...(phenotype?.method === 'table' ? {} : { kind: 'number' as const, digits: 4 }),
                  hidden: phenotype === null,
                  value: ({ value, level }) => (phenotype?.method === 'table' ? level : value),
                },
              ]}
            />
          </Card>
          <Card
            title={t('haplotypes.frequencies')}
            actions={
              <Menu
                size="small"
                label={t('record.marker')}
                items={found.sites.slice(0, maxMarkers).map((site) => ({
                  key: site.key,
                  label: site.proteinChange ?? `${site.reference}>${site.alternates.join(',')}`.slice(0, maxChange),
                  hint: format.number(site.position),
                  run: () =>
                    void navigate(
                      variationAddress({
                        task: 'markers',
                        assembly: result.assembly,
                        set: result.set.id,
                        id: site.key,
                      }),
                    ),
                }))}
              />
            }
            flush
          >
            <ResultTable
              label={t('haplotypes.frequencies')}
              name={`${name}-haplotype-frequencies`}
              receipt={receipt}
              rows={found.haplotypes}
              rowKey={(row) => row.name}
              onRow={(row) => setSelected(found.haplotypes.indexOf(row))}
              marked={selected === null ? null : rank(selected)}
              columns={[
                { key: 'haplotype', title: t('column.haplotype'), value: (row) => row.name },
                { key: 'copies', title: t('column.copies'), kind: 'number', value: (row) => row.copies },
                ...found.populations.map(
                  (population, at): TableColumn<Row> => ({
                    key: `population-${at}`,
                    title: population.name,
                    kind: 'number',
                    value: (row) => row.byPopulation[at]!,
                  }),
                ),
                {
                  key: 'accessions',
                  title: t('column.accessions', { haploid }),
                  long: true,
                  value: (row) => row.accessions.join(', '),
                },
              ]}
            />
          </Card>
        </>
      )}
    </>
  )
}
