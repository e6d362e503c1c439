import { describe, expect, it } from 'vitest'
import { helixCif, helixPdb } from '../../testing/made-structures.ts'
import { chainSequence, readStructure, type Structure, structureNames } from './structure-file.ts'
import { placeChain, placeInBest, residueOfNumber } from './structure-places.ts'

const read = (text: string): Structure => {
  const structure = readStructure(text)
  if (typeof structure === 'string') throw new Error(structure)
  return structure
}
const helix = 'MKLVAEERTGKLIAADDEWYF'

describe('files of structures', () => {
  it('PDB: chains, numbers and B-factors of the alpha carbons', () => {
    const { format, title, chains, predicted } = read(helixPdb(helix, { chain: 'B', first: 51 }))
    expect([format, title, predicted]).toEqual(['pdb', 'MADE HELIX', false])
    expect(chains.map(({ id }) => id)).toEqual(['B'])
    expect(chainSequence(chains[0]!)).toBe(helix)
    expect(chains[0]!.residues[0]).toEqual({ number: 51, letter: 'M', bFactor: 20 })
  })
  it('mmCIF: the same, and that B-factors are the confidence of a prediction', () => {
    const { format, chains, predicted } = read(helixCif(helix, { bFactor: (index) => 50 + index }))
    expect([format, predicted, chainSequence(chains[0]!)]).toEqual(['mmcif', true, helix])
    expect(chains[0]!.residues.at(-1)!.bFactor).toBe(70)
  })
  it('an experiment is no prediction, nor are B-factors above 100', () => {
    expect(read(helixCif(helix, { predicted: false })).predicted).toBe(false)
    expect(read(helixCif(helix, { bFactor: () => 120 })).predicted).toBe(false)
    expect(read(helixPdb(helix, { title: 'ALPHAFOLD MONOMER V2.0 PREDICTION' })).predicted).toBe(true)
  })
  it('only the first model counts', () => {
    const model = helixPdb(helix).replace('END\n', 'ENDMDL\n')
    expect(read(model + helixPdb('WWW', { chain: 'Z' })).chains.map(({ id }) => id)).toEqual(['A'])
  })
  it.each([
    ['', 'no-structure'],
    ['>protein\nMKLV\n', 'no-structure'],
    [helixPdb(helix).replaceAll(' CA ', ' CB '), 'no-protein'],
    [helixPdb(helix).replace(/^(ATOM {6}2.{24}).{8}/m, '$1   x.yyy'), 'bad-coordinates'],
    [helixCif(helix).replace(/^(ATOM 2 .*) 1$/m, '$1'), 'bad-coordinates'],
  ])('says why it cannot be read', (text, problem) => {
    expect(readStructure(text)).toBe(problem)
  })
})

describe('names that files of structures have', () => {
  it.each([
    ['a/AF-P9WNK7-F1-model_v4.cif.gz', 'P9WNK7'],
    ['AF-Q8W3K0-F1-model_v6.pdb', 'Q8W3K0'],
    ['YAL001C_unrelaxed_rank_001_alphafold2_ptm_model_3_seed_000.pdb', 'YAL001C'],
    ['fold_rv1908c_model_0.cif', 'rv1908c'],
    ['Rv1908c.pdb', 'Rv1908c'],
    ['pdb1sj2.ent.gz', '1sj2'],
  ])('%s is of %s', (path, name) => {
    expect(structureNames(path)[0]).toBe(name)
  })
})

describe('residues of a chain on the protein', () => {
  const protein = `MAAA${helix}GGGSS`
  it('a part of the protein, numbered in its own way', () => {
    const [chain] = read(helixPdb(helix, { first: 101 })).chains
    const placed = placeChain(chain!, protein)!
    expect(placed).toEqual({ identity: 1, pairs: 21, runs: [{ number: 101, residue: 5, length: 21 }] })
    expect([residueOfNumber(placed.runs, 103), residueOfNumber(placed.runs, 100)]).toEqual([7, null])
  })
  it('a loop that was not seen parts the runs', () => {
    const [chain] = read(helixPdb(helix)).chains
    chain!.residues.splice(8, 4)
    expect(placeChain(chain!, helix)!.runs).toEqual([
      { number: 1, residue: 1, length: 8 },
      { number: 13, residue: 13, length: 9 },
    ])
  })
  it.each([
    ['in it as it is', 'KLVAE'],
    ['that goes with it in half of its residues', 'AEWRTG'],
  ])('a bound peptide %s has no place', (_, peptide) => {
    const [chain] = read(helixPdb(peptide)).chains
    expect(placeChain(chain!, helix)).toBeNull()
  })
  it('a part of several isoforms is placed in the longest of them', () => {
    const [chain] = read(helixPdb(helix.slice(0, 12))).chains
    const isoforms = [helix.slice(0, 15), helix, helix.slice(0, 18)].map((one, at) => [`t${at}`, one] as const)
    expect(placeInBest(chain!, isoforms)).toMatchObject({ protein: 't1', identity: 1, pairs: 12 })
    expect(placeInBest(chain!, [])).toBeNull()
  })
  it('another protein has no place', () => {
    const [chain] = read(helixPdb('WWWWHHHHCCCCPPPPWWWW')).chains
    expect(placeChain(chain!, protein)).toBeNull()
  })
})
