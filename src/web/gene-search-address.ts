import type { CriterionInput } from '../tools/genesearch/tool.ts'

/** Route of Gene search in the portal's specification. */
export const geneSearchRoute = '/tools/GeneSearch'

const address = (criterion: CriterionInput, assemblies: string[]): string =>
  `${geneSearchRoute}?${new URLSearchParams({
    ...(assemblies.length === 0 ? {} : { assemblies: assemblies.join(',') }),
    groups: `~${JSON.stringify([{ rows: [criterion] }])}`,
    run: '1',
  })}`

/** Address of the genes that have a term or one below it: `genesOfTermAddress('GO:0006012', ['R64'])`. No assemblies: all. */
export const genesOfTermAddress = (term: string, assemblies: string[] = []): string =>
  address({ kind: 'term', term }, assemblies)

/** Address of the genes that overlap a region, 1-based, inclusive, as a table that can be narrowed, saved and exported. */
export const genesInRegionAddress = (region: {
  assembly: string
  sequence: string
  start: number
  end: number
}): string =>
  address({ kind: 'location', region: `${region.sequence}:${region.start}..${region.end}` }, [region.assembly])
