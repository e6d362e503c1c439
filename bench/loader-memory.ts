// How much memory a check and a load of many sequences and of many features take, and how long they are: the most that the process had
// resident, its database's processes not counted.
// Run after `npm run build:node`: node dist/node/bench/loader-memory.js [SEQUENCES [FEATURES]]; further options of Node are taken from
// NODE_OPTIONS by the process that is measured.

import { spawn } from 'node:child_process'
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'

const [sequences = 1_000_000, features = 10_000_000] = process.argv.slice(2).map(Number)
const root = mkdtempSync(join(tmpdir(), 'novodb-memory-'))
// The database may run as another user.
chmodSync(root, 0o755)

const writeLines = async (file: string, lines: Iterable<string>): Promise<void> => {
  const stream = createWriteStream(file)
  let batch: string[] = []
  for (const line of lines) {
    if (batch.push(line) < 5000) continue
    if (!stream.write(batch.join(''))) await new Promise<void>((done) => stream.once('drain', () => done()))
    batch = []
  }
  stream.end(batch.join(''))
  await finished(stream)
}

let state = 7
/** Bases that look like chance; the same in every run, and never the same again within one: genes that are alike would have homologs. */
const bases = (lengthBp: number): string => {
  const letters = Buffer.allocUnsafe(lengthBp)
  for (let at = 0; at < lengthBp; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    letters[at] = 'ACGT'.charCodeAt(state >>> 30)
  }
  return letters.toString('latin1')
}
const sample = bases(100_000)

function* scaffolds(count: number): Generator<string> {
  for (let at = 0; at < count; at += 1) {
    const start = (at * 97) % 99_000
    yield `>scaffold_${at + 1} length=200\n${sample.slice(start, start + 200)}\n`
  }
}

/** Genes of ten lines each (two transcripts, exons, coding sequences) on one long chromosome. */
function* genes(count: number, lengthBp: number): Generator<string> {
  yield '##gff-version 3\n'
  const step = Math.floor(lengthBp / (count / 10 + 1))
  for (let at = 0; at < count / 10; at += 1) {
    const start = at * step + 1
    const line = (type: string, from: number, to: number, phase: string, attributes: string): string =>
      `chr1\tx\t${type}\t${start + from}\t${start + to}\t.\t+\t${phase}\t${attributes}\n`
    yield line('gene', 0, 89, '.', `ID=g${at}`)
    yield line('mRNA', 0, 89, '.', `ID=g${at}.1;Parent=g${at}`)
    for (const part of [0, 30, 60]) yield line('exon', part, part + 20, '.', `Parent=g${at}.1`)
    for (const part of [0, 30, 60]) yield line('CDS', part, part + 20, '0', `ID=g${at}.c;Parent=g${at}.1`)
    yield line('five_prime_UTR', 0, 2, '.', `Parent=g${at}.1`)
    yield line('three_prime_UTR', 86, 89, '.', `Parent=g${at}.1`)
  }
}

const manifest = (name: string, more: string): void =>
  writeFileSync(
    join(root, name, 'species.yaml'),
    `novodb: 1\nspecies: ${name}\nname: Made up\nassemblies:\n  - id: ${name}\n    genome: genome.fa\n${more}`,
  )

const measure = async (command: 'check' | 'load', what: string, folder: string): Promise<void> => {
  const start = performance.now()
  const child = spawn(process.execPath, [resolve('bin/novodb.mjs'), command, folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NOVODB_DATA: join(root, 'data') },
  })
  let max = 0
  // The kernel's own mark of the most that was resident.
  const timer = setInterval(() => {
    try {
      max = Math.max(max, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0))
    } catch {
      // It has ended.
    }
  }, 50)
  let output = ''
  child.stdout.on('data', (piece: Buffer) => {
    output = (output + piece.toString()).slice(-2000)
  })
  const code = await new Promise((ended) => child.once('exit', ended))
  clearInterval(timer)
  const seconds = (performance.now() - start) / 1000
  process.stdout.write(
    `${`${command}: ${what}`.padEnd(34)} ${(max / 1024).toFixed(0).padStart(6)} MB ${seconds.toFixed(1).padStart(7)} s  status ${code}: ${output.trim().split('\n').at(-1)}\n`,
  )
}

try {
  if (sequences > 0) {
    mkdirSync(join(root, 'scaffolds'))
    await writeLines(join(root, 'scaffolds', 'genome.fa'), scaffolds(sequences))
    writeFileSync(
      join(root, 'scaffolds', 'genes.gff3'),
      `##gff-version 3\n${Array.from({ length: 1000 }, (_, at) => `SCAFFOLD_${at + 1}\tx\tgene\t1\t90\t.\t+\t.\tID=g${at}\n`).join('')}`,
    )
    manifest('scaffolds', '    genes: genes.gff3\n')
    for (const command of ['check', 'load'] as const)
      await measure(command, `${sequences} sequences`, join(root, 'scaffolds'))
  }
  if (features > 0) {
    mkdirSync(join(root, 'features'))
    const lengthBp = features * 10 + 1000
    await writeLines(
      join(root, 'features', 'genome.fa'),
      (function* () {
        yield '>chr1\n'
        for (let at = 0; at < lengthBp; at += 100_000) yield `${bases(100_000)}\n`
      })(),
    )
    await writeLines(join(root, 'features', 'genes.gff3'), genes(features, lengthBp))
    manifest('features', '    genes: genes.gff3\n')
    for (const command of ['check', 'load'] as const)
      await measure(command, `${features} features`, join(root, 'features'))
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
