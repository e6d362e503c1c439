import type { Download, Page } from 'playwright-core'
import { full } from '../src/testing/real-data.ts'
import { checkExport } from '../src/testing/strict-reader.ts'

/**
 * Drawings' pixels and arrays have no head to keep a receipt in; packed GFF3 and FASTA are files of a release, whose checksums Download tells.
 */
const headless = /\.(svg|png|npy|(gff3|fa|faa|fna)\.gz)$/

/** Most files taken from one page: rows of buttons repeat what was read before. */
const maxFiles = 40

export interface Crawled {
  files: string[]
  problems: string[]
}

const bytesOf = async (download: Download): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of await download.createReadStream()) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/**
 * Takes every file home that a page offers, and reads each strictly: the formats of every download menu, and every link to a file of
 * a tool. Which there are is told by the page itself, so that a new export is read without being listed anywhere. Of a menu's formats
 * one is read, the next in the next menu, and with `npm test -- --full` all.
 */
export const crawlExports = async (page: Page): Promise<Crawled> => {
  const crawled: Crawled = { files: [], problems: [] }
  const read = (name: string, bytes: Uint8Array): void => {
    crawled.files.push(name)
    crawled.problems.push(...checkExport(name, bytes, { receipt: !headless.test(name) }))
  }
  /** What a press brings home; which of the two did not come is said. */
  const take = async (what: string, press: () => Promise<void>): Promise<[name: string, bytes: Buffer]> => {
    const coming = page.waitForEvent('download', { timeout: 60_000 }).catch(() => undefined)
    await press()
    const file = await coming
    if (file !== undefined) return [file.suggestedFilename(), await bytesOf(file)]
    throw new Error(
      `${what} was pressed and brought no file: ${(await page.locator('main').innerText()).slice(0, 2000)}`,
    )
  }
  // Menus: a button that opens a list, whose items download. Which do is seen by trying those that name a format.
  // Held as they are found: a menu that a figure brings later would move the others' places.
  const menus = await page.locator('main .nv-menu-button').elementHandles()
  const formats =
    /^(TSV|CSV|XLSX|JSON|BED|GFF3?|FASTA|VCF|GraphML|Cytoscape JSON|Newick|Nexus|PhyloXML|BibTeX|RIS|CSL-JSON|GFA)\b/i
  const list = page.locator('.nv-menu-list')
  for (const [turn, button] of menus.entries()) {
    if (crawled.files.length >= maxFiles) break
    if (!(await button.isVisible()) || (await button.isDisabled())) continue
    const open = async (): Promise<void> => {
      await button.click()
      await list.waitFor()
    }
    await open()
    const names = await list.locator('[role=menuitem]').allInnerTexts()
    await page.keyboard.press('Escape')
    // A list that is about to close is not taken for one that is open.
    await list.waitFor({ state: 'hidden' })
    const files = [...names.entries()].filter(([, name]) => formats.test(name.trim()))
    for (const [at, name] of full || files.length === 0 ? files : [files[turn % files.length]!]) {
      await open()
      read(...(await take(`${name.trim()} of a menu`, () => list.locator('[role=menuitem]').nth(at).click())))
      await list.waitFor({ state: 'hidden' })
    }
  }
  // Buttons that download at once, told by their sign; a job's own file may still be made when it is asked for.
  const buttons = page.locator('main button:not(.nv-menu-button):has(svg.lucide-download)')
  const buttonCount = await buttons.count()
  for (let at = 0; at < buttonCount && crawled.files.length < maxFiles; at += 1) {
    const button = buttons.nth(at)
    if (!(await button.isVisible()) || (await button.isDisabled())) continue
    read(...(await take(await button.innerText(), () => button.click())))
  }
  // Links to files of tools, of which the server says how they are called.
  const links = await page
    .locator('main a[href*="/api/tools/"]')
    .evaluateAll((all) => [...new Set(all.map((link) => (link as HTMLAnchorElement).href))])
  for (const link of links.slice(0, maxFiles)) {
    const answer = await page.request.get(link)
    const name = /filename="([^"]+)"/.exec(answer.headers()['content-disposition'] ?? '')?.[1]
    if (answer.status() !== 200) crawled.problems.push(`${link} answers ${answer.status()}`)
    else if (name === undefined) crawled.problems.push(`${link} is a file without a name`)
    else read(name, await answer.body())
  }
  return crawled
}
