import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { makeBases } from '../src/testing/random.ts'
import { messages as admin } from '../src/web/messages/admin.ts'
import { findBarriers, visit } from './browser.ts'
import { locales } from './journeys.ts'
import { databaseUrlOf, environmentOf, portalRoot, runCommand, signInAsAdmin, startServer } from './portal-command.ts'

// What an administrator sees of two servers on one database while workers come, work and die and a server is stopped.

const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-system-'))
const dataDir = join(folder, 'data')
let first: Awaited<ReturnType<typeof startServer>>
let settings: NodeJS.ProcessEnv
let token: string
const workers: ChildProcess[] = []

const end = (child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> => {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const ended = new Promise((done) => child.once('exit', done))
  child.kill(signal)
  return ended
}

const startWorker = (): ChildProcess => {
  const child = spawn(process.execPath, ['bin/novodb.mjs', 'worker'], {
    cwd: portalRoot,
    env: { ...environmentOf(dataDir), ...settings, NOVODB_WORKERS: '2' },
    stdio: 'ignore',
  })
  workers.push(child)
  return child
}

beforeAll(async () => {
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'genome.fa'), `>chr1\n${makeBases(5_000, 6)}\n`)
  writeFileSync(join(folder, 'genes.gff3'), '##gff-version 3\nchr1\t.\tCDS\t1\t300\t.\t+\t0\tID=sysA\n')
  writeFileSync(
    join(folder, 'species.yaml'),
    'novodb: 1\nspecies: watched\nname: Watched\nassemblies:\n  - { id: SYS1, genome: genome.fa, genes: genes.gff3 }\n',
  )
  await runCommand(['load', folder], dataDir)
  first = await startServer(dataDir, { NOVODB_WORKERS: '0' })
  // The fifth line of PostgreSQL's lock file is the directory of its socket (PostgreSQL, pidfile.h).
  settings = {
    DATABASE_URL: databaseUrlOf(dataDir),
    NOVODB_ANSWER_PROCESSES: '1',
    NOVODB_WORKERS: '0',
    NOVODB_DRAIN: '25',
  }
  token = await signInAsAdmin(first.url)
}, 180_000)
afterAll(async () => {
  for (const worker of workers) await end(worker, 'SIGKILL')
  if (first !== undefined) await end(first.child, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

/** Each further request for the page's data answered. */
const refreshed = async (page: Page): Promise<void> => {
  await page.waitForResponse((response) => response.url().endsWith('/api/admin/system/'), { timeout: 30_000 })
  await page.waitForTimeout(100)
}

/** Where the parts of the page stand. */
const placesOf = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main h2, main thead')].map((part) => Math.round(part.getBoundingClientRect().top)),
  )

let jobs = 0
const submit = async (): Promise<void> => {
  jobs += 1
  const answer = await fetch(`${first.url}/api/tools/sequencefetch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
    body: JSON.stringify({ assembly: 'SYS1', sequence: 'chr1', start: 1, end: 100 + jobs }),
  })
  expect(answer.status).toBe(202)
}

describe.each(locales)('in %s', (language) => {
  const t = translator(admin, language)
  const open = (more: { width?: number; dark?: boolean; inspected?: boolean } = {}) =>
    visit(`${first.url}/info?tab=system`, { language, token, ...more })
  const table = (page: Page, label: string): Locator =>
    page.getByRole('region', { name: label, exact: true }).getByRole('table')
  const row = (page: Page, label: string, text: string): Locator =>
    table(page, label).locator('tbody tr').filter({ hasText: text })

  it('servers, a job that waits for a worker, the worker that takes it, one that dies, and a server that stops', async () => {
    const { page, context, complaints } = await open()
    const own = row(page, t('info.servers'), String(first.child.pid))
    await own.getByText(t('info.server.serving')).waitFor()
    await own.getByText(hostname()).waitFor()
    await own.getByText(first.url.replace(/^http:\/\/[^:]+/, '127.0.0.1')).waitFor()

    await page.getByText(t('info.noWorkers')).waitFor()
    await submit()
    const waiting = table(page, t('info.queueByTool')).locator('tbody tr').first()
    await waiting.waitFor({ timeout: 30_000 })
    await refreshed(page)
    const before = await placesOf(page)
    expect(before.length).toBeGreaterThan(6)
    await refreshed(page)
    expect(await placesOf(page)).toEqual(before)

    const worker = startWorker()
    const mine = row(page, t('info.workers'), String(worker.pid))
    await mine.getByText(t('info.worker.idle')).waitFor({ timeout: 30_000 })
    await page
      .getByText(t('info.endedCounts', { done: jobs, failed: 0 }))
      .first()
      .waitFor({ timeout: 30_000 })

    const second = await startServer(dataDir, settings)
    const other = row(page, t('info.servers'), String(second.child.pid))
    await other.getByText(t('info.server.serving')).waitFor({ timeout: 30_000 })
    const ended = end(second.child, 'SIGTERM')
    await other.getByText(t('info.server.draining')).waitFor({ timeout: 30_000 })
    await end(worker, 'SIGKILL')
    await ended
    await other.waitFor({ state: 'detached', timeout: 30_000 })
    await mine.getByText(t('info.silent')).waitFor({ timeout: 75_000 })
    expect(complaints).toEqual([])
    await context.close()

    // The next worker of this machine removes what is left of the one that died.
    const next = startWorker()
    const later = await open()
    await row(later.page, t('info.workers'), String(next.pid)).waitFor({ timeout: 30_000 })
    expect(await row(later.page, t('info.workers'), String(worker.pid)).count()).toBe(0)
    await end(next, 'SIGTERM')
    await row(later.page, t('info.workers'), String(next.pid)).waitFor({ state: 'detached', timeout: 30_000 })
    await later.context.close()
  }, 300_000)

  it.each([
    [1280, false],
    [390, true],
  ])('nothing bars the way at a width of %d pixels, dark: %s', async (width, dark) => {
    const { page, context } = await open({ width, dark, inspected: true })
    await table(page, t('info.connectionsBy')).waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await context.close()
  })

  it('a part that cannot be asked says so in its place, and the page goes on when the server is away', async () => {
    const { page, context } = await open()
    await table(page, t('info.servers')).waitFor()
    await page.route('**/api/admin/system/', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: object }
      await route.fulfill({
        response: answer,
        json: { ...body, data: { ...body.data, database: null, unanswered: ['database'] } },
      })
    })
    await page.getByText(t('info.partNotAsked')).waitFor({ timeout: 30_000 })
    await table(page, t('info.servers')).waitFor()
    expect(await table(page, t('info.connectionsBy')).count()).toBe(0)
    await page.unroute('**/api/admin/system/')
    await table(page, t('info.connectionsBy')).waitFor({ timeout: 30_000 })
    await context.close()
  })
})
