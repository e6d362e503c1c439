import { createHash } from 'node:crypto'
import { lookup as resolveName } from 'node:dns'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { uploadPath } from './uploads.ts'

/** Why a download was refused or failed, as a defect of the import. */
export class DownloadRefused extends Error {
  readonly code:
    | 'import-download-address'
    | 'import-download-failed'
    | 'import-download-size'
    | 'import-download-checksum'
  readonly params: Record<string, string | number>
  constructor(code: DownloadRefused['code'], params: DownloadRefused['params'] = {}) {
    super(code)
    this.code = code
    this.params = params
  }
}

const maxRedirects = 5
const silentMs = 60_000

/** Networks that are not the internet (RFC 6890 and the IANA registries of special-purpose addresses). */
const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, prefix, 'ipv4')
// Of what is routed in IPv6 (2000::/3): documentation, and addresses that hold one of IPv4.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, prefix, 'ipv6')
const routed = new BlockList()
routed.addSubnet('2000::', 3, 'ipv6')

/** What this machine is in now: its addresses may be public and yet its neighbours none of the reader's. */
const ownNetworks = (): BlockList => {
  const own = new BlockList()
  for (const { address, cidr, family } of Object.values(networkInterfaces()).flatMap((found) => found ?? [])) {
    const type = family === 'IPv6' ? 'ipv6' : 'ipv4'
    own.addAddress(address, type)
    const prefix = Number(cidr?.split('/')[1] ?? 0)
    if (prefix > 0) own.addSubnet(address, prefix, type)
  }
  return own
}

/** Whether an address is one of the internet, and none of the portal's own machine or network. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  if (family !== 0 && ownNetworks().check(address, family === 6 ? 'ipv6' : 'ipv4')) return false
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && routed.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** An address that may be asked for at all; null for another scheme, one with a password, or a machine of the own network. */
export const readAddress = (text: string, isAllowed = isPublicAddress): URL | null => {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  // Below 1024 other services than the web's listen.
  if (url.port !== '' && url.port !== '80' && url.port !== '443' && Number(url.port) < 1024) return null
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // What is written as a number is never looked up, so that it is held to the same here.
  return isIP(host) !== 0 && !isAllowed(host) ? null : url
}

/** Connects to nothing but what a name stands for at this moment, and only where all of that is allowed. */
const lookupAllowed =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0]
      if (error !== null || first === undefined) callback(error ?? new Error(`no address of ${hostname}`), '', 4)
      else if (!addresses.every(({ address }) => isAllowed(address)))
        callback(new DownloadRefused('import-download-address'), '', 4)
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })

interface Download {
  address: string
  folder: string
  maxBytes: number
  /** SHA-256 or MD5 that it must have; "" where none was given. */
  checksum: string
  signal: AbortSignal
  onProgress(fraction: number): void
  /** Of tests, which have nothing but their own machine. */
  isAllowed?: (address: string) => boolean
}

const open = (url: URL, { signal, isAllowed = isPublicAddress }: Download): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const asked = request(url, {
      lookup: lookupAllowed(isAllowed),
      signal,
      timeout: silentMs,
      agent: false,
      headers: { 'User-Agent': 'NovoDB', Accept: '*/*', 'Accept-Encoding': 'identity' },
    })
    asked.once('timeout', () => asked.destroy(new Error('timeout')))
    asked.once('error', reject)
    asked.once('response', resolve)
    asked.end()
  })

/** Follows redirects, each held to what the first address is, and none from https to http. */
const follow = async (download: Download): Promise<{ response: IncomingMessage; url: URL }> => {
  let url = readAddress(download.address, download.isAllowed)
  for (let turn = 0; turn <= maxRedirects; turn += 1) {
    if (url === null) throw new DownloadRefused('import-download-address')
    const response = await open(url, download)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return { response, url }
    response.destroy()
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined)
      throw new DownloadRefused('import-download-failed', { reason: `HTTP ${statusCode}` })
    const { location } = headers
    const next = URL.canParse(location, url) ? readAddress(new URL(location, url).href, download.isAllowed) : null
    if (next !== null && url.protocol === 'https:' && next.protocol !== 'https:')
      throw new DownloadRefused('import-download-address')
    url = next
  }
  throw new DownloadRefused('import-download-failed', { reason: `HTTP 3xx × ${maxRedirects}` })
}

const nameOf = (response: IncomingMessage, url: URL): string => {
  const [, told] = /filename="?([^";]+)"?/.exec(response.headers['content-disposition'] ?? '') ?? []
  let last = url.pathname.split('/').at(-1) ?? ''
  try {
    last = decodeURIComponent(last)
  } catch {
    // As it is written, then.
  }
  return [told, last].flatMap((name) => uploadPath((name ?? '').split(/[\\/]/).at(-1)!) ?? [])[0] ?? 'download'
}

/** Fetches a file into the folder; it gets its name when it is whole and has the checksum. Throws DownloadRefused where that cannot be. */
export const downloadFile = async (download: Download): Promise<{ path: string; bytes: number; sha256: string }> => {
  const { folder, maxBytes, checksum, signal } = download
  try {
    const { response, url } = await follow(download)
    const total = Number(response.headers['content-length'] ?? 0)
    const gigabytes = Number((maxBytes / 1e9).toFixed(2))
    if (total > maxBytes) {
      response.destroy()
      throw new DownloadRefused('import-download-size', { gigabytes })
    }
    const path = nameOf(response, url)
    const part = join(folder, '.novodb-download')
    const [sha256, md5] = [createHash('sha256'), createHash('md5')]
    let bytes = 0
    const count = new Transform({
      transform: (piece: Buffer, _, done) => {
        bytes += piece.length
        sha256.update(piece)
        md5.update(piece)
        if (total > 0) download.onProgress(bytes / total)
        done(bytes > maxBytes ? new DownloadRefused('import-download-size', { gigabytes }) : null, piece)
      },
    })
    try {
      response.setTimeout(silentMs, () => response.destroy(new Error('timeout')))
      await pipeline(response, count, createWriteStream(part), { signal })
      if (total > 0 && bytes !== total)
        throw new DownloadRefused('import-download-failed', { reason: `${bytes} / ${total} B` })
      const sums = { sha256: sha256.digest('hex'), md5: md5.digest('hex') }
      if (checksum !== '' && ![sums.sha256, sums.md5].includes(checksum.toLowerCase()))
        throw new DownloadRefused('import-download-checksum')
      await rename(part, join(folder, path))
      return { path, bytes, sha256: sums.sha256 }
    } finally {
      await rm(part, { force: true })
    }
  } catch (error) {
    signal.throwIfAborted()
    const cause = error instanceof Error && error.cause instanceof DownloadRefused ? error.cause : error
    if (cause instanceof DownloadRefused) throw cause
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw error
    throw new DownloadRefused('import-download-failed', { reason: code ?? message })
  }
}
