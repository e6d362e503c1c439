import { type Carriage, carriageOf, carriesSet, mergeCarriages } from '../../../bio/variation/carriers.ts'
import { type Genotypes, type VcfRecord, writeGenotype } from '../../../bio/variation/vcf.ts'
import { fieldError } from '../../../contracts/errors.ts'
import { groupOf } from '../../../contracts/phenotypes.ts'
import type { PortalData } from '../../../kit/data/portal-data.ts'
import type { OpenSet } from '../../../kit/data/variants/open-set.ts'
import { createEffectTeller } from '../../../kit/data/variants/told-effects.ts'
import { openPanel } from '../describe.ts'
import { type FoundRecord, type Places, readRecords, symbolsOf } from '../find-variants.ts'
import type { AccessionsResult, matches } from '../tool.ts'
import { openTrait, showSite } from './haplotype-task.ts'

/** Letters of an allele that a genotype has; the whole stands with the variant. */
const shownLetters = 20

const genotypeText = ({ reference, alternates }: VcfRecord, genotypes: Genotypes, sample: number): string =>
  writeGenotype(genotypes, sample, (allele) => ([reference, ...alternates][allele] ?? '.').slice(0, shownLetters))

type Counts = AccessionsResult['counts']
type GroupCounts = AccessionsResult['groupings'][number]['groups'][number]

const count = (counts: Counts, carries: boolean | null): void => {
  counts.accessions += 1
  if (carries === true) counts.carriers += 1
  else if (carries === null) counts.undetermined += 1
}

/** Groups in the order in which they were met, or in that of `levels`; those that have nothing last. */
const countGroups = (
  values: readonly (string | null)[],
  carrying: readonly (boolean | null)[],
  levels: readonly string[] = [],
): GroupCounts[] => {
  const groups = new Map<string | null, GroupCounts>()
  const groupAt = (value: string | null): GroupCounts => {
    const known = groups.get(value)
    if (known !== undefined) return known
    const made = { value, carriers: 0, undetermined: 0, accessions: 0 }
    groups.set(value, made)
    return made
  }
  for (const level of levels) groupAt(level)
  for (const [sample, value] of values.entries()) count(groupAt(value), carrying[sample]!)
  return [...groups.values()].sort((a, b) => Number(a.value === null) - Number(b.value === null))
}

/** The accessions that carry variants of a list, all of them or any, with what is known of each and how groups of them share in it. */
export const listAccessionsWith = async (
  { match, trait }: { match: (typeof matches)[number]; trait?: string | undefined },
  open: OpenSet,
  found: Places,
  data: PortalData,
  signal: AbortSignal,
): Promise<AccessionsResult> => {
  const { set } = open
  if (!set.hasGenotypes) throw fieldError(['set'], 'problem.noGenotypes', { set: set.id })
  if (found.unknown.length > 0)
    throw fieldError(['variants'], 'problem.unknownVariants', {
      names: found.unknown.join(', '),
      count: found.unknown.length,
    })
  const phenotype = trait === undefined || trait === '' ? null : await openTrait(trait, set.assembly, data)
  const panel = await openPanel(data, set, undefined)
  const rows = new Set(found.named.flatMap(({ records }) => records.map(({ row }) => row)))
  const read = new Map<number, FoundRecord>()
  for await (const one of readRecords(
    open,
    [...rows].sort((a, b) => a - b),
    signal,
  ))
    read.set(one.row, one)
  const tell = createEffectTeller(data, set.assembly)
  const variants: AccessionsResult['variants'] = []
  const genotypes: AccessionsResult['accessions'][number]['genotypes'][] = set.samples.map(() => [])
  for (const { asked, records } of found.named) {
    const own = records.flatMap(({ row, alleles }) => {
      const one = read.get(row)
      return one === undefined ? [] : [{ one, alleles }]
    })
    const sites: AccessionsResult['variants'][number]['sites'] = []
    for (const { one, alleles } of own)
      sites.push({
        ...(await showSite(one, null, tell, alleles)),
        sequence: one.record.sequence,
        symbol: null,
        counted: alleles,
      })
    const carriages: Record<Carriage, number> = { every: 0, some: 0, none: 0, missing: 0 }
    for (const sample of set.samples.keys()) {
      const carriage = mergeCarriages(
        own.map(({ one, alleles }) =>
          one.genotypes === null ? 'missing' : carriageOf(one.genotypes, sample, alleles),
        ),
      )
      carriages[carriage] += 1
      const text = own
        .map(({ one }) => (one.genotypes === null ? '.' : genotypeText(one.record, one.genotypes, sample)))
        .join('; ')
      genotypes[sample]!.push({ text, carriage })
    }
    variants.push({ asked, sites, carriages })
  }
  const symbols = await symbolsOf(
    data,
    set.assembly,
    variants.flatMap(({ sites }) => sites.flatMap(({ gene }) => gene ?? [])),
  )
  for (const { sites } of variants) for (const site of sites) site.symbol = symbols.get(site.gene ?? '') ?? null
  const carrying = genotypes.map((own) =>
    carriesSet(
      own.map(({ carriage }) => carriage),
      match,
    ),
  )
  const counts: Counts = { carriers: 0, undetermined: 0, accessions: 0 }
  for (const carries of carrying) count(counts, carries)
  const values = new Map(phenotype?.data.values.map((one) => [one.accession, one]) ?? [])
  const known = new Set(panel.about.flatMap((one) => Object.keys(one?.attributes ?? {})))
  const levels = phenotype?.data.trait.levels ?? null
  return {
    match,
    variants,
    counts,
    groupings: [
      ...(levels === null
        ? []
        : [
            {
              column: null,
              groups: countGroups(
                set.samples.map((sample) => values.get(sample)?.level ?? null),
                carrying,
                levels,
              ),
            },
          ]),
      ...panel.groupings.map((column) => ({
        column,
        groups: countGroups(
          panel.about.map((one) => (one === undefined ? null : groupOf(one, column))),
          carrying,
        ),
      })),
    ],
    attributes: [
      ...panel.groupings.filter((column) => known.has(column)),
      ...[...known].filter((column) => !panel.groupings.includes(column)),
    ],
    simulatedAccessions: panel.simulated,
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
          },
    accessions: set.samples.flatMap((id, sample) => {
      if (carrying[sample] !== true) return []
      const about = panel.about[sample]
      return [
        {
          id,
          name: panel.names[sample]!,
          population: about?.population ?? null,
          country: about?.country ?? null,
          latitude: about?.latitude ?? null,
          longitude: about?.longitude ?? null,
          attributes: about?.attributes ?? {},
          value: values.get(id)?.value ?? null,
          level: values.get(id)?.level ?? null,
          genotypes: genotypes[sample]!,
        },
      ]
    }),
  }
}
