import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Locale, translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/enrichment/messages.ts'
import pathwayMessages from '../src/tools/pathway/messages.ts'
import { download, findBarriers, launchBrowser, settle, visit } from './browser.ts'
import { portalRoot } from './portal-command.ts'

let browser: Browser
let close: () => Promise<void>
beforeAll(async () => {
  ;({ browser, close } = await launchBrowser())
})
afterAll(() => close())

/** Yeast genes that go with the G1 cyclin CLN2 over the cell cycle. */
const cellCycle = (): string =>
  (
    JSON.parse(readFileSync(join(portalRoot, 'src/tools/enrichment/golden/cell-cycle.json'), 'utf8')) as {
      genes: string[]
    }
  ).genes.join(',')

describe.runIf(inject('yeast')).each<Locale>(['en-US', 'zh-CN'])('enrichment and pathways, read in %s', (language) => {
  const t = translator(messages, language)
  const p = translator(pathwayMessages, language)
  const k = translator(kit, language)

  it('from the example to every figure and a file with the receipt', async () => {
    const { page, context, complaints } = await visit(browser, '/tools/enrichment', { language, inspected: true })
    await page.locator('.enr-examples a').first().waitFor()
    await page.getByRole('button', { name: k('form.example') }).click()
    // The example is asked for: its genes come a moment later.
    await expect.poll(() => page.locator('textarea').first().inputValue()).not.toBe('')
    await page.getByRole('button', { name: k('form.run') }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    for (const view of ['bar', 'graph', 'map', 'upset', 'bubble'] as const) {
      await page.getByRole('tab', { name: t(`view.${view}`) }).click()
      await page.locator('.nv-figure h2', { hasText: t(`view.${view}`) }).waitFor()
      expect(await page.locator('svg[data-figure] text').count()).toBeGreaterThan(5)
    }
    const file = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toContain('GO:')
    expect(file.text).toContain('hypergeometric')
    expect(await findBarriers(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('genes of the cell cycle replicate DNA; a click on the term shows them, and they go on as a set', async () => {
    const { page, context, complaints } = await visit(
      browser,
      `/tools/enrichment?genes=${cellCycle()}&assembly=R64&collections=GO/biological_process&run=1`,
      { language },
    )
    await page.locator('.nv-headline', { hasText: 'DNA replication' }).waitFor()
    await page.locator('.enr-choice', { hasText: 'DNA replication' }).first().click()
    const card = page.locator('#term-genes')
    await card.locator('tbody', { hasText: 'POL30' }).waitFor()
    await card
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    expect(await page.getByRole('menuitem').count()).toBeGreaterThan(3)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('an own annotation that is none is refused beside its box, and what was typed stays', async () => {
    const { page, context } = await visit(browser, '/tools/enrichment?annotation=own&genes=POL30&assembly=R64', {
      language,
    })
    const box = page.locator('textarea').nth(1)
    await box.fill('term\tdescription\tPOL30\tPOL1\nbroken\tline')
    await page.getByRole('button', { name: k('form.run') }).click()
    await page.locator('.nv-field-problem', { hasText: t('own.gmtLine', { line: 2 }) }).waitFor()
    expect(await box.inputValue()).toContain('broken')
    await box.fill('mine\tMy genes\tPOL30\tPOL1\tRFA1')
    await page.getByRole('button', { name: k('form.run') }).click()
    await page.locator('td', { hasText: 'My genes' }).first().waitFor()
    await context.close()
  })

  it('pathways: from the list to the drawn map, coloured by values, on to a gene that marks where one came from', async () => {
    const { page, context, complaints } = await visit(browser, '/pathway?assembly=R64', { language, inspected: true })
    await page
      .getByRole('searchbox', { name: k('table.filter') })
      .first()
      .fill('fermentation')
    await page.getByRole('link', { name: 'Glycolysis and alcoholic fermentation' }).click()
    await page.waitForURL(/\/path\/map\?/)
    await page.locator('svg.path-map').waitFor()
    await page.getByRole('radio', { name: p('colour.values') }).check({ force: true })
    await page.locator('textarea').fill('PGK1\t2.5\nADH1\t-2')
    await page.getByRole('button', { name: p('colour.apply'), exact: true }).click()
    await page.getByText(p('colour.matched', { count: 2 })).waitFor()
    await page.waitForURL(/values=/)
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    await page.locator('.path-choice', { hasText: 'PGK1' }).click()
    await page.waitForURL(/\/map\/gene\?id=YCR012W/)
    await page.getByText(p('panel.from', { pathway: 'Glycolysis and alcoholic fermentation' })).click()
    await page.waitForURL(/\/path\/map\?.*gene=YCR012W/)
    await page.locator('.path-highlighted').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a gene set is counted in pathways and tested; the box over everything finds a pathway', async () => {
    const { page, context, complaints } = await visit(
      browser,
      '/pathway?assembly=R64&source=KEGG+pathway&genes=CIT1,ACO1,KGD1,SDH1',
      { language },
    )
    await page.locator('tbody tr', { hasText: 'Citrate cycle' }).first().waitFor()
    await page.getByRole('link', { name: p('list.enrich') }).click()
    await page.waitForURL(/\/tools\/enrichment\?/)
    await page.locator('.nv-headline', { hasText: 'Citrate cycle' }).waitFor()
    await page.goto(new URL('/search?q=citrate+cycle&type=pathway', page.url()).href)
    await page.getByRole('link', { name: 'Citrate cycle (TCA cycle)' }).click()
    await page.waitForURL(/\/path\/map\?/)
    await page.locator('svg.path-map').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
