import type { ReactNode } from 'react'
import type { StructuralDifference } from '../../contracts/structural-differences.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { differenceColour } from '../../kit/ui/figures/difference-colours.ts'
import { differencePlace, namesOfGenes } from '../../kit/ui/gene/difference-place.ts'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { DifferenceMenu } from './difference-menu.tsx'
import type { GeneFilter } from './gene-filter.ts'
import messages from './messages.ts'
import type { StrainReport } from './tool.ts'

/** What a difference is called, with the genome that has a copy more. */
export const useKindName = (report: StrainReport): ((one: StructuralDifference) => string) => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  return ({ kind, copyIn }) =>
    copyIn === null
      ? t(`kind.${kind}`)
      : t('kind.copyIn', { genome: nameOf(copyIn === 'first' ? report.reference.id : report.strain.id) })
}

/** Both places of a difference as texts. */
export const usePlaces = (report: StrainReport): ((one: StructuralDifference) => { a: string; b: string }) => {
  const lengths = (['reference', 'strain'] as const).map(
    (side) => new Map((report.drawn?.[side] ?? []).map(({ name, lengthBp }) => [name, lengthBp])),
  )
  return ({ a, b }) => ({
    a: differencePlace(a, lengths[0]!.get(a.sequence)),
    b: differencePlace(b, lengths[1]!.get(b.sequence)),
  })
}

export const differenceKey = ({ kind, a, b }: StructuralDifference): string =>
  `${kind}-${a.sequence}-${a.start}-${b.sequence}-${b.start}`

/** Deletions, insertions and the like with both places and the genes that they touch. */
export const StructureCard = ({
  report,
  filter,
  minimumBp,
  receipt,
}: {
  report: StrainReport
  filter: GeneFilter
  minimumBp: number
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const listOf = useAssemblyList()
  const kindOf = useKindName(report)
  const placesOf = usePlaces(report)
  const { structure, strain, reference } = report
  if (structure === null)
    return (
      <Card title={t('structure.title')}>
        <EmptyState title={report.why === 'distant' ? t('structure.distant') : t('structure.notAligned')} />
      </Card>
    )
  const listed = structure.differences
  const rows = listed.filter(({ genes }) => filter(genes))
  const namesOfChange = (change: 'lost' | 'gained'): Set<string> =>
    new Set(report.genes?.rows.flatMap((one) => (one.change === change ? [one.id] : [])))
  // Of the reference the genes that the strain lacks, and the other way round, as gene presence counts them.
  const absent = report.genes === null ? null : { first: namesOfChange('lost'), second: namesOfChange('gained') }
  const shared = listed.some(({ alsoIn }) => alsoIn !== null)
  return (
    <>
      <Card title={t('structure.title')} aside={format.number(structure.total)} flush>
        <div className="strain-lead">
          <p className="strain-head">
            {t('structure.head', {
              ...structure.counts,
              breakpoints: structure.breakpoints.length,
              deleted: format.basePairs(structure.deletedBp),
              inserted: format.basePairs(structure.insertedBp),
              minimum: format.basePairs(minimumBp),
            })}
          </p>
          <p className="nv-quiet">{t(`structure.${structure.basis}`)}</p>
          {structure.truncated ? <p className="nv-warn">{t('structure.truncated')}</p> : null}
          {structure.total > listed.length ? (
            <p className="nv-quiet">{t('structure.cut', { shown: listed.length, total: structure.total })}</p>
          ) : null}
        </div>
        <ResultTable
          label={t('structure.title')}
          name="strain-structural-differences"
          receipt={receipt}
          rows={rows}
          rowKey={differenceKey}
          pageSize={25}
          total={rows.length < listed.length ? rows.length : structure.total}
          empty={
            listed.length > 0 ? (
              <EmptyState title={t('filter.none')} />
            ) : (
              <EmptyState title={t('structure.none')} why={t('structure.noneWhy')} />
            )
          }
          columns={[
            {
              key: 'kind',
              title: t('column.kind'),
              value: kindOf,
              render: (one) => (
                <span className="strain-kind">
                  <span className="strain-patch" style={{ background: differenceColour(one.kind) }} aria-hidden />
                  {kindOf(one)}
                </span>
              ),
            },
            {
              key: 'regions',
              title: t('column.regions'),
              help: t('help.regions'),
              main: true,
              value: ({ regions }) => (regions.length === 0 ? null : format.series(regions)),
            },
            { key: 'size', title: t('column.size'), kind: 'number', main: true, value: ({ sizeBp }) => sizeBp },
            {
              key: 'reference',
              title: t('column.inReference'),
              help: t('help.between'),
              kind: 'region',
              value: (one) => placesOf(one).a,
              on: ({ a }) => ({ assembly: reference.id, sequence: a.sequence }),
            },
            {
              key: 'strain',
              title: t('column.inStrain'),
              help: t('help.between'),
              kind: 'region',
              value: (one) => placesOf(one).b,
              on: ({ b }) => ({ assembly: strain.id, sequence: b.sequence }),
            },
            {
              key: 'lost',
              title: t('column.lostGenes'),
              help: t('help.lostGenes'),
              kind: 'number',
              main: true,
              value: ({ geneCount, genes, genesOf }) =>
                absent === null
                  ? null
                  : geneCount > genes.length
                    ? null
                    : genes.filter((gene) => absent[genesOf].has(gene)).length,
            },
            {
              key: 'genes',
              title: t('column.overlapped'),
              help: t('help.overlapped'),
              kind: 'number',
              value: ({ geneCount }) => geneCount,
            },
            {
              key: 'names',
              title: t('column.names'),
              value: (one) => (one.geneCount === 0 ? null : namesOfGenes(one)),
            },
            {
              key: 'open',
              title: t('column.open'),
              value: () => null,
              render: (one) => <DifferenceMenu one={one} report={report} />,
            },
            { key: 'partly', title: t('column.partly'), kind: 'number', hidden: true, value: ({ partly }) => partly },
            {
              key: 'ids',
              title: t('column.geneIds'),
              long: true,
              hidden: true,
              value: ({ genes }) => genes.join(', '),
            },
            ...(shared
              ? [
                  {
                    key: 'alsoIn',
                    title: t('column.alsoIn'),
                    help: t('help.alsoIn'),
                    value: ({ alsoIn }: StructuralDifference) =>
                      alsoIn === null ? null : alsoIn.length === 0 ? t('alsoIn.none') : listOf(alsoIn),
                  },
                  {
                    key: 'notIn',
                    title: t('column.notIn'),
                    hidden: true,
                    value: ({ notIn }: StructuralDifference) => (notIn === null ? null : listOf(notIn)),
                  },
                ]
              : []),
          ]}
        />
      </Card>
      {structure.breakpoints.length === 0 ? null : (
        <Card title={t('breakpoints.title')} aside={format.number(structure.breakpoints.length)} flush>
          <p className="nv-quiet strain-lead">{t('breakpoints.note')}</p>
          <ResultTable
            label={t('breakpoints.title')}
            name="strain-breakpoints"
            receipt={receipt}
            rows={structure.breakpoints}
            rowKey={(one) => `${one.sequence}-${one.position}-${one.side}-${one.matePosition}`}
            pageSize={25}
            columns={[
              {
                key: 'join',
                title: t('column.join'),
                kind: 'id',
                value: ({ sequence, position, side }) => `${sequence}:${position} ${side === 'left' ? '→' : '←'}`,
                on: ({ sequence }) => ({ assembly: reference.id, sequence }),
              },
              {
                key: 'mate',
                title: t('column.mate'),
                kind: 'id',
                value: ({ mateSequence, matePosition, mateSide }) =>
                  `${mateSequence}:${matePosition} ${mateSide === 'left' ? '←' : '→'}`,
                on: ({ mateSequence }) => ({ assembly: reference.id, sequence: mateSequence }),
              },
              {
                key: 'own',
                title: t('column.own'),
                kind: 'id',
                value: ({ ownSequence, ownPosition }) => `${ownSequence}:${ownPosition}`,
                on: ({ ownSequence }) => ({ assembly: strain.id, sequence: ownSequence }),
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}
