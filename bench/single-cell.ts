// A million generated cells x 2,000 genes: time and memory of writing them gene by gene, and of answering one gene.
//   node dist/node/bench/single-cell.js [CELLS] [GENES] [VALUES_A_CELL]
// Figures are printed, nothing is judged. How long a click takes until the map is drawn stands on the map's canvas (data-click-ms).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CellEntries, CellTable } from '../src/bio/expression/cell-table.ts'
import { seededRandom } from '../src/bio/statistics/random.ts'
import { openValues, surveyValues, writeByGene } from '../src/tools/singlecellexpress/bake-values.ts'

const [cells = 1_000_000, genes = 2000, each = 100] = process.argv.slice(2).map(Number)

/** The same values each time they are gone through, and never all of them in memory. */
async function* generate(): AsyncGenerator<CellEntries> {
  const random = seededRandom(7)
  const size = 1 << 20
  const entries: CellEntries = {
    cells: new Uint32Array(size),
    genes: new Uint32Array(size),
    values: new Float64Array(size),
    count: 0,
  }
  const stride = Math.floor(genes / each)
  for (let cell = 0; cell < cells; cell += 1) {
    for (let at = 0; at < each; at += 1) {
      entries.cells[entries.count] = cell
      entries.genes[entries.count] = at * stride + Math.floor(random() * stride)
      entries.values[entries.count] = 1 + Math.floor(random() * 5)
      entries.count += 1
    }
    if (entries.count + each > size) {
      yield entries
      entries.count = 0
      await new Promise((resume) => setImmediate(resume))
    }
  }
  yield entries
}

const main = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'novodb-cells-'))
  const files = {
    values: join(directory, 'values.npy'),
    cells: join(directory, 'cells.npy'),
    starts: join(directory, 'starts.npy'),
  }
  const table: CellTable = {
    layout: 'generated',
    cells: new Array<string>(cells).fill(''),
    genes: Array.from({ length: genes }, (_, gene) => [`g${gene}`]),
    columns: [],
    left: [],
    coordinates: [],
    layers: [],
    scan: generate,
    close: () => {},
  }
  const { signal } = new AbortController()
  let max = 0
  const watch = setInterval(() => {
    max = Math.max(max, process.memoryUsage().rss)
  }, 50)
  const say = (what: string, since: number): void =>
    console.log(`${what.padEnd(36)} ${((performance.now() - since) / 1000).toFixed(3)} s`)
  try {
    let since = performance.now()
    const survey = await surveyValues(table, signal)
    say('survey', since)
    since = performance.now()
    const rows = Int32Array.from({ length: genes }, (_, gene) => gene)
    const count = await writeByGene(table, survey, rows, genes, true, files, signal)
    say(`${count} values gene by gene`, since)
    console.log(`most memory                          ${(max / 2 ** 20).toFixed(0)} MB`)
    since = performance.now()
    const values = await openValues(files)
    await values.read(17)
    say('open and read one gene', since)
    since = performance.now()
    for (let gene = 0; gene < 100; gene += 1) await values.read(gene * Math.floor(genes / 100))
    say('a hundred genes', since)
    await values.close()
  } finally {
    clearInterval(watch)
    await rm(directory, { recursive: true, force: true })
  }
}

await main()
