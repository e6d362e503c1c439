import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { environmentOf, portalRoot } from './portal-command.ts'

// The real command in a data directory of its own: what is said, and with which status it ends.

let work: string
let species: string
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'novodb-waiting-'))
  await chmod(work, 0o755)
  species = join(work, 'species')
  const { makeSimulated } = (await import(
    pathToFileURL(join(portalRoot, 'dist/node/demo/simulated.js')).href
  )) as typeof import('../demo/simulated.ts')
  await makeSimulated(species)
})
afterAll(() => rm(work, { recursive: true, force: true }))

const start = (args: string[]) => {
  const child = spawn(process.execPath, ['bin/novodb.mjs', ...args], {
    cwd: portalRoot,
    env: environmentOf(join(work, 'data')),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output.text += text
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return { child, output, ended }
}

it('a load that waits for another says for which, and ends by SIGTERM in words, with the status of a signal', async () => {
  const first = start(['load', species])
  await expect.poll(() => first.output.text, { timeout: 120_000 }).toMatch(/%/)
  const second = start(['load', species])
  await expect.poll(() => second.output.text, { timeout: 60_000 }).toMatch(/waiting for load \d+ of \S+/)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(143)
  expect(second.output.text).toContain('Stopped: nothing was changed; the release before stays in service.')
  expect(second.output.text).not.toMatch(/AbortError|^\s+at /m)
  expect(await first.ended).toBe(0)
}, 300_000)

it('of several folders of which the last is refused the others are in service, and the status says that one was not', async () => {
  const broken = join(work, 'broken')
  await makeBroken(broken)
  const load = start(['load', species, broken])
  expect(await load.ended).toBe(1)
  expect(load.output.text).toMatch(/release \d+ is in service/)
}, 300_000)

const makeBroken = async (folder: string): Promise<void> => {
  const { mkdir } = await import('node:fs/promises')
  await mkdir(folder)
  await writeFile(join(folder, 'species.yaml'), 'novodb: 1\nspecies: broken\nname: Testus fractus\nassemblies: []\n')
}
