import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Locale, translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import enrichment from '../src/tools/enrichment/messages.ts'
import messages from '../src/tools/gwas/messages.ts'
import { download, findBarriers, launchBrowser, settle, visit } from './browser.ts'

let browser: Browser
let close: () => Promise<void>
beforeAll(async () => {
  ;({ browser, close } = await launchBrowser())
})
afterAll(() => close())

describe.runIf(inject('yeast')).each<Locale>(['en-US', 'zh-CN'])('associations, read in %s', (language) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('a trait of the loaded hits: figure, loci, the region of one with its linkage, a second trait, and candidates for enrichment', async () => {
    const { page, context, complaints } = await visit(browser, '/tools/gwas?assembly=R64', {
      language,
      inspected: true,
    })
    await page.getByLabel(k('table.filter')).first().fill('Sporulation_24')
    await page.getByRole('link', { name: 'Sporulation_24_hours' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sporulation_24_hours' }).waitFor()
    await page.locator('.gwas-plot path').first().waitFor()
    // Hits only: neither lambda nor a quantile plot, and it says why.
    await page.getByText(t('qq.hitsOnly')).waitFor()
    const plot = page.locator('.nv-figure', { has: page.getByRole('heading', { name: t('manhattan.title') }) })
    const drawn = await download(page, () => plot.getByRole('button', { name: 'SVG' }).click())
    // 351 hits, one mark each.
    expect(drawn.text.match(/h\.01|h0\.01/g)).toHaveLength(351)
    const loci = page.locator('.nv-card', { has: page.getByRole('heading', { name: t('loci.title'), exact: true }) })
    await loci.locator('tbody tr').first().click()
    const region = page.locator('#gwas-region')
    await region
      .getByRole('link', { name: t('region.gene', { gene: 'RIM15' }) })
      .or(region.locator('a'))
      .first()
      .waitFor()
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel(t('miami.with')).selectOption({ label: 'Sporulation_72_hours' })
    await page.getByRole('heading', { name: t('miami.title') }).waitFor()
    expect(new URL(page.url()).searchParams.get('view.with')).toBe('genphen|Sporulation_72_hours')
    await loci
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    await page.getByRole('menuitem', { name: translator(enrichment, language)('title'), exact: true }).click()
    await page.waitForURL(/\/tools\/enrichment\?/)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('from Example to the files of a run: life span of the isolates by GEMMA; bad values are told beside their box', async () => {
    const { page, context, complaints } = await visit(browser, '/tools/gwas?assembly=R64&source=pasted', { language })
    await settle(page)
    await page.getByLabel(t('field.values')).first().fill('BFC\tlong\nBFD\tshort')
    await page.getByRole('button', { name: k('form.run') }).click()
    await page
      .getByText(t('problem.notNumber', { line: 2, text: 'short' }))
      .first()
      .waitFor()
    await page.getByRole('button', { name: k('form.example') }).click()
    await page.getByText(t('help.variants', { samples: 641, names: 'BFC, SACE_YAM, BKI, BNV' })).waitFor()
    await page.getByRole('button', { name: k('form.run') }).click()
    await page.locator('.nv-headline').waitFor({ timeout: 60_000 })
    expect(await page.locator('.nv-headline').innerText()).toContain('c12p62644')
    await page.getByRole('heading', { name: t('qq.title') }).waitFor()
    const table = await download(page, () => page.getByRole('link', { name: 'gemma.assoc.txt' }).click())
    const rows = table.text
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
    expect(rows[0]).toContain('p_wald')
    expect(rows).toHaveLength(187)
    expect(complaints).toEqual([])
    await context.close()
  })

  it.runIf(language === 'en-US')(
    'a gene page tells the traits near it, and leads to all of them at its place',
    async () => {
      const { page, context, complaints } = await visit(browser, '/gene?id=YOL086C&assembly=R64', { language })
      const panel = page.locator('#gwas')
      await panel.getByRole('link', { name: t('panel.open') }).click()
      await page
        .getByRole('heading', { name: t('place.figure') })
        .or(page.getByText(t('place.none')))
        .first()
        .waitFor()
      await page.getByLabel(t('place.flank')).fill('20000')
      // The gene by its names, and the stretch with what was added on each side.
      await page.locator('.gwas-searched', { hasText: /YOL086C\s*ADH1.*chrXV:139,.*20,000 bases/ }).waitFor()
      await page.getByRole('link', { name: 'Sporulation_24_hours' }).first().waitFor()
      expect(complaints).toEqual([])
      await context.close()
    },
  )
})
