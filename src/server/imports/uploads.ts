import { randomBytes } from 'node:crypto'
import { link, mkdir, open as openFile, readdir, rm, stat, unlink } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import type { FileStore } from '@tus/file-store'
import { ERRORS, type ServerOptions, Server as TusServer, type Upload } from '@tus/server'
import { uploadMetadataSchema, uploadsPath } from '../../contracts/accounts/imports.ts'
import { PortalError } from '../../contracts/errors.ts'
import { isSystemFile } from '../../loader/import/input-files.ts'
import { entryPath } from '../../loader/import/unpack.ts'
import { getDiskSpace, reserveOf } from '../../store/disk-space.ts'
import { isDiskFull } from '../../store/store-error.ts'
import { failureBody } from '../answers/implement.ts'
import type { Config } from '../config.ts'
import { readLanguage } from '../language.ts'
import { CheckedFileStore, expectChecksum, pieceNote } from './checked-file-store.ts'
import { findImportFolder, isWorking, uploadsName } from './import-folder.ts'

export interface PendingUpload {
  id: string
  import: string
  path: string
  bytes: number
  offset: number
  modified: string
  /** When bytes of it last came. */
  changedAt: number
}

/** Files on their way from a browser, by the tus protocol: what is broken off goes on where it ended, also after a restart of the server. */
export interface Uploads {
  /** Answers a request of the protocol; a refusal is an answer as those of the API, in the reader's language. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  listPending(importId?: string): Promise<PendingUpload[]>
  /** Gives their names to files that arrived whole just before their server ended. */
  settle(importId: string): Promise<void>
  /** What can still be uploaded: the disk's reserve and what other uploads have yet to send are taken off. */
  freeBytes(): Promise<number>
  removePending(importId: string): Promise<void>
  /** Deletes uploads that were begun and not ended within the time that the settings give. */
  sweep(): Promise<void>
}

const isUploadId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id)
const maxName = 255
const settledMs = 30_000
/** A disk with less than a piece that a browser sends at once is full for it. */
const fullBytes = 16 * 1024 ** 2

export const uploadTooLarge = (maxBytes: number): PortalError =>
  new PortalError('TOO_LARGE', {
    message: 'import.tooLarge',
    params: { gigabytes: Number((maxBytes / 1e9).toFixed(3)) },
  })

export const uploadLacksSpace = (bytes: number, free: number): PortalError =>
  new PortalError('TOO_LARGE', {
    message: 'import.noSpace',
    params: { needed: (bytes / 1e9).toFixed(2), free: (free / 1e9).toFixed(2) },
  })

/** Whether two paths cannot both be files: they are one, or one would be a folder of the other. */
const meets = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

/** What a path names has reached the disk; of a folder, the names in it. */
const syncPath = async (path: string): Promise<void> => {
  const handle = await openFile(path, 'r')
  await handle.sync().finally(() => handle.close())
}

const isSameFile = async (a: string, b: string): Promise<boolean> => {
  const [one, other] = await Promise.all([a, b].map((path) => stat(path).catch(() => null)))
  return one != null && other != null && one.ino === other.ino && one.dev === other.dev
}

/**
 * Where a file is written below the folder of its import; null for a path that leads elsewhere, hides a file of the portal's, or that a
 * file system does not take.
 */
export const uploadPath = (path: string): string | null => {
  const safe = entryPath(path)
  if (safe === null || isSystemFile(safe)) return null
  const parts = safe.split('/')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with such are refused.
  if (/[\u0000-\u001f\u007f]/.test(safe)) return null
  return parts.length <= 30 && parts.every((part) => Buffer.byteLength(part) <= maxName && !part.startsWith('.novodb-'))
    ? safe
    : null
}

export const createUploads = (
  config: Pick<Config, 'foldersDir' | 'uploadBytes' | 'uploadKeptMs' | 'basePath'>,
): Uploads => {
  const { foldersDir, uploadBytes, uploadKeptMs } = config
  const directory = join(foldersDir, uploadsName)
  let opening: Promise<TusServer> | null = null
  /** Uploads that were admitted, until their files are there to be counted. */
  const promised = new Map<string, PendingUpload>()
  let creating: Promise<unknown> = Promise.resolve()

  const readUpload = async (id: string, store: FileStore): Promise<PendingUpload | null> => {
    const upload = await store.getUpload(id).catch(() => null)
    const metadata = uploadMetadataSchema.safeParse(upload?.metadata ?? {}).data
    if (upload === null || metadata === undefined || upload.size === undefined) return null
    const { path, modified } = metadata
    const facts = await stat(join(directory, id)).catch(() => null)
    const changedAt = facts?.mtimeMs ?? 0
    return { id, import: metadata.import, path, bytes: upload.size, offset: upload.offset, modified, changedAt }
  }

  const openStore = async (): Promise<FileStore> => {
    await mkdir(directory, { recursive: true })
    // Without a time of its own, which would count from the first byte and not from the last.
    return new CheckedFileStore({ directory })
  }

  const listPending = async (importId?: string): Promise<PendingUpload[]> => {
    const names = await readdir(directory).catch(() => [])
    const store = names.length === 0 ? null : await openStore()
    const uploads = (
      await Promise.all(names.filter(isUploadId).map((id) => (store === null ? null : readUpload(id, store))))
    ).filter((one) => one !== null)
    for (const { id } of uploads) promised.delete(id)
    return uploads.filter((one) => importId === undefined || one.import === importId)
  }

  /** Without those that the protocol refused after all. */
  const listPromised = (): PendingUpload[] => {
    for (const { id, changedAt } of promised.values()) if (Date.now() - changedAt > settledMs) promised.delete(id)
    return [...promised.values()]
  }

  const freeBytes = async (): Promise<number> => {
    await mkdir(directory, { recursive: true })
    const { freeBytes: free, totalBytes } = await getDiskSpace(directory)
    const coming = [...(await listPending()), ...listPromised()]
    const wanted = coming.reduce((sum, { bytes, offset }) => sum + bytes - offset, 0)
    return Math.max(0, free - reserveOf(totalBytes) - wanted)
  }

  const lacksSpace = async (): Promise<boolean> => {
    const space = await getDiskSpace(directory)
    return space.freeBytes < fullBytes
  }

  const remove = async (id: string): Promise<void> => {
    await rm(join(directory, id), { force: true })
    await rm(join(directory, `${id}.json`), { force: true })
    await rm(join(directory, pieceNote(id)), { force: true })
  }

  const place = async (upload: Upload): Promise<{ absolute: string; path: string; importId: string }> => {
    const metadata = uploadMetadataSchema.safeParse(upload.metadata ?? {}).data
    const found = metadata === undefined ? null : await findImportFolder(foldersDir, metadata.import)
    if (metadata === undefined || found === null) throw new PortalError('NOT_FOUND', { message: 'import.unknown' })
    if (found.origin.source !== null || found.origin.address !== null) throw new PortalError('CONFLICT')
    const path = uploadPath(metadata.path)
    if (path === null)
      throw new PortalError('INVALID_INPUT', { message: 'import.path', params: { path: metadata.path.slice(0, 200) } })
    return { absolute: join(found.folder.folder, path), path, importId: metadata.import }
  }

  const admit = async (upload: Upload): Promise<void> => {
    const { absolute, path, importId } = await place(upload)
    const bytes = upload.size ?? Number.POSITIVE_INFINITY
    const pending = [...(await listPending(importId)), ...listPromised().filter((one) => one.import === importId)]
    const { folder } = (await findImportFolder(foldersDir, importId))!
    if (isWorking(await folder.read('work.json'))) throw new PortalError('CONFLICT', { message: 'import.working' })
    const uploaded = await folder.listUploaded()
    const isThere = await stat(absolute).then(
      () => true,
      () => false,
    )
    // Nor can one name be a file and a folder.
    const isTaken = [...pending, ...uploaded].some((one) => meets(uploadPath(one.path) ?? '', path))
    if (isThere || isTaken) throw new PortalError('CONFLICT', { message: 'import.fileTaken', params: { path } })
    const total = [...pending, ...uploaded].reduce((sum, one) => sum + one.bytes, bytes)
    if (total > uploadBytes) throw uploadTooLarge(uploadBytes)
    const free = await freeBytes()
    if (bytes > free) throw uploadLacksSpace(bytes, free)
    promised.set(upload.id, {
      id: upload.id,
      import: importId,
      path,
      bytes,
      offset: 0,
      modified: '',
      changedAt: Date.now(),
    })
  }

  const finish = async (upload: Upload): Promise<void> => {
    const { absolute, path, importId } = await place(upload)
    const arrived = join(directory, upload.id)
    promised.delete(upload.id)
    await syncPath(arrived)
    const { folder } = (await findImportFolder(foldersDir, importId))!
    await folder.noteUploaded(upload.id, { path, bytes: upload.size ?? 0 })
    try {
      await mkdir(dirname(absolute), { recursive: true })
      // Never over what is there, as a rename would.
      await link(arrived, absolute)
      await syncPath(dirname(absolute))
    } catch (error) {
      // A server that ended just after it: the file has its name already.
      if (await isSameFile(arrived, absolute)) return
      await folder.forgetUploaded(upload.id)
      if (!['EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      throw new PortalError('CONFLICT', { message: 'import.fileTaken', params: { path } })
    } finally {
      await unlink(arrived).catch(() => undefined)
      await rm(`${arrived}.json`, { force: true })
      await rm(join(directory, pieceNote(upload.id)), { force: true })
    }
  }

  const settle = async (importId: string): Promise<void> => {
    const store = await openStore()
    for (const one of await listPending(importId)) {
      // One that has just arrived is named by the request that brought it.
      if (one.offset < one.bytes || Date.now() - one.changedAt < settledMs) continue
      await finish(await store.getUpload(one.id))
    }
  }

  const open = async (): Promise<TusServer> => {
    const options: Omit<ServerOptions, 'locker'> = {
      path: uploadsPath,
      relativeLocation: true,
      maxSize: uploadBytes,
      // Nobody else's pages have business here.
      allowedOrigins: [],
      namingFunction: () => randomBytes(16).toString('hex'),
      generateUrl: (_, { path, id }) => `${config.basePath}${path}/${id}`,
      getFileIdFromRequest: (_, last) => (last !== undefined && isUploadId(last) ? last : undefined),
      onUploadCreate: async (_, upload) => {
        // One after the other: each is held against those before it.
        const admitted = creating.then(() => admit(upload))
        creating = admitted.catch(() => undefined)
        await admitted
        return {}
      },
      onUploadFinish: async (_, upload) => {
        await finish(upload)
        return {}
      },
      onResponseError: async (request, error) => {
        // The store says of a write that failed no more than that: why is seen on the disk.
        const isFull = isDiskFull(error) || (error === ERRORS.FILE_WRITE_ERROR && (await lacksSpace()))
        // The protocol's own words are for programs.
        if (error === ERRORS.ERR_MAX_SIZE_EXCEEDED) return refusalOf(uploadTooLarge(uploadBytes), request.headers)
        return refusalOf(isFull ? new PortalError('BUSY', { message: 'error.diskFull' }) : error, request.headers)
      },
    }
    return new TusServer({ ...options, datastore: await openStore() } as ConstructorParameters<typeof TusServer>[0])
  }

  return {
    handle: async (request, response) => {
      // One for all requests: another would hold locks of its own.
      opening ??= open().catch((error: unknown) => {
        opening = null
        throw error
      })
      const server = await opening
      await expectChecksum(request.headers['upload-checksum'], () => server.handle(request, response))
    },
    listPending,
    settle,
    freeBytes,
    removePending: async (importId) => {
      for (const { id } of await listPending(importId)) await remove(id)
    },
    sweep: async () => {
      const pending = await listPending()
      for (const { id, changedAt } of pending) if (Date.now() - changedAt >= uploadKeptMs) await remove(id)
      // What is of no upload: notes of pieces whose file has its name, or files that were cut off before theirs was written.
      const known = new Set(pending.map(({ id }) => id))
      for (const name of await readdir(directory).catch(() => [])) {
        const [, id] = /^([0-9a-f]{32})(\.json|\.piece)?$/.exec(name) ?? []
        if (id === undefined || known.has(id)) continue
        const facts = await stat(join(directory, name)).catch(() => null)
        if (facts !== null && Date.now() - facts.mtimeMs >= uploadKeptMs)
          await rm(join(directory, name), { force: true })
      }
    },
  }
}

/** A refusal in the words of the portal; what the protocol itself refuses is told by its status. */
const refusalOf = (error: unknown, headers: Headers): { status_code: number; body: string } | undefined => {
  if (!(error instanceof PortalError)) return undefined
  const language = readLanguage(headers.get('accept-language') ?? undefined)
  return { status_code: error.status, body: JSON.stringify(failureBody(error, language, '')) }
}
