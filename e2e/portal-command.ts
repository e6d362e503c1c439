import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

export const portalRoot = resolve(import.meta.dirname, '..')
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
export const runCommand = (args: string[], dataDir: string): Promise<void> =>
  new Promise((done, failed) => {
    const child = spawn(process.execPath, ['bin/novodb.mjs', ...args], { cwd: portalRoot, env: environmentOf(dataDir) })
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
