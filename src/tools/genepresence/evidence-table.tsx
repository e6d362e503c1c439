import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { PresenceTag, usePresenceText } from '../../kit/ui/gene/presence-mark.tsx'
import { messages as presenceMessages } from '../../kit/ui/gene/presence-messages.ts'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { fileName } from '../../kit/ui/table/export.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import type { Evidence } from './endpoints.ts'
import messages from './messages.ts'

const percent = (share: number | null | undefined): number | null => (share == null ? null : 100 * share)
const region = (places: Evidence['places']): string | null =>
  places.length === 0 ? null : places.map(({ sequence, start, end }) => `${sequence}:${start}..${end}`).join(' ')

/** A gene in each genome, with what says so. */
export const EvidenceTable = ({
  gene,
  evidence,
  receipt,
}: {
  gene: string
  evidence: Evidence[]
  receipt?: Receipt
}): ReactNode => {
  const t = useText(messages)
  const words = useText(presenceMessages)
  const nameOf = useAssemblyNames()
  const textOf = usePresenceText()
  const format = useFormat()
  const neighbourText = (one: Evidence['before']): string | null =>
    one === null ? null : `${one.symbol ?? one.gene}: ${words(`state.${one.state}`)}`
  return (
    <ResultTable
      plain
      label={t('title')}
      name={fileName(gene, 'presence')}
      {...(receipt === undefined ? {} : { receipt })}
      rows={evidence}
      rowKey={({ assembly }) => assembly}
      columns={[
        {
          key: 'genome',
          title: t('column.genome'),
          value: ({ assembly }) => assembly,
          render: ({ assembly }) => nameOf(assembly),
        },
        {
          key: 'state',
          title: t('column.state'),
          value: ({ state }) => words(`state.${state}`),
          render: ({ state }) => <PresenceTag state={state} />,
        },
        {
          key: 'why',
          title: t('column.why'),
          value: (one) => {
            const others = one.oneGeneWith.map(({ gene: id, symbol }) => symbol ?? id)
            const fused = others.length === 0 ? '' : t('oneGene', { genes: format.names(others) })
            return [textOf(one), fused].filter((part) => part !== '').join(words('separator'))
          },
        },
        {
          key: 'annotated',
          title: t('column.annotated'),
          kind: 'id',
          value: ({ genes }) => genes.join(' '),
          render: ({ genes, assembly }) => (
            <>
              {genes.slice(0, 3).map((id) => (
                <GeneLink key={id} id={id} assembly={assembly} />
              ))}
            </>
          ),
        },
        {
          key: 'coverage',
          title: t('column.coverage'),
          kind: 'number',
          digits: 1,
          value: ({ coverage, state }) => (state === 'unknown' && coverage === 0 ? null : percent(coverage)),
        },
        {
          key: 'identity',
          title: t('column.identity'),
          kind: 'number',
          digits: 2,
          value: ({ identity }) => percent(identity),
        },
        {
          key: 'frame',
          title: t('column.frame'),
          kind: 'number',
          digits: 1,
          value: ({ frame }) => percent(frame?.keptShare),
        },
        { key: 'by', title: t('column.by'), value: ({ by }) => t(`by.${by ?? 'none'}`) },
        {
          key: 'place',
          title: t('column.place'),
          kind: 'region',
          value: ({ places }) => region(places),
          on: ({ assembly, places: [place] }) => (place === undefined ? null : { assembly, sequence: place.sequence }),
        },
        { key: 'before', title: t('column.before'), value: ({ before }) => neighbourText(before) },
        { key: 'after', title: t('column.after'), value: ({ after }) => neighbourText(after) },
        { key: 'copies', title: t('column.copies'), kind: 'number', hidden: true, value: ({ copies }) => copies },
      ]}
    />
  )
}
