import { type Moments, welchTest } from '../../../bio/expression/cell-statistics.ts'
import { describeGroup } from '../../../bio/expression/expression-statistics.ts'
import { lettersOf } from '../../../bio/statistics/compact-letters.ts'
import { studentTwoSided } from '../../../bio/statistics/distributions.ts'
import { takeEvenly } from '../../../bio/statistics/even-samples.ts'
import { exactTable } from '../../../bio/statistics/exact-table.ts'
import {
  analyseVariance,
  compareWithin,
  kruskalWallis,
  testTable,
  welchVariance,
} from '../../../bio/statistics/group-tests.ts'
import { adjustByBenjaminiHochberg } from '../../../bio/statistics/multiple-testing.ts'
import { rankSumGreater } from '../../../bio/statistics/set-tests.ts'
import { compareGravity } from '../../../bio/variation/consequences.ts'
import { groupHaplotypes, type HaplotypeGrouping } from '../../../bio/variation/haplotypes.ts'
import { findBlocks, type PackedSite, packSite } from '../../../bio/variation/linkage-blocks.ts'
import { missingAllele } from '../../../bio/variation/vcf.ts'
import { fieldError } from '../../../contracts/errors.ts'
import { readTrait } from '../../../kit/data/phenotype-data.ts'
import type { CatalogueGene, PortalData } from '../../../kit/data/portal-data.ts'
import { effectsOf } from '../../../kit/data/variant-data.ts'
import type { OpenSet } from '../../../kit/data/variants/open-set.ts'
import { createEffectTeller, type EffectTeller } from '../../../kit/data/variants/told-effects.ts'
import { keyOf } from '../../../kit/data/variants/variant-key.ts'
import { openPanel } from '../describe.ts'
import {
  type Filters,
  type FoundRecord,
  listRows,
  type Place,
  type Places,
  rangesOf,
  readModels,
  readRecords,
  rowFilterOf,
} from '../find-variants.ts'
import {
  type blockChoices,
  type HaplotypesResult,
  type haplotypeTests,
  limits,
  type Site,
  type siteKinds,
} from '../tool.ts'

/** Effects that change the protein, its length or its splicing. */
const changing = new Set([
  ...['splice_acceptor', 'splice_donor', 'stop_gained', 'frameshift', 'stop_lost', 'start_lost'],
  ...['inframe_insertion', 'inframe_deletion', 'inframe_altering', 'missense'],
])
const coding = new Set([...changing, 'synonymous', 'stop_retained', 'start_retained', 'coding_sequence'])

/** Sites of a haplotype in which more than this share of accessions is not called are left out, unless the question says otherwise. */
const usualMissing = 0.2

/** Variants from which blocks are told have at least this MAF, as plink's `--blocks-min-maf` is by default. */
const commonFrequency = 0.05

/** Pairs differ when their adjusted p-value is below this: what the letters say. */
const significance = 0.05

/** Of a pair's exact test, of which there may be many; beyond, chi-square. */
const maxPairTables = 10_000

export interface SiteChoice extends Filters {
  sites: (typeof siteKinds)[number]
}

interface HaplotypeInput extends SiteChoice {
  blocks: (typeof blockChoices)[number]
  trait?: string | undefined
  test: (typeof haplotypeTests)[number]
  minCount: number
}

/** A record as a site, by its gravest effect: on the gene, and of these alleles, where either is given. */
export const showSite = async (
  { row, record }: FoundRecord,
  gene: string | null,
  tell: EffectTeller,
  alleles: readonly number[] | null = null,
): Promise<Site> => {
  // One effect as a whole: transcripts differ in what a variant does to them, and its alleles do.
  const [gravest] = (await tell(record))
    .filter((effect) => gene === null || effect.gene === gene)
    .filter(({ allele }) => alleles === null || allele === null || alleles.includes(allele))
    .sort(compareGravity)
  const consequences = gravest?.consequences ?? ['intergenic']
  return {
    row,
    key: keyOf(record, row),
    position: record.position1,
    reference: record.reference,
    alternates: record.alternates,
    consequence: consequences[0]!,
    consequences,
    aminoAcids: gravest?.aminoAcids ?? null,
    proteinChange: gravest?.proteinChange ?? null,
    gene: gravest?.gene ?? null,
  }
}

const describe = (values: readonly number[]) => {
  const { count, mean, deviation, median, ...box } = describeGroup(values)!
  const { lowerWhisker, lowerQuartile, upperQuartile, upperWhisker } = box
  return { n: count, mean, deviation, median, lowerWhisker, lowerQuartile, upperQuartile, upperWhisker }
}

const momentsOf = (values: readonly number[]): Moments => {
  const { mean, deviation } = describeGroup(values)!
  return { mean, variance: (deviation ?? 0) ** 2, fraction: 1 }
}

/**
 * Two groups: ranks without a distribution, or Student's t with the variance of both or Welch's, as the test of all groups assumes. Null
 * where neither group varies, of which t has no value.
 */
const comparePair = (a: readonly number[], b: readonly number[], method: HaplotypeInput['test']): number | null => {
  if (method === 'kruskal') return Math.min(1, 2 * Math.min(rankSumGreater(a, b).pValue, rankSumGreater(b, a).pValue))
  const [first, second] = [momentsOf(a), momentsOf(b)]
  if (method === 'welch') return welchTest(first, a.length, second, b.length)?.pValue ?? null
  const degrees = a.length + b.length - 2
  const within = (first.variance * (a.length - 1) + second.variance * (b.length - 1)) / degrees
  if (!(within > 0)) return null
  return studentTwoSided((first.mean - second.mean) / Math.sqrt(within * (1 / a.length + 1 / b.length)), degrees)
}

export const nameOf = (rank: number): string => `H${rank + 1}`

/** Which alleles are among the called genotypes, up to two of them, and how many samples are not called whole. */
const lookOver = (
  { ploidy, alleles }: NonNullable<FoundRecord['genotypes']>,
  samples: number,
): { varies: boolean; missing: number } => {
  // Most sites have every copy called.
  const copies = samples * ploidy
  let called = 0
  let differing = 0
  for (; called < copies && alleles[called]! >= 0; called += 1) if (alleles[called] !== alleles[0]) differing += 1
  if (called === copies) return { varies: differing > 0, missing: 0 }
  let missing = 0
  let seen = missingAllele
  let varies = false
  for (let sample = 0; sample < samples; sample += 1) {
    const to = (sample + 1) * ploidy
    let hasGap = false
    for (let at = sample * ploidy; at < to; at += 1) if (alleles[at] === missingAllele) hasGap = true
    if (hasGap) {
      missing += 1
      continue
    }
    if (varies) continue
    for (let at = sample * ploidy; at < to; at += 1) {
      const allele = alleles[at]!
      if (allele < 0) continue
      if (seen === missingAllele) seen = allele
      else if (allele !== seen) varies = true
    }
  }
  return { varies, missing }
}

/** Haplotypes of a place, before anything is said of them. */
export interface ReadHaplotypes {
  gene: CatalogueGene | undefined
  locus: Place
  /** Sites that haplotypes are made of. */
  kept: FoundRecord[]
  siteCount: number
  dropped: { missing: number; invariant: number; beyond: number }
  /** Nothing in it where no site is left. */
  grouping: HaplotypeGrouping
  /** Common variants for blocks, in their order, and how many there are; none where blocks are not asked for. */
  common: { sites: PackedSite[]; of: number }
}

/**
 * Reads the haplotypes of the one gene or region of a question. Rejects where there are no genotypes, where no place or several genes are
 * asked for, and beyond `limits.scanned` variants.
 */
export const readHaplotypes = async (
  input: SiteChoice,
  open: OpenSet,
  found: Places,
  signal: AbortSignal,
  wantsBlocks = false,
): Promise<ReadHaplotypes> => {
  const { set } = open
  if (!set.hasGenotypes) throw fieldError(['set'], 'problem.noGenotypes', { set: set.id })
  const gene = found.genes[0]
  const locus = found.loci?.[0]
  if (found.genes.length > 1) {
    const [first, ...others] = found.genes
    const isNear = others.every(({ sequence }) => sequence === first!.sequence)
    throw fieldError(['genes'], isNear ? 'problem.severalNear' : 'problem.several', {
      genes: found.genes.length,
      first: first!.symbol ?? first!.id,
      region: `${first!.sequence}:${Math.min(...found.genes.map(({ start }) => start))}..${Math.max(...found.genes.map(({ end }) => end))}`,
    })
  }
  if (locus === undefined) throw fieldError(['genes'], 'problem.oneGene')
  const filter = { ...rowFilterOf(input), maxMissing: 1 }
  const ranges = await rangesOf([locus], open)
  const rows = await listRows(open, ranges, filter, signal)
  if (rows.length > limits.scanned)
    throw fieldError([gene === undefined ? 'region' : 'genes'], 'problem.tooManySites', {
      count: rows.length,
      limit: limits.scanned,
    })
  // Copies of more than two sets of chromosomes without phase tell no haplotypes of two sites.
  const commonRows =
    wantsBlocks && set.ploidy <= 2
      ? await listRows(
          open,
          ranges,
          { ...filter, minFrequency: Math.max(filter.minFrequency, commonFrequency) },
          signal,
        )
      : new Uint32Array()
  const forBlocks = new Set(takeEvenly(commonRows, limits.blockSites))
  const wanted = gene === undefined ? 'all' : input.sites
  const kinds = wanted === 'changing' ? changing : coding
  const kept: FoundRecord[] = []
  const packed: PackedSite[] = []
  const dropped = { missing: 0, invariant: 0, beyond: 0 }
  const maxMissingShare = input.maxMissing < 1 ? input.maxMissing : usualMissing
  let siteCount = 0
  for await (const one of readRecords(open, rows, signal)) {
    if (one.genotypes === null) continue
    if (forBlocks.has(one.row)) packed.push(packSite(one.record.position1, one.genotypes))
    if (wanted !== 'all') {
      const own = effectsOf(one.record).filter((effect) => effect.gene === gene!.id)
      if (!own.some(({ consequences }) => consequences.some((name) => kinds.has(name)))) continue
    }
    siteCount += 1
    const { varies, missing } = lookOver(one.genotypes, set.samples.length)
    if (!varies) dropped.invariant += 1
    else if (missing > maxMissingShare * set.samples.length) dropped.missing += 1
    else if (kept.length >= limits.haplotypeSites) dropped.beyond += 1
    // The columns of the samples are read: kept, they would take the memory that the genotypes do.
    else kept.push({ ...one, record: { ...one.record, samples: '' } })
  }
  const grouping =
    kept.length === 0
      ? { haplotypes: [], assigned: [] }
      : groupHaplotypes(
          kept.map(({ genotypes }) => genotypes!),
          set.samples.length,
        )
  return { gene, locus, kept, siteCount, dropped, grouping, common: { sites: packed, of: commonRows.length } }
}

type Grouped = { haplotype: number; values: number[]; levels: string[] }

interface TestedPair {
  /** Of two groups. */
  places: readonly [number, number]
  difference: number | null
  pValue: number
}

/** Tests of a trait over haplotypes; pairs of which a test has no value are left out. */
export const testTrait = (
  groups: readonly Grouped[],
  levels: readonly string[] | null,
  method: HaplotypeInput['test'],
): Pick<NonNullable<HaplotypesResult['phenotype']>, 'method' | 'groups' | 'test' | 'exactPValue' | 'pairs'> => {
  const counts = groups.map(({ levels: own }) =>
    (levels ?? []).map((level) => own.filter((one) => one === level).length),
  )
  const figures = levels === null ? groups.map(({ values }) => describe(values)) : null
  const pairs = groups.flatMap((a, at) =>
    groups.slice(at + 1).flatMap((b, behind): TestedPair[] => {
      const other = at + 1 + behind
      const places = [at, other] as const
      if (figures === null) {
        const own = [counts[at]!, counts[other]!]
        return [{ places, difference: null, pValue: exactTable(own, maxPairTables) ?? testTable(own)?.pValue ?? 1 }]
      }
      const pValue = comparePair(a.values, b.values, method)
      return pValue === null ? [] : [{ places, difference: figures[other]!.mean - figures[at]!.mean, pValue }]
    }),
  )
  const adjusted = adjustByBenjaminiHochberg(pairs.map(({ pValue }) => pValue))
  // Letters begin at the highest mean; of levels, at the commonest haplotype.
  const order = groups.map((_, at) => at)
  if (figures !== null) order.sort((a, b) => figures[b]!.mean - figures[a]!.mean)
  const letters = lettersOf(
    groups.length,
    pairs.flatMap(({ places: [a, b] }, at) =>
      adjusted[at]! < significance ? [[order.indexOf(a), order.indexOf(b)] as const] : [],
    ),
  )
  const all = groups.map(({ values }) => values)
  const tests = { kruskal: kruskalWallis, anova: analyseVariance, welch: welchVariance }
  const { fewExpected: _, ...table } = testTable(counts) ?? { fewExpected: 0 }
  return {
    method: levels === null ? method : 'table',
    groups: groups.map(({ haplotype }, at) => ({
      haplotype,
      figures: figures?.[at] ?? null,
      levelCounts: levels === null ? null : counts[at]!,
      letters: groups.length < 2 ? '' : letters[order.indexOf(at)]!,
    })),
    test: groups.length < 2 ? null : levels === null ? tests[method](all) : 'pValue' in table ? table : null,
    exactPValue: levels === null ? null : exactTable(counts),
    pairs: pairs.map(({ places: [a, b], difference, pValue }, at) => ({
      a: groups[a]!.haplotype,
      b: groups[b]!.haplotype,
      difference,
      pValue,
      adjustedPValue: adjusted[at]!,
    })),
  }
}

export const findHaplotypes = async (
  input: HaplotypeInput,
  open: OpenSet,
  found: Places,
  data: PortalData,
  signal: AbortSignal,
): Promise<HaplotypesResult> => {
  const { set } = open
  const read = await readHaplotypes(input, open, found, signal, input.blocks !== 'none')
  const { gene, locus, kept, siteCount, dropped, common } = read
  const { haplotypes, assigned } = read.grouping
  const panel = await openPanel(data, set, input.grouping)
  const tell = createEffectTeller(data, set.assembly)
  const sites: Site[] = []
  for (const one of kept) sites.push(await showSite(one, gene?.id ?? null, tell))
  const shown = haplotypes.slice(0, limits.haplotypes)
  const populationOf = new Int32Array(set.samples.length).fill(-1)
  for (const [place, { indexes }] of panel.populations.entries()) for (const at of indexes) populationOf[at] = place
  const byPopulation = shown.map(() => panel.populations.map(() => 0))
  for (const [sample, { haplotypes: own }] of assigned.entries())
    for (const rank of own)
      if (rank < shown.length && populationOf[sample]! >= 0) byPopulation[rank]![populationOf[sample]!]! += 1
  const structure = testTable(
    shown.map(({ accessions }) =>
      panel.populations.map((_, place) => accessions.filter((sample) => populationOf[sample] === place).length),
    ),
  )
  const phenotype =
    input.trait === undefined || input.trait === '' ? null : await openTrait(input.trait, set.assembly, data)
  const values = new Map(phenotype?.data.values.map((one) => [one.accession, one]) ?? [])
  const ofSample = (sample: number) => values.get(set.samples[sample]!)
  // Levels in an order are numbers, compared as such; those without are counted.
  const type = phenotype?.data.trait.type
  const levels = type === 'categorical' || type === 'binary' ? phenotype!.data.trait.levels : null
  const groups = shown.flatMap(({ accessions }, haplotype) => {
    const own = accessions.flatMap((sample) => ofSample(sample) ?? [])
    const group = {
      haplotype,
      values: own.flatMap(({ value }) => value ?? []),
      levels: own.flatMap(({ level }) => level ?? []),
    }
    return (levels === null ? group.values : group.levels).length >= input.minCount ? [group] : []
  })
  const placed =
    levels !== null
      ? []
      : groups.flatMap(({ haplotype }) =>
          shown[haplotype]!.accessions.flatMap((sample) => {
            const value = ofSample(sample)?.value ?? null
            return value === null || populationOf[sample]! < 0
              ? []
              : [{ value, group: haplotype, stratum: populationOf[sample]! }]
          }),
        )
  const within = placed.length === 0 ? null : compareWithin(placed)
  return {
    gene: gene?.id ?? '',
    symbol: gene?.symbol ?? null,
    locus: { sequence: locus.sequence, start: locus.start1, end: locus.end1 },
    models: await readModels(data, set.assembly, locus),
    sites,
    siteCount,
    dropped,
    haplotypes: shown.map(({ alleles, copies, accessions }, rank) => ({
      name: nameOf(rank),
      alleles: [...alleles],
      copies,
      accessions: accessions.map((sample) => set.samples[sample]!),
      byPopulation: byPopulation[rank]!,
    })),
    haplotypeCount: haplotypes.length,
    grouping: panel.grouping,
    structure,
    blocks:
      input.blocks === 'none' || set.ploidy > 2
        ? null
        : {
            rule: input.blocks,
            sites: common.sites.length,
            of: common.of,
            blocks: findBlocks(common.sites, input.blocks).map(({ first, last }) => ({
              start: common.sites[first]!.position1,
              end: common.sites[last]!.position1,
              sites: last - first + 1,
            })),
          },
    populations: panel.populations.map(({ name, indexes }) => ({ name, samples: indexes.length })),
    simulatedAccessions: panel.simulated,
    accessions: assigned.map(({ haplotypes: own, state }, sample) => ({
      id: set.samples[sample]!,
      population: panel.groups[sample]!,
      haplotypes: own,
      state,
      value: ofSample(sample)?.value ?? null,
      level: ofSample(sample)?.level ?? null,
      name: panel.names[sample]!,
      country: panel.about[sample]?.country ?? null,
      latitude: panel.about[sample]?.latitude ?? null,
      longitude: panel.about[sample]?.longitude ?? null,
    })),
    phenotype:
      phenotype === null
        ? null
        : {
            set: phenotype.set,
            trait: phenotype.trait,
            name: phenotype.data.trait.name,
            unit: phenotype.data.trait.unit,
            simulated: phenotype.data.set.simulated,
            levels,
            ...testTrait(groups, levels, input.test),
            within:
              within === null
                ? null
                : {
                    ...within,
                    accessions: placed.length,
                    populations: new Set(placed.map(({ stratum }) => stratum)).size,
                  },
          },
  }
}

/** A trait by its `set|trait`. */
export const openTrait = async (text: string, assembly: string, data: PortalData) => {
  const [set = '', trait = ''] = text.split('|')
  const { species } = await data.getAssembly(assembly)
  return { set, trait, data: await readTrait(data, species, set, trait) }
}
