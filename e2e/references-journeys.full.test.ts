import { expect } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import messages from '../src/tools/references/messages.ts'
import { messages as documentMessages } from '../src/web/messages/document.ts'
import { download, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

inTurn('a reader of %s', (language, it) => {
  const t = translator(messages, language)
  const o = translator(documentMessages, language)

  it('searches publications, keeps the search in the address, and takes the chosen ones along as BibTeX', async () => {
    const { page, context, complaints } = await visit('/references', { language })
    await settle(page)
    const all = await page.locator('.ref-item').count()
    expect(all).toBeGreaterThan(0)
    const title = await page.locator('.ref-title').first().innerText()
    await page.locator('.ref-search input').fill(`"${title}"`)
    await page.locator('.ref-search input').press('Enter')
    await page.waitForURL(/words=/)
    await settle(page)
    expect(await page.locator('.ref-title').allInnerTexts()).toEqual([title])
    await page.locator('.ref-item > input').check()
    await page.getByRole('button', { name: t('export.some') }).click()
    const file = await download(page, () => page.getByRole('menuitem', { name: t('export.bibtex') }).click())
    expect(file.name).toBe('references.bib')
    expect(file.text.match(/^@/gm)).toHaveLength(1)
    await page.goBack()
    await settle(page)
    expect(await page.locator('.ref-item').count()).toBe(all)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('finds within the usage page and opens an endpoint of the API by its link', async () => {
    const { page, context, complaints } = await visit('/document#api-get-api-search', { language })
    await settle(page)
    const endpoint = page.locator('#api-get-api-search')
    await endpoint.locator('pre').first().waitFor()
    expect(await endpoint.locator('pre').first().innerText()).toContain('/api/search/?q=')
    await page.locator('.document-find input').fill('GFF3')
    await page.locator('.document-found li').first().waitFor()
    expect(await page.locator('.document-found mark').first().innerText()).toMatch(/gff3/i)
    await page.locator('.document-find input').fill('nothing-is-called-so')
    await page.getByText(o('find.none', { words: 'nothing-is-called-so' })).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
