import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { AssemblyPicker } from '../../kit/ui/controls/assembly-picker.tsx'
import { Field, Segmented } from '../../kit/ui/controls/field.tsx'
import { textOf } from '../../kit/ui/controls/form-values.ts'
import { GeneInput } from '../../kit/ui/controls/gene-input.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import type { FormProps } from '../../kit/ui/tool/define-screen.ts'
import { DatabaseTable } from './form/database-table.tsx'
import { namesOf, SelectField, SequenceField } from './form/form-fields.tsx'
import { ParameterFields } from './form/parameter-fields.tsx'
import { ScopeField } from './form/scope-field.tsx'
import messages from './messages.ts'
import { alphabetOfDatabase, offerPrograms, type Program, programFacts, type Task } from './programs.ts'
import { glanceAtSequences } from './queries.ts'
import { planScope } from './search-scope.ts'
import { limits } from './tool.ts'

/** A program with its own defaults. */
const freshProgram = (program: Program) => ({
  program,
  task: undefined,
  wordSize: undefined,
  scores: undefined,
  matrix: undefined,
  gapCosts: undefined,
  compositionStatistics: undefined,
  percentIdentity: undefined,
  ungapped: false,
  advanced: '',
})

/** Heads a part of the form; its name, which is the legend, stands beside the ways in which it can be filled in. */
const PartHead = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <div className="blast-part-head">
    <span aria-hidden>{title}</span>
    {children}
  </div>
)

/** The form of a search: what with, what in, and then only programs and parameters that fit both. */
export const BlastForm = ({ values, onValues: changeValues, onAdjust, problems }: FormProps): ReactNode => {
  const [address] = useSearchParams()
  // While a result is shown, the form only changes by the reader's hand: a change of its own would leave the result.
  const settled = address.has('job') || address.has('run')
  const touched = useRef(false)
  const onValues: FormProps['onValues'] = (change) => {
    touched.current = true
    // Nothing pasted yet is not "search everything": an empty list of databases is refused, none at all means all of them.
    if (pastedMode && change.subject !== undefined)
      changeValues({ ...change, databases: textOf(change.subject).trim() === '' ? [] : undefined })
    else changeValues(change)
  }
  const t = useText(messages)
  const assemblies = useAssemblies()
  const query = textOf(values.query)
  const genes = textOf(values.genes)
  const subject = textOf(values.subject)
  const databases = useMemo(() => namesOf(values.databases), [values.databases])
  const [byGene, setByGene] = useState(genes !== '')
  const [pasted, setPasted] = useState(subject !== '')
  const geneMode = query === '' && (byGene || genes !== '')
  const pastedMode = databases.length === 0 && (pasted || subject !== '')
  const glance = useMemo(() => glanceAtSequences(query), [query])
  const subjectGlance = useMemo(() => glanceAtSequences(subject), [subject])

  const geneSequence = textOf(values.geneSequence) || 'auto'
  const queryAlphabet = geneMode
    ? geneSequence === 'auto'
      ? null
      : geneSequence === 'protein'
        ? 'protein'
        : 'nucleotide'
    : glance.alphabet
  const databaseAlphabet = pastedMode
    ? subjectGlance.alphabet
    : databases[0] === undefined
      ? null
      : alphabetOfDatabase(databases[0])
  const offered = offerPrograms(queryAlphabet, databaseAlphabet)
  const program = (textOf(values.program) || 'blastn') as Program
  const facts = programFacts[program]
  const task = (textOf(values.task) || facts.tasks[0]) as Task | undefined

  // The program follows what it has to fit, and parameters of another program are not carried along.
  const fitting = offered.includes(program) ? program : (offered[0] ?? program)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a program that does not fit is changed.
  useEffect(() => {
    if (fitting !== program && (!settled || touched.current)) onAdjust(freshProgram(fitting))
  }, [fitting, program])

  // No list of databases: all of them, as the engine would take them.
  const open = databases.length === 0 && !Array.isArray(values.databases)
  const scope = planScope(assemblies, program, {
    species: textOf(values.species) || undefined,
    assembly: textOf(values.assembly) || undefined,
  })
  const form = { values, onValues, problems }
  return (
    <>
      <fieldset className="blast-part">
        <legend className="nv-said">{t('form.query')}</legend>
        <PartHead title={t('form.query')}>
          <Segmented
            label={t('form.queryBy')}
            value={geneMode ? 'genes' : 'sequence'}
            options={[
              { value: 'sequence', label: t('form.bySequence') },
              { value: 'genes', label: t('form.byGene') },
            ]}
            onChoose={(mode) => {
              setByGene(mode === 'genes')
              onValues(mode === 'genes' ? { query: '' } : { genes: undefined })
            }}
          />
        </PartHead>
        {geneMode ? (
          <>
            <Field
              label={t('field.genes')}
              help={t('help.genes')}
              problems={[...(problems.genes ?? []), ...(problems.query ?? [])]}
            >
              {(ids) => (
                <GeneInput
                  id={ids.id}
                  value={genes}
                  onValue={(text) => onValues({ genes: text })}
                  assembly={textOf(values.assembly) || undefined}
                  onAssembly={(assembly) => onValues({ assembly })}
                  maximum={limits.queries}
                  describedBy={ids['aria-describedby']}
                  invalid={ids['aria-invalid']}
                  rows={3}
                />
              )}
            </Field>
            <Field label={t('field.assembly')} problems={problems.assembly}>
              {(ids) => (
                <AssemblyPicker
                  id={ids.id}
                  value={textOf(values.assembly)}
                  onChoose={(assembly) => onValues({ assembly: assembly === '' ? undefined : assembly })}
                  needs="genes"
                  allowAll
                  describedBy={ids['aria-describedby']}
                  invalid={ids['aria-invalid']}
                />
              )}
            </Field>
            <SelectField
              form={form}
              name="geneSequence"
              value={geneSequence}
              options={(['auto', 'genomic', 'transcript', 'cds', 'protein'] as const).map((value) => ({
                value,
                label: t(`option.geneSequence.${value}`),
              }))}
            />
          </>
        ) : (
          <SequenceField form={form} name="query" rows={5} max={limits.queryCharacters} />
        )}
      </fieldset>

      <fieldset className="blast-part">
        <legend className="nv-said">{t('form.databases')}</legend>
        <PartHead title={t('form.databases')}>
          <Segmented
            label={t('form.searchIn')}
            value={pastedMode ? 'pasted' : 'databases'}
            options={[
              { value: 'databases', label: t('form.inDatabases') },
              { value: 'pasted', label: t('form.inPasted') },
            ]}
            onChoose={(mode) => {
              setPasted(mode === 'pasted')
              changeValues(
                mode === 'pasted' ? { databases: [], species: undefined } : { subject: '', databases: undefined },
              )
            }}
          />
        </PartHead>
        {pastedMode ? (
          <SequenceField
            form={form}
            name="subject"
            rows={6}
            max={limits.subjectCharacters}
            problems={[...(problems.subject ?? []), ...(problems.databases ?? [])]}
          />
        ) : (
          <>
            <ScopeField form={form} assemblies={assemblies} program={program} chosen={databases} open={open} />
            {/* Open where databases are chosen already, or are what is wrong. */}
            <details className="nv-advanced" open={!open || (problems.databases?.length ?? 0) > 0 || undefined}>
              <summary>{t('form.chooseDatabases')}</summary>
              <Field label={t('field.databases')} problems={problems.databases} help={t('form.kindsMix')}>
                {() => (
                  <DatabaseTable
                    assemblies={assemblies}
                    chosen={open ? scope.names : databases}
                    onChoose={(names) => onValues({ databases: names, species: undefined })}
                  />
                )}
              </Field>
            </details>
          </>
        )}
      </fieldset>

      <fieldset className="blast-part">
        <legend className="nv-said">{t('form.program')}</legend>
        <SelectField
          form={form}
          name="program"
          value={program}
          help={
            queryAlphabet !== null && databaseAlphabet !== null
              ? t('form.programWhy', {
                  query: t(`form.alphabet.${queryAlphabet}`),
                  database: t(`form.alphabet.${databaseAlphabet}`),
                })
              : undefined
          }
          // A program that does not fit is shown with what fits: what was refused must not look like what was asked for.
          options={(offered.includes(program) ? offered : [program, ...offered]).map((value) => ({
            value,
            label: t(`option.program.${value}`),
          }))}
          onChoose={(value) => onValues(freshProgram(value as Program))}
        />
        {facts.tasks.length === 0 ? null : (
          <SelectField
            form={form}
            name="task"
            value={task ?? ''}
            options={facts.tasks.map((value) => ({ value, label: t(`option.task.${value}`) }))}
            onChoose={(value) =>
              onValues({ task: value, wordSize: undefined, scores: undefined, matrix: undefined, gapCosts: undefined })
            }
          />
        )}
        <ParameterFields form={form} program={program} task={task ?? null} />
      </fieldset>
    </>
  )
}
