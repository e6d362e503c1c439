import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { normalQuantile } from '../../bio/statistics/distributions.ts'
import { quantile } from '../../bio/statistics/quantile.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { AccessionMap } from '../../kit/ui/figures/accession-map.tsx'
import { decimalsFor } from '../../kit/ui/figures/decimals.ts'
import { accessionAddress } from '../../kit/ui/gene/accession-address.ts'
import { useAccessionColumn } from '../../kit/ui/gene/biology-names.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { BoxFigure, type BoxRow } from './figures/box-figure.tsx'
import { DistributionFigure } from './figures/distribution-figure.tsx'
import { LevelFigure } from './figures/level-figure.tsx'
import { ScatterFigure } from './figures/scatter-figure.tsx'
import { GroupTests } from './group-tests.tsx'
import messages from './messages.ts'
import type { PhenotypeResult, TraitReport } from './tool.ts'
import tool from './tool.ts'
import { TraitFacts } from './trait-facts.tsx'
import { useTraitName } from './use-phenotypes.ts'

/** Tools that a trait goes on to, this one not among them. */
const useOnward = (species: string, dataset: string, trait: string): { key: string; label: string; to: string }[] => {
  const own = useAssemblies().filter((one) => one.species === species)
  // Where the genotypes are: a scan needs them.
  const assembly = own.find((one) => (one.dataTypes.variants ?? 0) > 0) ?? own.find((one) => one.reference) ?? own[0]
  return useOpenings('trait')
    .filter((opening) => opening.tool.id !== tool.id)
    .map(({ tool: other, label, address }) => ({
      key: other.id,
      label,
      to: address({ species, assembly: assembly?.id ?? '', dataset, trait, phenotype: `${dataset}|${trait}` }),
    }))
}

export const OnwardLinks = ({
  species,
  dataset,
  trait,
}: {
  species: string
  dataset: string
  trait: string
}): ReactNode =>
  useOnward(species, dataset, trait).map(({ key, label, to }) => (
    <ButtonLink key={key} size="small" to={to}>
      {label}
    </ButtonLink>
  ))

const NormalFigure = ({
  report,
  receipt,
  name,
}: {
  report: TraitReport
  receipt: Receipt
  name: string
}): ReactNode => {
  const t = useText(messages)
  const traitName = useTraitName()
  const { points, line } = useMemo(() => {
    const rows = report.rows.flatMap(({ accession, value, group }) =>
      value === null ? [] : [{ accession, value, group }],
    )
    rows.sort((a, b) => a.value - b.value)
    const values = rows.map(({ value }) => value)
    const [lower, upper] = [quantile(values, 0.25), quantile(values, 0.75)]
    const slope = (upper - lower) / (normalQuantile(0.75) - normalQuantile(0.25))
    return {
      points: rows.map(({ accession, value, group }, at) => ({
        accession,
        group,
        x: normalQuantile((at + 0.5) / rows.length),
        y: value,
      })),
      line: { slope, intercept: lower - slope * normalQuantile(0.25) },
    }
  }, [report.rows])
  return (
    <ScatterFigure
      title={t('figure.normal')}
      points={points}
      xName={t('figure.expected')}
      yName={traitName(report.trait)}
      line={line}
      method={t('figure.normalMethod')}
      receipt={receipt}
      name={`${name}-normal`}
    />
  )
}

export const TraitView = ({
  result,
  report,
  receipt,
}: {
  result: PhenotypeResult
  report: TraitReport
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const columnName = useAccessionColumn()
  const format = useFormat()
  const traitName = useTraitName()
  const { species, dataset } = result
  const { trait, rows, groups, grouping } = report
  const name = `${dataset.id}-${trait.id}`.replace(/[^\w.-]+/g, '_')
  const spread = trait.figures === null ? 0 : trait.figures.max - trait.figures.min
  const digits = decimalsFor(spread)
  const placed = useMemo(
    () =>
      rows.flatMap(({ latitude, longitude, ...row }) =>
        latitude === null || longitude === null ? [] : [{ ...row, latitude, longitude }],
      ),
    [rows],
  )
  const boxes: BoxRow[] = useMemo(
    () =>
      trait.levels !== null
        ? []
        : groups.flatMap((group) =>
            group.mean === null
              ? []
              : [
                  {
                    name: group.name,
                    count: group.count,
                    mean: group.mean,
                    deviation: group.deviation,
                    lowerWhisker: group.lowerWhisker!,
                    lowerQuartile: group.lowerQuartile!,
                    median: group.median!,
                    upperQuartile: group.upperQuartile!,
                    upperWhisker: group.upperWhisker!,
                    values: rows
                      .filter((row) => row.group === group.name && row.value !== null)
                      .map((row) => ({
                        key: row.accession,
                        value: row.value!,
                        outlier: row.value! < group.lowerWhisker! || row.value! > group.upperWhisker!,
                      })),
                  },
                ],
          ),
    [groups, rows, trait.levels],
  )
  const groupName = grouping === null ? '' : columnName(grouping)
  return (
    <>
      <Card
        title={t('card.trait')}
        aside={<SimulatedTag simulated={dataset.simulated} />}
        actions={<OnwardLinks species={species} dataset={dataset.id} trait={trait.id} />}
      >
        <TraitFacts trait={trait} dataset={dataset} report={report} />
      </Card>
      <div className="phe-pair">
        <DistributionFigure report={report} receipt={receipt} name={name} />
        {grouping === null || groups.length === 0 ? null : trait.levels === null ? (
          <BoxFigure
            title={t('figure.groups', { group: groupName })}
            rows={boxes}
            axis={traitName(trait)}
            method={t('figure.groupsMethod')}
            receipt={receipt}
            name={`${name}-groups`}
            reference={groupName}
          />
        ) : (
          <LevelFigure report={report} title={t('figure.groups', { group: groupName })} receipt={receipt} name={name} />
        )}
      </div>
      {grouping === null ? null : <GroupTests report={report} groupName={groupName} receipt={receipt} name={name} />}
      {placed.length === 0 ? null : (
        <AccessionMap
          points={placed}
          total={report.total}
          species={species}
          simulated={dataset.simulated}
          groups={groups.map((group) => group.name)}
          levels={trait.levels}
          unit={traitName(trait)}
          receipt={receipt}
          name={name}
        />
      )}
      <div className="phe-pair">
        {trait.type === 'quantitative' && rows.length > 2 ? (
          <NormalFigure report={report} receipt={receipt} name={name} />
        ) : null}
        {report.environments.length < 2 ? null : (
          <BoxFigure
            title={t('figure.environments')}
            rows={report.environments.map((one) => ({ ...one, values: [] }))}
            axis={traitName(trait)}
            method={t('figure.environmentsMethod')}
            receipt={receipt}
            name={`${name}-environments`}
            reference={t('column.environment')}
          />
        )}
      </div>
      <Card title={t('values.title')} flush>
        {report.total > rows.length ? (
          <p className="nv-warn">{t('values.cut', { shown: rows.length, total: report.total })}</p>
        ) : null}
        <ResultTable
          label={t('values.title')}
          name={name}
          rows={rows}
          rowKey={(row) => row.accession}
          receipt={receipt}
          columns={[
            {
              key: 'accession',
              title: t('column.accession'),
              kind: 'id',
              value: (row) => row.accession,
              render: (row) => <Link to={accessionAddress(species, row.accession)}>{row.accession}</Link>,
            },
            {
              key: 'name',
              title: t('column.name'),
              hidden: rows.every((row) => row.name === null),
              value: (row) => row.name,
            },
            ...(trait.levels === null
              ? [
                  {
                    key: 'value',
                    title: traitName(trait),
                    kind: 'number' as const,
                    digits: digits + 1,
                    value: (row: (typeof rows)[number]) => row.value,
                  },
                  {
                    key: 'error',
                    title: t('column.error'),
                    kind: 'number' as const,
                    digits: digits + 1,
                    hidden: trait.method !== 'blue',
                    value: (row: (typeof rows)[number]) => row.error,
                  },
                ]
              : [{ key: 'level', title: traitName(trait), value: (row: (typeof rows)[number]) => row.level }]),
            {
              key: 'percentile',
              title: t('column.percentile'),
              kind: 'number',
              digits: 1,
              hidden: trait.type === 'categorical' || trait.type === 'binary',
              value: (row) => row.percentile,
            },
            {
              key: 'count',
              title: t('column.observations'),
              kind: 'number',
              hidden: trait.method === 'single',
              value: (row) => row.count,
            },
            {
              key: 'group',
              title: grouping === null ? t('column.group') : groupName,
              hidden: grouping === null,
              value: (row) => row.group,
            },
            {
              key: 'country',
              title: t('column.country'),
              hidden: rows.every((row) => row.country === null) || grouping === 'country',
              value: (row) => row.country,
            },
            {
              key: 'outlier',
              title: t('column.outlier'),
              hidden: trait.type !== 'quantitative',
              value: (row) => (row.outlier === 'none' ? null : t(`outlier.${row.outlier}`)),
            },
            {
              key: 'latitude',
              title: t('column.latitude'),
              kind: 'number',
              digits: 4,
              hidden: true,
              value: (row) => row.latitude,
            },
            {
              key: 'longitude',
              title: t('column.longitude'),
              kind: 'number',
              digits: 4,
              hidden: true,
              value: (row) => row.longitude,
            },
          ]}
        />
      </Card>
      {dataset.description === null ? null : <p className="nv-quiet">{format.text(dataset.description)}</p>}
    </>
  )
}
