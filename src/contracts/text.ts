import { z } from 'zod'

/** The languages with whole message tables; en-US is the default (portal specification, section 4). */
export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

/** Messages of one room or tool: `en` sets the keys, `zh` must have exactly the same. */
export interface Messages<Key extends string = string> {
  en: Record<Key, string>
  zh: Record<Key, string>
}

/** Declares messages in both languages; a key missing from or foreign to the Chinese table does not compile. */
export const defineMessages = <const English extends Record<string, string>>(messages: {
  en: English
  zh: { [Key in keyof English]: string }
}): Messages<Extract<keyof English, string>> => messages as Messages<Extract<keyof English, string>>

/** A text of the data (species name, description) that may come in one or both languages. */
export const localizedTextSchema = z.union([
  z.string().min(1).max(5000),
  z.object({ en: z.string().min(1).max(5000), zh: z.string().min(1).max(5000) }),
])
export type LocalizedText = z.infer<typeof localizedTextSchema>

export const textIn = (text: LocalizedText, language: Language): string =>
  typeof text === 'string' ? text : text[language]

/**
 * Full-width punctuation brings its own room: a blank beside it, as where a name that is put in begins or ends with a bracket, is too
 * much. So is one between two Chinese signs, as where a name that is put in is Chinese. Line breaks stay.
 *
 * @example closeUp('培养条件（模拟） 的 36 个样本') // '培养条件（模拟）的 36 个样本'
 */
export const closeUp = (text: string): string =>
  text.replace(/(?<=[（），。；：、！？]) +| +(?=[（），。；：、！？])|(?<=\p{Script=Han}) +(?=\p{Script=Han})/gu, '')
