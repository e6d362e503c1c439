import { IntlMessageFormat } from 'intl-messageformat'
import { errorMessages } from '../contracts/error-messages.ts'
import { closeUp, type Language, type Messages } from '../contracts/text.ts'

/** The reader's language from Accept-Language: the first of the listed languages that there are texts for. */
export const readLanguage = (header: string | undefined): Language => {
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const tag = part.split(';')[0]!.trim()
    if (tag.startsWith('zh')) return 'zh'
    if (tag.startsWith('en')) return 'en'
  }
  return 'en'
}

const formats = new Map<string, IntlMessageFormat>()

/** A text by its id from the tables given, then the shared ones, with its parameters filled in; the id itself when there is none. */
export const formatText = (
  language: Language,
  id: string,
  params: Record<string, string | number>,
  ...tables: (Messages | undefined)[]
): string => {
  for (const table of [...tables, errorMessages as Messages]) {
    const text = table?.[language][id]
    if (text === undefined) continue
    let format = formats.get(`${language}\n${text}`)
    if (format === undefined) {
      format = new IntlMessageFormat(text, language === 'zh' ? 'zh-CN' : 'en-US')
      formats.set(`${language}\n${text}`, format)
    }
    try {
      const filled = String(format.format(params))
      return language === 'zh' ? closeUp(filled) : filled
    } catch {
      // A parameter that the text needs was not given: the plain text still tells more than nothing.
      return text.replace(/\{\w+[^{}]*\}/g, '…')
    }
  }
  return id
}
