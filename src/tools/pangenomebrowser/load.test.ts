import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseGfaLine, walkSteps } from '../../bio/graph/gfa.ts'
import { spellSteps } from '../../bio/graph/variation-graph.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { Database } from '../../database/connect.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { answerJson, askRoute, makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { makeRandomBelow } from '../../testing/random.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import type { OverviewAnswer } from './endpoints.ts'
import engine from './engine.ts'
import { readAnsweredRegion } from './read-region.ts'
import type { GraphResult } from './tool.ts'

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string
let data: OpenPortalData

const random = makeRandomBelow(11)
const bases = (count: number): string => Array.from({ length: count }, () => 'ACGT'[random(4)]).join('')

/**
 * A chromosome of 6 kb in pieces, with what two strains have otherwise: an SNV, a deletion of 500 bp, an insertion of 80 bp, an inversion
 * of 300 bp.
 */
const parts = {
  a: bases(1000),
  ref: 'A',
  alt: 'G',
  b: bases(999),
  del: bases(500),
  c: bases(500),
  ins: bases(80),
  d: bases(1000),
  inv: bases(300),
  e: bases(1700),
}
const chromosome = parts.a + parts.ref + parts.b + parts.del + parts.c + parts.d + parts.inv + parts.e
const gfa = [
  'H\tVN:Z:1.1',
  // A path before its segments, as some programs write them.
  'P\tREF#0#chrI\ta+,ref+,b+,del+,c+,d+,inv+,e+\t*',
  ...Object.entries(parts).map(([name, letters]) => `S\t${name}\t${letters}`),
  'L\ta\t+\tref\t+\t0M',
  `W\tsouth\t0\tchr1\t0\t5580\t>a>alt>b>c>ins>d>inv>e`,
  `W\tnorth\t1\tctg1\t0\t*\t>a>alt>b>del>c>d<inv>e`,
  // The same way backwards, as an assembler may have the contig.
  `W\twest\t0\tctg9\t40\t*\t<e<inv<d<c<b<ref<a`,
].join('\n')

const makeFolder = (name: string, graph: string, options: { fasta: string; sample: string; gff?: string }): string => {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'g.fa'), options.fasta)
  writeFileSync(join(folder, 'g.gff3'), options.gff ?? anyGene)
  writeFileSync(join(folder, 'graph.gfa'), graph)
  writeFileSync(
    join(folder, 'species.yaml'),
    `novodb: 1\nspecies: ${name}\nname: Graphus ${name}\nassemblies:\n  - id: ${name}1\n    genome: g.fa\n    genes: g.gff3\n    graphs:\n      - { id: own, name: Own graph, file: graph.gfa, sample: ${options.sample} }\n`,
  )
  return folder
}

const anyGene = '##gff-version 3\nchrI\tt\tgene\t10\t90\t.\t+\t.\tID=any\n'

const genes = [
  '##gff-version 3',
  'chrI\tt\tgene\t1990\t2100\t.\t+\t.\tID=g1;Name=gone',
  'chrI\tt\tmRNA\t1990\t2100\t.\t+\t.\tID=g1.1;Parent=g1',
  'chrI\tt\texon\t1990\t2100\t.\t+\t.\tParent=g1.1',
].join('\n')

const load = async (folder: string) => {
  const report = await loadTestSpecies(database, dataDir, folder)
  await portal.hearChanges()
  return report
}

beforeAll(async () => {
  portal = await openEmptyPortal('graphs')
  ;({ database, root, dataDir } = portal)
  data = await portal.openData()
  const report = await load(makeFolder('planted', gfa, { fasta: `>chrI\n${chromosome}\n`, sample: 'ref', gff: genes }))
  expect(report.failure).toBeNull()
  expect(report.defects.filter(({ severity }) => severity === 'error')).toEqual([])
})
afterAll(() => portal?.close())

const show = (input: object): Promise<GraphResult> => runEngine(engine, input, makeEngineContext({ data }))
const overviewOf = async (assembly: string): Promise<OverviewAnswer> =>
  answerJson(await askRoute(engine, 'overview/', { assembly, graph: 'own', sequence: 'chrI' }, { data }))

test('planted differences of the strains are found and named', async () => {
  const found = await show({ assembly: 'planted1', locus: 'chrI:1-6000' })
  expect([found.start, found.end, found.nodeCount]).toEqual([1, 6000, 10])
  const named = found.variants.map(({ name, walks }) => [name, walks.map((walk) => found.region.walks[walk]!.sample)])
  expect(named).toEqual([
    [`chrI:1001 A>G`, ['south', 'north']],
    ['chrI:2001-2500 del 500 bp', ['south', 'west']],
    ['chrI:3000^3001 ins 80 bp', ['south']],
    ['chrI:4001-4300 inv 300 bp', ['north']],
  ])
  expect(found.absent).toEqual([])
  const region = readAnsweredRegion(found.region)
  for (const walk of region.walks) {
    const spelled = spellSteps(region.nodes, walk.steps)!
    if (walk.sample === 'planted1') expect(spelled).toBe(chromosome)
    if (walk.sample === 'north')
      expect(spelled).toBe(
        chromosome.slice(0, 1000) + parts.alt + chromosome.slice(1001, 4000) + reverseComplement(parts.inv) + parts.e,
      )
  }
})

test('a gene opens with its flanks; nodes outside are not read, names of the sequence in other schemes are', async () => {
  const gene = await show({ assembly: 'planted1', locus: 'gone', flankBp: 0 })
  expect(gene.gene?.id).toBe('g1')
  expect([gene.start, gene.end]).toEqual([1002, 2500])
  expect(gene.genes.map(({ id }) => id)).toEqual(['g1'])
  // The contig stops being the same only where a strain lacks the end of the gene: the deletion reaches beyond what is shown.
  expect(gene.variants).toEqual([])
  const named = await show({ assembly: 'planted1', locus: 'I:1500-2100' })
  expect([named.sequence, named.start]).toEqual(['chrI', 1002])
})

test('small variants are left out of the drawing when asked, never of the table', async () => {
  const found = await show({ assembly: 'planted1', locus: 'chrI:1-6000', minBp: 100 })
  expect([found.minBp, found.hidden, found.variants.length]).toEqual([100, 2, 4])
  expect(found.region.nodes.length).toBeLessThan(8)
})

test('what each strain has of the chromosome', async () => {
  const [segment] = (await overviewOf('planted1')).segments
  const { binBp, samples } = segment!
  expect(samples.map(({ name }) => name)).toEqual(['south', 'north', 'west'])
  const bin = (position: number): number => Math.floor(position / binBp)
  const [south, north, west] = samples
  expect([south!.present[bin(2200)], north!.present[bin(2200)], west!.present[bin(2200)]]).toEqual([0, 100, 0])
  expect(south!.insertedBp.reduce((sum, one) => sum + one, 0)).toBe(81)
  expect(Math.max(...west!.insertedBp)).toBe(0)
  // An inverted segment is there.
  expect(north!.present[bin(4100)]).toBe(100)
})

test('what lies between two contigs of a strain is unknown, what one contig passes over is not there', async () => {
  const contigs = `${gfa}\nW\teast\t0\tctg1\t0\t*\t>a>ref>b\nW\teast\t0\tctg2\t0\t*\t>c>d>inv`
  const folder = makeFolder('contigs', contigs, { fasta: `>chrI\n${chromosome}\n`, sample: 'ref' })
  expect((await load(folder)).failure).toBeNull()
  const { binBp, samples } = (await overviewOf('contigs1')).segments[0]!
  const at = (name: string, position: number): number | undefined =>
    samples.find((sample) => sample.name === name)?.present[Math.floor(position / binBp)]
  // Both lack the 500 bases at 2,001; the contig of south joins what is on either side.
  expect([at('south', 2200), at('east', 2200)]).toEqual([0, -1])
  expect([at('east', 1500), at('east', 2700), at('east', 5000)]).toEqual([100, 100, -1])
})

test('what cannot be shown is said beside the field', async () => {
  for (const [input, message] of [
    [{ locus: 'nobody' }, 'locus.unknown'],
    [{ locus: 'chrI:9000-9100' }, 'locus.beyond-end'],
    [{ locus: 'chrI', graph: 'none' }, 'problem.unknownGraph'],
  ] as const)
    await expect(show({ assembly: 'planted1', ...input })).rejects.toMatchObject({ problems: [{ message }] })
})

test.each([
  ['another assembly', gfa, `>chrI\n${bases(6000)}\n`, 'REF', 'graph-bases-differ'],
  ['a shorter assembly', gfa, `>chrI\n${chromosome.slice(0, 5000)}\n`, 'REF', 'graph-path-beyond'],
  ['no path of the assembly', gfa, `>chrI\n${chromosome}\n`, 'nobody', 'graph-no-reference'],
  ['overlapping links', gfa.replace('0M', '5M'), `>chrI\n${chromosome}\n`, 'REF', 'graph-overlaps'],
  ['a missing segment', gfa.replace(/S\tdel.*\n/, ''), `>chrI\n${chromosome}\n`, 'REF', 'graph-node-unknown'],
  ['a segment twice', `${gfa}\nS\ta\tACGT`, `>chrI\n${chromosome}\n`, 'REF', 'graph-node-twice'],
  ['GFA 2', gfa.replace('VN:Z:1.1', 'VN:Z:2.0'), `>chrI\n${chromosome}\n`, 'REF', 'graph-version'],
  ['no graph at all', 'hello\n', `>chrI\n${chromosome}\n`, 'REF', 'graph-empty'],
])('a graph of %s refuses the load with the reason', async (what, graph, fasta, sample, code) => {
  const report = await load(makeFolder(`bad${what.replaceAll(/\W/g, '').toLowerCase()}`, graph, { fasta, sample }))
  expect(report.release).toBeNull()
  expect(report.defects.map((defect) => defect.code)).toContain(code)
})

const samples = join(realData, 'formats/gfa')

describe.skipIf(!hasRealData)('graphs of human loci', () => {
  test.each(['DRB1-3123', 'LPA', 'chr6.C4'])(
    '%s: the variants of each path turn the reference into it',
    async (name) => {
      const text = gunzipSync(readFileSync(join(samples, `${name}.gfa.gz`))).toString()
      const nodes = new Map<string, string>()
      const ways: { name: string; bases: string }[] = []
      for (const line of text.split('\n')) {
        const found = parseGfaLine(line)
        if (found?.kind === 'segment') nodes.set(found.name, found.sequence!)
        if (found?.kind === 'path')
          ways.push({
            name: found.locus.name,
            bases: [...walkSteps(found.walk)]
              .map(([node, reverse]) => (reverse ? reverseComplement(nodes.get(node)!) : nodes.get(node)!))
              .join(''),
          })
      }
      const [first] = ways
      // The locus by itself, so that its path begins with the sequence.
      const id = name.replaceAll(/\W/g, '').toLowerCase()
      const graph = text.replace(`P\t${first!.name}\t`, 'P\tlocus#0#chrI\t')
      const folder = makeFolder(id, graph, { fasta: `>chrI\n${first!.bases}\n`, sample: 'locus' })
      const report = await load(folder)
      expect(report.defects.filter(({ severity }) => severity === 'error')).toEqual([])
      const found = await show({ assembly: `${id}1`, locus: 'chrI' })
      expect(found.end).toBe(first!.bases.length)
      expect(found.variantTotal).toBe(found.variants.length)
      let checked = 0
      for (const [number, walk] of found.region.walks.entries()) {
        const whole = ways.find((way) => way.name === walk.name)?.bases
        if (number === 0 || whole === undefined) continue
        const own = found.variants.filter(({ walks }) => walks.includes(number))
        let rebuilt = ''
        let at = own[0]?.start0 ?? 0
        for (const variant of own) {
          if (variant.type === 'inversion') continue
          rebuilt += first!.bases.slice(at, variant.start0) + variant.alternative
          at = variant.end0
        }
        if (own.length === 0 || own.some(({ type }) => type === 'inversion')) continue
        // A contig may run backwards through the graph; compared as a whole, for a difference would be printed with all bases.
        const [forward, wanted] = [whole.toUpperCase(), rebuilt.toUpperCase()]
        expect(forward.includes(wanted) || reverseComplement(forward).includes(wanted), walk.name).toBe(true)
        checked += 1
      }
      expect(checked).toBeGreaterThan(found.region.walks.length / 2)
    },
    60_000,
  )
})
