import { reverseComplement } from '../sequence/sequence.ts'
import { threeLetters } from './protein-change.ts'

/** A place as HGVS counts on a transcript: `number` may be negative (before the start codon), `offset` leads into an intron. */
export interface CountedPlace {
  number: number
  offset: number
  /** `*`: counted behind the stop codon. */
  behindStop: boolean
}

/** A change as one writes it behind the name of a gene. `written` is how HGVS writes it. */
export type GeneChange =
  | {
      kind: 'protein'
      written: string
      residue: number
      /** Of `A1401G`: what it is of a gene without a protein, whose bases are counted. */
      ofRna: BasesChange | null
    }
  | {
      kind: 'bases'
      written: string
      /** `c`: counted from the start codon; `n`: from the first base of the transcript. */
      from: 'c' | 'n'
      start: CountedPlace
      end: CountedPlace
      /** Bases there, in the reading direction, where they are told. */
      reference: string | null
      /** What stands there instead: bases, or the reference once more or without change. */
      made: { bases: string; as: 'instead' | 'inserted' } | 'deleted' | 'duplicated'
    }

export type ProteinChange = Extract<GeneChange, { kind: 'protein' }>
export type BasesChange = Extract<GeneChange, { kind: 'bases' }>

export interface NamedChange {
  gene: string
  change: GeneChange
}

const oneLetter = new Map(Object.entries(threeLetters).map(([letter, name]) => [name.toLowerCase(), letter]))
const residueNames = Object.values(threeLetters).join('|')

/** A residue by one or three letters, as three; a stop by `*`, `X`, `Ter` or `Stop`. */
const residueOf = (text: string, isAfter: boolean): string | null => {
  if (/^(?:\*|stop|ter)$/i.test(text) || (isAfter && /^x$/i.test(text))) return 'Ter'
  const letter = text.length === 1 ? text.toUpperCase() : oneLetter.get(text.toLowerCase())
  return letter === undefined ? null : (threeLetters[letter] ?? null)
}

const residue = `(?:${residueNames}|Stop|[A-Z*])`
const proteinForm = new RegExp(
  `^(${residue})(\\d{1,5})(?:_(${residue})(\\d{1,5}))?(=|\\?|(?:${residue})?fs.*|del|dup|(?:delins|ins)(?:${residue})+|${residue})$`,
  'i',
)

const readProteinChange = (text: string): ProteinChange | null => {
  const match = proteinForm.exec(text)
  if (match === null) return null
  const [, first, number, second, secondNumber, change = ''] = match
  const before = residueOf(first!, false)
  if (before === null || number === '0') return null
  const until = second === undefined ? '' : `_${residueOf(second, false)}${secondNumber}`
  const written = (made: string): ProteinChange => ({
    kind: 'protein',
    written: `p.${before}${Number(number)}${until}${made}`,
    residue: Number(number),
    ofRna: null,
  })
  const kind = /^(=|\?|del|dup)$/i.exec(change)?.[1]
  if (kind !== undefined) return written(kind.toLowerCase())
  const shift = new RegExp(`^(${residue})?fs`, 'i').exec(change)
  // Which residue comes first in the new frame, and how long that is, are not needed to know the change.
  if (shift !== null) return written('fs')
  const inserted = new RegExp(`^(delins|ins)((?:${residue})+)$`, 'i').exec(change)
  if (inserted !== null) {
    const residues = inserted[2]!.match(new RegExp(residueNames, 'gi')) ?? []
    const all = residues.join('').length === inserted[2]!.length ? residues : [...inserted[2]!]
    return written(`${inserted[1]!.toLowerCase()}${all.map((one) => residueOf(one, true)).join('')}`)
  }
  const after = residueOf(change, true)
  if (after === null) return null
  const named = written(after === before ? '=' : after)
  const areBases = /^[ACGTU]{2}$/i.test(first! + change) && second === undefined
  return areBases ? { ...named, ofRna: readBasesChange(`${number}${first}>${change}`, 'n') } : named
}

const place = String.raw`([-*]?\d{1,7})([+-]\d{1,6})?`
const basesForm = new RegExp(`^${place}(?:_${place})?([ACGTU]*)(?:>([ACGTU]+)|(delins|ins|del|dup)([ACGTU]*))$`, 'i')

const readPlace = (number: string, offset: string | undefined): CountedPlace => ({
  number: Number(number.replace('*', '')),
  offset: Number(offset ?? 0),
  behindStop: number.startsWith('*'),
})

const readBasesChange = (text: string, from: 'c' | 'n'): BasesChange | null => {
  const match = basesForm.exec(text)
  if (match === null) return null
  const [, number, offset, lastNumber, lastOffset, before = '', instead, kind, bases = ''] = match
  const start = readPlace(number!, offset)
  const end = lastNumber === undefined ? start : readPlace(lastNumber, lastOffset)
  if (start.number === 0 || end.number === 0) return null
  const dna = (letters: string): string => letters.toUpperCase().replaceAll('U', 'T')
  const how = kind?.toLowerCase()
  const written = `${from}.${number}${offset ?? ''}${lastNumber === undefined ? '' : `_${lastNumber}${lastOffset ?? ''}`}`
  const change = { kind: 'bases' as const, from, start, end }
  if (instead !== undefined) {
    if (before === '' && lastNumber === undefined) return null
    return {
      ...change,
      written: `${written}${dna(before)}>${dna(instead)}`,
      reference: before === '' ? null : dna(before),
      made: { bases: dna(instead), as: 'instead' },
    }
  }
  if (how === 'delins' || how === 'ins') {
    if (bases === '' || (how === 'ins') !== (lastNumber !== undefined && before === '' && how === 'ins')) return null
    const as = how === 'ins' ? 'inserted' : 'instead'
    return { ...change, written: `${written}${how}${dna(bases)}`, reference: null, made: { bases: dna(bases), as } }
  }
  const reference = bases === '' ? null : dna(bases)
  return { ...change, written: `${written}${how}`, reference, made: how === 'dup' ? 'duplicated' : 'deleted' }
}

/**
 * A change alone: `S315T`, `p.Ser315Thr`, `p.(Ser315Thr)`, `Trp90Ter`, `c.944G>C`, `c.-15C>T`, `n.1401A>G`, `c.88+2del`. Null for anything
 * else, also for numbers alone.
 */
export const readGeneChange = (text: string): GeneChange | null => {
  const prefix = /^([pcnr])\./i.exec(text)?.[1]?.toLowerCase()
  const rest = (prefix === undefined ? text : text.slice(2)).replace(/^[([]+|[)\]]+$/g, '')
  if (prefix === 'c') return readBasesChange(rest, 'c')
  if (prefix === 'n' || prefix === 'r') return readBasesChange(rest, 'n')
  const protein = readProteinChange(rest)
  if (protein !== null || prefix === 'p') return protein
  // 944G>C: bases are counted from the start codon, as papers without a prefix mean.
  return rest.includes('>') ? readBasesChange(rest, 'c') : null
}

/** Words around a change that say nothing more. */
const fillers =
  /^(?:a|an|and|at|gene|in|is|mutant|mutants|mutation|mutations|of|on|snp|substitution|the|variant|variants|with)$/i
const chineseFillers = /突变体?|变异|基因|位点|替换|[的在中有]/gu

/**
 * A gene and a change of it, in either order, with what people write between: `katG S315T`, `Rv1908c:p.(Ser315Thr)`, `katG_p.Ser315Thr`,
 * `S315T in katG`, `katG基因S315T突变`. Null where there is no change, or more than one name beside it.
 *
 * @example readNamedChange('katG S315T') // { gene: 'katG', change: { kind: 'protein', written: 'p.Ser315Thr', residue: 315 } }
 */
export const readNamedChange = (question: string): NamedChange | null => {
  if (question.length > 120) return null
  const words = question
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .replace(chineseFillers, ' ')
    .split(/[\s,;]+/)
    .filter((word) => word !== '' && !fillers.test(word))
  const parts = words.length === 1 ? splitName(words[0]!) : words
  if (parts === null || parts.length !== 2) return null
  for (const [gene, text] of [parts, [...parts].reverse()] as [string, string][]) {
    const change = readGeneChange(text)
    // Of "S315T A432V" neither is a gene.
    if (change !== null && readGeneChange(gene) === null) return { gene: gene.replace(/[:_(]+$/, ''), change }
  }
  return null
}

/** `katG:c.944G>C`, `katG_p.Ser315Thr`, `katG(S315T)`, `katG-S315T`: what comes behind one of these signs is a change. */
const splitName = (word: string): [string, string] | null => {
  for (const match of word.matchAll(/[:(_-]/g)) {
    const text = word.slice(match.index + 1)
    if (match.index > 0 && readGeneChange(text) !== null) return [word.slice(0, match.index), text]
  }
  return null
}

/** Coding parts of a transcript, ascending on the sequence; of one without, its exons. 1-based, inclusive. */
export interface CountedTranscript {
  strand: '+' | '-' | '.'
  exons: readonly { start: number; end: number }[]
  cds: readonly { start: number; end: number }[]
}

/** Where a place of a transcript lies on the sequence; null behind its end. Before the start and behind the stop codon introns do not count. */
export const locatePlace = (transcript: CountedTranscript, from: 'c' | 'n', counted: CountedPlace): number | null => {
  const isReverse = transcript.strand === '-'
  const parts = [...(from === 'c' ? transcript.cds : transcript.exons)].sort((a, b) => a.start - b.start)
  if (isReverse) parts.reverse()
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined) return null
  const step = isReverse ? -1 : 1
  if (counted.behindStop) return (isReverse ? last.start : last.end) + step * (counted.number + counted.offset)
  if (counted.number < 0) return (isReverse ? first.end : first.start) + step * (counted.number + counted.offset)
  let left = counted.number - 1
  for (const { start, end } of parts) {
    const length = end - start + 1
    if (left < length) return (isReverse ? end - left : start + left) + step * counted.offset
    left -= length
  }
  return null
}

/** What a change of bases does to a sequence, on its forward strand: bases `start1` to `end1` are replaced; an insertion has none. */
export interface PlacedChange {
  start1: number
  end1: number
  /** Bases that the change says are there; null where it says none. */
  reference: string | null
  made: 'duplicated' | { bases: string }
}

export const placeChange = (transcript: CountedTranscript, change: BasesChange): PlacedChange | null => {
  const [a, b] = [locatePlace(transcript, change.from, change.start), locatePlace(transcript, change.from, change.end)]
  if (a === null || b === null) return null
  const forward = (bases: string): string => (transcript.strand === '-' ? reverseComplement(bases) : bases)
  const [start1, end1] = [Math.min(a, b), Math.max(a, b)]
  const reference = change.reference === null ? null : forward(change.reference)
  if (change.made === 'duplicated') return { start1, end1, reference, made: 'duplicated' }
  if (change.made === 'deleted') return { start1, end1, reference, made: { bases: '' } }
  const made = { bases: forward(change.made.bases) }
  return change.made.as === 'inserted'
    ? { start1: end1, end1: end1 - 1, reference, made }
    : { start1, end1, reference, made }
}

/** Whether the name of a change of a protein, as an effect tells it, is the one that is looked for. */
export const isProteinChange = (reported: string, asked: ProteinChange): boolean => {
  const told = reported.replace(/^p\.\(?|\)$/g, '')
  const name = asked.written.slice(2)
  return name.endsWith('fs') ? told.startsWith(name.slice(0, -2)) && told.includes('fs') : told === name
}
