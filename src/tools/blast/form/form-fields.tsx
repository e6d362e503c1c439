import { type ReactNode, useMemo } from 'react'
import { splitIdentifiers } from '../../../contracts/tools/tool.ts'
import { Checkbox, Field, NumberInput, type Option, Segmented, Select } from '../../../kit/ui/controls/field.tsx'
import { textOf } from '../../../kit/ui/controls/form-values.ts'
import { TextBox } from '../../../kit/ui/controls/text-box.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import type { FormProps } from '../../../kit/ui/tool/define-screen.ts'
import { shortNumber } from '../hits/tabular.ts'
import messages from '../messages.ts'
import { glanceAtSequences } from '../queries.ts'
import type { BlastInput } from '../tool.ts'

// A field of the form by its name: label, help and message beside it, its value and the change of it, always in the same way.

export type Form = Pick<FormProps, 'values' | 'onValues' | 'problems'>

/** Fields whose choices are named by messages. */
type Named = 'lowComplexity' | 'softMasking' | 'strand'

/** Names in a value of the form, given as a list or as text. */
export const namesOf = (value: unknown): string[] => splitIdentifiers(textOf(value))

interface FieldProps {
  form: Form
  name: keyof BlastInput
  help?: ReactNode
}

/** A list of options; where `none` is given it is the first of them, and stands for "not given". */
export const SelectField = ({
  form,
  name,
  help,
  none,
  value,
  options,
  onChoose,
}: FieldProps & {
  none?: string
  /** What is shown as chosen where that is not the field's own value. */
  value?: string
  options: Option[]
  /** What else changes with it. */
  onChoose?: (value: string) => void
}): ReactNode => {
  const t = useText(messages)
  return (
    <Field label={t(`field.${name}`)} help={help ?? t(`help.${name}`)} problems={form.problems[name]}>
      {(ids) => (
        <Select
          {...ids}
          value={value ?? textOf(form.values[name])}
          options={none === undefined ? options : [{ value: '', label: none }, ...options]}
          onChoose={onChoose ?? ((chosen) => form.onValues({ [name]: chosen === '' ? undefined : chosen }))}
        />
      )}
    </Field>
  )
}

/** A number; `fallback` is shown in the empty box as what then counts. */
export const NumberField = ({
  form,
  name,
  help,
  min,
  max,
  whole = false,
  fallback,
}: FieldProps & { min?: number; max?: number; whole?: boolean; fallback?: number }): ReactNode => {
  const t = useText(messages)
  const value = form.values[name]
  return (
    <Field label={t(`field.${name}`)} help={help ?? t(`help.${name}`)} problems={form.problems[name]}>
      {(ids) => (
        <NumberInput
          {...ids}
          min={min}
          max={max}
          step={whole ? 1 : 'any'}
          placeholder={fallback === undefined ? undefined : t('form.defaultValue', { value: shortNumber(fallback) })}
          value={typeof value === 'number' ? value : undefined}
          onNumber={(number) => form.onValues({ [name]: number })}
        />
      )}
    </Field>
  )
}

/** Two or three choices side by side, the first being the default. */
export const ChoiceField = ({
  form,
  name,
  choices,
}: FieldProps & { name: Named; choices: readonly string[] }): ReactNode => {
  const t = useText(messages)
  return (
    <Field label={t(`field.${name}`)} help={t(`help.${name}`)} problems={form.problems[name]}>
      {() => (
        <Segmented
          label={t(`field.${name}`)}
          value={textOf(form.values[name]) || choices[0]!}
          options={choices.map((value) => ({ value, label: t(`option.${name}.${value}` as Parameters<typeof t>[0]) }))}
          onChoose={(value) => form.onValues({ [name]: value })}
        />
      )}
    </Field>
  )
}

export const CheckField = ({ form, name }: FieldProps): ReactNode => {
  const t = useText(messages)
  return (
    <div className="nv-field">
      <Checkbox checked={form.values[name] === true} onCheck={(checked) => form.onValues({ [name]: checked })}>
        {t(`field.${name}`)}
      </Checkbox>
      {(form.problems[name] ?? []).map((problem) => (
        <p key={problem} className="nv-field-problem" role="alert">
          {problem}
        </p>
      ))}
    </div>
  )
}

/** Sequences pasted or from a file, with what is seen in them. */
export const SequenceField = ({
  form,
  name,
  rows,
  max,
  problems = form.problems[name],
}: FieldProps & { rows: number; max: number; problems?: string[] }): ReactNode => {
  const t = useText(messages)
  const text = textOf(form.values[name])
  const { count, residues, alphabet } = useMemo(() => glanceAtSequences(text), [text])
  return (
    <Field
      label={t(`field.${name}`)}
      help={t(`help.${name}`)}
      problems={problems}
      aside={count > 0 && alphabet !== null ? t('form.seen', { count, residues, alphabet }) : undefined}
    >
      {(ids) => (
        <TextBox
          {...ids}
          rows={rows}
          placeholder={t('placeholder.query')}
          accept=".fa,.fasta,.fna,.faa,.ffn,.txt,.seq"
          max={max}
          value={text}
          onText={(next) => form.onValues({ [name]: next })}
        />
      )}
    </Field>
  )
}
