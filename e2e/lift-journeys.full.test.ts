import { expect, inject } from 'vitest'
import { messages as states } from '../src/kit/ui/gene/gene-states-messages.ts'
import { messages as locus } from '../src/kit/ui/gene/same-locus-messages.ts'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { download, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('the same place in other assemblies, read in %s', (language, it) => {
  const k = translator(kit, language)
  const l = translator(locus, language)

  it('from a gene to its place in a strain, where the same gene is, and the table as a file', async () => {
    const { page, context, complaints } = await visit(`/gene?id=${facts.core.name}&assembly=${facts.reference}`, {
      language,
    })
    await openSection(page, 'samelocus')
    const card = page.locator('#samelocus')
    await card.locator('tbody tr').first().waitFor()
    // The strain and the wild relative.
    const rows = await card.locator('tbody tr').allInnerTexts()
    expect(rows.length).toBe(2)
    for (const row of rows) expect(row).toContain(l('lift.whole'))
    expect(rows[0]).toMatch(new RegExp(`${facts.strain}[\\s\\S]*${facts.core.sequence}:[\\d,]+\\.\\.[\\d,]+`))
    const file = await download(page, async () => {
      await card.getByRole('button', { name: k('table.export') }).click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toContain('minimap2')
    expect(file.text).toMatch(new RegExp(`${facts.strain}\t${facts.core.sequence}:\\d+\\.\\.\\d+`))
    await card.locator('tbody tr').first().locator('a[href*="GeneSearch"], a[href*="genesearch"]').first().click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    expect(await page.locator('table tbody').first().innerText()).toContain(facts.core.inStrain)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a gene’s page says first what the others have of the gene itself, and leads from there to its family', async () => {
    const t = translator(states, language)
    const { page, context, complaints } = await visit(`/gene?id=${facts.core.name}&assembly=${facts.reference}`, {
      language,
    })
    const card = page.locator('#states')
    await card.locator('li[data-state]').first().waitFor()
    // What it is and who has it stand before everything else.
    const first = await page
      .locator('.gene-column > .nv-card')
      .evaluateAll((cards) => cards.slice(0, 2).map(({ id }) => id))
    expect(first).toEqual(['summary', 'states'])
    expect(await card.locator('li', { hasText: facts.strain }).innerText()).toMatch(
      new RegExp(`${facts.strain}\\s+${t('state.ortholog')}\\s+${facts.core.inStrain}`),
    )
    await card.locator('summary').click()
    expect(await card.locator('tbody tr').count()).toBe(2)
    await card.getByRole('link', { name: t('family.link') }).click()
    await page.locator('#pangenome a[href="#states"]').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('what the browser shows, in a dialog; over an element that a strain lacks it is told as deleted', async () => {
    const { page, context } = await visit(`/jbrowse/?assembly=${facts.reference}&loc=${facts.lackingDisk}`, {
      language,
    })
    await page.getByRole('button', { name: l('lift.button') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('tbody tr').first().waitFor()
    const row = dialog.locator('tbody tr', { hasText: facts.strain })
    expect(await row.innerText()).toContain(l('lift.deleted'))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await context.close()
  })
})
