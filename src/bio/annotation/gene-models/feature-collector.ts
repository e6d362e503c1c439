// The lines of an annotation, gathered under the identifiers that they have or name.

import type { DefectLog } from '../../text/defects.ts'
import { type Feature, findGff3Value, ownString } from '../feature.ts'
import {
  cdsPart,
  decode,
  derivedPart,
  firstOf,
  gff3Id,
  gff3PartParents,
  gtfGeneId,
  gtfGeneOf,
  gtfKey,
  gtfOwnId,
  gtfTranscriptId,
  readType,
  type TypeMeaning,
} from '../feature-types.ts'
import type { GeneModelOptions } from '../gene-models.ts'
import { gff3Defects } from '../gff3-defects.ts'
import { type Node, PartStore } from './gene-model-store.ts'
import type { SequencePlacement } from './sequence-placement.ts'

/** Lines that are held until the genes of them are built. */
export class FeatureCollector {
  readonly nodes = new Map<string, Node>()
  readonly parts = new PartStore()
  /** Exons and coding parts that name no parent. */
  readonly orphans: Feature[] = []
  /** Features that are no part of a gene model by their type. */
  readonly features: Feature[] = []
  readonly #file: string
  readonly #log: DefectLog
  readonly #placement: SequencePlacement
  readonly #types = new Map<string, TypeMeaning>()
  #lastParentText = ''
  #lastParent: Node | null = null
  #anonymous = 0

  constructor(options: GeneModelOptions, placement: SequencePlacement) {
    this.#file = options.file
    this.#log = options.log
    this.#placement = placement
  }

  clear(): void {
    this.nodes.clear()
    this.parts.clear()
    this.orphans.length = 0
    this.features.length = 0
    this.#lastParentText = ''
    this.#lastParent = null
  }

  typeOf(name: string): TypeMeaning {
    let meaning = this.#types.get(name)
    if (!meaning) {
      meaning = readType(name)
      this.#types.set(name, meaning)
    }
    return meaning
  }

  /** Holds a line of the sequence of this number. */
  add(feature: Feature, sequence: number): void {
    const meaning = this.typeOf(feature.type)
    if (meaning.role === 'part') this.#addPart(feature, meaning.part, sequence)
    else if (meaning.role === 'other') this.#addOther(feature)
    else this.#addDefinition(feature, meaning.role, sequence)
  }

  #addOther(feature: Feature): void {
    if (feature.attributeText.includes('Is_circular=true')) this.#placement.markCircular(feature.sequenceName)
    feature.attributeText = ownString(feature.attributeText)
    this.features.push(feature)
  }

  /** The node of a key, made where there is none. */
  nodeOf(key: string, id: string): Node {
    const known = this.nodes.get(key)
    if (known) return known
    const own = ownString(key)
    const node: Node = {
      key: own,
      id: key === id ? own : ownString(id),
      definitions: [],
      isLandmark: false,
      gtfGene: null,
      firstPart: -1,
      lastPart: -1,
      genes: [],
      transcripts: [],
    }
    this.nodes.set(own, node)
    return node
  }

  #addDefinition(feature: Feature, role: 'gene' | 'transcript', sequence: number): void {
    const text = feature.attributeText
    feature.attributeText = ownString(text)
    let node: Node
    if (feature.dialect === 'gtf') {
      const geneId = this.#gtfGeneId(feature)
      const id = gtfOwnId(role, text)
      node =
        id === null ? this.#anonymousNode(feature) : this.nodeOf(gtfKey(role === 'gene' ? 'g' : 't', sequence, id), id)
      if (role === 'transcript' && geneId !== null) node.gtfGene ??= gtfGeneOf(sequence, geneId)
    } else {
      const id = gff3Id(text)
      node = id === null ? this.#anonymousNode(feature) : this.nodeOf(decode(id), decode(id))
    }
    node.definitions.push(feature)
  }

  #gtfGeneId({ attributeText, type, line }: Feature): string | null {
    const id = gtfGeneId(attributeText)
    if (id === null && attributeText.includes('gene_id ""')) {
      this.#log.report(gff3Defects, 'gtf-gene-id-empty', this.#file, line, { type })
    }
    return id
  }

  #anonymousNode(feature: Feature): Node {
    const { attributes } = feature
    const name = firstOf(attributes, ['Name', 'locus_tag', 'gene_id', 'name', 'ID', 'gene'])
    return this.nodeOf(`\u0000${this.#anonymous++}`, name ?? `${feature.type}_line_${feature.line}`)
  }

  #addPart(feature: Feature, kind: number, sequence: number): void {
    const text = feature.attributeText
    if (feature.dialect === 'gtf') {
      const transcriptId = gtfTranscriptId(text)
      const geneId = this.#gtfGeneId(feature)
      if (transcriptId !== null && transcriptId !== '') {
        const node = this.nodeOf(gtfKey('t', sequence, transcriptId), transcriptId)
        if (geneId !== null) node.gtfGene ??= gtfGeneOf(sequence, geneId)
        this.#attachPart(node, feature, kind, sequence)
      } else if (geneId !== null) {
        this.#attachPart(this.nodeOf(gtfKey('g', sequence, geneId), geneId), feature, kind, sequence)
      } else if (kind !== derivedPart) this.#addOrphan(feature)
      return
    }
    const parent = gff3PartParents(text, kind)
    if (parent === null) {
      if (kind !== derivedPart) this.#addOrphan(feature)
      return
    }
    // Lines of one transcript follow each other.
    if (parent === this.#lastParentText && this.#lastParent) {
      this.#attachPart(this.#lastParent, feature, kind, sequence)
      return
    }
    if (parent.includes(',')) {
      for (const id of new Set(parent.split(',').map((piece) => decode(piece.trim())))) {
        if (id !== '') this.#attachPart(this.nodeOf(id, id), feature, kind, sequence)
      }
      return
    }
    const id = decode(parent)
    this.#lastParent = this.nodeOf(id, id)
    this.#lastParentText = ownString(parent)
    this.#attachPart(this.#lastParent, feature, kind, sequence)
  }

  #addOrphan(feature: Feature): void {
    feature.attributeText = ownString(feature.attributeText)
    this.orphans.push(feature)
  }

  #attachPart(node: Node, feature: Feature, kind: number, sequence: number): void {
    if (kind === derivedPart) return
    const parts = this.parts
    const index = parts.add(kind, feature, sequence)
    if (kind === cdsPart) {
      const id = feature.dialect === 'gff3' ? findGff3Value(feature.attributeText, 'ID') : null
      const before = node.lastPart
      if (before >= 0 && parts.kind[before] === cdsPart && parts.cdsId[before] === id) {
        parts.cdsId[index] = parts.cdsId[before]!
        parts.text[index] = parts.text[before]!
      } else {
        parts.cdsId[index] = id === null ? null : ownString(id)
        parts.text[index] = `${feature.dialect === 'gtf' ? 'g' : '3'}${ownString(feature.attributeText)}`
      }
    }
    if (node.firstPart < 0) node.firstPart = index
    else parts.next[node.lastPart] = index
    node.lastPart = index
  }
}
