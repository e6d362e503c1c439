import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import type { FigureNumbers } from '../../kit/ui/figures/figure-frame.tsx'
import { viridis } from '../../kit/ui/figures/palette.ts'
import { useCollectionName } from '../../kit/ui/gene/collection-name.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { CollectionResult, EnrichmentResult, TermResult } from './tool.ts'

/** What every figure of enriched terms is given; `of` is how many terms there are, of which `terms` are drawn. */
export interface TermFigureProps {
  result: EnrichmentResult
  terms: TermResult[]
  of: number
  receipt: Receipt
}

export const termKey = `${viewPrefix}term`

/** The least p-value of a figure's scale: nothing below it is a number of its own. */
const minShown = 1e-320

export const significance = (pValue: number): number => 0 - Math.log10(Math.max(pValue, minShown))

/** Dark for what tells most, at both ends readable on either ground with an outline. */
export const significanceColour = (pValue: number, max: number): string =>
  viridis(0.95 - 0.85 * Math.min(1, significance(pValue) / Math.max(max, 1e-9)))

export const termName = ({ id, name }: { id: string; name: string | null }): string => name ?? id

export const shorten = (text: string, room: number): string =>
  text.length > room ? `${text.slice(0, room - 1)}…` : text

/** Chooses a term: what is drawn of it leads to its genes in the table below. */
export const TermChoice = ({ id, children }: { id: string; children: ReactNode }): ReactNode => {
  const [query] = useAddressValues()
  const search = new URLSearchParams(query)
  search.set(termKey, id)
  return (
    <Link to={{ search: `?${search}` }} replace preventScrollReset className="enr-choice">
      {children}
    </Link>
  )
}

export const useTermTitle = (): ((term: TermResult, collection: CollectionResult) => string) => {
  const t = useText(messages)
  const format = useFormat()
  return (term, collection) =>
    t('figure.row', {
      term: `${termName(term)} (${term.id})`,
      set: term.setCount,
      setSize: collection.setGenes,
      background: term.backgroundCount,
      backgroundSize: collection.backgroundGenes,
      fold: format.number(term.fold, 1),
      pValue: format.pValue(term.adjustedPValue),
    })
}

/** The columns of a term, for the table and for the numbers behind the figures. */
export const useTermColumns = (result: EnrichmentResult): TableColumn<TermResult>[] => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useCollectionName(result.assembly)
  const symbolOf = (at: number): string => result.genes[at]?.symbol ?? result.genes[at]?.id ?? ''
  return [
    { key: 'name', title: t('column.name'), long: true, value: termName },
    { key: 'id', title: t('column.term'), kind: 'id', value: ({ id }) => id },
    {
      key: 'adjusted',
      title: t('column.adjusted'),
      kind: 'pValue',
      main: true,
      value: ({ adjustedPValue }) => adjustedPValue,
    },
    { key: 'p', title: t('column.pValue'), kind: 'pValue', value: ({ pValue }) => pValue },
    { key: 'set', title: t('column.set'), kind: 'number', value: ({ setCount }) => setCount },
    {
      key: 'background',
      title: t('column.background'),
      kind: 'number',
      value: ({ backgroundCount }) => backgroundCount,
    },
    {
      key: 'share',
      title: t('column.share'),
      kind: 'number',
      value: ({ setCount, backgroundCount }) => setCount / backgroundCount,
      render: ({ setCount, backgroundCount }) => format.percent(setCount / backgroundCount, 0),
      hidden: true,
    },
    { key: 'fold', title: t('column.fold'), kind: 'number', main: true, digits: 2, value: ({ fold }) => fold },
    {
      key: 'odds',
      title: t('column.odds'),
      kind: 'number',
      digits: 2,
      value: ({ oddsRatio }) => oddsRatio,
      hidden: true,
    },
    {
      key: 'collection',
      title: t('column.collection'),
      value: ({ collection }) => nameOf(result.collections[collection]!),
      hidden: result.collections.length === 1,
    },
    { key: 'genes', title: t('column.genes'), long: true, value: ({ genes }) => genes.map(symbolOf).join(' ') },
  ]
}

export const useTermNumbers = (result: EnrichmentResult, rows: TermResult[]): FigureNumbers<TermResult> => ({
  rows,
  rowKey: ({ collection, id }) => `${collection} ${id}`,
  columns: useTermColumns(result),
})
