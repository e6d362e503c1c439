import { expect, inject } from 'vitest'
import { messages as figureTexts } from '../src/kit/ui/figures/figure-messages.ts'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/singlecellexpress/messages.ts'
import { download, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

const cells = `/tools/SingleCellExpress?assembly=${facts.reference}&dataset=${facts.cells.dataset}`

inTurn('single cells, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('the example gives marker genes; they become a file with its receipt, a gene set, and a dot plot', async () => {
    const { page, context, complaints } = await visit('/tools/SingleCellExpress', { language })
    await page.locator('.sc-map canvas[data-drawn]').waitFor()
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const file = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toContain('Wilcoxon')
    expect(
      file.text.split('\n').filter((line) => line.includes('\t') && new RegExp(`\t${facts.geneId}`).test(line)).length,
    ).toBeGreaterThan(20)
    await page.locator('tbody input[type=checkbox]').first().check()
    await page
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    expect(await page.getByRole('menuitem').count()).toBeGreaterThan(2)
    await page.keyboard.press('Escape')
    // The first markers of each group stand beside the map.
    await page.locator('svg[data-figure] circle').first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('violins are divided by a second column, two genes are set against each other, and a group is compared in a volcano plot', async () => {
    const { page, context, complaints } = await visit(
      `${cells}&task=genes&genes=${facts.cells.genes.join()}&split=${encodeURIComponent(facts.cells.grouping)}&run=1`,
      { language },
    )
    await page.locator('.sc-violin').first().waitFor()
    // Groups divided by themselves leave one part each, for each gene.
    expect(await page.locator('.sc-violin').count()).toBe(2 * facts.cells.groups)
    await page.getByRole('tab', { name: t('tab.scatter') }).click()
    await page.locator(`.sc-scatter image[data-cells="${facts.cells.count}"]`).waitFor()
    // Two that mark one type rise and fall together.
    expect(await page.locator('.nv-figure-bar .nv-quiet').innerText()).toMatch(
      new RegExp(`r = ${facts.cells.correlation}`),
    )
    const figure = await download(page, () =>
      page.getByRole('tabpanel').getByRole('button', { name: 'SVG' }).first().click(),
    )
    expect(figure.text).toContain('data:image/png')
    await page.goto(
      page
        .url()
        .replace(/\?.*/, `?${cells.split('?')[1]}&task=compare&first=${encodeURIComponent(facts.cells.group)}&run=1`),
    )
    await page
      .locator('h2', {
        hasText: translator(figureTexts, language)('change.volcano', { name: '' }).replace(/[:：]\s*$/, ''),
      })
      .waitFor()
    await page.locator('.nv-layers canvas').waitFor()
    expect(await page.locator('.nv-change-count').count()).toBe(2)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a gene colours the map; cells drawn around are compared with the others, and the address keeps them', async () => {
    const { page, context, complaints } = await visit(cells, { language })
    const canvas = page.locator('.sc-map canvas')
    await page.locator(`.sc-map canvas[data-drawn="${facts.cells.grouping}"]`).waitFor()
    await page.locator('.sc-gene input').fill(facts.cells.genes[0])
    await page.getByRole('button', { name: t('map.geneButton'), exact: true }).click()
    await page.locator(`.sc-map canvas[data-drawn="${facts.cells.genes[0]}"][data-click-ms]`).waitFor()
    expect(await page.locator('.sc-scale').innerText()).toMatch(
      new RegExp(`(^|\\D)${facts.cells.expressing.toLocaleString('en-US')}\\D`),
    )
    await page.getByRole('button', { name: t('map.lasso'), exact: true }).click()
    await canvas.scrollIntoViewIfNeeded()
    const box = (await canvas.boundingBox())!
    const at = (x: number, y: number): [number, number] => [box.x + x * box.width, box.y + y * box.height]
    await page.mouse.move(...at(0.02, 0.5))
    await page.mouse.down()
    for (const [x, y] of [
      [0.98, 0.5],
      [0.98, 0.98],
      [0.02, 0.98],
    ] as const)
      await page.mouse.move(...at(x, y), { steps: 6 })
    await page.mouse.up()
    await page.getByRole('button', { name: t('map.useFirst') }).click()
    await page.waitForURL(/task=compare/)
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const headline = await page.locator('.nv-headline').innerText()
    await page.reload()
    await page.locator('.nv-headline').waitFor()
    expect(await page.locator('.nv-headline').innerText()).toBe(headline)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the page of a gene shows the map coloured by it', async () => {
    const { page, context, complaints } = await visit(`/gene?id=${facts.cells.gene}&assembly=${facts.reference}`, {
      language,
    })
    await openSection(page, 'singlecellexpress')
    const panel = page.locator('#singlecellexpress')
    await panel.locator(`canvas[data-drawn="${facts.cells.gene}"]`).waitFor()
    expect(await panel.locator('h2').first().innerText()).toBe(t('panel.title'))
    expect(complaints).toEqual([])
    await context.close()
  })

  it('genes by group: four figures of the same numbers; a name that means nothing is told', async () => {
    const { page, context } = await visit(`${cells}&task=genes&genes=${facts.cells.genes.join()},nothing1&run=1`, {
      language,
    })
    await page.locator('svg[data-figure] circle').first().waitFor()
    expect(await page.locator('.nv-warn').first().innerText()).toContain('nothing1')
    await page.getByRole('tab', { name: t('tab.violin') }).click()
    await page.locator('svg[data-figure] polygon').first().waitFor()
    await page.getByRole('tab', { name: t('tab.heat') }).click()
    await page.locator('svg[data-figure] rect').first().waitFor()
    const file = await download(page, () =>
      page.getByRole('tabpanel').getByRole('button', { name: 'SVG' }).first().click(),
    )
    expect(file.text).toContain(facts.cells.genes[1])
    await context.close()
  })
})
