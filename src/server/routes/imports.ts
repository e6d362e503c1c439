import { constants } from 'node:fs'
import { access, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  cancelLoad,
  createImport,
  deleteImport,
  getImport,
  type ImportDefect,
  type ImportSummary,
  type ImportSurvey,
  listImports,
  listServerFiles,
  listSpeciesEntries,
  stopImport,
  undoLoad,
  uploadsPath,
  workOnImport,
} from '../../contracts/accounts/imports.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { expressionData } from '../../contracts/expression.ts'
import { loadStepText } from '../../contracts/load-steps.ts'
import type { Language } from '../../contracts/text.ts'
import { addAuditEntry } from '../../database/audit.ts'
import {
  findLoadUndo,
  getLoad,
  type LoadRow,
  listServingLoads,
  noteCancelled,
  undoLoad as undoLoadOf,
} from '../../database/catalogue.ts'
import { listExpression } from '../../kit/data/expression-data.ts'
import { listEntries, redoChange } from '../../loader/import/add-to-species.ts'
import { importStepText } from '../../loader/import/import-report.ts'
import { deleteUnusedBetweenLoads } from '../../loader/load-species.ts'
import { isInside } from '../../store/byte-range.ts'
import { isDiskFull } from '../../store/store-error.ts'
import { implement, refuseAnyQuery, requireAccess } from '../answers/implement.ts'
import { readAddress } from '../imports/download.ts'
import {
  createImportFolder,
  findImportFolder,
  type ImportFolder,
  type ImportOrigin,
  type ImportWork,
  isWorking,
  listImportFolders,
  type ServingLoad,
  type StoredCheck,
  type StoredSurvey,
} from '../imports/import-folder.ts'
import { uploadLacksSpace, uploadTooLarge } from '../imports/uploads.ts'
import { ManifestLeftError, manifestLeft, takeBackOrTell } from '../loads/load-change.ts'
import type { Portal } from '../portal.ts'

const shownEntries = 500
/** As many as the page tells of. */
const shownLoads = 5
const dayMs = 24 * 3600 * 1000

/** Importing data on the page: uploads, folders of the server, what was recognised of them, and their loads. */
export const mountImports = (
  app: FastifyInstance,
  portal: Portal,
  securityHeaders: Readonly<Record<string, string>>,
): void => {
  const { config, uploads } = portal
  const { sql } = portal.database
  const { foldersDir, importFolders } = config

  const requireImport = async (id: string): Promise<{ folder: ImportFolder; origin: ImportOrigin }> => {
    const found = await findImportFolder(foldersDir, id)
    if (found === null) throw new PortalError('NOT_FOUND', { message: 'import.unknown' })
    return found
  }

  const summarise = async (
    { folder, origin }: { folder: ImportFolder; origin: ImportOrigin },
    serving: readonly ServingLoad[],
  ): Promise<ImportSummary> => {
    const [uploaded, work, survey, loads] = await Promise.all([
      folder.listUploaded(),
      folder.read('work.json'),
      folder.read('survey.json'),
      folder.read('loads.json'),
    ])
    const last = loads?.loads.at(-1)
    const load = last === undefined ? null : await getLoad(sql, last)
    const isLoading = (load !== null && load.endedAt === null) || (loads?.waiting.length ?? 0) > 0
    const state = isWorking(work) ? 'working' : isLoading ? 'loading' : restOf({ work, survey, load })
    return {
      id: folder.id,
      createdAt: origin.createdAt,
      createdBy: origin.createdBy,
      source: origin.source,
      address: origin.address,
      removes: origin.remove !== null,
      state,
      files: uploaded.length,
      bytes: uploaded.reduce((sum, { bytes }) => sum + bytes, 0),
      loaded: await folder.isServed(serving),
    }
  }

  const matchedOf = async ({ removes, entries }: NonNullable<StoredSurvey['addition']>) => {
    const tables = removes ? [] : entries.filter(({ entry }) => entry === expressionData)
    const found = await Promise.all(
      tables.map(async ({ assembly, entry, id }) => {
        if (assembly === null || id === null) return []
        // Another load may have taken the assembly out of service meanwhile.
        const datasets = await listExpression(portal.data, assembly).catch(() => [])
        return datasets
          .filter((one) => one.id === id)
          .map(({ samples, geneCount }) => ({ assembly, entry, id, samples: samples.length, genes: geneCount }))
      }),
    )
    return found.flat()
  }

  const findUnwritable = async (): Promise<string | null> => {
    try {
      await mkdir(foldersDir, { recursive: true })
      await access(foldersDir, constants.W_OK)
      return null
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error)
    }
  }

  /** A place on the server that may be imported, by its real path; links that lead out of the folders of the settings lead nowhere. */
  const requirePlace = async (path: string): Promise<string> => {
    const real = isAbsolute(path) ? await realpath(path).catch(() => null) : null
    const roots = await Promise.all(importFolders.map((root) => realpath(root).catch(() => root)))
    if (real === null || !roots.some((root) => isInside(real, root)))
      throw new PortalError('FORBIDDEN', { message: 'import.outside' })
    return real
  }

  implement(app, listImports, async () => {
    const unwritable = await findUnwritable()
    const serving = await listServingLoads(sql)
    return {
      imports: await Promise.all(
        (await listImportFolders(foldersDir)).slice(0, 200).map((one) => summarise(one, serving)),
      ),
      roots: importFolders,
      maxBytes: config.uploadBytes,
      freeBytes: unwritable === null ? await uploads.freeBytes() : 0,
      keptDays: config.uploadKeptMs / dayMs,
      unwritable,
    }
  })

  implement(app, listServerFiles, async ({ folder }) => {
    const place = await requirePlace(folder)
    const entries = await readdir(place, { withFileTypes: true }).catch(() => {
      throw new PortalError('NOT_FOUND')
    })
    const roots = await Promise.all(importFolders.map((root) => realpath(root).catch(() => root)))
    const shown = entries
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isFile()))
      .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1))
    return {
      folder: place,
      parent: roots.includes(place) ? null : dirname(place),
      entries: await Promise.all(
        shown.slice(0, shownEntries).map(async (entry) => ({
          name: entry.name,
          path: join(place, entry.name),
          folder: entry.isDirectory(),
          bytes: entry.isDirectory() ? 0 : ((await stat(join(place, entry.name)).catch(() => null))?.size ?? 0),
        })),
      ),
      more: shown.length > shownEntries,
    }
  })

  implement(app, listSpeciesEntries, async ({ species }) => {
    const found = await listEntries(sql, species)
    return found === null ? { folder: null, entries: [] } : found
  })

  implement(
    app,
    createImport,
    async ({ names, source, address, checksum = '', remove, bytes = 0 }, { caller, reply }) => {
      const reason = await findUnwritable()
      if (reason !== null)
        throw new PortalError('TOOL_UNAVAILABLE', {
          message: 'import.unwritable',
          params: { folder: foldersDir, reason },
        })
      const place = source === undefined ? null : await requirePlace(source)
      const isUpload = place === null && address === undefined && remove === undefined
      if ((isUpload || address !== undefined) && (config.uploadBytes === 0 || bytes > config.uploadBytes))
        throw uploadTooLarge(config.uploadBytes)
      // Before the first of many files is sent in vain.
      const free = isUpload ? await uploads.freeBytes() : bytes
      if (bytes > free) throw uploadLacksSpace(bytes, free)
      if (address !== undefined && (place !== null || readAddress(address) === null))
        throw fieldError(['address'], 'import.address')
      const origin = {
        createdAt: new Date().toISOString(),
        createdBy: caller.username,
        source: place,
        address: address ?? null,
        checksum,
        remove: remove ?? null,
      }
      const { id } = await createImportFolder(foldersDir, place === null ? names : [basename(place)], origin)
      await addAuditEntry(sql, {
        actor: caller.username,
        action: 'import',
        target: id,
      })
      reply.code(201)
      return { id }
    },
  )

  implement(app, getImport, async ({ id }, { language }) => {
    const found = await requireImport(id)
    const { folder } = found
    const [summary, uploaded, pending, work, survey, checked, loads, sums] = await Promise.all([
      listServingLoads(sql).then((serving) => summarise(found, serving)),
      folder.listUploaded(),
      uploads.listPending(id),
      folder.read('work.json'),
      folder.read('survey.json'),
      folder.read('checked.json'),
      folder.read('loads.json'),
      folder.read('sums.json'),
    ])
    const undo = await Promise.all(
      (loads?.loads ?? []).slice(-shownLoads).map(async (load) => {
        const way = await findLoadUndo(sql, load)
        return way === null ? [] : [{ load, number: way.number, before: way.before }]
      }),
    )
    const undoable = new Set(undo.flat().map(({ load }) => load))
    const matched = summary.loaded && survey?.addition != null ? await matchedOf(survey.addition) : []
    const titleOf = (tool: string): string | null =>
      portal.tools.find((one) => one.id === tool)?.messages[language].title ?? null
    return {
      summary,
      work: isWorking(work)
        ? { action: work!.action, step: stepText(work!.step, language, titleOf), fraction: work!.fraction }
        : null,
      // A comparison that was stopped is told with its load.
      failure: summary.loaded && failureOf(work) === 'stopped' ? null : failureOf(work),
      uploaded: uploaded.map(({ path, bytes }) => ({ path, bytes, sha256: sums?.[path]?.sha256 ?? null })),
      pending: pending.map((one) => ({
        id: one.id,
        path: one.path,
        bytes: one.bytes,
        offset: one.offset,
        modified: one.modified,
      })),
      survey: survey === null ? null : surveyIn(survey, language),
      checked: checked === null ? null : { ...checked, defects: defectsIn(checked.defects, language) },
      loads: (loads?.loads ?? [])
        .filter((load, at) => at >= loads!.before || undoable.has(load))
        .slice(-shownLoads)
        .reverse(),
      waiting: loads?.waiting.length ?? 0,
      matched,
      undo: undo.flat(),
    }
  })

  implement(app, workOnImport, async ({ id, action, answers, manifests }, { caller, language, reply }) => {
    const { folder } = await requireImport(id)
    const survey = await folder.read('survey.json')
    // Twice the same would be two entries.
    const isAdded = action === 'write' && survey?.addition?.removes === false
    if (isAdded && (await folder.isServed([]))) throw new PortalError('CONFLICT', { message: 'import.added' })
    if (action !== 'look' && survey?.ok !== true) throw new PortalError('CONFLICT', { message: 'import.notReady' })
    if (action === 'look') await uploads.settle(id)
    await portal.imports.start(folder, action, { startedBy: caller.username, language, answers, manifests })
    if (action === 'write')
      await addAuditEntry(sql, {
        actor: caller.username,
        action: 'load',
        target: folder.folder,
      })
    reply.code(202)
    return {}
  })

  implement(app, stopImport, async ({ id }) => {
    const { folder } = await requireImport(id)
    if (!(await portal.imports.stop(folder))) throw new PortalError('CONFLICT', { message: 'import.elsewhere' })
    return {}
  })

  implement(app, deleteImport, async ({ id }, { caller }) => {
    const found = await requireImport(id)
    const { state, loaded } = await summarise(found, await listServingLoads(sql))
    if (state === 'working' || state === 'loading') throw new PortalError('CONFLICT', { message: 'import.working' })
    if (loaded) throw new PortalError('CONFLICT', { message: 'import.loaded' })
    await uploads.removePending(id)
    await rm(found.folder.folder, { recursive: true, force: true })
    await addAuditEntry(sql, { actor: caller.username, action: 'import deleted', target: id })
    return {}
  })

  /** The addition to a species in service whose load this is. */
  const findAdditionOf = async (load: number) => {
    for (const { folder } of await listImportFolders(foldersDir)) {
      const addition = await folder.read('addition.json')
      // Additions of before had their load noted beside them alone.
      const own = addition?.load ?? (await folder.read('loads.json'))?.loads.at(-1)
      if (addition !== null && own === load) return addition
    }
    return null
  }
  const throwToReader = (error: unknown): never => {
    throw error instanceof ManifestLeftError ? manifestLeft(error) : error
  }

  implement(app, undoLoad, async ({ id, number, before }, { caller }) => {
    if ((await getLoad(sql, id)) === null) throw new PortalError('NOT_FOUND')
    // What was added to a species in service leaves its manifest as well: first, for where that cannot be nothing is undone, and the
    // reader can try again.
    const addition = await findAdditionOf(id)
    const isTakenBack = addition === null || (await takeBackOrTell(addition.change).catch(throwToReader))
    const species = await undoLoadOf(sql, id, { number, before })
    if (species === null) {
      if (addition !== null && isTakenBack) await redoChange(addition.change)
      throw new PortalError('CONFLICT', { message: 'import.undoChanged' })
    }
    if (before === null) await deleteUnusedBetweenLoads(portal.database, portal.files)
    await addAuditEntry(sql, {
      actor: caller.username,
      action: 'load undone',
      target: species,
      detail: { number },
    })
    return { leftManifest: isTakenBack ? null : addition.change.file }
  })

  implement(app, cancelLoad, async ({ id }, { caller }) => {
    if ((await getLoad(sql, id)) === null) throw new PortalError('NOT_FOUND')
    if (!portal.loads.cancel(id) && !(await portal.imports.cancelLoad(id)))
      throw new PortalError('CONFLICT', { message: 'import.elsewhere' })
    const { inService } = await noteCancelled(sql, id)
    await addAuditEntry(sql, { actor: caller.username, action: 'load cancelled', target: String(id) })
    return { inService }
  })

  // The protocol's own requests: their body goes to a file as it comes, and their answers have no envelope.
  app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null))
  for (const [method, url] of [
    ['POST', uploadsPath],
    ['HEAD', `${uploadsPath}/:id`],
    ['PATCH', `${uploadsPath}/:id`],
    ['DELETE', `${uploadsPath}/:id`],
  ] as const)
    app.route({
      method,
      url,
      config: { rights: { access: 'admin', open: false, ignoresToken: false } },
      preHandler: refuseAnyQuery,
      handler: async (request, reply) => {
        requireAccess({ access: 'admin' }, request.caller)
        const headers = { ...securityHeaders, 'Cache-Control': 'no-store', 'X-Request-Id': request.id }
        for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value)
        reply.hijack()
        try {
          await uploads.handle(request.raw, reply.raw)
        } catch (error) {
          request.log.error({ err: error }, 'upload')
          // Nobody else answers any more.
          if (!reply.raw.headersSent) reply.raw.statusCode = isDiskFull(error) ? 503 : 500
          reply.raw.end()
        }
      },
    })
}

/** Why work ended before its end; stopped by a person it has no reason of its own. */
const failureOf = (work: ImportWork | null): string | null => {
  if (work === null || isWorking(work)) return null
  return work.ended ? work.failure : 'interrupted'
}

/** How an import stands on which nothing works: as the last work left it, or the last load where that came after. */
const restOf = ({
  work,
  survey,
  load,
}: {
  work: ImportWork | null
  survey: StoredSurvey | null
  load: LoadRow | null
}): ImportSummary['state'] => {
  const isLoad = work?.action === 'write' && load !== null
  const ended = isLoad ? load.state : null
  if (ended === 'cancelled' || ended === 'undone') return ended
  const failure = failureOf(work)
  // Of a load that was stopped while it compared genomes the species is in service.
  if (failure !== null && !(failure === 'stopped' && ended === 'done'))
    return failure === 'stopped' ? 'cancelled' : 'failed'
  if (ended === 'failed') return 'failed'
  if (survey === null) return 'collecting'
  const isAny = survey.manifests.length > 0 || Object.keys(survey.counts).some((state) => state !== 'unknown')
  return isAny || survey.addition?.removes === true ? 'looked' : 'unrecognised'
}

const importSteps = ['unpack', 'look', 'recognise', 'wait'] as const
const ownSteps = {
  sums: { en: 'computing checksums', zh: '计算校验值' },
  download: { en: 'downloading', zh: '下载' },
} as const

const stepText = (step: string, language: Language, titleOf: (tool: string) => string | null): string => {
  if (step === 'sums' || step === 'download') return ownSteps[step][language]
  const own = importSteps.find((one) => one === step)
  return own === undefined ? loadStepText(step, language, titleOf) : importStepText(own, language)
}

const defectsIn = (defects: StoredCheck['defects'], language: Language): ImportDefect[] =>
  defects.map((defect) => ({ ...defect, text: defect.text[language] }))

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const surveyIn = (survey: StoredSurvey, language: Language): ImportSurvey => ({
  ...survey,
  sources: survey.sources.map(({ title, files }) => ({ title: title[language], files })),
  files: survey.files.map((file) => ({ ...file, what: file.what[language], why: file.why?.[language] ?? null })),
  questions: survey.questions.map((question) => ({
    ...question,
    // Some are written as a part of a sentence.
    text: capitalised(question.text[language]),
    choices: question.choices?.map(({ value, text }) => ({ value, text: text[language] })) ?? null,
  })),
  defects: defectsIn(survey.defects, language),
})
