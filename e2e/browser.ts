import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'
import type { Locale } from '../src/kit/ui/language.tsx'

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

export const launchBrowser = async (): Promise<{ browser: Browser; close(): Promise<void> }> => {
  const home = await mkdtemp(join(tmpdir(), 'novodb-chromium-'))
  const browser = await chromium.launch({
    executablePath: process.env.NOVODB_TEST_CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: chromiumArguments,
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
  /** Lifts the content security policy, so that an inspection script can be put into the page; for nothing else. */
  inspected?: boolean
}

/** A new visitor in a language, without a past; the viewport is a laptop's unless said otherwise. */
export const invite = async (browser: Browser, options: VisitorOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    acceptDownloads: true,
    bypassCSP: options.inspected ?? false,
  })
  if (options.language !== undefined) {
    // Only where no choice is stored yet: a language that the reader chooses later is kept over a reload.
    await context.addInitScript(
      `if (localStorage.getItem('novodb_locale') === null) localStorage.setItem('novodb_locale', '${options.language}')`,
    )
  }
  return context
}

/** Opens an address in a new tab of a visitor. */
export const open = async (context: BrowserContext, path: string): Promise<Visit> => {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${inject('portalUrl')}${path}`, { waitUntil: 'load' })
  return { page, context, complaints }
}

/** An address opened by a new visitor. */
export const visit = async (browser: Browser, path: string, options: VisitorOptions = {}): Promise<Visit> =>
  open(await invite(browser, options), path)

const axeScript = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe-core finds serious or critical on the page as it stands, one line a finding; the visit must be `inspected`. */
export const findBarriers = async (page: Page): Promise<string[]> => {
  await page.addScriptTag({ path: axeScript })
  const results = await page.evaluate(
    () =>
      (globalThis as unknown as { axe: { run: (options: object) => Promise<unknown> } }).axe.run({
        resultTypes: ['violations'],
      }) as Promise<unknown>,
  )
  return (results as AxeResults).violations
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
    .flatMap((violation) =>
      violation.nodes.map(
        (node) => `${violation.id}: ${node.html.slice(0, 160)} ${node.failureSummary?.replaceAll('\n', ' ') ?? ''}`,
      ),
    )
}

/** Waits until nothing is being fetched and no "Loading…" is shown. */
export const settle = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await page.locator('.nv-waiting').first().waitFor({ state: 'detached' })
}

/** The text of what a click downloads, and the name it is saved under. */
export const download = async (page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> => {
  const [file] = await Promise.all([page.waitForEvent('download'), click()])
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString('utf8') }
}
