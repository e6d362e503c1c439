import { proteinFeatureData } from '../../kit/data/feature-data.ts'
import { listProteinFeatures, type ProteinFeature } from '../../kit/data/protein-features.ts'
import { columnText, defineGeneColumns } from '../../kit/gene-columns.ts'
import messages from './messages.ts'

/** Domains, signal peptides and transmembrane segments of each gene's proteins. */
export default defineGeneColumns(async ({ data, assembly, genes }) => {
  if (((await data.getAssembly(assembly)).dataTypes[proteinFeatureData] ?? 0) === 0) return { columns: [] }
  const found = await listProteinFeatures(
    data,
    assembly,
    genes.map(({ id }) => id),
  )
  const of = (gene: string, kind: ProteinFeature['kind']): ProteinFeature[] =>
    (found.get(gene) ?? []).filter((feature) => feature.kind === kind)
  const namesOf = (gene: string): string | null => {
    const names = of(gene, 'domain').flatMap(({ entryName, name, accession }) => entryName ?? name ?? accession ?? [])
    return names.length === 0 ? null : [...new Set(names)].join('; ')
  }
  // Programs may find the same segment: the one that finds most speaks.
  const segments = (gene: string): number => {
    const counts = new Map<string, number>()
    for (const { analysis } of of(gene, 'transmembrane')) counts.set(analysis, (counts.get(analysis) ?? 0) + 1)
    return Math.max(0, ...counts.values())
  }
  const known = (gene: string, value: number): number | null => (found.has(gene) ? value : null)
  return {
    columns: [
      {
        key: 'domains',
        title: columnText(messages, 'columns.domains'),
        kind: 'terms',
        values: genes.map(({ id }) => namesOf(id)),
      },
      {
        key: 'transmembrane',
        title: columnText(messages, 'columns.transmembrane'),
        kind: 'number',
        hidden: true,
        values: genes.map(({ id }) => known(id, segments(id))),
      },
      {
        key: 'signal',
        title: columnText(messages, 'columns.signal'),
        kind: 'number',
        hidden: true,
        values: genes.map(({ id }) => known(id, of(id, 'signal').length > 0 ? 1 : 0)),
      },
    ],
  }
})
