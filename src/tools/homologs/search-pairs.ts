import { access, readdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { PortalBakeContext } from '../../kit/loader.ts'
import { blastpProduct, evalueLimit, searchVersion, targetLimit } from './method.ts'
import { searchColumns, writePairFile } from './pair-file.ts'
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

const sensitive = ['--more-sensitive']

/** Genomes are close when this share of proteins has a hit, and half of them one of this identity (percent). */
const closeShare = 0.75
const closeIdentity = 80

/**
 * Whether DIAMOND's own mode, made for proteins of over 60 % identity, has found what there is: among close genomes it takes a fifth
 * of the time of the sensitive one. What a lab puts into one species folder says nothing of how close it is.
 */
const areClose = async (table: string, queryCount: number): Promise<boolean> => {
  const identities: number[] = []
  let last = ''
  // Hits of one query stand together, the best first.
  for (const line of (await readFile(table, 'latin1')).split('\n')) {
    const [query, , identity] = line.split('\t')
    if (identity === undefined || query === last) continue
    last = query!
    identities.push(Number(identity))
  }
  identities.sort((a, b) => a - b)
  return identities.length >= closeShare * queryCount && identities[Math.floor(identities.length / 2)]! >= closeIdentity
}

/**
 * Searches every pair of proteomes that was not searched before, the later against the earlier and each against itself: scores are
 * taken as the same both ways. Resolves to null when DIAMOND is not there.
 */
export const searchPairs = async (
  proteomes: Proteome[],
  context: PortalBakeContext,
  progress: (fraction: number) => void,
): Promise<PairSearch[] | null> => {
  const searches: PairSearch[] = []
  const pairs = proteomes.flatMap((query, q) => proteomes.slice(0, q + 1).map((target, t) => ({ query, target, q, t })))
  const known = new Set(proteomes.map(({ assembly }) => assembly.uid))
  await sweep(context, known)
  const databases = new Set<string>()
  const threads = String(availableParallelism())
  for (const [number, { query, target, q, t }] of pairs.entries()) {
    context.signal.throwIfAborted()
    const file = pairFile(context.cache, query, target)
    const small = query.residues * target.residues <= blastpProduct
    const about = { query: query.assembly.id, target: target.assembly.id }
    if (await exists(file)) {
      searches.push({ ...about, program: '', hits: 0, reused: true })
      continue
    }
    const table = 'hits.tsv'
    let program = 'diamond'
    if (small && (await searchByBlastp(q, t, table, databases, context))) program = 'blastp'
    else {
      const database = `proteome-${t}.dmnd`
      if (!databases.has(database)) {
        const made = await context.runProgram({
          program: 'diamond',
          arguments: ['makedb', '--in', fastaName(t), '--db', database, '--threads', threads, '--quiet'],
        })
        if (made === null) return null
        databases.add(database)
      }
      const search = (mode: string[]) =>
        context.runProgram({
          program: 'diamond',
          arguments: [
            ...['blastp', '--query', fastaName(q), '--db', database, '--out', table, ...mode],
            ...['--evalue', String(evalueLimit), '--max-target-seqs', String(targetLimit), '--max-hsps', '1'],
            ...['--index-chunks', '1', '--threads', threads, '--quiet', '--outfmt', '6', ...searchColumns],
          ],
        })
      // Copies within a genome may be old: no quick look there.
      const quick = query !== target
      if (quick) await search([])
      if (!quick || !(await areClose(join(context.scratch, table), query.genes.length))) {
        await search(sensitive)
        program = ['diamond', ...sensitive].join(' ')
      }
    }
    const hits = await writePairFile(join(context.scratch, table), file)
    searches.push({
      ...about,
      program,
      hits,
      reused: false,
    })
    progress((number + 1) / pairs.length)
  }
  return searches
}

/** False when BLAST+ is not there. */
const searchByBlastp = async (
  q: number,
  t: number,
  table: string,
  databases: Set<string>,
  context: PortalBakeContext,
): Promise<boolean> => {
  const database = `proteome-${t}.blast`
  if (!databases.has(database)) {
    const made = await context.runProgram({
      program: 'makeblastdb',
      arguments: ['-in', fastaName(t), '-dbtype', 'prot', '-out', database],
    })
    if (made === null) return false
    databases.add(database)
  }
  const outcome = await context.runProgram({
    program: 'blastp',
    arguments: [
      ...['-query', fastaName(q), '-db', database, '-out', table, '-evalue', String(evalueLimit)],
      ...['-max_target_seqs', String(targetLimit), '-max_hsps', '1', '-outfmt', `6 ${searchColumns.join(' ')}`],
    ],
  })
  return outcome !== null
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
