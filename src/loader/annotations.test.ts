import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { DefectLog } from '../bio/text/defects.ts'
import type { AnnotationEntry } from '../contracts/manifest.ts'
import type { CopyValue } from '../database/baked-tables.ts'
import { matchAsIs } from '../testing/gene-matches.ts'
import { bakeAnnotations } from './annotations.ts'
import type { OntologyIndex } from './ontologies.ts'

const folder = mkdtempSync(join(tmpdir(), 'novodb-annotations-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const genes = new Map(['YAL001C', 'YAL002W', 'YAL003W'].map((id) => [id.toLowerCase(), id]))
const terms = {
  'GO:0006383': { id: 'GO:0006383', source: 'GO', name: 'transcription by RNA polymerase III', obsolete: false },
}
const ontology: OntologyIndex = {
  find: (id) => (terms as Record<string, OntologyIndex extends { find(id: string): infer T } ? T : never>)[id] ?? null,
  termCount: 1,
  hasSource: () => false,
}

const gafLine = (gene: string, term: string, qualifier = '', evidence = 'IDA'): string =>
  [
    'SGD',
    gene,
    gene,
    qualifier,
    term,
    'SGD_REF:S1',
    evidence,
    '',
    'P',
    'name',
    gene,
    'gene',
    'taxon:4932',
    '20200101',
    'SGD',
    '',
    '',
  ].join('\t')

const bake = async (
  files: { name: string; content: string | Uint8Array; entry?: Partial<AnnotationEntry> }[],
  onRow: (table: string, values: readonly CopyValue[]) => void = () => undefined,
) => {
  const log = new DefectLog()
  const annotation = await bakeAnnotations({
    entries: files.map(({ name, content, entry }) => {
      writeFileSync(join(folder, name), content)
      return { entry: { file: name, ...entry }, path: join(folder, name) }
    }),
    writer: { add: async (table, values) => onRow(typeof table === 'string' ? table : table.name, values) },
    ontology,
    matchGene: matchAsIs((name) => genes.get(name.toLowerCase()) ?? null),
    log,
    signal: new AbortController().signal,
    progress: () => undefined,
  })
  return { annotation, log }
}

describe('annotation files', () => {
  test('rows said twice, within a file or by two files, are one; what a gene has not is kept and not counted', async () => {
    const rows: (readonly CopyValue[])[] = []
    const { annotation } = await bake(
      [
        {
          name: 'a.gaf',
          content: `!gaf-version: 2.2\n${[
            gafLine('YAL001C', 'GO:0006383'),
            gafLine('YAL001C', 'GO:0006383'),
            gafLine('yal001c', 'GO:0006383', '', 'IEA'),
            gafLine('YAL002W', 'GO:0006383', 'NOT|involved_in'),
          ].join('\n')}\n`,
        },
        { name: 'b.gaf.gz', content: gzipSync(`!gaf-version: 2.2\r\n${gafLine('YAL001C', 'GO:0006383')}`) },
      ],
      (_, values) => rows.push(values),
    )
    expect(rows.map((row) => [row[0], row[2], row[3]])).toEqual([
      ['YAL001C', 'GO:0006383', 'IDA'],
      ['YAL001C', 'GO:0006383', 'IEA'],
      ['YAL002W', 'GO:0006383', 'IDA'],
    ])
    expect(annotation.rowCount).toBe(3)
    expect(annotation.termsOf('YAL001C')).toEqual({
      count: 2,
      names: ['transcription by RNA polymerase III', 'GO:0006383'],
    })
    expect(annotation.termsOf('YAL002W')).toEqual({ count: 0, names: [] })
    expect(annotation.sources).toEqual(new Map([['GO', 1]]))
  })

  test('a domain that covers two parts of a protein is two rows and one term, named by the file where no ontology is', async () => {
    const domain = (start: number, end: number) =>
      `YAL003W\t${'0123456789abcdef'.repeat(2)}\t206\tPfam\tPF00736\tEF-1 guanine nucleotide exchange domain\t${start}\t${end}\t1e-30\tT\t01-01-2020\t-\t-`
    const rows: [string, readonly CopyValue[]][] = []
    const { annotation } = await bake(
      [{ name: 'ipr.tsv', content: `${[domain(1, 90), domain(120, 206), domain(1, 90)].join('\n')}\n` }],
      (table, values) => rows.push([table, values]),
    )
    expect(rows.filter(([table]) => table === 'gene_terms').map(([, row]) => [row[2], row[5], row[6]])).toEqual([
      ['PF00736', 1, 90],
      ['PF00736', 120, 206],
    ])
    expect(rows.filter(([table]) => table === 'terms')[0]![1].slice(0, 3)).toEqual([
      'Pfam',
      'PF00736',
      'EF-1 guanine nucleotide exchange domain',
    ])
    expect(annotation.termsOf('YAL003W').count).toBe(2)
    expect(annotation.termsOf('YAL003W').names).toContain('EF-1 guanine nucleotide exchange domain')
  })

  test('a short file and one of no known format are told apart by the lines there are', async () => {
    const short = await bake([{ name: 'short.tsv', content: 'YAL001C\tGO:0006383' }])
    expect(short.annotation.rowCount).toBe(1)
    const words = await bake([{ name: 'words.tsv', content: 'onecolumn\n'.repeat(200) }])
    expect(words.log.count('annotation-format-unknown')).toBe(1)
    expect(words.annotation.rowCount).toBe(0)
  })

  test('a GAF of half a million lines is read within the memory of what is new in it', async () => {
    // 100 assignments to three genes, said over and over: 63 MB of text, of which nothing may stay.
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const block = Array.from({ length: 100 }, (_, number) =>
      gafLine(`YAL00${1 + (number % 3)}${number % 3 === 0 ? 'C' : 'W'}`, `GO:${String(number).padStart(7, '0')}`),
    ).join('\n')
    const content = `!gaf-version: 2.2\n${`${block}\n`.repeat(5000)}`
    writeFileSync(join(folder, 'large.gaf'), content)
    const usedBytes = () => {
      collect()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const before = usedBytes()
    const log = new DefectLog()
    let max = 0
    let asked = 0
    const annotation = await bakeAnnotations({
      entries: [{ entry: { file: 'large.gaf' }, path: join(folder, 'large.gaf') }],
      writer: { add: async () => undefined },
      ontology,
      matchGene: matchAsIs((name) => {
        asked += 1
        if (asked % 50_000 === 0) max = Math.max(max, usedBytes() - before)
        return genes.get(name.toLowerCase()) ?? null
      }),
      log,
      signal: new AbortController().signal,
      progress: () => undefined,
    })
    expect(annotation.rowCount).toBe(100)
    // A name that follows itself is matched once.
    expect(asked).toBeGreaterThan(490_000)
    expect(max).toBeLessThan(content.length / 3)
  })
})
