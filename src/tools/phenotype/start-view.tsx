import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { PhenotypeSet, Trait } from '../../contracts/phenotypes.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { NoDataState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { AccessionMap } from '../../kit/ui/figures/accession-map.tsx'
import { decimalsFor } from '../../kit/ui/figures/decimals.ts'
import { accessionAddress } from '../../kit/ui/gene/accession-address.ts'
import { useAccessionColumn } from '../../kit/ui/gene/biology-names.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { downloadToolRoute } from '../../kit/ui/tool/tool-route.ts'
import { correlationAddress, traitAddress } from './addresses.ts'
import type { Accessions } from './endpoints.ts'
import messages from './messages.ts'
import tool from './tool.ts'
import { useAccessions, usePhenotypes } from './use-phenotypes.ts'

const SetCard = ({ species, set }: { species: string; set: PhenotypeSet }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const repeated = set.traits.some(({ method }) => method !== 'single')
  const figure = (key: 'mean' | 'deviation' | 'min' | 'median' | 'max', hidden = false): TableColumn<Trait> => ({
    key,
    title: t(`column.${key}`),
    kind: 'number',
    hidden,
    value: (trait) => trait.figures?.[key],
    render: ({ figures }) => {
      const value = figures?.[key]
      return value === null || value === undefined || figures === null ? (
        <span className="nv-none">–</span>
      ) : (
        format.number(value, decimalsFor(figures.max - figures.min))
      )
    },
  })
  return (
    <Card
      title={format.text(set.name)}
      aside={
        <>
          {t('start.about', { accessions: set.accessionCount, traits: set.traits.length })}{' '}
          <SimulatedTag simulated={set.simulated} />
        </>
      }
      actions={
        <>
          {set.traits.filter(({ type }) => type !== 'categorical').length < 2 ? null : (
            <ButtonLink size="small" to={correlationAddress(species, set.id)}>
              {t('start.correlate')}
            </ButtonLink>
          )}
          <Button
            size="small"
            onClick={() => void downloadToolRoute(tool.id, 'file', { species, dataset: set.id }, `${set.id}.tsv`)}
          >
            {t('start.download')}
          </Button>
        </>
      }
      flush
    >
      <div className="phe-about">
        {set.description === null ? null : <p>{format.text(set.description)}</p>}
        {set.source === null && set.licence === null ? null : (
          <p className="nv-quiet">
            {[format.text(set.source), set.licence === null ? '' : t('start.licence', { licence: set.licence })]
              .filter((part) => part !== '')
              .join(' · ')}
          </p>
        )}
        {set.undescribed === 0 || set.undescribed === set.accessionCount ? null : (
          <p className="nv-quiet">{t('start.undescribed', { count: set.undescribed })}</p>
        )}
      </div>
      <ResultTable
        label={format.text(set.name)}
        name={`${set.id}-traits`}
        rows={set.traits}
        rowKey={(trait) => trait.id}
        columns={[
          {
            key: 'name',
            title: t('column.trait'),
            value: (trait) => format.text(trait.name),
            render: (trait) => <Link to={traitAddress(species, set.id, trait.id)}>{format.text(trait.name)}</Link>,
          },
          { key: 'unit', title: t('column.unit'), value: (trait) => trait.unit },
          { key: 'type', title: t('column.type'), value: (trait) => t(`type.${trait.type}`) },
          { key: 'n', title: t('column.n'), kind: 'number', value: (trait) => trait.accessions },
          { key: 'missing', title: t('column.missing'), kind: 'number', value: (trait) => trait.missing },
          figure('mean'),
          figure('deviation'),
          figure('min'),
          figure('median', true),
          figure('max'),
          {
            key: 'heritability',
            title: t('column.heritability'),
            help: t('help.heritability'),
            kind: 'number',
            digits: 3,
            hidden: !repeated,
            value: (trait) => trait.heritability?.value,
          },
          {
            key: 'method',
            title: t('column.valueOf'),
            hidden: !repeated,
            value: (trait) => t(`method.${trait.method}`),
          },
          {
            key: 'observations',
            title: t('column.observations'),
            kind: 'number',
            hidden: !repeated,
            value: (trait) => trait.observations,
          },
          {
            key: 'environments',
            title: t('column.environments'),
            kind: 'number',
            hidden: true,
            value: (trait) => trait.environments.length,
          },
          {
            key: 'levels',
            title: t('column.levels'),
            hidden: true,
            long: true,
            value: (trait) => trait.levels?.map((level, at) => `${level}: ${trait.levelCounts?.[at] ?? 0}`).join('; '),
          },
          {
            key: 'description',
            title: t('column.description'),
            long: true,
            hidden: set.traits.every((trait) => trait.description === null),
            value: (trait) => format.text(trait.description),
          },
          { key: 'id', title: 'id', kind: 'id', hidden: true, value: (trait) => trait.id },
        ]}
      />
    </Card>
  )
}

const AccessionCard = ({ species, table }: { species: string; table: Accessions }): ReactNode => {
  const t = useText(messages)
  const columnName = useAccessionColumn()
  const format = useFormat()
  const { accessions, groupings, simulated } = table
  const [grouping] = groupings
  const groupOf = (one: (typeof accessions)[number]): string | null =>
    grouping === undefined
      ? null
      : grouping === 'population'
        ? one.population
        : grouping === 'country'
          ? one.country
          : one.attributes[grouping] === undefined
            ? null
            : String(one.attributes[grouping])
  const sizes = new Map<string, number>()
  for (const one of accessions) {
    const group = groupOf(one)
    if (group !== null) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  }
  const groups = [...sizes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name)
  const names = [...new Set(accessions.flatMap(({ attributes }) => Object.keys(attributes)))]
  const has = (key: 'name' | 'population' | 'country' | 'latitude'): boolean =>
    accessions.some((one) => one[key] !== null)
  const placed = accessions.flatMap(({ id, name, latitude, longitude, ...rest }) =>
    latitude === null || longitude === null
      ? []
      : [
          {
            accession: id,
            name,
            latitude,
            longitude,
            value: null,
            level: null,
            group: groupOf({ id, name, latitude, longitude, ...rest }),
          },
        ],
  )
  return (
    <>
      {placed.length === 0 ? null : (
        <AccessionMap
          points={placed}
          total={accessions.length}
          species={species}
          simulated={simulated}
          groups={groups}
          name={`${species}-accessions`}
        />
      )}
      <Card
        title={t('start.accessions')}
        aside={
          <>
            {format.number(accessions.length)} <SimulatedTag simulated={simulated} />
          </>
        }
        flush
      >
        <ResultTable
          label={t('start.accessions')}
          name={`${species}-accessions`}
          rows={accessions}
          rowKey={(one) => one.id}
          columns={[
            {
              key: 'id',
              title: t('column.accession'),
              kind: 'id',
              value: (one) => one.id,
              render: (one) => <Link to={accessionAddress(species, one.id)}>{one.id}</Link>,
            },
            { key: 'name', title: t('column.name'), hidden: !has('name'), value: (one) => one.name },
            {
              key: 'population',
              title: t('column.population'),
              hidden: !has('population'),
              value: (one) => one.population,
            },
            { key: 'country', title: t('column.country'), hidden: !has('country'), value: (one) => one.country },
            {
              key: 'latitude',
              title: t('column.latitude'),
              kind: 'number',
              digits: 3,
              hidden: !has('latitude'),
              value: (one) => one.latitude,
            },
            {
              key: 'longitude',
              title: t('column.longitude'),
              kind: 'number',
              digits: 3,
              hidden: !has('latitude'),
              value: (one) => one.longitude,
            },
            ...names.map((column, at) => ({
              key: `attribute-${column}`,
              title: columnName(column),
              hidden: at >= 6,
              value: (one: (typeof accessions)[number]) => one.attributes[column] ?? null,
              // A year is no number to be grouped.
              render: (one: (typeof accessions)[number]) => {
                const value = one.attributes[column]
                return value === undefined ? <span className="nv-none">–</span> : String(value)
              },
            })),
          ]}
        />
      </Card>
    </>
  )
}

/** What is loaded: sets of traits with the figures of each, and the accessions on a map and as a table. */
export const StartView = (): ReactNode => {
  const t = useText(messages)
  const [query] = useAddressValues()
  const phenotypesAnswer = usePhenotypes(query.get('species') ?? undefined)
  const known = phenotypesAnswer.data
  const accessionsAnswer = useAccessions(known?.species)
  const table = accessionsAnswer.data
  if (phenotypesAnswer.isError) return <Unanswered of={phenotypesAnswer} />
  if (known === undefined) return <Waiting />
  if (known.species === null) return <NoDataState title={t('start.none')} how={t('start.noneWhy')} />
  const { species, datasets, accessionCount } = known
  return (
    <>
      {datasets.map((set) => (
        <SetCard key={set.id} species={species} set={set} />
      ))}
      {accessionsAnswer.isError ? <Unanswered of={accessionsAnswer} /> : null}
      {accessionCount === 0 ? <p className="nv-quiet">{t('start.noAccessions')}</p> : null}
      {table === undefined || accessionCount === 0 ? null : <AccessionCard species={species} table={table} />}
    </>
  )
}
