import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/pangenomebrowser/messages.ts'
import { download, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('the pan-genome browser, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('the example draws a gene; a gene of known variants is drawn, named and saved', async () => {
    const { page, context, complaints } = await visit('/pangenome/browser', { language })
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    expect(await page.locator('.nv-headline').innerText()).toMatch(
      new RegExp(`${facts.graph.sequence}:[\\d,]+\\.\\.[\\d,]+`),
    )
    await page.goto(
      `${new URL(page.url()).origin}/pangenome/browser?assembly=${facts.reference}&locus=${facts.graph.gene}&run=1`,
    )
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    // The gene with 500 bp on either side, on whole nodes.
    expect(await page.locator('.nv-headline').innerText()).toMatch(new RegExp(facts.graph.headline, 's'))
    expect(await page.locator('.pgb-key').allInnerTexts()).toHaveLength(facts.graph.genomes)
    expect(await page.locator('.pgb-gene').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(facts.graph.gene)]),
    )
    await page.locator('.pgb-node').nth(1).press('Enter')
    await page.locator('.pgb-detail').getByText(facts.reference).first().waitFor()
    const table = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    for (const variant of facts.graph.variants) expect(table.text).toContain(variant)
    const graph = await download(page, async () => {
      await page.getByRole('button', { name: t('map.files') }).click()
      await page.getByRole('menuitem', { name: t('map.gfa') }).click()
    })
    expect(graph.text.match(/^W\t/gm)).toHaveLength(facts.graph.genomes)
    await page.locator('.pgb-overview').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a place that there is not is told beside the field, which keeps it', async () => {
    const { page, context } = await visit(
      `/pangenome/browser?assembly=${facts.reference}&locus=${facts.graph.sequence}:2-9`,
      { language },
    )
    const field = page.getByLabel(t('field.locus'))
    await field.fill('nosuchgene')
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-field-problem').first().waitFor()
    expect(await page.locator('.nv-field-problem').first().innerText()).toContain('nosuchgene')
    expect(await field.inputValue()).toBe('nosuchgene')
    await context.close()
  })
})
