import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  countSyntenicNeighbours,
  findOrthologs,
  isEdge,
  lowerCutoffs,
  markReciprocalBest,
  nameOrthogroups,
  normaliseScores,
  onlyPartners,
} from '../../bio/comparative/orthology.ts'
import type { Sql } from '../../database/connect.ts'
import {
  type HomologHit,
  type HomologRelation,
  homologTable,
  orthogroupTable,
  storeHit,
} from '../../database/homologs.ts'
import { usableCores } from '../../jobs/usable-cores.ts'
import { familyCountsFile, familyCountsKind } from '../../kit/data/family-counts.ts'
import { bringsHomology } from '../../kit/data/homology-inputs.ts'
import { inputDefects } from '../../kit/input-defects.ts'
import {
  definePortalLoader,
  type PartsContext,
  type PartsSession,
  type PortalAssembly,
  type PortalBakeContext,
} from '../../kit/loader.ts'
import { homologyPrograms } from '../../kit/programs.ts'
import { openSink } from '../../store/file-sink.ts'
import { writeMatrix } from '../../store/npy-matrix.ts'
import { createProteinNumbers, type ProteinNumbers } from './align-pairs.ts'
import { type ByGene, groupByGene, positionsOf } from './by-gene.ts'
import { evalueLimit, inflation, keptMembers, keptSimilar, searchVersion } from './method.ts'
import { clusterEdges, completeGroups, edgeFile, type Group, readGivenGroups } from './orthogroups.ts'
import { type FullHits, readPairFile } from './pair-file.ts'
import { type GeneProtein, type Proteome, readProteome } from './proteome.ts'
import { openSearches, searchPairs, searchPrograms, type WrittenProteome } from './search-pairs.ts'
import { type ComputedAbout, searchDatabaseKind } from './stored.ts'
import { writeBlocks } from './write-blocks.ts'

/** Reads a proteome and writes it as FASTA for the programs; `onProteins` hears of each protein. */
const writeProteome = async (
  assembly: PortalAssembly,
  fasta: string,
  sequences: ProteinNumbers,
  sql: Sql,
  onProteins: (proteins: readonly GeneProtein[]) => Promise<void> = async () => undefined,
): Promise<WrittenProteome> => {
  const own = await openSink(fasta)
  const hash = createHash('sha256')
  try {
    const proteome = await readProteome(assembly, sql, sequences.numberOf, async (proteins) => {
      for (const { gene, protein } of proteins) {
        const record = `>${gene}\n${protein}\n`
        hash.update(record)
        await own.write(record)
      }
      await onProteins(proteins)
    })
    await own.end()
    sequences.countProteome(proteome.proteins)
    // Genes without a protein count where the share of those with a hit is asked for.
    return { proteome, fasta, digest: hash.update(`${proteome.genes.length}`).digest('hex') }
  } finally {
    await own.discard()
  }
}

/** One proteome after the other, and one file of all for searches on line. */
const writeProteomes = async (context: PortalBakeContext, sequences: ProteinNumbers): Promise<WrittenProteome[]> => {
  const written: WrittenProteome[] = []
  const all = await openSink(join(context.scratch, 'all.fa'))
  try {
    for (const [number, assembly] of context.assemblies.entries()) {
      const fasta = join(context.scratch, `proteome-${number}.fa`)
      written.push(
        await writeProteome(assembly, fasta, sequences, context.sql, async (proteins) => {
          for (const { id, protein } of proteins) await all.write(`>${assembly.bundle}|${id}\n${protein}\n`)
        }),
      )
    }
    await all.end()
    return written
  } finally {
    await all.discard()
  }
}

/** Proteomes whose genes a process that computes parts keeps in memory. */
const rememberedProteomes = 32

/** Searches in a process that has nothing of a load but its parts. */
const openPartSearches = ({ sql, scratch, assemblyOf }: PartsContext): PartsSession => {
  const sequences = createProteinNumbers()
  const read = new Map<number, Promise<WrittenProteome>>()
  let files = 0
  return openSearches(scratch, sequences, (bundle) => {
    const known = read.get(bundle)
    if (known !== undefined) return known
    files += 1
    // A file of its own each time: the one before may still be read.
    const fasta = join(scratch, `proteome-${files}.fa`)
    const reading = assemblyOf(bundle).then((assembly) => writeProteome(assembly, fasta, sequences, sql))
    reading.catch(() => read.delete(bundle))
    read.set(bundle, reading)
    for (const oldest of [...read.keys()].slice(0, -rememberedProteomes)) read.delete(oldest)
    return reading
  })
}

/** Hits of two proteomes; the numbers of both are positions in the list. */
type ReadHits = (x: number, y: number) => Promise<FullHits>

/** What is read again and again in the steps after the searches. */
interface Searched {
  proteomes: Proteome[]
  readHits: ReadHits
}

/** Hits with scores that are freed of lengths and of the distance of the genomes. */
const readScored = async (
  { proteomes, readHits }: Searched,
  x: number,
  y: number,
): Promise<{ hits: FullHits; scores: Float64Array }> => {
  const hits = await readHits(x, y)
  const a = proteomes[x]!.lengths
  const b = proteomes[y]!.lengths
  const products = Float64Array.from(hits.bits, (_, at) => a[hits.a[at]!]! * b[hits.b[at]!]!)
  return { hits, scores: normaliseScores(hits.bits, products) }
}

const countsOf = (x: Proteome, y: Proteome): [number, number] => [x.genes.length, y.genes.length]

/** The graph that MCL clusters: every hit as good as the worst reciprocal best hit of either gene, with its score as weight. */
const writeEdges = async (
  searched: Searched,
  offsets: number[],
  given: Group[],
  context: PortalBakeContext,
): Promise<number> => {
  const { proteomes } = searched
  const cutoffs = proteomes.map(({ genes }) => new Float64Array(genes.length).fill(Number.POSITIVE_INFINITY))
  for (let x = 0; x < proteomes.length; x += 1)
    for (let y = 0; y < x; y += 1) {
      const { hits, scores } = await readScored(searched, x, y)
      const reciprocal = markReciprocalBest(hits, hits.bits, countsOf(proteomes[x]!, proteomes[y]!))
      lowerCutoffs(hits, scores, reciprocal, { a: cutoffs[x]!, b: cutoffs[y]! })
    }
  // A gene that no other assembly has is grouped with its own nearest copies, if it has any.
  for (const [x, proteome] of proteomes.entries()) {
    const { hits, scores } = await readScored(searched, x, x)
    const reciprocal = markReciprocalBest(hits, hits.bits, countsOf(proteome, proteome), true)
    const alone = { a: cutoffs[x]!.slice(), b: cutoffs[x]!.slice() }
    lowerCutoffs(hits, scores, reciprocal, alone)
    for (const gene of proteome.genes.keys())
      if (cutoffs[x]![gene] === Number.POSITIVE_INFINITY) cutoffs[x]![gene] = Math.min(alone.a[gene]!, alone.b[gene]!)
  }
  const taken = new Set(given.flatMap((group) => group.genes))
  let edges = 0
  const lines = async function* (): AsyncGenerator<string> {
    for (let x = 0; x < proteomes.length; x += 1)
      for (let y = 0; y <= x; y += 1) {
        const { hits, scores } = await readScored(searched, x, y)
        const pending: string[] = []
        for (const [at, score] of scores.entries()) {
          const a = hits.a[at]!
          const b = hits.b[at]!
          if ((x === y && a === b) || !isEdge(score, cutoffs[x]![a]!, cutoffs[y]![b]!)) continue
          const from = offsets[x]! + a
          const to = offsets[y]! + b
          if (taken.has(from) || taken.has(to)) continue
          pending.push(`${from}\t${to}\t${score.toFixed(4)}\n`)
        }
        edges += pending.length
        yield pending.join('')
      }
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(context.scratch, edgeFile)))
  return edges
}

/** Bits between genes of one assembly and one orthogroup: what tells copies that came after two genomes parted. */
const readWithinBits = async (
  { proteomes, readHits }: Searched,
  groups: Int32Array[],
): Promise<Map<number, number>[]> => {
  const all: Map<number, number>[] = []
  for (const [x, { genes }] of proteomes.entries()) {
    const hits = await readHits(x, x)
    const bits = new Map<number, number>()
    for (const [at, value] of hits.bits.entries()) {
      const a = hits.a[at]!
      const b = hits.b[at]!
      if (a === b || groups[x]![a] !== groups[x]![b]) continue
      for (const key of [a * genes.length + b, b * genes.length + a])
        if ((bits.get(key) ?? 0) < value) bits.set(key, value)
    }
    all.push(bits)
  }
  return all
}

interface RelationOptions {
  x: number
  y: number
  proteomes: Proteome[]
  groups: Int32Array[]
  within: Map<number, number>[]
}

/**
 * What every hit of two proteomes is; InParanoid's rule for copies: nearer to the ortholog in their own genome than the two genomes are.
 */
const relateProteomes = (hits: FullHits, { x, y, proteomes, groups, within }: RelationOptions) => {
  const counts = countsOf(proteomes[x]!, proteomes[y]!)
  const reciprocal = markReciprocalBest(hits, hits.bits, counts, x === y)
  const sameGroup = (at: number): boolean => groups[x]![hits.a[at]!] === groups[y]![hits.b[at]!]
  const relations: HomologRelation[] = []
  if (x === y) {
    for (const at of hits.bits.keys()) relations.push(sameGroup(at) ? 'paralog' : 'similar')
    return { reciprocal, relations, reasons: relations.map(() => null) }
  }
  const reasons = findOrthologs(
    hits,
    hits.bits,
    [proteomes[x]!.order, proteomes[y]!.order],
    onlyPartners(hits, reciprocal, counts),
  )
  const partnersA = new Map<number, { gene: number; bits: number }[]>()
  const partnersB = new Map<number, { gene: number; bits: number }[]>()
  const note = (map: typeof partnersA, gene: number, partner: number, bits: number): void => {
    const list = map.get(gene)
    if (list === undefined) map.set(gene, [{ gene: partner, bits }])
    else list.push({ gene: partner, bits })
  }
  for (const [at, reason] of reasons.entries()) {
    if (reason === null) continue
    note(partnersA, hits.a[at]!, hits.b[at]!, hits.bits[at]!)
    note(partnersB, hits.b[at]!, hits.a[at]!, hits.bits[at]!)
  }
  const copies = (number: number, gene: number, partners: { gene: number; bits: number }[] | undefined): boolean =>
    (partners ?? []).some(
      (partner) => (within[number]!.get(gene * counts[number === x ? 0 : 1] + partner.gene) ?? 0) >= partner.bits,
    )
  for (const at of hits.bits.keys()) {
    const a = hits.a[at]!
    const b = hits.b[at]!
    if (reasons[at] !== null) relations.push('ortholog')
    else if (!sameGroup(at)) relations.push('similar')
    else relations.push(copies(y, b, partnersA.get(a)) || copies(x, a, partnersB.get(b)) ? 'coortholog' : 'member')
  }
  return { reciprocal, relations, reasons }
}

const rank: Record<HomologRelation, number> = { ortholog: 0, coortholog: 1, paralog: 2, member: 3, similar: 4 }

/** Rows of one assembly: each gene's hits in all others and in itself. */
const addRows = async (
  x: number,
  { proteomes, readHits }: Searched,
  groups: Int32Array[],
  names: readonly string[],
  within: Map<number, number>[],
  context: PortalBakeContext,
): Promise<void> => {
  const own = proteomes[x]!
  // In columns until a gene's row is written: as objects, the hits of all genes are several times as large.
  const columns: (ReturnType<typeof relateProteomes> & { y: number; hits: FullHits; byGene: ByGene })[] = []
  for (const y of proteomes.keys()) {
    const hits = await readHits(x, y)
    const reported = relateProteomes(hits, { x, y, proteomes, groups, within })
    columns.push({ y, hits, ...reported, byGene: groupByGene(hits.a, own.genes.length) })
  }
  const listHits = (a: number): HomologHit[] => {
    const list: HomologHit[] = []
    for (const { y, hits, relations, reciprocal, reasons, byGene } of columns)
      for (const at of positionsOf(byGene, a)) {
        const other = proteomes[y]!
        const b = hits.b[at]!
        if (x === y && a === b) continue
        const relation = relations[at]!
        const { shared, neighbours } =
          relation === 'similar'
            ? { shared: 0, neighbours: 0 }
            : countSyntenicNeighbours(a, b, [own.order, other.order], [groups[x]!, groups[y]!])
        list.push({
          bundle: other.assembly.bundle,
          gene: other.genes[b]!,
          relation,
          identity: Number(hits.identity[at]!.toFixed(2)),
          coverage: Number(hits.coverageA[at]!.toFixed(3)),
          targetCoverage: Number(hits.coverageB[at]!.toFixed(3)),
          evalue: hits.evalue[at]!,
          bitScore: hits.bits[at]!,
          reciprocalBest: reciprocal[at] === 1,
          sharedNeighbours: shared,
          neighbours,
          reason: reasons[at]!,
        })
      }
    return list.sort((p, q) => rank[p.relation] - rank[q.relation] || q.bitScore - p.bitScore)
  }
  for (const [gene, name] of own.genes.entries()) {
    const list = listHits(gene)
    const members = list.filter((hit) => hit.relation !== 'similar').slice(0, keptMembers)
    const similar = list.filter((hit) => hit.relation === 'similar').slice(0, keptSimilar)
    await context.addRow(homologTable, [
      own.assembly.bundle,
      name,
      names[groups[x]![gene]!]!,
      { json: [...members, ...similar].map(storeHit) },
    ])
  }
}

const packageOf = (program: string): string =>
  homologyPrograms.find((one) => one.program === program)?.package ?? program

/** Homologs over all assemblies: searched pair by pair, clustered, told apart by score, copies and gene order. */
export default definePortalLoader({
  version: 6,
  tables: [orthogroupTable, homologTable],
  parts: { version: searchVersion, programs: searchPrograms, open: openPartSearches },
  reads: bringsHomology,
  bake: async (context) => {
    const startedAt = Date.now()
    const lack = (program: string, brings: string): null => {
      context.report(inputDefects, {
        code: 'program-missing',
        file: 'species.yaml',
        line: null,
        params: { program, purpose: 'homologs', package: brings },
      })
      return null
    }
    const sequences = createProteinNumbers()
    const written = await writeProteomes(context, sequences)
    const proteomes = written.map(({ proteome }) => proteome)
    const offsets: number[] = []
    let geneCount = 0
    for (const { genes } of proteomes) {
      offsets.push(geneCount)
      geneCount += genes.length
    }
    if (geneCount === 0) return null
    // The database of pasted searches is made first: without DIAMOND there is nothing to compute.
    const database = await context.runProgram({
      program: 'diamond',
      arguments: [
        'makedb',
        '--in',
        'all.fa',
        '--db',
        join(context.directory, 'proteins.dmnd'),
        '--threads',
        String(usableCores()),
        '--quiet',
      ],
    })
    if (database === null) return lack('diamond', 'diamond-aligner')
    context.addFile('proteins.dmnd', { kind: searchDatabaseKind })
    const byBundle = new Map(written.map((one) => [one.proteome.assembly.bundle, one]))
    const session = openSearches(context.scratch, sequences, async (bundle) => byBundle.get(bundle)!)
    const searches = await searchPairs(written, session, 0.8, context)
    if ('missing' in searches) return lack(searches.missing, packageOf(searches.missing))
    const readHits: ReadHits = async (x, y) => {
      const { file, straight } = await searches.fileOf(written[x]!, written[y]!)
      return readPairFile(file, !straight)
    }
    const searched: Searched = { proteomes, readHits }

    const given = await readGivenGroups(proteomes, offsets, context)
    const edges = await writeEdges(searched, offsets, given, context)
    const clusters = edges === 0 ? [] : await clusterEdges(context)
    if (clusters === null) return lack('mcl', 'mcl')
    context.progress(0.9)
    const all = completeGroups(given, clusters, geneCount)
    const groups = proteomes.map(({ genes }) => new Int32Array(genes.length))
    const placeOf = (gene: number): [number, number] => {
      let x = offsets.length - 1
      while (offsets[x]! > gene) x -= 1
      return [x, gene - offsets[x]!]
    }
    // Those with a gene of the first assembly are named before others, by their genes along it.
    const byFirstGene = [...all.keys()].sort((a, b) => all[a]!.genes[0]! - all[b]!.genes[0]!)
    const names = new Array<string>(all.length)
    const firstGenes = byFirstGene.map((position) => {
      const [x, own] = placeOf(all[position]!.genes[0]!)
      return { gene: proteomes[x]!.genes[own]!, assembly: proteomes[x]!.assembly.id }
    })
    for (const [at, name] of nameOrthogroups(firstGenes).entries()) names[byFirstGene[at]!] = name
    for (const [position, group] of all.entries()) {
      const members: Record<string, string[]> = {}
      for (const gene of group.genes) {
        const [x, own] = placeOf(gene)
        groups[x]![own] = position
        const key = String(proteomes[x]!.assembly.bundle)
        members[key] ??= []
        members[key].push(proteomes[x]!.genes[own]!)
      }
      await context.addRow(orthogroupTable, [
        names[position]!,
        position,
        group.genes.length,
        Object.keys(members).length,
        group.source,
        { json: members },
      ])
    }
    await writeMatrix(join(context.directory, familyCountsFile), '<u2', all.length, proteomes.length, (row, counts) => {
      for (const gene of all[row]!.genes) {
        const x = placeOf(gene)[0]
        counts[x] = Math.min(65_535, counts[x]! + 1)
      }
    })
    context.addFile(familyCountsFile, { kind: familyCountsKind })
    const within = await readWithinBits(searched, groups)
    for (const x of proteomes.keys()) {
      context.signal.throwIfAborted()
      await addRows(x, searched, groups, names, within, context)
      context.progress(0.9 + (0.1 * (x + 1)) / proteomes.length)
    }
    const blocks = await writeBlocks(proteomes, groups, readHits, context)
    const about: ComputedAbout = {
      assemblies: proteomes.map(({ assembly, genes }) => ({
        id: assembly.id,
        bundle: assembly.bundle,
        genes: genes.length,
      })),
      pairs: { all: searches.pairs, kept: searches.kept },
      orthogroups: all.length,
      blocks,
      edges,
      elapsedMs: Date.now() - startedAt,
      inflation,
      evalueLimit,
    }
    return { counts: { orthogroups: all.length, homologs: geneCount, 'collinear-blocks': blocks }, about }
  },
})
