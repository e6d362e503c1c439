import { countAlleles, type Genotypes, type VcfRecord, variantType } from '../../bio/variation/vcf.ts'
import { type Accession, groupOf } from '../../contracts/phenotypes.ts'
import { listAccessions } from '../../kit/data/accession-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { VariantSet } from '../../kit/data/variant-data.ts'
import type { ToldEffect } from '../../kit/data/variants/told-effects.ts'
import { keyOf } from '../../kit/data/variants/variant-key.ts'
import type { ShownVariant } from './tool.ts'

/** Accessions of a set with the groups in which they are counted. */
export interface Panel {
  samples: string[]
  names: (string | null)[]
  /** As the species' table of accessions tells each sample; undefined where it does not. */
  about: (Accession | undefined)[]
  /** Group of each sample, null for none. */
  groups: (string | null)[]
  populations: { name: string; indexes: number[] }[]
  groupings: string[]
  grouping: string | null
  simulated: boolean
}

/** The samples of a set as the species' accessions tell them; none is grouped where no accessions are loaded. */
export const openPanel = async (data: PortalData, set: VariantSet, grouping: string | undefined): Promise<Panel> => {
  const { species } = await data.getAssembly(set.assembly)
  const { accessions, groupings, simulated } = await listAccessions(data, species)
  const known = new Map(accessions.map((one) => [one.id, one]))
  const chosen = grouping !== undefined && groupings.includes(grouping) ? grouping : (groupings[0] ?? null)
  const groups = set.samples.map((sample) => {
    const accession = known.get(sample)
    return accession === undefined || chosen === null ? null : groupOf(accession, chosen)
  })
  const places = new Map<string, number[]>()
  for (const [index, group] of groups.entries()) {
    if (group === null) continue
    const list = places.get(group)
    if (list === undefined) places.set(group, [index])
    else list.push(index)
  }
  return {
    samples: set.samples,
    names: set.samples.map((sample) => known.get(sample)?.name ?? null),
    about: set.samples.map((sample) => known.get(sample)),
    groups,
    populations: [...places].map(([name, own]) => ({ name, indexes: own })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    groupings,
    grouping: chosen,
    simulated,
  }
}

export const showVariant = (
  record: VcfRecord,
  row: number,
  effects: readonly ToldEffect[],
  genotypes: Genotypes | null,
  panel: Panel,
  symbols: ReadonlyMap<string, string | null>,
): ShownVariant => {
  const alleleCount = record.alternates.length + 1
  const types = [...new Set(record.alternates.map((alternate) => variantType(record.reference, alternate)))]
  return {
    row,
    key: keyOf(record, row),
    ids: record.ids,
    sequence: record.sequence,
    position: record.position1,
    end: record.end1,
    reference: record.reference,
    alternates: record.alternates,
    type: types.length === 1 ? types[0]! : types.length === 0 ? 'none' : types.join('+'),
    quality: record.quality,
    filters: record.filters,
    effects: effects.map((effect) => ({ ...effect, symbol: symbols.get(effect.gene) ?? null })),
    alleles: genotypes === null ? null : countAlleles(genotypes, alleleCount),
    byPopulation:
      genotypes === null ? [] : panel.populations.map(({ indexes }) => countAlleles(genotypes, alleleCount, indexes)),
  }
}
