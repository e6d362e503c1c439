import { nameGenes } from '../../kit/data/expression-genes.ts'
import { findAskedGenes } from '../../kit/data/genes/find-genes.ts'
import { defineEngine } from '../../kit/engine.ts'
import type { PathwayList } from './endpoints.ts'
import { choosePathwayAssembly, plainPathway, readPathways } from './find-pathways.ts'
import { routes } from './routes.ts'
import tool from './tool.ts'

/** Names not found that are told. */
const listed = 200

export default defineEngine({
  tool,
  programs: [],
  run: async ({ assembly: given, genes, source, query }, { data, receipt }): Promise<PathwayList> => {
    const assembly = await choosePathwayAssembly(data, given)
    if (assembly === null) return { assembly: null, sources: [], pathways: [], setSize: 0, symbols: {}, unknown: [] }
    const { sources, pathways } = await readPathways(data, assembly)
    const asked = genes === undefined ? null : await findAskedGenes(genes, assembly, data)
    const set = new Set(asked?.genes.map(({ id }) => id) ?? [])
    const names = await nameGenes(data, assembly, [...set])
    const words = query.toLowerCase().split(/\s+/)
    const all = [...pathways.values()]
    receipt.addData(assembly)
    receipt.addStep({
      program: 'NovoDB pathways',
      version: String(tool.version),
      formula: 'genes of a pathway and of all pathways below it, as loaded',
    })
    return {
      assembly,
      sources: sources.map(({ id, title, licence }) => ({
        id,
        title,
        licence,
        pathways: all.filter((one) => one.source === id).length,
      })),
      pathways: all
        .filter((one) => source === '' || one.source === source)
        .filter(({ id, name }) => words.every((word) => `${id} ${name ?? ''}`.toLowerCase().includes(word)))
        .map((one) => ({ ...plainPathway(one), setGenes: [...set].filter((gene) => one.genes.has(gene)) }))
        .sort((a, b) => b.setGenes.length - a.setGenes.length || b.geneCount - a.geneCount || (a.id < b.id ? -1 : 1)),
      setSize: set.size,
      symbols: Object.fromEntries(
        [...names].flatMap(([id, { symbol }]) => (symbol === null ? [] : [[id, symbol] as const])),
      ),
      unknown: asked?.problems.slice(0, listed).map((problem) => problem.query) ?? [],
    }
  },
  routes,
})
