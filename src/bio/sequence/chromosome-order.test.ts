import { describe, expect, it } from 'vitest'
import {
  compareNaturally,
  findNearNames,
  indexSequenceNames,
  mapSequenceNames,
  orderSequenceNames,
  readRoman,
} from './chromosome-order.ts'

const romanYeast = 'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI'.split(' ')

describe('orderSequenceNames', () => {
  const shuffled = (names: string[]) => [...names].sort().reverse()
  it.each([
    ['human', ['chr1', 'chr2', 'chr10', 'chr22', 'chrX', 'chrY', 'chrM', 'chr1_KI270706v1_random', 'chrUn_GL000195v1']],
    ['budding yeast, counted in Roman numerals', [...romanYeast.map((numeral) => `chr${numeral}`), 'chrmt']],
    ['Caenorhabditis elegans, where X is no ten', ['I', 'II', 'III', 'IV', 'V', 'X', 'MtDNA']],
    ['fruit fly', ['2L', '2R', '3L', '3R', '4', 'X', 'Y', 'mitochondrion_genome', 'Unmapped_Scaffold_8']],
    ['bread wheat', ['1A', '1B', '1D', '2A', '2B', '2D', '7D', 'Un']],
    ['oilseed rape', ['A01', 'A02', 'A10', 'C01', 'C09', 'scaffoldA']],
    ['Arabidopsis', ['Chr1', 'Chr2', 'Chr3', 'Chr4', 'Chr5', 'ChrM', 'ChrC']],
    ['chicken', ['1', '2', '33', 'Z', 'W', 'MT']],
    ['a draft of scaffolds', ['scaffold_1', 'scaffold_2', 'scaffold_10', 'scaffold_100']],
    ['a bacterium with plasmids', ['NC_000913.3', 'pA', 'pB']],
    ['zero-padded', ['chr01', 'chr02', 'chr11', 'contig_3']],
    ['underscored', ['chr_1', 'chr_3', 'chr_12']],
  ])('lists %s as a karyotype is drawn', (_, names) => {
    expect(orderSequenceNames(shuffled(names))).toEqual(names)
  })
})

describe('readRoman', () => {
  it('reads numerals and refuses what looks like one', () => {
    expect(['I', 'iv', 'IX', 'XIV', 'XXXIX', 'XL', 'CXX'].map(readRoman)).toEqual([1, 4, 9, 14, 39, 40, 120])
    expect(['', 'IIII', 'VX', 'MIX', 'Mito'].map(readRoman)).toEqual([null, null, null, null, null])
  })
})

describe('mapSequenceNames', () => {
  const ucsc = [...romanYeast.map((numeral) => `chr${numeral}`), 'chrmt']
  it.each([
    ['Ensembl', [...romanYeast, 'Mito']],
    ['counted', [...romanYeast.map((_, index) => String(index + 1)), 'MT']],
    ['counted with chr', [...romanYeast.map((_, index) => `chr${index + 1}`), 'chrM']],
    ['zero-padded', [...romanYeast.map((_, index) => `Chr${String(index + 1).padStart(2, '0')}`), 'chrMito']],
  ])('maps the yeast chromosomes named in the %s way', (_, names) => {
    const mapped = mapSequenceNames(names, ucsc)
    expect(names.map((name) => mapped.get(name))).toEqual(ucsc)
    const back = mapSequenceNames(ucsc, names)
    expect(ucsc.map((name) => back.get(name))).toEqual(names)
  })
  it('does not take the X of a worm for chromosome 10', () => {
    const mapped = mapSequenceNames(['1', '2', '3', '10', 'X'], ['chrI', 'chrII', 'chrIII', 'chrIV', 'chrV', 'chrX'])
    expect(Object.fromEntries(mapped)).toEqual({ 1: 'chrI', 2: 'chrII', 3: 'chrIII', X: 'chrX' })
  })
  it('keeps exact names, and gives nothing twice', () => {
    expect(Object.fromEntries(mapSequenceNames(['chr1', '1'], ['chr1', 'chr2']))).toEqual({ chr1: 'chr1' })
    expect(mapSequenceNames(['1', 'chr1'], ['Chr_1']).size).toBe(0)
    expect(mapSequenceNames(['1'], ['chr1', 'Chr01']).get('1')).toBe('chr1')
    expect(mapSequenceNames(['chr1'], ['LG1', 'Group1']).size).toBe(0)
  })
  it('finds accessions without their version and in the old NCBI form', () => {
    expect(mapSequenceNames(['NC_001133'], ['NC_001133.9', 'NC_001134.8']).get('NC_001133')).toBe('NC_001133.9')
    expect(mapSequenceNames(['gi|330443391|ref|NC_001133.9|'], ['NC_001133.9']).size).toBe(1)
    // Two versions of one accession are two sequences.
    expect(mapSequenceNames(['U00096'], ['U00096.2', 'U00096.3']).size).toBe(0)
  })
  it('tells the chloroplast ChrC of Arabidopsis from a chromosome C', () => {
    expect(mapSequenceNames(['Pt', 'Mt'], ['Chr1', 'ChrC', 'ChrM']).get('Pt')).toBe('ChrC')
    expect(mapSequenceNames(['Pt'], ['chrA', 'chrB', 'chrC']).size).toBe(0)
  })
  it('does not map unlike scaffolds', () => {
    expect(mapSequenceNames(['scaffold_1'], ['contig_1', 'chr1']).size).toBe(0)
  })
})

describe('findNearNames', () => {
  it('offers the chromosome meant, whatever the way of counting', () => {
    const names = [...romanYeast.map((numeral) => `chr${numeral}`), 'chrmt']
    expect(findNearNames('Chr4', names)[0]).toBe('chrIV')
    expect(findNearNames('CHRIV', names)[0]).toBe('chrIV')
    expect(findNearNames('chrM', names)[0]).toBe('chrmt')
    expect(findNearNames('chrIIII', names)[0]).toBe('chrIII')
    expect(findNearNames('plasmid-2', names)).toEqual([])
  })
  it('finds a slip of the keyboard', () => {
    expect(findNearNames('scafold_12', ['scaffold_1', 'scaffold_12', 'scaffold_13'])[0]).toBe('scaffold_12')
  })
})

describe('compareNaturally', () => {
  it('counts numbers as numbers', () => {
    expect(['s10', 's9', 's1', 's'].sort(compareNaturally)).toEqual(['s', 's1', 's9', 's10'])
  })
})

describe('indexSequenceNames', () => {
  const yeast = romanYeast.map((numeral) => ({ name: `chr${numeral}`, aliases: [`NC_${numeral}`, 'nuclear'] }))
  const names = indexSequenceNames(yeast)
  it('knows the tenth chromosome of yeast as X, 10 and its alias', () => {
    for (const name of ['chrX', 'X', '10', 'Chr10', 'chr_10', 'nc_x']) {
      expect(names.resolve(name), name).toEqual({ name: 'chrX', near: [] })
    }
  })
  it('offers near names instead of guessing', () => {
    expect(names.resolve('chrXVII')).toEqual({ name: null, near: expect.arrayContaining(['chrXVI']) })
    expect(names.resolve('nuclear').name).toBeNull()
  })
  it('reads the list of a draft of a hundred thousand scaffolds once, however many names are asked for', () => {
    let reads = 0
    const scaffolds = Array.from({ length: 100_000 }, (_, number) => ({
      get name() {
        reads += 1
        return `scaffold_${number + 1}`
      },
      aliases: [`JABC01${String(number + 1).padStart(6, '0')}.1`],
    }))
    const draft = indexSequenceNames(scaffolds)
    const readOnce = reads
    for (let number = 1; number <= 20_000; number += 1) {
      expect(draft.resolve(`jabc01${String(number).padStart(6, '0')}.1`).name).toBe(`scaffold_${number}`)
      expect(draft.resolve(`Scaffold_${number}`).name).toBe(`scaffold_${number}`)
    }
    expect(draft.findPosition('scaffold_77777')).toBe(77_776)
    expect(draft.resolve('scafold_12').near[0]).toBe('scaffold_12')
    expect(reads).toBe(readOnce)
  })
})

it('in a long list a name that differs in case from two is neither, and one that differs from one alone is that', () => {
  const names = Array.from({ length: 30_000 }, (_, at) => `ctg${at}`)
  const { resolve } = indexSequenceNames([...names, 'CTG77', 'NC_000913.3'].map((name) => ({ name })))
  expect(resolve('Ctg76').name).toBe('ctg76')
  expect(resolve('Ctg77')).toEqual({ name: null, near: expect.arrayContaining(['ctg77', 'CTG77']) })
  expect(resolve('nc_000913').name).toBe('NC_000913.3')
  const mapped = mapSequenceNames(['CTG5', 'Ctg77', 'ctg9'], [...names, 'CTG77'])
  expect([...mapped]).toEqual([
    ['ctg9', 'ctg9'],
    ['CTG5', 'ctg5'],
  ])
})
