import { type ReactNode, useMemo } from 'react'
import type { z } from 'zod'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox, SelectField } from '../../kit/ui/controls/field.tsx'
import { Tabs } from '../../kit/ui/controls/tabs.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { StaleHomology } from '../../kit/ui/gene/stale-homology.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { BlockCard } from './block-card.tsx'
import { CircleView } from './circle-view.tsx'
import { blockKey, type Colouring, colourings, differenceKey, usualColouring } from './colours.ts'
import { countDifferences, partComparisons } from './compared-differences.ts'
import { DifferenceTable } from './difference-table.tsx'
import { DotPlot } from './dot-plot.tsx'
import { KsView } from './ks-view.tsx'
import { LinearView } from './linear-view.tsx'
import messages from './messages.ts'
import tool, { type Block, type SyntenyDifference, type SyntenyResult } from './tool.ts'
import './screen.css'

/** Gene pairs of a block from which on it is drawn, as offered where there are blocks both above and below. */
const blockSizes = [10, 20, 50, 100, 200]
/** More ribbons than this are a haze: smaller blocks are left out of the figures at first. */
const mostAtFirst = 300

/** Whether a block has so many gene pairs, or is of an alignment, which names none. */
const isAtLeast = ({ pairs }: Block, least: number): boolean => pairs === 0 || pairs >= least

const offerSizes = (blocks: readonly Block[], minimum: number): { pairs: number; blocks: number }[] => {
  const counted = blocks.filter(({ first, second, kind }) => first === second || kind !== 'duplicated')
  return [minimum, ...blockSizes.filter((size) => size > minimum)]
    .map((pairs) => ({ pairs, blocks: counted.filter((block) => isAtLeast(block, pairs)).length }))
    .filter((one, at, all) => at === 0 || (one.blocks > 0 && one.blocks < all[at - 1]!.blocks))
}

/** The first at which the figures are readable, else the last. */
const usualSize = (offered: readonly { pairs: number; blocks: number }[]): number =>
  (offered.find(({ blocks }) => blocks <= mostAtFirst) ?? offered.at(-1)!).pairs

const views = ['linear', 'plot', 'circle', 'ks'] as const

const ResultView = ({
  input,
  result,
  receipt,
}: ResultProps<z.output<(typeof tool)['input']>, SyntenyResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const [query, change] = useAddressValues()
  const offered = views.filter((one) => one !== 'ks' || result.ks !== null)
  const view = offered.find((one) => one === query.get('view.as')) ?? 'linear'
  const usual = useMemo(() => usualColouring(result), [result])
  const colouring: Colouring = colourings.find((one) => one === query.get('view.colour')) ?? usual
  const matched = query.get('view.order') === 'match'
  const reported = query.get('view.block')
  const chosen = reported === null ? null : (result.blocks.find((block) => blockKey(block) === reported) ?? null)
  const choose = (block: Block | null): void => change({ 'view.block': block === null ? null : blockKey(block) }, true)
  const { genomes, comparisons } = result
  const named = query.get('view.difference')
  const difference = named === null ? null : (result.differences.find((one) => differenceKey(one) === named) ?? null)
  const chooseDifference = (one: SyntenyDifference | null): void =>
    change({ 'view.difference': one === null ? null : differenceKey(one), 'view.as': null, 'view.colour': null }, true)
  const species = new Set(genomes.map(({ speciesName }) => speciesName))
  // Copies would hide the order of genes that is looked for; those within one genome are all that was asked for there.
  const isCopy = (block: Block): boolean => block.kind === 'duplicated' && block.first !== block.second
  const copies = result.blocks.filter(isCopy).length
  const showsCopies = query.get('view.duplicated') === '1'
  const offeredSizes = useMemo(() => offerSizes(result.blocks, input.minimumGenes), [result, input.minimumGenes])
  const asked = Number(query.get('view.minimum'))
  const least = offeredSizes.find(({ pairs }) => pairs === asked)?.pairs ?? usualSize(offeredSizes)
  const isDrawn = (block: Block): boolean => (showsCopies || !isCopy(block)) && isAtLeast(block, least)
  // Else the figures would be laid out anew for each block that is chosen.
  const kept = chosen !== null && !isDrawn(chosen) ? chosen : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: which blocks are drawn hangs on the result and the two bounds alone.
  const drawn = useMemo(
    () => ({ ...result, blocks: result.blocks.filter((block) => isDrawn(block) || block === kept) }),
    [result, showsCopies, least, kept],
  )
  const star = input.compare === 'first' && genomes.length > 2
  const shared = { result: drawn, colouring, chosen, onChoose: choose, receipt }
  const marked = { difference, onChooseDifference: chooseDifference }
  const cut = genomes.filter(({ omitted }) => omitted > 0)
  return (
    <>
      <StaleHomology state={result} own={genomes.map(({ id }) => id)} chosen={input.assemblies} />
      {cut.length === 0 ? null : (
        <p className="nv-quiet">
          {t('result.omitted', { genomes: format.series(cut.map(({ id, omitted }) => `${nameOf(id)} (${omitted})`)) })}
        </p>
      )}
      {result.blocks.length === 0 ? (
        <EmptyState title={t('result.none')} why={t('result.noneWhy')} />
      ) : (
        <>
          <div className="nv-figure-bar">
            <SelectField
              label={t('view.colour')}
              value={colouring}
              onChoose={(value) => change({ 'view.colour': value === usual ? null : value }, true)}
              options={colourings.map((value) => ({ value, label: t(`colour.${value}`) }))}
            />
            {offeredSizes.length < 2 || view === 'ks' ? null : (
              <SelectField
                label={t('view.minimum')}
                value={String(least)}
                onChoose={(value) =>
                  change({ 'view.minimum': Number(value) === usualSize(offeredSizes) ? null : value }, true)
                }
                options={offeredSizes.map(({ pairs, blocks }) => ({
                  value: String(pairs),
                  label: t('view.minimumOf', { pairs, blocks }),
                }))}
              />
            )}
            {genomes.length < 3 ? null : (
              <SelectField
                label={t('view.with')}
                value={star ? genomes[0]!.id : ''}
                onChoose={(id) =>
                  change({
                    assemblies: [id, ...genomes.map((one) => one.id).filter((one) => one !== id)]
                      .filter((one) => one !== '')
                      .join(','),
                    compare: id === '' ? 'next' : 'first',
                    run: '1',
                    'view.block': null,
                    'view.plot': null,
                  })
                }
                options={[
                  { value: '', label: t('view.withNext') },
                  ...genomes.map(({ id }) => ({ value: id, label: nameOf(id) })),
                ]}
              />
            )}
            {copies === 0 || view === 'ks' ? null : (
              <Checkbox checked={showsCopies} onCheck={(on) => change({ 'view.duplicated': on ? '1' : null }, true)}>
                {t('view.duplicated', { count: copies })}
              </Checkbox>
            )}
            {view === 'linear' || view === 'plot' ? (
              <Checkbox checked={matched} onCheck={(on) => change({ 'view.order': on ? 'match' : null }, true)}>
                {t('view.matched')}
              </Checkbox>
            ) : null}
          </div>
          <Tabs
            label={t('view.as')}
            tabs={offered.map((key) => ({ key, label: t(`view.${key}`) }))}
            chosen={view}
            onChoose={(key) => change({ 'view.as': key === 'linear' ? null : key }, true)}
          >
            {view === 'linear' ? <LinearView {...shared} matched={matched} star={star} {...marked} /> : null}
            {view === 'plot' ? <DotPlot {...shared} {...marked} matched={matched} /> : null}
            {view === 'circle' ? <CircleView {...shared} {...marked} /> : null}
            {view === 'ks' ? <KsView distributions={result.ks ?? []} result={result} receipt={receipt} /> : null}
          </Tabs>
        </>
      )}
      {chosen === null ? null : <BlockCard key={blockKey(chosen)} block={chosen} result={result} receipt={receipt} />}
      {species.size === genomes.length ? null : (
        <DifferenceTable
          result={result}
          minimumBp={input.minimumBp}
          chosen={difference}
          onChoose={chooseDifference}
          receipt={receipt}
        />
      )}
      <Card title={t('blocks.title')} flush>
        {result.total > result.blocks.length ? (
          <p className="nv-quiet">{t('blocks.cut', { shown: result.blocks.length, total: result.total })}</p>
        ) : null}
        <ResultTable
          label={t('blocks.title')}
          name="collinear-blocks"
          receipt={receipt}
          rows={result.blocks}
          rowKey={blockKey}
          marked={chosen === null ? null : blockKey(chosen)}
          onRow={choose}
          empty={<EmptyState title={t('result.none')} why={t('result.noneWhy')} />}
          columns={[
            { key: 'first', title: t('column.first'), main: false, value: (block) => nameOf(genomes[block.first]!.id) },
            {
              key: 'placeA',
              title: t('column.placeA'),
              kind: 'region',
              value: (block) => `${block.sequenceA}:${block.startA}..${block.endA}`,
              on: (block) => ({ assembly: genomes[block.first]!.id, sequence: block.sequenceA }),
            },
            {
              key: 'second',
              title: t('column.second'),
              main: true,
              value: (block) => nameOf(genomes[block.second]!.id),
            },
            {
              key: 'placeB',
              title: t('column.placeB'),
              kind: 'region',
              value: (block) => `${block.sequenceB}:${block.startB}..${block.endB}`,
              on: (block) => ({ assembly: genomes[block.second]!.id, sequence: block.sequenceB }),
            },
            {
              key: 'kind',
              title: t('column.kind'),
              main: true,
              help: t('help.kind'),
              value: (block) => t(`kind.${block.kind}`),
            },
            {
              key: 'orientation',
              title: t('column.orientation'),
              value: (block) => t(block.orientation === 1 ? 'value.alike' : 'value.turned'),
            },
            { key: 'pairs', title: t('column.pairs'), kind: 'number', main: true, value: (block) => block.pairs },
            { key: 'score', title: t('column.score'), kind: 'number', digits: 0, value: (block) => block.score },
            { key: 'evalue', title: t('column.evalue'), kind: 'statistic', value: (block) => block.evalue },
            {
              key: 'lengthA',
              title: t('column.lengthA'),
              kind: 'number',
              hidden: true,
              value: (block) => block.endA - block.startA + 1,
            },
            {
              key: 'lengthB',
              title: t('column.lengthB'),
              kind: 'number',
              hidden: true,
              value: (block) => block.endB - block.startB + 1,
            },
          ]}
        />
      </Card>
      <Card title={t('comparisons.title')} flush>
        <ResultTable
          label={t('comparisons.title')}
          name="compared-genomes"
          receipt={receipt}
          plain
          rows={comparisons}
          rowKey={({ first, second }) => `${first}-${second}`}
          columns={[
            { key: 'first', title: t('column.first'), value: ({ first }) => nameOf(genomes[first]!.id) },
            { key: 'second', title: t('column.second'), value: ({ second }) => nameOf(genomes[second]!.id) },
            { key: 'blocks', title: t('column.blocks'), kind: 'number', value: ({ blocks }) => blocks },
            { key: 'pairs', title: t('column.pairs'), kind: 'number', value: ({ pairs }) => pairs },
            {
              key: 'shareA',
              title: t('column.shareA'),
              kind: 'number',
              digits: 1,
              value: ({ first, genesA }) => (100 * genesA) / Math.max(1, genomes[first]!.codingGenes),
            },
            {
              key: 'shareB',
              title: t('column.shareB'),
              kind: 'number',
              digits: 1,
              value: ({ second, genesB }) => (100 * genesB) / Math.max(1, genomes[second]!.codingGenes),
            },
            { key: 'source', title: t('column.source'), value: ({ file }) => file ?? t('value.computed') },
          ]}
        />
      </Card>
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result: ResultView,
  layout: 'top',
  fields: {
    assemblies: { needs: 'proteins', required: true },
    minimumGenes: { advanced: true },
    evalue: { advanced: true },
    minimumBp: { advanced: true },
  },
  headline: ({ input, result, t, format }) => {
    const count = (kind: Block['kind']): number => result.blocks.filter((block) => block.kind === kind).length
    const [own] = result.comparisons
    if (result.genomes.length === 1 && own !== undefined)
      return t('head.own', {
        assembly: result.genomes[0]!.name,
        blocks: result.total,
        genes: own.genesA,
        share: own.genesA / Math.max(1, result.genomes[0]!.codingGenes),
      })
    const { compared, distant } = partComparisons(result)
    const differ = countDifferences(result)
    const found =
      compared.length === 0
        ? t('head.several', {
            genomes: result.genomes.length,
            blocks: result.total,
            inverted: count('inverted'),
            moved: count('moved') + count('translocated'),
            duplicated: count('duplicated'),
          })
        : t('head.differences', {
            genomes: result.genomes.length,
            comparisons: compared.length,
            size: input.minimumBp,
            deletions: differ.deletion,
            insertions: differ.insertion,
            duplications: differ.duplication,
            inversions: differ.inversion,
            others: differ.replacement,
            blocks: result.total,
          })
    // Where no two genomes are of one species nobody looks for differences of strains.
    const species = new Set(result.genomes.map(({ speciesName }) => speciesName))
    if (distant.length === 0 || species.size === result.genomes.length) return found
    const nameOf = (genome: number): string => result.genomes[genome]!.name
    const pairs = distant.map(({ first, second }) => `${nameOf(first)} – ${nameOf(second)}`)
    return format.sentences([found, t('differences.distant', { pairs: format.names(pairs) })])
  },
})
