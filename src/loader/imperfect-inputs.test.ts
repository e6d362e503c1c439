import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGenome, makeGff3, makeSpeciesFolder } from '../testing/species.ts'
import { checkSpecies } from './check-species.ts'

let root: string
let folders = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'novodb-imperfect-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const check = async (options: Parameters<typeof makeSpeciesFolder>[1]) => {
  folders += 1
  const folder = makeSpeciesFolder(join(root, `s${folders}`), options)
  const { log } = await checkSpecies(folder, AbortSignal.timeout(60_000))
  return log
}
const errorsOf = (log: Awaited<ReturnType<typeof check>>) =>
  log.defects.filter(({ severity }) => severity === 'error').map(({ code, file, line }) => `${code} ${file}:${line}`)

test.each([
  ['GenBank', 'LOCUS       X 90 bp DNA linear BCT\nORIGIN\n        1 acgt\n//\n'],
  ['EMBL', 'ID   X; SV 1; linear; genomic DNA; STD; PRO; 90 BP.\nSQ   Sequence 90 BP;\n'],
  ['GFF3', `##gff-version 3\nchr1\tx\tgene\t1\t9\t.\t+\t.\tID=g\n##FASTA\n>chr1\nACGT\n`],
  ['GFF3, GTF', 'chr1\tx\tgene\t1\t9\t.\t+\t.\tgene_id "g";\n'],
  ['FASTQ', '@read1\nACGT\n+\nIIII\n'],
])('a genome given as %s is told by the name of its format', async (found, text) => {
  const log = await check({ files: { 'genome.fa': text } })
  expect(log.defects.find(({ code }) => code === 'fasta-other-format')).toMatchObject({
    file: 'genome.fa',
    params: { found },
  })
  expect(errorsOf(log)).toHaveLength(1)
})

test('a genome of headers alone is refused in words, by the check too', async () => {
  const log = await check({ files: { 'genome.fa': '>chr1\n>pT\n' } })
  expect(errorsOf(log)).toEqual(['fasta-no-residues genome.fa:null'])
})

test('a term that the ontology does not have is told with its line', async () => {
  const log = await check({ files: { 'go.tsv': 'TM_0001\tGO:0000002\nTM_0002\tGO:7777777\n' } })
  const reported = log.defects.filter(({ code }) => code === 'annotation-term-unknown')
  expect(reported.map(({ line, params }) => [line, params.term])).toEqual([[2, 'GO:7777777']])
})

test('an annotation of which nearly all terms are none of the ontology is refused', async () => {
  const table = (unknown: number) =>
    Array.from(
      { length: 40 },
      (_, at) => `TM_000${(at % 4) + 1}\tGO:${at < unknown ? 7_000_000 + at : '0000002'}\n`,
    ).join('')
  const log = await check({ files: { 'go.tsv': table(38) } })
  expect(log.defects.find(({ code }) => code === 'rows-unknown')).toMatchObject({
    file: 'go.tsv',
    line: 1,
    params: { count: 38, total: 40, example: 'GO:7000000' },
  })
  expect(errorsOf(await check({ files: { 'go.tsv': table(30) } }))).toEqual([])
})

test.each([
  ['Salmon', 'Name\tLength\tEffectiveLength\tTPM\tNumReads\nTM_0001.1\t900\t700\t5.1\t33\n'],
  ['kallisto', 'target_id\tlength\teff_length\test_counts\ttpm\nTM_0001.1\t900\t700\t33\t5.1\n'],
])('%s gives one sample, none for each of its columns', async (_, text) => {
  const manifest = '    expression:\n      - { id: e, name: E, file: e.tsv, unit: counts }\n'
  const log = await check({ manifest, files: { 'e.tsv': text } })
  expect(errorsOf(log)).toEqual([])
  const other = await check({ manifest: manifest.replace('counts', 'CPM'), files: { 'e.tsv': text } })
  expect(errorsOf(other)).toEqual(['expression-unit-absent e.tsv:null'])
})

test('decimal commas are told as such, whatever parts the cells', async () => {
  const manifest = '    expression:\n      - { id: e, name: E, file: e.csv, unit: counts }\n'
  for (const text of ['gene;leaf;root\nTM_0001;1,5;2,25\n', 'gene,leaf,root\nTM_0001,1,5,2,25\n']) {
    const log = await check({ manifest, files: { 'e.csv': text } })
    expect(errorsOf(log)[0]).toBe('phenotype-decimal-comma e.csv:2')
  }
})

test('a table of a program is not read as another format that the manifest names, nor as a plain table', async () => {
  const heading = '#query\tseed_ortholog\teggNOG_OGs\ttax_ceiling\tfarthest_donor_lineage\tPFAMs\tannotation_confidence'
  const log = await check({
    files: { 'go.tsv': `${heading}\nTM_0001\ta\tb\tc\td\tKinase_10_95\thigh\n` },
  })
  expect(errorsOf(log)).toEqual(['annotation-other-format go.tsv:null'])
})

test('a link of a graph to a segment that is not there is told by its line', async () => {
  const { chr1, pT } = makeGenome()
  const gfa = `H\tVN:Z:1.0\nS\t1\t${chr1}\nS\t2\t${pT}\nL\t1\t+\t2\t+\t0M\nL\t1\t+\t99\t+\t0M\nP\tTM1#0#chr1\t1+\t*\n`
  const log = await check({
    manifest: '    graphs:\n      - { id: g, name: G, file: g.gfa }\n',
    files: { 'g.gfa': gfa },
  })
  expect(errorsOf(log)).toEqual(['graph-link-unknown g.gfa:5'])
})

test('a genotype with an allele that the record does not have is told by its line', async () => {
  const base = makeGenome().chr1[119]!
  const vcf = (genotype: string) =>
    `##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts1\ts2\nchr1\t120\t.\t${base}\tN,<DEL>\t.\t.\t.\tGT:DP\t0/2:9\t${genotype}\n`
  for (const fine of ['1|2', './.:3', '2', '.', '0/1:44'])
    expect(errorsOf(await check({ files: { 'snps.vcf': vcf(fine) } }))).toEqual([])
  for (const wrong of ['0/3', '10:1', '1|12|0:7'])
    expect(errorsOf(await check({ files: { 'snps.vcf': vcf(wrong) } }))).toEqual(['variants-allele-beyond snps.vcf:3'])
})

test('one gene stays one: a column behind the attributes, an mRNA line that is missing, parents in a circle, no gene_id', async () => {
  const rows = (...lines: string[]) =>
    `##gff-version 3\n${lines.map((line) => line.replaceAll(/ +/g, '\t')).join('\n')}\n`
  const genesOf = async (text: string) => {
    const log = await check({ files: { 'genes.gff3': text, 'go.tsv': 'A\tGO:0000002\n' } })
    return { codes: log.defects.filter(({ file }) => file === 'genes.gff3').map(({ code }) => code), log }
  }
  const ten = await genesOf(
    rows(
      'chr1 x gene 101 160 . + . ID=A high',
      'chr1 x mRNA 101 160 . + . ID=t;Parent=A high',
      'chr1 x CDS 101 160 . + 0 Parent=t high',
    ),
  )
  expect([...new Set(ten.codes)]).toEqual(['gff-columns-behind', 'model-exon-made'])
  const missing = await genesOf(rows('chr1 x gene 101 160 . + . ID=A', 'chr1 x CDS 101 160 . + 0 ID=c;Parent=t'))
  expect(missing.codes).toContain('model-parent-by-place')
  expect(missing.codes).not.toContain('model-gene-bare')
  const circle = await genesOf(
    rows(
      'chr1 x mRNA 101 160 . + . ID=t;Parent=u',
      'chr1 x mRNA 101 160 . + . ID=u;Parent=t',
      'chr1 x CDS 101 160 . + 0 ID=c;Parent=t',
    ),
  )
  expect(circle.log.count('model-gene-made')).toBe(1)
  const empty = await genesOf(
    [
      'chr1\tx\tgene\t101\t160\t.\t+\t.\tgene_id "";',
      'chr1\tx\ttranscript\t101\t160\t.\t+\t.\tgene_id ""; transcript_id "t";',
      'chr1\tx\tCDS\t101\t157\t.\t+\t0\tgene_id ""; transcript_id "t";',
      'chr1\tx\tstop_codon\t158\t160\t.\t+\t0\tgene_id ""; transcript_id "t";',
    ].join('\n'),
  )
  expect(empty.codes).toContain('gtf-gene-id-empty')
  expect(empty.codes).toContain('model-parent-by-place')
  // The stop codon beside the CDS is what GTF prescribes.
  expect(empty.codes).not.toContain('model-stop-codon-joined')
})

test('the folder itself has none of these', async () => {
  expect(errorsOf(await check({ files: { 'genes.gff3': makeGff3() } }))).toEqual([])
})
