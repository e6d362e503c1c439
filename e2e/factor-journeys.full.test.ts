import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/transcriptionfactors/messages.ts'
import { download, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('transcription factors, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('families of the reference are shown at once; one opens with its genes, drawings and a file', async () => {
    const { page, context, complaints } = await visit(`/tools/transcriptionfactors?view.in=${facts.reference}`, {
      language,
    })
    await page.locator('.tf-bar').first().waitFor()
    await settle(page)
    expect(await page.locator('.tf-bar').first().textContent()).toContain('Zn2Cys6')
    await page.locator('.tf-bar').first().press('Enter')
    await page.waitForURL(/view\.family=Zn2Cys6/)
    await page.locator('.tf-figure svg rect').first().waitFor()
    const file = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toContain(facts.factors.name)
    expect(file.text).toContain('hmmsearch')
    await page
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    expect(await page.getByRole('menuitem').count()).toBeGreaterThan(2)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the example finds a factor of each family; the domains become a file', async () => {
    const { page, context, complaints } = await visit('/tools/transcriptionfactors', { language })
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    expect(await page.locator('.tf-families').innerText()).toContain(facts.factors.exampleFamily)
    const file = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .last()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toContain('Zn_clus')
    expect(file.text).toContain('hmmscan 3')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('pasted proteins: one is a zinc cluster factor, one is none and says why; nucleotides are refused beside the box', async () => {
    const { page, context } = await visit(`/tools/transcriptionfactors?by=sequence&assembly=${facts.reference}`, {
      language,
    })
    const box = page.locator('textarea').first()
    await box.fill(`>cluster\n${facts.factors.protein}\n>other\n${'MSTNPKPQRKTKRNTNRRPQDVKFPGG'.repeat(3)}`)
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    const rows = await page.locator('table').first().locator('tbody tr').allInnerTexts()
    expect(rows[0]).toContain('Zn2Cys6')
    expect(rows[1]).toContain(t('why.none'))
    await box.fill(`>x\n${'ACGTTGCA'.repeat(20)}`)
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-field-problem').first().waitFor()
    await context.close()
  })

  it('stands on the page of a factor and leads to its family', async () => {
    const { page, context, complaints } = await visit(`/gene?id=${facts.factors.gene}&assembly=${facts.reference}`, {
      language,
    })
    await openSection(page, 'transcriptionfactors')
    const panel = page.locator('#transcriptionfactors > .nv-fold-content')
    await panel.getByText(t('panel.family', { family: 'Zn2Cys6' })).waitFor()
    await panel.getByRole('link', { name: t('panel.open') }).click()
    await page.waitForURL(/view\.family=Zn2Cys6/)
    expect(complaints).toEqual([])
    await context.close()
  })
})
