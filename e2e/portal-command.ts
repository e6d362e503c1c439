import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { installationDirectory } from '../src/server/config.ts'
import { type Host, thisMachine } from '../src/testing/peers/hosts.ts'

export const portalRoot = installationDirectory
/** Of an installation: this one, or another version's. */
const commandOf = (installation: string): string => join(installation, 'bin', 'novodb.mjs')
export const adminPassword = 'e2e-correct-horse-battery'

export const environmentOf = (dataDir: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: '0',
  NOVODB_DATA: dataDir,
  NOVODB_DEMO: 'none',
  NOVODB_ADMIN_PASSWORD: adminPassword,
  NOVODB_FILING: '沪ICP备00000000号-1',
  NOVODB_LOG_LEVEL: 'warn',
})

/** Runs `novodb` with the arguments over a data directory; rejects with the end of its output when it fails. */
export const runCommand = (
  args: string[],
  dataDir: string,
  settings: NodeJS.ProcessEnv = {},
  installation = portalRoot,
): Promise<void> =>
  new Promise((done, failed) => {
    const child = spawn(process.execPath, [commandOf(installation), ...args], {
      cwd: installation,
      env: { ...environmentOf(dataDir), ...settings },
    })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    child.stderr.on('data', (text) => {
      output += text
    })
    child.once('close', (code) =>
      code === 0 ? done() : failed(new Error(`novodb ${args.join(' ')}: ${code}\n${output.slice(-4000)}`)),
    )
  })

/** A portal that serves a data directory with further settings, once it is ready; it ends with SIGTERM. */
export const startServer = (
  dataDir: string,
  settings: NodeJS.ProcessEnv = {},
  installation = portalRoot,
  host: Host = thisMachine,
): Promise<{ child: ChildProcessByStdio<null, Readable, Readable>; url: string }> =>
  new Promise((done, failed) => {
    const child = spawn(...host.command(process.execPath, [commandOf(installation), 'serve']), {
      cwd: installation,
      env: { ...environmentOf(dataDir), HOST: host.address, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const onText = (text: Buffer): void => {
      output += text
      const address = /is ready: (http:\/\/\S+?)\/?\s/.exec(output)
      if (address === null) return
      child.stdout.off('data', onText)
      child.stderr.off('data', onText)
      done({ child, url: address[1]! })
    }
    child.stdout.on('data', onText)
    child.stderr.on('data', onText)
    child.once('close', (code) => failed(new Error(`the portal ended with ${code}:\n${output.slice(-4000)}`)))
  })

/** The address of a portal's own database, for whoever else is to use it; the database runs as long as that portal. */
export const databaseUrlOf = (dataDir: string): string => {
  // The fifth line of PostgreSQL's lock file is the directory of its socket (PostgreSQL, pidfile.h).
  const sockets = readFileSync(join(dataDir, 'postgresql/postmaster.pid'), 'utf8').split('\n')[4]!
  const password = readFileSync(join(dataDir, 'postgresql-password'), 'utf8').trim()
  return `postgresql://novodb:${encodeURIComponent(password)}@${encodeURIComponent(sockets)}/novodb`
}

/** The token of an administrator who signs in at a portal's address. */
export const signInAsAdmin = async (url: string, password = adminPassword): Promise<string> => {
  const answer = await fetch(`${url}/api/auth/login/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'admin', username: 'admin', password }),
  })
  if (answer.status !== 200) throw new Error(`signing in was answered with ${answer.status}`)
  return ((await answer.json()) as { data: { token: string } }).data.token
}
