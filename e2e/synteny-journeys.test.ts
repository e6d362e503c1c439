import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Locale, translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import geneMessages from '../src/tools/genesyntenyviewer/messages.ts'
import messages from '../src/tools/genomesyntenyviewer/messages.ts'
import browserMessages from '../src/tools/jbrowse/messages.ts'
import { download, launchBrowser, settle, visit } from './browser.ts'

let browser: Browser
let close: () => Promise<void>
beforeAll(async () => {
  ;({ browser, close } = await launchBrowser())
})
afterAll(() => close())

describe.runIf(inject('yeast')).each<Locale>(['en-US', 'zh-CN'])('synteny, read in %s', (language) => {
  const t = translator(messages, language)
  const g = translator(geneMessages, language)
  const j = translator(browserMessages, language)
  const k = translator(kit, language)

  it('genomes from the example: lines, a block with Ka and Ks, dot plot and circle, files', async () => {
    const { page, context, complaints } = await visit(browser, '/tools/genomesyntenyviewer', { language })
    await page.locator('.nv-form-example button').first().click()
    await page.getByRole('button', { name: k('form.run') }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const canvas = page.locator('.gsv-linear canvas')
    expect(Number(await canvas.getAttribute('data-ribbons'))).toBeGreaterThan(50)
    // From close by, or when asked for, pairs of genes take the blocks' place.
    await page
      .getByRole('tabpanel')
      .getByRole('button', { name: t('view.genes'), exact: true })
      .click()
    await page.waitForFunction(
      () => Number(document.querySelector<HTMLElement>('.gsv-linear canvas')?.dataset.ribbons) > 5000,
    )
    const file = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toContain(t('kind.duplicated'))
    expect(file.text).toContain('NovoDB collinear blocks')
    await page.locator('table tbody tr').first().click()
    await page.waitForURL(/view\.block=/)
    const omega = page.getByRole('columnheader', { name: 'Ka/Ks' })
    await omega.waitFor()
    expect(await page.locator('.gsv-linear canvas').getAttribute('data-chosen')).toMatch(/^\d-\d-\d+$/)
    await page.getByRole('button', { name: t('view.block') }).click()
    const picture = await download(page, () => page.getByRole('button', { name: 'SVG', exact: true }).first().click())
    expect(picture.text).toContain('<path')
    for (const view of ['plot', 'circle'] as const) {
      await page.getByRole('tab', { name: t(`view.${view}`) }).click()
      await page.locator('.gsv-plot svg path').first().waitFor()
    }
    await page
      .getByRole('link', { name: j('open.regionPair') })
      .first()
      .click()
    await page.waitForURL(/jbrowse\/\?assembly=.*beside=/)
    // JBrowse's own mark of the ribbons between two genomes.
    await page.locator('[data-testid="synteny_canvas"]').first().waitFor({ timeout: 60_000 })
    expect(complaints).toEqual([])
    await context.close()
  })

  it('R64 against itself: blocks that the doubling of the yeast genome left', async () => {
    const { page, context } = await visit(
      browser,
      '/tools/genomesyntenyviewer?assemblies=R64&ksDistribution=true&view.as=ks&run=1',
      { language },
    )
    await page.locator('.nv-headline').waitFor()
    expect(await page.locator('.nv-headline').innerText()).toMatch(/R64.*3\d.*[(（].*11\.\d ?%/)
    // Most pairs that the doubling left are saturated; what is told is in the figure and its table.
    await page.getByRole('group', { name: t('ks.title', { first: 'R64', second: 'R64' }) }).waitFor()
    expect(await page.locator('.nv-figure-body rect').count()).toBeGreaterThan(3)
    await context.close()
  })

  it('a gene among its neighbours, the copy that the doubling left beside it; a click puts another into the middle', async () => {
    const address = '/tools/genesyntenyviewer?genes=CDC19&assembly=R64&paralogs=true&run=1'
    const { page, context, complaints } = await visit(browser, address, { language })
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const tracks = (await page.locator('table').first().locator('tbody tr').allInnerTexts()).join('\n')
    for (const gene of ['YAL038W', 'YOR347C', 'SK1_01G00290', 'CBS432_01G00260']) expect(tracks).toContain(gene)
    expect(tracks).toContain(g('relation.duplicate'))
    const blocks = (await page.locator('table').nth(1).locator('tbody tr').allInnerTexts()).join('\n')
    expect(blocks).toContain(g('kind.syntenic'))
    expect(blocks).toContain('YOR347C')
    const other = page.locator('.nv-places-gene').nth(9)
    const name = await other.locator('text').textContent()
    await other.press('Enter')
    await page.waitForFunction(
      (before) => !document.querySelector('.nv-headline')?.textContent?.includes(before),
      'CDC19',
    )
    await settle(page)
    expect(await page.locator('.nv-headline').innerText()).toContain(name?.replace('…', '') ?? '')
    await page.goBack()
    await page.waitForFunction(
      (wanted) => document.querySelector('.nv-headline')?.textContent?.includes(wanted),
      'CDC19',
    )
    expect(complaints).toEqual([])
    await context.close()
  })

  it('stands on the gene page with neighbours and blocks; an unknown gene is told', async () => {
    const { page, context } = await visit(browser, '/gene?id=YAL038W&assembly=R64', { language })
    const panel = page.locator('#genesyntenyviewer')
    await panel.scrollIntoViewIfNeeded()
    await panel.locator('.nv-places-gene').first().waitFor()
    expect(await panel.locator('table').innerText()).toContain('YOR347C')
    await panel.getByRole('link', { name: g('panel.open') }).click()
    await page.waitForURL(/genesyntenyviewer\?genes=YAL038W/)
    await page.locator('.nv-headline').waitFor()
    await page.locator('textarea').first().fill('NOGENE9')
    await page.getByRole('button', { name: k('form.run') }).click()
    await page.locator('.nv-field-problem').first().waitFor()
    expect(await page.locator('.nv-field-problem').first().innerText()).toContain('NOGENE9')
    await context.close()
  })
})
