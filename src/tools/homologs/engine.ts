import type { z } from 'zod'
import { type FieldProblem, fieldError, PortalError } from '../../contracts/errors.ts'
import { type GeneGap, type GeneLocus, mostBetween } from '../../contracts/gene-loci.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { markBrokenGenes } from '../../kit/data/genes/broken-genes.ts'
import { findGeneGaps } from '../../kit/data/genes/gene-gaps.ts'
import { findGeneLocus } from '../../kit/data/genes/gene-loci.ts'
import { listLacking } from '../../kit/data/genes/lost-genes.ts'
import type { Orthogroup, PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { gibibyte } from '../../kit/job-resources.ts'
import { blastProgram, homologyPrograms } from '../../kit/programs.ts'
import { type Bare, listBare, lookUp, passes, percent } from './bare-homologs.ts'
import { type AskedGene, listOrthologs } from './list-orthologs.ts'
import { citations, evalueLimit, inflation, lostCoverage, lostFactor } from './method.ts'
import { readSequences, searchSequences, searchThreads } from './search-sequences.ts'
import tool, { type FoundHomolog, type HomologQuery, limits, type OrthologTable } from './tool.ts'

type Input = z.output<(typeof tool)['input']>
const maxPositions = 12
/** With the assemblies that have no homolog. */
const maxRows = 20
/** Genes shown on each side. */
const besides = 5

const addGenes = async (data: PortalData, bare: Bare[]): Promise<FoundHomolog[]> => {
  const genes = await lookUp(data, bare)
  const groups = new Map<string, Map<string, string>>()
  for (const assembly of new Set(bare.map((one) => one.assembly)))
    groups.set(
      assembly,
      await data.listOrthogroups(
        assembly,
        bare.filter((one) => one.assembly === assembly).map((one) => one.gene),
      ),
    )
  return bare.flatMap((one) => {
    const gene = genes.get(`${one.assembly}/${one.gene}`)
    if (gene === undefined) return []
    const { symbol, description, sequence, start, end, strand } = gene
    const orthogroup = groups.get(one.assembly)?.get(one.gene) ?? null
    return [{ ...one, symbol, description, sequence, start, end, strand, orthogroup }]
  })
}

const renderGroup = (group: Orthogroup, assemblies: string[]): HomologQuery['orthogroup'] => ({
  id: group.id,
  source: group.source,
  counts: assemblies.map((assembly) => ({ assembly, genes: group.members.get(assembly) ?? [] })),
})

/** The first homolog of each other assembly, and the gene itself before them. */
const findLoci = async (
  data: PortalData,
  own: { assembly: string; gene: string } | null,
  homologs: FoundHomolog[],
): Promise<GeneLocus[]> => {
  const first = new Map(own === null ? [] : [[own.assembly, own.gene]])
  for (const { assembly, gene, relation } of homologs)
    if (relation !== 'similar' && !first.has(assembly)) first.set(assembly, gene)
  const loci = await Promise.all(
    [...first].slice(0, maxPositions).map(([assembly, gene]) => findGeneLocus(data, assembly, gene, besides)),
  )
  return loci.filter((locus) => locus !== null)
}

/** Genes by name, each once; of several meanings the first counts and the others are told. Rejects where none is known. */
const readGenes = async (input: Input, data: PortalData): Promise<{ asked: AskedGene[]; unknown: string[] }> => {
  const names = input.genes ?? []
  if (names.length === 0) throw fieldError(['genes'], 'problem.noGene')
  const { found, ambiguous, unknown } = await data.resolveGenes(names, input.assembly)
  if (unknown.length === names.length) {
    const problems = unknown
      .slice(0, 20)
      .map((name): FieldProblem => ({ path: ['genes'], message: 'problem.unknownGene', params: { name } }))
    throw new PortalError('UNKNOWN_GENE', {
      message: problems[0]!.message,
      params: problems[0]!.params ?? {},
      problems,
    })
  }
  const meanings = new Map<string, { gene: GeneSummary; others: GeneSummary[] }>()
  for (const { query, gene } of found) meanings.set(query, { gene, others: [] })
  for (const { query, genes } of ambiguous) meanings.set(query, { gene: genes[0]!, others: genes.slice(1) })
  const asked = new Map<string, AskedGene>()
  for (const name of names) {
    const meaning = meanings.get(name)
    if (meaning === undefined) continue
    const key = `${meaning.gene.assembly}/${meaning.gene.id}`
    if (!asked.has(key)) asked.set(key, { name, ...meaning })
  }
  return { asked: [...asked.values()], unknown }
}

const answerGene = async (
  { name, gene, others }: AskedGene,
  input: Input,
  /** Assemblies that the gene's own was compared with. */
  compared: string[],
  covered: string[],
  { data, signal }: Pick<EngineContext, 'data' | 'signal'>,
): Promise<HomologQuery> => {
  const [row] = await data.listHomologs(gene.assembly, [gene.id])
  const group = row === undefined || row.orthogroup === null ? null : await data.getOrthogroup(row.orthogroup)
  const lacking = await listLacking(data, gene)
  const bare = listBare(gene, row, group, lacking)
  const passing = bare.filter((one) => passes(one, input))
  const homologs = await addGenes(data, passing.slice(0, limits.rows))
  const loci =
    row === undefined
      ? []
      : await findLoci(
          data,
          { assembly: gene.assembly, gene: gene.id },
          homologs.filter(({ assembly }) => !lacking.has(assembly)),
        )
  // What the bounds of the table leave out is there all the same.
  const present = new Set([
    gene.assembly,
    ...bare.flatMap(({ assembly, relation }) => (relation === 'similar' || lacking.has(assembly) ? [] : [assembly])),
  ])
  const without =
    row === undefined
      ? []
      : compared.filter((id) => !present.has(id) && (input.assemblies.length === 0 || input.assemblies.includes(id)))
  const gaps = await findGeneGaps(data, gene, without.slice(0, maxRows - loci.length), { besides }, signal)
  // What stands beside a gap lies further from the gene than the rows reach.
  const marked = await markBrokenGenes(data, gene, 2 * besides + mostBetween, [...loci, ...gaps])
  return {
    name,
    gene,
    otherInterpretations: others.map(({ assembly, id }) => ({ assembly, id })),
    length: null,
    orthogroup: group === null ? null : renderGroup(group, covered),
    homologs,
    total: passing.length,
    lacking: covered.filter((id) => lacking.has(id)),
    loci: marked.slice(0, loci.length) as GeneLocus[],
    without,
    gaps: marked.slice(loci.length) as GeneGap[],
  }
}

const answerSequences = async (input: Input, covered: string[], context: EngineContext): Promise<HomologQuery[]> => {
  const { data } = context
  const { records, alphabet } = readSequences(input.sequence ?? '')
  const first = input.assembly ?? covered[0]!
  const geneticCode = (await data.listSequences(first, 1))[0]?.geneticCode ?? 1
  const found = await searchSequences(records, alphabet, { evalue: input.evalue, geneticCode }, context)
  const bundles = new Map<number, string>()
  for (const assembly of covered) bundles.set(await data.bundleNumber(assembly), assembly)
  const queries: HomologQuery[] = []
  for (const [number, record] of records.entries()) {
    const hits = found[number]!.flatMap((hit) => {
      const assembly = bundles.get(hit.bundle)
      return assembly === undefined ? [] : [{ ...hit, assembly }]
    })
    const best = hits[0]
    const id = best === undefined ? undefined : (await data.listOrthogroups(best.assembly, [best.gene])).get(best.gene)
    const group = id === undefined ? null : await data.getOrthogroup(id)
    const members = new Set(
      [...(group?.members ?? [])].flatMap(([assembly, genes]) => genes.map((gene) => `${assembly}/${gene}`)),
    )
    const passing = hits
      .map(
        (hit): Bare => ({
          assembly: hit.assembly,
          gene: hit.gene,
          relation: members.has(`${hit.assembly}/${hit.gene}`) ? 'member' : 'similar',
          identity: hit.identity,
          coverage: percent(hit.coverage),
          targetCoverage: percent(hit.targetCoverage),
          evalue: hit.evalue,
          bitScore: hit.bitScore,
          reciprocalBest: null,
          sharedNeighbours: null,
          neighbours: null,
          chosenBy: null,
        }),
      )
      .filter((one) => passes(one, input))
    const homologs = await addGenes(data, passing.slice(0, limits.rows))
    queries.push({
      name: record.name === '' ? `${number + 1}` : record.name,
      gene: null,
      otherInterpretations: [],
      length: record.sequence.length,
      orthogroup: group === null ? null : renderGroup(group, covered),
      homologs,
      total: passing.length,
      lacking: [],
      loci: await findLoci(data, null, homologs),
      without: [],
      gaps: [],
    })
  }
  return queries
}

export default defineEngine({
  tool,
  resources: () => ({ cores: searchThreads, memoryBytes: 4 * gibibyte }),
  programs: [...homologyPrograms, blastProgram('blastx')],
  run: async (input, context) => {
    const { data, receipt } = context
    const state = await data.getHomology()
    if (state === null || state.covered.length === 0)
      throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.notComputed' })
    for (const assembly of input.assemblies) await data.getAssembly(assembly)
    const assemblies = (await data.listAssemblies()).filter(({ id }) => state.covered.includes(id))
    const queries: HomologQuery[] = []
    let orthologs: OrthologTable | null = null
    if (input.by === 'sequence') queries.push(...(await answerSequences(input, state.covered, context)))
    else {
      const { asked, unknown } = await readGenes(input, data)
      const [only] = asked
      if (asked.length === 1 && unknown.length === 0) {
        const compared = state.missing.includes(only!.gene.assembly) ? [] : state.covered
        queries.push(await answerGene(only!, input, compared, state.covered, context))
      } else orthologs = { ...(await listOrthologs(asked, input, assemblies, context)), unknown }
    }
    receipt.addStep({
      program: 'NovoDB homologs',
      version: String(tool.version),
      formula: `computed ${state.computedAt}: longest proteins, pairs found by DIAMOND (nothing masked) and aligned by BLASTP (BLOSUM62, gaps 11 + 1, composition-based statistics, no SEG; DIAMOND's alignment where it has over ${lostFactor} times the bits and covers ${lostCoverage} of both proteins; e-value <= ${evalueLimit}); orthogroups: bit scores over their expectation by length, edges down to each gene's worst reciprocal best hit, MCL inflation ${inflation}; orthologs: reciprocal best by bit score x (1 + 0.5 x collinearity of 10 genes on each side), candidates from 0.6 of the best bit score`,
    })
    for (const { id } of assemblies) receipt.addData(id)
    for (const citation of Object.values(citations)) receipt.cite(citation)
    return {
      computedAt: state.computedAt,
      current: state.current,
      missing: state.missing,
      orthogroupCount: state.orthogroupCount,
      assemblies: assemblies.map(({ id, name, speciesName, partial }) => ({
        id,
        name,
        speciesName,
        partial: partial !== null,
      })),
      queries,
      orthologs,
    }
  },
})
