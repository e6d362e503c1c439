import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/homologs/messages.ts'
import { download, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('homologous genes, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('a gene by its symbol: orthogroup, orthologs with synteny, neighbourhood; rows become a file', async () => {
    const { page, context, complaints } = await visit('/tools/homologs', { language })
    await page.locator('textarea').first().fill(facts.kinase.name)
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    expect(await page.locator('.nv-headline').innerText()).toMatch(new RegExp(`${facts.kinase.name}.*OG-`))
    // Names of assemblies, and how many genes each has.
    const cells = await page.locator('.hom-presence svg text').allTextContents()
    expect(cells.filter((_, at) => at % 2 === 1)).toEqual(['1', '1', '1'])
    const rows = await page.locator('table tbody tr').allInnerTexts()
    expect(rows).toHaveLength(2)
    expect(rows[0]).toContain(t('relation.ortholog'))
    expect(rows.join()).toContain(facts.kinase.inStrain)
    expect(rows.join()).toContain(facts.kinase.inRelative)
    // Three rows of eleven genes, the gene itself in the middle of the first.
    expect(await page.locator('.nv-loci-gene').count()).toBe(33)
    expect(await page.locator('.nv-loci-gene').nth(5).textContent()).toContain(facts.kinase.name)
    const file = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toContain(facts.kinase.inStrain)
    expect(file.text).toContain('NovoDB homologs')
    await page.locator('.nv-loci-gene').nth(16).press('Enter')
    await page.waitForURL(new RegExp(`/gene\\?id=${facts.kinase.inStrain}`))
    expect(complaints).toEqual([])
    await context.close()
  })

  it('several genes are one table of orthologs by genome, whose foot counts them and whose sets are of a genome', async () => {
    const { page, context, complaints } = await visit('/tools/homologs', { language })
    await page.locator('textarea').first().fill(`${facts.kinase.gene}\n${facts.kinase.gene}x`)
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    expect(await page.locator('main').innerText()).toContain(t('orthologs.unknown', { names: `${facts.kinase.gene}x` }))
    const [matrix, pairs] = [page.locator('table').nth(0), page.locator('table').nth(1)]
    expect(await matrix.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(new RegExp(`${facts.kinase.inStrain}[^]*${facts.kinase.inRelative}`)),
    ])
    expect(await matrix.locator('tfoot').innerText()).toContain(t('orthologs.foot', { count: 1, all: 1 }))
    expect(await pairs.locator('tbody tr').allInnerTexts()).toEqual(
      [facts.kinase.inStrain, facts.kinase.inRelative].map((gene) => expect.stringContaining(gene)),
    )
    await page
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    expect(await page.locator('.nv-set-menu').first().innerText()).toContain(t('orthologs.queries', { count: 1 }))
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a pasted protein finds its gene in every assembly; a wrong letter is told beside the box', async () => {
    const { page, context } = await visit('/tools/homologs?by=sequence', { language })
    await page.locator('textarea').first().fill(`>kinase\n${facts.kinase.protein}`)
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    const rows = (await page.locator('table tbody tr').allInnerTexts()).join()
    for (const gene of [facts.kinase.gene, facts.kinase.inStrain, facts.kinase.inRelative]) expect(rows).toContain(gene)
    await page.locator('textarea').first().fill('>kinase\nMSGE1LANY?')
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-field-problem').first().waitFor()
    await context.close()
  })

  it('stands on the page of every gene, and leads from there to the tool', async () => {
    const { page, context, complaints } = await visit(`/gene?id=${facts.kinase.gene}&assembly=${facts.reference}`, {
      language,
    })
    await openSection(page, 'homologs')
    const panel = page.locator('#homologs')
    await panel.locator('.hom-presence').waitFor()
    expect(await panel.innerText()).toContain(facts.kinase.inStrain)
    await panel.getByRole('link', { name: t('panel.open') }).click()
    await page.waitForURL(/\/tools\/homologs\?/)
    await page.locator('.nv-headline').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
