import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts, Tag } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { AccessionMap } from '../../kit/ui/figures/accession-map.tsx'
import { decimalsFor } from '../../kit/ui/figures/decimals.ts'
import { SpeciesName } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call, RequestError } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { defineRecords, type RecordOf } from '../../kit/ui/tool/define-records.ts'
import { traitAddress } from './addresses.ts'
import { getAccession } from './endpoints.ts'
import messages from './messages.ts'
import tool from './tool.ts'
import { TraitFacts } from './trait-facts.tsx'
import { OnwardLinks } from './trait-view.tsx'
import { usePhenotypes, useTraitName } from './use-phenotypes.ts'
import './screen.css'

const Head = ({
  title,
  kind,
  species,
  simulated,
  actions,
}: {
  title: string
  kind: string
  species: string
  simulated: boolean
  actions?: ReactNode
}): ReactNode => (
  <header className="nv-page-head">
    <div>
      <h1>{title}</h1>
      <p className="nv-lead">
        <Tag tone="grey">{kind}</Tag> <SpeciesName id={species} /> <SimulatedTag simulated={simulated} />
      </p>
    </div>
    {actions === undefined ? null : <div className="nv-page-actions">{actions}</div>}
  </header>
)

const Missing = ({ id }: { id: string }): ReactNode => {
  const t = useText(messages)
  return <EmptyState title={`${t('detail.notFound')}: ${id}`} why={t('detail.notFoundWhy')} />
}

const AccessionRecord = ({ species, id }: RecordOf): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const traitName = useTraitName()
  const answer = useQuery({
    queryKey: ['accession', species, id],
    queryFn: (context) => call(getAccession, { species, id }, context),
    retry: false,
  })
  const assembly = useAssemblies().find((one) => one.species === species)?.id
  const receipt = useCatalogueReceipt(
    `${tool.id}/accession`,
    'percentile: share of the accessions below, half of those equal counted',
    { species, id },
    assembly === undefined ? [] : [assembly],
  )
  if (answer.error instanceof RequestError && answer.error.status === 404) return <Missing id={id} />
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  const { accession, traits, simulated } = answer.data
  return (
    <>
      <Head title={id} kind={t('detail.accession')} species={species} simulated={simulated} />
      <div className="account-stack">
        <Card title={t('detail.about')}>
          {accession === null ? (
            <p className="nv-quiet">{t('detail.notDescribed')}</p>
          ) : (
            <Facts
              facts={[
                ...(['name', 'population', 'country'] as const).flatMap((key) =>
                  accession[key] === null ? [] : [{ name: t(`column.${key}`), value: accession[key] }],
                ),
                ...(accession.latitude === null || accession.longitude === null
                  ? []
                  : [
                      { name: t('column.latitude'), value: `${format.number(accession.latitude, 4)}°` },
                      { name: t('column.longitude'), value: `${format.number(accession.longitude, 4)}°` },
                    ]),
                ...Object.entries(accession.attributes).map(([name, value]) => ({ name, value: String(value) })),
              ]}
            />
          )}
        </Card>
        {traits.length === 0 ? (
          <EmptyState title={t('detail.noTraits')} />
        ) : (
          <Card title={t('detail.traits')} flush>
            <ResultTable
              label={t('detail.traits')}
              name={`${id}-traits`}
              rows={traits}
              rowKey={(one) => `${one.dataset}/${one.trait.id}`}
              {...(receipt === undefined ? {} : { receipt })}
              columns={[
                {
                  key: 'trait',
                  title: t('column.trait'),
                  value: (one) => format.text(one.trait.name),
                  render: (one) => (
                    <Link to={traitAddress(species, one.dataset, one.trait.id)}>{traitName(one.trait)}</Link>
                  ),
                },
                {
                  key: 'value',
                  title: t('column.value'),
                  value: (one) => one.level ?? one.value,
                  render: (one) => one.level ?? (one.value === null ? '–' : format.number(one.value, 4)),
                },
                {
                  key: 'error',
                  title: t('column.error'),
                  kind: 'number',
                  digits: 4,
                  hidden: traits.every((one) => one.error === null),
                  value: (one) => one.error,
                },
                {
                  key: 'percentile',
                  title: t('column.percentile'),
                  kind: 'number',
                  digits: 1,
                  value: (one) => one.percentile,
                },
                { key: 'n', title: t('column.n'), kind: 'number', value: (one) => one.trait.accessions },
                { key: 'method', title: t('column.valueOf'), value: (one) => t(`method.${one.trait.method}`) },
                {
                  key: 'dataset',
                  title: t('column.dataset'),
                  value: (one) => format.text(one.datasetName),
                  render: (one) => (
                    <>
                      {format.text(one.datasetName)} <SimulatedTag simulated={one.simulated} />
                    </>
                  ),
                },
              ]}
            />
          </Card>
        )}
        {accession === null || accession.latitude === null || accession.longitude === null ? null : (
          <AccessionMap
            points={[
              {
                accession: id,
                name: accession.name,
                value: null,
                level: null,
                group: accession.population,
                latitude: accession.latitude,
                longitude: accession.longitude,
              },
            ]}
            total={1}
            species={species}
            simulated={simulated}
            groups={accession.population === null ? [] : [accession.population]}
            name={id}
            title={t('detail.origin')}
          />
        )}
      </div>
    </>
  )
}

const TraitRecord = ({ species, id }: RecordOf): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const phenotypesAnswer = usePhenotypes(species)
  const known = phenotypesAnswer.data
  if (phenotypesAnswer.isError) return <Unanswered of={phenotypesAnswer} />
  if (known === undefined) return <Waiting />
  const [dataset, trait = ''] = id.split(/\|(.*)/s)
  const set = known.datasets.find((one) => one.id === dataset)
  const found = set?.traits.find((one) => one.id === trait)
  if (set === undefined || found === undefined) return <Missing id={id} />
  const digits = found.figures === null ? 0 : decimalsFor(found.figures.max - found.figures.min)
  return (
    <>
      <Head
        title={format.text(found.name)}
        kind={t('detail.trait')}
        species={species}
        simulated={set.simulated}
        actions={
          <>
            <ButtonLink look="primary" to={traitAddress(species, set.id, found.id)}>
              {t('detail.open')}
            </ButtonLink>
            <OnwardLinks species={species} dataset={set.id} trait={found.id} />
          </>
        }
      />
      <div className="account-stack">
        <Card title={format.text(set.name)}>
          <TraitFacts trait={found} dataset={set} />
        </Card>
        <Card title={t('detail.values')}>
          <Facts
            facts={
              found.figures === null
                ? (found.levels ?? []).map((level, at) => ({
                    name: level,
                    value: format.number(found.levelCounts?.[at] ?? 0),
                  }))
                : (['mean', 'deviation', 'min', 'median', 'max'] as const).map((key) => ({
                    name: t(`column.${key}`),
                    value:
                      found.figures![key] === null
                        ? '–'
                        : `${format.number(found.figures![key]!, digits)}${found.unit === null ? '' : ` ${found.unit}`}`,
                  }))
            }
          />
        </Card>
      </div>
    </>
  )
}

export default defineRecords({ accession: AccessionRecord, trait: TraitRecord })
