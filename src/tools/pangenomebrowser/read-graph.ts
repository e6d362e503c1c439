import {
  alignStrands,
  type GraphNode,
  type GraphRegion,
  type GraphStep,
  type GraphWalk,
} from '../../bio/graph/variation-graph.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { openTabix } from '../../store/tabix-reader.ts'
import { graphFile, graphKind, nodesSequence, pathSequence, type StoredGraph, type StoredPath } from './stored.ts'
import { type GraphAbout, limits } from './tool.ts'

/** Passings of nodes that are read for a region: paths of thousands of samples through it. */
const readVisits = 3_000_000

export const listStoredGraphs = async (data: PortalData, assembly: string): Promise<StoredGraph[]> =>
  (await data.listRecords<StoredGraph>(graphKind, { assembly })).map((record) => record.data)

const sampleOf = ({ sample, sequence }: StoredPath): string => sample ?? sequence

export const describeGraph = (graph: StoredGraph): GraphAbout => {
  const { paths, ...about } = graph
  return {
    ...about,
    samples: [...new Set(paths.filter(({ reference }) => reference === null).map(sampleOf))],
    loci: paths.flatMap(({ reference, start0, lengthBp }) =>
      reference === null ? [] : [{ sequence: reference, start: start0 + 1, end: start0 + lengthBp }],
    ),
  }
}

/** The path of the assembly that has most of the segment, or null. */
export const findReferencePath = (
  graph: StoredGraph,
  sequence: string,
  start0: number,
  end0: number,
): { number: number; path: StoredPath } | null => {
  const overlap = ({ start0: from, lengthBp }: StoredPath): number =>
    Math.min(end0, from + lengthBp) - Math.max(start0, from)
  const [best] = graph.paths
    .map((path, number) => ({ number, path }))
    .filter(({ path }) => path.reference === sequence && overlap(path) > 0)
    .sort((a, b) => overlap(b.path) - overlap(a.path))
  return best ?? null
}

/** Samples with more than one haplotype. */
const samplesOfSeveral = (graph: StoredGraph): Set<string> => {
  const haplotypes = new Map<string, string | null>()
  const several = new Set<string>()
  for (const path of graph.paths) {
    if (path.reference !== null) continue
    const sample = sampleOf(path)
    if (haplotypes.has(sample) && haplotypes.get(sample) !== path.haplotype) several.add(sample)
    haplotypes.set(sample, path.haplotype)
  }
  return several
}

const open = async (data: PortalData, assembly: string, graph: string, part: 'steps' | 'visits' | 'nodes') => {
  const file = await data.bundleFile(assembly, graphFile(graph, part))
  if (file === null) throw new PortalError('NOT_FOUND', { message: 'problem.unknownGraph', params: { graph } })
  return openTabix(file)
}

/** Lines of a segment of an indexed file, in fields; the file is closed again. */
async function* readFields(
  data: PortalData,
  assembly: string,
  graph: string,
  part: 'steps' | 'visits' | 'nodes',
  [name, start0, end0]: [string, number, number],
): AsyncGenerator<string[]> {
  const file = await open(data, assembly, graph, part)
  try {
    for await (const line of file.lines(name, start0, end0)) yield line.split('\t')
  } finally {
    await file.close()
  }
}

export interface ReadRegion {
  region: GraphRegion
  start0: number
  end0: number
}

/**
 * The graph around a segment of the assembly: the nodes that it passes there, those that others pass between them, and the ways of all
 * paths through these nodes. The first walk is the assembly's. Rejects with a field's error when there are too many.
 */
export const readRegion = async (
  data: PortalData,
  assembly: string,
  graph: StoredGraph,
  number: number,
  [from0, to0]: [number, number],
  assemblies: ReadonlyMap<string, string>,
): Promise<ReadRegion> => {
  const reference: { rank: number; start0: number; reverse: boolean }[] = []
  for await (const [, start, , rank, reverse] of readFields(data, assembly, graph.id, 'steps', [
    pathSequence(number),
    from0,
    to0,
  ])) {
    reference.push({ rank: Number(rank), start0: Number(start), reverse: reverse === '1' })
    if (reference.length > limits.readNodes)
      throw fieldError(['locus'], 'problem.tooManyNodes', { max: limits.readNodes })
  }
  if (reference.length === 0) throw fieldError(['locus'], 'problem.notInGraph')
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const { rank } of reference) {
    first = Math.min(first, rank)
    last = Math.max(last, rank)
  }
  const nodes: GraphNode[] = []
  for await (const [, rank, , name, lengthBp, sequence] of readFields(data, assembly, graph.id, 'nodes', [
    nodesSequence,
    first,
    last + 1,
  ])) {
    nodes[Number(rank) - first] = {
      name: name!,
      lengthBp: Number(lengthBp),
      sequence: sequence === '*' ? null : sequence!,
    }
    if (nodes.length > limits.readNodes) throw fieldError(['locus'], 'problem.tooManyNodes', { max: limits.readNodes })
  }
  const visits = new Map<number, { start0: number; step: GraphStep }[]>()
  let count = 0
  for await (const [, rank, , of, start, reverse] of readFields(data, assembly, graph.id, 'visits', [
    nodesSequence,
    first,
    last + 1,
  ])) {
    count += 1
    if (count > readVisits) throw fieldError(['locus'], 'problem.tooManyNodes', { max: limits.readNodes })
    const own = visits.get(Number(of)) ?? []
    own.push({ start0: Number(start), step: { node: Number(rank) - first, reverse: reverse === '1' } })
    visits.set(Number(of), own)
  }
  const walks: GraphWalk[] = []
  const several = samplesOfSeveral(graph)
  const order = [number, ...[...visits.keys()].filter((one) => one !== number).sort((a, b) => a - b)]
  for (const of of order) {
    const about = graph.paths[of]!
    const sample = about.reference !== null ? assembly : sampleOf(about)
    const shared = {
      name: about.name,
      sample: several.has(sample) ? `${sample}#${about.haplotype}` : sample,
      assembly: about.reference !== null ? assembly : (assemblies.get(sample.toLowerCase()) ?? null),
      sequence: about.reference ?? about.sequence,
    }
    const own = visits.get(of)!.sort((a, b) => a.start0 - b.start0)
    let steps: GraphStep[] = []
    let expected = Number.NaN
    let from = 0
    const close = (): void => {
      if (steps.length > 0) walks.push({ ...shared, start0: from, turned: false, steps })
    }
    for (const { start0, step } of own) {
      if (start0 !== expected) {
        close()
        steps = []
        from = start0
      }
      steps.push(step)
      expected = start0 + nodes[step.node]!.lengthBp
    }
    close()
    // The assembly's piece that was asked for comes first, should it pass these nodes again elsewhere.
    if (of === number) {
      const at = walks.findIndex(
        (walk) =>
          walk.start0 <= reference[0]!.start0 &&
          walk.start0 + walk.steps.reduce((sum, { node }) => sum + nodes[node]!.lengthBp, 0) > reference[0]!.start0,
      )
      walks.unshift(...walks.splice(at, 1))
    }
  }
  const [own] = walks
  return {
    region: alignStrands({ nodes, walks }),
    start0: own!.start0,
    end0: own!.start0 + own!.steps.reduce((sum, { node }) => sum + nodes[node]!.lengthBp, 0),
  }
}
