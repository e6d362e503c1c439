// Ten million generated interactions among 40,000 genes: time and memory of writing them, and of asking for a gene's network.
//   node dist/node/bench/interactions.js [GENES] [INTERACTIONS]
// Figures are printed, nothing is judged.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '../src/bio/statistics/random.ts'
import { openMatrix } from '../src/store/npy-matrix.ts'
import { openEdges } from '../src/tools/ppi/bake-edges.ts'

const [genes = 40_000, interactions = 10_000_000] = process.argv.slice(2).map(Number)
/** STRING's physical channels. */
const channels = 7

const main = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'novodb-interactions-'))
  const random = seededRandom(7)
  let max = 0
  const look = (): void => {
    max = Math.max(max, process.memoryUsage().rss)
  }
  try {
    const edges = openEdges(directory, genes)
    const began = performance.now()
    const cells = new Array<number>(channels + 1).fill(0)
    for (let at = 0; at < interactions; at += 1) {
      const a = Math.floor(random() * genes)
      const b = Math.floor(random() * genes)
      if (a === b) continue
      const score = 150 + Math.floor(random() * 850)
      cells[1] = score
      cells[channels] = score
      edges.addScores(a, b, cells)
      if (at % 100_000 === 0) look()
    }
    const files = {
      starts: join(directory, 'starts.npy'),
      partners: join(directory, 'partners.npy'),
      values: join(directory, 'values.npy'),
    }
    const about = { columns: channels + 1, scale: null, scored: true, signal: new AbortController().signal }
    const written = await edges.finish(files, about)
    look()
    edges.discard()
    const seconds = (performance.now() - began) / 1000
    const bytes = (await Promise.all(Object.values(files).map(async (file) => (await stat(file)).size))).reduce(
      (sum, one) => sum + one,
      0,
    )
    console.log(
      `${written.interactions} interactions of ${written.genes.length} genes: ${seconds.toFixed(1)} s, at most ${Math.round(max / 1e6)} MB of memory, ${Math.round(bytes / 1e6)} MB of files`,
    )
    const open = await openMatrix(files.starts, '<f8')
    const starts = await open.readCells(0, open.rows)
    const [partners, values] = [await openMatrix(files.partners, '<u4'), await openMatrix(files.values, '<u2')]
    const times: number[] = []
    for (let at = 0; at < 500; at += 1) {
      const gene = Math.floor(random() * written.genes.length)
      const [first, count] = [starts[gene]!, starts[gene + 1]! - starts[gene]!]
      const asked = performance.now()
      await Promise.all([
        partners.readCells(first, count),
        values.readCells(first * (channels + 1), count * (channels + 1)),
      ])
      times.push(performance.now() - asked)
    }
    times.sort((a, b) => a - b)
    console.log(`partners of a gene: median ${times[250]!.toFixed(2)} ms, 99 % ${times[495]!.toFixed(2)} ms`)
    for (const one of [open, partners, values]) await one.close()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

await main()
