import { isOrtholog } from '../../bio/comparative/orthology.ts'
import { listLost } from '../../kit/data/genes/lost-genes.ts'
import { columnText, defineGeneColumns, type GeneColumn } from '../../kit/gene-columns.ts'
import messages from './messages.ts'

/** Genomes with a column of their own; outgroups come first. */
const maxGenomes = 60

/** Orthologs of each gene in every other genome, as the computation over all assemblies called them. */
export default defineGeneColumns(async ({ data, assembly, genes }) => {
  const homology = await data.getHomology()
  if (homology === null || !homology.covered.includes(assembly)) return { columns: [] }
  const all = await data.listAssemblies()
  const others = all
    .filter(({ id }) => id !== assembly && homology.covered.includes(id))
    .sort((a, b) => Number(b.outgroup) - Number(a.outgroup))
  if (others.length === 0) return { columns: [] }
  const rows = new Map(
    (
      await data.listHomologs(
        assembly,
        genes.map(({ id }) => id),
      )
    ).map((row) => [row.gene, row]),
  )
  // What resembles a gene most where its own DNA is gone is another gene.
  const lost = await listLost(
    data,
    assembly,
    genes.map(({ id }) => id),
    others.map(({ id }) => id),
  )
  const orthologs = genes.map(({ id }) => {
    const found = new Map<string, string[]>()
    for (const one of rows.get(id)?.homologs ?? [])
      if (isOrtholog(one) && lost.get(one.assembly)?.has(id) !== true)
        found.set(one.assembly, [...(found.get(one.assembly) ?? []), one.gene])
    return found
  })
  const columns: GeneColumn[] = [
    {
      key: 'genomes',
      title: columnText(messages, 'columns.genomes', { total: others.length }),
      kind: 'number',
      values: genes.map(({ id }, at) =>
        rows.has(id) ? others.filter((other) => orthologs[at]!.has(other.id)).length : null,
      ),
    },
    {
      key: 'family',
      title: columnText(messages, 'columns.family'),
      kind: 'text',
      hidden: true,
      values: genes.map(({ id }) => rows.get(id)?.orthogroup ?? null),
    },
  ]
  for (const { id, name, outgroup } of others.slice(0, maxGenomes))
    columns.push({
      key: `in.${id}`,
      title: columnText(messages, 'columns.in', { assembly: name }),
      kind: 'genes',
      assembly: id,
      hidden: !outgroup,
      values: orthologs.map((found) => found.get(id)?.join('; ') ?? null),
    })
  return { columns }
})
