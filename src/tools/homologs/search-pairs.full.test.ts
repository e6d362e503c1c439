import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgramRunner } from '../../jobs/program.ts'
import { type FoundProgram, findPrograms } from '../../jobs/programs.ts'
import type { PartsSession } from '../../kit/loader.ts'
import { homologyPrograms } from '../../kit/programs.ts'
import { searchPath } from '../../testing/contexts.ts'
import { makeProtein, mutate } from '../../testing/protein-genomes.ts'
import { createProteinNumbers, partCandidates } from './align-pairs.ts'
import { blastpProduct } from './method.ts'
import { bitsOf, readPairFile } from './pair-file.ts'
import type { Proteome } from './proteome.ts'
import { openSearches, searchPairs, type WrittenProteome } from './search-pairs.ts'

/** Repeats of a glycine-rich unit, no two the same: what tantan masks from end to end, as in the PE_PGRS proteins of mycobacteria. */
const makeRepeats = (seed: number, units: number): string => {
  const source = makeProtein(seed, 12 * units)
  const unit = `GG${source.slice(1, 5)}GA${source.slice(5, 9)}`
  return Array.from({ length: units }, (_, at) => mutate(`M${unit}`, 0.25, seed * 1000 + at).slice(1)).join('')
}

const ancestors = [
  // So many residues that the portal does not search them by BLASTP alone (`blastpProduct`).
  ...Array.from({ length: 40 }, (_, at) => makeProtein(at + 1, 2550)),
  ...Array.from({ length: 6 }, (_, at) => `${makeProtein(at + 200, 8)}${makeRepeats(at + 300, 20)}`),
  // An antigen's size, half of it of few letters: masking takes that half as mismatches.
  ...Array.from({ length: 6 }, (_, at) => `${makeProtein(at + 400, 70)}${makeRepeats(at + 500, 6)}`),
]
/** Alike in glycine above all: the adjusted matrices of BLASTP take such alignments apart, or away. */
const glycines = Array.from({ length: 6 }, (_, at) => {
  const source = makeProtein(at + 600, 12)
  const unit = `GG${source.slice(1, 3)}G${source.slice(3, 5)}GG`
  const repeats = Array.from({ length: 25 }, (_, one) => mutate(`M${unit}`, 0.25, at * 1000 + one).slice(1)).join('')
  return `${makeProtein(at + 700, 8)}${repeats}`
})

/** Two that differ, and one that shares half of its proteins with the first. */
const proteinsOf = {
  one: [...ancestors, ...glycines],
  two: [
    ...ancestors.map((protein, at) => mutate(protein, 0.1 + (at % 5) / 10, at + 1)),
    ...glycines.map((protein, at) => mutate(protein, 0.15, at + 50)),
  ],
  three: [
    ...ancestors.map((protein, at) => (at % 2 === 0 ? protein : mutate(protein, 0.05, at + 900))),
    ...glycines.map((protein, at) => mutate(protein, 0.1, at + 950)),
  ],
}

describe('pairs found by DIAMOND and aligned by BLASTP, against a whole search by BLASTP', () => {
  let root: string
  const proteomes: WrittenProteome[] = []
  let session: PartsSession
  let programs: FoundProgram[]

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'novodb-pairs-'))
    const sequences = createProteinNumbers()
    for (const [number, [id, proteins]] of Object.entries(proteinsOf).entries()) {
      const fasta = join(root, `${number}.fa`)
      writeFileSync(fasta, proteins.map((protein, at) => `>${at}\n${protein}\n`).join(''))
      const proteome = {
        assembly: { id, bundle: number } as Proteome['assembly'],
        genes: proteins.map((_, at) => `${id}_${at}`),
        proteins: Int32Array.from(proteins, sequences.numberOf),
        lengths: Int32Array.from(proteins, (protein) => protein.length),
        residues: proteins.reduce((sum, protein) => sum + protein.length, 0),
      } as Proteome
      sequences.countProteome(proteome.proteins)
      // The later is searched in the earlier.
      proteomes.push({ proteome, fasta, digest: String(number) })
    }
    session = openSearches(root, sequences, async (bundle) => proteomes[bundle]!)
    programs = await findPrograms(homologyPrograms, searchPath)
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  /** Identity, e-value and bits of every pair, by BLAST+ itself. */
  const searchWhole = (q: number, t: number) => {
    const database = join(root, `whole-${t}`)
    const fasta = (number: number): string => proteomes[number]!.fasta
    execFileSync('makeblastdb', ['-in', fasta(t), '-dbtype', 'prot', '-out', database])
    const table = execFileSync(
      'blastp',
      [
        ...['-query', fasta(q), '-db', database, '-evalue', '1e-5', '-max_hsps', '1'],
        ...['-outfmt', '6 qseqid sseqid pident evalue score qstart qend qlen sstart send slen'],
      ],
      { encoding: 'utf8', maxBuffer: 1e8 },
    )
    const pairs = new Map<
      string,
      { identity: number; evalue: number; bits: number; coverage: number; subjectCoverage: number }
    >()
    for (const line of table.split('\n')) {
      const [a, b, identity, evalue, score, from, to, length, start, end, slen] = line.split('\t')
      if (slen === undefined || pairs.has(`${a} ${b}`)) continue
      pairs.set(`${a} ${b}`, {
        identity: Number(identity),
        evalue: Number(evalue),
        bits: bitsOf(Number(score)),
        coverage: (Number(to) - Number(from) + 1) / Number(length),
        subjectCoverage: (Number(end) - Number(start) + 1) / Number(slen),
      })
    }
    return pairs
  }

  test('no pair with the next of kin is missing, and identity, coverage, score and e-value are those of BLASTP', async () => {
    for (const { proteome } of proteomes) expect(proteome.residues ** 2).toBeGreaterThan(blastpProduct)
    const { signal } = new AbortController()
    let parts = 0
    const files = await searchPairs(proteomes, session, 1, {
      computeParts: async (_, given) => {
        const folderOf = async (of: readonly [number, number]): Promise<string> => join(root, of.join('-'))
        for (const { of, input } of given.parts) {
          const [directory, scratch] = [await folderOf(of), join(root, `scratch-${of.join('-')}`)]
          for (const folder of [directory, scratch]) mkdirSync(folder)
          const runProgram = createProgramRunner({ directory: scratch, signal, searchPath, programs })
          await session.compute(input, { directory, scratch, signal, runProgram })
          parts += 1
        }
        return { folderOf, wasKept: () => false, keptCount: 0 }
      },
    })
    if ('missing' in files) throw new Error(files.missing)
    expect([files.pairs, parts]).toEqual([6, 6])
    // Whoever computes a pair alone, with nothing of the others in memory and its proteins numbered anew, writes the same bytes.
    const [two, one] = [proteomes[2]!, proteomes[1]!]
    const numbers = createProteinNumbers()
    const fresh = [...[two, one].entries()].map(([at, { proteome, ...rest }]) => ({
      ...rest,
      proteome: {
        ...proteome,
        proteins: Int32Array.from(Object.values(proteinsOf)[2 - at]!, numbers.numberOf),
      },
    }))
    const [directory, scratch, databases] = ['again', 'again-scratch', 'again-databases'].map((name) =>
      join(root, name),
    )
    for (const folder of [directory!, scratch!, databases!]) mkdirSync(folder)
    await openSearches(databases!, numbers, async (bundle) => fresh[2 - bundle]!).compute(
      { query: 2, target: 1 },
      {
        directory: directory!,
        scratch: scratch!,
        signal,
        runProgram: createProgramRunner({ directory: scratch!, signal, searchPath, programs }),
      },
    )
    const { file: before } = await files.fileOf(two, one)
    expect(readFileSync(join(directory!, basename(before)))).toEqual(readFileSync(before))
    for (const [q, t] of [
      [1, 0],
      [2, 1],
    ] as const) {
      const { file, straight: isStraight } = await files.fileOf(proteomes[q]!, proteomes[t]!)
      expect(isStraight).toBe(true)
      const hits = await readPairFile(file, false)
      const whole = searchWhole(q, t)
      // Adjusted matrices depend on which of two is the query, and two proteins are aligned in one direction, whichever that is.
      const reverse = searchWhole(t, q)
      const found = new Map(Array.from(hits.a, (a, at) => [`${a} ${hits.b[at]}`, at]))
      for (const gene of ancestors.keys()) {
        const about = `${q} ${t}: ${gene}`
        const at = found.get(`${gene} ${gene}`)
        const [straight, turned] = [whole.get(`${gene} ${gene}`), reverse.get(`${gene} ${gene}`)]
        if (at === undefined || straight === undefined || turned === undefined)
          throw new Error(`${about} is not found by ${at === undefined ? 'the portal' : 'BLASTP'}`)
        const expected = hits.bits[at] === turned.bits ? { ...turned, coverage: turned.subjectCoverage } : straight
        expect(hits.bits[at], about).toBe(expected.bits)
        expect(Math.abs(hits.identity[at]! - expected.identity), about).toBeLessThan(0.01)
        expect(Math.abs(hits.identity[at]! - straight.identity), about).toBeLessThan(1)
        expect(Math.abs(hits.coverageA[at]! - expected.coverage), about).toBeLessThan(0.001)
        if (expected === straight && expected.evalue > 1e-170)
          expect(hits.evalue[at]! / expected.evalue, about).toBeCloseTo(1, 1)
      }
      for (const number of glycines.keys()) {
        const gene = ancestors.length + number
        const at = found.get(`${gene} ${gene}`)
        if (at === undefined) throw new Error(`${q} ${t}: ${gene} is not found`)
        const [a, b] = [Object.values(proteinsOf)[q]![gene]!, Object.values(proteinsOf)[t]![gene]!]
        const equal = [...a].filter((letter, index) => letter === b[index]).length
        expect(Math.abs(hits.identity[at]! - (100 * equal) / a.length)).toBeLessThan(6)
        // By 88 or by 99 %, depending on which of the two is the query.
        expect(hits.coverageA[at]).toBeGreaterThan(0.85)
      }
    }
  }, 600_000)
})

test('batches hold each query with all its targets, families together, within the product of residues', () => {
  const pairs = [
    [0, 0],
    [0, 2],
    [1, 1],
    [2, 2],
    [2, 0],
    [3, 3],
    [3, 1],
  ] as const
  const targets = pairs.map(([, target]) => target)
  const candidates = { queries: pairs.map(([query]) => query), targets, proposals: [...pairs.keys()] }
  const lengths = [100, 100, 100, 100]
  const batches = partCandidates(candidates, lengths, lengths, 40_000).map(({ queries, positionsOf }) =>
    Array.from(queries, (query) => [query, Array.from(positionsOf(query), (position) => targets[position])]),
  )
  expect(batches).toEqual([
    [
      [0, [0, 2]],
      [2, [2, 0]],
    ],
    [
      [3, [3, 1]],
      [1, [1]],
    ],
  ])
  // One that is too much by itself stands alone.
  expect(partCandidates(candidates, lengths, lengths, 1)).toHaveLength(4)
})
