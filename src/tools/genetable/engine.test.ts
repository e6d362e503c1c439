import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import engine from './engine.ts'
import type { GeneTable } from './tool.ts'

// Two genes of forty codons, one on each strand: M Y E Q …, with variants, insertions, counts and a pathway.
const coding = `ATGTACGAACAG${'GCTGAAAAACTG'.repeat(8)}GCTGAAAAATAA`
const complement = [...coding]
  .reverse()
  .map((base) => 'ACGT'['TGCA'.indexOf(base)])
  .join('')
const genome = `${'ACGGT'.repeat(20)}${coding}${'CCATG'.repeat(16)}${complement}${'GATTC'.repeat(40)}`
const gene = (id: string, start: number, strand: string): string =>
  [
    `c\t.\tgene\t${start}\t${start + 119}\t.\t${strand}\t.\tID=${id};Name=${id.toLowerCase()}A`,
    `c\t.\tmRNA\t${start}\t${start + 119}\t.\t${strand}\t.\tID=${id}.t;Parent=${id}`,
    `c\t.\tCDS\t${start}\t${start + 119}\t.\t${strand}\t0\tID=${id}.c;Parent=${id}.t`,
  ].join('\n')
const variant = (position: number, alternate: string): string =>
  `c\t${position}\t.\t${genome[position - 1]}\t${alternate}\t.\tPASS\t.\tGT\t0/1\t1/1`

const files: Record<string, string> = {
  'g.fa': `>c\n${genome}\n`,
  'g.gff3': `##gff-version 3\n${gene('G1', 101, '+')}\n${gene('G2', 301, '-')}\n`,
  // TAC to TAA and GAA to GCA change the protein, CAG to CAA does not.
  'v.vcf': `##fileformat=VCFv4.2\n##contig=<ID=c,length=${genome.length}>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts1\ts2\n${[variant(106, 'A'), variant(108, 'C'), variant(112, 'A')].join('\n')}\n`,
  'a1.wig': 'variableStep chrom=c\n110 3\n150 0\n200 0\n219 9\n310 0\n350 0\n',
  'a2.wig': 'variableStep chrom=c\n110 0\n150 0\n200 0\n310 0\n350 0\n',
  'b1.wig': 'variableStep chrom=c\n110 0\n150 2\n200 5\n310 0\n350 0\n',
  'tn.tsv': 'sample\tmedium\na1\tplain\na2\tplain\nb1\trich\n',
  'n.tsv': 'gene\tx1\tx2\tx3\nG1\t1\t3\t10\nG2\t0\t0\t4\n',
  'n-samples.tsv': 'sample\torgan\nx1\troot\nx2\troot\nx3\tleaf\n',
  'de.csv': ',baseMean,log2FoldChange,lfcSE,stat,pvalue,padj\nG1,50,2.5,0.1,9,1e-20,1e-18\nG2,40,-1,0.1,9,0.5,NA\n',
  'sets.gmt': 'P1\tBurning\tG1\tG2\nP2\tFlying\tG1\tG1\n',
  'species.yaml': `novodb: 1
species: made-up
name: Made up
assemblies:
  - id: M1
    genome: g.fa
    genes: g.gff3
    variants:
      - { id: calls, name: Calls, file: v.vcf, simulated: true }
    expression:
      - { id: tn, name: Tn, file: [a1.wig, a2.wig, b1.wig], unit: counts, samples: tn.tsv }
      - { id: series, name: Series, file: n.tsv, unit: TPM, samples: n-samples.tsv, differential: [{ id: one, name: One, file: de.csv }] }
    pathways:
      - { file: sets.gmt, source: Made }
`,
}

let portal: EmptyPortal
let data: OpenPortalData
beforeAll(async () => {
  portal = await openEmptyPortal('genetable')
  const folder = join(portal.root, 'folder')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const report = await loadTestSpecies(portal.database, portal.dataDir, folder, {
    requirements: [
      { program: 'bcftools', package: 'bcftools', versionArguments: ['--version'], versionPattern: /^bcftools (\S+)/ },
    ],
  })
  expect(report.defects.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(report.failure).toBeNull()
  data = await portal.openData()
  await portal.hearChanges()
}, 60_000)
afterAll(() => portal?.close())

const run = (genes: string[]): Promise<GeneTable> =>
  runEngine(
    engine,
    { assembly: 'M1', genes },
    makeEngineContext({ data, directory: mkdtempSync(join(portal.root, 'run-')) }),
  )

test('what the tools know of each gene stands in columns, in the order of the genes', async () => {
  const table = await run(['G2', 'g1A', 'nonesuch', 'G1'])
  expect(table.genes.map(({ id, symbol, proteinLength }) => [id, symbol, proteinLength])).toEqual([
    ['G2', 'g2A', 39],
    ['G1', 'g1A', 39],
  ])
  expect(table.unknown).toEqual(['nonesuch'])
  expect(table.simulated).toEqual(['Calls'])
  const values = Object.fromEntries(table.columns.map((column) => [column.key, column.values]))
  expect(values).toMatchObject({
    'genesearch.Made': ['Burning', 'Burning; Flying'],
    // The gravest consequence counts, a synonymous one does not.
    'variation.calls.high': [0, 1],
    'variation.calls.moderate': [0, 1],
    'variation.calls.changes': [null, 'p.(Tyr2Ter)'],
    // 219 lies in the stop codon of G1.
    'geneexpression.tn.sites': [2, 3],
    'geneexpression.tn.hit.plain': [0, 1],
    'geneexpression.tn.hit.rich': [0, 2],
    'geneexpression.tn.share.rich': [0, 200 / 3],
    'geneexpression.series.mean.root': [0, 2],
    'geneexpression.series.mean.leaf': [4, 10],
    'geneexpression.series.one.log2FoldChange': [-1, 2.5],
    'geneexpression.series.one.adjustedPValue': [null, 1e-18],
  })
  // A portal of one genome has no homologs, and no other genome to look for a gene in.
  expect(table.columns.filter(({ tool }) => tool === 'homologs' || tool === 'genepresence')).toEqual([])
})

test('more genes than are looked up one by one have the same variants', async () => {
  const few = await run(['G1'])
  const many = await run(['G1', ...Array.from({ length: 300 }, (_, at) => `none${at}`)])
  expect(many.columns).toEqual(few.columns)
})

test('a list of which no gene is known is refused beside its field', async () => {
  await expect(run(['x', 'y'])).rejects.toMatchObject({ problems: [{ path: ['genes'], params: { names: 'x, y' } }] })
})
