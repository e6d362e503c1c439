import { type Background, makeBackground } from './motif-scores.ts'

/** Why a text is no background model; `line` is that of the first wrong one. */
export class BackgroundTextError extends Error {
  readonly reason: 'none' | 'line' | 'letters' | 'repeated' | 'range' | 'missing' | 'sum' | 'margin'
  readonly params: Readonly<Record<string, string | number>>

  constructor(reason: BackgroundTextError['reason'], params: BackgroundTextError['params'] = {}) {
    super(`${reason} ${JSON.stringify(params)}`)
    this.reason = reason
    this.params = params
  }
}

/** A background as a file gives it, before strands are averaged. */
export interface BackgroundModel {
  /** Of the file: words of one to `order + 1` bases are in it. */
  order: number
  /** Shares of A, C, G, T. */
  bases: readonly number[]
  /** Shares of the sixteen pairs at 4 × first + second, where the file has them. */
  pairs: Float64Array | null
}

/** How far sums may be off 1, and margins off the shares of bases: files are rounded to three digits (see the format's own example). */
const rounding = 0.01

const numberForm = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const lastWord = (order: number): number => 4 ** (order + 1)

/**
 * Reads a Markov background model as FIMO takes it by `--bfile` and fasta-get-markov writes it: a word and its share a line, all words of
 * one base, then those of two, and so on; `#` begins a comment (MEME Suite, "Markov Background Model Format"). Letters are bases in either
 * case, U as T. Shares of 0 and 1 are refused, as there. Words of three bases and more are checked and not kept.
 *
 * Example: `parseBackgroundModel('A 0.3\nC 0.2\nG 0.2\nT 0.3').bases` is `[0.3, 0.2, 0.2, 0.3]`; its `order` is 0.
 */
export function parseBackgroundModel(text: string): BackgroundModel {
  const shares = new Map<string, number>()
  let longest = 0
  for (const [at, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const content = raw.split('#')[0]!.trim()
    if (content === '') continue
    const line = at + 1
    const [letters, share, ...more] = content.split(/\s+/)
    if (share === undefined || more.length > 0 || !numberForm.test(share) || !/^\p{L}+$/u.test(letters!))
      throw new BackgroundTextError('line', { line, text: content.slice(0, 60) })
    const word = letters!.toUpperCase().replaceAll('U', 'T')
    if (!/^[ACGT]+$/.test(word)) throw new BackgroundTextError('letters', { line, word: letters!.slice(0, 20) })
    const value = Number(share)
    if (!(value > 0 && value < 1)) throw new BackgroundTextError('range', { line, word, share })
    if (shares.has(word)) throw new BackgroundTextError('repeated', { line, word })
    shares.set(word, value)
    longest = Math.max(longest, word.length)
  }
  if (longest === 0) throw new BackgroundTextError('none')
  for (let length = 1; length <= longest; length++) {
    const own = [...shares].filter(([word]) => word.length === length)
    if (own.length < lastWord(length - 1)) {
      const missing = wordsOf(length).find((word) => !shares.has(word))!
      throw new BackgroundTextError('missing', { word: missing, length })
    }
    const sum = own.reduce((total, [, share]) => total + share, 0)
    if (Math.abs(sum - 1) > rounding) throw new BackgroundTextError('sum', { length, sum: Number(sum.toPrecision(4)) })
  }
  const bases = [...'ACGT'].map((base) => shares.get(base)!)
  if (longest === 1) return { order: 0, bases, pairs: null }
  const pairs = Float64Array.from(wordsOf(2), (word) => shares.get(word)!)
  for (let second = 0; second < 4; second++) {
    const margin = [0, 1, 2, 3].reduce((sum, first) => sum + pairs[4 * first + second]!, 0)
    if (Math.abs(margin - bases[second]!) > rounding)
      throw new BackgroundTextError('margin', {
        base: 'ACGT'[second]!,
        pairs: Number(margin.toPrecision(4)),
        share: bases[second]!,
      })
  }
  return { order: longest - 1, bases, pairs }
}

const wordsOf = (length: number): string[] =>
  length === 0 ? [''] : wordsOf(length - 1).flatMap((word) => [...'ACGT'].map((base) => word + base))

/**
 * The background of a model for scanning. At order 0 only the shares of bases are used, whatever the file has, as FIMO does; at order 1 the
 * second base of a pair depends on the first. `bothStrands` averages every word with its reverse complement.
 *
 * @throws RangeError at order 1 of a model without pairs
 */
export function backgroundOfModel(model: BackgroundModel, order: 0 | 1, bothStrands: boolean): Background {
  const zero = makeBackground(model.bases, bothStrands)
  if (order === 0) return zero
  const { pairs } = model
  if (pairs === null) throw new RangeError('the model has no pairs')
  const shares = bothStrands ? pairs.map((share, at) => share + pairs[4 * (3 - (at & 3)) + (3 - (at >> 2))]!) : pairs
  const transitions = new Float64Array(16)
  for (let first = 0; first < 4; first++) {
    const sum = [0, 1, 2, 3].reduce((total, second) => total + shares[4 * first + second]!, 0)
    for (let second = 0; second < 4; second++) transitions[4 * first + second] = shares[4 * first + second]! / sum
  }
  return { order: 1, bases: zero.bases, transitions }
}
