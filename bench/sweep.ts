// Statistics of populations in windows: agreement with vcftools and plink2, where they are installed, and the time and memory that a
// million sites
// of two hundred samples take.
//   node dist/node/bench/sweep.js [SITES]
// Simulated genotypes of two populations of a hundred diploids, seeded. Figures are printed; nothing is judged.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { SeededRandom } from '../demo/seeded-random.ts'
import { AlleleCounter } from '../src/bio/population/allele-counts.ts'
import {
  overallValues,
  SequenceSums,
  type SequenceTotal,
  type SequenceWindows,
} from '../src/bio/population/population-windows.ts'
import { readDecompressed } from '../src/store/decompressed.ts'

const samples = Array.from({ length: 200 }, (_, at) => `s${at + 1}`)
const half = samples.length / 2
const windowBp = 50_000
const stepBp = 10_000

/** Sites thirty bases apart with frequencies that differ between the populations. */
const writeVcf = async (file: string, sites: number, missing: number): Promise<number> => {
  const seeded = new SeededRandom(20_261_121)
  const random = (): number => seeded.fraction()
  const out = createGzip({ level: 1 })
  out.pipe(createWriteStream(file))
  const lengthBp = sites * 30 + 30
  out.write(
    [
      '##fileformat=VCFv4.2',
      `##contig=<ID=chr1,length=${lengthBp}>`,
      '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
      `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${samples.join('\t')}\n`,
    ].join('\n'),
  )
  const calls = ['0/0', '0/1', '1/1']
  for (let site = 0; site < sites; site++) {
    const frequency = random() ** 2
    const frequencies = [frequency, Math.min(1, Math.max(0, frequency + 0.3 * (random() - 0.5)))]
    let line = `chr1\t${site * 30 + 1}\t.\tA\tC\t.\tPASS\t.\tGT`
    for (let at = 0; at < samples.length; at++) {
      const p = frequencies[at < half ? 0 : 1]!
      const call = random() < missing ? './.' : calls[(random() < p ? 1 : 0) + (random() < p ? 1 : 0)]!
      line += `\t${call}`
    }
    if (!out.write(`${line}\n`)) await once(out, 'drain')
  }
  out.end()
  await finished(out)
  return lengthBp
}

const compute = async (
  file: string,
  lengthBp: number,
): Promise<{ windows: SequenceWindows; total: SequenceTotal; elapsedMs: number; heldMb: number }> => {
  const startedAt = performance.now()
  const sums = new SequenceSums(
    {
      windowBp,
      stepBp,
      populationCount: 2,
      pairs: [[0, 1]],
      sizes: [half, half],
      length: 'window',
      minCalled: 0,
      minMinorFrequency: 0,
      minSites: 0,
    },
    lengthBp,
  )
  const counter = new AlleleCounter({
    populations: samples.map((_, at) => (at < half ? 0 : 1)),
    populationCount: 2,
    onSite: (site) => sums.add(site),
  })
  let heldBytes = 0
  for await (const piece of readDecompressed(file)) {
    counter.push(piece)
    heldBytes = Math.max(heldBytes, process.memoryUsage().rss)
  }
  counter.end()
  return { ...sums.finish(), elapsedMs: performance.now() - startedAt, heldMb: heldBytes / 1e6 }
}

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined

const run = (program: string, words: string[], directory: string): number => {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(program, words, { cwd: directory, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
  return performance.now() - startedAt
}

const rowsOf = (file: string): string[][] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))

/** Largest difference of a column to ours, in parts of the larger value: what six printed digits leave is 5e-6. */
const compare = (
  rows: string[][],
  column: number,
  own: Float64Array,
  startOf: (start: number) => number,
): { windows: number; largest: number } => {
  let [windows, largest] = [0, 0]
  for (const row of rows) {
    const at = startOf(Number(row[1]))
    const value = Number(row[column])
    if (!Number.isInteger(at) || at < 0 || at >= own.length - 5 || !Number.isFinite(value)) continue
    windows += 1
    largest = Math.max(largest, Math.abs(own[at]! - value) / Math.max(Math.abs(value), 1e-3))
  }
  return { windows, largest }
}

const print = (...cells: (string | number)[]): void => console.log(cells.map(String).join('\t'))

const main = async (): Promise<void> => {
  const sites = Number(process.argv[2] ?? 1_000_000)
  const directory = await mkdtemp(join(tmpdir(), 'novodb-bench-'))
  try {
    writeFileSync(join(directory, 'A'), `${samples.slice(0, half).join('\n')}\n`)
    writeFileSync(join(directory, 'B'), `${samples.slice(half).join('\n')}\n`)
    const small = join(directory, 'small.vcf.gz')
    const smallBp = await writeVcf(small, 20_000, 0)
    const own = await compute(small, smallBp)
    print('agreement', 'program', 'windows', 'largest relative difference')
    if (has('vcftools')) {
      const words = ['--gzvcf', small, '--out', 'small']
      run(
        'vcftools',
        [
          ...words,
          ...['--weir-fst-pop', 'A', '--weir-fst-pop', 'B'],
          ...['--fst-window-size', String(windowBp), '--fst-window-step', String(stepBp)],
        ],
        directory,
      )
      run(
        'vcftools',
        [...words, '--keep', 'A', '--window-pi', String(windowBp), '--window-pi-step', String(stepBp)],
        directory,
      )
      run('vcftools', [...words, '--keep', 'A', '--TajimaD', String(windowBp)], directory)
      const from1 = (start: number): number => (start - 1) / stepBp
      const fst = compare(rowsOf(join(directory, 'small.windowed.weir.fst')), 4, own.windows.fst[0]!, from1)
      print('Fst (Weir-Cockerham)', 'vcftools', fst.windows, fst.largest.toExponential(1))
      const pi = compare(rowsOf(join(directory, 'small.windowed.pi')), 4, own.windows.pi[0]!, from1)
      print('pi', 'vcftools', pi.windows, pi.largest.toExponential(1))
      const d = compare(
        rowsOf(join(directory, 'small.Tajima.D')),
        3,
        own.windows.tajimaD[0]!,
        (start) => start / stepBp,
      )
      print("Tajima's D", 'vcftools', d.windows, d.largest.toExponential(1))
    } else print('vcftools', 'not installed')
    if (has('plink2')) {
      writeFileSync(
        join(directory, 'populations'),
        `#IID\tPOP\n${samples.map((name, at) => `${name}\t${at < half ? 'A' : 'B'}\n`).join('')}`,
      )
      run(
        'plink2',
        [
          ...['--vcf', small, '--allow-extra-chr', '--set-all-var-ids', '@:#'],
          ...['--pheno', 'populations', '--fst', 'POP', 'method=hudson', '--out', 'small'],
        ],
        directory,
      )
      const value = Number(rowsOf(join(directory, 'small.fst.summary'))[0]![2])
      const ours = overallValues([own.total]).hudson[0]!
      print('Fst (Hudson), genome', 'plink2', 1, (Math.abs(ours - value) / value).toExponential(1))
    } else print('plink2', 'not installed')

    const large = join(directory, 'large.vcf.gz')
    const largeBp = await writeVcf(large, sites, 0.02)
    print('time', `${sites} sites x ${samples.length} samples`, `${Math.round((await stat(large)).size / 1e6)} MB`)
    const timed = await compute(large, largeBp)
    print(
      'NovoDB: Fst (both), dxy, pi, ratio, Tajima’s D',
      `${(timed.elapsedMs / 1000).toFixed(1)} s`,
      `${Math.round(timed.heldMb)} MB held`,
    )
    if (has('vcftools')) {
      const elapsedMs = run(
        'vcftools',
        [
          ...['--gzvcf', large, '--out', 'large', '--weir-fst-pop', 'A', '--weir-fst-pop', 'B'],
          ...['--fst-window-size', String(windowBp), '--fst-window-step', String(stepBp)],
        ],
        directory,
      )
      print('vcftools: Fst alone', `${(elapsedMs / 1000).toFixed(1)} s`)
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

await main()
