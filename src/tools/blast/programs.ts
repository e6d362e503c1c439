import type { Alphabet } from '../../bio/sequence/sequence.ts'

// What the five programs take and what they accept, as BLAST+ 2.12 behaves.

export const programs = ['blastn', 'blastp', 'blastx', 'tblastn', 'tblastx'] as const
export type Program = (typeof programs)[number]

export const databaseKinds = ['genome', 'transcript', 'cds', 'protein'] as const
export type DatabaseKind = (typeof databaseKinds)[number]

export const alphabetOfKind = (kind: DatabaseKind): Alphabet => (kind === 'protein' ? 'protein' : 'nucleotide')

/** Alphabet of a database by its name: `alphabetOfDatabase('R64/protein')` is `protein`. */
export const alphabetOfDatabase = (name: string): Alphabet =>
  alphabetOfKind(name.slice(name.lastIndexOf('/') + 1) as DatabaseKind)

export const tasks = [
  'megablast',
  'dc-megablast',
  'blastn',
  'blastn-short',
  'blastp',
  'blastp-fast',
  'blastp-short',
  'blastx',
  'blastx-fast',
  'tblastn',
  'tblastn-fast',
] as const
export type Task = (typeof tasks)[number]

export const matrices = [
  'BLOSUM45',
  'BLOSUM50',
  'BLOSUM62',
  'BLOSUM80',
  'BLOSUM90',
  'PAM30',
  'PAM70',
  'PAM250',
] as const
export type Matrix = (typeof matrices)[number]

export interface ProgramFacts {
  query: Alphabet
  database: Alphabet
  /** Tasks in the order offered, the program's own default first; none for tblastx. */
  tasks: readonly Task[]
  /** Whether the query, or the database, is translated: then a genetic code matters. */
  translatesQuery: boolean
  translatesDatabase: boolean
  /** Whether residues are scored by a matrix rather than by match and mismatch. */
  usesMatrix: boolean
  gapped: boolean
  /** Bounds of `-word_size` with which the program runs. */
  wordSize: { minimum: number; maximum: number }
}

export const programFacts: Record<Program, ProgramFacts> = {
  blastn: {
    query: 'nucleotide',
    database: 'nucleotide',
    tasks: ['megablast', 'dc-megablast', 'blastn', 'blastn-short'],
    translatesQuery: false,
    translatesDatabase: false,
    usesMatrix: false,
    gapped: true,
    wordSize: { minimum: 4, maximum: 256 },
  },
  blastp: {
    query: 'protein',
    database: 'protein',
    tasks: ['blastp', 'blastp-fast', 'blastp-short'],
    translatesQuery: false,
    translatesDatabase: false,
    usesMatrix: true,
    gapped: true,
    wordSize: { minimum: 2, maximum: 7 },
  },
  blastx: {
    query: 'nucleotide',
    database: 'protein',
    tasks: ['blastx', 'blastx-fast'],
    translatesQuery: true,
    translatesDatabase: false,
    usesMatrix: true,
    gapped: true,
    wordSize: { minimum: 2, maximum: 7 },
  },
  tblastn: {
    query: 'protein',
    database: 'nucleotide',
    tasks: ['tblastn', 'tblastn-fast'],
    translatesQuery: false,
    translatesDatabase: true,
    usesMatrix: true,
    gapped: true,
    wordSize: { minimum: 2, maximum: 7 },
  },
  tblastx: {
    query: 'nucleotide',
    database: 'nucleotide',
    tasks: [],
    translatesQuery: true,
    translatesDatabase: true,
    usesMatrix: true,
    gapped: false,
    wordSize: { minimum: 2, maximum: 5 },
  },
}

/** Programs that fit what is searched with and in; null means not known yet and fits everything. */
export const offerPrograms = (query: Alphabet | null, database: Alphabet | null): Program[] =>
  programs.filter(
    (program) =>
      (query === null || programFacts[program].query === query) &&
      (database === null || programFacts[program].database === database),
  )

// Gap costs (existence, extension) for which BLAST has statistics; those accepted by `blastp -matrix M -gapopen O -gapextend E`
// of 2.12, every O to 20 and E to 5 tried. The first is what blastp uses
// when only the matrix is given.
export const matrixGapCosts: Record<Matrix, readonly string[]> = {
  BLOSUM45: ['14,2', '10,3', '11,3', '12,2', '12,3', '13,2', '13,3', '15,2', '16,1', '16,2', '17,1', '18,1', '19,1'],
  BLOSUM50: [
    '13,2',
    '9,3',
    '10,3',
    '11,3',
    '12,2',
    '12,3',
    '13,3',
    '14,2',
    '15,1',
    '15,2',
    '16,1',
    '16,2',
    '17,1',
    '18,1',
    '19,1',
  ],
  BLOSUM62: ['11,1', '6,2', '7,2', '8,2', '9,1', '9,2', '10,1', '10,2', '11,2', '12,1', '13,1'],
  BLOSUM80: ['10,1', '6,2', '7,2', '8,2', '9,1', '9,2', '11,1', '13,2'],
  BLOSUM90: ['10,1', '6,2', '7,2', '8,2', '9,1', '9,2', '11,1'],
  PAM30: ['9,1', '5,2', '6,2', '7,2', '8,1', '10,1', '13,3', '14,1', '14,2', '15,3'],
  PAM70: ['10,1', '6,2', '7,2', '8,2', '9,1', '11,1', '11,2', '12,3'],
  PAM250: [
    '14,2',
    '11,3',
    '12,3',
    '13,2',
    '13,3',
    '14,3',
    '15,2',
    '15,3',
    '16,2',
    '17,1',
    '17,2',
    '18,1',
    '19,1',
    '20,1',
  ],
}

interface NucleotideScores {
  /** Match and mismatch as "reward,penalty". */
  scores: string
  gapCosts: readonly string[]
  /** Existence and extension both at least these are accepted too. */
  stringent: readonly [existence: number, extension: number]
}

// Match and mismatch scores in lowest terms with the gap costs that blastn 2.12 accepts for them (its own list in the error
// that it gives for others).
export const nucleotideScores: readonly NucleotideScores[] = [
  { scores: '1,-1', gapCosts: ['3,2', '2,2', '1,2', '0,2', '4,1', '3,1', '2,1'], stringent: [4, 2] },
  { scores: '1,-2', gapCosts: ['2,2', '1,2', '0,2', '3,1', '2,1', '1,1'], stringent: [2, 2] },
  { scores: '1,-3', gapCosts: ['2,2', '1,2', '0,2', '2,1', '1,1'], stringent: [2, 2] },
  { scores: '1,-4', gapCosts: ['2,2', '1,2', '0,2', '2,1', '1,1'], stringent: [2, 2] },
  { scores: '1,-5', gapCosts: ['3,3'], stringent: [3, 3] },
  { scores: '2,-3', gapCosts: ['5,2', '4,4', '2,4', '0,4', '3,3', '6,2', '4,2', '2,2'], stringent: [6, 4] },
  { scores: '2,-5', gapCosts: ['2,4', '0,4', '4,2', '2,2'], stringent: [4, 4] },
  { scores: '2,-7', gapCosts: ['2,4', '0,4', '4,2', '2,2'], stringent: [4, 4] },
  { scores: '3,-2', gapCosts: ['5,5'], stringent: [5, 5] },
  { scores: '3,-4', gapCosts: ['6,3', '5,3', '4,3', '6,2', '5,2', '4,2'], stringent: [6, 3] },
  { scores: '4,-5', gapCosts: ['6,5', '5,5', '4,5', '3,5'], stringent: [12, 8] },
  { scores: '5,-4', gapCosts: ['10,6', '8,6'], stringent: [25, 10] },
]

/** Defaults that a task fills in where the form is left empty. `gapCosts` of megablast are linear: "0,0". */
export interface TaskDefaults {
  evalue: number
  wordSize: number
  scores: string | null
  matrix: Matrix | null
  gapCosts: string | null
}

// Word sizes, scores and matrices are those of BLAST+ 2.12 for each task ("BLAST Command Line Applications User Manual", table
// of options). The e-value is ours: 1e-5 keeps chance hits out of a genome search, while for queries of a few residues even
// perfect matches do not get there, so that the programs' own 10 is left to the tasks for short queries.
const usualEvalue = 1e-5
const shortEvalue = 10

export const taskDefaults = (program: Program, task: Task | null): TaskDefaults => {
  const protein = (wordSize: number): TaskDefaults => ({
    evalue: usualEvalue,
    wordSize,
    scores: null,
    matrix: 'BLOSUM62',
    gapCosts: '11,1',
  })
  switch (task ?? programFacts[program].tasks[0] ?? null) {
    case 'megablast':
      return { evalue: usualEvalue, wordSize: 28, scores: '1,-2', matrix: null, gapCosts: '0,0' }
    case 'dc-megablast':
    case 'blastn':
      return { evalue: usualEvalue, wordSize: 11, scores: '2,-3', matrix: null, gapCosts: '5,2' }
    case 'blastn-short':
      return { evalue: shortEvalue, wordSize: 7, scores: '1,-3', matrix: null, gapCosts: '5,2' }
    case 'blastp-short':
      return { evalue: shortEvalue, wordSize: 2, scores: null, matrix: 'PAM30', gapCosts: '9,1' }
    case 'blastp-fast':
    case 'blastx-fast':
    case 'tblastn-fast':
      return protein(fastWordSize)
    case null:
      return { ...protein(3), gapCosts: null }
    default:
      return protein(3)
  }
}
const fastWordSize = 6

/** Whether blastn has statistics for these scores and gap costs. "0,0" is megablast's linear cost, which every pair but 1,-1 has. */
export const nucleotideGapCostsFit = (scores: string, gapCosts: string): boolean => {
  const entry = nucleotideScores.find((one) => one.scores === scores)
  if (entry === undefined) return false
  if (entry.gapCosts.includes(gapCosts)) return true
  const [existence = -1, extension = -1] = gapCosts.split(',').map(Number)
  return existence >= entry.stringent[0] && extension >= entry.stringent[1]
}

// Genetic codes that BLAST+ 2.12 knows (`-query_gencode`).
export const geneticCodeIds = [
  1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 33,
] as const
