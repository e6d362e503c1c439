import { Link } from 'react-router'
import { transposonClass, transposonName } from '../../bio/repeats/transposon-classes.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { type Translate, useLanguage, useText } from '../../kit/ui/language.tsx'
import type { TableColumn } from '../../kit/ui/table/table-frame.tsx'
import { ageMy, CodeName, infoAddress } from './element-parts.tsx'
import messages from './messages.ts'
import type { Element, GeneElement } from './tool.ts'

/** The column of ages, alike for loaded elements and found ones; none without a rate. */
export const ageColumns = <Row,>(
  of: (row: Row) => { ltrDivergence: number | null },
  rate: number | null,
  t: Translate<'column.age' | 'help.age'>,
): TableColumn<Row>[] =>
  rate === null
    ? []
    : [
        {
          key: 'age',
          title: t('column.age', { rate: rate.toExponential() }),
          help: t('help.age'),
          kind: 'number',
          digits: 3,
          value: (row) => ageMy(of(row).ltrDivergence, rate),
        },
      ]

/** Columns of a gene and how an element lies to it. */
export const nearColumns = <
  Row extends Pick<GeneElement, 'relation' | 'distanceBp'> & {
    gene: Pick<GeneElement['gene'], 'id' | 'assembly' | 'symbol'>
  },
>(
  t: Translate<
    | 'column.gene'
    | 'column.symbol'
    | 'column.relation'
    | 'help.relation'
    | 'column.distance'
    | `relation.${GeneElement['relation']}`
  >,
): TableColumn<Row>[] => [
  {
    key: 'gene',
    title: t('column.gene'),
    kind: 'id',
    value: ({ gene }) => gene.id,
    render: ({ gene }) => <GeneLink id={gene.id} assembly={gene.assembly} />,
  },
  { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ gene }) => gene.symbol },
  {
    key: 'relation',
    title: t('column.relation'),
    help: t('help.relation'),
    value: ({ relation }) => t(`relation.${relation}`),
  },
  { key: 'distance', title: t('column.distance'), kind: 'number', value: ({ distanceBp }) => distanceBp },
]

/** Columns of loaded elements, alike in every table of them; `rate` tells ages, and without one there is no column of them. */
export const useElementColumns = <Row,>(of: (row: Row) => Element, rate: number | null): TableColumn<Row>[] => {
  const t = useText(messages)
  const language = useLanguage()
  return [
    {
      key: 'id',
      title: t('column.id'),
      kind: 'id',
      value: (row) => of(row).id,
      render: (row) => <Link to={infoAddress(of(row).id, of(row).assembly)}>{of(row).id}</Link>,
    },
    {
      key: 'code',
      title: t('column.code'),
      kind: 'id',
      main: true,
      value: (row) => of(row).code,
      render: (row) => <CodeName code={of(row).code} />,
    },
    { key: 'class', title: t('column.class'), value: (row) => transposonName(of(row).code, language) },
    {
      key: 'masker',
      title: t('column.masker'),
      kind: 'id',
      hidden: true,
      value: (row) => transposonClass(of(row).code).repeatMasker,
    },
    { key: 'family', title: t('column.family'), value: (row) => of(row).family },
    { key: 'form', title: t('column.form'), value: (row) => t(`form.${of(row).form}`) },
    {
      key: 'sequence',
      title: t('column.sequence'),
      kind: 'id',
      value: (row) => of(row).sequence,
      on: (row) => of(row),
    },
    { key: 'start', title: t('column.start'), kind: 'number', main: true, value: (row) => of(row).start },
    { key: 'end', title: t('column.end'), kind: 'number', value: (row) => of(row).end },
    { key: 'strand', title: t('column.strand'), kind: 'id', value: (row) => of(row).strand },
    { key: 'length', title: t('column.length'), kind: 'number', main: true, value: (row) => of(row).lengthBp },
    {
      key: 'ltrIdentity',
      title: t('column.ltrIdentity'),
      kind: 'number',
      digits: 2,
      value: (row) => of(row).ltrIdentity,
    },
    {
      key: 'ltrDivergence',
      title: t('column.ltrDivergence'),
      help: t('help.ltrDivergence'),
      kind: 'number',
      digits: 2,
      hidden: true,
      value: (row) => of(row).ltrDivergence,
    },
    ...ageColumns(of, rate, t),
    {
      key: 'divergence',
      title: t('column.divergence'),
      help: t('help.divergence'),
      kind: 'number',
      digits: 2,
      value: (row) => of(row).divergence,
    },
  ]
}
