import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { full } from '../src/testing/real-data.ts'
import { invite, open, settle } from './browser.ts'

// What screens say when the server does not answer, or answers that something went wrong.

const language = 'en-US'
const k = translator(kit, language)

const toolFolder = join(import.meta.dirname, '../src/tools')
const drawnTools = readdirSync(toolFolder).filter((id) => existsSync(join(toolFolder, id, 'screen.tsx')))

let assembly: string
let gene: string
let sequence: string
let routes: Map<string, string>
const tokens = { nobody: '', user: '', admin: '' }
const contexts = {} as Record<'nobody' | 'user' | 'admin', BrowserContext>

beforeAll(async () => {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${inject('portalUrl')}${path}`, {
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })
    return ((await answer.json()) as { data: unknown }).data
  }
  const { species } = (await ask('/api/species/')) as {
    species: { assemblies: { id: string; reference: boolean; exampleGenes: { id: string; sequence: string }[] }[] }[]
  }
  const reference = species[0]!.assemblies.find((one) => one.reference)!
  assembly = reference.id
  ;({ id: gene, sequence } = reference.exampleGenes[0]!)
  const { tools } = (await ask('/api/tools/')) as { tools: { id: string; route: string }[] }
  routes = new Map(tools.map((tool) => [tool.id, tool.route]))

  const username = `cut.off.${Date.now().toString(36)}`
  const password = 'nothing comes through'
  const phone = `+86139${String(Date.now()).slice(-8)}`
  const about = { workplace: 'school', jobType: 'student', phone, email: `${username}@example.org` }
  await ask('/api/auth/register/', { username, ...about, password, confirm: password })
  const tokenOf = async (name: string, secret: string): Promise<string> =>
    ((await ask('/api/auth/login/', { username: name, password: secret })) as { token: string }).token
  tokens.user = await tokenOf(username, password)
  tokens.admin = await tokenOf('admin', inject('adminPassword'))
  for (const who of ['nobody', 'user', 'admin'] as const)
    contexts[who] = await invite({
      language,
      ...(tokens[who] === '' ? {} : { token: tokens[who] }),
    })
})

type Who = keyof typeof contexts
const screens: [name: string, who: Who, path: () => string][] = [
  ['Home', 'nobody', () => '/home'],
  ['Search', 'nobody', () => '/search?q=DNA'],
  ['Gene', 'nobody', () => `/gene?id=${gene}&assembly=${assembly}`],
  ['Tools', 'nobody', () => '/tools'],
  ['Download', 'nobody', () => '/download'],
  ['Contact', 'nobody', () => '/contact'],
  ['Usage', 'nobody', () => '/document/api'],
  ['JBrowse', 'nobody', () => '/jbrowse'],
  ['References', 'nobody', () => '/references'],
  ['record', 'nobody', () => `/detail?type=sequence&id=${sequence}&assembly=${assembly}`],
  ['own jobs', 'user', () => '/account/center'],
  ['own gene sets', 'user', () => '/account/center?tab=sets'],
  ['own profile', 'user', () => '/account/center?tab=profile'],
  ['settings', 'user', () => '/account/settings'],
  ...['users', 'jobs', 'data', 'engines', 'messages', 'storageTab', 'outbox', 'audit'].map(
    (tab): [string, Who, () => string] => [`info, ${tab}`, 'admin', () => `/info?tab=${tab}`],
  ),
]
const forms = drawnTools
  .filter((id) => !['jbrowse', 'pathway', 'references', 'download'].includes(id))
  .map((id): [string, Who, () => string] => [`the form of ${id}`, 'nobody', () => routes.get(id)!])

interface Failure {
  status: number
  type: string
  body: string
}

/**
 * Opens an address whose calls of the API are answered by a failure until `restore`; but for the one that asks who the reader is
 * (unless `every`), which alone leads to the login page, where nothing else is asked. Answered within the page: with a route the
 * browser keeps no script in its cache, and every page takes twice the time.
 */
const openFailing = async (
  who: Who,
  path: string,
  failure: Failure,
  every = false,
): Promise<{ page: Page; restore: () => Promise<void> }> => {
  const context = contexts[who]
  const script = await context.addInitScript(
    ([answer, all]) => {
      const state = { fails: true }
      Object.assign(globalThis, { failing: state })
      const ask = globalThis.fetch
      globalThis.fetch = async (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
        const isMeant = pathname.startsWith('/api/') && (all || pathname !== '/api/auth/user/')
        if (!state.fails || !isMeant) return ask(input, init)
        return new Response(answer.body, { status: answer.status, headers: { 'content-type': answer.type } })
      }
    },
    [failure, every] as const,
  )
  try {
    const { page } = await open(context, path)
    return {
      page,
      restore: async () => {
        await script.dispose()
        // A page that has gone on since is one without the script.
        await page.evaluate(() => Object.assign((globalThis as { failing?: object }).failing ?? {}, { fails: false }))
      },
    }
  } catch (error) {
    await script.dispose()
    throw error
  }
}

/** Presses what asks again until nothing is left to ask: what comes may ask for more. */
const askAgain = async (page: Page): Promise<void> => {
  const again = page.getByRole('button', { name: k('failure.retry') })
  await expect
    .poll(
      async () => {
        await settle(page)
        // It lies over the page, and over a button below it, until it is closed.
        const notice = page.locator('.shell-notice-notification button').first()
        if (await notice.isVisible()) await notice.click()
        // What has come by itself meanwhile has no button any more.
        if (await again.first().isVisible())
          await again
            .first()
            .click({ timeout: 1000 })
            .catch(() => undefined)
        await settle(page)
        return again.count()
      },
      { timeout: 60_000 },
    )
    .toBe(0)
}

/** Titles of places that are shown as empty, other than in words of a failure. */
const emptyTitles = (page: Page): Promise<string[]> =>
  page.locator('main .nv-empty:not([role=alert] .nv-empty) .nv-empty-title').allInnerTexts()

const gatewayTimeout: Failure = { status: 504, type: 'text/html', body: '<h1>504</h1>' }

describe('a server that cannot be reached', () => {
  // One piece asks and tells for all: every fourth screen and every twelfth form, and all of them with `npm test -- --full`.
  it.each([...screens.filter((_, at) => full || at % 4 === 0), ...forms.filter((_, at) => full || at % 12 === 0)])(
    'by its gateway: %s says so, and has what there is once it is asked again',
    async (_, who, path) => {
      const { page, restore } = await openFailing(who, path(), gatewayTimeout)
      try {
        await settle(page)
        const again = page.getByRole('button', { name: k('failure.retry') })
        await again.first().waitFor()
        expect(await emptyTitles(page)).toEqual([])
        expect(await page.locator('main').innerText()).not.toContain(k('assembly.none'))
        expect(await page.locator('body').innerText()).toContain(k('request.network'))
        // However many of its calls failed.
        expect(await page.locator('.shell-notification, .shell-notice-notification').count()).toBe(1)
        expect(await page.locator('.shell-notice-notification').innerText()).toContain(k('request.networkTitle'))
      } finally {
        await restore()
      }
      await askAgain(page)
      expect(await page.locator('main .nv-waiting').count()).toBe(0)
      await page.close()
    },
  )

  it('whoever could not be asked for is led to the login page, told so there, and led back once that can be asked', async () => {
    const { page, restore } = await openFailing('user', '/account/center?tab=profile', gatewayTimeout, true)
    try {
      await page.waitForURL(/\/user\/login\?redirect=/)
      await page.getByText(k('request.networkTitle')).waitFor()
    } finally {
      await restore()
    }
    await page
      .getByRole('button', { name: k('failure.retry') })
      .first()
      .click()
    await page.waitForURL(/\/account\/center\?tab=profile$/)
    await page.close()
  })

  it('counts nothing on Home that it was not told of, and has its species and tools once it is asked again', async () => {
    const { page, restore } = await openFailing('nobody', '/home', gatewayTimeout)
    await settle(page)
    expect(await page.locator('.home-figures dd').allInnerTexts()).toEqual([
      '–',
      '–',
      '–',
      '–',
      expect.stringMatching(/^\d+$/),
    ])
    await restore()
    await askAgain(page)
    expect(await page.locator('.home-species-grid > *').count()).toBeGreaterThan(0)
    expect(Number((await page.locator('.home-figures dd').first().innerText()).replaceAll(',', ''))).toBeGreaterThan(0)
    await page.close()
  })
})

describe('a failure of its own kind', () => {
  const reported = 'Words of the server.'
  const failing = (showType: number | undefined, more: object = {}): Failure => ({
    status: 400,
    type: 'application/json',
    body: JSON.stringify({ success: false, errorCode: 'OUT_OF_ORDER', errorMessage: reported, showType, ...more }),
  })
  const ten = screens.slice(0, 10).map((screen, at) => [...screen, at] as const)
  const kinds: [showType: number | undefined, notices: string[]][] = [
    [0, []],
    [1, ['shell-notice shell-notice-warning shell-notice-message']],
    [2, ['shell-notice shell-notice-error shell-notice-message']],
    [4, ['shell-notice shell-notice-error shell-notice-notification']],
    [3, ['shell-notice shell-notice-error shell-notice-message']],
    [undefined, ['shell-notice shell-notice-error shell-notice-message']],
    [9, []],
  ]
  /** One handler shows them all: one type on each of ten screens, so that each is seen on one at least; with `npm test -- --full` all. */
  const kindsOf = (at: number) =>
    kinds.filter((_, kind) => full || (kind + kinds.length - (at % kinds.length)) % kinds.length < 1)

  it.each(ten)('is shown by its type: %s', async (_, who, path, at) => {
    const notices = async (page: Page): Promise<string[]> =>
      (await page.locator('.shell-notice').all()).length === 0
        ? []
        : page.locator('.shell-notice').evaluateAll((all) => all.map(({ className }) => className))
    for (const [showType, expected] of kindsOf(at).filter(([kind]) => kind !== 9)) {
      const { page, restore } = await openFailing(
        who,
        path(),
        failing(showType, { trace: ['unknown'], details: 'none' }),
      )
      try {
        await settle(page)
        if (expected.length > 0) await page.locator('.shell-notice').first().waitFor()
        expect(await notices(page), `display type ${showType}`).toEqual(expected)
        if (expected.length > 0) expect(await page.locator('.shell-notice').innerText()).toContain(reported)
        if (showType === 4) expect(await page.locator('.shell-notice').innerText()).toContain('OUT_OF_ORDER')
      } finally {
        await restore()
        await page.close()
      }
    }
    if (!kindsOf(at).some(([kind]) => kind === 9)) return
    const { page, restore } = await openFailing(who, path(), failing(9))
    try {
      // Not by waiting for one navigation: each failing answer leads there, and one ends the one before.
      await expect.poll(() => page.url()).toMatch(/\/exception\?errorCode=OUT_OF_ORDER&errorMessage=Words/)
      await page.locator('main', { hasText: reported }).waitFor()
    } finally {
      await restore()
      await page.close()
    }
  })

  it('with the error page as its answer to everything leaves the reader there', async () => {
    const { page, restore } = await openFailing('nobody', '/home', failing(9), true)
    // Not by waiting for one navigation: each failing answer leads there, and one ends the one before.
    await expect.poll(() => page.url()).toMatch(/\/exception\?/)
    await settle(page)
    expect(new URL(page.url()).pathname).toBe('/exception')
    expect(await page.locator('main').innerText()).toContain('OUT_OF_ORDER')
    await restore()
    await page.close()
  })

  it('of a run and of a message to the administrator is shown by its type, beside the words in its place', async () => {
    const context = contexts.nobody
    const { status, type, body } = failing(4)
    const posted = (route: Route): Promise<void> => route.fulfill({ status, contentType: type, body })
    await context.route('**/api/tools/sequencefetch/', posted)
    await context.route('**/api/contact/', (route) =>
      route.request().method() === 'POST' ? posted(route) : route.continue(),
    )
    const { page } = await open(
      context,
      `${routes.get('sequencefetch')}?assembly=${assembly}&sequence=x&start=1&end=9&run=1`,
    )
    await page.locator('.shell-notice-notification', { hasText: reported }).waitFor()
    await page.locator('.nv-outcome', { hasText: reported }).waitFor()
    await page.goto(`${inject('portalUrl')}/contact`)
    for (const [field, value] of [
      ['name', 'Li Lei'],
      ['email', 'li@example.org'],
      ['subject', gene],
    ] as const)
      await page.locator(`input[name=${field}]`).fill(value)
    await page.locator('textarea[name=message]').fill('A start codon is missing.')
    await page.locator('main button[type=submit]').click()
    await page.locator('.shell-notice-notification', { hasText: reported }).waitFor()
    await page.locator('main', { hasText: reported }).waitFor()
    await context.unrouteAll()
    await page.close()
  })
})
