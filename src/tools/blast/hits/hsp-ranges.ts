import type { FigureNumbers } from '../../../kit/ui/figures/figure-frame.tsx'
import type { Translate } from '../../../kit/ui/language.tsx'
import type { TableColumn } from '../../../kit/ui/table/result-table.tsx'
import type { HitAnswer } from '../endpoints.ts'
import { sequenceOf } from '../figures/figure-parts.tsx'
import type messages from '../messages.ts'

/** An HSP of a drawing: its hit, its range (query start and end, subject start and end, bits, % identity), its number in the hit. */
export interface HspRange {
  hit: HitAnswer
  range: HitAnswer['hsps'][number]
  number: number
}

export const rangesOf = (hits: HitAnswer[]): HspRange[] =>
  hits.flatMap((hit) => hit.hsps.map((range, at) => ({ hit, range, number: at + 1 })))

/** The numbers behind a drawing of HSPs, with the columns that it draws. */
export const rangeNumbers = (
  rows: HspRange[],
  drawn: ('subject' | 'assembly' | 'query' | 'range' | 'bits')[],
  t: Translate<keyof (typeof messages)['en']>,
  nameOf: (assembly: string) => string,
): FigureNumbers<HspRange> => {
  const number = (
    key: string,
    title: string,
    value: (row: HspRange) => number,
    digits?: number,
  ): TableColumn<HspRange> => ({ key, title, kind: 'number', digits, value })
  const columns: Record<(typeof drawn)[number], TableColumn<HspRange>[]> = {
    subject: [
      {
        key: 'subject',
        title: t('column.subject'),
        kind: 'id',
        value: (row) => row.hit.subject,
        on: ({ hit }) => sequenceOf(hit),
      },
    ],
    assembly: [
      {
        key: 'assembly',
        title: t('column.assembly'),
        value: ({ hit }) => (hit.assembly === null ? null : nameOf(hit.assembly)),
      },
    ],
    query: [
      number('queryStart', t('column.queryStart'), (row) => row.range[0]),
      number('queryEnd', t('column.queryEnd'), (row) => row.range[1]),
    ],
    range: [
      number('subjectStart', t('column.subjectStart'), (row) => row.range[2]),
      number('subjectEnd', t('column.subjectEnd'), (row) => row.range[3]),
    ],
    bits: [number('bits', t('column.bitScore'), (row) => row.range[4], 1)],
  }
  const named = drawn.filter((key) => key === 'subject' || key === 'assembly')
  const measured = drawn.filter((key) => key !== 'subject' && key !== 'assembly')
  return {
    columns: [
      ...named.flatMap((key) => columns[key]),
      number('hsp', t('numbers.hsp'), (row) => row.number),
      ...measured.flatMap((key) => columns[key]),
      number('identity', t('column.identity'), (row) => row.range[5], 3),
    ],
    rows,
    rowKey: (row) => `${row.hit.rank}.${row.number}`,
  }
}
