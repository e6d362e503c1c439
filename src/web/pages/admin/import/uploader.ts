import * as tus from 'tus-js-client'
import type { z } from 'zod'
import { type getImport, uploadsPath, workOnImport } from '../../../../contracts/accounts/imports.ts'
import { currentLocale } from '../../../../kit/ui/language.tsx'
import { addressOf, call, failureFrom, readToken } from '../../../../kit/ui/request.ts'
import { attempt } from '../../../attempt.ts'
import { checkedStack } from './checked-pieces.ts'
import type { DroppedFile } from './dropped-files.ts'

type Known = Pick<z.infer<(typeof getImport)['output']>, 'uploaded' | 'pending'>

export interface UploadItem {
  path: string
  bytes: number
  sent: number
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'broken'
  /** Why the server refused it, in the reader's language. */
  reason: string
}

export interface UploadState {
  items: readonly UploadItem[]
  paused: boolean
}

/** Sent in pieces: a proxy that buffers requests holds no more, and what is lost with a line is little. */
const chunkBytes = 16 * 1024 * 1024
const atOnce = 3
/** Of a line that breaks before a piece of that size has gone through. */
const smallChunkBytes = 1024 * 1024
/** A server that is started anew, or a line that comes back without a word of the browser's. */
const askAgainMs = 30_000
const retryDelays = [0, 1000, 2000, 5000, 10_000, 20_000]

/** Uploads of one import: they go on while the reader is on other pages of the portal. */
class ImportUploads {
  readonly #id: string
  #state: UploadState = { items: [], paused: false }
  readonly #files = new Map<string, { file: File; upload: tus.Upload | null; address: string | null }>()
  readonly #listeners = new Set<() => void>()
  #finishing = false

  constructor(id: string) {
    this.#id = id
    globalThis.addEventListener('online', () => this.resume(true))
  }

  get state(): UploadState {
    return this.#state
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #set(change: Partial<UploadState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  #change(path: string, change: Partial<UploadItem>): void {
    this.#set({ items: this.#state.items.map((item) => (item.path === path ? { ...item, ...change } : item)) })
  }

  /** Takes files in; those that are there whole are passed over, those that were broken off go on where they ended. */
  add(files: readonly DroppedFile[], known: Known): void {
    const uploaded = new Map(known.uploaded.map((one) => [one.path, one.bytes]))
    const items = files
      .filter(({ path, file }) => !this.#files.has(path) && uploaded.get(path) !== file.size)
      .map(({ path, file }): UploadItem => {
        const begun = known.pending.find(
          (one) => one.path === path && one.bytes === file.size && one.modified === String(file.lastModified),
        )
        const address = begun === undefined ? null : addressOf(`${uploadsPath}/${begun.id}`)
        this.#files.set(path, { file, upload: null, address })
        return { path, bytes: file.size, sent: begun?.offset ?? 0, state: 'waiting', reason: '' }
      })
    this.#set({ items: [...this.#state.items, ...items], paused: false })
    this.#next()
  }

  pause(): void {
    this.#set({ paused: true })
    for (const { path, state } of this.#state.items)
      if (state === 'sending') {
        void this.#files.get(path)?.upload?.abort()
        this.#change(path, { state: 'waiting' })
      }
  }

  /** `broken` only: what the server refused is not asked again. */
  resume(broken = false): void {
    this.#set({
      paused: broken ? this.#state.paused : false,
      items: this.#state.items.map((item) =>
        item.state === 'broken' || (item.state === 'failed' && !broken)
          ? { ...item, state: 'waiting', reason: '' }
          : item,
      ),
    })
    this.#next()
  }

  #next(): void {
    if (this.#state.paused) return
    const sending = this.#state.items.filter(({ state }) => state === 'sending').length
    for (const item of this.#state.items.filter(({ state }) => state === 'waiting').slice(0, atOnce - sending))
      this.#send(item.path)
    if (this.#state.items.length > 0 && this.#state.items.every(({ state }) => state === 'done')) void this.#finish()
  }

  #send(path: string): void {
    this.#change(path, { state: 'sending' })
    const entry = this.#files.get(path)!
    const { file } = entry
    entry.upload ??= new tus.Upload(file, {
      endpoint: addressOf(uploadsPath),
      ...(entry.address === null ? {} : { uploadUrl: entry.address }),
      metadata: { import: this.#id, path, modified: String(file.lastModified) },
      chunkSize: chunkBytes,
      httpStack: checkedStack(),
      retryDelays,
      // Where an upload ended the server knows, from every computer and without a trace in this browser.
      storeFingerprintForResuming: false,
      headers: { 'Accept-Language': currentLocale() },
      onBeforeRequest: (request) => {
        const token = readToken()
        if (token !== null) request.setHeader('Authorization', `Bearer ${token}`)
      },
      onShouldRetry: (error, _attempt, options) => {
        const status = error.originalResponse?.getStatus() ?? 0
        // Another tab may have sent this piece: where it ended is asked anew.
        const isPiece = error.originalRequest?.getMethod() === 'PATCH'
        // What of a piece came before the line broke does not count.
        if (status === 0 && isPiece) options.chunkSize = smallChunkBytes
        // 460: a piece arrived as another than was sent.
        return status === 0 || status >= 500 || status === 423 || status === 460 || (status === 409 && isPiece)
      },
      onProgress: (sent) => this.#change(path, { sent }),
      onSuccess: () => {
        this.#files.delete(path)
        this.#change(path, { state: 'done', sent: file.size })
        this.#next()
      },
      onError: (error) => {
        const response = 'originalResponse' in error ? error.originalResponse : null
        const status = response?.getStatus() ?? 0
        const isRefused = response !== null && status >= 400 && status < 500 && status !== 460
        this.#change(path, { state: isRefused ? 'failed' : 'broken', reason: isRefused ? refusalOf(response) : '' })
        if (isRefused) entry.upload = null
        else setTimeout(() => this.resume(true), askAgainMs)
        this.#next()
      },
    })
    entry.upload.start()
  }

  async #finish(): Promise<void> {
    if (this.#finishing) return
    this.#finishing = true
    await attempt(async () => {
      await call(workOnImport, { id: this.#id, action: 'look' })
    })
    this.#finishing = false
    // Further files may have been added meanwhile.
    this.#set({ items: this.#state.items.filter(({ state }) => state !== 'done') })
  }
}

const refusalOf = (response: { getBody(): string; getStatus(): number }): string => {
  let body: unknown = null
  try {
    body = JSON.parse(response.getBody())
  } catch {
    // The protocol's own refusals are plain text, which says nothing to a reader.
  }
  return failureFrom(body, response.getStatus()).message
}

const uploads = new Map<string, ImportUploads>()

export const uploadsOf = (id: string): ImportUploads => {
  const known = uploads.get(id) ?? new ImportUploads(id)
  uploads.set(id, known)
  return known
}
