import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { makeBases } from '../src/testing/random.ts'
import { messages as account } from '../src/web/messages/account.ts'
import { messages as admin } from '../src/web/messages/admin.ts'
import { messages as routeTexts } from '../src/web/messages/routes.ts'
import { messages as shell } from '../src/web/messages/shell.ts'
import { visit } from './browser.ts'
import { inTurn } from './journeys.ts'
import { runCommand } from './portal-command.ts'

// What the administrator does from the page, and what one account does in two browsers and by programs.

let adminToken: string
const loaded: string[] = []

const ask = async (method: string, path: string, body?: object, token?: string): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${inject('portalUrl')}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return ((await answer.json()) as { data: Record<string, unknown> }).data
}

beforeAll(async () => {
  const credentials = { type: 'admin', username: 'admin', password: inject('adminPassword') }
  adminToken = String((await ask('POST', '/api/auth/login/', credentials)).token)
})
afterAll(async () => {
  for (const species of loaded) {
    await runCommand(['remove', species], inject('dataDir'))
    rmSync(join(inject('dataDir'), 'incoming', species), { recursive: true, force: true })
  }
})

const password = 'Neurospora crassa 74A'
let turn = 0

inTurn('in %s', (language, it) => {
  const a = translator(account, language)
  const k = translator(admin, language)
  const r = translator(routeTexts, language)
  const s = translator(shell, language)

  const signIn = async (page: Page, username: string, secret: string): Promise<void> => {
    await page.locator('input[name=username]').fill(username)
    await page.locator('input[name=password]').fill(secret)
    await page.locator('button[type=submit]').click()
    await page.waitForURL((url) => url.pathname !== '/user/login')
  }
  /** An account made through the page, as anybody makes one; resolves to its name. */
  const register = async (page: Page): Promise<string> => {
    turn += 1
    const mark = `${Date.now().toString(36)}${turn}`
    await page.locator('input[name=username]').fill(`maintainer.${mark}`)
    await page.locator('input[name=email]').fill(`maintainer.${mark}@example.org`)
    await page.locator('select[name=workplace]').selectOption('school')
    await page.locator('select[name=jobType]').selectOption('teacher')
    await page.locator('input[name=phone]').fill(`136${String(Date.now() + turn).slice(-8)}`)
    await page.locator('input[name=password]').fill(password)
    await page.locator('input[name=confirm]').fill(password)
    await page.locator('main button[type=submit]').click()
    await page.waitForURL(/\/users\/register-result$/)
    return `maintainer.${mark}`
  }
  const userMenu = async (page: Page, username: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: username }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const tokenOf = async (username: string): Promise<string> =>
    String((await ask('POST', '/api/auth/login/', { username, password })).token)

  it('a species is loaded from the page with its progress and log, loaded again, and rolled back', async () => {
    const species = `from-the-page-${language.slice(0, 2)}`
    const name = `Loaded from the page ${language.slice(0, 2)}`
    const assembly = `FTP${language.slice(0, 2)}`
    const folder = join(inject('dataDir'), 'incoming', species)
    const write = (genome: string): void => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'genome.fa'), `>chr1\n${genome}\n`)
      writeFileSync(join(folder, 'genes.gff3'), '##gff-version 3\nchr1\t.\tCDS\t1\t15\t.\t+\t0\tID=ftpA\n')
      writeFileSync(
        join(folder, 'species.yaml'),
        `novodb: 1\nspecies: ${species}\nname: ${name}\nassemblies:\n  - { id: ${assembly}, genome: genome.fa, genes: genes.gff3 }\n`,
      )
    }
    const bases = async (): Promise<string> => {
      const input = { assembly, sequence: 'chr1', start: 1, end: 15 }
      const answer = (await ask('POST', '/api/tools/sequencefetch/', input)) as {
        result?: { records: { residues: string }[] }
      }
      return answer?.result?.records[0]?.residues ?? ''
    }
    const [first, second] = ['ATGGCATTAGCCTGA', 'ATGTGGCCCGCCTGA']
    write(first)
    const { page, context, complaints } = await visit('/info?tab=data', { language, token: adminToken })
    const load = async (): Promise<void> => {
      await page.getByRole('combobox', { name: k('info.loadFolder') }).selectOption(folder)
      await page.getByRole('button', { name: k('info.loadStart'), exact: true }).click()
      const dialog = page.locator('dialog[open]')
      await dialog.getByRole('progressbar', { name: k('info.progress') }).waitFor()
      await dialog.getByText(k('state.done'), { exact: true }).waitFor({ timeout: 45_000 })
      expect(await dialog.locator('ol li').count()).toBeGreaterThan(3)
      // A load that has ended is not under way.
      expect(await dialog.locator('progress').count()).toBe(0)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await load()
    loaded.push(species)
    expect(await bases()).toBe(first)
    write(second)
    await load()
    expect(await bases()).toBe(second)
    const releases = page.locator('tbody tr', { hasText: name }).filter({ hasText: assembly })
    await page.waitForFunction(
      (text) => [...document.querySelectorAll('tbody tr')].filter((row) => row.textContent?.includes(text)).length >= 2,
      name,
    )
    await releases.getByRole('button', { name: k('info.rollback'), exact: true }).click()
    await page
      .locator('dialog[open]')
      .getByRole('button', { name: k('info.rollback'), exact: true })
      .click()
    await page.getByText(k('info.rolledBack', { species: name, number: 1 })).waitFor()
    // Readers see the first release again from the next request on.
    expect(await bases()).toBe(first)
    await page.getByRole('tab', { name: k('info.audit') }).click()
    await page
      .locator('tbody tr', { hasText: k('auditDetail.number', { number: 1 }) })
      .first()
      .waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a job is cancelled by its owner in the account centre, and run again and cancelled by the administrator', async () => {
    const { page, context, complaints } = await visit('/users/register', { language })
    const username = await register(page)
    const token = await tokenOf(username)
    const { species } = (await ask('GET', '/api/species/')) as {
      species: { assemblies: { id: string; reference: boolean }[] }[]
    }
    const databases = species[0]!.assemblies.slice(0, 3).map((one) => `${one.id}/genome`)
    // All translations of 400 kb against a genome: minutes of work.
    const query = makeBases(400_000, language.charCodeAt(0) + Date.now())
    const answer = await fetch(`${inject('portalUrl')}/api/tools/blast/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'respond-async', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: `>long\n${query}`, program: 'tblastx', databases, evalue: 1000 }),
    })
    expect(answer.status).toBe(202)
    const { id } = ((await answer.json()) as { data: { job: { id: string } } }).data.job
    await page.goto(`${inject('portalUrl')}/user/login?redirect=%2Faccount%2Fcenter`)
    await signIn(page, username, password)
    const own = page.locator('tbody tr').first()
    await own.getByRole('button', { name: a('center.cancel'), exact: true }).click()
    const stateOf = async (): Promise<string> =>
      ((await ask('GET', `/api/jobs/${id}/`, undefined, token)) as { job: { state: string } }).job.state
    await expect.poll(stateOf, { timeout: 15_000 }).toBe('cancelled')

    const other = await visit('/info?tab=jobs', { language, token: adminToken })
    await other.page.getByRole('searchbox', { name: k('info.owner') }).fill(username)
    const row = other.page.locator('tbody tr', { hasText: id.slice(0, 8) })
    await row.getByText(k('state.cancelled'), { exact: true }).waitFor()
    await row.getByRole('button', { name: k('info.retry'), exact: true }).click()
    await other.page.getByText(k('info.requeued')).waitFor()
    expect(await stateOf()).toMatch(/^(queued|running)$/)
    await row.getByRole('button', { name: k('info.cancel'), exact: true }).click()
    await expect.poll(stateOf, { timeout: 15_000 }).toBe('cancelled')
    // Its owner needs no administrator: the same input is run again from the account centre, as a job of its own on the tool's page.
    await page.reload()
    await own.getByRole('button', { name: a('center.again'), exact: true }).click()
    await page.waitForURL(/\/tools\/blast\?job=[0-9a-f]{32}$/)
    const again = new URL(page.url()).searchParams.get('job')!
    expect(again).not.toBe(id)
    await page.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('>long\n'))
    await page.goto(`${inject('portalUrl')}/account/center`)
    await own.getByRole('button', { name: a('center.cancel'), exact: true }).click()
    await own.getByText(k('state.cancelled'), { exact: true }).waitFor()
    const jobOf = async (one: string): Promise<unknown> =>
      (await ask('GET', `/api/jobs/${one}/`, undefined, token)) as unknown
    expect(await jobOf(again)).toMatchObject({ job: { state: 'cancelled' }, input: { program: 'tblastx', databases } })
    expect([...complaints, ...other.complaints]).toEqual([])
    await other.context.close()
    await context.close()
  })

  it('two browsers of one account: signing out in one leaves the other, a new password in one ends the other', async () => {
    const here = await visit('/users/register', { language })
    const username = await register(here.page)
    await here.page.goto(`${inject('portalUrl')}/user/login?redirect=%2Faccount%2Fsettings`)
    await signIn(here.page, username, password)
    const there = await visit('/user/login?redirect=%2Faccount%2Fcenter', { language })
    await signIn(there.page, username, password)
    await userMenu(there.page, username, s('menu.logout'))
    await there.page.waitForURL(/\/user\/login/)
    await here.page.reload()
    await here.page.getByRole('button', { name: username }).waitFor()
    // Signed in again there; then the password is changed here.
    await signIn(there.page, username, password)
    await there.page.getByRole('button', { name: username }).waitFor()
    const next = `${password} next`
    await here.page.locator('input[name=currentPassword]').fill(password)
    await here.page.locator('input[name=password]').fill(next)
    await here.page.locator('input[name=confirm]').fill(next)
    await here.page
      .locator('form', { has: here.page.locator('input[name=currentPassword]') })
      .locator('button[type=submit]')
      .click()
    await here.page.getByText(a('settings.passwordChanged')).waitFor()
    await there.page.goto(`${inject('portalUrl')}/account/center`)
    await there.page.waitForURL(/\/user\/login\?redirect=%2Faccount%2Fcenter/)
    await here.page.reload()
    await here.page.getByRole('button', { name: username }).waitFor()
    await signIn(there.page, username, next)
    await there.page.getByRole('button', { name: username }).waitFor()
    await here.context.close()
    await there.context.close()
  })

  it('an API token that is made in the settings lets a program in by curl, until it is revoked there', async () => {
    const { page, context } = await visit('/users/register', { language })
    const username = await register(page)
    await page.goto(`${inject('portalUrl')}/user/login?redirect=%2Faccount%2Fsettings`)
    await signIn(page, username, password)
    await page.locator('input[name=tokenName]').fill('curl')
    await page.locator('#tokens button[type=submit]').click()
    const token = await page.locator('[data-token]').innerText()
    // The header from a file, as documented: a token among the arguments is seen by everybody on the machine.
    const headers = join(inject('dataDir'), `header-${username}`)
    writeFileSync(headers, `Authorization: Bearer ${token}\n`, { mode: 0o600 })
    const curl = async (): Promise<{ code: number; body: { data?: { username: string }; errorCode?: string } }> => {
      const { stdout } = await promisify(execFile)('curl', [
        ...['--silent', '--show-error', '--header', `@${headers}`, '--write-out', '\n%{http_code}'],
        `${inject('portalUrl')}/api/auth/user/`,
      ])
      const [body = '', code = ''] = stdout.split(/\n(?=\d+$)/)
      return { code: Number(code), body: JSON.parse(body) }
    }
    expect(await curl()).toMatchObject({ code: 200, body: { data: { username } } })
    await page.locator('#tokens tbody tr', { hasText: 'curl' }).getByRole('button').click()
    const question = page.locator('dialog[open] button').last()
    if ((await question.count()) > 0) await question.click()
    await page.locator('#tokens tbody tr', { hasText: 'curl' }).waitFor({ state: 'detached' })
    expect(await curl()).toMatchObject({ code: 401, body: { errorCode: 'NOT_SIGNED_IN' } })
    rmSync(headers)
    await context.close()
  })

  it('from visitor to new user to admin by the pages alone, without a file of settings', async () => {
    const { page, context, complaints } = await visit('/home', { language })
    await page.goto(`${inject('portalUrl')}/info`)
    await page.waitForURL(/\/user\/login\?redirect=%2Finfo/)
    await page.goto(`${inject('portalUrl')}/users/register`)
    const username = await register(page)
    await page.goto(`${inject('portalUrl')}/user/login`)
    await signIn(page, username, password)
    await page.goto(`${inject('portalUrl')}/info`)
    await page.waitForURL(/\/disable$/)
    const admin = await visit('/info?tab=users', { language, token: adminToken })
    await admin.page.locator('input[type=search].nv-table-words').fill(username)
    const row = admin.page.locator('tbody tr', { hasText: username })
    await row.getByRole('button', { name: k('info.makeAdmin'), exact: true }).click()
    await admin.page
      .locator('dialog[open]')
      .getByRole('button', { name: k('info.makeAdmin'), exact: true })
      .click()
    await row.getByRole('button', { name: k('info.makeUser'), exact: true }).waitFor()
    await admin.page.getByRole('tab', { name: k('info.audit') }).click()
    const noted = k('auditDetail.access', { role: k('info.access.admin') })
    await admin.page.locator('tbody tr', { hasText: username }).filter({ hasText: noted }).first().waitFor()
    await page.goto(`${inject('portalUrl')}/home`)
    await userMenu(page, username, r('route.info'))
    await page.waitForURL(/\/info/)
    await page.locator('h1', { hasText: k('info.title') }).waitFor()
    await page.locator('tbody tr').first().waitFor()
    expect([...complaints, ...admin.complaints]).toEqual([])
    await ask('PUT', `/api/admin/users/${username}/`, { access: 'user' }, adminToken)
    await admin.context.close()
    await context.close()
  })
})
