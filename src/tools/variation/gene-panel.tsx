import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import { consequences } from '../../bio/variation/consequences.ts'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { type CallOptions, call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { alleleText, EffectTag, frequencyOf, gravest, useConsequenceName, variationAddress } from './effect-parts.tsx'
import { useSets } from './form.tsx'
import messages from './messages.ts'
import tool, { consequenceNames, type VariationResult } from './tool.ts'
import { LocusFigure } from './views/locus-figure.tsx'
import './screen.css'

/** Variants listed: those that change the protein first. */
const shown = 50
const telling = consequences.filter(({ impact }) => impact === 'high' || impact === 'moderate').map(({ name }) => name)

const SetView = ({ gene, set, report }: { gene: Gene; set: string; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useConsequenceName()
  const { assembly, id } = gene
  const ask = async (more: object, context: CallOptions) => {
    const got = await call(runTool, { tool: tool.id, task: 'variants', assembly, set, genes: [id], ...more }, context)
    return 'result' in got ? { result: got.result as VariationResult, receipt: got.receipt } : null
  }
  const answer = useQuery({
    queryKey: ['variation-panel', assembly, set, id],
    queryFn: async (context) => ({
      all: await ask({ pageSize: 1 }, context),
      telling: await ask({ pageSize: shown, consequences: telling }, context),
    }),
    staleTime: 5 * 60_000,
    retry: false,
  })
  const total = answer.data?.all?.result.variants?.total ?? undefined
  useEffect(() => {
    if (total !== undefined && total !== null) report(total)
  }, [total, report])
  if (answer.isError) return <Unanswered of={answer} />
  const all = answer.data?.all
  if (all === undefined || all === null) return <Waiting />
  const found = all.result.variants!
  const list = answer.data?.telling?.result.variants?.rows ?? []
  const { set: about } = all.result
  return (
    <div className="variation-panel">
      <div className="nv-figure-bar">
        <strong>{format.text(about.name)}</strong>
        <SimulatedTag simulated={about.simulated} />
        <span className="nv-quiet">{t('panel.set', { count: found.total ?? 0, samples: about.samples })}</span>
        <ButtonLink size="small" to={variationAddress({ assembly, set, genes: id })}>
          {t('panel.open')}
        </ButtonLink>
        {about.ploidy === 0 ? null : (
          <>
            <ButtonLink size="small" to={variationAddress({ task: 'haplotypes', assembly, set, genes: id })}>
              {t('panel.haplotypes')}
            </ButtonLink>
            <ButtonLink size="small" to={variationAddress({ task: 'ld', assembly, set, genes: id })}>
              {t('panel.ld')}
            </ButtonLink>
          </>
        )}
      </div>
      {found.total === 0 ? (
        <p className="nv-quiet">{t('panel.none')}</p>
      ) : (
        <>
          <p className="variation-genes">
            {consequenceNames
              .filter((name) => (found.counts?.[name] ?? 0) > 0)
              .map((name) => (
                <span key={name}>
                  <EffectTag name={name} /> {format.number(found.counts![name]!)}
                </span>
              ))}
          </p>
          <LocusFigure bare found={found} assembly={assembly} set={set} />
          {list.length === 0 ? null : (
            <ResultTable
              label={t('panel.gravest')}
              name={`${id}-variants`}
              receipt={all.receipt}
              rows={list}
              total={answer.data?.telling?.result.variants?.total ?? list.length}
              rowKey={({ row }) => String(row)}
              columns={[
                {
                  key: 'position',
                  title: t('column.position'),
                  kind: 'number',
                  value: ({ position }) => position,
                  render: (row) => (
                    <Link to={variationAddress({ assembly, set, id: row.key })}>{format.number(row.position)}</Link>
                  ),
                },
                { key: 'alleles', title: t('column.alleles'), kind: 'id', value: alleleText },
                {
                  key: 'effect',
                  title: t('column.effect'),
                  value: (row) => nameOf(gravest(row, true) ?? 'intergenic'),
                  render: (row) => <EffectTag name={gravest(row, true) ?? 'intergenic'} />,
                },
                {
                  key: 'change',
                  title: t('column.change'),
                  kind: 'id',
                  value: ({ effects }) =>
                    [...new Set(effects.flatMap(({ aminoAcids }) => aminoAcids ?? []))].join(', '),
                },
                {
                  key: 'frequency',
                  title: t('column.frequency'),
                  kind: 'number',
                  digits: 3,
                  value: ({ alleles }) => frequencyOf(alleles),
                },
              ]}
            />
          )}
        </>
      )}
    </div>
  )
}

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const setsAnswer = useSets(gene.assembly)
  const known = setsAnswer.data
  if (setsAnswer.isError) return <Unanswered of={setsAnswer} />
  if (known === undefined) return <Waiting />
  return known.sets.map((set, at) => (
    <SetView key={set.id} gene={gene} set={set.id} report={at === 0 ? report : () => undefined} />
  ))
}

export default defineGenePanel({ id: tool.id, order: 106, messages, needs: 'variants', opensAt: '/reseq/gene', Panel })
