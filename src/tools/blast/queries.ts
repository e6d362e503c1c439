import { type FastaRecord, parseFastaText } from '../../bio/sequence/fasta.ts'
import { listIllegalLetters } from '../../bio/sequence/illegal-letters.ts'
import { type Alphabet, detectAlphabet } from '../../bio/sequence/sequence.ts'

/** One thing wrong with a text of sequences; a message id of the tool. */
export interface SequenceProblem {
  message:
    | 'sequence.illegal'
    | 'sequence.isProtein'
    | 'sequence.isNucleotide'
    | 'sequence.empty'
    | 'sequence.noRecord'
    | 'sequence.binary'
    | 'sequence.twice'
  params: Record<string, string | number>
}

export interface SequenceText {
  records: FastaRecord[]
  problems: SequenceProblem[]
}

/** Problems told at once; a wrong file has thousands of the same. */
const reportedProblems = 5

/**
 * Reads sequences as people paste them: FASTA with any line end, or bare residues (numbers and blanks in between are left out).
 * What is wrong is told with line or name; records are then not to be used. Names may repeat unless `uniqueNames`.
 *
 * Example: `parseSequences('>a\r\nACGU N\r\n', 'nucleotide').records` is `[{name: 'a', description: '', sequence: 'ACGUN'}]`.
 */
export const parseSequences = (
  text: string,
  alphabet: Alphabet,
  options: { uniqueNames?: boolean } = {},
): SequenceText => {
  if (text.includes('\0')) return { records: [], problems: [{ message: 'sequence.binary', params: {} }] }
  if (text.trim() === '') return { records: [], problems: [{ message: 'sequence.noRecord', params: {} }] }
  const { records, log } = parseFastaText(text, { alphabet })
  const problems: SequenceProblem[] = []
  const other = alphabet === 'nucleotide' ? 'sequence.isProtein' : 'sequence.isNucleotide'
  for (const record of records) {
    if (record.sequence === '') problems.push({ message: 'sequence.empty', params: { name: record.name } })
    // The records hold what was legal; for the guess the letters as typed matter, and only one wrong way round is certain:
    // letters that no base code has. A protein of A, C, G and T alone is told apart by length.
    else if (alphabet === 'protein' && looksNucleotide(record.sequence))
      problems.push({ message: other, params: { name: record.name } })
  }
  if (alphabet === 'nucleotide')
    for (const name of proteinRecords(text)) problems.push({ message: other, params: { name } })
  if (problems.length === 0) {
    const illegal = listIllegalLetters(log)
    if (illegal !== null) problems.push({ message: 'sequence.illegal', params: { ...illegal } })
    for (const defect of log.defects) {
      if (defect.code === 'text-binary') problems.push({ message: 'sequence.binary', params: {} })
      else if (defect.code === 'fasta-no-sequences') problems.push({ message: 'sequence.noRecord', params: {} })
      else if (defect.code === 'fasta-duplicate-name' && options.uniqueNames === true)
        problems.push({
          message: 'sequence.twice',
          params: { name: String(defect.params.name ?? ''), line: defect.line ?? 0 },
        })
    }
  }
  if (problems.length === 0 && records.length === 0) problems.push({ message: 'sequence.noRecord', params: {} })
  return { records, problems: problems.slice(0, reportedProblems) }
}

/** A peptide shorter than this may well consist of A, C, G, N and T alone. */
const certainLength = 25

const looksNucleotide = (sequence: string): boolean =>
  sequence.length >= certainLength && detectAlphabet(sequence) === 'nucleotide'

/** Names of the records whose letters are those of a protein. */
const proteinRecords = (text: string): string[] =>
  splitRecords(text).flatMap(({ name, residues }) => (detectAlphabet(residues) === 'protein' ? [name] : []))

/** Header words and raw residues, without any judgement. */
const splitRecords = (text: string): { name: string; residues: string }[] =>
  text
    .split(/^[ \t]*>/m)
    .map((part, number) => {
      const end = number === 0 ? -1 : part.search(/[\r\n]/)
      const head = number === 0 ? '' : end < 0 ? part : part.slice(0, end)
      return {
        name: head.trim().split(/\s+/)[0] || 'sequence_1',
        residues: end < 0 && number > 0 ? '' : part.slice(end + 1),
      }
    })
    .filter(({ residues }) => residues.trim() !== '')

/** What was typed, for offering programs while it is being typed: the kind of its first records and how many there are. */
export const glanceAtSequences = (text: string): { alphabet: Alphabet | null; count: number; residues: number } => {
  const records = splitRecords(text)
  const first = records.slice(0, 20).map((record) => detectAlphabet(record.residues.slice(0, 5000)))
  return {
    alphabet: first.includes('protein') ? 'protein' : (first[0] ?? null),
    count: records.length,
    residues: records.reduce((sum, record) => sum + record.residues.replace(/[^A-Za-z*]/g, '').length, 0),
  }
}
