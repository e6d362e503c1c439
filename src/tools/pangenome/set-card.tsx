import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { geneStatesAddress } from '../../kit/ui/gene/gene-states.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { classesByCount, useClassBounds } from './families.ts'
import { FamilyLinks } from './family-links.tsx'
import messages from './messages.ts'
import type { PanGenome, SetRow } from './tool.ts'

const maxShown = 3
/** The genes asked for: their families, and the genes of these in each assembly. */
export const SetCard = ({ result, receipt }: { result: PanGenome; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const assemblyName = useAssemblyNames()
  const [bounds] = useClassBounds()
  const { set, assemblies } = result
  if (set === null) return null
  const classes = classesByCount(assemblies.length, bounds)
  const rows = set.rows.filter(({ family }) => family !== null)
  const without = set.rows.filter(({ family }) => family === null)
  const presentOf = ({ members }: SetRow): number => members.filter((genes) => genes.length > 0).length
  const columns: TableColumn<SetRow>[] = [
    {
      key: 'gene',
      title: t('set.gene'),
      kind: 'id',
      value: ({ gene }) => gene,
      render: ({ gene, assembly, symbol }) => <GeneLink id={gene} assembly={assembly} symbol={symbol} />,
    },
    { key: 'asked', title: t('column.asked'), hidden: true, value: ({ query }) => query },
    { key: 'assembly', title: t('column.assembly'), hidden: true, value: ({ assembly }) => assemblyName(assembly) },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', hidden: true, value: ({ symbol }) => symbol },
    { key: 'description', title: t('column.description'), long: true, value: ({ description }) => description },
    {
      key: 'family',
      title: t('column.family'),
      kind: 'id',
      value: ({ family }) => family!,
      render: (row) => <FamilyLinks family={row.family!} gene={row.gene} assembly={row.assembly} />,
    },
    {
      key: 'itself',
      title: t('families.gene'),
      help: t('help.geneItself'),
      value: () => null,
      render: ({ gene, assembly }) => <Link to={geneStatesAddress(gene, assembly)}>{t('families.geneOpen')}</Link>,
    },
    {
      key: 'class',
      title: t('column.class'),
      main: true,
      value: (row) => t(`class.${classes[presentOf(row)] ?? 'private'}`),
    },
    { key: 'present', title: t('column.present'), main: true, kind: 'number', value: presentOf },
    ...assemblies.map(
      ({ id, partial }, at): TableColumn<SetRow> => ({
        key: `in ${id}`,
        title: assemblyName(id),
        kind: 'id',
        value: ({ members }) => members[at]!.join(', '),
        render: ({ members }) => {
          const genes = members[at]!
          if (genes.length === 0) return <span className="nv-quiet">{t(partial ? 'set.partial' : 'set.absent')}</span>
          return (
            <span className="pan-members">
              {genes.slice(0, maxShown).map((gene) => (
                <GeneLink key={gene} id={gene} assembly={id} />
              ))}
              {genes.length > maxShown ? ` … ${genes.length}` : ''}
            </span>
          )
        },
      }),
    ),
  ]
  return (
    <Card
      title={t('set.title')}
      flush
      actions={
        rows.length === 0 ? null : <GeneSetMenu genes={rows.map(({ gene, assembly }) => ({ id: gene, assembly }))} />
      }
    >
      {set.unknown.length === 0 ? null : (
        <p className="nv-warn pan-inset">{t('note.unknown', { names: format.names(set.unknown) })}</p>
      )}
      {without.length === 0 ? null : (
        <p className="nv-quiet pan-inset">
          {t('note.noProtein', { names: format.names(without.map(({ gene }) => gene)) })}
        </p>
      )}
      {rows.length === 0 ? null : (
        <ResultTable
          columns={columns}
          rows={rows}
          rowKey={({ query }) => query}
          name="families-of-genes"
          receipt={receipt}
          label={t('set.table')}
          gene={({ gene, assembly }) => ({ id: gene, assembly })}
        />
      )}
    </Card>
  )
}
