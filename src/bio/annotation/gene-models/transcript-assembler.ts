// One transcript of its lines: its parts within the sequence, its strand, its coding sequence and its exons.

import { joinAtOrigin, unrollPlacedParts } from '../../sequence/origin.ts'
import type { Strand } from '../../sequence/region.ts'
import type { DefectLog } from '../../text/defects.ts'
import type { Feature } from '../feature.ts'
import { cdsPart, exonPart, stopPart, utrPart } from '../feature-types.ts'
import { geneModelDefects } from '../gene-model-defects.ts'
import type { CdsModel, ExonModel, GeneModelOptions } from '../gene-models.ts'
import { groupCds } from './coding-groups.ts'
import { cleanId } from './gene-model-naming.ts'
import {
  type AttributeText,
  type BuiltTranscript,
  type GeneDraft,
  type PartStore,
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
import { isTransSpliced, isTransSplicedText, type SequencePlacement } from './sequence-placement.ts'
import { takeId } from './take-id.ts'

/** Builds transcripts; their ids are unique over all that one assembler builds. */
export class TranscriptAssembler {
  readonly #file: string
  readonly #log: DefectLog
  readonly #options: GeneModelOptions
  readonly #placement: SequencePlacement
  readonly #parts: PartStore
  readonly #ids = new TakenIds()

  constructor(options: GeneModelOptions, placement: SequencePlacement, parts: PartStore) {
    this.#file = options.file
    this.#log = options.log
    this.#options = options
    this.#placement = placement
    this.#parts = parts
  }

  /** Several when the transcript carries several coding sequences, none when nothing of it lies on a known sequence. */
  assemble(draft: TranscriptDraft, gene: GeneDraft): BuiltTranscript[] {
    const parts = this.#parts
    const row = draft.feature
    const sequence = row ? this.#placement.indexOf(row.sequenceName) : parts.sequence[draft.parts[0] ?? -1]
    if (sequence === undefined) return []
    const target = this.#placement.at(sequence)
    if (!target) return []
    const type = row?.type ?? 'transcript'

    const own: number[] = []
    for (const part of draft.parts) {
      if (parts.sequence[part] === sequence) own.push(part)
      else {
        this.#log.report(geneModelDefects, 'model-part-elsewhere', this.#file, parts.line[part]!, {
          type: partName(parts.kind[part]!),
          sequence: this.#placement.at(parts.sequence[part]!)!.name,
          transcript: draft.rawId,
        })
      }
    }
    own.sort((a, b) => a - b)
    const cdsGroups = groupCds(
      parts,
      own.filter((part) => parts.kind[part] === cdsPart || parts.kind[part] === stopPart),
    )
    const markedTransSpliced = isTransSpliced(row) || own.some((part) => isTransSplicedText(parts.text[part] ?? ''))

    let exonSegments = this.#segments(own, exonPart, target, markedTransSpliced)
    let utrSegments = this.#segments(own, utrPart, target, false)
    let groups = cdsGroups.map((group) => ({
      cds: this.#segments(group, cdsPart, target, markedTransSpliced),
      stops: this.#segments(group, stopPart, target, false),
      text: group.map((part) => parts.text[part]).find((text) => text !== null && text !== undefined) ?? null,
    }))
    const { lengthBp } = target
    if (target.circular && lengthBp !== null) {
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
      const id = takeId(
        this.#options,
        this.#ids,
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
      const exons = this.#settleExons(exonSegments, cds, utrSegments, row, draft, target, id)
      if (exons.length === 0) {
        this.#ids.delete(id)
        return results
      }
      if (transSpliced && cds.length > 0)
        this.#log.report(geneModelDefects, 'model-trans-spliced', this.#file, draft.line, { transcript: id })
      const start1 = exons[0]!.start1
      const end1 = exons.reduce((farthest, exon) => Math.max(farthest, exon.end1), 0)
      const source: AttributeText | null = row ? { text: row.attributeText, dialect: row.dialect } : null
      if (row && draft.moreRows.length === 0 && index === 0) this.#compareSpan(row, id, start1, end1, target)
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

  #compareSpan(row: Feature, id: string, start1: number, end1: number, target: TargetSequence): void {
    const rowEnd1 = target.lengthBp !== null && !target.circular ? Math.min(row.end1, target.lengthBp) : row.end1
    if (row.start1 === start1 && rowEnd1 === end1) return
    // Of parts on both sides of the origin many exporters write the least and the greatest base as span.
    if (target.lengthBp !== null && end1 > target.lengthBp && row.end1 <= target.lengthBp) return
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
  #segments(own: readonly number[], kind: number, target: TargetSequence, keepOrder: boolean): Segment[] {
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
      const { lengthBp } = target
      if (lengthBp !== null && segment.end1 > lengthBp && !(target.circular && segment.start1 <= lengthBp * 2)) {
        if (segment.start1 > lengthBp) {
          this.#placement.reportBeyond(partName(kind), segment.start1, segment.end1, target, segment.line)
          continue
        }
        this.#placement.reportClipped(partName(kind), segment.start1, segment.end1, target, segment.line)
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
    target: TargetSequence,
    id: string,
  ): ExonModel[] {
    if (given.length === 0) {
      let made: ExonModel[]
      let source: string
      if (cds.length > 0 || utrs.length > 0) {
        made = mergeExons([...cds, ...utrs], 1).exons
        source = '@cds-and-utr'
      } else if (row) {
        made = mergeExons(this.#placement.rowSpans([row, ...draft.moreRows], target), target.circular ? 1 : 0).exons
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
