import { type ReactNode, useCallback } from 'react'
import { errorMessages } from '../../../contracts/error-messages.ts'
import type { Messages } from '../../../contracts/text.ts'
import { labelWidth } from '../figures/text-width.ts'
import { useFormat, useLanguage, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import type { FieldHint } from '../tool/define-screen.ts'
import { AssembliesPicker, AssemblyPicker } from './assembly-picker.tsx'
import { CheckGroup } from './check-group.tsx'
import { Checkbox, Field, NumberInput, Segmented, Select, TextInput } from './field.tsx'
import { GeneInput, maxIdentifierCharacters } from './gene-input.tsx'
import { rangeText, type SchemaField, type Values } from './schema-fields.ts'
import { TextBox } from './text-box.tsx'

/** Texts of the tool by id; `null` where the tool has none, so that no help line is drawn for it. */
export type ToolText = (id: string, parameters?: Record<string, string | number>) => string | null

/** Texts of a tool for forms: `const text = useToolText(messages)`. */
export const useToolText = (own: Messages): ToolText => {
  const language = useLanguage()
  const t = useText(own)
  const shared = useText(errorMessages)
  return useCallback(
    (id, parameters) =>
      (own[language][id] ?? '') !== ''
        ? t(id, parameters)
        : // What the shared schemas say: of a place, say.
          id in errorMessages.en
          ? shared(id as keyof typeof errorMessages.en, parameters)
          : null,
    [own, language, t, shared],
  )
}

/** Choices up to this many, and this wide together (in heights of a letter), are shown side by side. */
const segmentedChoices = 5
const segmentedWidth = 25
/** With the room about each of them: more would not stand on one line of the form. */
const segmentedRoom = 1.75
const segmentedLine = 31

const listText = (value: unknown): string =>
  Array.isArray(value) ? value.join('\n') : value === undefined || value === null ? '' : String(value)

/** One field of a form, drawn from its schema: exported for tools whose own form keeps some fields as they are. */
const SchemaInput = ({
  field,
  hint = {},
  values,
  onValues,
  problems = [],
  text,
}: {
  field: SchemaField
  hint?: FieldHint
  values: Values
  onValues: (change: Values) => void
  problems?: string[]
  text: ToolText
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { name } = field
  const widget = hint.widget ?? (name === 'genes' && field.kind === 'identifiers' ? 'genes' : field.kind)
  const value = values[name] ?? field.defaultValue
  const set = (next: unknown): void => onValues({ [name]: next })
  const label = text(hint.label?.(values) ?? `field.${name}`) ?? name
  const help = text(`help.${name}`) ?? undefined
  const option = (choice: string): string => text(`option.${name}.${choice}`) ?? choice
  const placeholder = hint.placeholder ?? text(`placeholder.${name}`) ?? undefined

  if (widget === 'boolean')
    return (
      <div className="nv-field">
        <Checkbox checked={value === true} onCheck={set}>
          {label}
        </Checkbox>
        {help === undefined ? null : <p className="nv-field-help">{help}</p>}
      </div>
    )

  const range =
    widget === 'number' || widget === 'integer' ? rangeText(field, (end) => format.number(end, 6)) : undefined

  return (
    <Field
      label={label}
      help={help}
      problems={problems}
      optional={!(hint.required ?? (field.required || field.defaultValue !== undefined))}
      aside={range}
    >
      {(ids) => {
        const { id, 'aria-describedby': describedBy, 'aria-invalid': invalid } = ids
        switch (widget) {
          case 'assembly':
            return (
              <AssemblyPicker
                id={id}
                value={listText(value)}
                onChoose={(assembly) => set(assembly === '' ? undefined : assembly)}
                needs={hint.needs}
                allowAll={hint.allowAll ?? !field.required}
                placeholder={placeholder}
                describedBy={describedBy}
                invalid={invalid}
              />
            )
          case 'assemblies':
            return (
              <AssembliesPicker
                label={label}
                value={Array.isArray(value) ? value.map(String) : []}
                onChoose={set}
                needs={hint.needs}
                maximum={field.maximum}
              />
            )
          case 'genes':
            return (
              <GeneInput
                id={id}
                value={listText(value)}
                onValue={set}
                assembly={typeof values.assembly === 'string' ? values.assembly : undefined}
                onAssembly={(assembly) => onValues({ assembly })}
                maximum={field.maximum}
                beyond={hint.beyond}
                describedBy={describedBy}
                invalid={invalid}
                rows={hint.rows}
              />
            )
          case 'number':
          case 'integer':
            return (
              <NumberInput
                {...ids}
                value={typeof value === 'number' || typeof value === 'string' ? value : undefined}
                min={field.minimum}
                max={field.maximum}
                step={widget === 'integer' ? 1 : 'any'}
                placeholder={placeholder}
                onNumber={set}
              />
            )
          case 'choice': {
            const choices = field.choices ?? []
            const labels = choices.map(option)
            if (
              choices.length <= segmentedChoices &&
              labelWidth(labels.join(''), 1) <=
                Math.min(segmentedWidth, segmentedLine - segmentedRoom * labels.length) &&
              value !== undefined
            )
              return (
                <Segmented
                  label={label}
                  value={String(value)}
                  options={choices.map((choice, index) => ({ value: choice, label: labels[index] }))}
                  onChoose={set}
                />
              )
            return (
              <Select
                {...ids}
                value={value === undefined ? '' : String(value)}
                options={[
                  ...(field.defaultValue === undefined
                    ? [{ value: '', label: field.required ? t('form.choose') : t('form.any') }]
                    : []),
                  ...choices.map((choice, index) => ({ value: choice, label: labels[index] ?? choice })),
                ]}
                onChoose={(choice) => set(choice === '' ? undefined : choice)}
              />
            )
          }
          case 'choices': {
            const chosen = Array.isArray(value) ? value.map(String) : []
            return (
              <CheckGroup id={id} label={label} describedBy={describedBy} className="nv-checks nv-checks-inline">
                {(field.choices ?? []).map((choice) => (
                  <Checkbox
                    key={choice}
                    checked={chosen.includes(choice)}
                    onCheck={(checked) =>
                      set((field.choices ?? []).filter((one) => (one === choice ? checked : chosen.includes(one))))
                    }
                  >
                    {option(choice)}
                  </Checkbox>
                ))}
              </CheckGroup>
            )
          }
          case 'long-text':
          case 'sequence':
          case 'identifiers':
            return (
              <TextBox
                {...ids}
                rows={hint.rows}
                placeholder={placeholder}
                value={listText(value)}
                onText={set}
                {...(widget === 'identifiers'
                  ? { max: maxIdentifierCharacters, aside: null }
                  : { max: field.maximum ?? maxIdentifierCharacters })}
              />
            )
          default:
            return (
              <TextInput
                {...ids}
                value={listText(value)}
                maxLength={field.maximum}
                placeholder={placeholder}
                onChange={(event) => set(event.target.value)}
              />
            )
        }
      }}
    </Field>
  )
}

/** The form of a tool as its input schema draws it; what is marked `advanced` is folded, and says when it was changed. */
export const SchemaForm = ({
  fields,
  hints = {},
  values,
  onValues,
  problems,
  text,
}: {
  fields: SchemaField[]
  hints?: Record<string, FieldHint>
  values: Values
  onValues: (change: Values) => void
  problems: Record<string, string[]>
  text: ToolText
}): ReactNode => {
  const t = useText(messages)
  const shown = fields.filter((field) => {
    const hint = hints[field.name]
    return field.kind !== 'other' && hint?.hidden !== true && hint?.when?.(values) !== false
  })
  const plain = shown.filter((field) => hints[field.name]?.advanced !== true)
  const advanced = shown.filter((field) => hints[field.name]?.advanced === true)
  const changed = advanced.filter(
    (field) =>
      values[field.name] !== undefined && JSON.stringify(values[field.name]) !== JSON.stringify(field.defaultValue),
  ).length
  const wrong = advanced.some((field) => (problems[field.name]?.length ?? 0) > 0)
  const draw = (field: SchemaField): ReactNode => (
    <SchemaInput
      key={field.name}
      field={field}
      hint={hints[field.name]}
      values={values}
      onValues={onValues}
      problems={problems[field.name]}
      text={text}
    />
  )
  return (
    <>
      {plain.map(draw)}
      {advanced.length === 0 ? null : (
        <details className="nv-advanced" open={wrong || undefined}>
          <summary>
            {t('form.advanced')}
            {changed === 0 ? null : <small>{t('form.advancedChanged', { count: changed })}</small>}
          </summary>
          <div className="nv-form">{advanced.map(draw)}</div>
        </details>
      )}
    </>
  )
}
