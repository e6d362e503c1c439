import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { image, read } from './deployment.ts'

// Names of servers as an engine of containers has them: a server that is made anew has another address under the same name.

const searchPath = `${process.env.PATH ?? ''}:/usr/sbin`
const hasProxy = spawnSync('haproxy', ['-v'], { env: { PATH: searchPath } }).status === 0

/** A name server that answers questions for IPv4 addresses from a table, and that there is no other address (RFC 1035, section 4). */
const startNames = (addresses: Map<string, string>): Promise<Socket> =>
  new Promise((done) => {
    const socket = createSocket('udp4')
    socket.on('message', (query, from) => {
      const labels: string[] = []
      let at = 12
      for (let length = query[at]!; length > 0; length = query[at]!) {
        labels.push(query.toString('latin1', at + 1, at + 1 + length))
        at += length + 1
      }
      const question = query.subarray(12, at + 5)
      const address = addresses.get(labels.join('.'))
      const isIpv4 = query.readUInt16BE(at + 1) === 1
      const answer =
        address === undefined || !isIpv4
          ? Buffer.alloc(0)
          : Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)])
      const head = Buffer.alloc(12)
      query.copy(head, 0, 0, 2)
      // An answer; 3: there is no such name.
      head.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2)
      head.writeUInt16BE(1, 4)
      head.writeUInt16BE(answer.length === 0 ? 0 : 1, 6)
      socket.send(Buffer.concat([head, question, answer]), from.port, from.address)
    })
    socket.bind(0, '127.0.0.1', () => done(socket))
  })

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createTcpServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })

describe.skipIf(!hasProxy)('HAProxy as it is shipped (skipped where haproxy is not there)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-proxy-'))
  const addresses = new Map<string, string>()
  const servers: Server[] = []
  let names: Socket
  let port: number
  let proxy: ChildProcess
  let base: string

  /** A portal's stand-in that is fit and says where it is. */
  const listen = (address: string): Promise<Server> =>
    new Promise((done) => {
      const server = createServer(({ headers }, response) => {
        response.end(
          `${address} for ${headers['x-forwarded-for'] ?? 'nobody'} by ${headers['x-forwarded-proto'] ?? ''}`,
        )
      })
      servers.push(server)
      server.listen(port, address, () => done(server))
    })
  const ask = async (): Promise<string> => {
    const answer = await fetch(base, { headers: { 'X-Forwarded-For': '203.0.113.9' } }).catch(() => null)
    return answer === null || answer.status !== 200 ? '' : answer.text()
  }

  const startProxy = (name: string, front: number, configuration: string): ChildProcess => {
    const file = join(folder, name)
    writeFileSync(
      file,
      configuration
        .replace('bind :8080', `bind 127.0.0.1:${front}`)
        .replace('parse-resolv-conf', `nameserver here 127.0.0.1:${names.address().port}`)
        .replaceAll(`:${image.port}`, `:${port}`),
    )
    return spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore', env: { PATH: searchPath } })
  }
  const end = (child: ChildProcess): Promise<unknown> => {
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    return ended
  }
  beforeAll(async () => {
    names = await startNames(addresses)
    port = await freePort()
    const front = await freePort()
    base = `http://127.0.0.1:${front}/`
    proxy = startProxy('haproxy.cfg', front, read('deploy/haproxy.cfg'))
  })
  afterAll(async () => {
    await end(proxy)
    for (const server of servers) server.close()
    names.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('starts before any server has a name, and finds one when it has', async () => {
    await expect.poll(async () => (await fetch(base).catch(() => null))?.status).toBe(503)
    await listen('127.0.0.2')
    addresses.set('server-1', '127.0.0.2')
    await expect.poll(ask).toBe('127.0.0.2 for 127.0.0.1 by http')
  })

  it('follows a server that is made anew to its other address', async () => {
    const [first] = servers.splice(0, 1)
    first!.close()
    first!.closeAllConnections()
    await listen('127.0.0.3')
    addresses.set('server-1', '127.0.0.3')
    await expect.poll(ask).toBe('127.0.0.3 for 127.0.0.1 by http')
  })

  it('sends to both when both have names', async () => {
    await listen('127.0.0.4')
    addresses.set('server-2', '127.0.0.4')
    const asked = async () => [...new Set(await Promise.all(Array.from({ length: 8 }, ask)))].sort()
    await expect.poll(asked).toEqual(['127.0.0.3 for 127.0.0.1 by http', '127.0.0.4 for 127.0.0.1 by http'])
  })

  it('behind a proxy with TLS, changed as the document says, adds its address to those that came', async () => {
    const front = await freePort()
    const lines = /^ {2}http-request set-header .*\n/gm
    const changed = read('deploy/haproxy.cfg')
      .replace(lines, '')
      .replace('mode http\n', 'mode http\n  option forwardfor\n')
    const second = startProxy('behind.cfg', front, changed)
    try {
      const answer = async (): Promise<string> => {
        const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' }
        const given = await fetch(`http://127.0.0.1:${front}/`, { headers }).catch(() => null)
        return given?.status === 200 ? given.text() : ''
      }
      await expect.poll(answer).toMatch(/^127\.0\.0\.[34] for 203\.0\.113\.9, 127\.0\.0\.1 by https$/)
    } finally {
      await end(second)
    }
  })
})
