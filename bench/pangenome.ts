import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  clusterGenomes,
  countFrequencies,
  countGenomes,
  expectedGrowth,
  type FamilyCounts,
  fitPowerLaw,
  orderFamilies,
  packPresence,
  resampleGrowth,
} from '../src/bio/comparative/pan-genome.ts'
import { makeRandom } from '../src/testing/random.ts'

const families = 50_000
const genomes = 100

/** A third core, the rest of shares that are mostly near 0 or 1, as pan-genomes have them; genomes of ten clades lose families together. */
const makeTable = (): FamilyCounts => {
  const random = makeRandom(11)
  const counts = new Uint16Array(families * genomes)
  for (let family = 0; family < families; family += 1) {
    const core = random() < 1 / 3
    const share = random() ** 3
    const clades = Array.from({ length: 10 }, () => random() < share)
    const kept = 0.02 + 0.96 * random()
    for (let genome = 0; genome < genomes; genome += 1)
      if (core || (clades[genome % 10]! ? random() < kept : random() < 0.004))
        counts[family * genomes + genome] = random() < 0.05 ? 2 : 1
  }
  return { families, genomes, counts }
}

const timed = <T>(name: string, work: () => T): T => {
  const start = performance.now()
  const made = work()
  console.log(`${name}: ${(performance.now() - start).toFixed(0)} ms`)
  return made
}

const report = (name: string, table: FamilyCounts): void => {
  console.log(`\n${name}: ${table.families} families of ${table.genomes} genomes`)
  const present = timed('numbers of genomes', () => countGenomes(table))
  const frequencies = countFrequencies(present, table.genomes)
  const growth = timed('means over all orders', () => expectedGrowth(frequencies))
  const presence = timed('presence as bits', () => packPresence(table))
  timed('200 orders', () => resampleGrowth(presence, 200, 1))
  const tree = timed('genomes clustered', () => clusterGenomes(presence))
  const order = timed('families in the order of drawing', () => orderFamilies(table, tree.order))
  const patterns = new Set<string>()
  for (let family = 0; family < table.families; family += 1)
    patterns.add(table.counts.subarray(family * table.genomes, (family + 1) * table.genomes).join(''))
  const sizes = growth.pan.map((_, at) => at + 1)
  const fit = timed('Heaps’ law', () => fitPowerLaw(sizes, growth.pan))
  console.log(
    `in all ${frequencies.at(-1)}, in one ${frequencies[1]}, ${patterns.size} rows that differ, ${order.length} drawn; n = ${fit?.factor.toFixed(2)} N^${fit?.exponent.toFixed(5)} ± ${fit?.exponentMargin?.toFixed(5)}`,
  )
  const script = `
import json, sys, numpy as np
from scipy.optimize import curve_fit
from scipy.stats import t
y = np.array(json.load(sys.stdin)); x = np.arange(1, len(y) + 1)
p, c = curve_fit(lambda N, k, g: k * N ** g, x, y, p0=[y[0], 0.1], xtol=1e-14, ftol=1e-14)
print(json.dumps([p[0], p[1], t.ppf(0.975, len(y) - 2) * float(np.sqrt(c[1][1]))]))`
  const python = spawnSync('python3', ['-c', script], { input: JSON.stringify(growth.pan), encoding: 'utf8' })
  if (python.status !== 0 || fit === null) {
    console.log('scipy is not there: its curve_fit was not compared')
    return
  }
  const [factor, exponent, margin] = JSON.parse(python.stdout) as number[]
  const off = (ours: number | null, theirs: number | undefined): string =>
    Math.abs((ours ?? Number.NaN) / (theirs ?? Number.NaN) - 1).toExponential(1)
  console.log(
    `against scipy’s curve_fit, relative difference of kappa ${off(fit.factor, factor)}, gamma ${off(fit.exponent, exponent)}, its margin ${off(fit.exponentMargin, margin)}`,
  )
}

report('generated', makeTable())
console.log(`memory: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`)
const file = join(process.argv[2] ?? '', 'yeast/pangenome/gene_PAV_7strains.tsv.gz')
const namesOf: Record<string, string> = { S288C: 'S288C-PacBio' }

/** Families of the portal against those by name: a family by name is where a gene of it has one of ours. */
const compare = async (portal: string, heading: string[], rows: string[][][]): Promise<void> => {
  const answer = await fetch(new URL('/api/tools/pangenome/file', portal), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ assemblies: heading.map((strain) => namesOf[strain] ?? strain) }),
  })
  if (!answer.ok) throw new Error(`${portal} answered ${answer.status}: ${await answer.text()}`)
  const ours = (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('OG'))
    .map((line) => line.split('\t').slice(4))
  const familyOf = new Map<string, number>()
  for (const [number, cells] of ours.entries())
    for (const cell of cells) for (const gene of cell.split(',')) if (gene !== '') familyOf.set(gene, number)
  let [joined, same, whole] = [0, 0, 0]
  for (const cells of rows) {
    const found = [...new Set(cells.flat().flatMap((gene) => familyOf.get(gene) ?? []))]
    if (found.length === 1) joined += 1
    const agreeing = cells.filter(
      (genes, at) => genes.length > 0 === found.some((number) => ours[number]![at] !== ''),
    ).length
    same += agreeing
    if (agreeing === cells.length) whole += 1
  }
  const cells = rows.length * heading.length
  console.log(
    `\nthe portal’s: ${ours.length} families, ${ours.filter((own) => own.every((cell) => cell !== '')).length} in all; of ${rows.length} by name ${joined} in one of ours; presence the same in ${((100 * same) / cells).toFixed(1)} % of ${cells} cells, in whole families ${((100 * whole) / rows.length).toFixed(1)} %`,
  )
}

if (existsSync(file)) {
  const [heading, ...lines] = gunzipSync(readFileSync(file))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t').slice(1))
  const genes = lines.map((cells) => cells.map((cell) => (cell === '-' ? [] : cell.split(','))))
  const rows = genes.map((cells) => cells.map((cell) => cell.length))
  const portal = process.argv[3]
  if (portal !== undefined) await compare(portal, heading!, genes)
  report('seven yeasts by SGD name', { families: rows.length, genomes: 7, counts: Uint16Array.from(rows.flat()) })
}
