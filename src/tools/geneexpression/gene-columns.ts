import type { LocalizedText } from '../../contracts/text.ts'
import { listExpression, openExpression, readContrast } from '../../kit/data/expression-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { columnText, defineGeneColumns, type GeneColumn, type GeneColumnContext } from '../../kit/gene-columns.ts'
import messages from './messages.ts'

/** Data sets and groups of samples with columns of their own. */
const maxDatasets = 12
const maxGroups = 24
/** Groups whose means are shown at once without choosing. */
const shownGroups = 4

const keyOf = (text: string): string => text.replaceAll(/[^\w.-]+/g, '_')
const idsOf = ({ genes }: GeneColumnContext): string[] => genes.map(({ id }) => id)

/** Samples by the group that replicates are gathered by; each by itself where the sheet has none. */
const groupsOf = (dataset: Awaited<ReturnType<typeof openExpression>>['dataset']): [string, number[]][] => {
  const groups = new Map<string, number[]>()
  for (const [at, { label, factors }] of dataset.samples.entries()) {
    const name = dataset.group === null ? label : (factors[dataset.group] ?? '')
    groups.set(name, [...(groups.get(name) ?? []), at])
  }
  return [...groups].slice(0, maxGroups)
}

const valueColumns = async (context: GeneColumnContext, id: string): Promise<GeneColumn[]> => {
  const { data, assembly } = context
  const open = await openExpression(data, assembly, id)
  const { dataset, rows } = open
  const groups = groupsOf(dataset)
  const wanted = idsOf(context).map((gene) => rows.get(gene))
  const matrix = await open.openValues()
  const columns: GeneColumn[] = []
  try {
    const known = wanted.flatMap((row) => row ?? [])
    const read = new Map((await matrix.readRows(known)).map((cells, at) => [known[at]!, cells]))
    const { unit } = dataset
    for (const [group, samples] of groups) {
      const meanOf = (cells: ArrayLike<number>): number | null => {
        const values = samples
          .map((at) => (unit === 'counts' ? (1e6 * cells[at]!) / dataset.samples[at]!.sum : cells[at]!))
          .filter(Number.isFinite)
        return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
      }
      columns.push({
        key: `${keyOf(id)}.mean.${keyOf(group)}`,
        title: columnText(messages, 'columns.mean', {
          dataset: dataset.name,
          group,
          unit: unit === 'counts' ? 'CPM' : unit,
        }),
        kind: 'number',
        digits: 1,
        // What was measured stands above what was simulated.
        hidden: dataset.sites !== null || dataset.simulated || groups.length > shownGroups,
        values: wanted.map((row) => (row === undefined ? null : meanOf(read.get(row)!))),
      })
    }
  } finally {
    await matrix.close()
  }
  const sites = await open.readSites()
  if (sites === null) return columns
  const width = dataset.samples.length
  const siteColumn = (
    key: string,
    title: LocalizedText,
    count: (first: number, sites: number) => number | null,
    shown: Partial<GeneColumn> = {},
  ): GeneColumn => ({
    key: `${keyOf(id)}.${key}`,
    title,
    help: columnText(messages, 'columns.sitesHelp'),
    kind: 'number',
    values: wanted.map((row) =>
      row === undefined ? null : count(sites.geneSites[2 * row]!, sites.geneSites[2 * row + 1]!),
    ),
    ...shown,
  })
  columns.push(
    siteColumn('sites', columnText(messages, 'columns.sites', { dataset: dataset.name }), (_, found) => found),
  )
  for (const [group, samples] of groups) {
    const countHit = (first: number, found: number): number => {
      let hit = 0
      for (let site = first; site < first + found; site += 1)
        if (samples.some((at) => sites.counts[site * width + at]! > 0)) hit += 1
      return hit
    }
    const named = { dataset: dataset.name, group }
    columns.push(
      siteColumn(`hit.${keyOf(group)}`, columnText(messages, 'columns.hit', named), countHit, { hidden: true }),
      // A share can be asked of genes of any length.
      siteColumn(
        `share.${keyOf(group)}`,
        columnText(messages, 'columns.share', named),
        (first, found) => (found === 0 ? null : (100 * countHit(first, found)) / found),
        { main: true, digits: 0 },
      ),
    )
  }
  return columns
}

const contrastColumns = async (
  data: PortalData,
  assembly: string,
  genes: readonly string[],
  dataset: { id: string; name: LocalizedText },
  contrast: { id: string; name: LocalizedText },
): Promise<GeneColumn[]> => {
  const table = await readContrast(data, assembly, dataset.id, contrast.id)
  const rows = new Map(table.genes.map((gene, at) => [gene, table.rows[at]!]))
  const value = (gene: string, at: number): number | null => {
    const one = rows.get(gene)?.[at]
    return one === undefined || !Number.isFinite(one) ? null : one
  }
  const key = `${keyOf(dataset.id)}.${keyOf(contrast.id)}`
  const named = { dataset: dataset.name, contrast: contrast.name }
  return [
    {
      key: `${key}.log2FoldChange`,
      title: columnText(messages, 'columns.change', named),
      kind: 'number',
      digits: 2,
      values: genes.map((gene) => value(gene, 0)),
    },
    {
      key: `${key}.adjustedPValue`,
      title: columnText(messages, 'columns.adjusted', named),
      kind: 'pValue',
      values: genes.map((gene) => value(gene, 2)),
    },
  ]
}

/** Means of groups, insertion sites and loaded comparisons of each gene, data set after data set. */
export default defineGeneColumns(async (context) => {
  const { data, assembly, signal } = context
  const all = (await listExpression(data, assembly)).slice(0, maxDatasets)
  const columns: GeneColumn[] = []
  for (const dataset of all) {
    signal.throwIfAborted()
    columns.push(...(await valueColumns(context, dataset.id)))
    for (const contrast of dataset.contrasts)
      columns.push(...(await contrastColumns(data, assembly, idsOf(context), dataset, contrast)))
  }
  return { columns, dataSets: all }
})
