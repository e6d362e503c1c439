import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { inject } from 'vitest'
import type { Locale } from '../src/kit/ui/language.tsx'
import { full } from '../src/testing/real-data.ts'
import { locales } from './journeys.ts'

/** Languages of journeys of which each goes on where the one before ended: the one named, and with `npm test -- --full` both. */
export const languagesOfChain = (named: Locale): Locale[] => (full ? [...locales] : [named])

/** Chromium of the distribution, without its calls to the outside. */
const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Chromium without a window of its own, where it is installed: the same engine draws the same pages, but no tabs and toolbars
 * beside them, which take more than half of the processor time of a page in the whole program.
 */
const executable =
  process.env.NOVODB_TEST_CHROMIUM ??
  ['chromium-headless-shell', 'chromium']
    .flatMap((program) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program)))
    .find((path) => existsSync(path)) ??
  '/usr/bin/chromium'

/** Another Chromium than that of all journeys, with further arguments of its command line; whoever starts it closes it. */
export const launchBrowser = async (more: readonly string[]): Promise<{ browser: Browser; close(): Promise<void> }> => {
  const home = await mkdtemp(join(tmpdir(), 'novodb-chromium-'))
  const browser = await chromium.launch({
    executablePath: executable,
    headless: true,
    args: [...chromiumArguments, ...more],
    env: { ...process.env, HOME: home },
  })
  // Where the process ends without closing it.
  const remove = (): void => rmSync(home, { recursive: true, force: true })
  process.once('exit', remove)
  return {
    browser,
    close: async () => {
      await browser.close()
      process.off('exit', remove)
      remove()
    },
  }
}

/** Of this process, in which journeys of one file after the other are walked. */
let shared: ReturnType<typeof launchBrowser> | undefined

/** The Chromium of all journeys. It ends with the process: starting one for each file takes longer than some of their journeys. */
export const sharedBrowser = async (): Promise<Browser> => {
  shared ??= launchBrowser([])
  return (await shared).browser
}

export interface Visit {
  page: Page
  context: BrowserContext
  /** What the page wrote to the console as an error, and requests that failed with 5xx: a journey ends with none. */
  complaints: string[]
}

export interface VisitorOptions {
  language?: Locale
  width?: number
  height?: number
  dark?: boolean
  /** Of a session: the visitor is signed in from the first page on. */
  token?: string
  /** Lifts the content security policy, so that an inspection script can be put into the page; for nothing else. */
  inspected?: boolean
}

/** What a context was made with; one that has been left is given to the next visitor who needs the same. */
interface Past {
  kind: string
  options: VisitorOptions
  scripts: { dispose(): Promise<void> }[]
  /** Tabs that have been left. */
  idle: Page[]
}
const pasts = new WeakMap<BrowserContext, Past>()
const left: BrowserContext[] = []

const listened = [
  'request',
  'requestfinished',
  'requestfailed',
  'response',
  'console',
  'pageerror',
  'download',
  'dialog',
  'popup',
] as const

/** Takes a tab off the portal's pages, with everything that was hung on it; nothing of the visit stays in it. */
const leave = async (page: Page): Promise<void> => {
  for (const event of listened) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // Of the portal whose page it is, so that the tab keeps its process; without a script of the portal.
  const { origin } = new URL(page.url())
  await page.goto(`${origin === 'null' ? inject('portalUrl') : origin}/robots.txt`)
  await page.evaluate(() => sessionStorage.clear())
}

/**
 * A new visitor in a language, without a past; the viewport is a laptop's unless said otherwise. Closing the context or a tab of it
 * empties them for the next visitor: a tab whose process has read the portal's scripts before draws a page in half of the processor
 * time. With `npm test -- --full` each visitor has a context, and each page a tab, that nobody had before.
 */
export const invite = async (options: VisitorOptions = {}): Promise<BrowserContext> => {
  const kind = [options.dark, options.inspected].map(Boolean).join()
  const known = left.findIndex((one) => pasts.get(one)?.kind === kind)
  const [found] = known < 0 ? [] : left.splice(known, 1)
  const context =
    found ??
    (await (
      await sharedBrowser()
    ).newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
      colorScheme: options.dark ? 'dark' : 'light',
      acceptDownloads: true,
      bypassCSP: options.inspected ?? false,
      // It takes an eighth of a page's processor time, and its own requests a journey cannot hold back; what it does is walked by itself.
      serviceWorkers: 'block',
    }))
  const past: Past = { kind, options, scripts: [], idle: pasts.get(context)?.idle ?? [] }
  pasts.set(context, past)
  // As long as a portal may take whose two cores draw pages, compute answers and run engines for other journeys.
  context.setDefaultTimeout(60_000)
  if (found === undefined && !full) {
    const close = context.close.bind(context)
    context.close = async () => {
      const mine = pasts.get(context)!
      try {
        for (const script of mine.scripts) await script.dispose()
        const pages = context.pages()
        for (const page of pages) if (!mine.idle.includes(page)) await leave(page)
        mine.idle = pages
        await context.unrouteAll({ behavior: 'ignoreErrors' })
        await context.setOffline(false)
        await context.clearPermissions()
        await context.setStorageState({ cookies: [], origins: [] })
        left.push(context)
      } catch {
        await close()
      }
    }
  }
  if (options.language !== undefined) {
    // Only where no choice is stored yet: a language that the reader chooses later is kept over a reload.
    past.scripts.push(
      await context.addInitScript(
        `if (localStorage.getItem('novodb_locale') === null) localStorage.setItem('novodb_locale', '${options.language}')`,
      ),
    )
  }
  if (options.token !== undefined) {
    past.scripts.push(
      await context.addInitScript(
        `if (sessionStorage.getItem('signed-in') === null) {
        sessionStorage.setItem('signed-in', '1')
        localStorage.setItem('novodb_access_token', '${options.token}')
      }`,
      ),
    )
  }
  return context
}

/** A tab of a visitor: one that was left, or a new one, which `close` leaves. */
const openTab = async (context: BrowserContext): Promise<Page> => {
  const past = pasts.get(context)
  const idle = past?.idle.pop()
  const page = idle ?? (await context.newPage())
  if (past === undefined) return page
  await page.setViewportSize({ width: past.options.width ?? 1280, height: past.options.height ?? 900 })
  await page.emulateMedia({ media: null, colorScheme: past.options.dark ? 'dark' : 'light' })
  if (idle === undefined && !full) {
    const close = page.close.bind(page)
    page.close = async () => {
      try {
        await leave(page)
        pasts.get(context)!.idle.push(page)
      } catch {
        await close()
      }
    }
  }
  return page
}

/** What others could read of every page opened by this process: addresses asked for, the console, and answers that are errors. */
export const witnessed = { addresses: [] as string[], console: [] as string[], errors: [] as string[] }

/** Opens an address of the portal, or a whole one of another, in a tab of a visitor. */
export const open = async (context: BrowserContext, path: string): Promise<Visit> => {
  const page = await openTab(context)
  watchRequests(page)
  const complaints: string[] = []
  page.on('request', (request) => witnessed.addresses.push(request.url()))
  page.on('console', (message) => {
    witnessed.console.push(message.text())
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('response', (response) => {
    // A page that is left meanwhile takes its answers with it.
    if (response.status() >= 400)
      void response.text().then(
        (text) => witnessed.errors.push(text),
        () => undefined,
      )
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(new URL(path, inject('portalUrl')).href, { waitUntil: 'load' })
  return { page, context, complaints }
}

/**
 * A visitor who goes from page to page within the portal, as its links do: each is drawn in one tab without loading the portal anew,
 * which takes a third of the processor time. With `npm test -- --full` each page is loaded in a tab of its own.
 */
export interface Tour {
  go: (path: string) => Promise<Visit>
  /** When a page has been looked at. */
  leave: (visit: Visit) => Promise<void>
}

export const makeTour = (context: BrowserContext): Tour => {
  let tab: Visit | undefined
  const follow = (page: Page, path: string): Promise<void> =>
    page.evaluate((address) => {
      const { idx = 0 } = (history.state ?? {}) as { idx?: number }
      history.pushState({ idx: idx + 1, key: Math.random().toString(36).slice(2) }, '', address)
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    }, path)
  return {
    go: async (path) => {
      if (full || tab === undefined || tab.page.isClosed()) {
        tab = await open(context, path)
        return tab
      }
      const { page } = tab
      // By way of another page: one that is asked for twice is drawn anew.
      const [between, code] = path === '/500' ? ['/403', '403'] : ['/500', '500']
      await follow(page, between)
      await page.locator('.shell-status-code', { hasText: code }).waitFor()
      await page.locator('.shell-status').evaluate((drawn: HTMLElement) => {
        drawn.dataset.left = ''
      })
      tab.complaints.length = 0
      await follow(page, path)
      await page.locator('[data-left]').waitFor({ state: 'detached' })
      return tab
    },
    leave: async ({ page }) => {
      if (full) await page.close()
    },
  }
}

/** An address opened by a new visitor. */
export const visit = async (path: string, options: VisitorOptions = {}): Promise<Visit> =>
  open(await invite(options), path)

const axeScript = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')};0`

/** What axe-core reports of these impacts is a barrier; `minor` is advice. */
const barrierImpacts = new Set(['moderate', 'serious', 'critical'])
/** What the colours decide: looked for in the other theme, too. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/**
 * What axe-core finds on the page as it stands, and of its colours in the other theme, one line a finding; the visit must be `inspected`.
 * Sizes of targets (WCAG 2.2, 2.5.8) are among it, which axe looks for when told to. The genome browser's own drawing is JBrowse's, whose
 * buttons and sliders lack names; what the portal sets around it is inspected.
 */
export const findBarriers = async (page: Page): Promise<string[]> => {
  // Evaluated and not as a script of the page: that takes half as long again.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axeScript)
  // Halfway between two colours nothing has its contrast.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  )
  const inspect = async (rules: string[] | null): Promise<AxeResults['violations']> => {
    const results = await page.evaluate(
      (only) =>
        (globalThis as unknown as { axe: { run: (context: object, options: object) => Promise<unknown> } }).axe.run(
          { exclude: ['.jbrowse-frame'] },
          {
            resultTypes: ['violations'],
            ...(only === null ? { rules: { 'target-size': { enabled: true } } } : { runOnly: only }),
          },
        ) as Promise<unknown>,
      rules,
    )
    return (results as AxeResults).violations
  }
  /** Colours on their way from one theme to the other are nobody's to read. */
  const endTransitions = (): Promise<void> =>
    page.evaluate(async () => {
      await new Promise(requestAnimationFrame)
      for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
    })
  const turnTheme = async (): Promise<void> => {
    await page.evaluate(() => {
      const { dataset } = document.documentElement
      dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark'
    })
    await endTransitions()
  }
  await endTransitions()
  const found = await inspect(null)
  await turnTheme()
  const inOtherTheme = await inspect(rulesOfColour)
  await turnTheme()
  return [...found, ...inOtherTheme]
    .filter(({ impact }) => barrierImpacts.has(impact ?? 'minor'))
    .flatMap((violation) =>
      violation.nodes.map(
        (node) => `${violation.id}: ${node.html.slice(0, 160)} ${node.failureSummary?.replaceAll('\n', ' ') ?? ''}`,
      ),
    )
}

/** Requests under way, by page. */
const underWay = new WeakMap<Page, Set<Request>>()

const watchRequests = (page: Page): void => {
  const requests = new Set<Request>()
  underWay.set(page, requests)
  // A stream of events stays open: it is not waited for. Nor is the script of a worker: where the page ends the worker before it has
  // come, as a figure does whose data change, nobody is told that the request ended with it.
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource' && !/-worker-[^/]*\.js$/.test(request.url())) requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** Opens a section of a gene's page and brings it near the window, where its content comes. */
export const openSection = async (page: Page, id: string): Promise<void> => {
  const button = page.locator(`#${id} > .nv-fold-head .nv-fold-button`)
  await button.waitFor()
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  await button.scrollIntoViewIfNeeded()
}

/** Waits until nothing has been fetched for a moment, a heading is drawn and no "Loading…" is shown; throws what is awaited too long. */
export const settle = async (page: Page): Promise<void> => {
  const requests = underWay.get(page)
  const latest = Date.now() + 60_000
  await page.locator('h1').first().waitFor()
  for (let quiet = 0; quiet < 3; ) {
    const waiting = await page.locator('.nv-waiting').allInnerTexts()
    const busy = (requests?.size ?? 0) > 0 || waiting.length > 0
    quiet = busy ? 0 : quiet + 1
    if (Date.now() > latest) {
      const awaited = [...(requests ?? [])].map((request) => `${request.method()} ${request.url()}`)
      throw new Error(`${page.url()} does not come to rest: ${[...awaited, ...waiting].join('; ')}`)
    }
    await page.waitForTimeout(40)
  }
}

/** The text of what a click downloads, and the name it is saved under. */
export const download = async (page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> => {
  const [file] = await Promise.all([page.waitForEvent('download'), click()])
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString('utf8') }
}
