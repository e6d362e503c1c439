import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { geneticCodes, translate } from '../../bio/sequence/genetic-codes.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { seededRandom } from '../../bio/statistics/random.ts'
import { PortalError } from '../../contracts/errors.ts'
import { answerText } from '../../testing/contexts.ts'
import { full, hasRealData, realData } from '../../testing/real-data.ts'
import { checkExport } from '../../testing/strict-reader.ts'
import type { HitAnswer } from './endpoints.ts'
import { type Hit, type HspRange, hspFile } from './hits/hit-store.ts'
import { hspColumns, parseHspLine, renderBitScore, renderEvalue } from './hits/tabular.ts'
import { countScope } from './result/scope-words.ts'
import { openTestbed, type Testbed, type TestbedAssembly } from './search-testbed.ts'

const yeast = join(realData, 'yeast')
const unpack = (file: string): string => gunzipSync(readFileSync(join(yeast, file))).toString('utf8')

/** Two relatives: the second has every twelfth base changed, one gene less, and sequences of the same names. */
const makeAssemblies = (): TestbedAssembly[] => {
  const random = seededRandom(20)
  const bases = (length: number): string => Array.from({ length }, () => 'ACGT'[Math.floor(random() * 4)]).join('')
  const codons = (count: number): string => {
    const amino = geneticCodes.get(1)!.aminoAcids
    const all = [...'TCAG'].flatMap((a) => [...'TCAG'].flatMap((b) => [...'TCAG'].map((c) => a + b + c)))
    const sense = all.filter((_, at) => amino[at] !== '*')
    return `ATG${Array.from({ length: count }, () => sense[Math.floor(random() * sense.length)]).join('')}TAA`
  }
  const assembly: TestbedAssembly = { id: 'A-1.0', genome: '', cds: '', proteins: '', genes: [] }
  const relative: TestbedAssembly = { id: 'B', genome: '', cds: '', proteins: '', genes: [] }
  for (const chromosome of ['chr1', 'chr2']) {
    let sequence = bases(500)
    for (let number = 0; number < 4; number += 1) {
      const cds = codons(120 + 40 * number)
      const id = `${chromosome === 'chr1' ? 'ga' : 'gb'}${number}`
      const strand = number % 2 === 0 ? '+' : '-'
      const start = sequence.length + 1
      sequence += (strand === '+' ? cds : reverseComplement(cds)) + bases(300)
      assembly.genes!.push({
        id,
        symbol: `sym${id}`,
        description: `protein <${number}> & "more"`,
        sequence: chromosome,
        start,
        end: start + cds.length - 1,
        strand,
      })
      assembly.cds += `>${id}\n${cds}\n`
      assembly.proteins += `>${id}\n${translate(cds, { table: 1 })}\n`
    }
    assembly.genome += `>${chromosome} some words\n${sequence}\n`
    const changed = [...sequence]
      .map((base, at) => (at % 12 === 5 ? { A: 'G', G: 'A', C: 'T', T: 'C' }[base]! : base))
      .join('')
    relative.genome += `>${chromosome}\n${changed.slice(0, 2600)}\n`
  }
  return [assembly, relative]
}

let bed: Testbed
let assemblies: TestbedAssembly[]
beforeAll(async () => {
  assemblies = makeAssemblies()
  bed = await openTestbed(assemblies)
})
afterAll(() => bed.close())

const recordOf = (fasta: string, name: string): string =>
  fasta
    .split(/^>/m)
    .find((record) => record.startsWith(name))!
    .split('\n')[1]!

const rowsOf = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

/** All hits of a query, through the tool's route. */
const hitsOf = async (run: Awaited<ReturnType<Testbed['run']>>, query = '1'): Promise<Hit[]> => {
  const answer = await bed.ask('jobs/{job}/hits/', { query, pageSize: '5000' }, run)
  return (answer as { json: { hits: Hit[] } }).json.hits
}

const problemOf = async (
  input: unknown,
): Promise<{ message: string; field: unknown; params: Record<string, unknown> }> => {
  const error = await bed.run(input).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof PortalError)) throw new Error(`expected a PortalError, not ${String(error)}`)
  return {
    message: error.problems[0]?.message ?? error.messageId,
    field: error.problems[0]?.path[0],
    params: error.params,
  }
}

describe('baking databases', () => {
  it('makes a database of each kind of sequence that the assembly has', () => {
    expect(bed.counts.get('A-1.0')).toEqual({ 'blast-genome': 2, 'blast-cds': 8, 'blast-protein': 8 })
    expect(bed.counts.get('B')).toEqual({ 'blast-genome': 2 })
    expect(bed.defects).toEqual([])
  })
})

const cases: {
  name: string
  program: string
  task?: string
  query: 'nucleotide' | 'protein'
  database: string
  extra?: Record<string, unknown>
}[] = [
  { name: 'megablast', program: 'blastn', task: 'megablast', query: 'nucleotide', database: 'genome' },
  { name: 'dc-megablast', program: 'blastn', task: 'dc-megablast', query: 'nucleotide', database: 'genome' },
  { name: 'blastn', program: 'blastn', task: 'blastn', query: 'nucleotide', database: 'genome' },
  {
    name: 'blastn-short',
    program: 'blastn',
    task: 'blastn-short',
    query: 'nucleotide',
    database: 'genome',
    extra: { maxHsps: 20 },
  },
  { name: 'blastp', program: 'blastp', task: 'blastp', query: 'protein', database: 'protein', extra: { evalue: 10 } },
  { name: 'blastp-fast', program: 'blastp', task: 'blastp-fast', query: 'protein', database: 'protein' },
  { name: 'blastp-short', program: 'blastp', task: 'blastp-short', query: 'protein', database: 'protein' },
  {
    name: 'blastx',
    program: 'blastx',
    task: 'blastx',
    query: 'nucleotide',
    database: 'protein',
    extra: { evalue: 10 },
  },
  { name: 'blastx-fast', program: 'blastx', task: 'blastx-fast', query: 'nucleotide', database: 'protein' },
  { name: 'tblastn', program: 'tblastn', task: 'tblastn', query: 'protein', database: 'genome', extra: { evalue: 10 } },
  { name: 'tblastn-fast', program: 'tblastn', task: 'tblastn-fast', query: 'protein', database: 'genome' },
  { name: 'tblastx', program: 'tblastx', query: 'nucleotide', database: 'genome' },
]

/** Programs of the ordinary run, each once; the other tasks of a program with --full. */
const ordinary = ['megablast', 'blastn-short', 'blastp', 'blastx', 'tblastn', 'tblastx']

describe('the same hits as on the command line, every column', () => {
  it.each(cases.filter(({ name }) => full || ordinary.includes(name)))(
    '$name',
    async ({ program, task, query, database, extra }) => {
      const source = query === 'protein' ? assemblies[0]!.proteins! : assemblies[0]!.cds!
      const fasta = ['ga0', 'gb3'].map((name) => `>${name} of the test\n${recordOf(source, name)}\n`).join('')
      const databases = database === 'genome' ? ['A-1.0/genome', 'B/genome'] : ['A-1.0/protein']
      const run = await bed.run({ query: fasta, program, task, databases, ...extra })
      const evalue = (extra?.evalue as number | undefined) ?? (task?.endsWith('short') ? 10 : 1e-5)
      const arguments_ = ['-db', databases.join(' '), '-evalue', String(evalue), '-outfmt', `6 ${hspColumns.join(' ')}`]
      if (task !== undefined) arguments_.push('-task', task)
      if (extra?.maxHsps !== undefined) arguments_.push('-max_hsps', String(extra.maxHsps))
      const byHand = rowsOf(await bed.byHand(program, arguments_, fasta))
      const ours = rowsOf(readFileSync(join(run.directory, hspFile), 'utf8'))
      expect(byHand.length).toBeGreaterThan(1)
      expect(ours).toEqual(byHand)
      expect(run.result.hsps).toBe(byHand.length)

      // What the pages show is those rows, in the figures in which the program writes them.
      const shown: Hit[] = []
      for (const [at] of run.result.queries.entries()) shown.push(...(await hitsOf(run, String(at + 1))))
      expect(shown.reduce((sum, hit) => sum + hit.hspCount, 0)).toBe(byHand.length)
      const drawn: Hit[] = []
      for (const [at] of run.result.queries.entries()) {
        const answer = await bed.ask('jobs/{job}/overview/', { query: String(at + 1) }, run)
        drawn.push(...(answer as { json: { hits: Hit[] } }).json.hits)
      }
      // The table alone names the genes under a hit.
      expect(drawn.map((hit) => ({ ...hit, hsps: [] }))).toEqual(shown.map(({ under: _, ...hit }: HitAnswer) => hit))
      const places = new Set(drawn.flatMap((hit) => hit.hsps.map((place: HspRange) => place.slice(0, 4).join(' '))))
      for (const row of byHand) {
        const hsp = parseHspLine(row)
        expect(places.has([hsp.queryStart1, hsp.queryEnd1, hsp.subjectStart1, hsp.subjectEnd1].join(' '))).toBe(true)
        const cells = row.split('\t')
        expect(renderEvalue(hsp.evalue)).toBe(cells[hspColumns.indexOf('evalue')])
        expect(renderBitScore(hsp.bitScore)).toBe(cells[hspColumns.indexOf('bitscore')]!.trim())
      }
    },
  )
})

describe('what a search finds', () => {
  it('tells chromosomes of the same name in two assemblies apart', async () => {
    const run = await bed.run({
      genes: 'ga0',
      program: 'blastn',
      task: 'blastn',
      databases: ['B/genome', 'A-1.0/genome'],
    })
    const hits = await hitsOf(run)
    expect(hits.map((hit) => [hit.assembly, hit.subject, hit.kind])).toEqual([
      ['A-1.0', 'chr1', 'genome'],
      ['B', 'chr1', 'genome'],
    ])
    expect(hits[0]!.identityPercent).toBe(100)
    expect(hits[1]!.identityPercent).toBeGreaterThan(88)
    expect(hits[1]!.identityPercent).toBeLessThan(94)
    const gene = assemblies[0]!.genes![0]!
    expect([hits[0]!.subjectStart1, hits[0]!.subjectEnd1, hits[0]!.strand]).toEqual([gene.start, gene.end, '+'])
    expect(run.result.queries[0]).toMatchObject({ id: 'ga0', gene: 'ga0', hits: 2, full: false })
  })

  it('places a gene of the minus strand on the minus strand, start after end as BLAST writes it', async () => {
    const gene = assemblies[0]!.genes![1]!
    const run = await bed.run({ genes: ['symga1'], program: 'blastn', databases: 'A-1.0/genome' })
    const [hit] = await hitsOf(run)
    expect([hit!.subjectStart1, hit!.subjectEnd1, hit!.strand]).toEqual([gene.end, gene.start, '-'])
  })

  it('leads hits in proteins back to genes, whatever signs the description has', async () => {
    const run = await bed.run({ genes: ['gb3'], program: 'blastp', databases: 'A-1.0/protein' })
    const [hit] = await hitsOf(run)
    expect(hit).toMatchObject({
      subject: 'gb3',
      gene: 'gb3',
      symbol: 'symgb3',
      title: 'protein <3> & "more"',
      kind: 'protein',
      strand: null,
    })
  })

  it('keeps the receipt free of paths of the machine, and names the databases as people do', async () => {
    const { receipt } = await bed.run({ genes: ['gb3'], program: 'blastp', databases: 'A-1.0/protein' })
    expect(receipt.steps.map((step) => step.program)).toEqual(['blastp', 'blast_formatter'])
    expect(receipt.steps[0]!.command!.join(' ')).toContain('-db A-1.0/protein')
    expect(JSON.stringify(receipt)).not.toContain(bed.dataDir)
    expect(receipt.data.map((entry) => entry.assembly)).toEqual(['A-1.0'])
    expect(receipt.citations[0]!.doi).toBe('10.1186/1471-2105-10-421')
  })

  it('finds nothing where there is nothing, and still answers for every query in order', async () => {
    const run = await bed.run({
      query: `>nothing here\n${'ACGTTGCATTAGGCTA'.repeat(4)}\n>gene\n${recordOf(assemblies[0]!.cds!, 'ga2')}\n>nothing again\n${'GGTTCCAATTACGATA'.repeat(4)}\n`,
      databases: 'A-1.0/genome',
    })
    expect(run.result.queries.map((query) => [query.id, query.hits])).toEqual([
      ['nothing', 0],
      ['gene', 1],
      ['nothing', 0],
    ])
    expect(run.result.queries[0]!.best).toBeNull()
    expect(await hitsOf(run, '1')).toEqual([])
    expect((await hitsOf(run, '2'))[0]!.subject).toBe('chr1')
  })

  it('searches pasted sequences, alone and beside a database', async () => {
    const pasted = `>mine one\r\n${recordOf(assemblies[0]!.cds!, 'ga2')}\r\n>other\r\n${'ACGTTGCATTAGGCTA'.repeat(8)}\r\n`
    const alone = await bed.run({ genes: ['ga2'], subject: pasted })
    expect((await hitsOf(alone)).map((hit) => [hit.subject, hit.assembly, hit.strand])).toEqual([['mine', null, '+']])
    expect(alone.result.databases).toEqual([{ name: '_pasted/subject', assembly: null, kind: null, sequences: 2 }])
    const both = await bed.run({ genes: ['ga2'], subject: pasted, databases: 'A-1.0/genome' })
    expect((await hitsOf(both)).map((hit) => hit.assembly).sort()).toEqual(['A-1.0', null])
  })

  it('reads FASTA with any line ends, numbers and blanks', async () => {
    const cds = recordOf(assemblies[0]!.cds!, 'ga2')
    const run = await bed.run({
      query: `>q1 word\r\n   1 ${cds.slice(0, 60).toLowerCase()} \r\n  61 ${cds.slice(60)}\r\n`,
      databases: 'A-1.0/genome',
    })
    expect(run.result.queries[0]).toMatchObject({ id: 'q1', lengthResidues: cds.length, hits: 1 })
  })

  it('says that there may be more when as many subjects were found as asked for', async () => {
    const run = await bed.run({
      genes: ['ga0'],
      task: 'blastn',
      databases: ['A-1.0/genome', 'B/genome'],
      maxTargetSeqs: 1,
    })
    expect(run.result.queries[0]).toMatchObject({ hits: 1, full: true })
  })

  it('names genes that are unknown, and searches the others', async () => {
    const run = await bed.run({ genes: 'ga0 nosuch', databases: 'A-1.0/genome' })
    expect(run.result.unknownGenes).toEqual(['nosuch'])
    expect(run.result.queries.map((query) => query.id)).toEqual(['ga0'])
  })

  it('names sequences with another genetic code than the one translated with', async () => {
    const other = await openTestbed([{ ...assemblies[0]!, geneticCodes: { chr2: 3 } }])
    try {
      const { result } = await other.run({ genes: ['gb3'], program: 'tblastn', databases: 'A-1.0/genome' })
      // Both chromosomes are of one length: the first counts.
      expect(result.settings.databaseGeneticCode).toBe(1)
      expect(result.otherGeneticCodes).toEqual([{ sequence: 'chr2', assembly: 'A-1.0', geneticCode: 3 }])
    } finally {
      other.close()
    }
  })
})

describe('pages, alignments and files of a result', () => {
  let run: Awaited<ReturnType<Testbed['run']>>
  beforeAll(async () => {
    run = await bed.run({
      genes: ['ga0', 'gb3'],
      program: 'blastn',
      task: 'blastn',
      databases: ['A-1.0/genome', 'B/genome'],
    })
  })

  it('filters, orders and pages hits', async () => {
    const ask = async (query: Record<string, string>) =>
      ((await bed.ask('jobs/{job}/hits/', query, run)) as { json: { total: number; found: number; hits: Hit[] } }).json
    expect(await ask({ query: '1', assembly: 'B' })).toMatchObject({ total: 2, found: 1 })
    expect((await ask({ query: '1', order: 'identityPercent' })).hits.map((hit) => hit.assembly)).toEqual([
      'B',
      'A-1.0',
    ])
    expect((await ask({ query: '1', pageSize: '1', page: '2' })).hits.map((hit) => hit.rank)).toEqual([2])
    expect((await ask({ query: '1', minimumIdentity: '99' })).found).toBe(1)
    await expect(ask({ query: '9' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('names the genes under a hit in a genome', async () => {
    const hits = await hitsOf(run)
    expect(hits.find(({ rank }) => rank === 1)).toMatchObject({
      under: { genes: [{ id: 'ga0' }], count: 1, countExact: true },
    })
  })

  it('gives alignments with the middle line and the genes under them', async () => {
    const answer = (await bed.ask('jobs/{job}/hsps/', { query: '1', hit: '1' }, run)) as {
      json: {
        hsps: { queryRow: string; middleRow: string; subjectRow: string; genes: { id: string }[]; strand: string }[]
      }
    }
    const [hsp] = answer.json.hsps
    expect(hsp!.middleRow).toBe('|'.repeat(hsp!.queryRow.length))
    expect(hsp!.genes.map((gene) => gene.id)).toEqual(['ga0'])
  })

  it('gives the genes of hits for a gene set', async () => {
    const answer = await bed.ask('jobs/{job}/genes/', {}, run)
    expect((answer as { json: unknown }).json).toEqual({
      genes: [
        { assembly: 'A-1.0', id: 'ga0' },
        { assembly: 'A-1.0', id: 'gb3' },
      ],
      cut: false,
    })
  })

  it('writes genome hits as GFF3 whose parts lie within their match', async () => {
    const text = await answerText(await bed.ask('jobs/{job}/hits.gff3', { assembly: 'A-1.0' }, run))
    const lines = text.trim().split('\n')
    expect(lines[0]).toBe('##gff-version 3')
    const gene = assemblies[0]!.genes!.find((one) => one.id === 'gb3')!
    const match = lines.find((line) => line.includes('nucleotide_match') && line.includes('Name=gb3'))!.split('\t')
    expect(match.slice(0, 7)).toEqual([
      'chr2',
      'blastn',
      'nucleotide_match',
      String(gene.start),
      String(gene.end),
      match[5],
      gene.strand,
    ])
    expect(lines.filter((line) => line.includes('match_part')).every((line) => /Target=\S+ \d+ \d+;/.test(line))).toBe(
      true,
    )
  })

  it('gives aligned parts and regions as FASTA, on the strand of the hit', async () => {
    const aligned = await answerText(
      await bed.ask('jobs/{job}/sequences', { query: '2', hits: '1', what: 'aligned' }, run),
    )
    expect(aligned.split('\n').slice(1).join('')).toBe(recordOf(assemblies[0]!.cds!, 'gb3'))
    const region = await answerText(
      await bed.ask('jobs/{job}/sequences', { query: '2', hits: '1', what: 'region' }, run),
    )
    expect(region.split('\n').slice(1).join('')).toBe(recordOf(assemblies[0]!.cds!, 'gb3'))
  })

  it('gives every record of a FASTA file a name of its own, of strains that call their chromosomes alike and of queries alike', async () => {
    const query = recordOf(assemblies[0]!.cds!, 'ga0')
    const both = await bed.run({
      query: `>one\n${query}\n>two\n${query}\n`,
      program: 'blastn',
      task: 'blastn',
      databases: ['A-1.0/genome', 'B/genome'],
    })
    for (const what of ['aligned', 'region']) {
      const text = await answerText(await bed.ask('jobs/{job}/sequences', { what }, both))
      const names = text
        .split('\n')
        .filter((line) => line.startsWith('>'))
        .map((line) => line.slice(1).split(' ', 1)[0]!)
      expect(names.filter((name) => name.startsWith('A-1.0|chr1:')).length, what).toBeGreaterThanOrEqual(2)
      expect(
        names.some((name) => name.startsWith('B|')),
        what,
      ).toBe(true)
      expect(new Set(names).size, what).toBe(names.length)
      expect(checkExport('hits.fa', Buffer.from(text))).toEqual([])
    }
  })

  it('gives whole proteins of protein hits', async () => {
    const proteins = await bed.run({ genes: ['gb3'], program: 'blastp', databases: 'A-1.0/protein' })
    const text = await answerText(await bed.ask('jobs/{job}/sequences', { what: 'subject', hits: '1' }, proteins))
    expect(text.split('\n').slice(1).join('')).toBe(recordOf(assemblies[0]!.proteins!, 'gb3'))
    expect(text).toMatch(/^>gb3 gene=gb3 symbol=symgb3 assembly=A-1.0 database=protein NovoDB test tool=blast .*\n/)
  })

  it('makes every format from the archive, with names in place of numbers and no path of the machine', async () => {
    const read = async (format: string): Promise<string> =>
      answerText(await bed.ask('jobs/{job}/formats/{format}', { format }, run))
    for (const format of [
      'pairwise',
      'anchored',
      'xml',
      'tabular',
      'commented',
      'csv',
      'json',
      'xml2',
      'sam',
      'archive',
    ]) {
      const text = await read(format)
      expect(text.length, format).toBeGreaterThan(200)
      expect(text, format).not.toContain(bed.dataDir)
      expect(text, format).not.toContain('/jobs/')
      if (format !== 'archive') expect(text, format).not.toContain('BL_ORD_ID')
    }
    const json = JSON.parse(await read('json')) as {
      BlastOutput2: {
        report: { results: { search: { hits: { description: { id: string; accession: string; title: string }[] }[] } } }
      }[]
    }
    expect(json.BlastOutput2[0]!.report.results.search.hits.map((hit) => hit.description[0])).toEqual([
      { id: 'chr1', accession: 'chr1', title: 'chr1 [A-1.0 genome]' },
      { id: 'chr1', accession: 'chr1', title: 'chr1 [B genome]' },
    ])
    expect(await read('xml')).toContain('<Hit_id>chr1</Hit_id>')
    const sam = (await read('sam')).split('\n').filter((line) => line !== '' && !line.startsWith('@'))
    expect(
      sam.map((line) =>
        line
          .split('\t')
          .slice(0, 3)
          .filter((_, at) => at !== 1)
          .join(' '),
      ),
    ).toContain('gb3 A-1.0/genome:chr2')
    expect(readdirSync(join(run.directory, 'formats')).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('refuses SAM for proteins, which BLAST cannot write', async () => {
    const proteins = await bed.run({ genes: ['gb3'], program: 'blastp', databases: 'A-1.0/protein' })
    await expect(bed.ask('jobs/{job}/formats/{format}', { format: 'sam' }, proteins)).rejects.toMatchObject({
      messageId: 'format.samOnlyBlastn',
    })
  })

  it('draws middle lines as BLAST does, for every matrix', async () => {
    const matrices = ['BLOSUM45', 'BLOSUM50', 'BLOSUM62', 'BLOSUM80', 'BLOSUM90', 'PAM30', 'PAM70', 'PAM250'] as const
    // Of each family one in an ordinary run, the usual one and the one that differs most from it.
    const tried = matrices.filter((matrix) => full || ['BLOSUM62', 'PAM30'].includes(matrix))
    let compared = 0
    for (const matrix of tried) {
      const search = await bed.run({
        genes: ['ga0', 'gb3'],
        program: 'blastp',
        databases: 'A-1.0/protein',
        evalue: 1000,
        matrix,
        lowComplexity: 'yes',
      })
      const json = JSON.parse(
        await answerText(await bed.ask('jobs/{job}/formats/{format}', { format: 'json' }, search)),
      ) as {
        BlastOutput2: { report: { results: { search: { hits: { hsps: { midline: string }[] }[] } } } }[]
      }
      for (const [query, { report }] of json.BlastOutput2.entries())
        for (const [at, hit] of report.results.search.hits.entries()) {
          const page = (await bed.ask(
            'jobs/{job}/hsps/',
            { query: String(query + 1), hit: String(at + 1), pageSize: '200' },
            search,
          )) as {
            json: { hsps: { middleRow: string }[] }
          }
          expect(page.json.hsps.map((hsp) => hsp.middleRow)).toEqual(hit.hsps.map((hsp) => hsp.midline))
          compared += hit.hsps.length
        }
    }
    expect(compared).toBeGreaterThan(full ? 60 : 10)
  })
})

describe('wrong input', () => {
  it('says beside the field what is wrong', async () => {
    const databases = 'A-1.0/genome'
    const protein = recordOf(assemblies[0]!.proteins!, 'ga0')
    expect(await problemOf({ databases })).toMatchObject({ field: 'query', message: 'query.none' })
    expect(await problemOf({ query: '   \n', databases })).toMatchObject({ field: 'query', message: 'query.none' })
    expect(await problemOf({ query: 'ACGT', species: 'nosuch' })).toMatchObject({
      field: 'species',
      message: 'species.unknown',
    })
    expect(await problemOf({ query: `>p\n${protein}`, databases })).toMatchObject({
      field: 'query',
      message: 'sequence.isProtein',
      params: { name: 'p' },
    })
    expect(
      await problemOf({ query: `>n\n${'ACGT'.repeat(20)}`, program: 'blastp', databases: 'A-1.0/protein' }),
    ).toMatchObject({ message: 'sequence.isNucleotide' })
    expect(await problemOf({ query: '>a\nACGT\n>b\nAC!GTACGTACGTAC?TACGT!', databases })).toMatchObject({
      message: 'sequence.illegal',
      params: { letters: '“!” 4:3, 4:22 · “?” 4:16', kinds: 2, more: 0 },
    })
    expect(await problemOf({ query: '>a\n\n>b\nACGT', databases })).toMatchObject({
      message: 'sequence.empty',
      params: { name: 'a' },
    })
    expect(await problemOf({ query: 'AC\0GT', databases })).toMatchObject({ message: 'sequence.binary' })
    expect(await problemOf({ query: '>a\nACGT\n'.repeat(101), databases })).toMatchObject({
      message: 'query.tooMany',
      params: { count: 101, maximum: 100 },
    })
    expect(await problemOf({ query: 'ACGT', databases: 'A-1.0/protein' })).toMatchObject({
      field: 'databases',
      message: 'databases.otherAlphabet',
    })
    expect(await problemOf({ query: 'ACGT', databases: 'C/genome' })).toMatchObject({ message: 'databases.unknown' })
    expect(await problemOf({ query: 'ACGT', databases: 'B/cds' })).toMatchObject({ message: 'databases.missing' })
    expect(await problemOf({ query: 'ACGT', databases: '../../etc/passwd' })).toMatchObject({
      message: 'databases.form',
    })
    expect(await problemOf({ genes: ['nosuch'], databases })).toMatchObject({
      field: 'genes',
      message: 'genes.unknown',
    })
    expect(await problemOf({ query: 'ACGT', subject: '>a\nAC\n>a\nGT' })).toMatchObject({
      field: 'subject',
      message: 'sequence.twice',
    })
  })

  it('lets nothing reach the program but listed options', async () => {
    for (const advanced of [
      '-out /etc/x',
      '-db /etc',
      '-remote',
      '; rm -rf /',
      '-xdrop_gap 20\n-out /etc/x',
      '-query /etc/passwd',
      '$(id)',
      '-num_threads 64',
    ]) {
      expect((await problemOf({ query: 'ACGT', databases: 'A-1.0/genome', advanced })).field, advanced).toBe('advanced')
    }
    const run = await bed.run({
      genes: ['ga0'],
      databases: 'A-1.0/genome',
      task: 'blastn',
      advanced: '-xdrop_gap 40 -dust "20 64 1"',
    })
    expect(run.receipt.steps[0]!.command!.join(' ')).toContain('-xdrop_gap 40 -dust 20 64 1')
  })

  it('says what BLAST itself refuses, as the reader’s error and not as ours', async () => {
    expect(
      await problemOf({
        query: 'ACGTACGTACGTACGTACGTACGTACGTA',
        databases: 'A-1.0/genome',
        task: 'megablast',
        scores: '1,-2',
        gapCosts: '9,9',
        advanced: '-no_greedy -template_type coding -template_length 16',
      }),
    ).toMatchObject({
      message: 'engine.refused',
    })
  })

  it('stops when the job is cancelled', async () => {
    const controller = new AbortController()
    const running = bed.run(
      {
        query: `>q\n${recordOf(assemblies[0]!.genome, 'chr1').repeat(20)}`,
        program: 'tblastx',
        databases: ['A-1.0/genome', 'B/genome'],
        evalue: 1000,
      },
      controller.signal,
    )
    setTimeout(() => controller.abort(), 150)
    await expect(running).rejects.toMatchObject({ code: 'JOB_CANCELLED' })
  })
})

describe('what is searched where nothing is chosen', () => {
  /** A segment of the relative's genome, which the first (reference) assembly has with every twelfth base changed. */
  const segment = (): string => recordOf(assemblies[1]!.genome, 'chr2').slice(1500, 2300)

  it('every genome is, so that the best hit is the strain that has the sequence and not the reference', async () => {
    const run = await bed.run({ query: `>unknown\n${segment()}`, task: 'blastn' })
    expect(run.result.databases.map((one) => one.name)).toEqual(['A-1.0/genome', 'B/genome'])
    expect(run.result.scope).toEqual({ chosenBy: 'all', available: 2, leftOut: [] })
    expect(run.result.queries[0]).toMatchObject({
      hits: 2,
      assemblies: ['B', 'A-1.0'],
      best: { assembly: 'B', identityPercent: 100 },
    })
    expect(run.receipt.data.map((one) => one.assembly).sort()).toEqual(['A-1.0', 'B'])
    expect(run.receipt.steps.find((step) => step.program === 'blastn')!.command!.join(' ')).toContain(
      'A-1.0/genome B/genome',
    )
  })

  it('hits as good as the best are named beside it: which stands first says nothing then', async () => {
    const bases = segment()
    const changed = `${bases.slice(0, 400)}${bases[400] === 'A' ? 'C' : 'A'}${bases.slice(401)}`
    const subject = ['one', 'twin', 'triplet'].map((name) => `>${name}\n${bases}\n`).join('')
    const { result } = await bed.run({ query: `>unknown\n${bases}`, subject: `${subject}>other\n${changed}\n` })
    const [query] = result.queries
    expect(query).toMatchObject({ hits: 4, equalToBest: { count: 2 } })
    const named = query!.equalToBest!.named.map((one) => one.subject)
    expect([query!.best!.subject, ...named].sort()).toEqual(['one', 'triplet', 'twin'])
    const alone = await bed.run({ query: `>unknown\n${bases}`, task: 'blastn' })
    expect(alone.result.queries[0]!.equalToBest).toEqual({ count: 0, named: [] })
  })

  it('programs that compare with proteins search proteins, and a choice is told to leave others out', async () => {
    const proteins = await bed.run({ genes: ['gb3'], program: 'blastp' })
    expect(proteins.result.databases.map((one) => one.name)).toEqual(['A-1.0/protein'])
    const one = await bed.run({ query: `>unknown\n${segment()}`, task: 'blastn', databases: 'A-1.0/genome' })
    expect(one.result.scope).toEqual({ chosenBy: 'reader', available: 2, leftOut: [] })
    expect(countScope(one.result)).toEqual({ what: 'genome', searched: 1, found: 1, others: 1 })
  })

  it('a species alone is searched when it is named; pasted sequences are searched alone', async () => {
    const other = await openTestbed([assemblies[0]!, { ...assemblies[1]!, species: 'relatives' }])
    try {
      const run = await other.run({ query: segment(), species: 'relatives' })
      expect(run.result.databases.map((one) => one.name)).toEqual(['B/genome'])
      expect(run.result.scope).toEqual({ chosenBy: 'species', available: 1, leftOut: [] })
    } finally {
      other.close()
    }
    const pasted = await bed.run({ query: segment(), subject: `>mine\n${segment()}` })
    expect(pasted.result.scope).toBeUndefined()
    expect(countScope(pasted.result)).toEqual({ what: 'pasted', searched: 0, found: 0, others: 0 })
  })
})

describe('links to databases', () => {
  it('are links to the bundle, so that a job takes no copy', async () => {
    const run = await bed.run({ genes: ['ga0'], databases: 'A-1.0/genome' })
    expect(readlinkSync(join(run.directory, 'databases', 'A-1.0'))).toBe(
      join(bed.dataDir, 'bundles', 'b-A-1.0', 'blast'),
    )
  })
})

describe.skipIf(!hasRealData)('on the yeast genome', () => {
  let yeastBed: Testbed
  beforeAll(async () => {
    const genes = unpack('genome/SGDref.PoFF.gff.gz')
      .trim()
      .split('\n')
      .map((line) => {
        const [sequence, , , start, end, , strand, , attributes] = line.split('\t')
        const about = new Map(attributes!.split(';').map((pair) => pair.split('=') as [string, string]))
        return {
          id: about.get('ID')!,
          symbol: about.get('Alias') || null,
          description: null,
          sequence: sequence!,
          start: Number(start),
          end: Number(end),
          strand: strand as '+' | '-',
        }
      })
    yeastBed = await openTestbed([
      {
        id: 'R64',
        genome: unpack('genome/R64.genome.chr.fa.gz'),
        proteins: unpack('genome/SGDref.PoFF.faa.gz'),
        cds: unpack('genome/SGDref.PoFF.ffn.gz'),
        genes,
        geneticCodes: { chrmt: 3 },
      },
      { id: 'SK1', genome: unpack('strains/SK1.genome.fa.gz') },
    ])
  })
  afterAll(() => yeastBed?.close())

  it.each([
    { program: 'blastn', task: 'blastn', databases: ['R64/genome', 'SK1/genome'] },
    { program: 'blastp', task: 'blastp', databases: ['R64/protein'] },
    { program: 'blastx', task: 'blastx', databases: ['R64/protein'] },
    { program: 'tblastn', task: 'tblastn', databases: ['SK1/genome'] },
    { program: 'tblastx', task: undefined, databases: ['SK1/genome'] },
  ])(
    'finds the hexokinases and the actin with $program as the command line does, every column',
    async ({ program, task, databases }) => {
      const run = await yeastBed.run({ genes: 'YFR053C HXK2 ACT1', program, task, databases })
      expect(run.result.queries.map((query) => query.gene)).toEqual(['YFR053C', 'YGL253W', 'YFL039C'])
      const fasta = readFileSync(join(run.directory, 'query.fasta'), 'utf8')
      const byHand = await yeastBed.byHand(
        program,
        [
          '-db',
          databases.join(' '),
          '-evalue',
          '1e-5',
          ...(task === undefined ? [] : ['-task', task]),
          '-outfmt',
          `6 ${hspColumns.join(' ')}`,
        ],
        fasta,
      )
      expect(rowsOf(readFileSync(join(run.directory, hspFile), 'utf8'))).toEqual(rowsOf(byHand))
      for (const query of run.result.queries) expect(query.best!.identityPercent).toBeGreaterThan(95)
    },
  )

  it('finds hexokinase 2 and the glucokinase from hexokinase 1', async () => {
    const run = await yeastBed.run({ genes: 'HXK1', program: 'blastp', databases: 'R64/protein' })
    const hits = ((await yeastBed.ask('jobs/{job}/hits/', {}, run)) as { json: { hits: Hit[] } }).json.hits
    expect(hits.slice(0, 3).map((hit) => hit.symbol)).toEqual(['HXK1', 'HXK2', 'GLK1'])
  })
})
