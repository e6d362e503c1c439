import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProgramRunner } from '../../jobs/program.ts'
import { findPrograms } from '../../jobs/programs.ts'
import { homologyPrograms } from '../../kit/programs.ts'
import { searchPath } from '../../testing/contexts.ts'
import { makeProtein, mutate } from '../../testing/protein-genomes.ts'
import { createPairAligner, createProteinNumbers } from './align-pairs.ts'
import { PairTable } from './pair-file.ts'
import type { Proteome } from './proteome.ts'

let scratch: string
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'novodb-twins-'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test('genes of one genome with equal proteins, as those of histones, are one pair in each direction and stand once', async () => {
  const histone = makeProtein(5, 400)
  const proteins = [histone, mutate(histone, 0.2, 3), histone, histone]
  const fasta = join(scratch, 'twins.fa')
  writeFileSync(fasta, proteins.map((protein, at) => `>${at}\n${protein}\n`).join(''))
  const sequences = createProteinNumbers()
  const proteome = {
    genes: proteins.map((_, at) => `g${at}`),
    proteins: Int32Array.from(proteins, sequences.numberOf),
    lengths: Int32Array.from(proteins, (protein) => protein.length),
    residues: proteins.join('').length,
  } as unknown as Proteome
  const { signal } = new AbortController()
  const programs = await findPrograms(homologyPrograms, searchPath)
  const runProgram = createProgramRunner({ directory: scratch, signal, searchPath, programs })
  const align = createPairAligner(sequences)
  // A search proposes each pair from both sides.
  const numbers = [...proteins.keys()]
  const proposals = new PairTable()
  for (const a of numbers)
    for (const b of numbers)
      proposals.push({ a, b, identity: 90, coverageA: 1, coverageB: 1, evalue: 1e-50, bits: 100 })
  const found = await align(proteome, proteome, { query: fasta, target: fasta }, proposals, { scratch, runProgram })
  const pairs = Array.from({ length: found.length }, (_, at) => `${found.a[at]}-${found.b[at]}`).sort()
  expect(pairs).toEqual(numbers.flatMap((a) => numbers.map((b) => `${a}-${b}`)))
})
