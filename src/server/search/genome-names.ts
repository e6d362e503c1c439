import { cjkRuns, plainQuery, searchWords } from '../../bio/text/search-words.ts'
import type { LocalizedText } from '../../contracts/text.ts'

/** A species whose names narrow a search, with the assemblies that are searched. */
export interface NamedSpecies {
  id: string
  /** Scientific name. */
  name: string
  commonName: LocalizedText | null
  assemblies: readonly { id: string; name: string; strain: string | null }[]
}

/** A part of a question that names species or assemblies, and the words that are left. */
export interface NamedPart {
  typed: string
  /** Named as species; their assemblies are not among `assemblies`. */
  species: string[]
  assemblies: string[]
}

export interface GenomeNames {
  /** Every part of a question that names a place, in order, and the rest as words and as a text. */
  find(question: string): { parts: NamedPart[]; words: string[]; text: string }
}

/** Parts of names that are shorter name too many other things. */
const shortestPart = 3
/** Words of the longest name that is looked for. */
const maxWords = 6

/** Names of strains that Chinese has a word of its own for. */
const chineseStrains: readonly [string, string][] = [['卡介苗', 'BCG']]
const nameStrains = (text: string): string =>
  chineseStrains.reduce((named, [typed, name]) => named.replaceAll(typed, ` ${name} `), text)

interface Target {
  species: Set<string>
  assemblies: Set<string>
}

/** A common name without what is said about the data set: "Budding yeast, Hi-C map only". */
const plainName = (name: string): string => name.split(/[,;:(（，；：]/u)[0]!.trim()

/**
 * Names by which a question may mean a part of what is searched. Species: the scientific name, its first two words, "M. tuberculosis",
 * the genus, the epithet, the common name in either language and, of the Chinese one, a part. Assemblies: id, name and strain and the parts
 * of these that not all assemblies have ("BCG" of BCG-Pasteur).
 */
export const createGenomeNames = (all: readonly NamedSpecies[]): GenomeNames => {
  const named = new Map<string, Target>()
  const parts = new Map<string, Target>()
  const chinese: { name: string; species: string }[] = []
  const targetOf = (to: Map<string, Target>, name: string): Target => {
    const target = to.get(name) ?? { species: new Set(), assemblies: new Set() }
    to.set(name, target)
    return target
  }
  const nameSpecies = (words: readonly string[], species: string): void => {
    if (words.length === 0 || words.join('').length < shortestPart) return
    targetOf(named, words.join(' ')).species.add(species)
  }
  for (const { id, name, commonName, assemblies } of all) {
    const words = searchWords(name)
    const [genus, epithet] = words
    nameSpecies(words, id)
    if (genus !== undefined) nameSpecies([genus], id)
    if (genus !== undefined && epithet !== undefined) {
      nameSpecies([genus, epithet], id)
      nameSpecies([genus.slice(0, 1), epithet], id)
      if (epithet.length > shortestPart) nameSpecies([epithet], id)
    }
    if (commonName !== null) {
      const { en, zh } = typeof commonName === 'string' ? { en: commonName, zh: commonName } : commonName
      nameSpecies(searchWords(plainName(en)), id)
      if (cjkRuns(zh).length > 0) chinese.push({ name: plainName(zh), species: id })
    }
    for (const assembly of assemblies)
      for (const of of [assembly.id, assembly.name, assembly.strain ?? '']) {
        const ofName = searchWords(of)
        if (ofName.length > 0 && ofName.length <= maxWords)
          targetOf(named, ofName.join(' ')).assemblies.add(assembly.id)
        for (const part of ofName.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u)))
          if (part.length >= shortestPart && /\p{L}/u.test(part)) targetOf(parts, part).assemblies.add(assembly.id)
      }
  }
  // Parts that all have tell none from another: "strain", or the name of the species.
  const count = all.reduce((sum, { assemblies }) => sum + assemblies.length, 0)
  for (const [part, target] of parts) if (!named.has(part) && target.assemblies.size < count) named.set(part, target)
  // A name of an assembly names it, also where it is its species' name as well.
  const reported = ({ species, assemblies }: Target, typed: string): NamedPart =>
    assemblies.size > 0
      ? { typed, species: [], assemblies: [...assemblies] }
      : { typed, species: [...species], assemblies: [] }

  /** A run that is a part of a name, or the longest beginning of it that is: words have no spaces between them. */
  const namedBeginning = (run: string): string => {
    if (chinese.some(({ name }) => name.includes(run))) return run
    for (let length = run.length - 1; length >= shortestPart; length--)
      if (chinese.some(({ name }) => name.includes(run.slice(0, length)))) return run.slice(0, length)
    return ''
  }

  const findChinese = (text: string): { parts: NamedPart[]; rest: string } => {
    const found: NamedPart[] = []
    let rest = text
    for (const run of cjkRuns(text)) {
      const whole = chinese.filter(({ name }) => name.length > 1 && run.includes(name))
      const longest = whole.sort((a, b) => b.name.length - a.name.length)[0]?.name
      const typed = longest ?? namedBeginning(run)
      const species = chinese.filter(({ name }) => (longest === undefined ? name.includes(typed) : name === longest))
      if (species.length === 0 || typed.length < 2) continue
      found.push({ typed, species: species.map((one) => one.species), assemblies: [] })
      rest = rest.replace(typed, ' ')
    }
    return { parts: found, rest }
  }

  return {
    find: (question) => {
      const { parts: found, rest } = findChinese(nameStrains(plainQuery(question)))
      const words = searchWords(rest)
      const others: string[] = []
      for (let at = 0; at < words.length; ) {
        let length = Math.min(maxWords, words.length - at)
        while (length > 0 && !named.has(words.slice(at, at + length).join(' '))) length--
        // "M. smegmatis" where the epithet alone is the name of an assembly.
        const initial = length === 0 && /^\p{L}$/u.test(words[at]!) && named.has(words[at + 1] ?? '') ? 1 : 0
        if (length + initial === 0) others.push(words[at++]!)
        else {
          const own = words.slice(at + initial, at + initial + Math.max(length, 1))
          found.push(reported(named.get(own.join(' '))!, asTyped(rest, words.slice(at, at + initial + own.length))))
          at += initial + own.length
        }
      }
      // Of Chinese the words are pairs of signs, the text has the signs in their row.
      const runs = cjkRuns(rest)
      const plain = others.filter((word) => cjkRuns(word).length === 0)
      return { parts: found, words: others, text: [...plain, ...runs].join(' ') }
    },
  }
}

/** Words of a question in the letters they were typed with. */
const asTyped = (question: string, words: readonly string[]): string => {
  const lower = question.toLowerCase()
  const from = lower.indexOf(words[0]!)
  const last = words.at(-1)!
  const to = lower.indexOf(last, from)
  return from === -1 || to === -1 ? words.join(' ') : question.slice(from, to + last.length)
}
