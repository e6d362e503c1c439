// Takes the pictures of each tool's example, run on a portal that serves real data, in both languages: of the page for its section of
// Usage, and of the result alone, light and dark, for its form.
// node scripts/document-pictures.mjs http://localhost:8000 [tool …]
// writes src/tools/<tool>/figure.<language>.webp and preview.<language>.<theme>.webp
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'

const tools = resolve(import.meta.dirname, '../src/tools')
const [portal, ...wanted] = process.argv.slice(2)
if (portal === undefined) throw new Error('name the address of a portal that serves data')

/** Bytes that a picture may have; quality goes down until it fits. */
const maxBytes = 150_000
const width = 1180
const maxHeight = 860
/** Where the form stands above the result, so much of the result is shown below it. */
const belowForm = 620
/** Of a picture of the result, as src/kit/ui/tool/tool-preview.tsx holds a place for it. */
const preview = { width: 880, height: 550, margin: 16, maxBytes: 60_000 }
/** From so far below the headline on, a figure is shown without what stands between. */
const farBelow = 240
/** Milliseconds that a step may take, on a machine under load too. */
const patience = 240_000
/** A page that shows these has no picture taken of it. */
const failures = 'main .nv-empty-icon-failed, main .nv-unanswered'
/** The words of the buttons that fill the example in and run it. */
const words = { en: ['Example', 'Run'], zh: ['示例', '运行'] }

/** What only a result has. */
const results =
  '.nv-tool-result table, .nv-tool-result .nv-figure, .nv-tool-result .nv-receipt, .te-figure svg, .jbrowse-frame, main article, main .nv-table'

const { data } = await (await fetch(new URL('/api/tools/', portal))).json()
const drawn = data.tools.filter(
  (tool) =>
    tool.available &&
    existsSync(join(tools, tool.id, 'document.en.md')) &&
    (wanted.length === 0 || wanted.includes(tool.id)),
)
/** Nothing of the page is on its way any more, so that a picture shows what a reader sees. */
const settled = async (page) => {
  await page.waitForFunction(() => document.querySelector('main .nv-waiting, main [aria-busy="true"]') === null)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.waitForTimeout(1500)
}
const browser = await chromium.launch({
  executablePath: process.env.NOVODB_TEST_CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader', '--lang=en-US'],
})

const packed = async (page, png, limit) => {
  for (let quality = 0.86; quality > 0.2; quality -= 0.1) {
    const base64 = await page.evaluate(
      async ([source, q]) => {
        const image = new Image()
        image.src = `data:image/png;base64,${source}`
        await image.decode()
        const canvas = document.createElement('canvas')
        canvas.width = image.width
        canvas.height = image.height
        canvas.getContext('2d').drawImage(image, 0, 0)
        return canvas.toDataURL('image/webp', q).split(',')[1]
      },
      [png.toString('base64'), quality],
    )
    const bytes = Buffer.from(base64, 'base64')
    if (bytes.length <= limit) return bytes
  }
  throw new Error(`does not fit into ${limit} bytes`)
}

/** The result alone, from its headline or its first figure on, in both themes. */
const takePreviews = async (page, folder, language) => {
  // As wide as the picture in a layout of one column.
  const wanted = preview.width - 2 * preview.margin
  await page.setViewportSize({ width: preview.width, height: 1200 })
  const result = page.locator('.nv-tool-result')
  const { width: at } = await result.boundingBox()
  await page.setViewportSize({ width: Math.round(preview.width + wanted - at), height: 1200 })
  await settled(page)
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme })
    await settled(page)
    const before = await page.evaluate(() => scrollY)
    const box = await result.boundingBox()
    const figure = await page
      .locator('.nv-tool-result .nv-figure')
      .first()
      .boundingBox({ timeout: 500 })
      .catch(() => null)
    const shown = figure !== null && figure.y - box.y > farBelow ? figure : box
    // A drawing that the picture would cut, and that it has room for, ends with it: a corner of a map shows nothing.
    const drawing = await page
      .locator('.nv-tool-result .nv-figure')
      .first()
      .locator('canvas, svg[data-figure]')
      .first()
      .boundingBox({ timeout: 500 })
      .catch(() => null)
    const { height: high, margin } = preview
    const isCut = drawing !== null && drawing.y + drawing.height > shown.y + high - 2 * margin
    const top = isCut && drawing.height <= high - 2 * margin ? drawing.y + drawing.height - high + 2 * margin : shown.y
    // Within the window: a picture of a whole page takes long where it is a tall one.
    await page.evaluate((by) => scrollBy(0, by), top - margin)
    const above = await page.evaluate(() => scrollY)
    const y = top + before - above - margin
    const clip = { x: box.x - preview.margin, y, width: preview.width, height: preview.height }
    const bytes = await packed(blank, await page.screenshot({ clip }), preview.maxBytes)
    writeFileSync(join(folder, `preview.${language}.${theme}.webp`), bytes)
    console.log(folder.split('/').at(-1), language, theme, `${(bytes.length / 1000).toFixed(0)} kB`)
  }
}

/** The page with its example run: for Usage, and its result alone for the form. */
const takeTool = async (tool, language, context) => {
  await context.addInitScript(`localStorage.setItem('novodb_locale', '${language === 'zh' ? 'zh-CN' : 'en-US'}')`)
  const page = await context.newPage()
  await page.goto(new URL(tool.route, portal).href, { waitUntil: 'load' })
  await page.locator('main h1').waitFor()
  await settled(page)
  const [example, run] = words[language]
  const button = page.getByRole('button', { name: new RegExp(`^${example}`) }).first()
  if ((await button.count()) > 0) {
    await button.click()
    await settled(page)
    const runs = /[?&](run=1|job=)/.test(page.url())
    if (!runs) await page.getByRole('button', { name: run, exact: true }).first().click()
  }
  await page.locator(results).first().waitFor()
  await settled(page)
  if (tool.id === 'jbrowse') await page.waitForTimeout(12_000)
  if ((await page.locator(failures).count()) > 0) throw new Error('a failure is on the page')
  const box = await page.locator('main').boundingBox()
  // Pages that are no form with its result have neither.
  const boxOf = async (place) => ((await page.locator(place).count()) === 0 ? null : page.locator(place).boundingBox())
  const result = await boxOf('.nv-tool-result')
  const form = await boxOf('.nv-tool-form')
  const isBelow = result !== null && form !== null && result.y >= form.y + form.height
  const shown = isBelow ? result.y - box.y + belowForm : maxHeight
  const clip = { x: box.x, y: box.y, width: Math.min(box.width, width), height: Math.min(box.height, shown) }
  const png = await page.screenshot({ fullPage: true, clip })
  const bytes = await packed(blank, png, maxBytes)
  writeFileSync(join(tools, tool.id, `figure.${language}.webp`), bytes)
  console.log(tool.id, language, `${(bytes.length / 1000).toFixed(0)} kB`)
  if (result !== null && (await page.locator('.nv-headline').count()) > 0)
    await takePreviews(page, join(tools, tool.id), language)
}

const blank = await (await browser.newContext()).newPage()
for (const tool of drawn) {
  for (const language of ['en', 'zh']) {
    const context = await browser.newContext({ viewport: { width, height: maxHeight }, colorScheme: 'light' })
    context.setDefaultTimeout(patience)
    // The pictures of one tool are not lost for another's.
    await takeTool(tool, language, context).catch((error) => {
      console.error(`${tool.id} (${language}): no picture was taken: ${error.message.split('\n')[0]}`)
      process.exitCode = 1
    })
    await context.close()
  }
}
await browser.close()
const without = readdirSync(tools).filter(
  (id) => existsSync(join(tools, id, 'document.en.md')) && !existsSync(join(tools, id, 'figure.en.webp')),
)
if (without.length > 0) console.log(`still without a picture: ${without.join(' ')}`)
