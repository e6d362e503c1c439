// What variants do to genes, in the words of bcftools csq (Danecek & McCarthy 2017, Bioinformatics 33:2037) and of the Sequence Ontology.

export const impacts = ['high', 'moderate', 'low', 'modifier'] as const
export type Impact = (typeof impacts)[number]

/**
 * Consequences as bcftools csq names them (csq.c of version 1.16), with their term of the Sequence Ontology and the impact that Ensembl
 * gives
 * it (Ensembl Variation, "Calculated consequences"). The order is of gravity; the place in it is the bit of `consequenceBits`.
 */
export const consequences = [
  { name: 'splice_acceptor', term: 'SO:0001574', impact: 'high' },
  { name: 'splice_donor', term: 'SO:0001575', impact: 'high' },
  { name: 'stop_gained', term: 'SO:0001587', impact: 'high' },
  { name: 'frameshift', term: 'SO:0001589', impact: 'high' },
  { name: 'stop_lost', term: 'SO:0001578', impact: 'high' },
  { name: 'start_lost', term: 'SO:0002012', impact: 'high' },
  { name: 'inframe_insertion', term: 'SO:0001821', impact: 'moderate' },
  { name: 'inframe_deletion', term: 'SO:0001822', impact: 'moderate' },
  { name: 'inframe_altering', term: 'SO:0001818', impact: 'moderate' },
  { name: 'missense', term: 'SO:0001583', impact: 'moderate' },
  { name: 'splice_region', term: 'SO:0001630', impact: 'low' },
  { name: 'start_retained', term: 'SO:0002019', impact: 'low' },
  { name: 'stop_retained', term: 'SO:0001567', impact: 'low' },
  { name: 'synonymous', term: 'SO:0001819', impact: 'low' },
  { name: 'coding_sequence', term: 'SO:0001580', impact: 'modifier' },
  { name: '5_prime_utr', term: 'SO:0001623', impact: 'modifier' },
  { name: '3_prime_utr', term: 'SO:0001624', impact: 'modifier' },
  { name: 'non_coding', term: 'SO:0001792', impact: 'modifier' },
  { name: 'intron', term: 'SO:0001627', impact: 'modifier' },
  { name: 'intergenic', term: 'SO:0001628', impact: 'modifier' },
] as const satisfies readonly { name: string; term: string; impact: Impact }[]

export type ConsequenceName = (typeof consequences)[number]['name']

const indexes = new Map<string, number>(consequences.map(({ name }, index) => [name, index]))

/** Place in the order of gravity; behind all others for names that are not known. */
const placeOf = (name: string | undefined): number => indexes.get(name ?? '') ?? consequences.length

/** Impact of a consequence; `modifier` for names that are not known. Example: `impactOf('missense')` is `moderate`. */
export const impactOf = (name: string): Impact => consequences[indexes.get(name) ?? -1]?.impact ?? 'modifier'

/** One bit for each name that is known. Example: `consequenceBits(['stop_gained'])` is 4. */
export const consequenceBits = (names: Iterable<string>): number => {
  let bits = 0
  for (const name of names) {
    const index = indexes.get(name)
    if (index !== undefined) bits |= 1 << index
  }
  return bits
}

/** The names of the bits, the gravest first. Example: `namesOfBits(516)` is `['stop_gained', 'missense']`. */
export const namesOfBits = (bits: number): ConsequenceName[] =>
  consequences.flatMap(({ name }, index) => (bits & (1 << index) ? [name] : []))

/** An effect of a variant on one transcript. */
export interface Effect {
  /** The gravest first. */
  consequences: string[]
  gene: string
  transcript: string
  biotype: string
  strand: '+' | '-' | '.'
  /** Such as `17V>17A`, residues counted from 1; null where no protein changes. */
  aminoAcids: string | null
  /** Bases and place on the sequence of the change, such as `1483C>A`; null outside coding sequence. */
  bases: string | null
  /** Number of the alternate allele, from 1, where the effect is of one; null: of any. */
  allele: number | null
}

/** Sorts effects, the gravest first; of equal ones that which tells what becomes of the protein. */
export const compareGravity = (
  a: Pick<Effect, 'consequences' | 'aminoAcids'>,
  b: Pick<Effect, 'consequences' | 'aminoAcids'>,
): number =>
  placeOf(a.consequences[0]) - placeOf(b.consequences[0]) ||
  Number(a.aminoAcids === null) - Number(b.aminoAcids === null)

const signs: [RegExp, string][] = [
  [/%/g, '%25'],
  [/\|/g, '%7C'],
  [/,/g, '%2C'],
  [/;/g, '%3B'],
  [/=/g, '%3D'],
  [/&/g, '%26'],
  [/\s/g, '%20'],
]

/** A name as it may stand in a field of an INFO value. Example: `encodeInfoName('a|b')` is `a%7Cb`. */
export const encodeInfoName = (name: string): string =>
  signs.reduce((text, [pattern, code]) => text.replace(pattern, code), name)

const decodeInfoName = (text: string): string =>
  text.replace(/%(25|7C|2C|3B|3D|26|20)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/**
 * Reads the value of BCSQ, one entry a transcript and allele. An entry belongs to an alternate allele when the change of bases that it
 * states
 * is that allele's; `position1`, `reference` and `alternates` are of the record.
 *
 * Example: `parseEffects('missense|YFG1|T1|protein_coding|+|17V>17A|7T>C', 7, 'T', ['C'])` is one effect on `YFG1`, of allele 1.
 */
export const parseEffects = (
  value: string,
  position1: number,
  reference: string,
  alternates: readonly string[],
): Effect[] => {
  const effects: Effect[] = []
  for (const entry of value.split(',')) {
    // A leading * is of changes behind a stop; @ points to the record that holds the whole: both are of haplotypes.
    if (entry === '' || entry.startsWith('@')) continue
    const [names = '', gene = '', transcript = '', biotype = '', strand = '', aminoAcids = '', bases = ''] = entry
      .replace(/^\*/, '')
      .split('|')
    const change = /^(\d+)([A-Za-z]*)>([A-Za-z]*)/.exec(bases)
    effects.push({
      consequences: names
        .replaceAll('*', '')
        .split('&')
        .sort((a, b) => placeOf(a) - placeOf(b)),
      gene: decodeInfoName(gene),
      transcript: decodeInfoName(transcript),
      biotype,
      strand: strand === '+' || strand === '-' ? strand : '.',
      aminoAcids: aminoAcids === '' ? null : aminoAcids,
      bases: bases === '' ? null : bases,
      allele:
        alternates.length === 1
          ? 1
          : change === null
            ? null
            : alleleOf(Number(change[1]), change[2]!, change[3]!, position1, reference, alternates),
    })
  }
  return effects
}

/** Changes are stated without the bases that both alleles share. */
const trimChange = (start1: number, from: string, to: string): string => {
  let [at, a, b] = [start1, from.toUpperCase(), to.toUpperCase()]
  while (a.length > 0 && b.length > 0 && a.at(-1) === b.at(-1)) [a, b] = [a.slice(0, -1), b.slice(0, -1)]
  while (a.length > 0 && b.length > 0 && a[0] === b[0]) [at, a, b] = [at + 1, a.slice(1), b.slice(1)]
  return `${at}:${a}:${b}`
}

const alleleOf = (
  start1: number,
  from: string,
  to: string,
  position1: number,
  reference: string,
  alternates: readonly string[],
): number | null => {
  const wanted = trimChange(start1, from, to)
  const found = alternates.findIndex((alternate) => trimChange(position1, reference, alternate) === wanted)
  return found < 0 ? null : found + 1
}
