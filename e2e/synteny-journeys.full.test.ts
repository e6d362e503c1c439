import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import geneMessages from '../src/tools/genesyntenyviewer/messages.ts'
import messages from '../src/tools/genomesyntenyviewer/messages.ts'
import browserMessages from '../src/tools/jbrowse/messages.ts'
import { download, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('synteny, read in %s', (language, it) => {
  const t = translator(messages, language)
  const g = translator(geneMessages, language)
  const j = translator(browserMessages, language)
  const k = translator(kit, language)

  it('genomes from the example: lines, a block with Ka and Ks, dot plot and circle, files', async () => {
    const { page, context, complaints } = await visit('/tools/genomesyntenyviewer', { language })
    await page.locator('.nv-form-example button').first().click()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const canvas = page.locator('.gsv-linear canvas')
    expect(Number(await canvas.getAttribute('data-ribbons'))).toBeGreaterThan(facts.synteny.blocks)
    // From close by, or when asked for, pairs of genes take the blocks' place.
    await page
      .getByRole('tabpanel')
      .getByRole('button', { name: t('view.genes'), exact: true })
      .click()
    await page.waitForFunction(
      (min) => Number(document.querySelector<HTMLElement>('.gsv-linear canvas')?.dataset.ribbons) > min,
      facts.synteny.pairs,
    )
    // What differs between close genomes stands before the blocks, each with its table.
    const blocks = page.locator('.nv-card', {
      has: page.getByRole('heading', { name: t('blocks.title'), exact: true }),
    })
    const file = await download(page, async () => {
      await blocks
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toContain(t('kind.duplicated'))
    expect(file.text).toContain('NovoDB collinear blocks')
    await blocks.locator('tbody tr').first().click()
    await page.waitForURL(/view\.block=/)
    const omega = page.getByRole('columnheader', { name: 'Ka/Ks' })
    await omega.waitFor()
    expect(await page.locator('.gsv-linear canvas').getAttribute('data-chosen')).toMatch(/^\d-\d-\d+$/)
    await page.getByRole('button', { name: t('view.block') }).click()
    const picture = await download(page, () => page.getByRole('button', { name: 'SVG', exact: true }).first().click())
    expect(picture.text).toContain('<path')
    for (const view of ['plot', 'circle'] as const) {
      await page.getByRole('tab', { name: t(`view.${view}`) }).click()
      await page.locator('.gsv-plot svg path').first().waitFor({ state: 'attached' })
    }
    await page
      .getByRole('link', { name: j('open.regionPair') })
      .first()
      .click()
    await page.waitForURL(/jbrowse\/\?assembly=.*beside=/)
    // JBrowse's own mark of the ribbons between two genomes.
    await page.locator('[data-testid="synteny_canvas"]').first().waitFor({ timeout: 60_000 })
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the reference against itself: blocks that a doubling left', async () => {
    const { page, context } = await visit(
      `/tools/genomesyntenyviewer?assemblies=${facts.reference}&ksDistribution=true&view.as=ks&run=1`,
      { language },
    )
    await page.locator('.nv-headline').waitFor()
    expect(await page.locator('.nv-headline').innerText()).toMatch(new RegExp(facts.synteny.itself))
    // Most pairs that the doubling left are saturated; what is told is in the figure and its table.
    await page
      .getByRole('group', { name: t('ks.title', { first: facts.reference, second: facts.reference }) })
      .waitFor()
    expect(await page.locator('.nv-figure-body rect').count()).toBeGreaterThan(3)
    await context.close()
  })

  it('a gene among its neighbours, the copy that the doubling left beside it; a click puts another into the middle', async () => {
    const address = `/tools/genesyntenyviewer?genes=${facts.core.name}&assembly=${facts.reference}&paralogs=true&run=1`
    const { page, context, complaints } = await visit(address, { language })
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const tracks = (await page.locator('table').first().locator('tbody tr').allInnerTexts()).join('\n')
    for (const gene of [facts.core.gene, facts.core.copy, facts.core.inStrain, facts.core.inRelative])
      expect(tracks).toContain(gene)
    expect(tracks).toContain(g('relation.duplicate'))
    const blocks = (await page.locator('table').nth(1).locator('tbody tr').allInnerTexts()).join('\n')
    expect(blocks).toContain(g('kind.syntenic'))
    expect(blocks).toContain(facts.core.copy)
    const other = page.locator('.nv-loci-gene').nth(9)
    const name = await other.locator('text').textContent()
    await other.press('Enter')
    await page.waitForFunction(
      (before) => !document.querySelector('.nv-headline')?.textContent?.includes(before),
      facts.core.name,
    )
    await settle(page)
    // In the figure a long name is cut, at its end or in its middle.
    const headline = await page.locator('.nv-headline').innerText()
    for (const part of name!.split('…')) expect(headline).toContain(part)
    await page.goBack()
    await page.waitForFunction(
      (wanted) => document.querySelector('.nv-headline')?.textContent?.includes(wanted),
      facts.core.name,
    )
    expect(complaints).toEqual([])
    await context.close()
  })

  it('stands on the gene page with neighbours and blocks; an unknown gene is told', async () => {
    const { page, context } = await visit(`/gene?id=${facts.core.gene}&assembly=${facts.reference}`, {
      language,
    })
    const panel = page.locator('#genesyntenyviewer')
    await openSection(page, 'genesyntenyviewer')
    await panel.locator('.nv-loci-gene').first().waitFor()
    await panel.locator('summary').last().click()
    expect(await panel.locator('table').innerText()).toContain(facts.core.copy)
    await panel.getByRole('link', { name: g('panel.open') }).click()
    await page.waitForURL(new RegExp(`genesyntenyviewer\\?genes=${facts.core.gene}`))
    await page.locator('.nv-headline').waitFor()
    await page.getByRole('button', { name: k('form.change'), exact: true }).click()
    await page.locator('textarea').first().fill('NOGENE9')
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-field-problem').first().waitFor()
    expect(await page.locator('.nv-field-problem').first().innerText()).toContain('NOGENE9')
    await context.close()
  })
})
