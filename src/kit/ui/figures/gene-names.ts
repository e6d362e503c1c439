import { labelWidth } from './text-width.ts'

/** Names of genes are of capitals and digits, which are so much wider than letters. */
const capitalShare = 1.15
export const geneNamePx = 10
const lineHeight = geneNamePx * 1.3
/** Of names that do not fit side by side: they rise to the right, each from above its gene. */
export const nameSlant = 40
const [rise, run] = [Math.sin((nameSlant * Math.PI) / 180), Math.cos((nameSlant * Math.PI) / 180)]
/** Between two slanted names, from gene to gene: nearer ones would touch. */
const slantedApart = lineHeight / rise
const levelGap = 3

export interface NamedMark {
  name: string
  /** Middle of the gene's arrow. */
  at: number
  /** Its name is written before those of others: the gene that was asked for, then those with a symbol. */
  rank: number
}

export interface GeneNames {
  slanted: boolean
  /** What names take up above the arrows. */
  height: number
  /** What they take up to the right of an arrow's middle. */
  beyond: number
  /** Which genes have their names written. */
  written: boolean[]
}

export const geneNameWidth = (name: string): number => capitalShare * labelWidth(name, geneNamePx)

/** Those that keep a distance from each other, taken by rank and then from the left. */
const keepApart = (marks: readonly NamedMark[], touch: (p: NamedMark, q: NamedMark) => boolean): boolean[] => {
  const order = [...marks.keys()].sort((p, q) => marks[p]!.rank - marks[q]!.rank || marks[p]!.at - marks[q]!.at)
  const kept: NamedMark[] = []
  const written = marks.map(() => false)
  for (const at of order) {
    const mark = marks[at]!
    if (mark.name === '' || kept.some((one) => touch(one, mark))) continue
    kept.push(mark)
    written[at] = true
  }
  return written
}

/**
 * How the names of the genes of a row are written above their arrows: whole or not at all, since half of a locus tag is the name of
 * nothing. Level where all fit so, else slanted; of genes too close together those that were asked for and those with a symbol come first.
 */
export const placeGeneNames = (marks: readonly NamedMark[]): GeneNames => {
  const touchLevel = (p: NamedMark, q: NamedMark): boolean =>
    Math.abs(p.at - q.at) < (geneNameWidth(p.name) + geneNameWidth(q.name)) / 2 + levelGap
  const level = keepApart(marks, touchLevel)
  const widest = Math.max(0, ...marks.map(({ name }) => geneNameWidth(name)))
  if (marks.every(({ name }, at) => name === '' || level[at]))
    return { slanted: false, height: lineHeight + 2, beyond: widest / 2, written: level }
  return {
    slanted: true,
    height: widest * rise + lineHeight * run,
    beyond: widest * run + lineHeight / 2,
    written: keepApart(marks, (p, q) => Math.abs(p.at - q.at) < slantedApart),
  }
}
