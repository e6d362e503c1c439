import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { expressionData } from '../../contracts/expression.ts'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag, useUnitName } from '../../kit/ui/controls/expression-fields.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { directionOf } from '../../kit/ui/figures/change-figure.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useCatalogueReceipt } from '../../kit/ui/tool/catalogue-receipt.ts'
import { getGeneExpression } from './endpoints.ts'
import messages from './messages.ts'
import { ProfileFigure } from './profile-figure.tsx'
import tool from './tool.ts'
import './screen.css'

/** What was measured stands before what is simulated. */
const useProfiles = ({ assembly, id }: Gene) => {
  const answer = useQuery({
    queryKey: ['gene-expression', assembly, id],
    queryFn: (context) => call(getGeneExpression, { assembly, gene: id }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })
  const profiles = useMemo(
    () => answer.data?.profiles.toSorted((a, b) => Number(a.dataset.simulated) - Number(b.dataset.simulated)),
    [answer.data],
  )
  return { answer, profiles }
}

type Profile = z.output<typeof getGeneExpression.output>['profiles'][number]

/** What the comparisons of the data set say of the gene. */
const Comparisons = ({ profile, assembly }: { profile: Profile; assembly: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { dataset, comparisons } = profile
  const open = (contrast: string): string =>
    `${tool.route}?${new URLSearchParams({ task: 'differential', assembly, dataset: dataset.id, contrast, run: '1' })}`
  return (
    <ResultTable
      label={t('panel.comparisons')}
      name={`${dataset.id}-comparisons`}
      columns={[
        {
          key: 'name',
          title: t('field.contrast'),
          value: ({ contrast }) => format.text(dataset.contrasts.find(({ id }) => id === contrast)?.name),
          render: ({ contrast }) => (
            <Link to={open(contrast)}>{format.text(dataset.contrasts.find(({ id }) => id === contrast)?.name)}</Link>
          ),
        },
        {
          key: 'lfc',
          title: t('column.log2FoldChange'),
          kind: 'number',
          digits: 3,
          value: ({ log2FoldChange }) => log2FoldChange,
        },
        { key: 'p', title: t('column.p'), kind: 'pValue', value: ({ pValue }) => pValue },
        { key: 'padj', title: t('column.padj'), kind: 'pValue', value: ({ adjustedPValue }) => adjustedPValue },
      ]}
      rows={comparisons}
      rowKey={({ contrast }) => contrast}
    />
  )
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const unitName = useUnitName()
  const { assembly, id, symbol, description } = gene
  const [chosen, setChosen] = useState('')
  const { answer, profiles } = useProfiles(gene)
  const profile = profiles?.find(({ dataset }) => dataset.id === chosen) ?? profiles?.[0]
  const dataset = profile?.dataset
  const receipt = useCatalogueReceipt(
    tool.id,
    'values as loaded; mean and standard error of the replicates',
    useMemo(() => ({ assembly, gene: id, dataset: dataset?.id ?? '' }), [assembly, id, dataset?.id]),
    [assembly],
  )
  if (answer.isError) return <Unanswered of={answer} />
  if (profiles === undefined) return <Waiting />
  if (profile === undefined || dataset === undefined) return <p className="nv-quiet">{t('panel.none')}</p>
  const open = new URLSearchParams({ assembly, dataset: dataset.id, genes: id, run: '1', 'view.figure': 'profile' })
  return (
    <div className="exp-panel">
      <div className="nv-figure-bar">
        <div className="nv-figure-fields">
          <SelectField
            label={t('panel.dataset')}
            value={dataset.id}
            onChoose={setChosen}
            options={profiles.map((one) => ({
              value: one.dataset.id,
              label: `${format.text(one.dataset.name)} (${unitName(one.dataset.unit)})`,
            }))}
          />
        </div>
        <SimulatedTag simulated={dataset.simulated} />
        {profile.tau === null || dataset.measure !== null ? null : (
          <span title={t('help.tau')}>{t('panel.tau', { tau: format.number(profile.tau, 2) })}</span>
        )}
        <FoldActions>
          <ButtonLink size="small" look="quiet" to={`${tool.route}?${open}`}>
            {t('panel.open')}
          </ButtonLink>
        </FoldActions>
      </div>
      <ProfileFigure
        key={dataset.id}
        genes={[{ id, symbol, description, values: profile.values, tau: profile.tau }]}
        dataset={dataset}
        samples={dataset.samples}
        factor={dataset.group}
        name={`${id}-${dataset.id}`}
        {...(receipt === undefined ? {} : { receipt })}
      />
      {profile.comparisons.length === 0 ? null : <Comparisons profile={profile} assembly={assembly} />}
    </div>
  )
}

/** Comparisons told in the head of the section. */
const changesTold = 2

/** Those in which the gene is changed, of what was measured, the surest first. */
const listChanges = (profiles: readonly Profile[]) =>
  profiles
    .filter(({ dataset }) => !dataset.simulated)
    .flatMap(({ dataset, comparisons }) =>
      comparisons.flatMap(({ contrast, log2FoldChange, adjustedPValue }) => {
        const about = dataset.contrasts.find(({ id }) => id === contrast)
        return about === undefined || log2FoldChange === null || adjustedPValue === null
          ? []
          : [{ name: about.name, log2FoldChange, adjustedPValue }]
      }),
    )
    .filter((one) => directionOf(one) !== 0)
    .sort((a, b) => a.adjustedPValue - b.adjustedPValue)
    .slice(0, changesTold)

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const format = useFormat()
  const { profiles } = useProfiles(gene)
  if (profiles === undefined) return undefined
  const [first] = profiles
  // Tn-seq, say: what is no expression does not stand under that name alone.
  const measures = [
    ...new Set(profiles.flatMap(({ dataset }) => (dataset.measure === null ? [] : [format.text(dataset.measure)]))),
  ]
  const onlyOthers = profiles.every(({ dataset }) => dataset.measure !== null)
  return {
    count: profiles.length,
    ...(measures.length === 0
      ? {}
      : { title: t(onlyOthers ? 'panel.titleOther' : 'panel.titleMixed', { measures: format.list(measures) }) }),
    simulated: first?.dataset.simulated ?? false,
    text:
      first === undefined
        ? t('panel.none')
        : [
            // All of them: what was measured otherwise is not hidden behind the first.
            format.list(profiles.map(({ dataset }) => format.text(dataset.name))),
            // It tells of where a gene is expressed.
            ...(first.tau === null || first.dataset.measure !== null
              ? []
              : [t('panel.tau', { tau: format.number(first.tau, 2) })]),
            ...listChanges(profiles).map(({ name, log2FoldChange, adjustedPValue }) =>
              t('panel.change', {
                name: format.text(name),
                change: format.number(log2FoldChange, 2),
                adjusted: format.pValue(adjustedPValue),
              }),
            ),
          ].join(' · '),
  }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: expressionData,
  section: { topic: 'expression', order: 10, heightPx: 520, useGist, Panel },
})
