/** Three letters of each residue, as HGVS writes proteins. */
const threeLetters: Readonly<Record<string, string>> = {
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
 * A change of a protein as HGVS writes it (den Dunnen et al. 2016), from the notation of bcftools csq: residues before and after it with
 * the number of their first. It stands in parentheses, as what is predicted from DNA does. What has another form is handed back as it is.
 *
 * Examples: `419G>419A` is `p.(Gly419Ala)`, `154A` is `p.(Ala154=)`, `174K>174*` is `p.(Lys174Ter)`.
 *
 * @param consequences of the same effect: a lost start is written as one, and a frameshift from the first residue that differs
 */
export const proteinChange = (text: string, consequences: readonly string[]): string => {
  const form = /^(\d+)([A-Z*]+)(?:>\d+([A-Z*]+))?$/.exec(text)
  if (form === null) return text
  const [, number = '', before = '', after = before] = form
  const change = changeOf(Number(number), before, after, consequences)
  return change === null ? text : `p.(${change})`
}

/** Null where residues that differ are not told. */
const changeOf = (first: number, before: string, after: string, consequences: readonly string[]): string | null => {
  if (after === before) return `${range(first, before)}=`
  if (consequences.includes('start_lost') && first === 1) return 'Met1?'
  let same = 0
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1
  const place = first + same
  const [from, to] = [before[same], after[same]]
  const stop = after.indexOf('*', same)
  const is = (name: string): boolean => consequences.includes(name)
  // A stop that is kept stays what it was: residues are inserted or deleted before it.
  const isKept = is('stop_retained') || !(is('stop_lost') || is('frameshift'))
  if (from === '*' && !(isKept && after.endsWith('*')))
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
  if (gone === '') {
    if (before.slice(same - come.length, same) === come && same >= come.length)
      return `${range(place - come.length, come)}dup`
    // An insertion is named by the residues on both of its sides; where one of them is not told, it replaces the one that is.
    if (same > 0 && end > 0)
      return `${nameOf(before[same - 1]!)}${place - 1}_${nameOf(before[same]!)}${place}ins${spell(come)}`
    return same > 0
      ? `${nameOf(before[same - 1]!)}${place - 1}delins${spell(before[same - 1] + come)}`
      : `${nameOf(before[same]!)}${place}delins${spell(come + before[same])}`
  }
  if (come === '') return `${range(place, gone)}del`
  if (gone.length === 1 && come.length === 1) return `${nameOf(gone)}${place}${nameOf(come)}`
  return `${range(place, gone)}delins${spell(come)}`
}

const range = (first: number, residues: string): string =>
  residues.length === 1
    ? `${nameOf(residues)}${first}`
    : `${nameOf(residues[0]!)}${first}_${nameOf(residues.at(-1)!)}${first + residues.length - 1}`
