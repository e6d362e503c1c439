import { describe, expect, it } from 'vitest'
import { summarizeGenes } from '../../testing/gene-parts.ts'
import { DefectLog } from '../text/defects.ts'
import type { Together } from './feature-survey.ts'
import { GeneModelReader, readGeneModelsInParts } from './gene-model-reader.ts'
import type { GeneModel } from './gene-models.ts'

const line = (sequence: string, type: string, start1: number, end1: number, attributes: string, strand = '+') =>
  `${sequence}\tx\t${type}\t${start1}\t${end1}\t.\t${strand}\t${type === 'CDS' ? '0' : '.'}\t${attributes}`

/** Genes of two transcripts with exons and coding parts, those of each sequence one behind the other. */
const genesOf = (sequence: string, count: number, parent = ''): string[][] =>
  Array.from({ length: count }, (_, at) => {
    const [id, start1] = [`${sequence}_${at}`, at * 1000 + 1]
    const rows = [line(sequence, 'gene', start1, start1 + 899, `ID=${id};Name=n${id};locus_tag=L${id}${parent}`)]
    for (const copy of ['a', 'b']) {
      rows.push(line(sequence, 'mRNA', start1, start1 + 899, `ID=${id}${copy};Parent=${id}`))
      for (const from of [0, 300, 600]) {
        rows.push(
          line(sequence, 'exon', start1 + from, start1 + from + 299 - (from < 600 ? 100 : 0), `Parent=${id}${copy}`),
        )
        rows.push(line(sequence, 'CDS', start1 + from, start1 + from + 98, `ID=${id}${copy}c;Parent=${id}${copy}`))
      }
    }
    return rows
  })

/** The same lines in an order that looks like chance. */
const shuffled = (rows: readonly string[]): string[] => {
  const mixed = [...rows]
  let state = 11
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (at + 1)
    ;[mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!]
  }
  return mixed
}

const readWhole = (text: string) => {
  const log = new DefectLog(10_000)
  const reader = new GeneModelReader({ file: 'x', log })
  reader.push(new TextEncoder().encode(text))
  return summarizeGenes(reader.finish().genes, log)
}

const readParts = async (text: string, together: Together) => {
  const log = new DefectLog(10_000)
  const genes: GeneModel[] = []
  const bytes = new TextEncoder().encode(text)
  let readings = 0
  const { plan } = await readGeneModelsInParts(
    { file: 'x', log, together, onGene: (gene) => void genes.push(gene) },
    async (onBytes) => {
      readings += 1
      onBytes(bytes)
    },
  )
  return { plan, readings, summary: summarizeGenes(genes, log) }
}

/** Transcripts come in the order of the file, here by their ids. */
const inOneOrder = ({ genes }: { genes: string[] }) =>
  genes.map((text) => {
    const gene = JSON.parse(text) as GeneModel
    return { ...gene, transcripts: gene.transcripts.sort((a, b) => (a.id < b.id ? -1 : 1)) }
  })

const usual = { min: 50, max: 200 }
const text = (rows: readonly string[]) => `##gff-version 3\n${rows.join('\n')}\n`

describe('FeatureSurvey', () => {
  it('holds few features at once of a file with one gene after another, which is read twice', async () => {
    const rows = [...genesOf('chrA', 120).flat(), ...genesOf('chrB', 80).flat()]
    const { plan, readings, summary } = await readParts(text(rows), usual)
    expect([plan.rounds, readings]).toEqual([1, 2])
    expect(plan.max).toBeLessThanOrEqual(75)
    expect(summary).toEqual(readWhole(text(rows)))
  })

  it('holds no more at once of a file in any order, which is read more often, and finds the same genes', async () => {
    const rows = [...genesOf('chrA', 120).flat(), ...genesOf('chrB', 80).flat()]
    const sorted = [...rows].sort((a, b) => (a.split('\t')[2]! < b.split('\t')[2]! ? -1 : 1))
    const genes = inOneOrder(readWhole(text(rows)))
    for (const order of [shuffled(rows), sorted]) {
      const { plan, readings, summary } = await readParts(text(order), usual)
      expect(plan.max).toBeLessThanOrEqual(200)
      expect(readings).toBe(1 + plan.rounds)
      expect(plan.rounds).toBeGreaterThan(10)
      expect(summary).toEqual(readWhole(text(order)))
      expect(inOneOrder(summary)).toEqual(genes)
    }
  })

  it('is not kept from parting by genes and other features that name their chromosome as parent, wherever its line stands', async () => {
    const chromosome = line('chrA', 'chromosome', 1, 200_000, 'ID=chrA')
    const genes = genesOf('chrA', 100, ';Parent=chrA').flat()
    const trna = Array.from({ length: 100 }, (_, at) =>
      line('chrA', 'tRNA', at * 1000 + 950, at * 1000 + 980, `ID=t${at};Parent=chrA`),
    )
    const repeats = Array.from({ length: 100 }, (_, at) =>
      line('chrA', 'repeat', at * 900 + 1, at * 900 + 90, 'Parent=chrA'),
    )
    const mixed = trna.flatMap((row, at) => [...genes.slice(at * 15, at * 15 + 15), row, repeats[at]!])
    for (const rows of [
      [chromosome, ...mixed],
      [...mixed, chromosome],
      [...mixed.slice(0, 700), chromosome, ...mixed.slice(700)],
    ]) {
      const { plan, summary } = await readParts(text(rows), usual)
      expect(plan.rounds).toBe(1)
      expect(plan.max).toBeLessThanOrEqual(75)
      expect(summary).toEqual(readWhole(text(rows)))
    }
  })

  it('keeps a sequence together where exons name a transcript that is nowhere, which goes to the gene at its place', async () => {
    const bare = Array.from({ length: 60 }, (_, at) =>
      line('chrA', 'gene', at * 1000 + 1, at * 1000 + 900, `ID=g${at}`),
    )
    const parts = Array.from({ length: 60 }, (_, at) =>
      [100, 500].map((from) => line('chrA', 'exon', at * 1000 + from, at * 1000 + from + 99, `Parent=lost${at}`)),
    ).flat()
    const rows = [...bare, ...parts, ...genesOf('chrB', 60).flat()]
    const { summary } = await readParts(text(rows), usual)
    expect(JSON.stringify(summary)).toContain('model-parent-by-place')
    expect(summary).toEqual(readWhole(text(rows)))
    const mixed = shuffled(rows)
    expect((await readParts(text(mixed), usual)).summary).toEqual(readWhole(text(mixed)))
  })

  it('keeps together what only a locus tag or a gene id joins', async () => {
    const genes = Array.from({ length: 90 }, (_, at) =>
      line('c', 'gene', at * 500 + 1, at * 500 + 400, `ID=g${at};locus_tag=T%20${at}`),
    )
    const coding = Array.from({ length: 90 }, (_, at) =>
      line('c', 'CDS', at * 500 + 1, at * 500 + 300, `ID=p${at};locus_tag=T ${at}`),
    )
    const loose = Array.from({ length: 90 }, (_, at) =>
      line('d', 'mRNA', at * 500 + 1, at * 500 + 400, `ID=m${at};geneID=e${at % 45}`),
    )
    const tagged = Array.from({ length: 90 }, (_, at) =>
      line('c', 'tRNA', at * 500 + 1, at * 500 + 40, `ID=r${at};locus_tag=T ${at}`),
    )
    const rows = [...genes, ...coding, ...loose, ...tagged]
    const { plan, summary } = await readParts(text(rows), { min: 10, max: 60 })
    expect(plan.max).toBeLessThanOrEqual(60)
    expect(summary).toEqual(readWhole(text(rows)))
  })

  it('reads GTF without lines for genes and transcripts the same, genes of one name on two sequences apart', async () => {
    const rows = ['X', 'Y'].flatMap((sequence) =>
      Array.from({ length: 80 }, (_, at) =>
        [0, 200, 400].flatMap((from) =>
          ['exon', 'CDS'].map((type) =>
            line(
              sequence,
              type,
              at * 900 + from + 1,
              at * 900 + from + 99,
              `gene_id "g${at}"; transcript_id "g${at}.1";`,
            ),
          ),
        ),
      ).flat(),
    )
    const { plan, summary } = await readParts(rows.join('\n'), usual)
    expect(plan.rounds).toBe(1)
    expect(plan.max).toBeLessThanOrEqual(60)
    expect(summary).toEqual(readWhole(rows.join('\n')))
  })

  it('says nothing of genes of a file that turns out to be no text, as when it is read at once', async () => {
    const rows = `${text(genesOf('chrA', 40).flat())}chrA\tx\tgene\t1\t9\t.\t+\t.\tID=\0\n`
    const { summary } = await readParts(rows, usual)
    expect(JSON.stringify(summary)).toContain('text-binary')
    expect(summary).toEqual(readWhole(rows))
  })
})
