import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card, Tag } from '../../kit/ui/controls/card.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { GenomeVerdict, Product } from './tool.ts'

type Amplified = Omit<Product, 'kind'>

const tones = { intended: 'green', homologous: 'blue', elsewhere: 'amber', none: 'grey' } as const

/** "1 (0)": mismatches of a primer in a product, in brackets those at its 3′ end. */
const mismatchesOf = (product: Amplified, primer: 'left' | 'right'): string =>
  product.forward === primer
    ? `${product.forwardMismatches} (${product.forwardThreePrimeMismatches})`
    : `${product.reverseMismatches} (${product.reverseThreePrimeMismatches})`

/** One line for each genome searched: the product at the place, or that there is none, and what else the pair gives. */
export const GenomeTable = ({
  rank,
  genomes,
  name,
  receipt,
}: {
  rank: number
  genomes: readonly GenomeVerdict[]
  name: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const assemblyName = useAssemblyNames()
  const reported = (row: GenomeVerdict): string | null =>
    row.outcome === null || row.outcome === 'whole' || row.verdict === 'intended' ? null : t(`outcome.${row.outcome}`)
  const elsewhere = ({ elsewhere: count, bestElsewhere: best }: GenomeVerdict): string =>
    best === null
      ? t('elsewhere.none')
      : t('elsewhere.some', {
          count,
          length: best.lengthBp,
          mismatches: `${best.forwardMismatches} (${best.forwardThreePrimeMismatches}) + ${best.reverseMismatches} (${best.reverseThreePrimeMismatches})`,
        })
  const judged = ({ judgedBy, orthologs }: GenomeVerdict): string | null => {
    if (judgedBy === null) return null
    if (judgedBy !== 'gene' || orthologs === undefined) return t(`judged.${judgedBy}`)
    return orthologs.length === 0 ? t('judged.noGene') : t('judged.genes', { genes: orthologs.join(', ') })
  }
  const columns: TableColumn<GenomeVerdict>[] = [
    { key: 'assembly', title: t('column.assembly'), value: (row) => assemblyName(row.assembly) },
    {
      key: 'verdict',
      main: true,
      title: t('column.verdict'),
      value: (row) => [t(`verdict.${row.verdict}`), reported(row)].filter((part) => part !== null).join('. '),
      render: (row) => (
        <>
          <Tag tone={tones[row.verdict]}>{t(`verdict.${row.verdict}`)}</Tag>
          {reported(row) === null ? null : <small className="nv-quiet primer-outcome">{reported(row)}</small>}
        </>
      ),
    },
    {
      key: 'length',
      main: true,
      title: t('column.length'),
      value: (row) => row.product?.lengthBp ?? null,
      kind: 'number',
    },
    { key: 'difference', title: t('column.difference'), value: (row) => row.differenceBp, kind: 'number' },
    {
      key: 'mismatches',
      title: t('column.mismatches'),
      value: ({ product }) =>
        product === null ? null : `${mismatchesOf(product, 'left')} + ${mismatchesOf(product, 'right')}`,
    },
    { key: 'elsewhere', title: t('column.elsewhere'), long: true, value: elsewhere },
    {
      key: 'locus',
      title: t('column.locus'),
      kind: 'region',
      value: (row) => (row.product === null ? null : `${row.product.sequence}:${row.product.start}-${row.product.end}`),
      on: ({ assembly, product }) => (product === null ? null : { assembly, sequence: product.sequence }),
    },
    {
      key: 'judged',
      hidden: true,
      title: t('column.judged'),
      long: true,
      value: judged,
    },
  ]
  return (
    <Card title={t('genomes.title', { rank })} flush>
      <ResultTable
        label={t('genomes.title', { rank })}
        name={`${name}-${rank}-genomes`}
        receipt={receipt}
        rows={[...genomes]}
        rowKey={(row) => row.assembly}
        columns={columns}
      />
    </Card>
  )
}
