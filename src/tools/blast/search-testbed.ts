import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GeneModel } from '../../bio/annotation/gene-models.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { createProgramRunner, type ProgramRunner } from '../../jobs/program.ts'
import { type FoundProgram, findPrograms } from '../../jobs/programs.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { ToolRouteAnswer } from '../../kit/engine.ts'
import { runTool } from '../../kit/run-tool.ts'
import { askRoute, makeBakeContext, searchPath } from '../../testing/contexts.ts'
import engine from './engine.ts'
import loader from './load.ts'
import { type BlastResult, inputSchema } from './tool.ts'

export interface TestbedGene {
  id: string
  symbol: string | null
  description: string | null
  sequence: string
  start: number
  end: number
  strand: '+' | '-'
}

export interface TestbedAssembly {
  id: string
  /** Its own species, "species", unless told. */
  species?: string
  /** FASTA texts; transcripts, CDS and proteins are named by gene. */
  genome: string
  cds?: string
  proteins?: string
  genes?: TestbedGene[]
  geneticCodes?: Record<string, number>
}

export interface Testbed {
  data: PortalData
  dataDir: string
  /** Counts that the loader gave, by assembly. */
  counts: Map<string, Record<string, number>>
  defects: string[]
  /** Runs the tool as a worker does. */
  run(input: unknown, signal?: AbortSignal): Promise<{ result: BlastResult; receipt: Receipt; directory: string }>
  /** Asks one of its routes about a run. */
  ask(
    path: string,
    query: Record<string, string>,
    run: { result: BlastResult; receipt: Receipt; directory: string },
  ): Promise<ToolRouteAnswer>
  /** Runs a program in a directory with the databases in reach, as one would by hand. */
  byHand(program: string, args: string[], queryFasta: string): Promise<string>
  close(): void
}

export const jobId = '0'.repeat(32)

let found: Promise<FoundProgram[]> | null = null
const findBlast = (): Promise<FoundProgram[]> => {
  found ??= findPrograms(engine.programs, searchPath)
  return found
}

const readLengths = (fasta: string): { name: string; lengthBp: number; bases: string }[] =>
  fasta
    .split(/^>/m)
    .slice(1)
    .map((record) => {
      const end = record.indexOf('\n')
      const bases = record.slice(end + 1).replace(/\s+/g, '')
      return { name: record.slice(0, end).split(/\s/)[0]!, lengthBp: bases.length, bases }
    })

/** Records in the order of the genes, as the loader writes proteins and coding sequences; what no gene names comes last. */
const inGeneOrder = (fasta: string | undefined, genes: TestbedGene[]): string | undefined => {
  if (fasta === undefined) return undefined
  const indexes = new Map(genes.map(({ id }, index) => [id, index]))
  const placeOf = (record: string): number => indexes.get(record.slice(1).split(/\s/, 1)[0]!) ?? genes.length
  const records = fasta.split(/^(?=>)/m)
  return records.sort((a, b) => placeOf(a) - placeOf(b)).join('')
}

/**
 * Assemblies as the tool sees them: databases baked by its own loader with the real makeblastdb, and the parts of the portal's data
 * that searches ask for, over the texts given.
 */
export const openTestbed = async (assemblies: TestbedAssembly[]): Promise<Testbed> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'novodb blast '))
  const programs = await findBlast()
  const counts = new Map<string, Record<string, number>>()
  const defects: string[] = []
  const known = new Map(
    assemblies.map((assembly) => [
      assembly.id,
      {
        ...assembly,
        genes: assembly.genes ?? [],
        directory: join(dataDir, 'bundles', `b-${assembly.id}`),
        files: new Map<string, string>(),
        sequences: readLengths(assembly.genome),
      },
    ]),
  )
  const runnerIn = (directory: string, signal: AbortSignal): ProgramRunner =>
    createProgramRunner({ directory, signal, searchPath, programs })
  const never = new AbortController().signal
  const get = (id: string) => {
    const assembly = known.get(id)
    if (assembly === undefined) throw new PortalError('UNKNOWN_ASSEMBLY', { params: { assembly: id } })
    return assembly
  }
  const summaryOf = (assembly: string, gene: TestbedGene): GeneSummary => ({
    ...gene,
    assembly,
    biotype: 'protein_coding',
  })

  for (const assembly of known.values()) {
    const scratch = mkdtempSync(join(dataDir, 'scratch '))
    mkdirSync(assembly.directory, { recursive: true })
    const add = (kind: string, text: string | undefined): void => {
      if (text === undefined) return
      writeFileSync(join(assembly.directory, `${kind}.fa`), text)
      assembly.files.set(kind, join(assembly.directory, `${kind}.fa`))
    }
    add('genome', assembly.genome)
    add('cds', inGeneOrder(assembly.cds, assembly.genes))
    add('proteins', inGeneOrder(assembly.proteins, assembly.genes))
    const { context } = makeBakeContext({
      assembly: assembly.id,
      directory: assembly.directory,
      signal: never,
      genes: async function* () {
        for (const gene of assembly.genes)
          yield {
            id: gene.id,
            symbol: gene.symbol,
            description: gene.description,
            transcripts: [{ id: gene.id }],
          } as GeneModel
      },
      bakedFile: (kind) => assembly.files.get(kind) ?? null,
      addFile: (path) => void assembly.files.set(path, join(assembly.directory, path)),
      report: (_catalogue, defect) => void defects.push(defect.code),
      scratch,
      runProgram: (run) => runnerIn(scratch, never)(run),
    })
    counts.set(assembly.id, await loader.bake(null, context))
  }

  const assemblySummary = (id: string): AssemblySummary =>
    ({
      id,
      species: get(id).species ?? 'species',
      reference: assemblies[0]?.id === id,
      bundle: `b-${get(id).id}`,
      checksum: 'test',
      dataTypes: { ...counts.get(id), genes: get(id).genes.length },
      sequences: get(id).sequences,
    }) as unknown as AssemblySummary
  const data: Partial<PortalData> = {
    getAssembly: async (id) => assemblySummary(id),
    listAssemblies: async () => assemblies.map(({ id }) => assemblySummary(id)),
    listSequences: async (id) =>
      get(id).sequences.map(({ name, lengthBp }) => ({
        name,
        lengthBp,
        circular: false,
        geneticCode: get(id).geneticCodes?.[name] ?? 1,
        aliases: [],
      })),
    fetchSequence: async (id, sequence, start1, end1) =>
      get(id)
        .sequences.find(({ name }) => name === sequence)!
        .bases.slice(start1 - 1, end1),
    bundleFile: async (id, kind) => get(id).files.get(kind) ?? null,
    bundleFiles: async (id) => get(id).directory,
    bundleDirectory: async (id) => get(id).directory,
    getGenes: async (id, ids) =>
      ids.flatMap((wanted) => {
        const gene = get(id).genes.find((one) => one.id === wanted)
        return gene !== undefined
          ? [
              {
                ...summaryOf(id, gene),
                name: null,
                aliases: [],
                attributes: {},
                proteinLength: null,
                transcripts: [
                  {
                    id: gene.id,
                    biotype: 'mRNA',
                    start: gene.start,
                    end: gene.end,
                    exons: [[gene.start, gene.end] as [number, number]],
                    cds: [[gene.start, gene.end, 0] as [number, number, number]],
                    proteinId: null,
                    proteinLength: null,
                  },
                ],
              },
            ]
          : []
      }),
    resolveGenes: async (names, id) => {
      const answer: Awaited<ReturnType<PortalData['resolveGenes']>> = { found: [], ambiguous: [], unknown: [] }
      for (const query of names) {
        const genes = [...known.values()]
          .filter((assembly) => id === undefined || assembly.id === id)
          .flatMap((assembly) =>
            assembly.genes
              .filter((gene) => gene.id === query || gene.symbol === query)
              .map((gene) => summaryOf(assembly.id, gene)),
          )
        if (genes.length === 0) answer.unknown.push(query)
        else if (genes.length === 1) answer.found.push({ query, gene: genes[0]! })
        else answer.ambiguous.push({ query, genes })
      }
      return answer
    },
    listGenesInRegion: async (id, sequence, start1, end1, limit) =>
      get(id)
        .genes.filter((gene) => gene.sequence === sequence && gene.start <= end1 && gene.end >= start1)
        .slice(0, limit)
        .map((gene) => summaryOf(id, gene)),
  }
  const portalData = data as PortalData
  let runs = 0

  return {
    data: portalData,
    dataDir,
    counts,
    defects,
    run: async (input, signal = never) => {
      runs += 1
      const directory = join(dataDir, 'jobs', String(runs))
      mkdirSync(directory, { recursive: true })
      const { result, receipt } = await runTool(engine, {
        input: inputSchema.parse(input),
        data: portalData,
        directory,
        dataDir,
        searchPath,
        programs,
        portalVersion: 'test',
        signal,
        bounds: { timeoutMs: 60_000, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024 ** 3 },
        onProgress: () => undefined,
      })
      return { result: result as BlastResult, receipt, directory }
    },
    ask: async (path, query, { result, receipt, directory }) => {
      const answerDirectory = mkdtempSync(join(dataDir, 'answer-'))
      return askRoute(
        engine,
        path,
        { job: jobId, ...query },
        {
          data: portalData,
          openJob: async () => ({ directory, input: {}, result, receipt }),
          runProgram: runnerIn(answerDirectory, never),
        },
      )
    },
    byHand: async (program, args, queryFasta) => {
      const directory = mkdtempSync(join(dataDir, 'hand-'))
      writeFileSync(join(directory, 'q.fa'), queryFasta)
      for (const assembly of known.values()) {
        mkdirSync(join(directory, assembly.id))
        for (const file of readdirSync(join(assembly.directory, 'blast')))
          writeFileSync(join(directory, assembly.id, file), readFileSync(join(assembly.directory, 'blast', file)))
      }
      await runnerIn(
        directory,
        never,
      )({
        program,
        arguments: ['-query', 'q.fa', ...args, '-out', 'out'],
        environment: { BLASTDB: directory },
      })
      return readFileSync(join(directory, 'out'), 'utf8')
    },
    close: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
