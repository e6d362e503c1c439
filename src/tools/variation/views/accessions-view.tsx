import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { useAddressValues, viewPrefix } from '../../../kit/ui/address-values.ts'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { CopyButton } from '../../../kit/ui/controls/copy-button.tsx'
import { EmptyState } from '../../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../../kit/ui/controls/expression-fields.tsx'
import { Segmented, Select } from '../../../kit/ui/controls/field.tsx'
import { AccessionMap } from '../../../kit/ui/figures/accession-map.tsx'
import { accessionAddress } from '../../../kit/ui/gene/accession-address.ts'
import { useAccessionColumn } from '../../../kit/ui/gene/biology-names.ts'
import { EffectTag, useConsequenceName } from '../../../kit/ui/gene/consequence-mark.tsx'
import { GeneLink } from '../../../kit/ui/gene/gene-link.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { useAssemblies } from '../../../kit/ui/portal-data.ts'
import { ResultTable, type TableColumn } from '../../../kit/ui/table/result-table.tsx'
import { alleleText, changesOf, variantLabel, variationAddress } from '../effect-parts.tsx'
import messages from '../messages.ts'
import type { AccessionsResult, VariationResult } from '../tool.ts'
import { traitLabel } from '../trait-label.ts'
import { Share } from './share.tsx'
import { TraitChoice } from './trait-choice.tsx'

type Variant = AccessionsResult['variants'][number]
type Accession = AccessionsResult['accessions'][number]
type Grouping = AccessionsResult['groupings'][number]

/** Genotypes that a phone begins with where not all are carried. */
const phoneGenotypes = 2
/** Columns by which accessions can be counted that stand side by side; of more one is chosen from a list. */
const maxSegments = 4

const carriersOf = ({ carriages }: Variant): number => carriages.every + carriages.some

const VariantsCard = ({
  result,
  found,
  receipt,
  name,
}: {
  result: VariationResult
  found: AccessionsResult
  receipt: Receipt
  name: string
}): ReactNode => {
  const t = useText(messages)
  const nameOf = useConsequenceName()
  const { assembly, set } = result
  const haploid = set.ploidy === 1
  const called = (one: Variant): number => carriersOf(one) + one.carriages.none
  const shareOf = (one: Variant): number | null => (called(one) === 0 ? null : carriersOf(one) / called(one))
  const columns: TableColumn<Variant>[] = [
    {
      key: 'variant',
      title: t('column.variant'),
      kind: 'id',
      value: variantLabel,
      render: (one) => (
        <>
          {one.sites.map(({ key }, at) => (
            <span key={key}>
              {at === 0 ? null : ', '}
              <Link to={variationAddress({ assembly, set: set.id, id: key })}>
                {one.sites.length === 1 ? variantLabel(one) : key}
              </Link>
            </span>
          ))}
        </>
      ),
    },
    {
      key: 'position',
      title: t('column.position'),
      kind: 'id',
      value: ({ sites }) => [...new Set(sites.map(({ sequence, position }) => `${sequence}:${position}`))].join(', '),
      on: ({ sites }) => (sites[0] === undefined ? null : { assembly, sequence: sites[0].sequence }),
    },
    { key: 'alleles', title: t('column.alleles'), kind: 'id', value: ({ sites }) => sites.map(alleleText).join('; ') },
    {
      key: 'effect',
      title: t('column.effect'),
      value: ({ sites }) => sites.map(({ consequence }) => nameOf(consequence)).join(', '),
      render: ({ sites }) =>
        set.consequences === null ? (
          <span className="nv-none">–</span>
        ) : (
          <span className="variation-genes">
            {[...new Set(sites.map(({ consequence }) => consequence))].map((one) => (
              <EffectTag key={one} name={one} />
            ))}
          </span>
        ),
    },
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: ({ sites }) => [...new Set(sites.flatMap(({ gene }) => gene ?? []))].join(', '),
      render: ({ sites }) => {
        const genes = new Map(sites.flatMap(({ gene, symbol }) => (gene == null ? [] : [[gene, symbol] as const])))
        return genes.size === 0 ? (
          <span className="nv-none">–</span>
        ) : (
          <span className="variation-genes">
            {[...genes].map(([id, symbol]) => (
              <GeneLink key={id} id={id} assembly={assembly} symbol={symbol} />
            ))}
          </span>
        )
      },
    },
    { key: 'change', title: t('column.change'), kind: 'id', hidden: true, value: ({ sites }) => changesOf(sites) },
    { key: 'carriers', title: t('column.carriers'), kind: 'number', main: true, value: carriersOf },
    ...(haploid
      ? []
      : ([
          {
            key: 'homozygous',
            title: t('column.homozygous'),
            kind: 'number',
            value: ({ carriages }) => carriages.every,
          },
          {
            key: 'heterozygous',
            title: t('column.heterozygous'),
            kind: 'number',
            value: ({ carriages }) => carriages.some,
          },
        ] satisfies TableColumn<Variant>[])),
    { key: 'missing', title: t('column.notCalled'), kind: 'number', value: ({ carriages }) => carriages.missing },
    {
      key: 'share',
      title: t('column.share'),
      kind: 'number',
      main: true,
      digits: 3,
      help: t('accessions.share'),
      value: shareOf,
      render: (one) => <Share value={shareOf(one)} />,
    },
  ]
  return (
    <Card title={t('accessions.variants')} flush>
      <ResultTable
        plain
        label={t('accessions.variants')}
        name={`${name}-carriers-by-variant`}
        receipt={receipt}
        rows={found.variants}
        rowKey={({ asked }) => asked}
        columns={columns}
      />
    </Card>
  )
}

/** The column by which carriers are counted, kept in the address, and its choice. */
const useGrouping = (
  found: AccessionsResult,
): { grouping: Grouping | undefined; nameOf: (one: Grouping) => string; choice: ReactNode } => {
  const t = useText(messages)
  const format = useFormat()
  const columnName = useAccessionColumn()
  const [address, change] = useAddressValues()
  const { groupings, phenotype } = found
  const keyOf = ({ column }: Grouping): string => column ?? 'trait.'
  const nameOf = ({ column }: Grouping): string =>
    column === null ? format.text(phenotype?.name ?? null) : columnName(column)
  const by = `${viewPrefix}by`
  const grouping = groupings.find((one) => keyOf(one) === address.get(by)) ?? groupings[0]
  const shared = {
    value: grouping === undefined ? '' : keyOf(grouping),
    options: groupings.map((one) => ({ value: keyOf(one), label: nameOf(one) })),
    onChoose: (value: string) => change({ [by]: value }, true),
  }
  const choice =
    groupings.length < 2 ? null : groupings.length <= maxSegments ? (
      <Segmented label={t('accessions.groupBy')} {...shared} />
    ) : (
      <Select aria-label={t('accessions.groupBy')} {...shared} />
    )
  return { grouping, nameOf, choice }
}

const GroupsCard = ({
  grouping,
  title,
  column,
  choice,
  simulated,
  receipt,
  name,
  match,
}: {
  match: AccessionsResult['match']
  grouping: Grouping
  title: string
  column: string
  choice: ReactNode
  simulated: boolean
  receipt: Receipt
  name: string
}): ReactNode => {
  const t = useText(messages)
  type Row = Grouping['groups'][number]
  const shareOf = ({ carriers, undetermined, accessions }: Row): number | null =>
    accessions === undetermined ? null : carriers / (accessions - undetermined)
  return (
    <Card title={title} aside={<SimulatedTag simulated={simulated} />} actions={choice} flush>
      <ResultTable
        key={grouping.column ?? ''}
        plain
        label={title}
        name={`${name}-carriers-by-${grouping.column ?? 'phenotype'}`}
        receipt={receipt}
        rows={grouping.groups}
        rowKey={({ value }) => value ?? ''}
        initialSort={{ key: 'carriers', descending: true }}
        columns={[
          { key: 'group', title: column, value: ({ value }) => value },
          {
            key: 'carriers',
            title: t(match === 'none' ? 'column.nonCarriers' : 'column.carriers'),
            kind: 'number',
            main: true,
            value: ({ carriers }) => carriers,
          },
          {
            key: 'accessions',
            title: t('column.allAccessions'),
            kind: 'number',
            main: true,
            value: ({ accessions }) => accessions,
          },
          {
            key: 'share',
            title: t('column.share'),
            kind: 'number',
            digits: 3,
            main: true,
            help: t('accessions.share'),
            value: shareOf,
            render: (row) => <Share value={shareOf(row)} />,
          },
          ...(grouping.groups.every(({ undetermined }) => undetermined === 0)
            ? []
            : [
                {
                  key: 'undetermined',
                  title: t('column.undetermined'),
                  kind: 'number' as const,
                  value: ({ undetermined }: Row) => undetermined,
                },
              ]),
        ]}
      />
    </Card>
  )
}

/** The accessions that carry variants of a list: how many of each group, where they come from, and each with its genotypes. */
export const AccessionsView = ({ result, receipt }: { result: VariationResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const columnName = useAccessionColumn()
  const { assembly, set } = result
  const species = useAssemblies().find(({ id }) => id === assembly)?.species ?? ''
  const found = result.accessions!
  const { match, variants, counts, accessions, phenotype } = found
  const { grouping, nameOf, choice } = useGrouping(found)
  const name = `${assembly}-${set.id}`
  const groupValue = ({ population, country, attributes, level }: Accession): string | null => {
    if (grouping === undefined) return null
    if (grouping.column === null) return level
    if (grouping.column === 'population') return population
    if (grouping.column === 'country') return country
    const value = attributes[grouping.column]
    return value === undefined ? null : String(value)
  }
  const points = accessions.flatMap((one) => {
    const { id, latitude, longitude } = one
    return latitude === null || longitude === null
      ? []
      : [{ accession: id, name: one.name, latitude, longitude, group: groupValue(one), value: null, level: null }]
  })
  const isDescribed = ({ population, country, latitude, attributes }: Accession): boolean =>
    population !== null || country !== null || latitude !== null || Object.keys(attributes).length > 0
  const isNumeric = (column: string): boolean =>
    found.groupings.every((one) => one.column !== column) &&
    accessions.every(({ attributes }) => typeof (attributes[column] ?? 0) === 'number')
  const columns: TableColumn<Accession>[] = [
    {
      key: 'accession',
      title: t('column.accession'),
      kind: 'id',
      value: ({ id }) => id,
      // Those that no table of accessions describes have no page.
      render: (one) => (isDescribed(one) ? <Link to={accessionAddress(species, one.id)}>{one.id}</Link> : one.id),
    },
    { key: 'name', title: t('column.name'), hidden: true, value: ({ name: own }) => own },
    ...variants.map(
      (variant, at): TableColumn<Accession> => ({
        key: `variant-${at}`,
        title: variantLabel(variant),
        kind: 'id',
        main: match === 'any' && at < phoneGenotypes,
        help: variant.sites.map(({ key }) => key).join(', '),
        value: ({ genotypes }) => genotypes[at]!.text,
        render: ({ genotypes }) => {
          const { text, carriage } = genotypes[at]!
          return carriage === 'every' || carriage === 'some' ? (
            <strong>{text}</strong>
          ) : (
            <span className="nv-quiet">{text}</span>
          )
        },
      }),
    ),
    {
      key: 'population',
      title: columnName('population'),
      main: true,
      value: ({ population }) => population,
    },
    { key: 'country', title: columnName('country'), main: true, value: ({ country }) => country },
    ...(phenotype === null
      ? []
      : [
          {
            key: 'value',
            title: traitLabel(format, phenotype),
            ...(phenotype.levels === null ? { kind: 'number' as const, digits: 4 } : {}),
            main: true,
            value: ({ value, level }: Accession) => (phenotype.levels === null ? value : level),
          },
        ]),
    ...found.attributes.map(
      (column): TableColumn<Accession> => ({
        key: `of-${column}`,
        title: columnName(column),
        // What accessions are grouped by is a name, also where it is a year.
        ...(isNumeric(column) ? { kind: 'number' as const, digits: 4 } : {}),
        value: ({ attributes }) => {
          const value = attributes[column]
          return typeof value === 'number' && !isNumeric(column) ? String(value) : value
        },
      }),
    ),
    {
      key: 'latitude',
      title: t('column.latitude'),
      kind: 'number',
      digits: 4,
      hidden: true,
      value: ({ latitude }) => latitude,
    },
    {
      key: 'longitude',
      title: t('column.longitude'),
      kind: 'number',
      digits: 4,
      hidden: true,
      value: ({ longitude }) => longitude,
    },
  ]
  const title = t('accessions.title', { match })
  return (
    <>
      {phenotype === null ? <TraitChoice assembly={assembly} /> : null}
      <p className="nv-quiet">
        {t('accessions.counted', { haploid: set.ploidy === 1 ? 'yes' : 'no', undetermined: counts.undetermined })}
      </p>
      <VariantsCard result={result} found={found} receipt={receipt} name={name} />
      {accessions.length === 0 ? (
        <EmptyState title={t('accessions.none', { match })} why={t('accessions.noneWhy')} />
      ) : (
        <>
          {grouping === undefined ? null : (
            <GroupsCard
              grouping={grouping}
              title={t('accessions.groups', { match })}
              match={match}
              column={nameOf(grouping)}
              choice={choice}
              simulated={grouping.column === null ? (phenotype?.simulated ?? false) : found.simulatedAccessions}
              receipt={receipt}
              name={name}
            />
          )}
          <Card
            title={title}
            aside={
              <>
                {format.number(accessions.length)} <SimulatedTag simulated={set.simulated} />
              </>
            }
            actions={
              <CopyButton
                textOf={() => accessions.map(({ id }) => id).join('\n')}
                reported={t('carriers.copied', { count: accessions.length })}
              >
                {t('carriers.copy')}
              </CopyButton>
            }
            flush
          >
            <ResultTable
              label={title}
              name={`${name}-carriers`}
              receipt={receipt}
              rows={accessions}
              rowKey={({ id }) => id}
              columns={columns}
            />
          </Card>
          {points.length === 0 ? null : (
            <AccessionMap
              title={t('accessions.map')}
              points={points}
              total={accessions.length}
              species={species}
              simulated={found.simulatedAccessions}
              groups={
                grouping?.groups.flatMap(({ value, carriers }) => (value === null || carriers === 0 ? [] : [value])) ??
                []
              }
              receipt={receipt}
              name={`${name}-carriers`}
            />
          )}
        </>
      )}
    </>
  )
}
