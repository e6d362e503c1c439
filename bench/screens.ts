// What a reader waits for in Chromium, on a portal in service:
//   node dist/node/bench/screens.js http://localhost:8000
// Home: bytes of the first visit by gzip, and when its search box can be typed into. Every screen: requests, bytes, and how far what is
// drawn is shifted (cumulative layout shift, https://web.dev/articles/cls). Every tool: presses of Tab until Run. The largest form:
// how long a key takes to be seen (interaction to next paint). Figures are printed beside their goals, nothing is judged.
import { existsSync } from 'node:fs'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { walkToRun } from '../e2e/tab-stops.ts'

const goals = { firstLoadKb: 300, interactiveMs: 1500, layoutShift: 0.05, nextPaintMs: 100, tabStops: 25 }

const portal = process.argv[2]
if (portal === undefined) throw new Error('name the address of a portal that serves data')

const executable =
  process.env.NOVODB_TEST_CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ??
  '/usr/bin/chromium'

/** Nothing fetched and nothing calculated for so long: the page has come to rest. */
const quietMs = 500
const longestWaitMs = 60_000

interface Counted {
  requests: number
  /** Bytes on the wire by what they are, headers included. */
  bytes: Record<string, number>
}

/** Runs in the page, before its scripts. */
const observe = (): void => {
  const seen = { shift: 0, longTaskEnd: 0, boxAt: 0, paints: [] as number[] }
  Object.assign(globalThis, { seen })
  // Shifts within a second of each other, in all at most five, are one session; the worst session counts.
  let session = { value: 0, begin: 0, end: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (entry.hadRecentInput) continue
      const { startTime: at, value } = entry
      if (at - session.end > 1000 || at - session.begin > 5000) session = { value: 0, begin: at, end: at }
      session.value += value
      session.end = at
      seen.shift = Math.max(seen.shift, session.value)
    }
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.longTaskEnd = entry.startTime + entry.duration
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name.startsWith('key')) seen.paints.push(entry.duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  const look = (): void => {
    if (document.querySelector('main input[role=combobox]') !== null) seen.boxAt = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

interface Seen {
  shift: number
  longTaskEnd: number
  boxAt: number
  paints: number[]
}
const seenBy = (page: Page): Promise<Seen> => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)

const openPage = async (
  browser: Browser,
  path: string,
): Promise<{ page: Page; counted: Counted; close(): Promise<void> }> => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    // What an intranet without HTTPS is answered with.
    extraHTTPHeaders: { 'Accept-Encoding': 'gzip' },
  })
  await context.addInitScript(observe)
  const page = await context.newPage()
  const counted: Counted = { requests: 0, bytes: {} }
  const session: CDPSession = await context.newCDPSession(page)
  await session.send('Network.enable')
  const kinds = new Map<string, string>()
  let last = Date.now()
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  session.on('Network.requestWillBeSent', () => {
    counted.requests += 1
    last = Date.now()
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other'
    counted.bytes[kind] = (counted.bytes[kind] ?? 0) + encodedDataLength
    last = Date.now()
  })
  await page.goto(new URL(path, portal).href)
  await page.locator('h1').first().waitFor({ timeout: longestWaitMs })
  const latest = Date.now() + longestWaitMs
  while (Date.now() < latest && (Date.now() - last < quietMs || (await page.locator('.nv-waiting').count()) > 0))
    await page.waitForTimeout(50)
  return { page, counted, close: () => context.close() }
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0)
const total = ({ bytes }: Counted): number => Object.values(bytes).reduce((sum, one) => sum + one, 0)

const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-gpu'] })
const { data } = (await (await fetch(new URL('/api/tools/', portal))).json()) as {
  data: { tools: { id: string; route: string; available: boolean }[] }
}
const { data: loaded } = (await (await fetch(new URL('/api/species/', portal))).json()) as {
  data: { species: { assemblies: { id: string; reference: boolean; exampleGenes: { id: string }[] }[] }[] }
}
const reference = loaded.species.flatMap(({ assemblies }) => assemblies).find((one) => one.reference)
const gene = reference?.exampleGenes[0]

const home = await openPage(browser, '/home')
const { boxAt, longTaskEnd } = await seenBy(home.page)
const firstLoad = ['Document', 'Script', 'Stylesheet'].reduce((sum, kind) => sum + (home.counted.bytes[kind] ?? 0), 0)
const byKind = Object.entries(home.counted.bytes).map(([kind, bytes]) => `${kind} ${kilobytes(bytes)}`)
console.log(
  `Home, first visit: ${kilobytes(firstLoad)} kB of page, scripts and styles (goal ${goals.firstLoadKb}); kB: ${byKind.join(', ')}`,
)
console.log(
  `  interactive after ${Math.max(boxAt, longTaskEnd).toFixed(0)} ms (goal ${goals.interactiveMs}): its box drawn at ${boxAt.toFixed(0)}, the last long task ended at ${longTaskEnd.toFixed(0)}`,
)
await home.close()

const pages = [
  '/home',
  '/search',
  '/search?q=DNA',
  ...(gene === undefined ? [] : [`/gene?id=${encodeURIComponent(gene.id)}&assembly=${reference!.id}`]),
  '/tools',
  '/download',
  '/document',
  '/document/blast',
  '/document/api',
  '/contact',
  '/user/login',
  '/users/register',
]
const routes = [...pages, ...data.tools.filter(({ available }) => available).map(({ route }) => route)]
console.log(
  '\nscreen | requests | kB | layout shift (goal 0.05) | Tab to Run by the link that skips the frame, stops of the frame (goal 25) | covered',
)
let largest = { route: '', controls: 0 }
for (const route of routes) {
  const { page, counted, close } = await openPage(browser, route)
  const { shift } = await seenBy(page)
  const isForm = (await page.locator('.nv-form-run').count()) > 0
  const controls = await page.locator('.nv-tool-form :is(input, select, textarea, button)').count()
  if (isForm && controls > largest.controls) largest = { route, controls }
  const way = isForm ? await walkToRun(page) : null
  console.log(
    [
      route,
      counted.requests,
      kilobytes(total(counted)),
      shift.toFixed(3),
      way === null ? '' : `${way.stops}, ${way.ofFrame}`,
      way === null ? '' : [...way.covered, ...way.leftOpen.map((name) => `open behind ${name}`)].join('; '),
    ].join(' | '),
  )
  await close()
}

const form = await openPage(browser, largest.route)
const box = form.page.locator('.nv-tool-form :is(textarea, input:is([type=text], [type=search], :not([type])))').first()
await box.click()
await box.pressSequentially('Rv0001 Rv0002 Rv0003 Rv0004 Rv0005 Rv0006', { delay: 60 })
await form.page.waitForTimeout(500)
const paints = (await seenBy(form.page)).paints.sort((a, b) => a - b)
// What is below the threshold of 16 ms is not reported.
console.log(
  `\nTyping into ${largest.route}, ${largest.controls} controls: the slowest key seen after ${paints.at(-1) ?? '< 16'} ms (goal ${goals.nextPaintMs}); ${paints.length} of 82 events above 16 ms`,
)
await form.close()
await browser.close()
