import { expect, inject } from 'vitest'
import { messages as heatMap } from '../src/kit/ui/expression/heat-map-messages.ts'
import { messages as figureTexts } from '../src/kit/ui/figures/figure-messages.ts'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import coexpression from '../src/tools/coexpression/messages.ts'
import expression from '../src/tools/geneexpression/messages.ts'
import { download, findBarriers, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('expression, read in %s', (language, it) => {
  const k = translator(kit, language)
  const t = translator(expression, language)
  const c = translator(coexpression, language)

  it('by the example: a heat map whose rows become a gene set, profiles, numbers, files', async () => {
    const { page, context, complaints } = await visit('/tools/geneexpression', { language, inspected: true })
    await settle(page)
    await page.locator('.nv-form-example button', { hasText: k('form.example') }).click()
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await page.locator('.nv-headline').waitFor()
    expect(await page.locator('.nv-headline').innerText()).toContain(String(facts.expression.exampleGenes))
    const canvas = page.locator('.nv-layers canvas')
    await canvas.waitFor()
    const box = (await canvas.boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + 160)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 + 30, box.y + 260, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('button', { name: translator(heatMap, language)('heat.zoomTo') }).waitFor()
    await page
      .locator('.nv-figure-bar')
      .getByRole('button', { name: k('sets.save') })
      .click()
    await page.locator('.nv-set-form button[type=submit]').click()
    const stored = await page.evaluate(() => localStorage.getItem('novodb_gene_sets'))
    expect((JSON.parse(stored!) as { genes: string[] }[])[0]!.genes.length).toBeGreaterThan(3)
    const picture = await download(page, () => page.getByRole('button', { name: 'SVG', exact: true }).click())
    expect(picture.text).toContain('image/png')
    expect(picture.text).toContain('tool geneexpression')

    await page.getByRole('tab', { name: t('tab.profile') }).click()
    // A time course is drawn as lines; boxes are to be had.
    await page.locator('.nv-layers svg path[stroke-width="2"]').first().waitFor()
    await page.getByRole('radio', { name: t('profile.box') }).check()
    await page.locator('.exp-mark').first().waitFor()
    await page.getByRole('tab', { name: t('tab.table') }).click()
    await page.locator('table tbody tr').first().waitFor()
    const file = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toContain(facts.expression.sample)
    expect(
      file.text
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('#')),
    ).toHaveLength(facts.expression.exampleGenes + 1)
    expect(await findBarriers(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a deleted gene shows as the one that falls most in the volcano plot', async () => {
    const address = `/tools/geneexpression?task=differential&assembly=${facts.reference}&dataset=${facts.expression.compared}&run=1`
    const { page, context, complaints } = await visit(address, { language })
    await page.locator('.nv-layers canvas').waitFor()
    await page.locator('table tbody tr').first().waitFor()
    const rows = await page.locator('table tbody tr').allInnerTexts()
    expect(rows.join()).toContain(facts.expression.fallen)
    await page.getByRole('radio', { name: translator(figureTexts, language)('change.maShort'), exact: true }).check()
    await page
      .locator('h2', { hasText: translator(figureTexts, language)('change.ma', { name: '' }).replace(/[:：]\s*$/, '') })
      .first()
      .waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a gene finds those that go with it, and its module goes on to another tool in two clicks', async () => {
    const address = `/tools/Coexpression?assembly=${facts.reference}&dataset=${facts.expression.module.dataset}&genes=${facts.expression.module.name}&top=20&run=1`
    const { page, context, complaints } = await visit(address, { language, inspected: true })
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const rows = await page.locator('table tbody tr').allInnerTexts()
    const first = rows.slice(0, 10).join()
    expect(facts.expression.module.others.filter((gene) => first.includes(gene)).length).toBeGreaterThan(4)
    expect(await page.locator('.nv-network-node').count()).toBe(21)
    expect(await findBarriers(page)).toEqual([])
    await page
      .locator('.nv-network-groups')
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    await page.getByRole('menuitem', { name: t('title') }).click()
    await page.waitForURL(/\/tools\/geneexpression\?/)
    expect(new URL(page.url()).searchParams.get('genes')).toContain(facts.expression.module.gene)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the page of a gene shows both, and an unknown name is told beside its box', async () => {
    const { page, context, complaints } = await visit(
      `/gene?id=${facts.expression.module.gene}&assembly=${facts.reference}`,
      { language },
    )
    await openSection(page, 'geneexpression')
    await page.locator('#geneexpression svg[data-figure]').waitFor()
    await openSection(page, 'coexpression')
    await page.locator('#coexpression table tbody tr').first().waitFor()
    const shown = await page.locator('#coexpression').innerText()
    expect(facts.expression.module.others.some((gene) => shown.includes(gene))).toBe(true)
    expect(complaints).toEqual([])
    await page.getByRole('link', { name: c('panel.open') }).click()
    await page.waitForURL(/\/tools\/Coexpression\?/)
    await page.locator('.nv-headline').waitFor()
    await page.locator('textarea').first().fill('nosuchgene')
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await page.locator('.nv-field-problem').first().waitFor()
    expect(await page.locator('.nv-field-problem').first().innerText()).toContain('nosuchgene')
    await context.close()
  })
})
