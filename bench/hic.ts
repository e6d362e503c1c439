// Windows of a large contact map: a .cool of a genome of 500 Mb in bins of 5 kb, made here, read as the tool reads it.
//   node dist/node/bench/hic.js [pixels in millions, default 60]
// Contacts fall off with distance and are sparse between chromosomes, as in real maps. Figures are printed, nothing is judged.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import h5 from 'h5wasm/node'
import { createInsulation } from '../src/bio/contacts/contact-statistics.ts'
import { seededRandom } from '../src/bio/statistics/random.ts'
import { readCoolerFile } from '../src/store/contacts/cooler-file.ts'
import { openCooler } from '../src/store/contacts/cooler-reader.ts'

const binBp = 5000
const chromosomes = 10
const binsEach = 10_000
const bins = chromosomes * binsEach
const wanted = Number(process.argv[2] ?? 60) * 1e6
/** As cooler writes by default: chunks of some tens of kilobytes. */
const chunk = 1 << 14

const makeMap = async (file: string): Promise<number> => {
  await h5.ready
  const handle = new h5.File(file, 'w')
  const attributes = { format: 'HDF5::Cooler', 'bin-type': 'fixed', 'storage-mode': 'symmetric-upper' }
  for (const [name, value] of Object.entries(attributes)) handle.create_attribute(name, value)
  handle.create_attribute('format-version', 3)
  handle.create_attribute('bin-size', binBp)
  const chroms = handle.create_group('chroms')
  const names = Array.from({ length: chromosomes }, (_, at) => `chr${at + 1}`)
  chroms.create_dataset({ name: 'name', data: names, dtype: 'S32' })
  chroms.create_dataset({ name: 'length', data: new Int32Array(chromosomes).fill(binsEach * binBp) })
  const table = handle.create_group('bins')
  const column = (name: string, value: (bin: number) => number): void => {
    table.create_dataset({ name, data: Int32Array.from({ length: bins }, (_, bin) => value(bin)) })
  }
  column('chrom', (bin) => Math.floor(bin / binsEach))
  column('start', (bin) => (bin % binsEach) * binBp)
  column('end', (bin) => ((bin % binsEach) + 1) * binBp)
  table.create_dataset({
    name: 'weight',
    data: Float64Array.from({ length: bins }, (_, bin) => (bin % 97 === 0 ? Number.NaN : 0.01 + (bin % 7) / 1000)),
  })
  const pixels = handle.create_group('pixels')
  const dataset = (name: string, dtype: string) => {
    pixels.create_dataset({
      name,
      dtype,
      shape: [0],
      maxshape: [null],
      chunks: [chunk],
      compression: 'gzip',
      compression_opts: [1],
      data: dtype === '<q' ? new BigInt64Array(0) : new Int32Array(0),
    })
    return pixels.get(name) as InstanceType<typeof h5.Dataset>
  }
  const [ones, twos, counts] = [dataset('bin1_id', '<q'), dataset('bin2_id', '<q'), dataset('count', '<i')]
  const random = seededRandom(1)
  const rowStarts = new Float64Array(bins + 1)
  const room = 1 << 20
  const buffers = { one: new BigInt64Array(room), two: new BigInt64Array(room), count: new Int32Array(room) }
  let [held, written] = [0, 0]
  const flush = (): void => {
    const to = written + held
    for (const [target, values] of [
      [ones, buffers.one.slice(0, held)],
      [twos, buffers.two.slice(0, held)],
      [counts, buffers.count.slice(0, held)],
    ] as const) {
      target.resize([to])
      target.write_slice([[written, to]], values)
    }
    written = to
    held = 0
  }
  const add = (one: number, two: number, count: number): void => {
    if (held === room) flush()
    buffers.one[held] = BigInt(one)
    buffers.two[held] = BigInt(two)
    buffers.count[held] = count
    held += 1
  }
  const aRow = wanted / bins
  for (let bin = 0; bin < bins; bin += 1) {
    rowStarts[bin] = written + held
    const end = (Math.floor(bin / binsEach) + 1) * binsEach
    // Half of a row lies near, every bin at first and ever fewer with distance; the rest is strewn over the genome.
    let step = 1
    for (let two = bin, near = 0; two < end && near < aRow / 2; near += 1, two += Math.ceil(step)) {
      add(bin, two, 1 + Math.floor((200 * random()) / (two - bin + 1)))
      step += 4 / aRow
    }
    const far = Math.max(1, (2 * (bins - end)) / aRow)
    for (let two = end + Math.floor(random() * far); two < bins; two += 1 + Math.floor(random() * 2 * far))
      add(bin, two, 1)
  }
  flush()
  rowStarts[bins] = written
  handle.create_attribute('nnz', written)
  const indexes = handle.create_group('indexes')
  indexes.create_dataset({
    name: 'chrom_offset',
    data: Int32Array.from({ length: chromosomes + 1 }, (_, at) => at * binsEach),
  })
  indexes.create_dataset({ name: 'bin1_offset', data: Int32Array.from(rowStarts) })
  handle.close()
  return written
}

const time = async (what: string, work: () => Promise<string | number>): Promise<void> => {
  const began = performance.now()
  const before = process.cpuUsage()
  const note = await work()
  const { user, system } = process.cpuUsage(before)
  const memory = Math.round(process.memoryUsage().rss / 2 ** 20)
  console.log(
    `${what.padEnd(66)} ${Math.round(performance.now() - began)} ms, processor ${Math.round((user + system) / 1000)} ms  ${note}  (process ${memory} MB)`,
  )
}

const main = async (): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'novodb-bench-hic-'))
  const file = join(root, 'large.cool')
  try {
    await time('made', async () => `${((await makeMap(file)) / 1e6).toFixed(1)} M pixels`)
    console.log(`${((await stat(file)).size / 2 ** 20).toFixed(0)} MB on disk, ${bins} bins`)
    const windowBins = 10_000_000 / binBp
    const at = (chromosome: number, from: number) => ({ chromosome, from, to: from + windowBins })
    for (const [what, x, y] of [
      ['10 Mb on the diagonal, first', at(4, 4000), at(4, 4000)],
      ['10 Mb on the diagonal, another', at(7, 1000), at(7, 1000)],
      ['10 Mb against 10 Mb, 20 Mb away', at(2, 1000), at(2, 5000)],
      ['10 Mb against 10 Mb of another chromosome', at(1, 1000), at(8, 5000)],
    ] as const)
      await time(what, async () => {
        const reader = await openCooler(file)
        let cells = 0
        const weights = await reader.readWeights(binBp, x, 'weight')
        await reader.readWindow(binBp, x, y, () => {
          cells += 1
        })
        await reader.close()
        return `${cells} cells, ${weights!.length} weights`
      })
    await time('contacts of one bin on its chromosome', async () => {
      const reader = await openCooler(file)
      let cells = 0
      const whole = { chromosome: 5, from: 0, to: binsEach }
      await reader.readWindow(binBp, { chromosome: 5, from: 5000, to: 5001 }, whole, () => {
        cells += 1
      })
      await reader.close()
      return `${cells} cells`
    })
    await time('insulation of a chromosome of 50 Mb, window of 10 bins', async () => {
      const reader = await openCooler(file)
      const insulation = createInsulation(binsEach, () => true, 10)
      const whole = { chromosome: 3, from: 0, to: binsEach }
      await reader.readBand(binBp, whole, insulation.farthest, (a, b, count) => insulation.add(a, b, count))
      await reader.close()
      return `${insulation.finish().score.length} bins`
    })
    await time('whole file checked, expected values computed, as at load', async () => {
      let averages = 0
      await readCoolerFile(file, undefined, async (_, table) => {
        averages = table.chromosomes.length * table.columns.length
      })
      return `${averages} tables`
    })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

await main()
