import { mapSequenceNames, readRoman } from '../../bio/sequence/chromosome-order.ts'

/** Beyond this an assembly is a draft, whose scaffolds have no usual other names. */
export const maxSequences = 1000

const bare = (name: string): string => name.replace(/^chr(omosome)?[_-]?(?=.)/i, '')
/** Names that a "chr" may stand before: numbers and letters of chromosomes, no accessions and scaffolds. */
const isShort = (name: string): boolean => /^[0-9]{0,3}[A-Za-z]{0,5}$/.test(bare(name))

const counted = (name: string): string => {
  const number = readRoman(bare(name))
  return number === null ? bare(name).replace(/^0+(?=\d)/, '') : String(number)
}

/** Other ways in which files of labs and archives name the same sequences. */
const schemes: ((name: string) => string)[] = [
  bare,
  (name) => (isShort(name) ? `chr${bare(name)}` : name),
  (name) => (isShort(name) ? `Chr${bare(name)}` : name),
  counted,
  (name) => (isShort(name) ? `chr${counted(name)}` : name),
  (name) => name.replace(/\.\d+$/, ''),
  (name) => (/^(chr)?(m|mt|mito|mitochondrion)$/i.test(name) ? 'MT' : name),
  (name) => (/^(chr)?(m|mt|mito|mitochondrion)$/i.test(name) ? 'chrM' : name),
]

/**
 * Other names under which signals and alignments, which are kept as their makers wrote them, may name the sequences: the
 * lab's own aliases, and, of all the sequences of what is no draft, the usual schemes where they leave no doubt. No alias is another sequence's name.
 *
 * Example: for chrI, chrII and chrmt, chrI has I, ChrI, 1 and chr1; chrmt has mt, MT and chrM among others.
 */
export const listSequenceAliases = (
  sequences: readonly { name: string; aliases: readonly string[] }[],
  isDraft = sequences.length > maxSequences,
): { name: string; aliases: string[] }[] => {
  const names = sequences.map((sequence) => sequence.name)
  const taken = new Set(names)
  const found = new Map<string, Set<string>>()
  const owner = new Map<string, string>()
  const add = (name: string, alias: string): void => {
    if (alias === '' || taken.has(alias)) return
    const before = owner.get(alias)
    if (before === undefined) {
      owner.set(alias, name)
      found.set(name, (found.get(name) ?? new Set()).add(alias))
    } else if (before !== name) found.get(before)?.delete(alias)
  }
  for (const { name, aliases } of sequences) for (const alias of aliases) add(name, alias)
  if (!isDraft) {
    for (const scheme of schemes) {
      const candidates = names.map(scheme)
      const mapped = mapSequenceNames(candidates, names)
      for (const [at, candidate] of candidates.entries()) {
        if (mapped.get(candidate) === names[at]) add(names[at]!, candidate)
      }
    }
  }
  return sequences.flatMap(({ name }) => {
    const aliases = [...(found.get(name) ?? [])]
    return aliases.length === 0 ? [] : [{ name, aliases }]
  })
}
