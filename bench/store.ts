// Figures of src/store beside samtools, bgzip and tabix, where these are installed.
//   npm run build:node && node dist/node/bench/store.js [megabases of the genome, default 400]

import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { seededRandom } from '../src/bio/statistics/random.ts'
import { DefectLog } from '../src/bio/text/defects.ts'
import { BgzfBlockCache } from '../src/store/bgzf.ts'
import { bakeGenomeFasta, genomeFiles, openGenome } from '../src/store/genome-fasta.ts'
import { openTabix } from '../src/store/tabix-reader.ts'
import { bakeTabix } from '../src/store/tabix-writer.ts'

const megabases = Number(process.argv[2] ?? 400)
const chromosomes = 10
const folder = mkdtempSync(path.join(tmpdir(), 'store-bench-'))
const random = seededRandom(1)

function print(what: string, seconds: number, note = ''): void {
  console.log(`${what.padEnd(62)} ${seconds.toFixed(2).padStart(8)} s  ${note}`)
}

async function time<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const began = performance.now()
  const result = await work()
  return { seconds: (performance.now() - began) / 1000, result }
}

/** Seconds that a program takes, or null where it is not installed. */
function timeProgram(program: string, programArguments: string[], stdin?: string): number | null {
  const began = performance.now()
  const { error, status } = spawnSync(program, programArguments, {
    input: stdin,
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'ignore', 'inherit'],
  })
  if (error) return null
  if (status !== 0) throw new Error(`${program} ${programArguments.join(' ')} ended with ${status}`)
  return (performance.now() - began) / 1000
}

function printProgram(what: string, seconds: number | null, note = ''): void {
  if (seconds === null) console.log(`${what.padEnd(62)} not installed`)
  else print(what, seconds, note)
}

/** A genome of random bases with gaps and a soft mask over a third of it, 80 columns wide. */
async function writeGenome(file: string): Promise<void> {
  const out = createWriteStream(file)
  for (let chromosome = 1; chromosome <= chromosomes; chromosome++) {
    out.write(`>chr${chromosome} random\n`)
    const lines = Math.round((megabases * 1e6) / chromosomes / 80)
    let state = 1 + chromosome
    let masked = false
    for (let line = 0; line < lines; ) {
      const batch = Buffer.allocUnsafe(81 * Math.min(10_000, lines - line))
      for (let at = 0; at < batch.length; at++) {
        if (at % 81 === 80) {
          batch[at] = 10
          // Segments of some kilobases, as repeat maskers leave them.
          if ((state & 63) === 0) masked = !masked && (state & 64) === 0
          continue
        }
        // xorshift32 (Marsaglia 2003, Journal of Statistical Software 8:14).
        state ^= state << 13
        state ^= state >>> 17
        state ^= state << 5
        batch[at] = 'ACGT'.charCodeAt(state & 3) | (masked ? 32 : 0)
      }
      if (random() < 0.05) batch.fill('N', 0, 80)
      line += batch.length / 81
      if (!out.write(batch)) await new Promise<void>((resolve) => out.once('drain', () => resolve()))
    }
  }
  out.end()
  await finished(out)
}

async function benchGenome(): Promise<void> {
  const fasta = path.join(folder, 'plain.fa')
  await writeGenome(fasta)
  const inputBytes = statSync(fasta).size
  const dir = path.join(folder, 'genome')
  const bake = await time(() => bakeGenomeFasta({ inputs: [fasta], outDir: dir, log: new DefectLog() }))
  const bakedBytes = statSync(path.join(dir, genomeFiles.fasta)).size
  const peakMb = process.resourceUsage().maxRSS / 1024
  print(
    `bake ${(inputBytes / 1e6).toFixed(0)} MB of FASTA (with counts, MD5 and refget digests)`,
    bake.seconds,
    `${(bakedBytes / 1e6).toFixed(0)} MB, peak memory ${peakMb.toFixed(0)} MB`,
  )
  const peer = path.join(folder, 'peer.fa.gz')
  const installed = timeProgram('bgzip', ['--version']) !== null
  const compressing = installed ? timeProgram('sh', ['-c', `bgzip -@ 2 -c '${fasta}' > '${peer}'`]) : null
  if (compressing === null) printProgram('  bgzip -@ 2', null)
  else printProgram('  bgzip -@ 2 (compression only)', compressing, `${(statSync(peer).size / 1e6).toFixed(0)} MB`)
  if (compressing !== null) printProgram('  samtools faidx', timeProgram('samtools', ['faidx', peer]))

  const genome = await openGenome(dir, { cache: new BgzfBlockCache(16 << 20) })
  const { sequences } = bake.result
  const regions = Array.from({ length: 5000 }, () => {
    const { name, lengthBp } = sequences[Math.floor(random() * sequences.length)]!
    return { name, start0: Math.floor(random() * (lengthBp - 2000)) }
  })
  const fetching = await time(async () => {
    for (const { name, start0 } of regions) await genome.fetch(name, start0, start0 + 2000)
  })
  print('fetch 5,000 random regions of 2 kb', fetching.seconds)
  const regionFile = path.join(folder, 'regions.txt')
  writeFileSync(regionFile, regions.map(({ name, start0 }) => `${name}:${start0 + 1}-${start0 + 2000}\n`).join(''))
  printProgram(
    '  samtools faidx -r',
    timeProgram('samtools', ['faidx', '-r', regionFile, path.join(dir, genomeFiles.fasta)]),
  )
  const { name, lengthBp } = sequences[0]!
  const streaming = await time(async () => {
    for await (const piece of genome.stream(name, 0, lengthBp)) void piece
  })
  print(`stream a chromosome of ${(lengthBp / 1e6).toFixed(0)} Mb`, streaming.seconds)
  await genome.close()
}

async function benchTabix(): Promise<void> {
  const sequences = Array.from({ length: 12 }, (_, i) => ({ name: `chr${i + 1}`, lengthBp: 30_000_000 }))
  const lines = Array.from({ length: 1_000_000 }, (_, i) => {
    const { name, lengthBp } = sequences[Math.floor(random() * sequences.length)]!
    const start1 = 1 + Math.floor(random() * (lengthBp - 3000))
    const end1 = start1 + Math.floor(random() * 3000)
    return `${name}\tbench\texon\t${start1}\t${end1}\t.\t+\t.\tID=exon${i};Parent=transcript${i >> 3}`
  })
  const gff = path.join(folder, 'unsorted.gff3')
  writeFileSync(gff, `##gff-version 3\n${lines.join('\n')}\n`)
  const outFile = path.join(folder, 'features.gff3.gz')
  const bake = await time(() =>
    bakeTabix({ source: { file: gff }, format: 'gff3', outFile, sequences, log: new DefectLog() }),
  )
  print('sort, compress and index 1,000,000 features in random order', bake.seconds, `${bake.result.records} records`)
  const peer = `sort -k1,1 -k4,4n '${gff}' | bgzip > '${folder}/peer.gff3.gz' && tabix -f -p gff '${folder}/peer.gff3.gz'`
  const installed = timeProgram('tabix', ['--version']) !== null
  printProgram('  sort | bgzip; tabix', installed ? timeProgram('sh', ['-c', peer]) : null)

  const file = await openTabix(outFile)
  const regions = Array.from({ length: 1000 }, () => ({
    name: sequences[Math.floor(random() * sequences.length)]!.name,
    start0: Math.floor(random() * 29_900_000),
  }))
  let found = 0
  const reading = await time(async () => {
    for (const { name, start0 } of regions) for await (const _ of file.lines(name, start0, start0 + 100_000)) found++
  })
  print('read 1,000 random regions of 100 kb', reading.seconds, `${found} lines`)
  const names = regions.map(({ name, start0 }) => `${name}:${start0 + 1}-${start0 + 100_000}`)
  printProgram('  tabix', timeProgram('tabix', [outFile, ...names]))
  await file.close()
}

try {
  await benchGenome()
  await benchTabix()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
