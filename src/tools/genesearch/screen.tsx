import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight, Columns3, Download, Star } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { runTool } from '../../contracts/jobs.ts'
import { Button } from '../../kit/ui/button.tsx'
import { Card } from '../../kit/ui/card.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/define-screen.ts'
import { EmptyState } from '../../kit/ui/empty-state.tsx'
import { downloadTable } from '../../kit/ui/export.ts'
import { Checkbox } from '../../kit/ui/field.tsx'
import { GeneLink } from '../../kit/ui/gene-link.tsx'
import { GeneSetMenu } from '../../kit/ui/gene-set-picker.tsx'
import { createGeneSet } from '../../kit/ui/gene-sets.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { Menu } from '../../kit/ui/menu.tsx'
import { showNotice } from '../../kit/ui/notices.ts'
import { call, RequestError, showRequestError } from '../../kit/ui/request.ts'
import { callToolRoute, downloadToolRoute } from '../../kit/ui/tool-route.ts'
import { CriteriaForm, useOptions } from './criteria-form.tsx'
import messages from './messages.ts'
import tool, { type FoundGene, type SortKey } from './tool.ts'

type Input = z.output<(typeof tool)['input']>
type Result = z.output<(typeof tool)['result']>

const idsSchema = z.object({ assembly: z.string(), genes: z.array(z.string()), total: z.number() })
/** Rows fetched at a time for a workbook, which is made in the browser. */
const workbookPage = 500

interface Column {
  key: string
  title: string
  sort?: SortKey
  kind: 'id' | 'symbol' | 'number' | 'text'
  hidden?: boolean
  value: (gene: FoundGene) => string | number | null
  render?: (gene: FoundGene) => ReactNode
}

const keyOf = (gene: { id: string; assembly: string }): string => `${gene.assembly}/${gene.id}`

const Result = ({ input, result: first, receipt }: ResultProps<Input, Result>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const options = useOptions(input.assemblies)
  const [view, setView] = useState({
    page: input.page,
    sort: input.sort,
    descending: input.descending,
    annotations: input.annotations,
  })
  const [hidden, setHidden] = useState(
    new Set(['name', 'aliases', 'biotype', 'strand', 'end', 'exonCount', 'transcriptCount']),
  )
  const [selected, setSelected] = useState<Map<string, { id: string; assembly: string }>>(new Map())
  const [busy, setBusy] = useState(false)

  const same =
    view.page === input.page &&
    view.sort === input.sort &&
    view.descending === input.descending &&
    view.annotations === input.annotations
  const answer = useQuery({
    queryKey: ['genesearch-page', JSON.stringify({ ...input, ...view })],
    queryFn: async ({ signal }) => {
      const got = await call(runTool, { ...input, ...view, tool: tool.id }, { signal })
      if (!('result' in got)) throw new Error('an answer was expected')
      return tool.result.parse(got.result)
    },
    enabled: !same,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  })
  const result = same ? first : (answer.data ?? first)
  const { genes, total, byAssembly, readings } = result
  const pages = Math.max(1, Math.ceil(total / result.pageSize))
  const several = byAssembly.length > 1
  const change = (part: Partial<typeof view>): void => setView({ ...view, ...part })

  const columns: Column[] = [
    {
      key: 'id',
      title: t('column.id'),
      sort: 'id',
      kind: 'id',
      value: (gene) => gene.id,
      render: (gene) => <GeneLink id={gene.id} assembly={gene.assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), sort: 'symbol', kind: 'symbol', value: (gene) => gene.symbol },
    { key: 'name', title: t('column.name'), kind: 'text', value: (gene) => gene.name },
    {
      key: 'description',
      title: t('column.description'),
      kind: 'text',
      value: (gene) => gene.description,
      render: (gene) =>
        gene.description === null ? (
          <span className="nv-none">–</span>
        ) : (
          <span className="gs-text" title={gene.description}>
            {gene.description}
          </span>
        ),
    },
    { key: 'aliases', title: t('column.aliases'), kind: 'text', value: (gene) => gene.aliases.join(', ') },
    ...(several
      ? [
          {
            key: 'assembly',
            title: t('column.assembly'),
            kind: 'id' as const,
            value: (gene: FoundGene) => gene.assembly,
          },
        ]
      : []),
    { key: 'biotype', title: t('column.biotype'), sort: 'biotype', kind: 'text', value: (gene) => gene.biotype },
    { key: 'sequence', title: t('column.sequence'), sort: 'position', kind: 'id', value: (gene) => gene.sequence },
    { key: 'start', title: t('column.start'), kind: 'number', value: (gene) => gene.start },
    { key: 'end', title: t('column.end'), kind: 'number', value: (gene) => gene.end },
    { key: 'strand', title: t('column.strand'), kind: 'id', value: (gene) => gene.strand },
    { key: 'lengthBp', title: t('column.lengthBp'), sort: 'lengthBp', kind: 'number', value: (gene) => gene.lengthBp },
    {
      key: 'proteinLength',
      title: t('column.proteinLength'),
      sort: 'proteinLength',
      kind: 'number',
      value: (gene) => gene.proteinLength,
    },
    {
      key: 'exonCount',
      title: t('column.exonCount'),
      sort: 'exonCount',
      kind: 'number',
      value: (gene) => gene.exonCount,
    },
    {
      key: 'transcriptCount',
      title: t('column.transcriptCount'),
      sort: 'transcriptCount',
      kind: 'number',
      value: (gene) => gene.transcriptCount,
    },
    ...view.annotations.map(
      (source): Column => ({
        key: `terms ${source}`,
        title: source,
        kind: 'text',
        value: (gene) => (gene.terms[source] ?? []).map(({ term, name }) => name ?? term).join('; '),
        render: (gene) => (
          <span
            className="gs-text"
            title={(gene.terms[source] ?? []).map(({ term, name }) => `${term} ${name ?? ''}`).join('\n')}
          >
            {(gene.terms[source] ?? []).map(({ term, name }) => name ?? term).join('; ')}
          </span>
        ),
      }),
    ),
  ]
  const shown = columns.filter((column) => !hidden.has(column.key))

  const search = { assemblies: input.assemblies, groups: input.groups, sort: view.sort, descending: view.descending }
  const save = (which: 'tsv' | 'csv'): void =>
    void downloadToolRoute(
      tool.id,
      'table',
      { ...search, annotations: view.annotations, format: which },
      `genes.${which}`,
    )

  const saveWorkbook = async (): Promise<void> => {
    setBusy(true)
    try {
      const all: FoundGene[] = []
      for (let page = 1; (page - 1) * workbookPage < total; page += 1) {
        const got = await call(runTool, { ...input, ...view, page, pageSize: workbookPage, tool: tool.id })
        if (!('result' in got)) break
        all.push(...tool.result.parse(got.result).genes)
      }
      const sheet = several
        ? columns
        : [...columns, { title: t('column.assembly'), value: (gene: FoundGene) => gene.assembly }]
      await downloadTable(
        {
          columns: sheet.map((column) => column.title),
          rows: all.map((gene) => sheet.map((column) => column.value(gene))),
          receipt,
        },
        'genes',
        'xlsx',
      )
    } finally {
      setBusy(false)
    }
  }

  const saveSet = async (assembly: string): Promise<void> => {
    setBusy(true)
    try {
      const got = await callToolRoute('POST', tool.id, 'ids', { assembly, groups: input.groups }, idsSchema)
      const name = t('result.setName', { date: format.dateTime(new Date().toISOString()) })
      createGeneSet({ name, assembly, genes: got.genes })
      const text =
        got.genes.length < got.total
          ? t('result.savedPart', { name, count: got.genes.length, total: got.total })
          : t('result.saved', { name, count: got.genes.length })
      showNotice({ kind: 'message', level: got.genes.length < got.total ? 'warning' : 'success', text })
    } catch (error) {
      if (error instanceof RequestError) showRequestError(error)
      else throw error
    } finally {
      setBusy(false)
    }
  }

  const cell = (column: Column, gene: FoundGene): ReactNode => {
    if (column.render !== undefined) return column.render(gene)
    const value = column.value(gene)
    if (value === null || value === '') return <span className="nv-none">–</span>
    return typeof value === 'number' ? format.number(value) : value
  }
  const toggle = (gene: FoundGene, on: boolean): void => {
    const next = new Map(selected)
    if (on) next.set(keyOf(gene), { id: gene.id, assembly: gene.assembly })
    else next.delete(keyOf(gene))
    setSelected(next)
  }
  const allHere = genes.length > 0 && genes.every((gene) => selected.has(keyOf(gene)))

  return (
    <>
      {readings.length === 0 ? null : (
        <ul className="gs-readings">
          {readings.map((reading) => (
            <li key={`${reading.group}.${reading.row}.${reading.message}`}>
              <span className="nv-quiet">
                {t('result.reading', { group: reading.group + 1, row: reading.row + 1 })}
                {': '}
              </span>
              {t(reading.message as Parameters<typeof t>[0], reading.params)}
            </li>
          ))}
        </ul>
      )}
      {total === 0 ? (
        <EmptyState title={t('result.none')} why={t('result.noneWhy')} />
      ) : (
        <Card
          title={t('result.table')}
          flush
          actions={
            <>
              <Menu
                size="small"
                icon={<Star size={14} aria-hidden />}
                label={t('result.saveAll')}
                items={byAssembly
                  .filter(({ count }) => count > 0)
                  .map(({ assembly, count }) => ({
                    key: assembly,
                    label: t('result.saveAllOf', { count: format.number(count), assembly }),
                    run: () => void saveSet(assembly),
                  }))}
              />
              <Menu
                size="small"
                icon={<Download size={14} aria-hidden />}
                label={t('result.export')}
                items={[
                  { key: 'tsv', label: 'TSV', run: () => save('tsv') },
                  { key: 'csv', label: 'CSV', run: () => save('csv') },
                  { key: 'xlsx', label: 'XLSX', run: () => void saveWorkbook() },
                ]}
              />
            </>
          }
        >
          <div className="nv-table" aria-busy={answer.isFetching || busy}>
            <div className="nv-table-bar">
              <span className="nv-table-count">{t('head.total', { count: total })}</span>
              {selected.size === 0 ? null : (
                <span className="nv-table-selection">
                  <strong>{format.number(selected.size)}</strong>
                  <GeneSetMenu genes={[...selected.values()]} look="primary" />
                </span>
              )}
              <span className="nv-table-tools">
                <Menu
                  size="small"
                  look="quiet"
                  icon={<Columns3 size={15} aria-hidden />}
                  title={t('result.columns')}
                  items={[]}
                >
                  {() => (
                    <div className="nv-menu-checks">
                      {columns
                        .filter((column) => !column.key.startsWith('terms '))
                        .map((column) => (
                          <Checkbox
                            key={column.key}
                            checked={!hidden.has(column.key)}
                            onCheck={(checked) => {
                              const next = new Set(hidden)
                              if (checked) next.delete(column.key)
                              else next.add(column.key)
                              setHidden(next)
                            }}
                          >
                            {column.title}
                          </Checkbox>
                        ))}
                      {options.sources.map((source) => (
                        <Checkbox
                          key={source}
                          checked={view.annotations.includes(source)}
                          onCheck={(checked) =>
                            change({
                              annotations: checked
                                ? [...view.annotations, source]
                                : view.annotations.filter((one) => one !== source),
                            })
                          }
                        >
                          {source}
                        </Checkbox>
                      ))}
                    </div>
                  )}
                </Menu>
              </span>
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable with the keyboard. */}
            <section className="nv-table-scroll" tabIndex={0} aria-label={t('result.table')}>
              <table>
                <thead>
                  <tr>
                    <th className="nv-cell-check" scope="col">
                      <Checkbox
                        label={t('result.table')}
                        checked={allHere}
                        onCheck={(checked) => {
                          const next = new Map(selected)
                          for (const gene of genes) {
                            if (checked) next.set(keyOf(gene), { id: gene.id, assembly: gene.assembly })
                            else next.delete(keyOf(gene))
                          }
                          setSelected(next)
                        }}
                      />
                    </th>
                    {shown.map((column) => {
                      const { sort } = column
                      const sorted = sort !== undefined && view.sort === sort
                      return (
                        <th
                          key={column.key}
                          scope="col"
                          className={`nv-cell-${column.kind}`}
                          aria-sort={sorted ? (view.descending ? 'descending' : 'ascending') : undefined}
                        >
                          {sort === undefined ? (
                            column.title
                          ) : (
                            <button
                              type="button"
                              onClick={() => change({ page: 1, sort, descending: sorted && !view.descending })}
                            >
                              {column.title}
                              {sorted ? (
                                view.descending ? (
                                  <ArrowDown size={13} aria-hidden />
                                ) : (
                                  <ArrowUp size={13} aria-hidden />
                                )
                              ) : null}
                            </button>
                          )}
                        </th>
                      )
                    })}
                  </tr>
                </thead>
                <tbody>
                  {genes.map((gene) => (
                    <tr key={keyOf(gene)} className={selected.has(keyOf(gene)) ? 'nv-row-selected' : ''}>
                      <td className="nv-cell-check">
                        <Checkbox
                          label={gene.id}
                          checked={selected.has(keyOf(gene))}
                          onCheck={(checked) => toggle(gene, checked)}
                        />
                      </td>
                      {shown.map((column) => (
                        <td key={column.key} className={`nv-cell-${column.kind}`}>
                          {cell(column, gene)}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
            {pages === 1 ? null : (
              <div className="nv-table-foot">
                <Button
                  size="small"
                  look="quiet"
                  disabled={result.page <= 1}
                  aria-label={t('result.previous')}
                  icon={<ChevronLeft size={16} aria-hidden />}
                  onClick={() => change({ page: result.page - 1 })}
                />
                <span>{t('result.page', { page: result.page, pages })}</span>
                <Button
                  size="small"
                  look="quiet"
                  disabled={result.page >= pages}
                  aria-label={t('result.next')}
                  icon={<ChevronRight size={16} aria-hidden />}
                  onClick={() => change({ page: result.page + 1 })}
                />
              </div>
            )}
          </div>
        </Card>
      )}
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  Form: CriteriaForm,
  Result,
  headline: ({ result, t }) => {
    const having = result.byAssembly.filter(({ count }) => count > 0)
    return [
      t('head.total', { count: result.total }),
      ...(having.length > 0 ? [t('head.assemblies', { count: having.length, assembly: having[0]!.assembly })] : []),
    ].join(' ')
  },
})
