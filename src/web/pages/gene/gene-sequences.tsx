import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Gene, geneSequencesSchema } from '../../../contracts/genes.ts'
import { runTool } from '../../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { FoldActions } from '../../../kit/ui/controls/folding-card.tsx'
import { Tabs } from '../../../kit/ui/controls/tabs.tsx'
import { SequenceView } from '../../../kit/ui/gene/sequence-view.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import { useOpenings } from '../../../kit/ui/tool/tool-openings.ts'
import { messages } from '../../messages/pages.ts'

const flankBp = 1000

const kinds = [
  { key: 'protein', part: 'protein', coding: true },
  { key: 'cds', part: 'cds', coding: true },
  { key: 'cdna', part: 'cdna', coding: false },
  { key: 'genomic', part: 'gene', coding: false },
  { key: 'upstream', part: 'upstream', coding: false },
  { key: 'downstream', part: 'downstream', coding: false },
] as const

/** The gene's sequences by kind, one tab each, all transcripts; fetched when a tab is opened. */
export const GeneSequences = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const opening = useOpenings('geneSequences')[0]
  const tool = opening?.tool.id
  const coding = gene.transcripts.some((one) => one.cds.length > 0)
  const offered = kinds.filter((kind) => coding || !kind.coding)
  const [chosen, setChosen] = useState<string | null>(null)
  const kind = offered.find((one) => one.key === chosen) ?? offered[0] ?? kinds[3]
  const input = {
    assembly: gene.assembly,
    genes: [gene.id],
    part: kind.part,
    transcripts: 'all',
    upstreamBp: flankBp,
    downstreamBp: flankBp,
  }
  const answer = useQuery({
    queryKey: ['gene-sequence', tool, gene.assembly, gene.id, kind.part],
    enabled: tool !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (context) => {
      const run = await call(runTool, { ...input, tool: tool ?? '' }, context)
      return 'result' in run ? geneSequencesSchema.parse(run.result).records : []
    },
  })
  const records = (answer.data ?? []).flatMap(({ residues, ...rest }) =>
    residues === null ? [] : [{ ...rest, residues }],
  )
  return (
    <>
      {opening === undefined ? null : (
        <FoldActions>
          <ButtonLink size="small" look="quiet" to={opening.address({ gene: gene.id, assembly: gene.assembly })}>
            {opening.label}
          </ButtonLink>
        </FoldActions>
      )}
      {tool === undefined ? (
        <EmptyState title={t('gene.nodata')} why={t('gene.seq.absent')} />
      ) : (
        <Tabs
          label={t('gene.sequences')}
          chosen={kind.key}
          onChoose={setChosen}
          tabs={offered.map((one) => ({
            key: one.key,
            label: t(`gene.seq.${one.key}`, { count: format.number(flankBp) }),
          }))}
        >
          {answer.isError ? (
            <Unanswered of={answer} />
          ) : answer.isPending ? (
            <Waiting />
          ) : records.length === 0 ? (
            <p className="nv-quiet">{t('gene.seq.none')}</p>
          ) : (
            <div className="gene-sequences">
              {records.map((record) => (
                <SequenceView
                  key={record.name}
                  header={record.header}
                  sequence={record.residues}
                  kind={kind.part === 'protein' ? 'protein' : 'nucleotide'}
                />
              ))}
            </div>
          )}
        </Tabs>
      )}
    </>
  )
}
