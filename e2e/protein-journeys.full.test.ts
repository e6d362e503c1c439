import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { helixCif } from '../src/testing/made-structures.ts'
import { makeProtein, writeSpecies } from '../src/testing/protein-genomes.ts'
import messages from '../src/tools/proteinviewer/messages.ts'
import { download, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'
import { runCommand } from './portal-command.ts'

const species = 'proteins-in-view'
const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-proteins-'))
const protein = makeProtein(4, 120)
const md5 = '0123456789abcdef'.repeat(2)
const row = (analysis: string, accession: string, name: string, start: number, end: number): string =>
  `pivA.1\t${md5}\t120\t${analysis}\t${accession}\t${name}\t${start}\t${end}\t1e-20\tT\t01-01-2024\tIPR000001\tMade domain\n`

beforeAll(async () => {
  writeSpecies(folder, species, [
    {
      assembly: 'PIV1',
      genes: [
        { id: 'pivA', protein },
        { id: 'pivB', protein: makeProtein(5, 90) },
      ],
    },
  ])
  mkdirSync(join(folder, 'structures'))
  writeFileSync(join(folder, 'structures', 'pivA.cif'), helixCif(protein, { bFactor: (at) => (at < 60 ? 95 : 40) }))
  writeFileSync(
    join(folder, 'ipr.tsv'),
    row('Pfam', 'PF00001', 'Made domain', 21, 80) +
      row('TMHMM', 'TMhelix', 'Region of a membrane-bound protein', 90, 110),
  )
  const manifest = readFileSync(join(folder, 'species.yaml'), 'utf8')
  writeFileSync(
    join(folder, 'species.yaml'),
    manifest.replace(
      'genes: PIV1.gff3 }',
      'genes: PIV1.gff3, annotation: [{ file: ipr.tsv }], structures: [{ folder: structures }] }',
    ),
  )
  await runCommand(['load', folder], inject('dataDir'))
}, 300_000)
afterAll(async () => {
  await runCommand(['remove', species], inject('dataDir'))
  rmSync(folder, { recursive: true, force: true })
})

/** How many colours the picture of an element has, as the browser shows it: one of a canvas that nothing was drawn on. */
const countColours = async (element: Locator): Promise<number> => {
  const picture = (await element.screenshot()).toString('base64')
  return element.page().evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')!
    context.drawImage(image, 0, 0)
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height)
    const colours = new Set<number>()
    for (let at = 0; at < pixels.length; at += 4)
      colours.add(((pixels[at]! >> 4) << 8) | ((pixels[at + 1]! >> 4) << 4) | (pixels[at + 2]! >> 4))
    return colours.size
  }, picture)
}

inTurn('proteins of a gene, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('domains stand at their residues; one that is pressed is told, and its table is a file', async () => {
    const { page, context, complaints } = await visit('/gene?id=pivA&assembly=PIV1', { language })
    await openSection(page, 'proteinviewer')
    const figure = page.locator('#proteinviewer .protein-figure')
    const domain = figure
      .locator('.protein-mark')
      .filter({ hasText: 'PF00001' })
      .or(figure.locator('.protein-mark').first())
    await domain.first().waitFor()
    await settle(page)
    // The mark's hit box is from the start of residue 21 to the end of 80, of 120 that the axis has.
    const places = await figure.evaluate((root) => {
      const box = (element: Element | null): { x: number; width: number } => {
        const { x, width } = element!.getBoundingClientRect()
        return { x, width }
      }
      const mark = root.querySelector('.protein-mark rect')
      const axis = root.querySelector('.nv-axis > line:last-of-type')
      return { mark: box(mark), axis: box(axis) }
    })
    expect((places.mark.x - places.axis.x) / places.axis.width).toBeCloseTo(20 / 120, 2)
    expect(places.mark.width / places.axis.width).toBeCloseTo(60 / 120, 2)
    await figure.locator('.protein-mark').first().press('Enter')
    expect(await figure.locator('.protein-selection').innerText()).toContain('PF00001')
    await page
      .locator('#proteinviewer')
      .getByRole('button', { name: k('figure.numbers') })
      .first()
      .click()
    const file = await download(page, async () => {
      await page
        .locator('#proteinviewer')
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toMatch(/PF00001[^\n]*IPR000001/)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the structure is drawn under the portal’s security policy, and another colouring draws it anew', async () => {
    const { page, context, complaints } = await visit('/gene?id=pivA&assembly=PIV1', { language })
    await openSection(page, 'proteinviewer')
    const canvas = page.locator('.protein-canvas[data-drawn="true"]')
    await canvas.waitFor({ timeout: 120_000 })
    await canvas.scrollIntoViewIfNeeded()
    await expect.poll(() => countColours(canvas), { timeout: 60_000 }).toBeGreaterThan(8)
    const before = await canvas.screenshot()
    await page.getByRole('radio', { name: t('colour.confidence') }).check({ force: true })
    await expect.poll(async () => (await canvas.screenshot()).equals(before), { timeout: 60_000 }).toBe(false)
    expect(complaints.filter((text) => !/GPU stall|WebGL/.test(text))).toEqual([])
    await context.close()
  })

  it('a gene without a structure fetches nothing of Mol*', async () => {
    const { page, context } = await visit('/gene?id=pivB&assembly=PIV1', { language })
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(request.url()))
    await openSection(page, 'proteinviewer')
    await page.locator('#proteinviewer .protein-figure svg').first().waitFor()
    await settle(page)
    expect(fetched.filter((url) => url.includes('structure-canvas'))).toEqual([])
    await context.close()
  })
})
