import { rangeText } from '../../kit/ui/controls/schema-fields.ts'
import type { Criterion, SearchQuestion } from './tool.ts'

/** Names of a list that are told before “…”. */
const namesTold = 3

/** Words of a language for what cannot be told by what was typed. */
export interface QuestionWords {
  not: string
  or: string
  anyTerm: string
  biotype: (biotype: string) => string
  number: (value: number) => string
  /** “Gene length (bp)”, and what expression is measured by. */
  measure: (measure: string) => string
}

const nameRow = (row: Criterion, words: QuestionWords): string => {
  switch (row.kind) {
    case 'names':
      return row.names.slice(0, namesTold).join(', ') + (row.names.length > namesTold ? ', …' : '')
    case 'text':
      return row.text
    case 'prefix':
      return `${row.text}*`
    case 'location':
      return row.strand === 'any' ? row.region : `${row.region} (${row.strand === '-' ? '−' : '+'})`
    case 'term':
      return [row.source, row.term].filter((part) => part !== '').join(' ') || words.anyTerm
    case 'biotype':
      return row.biotypes.map(words.biotype).join(', ')
    case 'length':
    case 'expression': {
      const range = rangeText({ minimum: row.minimum ?? undefined, maximum: row.maximum ?? undefined }, words.number)
      const what =
        row.kind === 'length'
          ? [words.measure(row.measure)]
          : [
              words.measure(row.measure === 'mean' || row.measure === 'tau' ? 'expression' : row.measure),
              row.level,
              row.contrast,
            ]
      return [...what, range].filter((part) => part !== undefined && part !== '').join(' ')
    }
  }
}

/**
 * What was asked for, in the words that were typed: what a set of what was found is called; empty where nothing was asked for.
 * Example: keywords “kinase” or a name that begins with pk, and no tRNA: `kinase or pk*; not tRNA`.
 */
export const nameQuestion = (groups: SearchQuestion, words: QuestionWords): string =>
  groups
    .map(({ rows }) =>
      rows.map((row) => `${row.not ? `${words.not} ` : ''}${nameRow(row, words)}`).join(` ${words.or} `),
    )
    .join('; ')
