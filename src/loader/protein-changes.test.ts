import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reverseComplement } from '../bio/sequence/sequence.ts'
import type { OpenPortalData } from '../kit/data/create-portal-data.ts'
import { findProteinChanges } from '../kit/data/genes/gene-states.ts'
import { type EmptyPortal, openEmptyPortal } from '../testing/empty-portal.ts'
import { makeRandom } from '../testing/random.ts'
import { loadTestSpecies } from '../testing/species.ts'

// A circular chromosome of a genetic code in which TGA is tryptophan, with a gene over its origin; and the same with planted changes, from
// another first base and on the other strand.

const randomBases = (lengthBp: number, seed: number): string => {
  const next = makeRandom(seed)
  return Array.from({ length: lengthBp }, () => 'ACGT'[Math.floor(next() * 4)]!).join('')
}
const words = ['GCT', 'GAC', 'GAA', 'TTC', 'GGT', 'CAC', 'ATC', 'AAA', 'CTG', 'AAC', 'CCG', 'CGT', 'TCC', 'ACC', 'GTT']
const codingBases = (seed: number, planted: Record<number, string>): string => {
  const next = makeRandom(seed)
  const codons = Array.from({ length: 200 }, () => words[Math.floor(next() * words.length)]!)
  return `ATG${codons.map((codon, at) => planted[at + 2] ?? codon).join('')}TAA`
}
/** What a gene has at some of its codons, and what the other genome has there. */
const made: Record<string, { strand: '+' | '-'; own: Record<number, string>; other: Record<number, string> }> = {
  same: { strand: '+', own: { 20: 'CTG' }, other: { 20: 'TTA' } },
  plus: { strand: '+', own: { 40: 'CTG', 150: 'GAA' }, other: { 40: 'CCG', 150: 'AAA' } },
  minus: { strand: '-', own: { 30: 'TGA', 90: 'GCT' }, other: { 30: 'TGT', 90: '' } },
  unknown: { strand: '+', own: { 60: 'CTG' }, other: { 60: 'CNN' } },
  origin: { strand: '+', own: { 50: 'AAA', 160: 'GGT' }, other: { 50: 'AGA', 160: 'GGTTGG' } },
  turned: { strand: '-', own: { 70: 'CAC' }, other: { 70: 'CGT' } },
}
const basesOf = (name: string, which: 'own' | 'other'): string => {
  const bases = codingBases(100 + Object.keys(made).indexOf(name), made[name]![which])
  return made[name]!.strand === '+' ? bases : reverseComplement(bases)
}
const spacers = Object.keys(made).map((_, at) => randomBases(3000, 200 + at))
/** From the middle of the gene over the origin on. */
const genomeOf = (which: 'own' | 'other'): string => {
  const whole = Object.keys(made)
    .map((name, at) => spacers[at] + basesOf(name, which))
    .join('')
  const at0 = whole.indexOf(spacers[4]!) + 3000 + 300
  return whole.slice(at0) + whole.slice(0, at0)
}

let portal: EmptyPortal
let data: OpenPortalData
beforeAll(async () => {
  portal = await openEmptyPortal('protein-changes')
  const folder = join(portal.root, 'made')
  mkdirSync(folder, { recursive: true })
  const own = genomeOf('own')
  const other = genomeOf('other')
  const lines = ['##gff-version 3']
  for (const [name, { strand }] of Object.entries(made)) {
    const bases = basesOf(name, 'own')
    const start1 = `${own}${own}`.indexOf(bases) + 1
    for (const [type, attributes] of [
      ['gene', `ID=${name}`],
      ['mRNA', `ID=${name}.t;Parent=${name}`],
      ['CDS', `ID=${name}.c;Parent=${name}.t`],
    ] as const)
      lines.push(
        [
          'chr',
          'made',
          type,
          start1,
          start1 + bases.length - 1,
          '.',
          strand,
          type === 'CDS' ? 0 : '.',
          attributes,
        ].join('\t'),
      )
  }
  const turned = reverseComplement(other.slice(2000) + other.slice(0, 2000))
  writeFileSync(join(folder, 'REF.fa'), `>chr\n${own}\n`)
  writeFileSync(join(folder, 'REF.gff3'), `${lines.join('\n')}\n`)
  writeFileSync(join(folder, 'ALT.fa'), `>alt\n${turned}\n`)
  writeFileSync(
    join(folder, 'species.yaml'),
    [
      'novodb: 1',
      'species: made',
      'name: Made up',
      'assemblies:',
      '  - { id: REF, genome: REF.fa, genes: REF.gff3, reference: true, sequences: [{ name: chr, circular: true, geneticCode: 4 }] }',
      '  - { id: ALT, genome: ALT.fa, sequences: [{ name: alt, circular: true, geneticCode: 4 }] }',
      '',
    ].join('\n'),
  )
  const report = await loadTestSpecies(portal.database, portal.dataDir, folder, { engines: true })
  expect(report).toMatchObject({ ok: true, failure: null })
  data = await portal.openData()
  await portal.hearChanges()
})
afterAll(() => portal?.close())

const changesOf = async (name: string) => {
  const [gene] = await data.getGenes('REF', [name])
  return findProteinChanges(data, gene!, 'ALT')
}

describe('the protein of a gene in another assembly', () => {
  const same = { assembly: 'ALT', residues: 201, compared: 201, total: 0, changes: [] as string[] }
  const expected: Record<string, Partial<typeof same>> = {
    same: {},
    plus: { changes: ['p.(Leu40Pro)', 'p.(Glu150Lys)'] },
    // TGA is tryptophan there.
    minus: { changes: ['p.(Trp30Cys)', 'p.(Ala90del)'] },
    unknown: { compared: 200 },
    origin: { changes: ['p.(Lys50Arg)', 'p.(Gly160_'] },
    turned: { changes: ['p.(His70Arg)'] },
  }
  for (const [name, found] of Object.entries(expected))
    test(`has what was planted in the gene “${name}”`, async () => {
      const { transcript, proteins } = await changesOf(name)
      expect(transcript).toBe(`${name}.t`)
      const [protein] = proteins
      expect(proteins).toEqual([{ ...same, ...found, total: found.changes?.length ?? 0, changes: expect.anything() }])
      for (const [at, text] of (found.changes ?? []).entries()) expect(protein!.changes[at]).toContain(text)
    })
})
