import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/transposableelements/messages.ts'
import { download, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('transposable elements, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('from the overview by a family to an element with its LTRs, its age and the genes beside it', async () => {
    const { page, context, complaints } = await visit(`/tools/transposableelements?assembly=${facts.reference}`, {
      language,
    })
    await page.getByRole('heading', { name: t('overview.classes') }).waitFor()
    await settle(page)
    const classes = await page.locator('table').first().innerText()
    expect(classes).toContain('RLC')
    expect(classes).toContain('LTR/Gypsy')
    await page.getByRole('link', { name: facts.elements.family, exact: true }).click()
    await page.waitForURL(new RegExp(`/te\\?.*family=${facts.elements.family}`))
    await page.locator('tbody tr').first().waitFor()
    await page
      .locator('select')
      .nth(1)
      .selectOption({ label: t('form.full') })
    await page.waitForURL(/forms=full/)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
    const file = await download(page, async () => {
      await page.getByRole('button', { name: t('browse.download') }).click()
      await page.getByRole('menuitem', { name: 'GFF3' }).click()
    })
    expect(file.text.match(/\tLTR_retrotransposon\t/g)).toHaveLength(2)
    await page.locator('tbody a').first().click()
    await page.waitForURL(/\/te\/info\?/)
    await page.getByRole('heading', { name: t('info.structure') }).waitFor()
    await settle(page)
    expect(await page.locator('.nv-facts').first().innerText()).toContain('LTR/Gypsy')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('genes with elements in reach become a table; the address says what was asked', async () => {
    const { page, context, complaints } = await visit(
      `/tools/transposableelements?task=genes&assembly=${facts.reference}&genes=${facts.elements.besides.join()}&flankBp=1000&run=1`,
      { language },
    )
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    expect(await page.locator('table tbody').last().innerText()).toContain(facts.elements.beside)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the example finds elements on the longest chromosome, with their structure and files', async () => {
    const { page, context, complaints } = await visit('/tools/transposableelements?task=identify', {
      language,
    })
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor({ timeout: 45_000 })
    await settle(page)
    const rows = (await page.locator('table tbody tr').allInnerTexts()).join()
    expect(rows).toContain('RLC')
    expect(rows).toMatch(new RegExp(facts.elements.found))
    const file = await download(page, () => page.getByRole('link', { name: t('found.gff3') }).click())
    expect(file.text).toContain('long_terminal_repeat')
    expect(complaints).toEqual([])
    await context.close()
  })
})
