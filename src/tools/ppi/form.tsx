import { type ReactNode, useEffect } from 'react'
import { plainChannel } from '../../bio/networks/interaction-scores.ts'
import { evidenceChannels } from '../../bio/networks/interaction-tables.ts'
import { CheckGroup } from '../../kit/ui/controls/check-group.tsx'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { Checkbox, SelectField } from '../../kit/ui/controls/field.tsx'
import { givenText } from '../../kit/ui/controls/form-values.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { FormProps } from '../../kit/ui/tool/define-screen.ts'
import { useEvidenceName } from './evidence-names.ts'
import messages from './messages.ts'
import { useInteractions } from './use-datasets.ts'

export const PpiForm = ({ values, onValues, onAdjust, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useEvidenceName()
  const text = useToolText(messages)
  const setsAnswer = useInteractions(givenText(values.assembly))
  const known = setsAnswer.data
  const asked = givenText(values.dataset)
  const own = known?.datasets.find(({ id }) => id === asked) ?? known?.datasets[0]
  const strange = known !== undefined && asked !== undefined && own?.id !== asked
  useEffect(() => {
    if (strange) onAdjust({ dataset: undefined, evidence: [] })
  }, [strange, onAdjust])
  const source =
    known?.sources.find(({ assembly }) => assembly === values.interologs) ??
    (own === undefined ? known?.sources[0] : undefined)
  const shown = own ?? source?.dataset
  const kinds = [
    ...new Set([own, source?.dataset].flatMap((one) => evidenceChannels(one?.channels ?? []).map(plainChannel))),
  ]
  const transferred = [own, source?.dataset].some((one) => one?.channels.some((name) => name !== plainChannel(name)))
  const chosen = Array.isArray(values.evidence) ? values.evidence.map(String) : []
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      hints={{
        genes: { widget: 'genes' },
        minimumScore: { when: () => shown?.measure !== 'records' },
        minimumRecords: { when: () => shown?.measure === 'records' },
        minimumIdentity: { when: () => source !== undefined, advanced: true },
        transferred: { when: () => transferred },
        inflation: { when: () => values.clustering === 'mcl' },
      }}
      values={values}
      onValues={onValues}
      problems={problems}
      text={text}
    />
  )
  return (
    <>
      {setsAnswer.isError ? <Unanswered of={setsAnswer} line /> : null}
      {part(['genes', 'assembly'])}
      {own === undefined ? null : (
        <SelectField
          label={t('field.dataset')}
          problems={problems.dataset ?? []}
          aside={<SimulatedTag simulated={own.simulated} beside={own.name} />}
          help={format.text(own.description)}
          value={own.id}
          onChoose={(id) => onValues({ dataset: id === known?.datasets[0]?.id ? undefined : id, evidence: [] })}
          options={(known?.datasets ?? []).map((one) => ({ value: one.id, label: format.text(one.name) }))}
        />
      )}
      {own === undefined && source !== undefined ? (
        <p className="nv-field-help">{t('interologs.auto', { other: source.assembly })}</p>
      ) : null}
      {known === undefined || known.sources.length === 0 ? null : (
        <SelectField
          label={t('field.interologs')}
          problems={problems.interologs ?? []}
          help={t('help.interologs')}
          value={source?.assembly ?? ''}
          onChoose={(id) => onValues({ interologs: id === '' ? undefined : id })}
          options={[
            ...(own === undefined ? [] : [{ value: '', label: t('interologs.none') }]),
            ...known.sources.map(({ assembly, dataset }) => ({
              value: assembly,
              label: `${assembly}: ${format.text(dataset.name)}`,
            })),
          ]}
        />
      )}
      {part(['minimumScore', 'minimumRecords', 'firstShell', 'secondShell'])}
      {kinds.length < 2 ? null : (
        <details className="nv-advanced" open={chosen.length > 0 || (problems.evidence ?? []).length > 0 || undefined}>
          <summary>
            {t('field.evidence')}
            {chosen.length === 0 ? null : <small>{`${chosen.length} / ${kinds.length}`}</small>}
          </summary>
          <p className="nv-field-help">{t('help.evidence')}</p>
          <CheckGroup label={t('field.evidence')} className="nv-checks nv-expression-levels">
            {kinds.map((kind) => (
              <Checkbox
                key={kind}
                checked={chosen.includes(kind)}
                onCheck={(on) =>
                  onValues({ evidence: kinds.filter((one) => (one === kind ? on : chosen.includes(one))) })
                }
              >
                {nameOf(kind)}
              </Checkbox>
            ))}
          </CheckGroup>
          {(problems.evidence ?? []).map((problem) => (
            <p key={problem} className="nv-field-problem" role="alert">
              {problem}
            </p>
          ))}
        </details>
      )}
      {part(['transferred', 'minimumIdentity', 'clustering', 'inflation'])}
    </>
  )
}
