// Consequences of variants in genes that bcftools csq cannot read: it knows the standard genetic code alone (version 1.16).

import type { GeneModel, TranscriptModel } from '../annotation/gene-models.ts'
import { codingSequence } from '../sequence/coding-sequence.ts'
import { geneticCodes, translate } from '../sequence/genetic-codes.ts'
import { reverseComplement } from '../sequence/sequence.ts'
import type { Effect } from './consequences.ts'

/** Whether that code reads every codon as the standard one does; which codons may start is another matter. Example: 11 does, 4 does not. */
export const readsAsStandard = (table: number): boolean =>
  geneticCodes.get(table)?.aminoAcids === geneticCodes.get(1)!.aminoAcids

/** Bases of an intron that belong to its splice sites, and to the region around them (Sequence Ontology 0001629 and 0001630). */
const spliceSiteBp = 2
const spliceRegionBp = { intron: 8, exon: 3 }

/**
 * What one allele does to one gene, taken by itself, under the gene's own genetic code; the gravest consequence of each transcript. `fetch`
 * gives bases from start1 to end1 of the gene's sequence. Symbolic alleles have none.
 *
 * Example: in the mitochondrion of yeast (code 3), where CTN is threonine and ATA methionine, `ACA` to `CTA` is `synonymous`.
 */
export const codingEffects = (
  gene: GeneModel,
  table: number,
  variant: { position1: number; reference: string; alternate: string; allele: number },
  fetch: (start1: number, end1: number) => string,
): Effect[] => {
  if (!/^[ACGTN]*$/i.test(variant.alternate)) return []
  const change = changeOf(variant)
  if (change === null) return []
  return gene.transcripts.flatMap((transcript) => {
    const reported = consequencesInTranscript(transcript, gene.strand, table, change, fetch)
    return reported === null
      ? []
      : [
          {
            consequences: reported.consequences,
            gene: gene.id,
            transcript: transcript.id,
            biotype: transcript.cds.length > 0 ? 'protein_coding' : transcript.biotype,
            strand: gene.strand,
            aminoAcids: reported.aminoAcids,
            bases:
              reported.aminoAcids === null && !reported.coding
                ? null
                : `${variant.position1}${variant.reference}>${variant.alternate}`,
            allele: variant.allele,
          },
        ]
  })
}

/** Null where both alleles are the same. What REF and ALT share is no change; an insertion lies between the base before and its own first. */
export const changeOf = (alleles: { position1: number; reference: string; alternate: string }): Change | null => {
  let { position1: start1, reference: from, alternate: to } = alleles
  while (from.length > 0 && to.length > 0 && from.at(-1) === to.at(-1))
    [from, to] = [from.slice(0, -1), to.slice(0, -1)]
  while (from.length > 0 && to.length > 0 && from[0] === to[0])
    [start1, from, to] = [start1 + 1, from.slice(1), to.slice(1)]
  return from === '' && to === '' ? null : { start1, end1: start1 + from.length - 1, from, to }
}

interface Change {
  start1: number
  /** Before `start1` for an insertion. */
  end1: number
  from: string
  to: string
}

interface Reported {
  consequences: string[]
  aminoAcids: string | null
  coding: boolean
}

const consequencesInTranscript = (
  transcript: TranscriptModel,
  strand: GeneModel['strand'],
  table: number,
  change: Change,
  fetch: (start1: number, end1: number) => string,
): Reported | null => {
  const overlaps = ({ start1, end1 }: { start1: number; end1: number }): boolean =>
    change.end1 < change.start1
      ? change.start1 > start1 && change.start1 <= end1
      : change.start1 <= end1 && change.end1 >= start1
  if (!overlaps(transcript)) return null
  const plain = (name: string): Reported => ({ consequences: [name], aminoAcids: null, coding: false })
  const spliced = splicingConsequence(transcript, strand, change)
  if (spliced === 'splice_acceptor' || spliced === 'splice_donor') return plain(spliced)
  const together = (reported: Reported): Reported =>
    spliced === null ? reported : { ...reported, consequences: [...reported.consequences, spliced] }
  if (transcript.cds.some(overlaps))
    return transcript.readingOrder === undefined
      ? together(codingConsequences(transcript, strand, table, change, fetch))
      : plain('coding_sequence')
  if (!transcript.exons.some(overlaps)) return together(plain('intron'))
  if (transcript.cds.length === 0) return together(plain('non_coding'))
  const before = change.start1 < transcript.cds[0]!.start1
  return together(plain(before === (strand !== '-') ? '5_prime_utr' : '3_prime_utr'))
}

const splicingConsequence = (
  { exons }: TranscriptModel,
  strand: GeneModel['strand'],
  { start1, end1 }: Change,
): 'splice_acceptor' | 'splice_donor' | 'splice_region' | null => {
  let region = false
  for (let number = 0; number + 1 < exons.length; number += 1) {
    const [first1, last1] = [exons[number]!.end1 + 1, exons[number + 1]!.start1 - 1]
    if (last1 < first1) continue
    const touches = (low1: number, high1: number): boolean => start1 <= high1 && Math.max(start1, end1) >= low1
    if (end1 >= start1 && touches(first1, first1 + spliceSiteBp - 1))
      return strand === '-' ? 'splice_acceptor' : 'splice_donor'
    if (end1 >= start1 && touches(last1 - spliceSiteBp + 1, last1))
      return strand === '-' ? 'splice_donor' : 'splice_acceptor'
    if (
      touches(first1 - spliceRegionBp.exon, first1 + spliceRegionBp.intron - 1) ||
      touches(last1 - spliceRegionBp.intron + 1, last1 + spliceRegionBp.exon)
    )
      region = true
  }
  return region ? 'splice_region' : null
}

/**
 * The coding sequence without and with a change, from `phase` bases behind its first on; `start0` is where they begin to differ. Null over
 * the edge of a coding part, where the new sequence is not known, and before the first whole codon.
 */
export const changeCoding = (
  transcript: Pick<TranscriptModel, 'cds'>,
  strand: GeneModel['strand'],
  { start1, end1, from, to }: Change,
  fetch: (start1: number, end1: number) => string,
): { old: string; made: string; start0: number; phase: 0 | 1 | 2 } | null => {
  const part = transcript.cds.find((one) => start1 >= one.start1 && Math.max(start1, end1) <= one.end1)
  if (part === undefined) return null
  const { sequence, phase } = codingSequence(transcript, strand, fetch)
  let before = 0
  for (const one of strand === '-' ? [...transcript.cds].reverse() : transcript.cds) {
    if (one === part) break
    before += one.end1 - one.start1 + 1
  }
  const at0 = before + (strand === '-' ? part.end1 - Math.max(start1 - 1, end1) : start1 - part.start1)
  const added = strand === '-' ? reverseComplement(to) : to
  const old = sequence.slice(phase)
  const start0 = at0 - phase
  return start0 < 0
    ? null
    : { old, made: old.slice(0, start0) + added + old.slice(start0 + from.length), start0, phase }
}

const codingConsequences = (
  transcript: TranscriptModel,
  strand: GeneModel['strand'],
  table: number,
  change: Change,
  fetch: (start1: number, end1: number) => string,
): Reported => {
  const { start1, end1, from, to } = change
  if (!transcript.cds.some((one) => start1 >= one.start1 && Math.max(start1, end1) <= one.end1))
    return {
      consequences: [from.length === to.length ? 'coding_sequence' : 'frameshift'],
      aminoAcids: null,
      coding: true,
    }
  const shift = Math.abs(from.length - to.length)
  if (shift % 3 !== 0) return { consequences: ['frameshift'], aminoAcids: null, coding: true }
  const changed = changeCoding(transcript, strand, change, fetch)
  if (changed === null) return { consequences: ['coding_sequence'], aminoAcids: null, coding: true }
  const { old, made, start0 } = changed
  const firstCodon = Math.floor(start0 / 3)
  const complete = changed.phase === 0
  // Whole codons that hold the change, and as many more or fewer of the new sequence as the change adds or takes.
  const oldEnd0 = (Math.floor((start0 + Math.max(1, from.length) - 1) / 3) + 1) * 3
  const newEnd0 = oldEnd0 + to.length - from.length
  const codons = (text: string, first: number, end0: number): string =>
    translate(text.slice(first * 3, end0), { table, firstCodonIsStart: complete && first === 0 })
  const [oldResidues, newResidues] = [codons(old, firstCodon, oldEnd0), codons(made, firstCodon, newEnd0)]
  // Where nothing is left the residue before is named, too.
  const named = to.length < from.length && newResidues === '' && firstCodon > 0 ? firstCodon - 1 : firstCodon
  const [shownOld, shownNew] = [codons(old, named, oldEnd0), codons(made, named, newEnd0)]
  const residue = named + 1
  const aminoAcids = shownOld === shownNew ? `${residue}${shownOld}` : `${residue}${shownOld}>${residue}${shownNew}`
  const say = (...consequences: string[]): Reported => ({ consequences, aminoAcids, coding: true })
  const starts = (text: string): boolean =>
    translate(text.slice(0, 3), { table, firstCodonIsStart: true }).startsWith('M')
  if (complete && firstCodon === 0 && starts(old))
    return say(starts(made) ? (oldResidues === newResidues ? 'synonymous' : 'start_retained') : 'start_lost')
  const oldStop = oldResidues.indexOf('*')
  const newStop = newResidues.indexOf('*')
  const atEnd = oldEnd0 === Math.floor(old.length / 3) * 3
  if (from.length !== to.length) {
    const kind = from.length < to.length ? 'inframe_insertion' : 'inframe_deletion'
    if (newStop >= 0 && oldStop < 0) return say('stop_gained', kind)
    if (oldStop >= 0 && atEnd) return newStop >= 0 ? say(kind, 'stop_retained') : say('stop_lost', kind)
    return say(kind)
  }
  // A model may have stops within, where it is broken or read by another code: a substitution gains and loses them as it does the last
  // (bcftools csq; Ensembl compares the peptides in the same way).
  if (newStop >= 0 && (oldStop < 0 || newStop < oldStop)) return say('stop_gained')
  if (oldStop >= 0 && (newStop < 0 || newStop > oldStop)) return say('stop_lost')
  if (oldStop >= 0 && atEnd) return say('stop_retained')
  return say(oldResidues === newResidues ? 'synonymous' : 'missense')
}
