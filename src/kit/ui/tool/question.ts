import { lettersTold, namesTold } from '../../../contracts/tools/told.ts'
import { splitIdentifiers } from '../../../contracts/tools/tool.ts'
import type { SchemaField, Values } from '../controls/schema-fields.ts'
import type { ToolText } from '../controls/schema-form.tsx'
import type { Format, Translate } from '../language.tsx'
import type { messages } from '../messages.ts'
import type { FieldHint } from './define-screen.ts'

/** Texts that a reader types; others are ids of data sets, groups, maps, and tables that are pasted. */
const typed = /(gene|locus|region|sequence|query|subject|term)$/i

interface QuestionWords {
  text: ToolText
  t: Translate<keyof typeof messages.en>
  format: Format
  assemblyName: (id: string) => string
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const namesText = (names: string[], { t, format }: QuestionWords): string =>
  names.length <= namesTold
    ? format.names(names)
    : t('names.more', { names: format.names(names.slice(0, namesTold)), more: names.length - namesTold })

/** A sequence by the names of its records, or by its first letters and its length. */
const sequenceText = (text: string, words: QuestionWords): string => {
  const names = [...text.matchAll(/^>\s*(\S+)/gm)].map((match) => match[1]!)
  if (names.length > 0) return namesText(names, words)
  const letters = text.replace(/\s+/g, '')
  return letters.length <= lettersTold
    ? letters
    : words.t('question.letters', { start: letters.slice(0, lettersTold), count: letters.length })
}

/**
 * What a form asks, in a few words for each field that says something: names, places, sequences and assemblies by themselves, other
 * values under the field's name; what stands at its default is left out, as is what the form does not show.
 *
 * What was typed comes first, since a phone has room for little more.
 *
 * Example: genes Rv0001 and Rv0002 of H37Rv with 8 neighbours instead of 5: `Rv0001, Rv0002`, `H37Rv`, `Neighbours: 8`.
 */
export const questionParts = (
  fields: readonly SchemaField[],
  hints: Readonly<Record<string, FieldHint>>,
  values: Values,
  words: QuestionWords,
): string[] => {
  const { text, t, format, assemblyName } = words
  const isSubject = ({ name }: SchemaField): boolean => name === 'genes' || typed.test(name)
  const [start1, end1] = ['start', 'end'].map((name) =>
    fields.some((field) => field.name === name) && Number.isInteger(values[name]) ? (values[name] as number) : null,
  )
  /** The region that three fields ask for together; from its end to its start it is the reverse strand. */
  const regionOf = (sequence: unknown): string | null =>
    typeof start1 !== 'number' || typeof end1 !== 'number'
      ? null
      : format.locus({
          sequence: String(sequence),
          start: Math.min(start1, end1),
          end: Math.max(start1, end1),
          strand: start1 > end1 ? '-' : '+',
        })
  return [...fields.filter(isSubject), ...fields.filter((field) => !isSubject(field))].flatMap((field): string[] => {
    const { name } = field
    const hint = hints[name] ?? {}
    const value = values[name]
    if (hint.hidden === true || hint.untold === true || hint.when?.(values) === false || isEmpty(value)) return []
    const region = regionOf(values.sequence)
    if (region !== null && !isEmpty(values.sequence)) {
      if (name === 'sequence') return [region]
      if (name === 'start' || name === 'end') return []
    }
    const widget = hint.widget ?? field.kind
    const isAsked = ['genes', 'identifiers', 'assembly', 'assemblies', 'sequence'].includes(widget)
    if (!isAsked && JSON.stringify(value) === JSON.stringify(field.defaultValue)) return []
    const label = text(hint.label?.(values) ?? `field.${name}`) ?? name
    const option = (choice: unknown): string => text(`option.${name}.${String(choice)}`) ?? String(choice)
    const named = (told: string): string[] => [t('question.field', { label, value: told })]
    switch (widget) {
      case 'assembly':
        return [assemblyName(String(value))]
      case 'assemblies': {
        // Those of one part of a question are told under its name: which are amplified, and which are not.
        const ids = Array.isArray(value) ? value.map(String) : splitIdentifiers(String(value))
        const told = namesText(ids.map(assemblyName), words)
        return name === 'assemblies' ? [told] : named(told)
      }
      case 'genes':
      case 'identifiers': {
        // Of a list each is one: names of groups may have blanks.
        const names = Array.isArray(value) ? value.map(String) : (hint.split ?? splitIdentifiers)(String(value))
        return name === 'genes' || widget === 'genes' ? [namesText(names, words)] : named(namesText(names, words))
      }
      case 'sequence':
      case 'long-text':
        return typed.test(name) ? [sequenceText(String(value), words)] : []
      case 'boolean':
        return value === true ? [label] : []
      case 'choice':
        return named(option(value))
      case 'choices':
        return Array.isArray(value) ? named(namesText(value.map(option), words)) : []
      case 'number':
      case 'integer':
        return named(typeof value === 'number' ? format.number(value, 6) : String(value))
      case 'text':
        return typed.test(name) ? [String(value)] : []
      default:
        return []
    }
  })
}
