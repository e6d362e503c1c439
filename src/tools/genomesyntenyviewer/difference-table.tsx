import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { differenceColour } from '../../kit/ui/figures/difference-colours.ts'
import { differencePlace, namesOfGenes } from '../../kit/ui/gene/difference-place.ts'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useDifferenceName } from './block-loci.ts'
import { differenceKey } from './colours.ts'
import { partComparisons } from './compared-differences.ts'
import messages from './messages.ts'
import type { Genome, SyntenyDifference, SyntenyResult } from './tool.ts'

const lengthOf = ({ sequences }: Genome, name: string): number | undefined =>
  sequences.find((one) => one.name === name)?.lengthBp

/** What one genome has more, less, twice or the other way round; a click brings it into view. */
export const DifferenceTable = ({
  result,
  minimumBp,
  chosen,
  onChoose,
  receipt,
}: {
  result: SyntenyResult
  minimumBp: number
  chosen: SyntenyDifference | null
  onChoose: (difference: SyntenyDifference) => void
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const called = useDifferenceName(result.genomes)
  const { genomes, differences, totalDifferences } = result
  const { compared, distant, truncated } = partComparisons(result)
  const pairsOf = (pairs: typeof compared): string =>
    format.names(pairs.map(({ first, second }) => `${nameOf(genomes[first]!.id)} – ${nameOf(genomes[second]!.id)}`))
  const hasGenesOnly = differences.some(({ basis }) => basis === 'genes')
  return (
    <Card title={t('differences.title')} aside={format.number(totalDifferences)} flush>
      <p className="nv-quiet">
        {t('differences.note', { size: format.basePairs(minimumBp), genes: String(hasGenesOnly) })}
      </p>
      {distant.length === 0 ? null : (
        <p className="nv-quiet">{t('differences.distant', { pairs: pairsOf(distant) })}</p>
      )}
      {truncated.length === 0 ? null : (
        <p className="nv-quiet">{t('differences.truncated', { pairs: pairsOf(truncated) })}</p>
      )}
      {totalDifferences > differences.length ? (
        <p className="nv-quiet">{t('differences.cut', { shown: differences.length, total: totalDifferences })}</p>
      ) : null}
      <ResultTable
        label={t('differences.title')}
        name="structural-differences"
        receipt={receipt}
        rows={differences}
        rowKey={differenceKey}
        marked={chosen === null ? null : differenceKey(chosen)}
        onRow={onChoose}
        pageSize={10}
        empty={
          compared.length === 0 ? (
            <EmptyState title={t('differences.notCompared')} why={t('differences.notComparedWhy')} />
          ) : (
            <EmptyState title={t('differences.none')} why={t('differences.noneWhy')} />
          )
        }
        columns={[
          {
            key: 'difference',
            title: t('column.difference'),
            value: (one) => called(one),
            render: (one) => (
              <span className="gsv-kind">
                <span style={{ background: differenceColour(one.kind) }} aria-hidden />
                {called(one)}
              </span>
            ),
          },
          { key: 'size', title: t('column.size'), kind: 'number', main: true, value: (one) => one.sizeBp },
          {
            key: 'regions',
            title: t('column.regions'),
            main: true,
            help: t('help.regions'),
            value: (one) => (one.regions.length === 0 ? null : format.series(one.regions)),
          },
          { key: 'first', title: t('column.first'), value: (one) => nameOf(genomes[one.first]!.id) },
          {
            key: 'placeA',
            title: t('column.placeA'),
            kind: 'region',
            value: (one) => differencePlace(one.a, lengthOf(genomes[one.first]!, one.a.sequence)),
            on: (one) => ({ assembly: genomes[one.first]!.id, sequence: one.a.sequence }),
          },
          { key: 'second', title: t('column.second'), main: true, value: (one) => nameOf(genomes[one.second]!.id) },
          {
            key: 'placeB',
            title: t('column.placeB'),
            kind: 'region',
            value: (one) => differencePlace(one.b, lengthOf(genomes[one.second]!, one.b.sequence)),
            on: (one) => ({ assembly: genomes[one.second]!.id, sequence: one.b.sequence }),
          },
          {
            key: 'genes',
            title: t('column.genes'),
            help: t('help.genes'),
            kind: 'number',
            value: (one) => one.geneCount,
          },
          {
            key: 'names',
            title: t('column.geneNames'),
            kind: 'id',
            value: (one) => (one.geneCount === 0 ? null : namesOfGenes(one)),
          },
          { key: 'partly', title: t('column.partly'), kind: 'number', hidden: true, value: (one) => one.partly },
          {
            key: 'ids',
            title: t('column.geneIds'),
            long: true,
            hidden: true,
            value: ({ genes }) => genes.join(', '),
          },
          { key: 'basis', title: t('column.basis'), help: t('help.basis'), value: (one) => t(`basis.${one.basis}`) },
          { key: 'lengthA', title: t('column.lengthA'), kind: 'number', hidden: true, value: (one) => one.a.lengthBp },
          { key: 'lengthB', title: t('column.lengthB'), kind: 'number', hidden: true, value: (one) => one.b.lengthBp },
        ]}
      />
    </Card>
  )
}
