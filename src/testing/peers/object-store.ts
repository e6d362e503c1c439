import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ObjectStoreSettings } from '../../store/objects/object-store.ts'
import { type Host, thisMachine } from './hosts.ts'

/** A line between a portal and its store that a test can cut, slow and count on. */
export interface Line {
  port: number
  /** Ends what is under way and refuses what comes; `restore` ends that. */
  cut(): void
  restore(): void
  /** Nothing passes any more and nobody is told, as when a link is down; for good. */
  silence(): void
  /** Ends each connection of the store's answers after so many bytes, as long as it is set. */
  breakAfter(bytes: number | null): void
  close(): Promise<void>
}

export const openLine = async (to: number): Promise<Line> => {
  const sockets = new Set<Socket>()
  let isCut = false
  let limit: number | null = null
  let isSilent = false
  const server: Server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(to, '127.0.0.1')
    const end = (): void => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    let passed = 0
    near.on('data', (piece) => {
      if (!isSilent) far.write(piece)
    })
    near.on('end', () => far.end())
    far.on('data', (piece) => {
      if (isSilent) return
      passed += piece.length
      near.write(piece)
      if (limit !== null && passed > limit) end()
    })
    far.on('end', () => near.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    restore: () => {
      isCut = false
    },
    silence: () => {
      isSilent = true
    },
    breakAfter: (bytes) => {
      limit = bytes
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export interface TestStore {
  /** Where it listens; a line is put before it by `settingsAt`. */
  port: number
  settingsAt(port: number): ObjectStoreSettings
  /** Files below it, for damage; of this server a file an object. */
  folder: string
  /** Ends what answers at once, as `kill -9` does; what was stored stays. */
  kill(): void
  start(): Promise<void>
  close(): Promise<void>
}

/** Starts an S3 server (s3rver, an npm package) as a process of its own, with an empty bucket. */
export const startTestStore = async (host: Host = thisMachine): Promise<TestStore> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'novodb-s3-'))
  mkdirSync(folder, { recursive: true })
  const program = createRequire(import.meta.url).resolve('@20minutes/s3rver/lib/cli.js')
  const listenAt = (at: number): ChildProcess =>
    spawn(
      ...host.command(process.execPath, [
        // Its tokens for further pages of a list are made with DES.
        ...['--openssl-legacy-provider', '-e', 'require(process.argv[1]).parse(process.argv)', program],
        // It computes the signature of an address that ends with a slash, as of lists, otherwise than the clients do.
        ...[
          '--silent',
          '--allow-mismatched-signatures',
          '--directory',
          folder,
          '--address',
          host.address,
          '--port',
          String(at),
          '--configure-bucket',
          'novodb',
        ],
      ]),
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
  let child: ChildProcess
  const start = (at: number): Promise<number> =>
    new Promise((resolve, reject) => {
      child = listenAt(at)
      let text = ''
      child.stdout!.on('data', (piece: Buffer) => {
        text += piece.toString('utf8')
        const found = /listening on .*?:(\d+)/i.exec(text)
        if (found !== null) resolve(Number(found[1]))
      })
      child.once('exit', (code) => reject(new Error(`s3rver ended with ${code}: ${text}`)))
    })
  const port = await start(0)
  return {
    port,
    folder: path.join(folder, 'novodb'),
    kill: () => void child.kill('SIGKILL'),
    start: async () => void (await start(port)),
    settingsAt: (at) => ({
      bucket: 'novodb',
      prefix: 'portal',
      endpoint: `http://${host.address}:${at}`,
      region: 'us-east-1',
      pathStyle: true,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    }),
    close: async () => {
      const ended = child.signalCode === null && new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
