import { setTimeout } from 'node:timers/promises'
import { expect, inject } from 'vitest'
import { messages as expressionTexts } from '../src/kit/ui/controls/expression-messages.ts'
import mapMessages from '../src/kit/ui/figures/accession-map-messages.ts'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/phenotype/messages.ts'
import { download, findBarriers, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('phenotypes, read in %s', (language, it) => {
  const t = translator(messages, language)
  const m = translator(mapMessages, language)
  const k = translator(kit, language)

  it('by the example: a trait with its estimates, groups, map and values, as figures and as files', async () => {
    const { page, context, complaints } = await visit('/tools/phenotype', { language, inspected: true })
    // What is loaded stands there at once: the real set, the simulated trial, the accessions on a map.
    await page.locator('.nv-map-land').waitFor()
    expect(await page.locator('.nv-map-point').count()).toBeGreaterThan(60)
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    // Run, pressed while the example is still asked for, waits for it.
    await page.route('**/api/tools/phenotype/datasets/*', async (route) => {
      await setTimeout(1000)
      await route.continue()
    })
    await page.locator('.nv-form-example button').click()
    await page.locator('button[type=submit][aria-busy]').waitFor()
    await page.locator('button[type=submit]').click()
    await page.locator('.nv-headline').waitFor()
    const headline = await page.locator('.nv-headline').innerText()
    expect(headline).toContain('H²')
    expect(headline).toContain(translator(expressionTexts, language)('expression.simulated'))
    await page.getByText('value ~ accession + environment:replicate').waitFor()
    const figure = (title: string) => page.locator('.nv-figure', { has: page.getByRole('heading', { name: title }) })
    const drawing = await download(page, () =>
      figure(m('map.title')).getByRole('button', { name: 'SVG', exact: true }).click(),
    )
    expect(drawing.text).toContain('tool phenotype')
    await figure(m('map.title'))
      .getByRole('radio', { name: m('map.fit') })
      .check()
    await settle(page)
    const values = page.locator('.nv-card', { has: page.getByRole('heading', { name: t('values.title') }) })
    const file = await download(page, async () => {
      await values.getByRole('button', { name: k('table.export') }).click()
      await page.getByRole('menuitem', { name: 'TSV' }).first().click()
    })
    expect(file.text.split('\n').filter((line) => line.startsWith('sim-'))).toHaveLength(72)
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    // A row leads to the record of its accession.
    await values.getByRole('link').first().click()
    await page.waitForURL(/\/detail\?type=accession/)
    await page.getByRole('heading', { name: t('detail.traits') }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a trait of a loaded table has the values of its file; a correlation opens its points', async () => {
    const { page, context, complaints } = await visit(
      `/tools/phenotype?dataset=${facts.phenotype.dataset}&trait=${facts.phenotype.trait}&run=1`,
      { language, inspected: true },
    )
    await page.locator('.nv-headline').waitFor()
    expect(await page.locator('.nv-headline').innerText()).toContain(facts.phenotype.measured)
    const values = page.locator('.nv-card', { has: page.getByRole('heading', { name: t('values.title') }) })
    expect(await values.locator('tbody tr', { hasText: facts.phenotype.accession }).innerText()).toContain(
      facts.phenotype.value,
    )
    await page.goto(new URL(`/tools/phenotype?task=correlation&dataset=trial&run=1`, page.url()).href)
    await page.locator('.phe-cell').first().waitFor()
    expect(await page.locator('.phe-cell').count()).toBe(12)
    await page.locator('.phe-cell[tabindex="0"]').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: t('scatter.close') }).waitFor()
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the search finds accessions and traits, whose records say what is known and lead on', async () => {
    const { page, context, complaints } = await visit('/search?q=sim-sake-03', { language })
    await page.locator('main a[href*="type=accession"]').first().click()
    await page.getByRole('heading', { name: 'sim-sake-03', level: 1 }).waitFor()
    await page.goto(new URL(`/detail?type=trait&species=${facts.species}&id=trial%7Cgrowth`, page.url()).href)
    await page.getByRole('link', { name: t('detail.open') }).click()
    await page.waitForURL(/\/tools\/phenotype\?/)
    await page.locator('.nv-headline').waitFor()
    await page.goto(new URL(`/detail?type=trait&species=${facts.species}&id=trial%7Cnone`, page.url()).href)
    await page.getByText(t('detail.notFoundWhy')).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
