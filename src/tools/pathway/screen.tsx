import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { runTool } from '../../contracts/tools/jobs.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { splitIdentifiers } from '../../contracts/tools/tool.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { AssemblyPicker } from '../../kit/ui/controls/assembly-picker.tsx'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Tag } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { GeneInput } from '../../kit/ui/controls/gene-input.tsx'
import { createGeneSet, findGeneSet } from '../../kit/ui/gene/gene-sets.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { definePage } from '../../kit/ui/tool/define-screen.ts'
import { enrichmentAddress, mapAddress } from './addresses.ts'
import { pathwayListSchema } from './endpoints.ts'
import messages from './messages.ts'
import tool, { limits } from './tool.ts'
import './screen.css'

/** Characters of genes that go into the address itself; more are kept as a set. */
const addressLimit = 1500

const Page = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query, change] = useAddressValues()
  const value = (name: string): string => query.get(name) ?? ''
  const genes = findGeneSet(value('set'))?.genes ?? splitIdentifiers(value('genes'))
  const [typed, setTyped] = useState(genes.join('\n'))
  const given = value('assembly')
  const answer = useQuery({
    queryKey: ['pathways', given, genes.join(' ')],
    queryFn: async (context) => {
      const input = { ...(given === '' ? {} : { assembly: given }), ...(genes.length === 0 ? {} : { genes }) }
      const found = await call(runTool, { tool: tool.id, ...input }, context)
      const { result, receipt } = found as { result: unknown; receipt: Receipt }
      return { list: pathwayListSchema.parse(result), receipt }
    },
    placeholderData: (before) => before,
    staleTime: 60_000,
    retry: false,
  })
  const list = answer.data?.list
  const assembly = given || (list?.assembly ?? '')
  const source = value('source')
  const rows = list?.pathways.filter((one) => source === '' || one.source === source) ?? []
  const isSet = genes.length > 0
  const anyDrawn = rows.some(({ drawn }) => drawn)
  const sourceName = (id: string): string => format.text(list?.sources.find((one) => one.id === id)?.title) || id
  const licences = list?.sources.filter(({ licence }) => licence !== null) ?? []
  const count = (): void => {
    const ids = splitIdentifiers(typed)
    const text = ids.join(',')
    if (text.length <= addressLimit) change({ genes: text === '' ? null : text, set: null })
    else
      change({
        genes: null,
        set: createGeneSet({ name: `${t('title')} ${format.number(ids.length)}`, assembly, genes: ids }).id,
      })
  }
  return (
    <main className="nv-page path-page">
      <title>{`${t('title')} · NovoDB`}</title>
      <header className="nv-page-head">
        <div>
          <h1>{t('title')}</h1>
          <p className="nv-lead">{t('list.lead')}</p>
        </div>
        <div className="nv-page-actions path-assembly">
          <AssemblyPicker
            value={assembly}
            needs="genes"
            onChoose={(chosen) => change({ assembly: chosen, source: null })}
          />
        </div>
      </header>
      {answer.isError ? (
        <Unanswered of={answer} />
      ) : list === undefined ? (
        <Waiting />
      ) : list.pathways.length === 0 ? (
        <Card>
          <EmptyState title={t('list.none', { assembly })} why={t('list.noneWhy')} />
        </Card>
      ) : (
        <>
          <Card>
            <details className="path-set" open={isSet}>
              <summary>{t('list.set')}</summary>
              <GeneInput value={typed} onValue={setTyped} assembly={assembly} maximum={limits.genes} rows={3} />
              <div className="path-actions">
                <Button look="primary" size="small" onClick={count}>
                  {t('list.count')}
                </Button>
                {isSet ? (
                  <>
                    <Button
                      size="small"
                      onClick={() => {
                        setTyped('')
                        change({ genes: null, set: null })
                      }}
                    >
                      {t('list.clear')}
                    </Button>
                    <ButtonLink size="small" to={enrichmentAddress(genes, assembly, source)}>
                      {t('list.enrich')}
                    </ButtonLink>
                    <span className="nv-quiet">
                      {t('list.setFound', { count: list.setSize })}{' '}
                      {list.unknown.length === 0
                        ? ''
                        : t('list.unknown', { names: list.unknown.slice(0, 20).join(', ') })}
                    </span>
                  </>
                ) : null}
              </div>
            </details>
          </Card>
          <Card
            title={t('list.title')}
            flush
            actions={
              list.sources.length > 1 ? (
                <SelectField
                  label={t('field.source')}
                  value={source}
                  onChoose={(chosen) => change({ source: chosen || null })}
                  options={[
                    { value: '', label: t('list.every') },
                    ...list.sources.map((one) => ({
                      value: one.id,
                      label: `${sourceName(one.id)} (${format.number(one.pathways)})`,
                    })),
                  ]}
                />
              ) : undefined
            }
            foot={licences.map(({ id, licence }) => (
              <p key={id} className="nv-quiet">
                {t('list.licence', { source: sourceName(id), licence: licence ?? '' })}
              </p>
            ))}
          >
            <ResultTable
              key={isSet ? 'set' : 'all'}
              label={t('list.title')}
              name={`${assembly}-pathways`}
              receipt={answer.data?.receipt}
              rows={rows}
              rowKey={({ source: of, id }) => `${of}|${id}`}
              pageSize={50}
              initialSort={isSet ? { key: 'set', descending: true } : { key: 'genes', descending: true }}
              columns={[
                {
                  key: 'name',
                  title: t('column.name'),
                  value: ({ name, id }) => name ?? id,
                  render: (one) => (
                    <Link
                      to={mapAddress(
                        one,
                        assembly,
                        isSet ? { genes: one.setGenes.join(',').slice(0, addressLimit) } : {},
                      )}
                    >
                      {one.name ?? one.id}
                    </Link>
                  ),
                },
                { key: 'id', title: t('column.id'), kind: 'id', value: ({ id }) => id },
                {
                  key: 'source',
                  title: t('column.source'),
                  value: ({ source: of }) => sourceName(of),
                  hidden: list.sources.length === 1,
                },
                { key: 'genes', title: t('column.genes'), kind: 'number', value: ({ geneCount }) => geneCount },
                ...(isSet
                  ? [
                      {
                        key: 'set',
                        title: t('column.set'),
                        kind: 'number' as const,
                        value: ({ setGenes }: (typeof rows)[number]) => setGenes.length,
                      },
                      {
                        key: 'share',
                        title: t('column.setShare'),
                        kind: 'number' as const,
                        value: ({ setGenes, geneCount }: (typeof rows)[number]) =>
                          geneCount === 0 ? null : setGenes.length / geneCount,
                        render: ({ setGenes, geneCount }: (typeof rows)[number]) =>
                          geneCount === 0 ? '–' : format.percent(setGenes.length / geneCount, 0),
                      },
                      {
                        key: 'setGenes',
                        title: t('column.setGenes'),
                        long: true,
                        value: ({ setGenes }: (typeof rows)[number]) => setGenes.join(' '),
                      },
                    ]
                  : []),
                ...(anyDrawn
                  ? [
                      {
                        key: 'map',
                        title: t('column.map'),
                        value: ({ drawn }: (typeof rows)[number]) => (drawn ? t('column.drawn') : ''),
                        render: ({ drawn }: (typeof rows)[number]) => (drawn ? <Tag>{t('column.drawn')}</Tag> : ''),
                      },
                    ]
                  : []),
              ]}
            />
          </Card>
        </>
      )}
    </main>
  )
}

export default definePage({ Page })
