import { Dna, Download, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { wholeGeneParts } from '../../kit/data/genes/locate-records.ts'
import { browserAddress } from '../../kit/ui/browser-address.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { otherRulesText } from '../../kit/ui/gene/promoter-rules-text.ts'
import { RegionText } from '../../kit/ui/gene/region-text.tsx'
import { SameLocusButton } from '../../kit/ui/gene/same-locus.tsx'
import { SequenceView } from '../../kit/ui/gene/sequence-view.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { downloadToolRoute } from '../../kit/ui/tool/tool-route.ts'
import messages from './messages.ts'
import tool, { type ExtractedRecord, flankParts, type Part } from './tool.ts'

type Input = z.output<(typeof tool)['input']>
type Result = z.output<(typeof tool)['result']>

const extentOf = ({ intervals }: ExtractedRecord): [start: number, end: number] => [
  Math.min(...intervals.map(({ start }) => start)),
  Math.max(...intervals.map(({ end }) => end)),
]

const placeOf = (assembly: string, record: ExtractedRecord) => {
  const [start, end] = extentOf(record)
  return {
    assembly,
    sequence: record.sequence,
    start,
    end,
    strand: record.strand === '-' ? ('-' as const) : ('+' as const),
  }
}

const Result = ({ input, result, receipt }: ResultProps<Input, Result>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const tools = useToolList()
  const [chosen, setChosen] = useState(result.records[0]?.name ?? '')
  const { assembly, records, recordCount, problems } = result
  const record = records.find((one) => one.name === chosen) ?? records[0]
  const note = (one: { id: string; params: Record<string, string | number> }): string =>
    t(one.id as Parameters<typeof t>[0], one.params)
  const asked = { ...input, skipInvalid: true }
  const save = (path: string, ending: string): void =>
    void downloadToolRoute(tool.id, path, asked, `${assembly}.${input.part}.${ending}`)
  const files = (
    <Menu
      look="primary"
      size="small"
      icon={<Download size={14} aria-hidden />}
      label={t('result.files')}
      items={[
        { key: 'fasta', label: t('result.fasta'), run: () => save('fasta', 'fa') },
        { key: 'bed', label: t('result.bed'), run: () => save('bed', 'bed') },
        { key: 'table', label: t('result.table'), run: () => save('table', 'tsv') },
      ]}
    />
  )
  const blast = tools.find((one) => one.id === 'blast')
  const kind = input.part === 'protein' ? 'protein' : 'nucleotide'
  return (
    <>
      {record === undefined ? (
        <EmptyState title={t('result.none')} why={t('result.noneWhy')} />
      ) : (
        <>
          <Card
            title={t('result.sequences')}
            aside={
              recordCount > records.length
                ? t('result.shown', { shown: records.length, total: recordCount })
                : undefined
            }
            actions={files}
            flush
          >
            <ResultTable
              label={t('result.sequences')}
              name={`${assembly}-${input.part}`}
              receipt={receipt}
              rows={records}
              rowKey={(row) => row.name}
              total={recordCount}
              whole={{ tool: tool.id, path: 'table', input: asked, of: recordCount }}
              onRow={(row) => setChosen(row.name)}
              marked={record.name}
              gene={(row) => ({ id: row.gene, assembly })}
              columns={[
                { key: 'name', title: t('column.name'), main: false, value: (row) => row.name, kind: 'id' },
                {
                  key: 'gene',
                  title: t('column.gene'),
                  main: true,
                  value: (row) => row.gene,
                  kind: 'id',
                  render: (row) => <GeneLink id={row.gene} assembly={assembly} symbol={row.symbol} />,
                },
                { key: 'symbol', title: t('column.symbol'), value: (row) => row.symbol, kind: 'symbol', hidden: true },
                {
                  key: 'transcript',
                  title: t('column.transcript'),
                  value: (row) => row.transcript,
                  kind: 'id',
                  hidden: true,
                },
                {
                  key: 'location',
                  title: t('column.location'),
                  main: true,
                  kind: 'region',
                  value: (row) =>
                    `${row.sequence}:${row.intervals.map(({ start, end }) => `${start}-${end}`).join(',')}`,
                  on: ({ sequence }) => ({ assembly, sequence }),
                  render: (row) => <RegionText>{format.region(row.sequence, ...extentOf(row))}</RegionText>,
                },
                { key: 'strand', title: t('column.strand'), value: (row) => row.strand, kind: 'id' },
                {
                  key: 'length',
                  title: t('column.length', { kind }),
                  main: true,
                  value: (row) => row.length,
                  kind: 'number',
                },
                { key: 'notes', title: t('column.notes'), value: (row) => row.notes.map(note).join(' ') },
              ]}
            />
          </Card>
          <Card
            title={<code>{record.name}</code>}
            actions={
              <>
                <ButtonLink
                  size="small"
                  icon={<Search size={14} aria-hidden />}
                  to={browserAddress(placeOf(assembly, record))}
                >
                  {t('result.browse')}
                </ButtonLink>
                <SameLocusButton region={placeOf(assembly, record)} />
                {blast === undefined || record.residues === null || record.residues.length > 1500 ? null : (
                  <ButtonLink
                    size="small"
                    icon={<Dna size={14} aria-hidden />}
                    to={`${blast.route}?${new URLSearchParams({ query: `>${record.name}\n${record.residues}` })}`}
                  >
                    {t('result.blast')}
                  </ButtonLink>
                )}
              </>
            }
          >
            {record.notes.map((one) => (
              <p key={one.id} className="nv-warn">
                {note(one)}
              </p>
            ))}
            {record.residues === null ? (
              <EmptyState title={t('result.notRead')} />
            ) : (
              <SequenceView key={record.name} sequence={record.residues} header={record.header} kind={kind} />
            )}
          </Card>
        </>
      )}
      {problems.length === 0 ? null : (
        <Card title={t('result.problems')} flush>
          <ResultTable
            label={t('result.problems')}
            name={`${assembly}-${input.part}-without`}
            receipt={receipt}
            rows={problems}
            rowKey={(row) => `${row.query} ${row.id}`}
            columns={[
              { key: 'query', title: t('column.query'), value: (row) => row.query, kind: 'id' },
              { key: 'reason', title: t('column.reason'), value: note },
            ]}
          />
        </Card>
      )}
    </>
  )
}

const partIs =
  (...parts: Part[]) =>
  (values: Record<string, unknown>): boolean =>
    parts.includes((values.part ?? 'cds') as Part)

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result,
  fields: {
    assembly: { needs: 'genes' },
    part: {},
    transcripts: { when: (values) => !wholeGeneParts.includes((values.part ?? 'cds') as Part) },
    from: { when: partIs('upstream', 'downstream') },
    upstreamBp: { when: partIs('upstream', 'flanked') },
    downstreamBp: { when: partIs('downstream', 'flanked') },
    insideBp: { when: partIs('upstream', 'downstream') },
    clip: { when: (values) => flankParts.includes((values.part ?? 'cds') as Part) },
    keepStop: { when: partIs('protein'), advanced: true },
    lineWidth: { advanced: true },
  },
  headline: ({ result, t, shared, format }) =>
    [
      t('head.summary', { records: result.recordCount, genes: result.geneCount, assembly: result.assembly }),
      ...(result.recordCount > 0 ? [format.basePairs(result.totalBp)] : []),
      ...(result.notedCount > 0 ? [t('head.noted', { count: result.notedCount })] : []),
      ...otherRulesText(result.otherRules, { shared, format }),
      ...(result.problems.length > 0 ? [t('head.problems', { count: result.problems.length })] : []),
    ].join(' · '),
})
