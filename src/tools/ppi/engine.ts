import type { z } from 'zod'
import { expectedEdges, plainChannel, poissonUpperTail } from '../../bio/networks/interaction-scores.ts'
import { evidenceChannels } from '../../bio/networks/interaction-tables.ts'
import { type FieldProblem, fieldError, PortalError } from '../../contracts/errors.ts'
import { nameGenes } from '../../kit/data/expression-genes.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { mclProgram } from '../../kit/programs.ts'
import { clusterNodes } from './cluster.ts'
import {
  type Filter,
  findNetwork,
  joinSources,
  minValue,
  openInterologs,
  openOwnLinks,
  scorePairs,
} from './find-network.ts'
import { listSources, type OpenInteractions, openInteractionSet } from './open-network.ts'
import { routes } from './routes.ts'
import tool, { limits, type NetworkResult, usualPartners } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** The assembly that interactions are transferred from; null for none. */
const openSource = async (
  data: PortalData,
  { assembly, interologs }: Input,
  own: OpenInteractions | null,
): Promise<OpenInteractions | null> => {
  if (interologs === undefined && own !== null) return null
  const sources = await listSources(data, assembly)
  if (interologs === undefined) {
    const first = sources[0]
    if (first === undefined) throw fieldError(['assembly'], 'problem.noInteractions', { assembly })
    return openInteractionSet(data, first.assembly, undefined)
  }
  await data.getAssembly(interologs)
  if (!sources.some((source) => source.assembly === interologs))
    throw fieldError(['interologs'], 'problem.noInterologs', { assembly, other: interologs })
  return openInteractionSet(data, interologs, undefined)
}

/** Genes by name; of several meanings the first that interacts, else the first, counts and is told. */
const readGenes = async (data: PortalData, { genes: names, assembly }: Input, own: OpenInteractions | null) => {
  const resolved = await data.resolveGenes(names, assembly)
  const meaning = new Map(resolved.found.map(({ query, gene }) => [query, gene.id]))
  const ambiguous: NetworkResult['ambiguous'] = []
  for (const { query, genes } of resolved.ambiguous) {
    const gene = (genes.find(({ id }) => own?.rows.has(id)) ?? genes[0]!).id
    ambiguous.push({ name: query, gene })
    meaning.set(query, gene)
  }
  const ids = [...new Set(names.flatMap((name) => meaning.get(name) ?? []))]
  if (ids.length === 0) {
    const problems = resolved.unknown
      .slice(0, 20)
      .map((name): FieldProblem => ({ path: ['genes'], message: 'problem.unknownGene', params: { name, assembly } }))
    throw new PortalError('UNKNOWN_GENE', {
      message: problems[0]!.message,
      params: problems[0]!.params ?? {},
      problems,
    })
  }
  return { ids, unknown: resolved.unknown, ambiguous }
}

/** Whether the genes asked for interact more among each other than their numbers of partners make likely. */
const testAmong = async (
  own: OpenInteractions,
  guides: string[],
  observed: number,
  filter: Filter,
): Promise<NetworkResult['among']> => {
  const rows = guides.flatMap((gene) => own.rows.get(gene) ?? [])
  if (rows.length < 3) return null
  const scoreOf = scorePairs(own.dataset, filter)
  const min = minValue(own.dataset.measure, filter)
  const { byRow, edges } = await own.countPartners(
    JSON.stringify([min, [...filter.evidence].sort(), filter.transferred]),
    (values, first) => scoreOf(values, first) >= min,
  )
  if (edges === 0) return null
  const expected = expectedEdges(
    rows.map((row) => byRow[row]!),
    edges,
  )
  return { observed, expected, pValue: poissonUpperTail(observed, expected) }
}

const run = async (input: Input, context: EngineContext): Promise<NetworkResult> => {
  const { data, receipt, signal } = context
  const { assembly, evidence, clustering: method, inflation } = input
  const own = await openInteractionSet(data, assembly, input.dataset)
  const other = await openSource(data, input, own)
  const shown = own ?? other!
  const kinds = new Set(
    [own, other].flatMap((open) => (open === null ? [] : evidenceChannels(open.dataset.channels).map(plainChannel))),
  )
  const strange = evidence.find((one) => !kinds.has(one))
  if (strange !== undefined)
    throw fieldError(['evidence'], 'problem.unknownEvidence', { evidence: strange, names: [...kinds].join(', ') })
  const { ids, unknown, ambiguous } = await readGenes(data, input, own)
  const firstShell = input.firstShell ?? (ids.length === 1 ? usualPartners : 0)
  if (ids.length + firstShell + input.secondShell > limits.nodes)
    throw fieldError(['firstShell'], 'problem.tooManyNodes', {
      count: ids.length + firstShell + input.secondShell,
      max: limits.nodes,
    })
  const sources = [
    ...(own === null ? [] : [openOwnLinks(own, input)]),
    ...(other === null ? [] : [openInterologs(data, assembly, other, input)]),
  ]
  const found = await findNetwork(
    ids,
    joinSources(sources),
    { firstShell, secondShell: input.secondShell, maxEdges: limits.edges },
    signal,
  )
  const clusters = await clusterNodes(found.genes.length, found.edges, { method, inflation }, context)
  const asked = (at: number): boolean => found.genes[at]!.shell === 0
  const observed = found.edges.filter(
    ({ a, b, evidence: reported }) => reported !== null && asked(a) && asked(b),
  ).length
  const among = own === null ? null : await testAmong(own, ids, observed, input)
  const names = await nameGenes(
    data,
    assembly,
    found.genes.map(({ id }) => id),
  )
  const degrees = new Uint32Array(found.genes.length)
  for (const { a, b } of found.edges) {
    degrees[a]! += 1
    degrees[b]! += 1
  }
  receipt.addData(assembly)
  if (other !== null) receipt.addData(other.assembly)
  receipt.addDataSet(shown.dataset)
  const { layout, measure } = shown.dataset
  const filter = measure === 'score' ? `score >= ${input.minimumScore}` : `at least ${input.minimumRecords} records`
  const recombined = layout === 'string' && (evidence.length > 0 || !input.transferred)
  receipt.addStep({
    program: 'NovoDB PPI',
    version: String(tool.version),
    formula: [
      `${filter}${evidence.length > 0 ? `; evidence: ${evidence.join(', ')}` : ''}${input.transferred ? '' : '; without transferred evidence'}`,
      ...(recombined ? ['channels recombined as STRING does (prior 0.041)'] : []),
      `first shell ${firstShell}, second shell ${input.secondShell}, by the sum of scores with the network`,
      ...(other === null
        ? []
        : [
            `interologs of ${other.assembly}: both partners have orthologs that interact, joint identity >= ${input.minimumIdentity} %`,
          ]),
      ...(method === 'louvain' ? ['clusters by modularity (Louvain), weighted by the score'] : []),
      ...(among === null ? [] : ['expected interactions: sum of d(i) d(j) / 2m; chance by Poisson']),
    ].join('; '),
  })
  if (layout === 'string')
    receipt.cite({
      text: 'Szklarczyk D et al. (2023) The STRING database in 2023. Nucleic Acids Res 51:D638-D646',
      doi: '10.1093/nar/gkac1000',
    })
  if (recombined)
    receipt.cite({
      text: 'von Mering C et al. (2005) STRING: known and predicted protein-protein associations. Nucleic Acids Res 33:D433-D437',
      doi: '10.1093/nar/gki005',
    })
  if (layout === 'biogrid')
    receipt.cite({
      text: 'Oughtred R et al. (2021) The BioGRID database. Protein Sci 30:187-200',
      doi: '10.1002/pro.3978',
    })
  if (other !== null)
    receipt.cite({
      text: 'Yu H et al. (2004) Annotation transfer between genomes: protein-protein interologs and protein-DNA regulogs. Genome Res 14:1107-1118',
      doi: '10.1101/gr.1774904',
    })
  if (method === 'mcl')
    receipt.cite({
      text: 'Enright AJ, Van Dongen S, Ouzounis CA (2002) An efficient algorithm for large-scale detection of protein families. Nucleic Acids Res 30:1575-1584',
      doi: '10.1093/nar/30.7.1575',
    })
  if (method === 'louvain')
    receipt.cite({
      text: 'Blondel VD, Guillaume J-L, Lambiotte R, Lefebvre E (2008) Fast unfolding of communities in large networks. J Stat Mech P10008',
      doi: '10.1088/1742-5468/2008/10/P10008',
    })
  return {
    assembly,
    dataset: own?.dataset ?? null,
    interologSource: other === null ? null : { assembly: other.assembly, dataset: other.dataset },
    nodes: found.genes.map(({ id, shell }, at) => ({
      id,
      symbol: names.get(id)?.symbol ?? null,
      description: names.get(id)?.description ?? null,
      shell,
      degree: degrees[at]!,
      cluster: clusters[at]!,
    })),
    edges: found.edges,
    edgeTotal: found.edgeTotal,
    partnerTotal: found.partnerTotal,
    among,
    clustering: { method, inflation, count: Math.max(0, ...clusters.map((one) => one ?? 0)) },
    unknown,
    ambiguous,
    alone: found.alone,
  }
}

export default defineEngine({
  tool,
  programs: [mclProgram],
  routes,
  run,
})
