import { expect, test } from 'vitest'
import {
  type BasesChange,
  isProteinChange,
  locatePlace,
  type ProteinChange,
  placeChange,
  readGeneChange,
  readNamedChange,
} from './gene-change.ts'

test.each([
  ['katG S315T', 'katG', 'p.Ser315Thr'],
  ['Rv1908c p.Ser315Thr', 'Rv1908c', 'p.Ser315Thr'],
  ['Rv1908c:p.(Ser315Thr)', 'Rv1908c', 'p.Ser315Thr'],
  ['katG_p.Ser315Thr', 'katG', 'p.Ser315Thr'],
  ['katG(S315T)', 'katG', 'p.Ser315Thr'],
  ['katg s315t', 'katg', 'p.Ser315Thr'],
  ['S315T in katG', 'katG', 'p.Ser315Thr'],
  ['katG S315T mutation', 'katG', 'p.Ser315Thr'],
  ['katG基因的S315T突变', 'katG', 'p.Ser315Thr'],
  ['katG：c.944G＞C', 'katG', 'c.944G>C'],
  ['katG:c.944G>C', 'katG', 'c.944G>C'],
  ['katG 944G>C', 'katG', 'c.944G>C'],
  ['fabG1 c.-15C>T', 'fabG1', 'c.-15C>T'],
  ['rrs n.1401A>G', 'rrs', 'n.1401A>G'],
  ['pncA W68*', 'pncA', 'p.Trp68Ter'],
  ['pncA Trp68Stop', 'pncA', 'p.Trp68Ter'],
  ['pncA_p.Gly97fs', 'pncA', 'p.Gly97fs'],
  ['pncA p.Gly97AspfsTer3', 'pncA', 'p.Gly97fs'],
  ['rpoB p.Phe433_Met434insPhe', 'rpoB', 'p.Phe433_Met434insPhe'],
  ['gid c.102del', 'gid', 'c.102del'],
  ['gid c.102_103insA', 'gid', 'c.102_103insA'],
  ['MMR1 c.88+2T>G', 'MMR1', 'c.88+2T>G'],
])('%s is a change of %s: %s', (question, gene, written) => {
  expect(readNamedChange(question)).toMatchObject({ gene, change: { written } })
})

test.each([
  'katG',
  'S315T',
  'katG Rv1908c',
  'S315T A432V',
  'RNA polymerase S315T beta',
  'NC_000962.3:1000..2000',
  'chr1:944',
  'GO:0004335',
  'heat shock protein 70',
  'hsp65',
  'ESAT-6',
  'YAL001C',
  'H37Rv',
])('%s is none', (question) => {
  expect(readNamedChange(question)).toBeNull()
})

const bases = (text: string) => readGeneChange(text) as BasesChange

test('places are counted along the transcript, over introns and before the start', () => {
  const forward = {
    strand: '+' as const,
    exons: [
      { start: 91, end: 150 },
      { start: 201, end: 260 },
    ],
    cds: [
      { start: 101, end: 150 },
      { start: 201, end: 250 },
    ],
  }
  const at = (text: string) => locatePlace(forward, 'c', bases(text).start)
  expect([
    at('c.1A>G'),
    at('c.50A>G'),
    at('c.51A>G'),
    at('c.-10A>G'),
    at('c.*1A>G'),
    at('c.50+2A>G'),
    at('c.101A>G'),
  ]).toEqual([101, 150, 201, 91, 251, 152, null])
  const reverse = { ...forward, strand: '-' as const }
  expect(placeChange(reverse, bases('c.1A>G'))).toEqual({
    start1: 250,
    end1: 250,
    reference: 'T',
    made: { bases: 'C' },
  })
  expect(placeChange(reverse, bases('c.-15C>T'))).toEqual({
    start1: 265,
    end1: 265,
    reference: 'G',
    made: { bases: 'A' },
  })
  // Between bases 49 and 50, which lie at 202 and 201.
  expect(placeChange(reverse, bases('c.49_50insAC'))).toEqual({
    start1: 202,
    end1: 201,
    reference: null,
    made: { bases: 'GT' },
  })
})

test('the change that an effect tells is the one that is asked for', () => {
  const asked = (text: string) => readGeneChange(text) as ProteinChange
  expect(isProteinChange('p.(Ser315Thr)', asked('S315T'))).toBe(true)
  expect(isProteinChange('p.(Ser315Asn)', asked('S315T'))).toBe(false)
  expect(isProteinChange('p.(Gly97AspfsTer3)', asked('G97fs'))).toBe(true)
  expect(isProteinChange('p.(Ala154=)', asked('A154A'))).toBe(true)
})

test('of A1401G it is also told what it is of a gene without a protein', () => {
  expect(readGeneChange('A1401G')).toMatchObject({
    written: 'p.Ala1401Gly',
    ofRna: { written: 'n.1401A>G', from: 'n' },
  })
  expect(readGeneChange('S315T')).toMatchObject({ ofRna: null })
})
