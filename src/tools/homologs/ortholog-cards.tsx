import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { GeneSummary } from '../../contracts/genes.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import type { GeneChoice } from '../../kit/ui/gene/chosen-genes.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { homologsAddress } from './homolog-table.tsx'
import messages from './messages.ts'
import { countColumn, listPairs, type OrthologPair, orthologsIn, stateOf } from './ortholog-counts.ts'
import type { OrthologRow, OrthologTable } from './tool.ts'

/** Genes of a cell that are named. */
const mostNamed = 3
/** Genomes that a phone shows first: the furthest stand last. */
const mainGenomes = 2

const keyOf = ({ assembly, id }: GeneSummary): string => `${assembly}/${id}`

interface Props {
  table: OrthologTable
  /** Genomes that the comparison does not know. */
  missing: readonly string[]
  receipt: Receipt
}

/** Of which genes something is to be known before the table is read. */
const Notes = ({ table, missing }: Pick<Props, 'table' | 'missing'>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const named = (rows: readonly OrthologRow[]): string => format.names(rows.map(({ gene }) => gene.id))
  const without = table.rows.filter(({ cells }) => cells.length === 0 && table.assemblies.length > 0)
  const uncompared = without.filter(({ gene }) => missing.includes(gene.assembly))
  const noProtein = without.filter((row) => !uncompared.includes(row))
  const ambiguous = table.rows.filter(({ otherInterpretations }) => otherInterpretations.length > 0)
  return (
    <>
      {table.unknown.length === 0 ? null : (
        <p className="nv-warn">{t('orthologs.unknown', { names: format.names(table.unknown) })}</p>
      )}
      {uncompared.length === 0 ? null : (
        <p className="nv-warn">{t('orthologs.uncompared', { names: named(uncompared) })}</p>
      )}
      {noProtein.length === 0 ? null : (
        <p className="nv-quiet">{t('orthologs.noProtein', { names: named(noProtein) })}</p>
      )}
      {ambiguous.length === 0 ? null : (
        <p className="nv-quiet">
          {t('orthologs.ambiguous', { names: format.names(ambiguous.map(({ query }) => query)) })}
        </p>
      )}
    </>
  )
}

const MatrixCard = ({ table, missing, receipt }: Props): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const { assemblies, rows } = table
  const genome = (assembly: string, at: number): TableColumn<OrthologRow> => ({
    key: `in ${assembly}`,
    title: nameOf(assembly),
    kind: 'id',
    main: at >= assemblies.length - mainGenomes,
    value: (row) => {
      const ids = row.cells[at]?.genes.map(({ gene }) => gene).join(', ') ?? ''
      const state = stateOf(row, at, missing)
      return state === 'ortholog' ? ids : ids === '' ? t(`state.${state}`) : `${t(`state.${state}`)}: ${ids}`
    },
    render: (row) => {
      const state = stateOf(row, at, missing)
      const { genes = [], type = null, paralogs = 0 } = row.cells[at] ?? {}
      const shown = genes.slice(0, mostNamed)
      const more = (state === 'paralogs' ? paralogs : genes.length) - shown.length
      const notes = [
        ...(shown.length === 1 && shown[0]!.identity !== null
          ? [t('cell.identity', { identity: format.fixed(shown[0]!.identity, 1) })]
          : []),
        ...(type === null || type === 'one2one' ? [] : [t(`type.${type}`)]),
      ]
      return (
        <span className="hom-orthologs">
          {state === 'ortholog' ? null : <span className="nv-quiet">{t(`state.${state}`)}</span>}
          {shown.map(({ gene, symbol }) => (
            <GeneLink key={gene} id={gene} assembly={assembly} symbol={symbol} />
          ))}
          {more > 0 ? <span className="nv-quiet">{t('cell.more', { count: more })}</span> : null}
          {notes.length === 0 ? null : <small className="nv-quiet">{notes.join(' · ')}</small>}
        </span>
      )
    },
  })
  const columns: TableColumn<OrthologRow>[] = [
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: ({ gene }) => gene.id,
      render: ({ gene }) => <GeneLink id={gene.id} assembly={gene.assembly} symbol={gene.symbol} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', hidden: true, value: ({ gene }) => gene.symbol },
    { key: 'asked', title: t('column.asked'), hidden: true, value: ({ query }) => query },
    { key: 'assembly', title: t('column.assembly'), hidden: true, value: ({ gene }) => nameOf(gene.assembly) },
    ...assemblies.map(genome),
    {
      key: 'paralogs',
      title: t('column.paralogs'),
      kind: 'id',
      hidden: true,
      value: ({ paralogs }) => paralogs.join(', '),
    },
    { key: 'description', title: t('column.description'), long: true, value: ({ gene }) => gene.description },
    {
      key: 'orthogroup',
      title: t('column.orthogroup'),
      help: t('help.orthogroup'),
      kind: 'id',
      value: ({ orthogroup }) => orthogroup,
      render: ({ orthogroup, gene }) =>
        orthogroup === null ? (
          <span className="nv-none">–</span>
        ) : (
          <Link to={homologsAddress(gene)} title={t('help.orthogroup')}>
            {orthogroup}
          </Link>
        ),
    },
  ]
  const choices: [GeneChoice, ...GeneChoice[]] = [
    {
      key: '',
      label: t('orthologs.queries', { count: rows.length }),
      genes: rows.map(({ gene }) => ({ id: gene.id, assembly: gene.assembly })),
    },
    ...assemblies.flatMap((assembly, at): GeneChoice[] => {
      const genes = orthologsIn(table, at)
      const name = nameOf(assembly)
      if (genes.length === 0) return []
      return [
        {
          key: assembly,
          label: t('orthologs.column', { count: genes.length, assembly: name }),
          name: t('orthologs.set', { assembly: name }),
          genes,
        },
      ]
    }),
  ]
  const foot = (column: TableColumn<OrthologRow>, passing: readonly OrthologRow[]): ReactNode => {
    if (column.key === 'gene') return t('orthologs.footGenes')
    const at = assemblies.findIndex((assembly) => column.key === `in ${assembly}`)
    if (at === -1) return null
    const { all, count, one2one, paralogs } = countColumn(passing, at)
    return (
      <span
        title={t('orthologs.footTitle', {
          assembly: column.title,
          count,
          one2one,
          paralogs,
          none: all - count - paralogs,
        })}
      >
        {t('orthologs.foot', { count, all })}
      </span>
    )
  }
  return (
    <Card title={t('orthologs.title')} flush actions={<GeneSetMenu choices={choices} />}>
      <ResultTable
        columns={columns}
        rows={rows}
        rowKey={({ gene }) => keyOf(gene)}
        gene={({ gene }) => ({ id: gene.id, assembly: gene.assembly })}
        foot={foot}
        name="orthologs"
        receipt={receipt}
        label={t('orthologs.title')}
      />
      <p className="nv-quiet hom-note">{t('orthologs.note')}</p>
    </Card>
  )
}

const PairCard = ({ table, missing, receipt }: Props): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const percent = (
    key: 'identity' | 'coverage' | 'targetCoverage',
    title: string,
    main = false,
  ): TableColumn<OrthologPair> => ({
    key,
    title,
    main,
    kind: 'number',
    digits: 1,
    value: ({ ortholog }) => ortholog?.[key] ?? null,
  })
  const columns: TableColumn<OrthologPair>[] = [
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: ({ gene }) => gene.id,
      render: ({ gene }) => <GeneLink id={gene.id} assembly={gene.assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ gene }) => gene.symbol },
    { key: 'assembly', title: t('column.assembly'), main: true, value: ({ assembly }) => nameOf(assembly) },
    { key: 'state', title: t('column.state'), value: ({ state }) => t(`state.${state}`) },
    {
      key: 'ortholog',
      title: t('column.ortholog'),
      kind: 'id',
      main: true,
      value: ({ ortholog }) => ortholog?.gene ?? null,
      render: ({ ortholog, assembly }) =>
        ortholog === null ? <span className="nv-none">–</span> : <GeneLink id={ortholog.gene} assembly={assembly} />,
    },
    {
      key: 'orthologSymbol',
      title: t('column.orthologSymbol'),
      kind: 'symbol',
      value: ({ ortholog }) => ortholog?.symbol ?? null,
    },
    {
      key: 'type',
      title: t('column.type'),
      help: t('help.type'),
      value: ({ type }) => (type === null ? null : t(`type.${type}`)),
    },
    percent('identity', t('column.identity'), true),
    percent('coverage', t('column.coverage')),
    percent('targetCoverage', t('column.orthologCoverage')),
    { key: 'orthogroup', title: t('column.orthogroup'), kind: 'id', value: ({ orthogroup }) => orthogroup },
    {
      key: 'description',
      title: t('column.description'),
      long: true,
      hidden: true,
      value: ({ gene }) => gene.description,
    },
  ]
  return (
    <Card title={t('orthologs.pairs')} flush>
      <ResultTable
        columns={columns}
        rows={listPairs(table, missing)}
        rowKey={({ gene, assembly, ortholog }) => `${keyOf(gene)} ${assembly} ${ortholog?.gene ?? ''}`}
        gene={({ ortholog, assembly, state }) =>
          ortholog === null || state !== 'ortholog' ? null : { id: ortholog.gene, assembly }
        }
        name="ortholog-pairs"
        receipt={receipt}
        label={t('orthologs.pairs')}
      />
    </Card>
  )
}

/** The orthologs of many genes: genome by genome, and pair by pair with what was computed of each. */
export const OrthologCards = (props: Props): ReactNode => (
  <>
    <Notes {...props} />
    <MatrixCard {...props} />
    <PairCard {...props} />
  </>
)
