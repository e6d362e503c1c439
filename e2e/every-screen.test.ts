import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Locale } from '../src/kit/ui/language.tsx'
import { full } from '../src/testing/real-data.ts'
import { findBarriers, invite, makeTour, settle, type Tour, type VisitorOptions } from './browser.ts'
import { letters, locales } from './journeys.ts'

/** A folder to keep a picture of every screen in; none are kept unless it is named. */
const pictures = process.env.NOVODB_TEST_PICTURES

interface ExampleGene {
  id: string
  sequence: string
  start: number
  end: number
}
interface Facts {
  assembly: string
  gene: ExampleGene
}

let facts: Facts
/** Tokens of somebody who has jobs and gene sets, and of admin. */
const tokens = { user: '', admin: '' }

beforeAll(async () => {
  const ask = async (path: string, body?: object, token?: string): Promise<unknown> => {
    const answer = await fetch(`${inject('portalUrl')}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json', Prefer: 'respond-async' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return ((await answer.json()) as { data: unknown }).data
  }
  const tokenOf = async (username: string, password: string): Promise<string> =>
    ((await ask('/api/auth/login/', { username, password })) as { token: string }).token
  const { species } = (await ask('/api/species/')) as {
    species: { assemblies: { id: string; reference: boolean; exampleGenes: ExampleGene[] }[] }[]
  }
  const assembly = species[0]!.assemblies.find((one) => one.reference)!
  facts = { assembly: assembly.id, gene: assembly.exampleGenes[0]! }

  const username = `beholder.${Date.now().toString(36)}`
  const password = 'every screen of the portal'
  const phone = `+86138${String(Date.now()).slice(-8)}`
  const email = `${username}@example.org`
  const about = { workplace: 'school', jobType: 'student', phone, email }
  await ask('/api/auth/register/', { username, ...about, password, confirm: password })
  tokens.user = await tokenOf(username, password)
  tokens.admin = await tokenOf('admin', inject('adminPassword'))
  const { id, sequence, start, end } = facts.gene
  const region = { assembly: facts.assembly, sequence, start, end }
  await ask('/api/tools/sequencefetch/', region, tokens.user)
  await ask('/api/account/gene-sets/', { name: 'Cell cycle', assembly: facts.assembly, genes: [id] }, tokens.user)
  await ask('/api/account/tokens/', { name: 'pipeline' }, tokens.user)
  await ask('/api/contact/', { name: 'Li Lei', email, subject: id, message: 'A start codon is missing.' })
})

/** Every address of the portal that a visitor can open, with something on it to see. */
const screens: [name: string, path: () => string][] = [
  ['home', () => '/home'],
  ['search, not yet asked', () => '/search'],
  ['search', () => '/search?q=DNA'],
  ['search that finds nothing', () => '/search?q=qqzzxxqqzzxx'],
  ['gene', () => `/gene?id=${facts.gene.id}&assembly=${facts.assembly}`],
  ['gene without a name', () => '/gene'],
  ['tools', () => '/tools'],
  ['genome browser', () => '/jbrowse/'],
  [
    'sequence fetch',
    () =>
      `/tools/sequencefetch?assembly=${facts.assembly}&sequence=${facts.gene.sequence}&start=${facts.gene.start}&end=${facts.gene.end}&annotate=true&run=1`,
  ],
  [
    'gene sequence extraction',
    () => `/tools/sequenceextraction?assembly=${facts.assembly}&genes=${facts.gene.id}&part=cds&run=1`,
  ],
  ['gene search', () => `/tools/GeneSearch?assemblies=${facts.assembly}&run=1`],
  ['download', () => '/download'],
  ['document', () => '/document'],
  ['document, a tool', () => '/document/blast'],
  ['document, a tutorial', () => '/document/tutorial-rd1'],
  ['document, api', () => '/document/api'],
  ['login', () => '/user/login'],
  ['forgotten password', () => '/user/login#forgot'],
  ['register', () => '/users/register'],
  ['register result', () => '/users/register-result'],
  ['contact', () => '/contact'],
  ['notebooks', () => '/notebook'],
  ['sequence record', () => `/detail?type=sequence&id=${facts.gene.sequence}&assembly=${facts.assembly}`],
  ['record without a name', () => '/detail'],
  ['test page', () => '/xx'],
  ['no such page', () => '/nothing/here'],
  ['403', () => '/403'],
  ['500', () => '/500'],
  ['disabled', () => '/disable'],
  ['exception', () => '/exception'],
]

/** What is opened by a click, or only to those who are signed in. */
const furtherScreens: [name: string, who: 'nobody' | 'user' | 'admin', path: string, click?: number][] = [
  ['login as admin', 'nobody', '/user/login', 1],
  ['login by phone', 'nobody', '/user/login', 2],
  ['new password by a mailed link', 'nobody', `/user/login#reset=${'a'.repeat(43)}`],
  ['own jobs', 'user', '/account/center'],
  ['own gene sets', 'user', '/account/center?tab=sets'],
  ['own profile', 'user', '/account/center?tab=profile'],
  ['account settings', 'user', '/account/settings'],
  ...['users', 'jobs', 'data', 'engines', 'messages', 'storageTab', 'outbox', 'audit'].map(
    (tab): [string, 'admin', string] => [`info, ${tab}`, 'admin', `/info?tab=${tab}`],
  ),
]

const everyScreen = [
  ...screens.map(([name, path]) => ({ name, path, who: 'nobody' as const, click: undefined })),
  ...furtherScreens.map(([name, who, path, click]) => ({ name, path: () => path, who, click })),
]

const views = [
  ['a laptop, light', { width: 1280, dark: false }],
  ['a phone, dark', { width: 390, height: 844, dark: true }],
  ['a wide screen, dark', { width: 1920, height: 1080, dark: true }],
  ['a phone, light', { width: 390, height: 844, dark: false }],
] as const

/** Each language has a view in which barriers are looked for, so that light and dark, wide and narrow have their turn. */
const inspectedView: Record<string, string> = { 'en-US': 'a laptop, light', 'zh-CN': 'a phone, dark' }
/** All views of each language: with `npm test -- --full`. */
const viewsOf = (language: Locale) => views.filter(([view]) => full || inspectedView[language] === view)
/** Every second one in each language, so that each is looked at in one of them; with `npm test -- --full` all in both. */
const inTurn = <One>(all: readonly One[], language: Locale): One[] =>
  all.filter((_, at) => full || at % locales.length === locales.indexOf(language))

describe.each(locales)('every screen in %s', (language) => {
  describe.each(viewsOf(language))('on %s', (view, options) => {
    const tours = {} as Record<'nobody' | 'user' | 'admin', Tour>
    const contexts: BrowserContext[] = []
    const begin = async (more: VisitorOptions = {}): Promise<Tour> => {
      const context = await invite({ language, ...options, inspected: true, ...more })
      contexts.push(context)
      return makeTour(context)
    }
    beforeAll(async () => {
      tours.nobody = await begin()
      for (const who of ['user', 'admin'] as const) tours[who] = await begin({ token: tokens[who] })
    })
    afterAll(() => Promise.all(contexts.map((context) => context.close())))

    it.each(inTurn(everyScreen, language))(
      '$name: drawn, without barriers, without errors, no wider than the window',
      async ({ name, path, who, click }) => {
        const visit = await tours[who].go(path())
        const { page, complaints } = visit
        try {
          await settle(page)
          await page.locator('main').waitFor()
          if (click !== undefined) await page.getByRole('tab').nth(click).click()
          if (who !== 'nobody') expect(page.url()).toBe(`${inject('portalUrl')}${path()}`)
          if (pictures !== undefined) {
            mkdirSync(pictures, { recursive: true })
            const file = `${name}-${language}-${options.width}.png`.replaceAll(/[ ,]+/g, '-')
            await page.screenshot({ path: join(pictures, file), fullPage: !name.startsWith('document') })
          }
          expect(await page.locator('h1').count()).toBe(1)
          expect(await page.locator('main').innerText()).toMatch(letters[language])
          expect(await page.title()).not.toBe('')
          expect(await page.locator('html').getAttribute('lang')).toBe(language)
          expect(await page.locator('html').getAttribute('data-theme')).toBe(options.dark ? 'dark' : 'light')
          const [needed, given, widest] = await page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement
            const wide = [...document.querySelectorAll('main *')].filter(
              (one) => one.closest('.nv-table-scroll') === null && one.getBoundingClientRect().right > clientWidth + 1,
            )
            const names = wide
              .slice(-3)
              .map((one) => `${one.tagName}.${one.className}: ${one.textContent?.slice(0, 60)}`)
            return [scrollWidth, clientWidth, names.join(' | ')] as const
          })
          expect(needed, `width needed on ${view}, by ${widest}`).toBeLessThanOrEqual(given)
          // What scrolls sideways lies within the window and shows that there is more.
          const scrolling = await page.evaluate(() =>
            [...document.querySelectorAll('main .nv-table-scroll')]
              .filter((box) => box.scrollWidth > box.clientWidth + 1)
              .map((box) => [
                getComputedStyle(box).backgroundImage.split('linear-gradient').length - 1,
                box.getBoundingClientRect().right <= innerWidth,
              ]),
          )
          for (const box of scrolling) expect(box).toEqual([4, true])
          const hidden = await page.evaluate(
            () =>
              [...document.querySelectorAll('main [role=tab][aria-selected=true]')].filter((tab) => {
                const [inner, outer] = [tab.getBoundingClientRect(), tab.parentElement!.getBoundingClientRect()]
                return inner.left < outer.left - 1 || inner.right > outer.right + 1
              }).length,
          )
          expect(hidden, 'chosen tabs out of sight').toBe(0)
          if (inspectedView[language] === view) expect(await findBarriers(page)).toEqual([])
          expect(complaints).toEqual([])
        } finally {
          await tours[who].leave(visit)
        }
      },
    )
  })
})
