import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { consequences } from '../../bio/variation/consequences.ts'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { EffectTag, useConsequenceName } from '../../kit/ui/gene/consequence-mark.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { alleleText, changesOf, frequencyOf, gravest, variationAddress } from './effect-parts.tsx'
import { useSets } from './form.tsx'
import messages from './messages.ts'
import tool, { consequenceNames, type VariationResult } from './tool.ts'
import { LocusFigure } from './views/locus-figure.tsx'
import './screen.css'

/** Variants listed: those that change the protein first. */
const shown = 50
const telling = consequences.filter(({ impact }) => impact === 'high' || impact === 'moderate').map(({ name }) => name)

const useVariants = ({ assembly, id }: Gene, set: string | undefined) =>
  useQuery({
    queryKey: ['variation-panel', assembly, set, id],
    enabled: set !== undefined,
    queryFn: async (context) => {
      const ask = async (more: object) => {
        const got = await call(
          runTool,
          { tool: tool.id, task: 'variants', assembly, set, genes: [id], ...more },
          context,
        )
        return 'result' in got ? { result: got.result as VariationResult, receipt: got.receipt } : null
      }
      return { all: await ask({ pageSize: 1 }), telling: await ask({ pageSize: shown, consequences: telling }) }
    },
    staleTime: 5 * 60_000,
    retry: false,
  })

const SetView = ({ gene, set }: { gene: Gene; set: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useConsequenceName()
  const { assembly, id } = gene
  const answer = useVariants(gene, set)
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
        <p className="nv-quiet">{t('panel.none', { set: format.text(about.name), samples: about.samples })}</p>
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
                  value: ({ effects }) => changesOf(effects),
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

/** Real sets stand before simulated ones. */
const useOwnSets = (assembly: string) => {
  const answer = useSets(assembly)
  const sets = useMemo(
    () => answer.data?.sets.toSorted((a, b) => Number(a.simulated) - Number(b.simulated)),
    [answer.data],
  )
  return { answer, sets }
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const { answer, sets } = useOwnSets(gene.assembly)
  if (answer.isError) return <Unanswered of={answer} />
  if (sets === undefined) return <Waiting />
  return sets.map((set) => <SetView key={set.id} gene={gene} set={set.id} />)
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const format = useFormat()
  const { sets } = useOwnSets(gene.assembly)
  const answer = useVariants(gene, sets?.[0]?.id).data
  if (answer === undefined) return undefined
  const count = answer.all?.result.variants?.total ?? 0
  const severe = answer.telling?.result.variants?.total ?? 0
  const about = answer.all?.result.set
  return {
    count,
    text:
      count === 0 && about !== undefined
        ? t('panel.none', { set: format.text(about.name), samples: about.samples })
        : t('panel.gist', { count, severe }),
  }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: 'variants',
  section: { topic: 'variants', order: 10, heightPx: 700, opensAt: '/reseq/gene', useGist, Panel },
  analyses: ({ gene, t }) => [
    {
      key: 'haplotypes',
      label: t('panel.analysis'),
      address: variationAddress({ task: 'haplotypes', assembly: gene.assembly, genes: gene.id }),
    },
  ],
})
