import { Download, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { geneIdsSchema } from '../../contracts/genes.ts'
import { closeUp } from '../../contracts/text.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { readListValue, useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { useGathered } from '../../kit/ui/gathered-files.ts'
import { useBiotypeName } from '../../kit/ui/gene/biology-names.ts'
import type { GeneChoice } from '../../kit/ui/gene/chosen-genes.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { messages as kit } from '../../kit/ui/messages.ts'
import { useToolStatuses } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { downloadTable } from '../../kit/ui/table/export.ts'
import { ColumnMenu, type TableColumn, TableFrame } from '../../kit/ui/table/table-frame.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { callToolRoute, downloadToolRoute, gatherToolTable } from '../../kit/ui/tool/tool-route.ts'
import { CriteriaForm, useOptions } from './form.tsx'
import messages from './messages.ts'
import { nameQuestion } from './question-name.ts'
import tool, { type FoundGene, limits, type SortKey } from './tool.ts'

type Input = z.output<(typeof tool)['input']>
type Result = z.output<(typeof tool)['result']>

/** Rows fetched at a time for a workbook, which is made in the browser. */
const workbookPage = 500

/** What a column of the table is sorted by at the server; the rest cannot be sorted there. */
const sortOf: Record<string, SortKey> = {
  id: 'id',
  symbol: 'symbol',
  biotype: 'biotype',
  sequence: 'position',
  lengthBp: 'lengthBp',
  proteinLength: 'proteinLength',
  exonCount: 'exonCount',
  transcriptCount: 'transcriptCount',
}
const pageSizes = [25, 50, 100, 500]
/** Not shown until chosen; exported all the same. */
const usuallyHidden = new Set(['name', 'aliases', 'biotype', 'strand', 'end', 'exonCount', 'transcriptCount'])
const columnsParameter = `${viewPrefix}columns`

/** Columns that the server is asked for: chosen there, not among those that it always gives. */
const isAsked = (key: string): boolean => /^(terms|change|padj) /.test(key)

const keyOf = (gene: { id: string; assembly: string }): string => `${gene.assembly}/${gene.id}`

const Result = ({ input, result, receipt, pending }: ResultProps<Input, Result>): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const options = useOptions(input.assemblies)
  const biotypeName = useBiotypeName()
  const assemblyName = useAssemblyNames()
  const statuses = useToolStatuses()
  const [query, change] = useAddressValues()
  const [selected, setSelected] = useState<Map<string, { id: string; assembly: string }>>(new Map())
  const [busy, setBusy] = useState(false)
  const { genes, total, byAssembly, readings } = result
  const pages = Math.max(1, Math.ceil(total / result.pageSize))
  const several = byAssembly.length > 1

  const comparisons = options.datasets.flatMap((dataset) =>
    dataset.comparisons.map(({ id, name }) => ({ key: `${dataset.id}/${id}`, name: format.text(name) })),
  )
  const columns: TableColumn<FoundGene>[] = [
    {
      key: 'id',
      title: t('column.id'),
      kind: 'id',
      value: (gene) => gene.id,
      render: (gene) => <GeneLink id={gene.id} assembly={gene.assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), main: true, kind: 'symbol', value: (gene) => gene.symbol },
    { key: 'name', title: t('column.name'), value: (gene) => gene.name },
    {
      key: 'description',
      title: t('column.description'),
      long: true,
      main: true,
      value: (gene) => gene.description,
    },
    { key: 'aliases', title: t('column.aliases'), value: (gene) => gene.aliases.join(', ') },
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
    {
      key: 'biotype',
      title: t('column.biotype'),
      kind: 'text',
      value: (gene) => gene.biotype,
      render: (gene) => biotypeName(gene.biotype),
    },
    {
      key: 'sequence',
      title: t('column.sequence'),
      kind: 'id',
      value: (gene) => gene.sequence,
      on: (gene) => gene,
    },
    { key: 'start', title: t('column.start'), kind: 'number', value: (gene) => gene.start },
    { key: 'end', title: t('column.end'), kind: 'number', value: (gene) => gene.end },
    { key: 'strand', title: t('column.strand'), kind: 'id', value: (gene) => gene.strand },
    { key: 'lengthBp', title: t('column.lengthBp'), kind: 'number', value: (gene) => gene.lengthBp },
    {
      key: 'proteinLength',
      title: t('column.proteinLength'),
      kind: 'number',
      value: (gene) => gene.proteinLength,
    },
    {
      key: 'exonCount',
      title: t('column.exonCount'),
      kind: 'number',
      value: (gene) => gene.exonCount,
    },
    {
      key: 'transcriptCount',
      title: t('column.transcriptCount'),
      kind: 'number',
      value: (gene) => gene.transcriptCount,
    },
    ...input.annotations.map(
      (source): TableColumn<FoundGene> => ({
        key: `terms ${source}`,
        title: source,
        long: true,
        value: (gene) => (gene.terms[source] ?? []).map(({ term, name }) => name ?? term).join('; '),
        render: (gene) => (
          <span
            className="nv-cell-lines"
            title={(gene.terms[source] ?? []).map(({ term, name }) => `${term} ${name ?? ''}`).join('\n')}
          >
            {(gene.terms[source] ?? []).map(({ term, name }) => name ?? term).join('; ')}
          </span>
        ),
      }),
    ),
    ...input.comparisons.flatMap((key): TableColumn<FoundGene>[] => {
      const name = comparisons.find((one) => one.key === key)?.name ?? key
      return [
        {
          key: `change ${key}`,
          title: t('column.change', { name }),
          kind: 'number',
          digits: 3,
          value: (gene) => gene.comparisons[key]?.log2FoldChange ?? null,
        },
        {
          key: `padj ${key}`,
          title: t('column.padj', { name }),
          kind: 'pValue',
          value: (gene) => gene.comparisons[key]?.adjustedPValue ?? null,
        },
      ]
    }),
  ]
  const chosen = readListValue(query, columnsParameter) ?? undefined
  const hidden = new Set(
    columns
      .map((column) => column.key)
      .filter((key) => !isAsked(key) && !(chosen?.includes(key) ?? !usuallyHidden.has(key))),
  )
  const shown = columns.filter((column) => !hidden.has(column.key))

  const search = { assemblies: input.assemblies, groups: input.groups, sort: input.sort, descending: input.descending }
  const fileInput = (format: 'tsv' | 'csv' | 'bed' | 'gff3' | 'json', assembly?: string) => ({
    ...search,
    ...(assembly === undefined ? {} : { assemblies: [assembly] }),
    annotations: input.annotations,
    comparisons: input.comparisons,
    format,
  })
  const save = (which: 'tsv' | 'csv' | 'bed' | 'gff3' | 'json', assembly?: string): void =>
    void downloadToolRoute(tool.id, 'table', fileInput(which, assembly), `genes.${which}`)
  useGathered(async () =>
    total === 0
      ? null
      : gatherToolTable(
          { tool: tool.id, path: 'table', input: fileInput('tsv') },
          { name: 'genes', shown: genes.length, of: total },
        ),
  )
  const filled = byAssembly.filter(({ count }) => count > 0)

  const saveWorkbook = async (): Promise<void> => {
    setBusy(true)
    try {
      const all: FoundGene[] = []
      for (let page = 1; (page - 1) * workbookPage < total; page += 1) {
        const got = await call(runTool, { ...input, page, pageSize: workbookPage, tool: tool.id })
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

  const asked = nameQuestion(input.groups, {
    not: t('row.not'),
    or: t('group.or'),
    anyTerm: t('kind.term'),
    biotype: biotypeName,
    number: (value) => format.number(value, 6),
    measure: (measure) =>
      measure === 'expression' ? t('kind.expression') : t(`row.measure.${measure as 'gene' | 'protein'}`),
  })
  // The server keeps the bound, which may be set.
  const most = statuses.data?.find(({ id }) => id === tool.id)?.limits.setGenes ?? limits.setGenes
  const found = filled.map(
    ({ assembly, count }): GeneChoice => ({
      key: assembly,
      label: t('result.allOf', { count, assembly: assemblyName(assembly) }),
      name: t('result.setName', {
        question: asked === '' ? 'none' : asked,
        assembly: several ? assemblyName(assembly) : 'none',
      }),
      genes: {
        assembly,
        count: Math.min(count, most),
        total: count,
        ask: async () =>
          (await callToolRoute('POST', tool.id, 'ids/', { assembly, groups: input.groups }, geneIdsSchema)).genes,
      },
    }),
  )
  const [first, ...others] = found

  const allHere = genes.length > 0 && genes.every((gene) => selected.has(keyOf(gene)))
  const select = (some: FoundGene[], on: boolean): void => {
    const next = new Map(selected)
    for (const gene of some) {
      if (on) next.set(keyOf(gene), { id: gene.id, assembly: gene.assembly })
      else next.delete(keyOf(gene))
    }
    setSelected(next)
  }
  const sortedColumn = Object.entries(sortOf).find(([, sort]) => sort === input.sort)?.[0]

  const remarks = (
    <ul className="gs-readings">
      {readings.map((reading) => (
        <li key={`${reading.group}.${reading.row}.${reading.message}.${reading.params.name ?? ''}`}>
          <span className="nv-quiet">{t('result.reading', { group: reading.group + 1, row: reading.row + 1 })}</span>{' '}
          {t(reading.message as Parameters<typeof t>[0], reading.params)}
        </li>
      ))}
    </ul>
  )

  return (
    <>
      {readings.length === 0 ? null : readings.length <= 12 ? (
        remarks
      ) : (
        <details className="nv-advanced">
          <summary>{t('result.readingsMore', { count: readings.length })}</summary>
          {remarks}
        </details>
      )}
      {total === 0 ? (
        <EmptyState title={t('result.none')} why={t('result.noneWhy')} />
      ) : (
        <Card
          title={t('result.table')}
          flush
          actions={
            <>
              {first === undefined ? null : <GeneSetMenu choices={[first, ...others]} />}
              <Menu
                size="small"
                icon={<Download size={14} aria-hidden />}
                label={t('result.export')}
                items={[
                  { key: 'tsv', label: 'TSV', run: () => save('tsv') },
                  { key: 'csv', label: 'CSV', run: () => save('csv') },
                  { key: 'xlsx', label: 'XLSX', run: () => void saveWorkbook() },
                  { key: 'json', label: 'JSON', run: () => save('json') },
                  // Places belong to one assembly.
                  ...filled.flatMap(({ assembly }) =>
                    (['bed', 'gff3'] as const).map((which) => ({
                      key: `${which} ${assembly}`,
                      label: filled.length === 1 ? which.toUpperCase() : `${which.toUpperCase()} · ${assembly}`,
                      run: () => save(which, assembly),
                    })),
                  ),
                ]}
              />
            </>
          }
        >
          <TableFrame
            label={t('result.table')}
            columns={shown}
            rows={genes}
            rowKey={keyOf}
            busy={pending || busy}
            sort={sortedColumn === undefined ? null : { key: sortedColumn, descending: input.descending }}
            sortable={new Set(Object.keys(sortOf))}
            onSort={(key) => {
              const sort = sortOf[key]!
              change({ page: null, sort, descending: String(sort === input.sort && !input.descending) })
            }}
            selection={{
              selected: new Set(selected.keys()),
              all: allHere,
              allLabel: t('result.selectPage'),
              onAll: (on) => select(genes, on),
              onSelect: (key, on) =>
                select(
                  genes.filter((gene) => keyOf(gene) === key),
                  on,
                ),
            }}
            bar={
              <>
                <span className="nv-table-count">{t('head.total', { count: total })}</span>
                {selected.size === 0 ? null : (
                  <span className="nv-table-selection">
                    <strong>{k('table.selected', { count: selected.size })}</strong>
                    <GeneSetMenu genes={[...selected.values()]} look="primary" />
                    <Button
                      size="small"
                      look="quiet"
                      aria-label={k('table.clearSelection')}
                      title={k('table.clearSelection')}
                      icon={<X size={14} aria-hidden />}
                      onClick={() => setSelected(new Map())}
                    />
                  </span>
                )}
                <span className="nv-table-tools">
                  <ColumnMenu
                    columns={columns.filter((column) => !isAsked(column.key))}
                    hidden={hidden}
                    onHidden={(next) =>
                      change(
                        {
                          [columnsParameter]: columns
                            .map((column) => column.key)
                            .filter((key) => !isAsked(key) && !next.has(key))
                            .join(','),
                        },
                        true,
                      )
                    }
                  >
                    {[
                      ...options.sources.map((source) => ({
                        field: 'annotations' as const,
                        key: source,
                        name: source,
                      })),
                      ...comparisons.map((one) => ({ field: 'comparisons' as const, ...one })),
                    ].map(({ field, key, name }) => (
                      <Checkbox
                        key={`${field} ${key}`}
                        checked={input[field].includes(key)}
                        onCheck={(checked) => {
                          const next = checked ? [...input[field], key] : input[field].filter((one) => one !== key)
                          change({ [field]: next.length === 0 ? null : `~${JSON.stringify(next)}` }, true)
                        }}
                      >
                        {name}
                      </Checkbox>
                    ))}
                  </ColumnMenu>
                </span>
              </>
            }
            pages={
              total > pageSizes[0]!
                ? {
                    page: result.page,
                    pages,
                    onPage: (page) => change({ page: String(page) }),
                    size: {
                      value: result.pageSize,
                      sizes: pageSizes,
                      onSize: (size) => change({ page: null, pageSize: String(size) }),
                    },
                  }
                : null
            }
          />
        </Card>
      )}
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  paging: ['page', 'pageSize', 'sort', 'descending', 'annotations', 'comparisons'],
  Form: CriteriaForm,
  Result,
  headline: ({ result, t }) => {
    const having = result.byAssembly.filter(({ count }) => count > 0)
    return closeUp(
      [
        t('head.total', { count: result.total }),
        ...(having.length > 0 ? [t('head.assemblies', { count: having.length, assembly: having[0]!.assembly })] : []),
      ].join(' '),
    )
  },
})
