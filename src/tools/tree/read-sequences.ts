import { detectAlphabet } from '../../bio/sequence.ts'
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
 * FASTA as pasted, any line end; gap signs are kept, for the text may be an alignment. Rejects beside `field` at the first sign that
 * stands in no sequence, with its line.
 */
export const readFasta = (text: string, field: 'sequence' | 'alignment'): PastedRecord[] => {
  const records: { name: string; description: string; pieces: string[] }[] = []
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
    const residues = row.replace(/[\s\d]/g, '').replace(/[.~]/g, '-')
    const wrong = /[^A-Za-z*-]/u.exec(residues)
    if (wrong !== null)
      throw fieldError([field], 'sequence.illegal', {
        line,
        character: String.fromCodePoint(residues.codePointAt(wrong.index)!),
        name: records.at(-1)!.name.slice(0, 60),
      })
    records.at(-1)!.pieces.push(residues.toUpperCase())
  }
  return records.map(({ name, description, pieces }) => ({ name, description, sequence: pieces.join('') }))
}

/** Gives every leaf a name of its own: the second `a` becomes `a_2`; `renamed` are the names that occurred again. */
export const makeNamesUnique = (sequences: TreeSequence[]): { sequences: TreeSequence[]; renamed: string[] } => {
  const taken = new Set(sequences.map(({ leaf }) => leaf.name))
  const seen = new Set<string>()
  const renamed = new Set<string>()
  const unique = sequences.map((one) => {
    const { name } = one.leaf
    if (!seen.has(name)) {
      seen.add(name)
      return one
    }
    renamed.add(name)
    let number = 2
    while (taken.has(`${name}_${number}`)) number++
    taken.add(`${name}_${number}`)
    return { ...one, leaf: { ...one.leaf, name: `${name}_${number}` } }
  })
  return { sequences: unique, renamed: [...renamed] }
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
  const { sequences, renamed } = makeNamesUnique(
    records.map(({ name, description, sequence }) => ({ leaf: bareLeaf(name, description), sequence, geneticCode })),
  )
  const notes: Note[] =
    renamed.length === 0
      ? []
      : [{ id: 'note.renamed', params: { count: renamed.length, names: renamed.slice(0, 10).join(', ') } }]
  return { sequences, alphabet, notes }
}
