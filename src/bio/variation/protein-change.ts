/** Three letters of each residue, as HGVS writes proteins. */
export const threeLetters: Readonly<Record<string, string>> = {
  ...{ A: 'Ala', R: 'Arg', N: 'Asn', D: 'Asp', C: 'Cys', Q: 'Gln', E: 'Glu', G: 'Gly', H: 'His', I: 'Ile', L: 'Leu' },
  ...{ K: 'Lys', M: 'Met', F: 'Phe', P: 'Pro', S: 'Ser', T: 'Thr', W: 'Trp', Y: 'Tyr', V: 'Val', U: 'Sec', O: 'Pyl' },
  ...{ B: 'Asx', Z: 'Glx', J: 'Xle', X: 'Xaa', '*': 'Ter' },
}
const nameOf = (letter: string): string => threeLetters[letter] ?? 'Xaa'

/** More residues than this are counted, not spelt: `insXaa[23]` is what HGVS has for 23 residues that are not named. */
const longestSpelt = 10
const spell = (residues: string): string =>
  residues.length > longestSpelt ? `Xaa[${residues.length}]` : [...residues].map(nameOf).join('')

/**
 * What comes in, to its first stop, behind which nothing is translated: `insGlyTer`, and where that is longer than is spelt the place of the
 * stop in it, `insTer63` (HGVS recommendations 21.0, protein, insertion: `Met3_His4insGlyTer`, `Gln746_Lys747ins*63`).
 */
const spellToStop = (residues: string): string => {
  const stop = residues.indexOf('*') + 1
  if (stop === 0) return spell(residues)
  return stop > longestSpelt ? `Ter${stop}` : spell(residues.slice(0, stop))
}

/**
 * A change of a protein as HGVS writes it (den Dunnen et al. 2016), from the notation of bcftools csq: residues before and after it with
 * the number of their first. It stands in parentheses, as what is predicted from DNA does. What has another form is handed back as it is.
 *
 * Residues that are deleted or inserted are named at the most C-terminal place that gives the same protein, and as a duplication where
 * they repeat those directly before. csq tells no more residues than its codons hold, and on the reverse strand at times wrong ones
 * (version 1.16: a codon behind a deletion is read in another frame): `proteins` are the whole proteins without and with the change, stops
 * included, which are compared instead: with equal residues to the end of the one without it nothing is changed, whatever lies behind its stop.
 * Without them a change whose place is not certain stays as csq wrote it.
 *
 * Examples: `419G>419A` is `p.(Gly419Ala)`, `154A` is `p.(Ala154=)`, `174K>174*` is `p.(Lys174Ter)`, and `2AA>2A` of `MAAAK*` is
 * `p.(Ala4del)`, and `3A>3AG*` of it `p.(Ala3_Ala4insGlyTer)`.
 *
 * @param consequences of the same effect: a lost start is written as one, and a frameshift from the first residue that differs
 */
export const proteinChange = (
  text: string,
  consequences: readonly string[],
  proteins: { before: string; after: string } | null,
): string => {
  const form = /^(\d+)([A-Z*]+)(?:>\d+([A-Z*]+))?$/.exec(text)
  if (form === null) return text
  const [, number = '', before = '', after = before] = form
  const change = changeOf(
    proteins !== null && needsProtein(text, consequences)
      ? { first: 1, ...proteins, isWhole: true }
      : { first: Number(number), before, after, isWhole: false },
    consequences,
  )
  return change === null ? text : `p.(${change})`
}

/** Whether residues that are not told may say where a change is. Examples: of `46T>46TG` in frame they may, of `12KL>12RM` not. */
export const needsProtein = (text: string, consequences: readonly string[]): boolean => {
  const form = /^\d+([A-Z*]+)>\d+([A-Z*]+)$/.exec(text)
  return (
    form !== null &&
    form[1]!.length !== form[2]!.length &&
    !consequences.some((name) => name === 'frameshift' || name === 'stop_lost' || name === 'start_lost')
  )
}

/** Residues before and after a change; `first` is the number of the first of both. */
interface Residues {
  first: number
  before: string
  after: string
  /** They are all of the protein. */
  isWhole: boolean
}

/** Null where residues that differ are not told, or not where they lie. */
const changeOf = ({ first, before, after, isWhole }: Residues, consequences: readonly string[]): string | null => {
  if (after === before) return `${range(first, before)}=`
  if (isWhole && before.endsWith('*') && after.startsWith(before)) return '='
  if (consequences.includes('start_lost') && first === 1) return 'Met1?'
  let same = 0
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1
  const place = first + same
  const [from, to] = [before[same], after[same]]
  const stop = after.indexOf('*', same)
  const is = (name: string): boolean => consequences.includes(name)
  // A stop that is kept stays what it was: residues are inserted or deleted before it.
  const isKept = is('stop_retained') || !(is('stop_lost') || is('frameshift'))
  if (from === '*' && !(isKept && after.includes('*', same)))
    return to === undefined ? `Ter${place}?` : `Ter${place}${nameOf(to)}extTer${stop === -1 ? '?' : stop - same}`
  if (is('frameshift')) {
    if (from === undefined || to === undefined) return null
    if (to === '*') return `${nameOf(from)}${place}Ter`
    // Where the new reading frame is not told to its stop, the short form is the whole that is known.
    return `${nameOf(from)}${place}${stop === -1 ? 'fs' : `${nameOf(to)}fsTer${stop - same + 1}`}`
  }
  if (to === '*' && from !== undefined && (is('stop_gained') || !before.endsWith('*')))
    return `${nameOf(from)}${place}Ter`
  let end = 0
  while (end < before.length - same && end < after.length - same && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const gone = before.slice(same, before.length - end)
  const come = after.slice(same, after.length - end)
  // Where residues end before they differ, those behind may go on in the same way, and the change lies further on.
  const isCut = !isWhole && (from === undefined || to === undefined)
  if (isCut && (gone === '' || come === '')) return null
  if (gone === '') {
    if (come.length <= same && before.slice(same - come.length, same) === come)
      return `${range(place - come.length, come)}dup`
    // Not told are so many residues before it that it may repeat them.
    if (!isWhole && come.length > same && come.length < place && come.endsWith(before.slice(0, same))) return null
    // An insertion is named by the residues on both of its sides.
    return same > 0 && from !== undefined
      ? `${nameOf(before[same - 1]!)}${place - 1}_${nameOf(from)}${place}ins${spellToStop(come)}`
      : null
  }
  if (come === '') return `${range(place, gone)}del`
  if (gone.length === 1 && come.length === 1) return `${nameOf(gone)}${place}${nameOf(come)}`
  return `${range(place, gone)}delins${spellToStop(come)}`
}

const range = (first: number, residues: string): string =>
  residues.length === 1
    ? `${nameOf(residues)}${first}`
    : `${nameOf(residues[0]!)}${first}_${nameOf(residues.at(-1)!)}${first + residues.length - 1}`
