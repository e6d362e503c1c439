import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeRandomBelow } from '../src/testing/random.ts'
import { KeepAliveClient } from './keep-alive-client.ts'
import { readProcessorTimes } from './processor-time.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')

const nouns =
  'kinase,transporter,phosphatase,receptor,helicase,ligase,synthase,reductase,oxidase,protease,factor,channel'.split(
    ',',
  )
const kinds = 'serine,threonine,tyrosine,zinc,calcium,sugar,lipid,peptide,nucleotide,amino acid,heme,iron'.split(',')

interface Shape {
  assemblies: number
  chromosomes: number
  chromosomeBp: number
  genesPerAssembly: number
  exons: number
  circular?: boolean
}

/** A species folder of random sequence with evenly spread genes; every gene has the word "protein" in its description. */
const writeSpecies = async (folder: string, shape: Shape): Promise<{ features: number; bases: number }> => {
  await mkdir(folder, { recursive: true })
  let features = 0
  const random = makeRandomBelow(7)
  const block = Array.from({ length: 60_000 }, () => 'ACGT'[random(4)]).join('')
  const assemblies: string[] = []
  for (let assembly = 0; assembly < shape.assemblies; assembly += 1) {
    const id = `asm${assembly + 1}`
    const fasta = createWriteStream(join(folder, `${id}.fa`))
    const gff = createWriteStream(join(folder, `${id}.gff3`))
    const write = async (stream: typeof fasta, text: string): Promise<void> => {
      if (!stream.write(text)) await once(stream, 'drain')
    }
    await write(gff, '##gff-version 3\n')
    const perChromosome = Math.ceil(shape.genesPerAssembly / shape.chromosomes)
    for (let chromosome = 1; chromosome <= shape.chromosomes; chromosome += 1) {
      await write(fasta, `>chr${chromosome}\n`)
      for (let at = 0; at < shape.chromosomeBp; at += 60_000) {
        const offset = random(59_000)
        const text = (block.slice(offset) + block.slice(0, offset)).slice(0, Math.min(60_000, shape.chromosomeBp - at))
        await write(fasta, `${text.replace(/(.{60})/g, '$1\n')}${text.length % 60 === 0 ? '' : '\n'}`)
      }
      const step = Math.floor(shape.chromosomeBp / perChromosome)
      for (let gene = 0; gene < perChromosome; gene += 1) {
        const start = gene * step + 1
        const name = `G${assembly + 1}_${chromosome}_${gene + 1}`
        const strand = gene % 2 === 0 ? '+' : '-'
        const end = start + Math.floor(step * 0.8)
        const description = `${kinds[random(12)]} ${nouns[random(12)]} family protein ${random(500)}`
        const symbol = gene % 3 === 0 ? `;Name=S${random(90_000)}` : ''
        const lines = [
          `chr${chromosome}\tgen\tgene\t${start}\t${end}\t.\t${strand}\t.\tID=${name}${symbol};description=${description}`,
          `chr${chromosome}\tgen\tmRNA\t${start}\t${end}\t.\t${strand}\t.\tID=${name}.1;Parent=${name}`,
        ]
        const width = Math.floor((end - start) / (shape.exons * 2))
        for (let exon = 0; exon < shape.exons; exon += 1) {
          const from = start + exon * 2 * width
          const to = exon === shape.exons - 1 ? end : from + width - 1
          lines.push(`chr${chromosome}\tgen\texon\t${from}\t${to}\t.\t${strand}\t.\tParent=${name}.1`)
          lines.push(`chr${chromosome}\tgen\tCDS\t${from}\t${to}\t.\t${strand}\t0\tID=${name}.cds;Parent=${name}.1`)
        }
        features += lines.length
        await write(gff, `${lines.join('\n')}\n`)
      }
    }
    for (const stream of [fasta, gff]) {
      stream.end()
      await once(stream, 'close')
    }
    const names = Array.from({ length: shape.chromosomes }, (_, number) => `{ name: chr${number + 1}, circular: true }`)
    const circles = shape.circular ? `    sequences: [${names.join(', ')}]\n` : ''
    assemblies.push(`  - id: ${id}\n    genome: ${id}.fa\n    genes: ${id}.gff3\n${circles}`)
  }
  await writeFile(
    join(folder, 'species.yaml'),
    `novodb: 1\nspecies: bench-species\nname: Benchus generatus\nsimulated: true\nassemblies:\n${assemblies.join('')}`,
  )
  return { features, bases: shape.assemblies * shape.chromosomes * shape.chromosomeBp }
}

const start = (args: string[], environment: Record<string, string>, flags: string[] = []): ChildProcess =>
  spawn(process.execPath, [...flags, 'bin/novodb.mjs', ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NOVODB_DEMO: 'none',
      NOVODB_LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/**
 * Runs a load until the release is in service, and watches the largest resident size of its process (Linux). What is computed over all
 * assemblies after that is broken off: these sequences are a block said over and over, and their homologs mean nothing.
 */
const load = async (folder: string, dataDir: string): Promise<{ seconds: number; megabytes: number }> => {
  const began = performance.now()
  const child = start(['load', folder], { NOVODB_DATA: dataDir })
  let output = ''
  let peak = 0
  let served: number | null = null
  child.stdout!.resume()
  child.stderr!.on('data', (text) => {
    output += text
    if (process.env.NOVODB_BENCH_STEPS !== undefined)
      console.log(`${((performance.now() - began) / 1000).toFixed(1)} s ${String(text).trimEnd()}`)
    if (served !== null || !/in service/.test(output)) return
    served = performance.now()
    child.kill('SIGTERM')
  })
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }, 250)
  await once(child, 'close')
  clearInterval(watch)
  if (served === null) throw new Error(`The load did not get into service: ${output.slice(-2000)}`)
  return { seconds: (served - began) / 1000, megabytes: peak }
}

const percentile = (sorted: number[], fraction: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))]!

interface Ask {
  port: number
  clients: number
  count: number
  path: (number: number) => string
  /** Requests a second of every client; without it each asks again as soon as it has its answer. */
  rate?: number
}

/**
 * `count` requests by `clients` at once; times in milliseconds, sorted. With a rate they are counted from the moment when a request was
 * due, so that waiting behind a slow one is not left out.
 */
const measure = async ({ port, clients, count, path, rate }: Ask): Promise<number[]> => {
  const times: number[] = []
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const connection = new KeepAliveClient(port)
      for (let turn = 0; next < count; turn += 1) {
        const target = path(next)
        next += 1
        let due = performance.now()
        if (rate !== undefined) {
          due = began + ((turn + client / clients) * 1000) / rate
          const early = due - performance.now()
          if (early > 0) await new Promise((done) => setTimeout(done, early))
          // Timers fire on whole milliseconds, up to one late: that is the client's doing.
          due = Math.max(due, performance.now() - 1)
        }
        await connection.get(target)
        times.push(Math.max(0, performance.now() - due))
      }
      connection.close()
    }),
  )
  return times.sort((a, b) => a - b)
}

const cell = (value: number): string => value.toFixed(1).padStart(7)

const report = (name: string, times: number[], seconds: number, processor = ''): void => {
  console.log(
    `${name.padEnd(36)} p50 ${cell(percentile(times, 0.5))} ms  p99 ${cell(percentile(times, 0.99))} ms  max ${cell(times.at(-1)!)} ms ${(times.length / seconds).toFixed(0).padStart(6)} /s${processor}`,
  )
}

const benchLoad = async (work: string): Promise<void> => {
  // 62,500 genes of 16 lines each: a gene, an mRNA, 7 exons, 7 CDS.
  const made = await writeSpecies(join(work, 'species'), {
    assemblies: 1,
    chromosomes: 8,
    chromosomeBp: 50_000_000,
    genesPerAssembly: 62_500,
    exons: 7,
  })
  console.log(`${made.features} features, ${made.bases} bases`)
  const { seconds, megabytes } = await load(join(work, 'species'), join(work, 'data'))
  console.log(
    `novodb load, until in service: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB at most (command's process)`,
  )
}

/** Requests before those that are timed. */
const warmingUp = 1500

const shapes: Record<'lookups' | 'bacteria' | 'many', Shape> = {
  lookups: { assemblies: 12, chromosomes: 10, chromosomeBp: 2_000_000, genesPerAssembly: 50_000, exons: 2 },
  bacteria: {
    assemblies: 12,
    chromosomes: 1,
    chromosomeBp: 4_000_000,
    genesPerAssembly: 5_000,
    exons: 1,
    circular: true,
  },
  many: {
    assemblies: 500,
    chromosomes: 1,
    chromosomeBp: 1_500_000,
    genesPerAssembly: 5_000,
    exons: 1,
    circular: true,
  },
}

const benchLookups = async (work: string, shape: Shape): Promise<void> => {
  const dataDir = process.env.NOVODB_BENCH_DATA ?? join(work, 'data')
  if (process.env.NOVODB_BENCH_DATA === undefined) {
    await writeSpecies(join(work, 'species'), shape)
    const loaded = await load(join(work, 'species'), dataDir)
    const genes = (shape.assemblies * shape.genesPerAssembly).toLocaleString('en')
    console.log(`${genes} genes in ${shape.assemblies} assemblies loaded in ${loaded.seconds.toFixed(0)} s`)
  }
  // As scripts/start.mjs starts it.
  const memoryFlags = ['--max-semi-space-size=1', '--no-allocation-site-pretenuring', '--heap-growing-percent=300']
  const server = start(['serve'], { NOVODB_DATA: dataDir, PORT: '0' }, memoryFlags)
  const port = await new Promise<number>((done, failed) => {
    let output = ''
    const listen = (text: Buffer): void => {
      output += text
      const found = /is ready: http:\/\/[^:]+:(\d+)/.exec(output)
      if (found === null) return
      // The log of the requests is let go by: to look through all of it at each line costs the clients more than their asking.
      server.stdout!.off('data', listen).resume()
      done(Number(found[1]))
    }
    server.stdout!.on('data', listen)
    server.stderr!.resume()
    server.once('close', () => failed(new Error(output)))
  })
  const random = makeRandomBelow(11)
  const chromosome = (): number => 1 + random(shape.chromosomes)
  const gene = (): string =>
    `G${1 + random(shape.assemblies)}_${chromosome()}_${1 + random(shape.genesPerAssembly / shape.chromosomes)}`
  /** Numbers that never come again in this run: the portal keeps its answers, and here they shall be made. */
  const turns = new Map<string, number>()
  const turnOf = (name: string): number => {
    const turn = turns.get(name) ?? 0
    turns.set(name, turn + 1)
    return turn
  }
  const cases: [string, number, (number: number) => string][] = [
    ['gene by id', 4000, () => `/api/genes/${gene()}/`],
    [
      'region of 100 kb',
      4000,
      () => {
        const from = 1 + random(shape.chromosomeBp - 100_000)
        return `/api/genes/?assembly=asm${1 + random(shape.assemblies)}&sequence=chr${chromosome()}&start=${from}&end=${from + 100_000}`
      },
    ],
    ['autocomplete', 4000, () => `/api/search/suggest/?q=${gene().slice(0, 4 + random(5))}`],
    [
      'keyword search, different words',
      2000,
      (number) => `/api/search/?q=${kinds[random(12)]!.replace(' ', '+')}+${nouns[random(12)]}+${number % 500}`,
    ],
    [
      'keyword search, two common words',
      1000,
      () => {
        const turn = turnOf('two')
        const words = `${kinds[turn % 12]!.split(' ')[0]}+${nouns[Math.floor(turn / 12) % 12]}`
        return `/api/search/?q=${words}&page=${1 + Math.floor(turn / 144)}`
      },
    ],
    [
      'keyword search, the commonest word',
      1000,
      () => {
        const turn = turnOf('one')
        return `/api/search/?q=protein&page=${1 + (turn % 80)}&pageSize=${10 + Math.floor(turn / 80)}`
      },
    ],
    ['keyword search, answered before', 1000, (number) => `/api/search/?q=protein&page=${1 + (number % 400)}`],
  ]
  const wanted = [
    // What the machine and the path of every request take by themselves: the figures after it are to be read beside it.
    ['nothing, asked of the database', 4000, () => '/api/health/'] as (typeof cases)[number],
    ...cases.filter(([name]) => name.includes(process.env.NOVODB_BENCH_CASES ?? '')),
  ]
  const measureCase = async (name: string, ask: Ask): Promise<void> => {
    // A portal that has served for a while: its code is compiled, its database has read what is read often.
    await measure({ port: ask.port, clients: 16, count: warmingUp, path: ask.path })
    const before = readProcessorTimes(server.pid!)
    const began = performance.now()
    const times = await measure(ask)
    const seconds = (performance.now() - began) / 1000
    const after = readProcessorTimes(server.pid!)
    const each = (key: keyof typeof after): string => ((after[key] - before[key]) / times.length).toFixed(2)
    report(name, times, seconds, `  ${each('clientMs')} + ${each('serverMs')} + ${each('databaseMs')} ms`)
  }
  console.log(
    `Clients, server and database share ${cpus().length} processors; last figures: processor time a request of client + server + database`,
  )
  for (const [clients, rate] of [
    [1, undefined],
    [16, 20],
    [16, undefined],
  ] as const) {
    const pace = rate === undefined ? 'without a pause' : `at ${rate} requests/s each`
    console.log(`\n${clients} parallel client${clients === 1 ? '' : 's'}, ${pace}`)
    for (const [name, count, path] of wanted)
      await measureCase(name, { port, clients, rate, path, count: clients === 1 ? count / 4 : count })
  }
  // While heavy answers are computed, look-ups keep their times: one client asks for what nobody has asked before.
  const heavy: [string, () => string][] = [
    ['in one sequence, which goes by the index', () => `sequence=chr${chromosome()}`],
    ['for several words', () => `page=${2 + random(300)}`],
  ]
  for (const [what, limits] of heavy) {
    console.log(`\n16 parallel clients at 20 requests/s each, while another searches ${what}, without a pause`)
    let searching = true
    const slow: number[] = []
    const began = performance.now()
    const searches = (async () => {
      while (searching) {
        const words = `protein+family+${kinds[random(12)]!.split(' ')[0]}+${nouns[random(12)]}`
        const path = (): string => `/api/search/?q=${words}&pageSize=${10 + random(90)}&${limits()}`
        slow.push(...(await measure({ port, clients: 1, count: 1, path })))
      }
    })()
    await measureCase('gene by id', { port, clients: 16, rate: 20, count: 2000, path: () => `/api/genes/${gene()}/` })
    searching = false
    await searches
    const seconds = (performance.now() - began) / 1000
    report(
      'the searches',
      slow.sort((a, b) => a - b),
      seconds,
    )
  }
  server.kill('SIGTERM')
  await once(server, 'close')
}

const work = await mkdtemp(join(tmpdir(), 'novodb-bench-'))
// Open to pass: else root's PostgreSQL keeps its cluster in a directory of the system, which outlives the run.
await chmod(work, 0o755)
try {
  const which = process.argv[2] ?? 'all'
  if (which === 'load' || which === 'all') await benchLoad(join(work, 'load'))
  for (const [name, shape] of Object.entries(shapes))
    if (which === name || which === 'all') await benchLookups(join(work, name), shape)
} finally {
  if (process.env.NOVODB_BENCH_KEEP === undefined) await rm(work, { recursive: true, force: true })
}
