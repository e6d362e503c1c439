// How much memory a check and a load of many sequences and of many features take, and how long they are: the most that the process had
// resident, its database's processes not counted.
// Run after `npm run build:node`: node dist/node/bench/loader-memory.js [SEQUENCES [FEATURES [WHOLE]]]; further options of Node are taken
// from NODE_OPTIONS by the process that is measured. WHOLE is the megabases of a genome with all that a large one has (genes, expression,
// variants), of whose load every process is told: 1000 for 1 Gb, 0 for none.

import { spawn } from 'node:child_process'
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

const [sequences = 1_000_000, features = 10_000_000, wholeMb = 0] = process.argv.slice(2).map(Number)
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

const write = async (stream: Writable, text: string): Promise<void> => {
  if (!stream.write(text)) await new Promise<void>((done) => stream.once('drain', () => done()))
}

const wholeSequences = 200
const genesPerSequence = 150
const sitesPerSequence = 5000
const expressionSamples = 200
const genotypedSamples = 100
const exonBp = 300
const exonStep = 500

/** A genome in 200 sequences with 30,000 genes of two transcripts, 60,000 × 200 values of expression, 1,000,000 sites of 100 samples. */
const writeWhole = async (folder: string, megabases: number): Promise<void> => {
  mkdirSync(folder)
  const lengthBp = Math.floor((megabases * 1e6) / wholeSequences)
  const names = (count: number, prefix: string): string[] =>
    Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`)
  const genome = createWriteStream(join(folder, 'genome.fa'))
  const gff3 = createWriteStream(join(folder, 'genes.gff3'))
  const table = createWriteStream(join(folder, 'tpm.tsv'))
  const vcf = createGzip({ level: 1 })
  const packed = vcf.pipe(createWriteStream(join(folder, 'variants.vcf.gz')))
  gff3.write('##gff-version 3\n')
  table.write(`transcript\t${names(expressionSamples, 'sample').join('\t')}\n`)
  vcf.write('##fileformat=VCFv4.2\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n')
  vcf.write(`#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${names(genotypedSamples, 'line').join('\t')}\n`)
  for (let number = 1; number <= wholeSequences; number += 1) {
    const name = `chr${number}`
    const letters = Buffer.from(bases(lengthBp), 'latin1')
    const step = Math.floor(lengthBp / (genesPerSequence + 1))
    let models = ''
    let rows = ''
    for (let at = 0; at < genesPerSequence; at += 1) {
      const gene = `g${number}_${at}`
      const starts0 = [0, 1, 2, 3].map((part) => (at + 1) * step - 2000 + part * exonStep)
      // Frames without stops, as coding sequences have them.
      for (const start0 of starts0)
        for (let codon0 = start0; codon0 < start0 + exonBp; codon0 += 3)
          if (/^T(AA|AG|GA)/.test(letters.toString('latin1', codon0, codon0 + 3))) letters.write('C', codon0)
      letters.write('ATG', starts0[0]!)
      letters.write('TAA', starts0[3]! + exonBp - 3)
      const line = (type: string, from0: number, to0: number, phase: string, attributes: string): string =>
        `${name}\tx\t${type}\t${from0 + 1}\t${to0}\t.\t+\t${phase}\t${attributes}\n`
      models += line('gene', starts0[0]!, starts0[3]! + exonBp, '.', `ID=${gene}`)
      for (const [transcript, parts] of [
        ['1', [0, 1, 2, 3]],
        ['2', [0, 1, 3]],
      ] as const) {
        const id = `${gene}.${transcript}`
        models += line('mRNA', starts0[0]!, starts0[3]! + exonBp, '.', `ID=${id};Parent=${gene}`)
        for (const part of parts) {
          const start0 = starts0[part]!
          models += line('exon', start0, start0 + exonBp, '.', `Parent=${id}`)
          models += line('CDS', start0, start0 + exonBp, '0', `ID=${id}.cds;Parent=${id}`)
        }
        const values = Array.from({ length: expressionSamples }, (_, sample) => ((at * 31 + sample * 7) % 997) / 10)
        rows += `${id}\t${values.join('\t')}\n`
      }
    }
    await write(genome, `>${name}\n`)
    for (let at = 0; at < lengthBp; at += 100_000)
      await write(genome, `${letters.toString('latin1', at, at + 100_000)}\n`)
    await write(gff3, models)
    await write(table, rows)
    const siteStep = Math.floor(lengthBp / (sitesPerSequence + 1))
    let sites = ''
    for (let at = 1; at <= sitesPerSequence; at += 1) {
      const position1 = at * siteStep
      const reference = String.fromCharCode(letters[position1 - 1]!)
      const calls = Array.from({ length: genotypedSamples }, (_, sample) => ['0/0', '0/1', '1/1'][(at * sample) % 3])
      sites += `${name}\t${position1}\t.\t${reference}\t${reference === 'A' ? 'G' : 'A'}\t.\tPASS\t.\tGT\t${calls.join('\t')}\n`
    }
    await write(vcf, sites)
  }
  for (const stream of [genome, gff3, table, vcf]) stream.end()
  await Promise.all([genome, gff3, table, packed].map((stream) => finished(stream)))
}

/** The kernel's own mark of the most that a process had resident, in kB; null of one that has ended. */
const readPeak = (pid: string | number): number | null => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return null
  }
}

/** Programs at work below the folder of this bench, with the most that each had resident so far. */
const listPeaks = (): { name: string; peak: number }[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const parts = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      const isOwn = readlinkSync(`/proc/${pid}/cwd`).startsWith(root) || parts.some((part) => part.includes(root))
      const peak = isOwn ? readPeak(pid) : null
      if (peak === null) return []
      // What a process of PostgreSQL does stands behind its name; programs have theirs, and what they are told to do.
      const name = parts[0]!.startsWith('postgres:') ? 'postgres' : basename(parts[0]!)
      return [{ name: `${name} ${name === 'postgres' ? '' : (parts[1] ?? '').slice(0, 40)}`.trim(), peak }]
    } catch {
      return []
    }
  })

const measure = async (
  command: 'check' | 'load',
  what: string,
  folder: string,
  peaks: Map<string, number> | null = null,
): Promise<void> => {
  const start = performance.now()
  const child = spawn(process.execPath, [resolve('bin/novodb.mjs'), command, folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NOVODB_DATA: join(root, 'data') },
  })
  let max = 0
  const timer = setInterval(() => {
    max = Math.max(max, readPeak(child.pid!) ?? 0)
    if (peaks !== null) for (const { name, peak } of listPeaks()) peaks.set(name, Math.max(peaks.get(name) ?? 0, peak))
  }, 100)
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
  if (wholeMb > 0) {
    await writeWhole(join(root, 'whole'), wholeMb)
    manifest(
      'whole',
      `    genes: genes.gff3
    expression:
      - { id: atlas, name: Atlas, file: tpm.tsv, unit: TPM }
    variants:
      - { id: panel, name: Panel, file: variants.vcf.gz }
`,
    )
    const peaks = new Map<string, number>()
    await measure('load', `whole, ${wholeMb} Mb`, join(root, 'whole'), peaks)
    for (const [name, peak] of [...peaks].sort((a, b) => b[1] - a[1]))
      process.stdout.write(`  ${name.padEnd(60)} ${(peak / 1024).toFixed(0).padStart(6)} MB\n`)
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
