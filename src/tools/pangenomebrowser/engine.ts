import type { z } from 'zod'
import {
  findVariants,
  type GraphRegion,
  hideSmallVariants,
  joinChains,
  listWays,
} from '../../bio/graph/variation-graph.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { findLocus as findNamedLocus } from '../../kit/data/find-locus.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { minimap2Program } from '../../kit/programs.ts'
import { describeAlignedGraph, readAlignedRegion } from './aligned-graph.ts'
import { describeGraph, findReferencePath, listStoredGraphs, readRegion } from './read-graph.ts'
import { routes } from './routes.ts'
import tool, { type GraphResult, limits, minSteps } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** Genes drawn over a region. */
const maxGenes = 300

interface Place {
  sequence: string
  sequenceBp: number
  start0: number
  end0: number
  gene: GeneSummary | null
}

/** A place as it was written; a gene has its flanks. A graph is drawn along its reference: a reverse place is the same segment. */
const findLocus = async (data: PortalData, { assembly, locus, flankBp }: Input): Promise<Place> => {
  const { sequence, start1, end1, gene } = await findNamedLocus(data, assembly, locus, ['locus'])
  const { name, lengthBp } = sequence
  if (gene !== null)
    return {
      sequence: name,
      sequenceBp: lengthBp,
      start0: Math.max(0, start1 - 1 - flankBp),
      end0: Math.min(lengthBp, end1 + flankBp),
      gene,
    }
  const [start0, end0] = [start1 - 1, Math.min(lengthBp, end1)]
  if (end0 - start0 > limits.regionBp) throw fieldError(['locus'], 'problem.tooLong', { max: limits.regionBp })
  return { sequence: name, sequenceBp: lengthBp, start0, end0, gene: null }
}

const writeRegion = ({ nodes, walks }: GraphRegion): GraphResult['region'] => {
  const { ways, wayOf } = listWays(walks)
  return {
    nodes,
    walks: walks.map(({ steps: _, ...walk }, number) => ({ ...walk, way: wayOf[number]! })),
    ways: ways.map((way) => way.map(({ node, reverse }) => node * 2 + Number(reverse))),
  }
}

/** The region with as few of its small variants left out as lets it be drawn. Rejects with a field's error when none will do. */
const fitDrawing = (
  region: GraphRegion,
  asked: number,
  signal: AbortSignal,
): { drawn: GraphRegion; hidden: number; minBp: number } => {
  let nodes = 0
  for (const minBp of [asked, ...minSteps.filter((step) => step > asked)]) {
    signal.throwIfAborted()
    const simpler = hideSmallVariants(region, minBp)
    const drawn = joinChains(simpler.region)
    if (drawn.nodes.length <= limits.drawnNodes) return { drawn, hidden: simpler.hidden, minBp }
    nodes = drawn.nodes.length
  }
  throw fieldError(['locus'], 'problem.tooManyDrawn', { nodes, max: limits.drawnNodes })
}

const run = async (input: Input, { data, receipt, signal }: EngineContext): Promise<GraphResult> => {
  const { assembly } = input
  const about = await data.getAssembly(assembly)
  const graphs = await listStoredGraphs(data, assembly)
  const made = await describeAlignedGraph(data, assembly)
  if (graphs.length === 0 && made === null) throw fieldError(['assembly'], 'problem.noGraph', { assembly })
  const ids = [...graphs.map(({ id }) => id), ...(made === null ? [] : [made.id])]
  if (input.graph !== undefined && input.graph !== '' && !ids.includes(input.graph))
    throw fieldError(['graph'], 'problem.unknownGraph', { graph: input.graph })
  const locus = await findLocus(data, input)
  const candidates = graphs.filter(({ id }) => input.graph === undefined || input.graph === '' || id === input.graph)
  const chosen = candidates.flatMap((graph) => {
    const on = findReferencePath(graph, locus.sequence, locus.start0, locus.end0)
    return on === null ? [] : [{ graph, on }]
  })[0]
  const ofAlignments = made !== null && chosen === undefined && [undefined, '', made.id].includes(input.graph)
  if (chosen === undefined && !ofAlignments)
    throw fieldError(['locus'], 'problem.outside', {
      loci: candidates
        .flatMap((graph) => describeGraph(graph).loci ?? [])
        .slice(0, 5)
        .map(({ sequence, start, end }) => `${sequence}:${start}-${end}`)
        .join(', '),
    })
  const assemblies = new Map(
    (await data.listAssemblies())
      .filter(({ species }) => species === about.species)
      .map(({ id }) => [id.toLowerCase(), id]),
  )
  const span: [number, number] = [locus.start0, locus.end0]
  const read =
    chosen === undefined
      ? await readAlignedRegion(data, assembly, locus.sequence, span)
      : await readRegion(data, assembly, chosen.graph, chosen.on.number, span, assemblies)
  signal.throwIfAborted()
  const variants = findVariants(read.region)
  const { drawn, hidden, minBp } = fitDrawing(read.region, input.minBp, signal)
  const described = chosen === undefined ? made! : describeGraph(chosen.graph)
  const present = new Set(read.region.walks.map(({ sample }) => sample.split('#')[0]))
  receipt.addData(assembly)
  receipt.addDataSet(described)
  receipt.addStep({
    program: 'NovoDB pan-genome browser',
    version: String(tool.version),
    formula:
      'nodes between the first and last of the region; variants: ways between two nodes that walk and reference pass in one order and strand (heaviest chain)',
  })
  return {
    assembly,
    graph: described,
    sequence: locus.sequence,
    sequenceBp: locus.sequenceBp,
    start: read.start0 + 1,
    end: read.end0,
    gene: locus.gene,
    genes: await data.listGenesInRegion(assembly, locus.sequence, read.start0 + 1, read.end0, maxGenes),
    nodeCount: read.region.nodes.length,
    region: writeRegion(drawn),
    variants: variants.slice(0, limits.variants),
    variantTotal: variants.length,
    minBp,
    hidden,
    absent: described.samples.filter((sample) => !present.has(sample)),
  }
}

/** What other genomes lack or have besides, near a gene: an example shows a way around. */
const exampleVariant = { nearBp: 50_000, minBp: 300, maxBp: 20_000, flankBp: 2500, looked: 500 } as const

/** The example's region about the structural variant that is nearest to its gene, where none of the genomes would differ in the gene itself. */
const completeExample = async (
  example: z.input<(typeof tool)['input']>,
  data: PortalData,
): Promise<z.input<(typeof tool)['input']>> => {
  const { assembly, locus } = example
  const about = await data.getAssembly(assembly)
  if (!about.reference || (await data.alignments.getState(assembly)) === null) return example
  if ((await listStoredGraphs(data, assembly)).length > 0) return example
  const { sequence, start1, end1 } = await findNamedLocus(data, assembly, locus, ['locus'])
  const { nearBp, minBp, maxBp, flankBp, looked } = exampleVariant
  const { variants } = await data.alignments.listVariants(
    {
      assembly,
      sequence: sequence.name,
      start1: Math.max(1, start1 - nearBp),
      end1: Math.min(sequence.lengthBp, end1 + nearBp),
    },
    looked,
    { classes: ['deletion', 'insertion'], minBp },
  )
  const distance = ({ start, end }: { start: number; end: number }): number => Math.max(0, start - end1, start1 - end)
  const [nearest] = variants
    .filter(({ start, end }) => end - start < maxBp)
    .sort((p, q) => distance(p) - distance(q) || p.start - q.start)
  if (nearest === undefined) return example
  const from = Math.max(1, nearest.start - flankBp)
  return { ...example, locus: `${sequence.name}:${from}-${Math.min(sequence.lengthBp, nearest.end + flankBp)}` }
}

export default defineEngine({
  tool,
  programs: [minimap2Program],
  completeExample,
  run,
  routes,
})
