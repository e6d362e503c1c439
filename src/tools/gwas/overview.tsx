import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { AssemblyPicker } from '../../kit/ui/controls/assembly-picker.tsx'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { addressWith, scanAddress } from './addresses.ts'
import type { ScanList } from './endpoints.ts'
import { pText, ScanNav, SimulatedTag, useScans } from './figures/parts.tsx'
import messages from './messages.ts'
import tool from './tool.ts'

const Traits = ({ list }: { list: ScanList }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, sets } = list
  const receipt = useCatalogueReceipt(
    tool.id,
    'traits of loaded tables; lambda = median chi-square / 0.4549',
    { assembly },
    [assembly],
  )
  const rows = sets.flatMap((set) => set.traits.map((trait) => ({ set, trait })))
  return (
    <Card title={t('traits.title')} aside={t('traits.count', { count: rows.length })} flush>
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
            value: ({ trait }) => trait.id,
            render: ({ set, trait }) => <Link to={scanAddress(assembly, set.id, trait.id)}>{trait.id}</Link>,
          },
          {
            key: 'set',
            title: t('column.set'),
            value: ({ set }) => format.text(set.name),
            render: ({ set }) => (
              <>
                {format.text(set.name)} <SimulatedTag simulated={set.simulated} />
              </>
            ),
          },
          { key: 'count', title: t('column.tests'), kind: 'number', value: ({ trait }) => trait.count },
          {
            key: 'kind',
            title: t('column.kind'),
            value: ({ trait }) => t(trait.complete ? 'kind.complete' : 'kind.hits'),
          },
          { key: 'lambda', title: 'λ', kind: 'number', digits: 3, value: ({ trait }) => trait.lambda },
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
            kind: 'id',
            value: ({ trait }) => (trait.best === null ? null : `${trait.best.sequence}:${trait.best.position}`),
            on: ({ trait }) => (trait.best === null ? null : { assembly, sequence: trait.best.sequence }),
          },
          {
            key: 'p',
            title: t('column.bestP'),
            value: ({ trait }) => trait.best?.logP ?? null,
            render: ({ trait }) => (trait.best === null ? '–' : pText(trait.best.logP)),
          },
          { key: 'format', title: t('column.format'), value: ({ set }) => set.format, hidden: true },
        ]}
        initialSort={{ key: 'p', descending: true }}
      />
    </Card>
  )
}

/** The tool's first page: scans that are loaded of an assembly, and what one can be run on. */
export const Overview = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query, change] = useAddressValues()
  const answer = useScans(query.get('assembly') ?? undefined)
  const list = answer.data
  const assembly = list?.assembly ?? query.get('assembly') ?? ''
  const run = addressWith({ assembly, source: (list?.phenotypes.length ?? 0) > 0 ? 'loaded' : 'pasted' })
  return (
    <>
      <ScanNav now="overview" assembly={assembly} />
      <main className="nv-page gwas-page">
        <title>{`${t('title')} · NovoDB`}</title>
        <header className="nv-page-head">
          <div>
            <h1>{t('title')}</h1>
            <p className="nv-lead">{t('summary')}</p>
          </div>
          <div className="nv-page-actions gwas-assembly">
            <AssemblyPicker value={assembly} onChoose={(chosen) => change({ assembly: chosen })} />
          </div>
        </header>
        {answer.isError ? (
          <Unanswered of={answer} />
        ) : list === undefined ? (
          <Waiting />
        ) : (
          <>
            {list.sets.length === 0 ? (
              <EmptyState
                title={t('traits.none')}
                why={t('traits.noneWhy')}
                action={list.loaded.map(({ assembly: other, count }) => (
                  <ButtonLink key={other} to={addressWith({ assembly: other })}>
                    {t('traits.other', { assembly: other, count })}
                  </ButtonLink>
                ))}
              />
            ) : (
              <Traits key={assembly} list={list} />
            )}
            <Card title={t('run.title')}>
              {list.variants.length === 0 ? (
                <p className="nv-quiet">{t('run.noVariants')}</p>
              ) : (
                <>
                  <ul className="gwas-list">
                    {list.variants.map((set) => (
                      <li key={set.id}>
                        <strong>{format.text(set.name)}</strong>{' '}
                        {t('run.set', { samples: set.samples, sites: set.sites, ploidy: set.ploidy })}{' '}
                        <SimulatedTag simulated={set.simulated} />
                      </li>
                    ))}
                  </ul>
                  <p>
                    <ButtonLink look="primary" to={run}>
                      {t('run.start')}
                    </ButtonLink>
                  </p>
                </>
              )}
            </Card>
          </>
        )}
      </main>
    </>
  )
}
