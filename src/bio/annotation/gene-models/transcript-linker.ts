// Which lines are one feature, which transcript is of which gene, and what stands in for lines that are not there.

import type { DefectLog } from '../../text/defects.ts'
import { type Feature, findGff3Value } from '../feature.ts'
import type { FeaturePlan } from '../feature-survey.ts'
import {
  cdsPart,
  decode,
  firstOf,
  gff3Parents,
  isBareName,
  landmarkTypes,
  orphanGroup,
  type Role,
} from '../feature-types.ts'
import { geneModelDefects } from '../gene-model-defects.ts'
import type { GeneModelOptions } from '../gene-models.ts'
import type { FeatureCollector } from './feature-collector.ts'
import { cleanId } from './gene-model-naming.ts'
import {
  BareGenes,
  type GeneDraft,
  type GeneSpan,
  LocusTags,
  type Node,
  newGeneDraft,
  type TranscriptDraft,
} from './gene-model-store.ts'
import { isTransSpliced, type SequencePlacement } from './sequence-placement.ts'

interface ParentKey {
  key: string
  id: string
}

/** The parents that each transcript names. */
type Parents = Map<TranscriptDraft, { node: Node; parents: ParentKey[] }>

/** Makes genes of lines that were collected: drafts with their transcripts and parts. To be used once for what is held. */
export class TranscriptLinker {
  readonly #file: string
  readonly #log: DefectLog
  readonly #plan: FeaturePlan | undefined
  readonly #placement: SequencePlacement
  readonly #lines: FeatureCollector
  readonly #cycles = new Map<TranscriptDraft, string>()

  constructor(options: GeneModelOptions, placement: SequencePlacement, lines: FeatureCollector) {
    this.#file = options.file
    this.#log = options.log
    this.#plan = options.plan
    this.#placement = placement
    this.#lines = lines
  }

  /** Every gene of the lines that are held, in the order in which the file lets one know of it. */
  link(): GeneDraft[] {
    const genes: GeneDraft[] = []
    for (const node of this.#lines.nodes.values()) this.#defineNode(node, genes)
    const parents = this.#readParents()
    this.#promoteOthers(parents, genes)
    this.#makeMissingParents(parents, genes)
    for (const node of this.#lines.nodes.values()) this.#distributeParts(node)
    this.#linkTranscripts(parents, genes)
    this.#adoptOrphans(genes)
    return this.#joinLines(genes)
  }

  // One identifier should have one definition. Several lines of one type are one feature in pieces when they are trans-spliced
  // or the pieces of an RNA; equal lines are repetitions; all else are different features under one name.
  #defineNode(node: Node, genes: GeneDraft[]): void {
    if (node.definitions.length === 0) return
    const rows = node.definitions.filter((row) => this.#placement.find(row.sequenceName) !== null)
    const first = rows[0]
    if (!first) return
    for (const row of rows) {
      const { role } = this.#lines.typeOf(row.type)
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
      }
    }
  }

  #belongTogether(first: Feature, row: Feature, role: Role, node: Node): boolean {
    if (belongTogether(first, row, role, node)) return true
    // The two sides of the origin, each on a line of its own.
    const target = this.#placement.find(row.sequenceName)
    return (
      target?.circular === true &&
      target.lengthBp !== null &&
      first.sequenceName === row.sequenceName &&
      first.type === row.type &&
      first.strand === row.strand &&
      Math.min(first.start1, row.start1) === 1 &&
      Math.max(first.end1, row.end1) === target.lengthBp &&
      Math.max(first.start1, row.start1) > Math.min(first.end1, row.end1)
    )
  }

  /** Keys of the parents that each transcript names. */
  #readParents(): Parents {
    const parents: Parents = new Map()
    for (const node of this.#lines.nodes.values()) {
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
  #promoteOthers(parents: Parents, genes: GeneDraft[]): void {
    const wanted = new Set<string>()
    for (const node of this.#lines.nodes.values())
      if (node.definitions.length === 0 && node.firstPart >= 0) wanted.add(node.key)
    for (const { parents: keys } of parents.values()) {
      for (const { key } of keys) if (!this.#lines.nodes.get(key)?.definitions.length) wanted.add(key)
    }
    // A chromosome whose own line is built with others.
    for (const key of this.#plan === undefined ? [] : wanted) {
      const sequence = this.#plan!.landmarkSequence(key)
      if (sequence === null || !this.#placement.at(sequence)) continue
      this.#lines.nodeOf(key, key).isLandmark = true
      wanted.delete(key)
    }
    if (wanted.size === 0) return
    const promoted = new Set<Feature>()
    for (const feature of this.#lines.features) {
      if (feature.dialect !== 'gff3') continue
      const text = findGff3Value(feature.attributeText, 'ID')
      if (text === null) continue
      const id = decode(text)
      if (!wanted.has(id) || !this.#placement.find(feature.sequenceName)) continue
      const node = this.#lines.nodeOf(id, id)
      if (node.definitions.length > 0 || node.isLandmark) continue
      if (landmarkTypes.test(feature.type)) {
        node.isLandmark = true
        continue
      }
      promoted.add(feature)
      const parentText = findGff3Value(feature.attributeText, 'Parent')
      const underGene = parentText?.split(',').some((piece) => this.#lines.nodes.get(decode(piece))?.genes.length)
      node.definitions.push(feature)
      if (parentText !== null && underGene) {
        const draft: TranscriptDraft = { rawId: id, feature, moreRows: [], parts: [], line: feature.line, made: false }
        node.transcripts.push(draft)
        const keys = parentText.split(',').map((piece) => ({ key: decode(piece), id: decode(piece) }))
        parents.set(draft, { node, parents: keys })
      } else {
        const draft = newGeneDraft(id, feature)
        node.genes.push(draft)
        genes.push(draft)
      }
    }
    if (promoted.size === 0) return
    const rest = this.#lines.features.filter((feature) => !promoted.has(feature))
    this.#lines.features.length = 0
    for (const feature of rest) this.#lines.features.push(feature)
  }

  // Parents that are nowhere: a gene where transcripts name it, a transcript where only exons and coding parts do.
  #makeMissingParents(parents: Parents, genes: GeneDraft[]): void {
    for (const [draft, { parents: keys }] of parents) {
      if (this.#placement.find(draft.feature!.sequenceName) === null) continue
      for (const { key, id } of keys) {
        const node = this.#lines.nodeOf(key, id)
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
    const bare = [...this.#lines.nodes.values()].filter(
      (node) => node.definitions.length === 0 && !node.isLandmark && node.firstPart >= 0,
    )
    for (const node of bare) {
      if (node.genes.length > 0) continue
      if (!this.#hasPlacedPart(node)) continue
      const line = this.#lines.parts.line[node.firstPart]!
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
          const geneNode = this.#lines.nodeOf(node.gtfGene.key, node.gtfGene.id)
          if (geneNode.genes.length === 0) {
            const gene = newGeneDraft(geneNode.id, null, line)
            gene.silent = true
            geneNode.genes.push(gene)
            genes.push(gene)
          }
        }
        continue
      }
      const type = this.#lines.parts.kind[node.firstPart] === cdsPart ? 'CDS' : 'exon'
      this.#log.report(geneModelDefects, 'model-parent-missing', this.#file, line, {
        parent: node.id,
        type,
        made: '@transcript',
      })
    }
  }

  #hasPlacedPart(node: Node): boolean {
    for (let part = node.firstPart; part >= 0; part = this.#lines.parts.next[part]!) {
      if (this.#placement.at(this.#lines.parts.sequence[part]!)) return true
    }
    return false
  }

  #distributeParts(node: Node): void {
    if (node.firstPart < 0) return
    const parts = this.#lines.parts
    for (let part = node.firstPart; part >= 0; part = parts.next[part]!) {
      if (!this.#placement.at(parts.sequence[part]!)) continue
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
      row.start1 <= start1 && row.end1 >= end1 && this.#placement.indexOf(row.sequenceName) === sequence
    return (
      drafts.find((draft) => draft.feature !== null && [draft.feature, ...draft.moreRows].some(holds)) ??
      drafts.find(
        (draft) => draft.feature !== null && this.#placement.indexOf(draft.feature.sequenceName) === sequence,
      ) ??
      drafts[0]!
    )
  }

  #linkTranscripts(parents: Parents, genes: GeneDraft[]): void {
    const byLocusTag = new LocusTags(genes)
    const named = new Set([...parents.values()].flatMap(({ parents: keys }) => keys.map(({ key }) => key)))
    const bareGenes = new BareGenes(genes, named)
    const madeGenes = new Map<string, GeneDraft>()
    for (const [draft, { node, parents: keys }] of parents) {
      const row = draft.feature
      if (row && this.#placement.find(row.sequenceName) === null) continue
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

  #spanOfDraft(draft: TranscriptDraft): GeneSpan | null {
    const row = draft.feature
    if (row) return spanOfRow(row)
    const segments = draft.parts.map((part) => this.#lines.parts.segment(part))
    const [first] = segments
    if (!first) return null
    const sequence = this.#placement.nameOf(this.#lines.parts.sequence[first.part]!)
    const start1 = Math.min(...segments.map((segment) => segment.start1))
    return { sequence, strand: first.strand, start1, end1: Math.max(...segments.map((segment) => segment.end1)) }
  }

  #findGene(draft: TranscriptDraft, node: Node, keys: ParentKey[], parents: Parents): GeneDraft | null {
    const seen = new Set<Node>()
    const walk = (here: Node, next: ParentKey[]): GeneDraft | null => {
      for (const { key } of next) {
        const parent = this.#lines.nodes.get(key)
        if (!parent) continue
        if (parent.genes.length > 0) {
          const row = draft.feature
          return row
            ? this.#holderOf(parent.genes, this.#placement.indexOf(row.sequenceName), row.start1, row.end1)
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

  // BRAKER renames the transcripts of the gene sets that it combines and not always the gene lines, which hold nothing but a name. A gene
  // without line and a line without transcripts that have exactly one place are one; `gene_id` names it, as programs that count reads do.
  #joinLines(genes: GeneDraft[]): GeneDraft[] {
    const lines = genes.flatMap((gene) =>
      gene.feature?.dialect === 'gtf' &&
      isBareName(gene.feature.attributeText) &&
      gene.transcripts.length === 0 &&
      gene.direct.length === 0
        ? [{ gene, span: spanOfRow(gene.feature) }]
        : [],
    )
    if (lines.length === 0) return genes
    const made = genes.flatMap((gene) => {
      if (gene.feature !== null || gene.direct.length > 0) return []
      if (gene.transcripts.some(({ feature }) => feature !== null && feature.dialect !== 'gtf')) return []
      const spans = gene.transcripts.flatMap((draft) => this.#spanOfDraft(draft) ?? [])
      const [span] = spans
      if (!span || spans.some(({ sequence, strand }) => sequence !== span.sequence || strand !== span.strand)) return []
      const start1 = Math.min(...spans.map((one) => one.start1))
      return [{ gene, span: { ...span, start1, end1: Math.max(...spans.map(({ end1 }) => end1)) } }]
    })
    const atPlace = byOnlyPlace(made)
    const joined = new Set<GeneDraft>()
    for (const [key, line] of byOnlyPlace(lines)) {
      const gene = atPlace.get(key)
      if (!gene) continue
      this.#log.report(geneModelDefects, 'model-gene-line-by-place', this.#file, line.line, {
        gene: gene.rawId,
        line: line.rawId,
      })
      gene.feature = line.feature
      gene.line = line.line
      joined.add(line)
    }
    return joined.size === 0 ? genes : genes.filter((gene) => !joined.has(gene))
  }

  // Exons and coding parts that name no parent. Prokka and many bacterial files write nothing but CDS lines.
  #adoptOrphans(genes: GeneDraft[]): void {
    if (this.#lines.orphans.length === 0) return
    const byLocusTag = new LocusTags(genes)
    const groups = new Map<string, GeneDraft>()
    for (const feature of this.#lines.orphans) {
      if (this.#placement.find(feature.sequenceName) === null) continue
      const kind = this.#lines.typeOf(feature.type).part
      const { attributes } = feature
      const sequence = this.#placement.indexOf(feature.sequenceName)
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
      const index = this.#lines.parts.add(kind, feature, sequence)
      if (kind === cdsPart) {
        this.#lines.parts.text[index] = `${feature.dialect === 'gtf' ? 'g' : '3'}${feature.attributeText}`
        this.#lines.parts.cdsId[index] = firstOf(attributes, ['ID'])
      }
      gene.direct.push(index)
    }
  }
}

const spanOfRow = ({ sequenceName, strand, start1, end1 }: Feature): GeneSpan => ({
  sequence: sequenceName,
  strand,
  start1,
  end1,
})

/** Of the genes of one list those whose place no other has, by it. */
function byOnlyPlace(genes: readonly { gene: GeneDraft; span: GeneSpan }[]): Map<string, GeneDraft> {
  const found = new Map<string, GeneDraft | null>()
  for (const { gene, span } of genes) {
    const key = `${span.sequence}\t${span.strand}\t${span.start1}\t${span.end1}`
    found.set(key, found.has(key) ? null : gene)
  }
  return new Map([...found].flatMap(([key, gene]) => (gene === null ? [] : [[key, gene] as const])))
}

function isSameRow(a: Feature, b: Feature): boolean {
  return (
    a.sequenceName === b.sequenceName &&
    a.start1 === b.start1 &&
    a.end1 === b.end1 &&
    a.strand === b.strand &&
    (a.type === b.type || (isPlainTranscript(a.type) && isPlainTranscript(b.type)))
  )
}

/** BRAKER writes `transcript` and `mRNA` for one transcript of GeneMark: no kinds that differ. */
const isPlainTranscript = (type: string): boolean => /^(mrna|transcript)$/i.test(type)

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
