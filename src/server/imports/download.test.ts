import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DownloadRefused, downloadFile, isPublicAddress, readAddress } from './download.ts'

const content = '>chr1\nACGTACGT\n'
const sha256 = createHash('sha256').update(content).digest('hex')
let folder = ''
let server: Server
let origin = ''
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x')
    if (pathname === '/to') response.writeHead(302, { location: searchParams.get('to')! }).end()
    else if (pathname === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (pathname === '/gone') response.writeHead(404).end()
    else if (pathname === '/endless') {
      const timer = setInterval(() => response.write('x'.repeat(1000)), 1)
      response.once('close', () => clearInterval(timer))
    } else if (pathname === '/cut') {
      response.writeHead(200, { 'content-length': '1000' }).write(content)
      setTimeout(() => response.destroy(), 50)
    } else if (pathname === '/named')
      response.writeHead(200, { 'content-disposition': 'attachment; filename="../../etc/passwd"' }).end(content)
    else response.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'novodb-download-'))
  return () => rmSync(folder, { recursive: true, force: true })
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** Of the machine's own addresses this one alone is allowed. */
const fetchAs = (path: string, more: { checksum?: string; isAllowed?: (address: string) => boolean } = {}) =>
  downloadFile({
    address: path.startsWith('http') ? path : origin + path,
    folder,
    maxBytes: 100_000,
    checksum: '',
    signal: new AbortController().signal,
    onProgress: () => undefined,
    isAllowed: (address) => address === '127.0.0.1',
    ...more,
  }).catch((error: unknown) => {
    if (!(error instanceof DownloadRefused)) throw error
    return error.code
  })

test('addresses of the own machine and network are no addresses of the internet', () => {
  for (const address of [
    ...['127.0.0.1', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
    ...['100.64.0.1', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1'],
    ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', 'localhost', ''],
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, false])
  for (const address of ['8.8.8.8', '130.14.250.7', '172.32.0.1', '2607:f220:41e:4290::110'])
    expect([address, isPublicAddress(address)]).toEqual([address, true])
})

test('only http and https are asked, without a password, and not a number that stands for the own machine', () => {
  for (const text of [
    ...['ftp://ftp.example.org/a', 'file:///etc/passwd', 'gopher://x/', 'https://user:secret@example.org/', 'example'],
    ...['http://127.0.0.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://[::1]/', 'http://[::ffff:7f00:1]/'],
  ])
    expect([text, readAddress(text)]).toEqual([text, null])
  for (const text of ['http://example.org:25/', 'https://example.org:22/genome.fa'])
    expect(readAddress(text)).toBeNull()
  expect(readAddress('http://example.org:8080/genome.fa')?.port).toBe('8080')
  expect(readAddress('https://example.org/genome.fa.gz')?.hostname).toBe('example.org')
})

test('a name that stands for the own machine is refused, also behind a redirect', async () => {
  const port = new URL(origin).port
  expect(await fetchAs(`http://localhost:${port}/genome.fa`, { isAllowed: isPublicAddress })).toBe(
    'import-download-address',
  )
  const seen: string[] = []
  const onlyFirst = (address: string): boolean => {
    seen.push(address)
    return address === '127.0.0.1'
  }
  for (const to of ['http://127.0.0.2/', 'http://10.0.0.1/', 'file:///etc/passwd', 'http://u:p@127.0.0.1/'])
    expect(await fetchAs(`/to?to=${encodeURIComponent(to)}`, { isAllowed: onlyFirst })).toBe('import-download-address')
  expect(readdirSync(folder)).toEqual([])
})

test('a file is fetched whole, under a name of its own folder, with its checksum', async () => {
  expect(await fetchAs('/GCF%20(1).fna?x=1')).toEqual({ path: 'GCF (1).fna', bytes: content.length, sha256 })
  expect(readFileSync(join(folder, 'GCF (1).fna'), 'utf8')).toBe(content)
  expect(await fetchAs('/to?to=/genome.fa', { checksum: sha256.toUpperCase() })).toMatchObject({ path: 'genome.fa' })
  expect(await fetchAs('/named')).toMatchObject({ path: 'passwd' })
  expect(await fetchAs('/')).toMatchObject({ path: 'download' })
})

test('what is too large, cut off, gone, without end or otherwise than it should be leaves nothing behind', async () => {
  expect(await fetchAs('/endless')).toBe('import-download-size')
  expect(await fetchAs('/cut')).toBe('import-download-failed')
  expect(await fetchAs('/gone')).toBe('import-download-failed')
  expect(await fetchAs('/loop')).toBe('import-download-failed')
  expect(await fetchAs('/genome.fa', { checksum: 'a'.repeat(64) })).toBe('import-download-checksum')
  expect(readdirSync(folder)).toEqual([])
})
