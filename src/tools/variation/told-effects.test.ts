import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { listVariantSets, readVariants } from '../../kit/data/variant-data.ts'
import { createEffectTeller } from '../../kit/data/variants/told-effects.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import engine from './engine.ts'

let portal: EmptyPortal

beforeAll(async () => {
  portal = await openEmptyPortal('told-effects')
})
afterAll(() => portal?.close())

const flank = 'CATTACATTA'
const intron = 'GTAAGTTTTTCATTTTCATTTTCATTTTCATTTTCTTTAG'
//              M  S  A  A  A  A  G  T  G  T  K  D  *
const coding = 'ATGTCCGCTGCCGCAGCGGGTACCGGCACAAAAGACTAA'
const exonBp = 15
// Under code 4 TGA is tryptophan: M W W W K L *; under code 3 CTN is threonine: M T T T K *.
const mould = 'ATGTGATGGTGAAAACTGTAA'
const yeast = 'ATGCTAACTCTTAAATAA'
const sequences = {
  plus: flank + coding.slice(0, exonBp) + intron + coding.slice(exonBp) + flank,
  minus: flank + reverseComplement(coding) + flank,
  mould: flank + mould + flank,
  yeast: flank + reverseComplement(yeast) + flank,
}
type Name = keyof typeof sequences

/** The base of the sequence before codons from `from` to `to` are taken out, or before which `added` follows codon `from` - 1. */
const record = (name: Name, from: number, to: number, added: string): string => {
  const sequence = sequences[name]
  const taken = 3 * (to - from + 1)
  const own = name === 'minus' || name === 'yeast'
  const base0 = 3 * (from - 1)
  const first1 = own
    ? sequence.length - flank.length - base0 - taken + 1
    : flank.length + base0 + 1 + (name === 'plus' && base0 > exonBp ? intron.length : 0)
  const anchor = sequence[first1 - 2]!
  const reference = anchor + sequence.slice(first1 - 1, first1 - 1 + taken)
  const alternate = anchor + (own ? reverseComplement(added) : added)
  return [name, first1 - 1, '.', reference, alternate, '.', '.', '.'].join('\t')
}
const deletion = (name: Name, from: number, to = from): string => record(name, from, to, '')
const insertion = (name: Name, after: number, added: string): string => record(name, after + 1, after, added)

const both = (name: 'plus' | 'minus'): [string, string][] => [
  [deletion(name, 3), 'p.(Ala6del)'],
  [deletion(name, 3, 4), 'p.(Ala5_Ala6del)'],
  [insertion(name, 2, 'GCA'), 'p.(Ala6dup)'],
  [deletion(name, 7, 8), 'p.(Gly9_Thr10del)'],
  [insertion(name, 6, 'GGTACA'), 'p.(Gly9_Thr10dup)'],
  [insertion(name, 8, 'CAT'), 'p.(Thr8_Gly9insHis)'],
  // At the ends of the protein.
  [deletion(name, 2), 'p.(Ser2del)'],
  [deletion(name, 12), 'p.(Asp12del)'],
  [insertion(name, 12, 'GAT'), 'p.(Asp12dup)'],
  // One residue for two.
  [record(name, 11, 12, 'CAT'), 'p.(Lys11_Asp12delinsHis)'],
  // The reading frame shifts from the first residue that differs.
  [insertion(name, 10, 'CC'), 'p.(Lys11fs)'],
]
const planted: [string, string][] = [
  ...both('plus'),
  ...both('minus'),
  [deletion('mould', 2), 'p.(Trp4del)'],
  [insertion('mould', 1, 'TGG'), 'p.(Trp4dup)'],
  [insertion('mould', 5, 'TGT'), 'p.(Lys5_Leu6insCys)'],
  [deletion('yeast', 2), 'p.(Thr4del)'],
  [insertion('yeast', 1, 'CTG'), 'p.(Thr4dup)'],
]

test('in-frame changes in repeats are named at their most C-terminal place, on both strands and under other genetic codes', async () => {
  const folder = join(portal.root, 'folder')
  mkdirSync(folder)
  const gene = (name: Name, strand: string, parts: [number, number][]): string[] => {
    const line = (type: string, [start, end]: [number, number], phase: string, more: string): string =>
      [name, '.', type, start, end, '.', strand, phase, more].join('\t')
    const whole: [number, number] = [parts[0]![0], parts.at(-1)![1]]
    return [
      line('gene', whole, '.', `ID=${name}`),
      line('mRNA', whole, '.', `ID=${name}.t;Parent=${name}`),
      ...parts.flatMap((part) => [
        line('exon', part, '.', `Parent=${name}.t`),
        line('CDS', part, '0', `ID=${name}.c;Parent=${name}.t`),
      ]),
    ]
  }
  const whole = (name: Name): [number, number][] => [[flank.length + 1, sequences[name].length - flank.length]]
  const exon1: [number, number] = [flank.length + 1, flank.length + exonBp]
  writeFileSync(
    join(folder, 'g.gff3'),
    [
      '##gff-version 3',
      ...gene('plus', '+', [exon1, [exon1[1] + intron.length + 1, sequences.plus.length - flank.length]]),
      ...gene('minus', '-', whole('minus')),
      ...gene('mould', '+', whole('mould')),
      ...gene('yeast', '-', whole('yeast')),
      '',
    ].join('\n'),
  )
  writeFileSync(
    join(folder, 'g.fa'),
    Object.entries(sequences)
      .map(([name, text]) => `>${name}\n${text}\n`)
      .join(''),
  )
  writeFileSync(
    join(folder, 'v.vcf'),
    `##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n${planted.map(([line]) => `${line}\n`).join('')}`,
  )
  writeFileSync(
    join(folder, 'species.yaml'),
    `novodb: 1
species: planted
name: Planted
assemblies:
  - id: P1
    genome: g.fa
    genes: g.gff3
    sequences: [{ name: mould, geneticCode: 4 }, { name: yeast, geneticCode: 3 }]
    variants:
      - { id: planted, name: Planted, file: v.vcf, simulated: true }
`,
  )
  const report = await loadTestSpecies(portal.database, portal.dataDir, folder, { requirements: engine.programs })
  if (!report.ok) throw new Error(JSON.stringify(report))
  const data = await portal.openData()
  const [set] = await listVariantSets(data, 'P1')
  const tell = createEffectTeller(data, 'P1')
  const told: [string, string][] = []
  for await (const one of readVariants(set!, null)) {
    const { sequence, position1, reference, alternates } = one
    const effects = await tell(one)
    told.push([
      `${sequence} ${position1} ${reference} ${alternates.join()}`,
      effects.flatMap(({ proteinChange }) => proteinChange ?? []).join(),
    ])
  }
  const sorted = (pairs: [string, string][]): [string, string][] => pairs.sort(([a], [b]) => (a < b ? -1 : 1))
  expect(sorted(told)).toEqual(
    sorted(
      planted.map(([line, change]) => {
        const [name, position, , reference, alternate] = line.split('\t')
        return [`${name} ${position} ${reference} ${alternate}`, change]
      }),
    ),
  )
})
