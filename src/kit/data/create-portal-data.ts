import { totalmem } from 'node:os'
import { join } from 'node:path'
import { type Interval, placeInterval } from '../../bio/annotation/gene-geometry.ts'
import { indexSequenceNames, type SequenceNames } from '../../bio/sequence/chromosome-order.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { GeneSummary, ResolvedGenes } from '../../contracts/genes.ts'
import type { AssemblySummary, SpeciesSummary } from '../../contracts/species.ts'
import {
  type ActiveBundle,
  type ActiveSpecies,
  listActiveSpecies,
  listenToCatalogue,
  speciesSummary,
} from '../../database/catalogue.ts'
import type { Sql } from '../../database/connect.ts'
import {
  findGenesByNames,
  findNamedIds,
  type GeneLocus,
  type GeneParts,
  type GeneRow,
  type GeneScope,
  geneRecord,
  geneSummary,
  getGeneParts,
  getGeneRows,
  getNamedParts,
  listGenesInRegion,
  type NamedGeneRow,
  type NamedId,
  readGeneTile,
  renderGenesInRegion,
  streamGeneRows,
} from '../../database/genes.ts'
import {
  getHomologRows,
  getOrthogroupRow,
  listGeneOrthogroups,
  listPortalBundles,
  type OrthogroupRow,
  type PortalBundle,
  streamOrthogroupRows,
} from '../../database/homologs.ts'
import { getRecord, listRecords } from '../../database/records.ts'
import { batchCalls } from '../../database/search/batch-calls.ts'
import { createNameFilters, type NameFilters } from '../../database/search/bloom-filters.ts'
import { findNamed } from '../../database/search/search.ts'
import {
  findSequenceRow,
  listPlainSequences,
  listSequenceNames,
  listSequenceRows,
  type SequenceRow,
} from '../../database/sequences.ts'
import { BgzfBlockCache } from '../../store/bgzf.ts'
import { type Genome, openGenome } from '../../store/genome-fasta.ts'
import { createAlignmentData } from './alignment-data.ts'
import { type AlignmentsAbout, alignmentsAboutSchema } from './alignment-files.ts'
import { bringsHomology } from './homology-inputs.ts'
import type { CatalogueGene, GenomeSequence, HomologyState, Orthogroup, PortalData } from './portal-data.ts'
import { createRegionTiles } from './region-tiles.ts'

/** Everything that is active at one moment, read once and kept until the catalogue changes. */
interface Snapshot {
  active: ActiveSpecies[]
  species: SpeciesSummary[]
  assemblies: Map<string, { summary: AssemblySummary; bundle: ActiveBundle; scope: GeneScope; scopes: GeneScopes }>
  /** Of all assemblies, in their order. */
  scopes: GeneScopes
}

/** Where genes are looked up, by the number of the bundle. A snapshot has the same ones for every call, so that calls can go together. */
type GeneScopes = ReadonlyMap<number, GeneScope>

export interface OpenPortalData extends PortalData {
  /** Bundles and species as of now, for the server's own endpoints. */
  snapshot(): Promise<Snapshot>
  /** All bundles that an answer may be made of: those of the active species, and what was computed over all of them. */
  listBundlesInUse(): Promise<{ bundle: number; uid: string }[]>
  /** Whether just these bundles are in use, by their numbers; looks anew where it seems not. */
  usesBundles(bundles: readonly number[]): Promise<boolean>
  /** Forgets what was in use: the next call looks anew. For who has found a bundle gone before the word of it came. */
  invalidate(): void
  /** The genes of `listGenesInRegion` as the text of a JSON array; `truncated` when there are more than `limit`. */
  renderGenesInRegion(
    assembly: string,
    sequence: string,
    start1: number,
    end1: number,
    limit: number,
  ): Promise<{ genes: string; truncated: boolean }>
  /** Connections for look-ups: their statements are planned once. */
  lookupSql: Sql
  /** The same for ranked searches, which look-ups need not wait for. */
  searchSql: Sql
  /** Which assembly a name is to be looked up in. */
  nameFilters: NameFilters
  /** A number that changes whenever what is loaded changes. */
  generation(): number
  close(): Promise<void>
}

const takeSnapshot = async (sql: Sql): Promise<Snapshot> => {
  const active = await listActiveSpecies(sql)
  const species = active.map(speciesSummary)
  const assemblies: Snapshot['assemblies'] = new Map()
  for (const [number, entry] of active.entries()) {
    const speciesBundle = entry.bundles.find((bundle) => bundle.assembly === null)?.bundle ?? null
    for (const summary of species[number]!.assemblies) {
      const bundle = entry.bundles.find((candidate) => candidate.assembly === summary.id)!
      const scope = {
        bundle: bundle.bundle,
        assembly: summary.id,
        speciesBundle,
        longestGeneBp: bundle.summary.longestGeneBp,
      }
      assemblies.set(summary.id, { summary, bundle, scope, scopes: new Map([[scope.bundle, scope]]) })
    }
  }
  const scopes = new Map([...assemblies.values()].map(({ scope }) => [scope.bundle, scope]))
  return { active, species, assemblies, scopes }
}

/** One statement on its way while the answers of another are written; more would only be smaller. */
const gatherLimits = { atOnce: 2, max: 64 } as const

/** Genes of regions that are kept: of a machine of 16 GB a million. */
const tileBytes = Math.max(32 * 2 ** 20, Math.min(totalmem() / 64, 256 * 2 ** 20))
/** Unpacked bases kept for all genomes together. */
const genomeCacheBytes = 64 * 1024 * 1024
/** Longer than any answer takes that began to read a genome before the catalogue changed. */
const retireGenomesMs = 3_600_000

/** Sequences of assemblies of up to so many are kept in memory; of others, which are drafts, only the names, once they are asked for. */
const heldSequences = 20_000

interface KnownSequences {
  /** Null of a draft. */
  rows: SequenceRow[] | null
  names: SequenceNames
}

interface OpenHomology {
  state: HomologyState
  files: { kind: string; path: string }[]
  /** Names of the assemblies that it covers, by the numbers of their bundles. */
  assemblies: Map<number, string>
}

const homologyTool = 'homologs'

interface OpenAligned {
  bundle: PortalBundle
  about: AlignmentsAbout
  /** Names of all loaded assemblies by the numbers of their bundles. */
  assemblies: Map<number, string>
}

const alignmentTool = 'pangenomebrowser'

/** What was aligned of exactly what is active, else the newest there is. */
const findAligned = async (sql: Sql, active: Snapshot): Promise<OpenAligned | null> => {
  const known = await listPortalBundles(sql, alignmentTool)
  const assemblies = new Map([...active.assemblies.values()].map(({ bundle, summary }) => [bundle.bundle, summary.id]))
  const inputs = [...assemblies.keys()].sort((a, b) => a - b).join()
  const bundle = known.find((one) => one.inputs.join() === inputs) ?? known[0]
  if (bundle === undefined) return null
  const about = alignmentsAboutSchema.safeParse((bundle.summary as ActiveBundle['summary']).computed?.about)
  return about.success ? { bundle, about: about.data, assemblies } : null
}

/** What was computed from exactly what is active, else the newest there is. */
const findHomology = async (sql: Sql, active: Snapshot): Promise<OpenHomology | null> => {
  const known = await listPortalBundles(sql, homologyTool)
  const coding = [...active.assemblies.values()].filter(({ summary }) => summary.codingGeneCount > 0)
  const species = active.active.flatMap((entry) =>
    entry.bundles.filter((bundle) => bundle.assembly === null && bringsHomology(bundle.summary.dataTypes)),
  )
  const inputs = [...coding.map(({ bundle }) => bundle.bundle), ...species.map((bundle) => bundle.bundle)]
    .sort((a, b) => a - b)
    .join()
  const best: PortalBundle | undefined = known.find((one) => one.inputs.join() === inputs) ?? known[0]
  if (best === undefined) return null
  const of = new Set(best.inputs)
  const assemblies = new Map(
    coding.flatMap(({ bundle, summary }) => (of.has(bundle.bundle) ? [[bundle.bundle, summary.id] as const] : [])),
  )
  const summary = best.summary as ActiveBundle['summary']
  return {
    state: {
      bundle: best.bundle,
      uid: best.uid,
      computedAt: best.createdAt.toISOString(),
      current: best.inputs.join() === inputs,
      covered: [...assemblies.values()],
      missing: coding.flatMap(({ bundle, summary: one }) => (of.has(bundle.bundle) ? [] : [one.id])),
      orthogroupCount: summary.dataTypes.orthogroups ?? 0,
      about: summary.computed?.about ?? null,
    },
    files: summary.files,
    assemblies,
  }
}

const orthogroupOf = (row: OrthogroupRow, { assemblies }: OpenHomology): Orthogroup => ({
  id: row.id,
  position: row.position,
  source: row.source,
  members: new Map(
    [...assemblies].flatMap(([bundle, assembly]) => {
      const genes = row.members[String(bundle)]
      return genes === undefined ? [] : [[assembly, genes] as const]
    }),
  ),
})

const placeOf = ({ name, lengthBp, circular }: GenomeSequence): GeneLocus => ({
  sequence: name,
  circularBp: circular ? lengthBp : null,
})

/** The segments that are read for a region: two where it crosses the origin of a circular sequence, at most once around. */
const placeOnSequence = (sequence: GenomeSequence, start1: number, end1: number): Interval[] =>
  sequence.circular && end1 > sequence.lengthBp && end1 - start1 < sequence.lengthBp
    ? placeInterval({ start1, end1 }, sequence).pieces
    : [{ start1, end1 }]

const catalogueGene = (row: GeneRow, assembly: string): CatalogueGene =>
  Object.assign(geneSummary(row, assembly), {
    name: row.name,
    aliases: row.aliases,
    attributes: row.attributes,
    transcripts: row.transcripts,
    proteinLength: row.protein_length,
  })

/**
 * Opens the reading face over the database and the bundles in `dataDir`. It follows the catalogue: after a load or roll-back in any
 * process, new calls see the new release, and calls under way end on the old one (its files stay until the sweep).
 */
export const openPortalData = async (options: {
  sql: Sql
  /** Where look-ups run that many ask for at once; `sql` when there is none. */
  lookupSql?: Sql
  /** Where ranked searches run; `sql` when there is none. */
  searchSql?: Sql
  dataDir: string
  /** How long the genome of a bundle that is not active any more stays open for those who still read it. */
  retireMs?: number
}): Promise<OpenPortalData> => {
  const { sql, lookupSql = sql, searchSql = sql, dataDir, retireMs = retireGenomesMs } = options
  let current: Promise<Snapshot> | null = null
  let generation = 0
  const genomes = new Map<string, Promise<Genome>>()
  const sequences = new Map<number, Promise<KnownSequences>>()

  interface Gathered {
    bundles: readonly number[]
    findNamed(name: string): Promise<NamedId[]>
    getParts(wanted: { bundle: number; key: string }): Promise<GeneParts | null>
    getNamedParts(wanted: { bundle: number; key: string }): Promise<GeneParts | 'several' | null>
  }
  /** Look-ups in the same bundles, which go together to the database. */
  const gathered = new WeakMap<GeneScopes, Gathered>()

  const batchedFor = (scopes: GeneScopes): Gathered => {
    let found = gathered.get(scopes)
    if (found === undefined) {
      const bundles = [...scopes.keys()]
      const findNamed = async (names: string[]): Promise<NamedId[][]> => {
        const byName = new Map<string, NamedId[]>(names.map((name) => [name.toLowerCase(), []]))
        for (const named of await findNamedIds(lookupSql, bundles, [...byName.keys()]))
          byName.get(named.matched)!.push(named)
        return names.map((name) => byName.get(name.toLowerCase())!)
      }
      found = {
        bundles,
        findNamed: batchCalls(findNamed, gatherLimits),
        getParts: batchCalls(
          (wanted: { bundle: number; key: string }[]) => getGeneParts(lookupSql, scopes, wanted),
          gatherLimits,
        ),
        getNamedParts: batchCalls(
          (wanted: { bundle: number; key: string }[]) => getNamedParts(lookupSql, scopes, wanted),
          gatherLimits,
        ),
      }
      gathered.set(scopes, found)
    }
    return found
  }

  const tiles = createRegionTiles(
    (region, start1, end1) => readGeneTile(lookupSql, region, region.sequence, start1, end1),
    tileBytes,
  )

  const nameFilters = createNameFilters(sql)
  const genomeCache = new BgzfBlockCache(genomeCacheBytes)
  const retired = new Map<NodeJS.Timeout, Promise<Genome>>()
  const closeGenome = async (genome: Promise<Genome>): Promise<void> => (await genome.catch(() => null))?.close()

  /** Lets go of what is kept of bundles that are not active any more: an open file takes its space also when it is deleted. */
  const retire = async (): Promise<void> => {
    const active = (await snapshot()).active.flatMap((entry) => entry.bundles)
    const uids = new Set(active.map((bundle) => bundle.uid))
    const numbers = new Set(active.map((bundle) => bundle.bundle))
    for (const number of sequences.keys()) if (!numbers.has(number)) sequences.delete(number)
    nameFilters.keepOnly(numbers)
    for (const [uid, genome] of genomes) {
      if (uids.has(uid)) continue
      genomes.delete(uid)
      const timer = setTimeout(() => {
        retired.delete(timer)
        void closeGenome(genome)
      }, retireMs)
      timer.unref()
      retired.set(timer, genome)
    }
  }

  const forget = (): void => {
    current = null
    generation += 1
    // A database that is away says so to the next reader; the next change retires then.
    if (genomes.size + sequences.size + nameFilters.size > 0) retire().catch(() => undefined)
  }
  const stopListening = await listenToCatalogue(sql, forget)

  const snapshot = (): Promise<Snapshot> => {
    current ??= takeSnapshot(sql).catch((error: unknown) => {
      current = null
      throw error
    })
    return current
  }

  const getEntry = async (assembly: string) => {
    const entry = (await snapshot()).assemblies.get(assembly)
    if (entry === undefined) throw new PortalError('UNKNOWN_ASSEMBLY', { params: { assembly } })
    return entry
  }

  const directoryOf = (bundle: ActiveBundle): string => join(dataDir, 'bundles', bundle.uid)

  const genomeOf = async (assembly: string): Promise<Genome> => {
    const { bundle } = await getEntry(assembly)
    let genome = genomes.get(bundle.uid)
    if (genome === undefined) {
      genome = openGenome(directoryOf(bundle), { cache: genomeCache })
      genomes.set(bundle.uid, genome)
      genome.catch(() => genomes.delete(bundle.uid))
    }
    return genome
  }

  const sequencesOf = async (bundle: ActiveBundle): Promise<KnownSequences> => {
    let found = sequences.get(bundle.bundle)
    if (found === undefined) {
      found =
        bundle.summary.sequenceCount > heldSequences
          ? listSequenceNames(sql, bundle.bundle).then((names) => ({ rows: null, names: indexSequenceNames(names) }))
          : listSequenceRows(sql, bundle.bundle).then((rows) => ({ rows, names: indexSequenceNames(rows) }))
      sequences.set(bundle.bundle, found)
      found.catch(() => sequences.delete(bundle.bundle))
    }
    return found
  }

  /** What was computed over all assemblies, found once a snapshot. */
  const openOnce = <T>(find: (sql: Sql, active: Snapshot) => Promise<T>): (() => Promise<T>) => {
    let kept: { from: Promise<Snapshot>; opened: Promise<T> } | null = null
    const openNow = async (): Promise<T> => {
      await snapshot()
      const from = current
      if (from === null) return openNow()
      if (kept?.from !== from) {
        const opened = from.then((active) => find(sql, active))
        kept = { from, opened }
        opened.catch(() => {
          kept = null
        })
      }
      return kept.opened
    }
    return openNow
  }
  const openHomology = openOnce(findHomology)
  const openAligned = openOnce(findAligned)

  const genomeSequence = (row: SequenceRow): GenomeSequence => ({
    name: row.name,
    lengthBp: row.lengthBp,
    circular: row.circular,
    geneticCode: row.geneticCode,
    aliases: row.aliases,
  })

  const getSequence = async (assembly: string, name: string): Promise<GenomeSequence> => {
    const { bundle } = await getEntry(assembly)
    if (bundle.summary.sequenceCount > heldSequences) {
      // Most names are the very names, and the list of a draft is asked only for others.
      const row = await findSequenceRow(sql, bundle.bundle, name)
      if (row?.name === name) return genomeSequence(row)
    }
    const { rows, names } = await sequencesOf(bundle)
    const resolved = names.resolve(name)
    const position = resolved.name === null ? null : names.findPosition(resolved.name)
    const row =
      position === null
        ? null
        : rows === null
          ? await findSequenceRow(sql, bundle.bundle, resolved.name!)
          : rows[position]!
    if (row === null) {
      throw new PortalError('UNKNOWN_SEQUENCE', {
        params: { sequence: name, assembly, near: resolved.near.length > 0 ? resolved.near.join(', ') : 'none' },
      })
    }
    return genomeSequence(row)
  }

  const scopesFor = async (assembly: string | undefined): Promise<GeneScopes> =>
    assembly === undefined ? (await snapshot()).scopes : (await getEntry(assembly)).scopes

  /** The best meanings of a name first: kind of name, then case as typed, then the order of the assemblies. */
  const rankInterpretations = (name: string, rows: NamedGeneRow[], scopes: GeneScopes): NamedGeneRow[] => {
    const order = new Map([...scopes.keys()].map((bundle, number) => [bundle, number]))
    return [...rows].sort(
      (a, b) =>
        a.kind - b.kind ||
        Number(b.id === name || b.symbol === name) - Number(a.id === name || a.symbol === name) ||
        order.get(a.bundle)! - order.get(b.bundle)! ||
        (a.id < b.id ? -1 : 1),
    )
  }

  /** The gene that a name means first, and all that it means, best first, where these are several. */
  const findGene = async (
    name: string,
    scopes: GeneScopes,
  ): Promise<{ parts: GeneParts; interpretations: NamedGeneRow[] } | null> => {
    const together = batchedFor(scopes)
    const { bundles } = together
    const key = name.toLowerCase()
    // Nearly every name is one gene's alone, of a bundle that is known beforehand: one statement.
    const few = bundles.length === 1 ? bundles : nameFilters.findBundles(bundles, key)
    if (few !== null) {
      const parts = await Promise.all(few.map((bundle) => together.getNamedParts({ bundle, key })))
      const found = parts.filter((one) => one !== null)
      if (found.length === 0) return null
      if (found.length === 1 && found[0] !== 'several') return { parts: found[0]!, interpretations: [] }
    }
    const named = await together.findNamed(name)
    const first = named[0]
    if (first === undefined) return null
    // Of several the genes themselves tell which is meant first.
    const single = named.every((other) => other.bundle === first.bundle && other.id === first.id)
    const interpretations = single
      ? []
      : rankInterpretations(name, await findGenesByNames(lookupSql, bundles, [name]), scopes)
    const best = single ? first : interpretations[0]
    if (best === undefined) return null
    const parts = await together.getParts({ bundle: best.bundle, key: best.id })
    return parts === null ? null : { parts, interpretations }
  }

  const data: OpenPortalData = {
    sql,
    lookupSql,
    searchSql,
    nameFilters,
    snapshot,
    generation: () => generation,
    close: async () => {
      await stopListening()
      nameFilters.close()
      for (const timer of retired.keys()) clearTimeout(timer)
      await Promise.all([...genomes.values(), ...retired.values()].map(closeGenome))
      genomes.clear()
      retired.clear()
    },

    listSpecies: async () => (await snapshot()).species,
    listAssemblies: async () => (await snapshot()).species.flatMap((species) => species.assemblies),
    getAssembly: async (assembly) => (await getEntry(assembly)).summary,
    defaultAssembly: async () => {
      const all = (await snapshot()).species.flatMap((species) => species.assemblies)
      return all.find((assembly) => assembly.reference) ?? all[0] ?? null
    },

    listSequences: async (assembly, limit) => {
      const { bundle } = await getEntry(assembly)
      if (bundle.summary.sequenceCount > heldSequences)
        return [...(await listPlainSequences(sql, bundle.bundle, limit ?? null))]
      return (await sequencesOf(bundle)).rows!.slice(0, limit).map(genomeSequence)
    },
    listAliasedSequences: async (assembly) =>
      listSequenceNames(sql, (await getEntry(assembly)).bundle.bundle, { aliased: true }),
    getSequence,
    fetchSequence: async (assembly, sequence, start1, end1) => {
      const found = await getSequence(assembly, sequence)
      const genome = await genomeOf(assembly)
      const pieces = placeOnSequence(found, start1, end1)
      return (await Promise.all(pieces.map((piece) => genome.fetch(found.name, piece.start1 - 1, piece.end1)))).join('')
    },
    streamSequence: async function* (assembly, sequence, start1, end1) {
      const found = await getSequence(assembly, sequence)
      const genome = await genomeOf(assembly)
      for (const piece of placeOnSequence(found, start1, end1))
        yield* genome.stream(found.name, piece.start1 - 1, piece.end1)
    },

    getGene: async (name, assembly) => {
      const scopes = await scopesFor(assembly)
      const found = await findGene(name, scopes)
      if (found === null) return null
      const { parts, interpretations } = found
      const scope = scopes.get(parts.row.bundle)!
      const { species, speciesName } = (await getEntry(scope.assembly)).summary
      const { row, terms } = parts
      const side = (gene: GeneParts['next']): GeneSummary | null =>
        gene === null ? null : { assembly: scope.assembly, ...gene }
      const neighbours = { previous: side(parts.previous), next: side(parts.next) }
      return {
        gene: geneRecord(row, scope, { species, speciesName }, terms, neighbours),
        alternatives: interpretations
          .slice(1)
          .filter((row) => row.kind === interpretations[0]!.kind)
          .slice(0, 50)
          .map((row) => geneSummary(row, scopes.get(row.bundle)!.assembly)),
      }
    },

    findFeatures: async (assembly, name) => {
      const bundles = [(await getEntry(assembly)).scope.bundle]
      const rows = await findNamed(searchSql, { bundles, type: 'feature' }, [name.trim().toLowerCase()])
      const meant = rows.filter(({ id }) => id === name.trim())
      return (meant.length > 0 ? meant : rows).flatMap(({ id, label, sequence, start1, end1, strand }) =>
        sequence === null || start1 === null || end1 === null
          ? []
          : [{ id, label, sequence, start: start1, end: end1, strand }],
      )
    },

    resolveGenes: async (names, assembly) => {
      const scopes = await scopesFor(assembly)
      const rows = await findGenesByNames(lookupSql, batchedFor(scopes).bundles, names)
      const byName = new Map<string, NamedGeneRow[]>()
      for (const row of rows) {
        const interpretations = byName.get(row.matched)
        if (interpretations === undefined) byName.set(row.matched, [row])
        else interpretations.push(row)
      }
      const answer: ResolvedGenes = { found: [], ambiguous: [], unknown: [] }
      for (const query of names) {
        const interpretations = rankInterpretations(query, byName.get(query.toLowerCase()) ?? [], scopes)
        const best = interpretations[0]
        if (best === undefined) {
          answer.unknown.push(query)
          continue
        }
        // A name of a better kind wins outright; equals of the same kind are ambiguous unless only one is written the same.
        let equals = interpretations.filter((row) => row.kind === best.kind)
        const exact = equals.filter((row) => row.id === query || row.symbol === query)
        if (exact.length === 1) equals = exact
        const genes = equals.map((row) => geneSummary(row, scopes.get(row.bundle)!.assembly))
        if (genes.length === 1) answer.found.push({ query, gene: genes[0]! })
        else answer.ambiguous.push({ query, genes: genes.slice(0, 50) })
      }
      return answer
    },

    getGenes: async (assembly, ids) => {
      const { scope } = await getEntry(assembly)
      const rows = new Map((await getGeneRows(sql, scope.bundle, ids)).map((row) => [row.id, row]))
      return ids.flatMap((id) => {
        const row = rows.get(id)
        return row ? [catalogueGene(row, assembly)] : []
      })
    },

    listGenesInRegion: async (assembly, sequence, start1, end1, limit) => {
      const { scope } = await getEntry(assembly)
      return listGenesInRegion(sql, scope, placeOf(await getSequence(assembly, sequence)), start1, end1, limit)
    },
    renderGenesInRegion: async (assembly, sequence, start1, end1, limit) => {
      const { scope } = await getEntry(assembly)
      const place = placeOf(await getSequence(assembly, sequence))
      if (place.circularBp === null) {
        const found = await tiles.find({ ...scope, sequence: place.sequence, start1, end1 }, limit + 1)
        if (found !== null) return { genes: `[${found.slice(0, limit).join()}]`, truncated: found.length > limit }
      }
      return renderGenesInRegion(lookupSql, scope, place, start1, end1, limit)
    },
    streamGenes: async function* (assembly) {
      const { scope } = await getEntry(assembly)
      for await (const rows of streamGeneRows(sql, scope.bundle)) yield rows.map((row) => catalogueGene(row, assembly))
    },

    listRecords: async <T>(kind: string, scope: { assembly?: string; species?: string }) => {
      const bundles = await bundlesOf(scope)
      const rows = await listRecords<T>(sql, [...bundles.keys()], kind)
      return rows.map((row) => ({ id: row.id, assembly: bundles.get(row.bundle)!, data: row.data }))
    },
    getRecord: async <T>(kind: string, id: string, scope: { assembly?: string; species?: string }) =>
      getRecord<T>(sql, [...(await bundlesOf(scope)).keys()], kind, id),
    bundleFile: async (assembly, kindOrPath) => {
      const { bundle } = await getEntry(assembly)
      const file = bundle.summary.files.find((entry) => entry.kind === kindOrPath || entry.path === kindOrPath)
      return file ? join(directoryOf(bundle), file.path) : null
    },
    bundleDirectory: async (assembly) => directoryOf((await getEntry(assembly)).bundle),
    getHomology: async () => (await openHomology())?.state ?? null,
    getOrthogroup: async (id) => {
      const found = await openHomology()
      const row = found === null ? null : await getOrthogroupRow(sql, found.state.bundle, id)
      return row === null ? null : orthogroupOf(row, found!)
    },
    streamOrthogroups: async function* () {
      const found = await openHomology()
      if (found === null) return
      for await (const rows of streamOrthogroupRows(sql, found.state.bundle))
        yield rows.map((row) => orthogroupOf(row, found)).filter((group) => group.members.size > 0)
    },
    listHomologs: async (assembly, genes) => {
      const found = await openHomology()
      const { bundle } = await getEntry(assembly)
      if (found === null || !found.assemblies.has(bundle.bundle)) return []
      const rows = new Map(
        (await getHomologRows(sql, found.state.bundle, bundle.bundle, genes)).map((row) => [row.gene, row]),
      )
      return genes.flatMap((gene) => {
        const row = rows.get(gene)
        if (row === undefined) return []
        const homologs = row.hits.flatMap(({ bundle: of, ...hit }) => {
          const known = found.assemblies.get(of)
          return known === undefined ? [] : [{ ...hit, assembly: known }]
        })
        return [{ gene, orthogroup: row.orthogroup, homologs }]
      })
    },
    listOrthogroups: async (assembly, genes) => {
      const found = await openHomology()
      const { bundle } = await getEntry(assembly)
      if (found === null || !found.assemblies.has(bundle.bundle)) return new Map()
      const rows = await listGeneOrthogroups(sql, found.state.bundle, bundle.bundle, genes)
      return new Map([...rows].flatMap(([gene, group]) => (group === null ? [] : [[gene, group] as const])))
    },
    homologyFile: async (kind) => {
      const found = await openHomology()
      const file = found?.files.find((entry) => entry.kind === kind)
      return file === undefined ? null : join(dataDir, 'bundles', found!.state.uid, file.path)
    },
    alignments: createAlignmentData({
      open: async () => {
        const found = await openAligned()
        if (found === null) return null
        const { bundle, about, assemblies } = found
        const directory = join(dataDir, 'bundles', bundle.uid)
        return { about, assemblies, directory, computedAt: bundle.createdAt.toISOString() }
      },
      getSequence,
      listSiblings: async (assembly) => {
        const { summary } = await getEntry(assembly)
        const all = (await snapshot()).species.find(({ id }) => id === summary.species)?.assemblies ?? []
        return all.map(({ id }) => id)
      },
    }),
    listBundlesInUse: async () => {
      const computed = [(await openHomology())?.state, (await openAligned())?.bundle]
      const active = (await snapshot()).active.flatMap((entry) => entry.bundles)
      return [...active, ...computed.filter((one) => one !== undefined)].map(({ bundle, uid }) => ({ bundle, uid }))
    },
    invalidate: forget,
    usesBundles: async (bundles) => {
      const isSame = async (): Promise<boolean> => {
        const used = await data.listBundlesInUse()
        return used.length === bundles.length && used.every(({ bundle }) => bundles.includes(bundle))
      }
      if (await isSame()) return true
      // The word of a change may still be on its way here.
      forget()
      return isSame()
    },
    bundleNumber: async (assembly) => (await getEntry(assembly)).scope.bundle,
    speciesBundleNumber: async (species) =>
      (await snapshot()).active
        .find((entry) => entry.id === species)
        ?.bundles.find((bundle) => bundle.assembly === null)?.bundle ?? null,
  }

  const bundlesOf = async (scope: { assembly?: string; species?: string }): Promise<Map<number, string | null>> => {
    const bundles = new Map<number, string | null>()
    for (const species of (await snapshot()).active) {
      if (scope.species !== undefined && species.id !== scope.species) continue
      for (const bundle of species.bundles) {
        if (scope.assembly !== undefined && bundle.assembly !== scope.assembly) continue
        bundles.set(bundle.bundle, bundle.assembly)
      }
    }
    return bundles
  }
  return data
}
