// How fast the readers of src/bio are, on made files of the size of a large genome.
// Run after `npm run build:node`: node --expose-gc dist/node/bench/bio.js

import { GeneModelReader } from '../src/bio/annotation/gene-model-reader.ts'
import { FastaReader } from '../src/bio/sequence/fasta.ts'
import { DefectLog } from '../src/bio/text/defects.ts'

const megabyte = 1_000_000
const encoder = new TextEncoder()

function report(what: string, seconds: number, more: string): void {
  process.stdout.write(`${what.padEnd(34)} ${seconds.toFixed(2)} s  ${more}\n`)
}

function benchFasta(totalBp: number): void {
  const line = `${'ACGTNacgtaCGTACGATCGATCGACTAGCTAGCTAGCATCGATCGATCGACTAGCATCGA'.slice(0, 60)}\n`
  const chunk = encoder.encode(line.repeat(1075))
  let residues = 0
  const reader = new FastaReader({
    file: 'made.fa',
    log: new DefectLog(),
    alphabet: 'nucleotide',
    onResidues: (piece) => {
      residues += piece.length
    },
  })
  const start = performance.now()
  reader.push(encoder.encode('>chr1\n'))
  while (residues < totalBp) reader.push(chunk)
  reader.end()
  report('FASTA scan', (performance.now() - start) / 1000, `${Math.round(residues / megabyte)} Mb`)
}

/** Genes of two transcripts with five exons and four coding parts each: 21 lines a gene. */
function* makeAnnotation(geneCount: number, gtf: boolean): Generator<Uint8Array> {
  let lines: string[] = []
  for (let gene = 0; gene < geneCount; gene++) {
    const sequence = `chr${1 + Math.floor(gene / 2500)}`
    const base = 1000 + (gene % 2500) * 10_000
    const id = `Gene${String(gene).padStart(6, '0')}`
    const add = (type: string, start1: number, end1: number, phase: string, attributes: string) =>
      lines.push(
        `${sequence}\tmade\t${type}\t${start1}\t${end1}\t.\t${gene % 2 ? '+' : '-'}\t${phase}\t${attributes}\n`,
      )
    add(
      'gene',
      base,
      base + 9000,
      '.',
      gtf
        ? `gene_id "${id}"; gene_name "ABC${gene}"; gene_biotype "protein_coding";`
        : `ID=${id};Name=ABC${gene};Dbxref=GeneID:${gene};description=Putative membrane protein number ${gene}%2C involved in transport`,
    )
    for (const transcript of [`${id}.t1`, `${id}.t2`]) {
      const own = gtf ? `gene_id "${id}"; transcript_id "${transcript}";` : `ID=${transcript};Parent=${id}`
      const part = gtf ? own : `Parent=${transcript}`
      add(gtf ? 'transcript' : 'mRNA', base, base + 9000, '.', own)
      for (let exon = 0; exon < 5; exon++) {
        const start1 = base + exon * 2000
        add('exon', start1, start1 + (exon === 4 ? 1000 : 299), '.', part)
        if (exon < 4) add('CDS', start1, start1 + 299, '0', gtf ? part : `ID=${transcript}.cds;${part}`)
      }
    }
    if (lines.length > 4000) {
      yield encoder.encode(lines.join(''))
      lines = []
    }
  }
  yield encoder.encode(lines.join(''))
}

function benchAnnotation(geneCount: number, gtf: boolean): void {
  const collect = (globalThis as { gc?: () => void }).gc
  collect?.()
  const before = process.memoryUsage().heapUsed
  const reader = new GeneModelReader({ file: 'made', log: new DefectLog() })
  const start = performance.now()
  for (const chunk of makeAnnotation(geneCount, gtf)) reader.push(chunk)
  const { genes } = reader.finish()
  const seconds = (performance.now() - start) / 1000
  const heap = Math.round((process.memoryUsage().heapUsed - before) / megabyte)
  report(`${gtf ? 'GTF' : 'GFF3'}, ${geneCount * 21} lines`, seconds, `${genes.length} genes, heap ${heap} MB`)
}

benchFasta(400 * megabyte)
benchAnnotation(50_000, false)
benchAnnotation(50_000, true)
