// Where the sequences of an annotation are in the genome, and what of its lines lies within them.

import { mapSequenceNames } from '../../sequence/chromosome-order.ts'
import { unrollPlacedParts } from '../../sequence/origin.ts'
import type { DefectLog } from '../../text/defects.ts'
import { refuseLeftOut } from '../../text/left-out.ts'
import type { Feature } from '../feature.ts'
import { geneModelDefects } from '../gene-model-defects.ts'
import type { GeneModelOptions } from '../gene-models.ts'
import type { TargetSequence } from './gene-model-store.ts'

/** The sequences that an annotation names, by number in the order of their first mention, and their places in the genome. */
export class SequencePlacement {
  readonly #file: string
  readonly #log: DefectLog
  readonly #options: GeneModelOptions
  readonly #indexes: Map<string, number>
  readonly #counts: number[]
  readonly #circular: Set<string>
  #names: string[] = []
  #places: (TargetSequence | null)[] = []
  #beyond = 0
  #firstBeyond: { line: number; example: string } | null = null

  constructor(options: GeneModelOptions) {
    this.#file = options.file
    this.#log = options.log
    this.#options = options
    this.#indexes = new Map(options.plan?.sequences)
    this.#counts = [...(options.plan?.sequenceCounts ?? [])]
    this.#circular = new Set([...(options.circular ?? []), ...(options.plan?.circular ?? [])])
  }

  /** One more line is on this sequence. */
  count(sequence: number): void {
    this.#counts[sequence]!++
  }

  markCircular(name: string): void {
    this.#circular.add(name)
  }

  /** The number of a sequence that is known. */
  indexOf(name: string): number {
    return this.#indexes.get(name)!
  }

  nameOf(sequence: number): string {
    if (this.#names.length !== this.#indexes.size) this.#names = [...this.#indexes.keys()]
    return this.#names[sequence]!
  }

  /** Null of a sequence that the genome has not. */
  at(sequence: number): TargetSequence | null {
    return this.#places[sequence] ?? null
  }

  circularNames(): string[] {
    return this.#places.flatMap((target) => (target?.circular ? [target.name] : []))
  }

  add(name: string): number {
    const known = this.#indexes.get(name)
    if (known !== undefined) return known
    const index = this.#indexes.size
    this.#indexes.set(name, index)
    this.#counts.push(0)
    return index
  }

  judgeLeftOut(): void {
    const total = this.#counts.reduce((sum, count) => sum + count, 0)
    const names = [...this.#indexes.keys()].filter((_, index) => this.#places[index] === null)
    const unknown = names.reduce((sum, name) => sum + this.#counts[this.#indexes.get(name)!]!, 0)
    refuseLeftOut(this.#log, this.#file, { why: 'unknown', count: unknown, total, line: null, example: names[0] ?? '' })
    const first = this.#firstBeyond
    if (first)
      refuseLeftOut(this.#log, this.#file, { why: 'unusable', count: this.#beyond, total: total - unknown, ...first })
  }

  /** Finds every sequence in the genome; false when none of them is there. */
  place(): boolean {
    const known = this.#options.sequences
    const names = [...this.#indexes.keys()]
    if (!known) {
      this.#places = names.map((name, order) => ({ name, lengthBp: null, circular: this.#circular.has(name), order }))
      return true
    }
    const order = new Map([...known.keys()].map((name, index) => [name, index]))
    const mapped = this.#mapNames(names, known)
    const used = names.filter((_, index) => this.#counts[index]! > 0)
    if (used.length > 0 && !used.some((name) => mapped.has(name))) {
      this.#log.report(geneModelDefects, 'model-sequences-all-unknown', this.#file, null, {
        found: used.slice(0, 5).join(', '),
        expected: [...known.keys()].slice(0, 5).join(', '),
      })
      return false
    }
    this.#places = names.map((from, index) => {
      const count = this.#counts[index]!
      const to = mapped.get(from)
      if (to === undefined) {
        if (count > 0)
          this.#log.report(geneModelDefects, 'model-sequence-unknown', this.#file, null, { name: from, count })
        return null
      }
      if (to !== from && count > 0)
        this.#log.report(geneModelDefects, 'model-sequence-renamed', this.#file, null, { from, to, count })
      return {
        name: to,
        lengthBp: known.get(to)!,
        circular: (this.#circular.has(from) || this.#circular.has(to)) && !this.#options.linear?.has(to),
        order: order.get(to)!,
      }
    })
    return true
  }

  #mapNames(names: readonly string[], known: ReadonlyMap<string, number>): Map<string, string> {
    const byAlias = new Map<string, string>()
    for (const name of names) {
      const to = this.#options.sequenceAliases?.get(name.toLowerCase())
      if (to !== undefined && known.has(to) && !known.has(name)) byAlias.set(name, to)
    }
    const taken = new Set(byAlias.values())
    const mapped = mapSequenceNames(
      names.filter((name) => !byAlias.has(name)),
      [...known.keys()].filter((name) => !taken.has(name) || names.includes(name)),
    )
    return new Map([...mapped, ...byAlias])
  }

  find(sequenceName: string): TargetSequence | null {
    return this.#places[this.#indexes.get(sequenceName)!] ?? null
  }

  clipFeature(feature: Feature): boolean {
    const target = this.find(feature.sequenceName)
    if (!target) return false
    feature.sequenceName = target.name
    const { lengthBp } = target
    if (lengthBp === null || feature.end1 <= lengthBp || target.circular) return true
    if (feature.start1 > lengthBp) {
      this.reportBeyond(feature.type, feature.start1, feature.end1, target, feature.line)
      return false
    }
    this.reportClipped(feature.type, feature.start1, feature.end1, target, feature.line)
    feature.end1 = lengthBp
    return true
  }

  reportBeyond(type: string, start: number, end: number, target: TargetSequence, line: number): void {
    const length = target.lengthBp!
    this.#beyond++
    this.#firstBeyond ??= { line, example: `${target.name}:${start}-${end}` }
    this.#log.report(geneModelDefects, 'model-beyond-left-out', this.#file, line, {
      type,
      start,
      end,
      sequence: target.name,
      length,
    })
  }

  reportClipped(type: string, start: number, end: number, target: TargetSequence, line: number): void {
    const length = target.lengthBp!
    const used = `${start}..${length}`
    this.#log.report(geneModelDefects, 'model-beyond-clipped', this.#file, line, {
      type,
      start,
      end,
      sequence: target.name,
      length,
      used,
    })
  }

  /** The spans of the lines of one feature; those behind the origin of a circle are counted on beyond its length. */
  rowSpans(rows: readonly Feature[], target: TargetSequence): { start1: number; end1: number }[] {
    const spans = rows.flatMap((row) => {
      const span = this.#placeSpan(row, target)
      return span ? [{ ...span, strand: row.strand }] : []
    })
    if (target.circular && target.lengthBp !== null)
      unrollPlacedParts(spans, target.lengthBp, null, rows.some(isTransSpliced))
    return spans
  }

  /** The span of a line within its sequence; null when it lies beyond. */
  #placeSpan(row: Feature, target: TargetSequence): { start1: number; end1: number } | null {
    const { start1, end1 } = row
    if (target.lengthBp === null || end1 <= target.lengthBp) return { start1, end1 }
    if (target.circular && start1 <= target.lengthBp * 2) return { start1, end1 }
    if (start1 > target.lengthBp) {
      this.reportBeyond(row.type, start1, end1, target, row.line)
      return null
    }
    this.reportClipped(row.type, start1, end1, target, row.line)
    return { start1, end1: target.lengthBp }
  }
}

const transSplicingMark = /trans[-_ ]splic/i

export function isTransSplicedText(text: string): boolean {
  return transSplicingMark.test(text)
}

export function isTransSpliced(row: Feature | null): boolean {
  return row !== null && isTransSplicedText(row.attributeText)
}
