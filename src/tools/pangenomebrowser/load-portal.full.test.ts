import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spellSteps } from '../../bio/graph/variation-graph.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { Database } from '../../database/connect.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { minimap2Program } from '../../kit/programs.ts'
import { askRoute, makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { makeRandom } from '../../testing/random.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import engine from './engine.ts'
import { readAnsweredRegion } from './read-region.ts'
import type { GraphResult } from './tool.ts'

// Genomes are made from one ancestor by changes that are written down, so that every lifted base can be compared with where it was put.

const randomBases = (lengthBp: number, seed: number): string => {
  const next = makeRandom(seed)
  return Array.from({ length: lengthBp }, () => 'ACGT'[Math.floor(next() * 4)]!).join('')
}

/** A segment of the ancestor's chromosome, or new bases; `-` turned round. */
type Part = { from: 'chr1' | 'chr2'; start0: number; end0: number; strand?: '-' } | { bases: string }

const ancestor = { chr1: randomBases(160_000, 1), chr2: randomBases(90_000, 2) }

const mutateBases = (bases: string, share: number, seed: number): string => {
  const next = makeRandom(seed)
  return [...bases]
    .map((base) =>
      next() < share && base !== 'N' ? 'ACGT'['ACGT'.indexOf(base) ^ (1 + Math.floor(next() * 3))]! : base,
    )
    .join('')
}

interface MadeGenome {
  sequences: Record<string, string>
  /** Place of each ancestral base, e.g. `chr1:17` to `['ctgA', 4, '+']`. */
  places: Map<string, [sequence: string, place0: number, strand: '+' | '-']>
}

const makeGenome = (sequences: Record<string, Part[]>, share: number, seed: number): MadeGenome => {
  const made: MadeGenome = { sequences: {}, places: new Map() }
  for (const [name, parts] of Object.entries(sequences)) {
    let bases = ''
    for (const part of parts) {
      if ('bases' in part) {
        bases += part.bases
        continue
      }
      const { from, start0, end0, strand = '+' } = part
      for (let place0 = start0; place0 < end0; place0 += 1)
        made.places.set(`${from}:${place0}`, [
          name,
          bases.length + (strand === '+' ? place0 - start0 : end0 - 1 - place0),
          strand,
        ])
      const cut = ancestor[from].slice(start0, end0)
      bases += strand === '+' ? cut : reverseComplement(cut)
    }
    made.sequences[name] = mutateBases(bases, share, seed)
  }
  return made
}

const reference = makeGenome(
  { chr1: [{ from: 'chr1', start0: 0, end0: 160_000 }], chr2: [{ from: 'chr2', start0: 0, end0: 90_000 }] },
  0,
  0,
)
/** A deletion of 5,900, an insertion of 2,000, an inversion of 12,000, and the ends of the two chromosomes exchanged. */
const rearranged = makeGenome(
  {
    ctgA: [
      { from: 'chr1', start0: 0, end0: 30_000 },
      { from: 'chr1', start0: 35_900, end0: 50_000 },
      { bases: randomBases(2000, 7) },
      { from: 'chr1', start0: 50_000, end0: 70_000 },
      { from: 'chr1', start0: 70_000, end0: 82_000, strand: '-' },
      { from: 'chr1', start0: 82_000, end0: 110_000 },
      { from: 'chr2', start0: 40_000, end0: 90_000 },
    ],
    ctgB: [
      { from: 'chr2', start0: 0, end0: 40_000 },
      { from: 'chr1', start0: 110_000, end0: 160_000 },
    ],
  },
  0.004,
  11,
)
/** The same order as the reference, in contigs of which one reads the other way round; 20 kb of chr2 are in none. */
const contigs = makeGenome(
  {
    one: [{ from: 'chr1', start0: 0, end0: 90_000, strand: '-' }],
    two: [{ from: 'chr1', start0: 90_000, end0: 160_000 }],
    three: [
      { from: 'chr2', start0: 0, end0: 30_000 },
      { bases: 'N'.repeat(200) },
      { from: 'chr2', start0: 33_000, end0: 70_000 },
    ],
  },
  0.02,
  13,
)
const genomes: Record<string, MadeGenome> = { REF: reference, RE1: rearranged, TIG: contigs }

const writeFolder = (
  root: string,
  name: string,
  assemblies: string[],
  referenceId = 'REF',
  /** Texts of the lab's own alignments to the reference, by assembly. */
  alignments: Record<string, string> = {},
): string => {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  for (const id of assemblies)
    writeFileSync(
      join(folder, `${id}.fa`),
      Object.entries(genomes[id]!.sequences)
        .map(([sequence, bases]) => `>${sequence}\n${bases}\n`)
        .join(''),
    )
  for (const [id, text] of Object.entries(alignments)) writeFileSync(join(folder, `${id}.alignment`), text)
  const entries = assemblies.map((id) => {
    const more = [
      ...(id === referenceId ? ['reference: true'] : []),
      ...(alignments[id] === undefined ? [] : [`alignment: { file: ${id}.alignment }`]),
    ]
    return `  - { ${[`id: ${id}`, `genome: ${id}.fa`, ...more].join(', ')} }\n`
  })
  writeFileSync(
    join(folder, 'species.yaml'),
    `novodb: 1\nspecies: made\nname: Made up\nassemblies:\n${entries.join('')}`,
  )
  return folder
}

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string
let data: OpenPortalData

beforeAll(async () => {
  portal = await openEmptyPortal('alignments')
  ;({ database, root, dataDir } = portal)
  data = await portal.openData()
})
afterAll(() => portal?.close())

const load = async (folder: string, programs = [minimap2Program]) => {
  const report = await loadTestSpecies(database, dataDir, folder, { requirements: programs })
  expect(report).toMatchObject({ ok: true, failure: null })
  await portal.hearChanges()
  return report
}

const region = (assembly: string, sequence: string, start1: number, end1: number) => ({
  assembly,
  sequence,
  start1,
  end1,
})

const pairFiles = () => readdirSync(join(dataDir, 'computed/pangenomebrowser')).sort()

describe('assemblies of one species, aligned by minimap2', () => {
  test('without minimap2 a load goes on, and says what to install', async () => {
    const report = await load(writeFolder(root, 'none', ['REF', 'RE1']), [])
    expect(
      report.defects.filter(({ code }) => code === 'program-missing').map(({ params }) => params.program),
    ).toContain('minimap2')
    expect(await data.alignments.getState('REF')).toBeNull()
    await expect(data.alignments.lift(region('REF', 'chr1', 1, 100))).rejects.toMatchObject({
      code: 'TOOL_UNAVAILABLE',
    })
  })

  test('a second assembly is aligned to the reference with the preset for its divergence', async () => {
    await load(writeFolder(root, 'two', ['REF', 'RE1']))
    const state = (await data.alignments.getState('RE1'))!
    expect(state).toMatchObject({ species: 'made', reference: 'REF', missing: [] })
    expect(state.program).toMatch(/^minimap2 2\./)
    const [pair] = state.assemblies
    expect(pair).toMatchObject({ id: 'RE1', preset: 'asm20', reused: false })
    expect(pair!.divergence).toBeGreaterThan(0.003)
    expect(pair!.divergence).toBeLessThan(0.005)
    expect(pairFiles().length).toBe(1)
  })

  test('a third is aligned alone: what was aligned before is used again', async () => {
    const before = pairFiles()
    await load(writeFolder(root, 'three', ['REF', 'RE1', 'TIG']))
    expect(pairFiles()).toEqual(expect.arrayContaining(before))
    const { assemblies } = (await data.alignments.getState('TIG'))!
    expect(assemblies.map(({ id, reused, preset }) => [id, reused, preset])).toEqual([
      ['RE1', true, 'asm20'],
      ['TIG', false, 'asm20'],
    ])
  })

  test('an answer of before the alignment is none of after it', async () => {
    const using = (await data.listBundlesInUse()).map(({ bundle }) => bundle)
    expect(await data.usesBundles(using.slice(0, -1))).toBe(false)
    expect(await data.usesBundles(using)).toBe(true)
  })
})

describe('lifted places', () => {
  /** Share of bases of the ancestor, one every 97, that arrive exactly where they were put. */
  const share = async (from: string, to: string): Promise<{ right: number; wrong: number; none: number }> => {
    const counts = { right: 0, wrong: 0, none: 0 }
    const back = new Map([...genomes[from]!.places].map(([key, [sequence, start0]]) => [`${sequence}:${start0}`, key]))
    for (const [sequence, bases] of Object.entries(genomes[from]!.sequences))
      for (let start0 = 40; start0 < bases.length; start0 += 997) {
        const key = back.get(`${sequence}:${start0}`)
        if (key === undefined) continue
        const expected = genomes[to]!.places.get(key)
        const { lifts } = await data.alignments.lift(region(from, sequence, start0 + 1, start0 + 1), [to])
        const locus = lifts[0]!.loci[0]
        if (expected === undefined) counts[locus === undefined ? 'right' : 'wrong'] += 1
        else if (locus === undefined) counts.none += 1
        else counts[locus.sequence === expected[0] && locus.start === expected[1] + 1 ? 'right' : 'wrong'] += 1
      }
    return counts
  }

  test('bases arrive where they were put, from the reference, to it, and through it', async () => {
    for (const [from, to] of [
      ['REF', 'RE1'],
      ['REF', 'TIG'],
      ['RE1', 'REF'],
      ['TIG', 'REF'],
      ['TIG', 'RE1'],
      ['RE1', 'TIG'],
    ] as const) {
      const { right, wrong, none } = await share(from, to)
      expect(wrong, `${from} to ${to}`).toBe(0)
      expect(none, `${from} to ${to}`).toBeLessThanOrEqual(0.01 * right)
      expect(right).toBeGreaterThan(100)
    }
  })

  test('a region keeps its length, and says how alike it is', async () => {
    const { lifts } = await data.alignments.lift(region('REF', 'chr1', 1001, 6000))
    expect(lifts.map(({ assembly, through, outcome }) => [assembly, through, outcome])).toEqual([
      ['RE1', null, 'whole'],
      ['TIG', null, 'whole'],
    ])
    expect(lifts[0]!.loci).toEqual([
      expect.objectContaining({ sequence: 'ctgA', start: 1001, end: 6000, strand: '+', alignedBp: 5000, role: 'best' }),
    ])
    expect(lifts[0]!.loci[0]!.identity).toBeGreaterThan(0.99)
    // The contig reads the other way round.
    expect(lifts[1]!.loci[0]).toMatchObject({ sequence: 'one', start: 84_001, end: 89_000, strand: '-' })
  })

  test('within the deletion there is no place, within the inversion the strand is the other', async () => {
    const deleted = (await data.alignments.lift(region('REF', 'chr1', 32_001, 33_000), ['RE1'])).lifts[0]!
    expect(deleted).toMatchObject({ outcome: 'deleted', loci: [] })
    expect(deleted.deletedAt!.sequence).toBe('ctgA')
    expect(Math.abs(deleted.deletedAt!.start - 30_000)).toBeLessThanOrEqual(5)
    const turned = (await data.alignments.lift(region('REF', 'chr1', 75_001, 76_000), ['RE1'])).lifts[0]!
    const [sequence, start0] = rearranged.places.get('chr1:75999')!
    expect(turned.loci[0]).toMatchObject({ sequence, start: start0 + 1, strand: '-' })
  })

  test('over the end of the exchanged arms a region lies in two places', async () => {
    const { lifts } = await data.alignments.lift(region('REF', 'chr1', 109_001, 111_200), ['RE1'])
    expect(lifts[0]!.outcome).toBe('split')
    expect(lifts[0]!.loci.map(({ sequence, role }) => [sequence, role])).toEqual([
      ['ctgA', 'best'],
      ['ctgB', 'rest'],
    ])
  })

  test('what is in no contig is not aligned, which is not called absent', async () => {
    const { lifts } = await data.alignments.lift(region('REF', 'chr2', 75_001, 80_000))
    expect(lifts.map(({ assembly, outcome }) => [assembly, outcome])).toEqual([
      ['RE1', 'whole'],
      ['TIG', 'unaligned'],
    ])
  })

  test('through the reference what it lacks cannot be followed', async () => {
    // In the middle of the 2,000 bases that only this assembly has.
    const { lifts } = await data.alignments.lift(region('RE1', 'ctgA', 45_001, 45_400))
    expect(lifts.map(({ assembly, through, outcome }) => [assembly, through, outcome])).toEqual([
      ['REF', null, 'deleted'],
      ['TIG', 'REF', 'reference-lacks'],
    ])
  })

  test('what is wrong with a region is told', async () => {
    await expect(data.alignments.lift(region('REF', 'chr1', 1, 160_001))).rejects.toMatchObject({
      problems: [{ path: ['end'], message: 'alignment.regionOutside' }],
    })
    await expect(data.alignments.lift(region('REF', 'chr9', 1, 10))).rejects.toMatchObject({ code: 'UNKNOWN_SEQUENCE' })
    await expect(data.alignments.lift(region('gone', 'chr1', 1, 10))).rejects.toMatchObject({
      code: 'UNKNOWN_ASSEMBLY',
    })
    await expect(data.alignments.lift(region('REF', 'chr1', 1, 2_000_000))).rejects.toMatchObject({
      problems: [{ message: 'alignment.regionLong' }],
    })
    await expect(data.alignments.listSpans(region('RE1', 'ctgA', 1, 10))).rejects.toMatchObject({
      problems: [{ path: ['assembly'], message: 'alignment.notReference' }],
    })
  })
})

describe('variants', () => {
  const all = async () => {
    const found = []
    for (const [sequence, bases] of Object.entries(reference.sequences))
      found.push(...(await data.alignments.listVariants(region('REF', sequence, 1, bases.length), 1000)).variants)
    return found
  }

  test('the changes that were made are called, and nothing else', async () => {
    const variants = await all()
    expect(
      variants.map(({ class: kind, carriers }) => [kind, carriers.map(({ assembly }) => assembly)]).sort(),
    ).toEqual(
      [
        // Each of the two joins is told at both of its places.
        ['breakpoint', ['RE1']],
        ['breakpoint', ['RE1']],
        ['breakpoint', ['RE1']],
        ['breakpoint', ['RE1']],
        ['deletion', ['RE1']],
        ['insertion', ['RE1']],
        ['inversion', ['RE1']],
      ].sort(),
    )
    const near = (a: number, b: number): boolean => Math.abs(a - b) <= 5
    const [deletion, insertion, inversion] = ['deletion', 'insertion', 'inversion'].map(
      (kind) => variants.find((variant) => variant.class === kind)!,
    )
    expect(near(deletion!.start, 30_001) && near(deletion!.end, 35_900)).toBe(true)
    expect(deletion).toMatchObject({ sequence: 'chr1', lengthBp: -5900, without: ['TIG'] })
    expect(near(insertion!.start, 50_000)).toBe(true)
    expect(insertion).toMatchObject({ lengthBp: 2000, start: insertion!.end })
    expect(insertion!.carriers[0]).toMatchObject({ sequence: 'ctgA' })
    expect(near(insertion!.carriers[0]!.start, 44_101) && near(insertion!.carriers[0]!.end, 46_100)).toBe(true)
    expect(near(inversion!.start, 70_001) && near(inversion!.end, 82_000)).toBe(true)
    const joins = variants.filter(({ class: kind }) => kind === 'breakpoint')
    for (const join of joins) expect(join.mate!.sequence).not.toBe(join.sequence)
    const atChr1 = joins.filter(({ sequence }) => sequence === 'chr1').map(({ start }) => start)
    expect(atChr1.every((start) => near(start, 110_000))).toBe(true)
  })

  test('they are filtered by class, size and assembly, and cut with a word', async () => {
    const locus = region('REF', 'chr1', 1, 160_000)
    const list = async (limit: number, filter: object) => data.alignments.listVariants(locus, limit, filter)
    expect((await list(10, { classes: ['inversion'] })).variants.length).toBe(1)
    expect((await list(10, { minBp: 3000, classes: ['deletion', 'insertion'] })).variants.length).toBe(1)
    expect((await list(10, { carriers: ['TIG'] })).variants).toEqual([])
    expect(await list(1, {})).toMatchObject({ truncated: true, variants: [{}] })
  })

  test('the file is VCF with the assemblies as samples', async () => {
    const { path, name } = (await data.alignments.variantFile('REF'))!
    expect(name).toBe('REF.structural-variants.vcf.gz')
    const lines = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n')
    expect(lines[0]).toBe('##fileformat=VCFv4.3')
    const header = lines.find((line) => line.startsWith('#CHROM'))!
    expect(header.split('\t').slice(9)).toEqual(['RE1', 'TIG'])
    const deletion = lines.find((line) => line.includes('SVTYPE=DEL'))!.split('\t')
    expect(deletion[3]).toBe(ancestor.chr1[Number(deletion[1]) - 1])
    expect(deletion[4]).toBe('<DEL>')
    expect(deletion[9]).toMatch(/^1:ctgA\|\d+\|\d+\|\+$/)
    expect(deletion[10]).toBe('0:.')
    expect(lines.filter((line) => line.includes('SVTYPE=BND')).length).toBe(4)
  })

  test('programs get the same by the tool’s addresses', async () => {
    const ask = (path: string, input: object) => askRoute(engine, path, input, { data })
    const locus = { assembly: 'REF', sequence: 'chr1', start: '1', end: '160000' }
    expect(await ask('structural-variants/', { ...locus, class: 'inversion', carrier: 'RE1' })).toMatchObject({
      json: { variants: [{ class: 'inversion' }], truncated: false },
    })
    expect(await ask('structural-variants/', { ...locus, minBp: '5000', class: 'insertion' })).toMatchObject({
      json: { variants: [] },
    })
    expect(await ask('aligned/', locus)).toMatchObject({
      json: { assemblies: [{ assembly: 'RE1' }, { assembly: 'TIG' }] },
    })
    expect(await ask('structural-variants.vcf.gz', { assembly: 'TIG' })).toMatchObject({
      fileName: 'REF.structural-variants.vcf.gz',
    })
    await expect(ask('structural-variants/', { ...locus, assembly: 'RE1', sequence: 'ctgA' })).rejects.toMatchObject({
      problems: [{ path: ['assembly'] }],
    })
  })

  test('what each assembly has of the reference: aligned, deleted, or nothing known', async () => {
    const spans = await data.alignments.listSpans(region('REF', 'chr1', 20_001, 60_000))
    expect(spans.map(({ assembly, spans: list }) => [assembly, list.map(({ state }) => state)])).toEqual([
      ['RE1', ['aligned', 'deleted', 'aligned']],
      ['TIG', ['aligned']],
    ])
    expect(spans[1]!.spans).toEqual([{ start: 20_001, end: 60_000, state: 'aligned' }])
    const tail = await data.alignments.listSpans(region('REF', 'chr2', 72_001, 90_000))
    expect(tail[1]!.spans).toEqual([])
  })
})

test('the graph made of the alignments: each way spells what its assembly has, and what was planted is named', async () => {
  const show = (locus: string): Promise<GraphResult> =>
    runEngine(engine, { assembly: 'REF', locus }, makeEngineContext({ data }))
  let spelled = 0
  for (const locus of [
    'chr1:28001-40000',
    'chr1:48001-56000',
    'chr1:68001-78000',
    'chr1:105001-115000',
    'chr2:25001-36000',
  ]) {
    const found = await show(locus)
    expect(found.graph.id).toBe('alignments')
    expect(found.hidden).toBe(0)
    const region = readAnsweredRegion(found.region)
    for (const walk of region.walks) {
      const bases = spellSteps(region.nodes, walk.steps)!
      const own = await data.fetchSequence(walk.assembly!, walk.sequence, walk.start0 + 1, walk.start0 + bases.length)
      expect(bases === (walk.turned ? reverseComplement(own) : own), walk.name).toBe(true)
      spelled += bases.length
    }
  }
  expect(spelled).toBeGreaterThan(100_000)
  const { variants } = await show('chr1:25001-60000')
  const large = variants.filter(({ referenceBp, alternativeBp }) => Math.abs(referenceBp - alternativeBp) >= 50)
  expect(large.map(({ type, referenceBp, alternativeBp }) => [type, alternativeBp - referenceBp])).toEqual([
    ['deletion', -5900],
    ['insertion', 2000],
  ])
  // Gaps may be placed a few bases to either side where what they leave is the same.
  expect(Math.abs(large[0]!.start0 - 30_000)).toBeLessThan(10)
  expect(Math.abs(large[1]!.start0 - 50_000)).toBeLessThan(10)
})

describe('a lab’s own alignment', () => {
  const length = (sequence: string): number => rearranged.sequences[sequence]!.length
  // The first chromosome but its inversion, as it was made: 5,900 bases deleted, 2,000 inserted.
  const chain = [
    `chain 92100 chr1 160000 + 0 110000 ctgA ${length('ctgA')} + 0 106100 1`,
    '30000 5900 0',
    '14100 0 2000',
    '20000 12000 12000',
    '28000',
    '',
  ].join('\n')

  test('of UCSC’s chain format is taken in the place of minimap2’s, for the assembly it is of', async () => {
    await load(writeFolder(root, 'chain', ['REF', 'RE1', 'TIG'], 'REF', { RE1: chain }))
    const { assemblies, program } = (await data.alignments.getState('REF'))!
    expect(assemblies.map(({ id, preset, divergence }) => [id, preset, divergence === null]).sort()).toEqual([
      ['RE1', 'given', true],
      ['TIG', 'asm20', false],
    ])
    expect(program).toMatch(/^minimap2 .*; RE1: species\.yaml$/)
    expect(assemblies.find(({ id }) => id === 'RE1')!.variants).toMatchObject({ deletion: 1, insertion: 1 })
    for (const start0 of [7, 29_999, 35_900, 49_999, 50_000, 69_999, 82_000, 109_999]) {
      const { lifts } = await data.alignments.lift(region('REF', 'chr1', start0 + 1, start0 + 1), ['RE1'])
      const [sequence, other0] = rearranged.places.get(`chr1:${start0}`)!
      expect(lifts[0]!.loci[0]).toMatchObject({ sequence, start: other0 + 1, strand: '+', identity: null })
    }
    // What the chain passes over, and the chromosome that is not in it.
    expect((await data.alignments.lift(region('REF', 'chr1', 75_001, 75_100), ['RE1'])).lifts[0]!.outcome).toBe(
      'replaced',
    )
    expect((await data.alignments.lift(region('REF', 'chr2', 1001, 1100), ['RE1'])).lifts[0]!.outcome).toBe('unaligned')
  })

  test('of PAF with the sequences named in another way is that of this assembly', async () => {
    const length0 = length('ctgB')
    const paf = `ctgB\t${length0}\t0\t40000\t+\tCHR2\t90000\t0\t40000\t40000\t40000\t60\tcg:Z:40000M\n`
    await load(writeFolder(root, 'paf', ['REF', 'RE1'], 'REF', { RE1: paf }))
    const { lifts } = await data.alignments.lift(region('REF', 'chr2', 101, 200), ['RE1'])
    expect(lifts[0]!.loci[0]).toMatchObject({ sequence: 'ctgB', start: 101, end: 200 })
  })

  test('to a reference that is not loaded is told, and made anew', async () => {
    const other = chain.replace('chr1 160000', 'chr1 160001')
    const report = await load(writeFolder(root, 'other', ['REF', 'RE1'], 'REF', { RE1: other }))
    expect(report.defects.map(({ code }) => code)).toContain('alignment-other-reference')
    expect((await data.alignments.getState('REF'))!.assemblies[0]!.preset).toBe('asm20')
  })

  test.each([
    ['of another release', chain.replace(`ctgA ${length('ctgA')}`, 'ctgA 156101'), 'alignment-other-length', 1],
    [
      'the other way round',
      chain.replace('chr1 160000', 'ctgA 160000').replace('ctgA 156100', 'chr1 156100'),
      'alignment-other-assembly',
      1,
    ],
    ['cut off', chain.slice(0, -8), 'alignment-line', 4],
    ['without operations', 'ctgB\t90000\t0\t40\t+\tchr2\t90000\t0\t40\t40\t40\t60\n', 'alignment-line', 1],
    ['empty', '\n', 'alignment-empty', null],
  ])('that is %s refuses the load, by its line', async (name, text, code, line) => {
    const folder = writeFolder(root, `bad-${name.replaceAll(' ', '-')}`, ['REF', 'RE1'], 'REF', { RE1: text })
    const report = await loadTestSpecies(database, dataDir, folder, { requirements: [minimap2Program] })
    expect(report.ok).toBe(false)
    expect(report.defects).toContainEqual(expect.objectContaining({ code, line, severity: 'error' }))
  })
})

describe('when what is loaded changes', () => {
  test('another reference of the same assemblies is aligned anew', async () => {
    await load(writeFolder(root, 'turned', ['REF', 'RE1', 'TIG'], 'RE1'))
    const state = (await data.alignments.getState('REF'))!
    expect(state.reference).toBe('RE1')
    const { lifts } = await data.alignments.lift(region('RE1', 'ctgA', 1001, 2000))
    expect(lifts.map(({ assembly, through }) => [assembly, through])).toEqual([
      ['REF', null],
      ['TIG', null],
    ])
  })

  test('of a species with one assembly nothing is aligned', async () => {
    await load(writeFolder(root, 'one', ['REF']))
    expect(await data.alignments.getState('REF')).toBeNull()
  })
})
