import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { RegionText } from '../../kit/ui/gene/region-text.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { TableColumn } from '../../kit/ui/table/result-table.tsx'
import { around, locusText, mapAddress } from './map/map-address.ts'
import messages from './messages.ts'
import type { ContactRow, SearchResult } from './tool.ts'

const shownGenes = 6
const maxDecimals = 8

/** Decimals by which the smallest of these has two digits, so that numbers below each other are written alike. */
const decimalsOf = (values: readonly (number | null)[]): number => {
  const least = values.reduce<number>((low, value) => (value !== null && value > 0 && value < low ? value : low), 1)
  return Math.min(maxDecimals, 1 - Math.floor(Math.log10(least)))
}

export const useContactColumns = (result: SearchResult): TableColumn<ContactRow>[] => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, map, resolution, normalization, view, expectedFrom, rows } = result
  const decimals = decimalsOf(rows.flatMap(({ balanced, expected }) => [balanced, expected]))
  const fixed = (value: number | null): ReactNode =>
    value === null ? <span className="nv-none">–</span> : format.fixed(value, decimals)
  const lengthOf = (sequence: string): number =>
    map.chromosomes.find((one) => one.sequence === sequence)?.lengthBp ?? Number.MAX_SAFE_INTEGER
  const genesOf = (row: ContactRow): ReactNode => (
    <>
      {row.genes.slice(0, shownGenes).map(({ id, symbol }, at) => (
        <span key={id}>
          {at > 0 ? ', ' : ''}
          <Link to={geneAddress(id, assembly)} title={id}>
            {symbol === null ? <code>{id}</code> : <i>{symbol}</i>}
          </Link>
        </span>
      ))}
      {row.geneCount > shownGenes ? ` +${row.geneCount - shownGenes}` : ''}
    </>
  )
  const address = (row: ContactRow): string =>
    mapAddress({
      assembly,
      map: map.id,
      resolution,
      normalization,
      ...(row.sequence === view.sequence
        ? { locus: locusText({ sequence: row.sequence, ...around(view, row, lengthOf(row.sequence)) }) }
        : {
            locus: locusText({ sequence: view.sequence, ...wider(view, lengthOf(view.sequence)) }),
            otherLocus: locusText({ sequence: row.sequence, ...wider(row, lengthOf(row.sequence)) }),
          }),
    })
  return [
    {
      key: 'bin',
      title: t('column.bin'),
      kind: 'region',
      value: (row) => locusText(row),
      on: ({ sequence }) => ({ assembly, sequence }),
      render: (row) => (
        <>
          <RegionText>{format.region(row.sequence, row.start, row.end)}</RegionText>{' '}
          {row.inAssembly ? null : (
            <Tag tone="amber" title={t('lacking.help', { assembly })}>
              {t('lacking.tag')}
            </Tag>
          )}
        </>
      ),
    },
    {
      key: 'inAssembly',
      title: t('column.inAssembly'),
      hidden: true,
      value: (row) => t(row.inAssembly ? 'value.yes' : 'value.no'),
    },
    {
      key: 'sequence',
      title: t('column.sequence'),
      hidden: true,
      value: (row) => row.sequence,
      on: ({ sequence }) => ({ assembly, sequence }),
    },
    { key: 'start', title: t('column.start'), kind: 'number', hidden: true, value: (row) => row.start },
    { key: 'end', title: t('column.end'), kind: 'number', hidden: true, value: (row) => row.end },
    { key: 'distance', title: t('column.distance'), kind: 'number', value: (row) => row.distance },
    {
      key: 'observed',
      title: t('column.observed'),
      kind: 'number',
      // Contacts are counted; those of maps that were scaled before are not whole.
      digits: rows.every(({ observed }) => Number.isInteger(observed)) ? 0 : 2,
      help: t('help.observed'),
      value: (row) => row.observed,
    },
    ...(normalization === 'none'
      ? []
      : [
          {
            key: 'balanced',
            title: t('column.balanced'),
            kind: 'number' as const,
            digits: decimals,
            help: t('help.balanced'),
            value: (row: ContactRow) => row.balanced,
            render: ({ balanced }: ContactRow) => fixed(balanced),
          },
        ]),
    ...(expectedFrom === null
      ? []
      : [
          {
            key: 'expected',
            title: t('column.expected'),
            kind: 'number' as const,
            digits: decimals,
            hidden: true,
            value: (row: ContactRow) => row.expected,
            render: ({ expected }: ContactRow) => fixed(expected),
          },
          {
            key: 'ratio',
            title: t('column.ratio'),
            kind: 'number' as const,
            digits: 2,
            help: t('help.ratio'),
            value: (row: ContactRow) => row.ratio,
          },
        ]),
    {
      key: 'genes',
      title: t('column.genes'),
      long: true,
      // Of a map without gene models there is none in any row.
      hidden: rows.every(({ genes }) => genes.length === 0),
      value: (row) => row.genes.map(({ id, symbol }) => symbol ?? id).join(' '),
      render: genesOf,
    },
    { key: 'geneCount', title: t('column.geneCount'), kind: 'number', hidden: true, value: (row) => row.geneCount },
    {
      key: 'map',
      title: t('column.map'),
      value: () => null,
      // A sequence without a place in the assembly is no place that a page could be opened at.
      render: (row) =>
        !row.inAssembly ? null : (
          <Link to={address(row)} aria-label={`${t('map.open')}: ${locusText(row)}`}>
            {t('map.openCell')}
          </Link>
        ),
    },
  ]
}

/** A bin with twenty of its size on each side. */
const wider = ({ start, end }: { start: number; end: number }, lengthBp: number): { start: number; end: number } => {
  const room = (end - start + 1) * 20
  return { start: Math.max(1, start - room), end: Math.min(lengthBp, end + room) }
}
