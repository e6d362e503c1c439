import { createReadStream } from 'node:fs'
import { access, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ProgramRun } from '../../jobs/program.ts'
import { usableCores } from '../../jobs/usable-cores.ts'
import type { PortalBakeContext } from '../../kit/loader.ts'
import { createPairAligner } from './align-pairs.ts'
import { blastpProduct, candidateEvalue, evalueLimit, searchVersion, targetLimit } from './method.ts'
import { alignmentColumns, PairTable, parseAlignment, writePairFile } from './pair-file.ts'
import type { Proteome } from './proteome.ts'

/** File of the hits of one pair: of the later proteome's proteins in the earlier one's. */
export const pairFile = (cache: string, query: Proteome, target: Proteome): string =>
  join(cache, `${query.assembly.uid}--${target.assembly.uid}.${searchVersion}.tsv.gz`)

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

interface PairSearch {
  query: string
  target: string
  program: string
  hits: number
  reused: boolean
}

/** FASTA of a proteome, its records named by the numbers of their genes; in the directory that programs run in. */
export const fastaName = (number: number): string => `proteome-${number}.fa`

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

/**
 * Searches every pair of proteomes that was not searched before, the later against the earlier and each against itself: scores are
 * taken as the same both ways. DIAMOND proposes pairs, with nothing masked; BLASTP aligns them. Resolves to the package that is
 * missing where one is.
 */
export const searchPairs = async (
  proteomes: Proteome[],
  context: PortalBakeContext,
  progress: (fraction: number) => void,
): Promise<PairSearch[] | { missing: string; brings: string }> => {
  const searches: PairSearch[] = []
  const pairs = proteomes.flatMap((query, q) => proteomes.slice(0, q + 1).map((target, t) => ({ query, target, q, t })))
  const known = new Set(proteomes.map(({ assembly }) => assembly.uid))
  await sweep(context, known)
  const databases = new Set<string>()
  const align = createPairAligner(proteomes, context)
  for (const [number, { query, target, q, t }] of pairs.entries()) {
    context.signal.throwIfAborted()
    const file = pairFile(context.cache, query, target)
    const small = query.residues * target.residues <= blastpProduct
    const about = { query: query.assembly.id, target: target.assembly.id }
    if (await exists(file)) {
      searches.push({ ...about, program: '', hits: 0, reused: true })
      continue
    }
    let hits: PairTable
    let program = 'blastp'
    if (small) {
      const found = await searchByBlastp(q, t, databases, context)
      if (found === null) return { missing: 'blastp', brings: 'ncbi-blast+' }
      hits = found
    } else {
      const proposed = await proposePairs(q, t, query, query === target, databases, context)
      if (proposed === null) return { missing: 'diamond', brings: 'diamond-aligner' }
      program = `${proposed.program}, blastp`
      const found = await align(query, target, { query: fastaName(q), target: fastaName(t) }, proposed.pairs)
      if (found === null) return { missing: 'blastp', brings: 'ncbi-blast+' }
      hits = found
    }
    await writePairFile(hits, file)
    searches.push({ ...about, program, hits: hits.length, reused: false })
    progress((number + 1) / pairs.length)
  }
  return searches
}

const makeDatabase = async (
  run: ProgramRun,
  database: string,
  databases: Set<string>,
  context: PortalBakeContext,
): Promise<boolean> => {
  if (databases.has(database)) return true
  if ((await context.runProgram(run)) === null) return false
  databases.add(database)
  return true
}

/** Null when DIAMOND is not there. */
const proposePairs = async (
  q: number,
  t: number,
  query: Proteome,
  within: boolean,
  databases: Set<string>,
  context: PortalBakeContext,
): Promise<{ program: string; pairs: PairTable } | null> => {
  const database = `proteome-${t}.dmnd`
  const threads = String(usableCores())
  const table = 'candidates.tsv'
  const make = ['makedb', '--in', fastaName(t), '--db', database, '--threads', threads, '--quiet']
  if (!(await makeDatabase({ program: 'diamond', arguments: make }, database, databases, context))) return null
  const search = async (mode: string[]): Promise<PairTable> => {
    await context.runProgram({
      program: 'diamond',
      arguments: [
        ...['blastp', '--query', fastaName(q), '--db', database, '--out', table, ...mode],
        // Repeats are part of a protein: where they are masked, proteins that consist of them have no homolog at all.
        ...['--masking', 'none', '--evalue', String(candidateEvalue), '--max-target-seqs', String(targetLimit)],
        ...['--max-hsps', '1', '--index-chunks', '1', '--threads', threads, '--quiet'],
        ...['--outfmt', '6', ...alignmentColumns],
      ],
    })
    return readTable(join(context.scratch, table))
  }
  // Copies within a genome may be old: no quick look there.
  if (!within) {
    const pairs = await search([])
    if (areClose(pairs, query.genes.length)) return { program: 'diamond', pairs }
  }
  return { program: ['diamond', ...sensitive].join(' '), pairs: await search(sensitive) }
}

/** Null when BLAST+ is not there. */
const searchByBlastp = async (
  q: number,
  t: number,
  databases: Set<string>,
  context: PortalBakeContext,
): Promise<PairTable | null> => {
  const database = `proteome-${t}.blast`
  const table = 'hits.tsv'
  const make = ['-in', fastaName(t), '-dbtype', 'prot', '-out', database]
  if (!(await makeDatabase({ program: 'makeblastdb', arguments: make }, database, databases, context))) return null
  await context.runProgram({
    program: 'blastp',
    arguments: [
      ...['-query', fastaName(q), '-db', database, '-out', table, '-evalue', String(evalueLimit), '-seg', 'no'],
      ...['-max_target_seqs', String(targetLimit), '-max_hsps', '1', '-outfmt', `6 ${alignmentColumns.join(' ')}`],
    ],
  })
  return readTable(join(context.scratch, table))
}

/** Hits of bundles that are gone are removed; those of other releases in service or kept stay for them. */
const sweep = async (context: PortalBakeContext, inUse: ReadonlySet<string>): Promise<void> => {
  const kept = new Set([
    ...inUse,
    ...(await context.sql<{ uid: string }[]>`select uid from bundles`).map(({ uid }) => uid),
  ])
  for (const name of await readdir(context.cache)) {
    const match = /^(.+)--(.+)\.(\d+)\.tsv\.gz$/.exec(name)
    if (match === null || !kept.has(match[1]!) || !kept.has(match[2]!) || Number(match[3]) !== searchVersion)
      await rm(join(context.cache, name))
  }
}
