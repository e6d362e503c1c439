import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'

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

/** A new visitor in a language; the viewport is a laptop's unless said otherwise. */
export const visit = async (
  browser: Browser,
  path: string,
  options: { language?: 'en-US' | 'zh-CN'; width?: number; height?: number; dark?: boolean } = {},
): Promise<Visit> => {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    acceptDownloads: true,
  })
  if (options.language !== undefined) {
    await context.addInitScript(`localStorage.setItem('novodb_locale', '${options.language}')`)
  }
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${inject('portalUrl')}${path}`, { waitUntil: 'load' })
  return { page, context, complaints }
}
