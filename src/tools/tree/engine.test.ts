import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { parseNewick } from '../../bio/phylogeny/newick.ts'
import { compareTrees, listLeaves, listSplits } from '../../bio/phylogeny/phylogeny.ts'
import { parseFastaText } from '../../bio/sequence/fasta.ts'
import { PortalError } from '../../contracts/errors.ts'
import { receiptLines } from '../../contracts/tools/receipt.ts'
import { findPrograms } from '../../jobs/programs.ts'
import { runTool } from '../../kit/run-tool.ts'
import { answerJson, answerText, askRoute, emptyReceipt, searchPath } from '../../testing/contexts.ts'
import { failureInWords } from '../../testing/failure.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal.ts'
import { full } from '../../testing/real-data.ts'
import { checkExport } from '../../testing/strict-reader.ts'
import engine from './engine.ts'
import messages from './messages.ts'
import tool, { limits, type TreeResult } from './tool.ts'

const scratch = mkdtempSync(join(tmpdir(), 'novodb-tree-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const fixture = (name: string): string =>
  readFileSync(new URL(`../../bio/phylogeny/fixtures/${name}`, import.meta.url), 'utf8')
const bases = fixture('bases.fa')
const proteins = fixture('proteins.fa')

const codonOf: Record<string, string> = Object.fromEntries(
  'A GCT C TGC D GAC E GAA F TTC G GGT H CAC I ATC K AAA L CTG M ATG N AAC P CCG Q CAG R CGT S TCC T ACC V GTT W TGG Y TAC'
    .split(' ')
    .flatMap((word, at, all) => (at % 2 === 0 ? [[word, all[at + 1]!]] : [])),
)
const coding = (protein: string): string => `${[...protein].map((one) => codonOf[one]!).join('')}TAA`

/** Two genomes with the made-up proteins as genes: g00 to g05 in both, and a gene without protein. */
const makeAssembly = (id: string, from: number) => {
  const { records } = parseFastaText(proteins)
  let sequence = 'A'.repeat(20)
  const lines = ['##gff-version 3']
  for (const [at, record] of records.slice(from, from + 6).entries()) {
    const cds = coding(record.sequence)
    const place = `chr1\tx\tTYPE\t${sequence.length + 1}\t${sequence.length + cds.length}\t.\t+\tPHASE\t`
    const line = (type: string, phase: string, rest: string): void =>
      void lines.push(place.replace('TYPE', type).replace('PHASE', phase) + rest)
    line('gene', '.', `ID=g0${at};Name=fam${at}`)
    line('mRNA', '.', `ID=g0${at}.1;Parent=g0${at}`)
    line('CDS', '0', `ID=g0${at}.c;Parent=g0${at}.1`)
    sequence += `${cds}ACGTACGT`
  }
  lines.push(`chr1\tx\tgene\t1\t15\t.\t+\t.\tID=bare;Name=bare`)
  return { id, fasta: `>chr1\n${sequence}\n`, gff3: `${lines.join('\n')}\n` }
}

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal([makeAssembly('one', 0), makeAssembly('two', 6)])
})
afterAll(() => portal.close())

let runs = 0
const run = async (
  input: z.input<typeof tool.input>,
  options: { signal?: AbortSignal; path?: string; onProgress?: (fraction: number | null, step?: string) => void } = {},
): Promise<{ result: TreeResult; receipt: string; directory: string }> => {
  const directory = join(scratch, String(++runs))
  const { result, receipt } = await runTool(engine, {
    input: tool.input.parse(input),
    data: portal.data,
    directory,
    dataDir: portal.dataDir,
    searchPath: options.path ?? searchPath,
    programs: await findPrograms(engine.programs, options.path ?? searchPath),
    portalVersion: 'test',
    signal: options.signal ?? new AbortController().signal,
    bounds: { timeoutMs: 600_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 2 * 1024 ** 3 },
    onProgress: options.onProgress ?? (() => undefined),
  })
  return { result: result as TreeResult, receipt: JSON.stringify(receipt), directory }
}

const failure = (promise: Promise<unknown>) => failureInWords(promise, messages)

/** What a program makes of files written by hand, in a folder of its own. */
const byHand = (files: Record<string, string>, program: string, args: string[]) => {
  const directory = join(scratch, `hand-${++runs}`)
  mkdirSync(directory)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const output = execFileSync(program, args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return { output, read: (name: string): string => readFileSync(join(directory, name), 'utf8') }
}

const upper = (fasta: string): string => fasta.replace(/^(?!>).*$/gm, (line) => line.toUpperCase())
const unwrapped = (fasta: string): string => upper(fasta).replace(/(?<!^>.*)\n(?!>|$)/gm, '')

if (full)
  describe('agrees with the programs run by hand on the same sequences', () => {
    test('MAFFT and FastTree on proteins: the alignment letter by letter, topology, supports and lengths', async () => {
      const given = full ? proteins : proteins.split('>').slice(0, 11).join('>')
      const { result, directory, receipt } = await run({ source: 'sequence', sequence: given })
      const aligned = byHand({ 'in.fa': given }, 'mafft', ['--auto', '--thread', '1', 'in.fa']).output
      expect(readFileSync(join(directory, 'alignment.fa'), 'utf8')).toBe(unwrapped(aligned))
      const tree = byHand({ 'a.fa': aligned }, 'fasttree', ['-lg', '-gamma', 'a.fa']).output
      // Of twenty sequences and of ten, those of both trees.
      const splits = full ? 34 : 14
      expect(compareTrees(parseNewick(result.newick), parseNewick(tree))).toEqual({
        distance: 0,
        splits,
        supportDifference: 0,
        lengthDifference: 0,
      })
      expect(result).toMatchObject({ supportKind: 'sh', model: 'LG+CAT+Gamma20', rooted: false })
      expect(receipt).not.toContain('-seed')
      // What is saved goes back into the programs as it is: they take the tree and fit lengths and model to it.
      const again = byHand({ 'a.fa': aligned, 'tree.nwk': `${result.newick}\n` }, 'fasttree', [
        ...['-lg', '-gamma', '-nome', '-mllen', '-intree', 'tree.nwk', 'a.fa'],
      ]).output
      expect(compareTrees(parseNewick(again), parseNewick(tree))).toMatchObject({ distance: 0, splits })
      const fitted = byHand({ 'a.fa': aligned, 'tree.nwk': `${result.newick}\n` }, 'iqtree2', [
        ...['-s', 'a.fa', '-te', 'tree.nwk', '-m', 'LG', '--prefix', 'fit', '-T', '1', '--quiet'],
      ]).read('fit.treefile')
      expect(compareTrees(parseNewick(fitted), parseNewick(tree))).toMatchObject({ distance: 0, splits })
      // Another seed has other supports: what is given is used.
      const seeded = await run({ source: 'sequence', sequence: given, seed: 5 })
      const hand = byHand({ 'a.fa': aligned }, 'fasttree', ['-lg', '-gamma', '-seed', '5', 'a.fa']).output
      expect(compareTrees(parseNewick(seeded.result.newick), parseNewick(hand))).toMatchObject({ supportDifference: 0 })
      expect(compareTrees(parseNewick(hand), parseNewick(tree)).supportDifference).toBeGreaterThan(0)
      expect(seeded.receipt).toContain('-seed')
      expect(receipt).toContain('10.1371/journal.pone.0009490')
    })

    test('MUSCLE and IQ-TREE with ultrafast bootstrap and SH-aLRT on DNA', async () => {
      const some = bases
        .split('>')
        .slice(0, full ? 9 : 7)
        .join('>')
      const { result, directory } = await run({
        source: 'sequence',
        sequence: some,
        align: 'muscle',
        method: 'iqtree',
        iqModel: 'K80+G4',
        support: 'both',
        seed: 7,
      })
      const muscle = byHand({ 'in.fa': some }, 'muscle', [
        '-align',
        'in.fa',
        '-output',
        'out.fa',
        '-threads',
        '1',
      ]).read('out.fa')
      // MUSCLE orders rows by its guide tree; ours stand as they were given.
      const rows = (text: string) => new Map(parseFastaTextWithGaps(text))
      expect(rows(readFileSync(join(directory, 'alignment.fa'), 'utf8'))).toEqual(rows(muscle))
      const given = readFileSync(join(directory, 'alignment.fa'), 'utf8')
      const hand = byHand({ 'a.fa': given }, 'iqtree2', [
        ...['-s', 'a.fa', '-m', 'K80+G4', '-alrt', '1000', '-B', '1000', '-T', '1', '--seed', '7', '--prefix', 'x'],
      ])
      const difference = compareTrees(parseNewick(result.newick), parseNewick(hand.read('x.treefile')))
      expect(difference).toEqual({ distance: 0, splits: full ? 10 : 6, supportDifference: 0, lengthDifference: 0 })
      expect(result).toMatchObject({ supportKind: 'both', model: 'K2P+G4' })
      expect([...listSplits(parseNewick(result.newick)).values()].every(({ support }) => support.length === 2)).toBe(
        true,
      )
      expect(hand.read('x.iqtree')).toContain(String(result.logLikelihood))
    })

    test('ModelFinder chooses the same model, and the same seed gives the same tree again', async () => {
      const six = proteins.split('>').slice(0, 7).join('>')
      const input = {
        source: 'sequence' as const,
        sequence: six,
        align: 'none' as const,
        method: 'iqtree' as const,
        iqModel: 'MF',
        support: 'none' as const,
      }
      const refused = await failure(run({ ...input, iqModel: 'NOSUCH' }))
      expect([refused.code, refused.problems[0]?.path]).toEqual(['INVALID_INPUT', ['iqModel']])
      const { result } = await run({ ...input, iqModel: 'LG+G4' })
      const again = await run({ ...input, iqModel: 'LG+G4' })
      expect(again.result.newick).toBe(result.newick)
    })
  })

const parseFastaTextWithGaps = (text: string): [string, string][] =>
  text
    .split('>')
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).replace(/\s/g, '').toUpperCase()])

describe('sequences', () => {
  test('neighbour joining of aligned DNA is that of ape, with bootstrap', async () => {
    const input = { source: 'sequence' as const, sequence: bases, align: 'none' as const, method: 'nj' as const }
    const { result, receipt } = await run(input)
    const difference = compareTrees(parseNewick(result.newick), parseNewick(fixture('ape-bases.k80.nwk')))
    expect(difference.distance).toBe(0)
    expect(difference.lengthDifference).toBeLessThan(1e-9)
    expect(result).toMatchObject({ supportKind: 'bootstrap', model: 'K80' })
    expect(receipt).toContain('seed 1')
    expect((await run(input)).result.newick).toBe(result.newick)
  })

  test('names with every sign that Newick forbids come through; repeated names are numbered and told', async () => {
    const [a, b, c] = parseFastaText(proteins).records.map(({ sequence }) => sequence)
    const text = `>x:(1),[2];'3' first\n${a}\n>twice\n${b}\n>twice\n${c}\n>"q"\n${a}\n`
    const { result } = await run({ source: 'sequence', sequence: text })
    expect(
      listLeaves(parseNewick(result.newick).root)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["x:(1),[2];'3'", 'twice', 'twice_2', '"q"'].sort())
    expect(result.notes.map(({ id }) => id)).toEqual(['note.renamed', 'note.identical'])
    expect(result.leaves[0]?.description).toBe('first')
  })

  test('trimming keeps the columns with few gaps, and an alignment may be given', async () => {
    const { result, directory } = await run({
      source: 'sequence',
      sequence: '>a\nACGT--ACGT\n>b\nACGA--ACGA\n>c\nACCA-TACGT\n>d\nTCCAT-ACGA\n',
      align: 'none',
      trim: 'gaps',
      maxGaps: 25,
      method: 'nj',
      bootstrap: 0,
    })
    expect(result.alignment).toMatchObject({
      columns: 10,
      keptColumns: 8,
      kept: [
        [0, 4],
        [6, 10],
      ],
      program: null,
    })
    expect(readFileSync(join(directory, 'trimmed.fa'), 'utf8')).toContain('>c\nCCAACGT\n'.replace('CCA', 'ACCA'))
  })

  test('codons follow the alignment of their proteins', async () => {
    const cds = parseFastaText(proteins)
      .records.slice(0, 4)
      .map(
        ({ name, sequence }, at) =>
          `>${name}\n${coding(at === 1 ? sequence.slice(0, 40) + sequence.slice(60) : sequence)}\n`,
      )
      .join('')
    const { result, directory } = await run({
      source: 'sequence',
      sequence: cds,
      codons: true,
      method: 'nj',
      bootstrap: 0,
    })
    expect(result.alignment).toMatchObject({ alphabet: 'nucleotide', codons: true })
    expect(result.alignment!.columns % 3).toBe(0)
    const rows = parseFastaTextWithGaps(readFileSync(join(directory, 'alignment.fa'), 'utf8'))
    // Twenty residues are missing: gaps are whole codons, in the reading frame.
    expect(rows[1]![1]).toMatch(/^(?:[ACGT]{3}|---)+$/)
    expect(rows[1]![1].replaceAll('-', '')).toHaveLength(840)
  })

  test.each([
    ['', 'sequence', 'sequence.none'],
    ['ACGT', 'sequence', 'sequence.notFasta'],
    ['>a\nAC?GT\n>b\nACGT\n>c\nACGT', 'sequence', 'sequence.illegal'],
    [
      '>a\nACGTACGTACGT\n>b\nACGTACGTAEGT\n>c\nACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT',
      'sequence',
      'sequence.notBases',
    ],
    ['>a\nACGT\n>b\n\n>c\nACGT', 'sequence', 'sequence.empty'],
    ['>a\nACGT\n>b\nACGT', 'sequence', 'sequence.tooFew'],
  ])('%j is refused beside its field', async (sequence, field, message) => {
    const error = await failure(run({ source: 'sequence', sequence }))
    expect([error.problems[0]?.path[0], error.messageId]).toEqual([field, message])
  })

  test('three sequences, identical ones and too few different ones are each told', async () => {
    const of = (rows: string[], more: object) =>
      run({ source: 'sequence', sequence: rows.map((row, at) => `>s${at}\n${row}\n`).join(''), align: 'none', ...more })
    const a = 'ACGTACGTACGTTGCA'
    const b = 'ACGTACGTACGTTGCC'
    const c = 'ACGAACGAACGTTGCC'
    expect((await of([a, b, c], {})).result.notes.map(({ id }) => id)).toEqual(['note.three'])
    expect((await of([a, b, c], { method: 'iqtree', iqModel: 'JC' })).result).toMatchObject({
      supportKind: null,
      notes: [{ id: 'note.noSupport' }, { id: 'note.three' }],
    })
    expect((await of([a, a, a, a], {})).result.notes).toMatchObject([{ id: 'note.identical', params: { distinct: 1 } }])
    const error = await failure(of([a, a, b, b], { method: 'iqtree' }))
    expect(error.messageId).toBe('tree.tooFewDistinct')
    expect((await failure(of([a, 'ACGT', b], {}))).messageId).toBe('align.lengths')
    expect((await failure(of([a, '-'.repeat(16), b], {}))).messageId).toBe('sequence.empty')
    expect((await failure(of(['A--', '-C-', '--G'], { trim: 'gaps', maxGaps: 10 }))).messageId).toBe('trim.nothingLeft')
  })

  test('more than a limit is refused by the schema or told with the count', async () => {
    expect(tool.input.safeParse({ source: 'sequence', sequence: 'A'.repeat(10_000_000) }).success).toBe(false)
    const many = Array.from(
      { length: limits.iqtreeSequences + 1 },
      (_, at) => `>s${at}\nACGTACGT${'ACGT'[at % 4]}\n`,
    ).join('')
    expect((await failure(run({ source: 'sequence', sequence: many, method: 'iqtree' }))).messageId).toBe(
      'method.iqtreeTooMany',
    )
    expect((await failure(run({ source: 'sequence', sequence: many, align: 'none', method: 'nj' }))).messageId).toBe(
      'bootstrap.tooMany',
    )
    expect((await failure(run({ source: 'sequence', sequence: many.repeat(2), align: 'muscle' }))).messageId).toBe(
      'align.tooMany',
    )
  })

  test('a missing program is told with its package; a cancelled run ends', async () => {
    const missing = await failure(run({ source: 'sequence', sequence: proteins }, { path: scratch }))
    expect([missing.code, missing.params.package]).toEqual(['TOOL_UNAVAILABLE', 'mafft'])
    const controller = new AbortController()
    const cancelled = run(
      { source: 'sequence', sequence: proteins, method: 'iqtree' },
      {
        signal: controller.signal,
        onProgress: (_, step) => {
          if (step === 'step.tree') setTimeout(() => controller.abort(), 200)
        },
      },
    )
    expect((await failure(cancelled)).code).toBe('JOB_CANCELLED')
  })
})

/** Aligned sequences that look like chance and are the same every time. */
const chanceRows = (count: number, columns: number): string => {
  let state = 11
  const row = (): string =>
    Array.from({ length: columns }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return 'ACGT'[state >>> 30]!
    }).join('')
  return Array.from({ length: count }, (_, at) => `>s${at}\n${row()}\n`).join('')
}

test('neighbour joining is cancelled while it computes, with and without replicates, and tells its progress', async () => {
  for (const [count, bootstrap] of [
    [1500, 0],
    [150, 1000],
  ] as const) {
    const controller = new AbortController()
    const reported: number[] = []
    const cancelled = run(
      {
        source: 'sequence',
        sequence: chanceRows(count, 600),
        align: 'none',
        method: 'nj',
        bootstrap,
        distance: 'p',
      },
      {
        signal: controller.signal,
        onProgress: (fraction, step) => {
          if (step !== 'step.tree' || fraction === null) return
          reported.push(fraction)
          if (reported.length !== 3) return
          // As a worker does it: from outside of the computation.
          setTimeout(() => controller.abort(new PortalError('JOB_CANCELLED')), 0)
        },
      },
    )
    expect((await failure(cancelled)).code).toBe('JOB_CANCELLED')
    expect(reported.at(-1)!).toBeLessThan(1)
    expect(reported).toEqual([...reported].sort((a, b) => a - b))
  }
})

if (full)
  test('IQ-TREE tells how far it is', async () => {
    const [, ancestor] = chanceRows(1, 800).split('\n') as [string, string]
    // Each from an earlier one with every 17th base or so another: a tree that is found, after a few seconds.
    const rows = [ancestor]
    for (let at = 1; at < 24; at++)
      rows.push(
        [...rows[at >> 1]!]
          .map((base, column) => ((column * at) % 17 === at % 13 ? 'GATC'['ACGT'.indexOf(base)]! : base))
          .join(''),
      )
    const reported: [number, string | undefined][] = []
    await run(
      {
        source: 'sequence',
        sequence: rows.map((row, at) => `>s${at}\n${row}\n`).join(''),
        align: 'none',
        method: 'iqtree',
        iqModel: 'HKY',
      },
      { onProgress: (fraction, step) => void (fraction !== null && reported.push([fraction, step])) },
    )
    const fractions = reported.map(([fraction]) => fraction)
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    expect(reported.some(([fraction, step]) => step === 'step.tree' && fraction > 0 && fraction < 1)).toBe(true)
  })

test('a program that is killed from outside is told as such, and nothing is taken for a result', async () => {
  const folder = join(scratch, 'killed')
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'mafft'),
    '#!/bin/sh\n[ "$1" = --version ] && { echo v7.505 >&2; exit 0; }\nkill -9 $$\n',
    {
      mode: 0o755,
    },
  )
  const error = await failure(run({ source: 'sequence', sequence: proteins }, { path: `${folder}:${searchPath}` }))
  expect([error.code, error.messageId]).toEqual(['ENGINE_FAILED', 'job.programKilled'])
})

describe('genes', () => {
  test('a symbol that both assemblies have brings both genes; unknown names and genes without protein are told one by one', async () => {
    // The test portal bakes no files of proteins: whole genes are read from the genome.
    const { result } = await run({
      source: 'genes',
      genes: ['fam0', 'fam1', 'g02', 'nosuch'],
      molecule: 'gene',
      method: 'nj',
      bootstrap: 0,
    })
    expect(result.leaves.map(({ name }) => name)).toEqual([
      'g00|one',
      'g00|two',
      'g01|one',
      'g01|two',
      'g02|one',
      'g02|two',
    ])
    expect(result.leaves[0]).toMatchObject({ symbol: 'fam0', species: 'Test species' })
    expect(result.problems).toMatchObject([{ query: 'nosuch', id: 'problem.unknownGene' }])
    expect(result.notes[0]).toMatchObject({ id: 'note.several', params: { count: 3 } })
    const protein = await failure(run({ source: 'genes', genes: ['bare'], assembly: 'one' }))
    expect(protein.messageId).toBe('sequence.tooFew')
  })

  test('a family without computed homologs is the genes named, and says so', async () => {
    const { result } = await run({
      source: 'family',
      genes: ['g00', 'g01', 'g02', 'g03'],
      assembly: 'one',
      molecule: 'gene',
      method: 'nj',
    })
    expect(result.leaves.map(({ name }) => name)).toEqual(['g00', 'g01', 'g02', 'g03'])
    expect(result.notes).toMatchObject([{ id: 'note.noHomology' }])
    expect((await failure(run({ source: 'genes', genes: ['nosuch'] }))).code).toBe('UNKNOWN_GENE')
  })
})

describe('a given tree', () => {
  test('is taken as it is, with the rows of its alignment', async () => {
    const { result } = await run({
      source: 'tree',
      tree: "((a:1,'b c':-0.1)95:2,c:1,a:2);\n(a,b,c);",
      alignment: '>a\nAC-T\n>c\nACGT\n',
    })
    expect(result.newick).toBe("((a:1,'b c':-0.1)95:2,c:1,a_2:2);")
    expect(result).toMatchObject({ supportKind: 'file', alignment: { rows: 2, columns: 4 }, method: null })
    expect(result.notes.map(({ id }) => id)).toEqual([
      'note.severalTrees',
      'note.renamed',
      'note.negative',
      'note.withoutRow',
    ])
  })

  test.each([
    ['', 'tree.empty'],
    ['hello', 'tree.notTree'],
    ['(a,b', 'tree.unclosed'],
    ['#NEXUS\nbegin data;\nend;', 'tree.noTree'],
    ['<phyloxml>', 'tree.xml'],
  ])('%j says what is wrong with it', async (tree, message) => {
    const error = await failure(run({ source: 'tree', tree }))
    expect([error.problems[0]?.path, error.messageId]).toEqual([['tree'], message])
  })

  test('with too many leaves, or an alignment of other names, is refused', async () => {
    const many = `(${Array.from({ length: limits.leaves + 1 }, (_, at) => `t${at}`).join(',')});`
    expect((await failure(run({ source: 'tree', tree: many }))).messageId).toBe('tree.tooManyLeaves')
    const other = run({ source: 'tree', tree: '(a,b,c);', alignment: '>x\nACGT\n' })
    expect((await failure(other)).messageId).toBe('alignment.noLeaf')
  })
})

test('files of a job are the alignment, its columns and the tree; another tool’s job has none', async () => {
  const { result, directory } = await run({
    source: 'sequence',
    sequence: bases,
    align: 'none',
    trim: 'gaps',
    method: 'nj',
    bootstrap: 0,
  })
  const receipt = { ...emptyReceipt, tool: 'tree', parameters: { method: 'nj', model: "it's (K80); [DNA]" } }
  const job = { directory, input: {}, result, receipt }
  const get = (name: string, of: object = {}) =>
    askRoute(
      engine,
      `jobs/{job}/${name}`,
      { job: '0'.repeat(32) },
      {
        data: portal.data,
        openJob: async () => ({ ...job, ...of }),
        describeReceipt: async () => receiptLines(receipt),
      },
    )
  const note = 'NovoDB test tool=tree at=2026-01-01T00:00:00.000Z data={} parameters={method:nj,model:its {K80}, {DNA}}'
  const newick = await answerText(await get('tree.nwk'))
  expect(newick).toBe(`${result.newick}\n`)
  expect(checkExport('tree.nwk', Buffer.from(newick))).toEqual([])
  expect(parseNewick(newick).root).toEqual(parseNewick(result.newick).root)
  expect(answerJson(await get('alignment/'))).toMatchObject({ names: result.leaves.map(({ name }) => name) })
  const columns = await answerText(await get('trimmed.fa'))
  expect(columns.replaceAll(` ${note}`, '')).toBe(unwrapped(bases))
  expect(checkExport('trimmed.fa', Buffer.from(columns))).toEqual([])
  expect((await failure(get('tree.nwk', { result: { hits: [] } }))).code).toBe('NOT_FOUND')
})
