import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import {
  type BlockModel,
  defaultModel,
  findCollinearBlocks,
  type GeneRanks,
  rankGenes,
} from '../src/bio/comparative/collinear-blocks.ts'
import { parseCollinearFile } from '../src/bio/comparative/collinear-files.ts'
import { alignCodons, countKaKs } from '../src/bio/comparative/ka-ks.ts'
import { makeRandomBelow } from '../src/testing/random.ts'
import { drawRibbons, pixelOf } from '../src/tools/genomesyntenyviewer/draw-ribbons.ts'
import { makeRibbons } from '../src/tools/genomesyntenyviewer/layout.ts'

const run = promisify(execFile)

const agree = async (shared: string): Promise<void> => {
  const read = async (name: string): Promise<string> =>
    gunzipSync(await readFile(join(shared, `yeast/synteny/R64_CBS432.${name}.gz`))).toString('latin1')
  const genes = (await read('mcscanx.gff'))
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([sequence, id, start]) => ({ sequence: sequence!, id: id!, start: Number(start) }))
  const names = [...new Set(genes.map(({ sequence }) => sequence))].sort()
  genes.sort((p, q) => names.indexOf(p.sequence) - names.indexOf(q.sequence) || p.start - q.start)
  const numbers = new Map(genes.map(({ id }, number) => [id, number]))
  const ranks = rankGenes(
    Int32Array.from(genes, ({ sequence }) => names.indexOf(sequence)),
    genes.map(({ start }) => start),
  )
  const best = new Map<number, number>()
  for (const line of (await read('diamond.m8')).trim().split('\n')) {
    const cells = line.split('\t')
    const [p, q] = [numbers.get(cells[0]!)!, numbers.get(cells[1]!)!]
    if (p === q) continue
    const key = Math.min(p, q) * genes.length + Math.max(p, q)
    best.set(key, Math.min(best.get(key) ?? 1, Number(cells[10])))
  }
  const matches = {
    a: Int32Array.from(best.keys(), (key) => Math.floor(key / genes.length)),
    b: Int32Array.from(best.keys(), (key) => key % genes.length),
    evalue: Float64Array.from(best.values()),
  }
  const given = parseCollinearFile(await read('collinearity'))
  if (!('blocks' in given)) throw new Error(given.reason)
  const keyOf = (a: string, b: string): string => [a, b].sort().join(' ')
  const truth = given.blocks.map((block) => ({
    ...block,
    pairs: block.a.genes.map((gene, at) => keyOf(gene, block.b.genes[at]!)),
  }))
  const wanted = new Set(truth.flatMap(({ pairs }) => pairs))
  console.log(`MCScanX, R64 and CBS432: ${truth.length} blocks, ${wanted.size} pairs, from ${best.size} matches`)
  for (const representative of ['best', 'first'] as const) {
    const model: BlockModel = { ...defaultModel, representative }
    const blocks = findCollinearBlocks(matches, ranks, null, model).map((block) => ({
      ...block,
      pairs: block.a.map((a, at) => keyOf(genes[a]!.id, genes[block.b[at]!]!.id)),
    }))
    const found = new Set(blocks.flatMap(({ pairs }) => pairs))
    const both = [...wanted].filter((pair) => found.has(pair)).length
    const match = (block: (typeof blocks)[number]) =>
      truth.find(({ pairs }) => pairs.some((pair) => block.pairs.includes(pair)))
    const turned = blocks.filter((block) => match(block)?.orientation === block.orientation).length
    const same = blocks.filter((block) => {
      const own = match(block)
      return own?.pairs.length === block.pairs.length && own.score === block.score
    })
    const alike = same.filter((block) => {
      const { evalue } = match(block)!
      return evalue! < 1e-300 ? block.evalue < 1e-290 : Math.abs(Math.log10(block.evalue / evalue!)) < 0.03
    })
    console.log(
      `  copies by ${representative}: ${blocks.length} blocks, pairs ${both} of ${wanted.size} (${(both / wanted.size).toFixed(4)}), ` +
        `${(both / found.size).toFixed(4)} of ours are theirs; orientation alike in ${turned}; ` +
        `${same.length} with the same number of pairs and score, ${alike.length} of these with the same e-value`,
    )
  }
}

const compareKaKs = async (shared: string): Promise<void> => {
  const records = gunzipSync(await readFile(join(shared, 'yeast/genome/SGDref.PoFF.ffn.gz'))).toString('latin1')
  const cds = new Map(
    records
      .split('>')
      .slice(1)
      .map((record): [string, string] => {
        const [head, ...lines] = record.split('\n')
        return [head!.split(/\s/)[0]!, lines.join('').toUpperCase()]
      }),
  )
  const text = gunzipSync(await readFile(join(shared, 'yeast/synteny/R64_CBS432.collinearity.gz'))).toString('latin1')
  const given = parseCollinearFile(text)
  if (!('blocks' in given)) throw new Error(given.reason)
  const root = await mkdtemp(join(tmpdir(), 'novodb-bench-synteny-'))
  let [pairs, worst, saturated] = [0, 0, 0]
  try {
    await writeFile(
      join(root, 'yn00.ctl'),
      'seqfile = in.phy\noutfile = yn\nverbose = 0\nicode = 0\nweighting = 0\ncommonf3x4 = 0\n',
    )
    for (const { a, b } of given.blocks)
      for (const [at, gene] of a.genes.entries()) {
        const [first, second] = [cds.get(gene), cds.get(b.genes[at]!)]
        if (first === undefined || second === undefined || first.length % 3 !== 0 || second.length % 3 !== 0) continue
        const rows = alignCodons(first, second)
        if (rows === null) continue
        let [x, y] = ['', '']
        const whole = (codon: string): boolean => /^[ACGT]{3}$/.test(codon) && !/^(TAA|TAG|TGA)$/.test(codon)
        for (let from = 0; from < rows[0].length; from += 3) {
          const [p, q] = [rows[0].slice(from, from + 3), rows[1].slice(from, from + 3)]
          if (!whole(p) || !whole(q)) continue
          x += p
          y += q
        }
        await writeFile(join(root, 'in.phy'), ` 2 ${x.length}\nA  \n${x}\nB  \n${y}\n`)
        await run('yn00', ['yn00.ctl'], { cwd: root })
        const section = /\(A\) Nei-Gojobori[\s\S]*?\nB\s+-?[\d.]+\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)\)/.exec(
          await readFile(join(root, 'yn'), 'latin1'),
        )
        if (section === null) continue
        const own = countKaKs(rows[0], rows[1])
        pairs += 1
        if (own.ks === null) saturated += 1
        for (const [value, theirs] of [
          [own.ka, Number(section[1])],
          [own.ks, Number(section[2])],
        ] as const)
          worst = Math.max(worst, value === null ? (theirs < 0 ? 0 : 9) : Math.abs(value - theirs))
      }
    console.log(
      `PAML yn00, NG86: ${pairs} pairs of R64; largest difference of Ka or Ks ${worst.toExponential(1)} (four digits are printed); ` +
        `${saturated} saturated in both`,
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    console.log('PAML yn00 is not there: Ka and Ks not compared')
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

const genomeCount = 12
const geneCount = 50_000
const chromosomes = 20

/** A genome after a doubling, with inversions and translocations of its own: families by place. */
const makeGenome = (seed: number): { families: Int32Array; ranks: GeneRanks } => {
  const random = makeRandomBelow(seed)
  let order = Array.from({ length: geneCount }, (_, at) => at % (geneCount / 2))
  for (let event = 0; event < 100; event += 1) {
    const from = random(geneCount - 500)
    const part = order.splice(from, 50 + random(450))
    if (event % 2 === 0) order.splice(from, 0, ...part.reverse())
    else {
      const to = random(order.length)
      order = [...order.slice(0, to), ...part, ...order.slice(to)]
    }
  }
  // A tenth of the genes are single copies by loss: other families took their places.
  for (let at = 0; at < geneCount; at += 1) if (random(10) === 0) order[at] = geneCount + random(1_000_000)
  const size = geneCount / chromosomes
  const sequence = Int32Array.from({ length: geneCount }, (_, at) => Math.floor(at / size))
  const start = Float64Array.from({ length: geneCount }, (_, at) => (at % size) * 5000 + 1)
  return { families: Int32Array.from(order), ranks: rankGenes(sequence, start) }
}

const time = (): void => {
  const genomes = Array.from({ length: genomeCount }, (_, number) => makeGenome(number + 1))
  const places = genomes.map(({ families }) => {
    const of = new Map<number, number[]>()
    for (const [gene, family] of families.entries()) of.set(family, [...(of.get(family) ?? []), gene])
    return of
  })
  let [spentMs, hits, blocks, pairs] = [0, 0, 0, 0]
  const random = makeRandomBelow(99)
  for (const [x, genome] of genomes.entries())
    for (let y = 0; y <= x; y += 1) {
      const [a, b, evalue]: [number[], number[], number[]] = [[], [], []]
      for (const [gene, family] of genome.families.entries()) {
        const targets = [...(places[y]!.get(family) ?? [])]
        // Five hits a gene: what is not of its family is noise, as domains bring it.
        while (targets.length < 5) targets.push(random(geneCount))
        for (const target of targets) {
          if (x === y && target >= gene) continue
          a.push(gene)
          b.push(target)
          evalue.push(1e-50)
        }
      }
      const startedAt = performance.now()
      const found = findCollinearBlocks({ a, b, evalue }, genome.ranks, x === y ? null : genomes[y]!.ranks)
      spentMs += performance.now() - startedAt
      hits += a.length
      blocks += found.length
      pairs += found.reduce((sum, block) => sum + block.a.length, 0)
    }
  console.log(
    `${genomeCount} genomes of ${geneCount} genes, ${(genomeCount * (genomeCount + 1)) / 2} pairs, ${hits} hits: ${(spentMs / 1000).toFixed(1)} s; ` +
      `${blocks} blocks, ${pairs} pairs of genes; ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`,
  )
}

/** What one frame of the genome viewer's ribbons takes, without a graphics card. */
const drawFrames = (): void => {
  const ribbons = makeRibbons(
    Array.from({ length: 20_000 }, (_, at) => ({
      a: [at * 60, at * 60 + 50] as [number, number],
      b: [at * 60, at * 60 + 50] as [number, number],
      source: at,
      colour: pixelOf('#999999'),
    })),
  )
  const drawing = { width: 1400, height: 96, pixels: new Uint32Array(1400 * 96), picks: null }
  const whole = { offset: 0, scale: 1400 / 1_200_000 }
  const times = Array.from({ length: 60 }, () => {
    const startedAt = performance.now()
    drawRibbons(drawing, ribbons, [whole, whole], [0, 96])
    return performance.now() - startedAt
  }).sort((a, b) => a - b)
  console.log(
    `20,000 ribbons, 1400 pixels wide: a frame ${times[30]!.toFixed(1)} ms (median), ${times[56]!.toFixed(1)} ms (95 %)`,
  )
}

const shared = process.argv[2]
if (shared !== undefined) {
  await agree(shared)
  await compareKaKs(shared)
}
time()
drawFrames()
