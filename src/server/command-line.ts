import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { z } from 'zod'
import type { DefectLanguage } from '../bio/text/defects.ts'
import { passwordBounds } from '../contracts/accounts/identity.ts'
import { loadStepText } from '../contracts/load-steps.ts'
import {
  deleteSpecies,
  listActiveSpecies,
  listReleases,
  listStoredBundles,
  rollbackRelease,
} from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { DatabaseError, isServerGone, reasonOf } from '../database/driver/database-error.ts'
import { findMigrations } from '../database/migrations.ts'
import { mergeSearchTables } from '../database/search/merged-tables.ts'
import { limitHeapGrowth } from '../jobs/heap-growth.ts'
import {
  exportTexts,
  followedText,
  portalLeftText,
  renderDefects,
  renderExported,
  renderSpace,
  renderStopped,
  renderWaiting,
} from '../loader/command-report.ts'
import type { ManifestChange } from '../loader/import/add-to-species.ts'
import type { AddingTurn } from '../loader/import/adding-turn.ts'
import type { Question } from '../loader/import/compose.ts'
import type { ServedSpecies } from '../loader/import/served-species.ts'
import type { LoadReport } from '../loader/load-species.ts'
import { LoadStopped } from '../loader/load-turn.ts'
import type { PortalFiles } from '../store/portal-files.ts'
import { type Config, readConfig, SettingsError } from './config.ts'
import { loadConnections } from './connection-budget.ts'
import { openFiles } from './open-files.ts'
import { openPortalDatabase, portalVersion } from './portal-database.ts'

// What one command alone needs is imported when it runs: the others, help and lists above all, start in a third of the time.

const usage = `NovoDB ${portalVersion}

  novodb serve                     the portal: web server and workers
  novodb worker                    workers only, for a further machine
  novodb worker --one JOB          runs one job, as a task that a scheduler starts on a node
  novodb import PATH...            recognises folders, archives (.zip, .tar.gz) and files as they are,
                                   writes species.yaml and loads it
  novodb import PATH... --to SPECIES
                                   adds data to a species that is loaded; without --to to the one they fit
  novodb check FOLDER              validates a species folder without loading it
  novodb load FOLDER...            loads it, or what has changed of it; several one after the other
  novodb export SPECIES FOLDER     writes the files that a species was loaded from, with species.yaml
  novodb list                      species, assemblies and releases
  novodb rollback SPECIES [N]      back to the release before, or to release N
  novodb remove SPECIES            takes a species out of the portal
  novodb verify                    checks every file in service against its checksum
  novodb publish                   puts bundles and results of jobs of before there was an object store into it
  novodb engines                   programs that the tools use, and whether they are here
  novodb schema                    prints the JSON Schema of species.yaml
  novodb admin password            sets a new password for admin (asked for, or made up when left empty)
  novodb backup FILE               accounts, jobs and catalogue to one file
  novodb restore FILE              into an empty database

Options: --lang zh (messages in Chinese), --json (report as JSON, for import, check, load, export, list and engines)
Of check:  --all (every defect; otherwise the first of each kind)
Of import: --dry-run (only says what each file is), --into FOLDER (for species.yaml and unpacked archives),
           --yes (takes the defaults of all questions), --rewrite (puts aside a species.yaml that is there),
           --to SPECIES (adds to what is loaded), --remove ENTRY (with --to: takes an entry out again)
Settings are environment variables: see docs/settings.en.md.
`

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const complain = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

interface Options {
  language: DefectLanguage
  json: boolean
  /** Of `worker`: the one job that is run. */
  one: string | null
  /** Of `worker --one`: the tool of that job. */
  tool?: string
  /** Of `worker --one`: after this the job fails. */
  seconds: number
  /** Of `check`. */
  all: boolean
  /** Of `import`. */
  into?: string
  to?: string
  remove?: string
  dryRun: boolean
  yes: boolean
  rewrite: boolean
}

const withDatabase = async <T>(
  config: Config,
  work: (database: Awaited<ReturnType<typeof openPortalDatabase>>) => Promise<T>,
  migrate = true,
): Promise<T> => {
  const database = await openPortalDatabase(config, 'command', {
    max: loadConnections.main,
    statementTimeoutMs: 0,
    migrate,
    log: complain,
  })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** A line that is rewritten in a terminal, and written when the step changes elsewhere. */
const progressLine = (): { show(step: string, fraction: number, key?: string): void; end(): void } => {
  let shown = ''
  return {
    show: (step, fraction, key = step) => {
      const percent = `${String(Math.floor(fraction * 100)).padStart(3)} %`
      if (process.stderr.isTTY) {
        const width = 24
        const filled = Math.round(fraction * width)
        process.stderr.write(`\r\x1b[2K${'█'.repeat(filled)}${'·'.repeat(width - filled)} ${percent}  ${step}`)
      } else if (key !== shown) complain(`${percent}  ${step}`)
      shown = key
    },
    end: () => {
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K')
    },
  }
}

/** A signal that the process was asked to end by, once; a second ends it at once. */
const stopSignal = (): AbortController => {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      stoppedStatus = 128 + constants.signals[name]
      controller.abort(new Error('interrupted'))
    })
  return controller
}
/** As shells tell that a program was ended by a signal. */
let stoppedStatus = 1

/** Their texts are read only here: they are those of all tools, and a task on a node starts by this command too. */
const describeDefects = async (
  { defects, totals }: { defects: readonly LoadReport['defects'][number][]; totals: LoadReport['totals'] },
  options: Options,
  howMany: Parameters<typeof renderDefects>[4] = {},
): Promise<string> => {
  const { readDefectCatalogue } = await import('../loader/defect-catalogue.ts')
  return renderDefects(defects, totals, await readDefectCatalogue(), options.language, howMany)
}

/** How tools are called, for steps that have their ids. */
const readToolTitles = async ({ language }: Options): Promise<(id: string) => string | null> => {
  const { findTools } = await import('../kit/find-tools.ts')
  const tools = await findTools()
  return (id) => tools.find((tool) => tool.id === id)?.messages?.[language].title ?? null
}

const check = async (folder: string, options: Options): Promise<number> => {
  limitHeapGrowth()
  const { allDefects, checkSpecies } = await import('../loader/check-species.ts')
  const { signal } = stopSignal()
  const line = progressLine()
  const titleOf = await readToolTitles(options)
  const show = (step: string, fraction: number): void =>
    line.show(loadStepText(step, options.language, titleOf), fraction)
  try {
    const { log } = await checkSpecies(folder, signal, show, options.all ? { keepPerKind: allDefects } : {})
    line.end()
    const { defects } = log
    const totals = log.totals()
    if (options.json) say(JSON.stringify({ ok: !log.hasErrors, defects, totals }, null, 2))
    else say((await describeDefects({ defects, totals }, options, { all: options.all, hint: true })) || 'OK')
    return log.hasErrors ? 1 : 0
  } catch (error) {
    line.end()
    if (!signal.aborted) throw error
    complain(options.language === 'zh' ? '检查已停止。' : 'Stopped: the folder was not checked to its end.')
    return stoppedStatus
  }
}

const sayLoaded = async (report: LoadReport, options: Options): Promise<void> => {
  const text = await describeDefects(report, options)
  if (text !== '') say(text)
  for (const assembly of report.assemblies) {
    say(
      assembly.reused
        ? `${assembly.assembly}: unchanged`
        : `${assembly.assembly}: ${assembly.genes} genes, ${assembly.lengthBp} bp in ${(assembly.elapsedMs / 1000).toFixed(1)} s${
            assembly.kept.length === 0 ? '' : `; taken over: ${assembly.kept.join(', ')}`
          }`,
    )
  }
  for (const { assembly, followed } of report.assemblies)
    if (followed !== undefined) say(`${assembly}: ${followedText(followed, options.language)}`)
  if (report.ok)
    say(`${report.species}: release ${report.release} is in service (${(report.elapsedMs / 1000).toFixed(1)} s)`)
  else complain(report.failure ?? 'Nothing was changed: the release before stays in service.')
  if (report.portalLeft) say(portalLeftText[options.language])
}

/** Loads the folders one after the other; each is in service when it is done, and what is computed over all is so once, at the end. */
const load = (config: Config, folders: string[], options: Options): Promise<number> =>
  withDatabase(config, (database) => loadInto(config, database, folders, options))

const loadInto = async (config: Config, database: Database, folders: string[], options: Options): Promise<number> => {
  limitHeapGrowth()
  const { runLoad } = await import('./loads/load-folder.ts')
  const { signal } = stopSignal()
  const line = progressLine()
  const titleOf = await readToolTitles(options)
  const reports: LoadReport[] = []
  const show = (step: string, fraction: number, key?: string): void => line.show(step, fraction, key)
  const loadOne = async (folder: string, leavePortal: boolean): Promise<void> => {
    const report = await runLoad(
      config,
      database,
      folder,
      'command line',
      signal,
      (step, fraction) => show(loadStepText(step, options.language, titleOf), fraction),
      undefined,
      {
        leavePortal,
        onWaiting: (running) => {
          const { text, key } = renderWaiting(running, options.language, titleOf)
          show(text, 0, key)
        },
        onSpace: (space) => {
          const { text, key } = renderSpace(space, options.language)
          show(text, 0, key)
        },
      },
    )
    line.end()
    reports.push(report)
    if (!options.json) await sayLoaded(report, options)
  }
  try {
    for (const [number, folder] of folders.entries()) await loadOne(folder, number < folders.length - 1)
    // The last was refused before its turn: what was left to it is done by one that succeeded, which has nothing else to do.
    const done = folders[reports.findLastIndex((report) => report.ok)]
    if (reports.at(-1)?.ok === false && reports.some((report) => report.portalLeft) && done !== undefined)
      await loadOne(done, false)
  } catch (error) {
    line.end()
    if (!(error instanceof LoadStopped)) throw error
    complain(renderStopped(error, options.language))
    return stoppedStatus
  }
  if (options.json) say(JSON.stringify(folders.length === 1 ? reports[0] : reports, null, 2))
  return reports.every((report) => report.ok) ? 0 : 1
}

/**
 * Asks a person in a terminal; takes what `--yes` says without asking. Elsewhere nobody answers, and what would have been asked is marked
 * in the manifest.
 */
const askPerson = async (question: Question, options: Options): Promise<string | null> => {
  if (options.yes) return question.fallback
  if (!process.stdin.isTTY || options.json) return null
  const { readAnswer, renderQuestion } = await import('../loader/import/import-report.ts')
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    while (true) {
      const answer = readAnswer(await prompt.question(renderQuestion(question, options.language)), question)
      if (answer !== null) return answer
    }
  } finally {
    prompt.close()
  }
}

/** Adds what is there to a species that is loaded, and loads what has changed of it. */
const addPaths = async (paths: string[], options: Options): Promise<number> => {
  const { addToSpecies } = await import('../loader/import/add-to-species.ts')
  const { additionJson, importStepText, renderAddition } = await import('../loader/import/import-report.ts')
  const { signal } = stopSignal()
  const line = progressLine()
  return adding(options, signal, line, async (database, turn) => {
    const report = await addToSpecies({
      ...options,
      sql: database.sql,
      paths,
      species: options.to ?? null,
      into: options.into,
      turn,
      ask: (question) => {
        line.end()
        return askPerson(question, options)
      },
      signal,
      onProgress: (step, fraction) => line.show(importStepText(step, options.language), fraction),
    }).finally(() => line.end())
    const { log, manifest } = report
    const mayLoad = !log.hasErrors && manifest !== null && manifest.kept !== null
    if (options.json && !mayLoad) say(JSON.stringify(additionJson(report), null, 2))
    if (!options.json) {
      say(renderAddition(report, false, options.language))
      const defects = await describeDefects({ defects: log.defects, totals: log.totals() }, options)
      if (defects !== '') say(`\n${defects}`)
      if (options.dryRun && manifest !== null) say(`\n${manifest.text.trimEnd()}`)
    }
    if (mayLoad) return loadAddition(database, report.home!, manifest, options)
    return log.hasErrors || (report.open.length > 0 && !options.dryRun) ? 1 : 0
  })
}

/** Calls `work` with the turn of an addition, which it takes when it writes, and which ends with it. */
const adding = (
  options: Options,
  signal: AbortSignal,
  line: ReturnType<typeof progressLine>,
  work: (database: Database, turn: AddingTurn) => Promise<number>,
): Promise<number> =>
  withDatabase(readConfig(), async (database) => {
    const { inAddingTurn } = await import('../loader/import/adding-turn.ts')
    const { importStepText } = await import('../loader/import/import-report.ts')
    const onWaiting = (): void => line.show(importStepText('wait', options.language), 0)
    return inAddingTurn({ database, signal, onWaiting }, (turn) => work(database, turn))
  })

const removeEntry = async (options: Options): Promise<number> => {
  const { removeFromSpecies } = await import('../loader/import/add-to-species.ts')
  const { renderAddition } = await import('../loader/import/import-report.ts')
  const { to, remove, dryRun } = options
  const { signal } = stopSignal()
  const line = progressLine()
  return adding(options, signal, line, async (database, turn) => {
    const report = await removeFromSpecies({ sql: database.sql, species: to!, entry: remove!, dryRun, turn })
    line.end()
    const { log, manifest } = report
    if (!options.json) {
      say(renderAddition({ ...report, open: [], accounts: [] }, true, options.language))
      const defects = await describeDefects({ defects: log.defects, totals: log.totals() }, options)
      if (defects !== '') say(defects)
    }
    if (log.hasErrors || manifest === null) return 1
    return manifest.kept === null ? 0 : loadAddition(database, to!, manifest, options)
  })
}

/** Loads a folder whose manifest was changed; where that is refused, the manifest of before is put back. */
const loadAddition = async (
  database: Database,
  species: string,
  manifest: ManifestChange,
  options: Options,
): Promise<number> => {
  const { loadChange, ManifestLeftError } = await import('./loads/load-change.ts')
  let status = 1
  const load = async (): Promise<boolean> => {
    status = await loadInto(readConfig(), database, [manifest.folder], options)
    return status === 0
  }
  await loadChange({ sql: database.sql, species, manifest }, load, () =>
    complain(
      options.language === 'zh'
        ? `未加载：${manifest.file} 已恢复原样。`
        : `Nothing was loaded: ${manifest.file} is as it was before.`,
    ),
  ).catch((error: unknown) => {
    if (!(error instanceof ManifestLeftError)) throw error
    const { file, reason } = error
    complain(
      options.language === 'zh'
        ? `未加载，且 ${file} 未能恢复原样（${reason}）。原文件：${manifest.kept ?? ''}`
        : `Nothing was loaded, and ${file} could not be put back as it was before (${reason}). What it was: ${manifest.kept ?? ''}`,
    )
    status = 1
  })
  return status
}

/** What is in service; nothing where there is no portal yet, which a look at files does not set up. */
const listServed = async ({ dryRun }: Options): Promise<ReadonlyMap<string, ServedSpecies>> => {
  const config = readConfig()
  const { listServedSpecies } = await import('../loader/import/served-species.ts')
  if (config.databaseUrl === undefined && !existsSync(config.dataDir)) return new Map()
  const found = withDatabase(config, ({ sql }) => listServedSpecies(sql), !dryRun)
  return dryRun ? found.catch(() => new Map()) : found
}

/** Recognises what is there, writes the manifests, and loads them as `load` does. */
const importPaths = async (paths: string[], options: Options): Promise<number> => {
  limitHeapGrowth()
  const { importSpecies } = await import('../loader/import/import-species.ts')
  const { importJson, importStepText, renderImport, renderOpen } = await import('../loader/import/import-report.ts')
  const { signal } = stopSignal()
  const line = progressLine()
  let report: Awaited<ReturnType<typeof importSpecies>>
  try {
    report = await importSpecies({
      paths,
      ...options,
      into: options.into,
      ask: (question) => {
        line.end()
        return askPerson(question, options)
      },
      listServed: () => listServed(options),
      signal,
      onProgress: (step, fraction) => line.show(importStepText(step, options.language), fraction),
    })
  } catch (error) {
    line.end()
    if (!signal.aborted) throw error
    complain(
      options.language === 'zh'
        ? '导入已停止；再次运行同一命令即可继续。'
        : 'Stopped: the same command goes on from there.',
    )
    return stoppedStatus
  }
  line.end()
  const { log, manifests, open } = report
  // Data without a genome are of one that is loaded.
  if (log.count('import-no-genome') > 0 && log.defects.filter(({ severity }) => severity === 'error').length === 1)
    return addPaths(paths, options)
  // Of what was written with --yes the marks stand for whoever reads it later; nothing waits for them.
  const waits = !options.yes && manifests.some(({ marked }) => marked)
  const mayLoad = !log.hasErrors && !waits && !options.dryRun
  if (options.json && !mayLoad) say(JSON.stringify(importJson(report), null, 2))
  if (!options.json) {
    say(renderImport(report, options.language))
    const defects = await describeDefects({ defects: log.defects, totals: log.totals() }, options)
    if (defects !== '') say(`\n${defects}`)
    if (options.dryRun && !log.hasErrors) for (const { text } of manifests) say(`\n${text.trimEnd()}`)
    if (waits && !options.dryRun) say(`\n${renderOpen(open, options.language)}`)
  }
  if (!mayLoad) return log.hasErrors || (waits && !options.dryRun) ? 1 : 0
  return load(
    readConfig(),
    manifests.map(({ folder }) => folder),
    options,
  )
}

/** Writes what a species was loaded from, to be loaded elsewhere. */
const exportFiles = async (config: Config, species: string, folder: string, options: Options): Promise<number> =>
  withDatabase(config, ({ sql }) =>
    withFiles(config, async (files) => {
      const { exportSpecies } = await import('../loader/export-species.ts')
      const { signal } = stopSignal()
      const line = progressLine()
      try {
        const onProgress = (fraction: number): void => line.show(exportTexts[options.language].step, fraction)
        const { log, ...report } = await exportSpecies({ sql, files, species, folder, signal, onProgress })
        line.end()
        const { defects } = log
        const totals = log.totals()
        if (options.json) say(JSON.stringify({ ok: !log.hasErrors, ...report, defects, totals }, null, 2))
        else if (log.hasErrors) complain(await describeDefects({ defects, totals }, options))
        else say(renderExported({ species, ...report }, options.language))
        return log.hasErrors ? 1 : 0
      } catch (error) {
        line.end()
        if (!signal.aborted) throw error
        complain(exportTexts[options.language].stopped)
        return stoppedStatus
      }
    }),
  )

const list = async (config: Config, options: Options): Promise<number> =>
  withDatabase(config, async (database) => {
    const active = await listActiveSpecies(database.sql)
    const releases = await listReleases(database.sql)
    if (options.json) {
      say(JSON.stringify({ species: active.map((entry) => ({ ...entry, manifest: undefined })), releases }, null, 2))
      return 0
    }
    for (const species of active) {
      say(`${species.id}  release ${species.releaseNumber}  ${species.loadedAt.toISOString()}`)
      for (const bundle of species.bundles) {
        if (bundle.assembly !== null)
          say(`  ${bundle.assembly}: ${bundle.summary.geneCount} genes, ${bundle.summary.lengthBp} bp`)
      }
      const others = releases
        .filter((release) => release.species === species.id && !release.active)
        .map((release) => release.number)
      if (others.length > 0) say(`  earlier releases: ${others.join(', ')}`)
    }
    if (active.length === 0) say('Nothing is loaded yet.')
    return 0
  })

const withFiles = async <T>(config: Config, work: (files: PortalFiles) => Promise<T>): Promise<T> => {
  const files = await openFiles(config, complain, 'loads')
  return work(files).finally(() => files.close())
}

const verify = async (config: Config): Promise<number> =>
  withDatabase(config, (database) =>
    withFiles(config, async (portalFiles) => {
      let damaged = 0
      for (const species of await listActiveSpecies(database.sql)) {
        for (const bundle of species.bundles) {
          for (const file of await portalFiles.verifyBundle(bundle.uid)) {
            complain(`${species.id} ${bundle.assembly ?? ''}: ${file.path}: ${file.problem}`)
            damaged += 1
          }
        }
      }
      const files = damaged === 1 ? '1 file is' : `${damaged} files are`
      say(damaged === 0 ? 'Every file is as it was sealed.' : `${files} damaged: load the species again.`)
      return damaged === 0 ? 0 : 1
    }),
  )

/** Puts into the object store what was loaded and computed before there was one. */
const publish = async (config: Config): Promise<number> => {
  if (config.objects === null) {
    complain('There is no object store to publish to: set NOVODB_S3_BUCKET.')
    return 1
  }
  return withDatabase(config, (database) =>
    withFiles(config, async (files) => {
      const { listDoneRuns } = await import('../jobs/kept-runs.ts')
      let lacking = 0
      const bundles = await listStoredBundles(database.sql)
      for (const { uid } of bundles) {
        if (await files.keepsBundle(uid)) continue
        complain(`${uid}: neither here nor in the store`)
        lacking += 1
      }
      const runs = await listDoneRuns(database.sql, config.dataDir)
      for (const directory of runs) if (!(await files.hasRun(directory))) await files.publishRun(directory)
      say(`In the store: ${bundles.length - lacking} bundles, and ${runs.length} results of jobs of this host.`)
      return lacking === 0 ? 0 : 1
    }),
  )
}

/** What is piped in, up to the end of its first line: blanks belong to the password. */
const readPiped = async (): Promise<string> => {
  const pieces: Buffer[] = []
  // Not by the path /dev/stdin: what starts this may give it a socket, which cannot be opened by a path.
  for await (const piece of process.stdin) pieces.push(Buffer.from(piece as Uint8Array))
  return Buffer.concat(pieces).toString('utf8').split(/\r?\n/)[0]!
}

const setAdminPassword = async (config: Config): Promise<number> => {
  let password = ''
  if (process.stdin.isTTY) {
    const prompt = createInterface({ input: process.stdin, output: process.stderr })
    password = await prompt.question('New password for admin (empty: one is made up): ')
    prompt.close()
  } else password = await readPiped()
  const { shortest, longest } = passwordBounds
  if (password !== '' && (password.length < shortest || password.length > longest)) {
    complain(`A password has ${shortest} to ${longest} characters.`)
    return 1
  }
  const { createPassword } = await import('./accounts/credentials.ts')
  const { resetAdminPassword } = await import('./accounts/sessions.ts')
  return withDatabase(config, async (database) => {
    const chosen = password === '' ? createPassword() : password
    await resetAdminPassword(database.sql, chosen)
    say(password === '' ? `New password of admin: ${chosen}` : 'The password of admin is set; its sessions have ended.')
    return 0
  })
}

/** As `writeSettings` of jobs/slurm-jobs.ts writes it. */
const settingsSchemaFile = z.record(z.string(), z.string())

/** Takes the settings of a file, but for a data directory that the node itself names: that of a local disk. */
const takeSettings = async (file: string): Promise<void> => {
  const { NOVODB_DATA: own } = process.env
  Object.assign(process.env, settingsSchemaFile.parse(JSON.parse(await readFile(file, 'utf8'))))
  if (own) process.env.NOVODB_DATA = own
}

const expectedWords: Record<string, string> = { '--one': 'the id of a job', '--tool': 'the id of a tool' }

const main = async (args: string[]): Promise<number> => {
  const options: Options = {
    language: 'en',
    json: false,
    one: null,
    seconds: 604_800,
    all: false,
    dryRun: false,
    yes: false,
    rewrite: false,
  }
  let settings: string | null = null
  const words: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]!
    if (word === '--json') options.json = true
    else if (word === '--all') options.all = true
    else if (word === '--dry-run') options.dryRun = true
    else if (word === '--yes') options.yes = true
    else if (word === '--rewrite') options.rewrite = true
    else if (word === '--into' && args[at + 1] !== undefined) {
      at += 1
      options.into = args[at]!
    } else if ((word === '--to' || word === '--remove') && args[at + 1] !== undefined) {
      at += 1
      options[word === '--to' ? 'to' : 'remove'] = args[at]!
    } else if (word === '--lang') {
      at += 1
      options.language = args[at] === 'zh' ? 'zh' : 'en'
    } else if (word === '--one' || word === '--tool' || word === '--seconds' || word === '--settings') {
      at += 1
      const value = args[at] ?? ''
      if (word === '--settings') settings = value
      else if (word === '--one' && /^[0-9a-f]{32}$/.test(value)) options.one = value
      else if (word === '--tool' && /^[a-z]+$/.test(value)) options.tool = value
      else if (word === '--seconds' && /^[1-9]\d{0,7}$/.test(value)) options.seconds = Number(value)
      else {
        complain(`${word}: ${expectedWords[word] ?? 'a number of seconds'} is expected.`)
        return 2
      }
    } else words.push(word)
  }
  const [command, subject, extra] = words
  const missing = (): number => {
    complain(usage)
    return 2
  }
  if (command === undefined || command === 'help' || command === '--help') {
    say(usage)
    return command === undefined ? 2 : 0
  }
  if (command === 'schema') {
    const { findLoaders, manifestJsonSchema } = await import('../loader/manifest.ts')
    say(JSON.stringify(manifestJsonSchema(await findLoaders()), null, 2))
    return 0
  }
  if (command === 'import') {
    if (options.remove !== undefined) return options.to === undefined ? missing() : removeEntry(options)
    if (subject === undefined) return missing()
    return options.to === undefined ? importPaths(words.slice(1), options) : addPaths(words.slice(1), options)
  }
  if (command === 'check') return subject === undefined ? missing() : check(subject, options)
  // On a node a task has no settings of its own: the portal has written them down for it.
  if (settings !== null) await takeSettings(settings)
  const config = readConfig()
  if (command === 'engines') {
    const { findPortalPrograms, findPortalTools } = await import('./portal.ts')
    const tools = await findPortalTools(config)
    const programs = await findPortalPrograms(tools, config.searchPath)
    if (options.json)
      say(JSON.stringify(tools.flatMap((entry) => entry.engine.programs).map(({ versionPattern: _, ...rest }) => rest)))
    else
      for (const program of programs)
        say(
          `${program.program}: ${program.path === null ? `not found, package ${program.package}` : (program.version ?? 'found')}`,
        )
    return 0
  }
  switch (command) {
    case 'serve':
      await (await import('./serve.ts')).serve(config)
      return await new Promise<never>(() => undefined)
    case 'worker': {
      const { runTask, runWorkers } = await import('./jobs/worker-main.ts')
      if (options.one !== null) {
        if (!(await runTask(config, options.one, options.seconds * 1000, options.tool)))
          say('There is nothing to run any more.')
        return 0
      }
      await runWorkers(config, () => say(`Takes jobs, ${config.workerCount} at a time; Ctrl-C ends it.`))
      return 0
    }
    case 'load':
      return subject === undefined ? missing() : load(config, words.slice(1), options)
    case 'export':
      return subject === undefined || extra === undefined ? missing() : exportFiles(config, subject, extra, options)
    case 'list':
      return list(config, options)
    case 'verify':
      return verify(config)
    case 'publish':
      return publish(config)
    case 'rollback': {
      if (subject === undefined || (extra !== undefined && !/^\d{1,9}$/.test(extra))) return missing()
      return withDatabase(config, async (database) => {
        const number = await rollbackRelease(database.sql, subject, extra === undefined ? undefined : Number(extra))
        if (number === null) complain(`There is no such release of ${subject}.`)
        else say(`${subject}: release ${number} is in service.`)
        return number === null ? 1 : 0
      })
    }
    case 'remove': {
      if (subject === undefined) return missing()
      return withDatabase(config, async (database) => {
        const { deleteUnusedBetweenLoads } = await import('../loader/load-species.ts')
        const removed = await deleteSpecies(database.sql, subject)
        await withFiles(config, (files) => deleteUnusedBetweenLoads(database, files))
        if (removed) say(`${subject} is out of the portal.`)
        else complain(`There is no species ${subject}.`)
        return removed ? 0 : 1
      })
    }
    case 'admin':
      return subject === 'password' ? setAdminPassword(config) : missing()
    case 'backup':
      if (subject === undefined) return missing()
      return withDatabase(config, async (database) => {
        const { backupDatabase } = await import('../database/backup.ts')
        await backupDatabase(database, subject)
        say(`Saved to ${subject}.`)
        return 0
      })
    case 'restore':
      if (subject === undefined) return missing()
      // Into an empty database: the restore makes the schema of the backup's own level.
      return withDatabase(
        config,
        async (database) => {
          const { restoreDatabase } = await import('../database/backup.ts')
          await restoreDatabase(database, subject, await findMigrations())
          const active = await listActiveSpecies(database.sql)
          // Merged tables are in no backup.
          await mergeSearchTables(
            database.sql,
            active.flatMap(({ bundles }) => bundles.map(({ bundle }) => bundle)),
          )
          say(`Restored from ${subject}.`)
          return 0
        },
        false,
      )
    default:
      return missing()
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
    // Idle connections may not keep a command alive.
    setTimeout(() => process.exit(code), 500).unref()
  },
  (error: unknown) => {
    if (error instanceof SettingsError || error instanceof DatabaseError) complain(error.message)
    else if (isServerGone(error))
      complain(`The database has stopped meanwhile: ${reasonOf(error)}. Run the command again.`)
    else complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
    process.exit(1)
  },
)
