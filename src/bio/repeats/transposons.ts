// Transposable elements as annotations give them. Sources: RepeatMasker documentation ("How to read the results"); GFF3 specification
// 1.26; the GFF3 of LTRharvest, LTRdigest and TIRvish (GenomeTools) and of EDTA.

import { jukesCantorDistance } from '../alignment/substitutions.ts'
import type { Feature } from '../annotation/feature.ts'
import { classifyTransposon, isOtherRepeat, isTransposonType } from './transposon-classes.ts'

/** `full`: both ends are there; `solo`: an LTR alone; `fragment`: a part of one; `element`: the file does not say. */
export const transposonForms = ['full', 'solo', 'fragment', 'element'] as const
export type TransposonForm = (typeof transposonForms)[number]

export const transposonPartTypes = ['LTR', 'TIR', 'TSD', 'PBS', 'PPT', 'domain', 'fragment'] as const
export type TransposonPartType = (typeof transposonPartTypes)[number]

export interface TransposonPart {
  type: TransposonPartType
  /** First and last base, counted from 1, both included. */
  start1: number
  end1: number
  strand: string
  /** Of a domain: the profile's name; of a fragment: the library sequence's. */
  name: string | null
  /** E-value of a domain. */
  evalue: number | null
}

export interface Transposon {
  /** As the file has it; null where it has none. */
  id: string | null
  family: string | null
  /** As the file writes it. */
  givenClass: string | null
  /** Wicker's code. */
  code: string
  sequenceName: string
  start1: number
  end1: number
  strand: string
  form: TransposonForm
  /** Substitutions per 100 sites from the family's consensus; null where the file does not say. */
  divergence: number | null
  /** Percent of equal bases between the LTRs, as the file says. */
  ltrIdentity: number | null
  source: string
  parts: TransposonPart[]
}

/** What families are of which class, by the names that libraries and labs give; names are compared without their case. */
export class FamilyClasses {
  readonly #codes = new Map<string, { code: string; given: string }>()

  /** `given` is a class as people write it; the first entry of a family counts. */
  add(family: string, given: string): void {
    const code = classifyTransposon(given)
    for (const name of [family, stem(family)]) {
      const key = name.toLowerCase()
      if (!this.#codes.has(key)) this.#codes.set(key, { code, given })
    }
  }

  /** Takes the headings of a library in RepeatMasker's style: `>name#class/family …`; others say no class. False for those. */
  addHeading(heading: string): boolean {
    const found = /^>?(\S+?)#(\S+)/.exec(heading)
    if (found === null) return false
    this.add(found[1]!, found[2]!)
    return true
  }

  get size(): number {
    return this.#codes.size
  }

  /** Class of a family, or of the family that a name such as `TY1_soloLTR`, `TY1-I` or `TY1/TY2` is a part of. */
  find(name: string): { code: string; given: string } | null {
    for (const candidate of [name, stem(name), name.split('/')[0]!, stem(name).split('/')[0]!]) {
      const found = this.#codes.get(candidate.toLowerCase())
      if (found !== undefined) return found
    }
    return null
  }
}

/** A family's name without what libraries and annotators add for its parts. Example: `stem('TY1-I')` is `'TY1'`. */
const stem = (name: string): string =>
  name.replace(/[-_](i|ltr|int|internal|solo[-_]?ltr|truncated|partial|5|3|5end|3end|orf\d?)$/i, '')

/** Example: `familyStem('TY1/TY2_soloLTR')` is `'TY1/TY2'`: parts of one family count as one. */
export const familyStem = stem

// RepeatMasker ------------------------------------------------------------------------------------------------------------

export interface RepeatMaskerHit {
  sequenceName: string
  start1: number
  end1: number
  strand: '+' | '-'
  /** Name of the library sequence. */
  repeat: string
  /** RepeatMasker's class/family. */
  repeatClass: string
  /** Share of differing bases, in percent, as RepeatMasker writes it. */
  percentDivergence: number
  /** Joins fragments of one element; null in output of old versions. */
  id: string | null
  /** A better match overlaps it. */
  overlapped: boolean
}

/**
 * A line of RepeatMasker's .out, or the first line of a record of .align. Null for headings, alignment rows and empty lines; `'bad'` for
 * a line that begins like a hit and cannot be read.
 *
 * Example: ` 463 1.3 0.6 1.7 chr1 10001 10468 (249240153) C L1MC5a LINE/L1 (2) 471 5 7` is at chr1 10001..10468, strand -, of
 * class LINE/L1, id 7.
 */
export const parseRepeatMaskerLine = (line: string): RepeatMaskerHit | 'bad' | null => {
  if (!/^\s*\d+\s+\d+(\.\d+)?\s+\d+(\.\d+)?\s+\d+(\.\d+)?\s/.test(line)) return null
  const cells = line.trim().split(/\s+/)
  let overlapped = false
  if (cells.at(-1) === '*') {
    overlapped = true
    cells.pop()
  }
  const start1 = Number(cells[5])
  const end1 = Number(cells[6])
  if (!Number.isSafeInteger(start1) || !Number.isSafeInteger(end1) || start1 < 1 || end1 < start1) return 'bad'
  if (cells[8] !== 'C' && cells[8] !== '+') {
    // Of .align: no sign for the forward strand, and name#class in one word.
    cells.splice(8, 0, '+')
  }
  const strand = cells[8] === 'C' ? '-' : '+'
  const named = cells[9] ?? ''
  const hash = named.indexOf('#')
  const at = hash < 0 ? 10 : 9
  const repeat = hash < 0 ? named : named.slice(0, hash)
  const repeatClass = hash < 0 ? (cells[10] ?? '') : named.slice(hash + 1)
  if (repeat === '' || repeatClass === '' || cells.length < at + 4) return 'bad'
  const rest = cells.slice(at + 4)
  const id = rest.filter((cell) => /^\d+$/.test(cell)).at(-1) ?? null
  return {
    sequenceName: cells[4]!,
    start1,
    end1,
    strand,
    repeat,
    repeatClass,
    percentDivergence: Number(cells[1]),
    id,
    overlapped,
  }
}

/** Kimura's distance of the record of an .align file, in percent; null for any other line. */
export const parseKimuraLine = (line: string): number | null => {
  const found = /^Kimura \(with divCpGMod\) = (\d+(?:\.\d+)?)/.exec(line)
  return found === null ? null : Number(found[1])
}

/** Fragments further apart than this are not joined though they share a number: files put together from several runs repeat numbers. */
const maxJoinedGapBp = 50_000

/**
 * Joins RepeatMasker's hits, fed in the order of the file, to elements: fragments with the same number, sequence and class are one.
 * Simple repeats, low complexity, satellites and RNA genes are counted and left out.
 */
export class RepeatMaskerReader {
  readonly #families: FamilyClasses
  readonly #elements: Transposon[] = []
  readonly #open = new Map<string, Transposon>()
  readonly #weights = new Map<Transposon, number>()
  #last: { part: TransposonPart; element: Transposon; bases: number; distance: number | null } | null = null
  /** Hits that are no transposable elements. */
  otherRepeats = 0

  constructor(families = new FamilyClasses()) {
    this.#families = families
  }

  /** False for a line that cannot be read. */
  addLine(line: string): boolean {
    const kimura = parseKimuraLine(line)
    if (kimura !== null) {
      if (this.#last !== null) this.#last.distance = kimura
      return true
    }
    const hit = parseRepeatMaskerLine(line)
    if (hit === null) return true
    if (hit === 'bad') return false
    this.#settle()
    if (isOtherRepeat(hit.repeatClass)) {
      this.otherRepeats++
      return true
    }
    const key = `${hit.sequenceName}\t${hit.id}\t${hit.repeatClass}`
    const part: TransposonPart = {
      type: 'fragment',
      start1: hit.start1,
      end1: hit.end1,
      strand: hit.strand,
      name: hit.repeat,
      evalue: null,
    }
    const before = hit.id === null ? undefined : this.#open.get(key)
    let element: Transposon
    if (before !== undefined && hit.start1 - before.end1 <= maxJoinedGapBp && hit.start1 >= before.start1) {
      element = before
      element.end1 = Math.max(element.end1, hit.end1)
      element.parts.push(part)
    } else {
      const known = classifyTransposon(hit.repeatClass)
      const family = stem(hit.repeat)
      element = {
        id: null,
        family,
        givenClass: hit.repeatClass,
        code: known === 'XXX' ? (this.#families.find(family)?.code ?? known) : known,
        sequenceName: hit.sequenceName,
        start1: hit.start1,
        end1: hit.end1,
        strand: hit.strand,
        form: 'fragment',
        divergence: null,
        ltrIdentity: null,
        source: 'RepeatMasker',
        parts: [part],
      }
      this.#elements.push(element)
      if (hit.id !== null) {
        // Numbers rise along the file: what is far behind is not joined any more.
        if (this.#open.size > 20_000) this.#open.clear()
        this.#open.set(key, element)
      }
    }
    const distance = jukesCantorDistance(hit.percentDivergence / 100)
    this.#last = {
      part,
      element,
      bases: hit.end1 - hit.start1 + 1,
      distance: distance === null ? null : 100 * distance,
    }
    return true
  }

  /** Adds the last hit's distance to its element's mean, weighted by length: its Kimura line comes after its alignment. */
  #settle(): void {
    const last = this.#last
    this.#last = null
    if (last === null || last.distance === null) return
    const { element, bases, distance } = last
    const weight = this.#weights.get(element) ?? 0
    element.divergence = ((element.divergence ?? 0) * weight + distance * bases) / (weight + bases)
    this.#weights.set(element, weight + bases)
  }

  finish(): Transposon[] {
    this.#settle()
    this.#open.clear()
    this.#weights.clear()
    for (const element of this.#elements) {
      // One hit says by itself where it lies.
      if (element.parts.length === 1) element.parts = []
    }
    return this.#elements
  }
}

// GFF3 ---------------------------------------------------------------------------------------------------------------------

const partTypes: [RegExp, TransposonPartType][] = [
  [/^(long_terminal_repeat|five_prime_ltr|three_prime_ltr|ltr)$/i, 'LTR'],
  [/^(terminal_inverted_repeat|tir)$/i, 'TIR'],
  [/^(target_site_duplication|tsd)$/i, 'TSD'],
  [/^primer_binding_site$/i, 'PBS'],
  [/^(rr_tract|polypurine_tract)$/i, 'PPT'],
  [/^(protein_match|protein_hmm_match|polypeptide_domain)$/i, 'domain'],
  [/^(transposon_fragment|repeat_fragment|match_part)$/i, 'fragment'],
]

const partTypeOf = (type: string): TransposonPartType | null =>
  partTypes.find(([pattern]) => pattern.test(type))?.[1] ?? null

const wrapper = /^(repeat_region|dispersed_repeat|similarity|match|repeat_fragment|interspersed_repeat|nested_repeat)$/i

const first = (feature: Feature, ...keys: string[]): string | null => {
  for (const key of keys) {
    const value = feature.attributes[key]?.[0]
    if (value !== undefined && value !== '') return value
  }
  return null
}

const numberOf = (text: string | null): number | null => {
  if (text === null || text.trim() === '') return null
  const value = Number(text.replace('%', ''))
  return Number.isFinite(value) ? value : null
}

/** Percent from a share or a percentage: EDTA writes shares, LTRharvest percentages. */
const asPercent = (value: number | null): number | null => (value === null ? null : value <= 1 ? 100 * value : value)

/** A family's name; names that only repeat coordinates name no family. */
const familyOf = (feature: Feature): string | null => {
  const target = first(feature, 'Target')
  const given =
    first(feature, 'family', 'Family', 'repeat_family', 'Name', 'name') ??
    (target === null ? null : target.replace(/^"?(Motif:)?/, '').split(/["\s]/)[0]!)
  if (given === null || given === '') return null
  const bare = given.split(/[:@]/)[0]!
  if (
    bare === feature.sequenceName ||
    /^(LTR_retrotransposon|repeat_region|terminal_inverted_repeat_element)\d*$/.test(bare)
  )
    return null
  return stem(bare)
}

interface Node {
  feature: Feature
  id: string | null
  parents: string[]
  children: Node[]
}

/**
 * Elements among the features of a GFF3 file, whatever else it holds: features whose type is that of a transposable element, whose class
 * is given, or whose type or family `families` knows. Features below one, and those beside it within the same repeat region, are its parts.
 */
export const gatherTransposons = (
  features: readonly Feature[],
  families = new FamilyClasses(),
): { elements: Transposon[]; otherFeatures: number } => {
  const nodes: Node[] = features.map((feature) => ({
    feature,
    id: feature.attributes.ID?.[0] ?? null,
    parents: feature.attributes.Parent ?? [],
    children: [],
  }))
  const byId = new Map<string, Node>()
  for (const node of nodes) if (node.id !== null && !byId.has(node.id)) byId.set(node.id, node)
  const parentOf = new Map<Node, Node>()
  for (const node of nodes) {
    const parent = node.parents.map((id) => byId.get(id)).find((found) => found !== undefined && found !== node)
    if (parent === undefined) continue
    parentOf.set(node, parent)
    parent.children.push(node)
  }
  const classOf = (feature: Feature): { code: string; given: string | null } | null => {
    const given = first(
      feature,
      'Classification',
      'classification',
      'class',
      'Class',
      'repeat_class',
      'repClass',
      'superfamily',
      'Superfamily',
    )
    if (given !== null) {
      if (isOtherRepeat(given)) return null
      const code = classifyTransposon(given)
      if (code !== 'XXX') return { code, given }
    }
    const family = familyOf(feature)
    const known = (family === null ? null : families.find(family)) ?? families.find(feature.type)
    if (known !== null) return known
    if (given !== null) return { code: 'XXX', given }
    if (isTransposonType(feature.type)) {
      // TAIR and others put the class into the family's name.
      const code = classifyTransposon(feature.type)
      return { code, given: feature.type }
    }
    return null
  }
  const elements: Transposon[] = []
  const used = new Set<Node>()
  /** Each once, parents before their children: a file may make a feature the parent of its own parent. */
  const descendants = (node: Node): Node[] => {
    const found = new Set<Node>()
    const stack = [...node.children].reverse()
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      if (one === node || found.has(one)) continue
      found.add(one)
      stack.push(...[...one.children].reverse())
    }
    return [...found]
  }
  let otherFeatures = 0
  for (const node of nodes) {
    const { feature } = node
    if (used.has(node)) continue
    const knownType = families.find(feature.type) !== null
    const isPart = partTypeOf(feature.type) !== null && !wrapper.test(feature.type)
    if (isPart && parentOf.has(node)) continue
    if (isPart && !knownType) {
      otherFeatures++
      continue
    }
    const isElement = isTransposonType(feature.type) || knownType
    const inner = wrapper.test(feature.type)
      ? descendants(node).filter((one) => isTransposonType(one.feature.type))
      : []
    if (inner.length > 0) continue
    const found = isElement || wrapper.test(feature.type) ? classOf(feature) : null
    if (found === null) {
      otherFeatures++
      continue
    }
    const parent = parentOf.get(node)
    const region = parent !== undefined && wrapper.test(parent.feature.type) ? parent : null
    // The parts of an element within a region are its own, save what belongs to another element in the region.
    const siblings =
      region === null
        ? []
        : region.children
            .filter((one) => one !== node && !isTransposonType(one.feature.type))
            .flatMap((one) => [one, ...descendants(one)])
    const below = [...descendants(node), ...siblings]
    for (const one of below) used.add(one)
    const parts: TransposonPart[] = below
      .flatMap(({ feature: part }): TransposonPart[] => {
        const type = partTypeOf(part.type)
        if (type === null || part.sequenceName !== feature.sequenceName) return []
        return [
          {
            type,
            start1: part.start1,
            end1: part.end1,
            strand: part.strand,
            name: type === 'domain' || type === 'fragment' ? first(part, 'name', 'Name', 'Target') : null,
            evalue: type === 'domain' ? part.score : null,
          },
        ]
      })
      .sort((a, b) => a.start1 - b.start1 || b.end1 - a.end1)
    const ends = parts.filter(({ type }) => type === 'LTR' || type === 'TIR').length
    const identity = numberOf(first(feature, 'Identity', 'identity'))
    const share = identity === null ? null : jukesCantorDistance(1 - (asPercent(identity) ?? 0) / 100)
    const method = first(feature, 'Method', 'method')
    const typeForm = /solo/i.test(feature.type)
      ? 'solo'
      : /trunc|partial|fragment/i.test(feature.type)
        ? 'fragment'
        : ends >= 2 || method === 'structural'
          ? 'full'
          : 'element'
    const ltr =
      first(feature, 'ltr_identity', 'ltr_similarity', 'LTR_identity') ??
      (region === null ? null : first(region.feature, 'ltr_identity', 'ltr_similarity'))
    elements.push({
      id: node.id ?? region?.id ?? null,
      family: familyOf(feature) ?? (knownType ? stem(feature.type) : region === null ? null : familyOf(region.feature)),
      givenClass: found.given,
      code: found.code,
      sequenceName: feature.sequenceName,
      start1: feature.start1,
      end1: feature.end1,
      strand: feature.strand === '+' || feature.strand === '-' ? feature.strand : '?',
      form: typeForm,
      divergence:
        numberOf(first(feature, 'kimura', 'Kimura', 'kimura_divergence', 'divergence')) ??
        (share === null ? null : 100 * share),
      ltrIdentity: asPercent(numberOf(ltr)),
      source: feature.source,
      parts,
    })
  }
  return { elements, otherFeatures }
}

// Ends that are alike -----------------------------------------------------------------------------------------------------------

/** Seeds of eight bases: of two LTRs that are 85 % alike a quarter of them agree, by chance one in 65,536. */
const seedBp = 8
const endWindowBp = 150
const minSeeds = 10
const minRepeatBp = 80

/** Offset at which `window` bases from `from0` come again most often within [low0, high0); null when no offset has enough seeds. */
const findOffset = (sequence: string, from0: number, low0: number, high0: number): number | null => {
  const seeds = new Map<string, number[]>()
  for (let at = from0; at + seedBp <= Math.min(sequence.length, from0 + endWindowBp); at++) {
    const word = sequence.slice(at, at + seedBp)
    // A run of one base agrees with itself anywhere.
    if (/^(.)\1+$|^(..)\2+$|N/.test(word)) continue
    const indexes = seeds.get(word)
    if (indexes === undefined) seeds.set(word, [at])
    else indexes.push(at)
  }
  const votes = new Map<number, number>()
  for (let at = Math.max(0, low0); at + seedBp <= high0; at++)
    for (const index of seeds.get(sequence.slice(at, at + seedBp)) ?? [])
      votes.set(at - index, (votes.get(at - index) ?? 0) + 1)
  let best: { offset: number; count: number } | null = null
  for (const offset of votes.keys()) {
    let count = 0
    for (let near = -4; near <= 4; near++) count += votes.get(offset + near) ?? 0
    // The middle of its neighbourhood stands for it.
    const weight = count + (votes.get(offset) ?? 0) / 1000
    if (best === null || weight > best.count) best = { offset, count: weight }
  }
  return best === null || best.count < minSeeds ? null : best.offset
}

/**
 * The two direct repeats at the ends of a sequence that begins and ends with them, as an LTR retrotransposon does: lengths in bases from
 * its start and before its end. Null when the ends are not alike. Approximate where both repeats differ in length.
 *
 * Example: of `LTR + internal + LTR` with an LTR of 334 bp it is `{leftBp: 334, rightBp: 334}`.
 */
export const findTerminalRepeats = (given: string): { leftBp: number; rightBp: number } | null => {
  const sequence = given.toUpperCase()
  const length = sequence.length
  if (length < 4 * minRepeatBp) return null
  const half = Math.floor(length / 2)
  const forward = findOffset(sequence, 0, half, length)
  if (forward === null) return null
  const lastWindow = Math.max(0, length - endWindowBp)
  const backward = findOffset(sequence, lastWindow, 0, half)
  if (backward === null) return null
  const rightBp = length - forward
  const leftBp = length + backward
  if (leftBp < minRepeatBp || rightBp < minRepeatBp || leftBp > half || rightBp > half) return null
  if (Math.abs(leftBp - rightBp) > 0.25 * Math.max(leftBp, rightBp)) return null
  return { leftBp, rightBp }
}
