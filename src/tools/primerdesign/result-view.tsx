import { Dna, Download, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { receiptLines } from '../../contracts/tools/receipt.ts'
import { orderColumns, orderRows } from '../../kit/primer-order.ts'
import { useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { browserAddress } from '../../kit/ui/browser-address.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts, Tag } from '../../kit/ui/controls/card.tsx'
import { CopyButton } from '../../kit/ui/controls/copy-button.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { downloadTable, downloadText, fileName } from '../../kit/ui/table/export.ts'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import type { ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { countOf, mainReason, wordsOf } from './explain-words.ts'
import { GenomeTable } from './genome-table.tsx'
import messages from './messages.ts'
import {
  type ChosenPair,
  orderedOligos,
  renderBed,
  renderGff3,
  renderPairOrder,
  renderPrimerFasta,
} from './order-files.ts'
import { PairDetails } from './pair-details.tsx'
import { TemplateFigure } from './template-figure.tsx'
import type { Design, Pair, PrimerInput, PrimerResult, Product } from './tool.ts'

const templateKey = `${viewPrefix}template`
const pairKey = `${viewPrefix}pair`

const worse = (...values: (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

const placeOf = (design: Design, pair: Pair): string => {
  const sequence = design.blocks[0]?.sequence
  const loci = [...pair.left.loci, ...pair.right.loci]
  return sequence === undefined || loci.length === 0
    ? `${pair.left.start}..${pair.right.end}`
    : `${sequence}:${Math.min(...loci.map((one) => one.start))}..${Math.max(...loci.map((one) => one.end))}`
}

/** Why a template has no pair: what primer3 counted, told in words. */
const WhyNone = ({ design }: { design: Design }): ReactNode => {
  const t = useText(messages)
  const name = design.symbol ?? design.name
  const title = t('result.why', { name })
  if (design.error !== null) return <EmptyState title={title} why={t('result.whyRefused', { words: design.error })} />
  const { left, right, pair } = design.explain
  const say = (reason: string): string => {
    const found = wordsOf(reason)
    return found === null ? reason : t(found.why)
  }
  const adviceFor = (reason: string): string => {
    const found = wordsOf(reason)
    return found === null ? '' : t(found.advice)
  }
  const side = countOf(left, 'ok') <= countOf(right, 'ok') ? left : right
  const ofPairs = countOf(left, 'ok') > 0 && countOf(right, 'ok') > 0
  const main = mainReason(ofPairs ? pair : side)
  return (
    <Card title={title}>
      <p>
        {t('result.whyLead', {
          considered: countOf(left, 'considered'),
          right: countOf(right, 'considered'),
          ok: countOf(left, 'ok'),
          okRight: countOf(right, 'ok'),
        })}
      </p>
      {main === null ? null : (
        <p>
          {t(ofPairs ? 'result.whyPairs' : 'result.whyMost', {
            considered: countOf(pair, 'considered'),
            reason: say(main.reason),
            count: main.count,
            advice: adviceFor(main.reason),
          })}
        </p>
      )}
      <ResultTable
        plain
        label={title}
        name={fileName('why', design.name)}
        rows={(
          [
            ['oligo.left', left],
            ['oligo.right', right],
            ['oligo.internal', design.explain.internal],
            ['result.pairs', pair],
          ] as const
        ).flatMap(([what, counts]) => counts.map((one) => ({ what, ...one })))}
        rowKey={(row) => `${row.what} ${row.reason}`}
        columns={[
          { key: 'what', title: t('column.what'), value: (row) => t(row.what) },
          { key: 'reason', title: t('column.reason'), value: (row) => say(row.reason) },
          { key: 'count', title: t('column.count'), value: (row) => row.count, kind: 'number' },
        ]}
      />
    </Card>
  )
}

const SpecificityTag = ({ pair }: { pair: Pair }): ReactNode => {
  const t = useText(messages)
  const found = pair.specificity
  if (found === null) return '–'
  if (found.repetitive) return <Tag tone="red">{t('specific.repetitive')}</Tag>
  if (found.others === 0) return <Tag tone="green">{t('specific.clean')}</Tag>
  return found.likely === 0 ? (
    <Tag tone="blue">{t('specific.weak', { others: found.others })}</Tag>
  ) : (
    <Tag tone="amber">{t('specific.likely', { likely: found.likely, others: found.others })}</Tag>
  )
}

/** The pair that is looked at, beside the gene: what one would order. */
const ChosenSummary = ({ pair }: { pair: Pair }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const tm = [pair.left.tm, pair.right.tm].map((value) => format.fixed(value, 1)).join(' / ')
  return (
    <div className="primer-chosen">
      <strong>{t('result.chosen', { rank: pair.rank })}</strong>
      <Facts
        facts={[
          { name: t('oligo.left'), value: <code className="primer-oligo-bases">{pair.left.sequence}</code> },
          { name: t('oligo.right'), value: <code className="primer-oligo-bases">{pair.right.sequence}</code> },
          { name: t('result.chosenProduct'), value: `${format.number(pair.productBp)} bp` },
          { name: t('result.chosenTm'), value: `${tm} °C` },
          ...(pair.specificity === null
            ? []
            : [{ name: t('column.specificity'), value: <SpecificityTag pair={pair} /> }]),
        ]}
      />
      <CopyButton textOf={() => `${pair.left.sequence}\n${pair.right.sequence}\n`} reported={t('result.copied')}>
        {t('result.copy')}
      </CopyButton>
    </div>
  )
}

export const PrimerResultView = ({ input, result, receipt }: ResultProps<PrimerInput, PrimerResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const tools = useToolList()
  const assemblyName = useAssemblyNames()
  const assemblyList = (ids: readonly string[]): string => format.list(ids.map(assemblyName))
  const [query, change] = useAddressValues()
  const [selected, setSelected] = useState<ChosenPair[]>([])
  const design = result.designs.find((one) => one.name === query.get(templateKey)) ?? result.designs[0]
  const pair = design?.pairs[Math.max(0, Number(query.get(pairKey) ?? 1) - 1)] ?? design?.pairs[0]
  const choose = (template: string, rank: number): void =>
    change({ [templateKey]: template, [pairKey]: String(rank) }, true)
  const all: ChosenPair[] = result.designs.flatMap((one) => one.pairs.map((each) => ({ design: one, pair: each })))
  const best = all.filter((one) => one.pair.rank === 1)
  const base = fileName('primers', result.designs.length === 1 ? design?.name : `${result.designs.length}-templates`)
  const save = (kind: string, chosen: ChosenPair[]): void => {
    const head = receiptLines(receipt)
    if (kind === 'order') downloadText(renderPairOrder(chosen, head), `${base}.order.tsv`, 'text/tab-separated-values')
    else if (kind === 'xlsx')
      void downloadTable(
        { columns: [...orderColumns], rows: orderRows(orderedOligos(chosen)), receipt },
        `${base}.order`,
        'xlsx',
      )
    else if (kind === 'fasta') downloadText(renderPrimerFasta(chosen, head), `${base}.fa`, 'text/x-fasta')
    else if (kind === 'gff3') downloadText(renderGff3(chosen, head), `${base}.gff3`, 'text/x-gff3')
    else downloadText(renderBed(chosen, head), `${base}.bed`, 'text/x-bed')
  }
  const groups: [string, string, ChosenPair[]][] = [
    ...(selected.length === 0
      ? []
      : [['chosen', t('result.filesChosen', { count: selected.length }), selected] as [string, string, ChosenPair[]]]),
    ['best', t('result.filesBest'), best],
    ['all', t('result.filesAll'), all],
  ]
  const files = (
    <Menu
      look="primary"
      size="small"
      icon={<Download size={14} aria-hidden />}
      label={t('result.files')}
      items={groups.flatMap(([group, label, chosen]) => [
        { key: group, heading: true, label },
        ...(
          [
            ['order', 'result.order'],
            ['xlsx', 'result.orderXlsx'],
            ['fasta', 'result.fasta'],
            ['gff3', 'result.gff3'],
            ['bed', 'result.bed'],
          ] as const
        ).map(([kind, text]) => ({ key: `${group}-${kind}`, label: t(text), run: () => save(kind, chosen) })),
      ])}
    />
  )
  const hasGenome = result.searchedAssemblies.length > 0
  const columns: TableColumn<ChosenPair>[] = [
    ...(result.designs.length === 1
      ? []
      : [
          {
            key: 'template',
            title: t('column.template'),
            value: (row: ChosenPair) => row.design.symbol ?? row.design.name,
            render: (row: ChosenPair) =>
              row.design.gene === null ? (
                <code>{row.design.name}</code>
              ) : (
                <GeneLink id={row.design.gene} assembly={row.design.assembly} symbol={row.design.symbol} />
              ),
          },
        ]),
    { key: 'rank', title: t('column.rank'), value: (row) => row.pair.rank, kind: 'number' },
    { key: 'left', title: t('column.left'), main: true, value: (row) => row.pair.left.sequence, kind: 'id' },
    { key: 'right', title: t('column.right'), main: true, value: (row) => row.pair.right.sequence, kind: 'id' },
    { key: 'product', title: t('column.product'), value: (row) => row.pair.productBp, kind: 'number' },
    ...(hasGenome
      ? [
          {
            key: 'specificity',
            title: t('column.specificity'),
            help: t('column.specificityHelp'),
            value: (row: ChosenPair) => row.pair.specificity?.likely ?? null,
            render: (row: ChosenPair) => <SpecificityTag pair={row.pair} />,
          },
        ]
      : []),
    { key: 'leftTm', title: t('column.leftTm'), value: (row) => row.pair.left.tm, kind: 'number', digits: 1 },
    { key: 'rightTm', title: t('column.rightTm'), value: (row) => row.pair.right.tm, kind: 'number', digits: 1 },
    {
      key: 'leftGc',
      title: t('column.leftGc'),
      value: (row) => row.pair.left.gcPercent,
      kind: 'number',
      digits: 1,
      hidden: true,
    },
    {
      key: 'rightGc',
      title: t('column.rightGc'),
      value: (row) => row.pair.right.gcPercent,
      kind: 'number',
      digits: 1,
      hidden: true,
    },
    {
      key: 'hairpins',
      title: t('column.hairpins'),
      value: (row) => worse(row.pair.left.hairpin, row.pair.right.hairpin),
      kind: 'number',
      digits: 1,
    },
    {
      key: 'selfAny',
      title: t('column.selfAny'),
      value: (row) => worse(row.pair.left.selfAny, row.pair.right.selfAny),
      kind: 'number',
      digits: 1,
      hidden: true,
    },
    {
      key: 'complAny',
      title: t('column.complAny'),
      value: (row) => row.pair.complAny,
      kind: 'number',
      digits: 1,
      hidden: true,
    },
    { key: 'complEnd', title: t('column.complEnd'), value: (row) => row.pair.complEnd, kind: 'number', digits: 1 },
    {
      key: 'productTm',
      title: t('column.productTm'),
      value: (row) => row.pair.productTm,
      kind: 'number',
      digits: 1,
      hidden: true,
    },
    {
      key: 'genomic',
      title: t('column.genomic'),
      value: (row) => row.pair.genomicBp,
      kind: 'number',
      hidden: input.purpose !== 'qpcr',
    },
    ...(input.probe
      ? [
          {
            key: 'probe',
            title: t('column.probe'),
            value: (row: ChosenPair) => row.pair.internal?.sequence ?? null,
            kind: 'id' as const,
          },
        ]
      : []),
    {
      key: 'position',
      title: t('column.position'),
      kind: 'region',
      value: (row) => placeOf(row.design, row.pair),
      on: ({ design }) => {
        const sequence = design.blocks[0]?.sequence
        return sequence === undefined ? null : { assembly: design.assembly, sequence }
      },
      hidden: true,
    },
    { key: 'penalty', title: t('column.penalty'), value: (row) => row.pair.penalty, kind: 'number', digits: 3 },
  ]
  const productColumns: TableColumn<Product>[] = [
    {
      key: 'kind',
      title: t('column.kind'),
      value: (row) => t(`kind.${row.kind}`),
      render: (row) => (
        <Tag tone={row.kind === 'intended' ? 'green' : row.kind === 'counterpart' ? 'blue' : 'amber'}>
          {t(`kind.${row.kind}`)}
        </Tag>
      ),
    },
    { key: 'assembly', title: t('column.assembly'), main: true, value: (row) => assemblyName(row.assembly) },
    {
      key: 'locus',
      title: t('column.locus'),
      kind: 'region',
      value: (row) => `${row.sequence}:${row.start}-${row.end}`,
      on: (row) => row,
    },
    { key: 'length', title: t('column.length'), main: true, value: (row) => row.lengthBp, kind: 'number' },
    { key: 'primers', title: t('column.primers'), value: (row) => t(`primers.${row.forward}-${row.reverse}`) },
    {
      key: 'mismatches',
      title: t('column.mismatches'),
      value: (row) =>
        `${row.forwardMismatches} (${row.forwardThreePrimeMismatches}) + ${row.reverseMismatches} (${row.reverseThreePrimeMismatches})`,
    },
    {
      key: 'genes',
      title: t('column.genes'),
      value: (row) => row.genes.map((gene) => gene.symbol ?? gene.id).join(', '),
      render: (row) =>
        row.genes.map((gene) => (
          <span key={gene.id}>
            <GeneLink id={gene.id} assembly={row.assembly} symbol={gene.symbol} />{' '}
          </span>
        )),
    },
  ]
  const note = (one: { id: string; params: Record<string, string | number> }): string =>
    t(one.id as Parameters<typeof t>[0], one.params)
  const product =
    design?.bases == null || pair === undefined ? null : design.bases.slice(pair.left.start - 1, pair.right.end)
  const blast = tools.find((one) => one.id === 'blast')
  const loci = pair === undefined ? [] : [...pair.left.loci, ...pair.right.loci]
  const actions = (
    <>
      {loci.length === 0 || design?.assembly == null ? null : (
        <ButtonLink
          size="small"
          icon={<Search size={14} aria-hidden />}
          to={browserAddress({
            assembly: design.assembly,
            sequence: design.blocks[0]?.sequence ?? '',
            start: Math.min(...loci.map((one) => one.start)),
            end: Math.max(...loci.map((one) => one.end)),
            strand: design.blocks[0]?.strand,
          })}
        >
          {t('result.browse')}
        </ButtonLink>
      )}
      {blast === undefined || product === null || product.length > 1500 ? null : (
        <ButtonLink
          size="small"
          icon={<Dna size={14} aria-hidden />}
          to={`${blast.route}?${new URLSearchParams({ query: `>${design?.name}_${pair?.rank}\n${product}` })}`}
        >
          {t('result.blast')}
        </ButtonLink>
      )}
    </>
  )
  const specificity = pair?.specificity ?? null
  const without = result.designs.filter((one) => one.pairs.length === 0)
  return (
    <>
      {design === undefined ? null : design.pairs.length === 0 ? (
        <WhyNone design={design} />
      ) : (
        <FigureFrame
          title={t('result.figure', { name: design.symbol ?? design.name })}
          aside={format.basePairs(design.lengthBp)}
          name={`${base}-template`}
          method={t('result.figureMethod')}
          receipt={receipt}
          numbers={{
            columns,
            rows: all.filter((one) => one.design === design),
            rowKey: (row) => String(row.pair.rank),
          }}
        >
          {pair === undefined ? null : <ChosenSummary pair={pair} />}
          <TemplateFigure design={design} chosen={pair?.rank ?? 1} onChoose={(rank) => choose(design.name, rank)} />
        </FigureFrame>
      )}
      {(design?.notes ?? []).map((one) => (
        <p key={one.id} className="nv-warn">
          {note(one)}
        </p>
      ))}
      {design?.warning == null ? null : <p className="nv-warn">{t('result.warning', { words: design.warning })}</p>}
      {all.length === 0 ? null : (
        <Card title={t('result.pairs')} actions={files} flush>
          <ResultTable
            label={t('result.pairs')}
            name={base}
            receipt={receipt}
            rows={all}
            rowKey={(row) => `${row.design.name} ${row.pair.rank}`}
            columns={columns}
            onRow={(row) => choose(row.design.name, row.pair.rank)}
            onSelect={setSelected}
            marked={design === undefined || pair === undefined ? null : `${design.name} ${pair.rank}`}
          />
        </Card>
      )}
      {result.pairCount > 0 && !hasGenome ? <p className="nv-warn">{t('result.notChecked')}</p> : null}
      {result.leftOut.length === 0 ? null : (
        <p className="nv-warn">{t('result.leftOut', { names: assemblyList(result.leftOut) })}</p>
      )}
      {design === undefined || pair === undefined ? null : (
        <>
          {specificity === null ? null : (
            <GenomeTable rank={pair.rank} genomes={specificity.genomes} name={base} receipt={receipt} />
          )}
          {specificity === null ? null : (
            <Card
              title={t('result.products', { rank: pair.rank })}
              aside={
                specificity.products.length < specificity.intended + specificity.counterparts + specificity.others
                  ? t('result.productsMore', {
                      shown: specificity.products.length,
                      total: specificity.intended + specificity.counterparts + specificity.others,
                    })
                  : undefined
              }
              flush
            >
              <ResultTable
                label={t('result.products', { rank: pair.rank })}
                name={`${base}-${pair.rank}-products`}
                receipt={receipt}
                rows={specificity.products}
                rowKey={(row) =>
                  `${row.assembly} ${row.sequence} ${row.start} ${row.end} ${row.forward} ${row.reverse}`
                }
                columns={productColumns}
                empty={
                  <EmptyState
                    title={t('result.noProducts', { size: input.maxProductBp })}
                    why={
                      pair.primerOnJunction
                        ? t('result.onJunction')
                        : t('result.noProductsWhy', { assemblies: assemblyList(result.searchedAssemblies) })
                    }
                  />
                }
              />
            </Card>
          )}
          <PairDetails design={design} pair={pair} actions={actions} />
        </>
      )}
      {without
        .filter((one) => one !== design)
        .map((one) => <WhyNone key={one.name} design={one} />)
        .slice(0, maxExplained)}
      {result.problems.length === 0 ? null : (
        <Card title={t('result.problems')} flush>
          <ResultTable
            label={t('result.problems')}
            name={`${base}-without`}
            receipt={receipt}
            rows={result.problems}
            rowKey={(row) => row.query}
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

/** Templates without a pair that are explained one by one; more would bury the rest. */
const maxExplained = 10
