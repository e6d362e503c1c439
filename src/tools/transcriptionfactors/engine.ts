import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { type FieldProblem, fieldError, PortalError } from '../../contracts/errors.ts'
import { usableCores } from '../../jobs/usable-cores.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { gibibyte } from '../../kit/job-resources.ts'
import { findProteins, type Query, readProteins } from './find-proteins.ts'
import { type DomainHit, parseDomainTable } from './profiles/domain-hits.ts'
import { citations, profilesOf, requirements, searchArguments } from './profiles/search-profiles.ts'
import { routes } from './routes.ts'
import { giveVerdict, hitsAsDomains, openRules, type RuleBook } from './rules/give-verdict.ts'
import { parseRuleFile } from './rules/rule-file.ts'
import { getAbout, profileSets, profilesPath, rulesPath, type StoredAbout } from './stored.ts'
import type { Protein } from './tool.ts'
import tool from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** Proteins that one run of hmmscan searches: progress is told after each. */
const chunkSize = 500

/** Threads of hmmscan. */
const maxThreads = 4

/** Genes of each family that an example without names takes. */
const exampleGenes = 30

const openBook = async (about: StoredAbout, assembly: string, data: PortalData): Promise<RuleBook> => {
  const path = await data.bundleFile(assembly, rulesPath)
  if (path === null) throw new Error(`The bundle of ${assembly} has no rules.`)
  const { file, defects } = parseRuleFile(await readFile(path, 'utf8'))
  if (defects.length > 0 || file.rules.length === 0) throw new Error(`The rules of ${assembly} cannot be read.`)
  return openRules(file, about.domains, about.profiles)
}

/** Domains by the number of the protein, as hmmscan finds them with each set of profiles. */
const scan = async (
  queries: Query[],
  about: StoredAbout,
  { data, directory, runProgram, progress, signal }: EngineContext,
  assembly: string,
): Promise<Map<string, DomainHit[]>> => {
  const hits = new Map<string, DomainHit[]>()
  const sets = profileSets.filter((set) => profilesOf(about.profiles, set).length > 0)
  const chunks = Math.ceil(queries.length / chunkSize)
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    progress(chunk / chunks, 'step.scan')
    signal.throwIfAborted()
    const from = chunk * chunkSize
    const own = queries.slice(from, from + chunkSize)
    await writeFile(
      join(directory, 'proteins.fa'),
      own.map(({ protein }, number) => `>${from + number}\n${protein}\n`).join(''),
    )
    for (const set of sets) {
      const profiles = await data.bundleFile(assembly, profilesPath(set))
      if (profiles === null) throw new Error(`The bundle of ${assembly} has no profiles ${set}.`)
      await runProgram({
        program: 'hmmscan',
        arguments: searchArguments({
          set,
          profileCount: about.profiles.length,
          evalue: about.evalue,
          threads: usableCores(maxThreads),
          table: 'domains.tbl',
          profiles,
          proteins: 'proteins.fa',
        }),
      })
      const found = parseDomainTable(await readFile(join(directory, 'domains.tbl'), 'latin1'), 'hmmscan')
      for (const [protein, domains] of found) hits.set(protein, [...(hits.get(protein) ?? []), ...domains])
    }
  }
  progress(1, 'step.scan')
  return hits
}

const findGenes = async (input: Input, about: StoredAbout, { data, signal }: EngineContext) => {
  const names = input.genes ?? about.examples.slice(0, exampleGenes)
  if (names.length === 0) throw fieldError(['genes'], 'problem.noGene')
  const found = await findProteins(names, input.assembly, data, signal)
  if (found.queries.length > 0) return found
  if (found.unknown.length === 0) throw fieldError(['genes'], 'problem.noProtein', { count: found.noProtein.length })
  const problems = found.unknown
    .slice(0, 20)
    .map((name): FieldProblem => ({ path: ['genes'], message: 'problem.unknownGene', params: { name } }))
  const [first] = problems
  throw new PortalError('UNKNOWN_GENE', { message: first!.message, params: first!.params ?? {}, problems })
}

export default defineEngine({
  tool,
  resources: () => ({ cores: maxThreads, memoryBytes: 4 * gibibyte }),
  programs: requirements,
  bounds: { timeoutMs: 30 * 60_000 },
  routes,
  run: async (input, context) => {
    const { data, receipt } = context
    const { id: assembly } = await data.getAssembly(input.assembly)
    const about = await getAbout(data, assembly)
    if (about === null || about.profiles.length === 0)
      throw fieldError(['assembly'], 'problem.noProfiles', { assembly })
    const found =
      input.by === 'genes'
        ? await findGenes(input, about, context)
        : { queries: readProteins(input.sequence ?? ''), unknown: [], noProtein: [], ambiguous: [] }
    const book = await openBook(about, assembly, data)
    const profiles = new Map(about.profiles.map((profile) => [profile.name, profile]))
    const hits = await scan(found.queries, about, context, assembly)
    const proteins = found.queries.map(({ name, gene, transcript, protein }, number): Protein => {
      const domains = hitsAsDomains(hits.get(String(number)) ?? [], book, profiles)
      return { name, gene, transcript, length: protein.length, ...giveVerdict(domains, book) }
    })
    receipt.addStep({
      program: 'family rules',
      version: String(tool.version),
      formula:
        'overlapping domains (more than half of the shorter envelope): lowest e-value; family: required domains met, no forbidden one, most copies asked for, then most auxiliary, then highest bits',
    })
    receipt.addData(assembly)
    receipt.cite(citations.hmmer)
    receipt.cite(citations.rules)
    return {
      assembly,
      profileCount: about.profiles.length,
      withoutThreshold: profilesOf(about.profiles, 'evalue').length,
      evalue: about.evalue,
      proteins,
      unknown: found.unknown,
      noProtein: found.noProtein,
      ambiguous: found.ambiguous,
      rules: about.rules,
      labels: about.labels,
    }
  },
})
