import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renameSam, renameSubjects } from './hits/formats.ts'
import { gff3Lines } from './hits/hit-features.ts'
import { HspReader, indexHits, listHits } from './hits/hit-store.ts'
import { renderMidline } from './hits/positives.ts'
import { type Hsp, parseHspLine } from './hits/tabular.ts'
import type { DatabaseKind, Program } from './programs.ts'
import { splitAlignment } from './result/alignment-blocks.ts'

// Outputs of BLAST+ 2.12.0 for two queries, the first of which has no hits: see search-testbed.ts for the databases.
const golden = join(import.meta.dirname, 'golden/blast-2.12.0')
const tables = readdirSync(golden).filter((file) => file.endsWith('.tsv'))
const never = new AbortController().signal

const rowsOf = (file: string): Hsp[] =>
  readFileSync(join(golden, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseHspLine)

const programOf = (file: string): Program =>
  file.startsWith('megablast') || file.startsWith('dc-') ? 'blastn' : (file.split(/[-.]/)[0] as Program)

/** Query and subject lines of a pairwise report: start, residues, end. */
const pairwiseLines = (file: string): [string, number, string, number][] =>
  readFileSync(join(golden, file), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const match = /^(Query|Sbjct) +(\d+) +(\S+) +(\d+)$/.exec(line)
      return match === null
        ? []
        : [[match[1]!, Number(match[2]), match[3]!, Number(match[4])] as [string, number, string, number]]
    })

describe('outputs of BLAST+ 2.12.0', () => {
  it.each(tables)('%s: the index holds every query, hit and HSP', async (file) => {
    const directory = mkdtempSync(join(tmpdir(), 'novodb-golden-'))
    try {
      copyFileSync(join(golden, file), join(directory, 'hsps.tsv'))
      const program = programOf(file)
      const pastedKind: DatabaseKind = program === 'blastp' || program === 'blastx' ? 'protein' : 'genome'
      const { queries, best } = await indexHits({ directory, queryCount: 2, pastedKind, signal: never })
      const rows = rowsOf(file)
      const counted = [...readFileSync(join(golden, file), 'utf8').matchAll(/^# (\d+) hits found$/gm)].map((match) =>
        Number(match[1]),
      )
      expect(queries.map((query) => query.hsps)).toEqual(counted)
      if (counted[0] === 0) expect(best[0]).toBeNull()
      const found = rows.slice(counted[0])
      const hits = await listHits(directory, queries[1]!, {
        filter: {},
        order: 'rank',
        descending: false,
        signal: never,
      })
      expect(hits.map((hit) => hit.hspCount).reduce((sum, count) => sum + count, 0)).toBe(found.length)
      expect(new Set(hits.map((hit) => `${hit.assembly} ${hit.subject}`)).size).toBe(hits.length)
      expect(best[1]!.evalue).toBe(found[0]!.evalue)
      // The bytes kept for each hit lead back to just its rows.
      const read: Hsp[] = []
      const reader = await HspReader.open(directory, never)
      for (const hit of hits) for await (const hsp of reader.read(hit)) read.push(hsp)
      await reader.close()
      expect(read).toEqual(found)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it('is refused when the program stopped before the last query', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'novodb-golden-'))
    try {
      copyFileSync(join(golden, 'blastn.tsv'), join(directory, 'hsps.tsv'))
      await expect(indexHits({ directory, queryCount: 3, pastedKind: 'genome', signal: never })).rejects.toThrow(
        '2 of 3',
      )
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it.each(['blastn', 'blastp', 'blastx', 'tblastn', 'tblastx'] as const)(
    '%s: rows of an alignment stand at the positions of the pairwise report',
    (program) => {
      const reported = pairwiseLines(`${program}.pairwise.txt`)
      const ours = rowsOf(`${program}.tsv`).flatMap((hsp) =>
        splitAlignment(
          { ...hsp, middleRow: renderMidline(hsp.queryRow, hsp.subjectRow, program === 'blastn' ? null : 'BLOSUM62') },
          program,
          60,
        ).flatMap((block): [string, number, string, number][] => [
          ['Query', block.queryStart1, block.queryRow, block.queryEnd1],
          ['Sbjct', block.subjectStart1, block.subjectRow, block.subjectEnd1],
        ]),
      )
      expect(ours.length).toBeGreaterThan(2)
      // The report may sort HSPs otherwise, and shows masked residues in small letters.
      const sorted = (lines: [string, number, string, number][]): string[] =>
        lines.map((line) => line.join(' ').toUpperCase()).sort()
      expect(sorted(ours)).toEqual(sorted(reported))
    },
  )
})

describe('names in the place of numbers', () => {
  const lines = async function* (text: string) {
    yield* text.split('\n')
  }
  const collect = async (source: AsyncIterable<string>): Promise<string[]> => {
    const all: string[] = []
    for await (const line of source) all.push(line)
    return all
  }
  it('are those of the title, also with signs that XML and JSON write otherwise', async () => {
    const json = await collect(
      renameSubjects(
        lines('"id": "gnl|BL_ORD_ID|7",\n"accession": "7",\n"title": "a\\"b [A genome]"\n"len": 3'),
        'json',
      ),
    )
    expect(json.slice(0, 2)).toEqual(['"id": "a\\"b",', '"accession": "a\\"b",'])
    const xml = await collect(
      renameSubjects(
        lines(
          '  <Hit_id>gnl|BL_ORD_ID|7</Hit_id>\n  <Hit_def>a&amp;b gene=g &lt;x&gt; [A protein]</Hit_def>\n  <Hit_accession>7</Hit_accession>\n  <Hit_len>3</Hit_len>',
        ),
        'xml',
      ),
    )
    expect(xml).toEqual([
      '  <Hit_id>a&amp;b</Hit_id>',
      '  <Hit_def>a&amp;b gene=g &lt;x&gt; [A protein]</Hit_def>',
      '  <Hit_accession>a&amp;b</Hit_accession>',
      '  <Hit_len>3</Hit_len>',
    ])
  })

  it('in SAM: queries and subjects in their columns, and no command line', async () => {
    const sam = await collect(
      renameSam(
        lines(
          '@SQ\tSN:BL_ORD_ID:3\tLN:9\n@PG\tID:0\tCL:blast_formatter -archive /secret/x\tPN:blastn\nQuery_2\t0\tBL_ORD_ID:3\t1',
        ),
        new Map([['3', 'chr1']]),
        ['first', 'second'],
      ),
    )
    expect(sam).toEqual(['@SQ\tSN:chr1\tLN:9', '@PG\tID:0\tPN:blastn', 'second\t0\tchr1\t1'])
  })
})

describe('hits as GFF3', () => {
  const hsp = (subjectStart1: number, subjectEnd1: number, bitScore: number): Hsp => ({
    ...rowsOf('blastn.tsv')[0]!,
    subjectStart1,
    subjectEnd1,
    subjectFrame: subjectStart1 <= subjectEnd1 ? 1 : -1,
    bitScore,
  })
  it('join the exons of a gene and part what lies on the other strand or far away', async () => {
    const hsps = async function* () {
      yield hsp(1000, 1200, 300)
      yield hsp(1500, 1600, 150)
      yield hsp(900_000, 900_100, 80)
      yield hsp(1400, 1300, 60)
    }
    const hit = { rank: 4, subject: 'chr;1', assembly: 'SK1' } as Parameters<typeof gff3Lines>[0]['hit']
    const found: string[][] = []
    for await (const line of gff3Lines({ query1: 2, query: { id: 'a b' }, hit, hsps: hsps(), program: 'blastn' }))
      found.push(line.split('\t'))
    expect(
      found
        .filter((cells) => cells[2] === 'nucleotide_match')
        .map((cells) => [cells[0], cells[3], cells[4], cells[5], cells[6]]),
    ).toEqual([
      ['chr%3B1', '1000', '1600', '300', '+'],
      ['chr%3B1', '900000', '900100', '80', '+'],
      ['chr%3B1', '1300', '1400', '60', '-'],
    ])
    expect(found.filter((cells) => cells[2] === 'match_part')).toHaveLength(4)
    expect(found[1]![8]).toMatch(/^ID=q2\.h4\.m1\.1;Parent=q2\.h4\.m1;Target=a%20b \d+ \d+;/)
    expect(found.every((cells) => cells[8]!.endsWith(';assembly=SK1'))).toBe(true)
  })
})
