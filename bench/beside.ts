// Looks up one gene after another beside 16 clients of one route, for the heaviest route of every tool, on a portal in service:
//   node dist/node/bench/beside.js http://localhost:8000 [TOOL...]
// Every round measures the quiet portal anew, just before: figures of a machine that has other things to do are only good as ratios of the
// same minute. The 16 clients tell the portal other addresses each (X-Forwarded-For), which it believes with NOVODB_TRUST_PROXY=1; without,
// they are one client to it. NOVODB_BENCH_ROUNDS: three where it is not set. Figures are printed, nothing is judged.
// On Linux the 16 clients have a session of their own and a low priority: in service they are other machines, here they must not take the
// portal's processors.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { AssemblySummary, SpeciesSummary } from '../src/contracts/species.ts'
import { handSessionPriority, stepBehind } from '../src/jobs/process-priority.ts'
import { findPortalTools } from '../src/server/portal.ts'
import { KeepAliveClient } from './keep-alive-client.ts'

interface Asked {
  tool: string
  name: string
  path: string
  /** JSON of a POST. */
  body?: string
}

const clients = 16
const rounds = Number(process.env.NOVODB_BENCH_ROUNDS ?? 3)
const lookupsEach = 250
/** Before that a round is not counted: the clients have to meet. */
const settleMs = 500

const percentile = (sorted: number[], fraction: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN

/** The clients, in a process of their own: their reading of answers is not to be measured with the look-ups. */
const askOn = async (port: number): Promise<void> => {
  stepBehind()
  handSessionPriority(process.pid)
  process.send?.('ready')
  const [asked] = (await once(process, 'message')) as [Asked]
  let going = true
  let answers = 0
  let refused = 0
  process.once('message', () => {
    going = false
  })
  // As browsers, curl --compressed and the usual libraries ask.
  const open = (number: number): KeepAliveClient =>
    new KeepAliveClient(port, { 'X-Forwarded-For': `10.9.0.${number + 1}`, 'Accept-Encoding': 'gzip' })
  const ask = async (number: number): Promise<void> => {
    let client = open(number)
    while (going) {
      try {
        await client.get(asked.path, asked.body)
        answers += 1
      } catch {
        refused += 1
        client.close()
        client = open(number)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    client.close()
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => ask(number)))
  process.send?.({ answers, refused }, () => process.disconnect())
}

const main = async (): Promise<void> => {
  const [base = 'http://localhost:8000', ...wanted] = process.argv.slice(2)
  const port = Number(new URL(base).port)
  const request = async (path: string, body?: unknown): Promise<{ status: number; data: unknown; ms: number }> => {
    const began = performance.now()
    const response = await fetch(base + path, {
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const ms = performance.now() - began
    const json = response.headers.get('content-type')?.startsWith('application/json')
      ? JSON.parse(text)
      : { data: text }
    return { status: response.status, data: json.data, ms }
  }

  const { species } = (await request('/api/species/')).data as { species: SpeciesSummary[] }
  const assemblies: AssemblySummary[] = species.flatMap((one) => one.assemblies)
  // That of which the most kinds of data are loaded.
  const ranked = [...assemblies].sort((a, b) => Object.keys(b.dataTypes).length - Object.keys(a.dataTypes).length)
  const assembly = ranked[0]!
  const sequence = assembly.sequences[0]!
  const { genes } = (
    await request(
      `/api/genes/?assembly=${assembly.id}&sequence=${encodeURIComponent(sequence.name)}&start=1&end=${sequence.lengthBp}&limit=2000`,
    )
  ).data as { genes: { id: string; start: number; end: number }[] }
  const gene = genes[Math.floor(genes.length / 2)]!
  const known: Record<string, unknown> = {
    assembly: assembly.id,
    assemblies: [assembly.id],
    first: assembly.id,
    second: assemblies.find(({ species: of, id }) => of === assembly.species && id !== assembly.id)?.id ?? assembly.id,
    species: assembly.species,
    sequence: sequence.name,
    chromosome: sequence.name,
    start: 1,
    end: Math.min(sequence.lengthBp, 1_000_000),
    gene: gene.id,
    genes: genes.slice(0, 500).map(({ id }) => id),
    id: gene.id,
    q: 'prot',
    query: 1,
    hit: 1,
    // Of BLAST the one that blast_formatter writes anew from the archive.
    format: 'pairwise',
    filter: { assembly: assembly.id },
  }

  /** The input of a route: what it must be given, of what is known; null where that does not do. */
  const inputOf = (schema: z.ZodType, more: Record<string, unknown>): Record<string, unknown> | null => {
    const values = { ...known, ...more }
    const input: Record<string, unknown> = {}
    const shape = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
    for (const key of ['assembly', 'job', ...Object.keys(more)]) if (shape.includes(key)) input[key] = values[key]
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const parsed = schema.safeParse(input)
      if (parsed.success) return input
      const key = String(parsed.error.issues[0]?.path[0] ?? '')
      if (values[key] === undefined || input[key] === values[key]) return null
      input[key] = values[key]
    }
    return null
  }

  const runJob = async (tool: string, input: unknown): Promise<string | null> => {
    const submitted = (await request(`/api/tools/${tool}/`, input)).data as { job?: { id: string } } | undefined
    const id = submitted?.job?.id
    const deadline = performance.now() + 240_000
    while (id !== undefined && performance.now() < deadline) {
      const { job } = (await request(`/api/jobs/${id}/`)).data as { job: { state: string } }
      if (job.state === 'done') return id
      if (job.state === 'failed' || job.state === 'cancelled') return null
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    return null
  }

  const candidates: Asked[] = []
  const notAsked: string[] = []
  const tools = await findPortalTools({ toolLimits: {} })
  const queries = async (): Promise<string> =>
    (
      await request('/api/tools/sequenceextraction/fasta', {
        assembly: assembly.id,
        genes: genes.slice(0, 40).map(({ id }) => id),
        part: 'protein',
        skipInvalid: true,
      })
    ).data as string
  for (const { id, tool, engine } of tools) {
    if (wanted.length > 0 && !wanted.includes(id)) continue
    const example =
      id === 'blast'
        ? {
            query: await queries(),
            program: 'blastp',
            databases: assemblies
              .filter(({ dataTypes }) => (dataTypes['blast-protein'] ?? 0) > 0)
              .map((one) => `${one.id}/protein`),
          }
        : tool.example({ assemblies })
    if (example === null) {
      notAsked.push(`${id}: nothing is loaded for it`)
      continue
    }
    if (tool.mode === 'answer')
      candidates.push({
        tool: id,
        name: `POST ${id}/ (its example)`,
        path: `/api/tools/${id}/`,
        body: JSON.stringify(example),
      })
    const job = tool.mode === 'job' ? await runJob(id, example) : null
    const given = {
      ...(job === null ? {} : { job }),
      ...(id === 'gwas' ? await firstScan(request, assembly.id) : {}),
      ...(id === 'variation' ? await firstSet(request, assembly.id) : {}),
    }
    for (const route of engine.routes ?? []) {
      const method = route.method ?? 'GET'
      const name = `${method} ${id}/${route.path}`
      // A scan that is loaded, and not the example's own job, is what the pages of GWAS are about.
      const input = inputOf(
        route.input,
        id === 'gwas' && !route.path.includes('{job}') ? { ...given, job: undefined } : given,
      )
      if (input === null) {
        notAsked.push(`${name}: no input at hand`)
        continue
      }
      const rest = { ...input }
      const path = `/api/tools/${id}/${route.path.replace(/\{(\w+)\}/g, (_, key: string) => {
        delete rest[key]
        return encodeURIComponent(String(input[key]))
      })}`
      if (method === 'POST') candidates.push({ tool: id, name, path, body: JSON.stringify(rest) })
      else {
        const asked = new URLSearchParams(
          Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
        )
        candidates.push({ tool: id, name, path: asked.size === 0 ? path : `${path}?${asked}` })
      }
    }
  }
  if (wanted.length === 0 || wanted.includes('portal'))
    candidates.push({
      tool: 'portal',
      name: 'POST genes/resolve/ (2,000 ids)',
      path: '/api/genes/resolve/',
      body: JSON.stringify({ ids: genes.slice(0, 2000).map(({ id }) => id) }),
    })

  /** The slowest of each tool, of two answers each: the first also reads what is kept afterwards. */
  const heaviest = new Map<string, Asked & { ms: number }>()
  for (const asked of candidates) {
    const body = asked.body === undefined ? undefined : (JSON.parse(asked.body) as unknown)
    const answers = []
    for (let time = 0; time < 2; time += 1)
      answers.push(await request(asked.path, body).catch(() => ({ status: 0, ms: Number.NaN, data: null })))
    const last = answers.at(-1)!
    if (last.status !== 200) notAsked.push(`${asked.name}: answered ${last.status}`)
    else if (last.ms > (heaviest.get(asked.tool)?.ms ?? 0)) heaviest.set(asked.tool, { ...asked, ms: last.ms })
  }
  console.log(
    `${candidates.length - notAsked.filter((line) => line.includes('answered')).length} routes answered; not measured:`,
  )
  for (const line of notAsked) console.log(`  ${line}`)

  const reader = new KeepAliveClient(port, { 'X-Forwarded-For': '10.8.0.1' })
  let next = 0
  const lookUp = async (count: number): Promise<number[]> => {
    const times: number[] = []
    for (let number = 0; number < count; number += 1) {
      next = (next + 37) % genes.length
      const began = performance.now()
      await reader.get(`/api/genes/${encodeURIComponent(genes[next]!.id)}/`)
      times.push(performance.now() - began)
    }
    return times
  }
  const beside = async (asked: Asked): Promise<{ times: number[]; answers: number; refused: number }> => {
    const child = fork(fileURLToPath(import.meta.url), [String(port)], {
      detached: true,
      env: { ...process.env, NOVODB_BENCH_CLIENTS: '1' },
    })
    await once(child, 'message')
    child.send(asked)
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    const times = await lookUp(lookupsEach)
    child.send('stop')
    const [reported] = (await once(child, 'message')) as [{ answers: number; refused: number }]
    return { times, ...reported }
  }
  await lookUp(lookupsEach)
  const figure = (value: number): string => value.toFixed(1).padStart(7)
  console.log(
    `\n${'one gene after another beside 16 clients of'.padEnd(50)}   alone   quiet p50    p99  beside p50    p99  ratios p50   p99  answers/s`,
  )
  for (const asked of [...heaviest.values()].sort((a, b) => b.ms - a.ms)) {
    const quiet: number[] = []
    const loud: number[] = []
    let [answers, refused, seconds] = [0, 0, 0]
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(...(await lookUp(lookupsEach)))
      const began = performance.now()
      const found = await beside(asked)
      seconds += (performance.now() - began) / 1000
      loud.push(...found.times)
      answers += found.answers
      refused += found.refused
    }
    quiet.sort((a, b) => a - b)
    loud.sort((a, b) => a - b)
    const [q50, q99, l50, l99] = [
      percentile(quiet, 0.5),
      percentile(quiet, 0.99),
      percentile(loud, 0.5),
      percentile(loud, 0.99),
    ]
    console.log(
      `${asked.name.slice(0, 50).padEnd(50)} ${figure(asked.ms)}     ${figure(q50)} ${figure(q99)}     ${figure(l50)} ${figure(l99)}   ${figure(l50 / q50)} ${figure(l99 / q99)}  ${(answers / seconds).toFixed(1).padStart(7)}${refused > 0 ? `  ${refused} refused` : ''}`,
    )
  }
  reader.close()
}

type Request = (path: string, body?: unknown) => Promise<{ data: unknown }>

const firstScan = async (request: Request, assembly: string): Promise<Record<string, unknown>> => {
  const { data } = await request(`/api/tools/gwas/scans/?assembly=${assembly}`)
  const [set] = (data as { sets?: { id: string; traits: { id: string }[] }[] }).sets ?? []
  return set === undefined ? {} : { scan: set.id, trait: set.traits[0]?.id }
}

const firstSet = async (request: Request, assembly: string): Promise<Record<string, unknown>> => {
  const { data } = await request(`/api/tools/variation/sets/?assembly=${assembly}`)
  const [set] = (data as { sets?: { id: string }[] }).sets ?? []
  return set === undefined ? {} : { set: set.id, filter: { assembly, set: set.id } }
}

if (process.env.NOVODB_BENCH_CLIENTS === '1') await askOn(Number(process.argv[2]))
else await main()
