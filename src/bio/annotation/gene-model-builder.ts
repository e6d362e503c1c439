// Gene models from the features of an annotation, in whatever shape it came.
//
// Real annotation breaks its own specification in known ways. What can be understood without doubt is mended and said in the
// defect log; the rules stand beside the code that carries them out. The result keeps these promises: every transcript
// belongs to one gene and lies on its sequence and strand; exons and coding parts ascend, exons do not overlap and hold the
// coding parts; a transcript reaches from its first to its last exon and a gene holds its transcripts; phases fit the
// lengths; the stop codon is part of the coding sequence (GFF3 1.26); ids are unique among genes and among transcripts.

import { mapSequenceNames } from '../sequence/chromosome-order.ts'
import { joinAtOrigin, unrollPlacedParts } from '../sequence/origin.ts'
import type { Strand } from '../sequence/region.ts'
import type { DefectLog } from '../text/defects.ts'
import { refuseLeftOut } from '../text/left-out.ts'
import {
  type Attributes,
  type Feature,
  findGff3Value,
  ownString,
  parseAttributes,
  parseGff3Attributes,
} from './feature.ts'
import type { FeaturePlan } from './feature-survey.ts'
import {
  cdsPart,
  decode,
  derivedPart,
  exonPart,
  firstOf,
  gff3Id,
  gff3Parents,
  gff3PartParents,
  gtfGeneId,
  gtfGeneOf,
  gtfKey,
  gtfOwnId,
  gtfTranscriptId,
  landmarkTypes,
  orphanGroup,
  type Role,
  readType,
  stopPart,
  type TypeMeaning,
  utrPart,
} from './feature-types.ts'
import { geneModelDefects } from './gene-model-defects.ts'
import {
  cleanId,
  describeGene,
  finishTranscript,
  geneBiotype,
  isPseudogene,
  isPseudoTranscript,
  proteinIdOf,
} from './gene-model-naming.ts'
import {
  type AttributeText,
  BareGenes,
  type BuiltTranscript,
  type GeneDraft,
  type GeneSpan,
  LocusTags,
  type Node,
  newGeneDraft,
  PartStore,
  readStoredText,
  type Segment,
  TakenIds,
  type TargetSequence,
  type TranscriptDraft,
} from './gene-model-store.ts'
import {
  byStart,
  chooseFirstPhase,
  computePhases,
  isInOrder,
  joinStopCodon,
  mergeExons,
  orient,
} from './gene-model-structure.ts'
import type { CdsModel, ExonModel, GeneModel, GeneModelOptions, GeneModels } from './gene-models.ts'
import { gff3Defects } from './gff3-defects.ts'

/**
 * Builds gene models from features added one by one in any order. `finish` gives them all, with every mend and loss in the log.
 * With a plan (see `FeatureSurvey`) only the lines are held of genes of which more may come; where it wants several rounds all
 * features are added once for each, with `nextRound` between.
 *
 * Example: added the lines gene, mRNA, two exons and two CDS of a yeast gene with an intron, `finish().genes` has one gene with
 * one transcript of two exons.
 */
export class GeneModelBuilder {
  readonly #file: string
  readonly #log: DefectLog
  readonly #options: GeneModelOptions
  readonly #plan: FeaturePlan | null
  #feature = 0
  #round = 0
  readonly #sequences: Map<string, number>
  readonly #sequenceCounts: number[]
  readonly #circular: Set<string>
  readonly #types = new Map<string, TypeMeaning>()
  readonly #nodes = new Map<string, Node>()
  readonly #parts = new PartStore()
  readonly #orphans: Feature[] = []
  readonly #features: Feature[] = []
  #lastParentText = ''
  #lastParent: Node | null = null
  #anonymous = 0
  readonly #cycles = new Map<TranscriptDraft, string>()
  #sequenceNames: string[] = []
  #beyond = 0
  #firstBeyond: { line: number; example: string } | null = null
  #places: (TargetSequence | null)[] = []
  #isPlaced = false
  readonly #geneIds = new TakenIds()
  readonly #transcriptIds = new TakenIds()
  #geneCount = 0
  #otherCount = 0
  readonly #built: GeneModels = { genes: [], features: [], circular: [] }

  constructor(options: GeneModelOptions) {
    this.#options = options
    this.#file = options.file
    this.#log = options.log
    this.#circular = new Set(options.circular)
    this.#plan = options.plan ?? null
    this.#sequences = new Map(this.#plan?.sequences)
    this.#sequenceCounts = [...(this.#plan?.sequenceCounts ?? [])]
    if (this.#plan === null) return
    for (const name of this.#plan.circular) this.#circular.add(name)
    this.#isPlaced = this.#placeSequences()
  }

  /** Makes a sequence known before its features, as `##sequence-region` does; it takes its place in the order. */
  addSequence(name: string, circular = false): void {
    this.#sequenceOf(name)
    if (circular) this.#circular.add(name)
  }

  /** Takes the next feature. */
  add(feature: Feature): void {
    if (this.#plan === null) {
      const sequence = this.#sequenceOf(feature.sequenceName)
      this.#sequenceCounts[sequence]!++
      this.#hold(feature, sequence)
      return
    }
    const number = this.#feature++
    if (!this.#isPlaced || this.#plan.roundOf(number) !== this.#round) return
    this.#hold(feature, this.#sequences.get(feature.sequenceName)!)
    if (this.#plan.isCut(number, this.#round)) this.#buildHeld()
  }

  /** All features were added once; they come again from the first. */
  nextRound(): void {
    this.#feature = 0
    this.#round += 1
  }

  #hold(feature: Feature, sequence: number): void {
    let meaning = this.#types.get(feature.type)
    if (!meaning) {
      meaning = readType(feature.type)
      this.#types.set(feature.type, meaning)
    }
    if (meaning.role === 'part') this.#addPart(feature, meaning.part, sequence)
    else if (meaning.role === 'other') this.#addOther(feature)
    else this.#addDefinition(feature, meaning.role, sequence)
  }

  #sequenceOf(name: string): number {
    const known = this.#sequences.get(name)
    if (known !== undefined) return known
    const index = this.#sequences.size
    this.#sequences.set(name, index)
    this.#sequenceCounts.push(0)
    return index
  }

  #addOther(feature: Feature): void {
    if (feature.attributeText.includes('Is_circular=true')) this.#circular.add(feature.sequenceName)
    feature.attributeText = ownString(feature.attributeText)
    this.#features.push(feature)
  }

  #nodeOf(key: string, id: string): Node {
    const known = this.#nodes.get(key)
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
    this.#nodes.set(own, node)
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
        id === null ? this.#anonymousNode(feature) : this.#nodeOf(gtfKey(role === 'gene' ? 'g' : 't', sequence, id), id)
      if (role === 'transcript' && geneId !== null) node.gtfGene ??= gtfGeneOf(sequence, geneId)
    } else {
      const id = gff3Id(text)
      node = id === null ? this.#anonymousNode(feature) : this.#nodeOf(decode(id), decode(id))
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
    return this.#nodeOf(`\u0000${this.#anonymous++}`, name ?? `${feature.type}_line_${feature.line}`)
  }

  #addPart(feature: Feature, kind: number, sequence: number): void {
    const text = feature.attributeText
    if (feature.dialect === 'gtf') {
      const transcriptId = gtfTranscriptId(text)
      const geneId = this.#gtfGeneId(feature)
      if (transcriptId !== null && transcriptId !== '') {
        const node = this.#nodeOf(gtfKey('t', sequence, transcriptId), transcriptId)
        if (geneId !== null) node.gtfGene ??= gtfGeneOf(sequence, geneId)
        this.#attachPart(node, feature, kind, sequence)
      } else if (geneId !== null) {
        this.#attachPart(this.#nodeOf(gtfKey('g', sequence, geneId), geneId), feature, kind, sequence)
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
        if (id !== '') this.#attachPart(this.#nodeOf(id, id), feature, kind, sequence)
      }
      return
    }
    const id = decode(parent)
    this.#lastParent = this.#nodeOf(id, id)
    this.#lastParentText = ownString(parent)
    this.#attachPart(this.#lastParent, feature, kind, sequence)
  }

  #addOrphan(feature: Feature): void {
    feature.attributeText = ownString(feature.attributeText)
    this.#orphans.push(feature)
  }

  #attachPart(node: Node, feature: Feature, kind: number, sequence: number): void {
    if (kind === derivedPart) return
    const parts = this.#parts
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

  // -------------------------------------------------------------------------------------------------------------------
  // All lines are in.

  /** Builds the models. To be called once; nothing may be added afterwards. */
  finish(): GeneModels {
    if (this.#plan === null) this.#isPlaced = this.#placeSequences()
    if (!this.#isPlaced) return this.#built
    this.#buildHeld()
    this.#judgeLeftOut()
    if (this.#geneCount === 0 && this.#otherCount > 0)
      this.#log.report(geneModelDefects, 'model-no-genes', this.#file, null)
    this.#built.circular = this.#places.flatMap((place) => (place?.circular ? [place.name] : []))
    return this.#built
  }

  /** Builds the genes of all lines that are held, and holds none any more. */
  #buildHeld(): void {
    const genes: GeneDraft[] = []
    const transcripts: TranscriptDraft[] = []
    for (const node of this.#nodes.values()) this.#defineNode(node, genes, transcripts)
    const parents = this.#readParents()
    this.#promoteOthers(parents, genes)
    this.#makeMissingParents(parents, genes)
    for (const node of this.#nodes.values()) this.#distributeParts(node)
    this.#linkTranscripts(parents, genes)
    this.#adoptOrphans(genes)

    const models: { model: GeneModel; order: number }[] = []
    for (const gene of genes) this.#buildGene(gene, models)
    models.sort(
      (a, b) =>
        a.order - b.order ||
        a.model.start1 - b.model.start1 ||
        a.model.end1 - b.model.end1 ||
        (a.model.id < b.model.id ? -1 : 1),
    )
    const { onGene } = this.#options
    for (const { model } of models) {
      if (onGene) onGene(model)
      else this.#built.genes.push(model)
    }
    this.#geneCount += models.length
    for (const feature of this.#features) {
      if (!this.#keepOther(feature)) continue
      this.#otherCount += 1
      if (!onGene) this.#built.features.push(feature)
    }
    this.#nodes.clear()
    this.#parts.clear()
    this.#orphans.length = 0
    this.#features.length = 0
    this.#cycles.clear()
    this.#lastParentText = ''
    this.#lastParent = null
  }

  #judgeLeftOut(): void {
    const total = this.#sequenceCounts.reduce((sum, count) => sum + count, 0)
    const names = [...this.#sequences.keys()].filter((_, index) => this.#places[index] === null)
    const unknown = names.reduce((sum, name) => sum + this.#sequenceCounts[this.#sequences.get(name)!]!, 0)
    refuseLeftOut(this.#log, this.#file, { why: 'unknown', count: unknown, total, line: null, example: names[0] ?? '' })
    const first = this.#firstBeyond
    if (first)
      refuseLeftOut(this.#log, this.#file, { why: 'unusable', count: this.#beyond, total: total - unknown, ...first })
  }

  /** Finds every sequence in the genome; false when none of them is there. */
  #placeSequences(): boolean {
    const known = this.#options.sequences
    const names = [...this.#sequences.keys()]
    if (!known) {
      this.#places = names.map((name, order) => ({ name, lengthBp: null, circular: this.#circular.has(name), order }))
      return true
    }
    const order = new Map([...known.keys()].map((name, index) => [name, index]))
    const mapped = this.#mapNames(names, known)
    const used = names.filter((_, index) => this.#sequenceCounts[index]! > 0)
    if (used.length > 0 && !used.some((name) => mapped.has(name))) {
      this.#log.report(geneModelDefects, 'model-sequences-all-unknown', this.#file, null, {
        found: used.slice(0, 5).join(', '),
        expected: [...known.keys()].slice(0, 5).join(', '),
      })
      return false
    }
    this.#places = names.map((from, index) => {
      const count = this.#sequenceCounts[index]!
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

  #placeOf(sequenceName: string): TargetSequence | null {
    return this.#places[this.#sequences.get(sequenceName)!] ?? null
  }

  #keepOther(feature: Feature): boolean {
    const place = this.#placeOf(feature.sequenceName)
    if (!place) return false
    feature.sequenceName = place.name
    const { lengthBp } = place
    if (lengthBp === null || feature.end1 <= lengthBp || place.circular) return true
    if (feature.start1 > lengthBp) {
      this.#reportBeyond(feature.type, feature.start1, feature.end1, place, feature.line)
      return false
    }
    this.#reportClipped(feature.type, feature.start1, feature.end1, place, feature.line)
    feature.end1 = lengthBp
    return true
  }

  #reportBeyond(type: string, start: number, end: number, place: TargetSequence, line: number): void {
    const length = place.lengthBp!
    this.#beyond++
    this.#firstBeyond ??= { line, example: `${place.name}:${start}-${end}` }
    this.#log.report(geneModelDefects, 'model-beyond-left-out', this.#file, line, {
      type,
      start,
      end,
      sequence: place.name,
      length,
    })
  }

  #reportClipped(type: string, start: number, end: number, place: TargetSequence, line: number): void {
    const length = place.lengthBp!
    const used = `${start}..${length}`
    this.#log.report(geneModelDefects, 'model-beyond-clipped', this.#file, line, {
      type,
      start,
      end,
      sequence: place.name,
      length,
      used,
    })
  }

  // One identifier should have one definition. Several lines of one type are one feature in pieces when they are trans-spliced
  // or the pieces of an RNA; equal lines are repetitions; all else are different features under one name.
  #defineNode(node: Node, genes: GeneDraft[], transcripts: TranscriptDraft[]): void {
    if (node.definitions.length === 0) return
    const rows = node.definitions.filter((row) => this.#placeOf(row.sequenceName) !== null)
    const first = rows[0]
    if (!first) return
    for (const row of rows) {
      const { role } = this.#types.get(row.type)!
      const drafts = role === 'gene' ? node.genes : node.transcripts
      if (drafts.some((draft) => draft.feature !== null && isSameRow(draft.feature, row))) {
        this.#log.report(geneModelDefects, 'model-duplicate-row', this.#file, row.line, { type: row.type })
        continue
      }
      const whole = drafts.find(
        (draft) => draft.feature !== null && this.#belongTogether(draft.feature, row, role, node),
      )
      if (whole) {
        whole.moreRows.push(row)
        continue
      }
      let rawId = node.id
      if (drafts.length > 0) {
        rawId = `${node.id}_dup${drafts.length + 1}`
        this.#log.report(geneModelDefects, 'model-duplicate-renamed', this.#file, row.line, {
          type: row.type,
          id: node.id,
          firstLine: drafts[0]!.line,
          renamed: rawId,
        })
      } else if (row !== first) {
        // A gene and its transcript under one ID.
        if (role === 'transcript') rawId = `${node.id}.t1`
        this.#log.report(geneModelDefects, 'model-duplicate-other-type', this.#file, row.line, {
          id: node.id,
          firstType: first.type,
          firstLine: first.line,
          type: row.type,
          renamed: rawId,
        })
      }
      if (role === 'gene') {
        const draft = newGeneDraft(rawId, row)
        node.genes.push(draft)
        genes.push(draft)
      } else {
        const draft: TranscriptDraft = { rawId, feature: row, moreRows: [], parts: [], line: row.line, made: false }
        node.transcripts.push(draft)
        transcripts.push(draft)
      }
    }
  }

  #belongTogether(first: Feature, row: Feature, role: Role, node: Node): boolean {
    if (belongTogether(first, row, role, node)) return true
    // The two sides of the origin, each on a line of its own.
    const place = this.#placeOf(row.sequenceName)
    return (
      place?.circular === true &&
      place.lengthBp !== null &&
      first.sequenceName === row.sequenceName &&
      first.type === row.type &&
      first.strand === row.strand &&
      Math.min(first.start1, row.start1) === 1 &&
      Math.max(first.end1, row.end1) === place.lengthBp &&
      Math.max(first.start1, row.start1) > Math.min(first.end1, row.end1)
    )
  }

  /** Keys of the parents that each transcript names. */
  #readParents(): Map<TranscriptDraft, { node: Node; parents: { key: string; id: string }[] }> {
    const parents = new Map<TranscriptDraft, { node: Node; parents: { key: string; id: string }[] }>()
    for (const node of this.#nodes.values()) {
      for (const draft of node.transcripts) {
        const { attributeText, dialect } = draft.feature!
        if (dialect === 'gtf') {
          parents.set(draft, { node, parents: node.gtfGene ? [node.gtfGene] : [] })
          continue
        }
        const text = gff3Parents(attributeText)
        const ids = text === null ? [] : text.split(',').map((piece) => decode(piece.trim()))
        parents.set(draft, { node, parents: ids.filter((id) => id !== '').map((id) => ({ key: id, id })) })
      }
    }
    return parents
  }

  // A parent can be a feature of a type that is not known as a gene's: with exons or transcripts under it, it is one.
  #promoteOthers(parents: Map<TranscriptDraft, { parents: { key: string; id: string }[] }>, genes: GeneDraft[]): void {
    const wanted = new Set<string>()
    for (const node of this.#nodes.values())
      if (node.definitions.length === 0 && node.firstPart >= 0) wanted.add(node.key)
    for (const { parents: keys } of parents.values()) {
      for (const { key } of keys) if (!this.#nodes.get(key)?.definitions.length) wanted.add(key)
    }
    // A chromosome whose own line is built with others.
    for (const key of this.#plan === null ? [] : wanted) {
      const sequence = this.#plan!.landmarkSequence(key)
      if (sequence === null || !this.#places[sequence]) continue
      this.#nodeOf(key, key).isLandmark = true
      wanted.delete(key)
    }
    if (wanted.size === 0) return
    const promoted = new Set<Feature>()
    for (const feature of this.#features) {
      if (feature.dialect !== 'gff3') continue
      const text = findGff3Value(feature.attributeText, 'ID')
      if (text === null) continue
      const id = decode(text)
      if (!wanted.has(id) || !this.#placeOf(feature.sequenceName)) continue
      const node = this.#nodeOf(id, id)
      if (node.definitions.length > 0 || node.isLandmark) continue
      if (landmarkTypes.test(feature.type)) {
        node.isLandmark = true
        continue
      }
      promoted.add(feature)
      const parentText = findGff3Value(feature.attributeText, 'Parent')
      const underGene = parentText?.split(',').some((piece) => this.#nodes.get(decode(piece))?.genes.length)
      node.definitions.push(feature)
      if (parentText !== null && underGene) {
        const draft: TranscriptDraft = { rawId: id, feature, moreRows: [], parts: [], line: feature.line, made: false }
        node.transcripts.push(draft)
        const keys = parentText.split(',').map((piece) => ({ key: decode(piece), id: decode(piece) }))
        parents.set(draft, { node, parents: keys } as { node: Node; parents: { key: string; id: string }[] })
      } else {
        const draft = newGeneDraft(id, feature)
        node.genes.push(draft)
        genes.push(draft)
      }
    }
    if (promoted.size === 0) return
    const rest = this.#features.filter((feature) => !promoted.has(feature))
    this.#features.length = 0
    for (const feature of rest) this.#features.push(feature)
  }

  // Parents that are nowhere: a gene where transcripts name it, a transcript where only exons and coding parts do.
  #makeMissingParents(
    parents: Map<TranscriptDraft, { node: Node; parents: { key: string; id: string }[] }>,
    genes: GeneDraft[],
  ): void {
    for (const [draft, { parents: keys }] of parents) {
      if (this.#placeOf(draft.feature!.sequenceName) === null) continue
      for (const { key, id } of keys) {
        const node = this.#nodeOf(key, id)
        if (node.definitions.length > 0 || node.isLandmark || node.genes.length > 0) continue
        const gene = newGeneDraft(node.id, null, draft.line)
        gene.silent = true
        if (draft.feature!.dialect === 'gff3') {
          this.#log.report(geneModelDefects, 'model-parent-missing', this.#file, draft.line, {
            parent: node.id,
            type: draft.feature!.type,
            made: '@gene',
          })
        }
        node.genes.push(gene)
        genes.push(gene)
      }
    }
    const bare = [...this.#nodes.values()].filter(
      (node) => node.definitions.length === 0 && !node.isLandmark && node.firstPart >= 0,
    )
    for (const node of bare) {
      if (node.genes.length > 0) continue
      if (!this.#hasPlacedPart(node)) continue
      const line = this.#parts.line[node.firstPart]!
      if (node.key.startsWith('\u0001g')) {
        const gene = newGeneDraft(node.id, null, line)
        gene.silent = true
        node.genes.push(gene)
        genes.push(gene)
        continue
      }
      const draft: TranscriptDraft = { rawId: node.id, feature: null, moreRows: [], parts: [], line, made: false }
      node.transcripts.push(draft)
      parents.set(draft, { node, parents: node.gtfGene ? [node.gtfGene] : [] })
      if (node.key.startsWith('\u0001')) {
        if (node.gtfGene) {
          const geneNode = this.#nodeOf(node.gtfGene.key, node.gtfGene.id)
          if (geneNode.genes.length === 0) {
            const gene = newGeneDraft(geneNode.id, null, line)
            gene.silent = true
            geneNode.genes.push(gene)
            genes.push(gene)
          }
        }
        continue
      }
      const type = this.#parts.kind[node.firstPart] === cdsPart ? 'CDS' : 'exon'
      this.#log.report(geneModelDefects, 'model-parent-missing', this.#file, line, {
        parent: node.id,
        type,
        made: '@transcript',
      })
    }
  }

  #hasPlacedPart(node: Node): boolean {
    for (let part = node.firstPart; part >= 0; part = this.#parts.next[part]!) {
      if (this.#places[this.#parts.sequence[part]!]) return true
    }
    return false
  }

  #distributeParts(node: Node): void {
    if (node.firstPart < 0) return
    const parts = this.#parts
    for (let part = node.firstPart; part >= 0; part = parts.next[part]!) {
      if (!this.#places[parts.sequence[part]!]) continue
      const start1 = parts.start1[part]!
      const end1 = parts.end1[part]!
      const sequence = parts.sequence[part]!
      if (node.transcripts.length > 0) {
        this.#holderOf(node.transcripts, sequence, start1, end1).parts.push(part)
      } else if (node.genes.length > 0) {
        this.#holderOf(node.genes, sequence, start1, end1).direct.push(part)
      }
    }
  }

  /** Among features under one name, the one whose span holds the place; the first when none does. */
  #holderOf<Draft extends { feature: Feature | null; moreRows: Feature[] }>(
    drafts: readonly Draft[],
    sequence: number,
    start1: number,
    end1: number,
  ): Draft {
    if (drafts.length === 1) return drafts[0]!
    const holds = (row: Feature) =>
      row.start1 <= start1 && row.end1 >= end1 && this.#sequences.get(row.sequenceName) === sequence
    return (
      drafts.find((draft) => draft.feature !== null && [draft.feature, ...draft.moreRows].some(holds)) ??
      drafts.find((draft) => draft.feature !== null && this.#sequences.get(draft.feature.sequenceName) === sequence) ??
      drafts[0]!
    )
  }

  #linkTranscripts(
    parents: Map<TranscriptDraft, { node: Node; parents: { key: string; id: string }[] }>,
    genes: GeneDraft[],
  ): void {
    const byLocusTag = new LocusTags(genes)
    const named = new Set([...parents.values()].flatMap(({ parents: keys }) => keys.map(({ key }) => key)))
    const bareGenes = new BareGenes(genes, named)
    const madeGenes = new Map<string, GeneDraft>()
    for (const [draft, { node, parents: keys }] of parents) {
      const row = draft.feature
      if (row && this.#placeOf(row.sequenceName) === null) continue
      const gene = this.#findGene(draft, node, keys, parents)
      if (gene) {
        gene.transcripts.push(draft)
        continue
      }
      const span = this.#spanOfDraft(draft)
      // Of a line that names no parent at all nothing is guessed.
      const isLost = row === null || (row.dialect === 'gtf' && row.attributeText.includes('gene_id ""'))
      const bare = isLost && span !== null ? bareGenes.take(span) : null
      if (bare) {
        const type = row?.type ?? 'transcript'
        this.#log.report(geneModelDefects, 'model-parent-by-place', this.#file, draft.line, {
          type,
          transcript: draft.rawId,
          gene: bare.rawId,
        })
        bare.transcripts.push(draft)
        continue
      }
      this.#makeGene(draft, byLocusTag, madeGenes, genes)
    }
  }

  #sequenceName(number: number): string {
    if (this.#sequenceNames.length !== this.#sequences.size) this.#sequenceNames = [...this.#sequences.keys()]
    return this.#sequenceNames[number]!
  }

  #spanOfDraft(draft: TranscriptDraft): GeneSpan | null {
    const row = draft.feature
    if (row) return { sequence: row.sequenceName, strand: row.strand, start1: row.start1, end1: row.end1 }
    const segments = draft.parts.map((part) => this.#parts.segment(part))
    const [first] = segments
    if (!first) return null
    const sequence = this.#sequenceName(this.#parts.sequence[first.part]!)
    const start1 = Math.min(...segments.map((segment) => segment.start1))
    return { sequence, strand: first.strand, start1, end1: Math.max(...segments.map((segment) => segment.end1)) }
  }

  #findGene(
    draft: TranscriptDraft,
    node: Node,
    keys: { key: string; id: string }[],
    parents: Map<TranscriptDraft, { node: Node; parents: { key: string; id: string }[] }>,
  ): GeneDraft | null {
    const seen = new Set<Node>()
    const walk = (here: Node, next: { key: string; id: string }[]): GeneDraft | null => {
      for (const { key } of next) {
        const parent = this.#nodes.get(key)
        if (!parent) continue
        if (parent.genes.length > 0) {
          const row = draft.feature
          return row
            ? this.#holderOf(parent.genes, this.#sequences.get(row.sequenceName)!, row.start1, row.end1)
            : parent.genes[0]!
        }
        if (parent === node || parent === here || seen.has(parent)) {
          this.#log.report(geneModelDefects, 'model-parent-cycle', this.#file, draft.line, { id: node.id })
          const [min] = [node, here, ...seen].map(({ id }) => id).sort()
          this.#cycles.set(draft, min!)
          continue
        }
        seen.add(parent)
        // A transcript under a transcript: the mature microRNA under its precursor.
        const above = parent.transcripts[0]
        const found = above ? walk(parent, parents.get(above)?.parents ?? []) : null
        if (found) return found
      }
      return null
    }
    return walk(node, keys)
  }

  // A transcript without gene goes to the gene of the same locus tag, else shares a new gene with those of the same gene id,
  // else becomes a gene of its own.
  #makeGene(
    draft: TranscriptDraft,
    byLocusTag: LocusTags,
    madeGenes: Map<string, GeneDraft>,
    genes: GeneDraft[],
  ): void {
    const row = draft.feature
    const attributes = row ? row.attributes : {}
    const type = row?.type ?? 'transcript'
    const locusTag = firstOf(attributes, ['locus_tag'])
    const sequence = row?.sequenceName ?? ''
    const tagged = locusTag === null ? null : byLocusTag.find(sequence, locusTag)
    if (tagged) {
      this.#log.report(geneModelDefects, 'model-parent-by-locus-tag', this.#file, draft.line, {
        type,
        gene: tagged.rawId,
      })
      tagged.transcripts.push(draft)
      return
    }
    // Transcripts that are each other's ancestors are of one gene.
    const geneId = firstOf(attributes, ['geneID', 'gene_id', 'geneId']) ?? locusTag ?? this.#cycles.get(draft) ?? null
    const key = geneId === null ? null : `${sequence}\t${row?.strand ?? '.'}\t${geneId}`
    let gene = key === null ? undefined : madeGenes.get(key)
    if (!gene) {
      gene = newGeneDraft(geneId ?? draft.rawId, null, draft.line)
      gene.silent = true
      if (row) gene.borrowed = { text: row.attributeText, dialect: row.dialect }
      if (key !== null) madeGenes.set(key, gene)
      genes.push(gene)
      // Where the transcript itself was made, that was said; and lines of GTF need no gene line.
      if (row && row.dialect === 'gff3') {
        this.#log.report(geneModelDefects, 'model-gene-made', this.#file, draft.line, {
          type,
          transcript: draft.rawId,
          gene: cleanId(gene.rawId, row.attributeText, 'gene'),
        })
      }
    }
    gene.transcripts.push(draft)
  }

  // Exons and coding parts that name no parent. Prokka and many bacterial files write nothing but CDS lines.
  #adoptOrphans(genes: GeneDraft[]): void {
    if (this.#orphans.length === 0) return
    const byLocusTag = new LocusTags(genes)
    const groups = new Map<string, GeneDraft>()
    for (const feature of this.#orphans) {
      if (this.#placeOf(feature.sequenceName) === null) continue
      const kind = this.#types.get(feature.type)!.part
      const { attributes } = feature
      const sequence = this.#sequences.get(feature.sequenceName)!
      const locusTag = firstOf(attributes, ['locus_tag'])
      let gene = locusTag === null ? null : byLocusTag.find(feature.sequenceName, locusTag)
      if (gene) {
        this.#log.report(geneModelDefects, 'model-parent-by-locus-tag', this.#file, feature.line, {
          type: feature.type,
          gene: gene.rawId,
        })
      } else {
        const groupId = orphanGroup(kind, attributes, feature.line)
        if (groupId === null) {
          this.#log.report(geneModelDefects, 'model-exon-orphan', this.#file, feature.line, { type: feature.type })
          continue
        }
        const key = `${sequence}\t${groupId}`
        gene = groups.get(key) ?? null
        if (!gene) {
          const id = cleanId(groupId, feature.attributeText, 'cds')
          gene = newGeneDraft(id, null, feature.line)
          gene.silent = true
          gene.borrowed = { text: feature.attributeText, dialect: feature.dialect }
          groups.set(key, gene)
          genes.push(gene)
          if (kind === cdsPart)
            this.#log.report(geneModelDefects, 'model-cds-orphan', this.#file, feature.line, { gene: id })
        }
      }
      const index = this.#parts.add(kind, feature, sequence)
      if (kind === cdsPart) {
        this.#parts.text[index] = `${feature.dialect === 'gtf' ? 'g' : '3'}${feature.attributeText}`
        this.#parts.cdsId[index] = firstOf(attributes, ['ID'])
      }
      gene.direct.push(index)
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // One gene

  #buildGene(draft: GeneDraft, models: { model: GeneModel; order: number }[]): void {
    this.#settleDirectParts(draft)
    draft.transcripts.sort((a, b) => a.line - b.line)
    const row = draft.feature
    const built: BuiltTranscript[] = []
    for (const transcript of draft.transcripts) built.push(...this.#buildTranscript(transcript, draft))
    const homeIndex = row ? this.#sequences.get(row.sequenceName)! : built[0]?.sequence
    if (homeIndex === undefined) return
    const place = this.#places[homeIndex]
    if (!place) return

    const rawId = draft.rawId
    const id = this.#takeId(
      this.#geneIds,
      cleanId(rawId, row?.attributeText ?? '', 'gene'),
      rawId,
      row?.type ?? 'gene',
      draft.line,
    )
    const strand = this.#settleStrand(draft, id, built, homeIndex)

    const stay: BuiltTranscript[] = []
    const leave: BuiltTranscript[] = []
    for (const transcript of built) {
      const sameSequence = transcript.sequence === homeIndex
      const sameStrand =
        transcript.strand === strand || transcript.strand === '.' || transcript.readingOrder !== undefined
      if (sameSequence && sameStrand) stay.push(transcript)
      else leave.push(transcript)
    }
    const model = this.#assembleGene(draft, id, stay, strand, place)
    if (model) models.push({ model, order: place.order })
    for (const transcript of leave) {
      const made = this.#takeId(this.#geneIds, transcript.id, transcript.id, 'gene', transcript.line)
      this.#log.report(geneModelDefects, 'model-split-off', this.#file, transcript.line, {
        type: transcript.type ?? 'transcript',
        transcript: transcript.id,
        what: transcript.sequence === homeIndex ? '@strand' : '@sequence',
        gene: id,
        made,
      })
      const otherLocus = this.#places[transcript.sequence]!
      const alone: GeneDraft = { ...newGeneDraft(made, null, transcript.line), borrowed: transcript.source }
      const split = this.#assembleGene(alone, made, [transcript], transcript.strand, otherLocus)
      if (split) models.push({ model: split, order: otherLocus.order })
    }
  }

  // Exons and coding parts directly under the gene: bacterial files, pseudogenes, and files that leave the transcripts out. It is the
  // regular form of NCBI's prokaryotic annotation, and of organelles, so where it can be read in one way nothing is said of it.
  // Beside transcripts, coding parts go to the transcript whose exons fit them.
  #settleDirectParts(draft: GeneDraft): void {
    if (draft.direct.length === 0) return
    const parts = this.#parts
    const cds = draft.direct.filter((part) => parts.kind[part] === cdsPart || parts.kind[part] === stopPart)
    const others = draft.direct.filter((part) => parts.kind[part] !== cdsPart && parts.kind[part] !== stopPart)
    const groups = cds.length > 0 ? this.#groupCds(cds) : []
    const isPlain = draft.transcripts.length === 0 && groups.length <= 1
    let hasMade = isPlain || draft.silent || this.#options.flatFile === true
    const makeTranscript = (own: number[]): TranscriptDraft => {
      const made: TranscriptDraft = {
        rawId: `${cleanId(draft.rawId, draft.feature?.attributeText ?? '', 'gene')}.t${draft.transcripts.length + 1}`,
        feature: null,
        moreRows: [],
        parts: own,
        line: parts.line[own[0]!]!,
        made: true,
      }
      draft.transcripts.push(made)
      if (!hasMade) {
        hasMade = true
        this.#log.report(geneModelDefects, 'model-transcript-made', this.#file, made.line, {
          type: parts.kind[own[0]!] === cdsPart ? 'CDS' : 'exon',
          gene: draft.rawId,
          transcript: made.rawId,
        })
      }
      return made
    }
    if (draft.transcripts.length === 0) {
      if (groups.length === 0) makeTranscript(others)
      for (const [index, group] of groups.entries()) makeTranscript(index === 0 ? [...others, ...group] : group)
      return
    }
    const given = draft.transcripts.slice()
    for (const group of groups) {
      const fitting = given.find((transcript) => !this.#hasCds(transcript) && this.#exonsFit(transcript, group))
      if (!fitting) {
        makeTranscript(group)
        continue
      }
      fitting.parts.push(...group)
      if (!this.#options.flatFile) {
        this.#log.report(geneModelDefects, 'model-cds-given-to-transcript', this.#file, parts.line[group[0]!]!, {
          gene: draft.rawId,
          transcript: fitting.rawId,
        })
      }
    }
    // Exons beside transcripts are those of a transcript that has none; else they repeat what the transcripts say.
    const bare = given.find((transcript) => !transcript.parts.some((part) => parts.kind[part] === exonPart))
    if (bare && others.length > 0) bare.parts.push(...others)
  }

  #hasCds(transcript: TranscriptDraft): boolean {
    return transcript.parts.some((part) => this.#parts.kind[part] === cdsPart)
  }

  /** Whether the coding parts lie in the exons and meet at the same introns. */
  #exonsFit(transcript: TranscriptDraft, group: number[]): boolean {
    const parts = this.#parts
    const exons = transcript.parts.filter((part) => parts.kind[part] === exonPart).map((part) => parts.segment(part))
    const row = transcript.feature
    if (exons.length === 0) {
      if (!row) return false
      return group.every((part) => parts.start1[part]! >= row.start1 && parts.end1[part]! <= row.end1)
    }
    exons.sort(byStart)
    const cds = group.filter((part) => parts.kind[part] === cdsPart).map((part) => parts.segment(part))
    const place = this.#places[parts.sequence[group[0]!]!]
    if (place?.circular && place.lengthBp !== null) {
      const span = { start1: exons[0]!.start1, end1: Math.max(...exons.map((exon) => exon.end1)) }
      unrollPlacedParts(cds, place.lengthBp, span, false)
    }
    cds.sort(byStart)
    let last = -1
    for (const [index, part] of cds.entries()) {
      const at = exons.findIndex((exon) => exon.start1 <= part.start1 && exon.end1 >= part.end1)
      if (at < 0) return false
      if (index > 0 && at !== last) {
        const before = cds[index - 1]!
        if (at !== last + 1 || exons[last]!.end1 !== before.end1 || exons[at]!.start1 !== part.start1) return false
      }
      last = at
    }
    return true
  }

  // Coding parts under different IDs are one CDS when every part has an ID of its own (numbered parts), and several when they
  // overlap or name different proteins.
  #groupCds(cds: number[]): number[][] {
    const parts = this.#parts
    const byId = new Map<string, number[]>()
    const stops: number[] = []
    for (const part of cds) {
      if (parts.kind[part] === stopPart) {
        stops.push(part)
        continue
      }
      const id = parts.cdsId[part] ?? ''
      const group = byId.get(id)
      if (group) group.push(part)
      else byId.set(id, [part])
    }
    const groups = [...byId.values()]
    if (groups.length === 0) return [stops]
    if (groups.length === 1) {
      groups[0]!.push(...stops)
      return groups
    }
    const proteins = new Set(groups.map((group) => proteinIdOf(parts.text[group[0]!]!)))
    const separate = (proteins.size === groups.length && !proteins.has(null)) || this.#overlapAcross(groups)
    if (!separate) return [cds]
    for (const stop of stops) {
      const strandSign = parts.strand[stop]!
      const near = groups.find((group) =>
        group.some((part) =>
          strandSign < 0
            ? parts.start1[part]! === parts.end1[stop]! + 1
            : parts.end1[part]! + 1 === parts.start1[stop]!,
        ),
      )
      near?.push(stop)
    }
    return groups
  }

  #overlapAcross(groups: number[][]): boolean {
    const parts = this.#parts
    const all = groups.flatMap((group, index) => group.map((part) => ({ part, index })))
    all.sort((a, b) => parts.start1[a.part]! - parts.start1[b.part]!)
    let end1 = -1
    let owner = -1
    for (const { part, index } of all) {
      // Equal coordinates are a repeated line, which is dealt with later.
      if (parts.start1[part]! <= end1 && owner !== index) return true
      if (parts.end1[part]! > end1) {
        end1 = parts.end1[part]!
        owner = index
      }
    }
    return false
  }

  #takeId(taken: TakenIds, wanted: string, raw: string, type: string, line: number): string {
    if (!taken.has(wanted)) {
      taken.set(wanted, line)
      return wanted
    }
    if (raw !== wanted && !taken.has(raw)) {
      taken.set(raw, line)
      return raw
    }
    let number = 2
    while (taken.has(`${wanted}_dup${number}`)) number++
    const renamed = `${wanted}_dup${number}`
    this.#log.report(geneModelDefects, 'model-duplicate-renamed', this.#file, line, {
      type,
      id: wanted,
      firstLine: taken.get(wanted)!,
      renamed,
    })
    taken.set(renamed, line)
    return renamed
  }

  #settleStrand(draft: GeneDraft, id: string, built: readonly BuiltTranscript[], home: number): Strand {
    const given = draft.feature?.strand ?? '.'
    let forward = 0
    let reverse = 0
    for (const { strand, sequence } of built) {
      if (sequence !== home) continue
      if (strand === '+') forward++
      else if (strand === '-') reverse++
    }
    let strand = given
    if (forward + reverse > 0 && !(given === '+' && forward > 0) && !(given === '-' && reverse > 0)) {
      strand = forward >= reverse ? '+' : '-'
      if (draft.feature && !built.some((transcript) => transcript.readingOrder)) {
        this.#log.report(geneModelDefects, 'model-strand-from-parts', this.#file, draft.line, {
          id,
          given,
          used: strand,
        })
      }
    }
    if (strand === '.' && built.some((transcript) => transcript.cds.length > 0)) {
      this.#log.report(geneModelDefects, 'model-strand-unknown', this.#file, draft.line, { gene: id })
    }
    return strand
  }

  #assembleGene(
    draft: GeneDraft,
    id: string,
    built: readonly BuiltTranscript[],
    strand: Strand,
    place: TargetSequence,
  ): GeneModel | null {
    const row = draft.feature
    let start1 = Number.POSITIVE_INFINITY
    let end1 = Number.NEGATIVE_INFINITY
    const rowSpans = row ? this.#rowSpans([row, ...draft.moreRows], place) : []
    for (const span of gatherAtOrigin(rowSpans, built, place)) {
      start1 = Math.min(start1, span.start1)
      end1 = Math.max(end1, span.end1)
    }
    const given = `${start1}..${end1}`
    const hasRow = Number.isFinite(start1)
    let extended = false
    for (const transcript of built) {
      if (transcript.start1 < start1) {
        start1 = transcript.start1
        extended = true
      }
      if (transcript.end1 > end1) {
        end1 = transcript.end1
        extended = true
      }
    }
    if (!Number.isFinite(start1)) {
      // Everything of it lies beyond the sequence, which was said.
      this.#geneIds.delete(id)
      return null
    }
    if (extended && hasRow) {
      this.#log.report(geneModelDefects, 'model-span-extended', this.#file, draft.line, {
        type: row!.type,
        id,
        given,
        used: `${start1}..${end1}`,
      })
    }
    if (place.lengthBp !== null && end1 > place.lengthBp) {
      this.#log.report(geneModelDefects, 'model-crosses-origin', this.#file, draft.line, {
        gene: id,
        sequence: place.name,
      })
    }
    if (built.length === 0) this.#log.report(geneModelDefects, 'model-gene-bare', this.#file, draft.line, { gene: id })

    const source: AttributeText | null = row
      ? { text: row.attributeText, dialect: row.dialect }
      : (draft.borrowed ?? null)
    const attributes = source ? this.#parseReported(source, draft.line) : {}
    this.#readPseudogene(id, row?.type ?? null, attributes, built)
    const described = describeGene(id, draft.rawId, attributes, built)
    const biotype = geneBiotype(row?.type ?? null, attributes, built)
    const transcripts = built.map((transcript) => finishTranscript(transcript, strand, biotype))
    return {
      id,
      ...described,
      biotype,
      sequenceName: place.name,
      start1,
      end1,
      strand,
      transcripts,
      get attributes() {
        return source ? parseAttributes(source.text, source.dialect) : {}
      },
    }
  }

  // The CDS of a pseudogene is what is left of one: it is shown as exons, and no protein is made of it.
  #readPseudogene(id: string, type: string | null, attributes: Attributes, built: readonly BuiltTranscript[]): void {
    const isWhole = isPseudogene(type, attributes)
    for (const transcript of built) {
      if (!isWhole && !isPseudoTranscript(transcript)) continue
      transcript.pseudo = true
      if (transcript.cds.length === 0) continue
      this.#log.report(geneModelDefects, 'model-pseudogene-cds', this.#file, transcript.line, {
        gene: id,
        transcript: transcript.id,
      })
      transcript.cds = []
      transcript.readingOrder = undefined
    }
  }

  #parseReported(source: AttributeText, line: number): Attributes {
    if (source.dialect === 'gtf') return parseAttributes(source.text, source.dialect)
    return parseGff3Attributes(source.text, {
      onUnescaped: (piece) => this.#log.report(gff3Defects, 'gff-attribute-unescaped', this.#file, line, { piece }),
      onBadEscape: () => this.#log.report(gff3Defects, 'gff-bad-escape', this.#file, line),
    })
  }

  /** The spans of the lines of one feature; those behind the origin of a circle are counted on beyond its length. */
  #rowSpans(rows: readonly Feature[], place: TargetSequence): { start1: number; end1: number }[] {
    const spans = rows.flatMap((row) => {
      const span = this.#placeSpan(row, place)
      return span ? [{ ...span, strand: row.strand }] : []
    })
    if (place.circular && place.lengthBp !== null)
      unrollPlacedParts(spans, place.lengthBp, null, rows.some(isTransSpliced))
    return spans
  }

  /** The span of a line within its sequence; null when it lies beyond. */
  #placeSpan(row: Feature, place: TargetSequence): { start1: number; end1: number } | null {
    const { start1, end1 } = row
    if (place.lengthBp === null || end1 <= place.lengthBp) return { start1, end1 }
    if (place.circular && start1 <= place.lengthBp * 2) return { start1, end1 }
    if (start1 > place.lengthBp) {
      this.#reportBeyond(row.type, start1, end1, place, row.line)
      return null
    }
    this.#reportClipped(row.type, start1, end1, place, row.line)
    return { start1, end1: place.lengthBp }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // One transcript

  /** Several when the transcript carries several coding sequences, none when nothing of it lies on a known sequence. */
  #buildTranscript(draft: TranscriptDraft, gene: GeneDraft): BuiltTranscript[] {
    const parts = this.#parts
    const row = draft.feature
    const sequence = row ? this.#sequences.get(row.sequenceName)! : parts.sequence[draft.parts[0] ?? -1]
    if (sequence === undefined) return []
    const place = this.#places[sequence]
    if (!place) return []
    const type = row?.type ?? 'transcript'

    const own: number[] = []
    for (const part of draft.parts) {
      if (parts.sequence[part] === sequence) own.push(part)
      else {
        this.#log.report(geneModelDefects, 'model-part-elsewhere', this.#file, parts.line[part]!, {
          type: partName(parts.kind[part]!),
          sequence: this.#places[parts.sequence[part]!]!.name,
          transcript: draft.rawId,
        })
      }
    }
    own.sort((a, b) => a - b)
    const cdsGroups = this.#groupCds(
      own.filter((part) => parts.kind[part] === cdsPart || parts.kind[part] === stopPart),
    )
    const markedTransSpliced = isTransSpliced(row) || own.some((part) => isTransSplicedText(parts.text[part] ?? ''))

    let exonSegments = this.#segments(own, exonPart, place, markedTransSpliced)
    let utrSegments = this.#segments(own, utrPart, place, false)
    let groups = cdsGroups.map((group) => ({
      cds: this.#segments(group, cdsPart, place, markedTransSpliced),
      stops: this.#segments(group, stopPart, place, false),
      text: group.map((part) => parts.text[part]).find((text) => text !== null && text !== undefined) ?? null,
    }))
    const { lengthBp } = place
    if (place.circular && lengthBp !== null) {
      const all = [...exonSegments, ...utrSegments, ...groups.flatMap(({ cds, stops }) => [...cds, ...stops])]
      const scattered =
        markedTransSpliced || (all.some((part) => part.strand === '+') && all.some((part) => part.strand === '-'))
      unrollPlacedParts(all, lengthBp, row && draft.moreRows.length === 0 ? row : gene.feature, scattered)
      if (all.some((part) => part.end1 > lengthBp)) {
        const settle = (segments: Segment[]) =>
          joinAtOrigin(markedTransSpliced ? segments : segments.sort(byStart), lengthBp)
        exonSegments = settle(exonSegments)
        utrSegments = settle(utrSegments)
        groups = groups.map((group) => ({ ...group, cds: settle(group.cds), stops: settle(group.stops) }))
      }
    }
    const firstCds = groups[0]!

    // Strand: that of the parts, when they agree, against the transcript's own.
    const strands = new Set([...exonSegments, ...firstCds.cds].map((segment) => segment.strand))
    strands.delete('.')
    const mixed = strands.size > 1
    let strand: Strand = row?.strand ?? '.'
    if (strands.size === 1) {
      const [ofParts] = strands
      if (row && strand !== ofParts && !gene.transcripts.every((one) => one.made)) {
        this.#log.report(geneModelDefects, 'model-strand-from-parts', this.#file, row.line, {
          id: draft.rawId,
          given: strand,
          used: ofParts!,
        })
      }
      strand = ofParts!
    } else if (mixed) {
      const first = (firstCds.cds[0] ?? exonSegments[0])!.strand
      if (strand === '.') strand = first
    }
    if (strand === '.') strand = gene.feature?.strand ?? '.'

    const results: BuiltTranscript[] = []
    for (const [index, group] of groups.entries()) {
      const wantedId = cleanId(draft.rawId, row?.attributeText ?? '', 'transcript')
      const id = this.#takeId(
        this.#transcriptIds,
        index === 0 ? wantedId : `${wantedId}.cds${index + 1}`,
        index === 0 ? draft.rawId : `${draft.rawId}.cds${index + 1}`,
        type,
        draft.line,
      )
      if (index > 0) {
        this.#log.report(geneModelDefects, 'model-second-cds', this.#file, group.cds[0]!.line, {
          transcript: wantedId,
          made: id,
        })
      }
      const transSpliced = mixed || (markedTransSpliced && !isInOrder(group.cds, strand))
      const cds = this.#settleCds(group.cds, group.stops, strand, transSpliced, id, group.text?.[0] === 'g')
      const exons = this.#settleExons(exonSegments, cds, utrSegments, row, draft, place, id)
      if (exons.length === 0) {
        this.#transcriptIds.delete(id)
        return results
      }
      if (transSpliced && cds.length > 0)
        this.#log.report(geneModelDefects, 'model-trans-spliced', this.#file, draft.line, { transcript: id })
      const start1 = exons[0]!.start1
      const end1 = exons.reduce((farthest, exon) => Math.max(farthest, exon.end1), 0)
      const source: AttributeText | null = row ? { text: row.attributeText, dialect: row.dialect } : null
      if (row && draft.moreRows.length === 0 && index === 0) this.#compareSpan(row, id, start1, end1, place)
      results.push({
        id,
        type: row?.type ?? null,
        sequence,
        strand,
        start1,
        end1,
        exons,
        cds: transSpliced ? cds : cds.sort(byStart),
        readingOrder: transSpliced && cds.length > 0 ? cds.map((part) => orient(part, strand)) : undefined,
        source,
        cdsText: readStoredText(group.text),
        line: draft.line,
        pseudo: false,
      })
    }
    return results
  }

  #compareSpan(row: Feature, id: string, start1: number, end1: number, place: TargetSequence): void {
    const rowEnd1 = place.lengthBp !== null && !place.circular ? Math.min(row.end1, place.lengthBp) : row.end1
    if (row.start1 === start1 && rowEnd1 === end1) return
    // Of parts on both sides of the origin many exporters write the least and the greatest base as span.
    if (place.lengthBp !== null && end1 > place.lengthBp && row.end1 <= place.lengthBp) return
    const params = { type: row.type, id, given: `${row.start1}..${row.end1}`, used: `${start1}..${end1}` }
    const extended = start1 < row.start1 || end1 > rowEnd1
    this.#log.report(
      geneModelDefects,
      extended ? 'model-span-extended' : 'model-span-trimmed',
      this.#file,
      row.line,
      params,
    )
  }

  /** The parts of one kind, each once, within the sequence; in the order of the file when that is the order of reading. */
  #segments(own: readonly number[], kind: number, place: TargetSequence, keepOrder: boolean): Segment[] {
    const parts = this.#parts
    const segments: Segment[] = []
    const seen = new Set<string>()
    const picked = own.filter((part) => parts.kind[part] === kind)
    for (const part of picked) {
      const segment = parts.segment(part)
      if (picked.length > 1) {
        const key = `${segment.start1} ${segment.end1} ${segment.strand}`
        if (seen.has(key)) {
          this.#log.report(geneModelDefects, 'model-duplicate-row', this.#file, segment.line, { type: partName(kind) })
          continue
        }
        seen.add(key)
      }
      const { lengthBp } = place
      if (lengthBp !== null && segment.end1 > lengthBp && !(place.circular && segment.start1 <= lengthBp * 2)) {
        if (segment.start1 > lengthBp) {
          this.#reportBeyond(partName(kind), segment.start1, segment.end1, place, segment.line)
          continue
        }
        this.#reportClipped(partName(kind), segment.start1, segment.end1, place, segment.line)
        segment.end1 = lengthBp
      }
      segments.push(segment)
    }
    return keepOrder ? segments : segments.sort(byStart)
  }

  /** Coding parts with phases that fit, in the order of the segments given (ascending, or as read when trans-spliced). */
  #settleCds(
    given: readonly Segment[],
    stops: readonly Segment[],
    strand: Strand,
    transSpliced: boolean,
    id: string,
    isGtf: boolean,
  ): (CdsModel & { strand: Strand })[] {
    if (given.length === 0) return []
    const segments = given.map((segment) => ({ ...segment }))
    const joined = new Set<Segment>()
    if (!transSpliced) {
      segments.sort(byStart)
      // In GTF the stop codon always stands beside the CDS: nothing to say.
      if (stops.length > 0 && joinStopCodon(segments, stops, strand, joined) && !isGtf) {
        this.#log.report(geneModelDefects, 'model-stop-codon-joined', this.#file, stops[0]!.line, { transcript: id })
      }
    }
    const reading = !transSpliced && strand === '-' ? segments.toReversed() : segments
    const lengths = reading.map((segment) => segment.end1 - segment.start1 + 1)
    const phases = reading.map((segment) => segment.phase)
    const computed = computePhases(lengths, chooseFirstPhase(lengths, phases))
    const isGiven = (index: number) => !joined.has(reading[index]!)
    if (phases.some((phase, index) => phase === null && isGiven(index))) {
      this.#log.report(geneModelDefects, 'model-phase-missing', this.#file, reading[0]!.line, { transcript: id })
    } else if (phases.some((phase, index) => phase !== computed[index] && isGiven(index))) {
      this.#log.report(geneModelDefects, 'model-phase-wrong', this.#file, reading[0]!.line, () => ({
        transcript: id,
        given: phases.join(','),
        computed: computed.join(','),
      }))
    }
    const length = lengths.reduce((sum, one) => sum + one, 0) - computed[0]!
    if (length % 3 !== 0)
      this.#log.report(geneModelDefects, 'model-cds-length', this.#file, reading[0]!.line, { transcript: id, length })
    return reading
      .map(({ start1, end1, strand: own }, index) => ({ start1, end1, phase: computed[index]!, strand: own }))
      .toSorted(transSpliced ? () => 0 : byStart)
  }

  #settleExons(
    given: readonly Segment[],
    cds: readonly { start1: number; end1: number }[],
    utrs: readonly Segment[],
    row: Feature | null,
    draft: TranscriptDraft,
    place: TargetSequence,
    id: string,
  ): ExonModel[] {
    if (given.length === 0) {
      let made: ExonModel[]
      let source: string
      if (cds.length > 0 || utrs.length > 0) {
        made = mergeExons([...cds, ...utrs], 1).exons
        source = '@cds-and-utr'
      } else if (row) {
        made = mergeExons(this.#rowSpans([row, ...draft.moreRows], place), place.circular ? 1 : 0).exons
        source = '@whole-span'
      } else return []
      // A transcript that was made here of coding parts has nothing else to take its exons from.
      if (made.length > 0 && !this.#options.flatFile && !draft.made) {
        this.#log.report(geneModelDefects, 'model-exon-made', this.#file, draft.line, { transcript: id, source })
      }
      return made
    }
    const merged = mergeExons(given, 0)
    if (merged.overlaps)
      this.#log.report(geneModelDefects, 'model-exons-overlap', this.#file, given[0]!.line, { transcript: id })
    const outside = cds.some(
      (part) => !merged.exons.some((exon) => exon.start1 <= part.start1 && exon.end1 >= part.end1),
    )
    if (!outside) return merged.exons
    // A stop codon that was joined may reach beyond the last exon as well.
    this.#log.report(geneModelDefects, 'model-cds-outside-exon', this.#file, given[0]!.line, { transcript: id })
    return mergeExons([...merged.exons, ...cds], 1).exons
  }
}

function partName(kind: number): string {
  return kind === cdsPart ? 'CDS' : kind === utrPart ? 'UTR' : kind === stopPart ? 'stop_codon' : 'exon'
}

function isSameRow(a: Feature, b: Feature): boolean {
  return (
    a.sequenceName === b.sequenceName &&
    a.start1 === b.start1 &&
    a.end1 === b.end1 &&
    a.strand === b.strand &&
    a.type === b.type
  )
}

const transSplicingMark = /trans[-_ ]splic/i

function isTransSplicedText(text: string): boolean {
  return transSplicingMark.test(text)
}

function isTransSpliced(row: Feature | null): boolean {
  return row !== null && isTransSplicedText(row.attributeText)
}

function belongTogether(first: Feature, row: Feature, role: Role, node: Node): boolean {
  if (first.sequenceName !== row.sequenceName) return false
  const numbered = /(^|;)\s*part=/
  if (isTransSpliced(first) || isTransSpliced(row)) return true
  if (numbered.test(first.attributeText) && numbered.test(row.attributeText)) return true
  // An RNA in pieces, without exons of its own: legal GFF3 for a discontinuous feature.
  return (
    role === 'transcript' &&
    node.firstPart < 0 &&
    first.strand === row.strand &&
    first.type === row.type &&
    (row.start1 > first.end1 || row.end1 < first.start1) &&
    findGff3Value(first.attributeText, 'Parent') === findGff3Value(row.attributeText, 'Parent') &&
    findGff3Value(first.attributeText, 'Parent') !== null
  )
}

// The lines and transcripts of one gene on one side of the origin: what begins behind it is counted on with those that cross it.
// A line from 1 to the length is what exporters make of the two sides, and says nothing. Transcripts are moved in place.
function gatherAtOrigin(
  rows: readonly { start1: number; end1: number }[],
  built: readonly BuiltTranscript[],
  { lengthBp, circular }: TargetSequence,
): { start1: number; end1: number }[] {
  if (!circular || lengthBp === null) return [...rows]
  const crossing = [...rows, ...built].filter(({ start1, end1 }) => start1 <= lengthBp && end1 > lengthBp)
  if (crossing.length === 0) return [...rows]
  const start1 = Math.min(...crossing.map((span) => span.start1))
  const end1 = Math.max(...crossing.map((span) => span.end1))
  const isBehind = (span: { start1: number; end1: number }) => span.end1 < start1 && span.start1 + lengthBp <= end1
  for (const transcript of built) {
    if (!isBehind(transcript)) continue
    const pieces = new Set([transcript, ...transcript.exons, ...transcript.cds, ...(transcript.readingOrder ?? [])])
    for (const piece of pieces) {
      piece.start1 += lengthBp
      piece.end1 += lengthBp
    }
  }
  return rows.flatMap((row) => {
    if (row.start1 === 1 && row.end1 === lengthBp) return []
    return [isBehind(row) ? { start1: row.start1 + lengthBp, end1: row.end1 + lengthBp } : row]
  })
}
