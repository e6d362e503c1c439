import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { type Config, readConfig } from '../src/server/config.ts'

// What the tests of this folder share.

export const root = resolve(import.meta.dirname, '..')
export const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const containerfile = read('Containerfile')
const imageSetting = (name: string): string => new RegExp(`^ENV .*\\b${name}=(\\S+)`, 'm').exec(containerfile)![1]!

/** What the image says of itself. */
export const image = {
  port: Number(imageSetting('PORT')),
  dataDir: imageSetting('NOVODB_DATA'),
  user: Number(/^USER (\d+):\d+$/m.exec(containerfile)![1]),
  healthPath: /127\.0\.0\.1:'\+process\.env\.PORT\+'([^']+)'/.exec(containerfile)![1]!,
}

/** Seconds that a server or a worker that is told to stop may take, beside its drain, until it ends whatever is under way. */
export const longestStopSeconds = 2 * Number(/^const stopGraceMs = (\d+)_000$/m.exec(read('src/server/serve.ts'))![1])

/** Secrets as an administrator would have them, by the names of their files. */
const secrets: Record<string, string> = {
  'database-url': 'postgresql://novodb:secret@database/novodb\n',
  'admin-password': 'correct-horse-battery\n',
  'smtp-url': 'smtps://a:b@mail.example.org\n',
}

/** The configuration that the portal makes of an environment; throws where it would refuse to start. Files of secrets are there. */
export const configurationOf = (environment: Record<string, string>): Config => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-deploy-'))
  try {
    for (const [name, text] of Object.entries(secrets)) writeFileSync(join(folder, name), text)
    return readConfig(
      Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          name.endsWith('_FILE') ? join(folder, basename(value)) : value,
        ]),
      ),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
