import { fastaDefects } from '../../bio/sequence/fasta-defects.ts'
import { listIllegalLetters } from '../../bio/sequence/illegal-letters.ts'
import { detectAlphabet } from '../../bio/sequence/sequence.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { createNamer } from '../../bio/text/unique-names.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { Leaf, Note } from './tool.ts'

/** A sequence on its way into a tree. */
export interface TreeSequence {
  leaf: Leaf
  /** Upper case; gaps only where it came aligned. */
  sequence: string
  /** NCBI number, for coding sequences. */
  geneticCode: number
}

interface PastedRecord {
  name: string
  description: string
  sequence: string
}

const bareLeaf = (name: string, description: string): Leaf => ({
  name,
  gene: null,
  symbol: null,
  assembly: null,
  species: null,
  description: description === '' ? null : description,
})

/**
 * FASTA as pasted, any line end; gap signs are kept, for the text may be an alignment. Throws beside `field` when there is no header, and
 * for signs that stand in no sequence, with their places.
 */
export const readFasta = (text: string, field: 'sequence' | 'alignment'): PastedRecord[] => {
  const records: { name: string; description: string; pieces: string[] }[] = []
  const log = new DefectLog()
  let line = 0
  for (const row of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    line++
    if (row.startsWith('>')) {
      const [name = '', ...words] = row.slice(1).trim().split(/\s+/)
      records.push({
        name: name === '' ? `sequence_${records.length + 1}` : name,
        description: words.join(' '),
        pieces: [],
      })
      continue
    }
    if (row.startsWith(';') || row.trim() === '') continue
    if (records.length === 0) {
      if (text.includes('>')) throw fieldError([field], 'sequence.noHeader', { line })
      throw fieldError([field], 'sequence.notFasta')
    }
    for (const { 0: character, index } of row.matchAll(/[^A-Za-z*.~\s\d-]/gu))
      log.report(fastaDefects, 'fasta-illegal-character', field, line, () => ({ character, column: index + 1 }))
    records.at(-1)!.pieces.push(
      row
        .replace(/[\s\d]/g, '')
        .replace(/[.~]/g, '-')
        .toUpperCase(),
    )
  }
  const illegal = listIllegalLetters(log)
  if (illegal !== null) throw fieldError([field], 'sequence.illegal', { ...illegal })
  return records.map(({ name, description, pieces }) => ({ name, description, sequence: pieces.join('') }))
}

/** Leaves with a name of their own each, and the note that tells which names occurred again and have a number now. */
export const nameLeavesApart = <One extends { name: string }>(
  leaves: readonly One[],
): { leaves: One[]; notes: Note[] } => {
  const nameOf = createNamer()
  const apart = leaves.map((leaf) => ({ ...leaf, name: nameOf(leaf.name) }))
  const renamed = [...new Set(leaves.flatMap(({ name }, at) => (name === apart[at]!.name ? [] : [name])))]
  const params = { count: renamed.length, names: renamed.slice(0, 10).join(', ') }
  return { leaves: apart, notes: renamed.length === 0 ? [] : [{ id: 'note.renamed', params }] }
}

interface PastedSequences {
  sequences: TreeSequence[]
  alphabet: 'nucleotide' | 'protein'
  notes: Note[]
}

/** Pasted sequences with their kind, told from all letters together. Rejects beside the field. */
export const readPasted = (text: string, geneticCode: number): PastedSequences => {
  if (text.trim() === '') throw fieldError(['sequence'], 'sequence.none')
  const records = readFasta(text, 'sequence')
  const empty = records.find(({ sequence }) => sequence.replaceAll('-', '') === '')
  if (empty !== undefined) throw fieldError(['sequence'], 'sequence.empty', { name: empty.name.slice(0, 60) })
  const alphabet = detectAlphabet(records.map(({ sequence }) => sequence.slice(0, 5000)).join(''))
  if (alphabet === null) throw fieldError(['sequence'], 'sequence.none')
  for (const { name, sequence } of records) {
    const wrong = alphabet === 'nucleotide' ? /[^ACGTURYSWKMBDHVNX-]/.exec(sequence)?.[0] : undefined
    if (wrong !== undefined)
      throw fieldError(['sequence'], 'sequence.notBases', { name: name.slice(0, 60), character: wrong })
  }
  const { leaves, notes } = nameLeavesApart(records.map(({ name, description }) => bareLeaf(name, description)))
  const sequences = records.map(({ sequence }, at) => ({ leaf: leaves[at]!, sequence, geneticCode }))
  return { sequences, alphabet, notes }
}
