import { consequenceBits, consequences, impactOf } from '../../bio/variation/consequences.ts'
import { parseVcfRecord } from '../../bio/variation/vcf.ts'
import { listVariantSets, type VariantSet } from '../../kit/data/variant-data.ts'
import { noFilter, openSet } from '../../kit/data/variants/open-set.ts'
import { createEffectTeller } from '../../kit/data/variants/told-effects.ts'
import { columnText, defineGeneColumns, type GeneColumn, type GeneColumnContext } from '../../kit/gene-columns.ts'
import messages from './messages.ts'

/** Genotypes of the records that are read for a list of genes: beyond it a set is left out. */
const maxGenotypes = 30_000_000
/** Sets with columns of their own. */
const maxSets = 8
/** Of more genes the whole set is looked through, once, instead of the place of each. */
const manyGenes = 200
/** Changes of a gene that are written out. */
const namedChanges = 12

const telling = consequenceBits(
  consequences.flatMap(({ name, impact }) => (impact === 'high' || impact === 'moderate' ? [name] : [])),
)

interface GeneVariants {
  high: number
  moderate: number
  changes: string[]
}

/** Variants of each gene; null where too much would have to be read. */
const readSet = async (
  set: VariantSet,
  { data, assembly, genes, signal }: GeneColumnContext,
): Promise<Map<string, GeneVariants> | null> => {
  const open = await openSet(set)
  try {
    const ranges =
      genes.length > manyGenes
        ? [{ from: 0, to: set.sequences.reduce((sum, { records }) => sum + records, 0) }]
        : await Promise.all(
            genes.map(({ sequence, start: start1, end: end1 }) => open.findRange({ sequence, start1, end1 })),
          )
    const rows = new Set<number>()
    const most = maxGenotypes / Math.max(1, set.samples.length)
    for await (const piece of open.scan(ranges, { ...noFilter, consequenceBits: telling }, signal)) {
      for (const { row } of piece) rows.add(row)
      if (rows.size > most) return null
    }
    const found = new Map(genes.map(({ id }): [string, GeneVariants] => [id, { high: 0, moderate: 0, changes: [] }]))
    const tell = createEffectTeller(data, assembly)
    for await (const { line } of open.readRows(
      Uint32Array.from(rows).sort((a, b) => a - b),
      signal,
    )) {
      const record = parseVcfRecord(line)
      if (record === null) continue
      const seen = new Map<string, { impact: 'high' | 'moderate'; change: string | null }>()
      for (const { gene, consequences: names, proteinChange } of await tell(record)) {
        const impact = impactOf(names[0] ?? '')
        if ((impact !== 'high' && impact !== 'moderate') || !found.has(gene)) continue
        const before = seen.get(gene)
        if (before === undefined || (before.impact === 'moderate' && impact === 'high'))
          seen.set(gene, { impact, change: proteinChange ?? names[0]!.replaceAll('_', ' ') })
      }
      for (const [gene, { impact, change }] of seen) {
        const of = found.get(gene)!
        of[impact] += 1
        if (impact === 'high' && change !== null) of.changes.push(change)
      }
    }
    return found
  } finally {
    await open.close()
  }
}

/** How many variants change the protein of each gene, set after set. */
export default defineGeneColumns(async (context) => {
  const sets = (await listVariantSets(context.data, context.assembly))
    .filter((set) => set.consequences !== null)
    .slice(0, maxSets)
  const columns: GeneColumn[] = []
  const notes = []
  for (const set of sets) {
    context.signal.throwIfAborted()
    const found = await readSet(set, context)
    if (found === null) {
      notes.push(columnText(messages, 'columns.tooMany', { set: set.name }))
      continue
    }
    const of = context.genes.map(({ id }) => found.get(id)!)
    const counts = (impact: 'high' | 'moderate'): GeneColumn => ({
      key: `${set.id}.${impact}`,
      title: columnText(messages, `columns.${impact}`, { set: set.name }),
      kind: 'number',
      main: impact === 'high',
      values: of.map((one) => one[impact]),
    })
    columns.push(counts('high'), counts('moderate'), {
      key: `${set.id}.changes`,
      title: columnText(messages, 'columns.changes', { set: set.name }),
      kind: 'terms',
      hidden: true,
      values: of.map(({ changes }) =>
        changes.length === 0
          ? null
          : [...changes.slice(0, namedChanges), ...(changes.length > namedChanges ? ['…'] : [])].join('; '),
      ),
    })
  }
  return { columns, notes, dataSets: sets }
})
