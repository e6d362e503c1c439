import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { usableCores } from '../../jobs/usable-cores.ts'
import type { ComputedParts, PartRun, PartsSession, PortalBakeContext } from '../../kit/loader.ts'
import { createPairAligner, type ProteinNumbers } from './align-pairs.ts'
import { blastpProduct, candidateEvalue, evalueLimit, targetLimit } from './method.ts'
import { alignmentColumns, PairTable, parseAlignment, writePairFile } from './pair-file.ts'
import type { Proteome } from './proteome.ts'

/** What searches run, and what their results are kept for. */
export const searchPrograms = ['diamond', 'blastp', 'makeblastdb']

/** File of the hits of one pair of proteomes. */
const hitsFile = 'hits.tsv.gz'

/** A proteome, its proteins as FASTA named by the numbers of their genes, and the digest of both. */
export interface WrittenProteome {
  proteome: Proteome
  /** Absolute path. */
  fasta: string
  digest: string
}

const sensitive = ['--very-sensitive']

/** Genomes are close when this share of proteins has a hit, and half of them one of this identity (percent). */
const closeShare = 0.75
const closeIdentity = 80

/** Pairs as a program aligns them, those of each query together, the best first. */
const readTable = async (table: string): Promise<PairTable> => {
  const pairs = new PairTable()
  for await (const line of createInterface({ input: createReadStream(table), crlfDelay: Number.POSITIVE_INFINITY })) {
    const pair = parseAlignment(line)
    if (pair !== null) pairs.push(pair)
  }
  return pairs
}

/**
 * Whether DIAMOND's own mode, made for proteins of over 60 % identity, has found what there is: among close genomes it takes a fifth
 * of the time of the sensitive one. What a lab puts into one species folder says nothing of how close it is.
 */
const areClose = (pairs: PairTable, queryCount: number): boolean => {
  const identities: number[] = []
  for (let at = 0; at < pairs.length; at += 1)
    if (at === 0 || pairs.a[at - 1] !== pairs.a[at]) identities.push(pairs.get(at).identity)
  identities.sort((a, b) => a - b)
  return identities.length >= closeShare * queryCount && identities[Math.floor(identities.length / 2)]! >= closeIdentity
}

/** Of two proteomes by their digests, which is searched in which: so it is the same whichever was loaded first. */
const orient = <Side extends { digest: string }>(one: Side, other: Side): [query: Side, target: Side] =>
  one.digest >= other.digest ? [one, other] : [other, one]

const pairSchema = z.object({ query: z.number().int(), target: z.number().int() })

export interface PairHitFiles {
  /** File of the hits of two proteomes, and whether the first is the query. */
  fileOf(one: WrittenProteome, other: WrittenProteome): Promise<{ file: string; straight: boolean }>
  pairs: number
  kept: number
}

/**
 * Has every pair of proteomes searched, and each in itself, in one direction: scores are taken as the same both ways. Resolves to the
 * program that is missing where one is.
 */
export const searchPairs = async (
  written: readonly WrittenProteome[],
  session: PartsSession,
  share: number,
  context: Pick<PortalBakeContext, 'computeParts'>,
): Promise<PairHitFiles | { missing: string }> => {
  const bundleOf = ({ proteome }: WrittenProteome): number => proteome.assembly.bundle
  const partOf = (one: WrittenProteome, other: WrittenProteome) => {
    const [query, target] = orient(one, other).map(bundleOf) as [number, number]
    return { of: [query, target] as const, input: { query, target } satisfies z.input<typeof pairSchema> }
  }
  // By target, whose database whoever takes the next pair is likely to have.
  const parts = [...written]
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
    .flatMap((target, t, sorted) => sorted.slice(t).map((query) => partOf(query, target)))
  const contents = new Map(written.map((one) => [bundleOf(one), one.digest]))
  const computed: ComputedParts | { missing: string } = await context.computeParts(session, { contents, parts, share })
  if ('missing' in computed) return computed
  return {
    fileOf: async (one, other) => ({
      file: join(await computed.folderOf(partOf(one, other).of), hitsFile),
      straight: orient(one, other)[0] === one,
    }),
    pairs: parts.length,
    kept: computed.keptCount,
  }
}

/** Searches pairs of proteomes that `read` gives: DIAMOND proposes hits, with nothing masked; BLASTP aligns them. */
export const openSearches = (
  scratch: string,
  sequences: ProteinNumbers,
  read: (bundle: number) => Promise<WrittenProteome>,
): PartsSession => {
  const align = createPairAligner(sequences)
  const databases: Databases = { folder: scratch, made: new Map() }
  return {
    compute: async (input, run) => {
      const pair = pairSchema.parse(input)
      const query = await read(pair.query)
      const other = await read(pair.target)
      // Two genomes may have the same proteins, and what is kept is known by these alone.
      const target = other.digest === query.digest ? query : other
      const isSmall = query.proteome.residues * target.proteome.residues <= blastpProduct
      const hits = isSmall
        ? await searchByBlastp(query, target, databases, run)
        : await align(
            query.proteome,
            target.proteome,
            { query: query.fasta, target: target.fasta },
            await proposePairs(query, target, databases, run),
            run,
          )
      await writePairFile(hits, join(run.directory, hitsFile))
    },
  }
}

/** Databases of programs, each made once for all searches in it. */
interface Databases {
  folder: string
  made: Map<string, Promise<unknown>>
}

const makeDatabase = async (
  { folder, made }: Databases,
  target: WrittenProteome,
  kind: 'blast' | 'dmnd',
  run: PartRun,
): Promise<string> => {
  const database = join(folder, `${target.digest}.${kind}`)
  const making =
    made.get(database) ??
    run.runProgram(
      kind === 'blast'
        ? { program: 'makeblastdb', arguments: ['-in', target.fasta, '-dbtype', 'prot', '-out', database] }
        : {
            program: 'diamond',
            arguments: [
              ...['makedb', '--in', target.fasta, '--db', database, '--threads', String(usableCores()), '--quiet'],
            ],
          },
    )
  made.set(database, making)
  await making.catch((error: unknown) => {
    made.delete(database)
    throw error
  })
  return database
}

const proposePairs = async (
  query: WrittenProteome,
  target: WrittenProteome,
  databases: Databases,
  run: PartRun,
): Promise<PairTable> => {
  const database = await makeDatabase(databases, target, 'dmnd', run)
  const table = 'candidates.tsv'
  const search = async (mode: string[]): Promise<PairTable> => {
    await run.runProgram({
      program: 'diamond',
      arguments: [
        ...['blastp', '--query', query.fasta, '--db', database, '--out', table, ...mode],
        // Repeats are part of a protein: where they are masked, proteins that consist of them have no homolog at all.
        ...['--masking', 'none', '--evalue', String(candidateEvalue), '--max-target-seqs', String(targetLimit)],
        ...['--max-hsps', '1', '--index-chunks', '1', '--threads', String(usableCores()), '--quiet'],
        ...['--outfmt', '6', ...alignmentColumns],
      ],
    })
    return readTable(join(run.scratch, table))
  }
  // Copies within a genome may be old: no quick look there.
  if (query !== target) {
    const pairs = await search([])
    if (areClose(pairs, query.proteome.genes.length)) return pairs
  }
  return search(sensitive)
}

const searchByBlastp = async (
  query: WrittenProteome,
  target: WrittenProteome,
  databases: Databases,
  run: PartRun,
): Promise<PairTable> => {
  const database = await makeDatabase(databases, target, 'blast', run)
  const table = 'hits.tsv'
  await run.runProgram({
    program: 'blastp',
    arguments: [
      ...['-query', query.fasta, '-db', database, '-out', table, '-evalue', String(evalueLimit), '-seg', 'no'],
      ...['-max_target_seqs', String(targetLimit), '-max_hsps', '1', '-outfmt', `6 ${alignmentColumns.join(' ')}`],
    ],
  })
  return readTable(join(run.scratch, table))
}
