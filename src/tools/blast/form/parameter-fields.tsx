import type { ReactNode } from 'react'
import { geneticCodes } from '../../../bio/sequence/genetic-codes.ts'
import { textOf } from '../../../kit/ui/controls/form-values.ts'
import { TextField } from '../../../kit/ui/controls/text-field.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { messages as kit } from '../../../kit/ui/messages.ts'
import messages from '../messages.ts'
import {
  geneticCodeIds,
  type Matrix,
  matrices,
  matrixGapCosts,
  nucleotideScores,
  type Program,
  programFacts,
  type Task,
  taskDefaults,
} from '../programs.ts'
import { type BlastInput, limits, usualTargets } from '../tool.ts'
import { allowedOptions } from './advanced-options.ts'
import { CheckField, ChoiceField, type Form, NumberField, SelectField } from './form-fields.tsx'

/** Parameters that are about one thing, under its name. */
const Group = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <fieldset className="blast-group">
    <legend>{title}</legend>
    <div className="nv-form">{children}</div>
  </fieldset>
)

/** How alignments are scored: only the pairs of scores and costs that BLAST has statistics for. */
const ScoringFields = ({ form, program, task }: { form: Form; program: Program; task: Task | null }): ReactNode => {
  const t = useText(messages)
  const facts = programFacts[program]
  const defaults = taskDefaults(program, task)
  const matrix = (textOf(form.values.matrix) || defaults.matrix) as Matrix | null
  const scores = textOf(form.values.scores) || defaults.scores
  const linear = task === 'megablast' && scores !== '1,-1'
  const gapCosts = facts.usesMatrix
    ? matrix === null
      ? []
      : matrixGapCosts[matrix]
    : [...(linear ? ['0,0'] : []), ...(nucleotideScores.find((one) => one.scores === scores)?.gapCosts ?? [])]
  const scoring = facts.usesMatrix
    ? ({ name: 'matrix', normal: defaults.matrix, values: matrices } as const)
    : ({ name: 'scores', normal: defaults.scores, values: nucleotideScores.map((one) => one.scores) } as const)
  return (
    <>
      <NumberField
        form={form}
        name="wordSize"
        min={facts.wordSize.minimum}
        max={facts.wordSize.maximum}
        whole
        fallback={defaults.wordSize}
      />
      <SelectField
        form={form}
        name={scoring.name}
        none={t('form.defaultValue', { value: scoring.normal ?? '' })}
        options={scoring.values.map((value) => ({ value, label: value }))}
        // Costs that belong to other scores are not carried along.
        onChoose={(value) => form.onValues({ [scoring.name]: value === '' ? undefined : value, gapCosts: undefined })}
      />
      {facts.gapped ? (
        <>
          <SelectField
            form={form}
            name="gapCosts"
            none={t('form.automatic')}
            options={gapCosts.map((value) => ({
              value,
              label: value === '0,0' ? t('option.gapCosts.linear') : value,
            }))}
          />
          <CheckField form={form} name="ungapped" />
        </>
      ) : null}
      {facts.usesMatrix && facts.gapped ? (
        <SelectField
          form={form}
          name="compositionStatistics"
          none={t('form.automatic')}
          options={(['0', '1', '2', '3'] as const).map((value) => ({
            value,
            label: t(`option.compositionStatistics.${value}`),
          }))}
        />
      ) : null}
    </>
  )
}

const GeneticCodeField = ({
  form,
  name,
}: {
  form: Form
  name: 'queryGeneticCode' | 'databaseGeneticCode'
}): ReactNode => {
  const t = useText(messages)
  return (
    <SelectField
      form={form}
      name={name}
      none={t('form.fromAssembly')}
      options={geneticCodeIds.map((id) => ({ value: String(id), label: `${id}  ${geneticCodes.get(id)?.name ?? ''}` }))}
      onChoose={(value) => form.onValues({ [name]: value === '' ? undefined : Number(value) })}
    />
  )
}

const parameters = [
  'evalue',
  'maxTargetSeqs',
  'wordSize',
  'scores',
  'matrix',
  'gapCosts',
  'ungapped',
  'compositionStatistics',
  'lowComplexity',
  'softMasking',
  'maskLowerCase',
  'percentIdentity',
  'queryCoverage',
  'maxHsps',
  'strand',
  'queryGeneticCode',
  'databaseGeneticCode',
  'advanced',
] as const satisfies readonly (keyof BlastInput)[]

const isChanged = (name: (typeof parameters)[number], value: unknown): boolean =>
  value !== undefined &&
  value !== '' &&
  value !== false &&
  value !== 'default' &&
  value !== 'both' &&
  !(name === 'maxTargetSeqs' && value === usualTargets)

/**
 * Every parameter beyond program and task, in one fold, as NCBI's page has them: a search is run without them. Only those that the
 * program knows. The fold is open where one of them is wrong, and says how many were changed.
 */
export const ParameterFields = ({
  form,
  program,
  task,
}: {
  form: Form
  program: Program
  task: Task | null
}): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const facts = programFacts[program]
  const defaults = taskDefaults(program, task)
  const options = Object.entries(allowedOptions)
    .filter(([, option]) => option.programs.includes(program))
    .map(([name]) => `-${name}`)
  const isWrong = parameters.some((name) => (form.problems[name]?.length ?? 0) > 0)
  const changed = parameters.filter((name) => isChanged(name, form.values[name])).length
  return (
    <details className="nv-advanced" open={isWrong || undefined}>
      <summary>
        {t('form.parameters')}
        {changed === 0 ? null : <small>{k('form.advancedChanged', { count: changed })}</small>}
      </summary>
      <div className="nv-form">
        <div className="blast-pair">
          <NumberField form={form} name="evalue" min={0} max={10_000} fallback={defaults.evalue} />
          <NumberField
            form={form}
            name="maxTargetSeqs"
            min={1}
            max={limits.targetSequences}
            whole
            fallback={usualTargets}
          />
        </div>
        <Group title={t('form.scoring')}>
          <ScoringFields form={form} program={program} task={task} />
        </Group>
        <Group title={t('form.filtering')}>
          <ChoiceField form={form} name="lowComplexity" choices={['default', 'yes', 'no']} />
          <ChoiceField form={form} name="softMasking" choices={['default', 'yes', 'no']} />
          <CheckField form={form} name="maskLowerCase" />
        </Group>
        <Group title={t('form.restrict')}>
          {program === 'blastn' ? <NumberField form={form} name="percentIdentity" min={0} max={100} /> : null}
          <NumberField form={form} name="queryCoverage" min={0} max={100} />
          <NumberField form={form} name="maxHsps" min={1} max={100_000} whole />
          {facts.query === 'nucleotide' ? (
            <ChoiceField form={form} name="strand" choices={['both', 'plus', 'minus']} />
          ) : null}
        </Group>
        {facts.translatesQuery || facts.translatesDatabase ? (
          <Group title={t('form.translation')}>
            {facts.translatesQuery ? <GeneticCodeField form={form} name="queryGeneticCode" /> : null}
            {facts.translatesDatabase ? <GeneticCodeField form={form} name="databaseGeneticCode" /> : null}
          </Group>
        ) : null}
        <TextField
          label={t('field.advanced')}
          problems={form.problems.advanced}
          help={t('help.advanced', { options: format.list(options) })}
          className="nv-mono"
          value={textOf(form.values.advanced)}
          placeholder="-xdrop_gap 30"
          onText={(text) => form.onValues({ advanced: text })}
        />
      </div>
    </details>
  )
}
