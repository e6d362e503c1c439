import { takeEvenly } from '../../../bio/statistics/even-samples.ts'
import { linkageOf } from '../../../bio/variation/linkage-phase.ts'
import { countAlleles, type Genotypes } from '../../../bio/variation/vcf.ts'
import { fieldError } from '../../../contracts/errors.ts'
import type { PortalData } from '../../../kit/data/portal-data.ts'
import type { OpenSet } from '../../../kit/data/variants/open-set.ts'
import { createEffectTeller } from '../../../kit/data/variants/told-effects.ts'
import { type Filters, listRows, type Places, rangesOf, readRecords, rowFilterOf } from '../find-variants.ts'
import type { LdResult, Site } from '../tool.ts'
import { showSite } from './haplotype-task.ts'

/** Rarer alleles than this say little of linkage; taken where the question has no bound of its own. */
const usualMinor = 0.05

export const findLinkage = async (
  input: Filters & { ldSites: number },
  open: OpenSet,
  found: Places,
  data: PortalData,
  signal: AbortSignal,
): Promise<LdResult> => {
  const { set } = open
  if (!set.hasGenotypes) throw fieldError(['set'], 'problem.noGenotypes', { set: set.id })
  if (found.loci === null) throw fieldError(['region'], 'problem.locusNeeded')
  const filter = rowFilterOf(input)
  if (filter.minFrequency === 0) filter.minFrequency = usualMinor
  const rows = await listRows(open, await rangesOf(found.loci, open), filter, signal)
  const tell = createEffectTeller(data, set.assembly)
  const sites: (Site & { frequency: number })[] = []
  const genotypes: Genotypes[] = []
  for await (const one of readRecords(open, takeEvenly(rows, input.ldSites), signal)) {
    if (one.genotypes === null) continue
    const { counts, called } = countAlleles(one.genotypes, one.record.alternates.length + 1)
    sites.push({ ...(await showSite(one, null, tell)), frequency: called === 0 ? 0 : 1 - counts[0]! / called })
    genotypes.push(one.genotypes)
  }
  const r2: (number | null)[] = []
  const dPrime: (number | null)[] = []
  for (let a = 0; a < genotypes.length; a += 1) {
    signal.throwIfAborted()
    for (let b = a + 1; b < genotypes.length; b += 1) {
      const linkage = linkageOf(genotypes[a]!, genotypes[b]!)
      r2.push(linkage.r2)
      dPrime.push(linkage.dPrime)
    }
  }
  const named = await data.getGenes(set.assembly, [...new Set(sites.flatMap(({ gene }) => gene ?? []))])
  const symbolOf = new Map(named.map(({ id, symbol }) => [id, symbol]))
  const max = Math.max(0, ...genotypes.map(({ ploidy }) => ploidy))
  return {
    loci: found.loci.map(({ sequence, start1, end1 }) => ({ sequence, start: start1, end: end1 })),
    sites: sites.map((site) => ({ ...site, symbol: symbolOf.get(site.gene ?? '') ?? null })),
    r2,
    dPrime,
    total: rows.length,
    phase: max === 1 ? 'haploid' : set.phased === 'all' ? 'phased' : max === 2 ? 'estimated' : 'none',
  }
}
