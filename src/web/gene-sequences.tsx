import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import type { Gene } from '../contracts/genes.ts'
import { runTool } from '../contracts/jobs.ts'
import { Card } from '../kit/ui/card.tsx'
import { EmptyState, FailureState, Waiting } from '../kit/ui/empty-state.tsx'
import { useFormat, useText } from '../kit/ui/language.tsx'
import { call } from '../kit/ui/request.ts'
import { SequenceView } from '../kit/ui/sequence-view.tsx'
import { Tabs } from '../kit/ui/tabs.tsx'
import { useToolList } from '../kit/ui/tool-list.ts'
import { messages } from './messages/pages.ts'

/** The tool that cuts sequences out, known by its id alone: the page must not import a tool. */
const extractionTool = 'sequenceextraction'
const flankBp = 1000

/** What this page reads of the tool's answer. */
const answerSchema = z.object({
  records: z.array(z.object({ name: z.string(), header: z.string(), residues: z.string().nullable() })),
})

const kinds = [
  { key: 'protein', part: 'protein', coding: true },
  { key: 'cds', part: 'cds', coding: true },
  { key: 'cdna', part: 'cdna', coding: false },
  { key: 'genomic', part: 'gene', coding: false },
  { key: 'upstream', part: 'upstream', coding: false },
  { key: 'downstream', part: 'downstream', coding: false },
] as const

/** The gene's sequences by kind, one tab each, all transcripts; fetched when a tab is opened. */
export const GeneSequences = ({ gene, id }: { gene: Gene; id: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const tool = useToolList().find((one) => one.id === extractionTool)
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
    queryKey: ['gene-sequence', gene.assembly, gene.id, kind.part],
    enabled: tool !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const run = await call(runTool, { tool: extractionTool, ...input }, { signal, skipErrorHandler: true })
      return 'result' in run ? answerSchema.parse(run.result).records : []
    },
  })
  const records = (answer.data ?? []).flatMap(({ residues, ...rest }) =>
    residues === null ? [] : [{ ...rest, residues }],
  )
  return (
    <Card
      id={id}
      title={t('gene.sequences')}
      actions={
        tool === undefined ? undefined : (
          <Link
            className="nv-button nv-button-quiet nv-button-small"
            to={`${tool.route}?${new URLSearchParams({ genes: gene.id, assembly: gene.assembly })}`}
          >
            {t('gene.seq.more')}
          </Link>
        )
      }
    >
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
            <FailureState why={answer.error.message} onRetry={() => void answer.refetch()} />
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
    </Card>
  )
}
