import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Locale, translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/pangenomebrowser/messages.ts'
import { download, launchBrowser, settle, visit } from './browser.ts'

let browser: Browser
let close: () => Promise<void>
beforeAll(async () => {
  ;({ browser, close } = await launchBrowser())
})
afterAll(() => close())

describe.runIf(inject('yeast')).each<Locale>(['en-US', 'zh-CN'])('the pan-genome browser, read in %s', (language) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('the example draws a gene; a gene of known variants is drawn, named and saved', async () => {
    const { page, context, complaints } = await visit(browser, '/pangenome/browser', { language })
    await page.getByRole('button', { name: k('form.example') }).click()
    await page.getByRole('button', { name: k('form.run') }).click()
    await page.locator('.nv-headline').waitFor()
    expect(await page.locator('.nv-headline').innerText()).toMatch(/chrIII:\d+-\d+/)
    await page.goto(`${new URL(page.url()).origin}/pangenome/browser?assembly=R64&place=HIS4&run=1`)
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    // HIS4 with 500 bp on either side, on whole nodes.
    expect(await page.locator('.nv-headline').innerText()).toMatch(/chrIII:65279-68955.*80/s)
    expect(await page.locator('.pgb-key').allInnerTexts()).toHaveLength(7)
    expect(await page.locator('.pgb-gene').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching('HIS4')]),
    )
    await page.locator('.pgb-node').nth(1).press('Enter')
    await page.locator('.pgb-detail').getByText('R64').first().waitFor()
    const table = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(table.text).toContain('chrIII:65358 C>T')
    expect(table.text).toContain('chrIII:65871^65872 ins AT')
    const graph = await download(page, async () => {
      await page.getByRole('button', { name: t('map.files') }).click()
      await page.getByRole('menuitem', { name: t('map.gfa') }).click()
    })
    expect(graph.text.match(/^W\t/gm)).toHaveLength(7)
    await page.locator('.pgb-overview').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a place that there is not is told beside the field, which keeps it', async () => {
    const { page, context } = await visit(browser, '/pangenome/browser?assembly=R64&place=chrIII:2-9', { language })
    const field = page.getByLabel(t('field.place'))
    await field.fill('nosuchgene')
    await page.getByRole('button', { name: k('form.run') }).click()
    await page.locator('.nv-field-problem').first().waitFor()
    expect(await page.locator('.nv-field-problem').first().innerText()).toContain('nosuchgene')
    expect(await field.inputValue()).toBe('nosuchgene')
    await context.close()
  })
})
