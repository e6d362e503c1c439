import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { expect, inject } from 'vitest'
import { type Locale, translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { full, locales } from './journeys.ts'

/** Languages of journeys of which each goes on where the one before ended: the one named, and with `npm run test:full` both. */
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
  '--enable-unsafe-swiftshader',
  '--use-angle=swiftshader',
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

/** Chromium with a past of its own; `more` are further arguments of its command line. */
export const launchBrowser = async (more: string[] = []): Promise<{ browser: Browser; close(): Promise<void> }> => {
  const home = await mkdtemp(join(tmpdir(), 'novodb-chromium-'))
  const browser = await chromium.launch({
    executablePath: executable,
    headless: true,
    args: [...chromiumArguments, ...more],
    env: { ...process.env, HOME: home },
  })
  return {
    browser,
    close: async () => {
      await browser.close()
      await rm(home, { recursive: true, force: true })
    },
  }
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
  /** Without the service worker, whose own requests the journey could not hold back. */
  unserved?: boolean
}

/** A new visitor in a language, without a past; the viewport is a laptop's unless said otherwise. */
export const invite = async (browser: Browser, options: VisitorOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    acceptDownloads: true,
    bypassCSP: options.inspected ?? false,
    serviceWorkers: options.unserved ? 'block' : 'allow',
  })
  // As long as a portal may take whose two cores draw pages, compute answers and run engines for other journeys.
  context.setDefaultTimeout(60_000)
  if (options.language !== undefined) {
    // Only where no choice is stored yet: a language that the reader chooses later is kept over a reload.
    await context.addInitScript(
      `if (localStorage.getItem('novodb_locale') === null) localStorage.setItem('novodb_locale', '${options.language}')`,
    )
  }
  if (options.token !== undefined) {
    await context.addInitScript(
      `if (sessionStorage.getItem('signed-in') === null) {
        sessionStorage.setItem('signed-in', '1')
        localStorage.setItem('novodb_access_token', '${options.token}')
      }`,
    )
  }
  return context
}

/** What others could read of every page opened in this file: addresses asked for, the console, and answers that are errors. */
export const witnessed = { addresses: [] as string[], console: [] as string[], errors: [] as string[] }

/** Opens an address in a new tab of a visitor. */
export const open = async (context: BrowserContext, path: string): Promise<Visit> => {
  const page = await context.newPage()
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
  await page.goto(`${inject('portalUrl')}${path}`, { waitUntil: 'load' })
  return { page, context, complaints }
}

/** An address opened by a new visitor. */
export const visit = async (browser: Browser, path: string, options: VisitorOptions = {}): Promise<Visit> =>
  open(await invite(browser, options), path)

const axeScript = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/**
 * What axe-core finds serious or critical on the page as it stands, one line a finding; the visit must be `inspected`. The genome
 * browser's own drawing is JBrowse's, whose buttons and sliders lack names; what the portal sets around it is inspected.
 */
export const findBarriers = async (page: Page): Promise<string[]> => {
  await page.addScriptTag({ path: axeScript })
  const results = await page.evaluate(
    () =>
      (globalThis as unknown as { axe: { run: (context: object, options: object) => Promise<unknown> } }).axe.run(
        { exclude: ['.jbrowse-frame'] },
        { resultTypes: ['violations'] },
      ) as Promise<unknown>,
  )
  return (results as AxeResults).violations
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
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

/** Runs the example of the tool whose page this is, read in English, up to its headline; false where it offers none here. */
export const runExample = async (page: Page): Promise<boolean> => {
  const k = translator(kit, 'en-US')
  const example = page.getByRole('button', { name: k('form.example'), exact: true })
  const asked = (await example.count()) > 0 && (await example.isEnabled())
  if (asked) {
    await example.click()
    const run = page.getByRole('button', { name: k('form.run'), exact: true })
    await expect.poll(() => run.isEnabled(), { timeout: 30_000 }).toBe(true)
    await run.click()
    await page.locator('.nv-headline').waitFor({ timeout: 120_000 })
  }
  await settle(page)
  return asked
}
