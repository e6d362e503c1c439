import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { geneticCodes } from '../../bio/sequence/genetic-codes.ts'
import { wrapFasta } from '../../bio/sequence/sequence.ts'
import { type FieldProblem, fieldError, PortalError } from '../../contracts/errors.ts'
import { usableCores } from '../../jobs/usable-cores.ts'
import { fetchGeneSequences, type GeneSequenceKind } from '../../kit/data/genes/gene-sequences.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { countBases, gibibyte } from '../../kit/job-resources.ts'
import { blastProgram } from '../../kit/programs.ts'
import { blastEnvironment, findDatabases, linkDatabases, pastedDatabase, searchFolder } from './databases.ts'
import { resolveSettings } from './form/settings.ts'
import { archiveFile } from './hits/formats.ts'
import { hspFile, indexHits } from './hits/hit-store.ts'
import { hspColumns, renderSubjectTitle } from './hits/tabular.ts'
import { alphabetOfKind, type DatabaseKind, programFacts } from './programs.ts'
import { parseSequences, type SequenceProblem } from './queries.ts'
import { routes } from './routes.ts'
import { havingDatabase, planScope } from './search-scope.ts'
import type { BlastInput, BlastResult } from './tool.ts'
import tool from './tool.ts'

const queryFile = 'query.fasta'
const subjectFile = 'subjects.fasta'

interface QueryEntry {
  id: string
  description: string
  sequence: string
  gene: string | null
}

/** More threads than this gain little on a portal's databases, and others want to search too. */
const maxThreads = 4

/** Header words as BLAST can carry them: printable ASCII, of a length that its reports can hold. */
const headerText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 900)

const sequenceError = (field: string, problems: readonly SequenceProblem[]): PortalError => {
  const first = problems[0]!
  return new PortalError('INVALID_INPUT', {
    message: first.message,
    params: first.params,
    problems: problems.map(({ message, params }): FieldProblem => ({ path: [field], message, params })),
  })
}

const collectQueries = async (
  input: BlastInput,
  context: EngineContext,
): Promise<
  { entries: QueryEntry[] } & Pick<BlastResult, 'unknownGenes' | 'ambiguousGenes' | 'genesWithoutSequence'>
> => {
  const alphabet = programFacts[input.program].query
  const entries: QueryEntry[] = []
  const unknownGenes: string[] = []
  const ambiguousGenes: BlastResult['ambiguousGenes'] = []
  const genesWithoutSequence: string[] = []

  if (input.genes !== undefined && input.genes.length > 0) {
    const kind: GeneSequenceKind | 'auto-nucleotide' =
      input.geneSequence !== 'auto' ? input.geneSequence : alphabet === 'protein' ? 'protein' : 'auto-nucleotide'
    if ((kind === 'protein') !== (alphabet === 'protein'))
      throw fieldError(['geneSequence'], 'geneSequence.otherAlphabet', { program: input.program })
    const resolved = await context.data.resolveGenes(input.genes, input.assembly)
    unknownGenes.push(...resolved.unknown)
    for (const { query, genes } of resolved.ambiguous)
      ambiguousGenes.push({
        name: query,
        interpretations: genes.slice(0, 10).map((gene) => `${gene.assembly}: ${gene.id}`),
      })
    const byAssembly = new Map<string, string[]>()
    for (const { gene } of resolved.found)
      byAssembly.set(gene.assembly, [...(byAssembly.get(gene.assembly) ?? []), gene.id])
    for (const [assembly, ids] of byAssembly) {
      const unique = [...new Set(ids)]
      const { queries, without } = await fetchGeneSequences(assembly, unique, kind, context.data, context.signal)
      for (const query of queries) entries.push(query)
      genesWithoutSequence.push(...without)
      context.receipt.addData(assembly)
    }
    if (entries.length === 0 && input.query.trim() === '') {
      if (ambiguousGenes.length > 0)
        throw fieldError(['genes'], 'genes.ambiguous', {
          names: ambiguousGenes
            .map(({ name, interpretations }) => `${name} (${interpretations.join('; ')})`)
            .join(', ')
            .slice(0, 500),
        })
      if (genesWithoutSequence.length > 0)
        throw fieldError(['genes'], 'genes.noSequence', { names: genesWithoutSequence.slice(0, 20).join(', ') })
      throw fieldError(['genes'], 'genes.unknown', { names: unknownGenes.slice(0, 20).join(', ') })
    }
  }
  if (input.query.trim() !== '') {
    const { records, problems } = parseSequences(input.query, alphabet)
    if (problems.length > 0) throw sequenceError('query', problems)
    for (const { name, description, sequence } of records) entries.push({ id: name, description, sequence, gene: null })
  }
  if (entries.length === 0) throw fieldError(['query'], 'query.none')
  if (entries.length > tool.limits.queries!)
    throw fieldError(['query'], 'query.tooMany', { count: entries.length, maximum: tool.limits.queries! })
  const residues = entries.reduce((sum, entry) => sum + entry.sequence.length, 0)
  if (residues > tool.limits.queryCharacters!)
    throw fieldError([input.query.trim() === '' ? 'genes' : 'query'], 'query.tooLong', {
      maximum: tool.limits.queryCharacters!,
    })
  return { entries, unknownGenes, ambiguousGenes, genesWithoutSequence }
}

/** The code of the longest sequence of the first assembly that has one: that of the nucleus or the main chromosome. */
const findGeneticCode = async (assembly: string | undefined, data: PortalData): Promise<number> => {
  if (assembly === undefined) return 1
  const sequences = await data.listSequences(assembly)
  return (
    sequences.reduce((best, one) => (best === null || one.lengthBp > best.lengthBp ? one : best), sequences[0] ?? null)
      ?.geneticCode ?? 1
  )
}

/** Codes 1 and 11 differ in their start codons alone, which a search does not look at. */
const translatesAlike = (a: number, b: number): boolean =>
  a === b || geneticCodes.get(a)?.aminoAcids === geneticCodes.get(b)?.aminoAcids

/** What a failure of a search program means: its exit statuses are listed in the BLAST+ user manual ("exit codes"). */
const explainFailure = (exitCode: number, errorText: string): PortalError | null => {
  const reason = errorText
    .split('\n')
    .map((line) => line.replace(/^.*?(BLAST (query\/options|engine) error|Error): */, '').trim())
    .find((line) => line !== '' && !line.startsWith('Please refer') && !line.startsWith('Warning'))
  if (exitCode === 4 || /out of memory|bad_alloc/i.test(errorText))
    return new PortalError('ENGINE_LIMIT', { message: 'engine.outOfMemory' })
  // 1: query or options; 3: engine, which also says so of scores and costs that it has no statistics for.
  if (exitCode === 1 || (exitCode === 3 && /not supported|substitution scores|gap (existence|costs)/i.test(errorText)))
    return new PortalError('INVALID_INPUT', {
      message: 'engine.refused',
      params: { reason: (reason ?? '').slice(0, 300) },
    })
  return null
}

const makePastedDatabase = async (input: BlastInput, context: EngineContext): Promise<number> => {
  const alphabet = programFacts[input.program].database
  const { records, problems } = parseSequences(input.subject, alphabet, { uniqueNames: true })
  if (problems.length > 0) throw sequenceError('subject', problems)
  const fasta = records.map((record) =>
    wrapFasta(
      renderSubjectTitle({
        ...record,
        gene: null,
        symbol: null,
        description: record.description.slice(0, 500),
        assembly: null,
        kind: null,
      }),
      record.sequence,
    ),
  )
  await pipeline(Readable.from(fasta), createWriteStream(join(context.directory, subjectFile)))
  await context.runProgram({
    program: 'makeblastdb',
    arguments: [
      '-in',
      subjectFile,
      '-dbtype',
      alphabet === 'protein' ? 'prot' : 'nucl',
      '-title',
      'pasted sequences',
      '-out',
      `${searchFolder}/${pastedDatabase}`,
      '-blastdb_version',
      '5',
    ],
    outputFile: 'makeblastdb.log',
    explainFailure,
  })
  return records.length
}

/** Warnings of a search program about queries and parameters; hints about its own usage are left out. */
const readWarnings = (errorText: string): string[] =>
  [
    ...new Set(
      errorText
        .split('\n')
        .map((line) => line.replace(/^Warning: (\[\w+\] )?/, '').trim())
        .filter((line) => line !== '' && !/Examining 5 or more matches/.test(line)),
    ),
  ].slice(0, 200)

/** The databases named, or all that are loaded where none is; pasted sequences are searched alone unless databases are named too. */
const chooseDatabases = async (
  input: BlastInput,
  pasted: boolean,
  data: PortalData,
): Promise<{ names: string[]; scope: BlastResult['scope'] }> => {
  const loaded = await data.listAssemblies()
  if (input.species !== undefined && !loaded.some((one) => one.species === input.species))
    throw fieldError(['species'], 'species.unknown', { species: input.species })
  if (input.databases !== undefined) {
    const names = [...new Set(input.databases)]
    const kinds = new Set(names.map((name) => name.slice(name.lastIndexOf('/') + 1) as DatabaseKind))
    const having = new Set([...kinds].flatMap((kind) => havingDatabase(loaded, kind).map((one) => one.id)))
    return { names, scope: { chosenBy: 'reader', available: having.size, leftOut: [] } }
  }
  if (pasted) return { names: [], scope: undefined }
  const { names, leftOut, available } = planScope(loaded, input.program, input)
  if (names.length === 0) throw fieldError(['databases'], 'databases.none')
  return { names, scope: { chosenBy: input.species === undefined ? 'all' : 'species', available, leftOut } }
}

export default defineEngine({
  tool,
  // The databases are mapped into memory, two bits to a base; hits are held until they are written.
  resources: async ({ databases }, data) => ({
    cores: maxThreads,
    memoryBytes:
      4 * gibibyte +
      (databases === undefined
        ? 0
        : await countBases(
            data,
            databases.map((name) => name.split('/')[0]!),
          )),
  }),
  programs: [
    blastProgram('blastn'),
    blastProgram('blastp'),
    blastProgram('blastx'),
    blastProgram('tblastn'),
    blastProgram('tblastx'),
    blastProgram('blast_formatter'),
    blastProgram('makeblastdb'),
  ],
  run: async (input, context): Promise<BlastResult> => {
    const { data, directory, signal } = context
    context.progress(null, 'step.reading')
    const pasted = input.subject.trim() !== ''
    const { names, scope } = await chooseDatabases(input, pasted, data)
    const facts = programFacts[input.program]

    // What can be wrong with the form is found before anything is run.
    const databases = await findDatabases(names, input.program, data)
    const collected = await collectQueries(input, context)
    const settings = resolveSettings(input, {
      query: await findGeneticCode(input.assembly ?? databases[0]?.assembly, data),
      database: await findGeneticCode(databases[0]?.assembly, data),
    })
    for (const { assembly } of databases) context.receipt.addData(assembly)

    await pipeline(
      Readable.from(
        (function* () {
          for (const { id, description, sequence } of collected.entries)
            yield wrapFasta(headerText(`${id} ${description}`.trim()), sequence)
        })(),
      ),
      createWriteStream(join(directory, queryFile)),
    )
    const searched: BlastResult['databases'] = databases.map((database) => ({
      name: database.name,
      assembly: database.assembly,
      kind: database.kind,
      sequences: database.sequences,
    }))
    if (pasted) {
      const sequences = await makePastedDatabase(input, context)
      searched.push({ name: pastedDatabase, assembly: null, kind: null, sequences })
    }
    await linkDatabases(databases, directory, data)

    context.progress(null, 'step.searching')
    const search = await context.runProgram({
      program: input.program,
      arguments: [
        '-query',
        queryFile,
        '-db',
        searched.map((database) => database.name).join(' '),
        ...settings.arguments,
        '-num_threads',
        String(usableCores(maxThreads)),
        '-outfmt',
        '11',
        '-out',
        archiveFile,
      ],
      environment: blastEnvironment(directory),
      explainFailure,
    })

    context.progress(0.8, 'step.formatting')
    await context.runProgram({
      program: 'blast_formatter',
      arguments: [
        '-archive',
        archiveFile,
        '-outfmt',
        `7 ${hspColumns.join(' ')}`,
        // Without it the formatter shows 500 subjects of however many the archive holds.
        '-max_target_seqs',
        String(settings.maxTargetSeqs),
        '-out',
        hspFile,
      ],
      environment: blastEnvironment(directory),
    })
    context.progress(0.9, 'step.indexing')
    const pastedKind: DatabaseKind = facts.database === 'protein' ? 'protein' : 'genome'
    const { queries, best, equal, assemblies } = await indexHits({
      directory,
      queryCount: collected.entries.length,
      pastedKind,
      signal,
    })
    cite(context, input.program)

    const otherGeneticCodes: BlastResult['otherGeneticCodes'] = []
    if (settings.databaseGeneticCode !== null)
      for (const assembly of new Set(
        databases.filter((one) => alphabetOfKind(one.kind) === 'nucleotide').map((one) => one.assembly),
      ))
        for (const sequence of await data.listSequences(assembly))
          if (!translatesAlike(sequence.geneticCode, settings.databaseGeneticCode) && otherGeneticCodes.length < 50)
            otherGeneticCodes.push({ sequence: sequence.name, assembly, geneticCode: sequence.geneticCode })

    const result: BlastResult = {
      program: input.program,
      task: settings.task,
      databases: searched,
      scope,
      settings: {
        evalue: settings.evalue,
        maxTargetSeqs: settings.maxTargetSeqs,
        wordSize: settings.wordSize,
        scores: settings.scores,
        matrix: settings.matrix,
        gapCosts: settings.gapCosts,
        queryGeneticCode: settings.queryGeneticCode,
        databaseGeneticCode: settings.databaseGeneticCode,
      },
      queries: collected.entries.map((entry, at) => {
        const locus = queries[at]!
        const hit = best[at] ?? null
        return {
          id: entry.id,
          description: entry.description.slice(0, 500),
          lengthResidues: entry.sequence.length,
          gene: entry.gene,
          hits: locus.hits,
          hsps: locus.hsps,
          full: locus.hits >= settings.maxTargetSeqs,
          assemblies: assemblies[at]!,
          equalToBest: equal[at]!,
          best:
            hit === null
              ? null
              : {
                  subject: hit.subject,
                  gene: hit.gene,
                  title: hit.title,
                  assembly: hit.assembly,
                  kind: hit.kind,
                  evalue: hit.evalue,
                  bitScore: hit.bitScore,
                  identityPercent: hit.identityPercent,
                  queryCoveragePercent: hit.queryCoveragePercent,
                },
        }
      }),
      hits: queries.reduce((sum, query) => sum + query.hits, 0),
      hsps: queries.reduce((sum, query) => sum + query.hsps, 0),
      unknownGenes: collected.unknownGenes,
      ambiguousGenes: collected.ambiguousGenes,
      genesWithoutSequence: collected.genesWithoutSequence,
      otherGeneticCodes,
      warnings: readWarnings(search.errorText),
    }
    return result
  },
  routes,
})

const cite = ({ receipt }: EngineContext, program: BlastInput['program']): void => {
  receipt.cite({
    text: 'Camacho C et al. (2009) BLAST+: architecture and applications. BMC Bioinformatics 10:421',
    doi: '10.1186/1471-2105-10-421',
  })
  if (program === 'blastn')
    receipt.cite({
      text: 'Zhang Z, Schwartz S, Wagner L, Miller W (2000) A greedy algorithm for aligning DNA sequences. J Comput Biol 7:203-214',
      doi: '10.1089/10665270050081478',
    })
  else
    receipt.cite({
      text: 'Altschul SF et al. (1997) Gapped BLAST and PSI-BLAST: a new generation of protein database search programs. Nucleic Acids Res 25:3389-3402',
      doi: '10.1093/nar/25.17.3389',
    })
}
