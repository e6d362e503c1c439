import { portalStageFraction } from '../contracts/load-steps.ts'
import type { SpeciesManifest } from '../contracts/manifest.ts'
import { type AssemblySummary, type LoadStatus, type SpeciesSummary, shownRoles } from '../contracts/species.ts'
import { vocabularyTitles } from '../contracts/vocabulary-titles.ts'
import type { BakedWriter } from './baked-tables.ts'
import type { AnySql, Sql } from './connect.ts'

/** What the loader knows of an assembly when its bundle is sealed; the rest of the summary comes from the manifest. */
export type BundleSummary = Pick<
  AssemblySummary,
  | 'lengthBp'
  | 'gcFraction'
  | 'n50Bp'
  | 'gapBp'
  | 'sequenceCount'
  | 'geneCount'
  | 'codingGeneCount'
  | 'transcriptCount'
  | 'dataTypes'
  | 'sequences'
  | 'exampleGenes'
> & {
  /** Absent in bundles of before roles were kept for all sequences. */
  sequenceRoles?: AssemblySummary['sequenceRoles']
  /** Length of the longest gene in bases: bounds the look-back of region queries. */
  longestGeneBp: number
  /** Files of the bundle by path, with what the download page says of them. */
  files: BundleFileSummary[]
  /** Of a bundle over others: what its loader says of how it was computed, and the loader's version. */
  computed?: { version: number; basis?: string; about: unknown }
}

export interface BundleFileSummary {
  path: string
  kind: string
  bytes: number
  sha256: string
  download: {
    title: string | { en: string; zh: string } | null
    description: string | { en: string; zh: string } | null
    licence: string | null
    simulated: boolean
  } | null
}

export interface ActiveBundle {
  bundle: number
  uid: string
  species: string
  assembly: string | null
  fingerprint: string
  checksum: string
  summary: BundleSummary
}

export interface ActiveSpecies {
  id: string
  release: number
  releaseNumber: number
  manifest: SpeciesManifest
  loadedAt: Date
  bundles: ActiveBundle[]
}

const catalogueChannel = 'novodb_catalogue'

/** Tells every process that what is in service has changed: of a species, or with '' of what is computed over all. */
export const notifyCatalogue = async (sql: AnySql, species: string): Promise<void> => {
  await sql`select pg_notify(${catalogueChannel}, ${species})`
}

/** All species with an active release, in the order they were first loaded. */
export const listActiveSpecies = async (sql: Sql): Promise<ActiveSpecies[]> => {
  // A release is read once and not with each of its bundles: the manifest of a thousand assemblies is as long as all of their rows. In one
  // statement with them, so that both are of one moment.
  const rows = await sql<(Omit<ActiveSpecies, 'bundles'> & { bundles: ActiveBundle[] | null })[]>`
    select s.id, r.id as release, r.number as "releaseNumber", r.manifest, r.created_at as "loadedAt",
      (select json_agg(json_build_object('bundle', b.id, 'uid', b.uid, 'species', s.id, 'assembly', b.assembly,
                'fingerprint', b.fingerprint, 'checksum', b.checksum, 'summary', b.summary) order by rb.position)
       from release_bundles rb join bundles b on b.id = rb.bundle where rb.release = r.id) as bundles
    from species s join releases r on r.id = s.active_release
    order by s.position, s.created_at, s.id`
  return rows.flatMap(({ id, release, releaseNumber, manifest, loadedAt, bundles }) =>
    // Nothing is in service of a release without bundles.
    bundles === null ? [] : [{ id, release, releaseNumber, manifest, loadedAt, bundles }],
  )
}

const isSimulated = (entry: unknown): boolean =>
  typeof entry === 'object' && entry !== null && 'simulated' in entry && entry.simulated === true

/** Entries of an assembly in the manifest all of whose data sets say that they are simulated; an entry is named as its kind of data is. */
const simulatedEntries = (about: object): string[] =>
  Object.entries(about).flatMap(([name, entry]: [string, unknown]) => {
    const sets: unknown[] = Array.isArray(entry) ? entry : [entry]
    return sets.length > 0 && sets.every(isSimulated) ? [name] : []
  })

/** The public summary of a species, from its manifest and its bundles. */
export const speciesSummary = (active: ActiveSpecies): SpeciesSummary => {
  const { manifest } = active
  const assemblies: AssemblySummary[] = []
  const described = new Map(manifest.assemblies.map((assembly) => [assembly.id, assembly]))
  for (const bundle of active.bundles) {
    const about = bundle.assembly === null ? undefined : described.get(bundle.assembly)
    if (about === undefined) continue
    const { longestGeneBp: _, files: __, ...figures } = bundle.summary
    assemblies.push({
      id: about.id,
      species: manifest.species,
      speciesName: manifest.name,
      name: about.name ?? about.id,
      strain: about.strain ?? null,
      accession: about.accession ?? null,
      description: about.description ?? null,
      reference: about.reference ?? false,
      partial: about.partial ?? null,
      outgroup: about.outgroup ?? false,
      simulated: about.simulated ?? manifest.simulated ?? false,
      source: about.source ?? manifest.source ?? null,
      licence: about.licence ?? manifest.licence ?? null,
      bundle: bundle.uid,
      checksum: bundle.checksum,
      loadedAt: active.loadedAt.toISOString(),
      ...figures,
      simulatedTypes: simulatedEntries(about),
      sequenceRoles: figures.sequenceRoles ?? shownRoles(figures.sequences),
      termTitles: {
        ...Object.fromEntries(
          Object.entries(vocabularyTitles).filter(([source]) => `annotation:${source}` in bundle.summary.dataTypes),
        ),
        ...Object.fromEntries(
          (about.annotation ?? []).flatMap(({ source, title }) =>
            source === undefined || title === undefined ? [] : [[source, title]],
          ),
        ),
      },
    })
  }
  return {
    id: manifest.species,
    name: manifest.name,
    commonName: manifest.commonName ?? null,
    description: manifest.description ?? null,
    taxonId: manifest.taxonId ?? null,
    simulated: manifest.simulated ?? false,
    source: manifest.source ?? null,
    licence: manifest.licence ?? null,
    release: active.releaseNumber,
    loadedAt: active.loadedAt.toISOString(),
    assemblies,
  }
}

/** A sealed bundle with the same inputs, baked by the same version of the loader; its rows and files serve again. */
export const findBundleByFingerprint = async (
  sql: Sql,
  species: string,
  assembly: string | null,
  fingerprint: string,
): Promise<{ bundle: number; uid: string } | null> => {
  const [row] = await sql<{ bundle: number; uid: string }[]>`
    select id as bundle, uid from bundles
    where fingerprint = ${fingerprint} and species = ${species} and assembly is not distinct from ${assembly}
    order by id desc limit 1`
  return row ?? null
}

/** Sealed bundles of an assembly, the newest first: parts of them may serve again in the next. */
export const listBundlesOf = async (
  sql: Sql,
  species: string,
  assembly: string,
): Promise<{ uid: string; files: BundleFileSummary[] }[]> =>
  sql<{ uid: string; files: BundleFileSummary[] }[]>`
    select uid, summary -> 'files' as files from bundles
    where species = ${species} and assembly = ${assembly} order by id desc limit 4`

/** Sealed bundles by their numbers, in the order of the numbers. */
export const getBundles = async (sql: Sql, bundles: number[]): Promise<ActiveBundle[]> =>
  sql<ActiveBundle[]>`
    select id as bundle, uid, species, assembly, fingerprint, checksum, summary
    from bundles where id = any(${bundles}) order by id`

/** Notes by bundle what a tool's computations over several assemblies take of each; resolves to what they take of all that there are. */
export const noteContents = async (
  sql: Sql,
  tool: string,
  contents: ReadonlyMap<number, string>,
): Promise<Set<string>> => {
  await sql`
    update bundles set contents = contents || jsonb_build_object(${tool}::text, given.digest)
    from unnest(${[...contents.keys()]}::int[], ${[...contents.values()]}::text[]) given (bundle, digest)
    where bundles.id = given.bundle`
  const rows = await sql<{ digest: string | null }[]>`
    select contents ->> ${tool}::text as digest from bundles where contents ? ${tool}::text`
  return new Set(rows.flatMap(({ digest }) => digest ?? []))
}

/** Registers a bundle whose files are sealed and whose rows are in: one transaction attaches them. */
export const createBundle = async (
  sql: Sql,
  writer: BakedWriter,
  about: Omit<ActiveBundle, 'bundle'>,
): Promise<void> => {
  await sql.begin(async (transaction) => {
    await transaction`
      insert into bundles (id, uid, species, assembly, fingerprint, checksum, summary) overriding system value
      values (${writer.bundle}, ${about.uid}, ${about.species}, ${about.assembly}, ${about.fingerprint},
              ${about.checksum}, ${transaction.json(about.summary as never)})`
    await writer.attach(transaction as unknown as Sql)
  })
}

/** The switch: one transaction makes a new release of the species from sealed bundles and points the species at it. */
export const activateRelease = async (
  sql: Sql,
  manifest: SpeciesManifest,
  bundles: number[],
  report: unknown,
): Promise<number> =>
  sql.begin(async (transaction) => {
    await transaction`
      insert into species (id, position)
      values (${manifest.species}, (select coalesce(max(position), 0) + 1 from species))
      on conflict (id) do nothing`
    await transaction`select 1 from species where id = ${manifest.species} for update`
    const [release] = await transaction<{ id: number; number: number }[]>`
      insert into releases (species, number, manifest, report)
      values (${manifest.species},
              (select coalesce(max(number), 0) + 1 from releases where species = ${manifest.species}),
              ${transaction.json(manifest as never)}, ${transaction.json(report as never)})
      returning id, number`
    for (const [position, bundle] of bundles.entries()) {
      await transaction`
        insert into release_bundles (release, bundle, position) values (${release!.id}, ${bundle}, ${position})`
    }
    const before = await switchRelease(transaction, manifest.species, release!.id)
    await transaction`update releases set number_before = ${before} where id = ${release!.id}`
    await notifyCatalogue(transaction, manifest.species)
    return release!.number
  })

/** Ends the service of one release and begins that of another; gives back the number of the one that served, null for none. */
const switchRelease = async (transaction: AnySql, species: string, to: number): Promise<number | null> => {
  const [before] = await transaction<{ number: number }[]>`
    update releases r set
      served_seconds = served_seconds + coalesce(extract(epoch from clock_timestamp() - serves_since), 0),
      serves_since = null, served_until = clock_timestamp()
    from species s where s.id = ${species} and s.active_release = r.id returning r.number`
  await transaction`update releases set serves_since = clock_timestamp() where id = ${to}`
  await transaction`update species set active_release = ${to} where id = ${species}`
  return before?.number ?? null
}

export interface ReleaseRow {
  species: string
  number: number
  active: boolean
  createdAt: Date
  bundles: { uid: string; assembly: string | null }[]
  report: unknown
}

export const listReleases = async (sql: Sql, species?: string): Promise<ReleaseRow[]> =>
  sql<ReleaseRow[]>`
    select r.species, r.number, (s.active_release = r.id) as active, r.created_at as "createdAt", r.report,
           (select json_agg(json_build_object('uid', b.uid, 'assembly', b.assembly) order by rb.position)
            from release_bundles rb join bundles b on b.id = rb.bundle where rb.release = r.id) as bundles
    from releases r join species s on s.id = r.species
    where ${species === undefined ? sql`true` : sql`r.species = ${species}`}
    order by r.species, r.number desc`

/**
 * Points the species back at another release; without a number at the one that served before the active one was loaded, so that one
 * from which it was rolled back is not come to again. Null when there is none.
 */
export const rollbackRelease = async (sql: Sql, species: string, number?: number): Promise<number | null> =>
  sql.begin(async (transaction) => {
    await transaction`select 1 from species where id = ${species} for update`
    const [target] = await transaction<{ id: number; number: number; active: boolean }[]>`
      select r.id, r.number, r.id = s.active_release as active from releases r join species s on s.id = r.species
      where r.species = ${species}
        and r.number = ${number ?? transaction`(select number_before from releases a where a.id = s.active_release)`}`
    if (target === undefined) return null
    if (!target.active) await switchRelease(transaction, species, target.id)
    // What it was undone of is in service again.
    await transaction`
      update loads set undone_at = null
      where species = ${species} and undone_at is not null and (report ->> 'release')::int = ${target.number}
        and (select created_at from releases where id = ${target.id}) between started_at and ended_at`
    await notifyCatalogue(transaction, species)
    return target.number
  })

/** What undoing a load leads to: `before` is served again; null where nothing served before, and the species goes. */
export interface LoadUndo {
  number: number
  before: number | null
}

/** How a load can be undone; null once what it made serves no more, or where it made nothing. */
export const findLoadUndo = async (sql: AnySql, load: number): Promise<(LoadUndo & { species: string }) | null> => {
  // Numbers begin anew after a species was taken out, and a load that changes nothing tells the release that serves: hence the times.
  const [row] = await sql<{ species: string; number: number; before: number | null; earlier: boolean; has: boolean }[]>`
    select l.species, r.number, r.number_before as before,
      exists (select 1 from releases o where o.species = r.species and o.number < r.number) as earlier,
      exists (select 1 from releases o where o.species = r.species and o.number = r.number_before) as has
    from loads l join species s on s.id = l.species
      join releases r on r.id = s.active_release and r.number = (l.report ->> 'release')::int
    where l.id = ${load} and l.state = 'done' and r.created_at between l.started_at and l.ended_at
      and not exists (
        select 1 from loads o
        where o.species = l.species and o.state = 'done' and o.id <> l.id and o.ended_at < l.ended_at
          and o.ended_at >= r.created_at)`
  // Releases after it have been undone themselves, or it would not serve.
  if (row === undefined || (row.before === null ? row.earlier : !row.has)) return null
  return { species: row.species, number: row.number, before: row.before }
}

/** Undoes a load as it was told that it would be; null, and nothing is changed, where that is no longer so. */
export const undoLoad = async (sql: Sql, load: number, told: LoadUndo): Promise<string | null> =>
  sql.begin(async (transaction) => {
    await transaction`select 1 from species where id = (select species from loads where id = ${load}) for update`
    const undo = await findLoadUndo(transaction, load)
    if (undo === null || undo.number !== told.number || undo.before !== told.before) return null
    const { species, before } = undo
    if (before === null) await transaction`delete from species where id = ${species}`
    else {
      const [target] = await transaction<{ id: number }[]>`
        select id from releases where species = ${species} and number = ${before}`
      await switchRelease(transaction, species, target!.id)
    }
    await transaction`update loads set undone_at = clock_timestamp() where id = ${load}`
    await notifyCatalogue(transaction, species)
    return species
  })

/** Notes that a person has cancelled a load; whether its species was in service already, and stays so. */
export const noteCancelled = async (sql: Sql, load: number): Promise<{ inService: boolean }> => {
  const [row] = await sql<{ inService: boolean }[]>`
    update loads set cancelled_at = clock_timestamp() where id = ${load}
    returning state = 'done' or fraction >= ${portalStageFraction}::real as "inService"`
  return { inService: row?.inService === true }
}

/** Takes the species out of service and forgets its releases; its bundles become unused. */
export const deleteSpecies = async (sql: Sql, species: string): Promise<boolean> => {
  const rows = await sql`delete from species where id = ${species} returning id`
  await notifyCatalogue(sql, species)
  return rows.length > 0
}

/**
 * Forgets all but the active release, the one that served last before it, and those that served longest, `keep` beside the active one
 * in all. What served before a release that is forgotten counts as what served before those loaded over it.
 */
export const deleteOldReleases = async (sql: Sql, species: string, keep: number): Promise<void> => {
  await sql.begin(async (transaction) => {
    const inactive = await transaction<{ id: number; number: number }[]>`
      select r.id, r.number
      from releases r join species s on s.id = r.species
      where r.species = ${species} and r.id is distinct from s.active_release
      order by r.served_until = (select max(o.served_until) from releases o
                                 where o.species = r.species and o.id is distinct from s.active_release) desc nulls last,
        r.served_seconds desc, r.number desc
      for update of s`
    for (const { id, number } of inactive.slice(keep)) {
      await transaction`
        update releases set number_before = (
          select number_before from releases forgotten where forgotten.id = ${id})
        where species = ${species} and number_before = ${number}`
      await transaction`delete from releases where id = ${id}`
    }
  })
}

/** Bundles that no release uses and no load may still be about to use. */
export const listUnusedBundles = async (sql: Sql): Promise<{ bundle: number; uid: string }[]> =>
  sql<{ bundle: number; uid: string }[]>`
    select b.id as bundle, b.uid from bundles b
    where not exists (select 1 from release_bundles rb where rb.bundle = b.id)
      and not exists (select 1 from portal_bundles p where p.bundle = b.id)
    order by b.id`

export const deleteBundleRow = async (sql: Sql, bundle: number): Promise<void> => {
  await sql`delete from bundles where id = ${bundle}`
}

/** Calls back when any process changes what is active, and whenever the connection had to be made again. */
export const listenToCatalogue = async (sql: Sql, onChange: () => void): Promise<() => Promise<void>> => {
  const subscription = await sql.listen(catalogueChannel, onChange, onChange)
  return () => subscription.unlisten()
}

// Loads ---------------------------------------------------------------------------------------------------------------

/** A load that waits for its turn (see `beginLoad`). */
export const createLoad = async (
  sql: Sql,
  load: { species: string; folder: string; host: string; pid: number; startedBy: string },
): Promise<number> => {
  const [row] = await sql<{ id: number }[]>`
    insert into loads (species, folder, state, host, pid, started_by)
    values (${load.species}, ${load.folder}, 'waiting', ${load.host}, ${load.pid}, ${load.startedBy}) returning id`
  return row!.id
}

/**
 * A load that waits for its process, as one started from the page does; null while another waits or runs. Those gone silent are
 * failed first, so that a process that died at the wrong moment holds nobody up.
 */
export const createWaitingLoad = async (
  sql: Sql,
  load: { folder: string; host: string; startedBy: string },
): Promise<number | null> =>
  sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtextextended('novodb.loads.start', 0))`
    await transaction`
      update loads set state = 'failed', ended_at = clock_timestamp(), report = jsonb_build_object('interrupted', true)
      where state in ('waiting', 'running') and heartbeat_at < clock_timestamp() - interval '60 seconds'`
    const [row] = await transaction<{ id: number }[]>`
      insert into loads (species, folder, state, host, started_by)
      select '', ${load.folder}, 'waiting', ${load.host}, ${load.startedBy}
      where not exists (select 1 from loads where state in ('waiting', 'running'))
      returning id`
    return row?.id ?? null
  })

/** The process of a waiting load has read the manifest: it is told of by its species from here on, however long it waits for its turn. */
export const nameLoad = async (
  sql: Sql,
  id: number,
  load: { species: string; host: string; pid: number },
): Promise<void> => {
  await sql`
    update loads set species = ${load.species}, host = ${load.host}, pid = ${load.pid}, heartbeat_at = clock_timestamp()
    where id = ${id} and state = 'waiting'`
}

/** The process of a waiting load has its turn. */
export const beginLoad = async (sql: Sql, id: number): Promise<void> => {
  await sql`
    update loads set state = 'running', lacks_space = false, space_folder = null, needed_bytes = null, free_bytes = null,
      heartbeat_at = clock_timestamp()
    where id = ${id} and state = 'waiting'`
}

/**
 * Says that a load waits for space, and that it lives. Also of one that another took for dead meanwhile: on a full disk the signs of its life
 * may not have been written.
 */
export const holdLoad = async (
  sql: Sql,
  id: number,
  lacking: { folder: string | null; neededBytes: number | null; freeBytes: number | null },
): Promise<void> => {
  await sql`
    update loads set state = 'waiting', step = 'disk full', lacks_space = true, space_folder = ${lacking.folder},
      needed_bytes = ${lacking.neededBytes}, free_bytes = ${lacking.freeBytes}, report = null, ended_at = null,
      heartbeat_at = clock_timestamp()
    where id = ${id}`
}

/** Folders whose last load, started from the page, ended while it waited for space: with its process, not by itself. */
export const listStrandedLoads = async (sql: Sql): Promise<{ folder: string; startedBy: string }[]> =>
  sql<{ folder: string; startedBy: string }[]>`
    select folder, started_by as "startedBy" from loads
    where lacks_space and state = 'failed' and started_by not in ('command line', 'demo')
      and id = (select max(latest.id) from loads latest where latest.folder = loads.folder)
    order by id`

/** What a load that waits is told of the one that runs. */
export interface RunningLoad {
  id: number
  species: string
  step: string
  fraction: number
  startedAt: Date
  /** Since when it is in this stage (steps that differ by the share done are of one stage). */
  stepSince: Date
}

/** When the stage that a running load is in began; `loads` is the row it is asked for. */
const stageBegan = (sql: Sql) => sql`
  (select min(steps.at) from load_steps steps
   where steps.load = loads.id
     and regexp_replace(steps.step, ' [0-9]+ %$', '') = regexp_replace(loads.step, ' [0-9]+ %$', ''))`

/** The load that has its turn; null when none has, as between two. */
export const getRunningLoad = async (sql: Sql): Promise<RunningLoad | null> => {
  const [row] = await sql<RunningLoad[]>`
    select id, species, step, fraction::float8 as fraction, started_at as "startedAt",
      coalesce(${stageBegan(sql)}, started_at) as "stepSince"
    from loads where state = 'running' order by heartbeat_at desc limit 1`
  return row ?? null
}

/** A load that waits says every second that it lives. */
const waitTimeout = '10 seconds'

/** Whether the last load that was done left what is computed over all assemblies to one after it. */
export const isPortalLeft = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ left: boolean }[]>`
    select coalesce((report ->> 'portalLeft')::boolean, false) as left from loads
    where state = 'done' order by ended_at desc limit 1`
  return row?.left ?? false
}

/** Whether loads besides this one wait for their turn, and live. */
export const othersWait = async (sql: Sql, load: number): Promise<boolean> => {
  const rows = await sql`
    select 1 from loads
    where state = 'waiting' and species <> '' and id <> ${load}
      and heartbeat_at > clock_timestamp() - ${waitTimeout}::interval
    limit 1`
  return rows.length > 0
}

/** Notes where a load is; with nulls only that it lives. */
export const updateLoad = async (sql: Sql, id: number, step: string | null, fraction: number | null): Promise<void> => {
  await sql`
    update loads set step = coalesce(${step}, step), fraction = coalesce(${fraction}::real, fraction),
      heartbeat_at = clock_timestamp()
    where id = ${id} and state in ('waiting', 'running')`
}

/** One line of a load's log. */
export const addLoadStep = async (sql: Sql, id: number, step: string): Promise<void> => {
  await sql`insert into load_steps (load, step) values (${id}, ${step})`
}

/** Ends a load that is in one of `from`; one that has ended already stays as it is when it is not. */
export const endLoad = async (
  sql: Sql,
  id: number,
  state: 'done' | 'failed',
  report: unknown,
  from: readonly string[] = ['waiting', 'running', 'done', 'failed'],
): Promise<void> => {
  await sql`
    update loads set state = ${state}, fraction = case when ${state === 'done'} then 1 else fraction end,
      report = ${sql.json(report as never)}, ended_at = clock_timestamp(), heartbeat_at = clock_timestamp()
    where id = ${id} and state = any(${[...from]})`
}

/** Loads whose process has gone silent are failed, so that no screen shows them running for ever. */
export const failSilentLoads = async (sql: Sql, silentMs: number): Promise<void> => {
  await sql`
    update loads set state = 'failed', ended_at = clock_timestamp(),
      report = jsonb_build_object('interrupted', true)
    where (state = 'running' and heartbeat_at < clock_timestamp() - make_interval(secs => ${silentMs / 1000}))
      or (state = 'waiting' and heartbeat_at < clock_timestamp() - interval '60 seconds')`
}

export interface LoadRow extends LoadStatus {
  folder: string
  startedBy: string
  report: unknown
  /** Of the disk that is full; null when none is, or it is elsewhere. */
  spaceFolder: string | null
}

/** The state of a load with what a person did with it. */
const loadState = (sql: AnySql) => sql`
  case when state = 'failed' and cancelled_at is not null then 'cancelled'
    when state = 'done' and undone_at is not null then 'undone' else state end`

const loadColumns = (sql: Sql) => sql`
  id, species, folder, ${loadState(sql)} as state, step, fraction::float8 as fraction, report, started_by as "startedBy",
  started_at as "startedAt", ended_at as "endedAt",
  case when state = 'running' then ${stageBegan(sql)} end as "stepSince",
  case when state = 'running' then (select min(steps.at) from load_steps steps where steps.load = loads.id) end
    as "runningSince", space_folder as "spaceFolder",
  case when lacks_space and state = 'waiting'
    then jsonb_build_object('neededBytes', needed_bytes, 'freeBytes', free_bytes) end as space`
type LoadRecord = Omit<LoadRow, 'startedAt' | 'endedAt' | 'stepSince' | 'runningSince'> & {
  startedAt: Date
  endedAt: Date | null
  stepSince: Date | null
  runningSince: Date | null
}
const renderLoad = (row: LoadRecord): LoadRow => ({
  ...row,
  stepSince: row.stepSince?.toISOString() ?? null,
  runningSince: row.runningSince?.toISOString() ?? null,
  startedAt: row.startedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
})

export const listLoads = async (sql: Sql, limit: number): Promise<LoadRow[]> => {
  const rows = await sql<LoadRecord[]>`select ${loadColumns(sql)} from loads order by id desc limit ${limit}`
  return rows.map(renderLoad)
}

export const getLoad = async (sql: Sql, id: number): Promise<LoadRow | null> => {
  const [row] = await sql<LoadRecord[]>`select ${loadColumns(sql)} from loads where id = ${id}`
  return row === undefined ? null : renderLoad(row)
}

/** The log of a load: its steps as they began, oldest first. */
export const listLoadSteps = async (sql: Sql, id: number): Promise<{ at: Date; step: string }[]> =>
  sql<{ at: Date; step: string }[]>`select at, step from load_steps where load = ${id} order by at limit 5000`

/** The folder that what is in service of a species was loaded from, else that of its last load, and the host it is on. */
export const findLoadFolder = async (sql: Sql, species: string): Promise<{ folder: string; host: string } | null> => {
  // Of one whose last load was undone it is the folder of the release that serves again.
  const [row] = await sql<{ folder: string; host: string }[]>`
    select l.folder, l.host from loads l
      left join species s on s.id = l.species left join releases r on r.id = s.active_release
    where l.species = ${species} and l.state = 'done'
    order by (l.undone_at is null) desc, ((l.report ->> 'release')::int = r.number) is true desc, l.id desc limit 1`
  return row ?? null
}

/** Folders that a load has succeeded from. */
export const listLoadFolders = async (sql: Sql): Promise<string[]> =>
  (await sql<{ folder: string }[]>`select distinct folder from loads where state = 'done'`).map((row) => row.folder)

/** Loads that species in service are of. */
export const listServingLoads = async (sql: Sql): Promise<{ id: number; folder: string }[]> =>
  sql<{ id: number; folder: string }[]>`
    select loads.id, loads.folder from loads join species on species.id = loads.species
    where loads.state = 'done' and loads.undone_at is null`

/** The manifest in service of a species that was loaded from a folder; null where none was. */
export const findServingManifest = async (sql: Sql, folder: string): Promise<SpeciesManifest | null> => {
  const [row] = await sql<{ manifest: SpeciesManifest }[]>`
    select r.manifest from species s join releases r on r.id = s.active_release
    where exists (select 1 from loads where species = s.id and state = 'done' and folder = ${folder}) limit 1`
  return row?.manifest ?? null
}

/** Whether one of these loads waits or runs. */
export const anyLoadRuns = async (sql: AnySql, loads: readonly number[]): Promise<boolean> => {
  const rows = await sql`select 1 from loads where id = any(${[...loads]}) and ended_at is null limit 1`
  return rows.length > 0
}

export interface StoredBundle {
  uid: string
  species: string
  assembly: string | null
  active: boolean
  bytes: number
  fileCount: number
  checksum: string
  createdAt: Date
}

/** Every bundle that takes room, the active ones first: those of active releases, and comparisons of such alone. */
export const listStoredBundles = async (sql: Sql): Promise<StoredBundle[]> =>
  sql<StoredBundle[]>`
    with serving as (select rb.bundle from release_bundles rb join species s on s.active_release = rb.release)
    select b.uid, b.species, b.assembly, b.checksum, b.created_at as "createdAt",
      jsonb_array_length(b.summary -> 'files') as "fileCount",
      coalesce((select sum((file ->> 'bytes')::float8) from jsonb_array_elements(b.summary -> 'files') file), 0)::float8 as bytes,
      (b.id in (select bundle from serving) or exists (
        select 1 from portal_bundles p where p.bundle = b.id and not exists (
          select 1 from unnest(p.inputs) input where input not in (select bundle from serving)))) as active
    from bundles b order by active desc, b.species, b.assembly nulls first, b.id`
