import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Gene, GeneTerm } from '../../../contracts/genes.ts'
import { EmptyState } from '../../../kit/ui/controls/empty-state.tsx'
import { Tabs } from '../../../kit/ui/controls/tabs.tsx'
import { useAspectName } from '../../../kit/ui/gene/biology-names.ts'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { useAssemblies } from '../../../kit/ui/portal-data.ts'
import { fileName } from '../../../kit/ui/table/export.ts'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import { phone, useMedia } from '../../../kit/ui/use-media.ts'
import { messages } from '../../messages/pages.ts'
import { useEntryAddress } from '../../shell/search-box.tsx'
import { useGeneReceipt } from './gene-files.ts'

/** Rows at first: the page is to be looked over. */
export const firstRows = 10

/** Of a vocabulary that has no aspects some files give its own name for one. */
const aspectOf = ({ namespace, source }: GeneTerm): string | null =>
  namespace === null || namespace.toLowerCase() === source.toLowerCase() ? null : namespace

/** What annotation says that the gene does, all vocabularies in one table. */
export const GeneTerms = ({ gene }: { gene: Gene }): ReactNode => {
  const receipt = useGeneReceipt(gene)
  const narrow = useMedia(phone)
  const t = useText(messages)
  const aspectName = useAspectName()
  const format = useFormat()
  const [chosen, setChosen] = useState('')
  const titles = useAssemblies().find((one) => one.id === gene.assembly)?.termTitles
  const sourceName = (source: string): string => format.text(titles?.[source] ?? source)
  const entryAddress = useEntryAddress()
  const sources = [...new Set(gene.terms.map((term) => term.source))]
  const shown = chosen === '' ? gene.terms : gene.terms.filter((term) => term.source === chosen)
  const where = (term: GeneTerm): string | null =>
    term.start === null || term.end === null ? null : `${format.number(term.start)}–${format.number(term.end)}`
  const has = (value: (term: GeneTerm) => unknown): boolean =>
    gene.terms.some((term) => value(term) !== null && value(term) !== '')
  const count = (source: string): number => gene.terms.filter((term) => term.source === source).length
  if (gene.terms.length === 0) return <EmptyState title={t('gene.terms.none')} why={t('gene.terms.noneWhy')} />
  return (
    <>
      {sources.length < 2 ? null : (
        <Tabs
          label={t('gene.function')}
          chosen={chosen}
          onChoose={setChosen}
          tabs={[
            { key: '', label: t('search.facetAll'), count: gene.terms.length },
            ...sources.map((source) => ({ key: source, label: sourceName(source), count: count(source) })),
          ]}
        />
      )}
      <ResultTable
        key={chosen}
        plain
        label={t('gene.terms.list')}
        name={fileName(gene.id, chosen === '' ? 'terms' : chosen)}
        receipt={receipt}
        pageSize={firstRows}
        rows={shown}
        rowKey={(term) => `${term.source}|${term.term}|${term.evidence}|${term.qualifier}|${term.start}|${term.end}`}
        columns={[
          {
            key: 'source',
            title: t('gene.source'),
            value: (term) => sourceName(term.source),
            // On a phone the term's own id says so.
            hidden: sources.length < 2 || chosen !== '' || narrow,
          },
          {
            key: 'term',
            title: t('gene.term'),
            kind: 'id',
            value: (term) => term.term,
            render: (term) => (
              <Link
                to={entryAddress({
                  type: 'term',
                  id: term.term,
                  assembly: null,
                  species: gene.species,
                })}
              >
                {term.term}
              </Link>
            ),
          },
          { key: 'name', title: t('gene.termName'), value: (term) => term.name },
          {
            key: 'namespace',
            title: t('gene.namespace'),
            value: (term) => aspectOf(term),
            render: (term) => {
              const aspect = aspectOf(term)
              return aspect === null ? '–' : aspectName(aspect)
            },
            hidden: !has(aspectOf),
          },
          {
            key: 'qualifier',
            title: t('gene.qualifier'),
            value: (term) => term.qualifier,
            hidden: !has((term) => term.qualifier),
          },
          {
            key: 'evidence',
            title: t('gene.evidence'),
            value: (term) => term.evidence,
            hidden: !has((term) => term.evidence),
          },
          { key: 'where', title: t('gene.where'), value: where, hidden: !has(where) },
        ]}
      />
    </>
  )
}
