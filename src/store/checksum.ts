import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { asStoreError } from './store-error.ts'

/** Size and digests of a file, lower-case hexadecimal. */
export interface FileChecksum {
  bytes: number
  sha256: string
  /** Only when asked for. */
  md5: string | null
}

/** Reads a file once, in pieces, and gives its size and SHA-256 (and MD5 when asked, for mirrors that want it); a signal stops it. */
export async function getFileChecksum(
  file: string,
  options: { md5?: boolean; signal?: AbortSignal } = {},
): Promise<FileChecksum> {
  const sha256 = createHash('sha256')
  const md5 = options.md5 ? createHash('md5') : null
  let bytes = 0
  try {
    const { signal } = options
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20, signal }) as AsyncIterable<Buffer>) {
      bytes += piece.length
      sha256.update(piece)
      md5?.update(piece)
    }
  } catch (thrown) {
    options.signal?.throwIfAborted()
    throw asStoreError(thrown, file)
  }
  return { bytes, sha256: sha256.digest('hex'), md5: md5 ? md5.digest('hex') : null }
}

// Both truncated digests keep the first 24 of the 64 bytes of SHA-512: GA4GH refget v2, "Checksum calculation",
// and the truncated digest of the GA4GH Variation Representation Specification (Hart & Prlic 2020, PLOS ONE e0239883).
const truncatedBytes = 24

/** GA4GH `sha512t24u` of some bytes: the first 24 bytes of SHA-512 as base64url, 32 characters. */
export function sha512t24u(data: Uint8Array | string): string {
  return createHash('sha512').update(data).digest().subarray(0, truncatedBytes).toString('base64url')
}

/** refget v1 TRUNC512 of some bytes: the first 24 bytes of SHA-512 in hexadecimal, 48 characters. */
export function trunc512(data: Uint8Array | string): string {
  return createHash('sha512').update(data).digest().subarray(0, truncatedBytes).toString('hex')
}

/**
 * The three names a sequence has by its content: `md5` (32 hexadecimal digits), `sha512t24u` with its type prefix `SQ.`,
 * and the same digest in the older hexadecimal spelling, `trunc512`.
 */
export interface RefgetIds {
  md5: string
  sha512t24u: string
  trunc512: string
}

/**
 * Digests of one sequence, fed piece by piece. The pieces must hold the sequence as refget v2 has it: upper-case letters,
 * nothing else.
 */
export class RefgetDigest {
  readonly #md5: Hash = createHash('md5')
  readonly #sha512: Hash = createHash('sha512')

  update(upperCaseLetters: Uint8Array): void {
    this.#md5.update(upperCaseLetters)
    this.#sha512.update(upperCaseLetters)
  }

  digest(): RefgetIds {
    const truncated = this.#sha512.digest().subarray(0, truncatedBytes)
    return {
      md5: this.#md5.digest('hex'),
      sha512t24u: `SQ.${truncated.toString('base64url')}`,
      trunc512: truncated.toString('hex'),
    }
  }
}

/** A refget id as a client may write it, with the name of the digest it is spelt in. */
export interface RefgetQuery {
  algorithm: 'md5' | 'sha512t24u'
  /** As `RefgetIds` spells it: lower-case hexadecimal, or `SQ.` and 32 characters. */
  id: string
}

/**
 * Reads an id of a refget request: MD5, `SQ.…`, TRUNC512 (turned into the equal `SQ.…`), each also with its namespace
 * (`md5:…`, `ga4gh:SQ.…`, `trunc512:…`; refget v2, "Unique identifiers"). Null when it is none of these.
 */
export function parseRefgetId(text: string): RefgetQuery | null {
  const match = /^(?:(md5|ga4gh|trunc512|sha512t24u):)?(.+)$/i.exec(text)
  const namespace = match?.[1]?.toLowerCase()
  const rest = match?.[2] ?? ''
  if ((namespace === undefined || namespace === 'md5') && /^[0-9a-f]{32}$/i.test(rest))
    return { algorithm: 'md5', id: rest.toLowerCase() }
  if ((namespace === undefined || namespace === 'trunc512') && /^[0-9a-f]{48}$/i.test(rest))
    return { algorithm: 'sha512t24u', id: `SQ.${Buffer.from(rest, 'hex').toString('base64url')}` }
  if ((namespace === undefined || namespace === 'ga4gh') && /^SQ\.[\w-]{32}$/.test(rest))
    return { algorithm: 'sha512t24u', id: rest }
  if (namespace === 'sha512t24u' && /^[\w-]{32}$/.test(rest)) return { algorithm: 'sha512t24u', id: `SQ.${rest}` }
  return null
}
