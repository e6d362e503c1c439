import { describeGroup } from '../../../bio/expression/expression-statistics.ts'
import { studentTwoSided } from '../../../bio/statistics/distributions.ts'
import { analyseVariance, kruskalWallis } from '../../../bio/statistics/group-tests.ts'
import { adjustByBenjaminiHochberg } from '../../../bio/statistics/multiple-testing.ts'
import { rankSumGreater } from '../../../bio/statistics/set-tests.ts'
import { compareGravity } from '../../../bio/variation/consequences.ts'
import { groupHaplotypes } from '../../../bio/variation/haplotypes.ts'
import { type Genotypes, missingAllele } from '../../../bio/variation/vcf.ts'
import { fieldError } from '../../../contracts/errors.ts'
import { readTrait } from '../../../kit/data/phenotype-data.ts'
import type { PortalData } from '../../../kit/data/portal-data.ts'
import { effectsOf } from '../../../kit/data/variant-data.ts'
import { keyOf, openPanel } from '../describe.ts'
import {
  type Filters,
  type FoundRecord,
  listRows,
  type Places,
  rangesOf,
  readModels,
  readRecords,
  rowFilterOf,
} from '../find-variants.ts'
import type { OpenSet } from '../open-set.ts'
import { createEffectTeller, type EffectTeller } from '../told-effects.ts'
import { type HaplotypesResult, limits, type Site, type siteKinds } from '../tool.ts'

/** Effects that change the protein, its length or its splicing. */
const changing = new Set([
  ...['splice_acceptor', 'splice_donor', 'stop_gained', 'frameshift', 'stop_lost', 'start_lost'],
  ...['inframe_insertion', 'inframe_deletion', 'inframe_altering', 'missense'],
])
const coding = new Set([...changing, 'synonymous', 'stop_retained', 'start_retained', 'coding_sequence'])

/** Sites of a haplotype in which more than this share of accessions is not called are left out, unless the question says otherwise. */
const usualMissing = 0.2

interface HaplotypeInput extends Filters {
  sites: (typeof siteKinds)[number]
  trait?: string | undefined
  test: 'kruskal' | 'anova'
  minCount: number
}

export const showSite = async (
  { row, record }: FoundRecord,
  gene: string | null,
  tell: EffectTeller,
): Promise<Site> => {
  // One effect as a whole: transcripts differ in what a variant does to them, and its alleles do.
  const [gravest] = (await tell(record)).filter((effect) => gene === null || effect.gene === gene).sort(compareGravity)
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
  }
}

const describe = (values: readonly number[]): { n: number; mean: number; deviation: number | null; median: number } => {
  const { count, mean, deviation, median } = describeGroup(values)!
  return { n: count, mean, deviation, median }
}

/** Two groups: ranks without a distribution, or Student's t with the variance of both, as the test of all groups assumes. */
const comparePair = (a: readonly number[], b: readonly number[], method: 'kruskal' | 'anova'): number => {
  if (method === 'kruskal') return Math.min(1, 2 * Math.min(rankSumGreater(a, b).pValue, rankSumGreater(b, a).pValue))
  const [first, second] = [describe(a), describe(b)]
  const degrees = a.length + b.length - 2
  const within =
    ((first.deviation ?? 0) ** 2 * (a.length - 1) + (second.deviation ?? 0) ** 2 * (b.length - 1)) / degrees
  if (!(within > 0)) return first.mean === second.mean ? 1 : 0
  return studentTwoSided((first.mean - second.mean) / Math.sqrt(within * (1 / a.length + 1 / b.length)), degrees)
}

const nameOf = (rank: number): string => `H${rank + 1}`

export const findHaplotypes = async (
  input: HaplotypeInput,
  open: OpenSet,
  found: Places,
  data: PortalData,
  signal: AbortSignal,
): Promise<HaplotypesResult> => {
  const { set } = open
  if (!set.hasGenotypes) throw fieldError(['set'], 'problem.noGenotypes', { set: set.id })
  const gene = found.genes[0]
  const locus = found.loci?.[0]
  if (locus === undefined || found.genes.length > 1) throw fieldError(['genes'], 'problem.oneGene')
  const panel = await openPanel(data, set, input.grouping)
  const filter = { ...rowFilterOf(input), maxMissing: 1 }
  const rows = await listRows(open, await rangesOf([locus], open), filter, signal)
  if (rows.length > limits.scanned)
    throw fieldError([gene === undefined ? 'region' : 'genes'], 'problem.tooManySites', {
      count: rows.length,
      limit: limits.scanned,
    })
  const wanted = gene === undefined ? 'all' : input.sites
  const tell = createEffectTeller(data, set.assembly)
  const kept: { site: Site; genotypes: Genotypes }[] = []
  const dropped = { missing: 0, invariant: 0, beyond: 0 }
  const maxMissingShare = input.maxMissing < 1 ? input.maxMissing : usualMissing
  let siteCount = 0
  for await (const one of readRecords(open, rows, signal)) {
    if (one.genotypes === null) continue
    if (wanted !== 'all') {
      const kinds = wanted === 'changing' ? changing : coding
      const own = effectsOf(one.record).filter((effect) => effect.gene === gene!.id)
      if (!own.some(({ consequences }) => consequences.some((name) => kinds.has(name)))) continue
    }
    siteCount += 1
    const { ploidy, alleles } = one.genotypes
    let missing = 0
    const seen = new Set<number>()
    for (let sample = 0; sample < set.samples.length; sample += 1) {
      const own = alleles.subarray(sample * ploidy, (sample + 1) * ploidy)
      if (own.includes(missingAllele)) missing += 1
      else for (const allele of own) if (allele >= 0) seen.add(allele)
    }
    if (seen.size < 2) dropped.invariant += 1
    else if (missing > maxMissingShare * set.samples.length) dropped.missing += 1
    else if (kept.length >= limits.haplotypeSites) dropped.beyond += 1
    else kept.push({ site: await showSite(one, gene?.id ?? null, tell), genotypes: one.genotypes })
  }
  const samples = set.samples.map((_, at) => at)
  const { haplotypes, assigned } = groupHaplotypes(
    kept.map(({ genotypes }) => genotypes),
    samples,
  )
  const isAbsent = kept.length === 0
  const phenotype =
    input.trait === undefined || input.trait === '' ? null : await openTrait(input.trait, set.assembly, data)
  const values = new Map(phenotype?.data.values.map(({ accession, value }) => [accession, value]) ?? [])
  const traitValue = (sample: number): number | null => values.get(set.samples[sample]!) ?? null
  const groups =
    phenotype === null || isAbsent
      ? []
      : haplotypes.flatMap(({ accessions }, haplotype) => {
          const own = accessions.flatMap((sample) => traitValue(sample) ?? [])
          return own.length >= input.minCount ? [{ haplotype, values: own }] : []
        })
  const pairs = groups.flatMap((a, at) =>
    groups.slice(at + 1).map((b) => ({
      a: a.haplotype,
      b: b.haplotype,
      difference: describe(b.values).mean - describe(a.values).mean,
      pValue: comparePair(a.values, b.values, input.test),
    })),
  )
  const adjusted = adjustByBenjaminiHochberg(pairs.map(({ pValue }) => pValue))
  const all = groups.map((group) => group.values)
  return {
    gene: gene?.id ?? '',
    symbol: gene?.symbol ?? null,
    locus: { sequence: locus.sequence, start: locus.start1, end: locus.end1 },
    models: await readModels(data, set.assembly, locus),
    sites: kept.map(({ site }) => site),
    siteCount,
    dropped,
    haplotypes: isAbsent
      ? []
      : haplotypes.map(({ alleles, copies, accessions }, rank) => ({
          name: nameOf(rank),
          alleles,
          copies,
          accessions: accessions.map((sample) => set.samples[sample]!),
          byPopulation: panel.populations.map(({ indexes }) =>
            indexes.reduce((sum, sample) => sum + assigned[sample]!.haplotypes.filter((one) => one === rank).length, 0),
          ),
        })),
    populations: panel.populations.map(({ name, indexes }) => ({ name, samples: indexes.length })),
    accessions: isAbsent
      ? []
      : assigned.map(({ haplotypes: own, state }, sample) => ({
          id: set.samples[sample]!,
          population: panel.groups[sample]!,
          haplotypes: own,
          state,
          value: traitValue(sample),
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
            method: input.test,
            groups: groups.map(({ haplotype, values: own }) => ({ haplotype, figures: describe(own) })),
            test: groups.length < 2 ? null : input.test === 'kruskal' ? kruskalWallis(all) : analyseVariance(all),
            pairs: pairs.map((pair, at) => ({ ...pair, adjustedPValue: adjusted[at]! })),
          },
  }
}

const openTrait = async (text: string, assembly: string, data: PortalData) => {
  const [set = '', trait = ''] = text.split('|')
  const { species } = await data.getAssembly(assembly)
  return { set, trait, data: await readTrait(data, species, set, trait) }
}
