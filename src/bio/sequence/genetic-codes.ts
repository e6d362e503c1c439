// Genetic codes and translation.

export interface GeneticCode {
  /** NCBI number of the table (`transl_table` of GenBank and GFF3). */
  id: number
  name: string
  /** Amino acid of each codon in the order TTT, TTC, TTA, TTG, TCT … GGG; `*` is a stop. */
  aminoAcids: string
  /** For each codon: `M` may start a protein, `*` may end one, `-` neither. */
  starts: string
}

// The tables as the NCBI taxonomy group publishes them (gc.prt, version 4.6; numbers 7, 8 and 17 to 20 were never used or
// withdrawn). In tables 27, 28 and 31 some codons end a protein or are read through by context: there the amino acid
// column holds the amino acid and the start column the `*`.
const tables: readonly [id: number, name: string, aminoAcids: string, starts: string][] = [
  [
    1,
    'Standard',
    'FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '---M------**--*----M---------------M----------------------------',
  ],
  [
    2,
    'Vertebrate mitochondrial',
    'FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSS**VVVVAAAADDEEGGGG',
    '----------**--------------------MMMM----------**---M------------',
  ],
  [
    3,
    'Yeast mitochondrial',
    'FFLLSSSSYY**CCWWTTTTPPPPHHQQRRRRIIMMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '----------**----------------------MM---------------M------------',
  ],
  [
    4,
    'Mold, protozoan and coelenterate mitochondrial; Mycoplasma, Spiroplasma',
    'FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '--MM------**-------M------------MMMM---------------M------------',
  ],
  [
    5,
    'Invertebrate mitochondrial',
    'FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSSSSVVVVAAAADDEEGGGG',
    '---M------**--------------------MMMM---------------M------------',
  ],
  [
    6,
    'Ciliate, dasycladacean and Hexamita nuclear',
    'FFLLSSSSYYQQCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '--------------*--------------------M----------------------------',
  ],
  [
    9,
    'Echinoderm and flatworm mitochondrial',
    'FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNNKSSSSVVVVAAAADDEEGGGG',
    '----------**-----------------------M---------------M------------',
  ],
  [
    10,
    'Euplotid nuclear',
    'FFLLSSSSYY**CCCWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '----------**-----------------------M----------------------------',
  ],
  [
    11,
    'Bacterial, archaeal and plant plastid',
    'FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '---M------**--*----M------------MMMM---------------M------------',
  ],
  [
    12,
    'Alternative yeast nuclear',
    'FFLLSSSSYY**CC*WLLLSPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '----------**--*----M---------------M----------------------------',
  ],
  [
    13,
    'Ascidian mitochondrial',
    'FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSSGGVVVVAAAADDEEGGGG',
    '---M------**----------------------MM---------------M------------',
  ],
  [
    14,
    'Alternative flatworm mitochondrial',
    'FFLLSSSSYYY*CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNNKSSSSVVVVAAAADDEEGGGG',
    '-----------*-----------------------M----------------------------',
  ],
  [
    15,
    'Blepharisma macronuclear',
    'FFLLSSSSYY*QCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '----------*---*--------------------M----------------------------',
  ],
  [
    16,
    'Chlorophycean mitochondrial',
    'FFLLSSSSYY*LCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '----------*---*--------------------M----------------------------',
  ],
  [
    21,
    'Trematode mitochondrial',
    'FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNNKSSSSVVVVAAAADDEEGGGG',
    '----------**-----------------------M---------------M------------',
  ],
  [
    22,
    'Scenedesmus obliquus mitochondrial',
    'FFLLSS*SYY*LCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '------*---*---*--------------------M----------------------------',
  ],
  [
    23,
    'Thraustochytrium mitochondrial',
    'FF*LSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '--*-------**--*-----------------M--M---------------M------------',
  ],
  [
    24,
    'Rhabdopleuridae mitochondrial',
    'FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSSKVVVVAAAADDEEGGGG',
    '---M------**-------M---------------M---------------M------------',
  ],
  [
    25,
    'Candidate division SR1 and Gracilibacteria',
    'FFLLSSSSYY**CCGWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '---M------**-----------------------M---------------M------------',
  ],
  [
    26,
    'Pachysolen tannophilus nuclear',
    'FFLLSSSSYY**CC*WLLLAPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '----------**--*----M---------------M----------------------------',
  ],
  [
    27,
    'Karyorelict nuclear',
    'FFLLSSSSYYQQCCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '--------------*--------------------M----------------------------',
  ],
  [
    28,
    'Condylostoma nuclear',
    'FFLLSSSSYYQQCCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '----------**--*--------------------M----------------------------',
  ],
  [
    29,
    'Mesodinium nuclear',
    'FFLLSSSSYYYYCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '--------------*--------------------M----------------------------',
  ],
  [
    30,
    'Peritrich nuclear',
    'FFLLSSSSYYEECC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '--------------*--------------------M----------------------------',
  ],
  [
    31,
    'Blastocrithidia nuclear',
    'FFLLSSSSYYEECCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '----------**-----------------------M----------------------------',
  ],
  [
    32,
    'Balanophoraceae plastid',
    'FFLLSSSSYY*WCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG',
    '---M------*---*----M------------MMMM---------------M------------',
  ],
  [
    33,
    'Cephalodiscidae mitochondrial UAA-Tyr',
    'FFLLSSSSYYY*CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSSKVVVVAAAADDEEGGGG',
    '---M-------*-------M---------------M---------------M------------',
  ],
]

/** All NCBI genetic codes by number. Example: `geneticCodes.get(4)?.aminoAcids[14]` (TGA in *Mycoplasma*) is `W`. */
export const geneticCodes: ReadonlyMap<number, GeneticCode> = new Map(
  tables.map(([id, name, aminoAcids, starts]) => [id, { id, name, aminoAcids, starts }]),
)

const defaultTable = 1

/** The genetic code of that NCBI number. Throws a RangeError when there is none; `hasGeneticCode` asks beforehand. */
function getGeneticCode(table: number): GeneticCode {
  const code = geneticCodes.get(table)
  if (!code) throw new RangeError(`There is no genetic code ${table}.`)
  return code
}

/** Whether NCBI has a genetic code of that number. Example: `hasGeneticCode(7)` is false (withdrawn). */
export function hasGeneticCode(table: number): boolean {
  return geneticCodes.has(table)
}

// One bit a base, in the order of the tables (T, C, A, G), so that an IUPAC letter is the union of its bases
// (Cornish-Bowden 1985, Nucleic Acids Research 13:3021).
const baseBits = new Uint8Array(256)
for (const [letter, bits] of Object.entries({
  T: 1,
  U: 1,
  C: 2,
  A: 4,
  G: 8,
  Y: 3,
  W: 5,
  M: 6,
  H: 7,
  K: 9,
  S: 10,
  B: 11,
  R: 12,
  D: 13,
  V: 14,
  N: 15,
  X: 15,
})) {
  baseBits[letter.charCodeAt(0)] = bits
  baseBits[letter.toLowerCase().charCodeAt(0)] = bits
}

const stopSign = 42
const unknownSign = 88
const gapSign = 45

interface CodonTable {
  /** Amino acid (character code) by the three base sets of a codon, 4 bits each. */
  aminoAcids: Uint8Array
  /** 1 where every codon meant may start a protein. */
  starts: Uint8Array
}

// Amino acids that one letter stands for together (IUPAC-IUB 1983).
const jointLetters: readonly [members: string, letter: string][] = [
  ['DN', 'B'],
  ['EQ', 'Z'],
  ['IL', 'J'],
]

const codonTables = new Map<number, CodonTable>()

function getCodonTable(table: number): CodonTable {
  const known = codonTables.get(table)
  if (known) return known
  const code = getGeneticCode(table)
  const aminoAcids = new Uint8Array(4096).fill(unknownSign)
  const starts = new Uint8Array(4096)
  for (let first = 1; first < 16; first++) {
    for (let second = 1; second < 16; second++) {
      for (let third = 1; third < 16; third++) {
        const found = new Set<string>()
        let allStart = true
        for (let codon = 0; codon < 64; codon++) {
          if (first & (1 << (codon >> 4)) && second & (1 << ((codon >> 2) & 3)) && third & (1 << (codon & 3))) {
            found.add(code.aminoAcids[codon]!)
            if (code.starts[codon] !== 'M') allStart = false
          }
        }
        const key = (first << 8) | (second << 4) | third
        const letters = [...found].sort().join('')
        const letter = letters.length === 1 ? letters : jointLetters.find(([members]) => members === letters)?.[1]
        if (letter) aminoAcids[key] = letter.charCodeAt(0)
        if (allStart) starts[key] = 1
      }
    }
  }
  const made = { aminoAcids, starts }
  codonTables.set(table, made)
  return made
}

export interface TranslateOptions {
  /** NCBI number of the genetic code; 1 unless given. */
  table?: number
  /** The first codon begins the protein: any start codon of the table is then read as M. */
  firstCodonIsStart?: boolean
  /** Bases to skip before the first whole codon (the phase of GFF3); with a phase the first codon is never a start. */
  phase?: 0 | 1 | 2
  /** `keep` every stop as `*` (default), `trim` one stop at the very end, or `end` at the first stop, leaving it out. */
  stopHandling?: 'keep' | 'trim' | 'end'
}

/**
 * Translates a coding sequence (DNA or RNA, any case, IUPAC codes). A codon with ambiguous bases gives the amino acid when
 * all the codons it stands for agree, B, Z or J when it stands for just that pair, else X; `---` gives `-`. One or two
 * bases left over at the end are ignored. Throws a RangeError when there is no such genetic code.
 *
 * Example: `translate('GTGYTAAARTGA', {table: 11, firstCodonIsStart: true, stopHandling: 'trim'})` is `MLK`.
 */
export function translate(cds: string, options: TranslateOptions = {}): string {
  const { table = defaultTable, firstCodonIsStart = false, phase = 0, stopHandling = 'keep' } = options
  const { aminoAcids, starts } = getCodonTable(table)
  const codons = Math.floor(Math.max(0, cds.length - phase) / 3)
  const protein = new Uint8Array(codons)
  let length = 0
  for (let position = phase; length < codons; position += 3) {
    const first = cds.charCodeAt(position)
    const second = cds.charCodeAt(position + 1)
    const third = cds.charCodeAt(position + 2)
    const key = (baseBits[first & 255]! << 8) | (baseBits[second & 255]! << 4) | baseBits[third & 255]!
    let aminoAcid = aminoAcids[key]!
    if (first === gapSign && second === gapSign && third === gapSign) aminoAcid = gapSign
    if (length === 0 && firstCodonIsStart && phase === 0 && starts[key]) aminoAcid = 77
    if (aminoAcid === stopSign && stopHandling === 'end') break
    protein[length++] = aminoAcid
  }
  if (stopHandling === 'trim' && length > 0 && protein[length - 1] === stopSign) length--
  return new TextDecoder('latin1').decode(protein.subarray(0, length))
}

function _codonKey(codon: string): number {
  return (
    (baseBits[codon.charCodeAt(0) & 255]! << 8) |
    (baseBits[codon.charCodeAt(1) & 255]! << 4) |
    baseBits[codon.charCodeAt(2) & 255]!
  )
}
