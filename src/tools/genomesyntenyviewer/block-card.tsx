import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { RegionText } from '../../kit/ui/gene/region-text.tsx'
import { useRegionLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { blockKey } from './colours.ts'
import { getBlock } from './endpoints.ts'
import messages from './messages.ts'
import type { Block, SyntenyResult } from './tool.ts'

/** Room on both sides of a block when it is opened in another view, as a share of it. */
const roomShare = 0.02

/** Everything of one block: its two segments, its genes with Ka and Ks, and where to go from here. */
export const BlockCard = ({
  block,
  result,
  receipt,
}: {
  block: Block
  result: SyntenyResult
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const nameOf = useAssemblyNames()
  const regions = useOpenings('region')
  const beside = useOpenings('regionPair')
  const card = useRef<HTMLDivElement>(null)
  const [first, second] = [result.genomes[block.first]!, result.genomes[block.second]!]
  const detail = useQuery({
    queryKey: ['synteny-block', first.id, second.id, block.number, result.computedAt],
    queryFn: (context) => call(getBlock, { first: first.id, second: second.id, number: block.number }, context),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const key = blockKey(block)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another block is another card
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [key])
  const sides = [
    { genome: first, sequence: block.sequenceA, start: block.startA, end: block.endA, side: 'A' as const },
    { genome: second, sequence: block.sequenceB, start: block.startB, end: block.endB, side: 'B' as const },
  ]
  const rows = detail.data?.rows ?? []
  const genes = sides.map(({ genome, side }) => rows.map((row) => ({ id: row[`gene${side}`], assembly: genome.id })))
  const places = sides.map(({ sequence, start, end }) => {
    const room = Math.round((end - start) * roomShare)
    return `${sequence}:${Math.max(1, start - room)}..${end + room}`
  })
  return (
    <div ref={card} className="gsv-block">
      <Card
        title={t('block.title', { number: block.number + 1, first: nameOf(first.id), second: nameOf(second.id) })}
        aside={t(`kind.${block.kind}`)}
      >
        <Facts
          facts={[
            ...sides.map(({ genome, sequence, start, end }) => ({
              name: nameOf(genome.id),
              value: (
                <RegionText>{`${regionOf(genome.id, { sequence, start, end })}, ${format.basePairs(end - start + 1)}`}</RegionText>
              ),
            })),
            { name: t('column.kind'), value: t(`kindHelp.${block.kind}`), wide: true },
            { name: t('column.pairs'), value: format.number(block.pairs) },
            { name: t('column.orientation'), value: t(block.orientation === 1 ? 'value.alike' : 'value.turned') },
            { name: t('column.score'), value: block.score === null ? '–' : format.number(block.score) },
            { name: t('column.evalue'), value: block.evalue === null ? '–' : block.evalue.toExponential(1) },
            ...(detail.data === undefined
              ? []
              : [
                  {
                    name: t('block.medianKs'),
                    value:
                      detail.data.medianKs === null
                        ? '–'
                        : t('block.medianKsOf', {
                            value: format.number(detail.data.medianKs, 3),
                            without: detail.data.without,
                          }),
                  },
                ]),
          ]}
        />
        <div className="gsv-actions">
          {beside.map((opening) => (
            <ButtonLink
              key={opening.tool.id}
              look="primary"
              to={opening.address({
                assembly: first.id,
                loc: places[0]!,
                otherAssembly: second.id,
                otherLoc: places[1]!,
              })}
            >
              {opening.label}
            </ButtonLink>
          ))}
          {sides.map(({ genome, sequence, start, end }) =>
            regions.map((opening) => (
              <ButtonLink
                key={`${genome.id} ${opening.tool.id}`}
                to={opening.address({ assembly: genome.id, sequence, start, end })}
              >
                {opening.label} · {nameOf(genome.id)}
              </ButtonLink>
            )),
          )}
          {sides.map(({ genome, side }, number) =>
            rows.length === 0 ? null : (
              <span key={side} className="gsv-set">
                {t('block.genes', { assembly: nameOf(genome.id) })} <GeneSetMenu genes={genes[number]!} />
              </span>
            ),
          )}
        </div>
      </Card>
      <Card title={t('pairs.title')} flush>
        {detail.isError ? (
          <Unanswered of={detail} />
        ) : detail.isPending ? (
          <Waiting />
        ) : (
          <>
            {detail.data.total > rows.length ? (
              <p className="nv-quiet">{t('pairs.cut', { shown: rows.length, total: detail.data.total })}</p>
            ) : null}
            <ResultTable
              label={t('pairs.title')}
              name={`block-${first.id}-${second.id}-${block.number + 1}`}
              receipt={receipt}
              rows={rows}
              rowKey={(row) => `${row.geneA}/${row.geneB}`}
              gene={(row) => ({ id: row.geneA, assembly: first.id })}
              empty={<EmptyState title={t('pairs.none')} why={t('pairs.noneWhy')} />}
              columns={[
                {
                  key: 'geneA',
                  title: t('column.geneOf', { assembly: nameOf(first.id) }),
                  kind: 'id',
                  value: (row) => row.geneA,
                  render: (row) => <GeneLink id={row.geneA} assembly={first.id} symbol={row.symbolA} />,
                },
                {
                  key: 'startA',
                  title: t('column.startOf', { assembly: nameOf(first.id) }),
                  kind: 'number',
                  value: (row) => row.startA,
                },
                {
                  key: 'geneB',
                  title: t('column.geneOfSecond', { assembly: nameOf(second.id) }),
                  kind: 'id',
                  value: (row) => row.geneB,
                  render: (row) => <GeneLink id={row.geneB} assembly={second.id} symbol={row.symbolB} />,
                },
                {
                  key: 'startB',
                  title: t('column.startOfSecond', { assembly: nameOf(second.id) }),
                  kind: 'number',
                  value: (row) => row.startB,
                },
                { key: 'ka', title: 'Ka', kind: 'number', digits: 4, help: t('help.ka'), value: (row) => row.ka },
                { key: 'ks', title: 'Ks', kind: 'number', digits: 4, help: t('help.ks'), value: (row) => row.ks },
                { key: 'omega', title: 'Ka/Ks', kind: 'number', digits: 4, value: (row) => row.omega },
                { key: 'codons', title: t('column.codons'), kind: 'number', value: (row) => row.codons },
                {
                  key: 'symbolA',
                  title: t('column.symbolOf', { assembly: nameOf(first.id) }),
                  kind: 'symbol',
                  hidden: true,
                  value: (row) => row.symbolA,
                },
                {
                  key: 'symbolB',
                  title: t('column.symbolOfSecond', { assembly: nameOf(second.id) }),
                  kind: 'symbol',
                  hidden: true,
                  value: (row) => row.symbolB,
                },
              ]}
            />
          </>
        )}
      </Card>
    </div>
  )
}
