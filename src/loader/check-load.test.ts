import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Defect } from '../bio/text/defects.ts'
import { writeCooler } from '../testing/cooler.ts'
import { type EmptyPortal, openEmptyPortal } from '../testing/empty-portal.ts'
import { loadTestSpecies, makeGenome, makeGff3 } from '../testing/species.ts'
import { checkSpecies } from './check-species.ts'

let portal: EmptyPortal
let root: string
let folders = 0
beforeAll(async () => {
  portal = await openEmptyPortal('check-load')
  root = mkdtempSync(join(tmpdir(), 'novodb-check-load-'))
})
afterAll(async () => {
  await portal?.close()
  rmSync(root, { recursive: true, force: true })
})

interface Folder {
  /** Lines of the assembly, then of the species. */
  assembly?: string
  species?: string
  files: Record<string, string>
  prepare?: (folder: string) => Promise<unknown>
  /** What both tell at least: code and file. */
  reported: string[]
}

const make = async ({ assembly = '', species = '', files, prepare }: Folder): Promise<string> => {
  folders += 1
  const folder = join(root, `folder-${folders}`)
  mkdirSync(folder)
  const genome = makeGenome()
  const all = {
    'genome.fa': `>chr1\n${genome.chr1}\n>pT\n${genome.pT}\n`,
    'genes.gff3': makeGff3().replaceAll('CHROMOSOME_1', 'chr1'),
    'species.yaml': `novodb: 1
species: made-${folders}
name: Made up
assemblies:
  - id: M${folders}
    genome: genome.fa
    genes: genes.gff3
    sequences: [{ name: pT, circular: true, geneticCode: 4, role: plasmid }]
${assembly}${species}`,
    ...files,
  }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  await prepare?.(folder)
  return folder
}

/** Of the folder's gene models both tell the same, and of programs only a load. */
const ofEntries = (defects: readonly Defect[]): string[] =>
  defects
    .filter(({ code, file }) => file !== 'genes.gff3' && code !== 'program-missing')
    .map(({ code, severity, file, line, params }) => JSON.stringify({ code, severity, file, line, params }))
    .sort()

const many = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at))
const lines = (rows: readonly string[]): string => `${rows.join('\n')}\n`
const interactions = '    interactions:\n      - { id: net, name: Net, file: net.tsv }\n'
const tracks = '    tracks:\n      - { id: one, name: One, file: one.bed }\n'
const meme =
  'MEME version 4\n\nALPHABET= ACGT\n\nMOTIF m1\nletter-probability matrix: alength= 4 w= 2 nsites= 20\n 0.1 0.2 0.3 0.4\n 0.4 0.3 0.2 0.1\n'
const paf = (query: string, lengthBp: number): string =>
  `${query}\t${lengthBp}\t0\t100\t+\tref\t5000\t0\t100\t100\t100\t60\tcg:Z:100M\n`

const made: [string, Folder][] = [
  [
    'interactions of which nearly all name other genes',
    {
      assembly: interactions,
      files: { 'net.tsv': lines(['TM_0001\tTM_0002\t0.5', ...many(60, (at) => `TM_0001\tX${at}\t0.5`)]) },
      reported: ['rows-unknown net.tsv'],
    },
  ],
  [
    'interactions of another species',
    {
      assembly: interactions,
      files: { 'net.tsv': lines(many(20, (at) => `Y${at}\tX${at}\t0.5`)) },
      reported: ['interactions-none net.tsv'],
    },
  ],
  [
    'an alignment of another assembly',
    {
      assembly: '    alignment: { file: own.paf }\n',
      files: { 'own.paf': paf('ctgX', 3000) },
      reported: ['alignment-other-assembly own.paf'],
    },
  ],
  [
    'an alignment of another release',
    {
      assembly: '    alignment: { file: own.paf }\n',
      files: { 'own.paf': paf('chr1', 2999) },
      reported: ['alignment-other-length own.paf'],
    },
  ],
  [
    'a graph without a path of the assembly',
    {
      assembly: '    graphs:\n      - { id: g, name: G, file: g.gfa }\n',
      files: { 'g.gfa': 'H\tVN:Z:1.1\nS\ta\tACGT\nW\tother\t0\tctg\t0\t4\t>a\n' },
      reported: ['graph-no-reference g.gfa'],
    },
  ],
  [
    'a graph of other bases',
    {
      assembly: '    graphs:\n      - { id: g, name: G, file: g.gfa, sample: own }\n',
      files: {
        'g.gfa': `H\tVN:Z:1.1\nS\ta\t${makeGenome().chr1.slice(0, 40).replaceAll(/[AC]/g, 'G')}\nW\town\t0\tchr1\t0\t40\t>a\n`,
      },
      reported: ['graph-bases-differ g.gfa'],
    },
  ],
  [
    'two collections of motifs of one id',
    {
      species: 'motifs:\n  - { file: a.meme, id: one }\n  - { file: b.meme, id: one }\n',
      files: { 'a.meme': meme, 'b.meme': meme },
      reported: ['motif-collection-repeated b.meme'],
    },
  ],
  [
    'two files of motifs that are called alike',
    {
      species: 'motifs: [a.meme, a.txt]\n',
      files: { 'a.meme': meme, 'a.txt': meme },
      reported: ['motif-collection-repeated a.txt'],
    },
  ],
  [
    'pathways of other genes, and of a few others',
    {
      assembly: '    pathways: [other.gmt, some.gmt]\n',
      files: { 'other.gmt': 'P1\tOne\tX1\tX2\n', 'some.gmt': 'P2\tTwo\tTM_0001\tX2\n' },
      reported: ['genes-unmatched some.gmt', 'pathway-none other.gmt'],
    },
  ],
  [
    'phenotypes of accessions that are not described',
    {
      species: 'accessions: { file: acc.tsv }\nphenotypes:\n  - { id: p, name: P, file: p.tsv }\n',
      files: {
        'acc.tsv': 'accession\tname\tpopulation\na1\tOne\tnorth\na2\tTwo\tsouth\n',
        'p.tsv': 'accession\theight\na1\t1.5\na2\t2.5\na9\t3.5\n',
      },
      reported: ['phenotype-undescribed p.tsv'],
    },
  ],
  [
    'rules of transcription factors',
    {
      assembly: '    transcriptionFactors: { rules: rules.txt }\n',
      files: { 'rules.txt': 'ID:1\nName:x\nRequired:A#\n//\n' },
      reported: ['tf-rule rules.txt'],
    },
  ],
  [
    'a table that is none of orthogroups',
    {
      species: 'orthogroups: groups.tsv\n',
      files: { 'groups.tsv': 'gene\tother\na\tb\n' },
      reported: ['orthogroup-table groups.tsv'],
    },
  ],
  [
    'a summary that is none of BUSCO',
    { assembly: '    busco: b.txt\n', files: { 'b.txt': 'none\n' }, reported: ['busco-summary b.txt'] },
  ],
  [
    'windows of another assembly',
    {
      assembly: '    sweeps:\n      - { id: s, name: S, file: s.pi }\n',
      files: { 's.pi': 'CHROM\tBIN_START\tBIN_END\tN_VARIANTS\tPI\nctgX\t1\t100\t3\t0.1\n' },
      reported: ['windows-sequences-all-unknown s.pi'],
    },
  ],
  [
    'windows beyond the end',
    {
      assembly: '    sweeps:\n      - { id: s, name: S, file: s.pi }\n',
      files: { 's.pi': 'CHROM\tBIN_START\tBIN_END\tN_VARIANTS\tPI\nchr1\t1\t2000\t3\t0.1\nchr1\t2001\t4000\t3\t0.1\n' },
      reported: ['windows-beyond-end s.pi'],
    },
  ],
  [
    'blocks without the assemblies of a PAF',
    {
      species: 'synteny:\n  - { file: two.paf }\n',
      files: { 'two.paf': 'ctg\t9000\t0\t9000\t+\tref\t9000\t0\t9000\t8000\t9000\t60\n' },
      reported: ['collinear-assemblies two.paf'],
    },
  ],
  [
    'domains of a contact map on another sequence',
    {
      assembly: '    contacts:\n      - { id: hic, name: Hi-C, file: map.cool, tads: tads.bed }\n',
      files: { 'tads.bed': 'chr1\t0\t200\nctgX\t0\t200\n' },
      prepare: (folder) =>
        writeCooler(join(folder, 'map.cool'), {
          chromosomes: [{ name: 'chr1', lengthBp: 3000 }],
          binBp: 100,
          pixels: [[0, 0, 5]],
        }),
      reported: ['track-sequence-unknown tads.bed'],
    },
  ],
  [
    'expression of other genes',
    {
      assembly: '    expression:\n      - { id: e, name: E, unit: TPM, file: e.tsv }\n',
      files: { 'e.tsv': lines(['gene\ts1\ts2', ...many(20, (at) => `X${at}\t1\t2`)]) },
      reported: ['genes-none e.tsv'],
    },
  ],
  [
    'cells with other genes',
    {
      assembly: '    singleCell:\n      - { id: c, name: C, file: c.tsv }\n',
      files: { 'c.tsv': lines(['gene\tc1\tc2', ...many(20, (at) => `X${at}\t1\t2`)]) },
      reported: ['cells-no-genes c.tsv'],
    },
  ],
  [
    'associations on another assembly',
    {
      assembly: '    gwas:\n      - { id: a, name: A, file: a.tsv }\n',
      files: { 'a.tsv': lines(['CHR\tSNP\tBP\tP', ...many(20, (at) => `ctgX\tr${at}\t${at + 1}\t0.5`)]) },
      reported: ['gwas-sequence-unknown a.tsv', 'rows-unknown a.tsv'],
    },
  ],
  [
    'transposons on another assembly',
    {
      assembly: '    transposableElements: { file: te.gff3 }\n',
      files: {
        'te.gff3': lines([
          '##gff-version 3',
          ...many(
            20,
            (at) => `ctgX\tx\tGypsy_LTR_retrotransposon\t${at * 50 + 1}\t${at * 50 + 40}\t.\t+\t.\tID=t${at}`,
          ),
        ]),
      },
      reported: ['rows-unknown te.gff3', 'te-sequence-unknown te.gff3'],
    },
  ],
  [
    'variants that are none',
    {
      assembly: '    variants:\n      - { id: v, name: V, file: v.vcf }\n',
      files: { 'v.vcf': 'chr1 1 A G\n' },
      reported: ['variants-file-type v.vcf'],
    },
  ],
  [
    'a track of another assembly',
    { assembly: tracks, files: { 'one.bed': 'ctgX\t1\t5\n' }, reported: ['track-sequences-all-unknown one.bed'] },
  ],
  [
    'genes of a publication that is not in the file',
    {
      species: 'references:\n  - { file: r.bib, genes: { nobody: [TM_0001] } }\n',
      files: { 'r.bib': '@article{one,\n  title = {One},\n  year = {2020}\n}\n' },
      reported: ['reference-unknown-key r.bib'],
    },
  ],
  [
    'a download that is not there',
    {
      assembly: '    downloads:\n      - { file: gone.txt, title: Gone }\n',
      files: {},
      reported: ['file-missing gone.txt'],
    },
  ],
]

test.each(made)('%s: check and load tell the same', async (_, folder) => {
  const path = await make(folder)
  const { log } = await checkSpecies(path, AbortSignal.timeout(60_000))
  const report = await loadTestSpecies(portal.database, portal.dataDir, path, { leavePortal: true })
  expect(report.failure).toBeNull()
  const found = log.defects.filter(({ file }) => file !== 'genes.gff3').map(({ code, file }) => `${code} ${file}`)
  expect(found).toEqual(expect.arrayContaining(folder.reported))
  expect(ofEntries(log.defects)).toEqual(ofEntries(report.defects))
  expect(log.hasErrors).toBe(!report.ok)
})

test('of a list the items behind a missing file are read, and what they repeat is told', async () => {
  const path = await make({
    assembly: '    pathways: [gone.gmt, other.gmt]\n',
    species: 'motifs: [a.meme, lost.meme, b.meme, b.txt]\n',
    files: { 'other.gmt': 'P1\tOne\tX1\tX2\n', 'a.meme': meme, 'b.meme': meme, 'b.txt': meme },
    reported: [],
  })
  const { log } = await checkSpecies(path, AbortSignal.timeout(60_000))
  expect(
    log.defects
      .filter(({ file }) => file !== 'genes.gff3')
      .map(({ code, file }) => `${code} ${file}`)
      .sort(),
  ).toEqual([
    'file-missing gone.gmt',
    'file-missing lost.meme',
    'motif-collection-repeated b.txt',
    'pathway-none other.gmt',
  ])
})
