import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/strainreport/messages.ts'
import { download, findBarriers, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'
import { fill } from './run-journey.ts'

const facts = inject('facts')

inTurn('a strain against its reference, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('from the question on Home to the report of a strain, its tables and its figure', async () => {
    const { page, context, complaints } = await visit('/home', { language, inspected: true })
    await page.locator('a[href*="/tools/strainreport"]').first().click()
    await page.waitForURL(/\/tools\/strainreport/)
    expect(await fill(page, language)).toBe(true)
    await page.locator('.nv-form-run .nv-button-primary').click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    for (const title of ['facts.title', 'structure.title', 'genes.title', 'private.title'] as const)
      await page.getByRole('heading', { name: t(title), exact: true }).waitFor()
    const structure = page.locator('.nv-card', {
      has: page.getByRole('heading', { name: t('structure.title'), exact: true }),
    })
    const table = await download(page, async () => {
      await structure.getByRole('button', { name: k('table.export') }).click()
      await page.getByRole('menuitem', { name: 'TSV' }).click()
    })
    expect(table.text).toMatch(/^# /)
    expect(table.text).toContain(t('column.inReference'))
    const figure = await download(page, () => page.getByRole('button', { name: 'SVG', exact: true }).first().click())
    expect(figure.text).toContain(`aria-label="${t('drawn.title')}"`)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: t('action.all'), exact: true }).click()
    await page.waitForURL(/task=all/)
    // The report of one strain stands until the table of all is there.
    await page.getByRole('link', { name: facts.strain }).first().waitFor({ timeout: 120_000 })
    await settle(page)
    expect(complaints).toEqual([])
    await context.close()
  })
})
