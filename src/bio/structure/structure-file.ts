// Structures of proteins as PDB or mmCIF files: chains with the residues that were seen, read from the alpha carbons of the first model.
// Sources: wwPDB, "Atomic Coordinate Entry Format" 3.3 (columns of ATOM records); wwPDB, PDBx/mmCIF dictionary (category atom_site).

export interface StructureResidue {
  /** Number that the authors gave it (`auth_seq_id`), by which viewers and papers name it. */
  number: number
  /** One letter; X for what is no standard amino acid. */
  letter: string
  /** B-factor of its alpha carbon; in predicted structures the confidence in its place (pLDDT). */
  bFactor: number
}

export interface StructureChain {
  /** As the authors call it (`auth_asym_id`). */
  id: string
  residues: StructureResidue[]
}

export interface Structure {
  format: 'mmcif' | 'pdb'
  title: string | null
  chains: StructureChain[]
  /** B-factors are the confidence of a prediction, from 0 to 100. */
  predicted: boolean
}

export type StructureProblem = 'no-structure' | 'no-protein' | 'bad-coordinates' | 'too-large'

/** Alpha carbons of one structure; the largest chains of ribosomes and capsids stay below. */
export const maxResidues = 40_000

const letters: Readonly<Record<string, string>> = {
  ...{ ALA: 'A', ARG: 'R', ASN: 'N', ASP: 'D', CYS: 'C', GLN: 'Q', GLU: 'E', GLY: 'G', HIS: 'H', ILE: 'I' },
  ...{ LEU: 'L', LYS: 'K', MET: 'M', PHE: 'F', PRO: 'P', SER: 'S', THR: 'T', TRP: 'W', TYR: 'Y', VAL: 'V' },
  // Selenomethionine takes the place of methionine in crystals; the two amino acids beyond the twenty.
  ...{ MSE: 'M', SEC: 'U', PYL: 'O' },
}

/** Programs whose B-factors are pLDDT, as they name themselves in titles and remarks. */
const predictors = /alpha ?fold|colabfold|esmfold|rosettafold|omegafold|boltz|chai-1/i

interface Atom {
  chain: string
  number: number
  residue: string
  bFactor: number
  place: [number, number, number]
}

class Collector {
  readonly #chains = new Map<string, Map<number, StructureResidue>>()
  #count = 0

  /** The first of alternate places of an atom; residues with a letter behind their number are numbered as those before them. */
  add({ chain, number, residue, bFactor, place }: Atom): StructureProblem | null {
    if (!Number.isInteger(number) || !place.every(Number.isFinite)) return 'bad-coordinates'
    const residues = this.#chains.get(chain) ?? new Map<number, StructureResidue>()
    this.#chains.set(chain, residues)
    if (residues.has(number)) return null
    this.#count += 1
    if (this.#count > maxResidues) return 'too-large'
    residues.set(number, { number, letter: letters[residue] ?? 'X', bFactor: Number.isFinite(bFactor) ? bFactor : 0 })
    return null
  }

  get chains(): StructureChain[] {
    return [...this.#chains].map(([id, residues]) => ({ id, residues: [...residues.values()] }))
  }
}

/** Words of a line of mmCIF; in quotes what has blanks. */
const cifWords = (line: string): string[] =>
  [...line.matchAll(/'((?:[^']|'(?=\S))*)'(?=\s|$)|"((?:[^"]|"(?=\S))*)"(?=\s|$)|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )

const readCif = (lines: readonly string[]): Structure | StructureProblem => {
  const collector = new Collector()
  let title: string | null = null
  let predicted = false
  const headings: string[] = []
  let state: 'none' | 'headings' | 'rows' = 'none'
  let model: string | null = null
  for (const [number, line] of lines.entries()) {
    if (/^_ma_qa_metric\b|^_ma_qa_metric_(global|local)\./.test(line)) predicted = true
    if (line.startsWith('_struct.title')) {
      const [, given] = cifWords(line)
      const next = lines[number + 1] ?? ''
      title = given ?? (next.startsWith(';') ? next.slice(1).trim() : (cifWords(next)[0] ?? null))
      if (title !== null && predictors.test(title)) predicted = true
    }
    if (line.startsWith('_atom_site.')) {
      headings.push(line.trim().slice('_atom_site.'.length))
      state = 'headings'
      continue
    }
    if (state === 'none') continue
    if (/^(#|loop_|data_|_)/.test(line)) {
      if (state === 'rows') state = 'none'
      continue
    }
    state = 'rows'
    const words = cifWords(line)
    if (words.length === 0) continue
    const at = (name: string): string | undefined => words[headings.indexOf(name)]
    if (words.length !== headings.length) return 'bad-coordinates'
    const residue = at('label_comp_id') ?? at('auth_comp_id') ?? ''
    const isPolymer = at('group_PDB') !== 'HETATM' || residue in letters
    if (!isPolymer || (at('label_atom_id') ?? at('auth_atom_id')) !== 'CA') continue
    model ??= at('pdbx_PDB_model_num') ?? null
    if (model !== null && at('pdbx_PDB_model_num') !== model) continue
    const problem = collector.add({
      chain: at('auth_asym_id') ?? at('label_asym_id') ?? '',
      number: Number(at('auth_seq_id') ?? at('label_seq_id')),
      residue,
      bFactor: Number(at('B_iso_or_equiv')),
      place: [Number(at('Cartn_x')), Number(at('Cartn_y')), Number(at('Cartn_z'))],
    })
    if (problem !== null) return problem
  }
  const { chains } = collector
  return headings.length === 0 ? 'no-structure' : finish({ format: 'mmcif', title, chains, predicted })
}

const readPdb = (lines: readonly string[]): Structure | StructureProblem => {
  const collector = new Collector()
  const titles: string[] = []
  let predicted = false
  let atoms = 0
  for (const line of lines) {
    const record = line.slice(0, 6).trimEnd()
    if (record === 'ENDMDL') break
    if (record === 'TITLE') titles.push(line.slice(10).trim())
    if (/^(TITLE|REMARK|HEADER|COMPND|EXPDTA|AUTHOR)$/.test(record) && predictors.test(line)) predicted = true
    if (record !== 'ATOM' && record !== 'HETATM') continue
    atoms += 1
    const residue = line.slice(17, 20).trim()
    if (record === 'HETATM' && !(residue in letters)) continue
    if (line.slice(12, 16) !== ' CA ') continue
    const problem = collector.add({
      chain: line[21]?.trim() || 'A',
      number: line.slice(22, 26).trim() === '' ? Number.NaN : Number(line.slice(22, 26)),
      residue,
      bFactor: Number(line.slice(60, 66)),
      place: [30, 38, 46].map((from) => {
        const text = line.slice(from, from + 8).trim()
        return text === '' ? Number.NaN : Number(text)
      }) as [number, number, number],
    })
    if (problem !== null) return problem
  }
  const title = titles.length === 0 ? null : titles.join(' ')
  return atoms === 0 ? 'no-structure' : finish({ format: 'pdb', title, chains: collector.chains, predicted })
}

const finish = (structure: Structure): Structure | StructureProblem => {
  if (structure.chains.length === 0) return 'no-protein'
  const factors = structure.chains.flatMap(({ residues }) => residues.map(({ bFactor }) => bFactor))
  return { ...structure, predicted: structure.predicted && factors.every((one) => one >= 0 && one <= 100) }
}

/**
 * Reads the text of a structure; what it is is told by its content. A string says why it is none.
 *
 * Example: of a text that begins with `data_AF-P9WNK7-F1` and has a loop of `_atom_site` this is its chains with `predicted: true`.
 */
export const readStructure = (text: string): Structure | StructureProblem => {
  const lines = text.split(/\r?\n/)
  return lines.some((line) => line.startsWith('_atom_site.')) ? readCif(lines) : readPdb(lines)
}

/** The letters of a chain's residues, in order. */
export const chainSequence = ({ residues }: StructureChain): string => residues.map(({ letter }) => letter).join('')

/** Endings of files of structures; packed ones as well. */
export const structureEnding = /\.(cif|mmcif|pdb|ent)(\.gz)?$/i

/**
 * Names of a protein that a file of its structure may stand for, the surest first: of AlphaFold's database the accession of UniProt, of
 * ColabFold and AlphaFold 3 what was before the words that these add, else the name without its endings.
 *
 * Example: `structureNames('AF-P9WNK7-F1-model_v4.cif.gz')` is `['P9WNK7', 'AF-P9WNK7-F1-model_v4']`.
 */
export const structureNames = (path: string): string[] => {
  const stem = path.replace(/^.*[/\\]/, '').replace(structureEnding, '')
  const own =
    /^AF-([\w.-]+?)-F\d+(?:-model_v\d+)?$/.exec(stem)?.[1] ??
    /^(.+?)_(?:un)?relaxed_rank_\d+/.exec(stem)?.[1] ??
    /^fold_(.+)_model_\d+$/i.exec(stem)?.[1] ??
    /^pdb([0-9][a-z0-9]{3})$/i.exec(stem)?.[1]
  return own === undefined ? [stem] : [own, stem]
}
