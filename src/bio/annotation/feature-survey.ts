// Which lines of an annotation belong together, so that gene models can be built of some lines while the others wait in the file.

import { hashName } from '../text/name-hash.ts'
import type { Attributes, Feature } from './feature.ts'
import { findGff3Value, findGtfValue, ownString } from './feature.ts'
import {
  decode,
  derivedPart,
  firstOf,
  gff3Id,
  gff3Parents,
  gff3PartParents,
  gtfGeneId,
  gtfOwnId,
  gtfTranscriptId,
  isBareName,
  landmarkTypes,
  orphanGroup,
  readType,
  type TypeMeaning,
} from './feature-types.ts'

/**
 * Features that are built together. At least: with fewer, the work for each time would be felt. At most, where the file allows it:
 * they take about 600 bytes each.
 */
export interface Together {
  min: number
  max: number
}
const usualTogether: Together = { min: 4096, max: 250_000 }

/** How the features of a file are to be taken so that those that belong together are built together. */
export interface FeaturePlan {
  /** Sequences by name, numbered in the order of the file. */
  readonly sequences: ReadonlyMap<string, number>
  /** Features of each sequence. */
  readonly sequenceCounts: readonly number[]
  /** Names of the sequences that the file calls circular. */
  readonly circular: ReadonlySet<string>
  /** How often the file is to be read: once where lines that belong together stand together. */
  readonly rounds: number
  /** Features that are held at once at most. */
  readonly max: number
  /** The round in which a feature, numbered from 0, is to be taken. */
  roundOf(feature: number): number
  /** Whether all that is held in this round can be built once the feature was taken. */
  isCut(feature: number, round: number): boolean
  /** Whether the identifier is that of a segment that holds genes, such as a chromosome, and of nothing else: of which sequence, or null. */
  landmarkSequence(id: string): number | null
}

// What is known of a name.
const defined = 1
const landmark = 2
const other = 4
/** Exons or coding parts name it as their parent. */
const hasParts = 8
/** A line of GTF says its gene. */
const hasGene = 16
/** A gene line of GTF holds nothing but its name. */
const bareName = 32

/** Whole numbers in a list that grows. */
class Integers {
  values = new Int32Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Int32Array(this.length + (this.length >> 1))
      grown.set(this.values)
      this.values = grown
    }
    this.values[this.length++] = value
  }
}

/** Names by 64 bits of hash: two that were taken for one would merely be built together. */
class Names {
  readonly high = new Integers()
  readonly low = new Integers()
  first = new Integers()
  last = new Integers()
  /** Another name that it belongs together with, its own number when there is none before it. */
  joined = new Integers()
  readonly facts = new Integers()
  #slots = new Int32Array(4096)

  get length(): number {
    return this.high.length
  }

  add(text: string, kind: number, feature: number): number {
    if (this.length * 2 >= this.#slots.length) this.#grow()
    const high = hashName(text, (0x811c9dc5 ^ kind) >>> 0) | 0
    const low = hashName(text, Math.imul(kind + 1, 0x9e3779b1) >>> 0) | 0
    const slot = this.#slotOf(high, low)
    const known = this.#slots[slot]! - 1
    if (known >= 0) return known
    const number = this.length
    this.high.push(high)
    this.low.push(low)
    this.first.push(feature)
    this.last.push(feature)
    this.joined.push(number)
    this.facts.push(0)
    this.#slots[slot] = number + 1
    return number
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#slots.length - 1
    let slot = (high ^ (low << 7)) & mask
    for (;;) {
      const number = this.#slots[slot]! - 1
      if (number < 0 || (this.high.values[number] === high && this.low.values[number] === low)) return slot
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let number = 0; number < this.length; number += 1)
      this.#slots[this.#slotOf(this.high.values[number]!, this.low.values[number]!)] = number + 1
  }

  find(text: string, kind: number): number | null {
    const high = hashName(text, (0x811c9dc5 ^ kind) >>> 0) | 0
    const low = hashName(text, Math.imul(kind + 1, 0x9e3779b1) >>> 0) | 0
    const number = this.#slots[this.#slotOf(high, low)]! - 1
    return number < 0 ? null : number
  }

  /** Keeps what names are, and forgets where they stand. */
  forgetPlaces(): void {
    this.first = new Integers()
    this.last = new Integers()
    this.joined = new Integers()
  }

  rootOf(number: number): number {
    const joined = this.joined.values
    let root = number
    while (joined[root] !== root) root = joined[root]!
    for (let at = number; joined[at] !== root; ) {
      const next = joined[at]!
      joined[at] = root
      at = next
    }
    return root
  }

  join(a: number, b: number): void {
    const one = this.rootOf(a)
    const two = this.rootOf(b)
    // The later to the earlier, which keeps chains short enough.
    if (one < two) this.joined.values[two] = one
    else this.joined.values[one] = two
  }
}

/** Names of GFF3 are one kind; those of GTF and of loci are of a sequence each. */
const gff3Kind = 0
const kindOf = (kind: 1 | 2 | 3, sequence: number): number => sequence * 3 + kind

/**
 * Takes the features of a file in its order, keeps some bytes of each, and says how they can be built a part at a time with the very
 * result that building them all at once has. Lines belong together when they carry the same name: as identifier, as parent, as
 * GTF's gene or transcript, as locus tag or gene id where one is asked for; see `GeneModelBuilder`.
 *
 * Example: of a file with one gene after another, `plan().rounds` is 1, and a cut comes after every few genes.
 */
export class FeatureSurvey {
  readonly #sequences = new Map<string, number>()
  readonly #sequenceCounts: number[] = []
  readonly #sequenceFirst: number[] = []
  readonly #sequenceLast: number[] = []
  readonly #circular: Set<string>
  readonly #types = new Map<string, TypeMeaning>()
  readonly #names = new Names()
  /** One of the names of each feature, -1 of one without. */
  #nameOf = new Integers()
  #sequenceOf = new Integers()
  readonly #landmarks = new Map<number, number>()
  #hasLost = false
  #feature = -1
  #lastParentText: string | null = null
  #lastParent = -1

  constructor(circular: Iterable<string> = []) {
    this.#circular = new Set(circular)
  }

  addSequence(name: string, circular = false): void {
    this.#numberOf(name)
    if (circular) this.#circular.add(name)
  }

  add(feature: Feature): void {
    this.#feature += 1
    const sequence = this.#numberOf(feature.sequenceName)
    if (this.#sequenceCounts[sequence]! === 0) this.#sequenceFirst[sequence] = this.#feature
    this.#sequenceCounts[sequence]!++
    this.#sequenceLast[sequence] = this.#feature
    this.#sequenceOf.push(sequence)
    this.#nameOf.push(-1)
    let meaning = this.#types.get(feature.type)
    if (!meaning) {
      meaning = readType(feature.type)
      this.#types.set(feature.type, meaning)
    }
    if (meaning.role === 'part') this.#addPart(feature, meaning.part, sequence)
    else if (meaning.role === 'other') this.#addOther(feature, sequence)
    else this.#addDefinition(feature, meaning.role, sequence)
  }

  #numberOf(name: string): number {
    const known = this.#sequences.get(name)
    if (known !== undefined) return known
    const number = this.#sequences.size
    this.#sequences.set(name, number)
    this.#sequenceCounts.push(0)
    this.#sequenceFirst.push(0)
    this.#sequenceLast.push(-1)
    return number
  }

  #take(text: string, kind: number, facts: number): number {
    const number = this.#names.add(text, kind, this.#feature)
    this.#takeNumber(number, facts)
    return number
  }

  #takeNumber(number: number, facts: number): void {
    // What named it before was not joined by it.
    if ((facts & defined) !== 0 && this.#isLandmark(number)) this.#hasLost = true
    this.#names.facts.values[number]! |= facts
    this.#names.last.values[number] = this.#feature
    // Every gene of a chromosome that names it as its parent would be of one piece.
    if (this.#isLandmark(number)) return
    const own = this.#nameOf.values[this.#feature]!
    if (own < 0) this.#nameOf.values[this.#feature] = number
    else if (own !== number) this.#names.join(own, number)
  }

  #addOther({ attributeText: text, dialect, type, sequenceName }: Feature, sequence: number): void {
    if (text.includes('Is_circular=true')) this.#circular.add(sequenceName)
    if (dialect !== 'gff3') return
    const id = findGff3Value(text, 'ID')
    if (id === null) return
    const number = this.#names.add(decode(id), gff3Kind, this.#feature)
    const isNew = (this.#names.facts.values[number]! & (landmark | other)) === 0
    if (landmarkTypes.test(type)) {
      if (isNew) this.#landmarks.set(number, sequence)
      this.#takeNumber(number, isNew ? landmark : 0)
      return
    }
    this.#takeNumber(number, isNew ? other : 0)
    this.#takeParents(findGff3Value(text, 'Parent'), 0)
  }

  #takeParents(text: string | null, facts: number): void {
    if (text === null) return
    if (!text.includes(',')) {
      this.#take(decode(text), gff3Kind, facts)
      return
    }
    for (const piece of text.split(',')) {
      const id = decode(piece.trim())
      if (id !== '') this.#take(id, gff3Kind, facts)
    }
  }

  #addDefinition(feature: Feature, role: 'gene' | 'transcript', sequence: number): void {
    const { attributeText: text, dialect } = feature
    if (dialect === 'gtf') {
      const geneId = gtfGeneId(text)
      const id = gtfOwnId(role, text)
      const facts = defined | hasGene | (role === 'gene' && isBareName(text) ? bareName : 0)
      if (id !== null) this.#take(id, kindOf(role === 'gene' ? 1 : 2, sequence), facts)
      if (role === 'transcript' && geneId !== null) {
        this.#take(geneId, kindOf(1, sequence), hasGene)
        return
      }
      if (role === 'transcript' && text.includes('gene_id ""')) this.#hasLost = true
    } else {
      const id = gff3Id(text)
      if (id !== null) this.#take(decode(id), gff3Kind, defined)
      if (role === 'transcript') this.#takeParents(gff3Parents(text), 0)
    }
    for (const key of role === 'gene' ? locusKeys.slice(0, 1) : locusKeys) {
      if (!text.includes(key)) continue
      const value = dialect === 'gtf' ? findGtfValue(text, key) : findGff3Value(text, key)
      if (value !== null) this.#take(decode(value.split(',')[0]!).trim(), kindOf(3, sequence), 0)
    }
  }

  #addPart(feature: Feature, kind: number, sequence: number): void {
    const { attributeText: text, dialect } = feature
    const facts = kind === derivedPart ? 0 : hasParts
    if (dialect === 'gtf') {
      const transcriptId = gtfTranscriptId(text)
      const geneId = gtfGeneId(text)
      if (transcriptId !== null && transcriptId !== '') {
        this.#take(transcriptId, kindOf(2, sequence), geneId === null ? facts : facts | hasGene)
        if (geneId !== null) this.#take(geneId, kindOf(1, sequence), hasGene)
      } else if (geneId !== null) this.#take(geneId, kindOf(1, sequence), facts | hasGene)
      else if (kind !== derivedPart) this.#addOrphan(feature.attributes, kind, feature.line, sequence)
      return
    }
    const parents = gff3PartParents(text, kind)
    if (parents === null) {
      if (kind !== derivedPart) this.#addOrphan(feature.attributes, kind, feature.line, sequence)
      return
    }
    if (parents === this.#lastParentText) {
      this.#takeNumber(this.#lastParent, facts)
      return
    }
    if (parents.includes(',')) {
      this.#takeParents(parents, facts)
      return
    }
    this.#lastParent = this.#take(decode(parents), gff3Kind, facts)
    this.#lastParentText = ownString(parents)
  }

  #addOrphan(attributes: Attributes, kind: number, line: number, sequence: number): void {
    const tag = firstOf(attributes, ['locus_tag'])
    const group = orphanGroup(kind, attributes, line)
    if (tag !== null) this.#take(tag, kindOf(3, sequence), 0)
    if (group !== null && group !== tag) this.#take(group, kindOf(3, sequence), 0)
  }

  /** How the features are to be taken. To be called once, when all are in. */
  plan(together = usualTogether): FeaturePlan {
    const plan = this.#findPlan(together)
    this.#names.forgetPlaces()
    this.#nameOf = new Integers()
    this.#sequenceOf = new Integers()
    return plan
  }

  #findPlan({ min, max }: Together): FeaturePlan {
    const count = this.#feature + 1
    const cuts = this.#findCuts(count, min)
    const shared = {
      sequences: this.#sequences,
      sequenceCounts: this.#sequenceCounts,
      circular: this.#circular,
      landmarkSequence: (id: string): number | null => {
        const number = this.#names.find(id, gff3Kind)
        return number === null || !this.#isLandmark(number) ? null : (this.#landmarks.get(number) ?? null)
      },
    }
    let widest = 0
    for (const [number, cut] of cuts.entries()) widest = Math.max(widest, cut - (cuts[number - 1] ?? -1))
    if (widest <= max) {
      const indexes = new Set(cuts)
      const isCut = (feature: number): boolean => indexes.has(feature)
      return { ...shared, rounds: 1, max: widest, roundOf: () => 0, isCut }
    }
    const { rounds, lastOf, largest } = this.#shareOut(count, max)
    return {
      ...shared,
      rounds: lastOf.length,
      max: largest,
      roundOf: (feature) => rounds[feature]!,
      isCut: (feature, round) => lastOf[round] === feature,
    }
  }

  #isLandmark(number: number): boolean {
    return (this.#names.facts.values[number]! & (landmark | defined)) === landmark
  }

  /**
   * Whether exons name a transcript that is nowhere, or a bare name of a gene is nobody else's: these may go to what is at their place,
   * whatever its name, so that the whole sequence is built together.
   */
  #isByPlace(): boolean {
    if (this.#hasLost) return true
    const { first, last } = this.#names
    const facts = this.#names.facts.values
    for (let number = 0; number < this.#names.length; number += 1) {
      if ((facts[number]! & hasParts) !== 0 && (facts[number]! & (defined | landmark | other | hasGene)) === 0)
        return true
      if ((facts[number]! & bareName) !== 0 && first.values[number] === last.values[number]) return true
    }
    return false
  }

  /** Features after which no name that came before comes again, some thousands apart; the last of all among them. */
  #findCuts(count: number, min: number): number[] {
    const reach = new Int32Array(count)
    const { first, last } = this.#names
    for (let number = 0; number < this.#names.length; number += 1) {
      if (this.#isLandmark(number)) continue
      const from = first.values[number]!
      reach[from] = Math.max(reach[from]!, last.values[number]!)
    }
    if (this.#isByPlace())
      for (const [sequence, from] of this.#sequenceFirst.entries())
        if (this.#sequenceCounts[sequence]! > 0) reach[from] = Math.max(reach[from]!, this.#sequenceLast[sequence]!)
    const cuts: number[] = []
    let until = 0
    let before = -1
    for (let feature = 0; feature < count; feature += 1) {
      until = Math.max(until, reach[feature]!)
      if (until > feature || (feature - before < min && feature < count - 1)) continue
      cuts.push(feature)
      before = feature
    }
    return cuts
  }

  /** Rounds for a file in which lines that belong together stand far apart: as many features in each as there may be. */
  #shareOut(count: number, max: number): { rounds: Uint16Array; lastOf: number[]; largest: number } {
    const names = this.#names
    const nameOf = this.#nameOf.values
    if (this.#isByPlace()) {
      const nameOfSequence = new Map<number, number>()
      for (let feature = 0; feature < count; feature += 1) {
        const sequence = this.#sequenceOf.values[feature]!
        const known = nameOfSequence.get(sequence)
        if (nameOf[feature]! < 0) {
          if (known !== undefined) nameOf[feature] = known
          continue
        }
        if (known === undefined) nameOfSequence.set(sequence, nameOf[feature]!)
        else names.join(known, nameOf[feature]!)
      }
    }
    const sizes = new Int32Array(names.length)
    for (let feature = 0; feature < count; feature += 1)
      if (nameOf[feature]! >= 0) sizes[names.rootOf(nameOf[feature]!)]!++
    const roundOfName = new Int32Array(names.length).fill(-1)
    const rounds = new Uint16Array(count)
    const lastOf: number[] = []
    const filled: number[] = [0]
    for (let feature = 0; feature < count; feature += 1) {
      const root = nameOf[feature]! < 0 ? -1 : names.rootOf(nameOf[feature]!)
      let round = root < 0 ? -1 : roundOfName[root]!
      if (round < 0) {
        const size = root < 0 ? 1 : sizes[root]!
        const before = filled.at(-1)!
        if (before > 0 && before + size > max) filled.push(0)
        round = filled.length - 1
        filled[round]! += size
        if (root >= 0) roundOfName[root] = round
      }
      rounds[feature] = round
      lastOf[round] = feature
    }
    return { rounds, lastOf, largest: filled.reduce((largest, one) => Math.max(largest, one), 0) }
  }
}

/** What transcripts without a gene are joined by; genes are found by the first of them. */
const locusKeys = ['locus_tag', 'geneID', 'gene_id', 'geneId']
