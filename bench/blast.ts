// What the portal adds to a search: the time from a request to its result, less the time of the search program itself, which the
// receipt tells. Run against a portal in service:  node dist/node/bench/blast.js http://localhost:8000 ASSEMBLY [ROUNDS]

interface Answer {
  data: {
    result?: { hits: number; hsps: number }
    receipt?: { steps: { program: string; elapsedMs?: number }[]; elapsedMs: number }
    job?: { id: string; state: string }
  }
}

const [base = 'http://localhost:8000', assembly = '', roundsText = '10'] = process.argv.slice(2)

const random = (length: number): string => Array.from({ length }, () => 'ACGT'[Math.floor(Math.random() * 4)]!).join('')

const ask = async (path: string, body?: unknown): Promise<Answer> => {
  const response = await fetch(base + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

const search = async (
  input: Record<string, unknown>,
): Promise<{ wallMs: number; searchMs: number; formatMs: number }> => {
  const started = performance.now()
  let answer = await ask('/api/tools/blast/', input)
  const id = answer.data.job?.id
  while (answer.data.receipt === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    const { job } = (await ask(`/api/jobs/${id}/`)).data
    if (job?.state === 'failed') throw new Error('the search failed')
    if (job?.state === 'done') answer = await ask(`/api/jobs/${id}/result/`)
  }
  const wallMs = performance.now() - started
  const steps = answer.data.receipt.steps
  return { wallMs, searchMs: steps[0]?.elapsedMs ?? 0, formatMs: steps[1]?.elapsedMs ?? 0 }
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const main = async (): Promise<void> => {
  if (assembly === '') throw new Error('Name an assembly that has a BLAST database of its genome.')
  const rounds = Number(roundsText)
  const times = []
  for (let round = 0; round < rounds; round += 1)
    // A new query each time: an equal one would be answered from what is kept.
    times.push(
      await search({
        query: `>q${round}\n${random(1500)}`,
        program: 'blastn',
        task: 'blastn',
        databases: [`${assembly}/genome`],
      }),
    )
  const overhead = median(times.map((time) => time.wallMs - time.searchMs))
  const same = { query: `>same\n${'ACGTTGCA'.repeat(30)}`, program: 'blastn', databases: [`${assembly}/genome`] }
  await search(same)
  const again = []
  for (let round = 0; round < rounds; round += 1) again.push((await search(same)).wallMs)
  const row = (name: string, value: number): void =>
    console.log(`${name.padEnd(58)} ${value.toFixed(0).padStart(6)} ms`)
  row(`request to result, median of ${rounds}`, median(times.map((time) => time.wallMs)))
  row('  of that the search program itself', median(times.map((time) => time.searchMs)))
  row('  of that blast_formatter', median(times.map((time) => time.formatMs)))
  row('  what the portal adds to the search', overhead)
  row('an identical request again, from what is kept', median(again))
}

await main()

export {}
