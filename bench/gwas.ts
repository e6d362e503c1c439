// Agreement of associations with GEMMA run by hand on its own example (BXD mice) and of a region with LocusZoom's sample; time, memory
// and answers of a table of 10 million tests.
//   node dist/node/bench/gwas.js [SHARED_DATA]
// SHARED_DATA holds formats/gwas; without it only the time is taken. gemma and plink2 are on the PATH, or the mice are left out.
// Figures are printed, nothing is judged.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { DefectLog } from '../src/bio/text/defects.ts'
import { parseVcfRecord, readGenotypes } from '../src/bio/variation/vcf.ts'
import type { VariantRecord } from '../src/kit/data/variant-data.ts'
import { makeRandom } from '../src/testing/random.ts'
import { bakeAssociations } from '../src/tools/gwas/bake-associations.ts'
import { writeGenotypes } from '../src/tools/gwas/genotype-files.ts'
import { thinSegment } from '../src/tools/gwas/scan-data.ts'
import { readAssociations } from '../src/tools/gwas/stored.ts'

const run = promisify(execFile)
const signal = new AbortController().signal

const readTests = async (file: string): Promise<Map<string, number>> =>
  new Map(
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
      .map((cells) => [cells[1]!, -Math.log10(Number(cells.at(-1)))]),
  )

/** The mice of GEMMA's example through the portal's genotype files, against plink2's files of the same VCF and the original ones. */
const agreeOnMice = async (shared: string, work: string): Promise<void> => {
  const read = async (name: string): Promise<string[]> =>
    gunzipSync(await readFile(join(shared, 'formats/gwas', name)))
      .toString()
      .trimEnd()
      .split('\n')
  const rows = (await read('GEMMA_BXD_geno.txt.gz')).map((line) => line.split(/, ?/))
  const values = await read('GEMMA_BXD_pheno.txt.gz')
  const lines = rows.map(([id, , , ...cells], at) => {
    const genotypes = cells.map((cell) => ({ '0': '0/0', '0.5': '0/1', '1': '1/1' })[cell] ?? './.')
    return ['1', (at + 1) * 10, id, 'A', 'G', '.', '.', '.', 'GT', ...genotypes].join('\t')
  })
  const samples = values.flatMap((value, at) => (value === 'NA' ? [] : [at]))
  const records = async function* (): AsyncGenerator<VariantRecord> {
    for (const line of lines) {
      const record = parseVcfRecord(line)!
      yield { ...record, genotypes: readGenotypes(record, values.length) }
    }
  }
  const written = await writeGenotypes({
    directory: work,
    records: records(),
    samples,
    names: samples.map(String),
    phenotype: samples.map((at) => Number(values[at])),
    ploidy: 2,
    minMinorFrequency: 0.01,
    maxMissingShare: 0.05,
    maxSites: 1e6,
    maxGenotypes: 1e9,
    signal,
  })
  const gemma = (words: string[]): Promise<unknown> => run('gemma', words, { cwd: work })
  const all = ['-maf', '0', '-miss', '1']
  await gemma(['-bfile', 'genotypes', '-gk', '1', ...all, '-o', 'portal'])
  await gemma(['-bfile', 'genotypes', '-k', 'output/portal.cXX.txt', '-lmm', '1', ...all, '-o', 'portal'])
  const portal = new Map(
    [...(await readTests(join(work, 'output/portal.assoc.txt')))].map(([name, logP]) => [
      written.loci.get(name)!.id!,
      logP,
    ]),
  )
  const heads = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT']
  await writeFile(
    join(work, 'mice.vcf'),
    `##fileformat=VCFv4.2\n${[...heads, ...values.map((_, at) => `m${at}`)].join('\t')}\n${lines.join('\n')}\n`,
  )
  await writeFile(join(work, 'keep.txt'), samples.map((at) => `m${at}`).join('\n'))
  await run('plink2', ['--vcf', 'mice.vcf', '--keep', 'keep.txt', '--make-bed', '--out', 'hand'], { cwd: work })
  const fam = (await readFile(join(work, 'hand.fam'), 'utf8')).trimEnd().split('\n')
  await writeFile(
    join(work, 'hand.fam'),
    `${fam
      .map((line) => line.split(/\s+/))
      .map((cells) => [...cells.slice(0, 5), values[Number(cells[1]!.slice(1))]].join('\t'))
      .join('\n')}\n`,
  )
  await gemma(['-bfile', 'hand', '-gk', '1', '-maf', '0.01', '-miss', '0.05', '-o', 'hand'])
  await gemma([
    '-bfile',
    'hand',
    '-k',
    'output/hand.cXX.txt',
    '-lmm',
    '1',
    '-maf',
    '0.01',
    '-miss',
    '0.05',
    '-o',
    'hand',
  ])
  await writeFile(join(work, 'geno.txt'), `${rows.map((cells) => cells.join(', ')).join('\n')}\n`)
  await writeFile(join(work, 'pheno.txt'), `${values.join('\n')}\n`)
  await gemma(['-g', 'geno.txt', '-p', 'pheno.txt', '-gk', '1', ...all, '-o', 'bimbam'])
  await gemma(['-g', 'geno.txt', '-p', 'pheno.txt', '-k', 'output/bimbam.cXX.txt', '-lmm', '1', ...all, '-o', 'bimbam'])
  console.log(`BXD mice: ${samples.length} with a value, ${written.written} SNPs tested, Wald test of the mixed model`)
  for (const [name, file] of [
    ['GEMMA by hand, files by plink2 --vcf', 'output/hand.assoc.txt'],
    ['GEMMA by hand, the original BIMBAM files', 'output/bimbam.assoc.txt'],
  ] as const) {
    const other = await readTests(join(work, file))
    const apart = [...portal].flatMap(([id, logP]) => {
      const theirs = other.get(id)
      return theirs === undefined || Number.isNaN(theirs) ? [] : [Math.abs(theirs - logP)]
    })
    apart.sort((a, b) => a - b)
    console.log(
      `  ${name}: ${apart.length} SNPs in common, |difference of -log10 p| median ${apart[apart.length >> 1]!.toExponential(1)}, most ${apart.at(-1)!.toExponential(1)}`,
    )
  }
}

/** LocusZoom's sample region as a table: what the portal takes for its lead and reads of it. */
const agreeOnRegion = async (shared: string, work: string): Promise<void> => {
  const read = async (name: string): Promise<{ data: Record<string, (string | number)[]> }> =>
    JSON.parse(
      gunzipSync(
        await readFile(join(shared, 'formats/gwas', `locuszoom_${name}_10_114550452-115067678.json.gz`)),
      ).toString(),
    )
  const { data } = await read('assoc')
  const names = Object.keys(data)
  const table = [names.join('\t'), ...data.position!.map((_, at) => names.map((name) => data[name]![at]).join('\t'))]
  await writeFile(join(work, 'locuszoom.tsv'), `${table.join('\n')}\n`)
  const baked = await bakeAssociations({
    file: join(work, 'locuszoom.tsv'),
    trait: 'T2D',
    outFile: join(work, 'locuszoom.bed.gz'),
    sequences: [{ name: '10', lengthBp: 135_534_747 }],
    findSequence: (name) => (name === '10' ? name : null),
    log: new DefectLog(),
  })
  const best = baked!.traits[0]!.trait.best!
  const strongest = Math.max(...(data.log_pvalue as number[]))
  console.log(
    `LocusZoom sample: ${baked!.rows} of ${data.position!.length} tests read; best ${best.id} at -log10 p ${best.logP} (the sample's greatest: ${strongest})`,
  )
}

const manyRows = 10_000_000

const timeMany = async (work: string): Promise<void> => {
  const sequences = Array.from({ length: 12 }, (_, at) => ({ name: `chr${at + 1}`, lengthBp: 32_000_000 }))
  const file = join(work, 'many.tsv')
  const out = createWriteStream(file, { highWaterMark: 1 << 22 })
  const next = makeRandom(2463534242)
  out.write('#CHROM\tPOS\tID\tREF\tALT\tA1_FREQ\tOBS_CT\tBETA\tSE\tP\n')
  const perSequence = manyRows / sequences.length
  let piece: string[] = []
  const peaks: string[] = []
  for (let at = 0; at < manyRows; at += 1) {
    const sequence = Math.min(11, Math.floor(at / perSequence))
    const position = 1 + Math.floor(((at - sequence * perSequence) / perSequence) * 31_990_000) + Math.floor(next() * 3)
    const peak = at % 500_000 === 250_000
    if (peak) peaks.push(`chr${sequence + 1}:${position}`)
    const p = peak ? 1e-12 : Math.max(1e-9, next())
    piece.push(`chr${sequence + 1}\t${position}\tv${at}\tA\tG\t0.25\t500\t0.1\t0.05\t${p.toPrecision(5)}\n`)
    if (piece.length === 20_000) {
      if (!out.write(piece.join(''))) await once(out, 'drain')
      piece = []
    }
  }
  await new Promise<void>((resolve) => out.end(piece.join(''), () => resolve()))
  console.log(`${manyRows} tests, a table of ${((await stat(file)).size / 1e6).toFixed(0)} MB`)
  let max = 0
  const watch = setInterval(() => {
    max = Math.max(max, process.memoryUsage().rss)
  }, 100)
  const started = performance.now()
  const outFile = join(work, 'many.bed.gz')
  const baked = await bakeAssociations({
    file,
    trait: 'made',
    outFile,
    sequences,
    log: new DefectLog(),
    signal,
    findSequence: (name) => name,
  })
  clearInterval(watch)
  const { trait, plot } = baked!.traits[0]!
  const text = JSON.stringify(plot)
  const kept = new Set(plot.hits.map(({ sequence, position }) => `${sequence}:${position}`))
  console.log(
    `  loaded in ${((performance.now() - started) / 1000).toFixed(0)} s, memory at most ${(max / 1e6).toFixed(0)} MB, file ${((await stat(outFile)).size / 1e6).toFixed(0)} MB`,
  )
  console.log(
    `  figure: ${plot.scan.points.length / 3} points and ${plot.scan.runs.length / 4} runs, record ${(text.length / 1e6).toFixed(2)} MB (${(gzipSync(text).length / 1e6).toFixed(2)} MB compressed); lambda ${trait.lambda!.toFixed(4)}; ${peaks.filter((peak) => kept.has(peak)).length} of ${peaks.length} planted peaks kept`,
  )
  const scan = { assembly: 'made', set: null, trait, path: outFile, plot, variants: null }
  for (const [name, lengthBp] of [
    ['a region of 1 Mb', 1_000_000],
    ['a chromosome of 32 Mb', 32_000_000],
  ] as const) {
    const times: number[] = []
    let rows = 0
    for (let turn = 0; turn < 3; turn += 1) {
      const from = performance.now()
      ;({ rows } = await thinSegment(scan, { sequence: 'chr5', start1: 1, end1: lengthBp }, signal))
      times.push(performance.now() - from)
    }
    console.log(`  ${name}, ${rows} tests read and thinned: ${Math.min(...times).toFixed(0)} ms`)
  }
  const from = performance.now()
  let near = 0
  for await (const _ of readAssociations(outFile, { sequence: 'chr5', start1: 5_000_000, end1: 5_040_000 }, null))
    near += 1
  console.log(`  tests within 20 kb of a place: ${near} in ${(performance.now() - from).toFixed(0)} ms`)
}

const [shared] = process.argv.slice(2)
const work = await mkdtemp(join(tmpdir(), 'novodb-bench-gwas-'))
try {
  if (shared !== undefined) {
    await agreeOnMice(shared, work).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      console.log(`BXD mice: left out (${(error as Error).message})`)
    })
    await agreeOnRegion(shared, work)
  }
  await timeMany(work)
} finally {
  await rm(work, { recursive: true, force: true })
}
