import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { NoDataState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { addressWith, scanAddress } from './addresses.ts'
import type { ScanList } from './endpoints.ts'
import { pColumn, useScans, useTraitName } from './figures/parts.tsx'
import messages from './messages.ts'
import tool from './tool.ts'

const Traits = ({ list }: { list: ScanList }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const assemblyName = useAssemblyNames()
  const { assembly, sets } = list
  const nameOf = useTraitName(assembly)
  const receipt = useCatalogueReceipt(
    tool.id,
    'traits of loaded tables; lambda = median chi-square / 0.4549',
    { assembly },
    [assembly],
  )
  const rows = sets.flatMap((set) => set.traits.map((trait) => ({ set, trait })))
  return (
    <Card
      title={t('traits.title')}
      aside={`${assemblyName(assembly)} · ${t('traits.count', { count: rows.length })}`}
      flush
    >
      <ResultTable
        label={t('traits.title')}
        name={`${assembly}-gwas-traits`}
        {...(receipt === undefined ? {} : { receipt })}
        rows={rows}
        rowKey={({ set, trait }) => `${set.id}|${trait.id}`}
        columns={[
          {
            key: 'trait',
            title: t('column.trait'),
            value: ({ set, trait }) => nameOf(set.id, trait.id),
            render: ({ set, trait }) => (
              <Link to={scanAddress(assembly, set.id, trait.id)}>{nameOf(set.id, trait.id)}</Link>
            ),
          },
          {
            key: 'set',
            title: t('column.set'),
            value: ({ set }) => format.text(set.name),
            render: ({ set }) => (
              <>
                {format.text(set.name)} <SimulatedTag simulated={set.simulated} beside={set.name} />
              </>
            ),
          },
          { key: 'count', title: t('column.tests'), kind: 'number', value: ({ trait }) => trait.count },
          {
            key: 'kind',
            title: t('column.kind'),
            value: ({ trait }) => t(trait.complete ? 'kind.complete' : 'kind.hits'),
          },
          { key: 'lambda', title: 'λ', kind: 'number', digits: 2, value: ({ trait }) => trait.lambda },
          {
            key: 'significant',
            title: t('column.significant'),
            kind: 'number',
            value: ({ trait }) => trait.significant,
          },
          {
            key: 'threshold',
            title: t('column.threshold'),
            kind: 'statistic',
            value: ({ trait }) => trait.threshold,
            hidden: true,
          },
          {
            key: 'best',
            title: t('column.best'),
            main: true,
            kind: 'id',
            value: ({ trait }) => (trait.best === null ? null : `${trait.best.sequence}:${trait.best.position}`),
            on: ({ trait }) => (trait.best === null ? null : { assembly, sequence: trait.best.sequence }),
          },
          pColumn(
            t('column.bestP'),
            ({ trait }: { trait: { best: { logP: number } | null } }) => trait.best?.logP ?? null,
            { main: true },
          ),
          { key: 'format', title: t('column.format'), value: ({ set }) => set.format, hidden: true },
        ]}
        initialSort={{ key: 'p', descending: false }}
      />
    </Card>
  )
}

/** Before anything is run: the associations that are loaded of the form's assembly. */
export const StartView = (): ReactNode => {
  const t = useText(messages)
  const [query] = useAddressValues()
  const answer = useScans(query.get('assembly') ?? undefined)
  const list = answer.data
  if (list === undefined) return answer.isError ? <Unanswered of={answer} /> : <Waiting />
  if (list.sets.length > 0) return <Traits key={list.assembly} list={list} />
  return (
    <NoDataState
      title={t('traits.none')}
      how={t('traits.noneWhy')}
      action={list.loaded.map(({ assembly: other, count }) => (
        <ButtonLink key={other} to={addressWith({ assembly: other })}>
          {t('traits.other', { assembly: other, count })}
        </ButtonLink>
      ))}
    />
  )
}
