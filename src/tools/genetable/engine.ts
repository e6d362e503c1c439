import type { z } from 'zod'
import { fieldError } from '../../contracts/errors.ts'
import { toolCategories } from '../../contracts/tools/tool.ts'
import { findMeantGenes } from '../../kit/data/genes/find-genes.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { type FoundTool, findTools } from '../../kit/find-tools.ts'
import tool, { type GeneTable, limits } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** Tools in the order of the tools list: what a gene is, what others have of it, what it does, how it varies. */
const listTools = async (): Promise<FoundTool[]> => {
  const place = ({ tool: one }: FoundTool): number =>
    one === null ? Number.POSITIVE_INFINITY : 1e6 * toolCategories.indexOf(one.category) + one.order
  return [...(await findTools())].sort((a, b) => place(a) - place(b))
}

const run = async ({ assembly: asked, genes: names }: Input, context: EngineContext): Promise<GeneTable> => {
  const { data, receipt, signal } = context
  const assembly = (await data.getAssembly(asked)).id
  const { ids, unknown, ambiguous } = await findMeantGenes(data, assembly, names)
  if (ids.length === 0)
    throw fieldError(['genes'], 'problem.noGeneFound', { names: names.slice(0, 5).join(', '), assembly })
  const genes = await data.getGenes(assembly, ids)
  receipt.addData(assembly)
  const columns: GeneTable['columns'] = []
  const notes: GeneTable['notes'] = []
  const simulated: GeneTable['simulated'] = []
  const tellers: string[] = []
  for (const { id, importGeneColumns } of await listTools()) {
    const source = await importGeneColumns()
    if (source === null) continue
    signal.throwIfAborted()
    const told = await source({ data, assembly, genes, signal })
    if (told.columns.length > 0) tellers.push(id)
    for (const { key, title, help, kind, assembly: of, digits, hidden, main, values } of told.columns)
      columns.push({
        key: `${id}.${key}`,
        tool: id,
        title,
        help: help ?? null,
        kind,
        assembly: of ?? null,
        digits: digits ?? null,
        hidden: hidden ?? false,
        main: main ?? false,
        values,
      })
    notes.push(...(told.notes ?? []))
    for (const set of told.dataSets ?? []) {
      receipt.addDataSet(set)
      if (set.simulated) simulated.push(set.name)
    }
  }
  receipt.addStep({
    program: 'NovoDB gene table',
    version: String(tool.version),
    formula: `columns of ${tellers.join(', ')}, each as its own tool has them`,
  })
  return {
    assembly,
    genes: genes.map(
      ({
        id,
        symbol,
        description,
        biotype,
        sequence,
        start,
        end,
        strand,
        proteinLength,
      }): GeneTable['genes'][number] => ({
        ...{ id, symbol, description, biotype, sequence, start, end, strand, proteinLength },
      }),
    ),
    columns: columns.slice(0, limits.columns),
    columnsCut: Math.max(0, columns.length - limits.columns),
    notes,
    simulated,
    unknown,
    ambiguous,
  }
}

export default defineEngine({ tool, programs: [], run })
