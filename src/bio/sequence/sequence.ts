// Residues: complements, alphabets, composition, masses.

// Complements of the IUPAC nucleotide codes (Cornish-Bowden 1985, Nucleic Acids Research 13:3021). S, W, N and the gap signs
// are their own.
const complementPairs = 'AT CG GC TA RY YR SS WW KM MK BV VB DH HD NN XX -- ..'

function makeComplementTable(rna: boolean): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, code) => code)
  const set = (from: string, to: string) => {
    table[from.charCodeAt(0)] = to.charCodeAt(0)
    table[from.toLowerCase().charCodeAt(0)] = to.toLowerCase().charCodeAt(0)
  }
  for (const pair of complementPairs.split(' ')) set(pair[0]!, pair[1]!)
  set('U', 'A')
  if (rna) set('A', 'U')
  return table
}

const dnaComplement = makeComplementTable(false)
const rnaComplement = makeComplementTable(true)

export interface ComplementOptions {
  /** Write U for the complement of A. Unless given: when the sequence has a U and no T. */
  rna?: boolean
}

function getComplementTable(sequence: string, options: ComplementOptions): Uint8Array {
  const rna = options.rna ?? (/u/i.test(sequence) && !/t/i.test(sequence))
  return rna ? rnaComplement : dnaComplement
}

const decodeAscii = new TextDecoder('latin1')

/**
 * The complement, base by base, in the same direction. IUPAC codes are complemented, case is kept (soft masking), other
 * characters stay as they are.
 *
 * Example: `complement('ACGTRYn-')` is `TGCAYRn-`.
 */
export function complement(sequence: string, options: ComplementOptions = {}): string {
  const table = getComplementTable(sequence, options)
  const result = new Uint8Array(sequence.length)
  for (let index = 0; index < result.length; index++) result[index] = table[sequence.charCodeAt(index) & 255]!
  return decodeAscii.decode(result)
}

/**
 * The reverse complement. IUPAC codes are complemented, case is kept (soft masking).
 *
 * Example: `reverseComplement('AACgtR')` is `YacGTT`; `reverseComplement('AUG')` is `CAU`.
 */
export function reverseComplement(sequence: string, options: ComplementOptions = {}): string {
  const table = getComplementTable(sequence, options)
  const last = sequence.length - 1
  const result = new Uint8Array(sequence.length)
  for (let index = 0; index <= last; index++) result[last - index] = table[sequence.charCodeAt(index) & 255]!
  return decodeAscii.decode(result)
}

export type Alphabet = 'nucleotide' | 'protein'

// Letters that stand for amino acids and for no nucleotide code.
const proteinOnly = /[EFIJLOPQZ*]/gi
// A peptide has about a third of its residues among A, C, G, T, U and N, while a sequence of bases has most of them there,
// even a consensus that is full of IUPAC codes for polymorphic sites.
const nucleotideShare = 0.5
// In bases, a letter of a protein is a slip of the keyboard; more of them make it a protein.
const slipShare = 0.02

/**
 * Guesses what was pasted: `nucleotide`, `protein`, or null when there is no letter. Blanks, digits and gaps are ignored.
 * A peptide written only with A, C, G, T, N is taken for nucleotides, as every guess must.
 *
 * Example: `detectAlphabet('MSTNPKPQRKTK')` is `protein`; `detectAlphabet('acgtnnryACGT')` is `nucleotide`.
 */
export function detectAlphabet(sequence: string): Alphabet | null {
  const letters = sequence.replace(/[^A-Za-z*]/g, '')
  if (!/[A-Za-z]/.test(letters)) return null
  const sure = letters.match(/[ACGTUN]/gi)?.length ?? 0
  const foreign = letters.match(proteinOnly)?.length ?? 0
  if (foreign > letters.length * slipShare) return 'protein'
  return sure >= letters.length * nucleotideShare ? 'nucleotide' : 'protein'
}

/**
 * Share of G and C among the unambiguous bases: (G + C + S) / (A + C + G + T + U + S + W), any case. Null when there is
 * none of them (only N).
 *
 * Example: `gcContent('ggccATNNNN')` is 4 / 6.
 */
export function gcContent(sequence: string): number | null {
  let strong = 0
  let weak = 0
  for (let index = 0; index < sequence.length; index++) {
    switch (sequence.charCodeAt(index) | 32) {
      case 103: // g
      case 99: // c
      case 115: // s, G or C
        strong++
        break
      case 97: // a
      case 116: // t
      case 117: // u
      case 119: // w, A or T
        weak++
    }
  }
  return strong + weak === 0 ? null : strong / (strong + weak)
}

/**
 * A FASTA record with lines of `width` residues (60 unless given), ending with a newline.
 *
 * Example: `wrapFasta('x', 'ACGTA', 2)` is `>x\nAC\nGT\nA\n`.
 */
export function wrapFasta(header: string, sequence: string, width = 60): string {
  const lines = [`>${header}`]
  for (let start = 0; start < sequence.length; start += width) lines.push(sequence.slice(start, start + width))
  lines.push('')
  return lines.join('\n')
}

/** Number of amino acids, without stops, gaps and blanks. Example: `proteinLength('MKT*')` is 3. */
export function proteinLength(protein: string): number {
  return protein.length - (protein.match(/[^A-Za-z]/g)?.length ?? 0)
}

/**
 * A protein as every search program reads it: `*` and `.` inside stand for a residue that is not known, at the end for nothing; gaps go,
 * and what is no letter becomes X. Upper case.
 *
 * Example: `cleanProtein('mk.l*v*')` is `MKXLXV`.
 */
export const cleanProtein = (protein: string): string =>
  protein
    .toUpperCase()
    .replace(/[*.]+$/, '')
    .replace(/-/g, '')
    .replace(/[^A-Z]/g, 'X')
