import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { geneticCodes } from '../../bio/genetic-codes.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { splitIdentifiers } from '../../contracts/tool.ts'
import { AssemblyMarks, AssemblyPicker } from '../../kit/ui/assembly-picker.tsx'
import type { FormProps } from '../../kit/ui/define-screen.ts'
import {
  Checkbox,
  Field,
  FileButton,
  NumberInput,
  Segmented,
  Select,
  TextArea,
  TextInput,
} from '../../kit/ui/field.tsx'
import { GeneInput } from '../../kit/ui/gene-input.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies, useToolStatus } from '../../kit/ui/portal-data.ts'
import { allowedOptions } from './advanced-options.ts'
import messages from './messages.ts'
import {
  alphabetOfKind,
  type DatabaseKind,
  databaseKinds,
  geneticCodeIds,
  type Matrix,
  matrices,
  matrixGapCosts,
  nucleotideScores,
  offerPrograms,
  type Program,
  programFacts,
  type Task,
  taskDefaults,
} from './programs.ts'
import { glanceAtSequences } from './queries.ts'
import { shortNumber } from './tabular.ts'
import tool from './tool.ts'

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join('\n') : value === undefined || value === null ? '' : String(value)
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const namesOf = (value: unknown): string[] => splitIdentifiers(textOf(value))

const kindOf = (name: string): DatabaseKind => name.slice(name.lastIndexOf('/') + 1) as DatabaseKind

/** Databases as a table: a row an assembly, a column a kind. Proteins and nucleotides exclude each other. */
const DatabaseTable = ({
  assemblies,
  chosen,
  onChoose,
}: {
  assemblies: AssemblySummary[]
  chosen: string[]
  onChoose: (names: string[]) => void
}): ReactNode => {
  const t = useText(messages)
  const [words, setWords] = useState('')
  const kinds = databaseKinds.filter((kind) =>
    assemblies.some((assembly) => assembly.dataTypes[`blast-${kind}`] !== undefined),
  )
  const shown = assemblies.filter((assembly) =>
    [assembly.id, assembly.name, assembly.strain, assembly.speciesName]
      .join(' ')
      .toLowerCase()
      .includes(words.trim().toLowerCase()),
  )
  const has = (assembly: AssemblySummary, kind: DatabaseKind): boolean =>
    assembly.dataTypes[`blast-${kind}`] !== undefined
  const change = (names: string[], on: boolean): void => {
    const first = names[0]
    if (first === undefined) return
    const alphabet = alphabetOfKind(kindOf(first))
    const kept = chosen.filter((name) => !names.includes(name) && (!on || alphabetOfKind(kindOf(name)) === alphabet))
    onChoose(on ? [...kept, ...names].slice(0, tool.limits.databases) : kept)
  }
  if (kinds.length === 0) return <p className="nv-quiet">{t('form.noDatabases')}</p>
  return (
    <div className="blast-databases">
      {assemblies.length > 6 ? (
        <TextInput
          type="search"
          placeholder={t('form.findAssembly')}
          aria-label={t('form.findAssembly')}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      ) : null}
      <div className="blast-databases-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="nv-quiet">{t('form.chosen', { count: chosen.length })}</span>
              </th>
              {kinds.map((kind) => {
                const names = shown.filter((one) => has(one, kind)).map((one) => `${one.id}/${kind}`)
                const on = names.length > 0 && names.every((name) => chosen.includes(name))
                return (
                  <th key={kind} scope="col">
                    <button
                      type="button"
                      title={on ? t('form.chooseNone') : t('form.chooseAll')}
                      onClick={() => change(names, !on)}
                    >
                      {t(`option.kind.${kind}`)}
                    </button>
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map((assembly) => (
              <tr key={assembly.id}>
                <th scope="row" title={assembly.speciesName}>
                  {assembly.id} <AssemblyMarks assembly={assembly} />
                </th>
                {kinds.map((kind) => (
                  <td key={kind}>
                    {has(assembly, kind) ? (
                      <Checkbox
                        label={`${assembly.id} ${t(`option.kind.${kind}`)}`}
                        checked={chosen.includes(`${assembly.id}/${kind}`)}
                        onCheck={(on) => change([`${assembly.id}/${kind}`], on)}
                      />
                    ) : (
                      <span className="nv-none">–</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** The form of a search: what with, what in, and then only programs and parameters that fit both. */
export const BlastForm = ({ values, onValues: changeValues, problems }: FormProps): ReactNode => {
  const [address] = useSearchParams()
  // While a result is shown, the form only changes by the reader's hand: a change of its own would leave the result.
  const settled = address.has('job') || address.has('run')
  const touched = useRef(false)
  const onValues: FormProps['onValues'] = (change) => {
    touched.current = true
    changeValues(change)
  }
  const t = useText(messages)
  const format = useFormat()
  const assemblies = useAssemblies()
  const limits = useToolStatus(tool.id)?.limits ?? tool.limits
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
      : alphabetOfKind(kindOf(databases[0]))
  const offered = offerPrograms(queryAlphabet, databaseAlphabet)
  const program = (textOf(values.program) || 'blastn') as Program
  const facts = programFacts[program]
  const task = (textOf(values.task) || facts.tasks[0]) as Task | undefined
  const defaults = taskDefaults(program, task ?? null)

  // The program follows what it has to fit, and parameters of another program are not carried along.
  const fitting = offered.includes(program) ? program : (offered[0] ?? program)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a program that does not fit is changed.
  useEffect(() => {
    if (fitting !== program && (!settled || touched.current)) chooseProgram(fitting)
  }, [fitting, program])
  const chooseProgram = (next: Program): void =>
    onValues({
      program: next,
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

  // A first visit searches the reference genome, or that of the gene one comes with.
  const suggested = useRef(databases.length > 0 || subject !== '')
  useEffect(() => {
    if (suggested.current || settled || assemblies.length === 0) return
    suggested.current = true
    const from =
      assemblies.find((one) => one.id === values.assembly) ?? assemblies.find((one) => one.reference) ?? assemblies[0]
    if (from?.dataTypes['blast-genome'] !== undefined) changeValues({ databases: [`${from.id}/genome`] })
  }, [assemblies, values.assembly, changeValues, settled])

  const choice = (field: 'lowComplexity' | 'softMasking' | 'strand', options: readonly string[]): ReactNode => (
    <Field label={t(`field.${field}`)} help={t(`help.${field}`)} problems={problems[field]}>
      {() => (
        <Segmented
          label={t(`field.${field}`)}
          value={textOf(values[field]) || options[0]!}
          options={options.map((value) => ({
            value,
            label: t(`option.${field}.${value}` as Parameters<typeof t>[0]),
          }))}
          onChoose={(value) => onValues({ [field]: value })}
        />
      )}
    </Field>
  )
  const numberField = (
    field: 'evalue' | 'maxTargetSeqs' | 'wordSize' | 'percentIdentity' | 'queryCoverage' | 'maxHsps',
    bounds: { min?: number; max?: number; whole: boolean },
    fallback?: number,
  ): ReactNode => (
    <Field label={t(`field.${field}`)} help={t(`help.${field}`)} problems={problems[field]}>
      {(ids) => (
        <NumberInput
          {...ids}
          min={bounds.min}
          max={bounds.max}
          step={bounds.whole ? 1 : 'any'}
          placeholder={fallback === undefined ? undefined : t('form.defaultValue', { value: shortNumber(fallback) })}
          value={numberOf(values[field])}
          onNumber={(value) => onValues({ [field]: value })}
        />
      )}
    </Field>
  )
  const codeField = (field: 'queryGeneticCode' | 'databaseGeneticCode'): ReactNode => (
    <Field label={t(`field.${field}`)} help={t(`help.${field}`)} problems={problems[field]}>
      {(ids) => (
        <Select
          {...ids}
          value={textOf(values[field])}
          options={[
            { value: '', label: t('form.fromAssembly') },
            ...geneticCodeIds.map((id) => ({ value: String(id), label: `${id}  ${geneticCodes.get(id)?.name ?? ''}` })),
          ]}
          onChoose={(value) => onValues({ [field]: value === '' ? undefined : Number(value) })}
        />
      )}
    </Field>
  )

  const matrix = (textOf(values.matrix) || defaults.matrix) as Matrix | null
  const scores = textOf(values.scores) || defaults.scores
  const linear = task === 'megablast' && scores !== '1,-1'
  const gapCosts = facts.usesMatrix
    ? matrix === null
      ? []
      : matrixGapCosts[matrix]
    : [...(linear ? ['0,0'] : []), ...(nucleotideScores.find((one) => one.scores === scores)?.gapCosts ?? [])]
  const wrongFolded = (fields: string[]): boolean => fields.some((field) => (problems[field]?.length ?? 0) > 0)
  const section = (title: string, fields: string[], children: ReactNode): ReactNode => (
    <details className="nv-advanced" open={wrongFolded(fields) || undefined}>
      <summary>
        {title}
        {fields.some((field) => {
          const value = values[field]
          return value !== undefined && value !== '' && value !== false && value !== 'default' && value !== 'both'
        }) ? (
          <small>●</small>
        ) : null}
      </summary>
      <div className="nv-form">{children}</div>
    </details>
  )

  return (
    <>
      <fieldset className="blast-part">
        <legend>{t('form.query')}</legend>
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
        {geneMode ? (
          <>
            <Field label={t('field.genes')} help={t('help.genes')} problems={problems.genes}>
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
            <Field label={t('field.geneSequence')} problems={problems.geneSequence}>
              {(ids) => (
                <Select
                  {...ids}
                  value={geneSequence}
                  options={(['auto', 'genomic', 'transcript', 'cds', 'protein'] as const).map((value) => ({
                    value,
                    label: t(`option.geneSequence.${value}`),
                  }))}
                  onChoose={(value) => onValues({ geneSequence: value })}
                />
              )}
            </Field>
          </>
        ) : (
          <Field
            label={t('field.query')}
            help={t('help.query')}
            problems={problems.query}
            aside={
              glance.count > 0 && glance.alphabet !== null
                ? t('form.seen', { count: glance.count, residues: glance.residues, alphabet: glance.alphabet })
                : undefined
            }
          >
            {(ids) => (
              <div className="nv-gene-input">
                <TextArea
                  {...ids}
                  className="nv-mono"
                  rows={7}
                  placeholder={t('placeholder.query')}
                  value={query}
                  onChange={(event) => onValues({ query: event.target.value })}
                />
                <div className="nv-gene-input-bar">
                  <span className="nv-grow" />
                  <FileButton
                    accept=".fa,.fasta,.fna,.faa,.ffn,.txt,.seq"
                    maximumBytes={limits.queryCharacters}
                    onText={(text) => onValues({ query: text })}
                  />
                </div>
              </div>
            )}
          </Field>
        )}
      </fieldset>

      <fieldset className="blast-part">
        <legend>{t('form.databases')}</legend>
        <Segmented
          label={t('form.searchIn')}
          value={pastedMode ? 'pasted' : 'databases'}
          options={[
            { value: 'databases', label: t('form.inDatabases') },
            { value: 'pasted', label: t('form.inPasted') },
          ]}
          onChoose={(mode) => {
            setPasted(mode === 'pasted')
            onValues(mode === 'pasted' ? { databases: undefined } : { subject: '' })
          }}
        />
        {pastedMode ? (
          <Field
            label={t('field.subject')}
            help={t('help.subject')}
            problems={[...(problems.subject ?? []), ...(problems.databases ?? [])]}
            aside={
              subjectGlance.count > 0 && subjectGlance.alphabet !== null
                ? t('form.seen', {
                    count: subjectGlance.count,
                    residues: subjectGlance.residues,
                    alphabet: subjectGlance.alphabet,
                  })
                : undefined
            }
          >
            {(ids) => (
              <div className="nv-gene-input">
                <TextArea
                  {...ids}
                  className="nv-mono"
                  rows={6}
                  placeholder={t('placeholder.query')}
                  value={subject}
                  onChange={(event) => onValues({ subject: event.target.value })}
                />
                <div className="nv-gene-input-bar">
                  <span className="nv-grow" />
                  <FileButton maximumBytes={limits.subjectCharacters} onText={(text) => onValues({ subject: text })} />
                </div>
              </div>
            )}
          </Field>
        ) : (
          <Field label={t('field.databases')} problems={problems.databases} help={t('form.kindsMix')}>
            {() => (
              <DatabaseTable
                assemblies={assemblies}
                chosen={databases}
                onChoose={(names) => onValues({ databases: names.length === 0 ? undefined : names })}
              />
            )}
          </Field>
        )}
      </fieldset>

      <fieldset className="blast-part">
        <legend>{t('form.program')}</legend>
        <Field
          label={t('field.program')}
          problems={problems.program}
          help={
            queryAlphabet !== null && databaseAlphabet !== null
              ? t('form.programWhy', {
                  query: t(`form.alphabet.${queryAlphabet}`),
                  database: t(`form.alphabet.${databaseAlphabet}`),
                })
              : undefined
          }
        >
          {(ids) => (
            <Select
              {...ids}
              value={program}
              options={(offered.length === 0 ? [program] : offered).map((value) => ({
                value,
                label: t(`option.program.${value}`),
              }))}
              onChoose={(value) => chooseProgram(value as Program)}
            />
          )}
        </Field>
        {facts.tasks.length === 0 ? null : (
          <Field label={t('field.task')} problems={problems.task}>
            {(ids) => (
              <Select
                {...ids}
                value={task ?? ''}
                options={facts.tasks.map((value) => ({
                  value,
                  label: t(`option.task.${value}` as Parameters<typeof t>[0]),
                }))}
                onChoose={(value) =>
                  onValues({
                    task: value,
                    wordSize: undefined,
                    scores: undefined,
                    matrix: undefined,
                    gapCosts: undefined,
                  })
                }
              />
            )}
          </Field>
        )}
        <div className="blast-pair">
          {numberField('evalue', { min: 0, max: 10_000, whole: false }, defaults.evalue)}
          {numberField('maxTargetSeqs', { min: 1, max: limits.targetSequences, whole: true }, 500)}
        </div>
      </fieldset>

      {section(
        t('form.scoring'),
        ['wordSize', 'scores', 'matrix', 'gapCosts', 'ungapped', 'compositionStatistics'],
        <>
          {numberField(
            'wordSize',
            { min: facts.wordSize.minimum, max: facts.wordSize.maximum, whole: true },
            defaults.wordSize,
          )}
          {facts.usesMatrix ? (
            <Field label={t('field.matrix')} problems={problems.matrix}>
              {(ids) => (
                <Select
                  {...ids}
                  value={textOf(values.matrix)}
                  options={[
                    { value: '', label: t('form.defaultValue', { value: defaults.matrix ?? '' }) },
                    ...matrices.map((value) => ({ value, label: value })),
                  ]}
                  onChoose={(value) => onValues({ matrix: value === '' ? undefined : value, gapCosts: undefined })}
                />
              )}
            </Field>
          ) : (
            <Field label={t('field.scores')} problems={problems.scores}>
              {(ids) => (
                <Select
                  {...ids}
                  value={textOf(values.scores)}
                  options={[
                    { value: '', label: t('form.defaultValue', { value: defaults.scores ?? '' }) },
                    ...nucleotideScores.map((one) => ({ value: one.scores, label: one.scores })),
                  ]}
                  onChoose={(value) => onValues({ scores: value === '' ? undefined : value, gapCosts: undefined })}
                />
              )}
            </Field>
          )}
          {facts.gapped ? (
            <>
              <Field label={t('field.gapCosts')} help={t('help.gapCosts')} problems={problems.gapCosts}>
                {(ids) => (
                  <Select
                    {...ids}
                    value={textOf(values.gapCosts)}
                    options={[
                      { value: '', label: t('form.automatic') },
                      ...gapCosts.map((value) => ({
                        value,
                        label: value === '0,0' ? t('option.gapCosts.linear') : value,
                      })),
                    ]}
                    onChoose={(value) => onValues({ gapCosts: value === '' ? undefined : value })}
                  />
                )}
              </Field>
              <Checkbox checked={values.ungapped === true} onCheck={(ungapped) => onValues({ ungapped })}>
                {t('field.ungapped')}
              </Checkbox>
            </>
          ) : null}
          {facts.usesMatrix && facts.gapped ? (
            <Field label={t('field.compositionStatistics')} problems={problems.compositionStatistics}>
              {(ids) => (
                <Select
                  {...ids}
                  value={textOf(values.compositionStatistics)}
                  options={[
                    { value: '', label: t('form.automatic') },
                    ...(['0', '1', '2', '3'] as const).map((value) => ({
                      value,
                      label: t(`option.compositionStatistics.${value}`),
                    })),
                  ]}
                  onChoose={(value) => onValues({ compositionStatistics: value === '' ? undefined : value })}
                />
              )}
            </Field>
          ) : null}
        </>,
      )}
      {section(
        t('form.filtering'),
        ['lowComplexity', 'softMasking', 'maskLowerCase'],
        <>
          {choice('lowComplexity', ['default', 'yes', 'no'])}
          {choice('softMasking', ['default', 'yes', 'no'])}
          <Checkbox checked={values.maskLowerCase === true} onCheck={(maskLowerCase) => onValues({ maskLowerCase })}>
            {t('field.maskLowerCase')}
          </Checkbox>
        </>,
      )}
      {section(
        t('form.restrict'),
        ['percentIdentity', 'queryCoverage', 'maxHsps', 'strand'],
        <>
          {program === 'blastn' ? numberField('percentIdentity', { min: 0, max: 100, whole: false }) : null}
          {numberField('queryCoverage', { min: 0, max: 100, whole: false })}
          {numberField('maxHsps', { min: 1, max: 100_000, whole: true })}
          {facts.query === 'nucleotide' ? choice('strand', ['both', 'plus', 'minus']) : null}
        </>,
      )}
      {facts.translatesQuery || facts.translatesDatabase
        ? section(
            t('form.translation'),
            ['queryGeneticCode', 'databaseGeneticCode'],
            <>
              {facts.translatesQuery ? codeField('queryGeneticCode') : null}
              {facts.translatesDatabase ? codeField('databaseGeneticCode') : null}
            </>,
          )
        : null}
      {section(
        t('field.advanced'),
        ['advanced'],
        <Field
          label={t('field.advanced')}
          problems={problems.advanced}
          help={t('help.advanced', {
            options: format.list(
              Object.entries(allowedOptions)
                .filter(([, option]) => option.programs.includes(program))
                .map(([name]) => `-${name}`),
            ),
          })}
        >
          {(ids) => (
            <TextInput
              {...ids}
              className="nv-mono"
              value={textOf(values.advanced)}
              placeholder="-xdrop_gap 30"
              onChange={(event) => onValues({ advanced: event.target.value })}
            />
          )}
        </Field>,
      )}
    </>
  )
}
