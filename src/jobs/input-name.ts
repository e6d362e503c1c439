import { lettersTold, namesTold } from '../contracts/tools/told.ts'
import { splitIdentifiers } from '../contracts/tools/tool.ts'

/** Characters of a name, and of all together. */
const nameLength = 40
const wholeLength = 120

/**
 * What an input is about, by the names that tools give to it, the first that is given alone; then what it is asked of. A caller may have
 * any tool's question made a job.
 */
const subjects = [
  ...['genes', 'gene', 'query', 'regions', 'region', 'locus', 'loc', 'sequence'],
  ...['phenotype', 'trait', 'populations', 'alignment', 'tree', 'term', 'words', 'test', 'target'],
]
const places = ['assembly', 'species', 'dataset', 'variants']

// biome-ignore lint/suspicious/noControlCharactersInRegex: a name is one line, and the database keeps no U+0000.
const oneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f\s]+/g, ' ').trim()

const short = (name: string): string => (name.length > nameLength ? `${name.slice(0, nameLength)}…` : name)

const list = (names: string[]): string => {
  const more = names.length - namesTold
  return `${names.slice(0, namesTold).map(short).join(', ')}${more > 0 ? ` +${more}` : ''}`
}

const textName = (text: string): string => {
  const names = [...text.matchAll(/^>[ \t]*(\S+)/gm)].map((match) => match[1]!)
  if (names.length > 0) return list(names)
  const letters = text.replaceAll(/\s+/g, '')
  return letters.length <= nameLength ? oneLine(text) : `${letters.slice(0, lettersTold)}… (${letters.length})`
}

/**
 * What a tool was asked about, as a line that reads the same in every language: genes, sequences, regions, a trait or samples, then the assembly
 * or species. By it a reader knows a job among others. Empty where nothing of that kind is named.
 *
 * Example: `{ genes: ['Rv0001', 'Rv0002'], assembly: 'H37Rv' }` is `Rv0001, Rv0002 · H37Rv`.
 */
export const nameInput = (input: unknown): string => {
  if (typeof input !== 'object' || input === null) return ''
  const values = input as Record<string, unknown>
  const nameOf = (key: string): string => {
    const value = values[key]
    if (Array.isArray(value)) return list(value.map(String))
    if (typeof value !== 'string') return ''
    if (key === 'sequence' && typeof values.start === 'number' && typeof values.end === 'number')
      return `${short(value)}:${values.start}..${values.end}`
    // A phenotype is a set and its trait, `field|Height`.
    if (key === 'phenotype') return short(value.slice(value.indexOf('|') + 1).trim())
    return key === 'genes' || key === 'regions' ? list(splitIdentifiers(value)) : textName(value)
  }
  const first = (keys: string[]): string => keys.map(nameOf).find((name) => name !== '') ?? ''
  const name = oneLine([first(subjects), first(places)].filter((part) => part !== '').join(' · '))
  return (name.length > wholeLength ? `${name.slice(0, wholeLength)}…` : name).toWellFormed()
}
