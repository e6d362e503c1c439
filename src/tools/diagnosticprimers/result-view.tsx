import { Download, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { receiptLines } from '../../contracts/tools/receipt.ts'
import { orderColumns, orderRows } from '../../kit/primer-order.ts'
import { useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { browserAddress } from '../../kit/ui/browser-address.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts, Tag } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { RegionText } from '../../kit/ui/gene/region-text.tsx'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { downloadTable, downloadText } from '../../kit/ui/table/export.ts'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import type { ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { GelFigure, groupWord } from './gel-figure.tsx'
import messages from './messages.ts'
import { allPairs, orderedOligos, orderedSequence, renderDiagnosticOrder, renderProducts } from './order-files.ts'
import type { DiagnosticInput, DiagnosticPair, DiagnosticResult, Oligo, Outcome } from './tool.ts'
import { verdictOf } from './verdict.ts'

type Props = ResultProps<DiagnosticInput, DiagnosticResult>
const pairKey = `${viewPrefix}pair`

const usePairWords = () => {
  const t = useText(messages)
  const format = useFormat()
  return {
    siteOf: ({ site }: DiagnosticPair): string =>
      t(`site.${site.kind}`, {
        size: format.number(Math.abs(site.lengthBp)),
        target: site.alleles?.target ?? '',
        spare: site.alleles?.spare ?? '',
      }),
    kindOf: ({ kind, enzyme }: DiagnosticPair): string =>
      t(kind === 'caps' && enzyme?.derived !== null ? 'kind.dcaps' : `kind.${kind}`),
    roleOf: (pair: DiagnosticPair, { role }: Oligo): string =>
      t(`role.${role}`, { allele: (role === 'fam' ? pair.site.alleles?.target : pair.site.alleles?.spare) ?? '' }),
    alleleOf: (pair: DiagnosticPair, { allele }: Outcome): string | null =>
      allele === null
        ? null
        : t(`allele.${allele}`, {
            allele: (allele === 'fam' ? pair.site.alleles?.target : pair.site.alleles?.spare) ?? '',
          }),
    bandsOf: ({ bands, bandCount }: Outcome): string =>
      bands.length === 0
        ? t('result.noBand')
        : `${bands.map(({ lengthBp }) => format.number(lengthBp)).join(', ')}${bandCount > bands.length ? ' …' : ''}`,
  }
}

const VerdictTag = ({ pair }: { pair: DiagnosticPair }): ReactNode => {
  const t = useText(messages)
  const verdict = verdictOf(pair)
  if (verdict === 'verdict.no') return <Tag tone="amber">{t(verdict)}</Tag>
  return (
    <Tag {...(pair.sure ? {} : { tone: 'blue' as const })} title={t(`${verdict}Why`)}>
      {t(verdict)}
    </Tag>
  )
}

const PairTable = ({
  result,
  receipt,
  chosen,
  onChoose,
}: Pick<Props, 'result' | 'receipt'> & { chosen: number; onChoose: (rank: number) => void }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const words = usePairWords()
  const [selected, setSelected] = useState<DiagnosticPair[]>([])
  const all = allPairs(result)
  const { multiplex } = result
  const save = (kind: string, pairs: readonly DiagnosticPair[]): void => {
    const head = receiptLines(receipt)
    const name = 'diagnostic-primers'
    const order = { columns: [...orderColumns], rows: orderRows(orderedOligos(pairs)), receipt }
    if (kind === 'order')
      downloadText(renderDiagnosticOrder(pairs, head), `${name}.order.tsv`, 'text/tab-separated-values')
    else if (kind === 'csv' || kind === 'xlsx') void downloadTable(order, `${name}.order`, kind)
    else downloadText(renderProducts(pairs, head), `${name}.products.tsv`, 'text/tab-separated-values')
  }
  const groups: [string, string, DiagnosticPair[]][] = [
    ...(selected.length === 0
      ? []
      : [['chosen', t('pairs.chosen', { count: selected.length }), selected] as [string, string, DiagnosticPair[]]]),
    ['best', t('pairs.best'), result.pairs.slice(0, 1)],
    ...(multiplex === null
      ? []
      : [
          ['multiplex', t('pairs.multiplex'), all.filter(({ rank }) => multiplex.ranks.includes(rank))] as [
            string,
            string,
            DiagnosticPair[],
          ],
        ]),
    ['all', t('pairs.all'), all],
  ]
  const files = (
    <Menu
      look="primary"
      size="small"
      icon={<Download size={14} aria-hidden />}
      label={t('pairs.files')}
      items={groups.flatMap(([group, label, pairs]) => [
        { key: group, heading: true, label },
        ...(
          [
            ['order', 'pairs.order'],
            ['csv', 'pairs.orderCsv'],
            ['xlsx', 'pairs.orderXlsx'],
            ['products', 'pairs.products'],
          ] as const
        ).map(([kind, text]) => ({ key: `${group}-${kind}`, label: t(text), run: () => save(kind, pairs) })),
      ])}
    />
  )
  const isSnp = result.method === 'snp'
  const columns: TableColumn<DiagnosticPair>[] = [
    {
      key: 'rank',
      title: t('column.rank'),
      value: (pair) => (pair.kind === 'control' ? t('kind.control') : format.number(pair.rank)),
    },
    ...(isSnp ? [{ key: 'kind', title: t('column.kind'), value: words.kindOf }] : []),
    {
      key: 'verdict',
      title: t('column.verdict'),
      main: true,
      value: (pair) => (pair.kind === 'control' ? null : t(verdictOf(pair))),
      render: (pair) => (pair.kind === 'control' ? '–' : <VerdictTag pair={pair} />),
    },
    { key: 'product', title: t('column.product'), main: true, kind: 'number', value: ({ productBp }) => productBp },
    { key: 'site', title: t('column.site'), value: words.siteOf },
    {
      key: 'genes',
      title: t('column.genes'),
      main: true,
      value: ({ site }) =>
        `${site.genes.map(({ id, symbol }) => symbol ?? id).join(', ')}${site.moreGenes ? ' …' : ''}`,
      render: ({ site }) => (
        <>
          {site.genes.map(({ id, symbol }) => (
            <span key={id}>
              <GeneLink id={id} assembly={site.genesOf} symbol={symbol} />{' '}
            </span>
          ))}
          {site.moreGenes ? '…' : null}
        </>
      ),
    },
    ...(isSnp
      ? [
          {
            key: 'enzyme',
            title: t('column.enzyme'),
            value: ({ enzyme }: DiagnosticPair) => enzyme?.name ?? null,
          },
        ]
      : []),
    {
      key: 'forward',
      title: t('column.forward'),
      kind: 'id',
      main: true,
      value: ({ oligos }) => oligos[0]!.sequence,
    },
    {
      key: 'reverse',
      title: t('column.reverse'),
      kind: 'id',
      main: true,
      value: ({ oligos }) => oligos.at(-1)!.sequence,
    },
    {
      key: 'tm',
      title: t('column.tm'),
      kind: 'id',
      value: ({ oligos }) => oligos.map(({ tm }) => format.fixed(tm, 1)).join(' / '),
    },
    {
      key: 'complEnd',
      title: t('column.complEnd'),
      kind: 'number',
      digits: 1,
      hidden: true,
      value: ({ complEnd }) => complEnd,
    },
    {
      key: 'position',
      title: t('column.position'),
      kind: 'region',
      value: ({ sequence, start, end }) => `${sequence}:${start}..${end}`,
      on: ({ assembly, sequence }) => ({ assembly, sequence }),
    },
    { key: 'penalty', title: t('column.penalty'), kind: 'number', digits: 2, value: ({ penalty }) => penalty },
  ]
  const title = t(isSnp ? 'pairs.assays' : 'pairs.title')
  return (
    <Card title={title} actions={files} flush>
      <ResultTable
        label={title}
        name="diagnostic-primers"
        receipt={receipt}
        rows={all}
        rowKey={({ rank }) => String(rank)}
        columns={columns}
        onRow={({ rank }) => onChoose(rank)}
        onSelect={setSelected}
        marked={String(chosen)}
      />
    </Card>
  )
}

const OutcomeTable = ({ pair, receipt }: { pair: DiagnosticPair; receipt: Props['receipt'] }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const words = usePairWords()
  const title = pair.kind === 'control' ? t('detail.controlProducts') : t('detail.products', { rank: pair.rank })
  const columns: TableColumn<Outcome>[] = [
    { key: 'assembly', title: t('column.assembly'), main: true, value: ({ assembly }) => nameOf(assembly) },
    {
      key: 'group',
      title: t('column.group'),
      value: ({ group }) => t(groupWord(pair.kind, group)),
    },
    {
      key: 'result',
      title: t('column.result'),
      main: true,
      value: ({ asAsked }) => t(asAsked === null ? 'result.none' : asAsked ? 'result.yes' : 'result.no'),
      render: ({ asAsked }) =>
        asAsked === null ? (
          '–'
        ) : (
          <Tag tone={asAsked ? 'green' : 'amber'}>{t(asAsked ? 'result.yes' : 'result.no')}</Tag>
        ),
    },
    ...(pair.kind === 'kasp'
      ? [{ key: 'allele', title: t('column.allele'), main: true, value: (one: Outcome) => words.alleleOf(pair, one) }]
      : []),
    { key: 'bands', title: t('column.bands'), main: true, kind: 'id', value: words.bandsOf },
    ...(pair.kind === 'caps'
      ? [
          {
            key: 'fragments',
            title: t('column.fragments'),
            main: true,
            kind: 'id' as const,
            value: ({ fragments }: Outcome) => fragments.map((size) => format.number(size)).join(' + '),
          },
        ]
      : []),
    {
      key: 'locus',
      title: t('column.position'),
      kind: 'region',
      value: ({ bands }) => bands.map(({ sequence, start, end }) => `${sequence}:${start}..${end}`).join(', '),
      on: ({ assembly, bands }) => (bands[0] === undefined ? null : { assembly, sequence: bands[0].sequence }),
    },
    {
      key: 'mismatches',
      title: t('column.mismatches'),
      value: ({ bands }) =>
        bands.map(({ mismatches, threePrimeMismatches }) => `${mismatches} (${threePrimeMismatches})`).join(', '),
    },
    {
      key: 'weak',
      title: t('column.weak'),
      help: t('column.weakHelp'),
      kind: 'number',
      value: ({ weak }) => weak,
    },
  ]
  return (
    <Card title={title} flush>
      <ResultTable
        label={title}
        name={`diagnostic-primers-${pair.rank}`}
        receipt={receipt}
        rows={pair.outcomes}
        rowKey={({ assembly }) => assembly}
        columns={columns}
        pageSize={50}
      />
    </Card>
  )
}

const PairDetail = ({ pair, receipt }: { pair: DiagnosticPair; receipt: Props['receipt'] }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const words = usePairWords()
  const regionOf = useRegionLabel()
  const { assembly, sequence, start, end, enzyme } = pair
  const title = pair.kind === 'control' ? t('detail.control') : t('detail.pair', { rank: pair.rank })
  return (
    <Card
      title={title}
      actions={
        <ButtonLink
          size="small"
          icon={<Search size={14} aria-hidden />}
          to={browserAddress({ assembly, sequence, start, end })}
        >
          {t('detail.browse')}
        </ButtonLink>
      }
      flush
    >
      <div className="diagnostic-text">
        <Facts
          facts={[
            { name: t('column.site'), value: words.siteOf(pair) },
            { name: t('column.product'), value: format.number(pair.productBp) },
            {
              name: t('column.position'),
              value: (
                <code>
                  <RegionText>{regionOf(assembly, { sequence, start, end })}</RegionText>
                </code>
              ),
            },
            ...(enzyme === null
              ? []
              : [
                  {
                    name: t('column.enzyme'),
                    value: `${t('detail.cuts', { enzyme: enzyme.name, site: enzyme.site, cuts: enzyme.cuts })}${
                      enzyme.derived === null ? '' : ` ${t('detail.changed', enzyme.derived)}`
                    }`,
                    wide: true,
                  },
                ]),
          ]}
        />
      </div>
      <ResultTable
        label={`${title}: ${t('detail.primers')}`}
        name={`diagnostic-primers-${pair.rank}-oligos`}
        receipt={receipt}
        rows={pair.oligos}
        rowKey={({ role }) => role}
        plain
        columns={[
          { key: 'role', title: t('column.role'), value: (oligo) => words.roleOf(pair, oligo) },
          {
            key: 'sequence',
            title: t('column.sequence'),
            kind: 'id',
            main: true,
            value: orderedSequence,
            render: (oligo) => {
              const tail = orderedSequence(oligo).slice(0, -oligo.sequence.length)
              return (
                <code className="diagnostic-oligo">
                  {tail === '' ? null : <span className="diagnostic-tail">{tail.toLowerCase()}</span>}
                  {oligo.sequence}
                </code>
              )
            },
          },
          { key: 'tm', title: t('column.tm'), kind: 'number', digits: 1, value: ({ tm }) => tm },
          { key: 'gc', title: t('column.gc'), kind: 'number', digits: 1, value: ({ gcPercent }) => gcPercent },
          {
            key: 'position',
            title: t('column.position'),
            kind: 'region',
            value: ({ start: from, end: to, strand }) => `${sequence}:${from}..${to}(${strand})`,
            on: () => ({ assembly, sequence }),
          },
        ]}
      />
    </Card>
  )
}

/** A pair beside its gel: what one would order. */
const PairSummary = ({ pair }: { pair: DiagnosticPair }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const words = usePairWords()
  return (
    <div className="diagnostic-summary">
      <strong>{pair.kind === 'control' ? t('detail.control') : t('detail.pair', { rank: pair.rank })}</strong>
      <Facts
        facts={[
          { name: t('column.site'), value: words.siteOf(pair) },
          { name: t('column.product'), value: format.number(pair.productBp) },
          ...pair.oligos.map((oligo) => ({
            name: words.roleOf(pair, oligo),
            value: <code className="diagnostic-oligo">{orderedSequence(oligo)}</code>,
          })),
          { name: t('column.tm'), value: pair.oligos.map(({ tm }) => format.fixed(tm, 1)).join(' / ') },
        ]}
      />
    </div>
  )
}

const MultiplexCard = ({ result, receipt }: Pick<Props, 'result' | 'receipt'>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { multiplex } = result
  if (multiplex === null)
    return (
      <Card title={t('multiplex.title')}>
        <p className="nv-quiet">{t('multiplex.none')}</p>
      </Card>
    )
  const nameOf = (rank: number): string => (rank === 0 ? t('gel.control') : t('gel.pair', { rank }))
  const primerOf = (name: string): string => {
    const [rank, role] = name.split(' ')
    return `${nameOf(Number(rank))}, ${t(`role.${role as 'forward'}`)}`
  }
  return (
    <Card title={t('multiplex.title')} flush foot={<p className="nv-method">{t('multiplex.method')}</p>}>
      <p className="diagnostic-text">
        {t('multiplex.what', {
          pairs: format.series(multiplex.ranks.map(nameOf)),
          difference: result.minDifference,
          same: format.fixed(multiplex.tmMin, 1) === format.fixed(multiplex.tmMax, 1) ? 'yes' : 'no',
          min: format.fixed(multiplex.tmMin, 1),
          max: format.fixed(multiplex.tmMax, 1),
        })}
      </p>
      <ResultTable
        label={t('multiplex.title')}
        name="diagnostic-primers-multiplex"
        receipt={receipt}
        rows={multiplex.dimers}
        rowKey={({ first, second }) => `${first}|${second}`}
        plain
        columns={[
          { key: 'first', title: t('column.first'), value: ({ first }) => primerOf(first) },
          { key: 'second', title: t('column.second'), value: ({ second }) => primerOf(second) },
          { key: 'any', title: t('column.anyTm'), kind: 'number', digits: 1, value: ({ anyTm }) => anyTm },
          { key: 'end', title: t('column.endTm'), kind: 'number', digits: 1, value: ({ endTm }) => endTm },
        ]}
      />
    </Card>
  )
}

export const DiagnosticResultView = ({ input, result, receipt }: Props): ReactNode => {
  const t = useText(messages)
  const listOf = useAssemblyList()
  const [query, change] = useAddressValues()
  const all = allPairs(result)
  const asked = Number(query.get(pairKey) ?? 1)
  const pair = all.find(({ rank }) => rank === asked) ?? all[0]
  const across = useOpenings('amplifiedRegion')
  if (pair === undefined) {
    const { region } = result
    // Where places differ, of which none has primers, this is not what is missing.
    const junction = result.siteCount === 0 && result.method !== 'snp' ? region : null
    return (
      <EmptyState
        title={t('none.title')}
        why={
          <>
            {result.siteCount === 0 ? t('none.differences') : t('none.primers', { count: result.siteCount })}
            {junction === null || across.length === 0 ? null : <p>{t('none.junction')}</p>}
          </>
        }
        action={
          junction === null
            ? undefined
            : across.map((opening) => (
                <ButtonLink key={opening.tool.id} to={opening.address({ ...junction, place: '' })}>
                  {opening.label}
                </ButtonLink>
              ))
        }
      />
    )
  }
  return (
    <>
      {result.discriminating === 0 ? <p className="nv-warn">{t('note.fail')}</p> : null}
      {result.leftOut.length === 0 ? null : (
        <p className="nv-warn">{t('note.leftOut', { names: listOf(result.leftOut) })}</p>
      )}
      <p className="nv-quiet">
        {t('note.loaded', {
          genomes:
            result.groups.target.length +
            result.groups.spare.length +
            result.groups.sized.length +
            result.others.length,
        })}
      </p>
      <GelFigure
        result={result}
        receipt={receipt}
        chosen={pair.rank}
        about={(one) => <PairSummary key={one.rank} pair={one} />}
      />
      <PairTable
        result={result}
        receipt={receipt}
        chosen={pair.rank}
        onChoose={(rank) => change({ [pairKey]: String(rank) }, true)}
      />
      <PairDetail pair={pair} receipt={receipt} />
      <OutcomeTable pair={pair} receipt={receipt} />
      {result.method === 'snp' || input.multiplex < 2 ? null : <MultiplexCard result={result} receipt={receipt} />}
      {input.control && result.control === null && result.method !== 'snp' ? (
        <p className="nv-quiet">{t('note.noControl')}</p>
      ) : null}
    </>
  )
}
