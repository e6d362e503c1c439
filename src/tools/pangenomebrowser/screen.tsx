import type { ReactNode } from 'react'
import type { z } from 'zod'
import { listGenesInRegion } from '../../contracts/genes.ts'
import { browserAddress } from '../../kit/ui/browser-address.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Facts } from '../../kit/ui/controls/card.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { RoleOf } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { listGraphs } from './endpoints.ts'
import messages from './messages.ts'
import { OverviewFigure } from './overview-figure.tsx'
import { StructureCard } from './structure-card.tsx'
import tool, { type GraphResult } from './tool.ts'
import { TubeFigure } from './tube-figure.tsx'
import { VariantsTable } from './variants-table.tsx'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

const ResultView = ({ result, receipt, input }: ResultProps<Input, GraphResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const { assembly, graph, sequence, start, end, genes } = result
  const locus = `${sequence}:${start}-${end}`
  return (
    <>
      {result.minBp > input.minBp ? (
        <p className="nv-warn">{t('note.raised', { min: result.minBp, hidden: result.hidden })}</p>
      ) : result.hidden > 0 ? (
        <p className="nv-quiet">{t('note.hidden', { min: result.minBp, hidden: result.hidden })}</p>
      ) : null}
      {result.absent.length === 0 ? null : (
        <p className="nv-quiet">
          {t('note.absent', { names: format.names(result.absent.map(nameOf)), count: result.absent.length })}
        </p>
      )}
      <TubeFigure key={`${graph.id} ${locus}`} result={result} receipt={receipt} />
      <VariantsTable result={result} receipt={receipt} />
      {graph.nodes === null ? null : <OverviewFigure result={result} />}
      <StructureCard result={result} lengthBp={result.sequenceBp} />
      <Card
        title={t('about.title')}
        actions={
          <>
            {genes.length === 0 ? null : <GeneSetMenu genes={genes.map(({ id }) => ({ id, assembly }))} />}
            <ButtonLink size="small" to={browserAddress({ assembly, sequence, start, end })}>
              {t('about.jbrowse')}
            </ButtonLink>
          </>
        }
      >
        <Facts
          facts={[
            { name: t('about.graph'), value: format.text(graph.name) },
            ...(graph.nodes === null
              ? []
              : [
                  {
                    name: t('about.size'),
                    value: t('about.sizeValue', {
                      nodes: graph.nodes,
                      links: graph.links ?? 0,
                      bases: format.basePairs(graph.totalBp ?? 0),
                      samples: graph.samples.length,
                    }),
                  },
                ]),
            ...(graph.description === null
              ? []
              : [{ name: t('about.description'), value: format.text(graph.description) }]),
            ...(graph.licence === null ? [] : [{ name: t('about.licence'), value: graph.licence }]),
            {
              name: t('about.genes'),
              wide: true,
              value:
                genes.length === 0 ? (
                  '–'
                ) : (
                  <span className="pgb-genes">
                    {genes.slice(0, 40).map(({ id, symbol }) => (
                      <GeneLink key={id} id={id} assembly={assembly} symbol={symbol} />
                    ))}
                  </span>
                ),
            },
          ]}
        />
      </Card>
    </>
  )
}

const Headline = ({ result }: { result: GraphResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, sequence, start, end } = result
  return (
    <>
      {t('head.found', {
        locus: format.region(sequence, start, end),
        length: format.basePairs(end - start + 1),
        nodes: result.nodeCount,
        variants: result.variantTotal,
        samples: new Set(result.region.walks.map(({ sample }) => sample)).size - 1,
      })}
      <RoleOf assembly={assembly} sequence={sequence} />
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  layout: 'top',
  fields: {
    locus: { placeholder: 'chrI:1000-9000' },
    graph: { advanced: true },
    flankBp: { advanced: true },
    minBp: { advanced: true },
  },
  Result: ResultView,
  // Of what is known in the browser nothing says where a graph is: a gene of it is looked for.
  loadExample: async ({ assembly }) => {
    const { graphs } = await call(listGraphs, { assembly })
    const locus = graphs[0]?.loci?.[0]
    // A graph that has all of the assembly has the tool's own example.
    if (locus === undefined) return null
    const { genes } = await call(listGenesInRegion, {
      assembly,
      sequence: locus.sequence,
      start: locus.start,
      end: locus.end,
      limit: 200,
    })
    const whole = genes.filter(({ start, end }) => start > locus.start && end < locus.end)
    const named = whole.find(({ symbol }) => symbol !== null) ?? whole[0]
    const end = Math.min(locus.end, locus.start + 1999)
    return { assembly, graph: graphs[0]!.id, locus: named?.id ?? `${locus.sequence}:${locus.start}-${end}` }
  },
  headline: ({ result }) => <Headline result={result} />,
})
