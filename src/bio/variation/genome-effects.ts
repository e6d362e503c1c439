// What all the changes together do to a gene that another genome has of it. Taken one by one, two bases of a codon may each make a stop
// that the genome has not, and a frameshift that the next indel mends counts as one (Danecek & McCarthy 2017, Bioinformatics 33:2037).

import type { GeneModel, TranscriptModel } from '../annotation/gene-models.ts'
import { codingSequence } from '../sequence/coding-sequence.ts'
import { translate } from '../sequence/genetic-codes.ts'
import { reverseComplement } from '../sequence/sequence.ts'
import { codingEffects } from './coding-consequences.ts'
import { needsProtein, proteinChange } from './protein-change.ts'

/** Forward bases that another genome has instead: `from` is empty of an insertion, which stands before `start1`, `to` of a deletion. */
export interface GenomeChange {
  start1: number
  from: string
  to: string
}

/** What changes that are read together do to a transcript. */
export interface GenomeEffect<Change extends GenomeChange = GenomeChange> {
  transcript: string
  /** Those that make it, in the order of reading. */
  changes: Change[]
  /** Names of bio/variation/consequences.ts, the gravest first. */
  consequences: string[]
  /** As HGVS writes it; null where no protein changes. */
  hgvs: string | null
}

/** A change within one coding part, in bases of the coding sequence as it is read, from 0. */
interface CodingChange<Change> {
  change: Change
  start0: number
  end0: number
  to: string
}

const placeCoding = <Change extends GenomeChange>(
  { cds }: TranscriptModel,
  strand: GeneModel['strand'],
  change: Change,
): CodingChange<Change> | null => {
  const end1 = change.start1 + change.from.length - 1
  let before = 0
  for (const one of strand === '-' ? [...cds].reverse() : cds) {
    // An insertion before the first base of a part is none of its own.
    const isWithin =
      change.from === ''
        ? change.start1 > one.start1 && change.start1 <= one.end1
        : change.start1 >= one.start1 && end1 <= one.end1
    if (isWithin) {
      const start0 = before + (strand === '-' ? one.end1 - end1 : change.start1 - one.start1)
      const to = strand === '-' ? reverseComplement(change.to, { rna: false }) : change.to
      return { change, start0, end0: start0 + change.from.length, to }
    }
    before += one.end1 - one.start1 + 1
  }
  return null
}

const shiftOf = ({ start0, end0, to }: CodingChange<unknown>): number => to.length - (end0 - start0)

/** The bases of `[start0, end0)` with the changes that lie there. */
const applyTo = (bases: string, changes: readonly CodingChange<unknown>[], start0: number, end0: number): string => {
  let made = ''
  let at0 = start0
  for (const one of changes) {
    made += bases.slice(at0, one.start0) + one.to
    at0 = one.end0
  }
  return made + bases.slice(at0, end0)
}

/** Changes that are read together: of one codon, and from where the frame is left to where it is found again. */
const groupChanges = <Change>(changes: readonly CodingChange<Change>[], phase: number): CodingChange<Change>[][] => {
  const groups: CodingChange<Change>[][] = []
  let shift = 0
  let lastCodon = -1
  for (const one of changes) {
    const first = Math.floor((one.start0 - phase) / 3)
    const last = Math.floor((Math.max(one.start0, one.end0 - 1) - phase) / 3)
    if (shift % 3 !== 0 || first <= lastCodon) groups.at(-1)!.push(one)
    else {
      groups.push([one])
      shift = 0
    }
    shift += shiftOf(one)
    lastCodon = last
  }
  return groups
}

const readTranscript = <Change extends GenomeChange>(
  gene: GeneModel,
  transcript: TranscriptModel,
  table: number,
  coding: readonly CodingChange<Change>[],
  fetch: (start1: number, end1: number) => string,
): GenomeEffect<Change>[] => {
  const read = codingSequence(transcript, gene.strand, fetch)
  const { phase } = read
  const sequence = read.sequence.toUpperCase()
  const options = { table, firstCodonIsStart: phase === 0 }
  const protein = translate(sequence.slice(phase), options)
  // What does not read in its own genome (a pseudogene, a wrong model) has nothing to lose.
  if (protein.slice(0, -1).includes('*')) return []
  const effects: GenomeEffect<Change>[] = []
  for (const group of groupChanges(coding, phase)) {
    const tell = (consequences: string[], hgvs: string | null, last = group.length): void => {
      const changes = group.slice(0, last).map(({ change }) => change)
      effects.push({ transcript: transcript.id, changes, consequences, hgvs })
    }
    const [start0, end0] = [group[0]!.start0, Math.max(...group.map((one) => one.end0))]
    const lead = group.find((one) => shiftOf(one) % 3 !== 0)
    const shift = group.reduce((sum, one) => sum + shiftOf(one), 0)
    // Of few changes the whole protein is asked for.
    const translateWhole = (): string => translate(applyTo(sequence, group, 0, sequence.length).slice(phase), options)
    if (lead !== undefined) {
      const whole = translateWhole()
      const codon = Math.floor((lead.start0 - phase) / 3)
      const stop = whole.indexOf('*', codon)
      // The last residue of what lies in the other frame.
      const foundAgain = Math.floor((end0 + shift - phase) / 3)
      if (shift % 3 !== 0 || (stop !== -1 && stop < foundAgain && stop < whole.length - 1)) {
        const [own, made] = [protein.slice(codon) || 'X', whole.slice(codon, stop === -1 ? undefined : stop + 1) || 'X']
        const hgvs = proteinChange(`${codon + 1}${own}>${codon + 1}${made}`, ['frameshift'], null)
        // Those behind it are read in the other frame: they are no cause of it.
        tell(['frameshift'], hgvs, group.indexOf(lead) + 1)
        // Nothing behind it is read any more.
        break
      }
    }
    const spliced: TranscriptModel = {
      ...transcript,
      start1: 1,
      end1: sequence.length,
      exons: [{ ...transcript.exons[0]!, start1: 1, end1: sequence.length }],
      cds: [{ ...transcript.cds[0]!, start1: 1, end1: sequence.length, phase }],
    }
    const [effect] = codingEffects(
      { ...gene, start1: 1, end1: sequence.length, strand: '+', transcripts: [spliced] },
      table,
      {
        position1: start0 + 1,
        reference: sequence.slice(start0, end0),
        alternate: applyTo(sequence, group, start0, end0),
        allele: 1,
      },
      (from1, to1) => sequence.slice(from1 - 1, to1),
    )
    if (effect === undefined) continue
    const { consequences, aminoAcids } = effect
    const proteins =
      aminoAcids !== null && needsProtein(aminoAcids, consequences)
        ? { before: protein, after: translateWhole() }
        : null
    // An insertion that repeats the protein's own end before its stop takes nothing from it.
    const isKept = proteins !== null && protein.endsWith('*') && proteins.after.startsWith(protein)
    tell(
      isKept ? consequences.map((name) => (name === 'stop_gained' ? 'stop_retained' : name)) : consequences,
      aminoAcids === null ? null : proteinChange(aminoAcids, consequences, proteins),
    )
    if (consequences.includes('stop_gained')) break
  }
  return effects
}

/**
 * What the changes that a genome has in a gene do to each of its transcripts, read together under the gene's own genetic code. `changes`
 * do not overlap; `fetch` gives bases from start1 to end1 of the gene's sequence. Nothing is told behind the first stop or frameshift that
 * is not mended, and of coding sequence that has stops of its own.
 *
 * Example: of `ATGTTAGGG…`, T to A at 4 and T to G at 5 are one change of Leu2 to Arg, not of Leu2 to a stop, which the second alone is.
 */
export const genomeEffects = <Change extends GenomeChange>(
  gene: GeneModel,
  table: number,
  changes: readonly Change[],
  fetch: (start1: number, end1: number) => string,
): GenomeEffect<Change>[] =>
  gene.transcripts.flatMap((transcript) => {
    const coding: CodingChange<Change>[] = []
    const others: Change[] = []
    for (const change of changes) {
      const placed = transcript.readingOrder === undefined ? placeCoding(transcript, gene.strand, change) : null
      if (placed === null) others.push(change)
      else coding.push(placed)
    }
    coding.sort((a, b) => a.start0 - b.start0 || a.end0 - b.end0)
    const single = others.flatMap((change): GenomeEffect<Change>[] =>
      codingEffects(
        { ...gene, transcripts: [transcript] },
        table,
        { position1: change.start1, reference: change.from, alternate: change.to, allele: 1 },
        fetch,
      ).map(({ consequences }) => ({ transcript: transcript.id, changes: [change], consequences, hgvs: null })),
    )
    const phase = coding.length === 0 ? 0 : codingSequence(transcript, gene.strand, fetch).phase
    const readable = coding.filter(({ start0 }) => start0 >= phase)
    return [...(readable.length === 0 ? [] : readTranscript(gene, transcript, table, readable, fetch)), ...single]
  })
