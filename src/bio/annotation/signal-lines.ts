import type { TextLog } from '../text/text-encoding.ts'
import { signalDefects } from './signal-defects.ts'

// WIG and bedGraph: values along sequences as text.
// Source: genome.ucsc.edu/goldenPath/help/wiggle.html and bedgraph.html.

const missing = /^(nan|na|n\/a|\.|[+-]?inf(inity)?)$/i
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const whole = /^\d+$/

interface Declaration {
  sequence: string
  isFixed: boolean
  /** Of the next value of a fixed step. */
  next1: number
  step: number
  span: number
}

/**
 * Reads lines of WIG (`fixedStep`, `variableStep`) and bedGraph, and gives for each a line of BED whose fourth column is the value: the
 * text of both formats in one form, that is sorted and held to the genome as BED is. Lines without a value (declarations, comments,
 * `NaN`) give an empty line, so that numbers of lines stay true.
 *
 * Example: after `fixedStep chrom=chrI start=11 step=10 span=5`, `2.5` gives `chrI\t10\t15\t2.5`, then `3` gives `chrI\t20\t25\t3`.
 */
export class SignalLines {
  readonly #file: string
  readonly #log: TextLog
  readonly #lengthOf: (sequence: string) => number | null
  #declared: Declaration | null = null
  #isUnreadable = false
  /** Intervals that reached beyond the end of their sequence and were cut there. */
  #cut = 0

  constructor(options: { file: string; log: TextLog; lengthOf(sequence: string): number | null }) {
    this.#file = options.file
    this.#log = options.log
    this.#lengthOf = (sequence) => options.lengthOf(sequence)
  }

  get cut(): number {
    return this.#cut
  }

  read(text: string, line: number): string {
    const trimmed = text.trim()
    if (trimmed === '' || trimmed.startsWith('#') || /^(track|browser)(\s|$)/.test(trimmed)) return ''
    if (/^(fixed|variable)Step(\s|$)/.test(trimmed)) {
      this.#declare(trimmed, line)
      return ''
    }
    const cells = trimmed.split(text.includes('\t') ? '\t' : /\s+/)
    // Old files have lines of bedGraph among those of WIG.
    if (cells.length >= 4) return this.#interval(cells[0]!, cells[1]!.trim(), cells[2]!.trim(), cells[3]!.trim(), line)
    const declared = this.#declared
    if (declared === null) {
      // What follows a declaration that cannot be read was told with it.
      if (!this.#isUnreadable)
        this.#log.report(signalDefects, 'signal-undeclared', this.#file, line, { text: trimmed.slice(0, 60) })
      return ''
    }
    const { sequence, isFixed, span } = declared
    if (cells.length !== (isFixed ? 1 : 2)) {
      this.#log.report(signalDefects, 'signal-columns', this.#file, line, {
        found: cells.length,
        expected: isFixed ? 1 : 2,
      })
      return ''
    }
    if (isFixed) {
      const start1 = declared.next1
      declared.next1 += declared.step
      return this.#interval(sequence, String(start1 - 1), String(start1 - 1 + span), cells[0]!, line)
    }
    if (!whole.test(cells[0]!) || cells[0] === '0') {
      this.#log.report(signalDefects, 'signal-position', this.#file, line, { value: cells[0]!.slice(0, 60) })
      return ''
    }
    const start0 = Number(cells[0]) - 1
    return this.#interval(sequence, String(start0), String(start0 + span), cells[1]!, line)
  }

  #declare(text: string, line: number): void {
    const facts = new Map([...text.matchAll(/(\w+)=(\S+)/g)].map(([, key, value]) => [key!, value!]))
    const isFixed = text.startsWith('fixedStep')
    const sequence = facts.get('chrom')
    const [start, step, span] = ['start', 'step', 'span'].map((key) => facts.get(key) ?? '1')
    const isWhole = [start, step, span].every((value) => whole.test(value!) && Number(value) >= 1)
    this.#isUnreadable = sequence === undefined || !isWhole || (isFixed && !facts.has('start'))
    if (this.#isUnreadable)
      this.#log.report(signalDefects, 'signal-declaration', this.#file, line, { text: text.slice(0, 100) })
    this.#declared = this.#isUnreadable
      ? null
      : { sequence: sequence!, isFixed, next1: Number(start), step: Number(step), span: Number(span) }
  }

  #interval(sequence: string, start0: string, end0: string, value: string, line: number): string {
    if (!number.test(value)) {
      if (!missing.test(value))
        this.#log.report(signalDefects, 'signal-value', this.#file, line, { value: value.slice(0, 60) })
      return ''
    }
    if (start0 === end0) return ''
    const lengthBp = this.#lengthOf(sequence)
    // The last window of a sequence is written as wide as the others.
    const isCut = lengthBp !== null && Number(end0) > lengthBp && Number(start0) < lengthBp
    if (isCut) this.#cut += 1
    return `${sequence}\t${start0}\t${isCut ? lengthBp : end0}\t${value}`
  }
}
