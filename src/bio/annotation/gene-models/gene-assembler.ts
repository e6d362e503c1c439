// One gene of its lines and transcripts.

import { unrollPlacedParts } from '../../sequence/origin.ts'
import type { Strand } from '../../sequence/region.ts'
import type { DefectLog } from '../../text/defects.ts'
import { type Attributes, parseAttributes, parseGff3Attributes } from '../feature.ts'
import { cdsPart, exonPart, stopPart } from '../feature-types.ts'
import { geneModelDefects } from '../gene-model-defects.ts'
import type { GeneModel, GeneModelOptions } from '../gene-models.ts'
import { gff3Defects } from '../gff3-defects.ts'
import { groupCds } from './coding-groups.ts'
import {
  cleanId,
  describeGene,
  finishTranscript,
  geneBiotype,
  isPseudogene,
  isPseudoTranscript,
} from './gene-model-naming.ts'
import {
  type AttributeText,
  type BuiltTranscript,
  type GeneDraft,
  newGeneDraft,
  type PartStore,
  TakenIds,
  type TargetSequence,
  type TranscriptDraft,
} from './gene-model-store.ts'
import { byStart } from './gene-model-structure.ts'
import type { SequencePlacement } from './sequence-placement.ts'
import { takeId } from './take-id.ts'
import { TranscriptAssembler } from './transcript-assembler.ts'

/** A gene, and the number of its sequence in the order of the genome. */
export interface OrderedGene {
  model: GeneModel
  order: number
}

/** Builds genes; their ids are unique over all that one assembler builds. */
export class GeneAssembler {
  readonly #file: string
  readonly #log: DefectLog
  readonly #options: GeneModelOptions
  readonly #placement: SequencePlacement
  readonly #parts: PartStore
  readonly #transcripts: TranscriptAssembler
  readonly #ids = new TakenIds()

  constructor(options: GeneModelOptions, placement: SequencePlacement, parts: PartStore) {
    this.#file = options.file
    this.#log = options.log
    this.#options = options
    this.#placement = placement
    this.#parts = parts
    this.#transcripts = new TranscriptAssembler(options, placement, parts)
  }

  /** Adds the gene to `models`, and a gene for each transcript that lies elsewhere; nothing where nothing of it is on a known sequence. */
  assemble(draft: GeneDraft, models: OrderedGene[]): void {
    this.#settleDirectParts(draft)
    draft.transcripts.sort((a, b) => a.line - b.line)
    const row = draft.feature
    const built: BuiltTranscript[] = []
    for (const transcript of draft.transcripts) built.push(...this.#transcripts.assemble(transcript, draft))
    const homeIndex = row ? this.#placement.indexOf(row.sequenceName) : built[0]?.sequence
    if (homeIndex === undefined) return
    const target = this.#placement.at(homeIndex)
    if (!target) return

    const rawId = draft.rawId
    const id = takeId(
      this.#options,
      this.#ids,
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
    const model = this.#assembleGene(draft, id, stay, strand, target)
    if (model) models.push({ model, order: target.order })
    for (const transcript of leave) {
      const made = takeId(this.#options, this.#ids, transcript.id, transcript.id, 'gene', transcript.line)
      this.#log.report(geneModelDefects, 'model-split-off', this.#file, transcript.line, {
        type: transcript.type ?? 'transcript',
        transcript: transcript.id,
        what: transcript.sequence === homeIndex ? '@strand' : '@sequence',
        gene: id,
        made,
      })
      const otherLocus = this.#placement.at(transcript.sequence)!
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
    const groups = cds.length > 0 ? groupCds(parts, cds) : []
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
    const target = this.#placement.at(parts.sequence[group[0]!]!)
    if (target?.circular && target.lengthBp !== null) {
      const span = { start1: exons[0]!.start1, end1: Math.max(...exons.map((exon) => exon.end1)) }
      unrollPlacedParts(cds, target.lengthBp, span, false)
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
    target: TargetSequence,
  ): GeneModel | null {
    const row = draft.feature
    let start1 = Number.POSITIVE_INFINITY
    let end1 = Number.NEGATIVE_INFINITY
    const rowSpans = row ? this.#placement.rowSpans([row, ...draft.moreRows], target) : []
    for (const span of gatherAtOrigin(rowSpans, built, target)) {
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
      this.#ids.delete(id)
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
    if (target.lengthBp !== null && end1 > target.lengthBp) {
      this.#log.report(geneModelDefects, 'model-crosses-origin', this.#file, draft.line, {
        gene: id,
        sequence: target.name,
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
      sequenceName: target.name,
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
