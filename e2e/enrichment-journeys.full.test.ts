import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/enrichment/messages.ts'
import pathwayMessages from '../src/tools/pathway/messages.ts'
import { download, findBarriers, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('enrichment and pathways, read in %s', (language, it) => {
  const t = translator(messages, language)
  const p = translator(pathwayMessages, language)
  const k = translator(kit, language)

  it('from the example to every figure and a file with the receipt', async () => {
    const { page, context, complaints } = await visit('/tools/enrichment', { language, inspected: true })
    await page.locator('.enr-examples a').first().waitFor()
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    // The example is asked for: its genes come a moment later.
    await expect.poll(() => page.locator('textarea').first().inputValue()).not.toBe('')
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    for (const view of ['bar', 'graph', 'map', 'upset', 'bubble'] as const) {
      await page.getByRole('tab', { name: t(`view.${view}`) }).click()
      await page.locator('.nv-figure h2', { hasText: t(`view.${view}`) }).waitFor()
      expect(await page.locator('svg[data-figure] text').count()).toBeGreaterThan(5)
    }
    const file = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(file.text).toContain(facts.enrichment.termPrefix)
    expect(file.text).toContain('hypergeometric')
    expect(await findBarriers(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('genes of one process are told by it; a click on the term shows them, and they go on as a set', async () => {
    const { page, context, complaints } = await visit(
      `/tools/enrichment?genes=${facts.enrichment.genes.join()}&assembly=${facts.reference}&collections=${facts.enrichment.collection}&run=1`,
      { language },
    )
    await page.locator('.nv-headline', { hasText: facts.enrichment.term }).waitFor()
    await page.locator('.enr-choice', { hasText: facts.enrichment.term }).first().click()
    const card = page.locator('#term-genes')
    await card.locator('tbody', { hasText: facts.enrichment.member }).waitFor()
    await card
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    expect(await page.getByRole('menuitem').count()).toBeGreaterThan(3)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('an own annotation that is none is refused beside its box, and what was typed stays', async () => {
    const { page, context } = await visit(
      `/tools/enrichment?annotation=own&genes=${facts.enrichment.member}&assembly=${facts.reference}`,
      {
        language,
      },
    )
    const box = page.locator('textarea').nth(1)
    await box.fill(`term\tdescription\t${facts.enrichment.own.slice(0, 2).join('\t')}\nbroken\tline`)
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-field-problem', { hasText: t('own.gmtLine', { line: 2 }) }).waitFor()
    expect(await box.inputValue()).toContain('broken')
    await box.fill(`mine\tMy genes\t${facts.enrichment.own.join('\t')}`)
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('td', { hasText: 'My genes' }).first().waitFor()
    await context.close()
  })

  it('pathways: from the list to the drawn map, coloured by values, on to a gene that marks where one came from', async () => {
    const { page, context, complaints } = await visit(`/pathway?assembly=${facts.reference}`, {
      language,
      inspected: true,
    })
    await page
      .getByRole('searchbox', { name: k('table.filter') })
      .first()
      .fill('fermentation')
    await page.getByRole('link', { name: facts.pathway.drawn }).click()
    await page.waitForURL(/\/path\/map\?/)
    await page.locator('svg.path-map').waitFor()
    await page.getByRole('radio', { name: p('colour.values') }).check({ force: true })
    await page.locator('textarea').fill(`${facts.pathway.genes[0]}\t2.5\n${facts.pathway.genes[1]}\t-2`)
    await page.getByRole('button', { name: p('colour.apply'), exact: true }).click()
    await page.getByText(p('colour.matched', { count: 2 })).waitFor()
    await page.waitForURL(/values=/)
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    await page.locator('.path-choice', { hasText: facts.pathway.genes[0] }).click()
    await page.waitForURL(new RegExp(`/map/gene\\?id=${facts.pathway.geneId}`))
    await page.getByText(p('panel.from', { pathway: facts.pathway.drawn })).click()
    await page.waitForURL(new RegExp(`/path/map\\?.*gene=${facts.pathway.geneId}`))
    await page.locator('.path-highlighted').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a gene set is counted in pathways and tested; the box over everything finds a pathway', async () => {
    const { page, context, complaints } = await visit(
      `/pathway?assembly=${facts.reference}&source=${facts.pathway.source.replaceAll(' ', '+')}&genes=${facts.pathway.set.join()}&run=1`,
      { language },
    )
    await page.locator('tbody tr', { hasText: facts.pathway.name }).first().waitFor()
    await page.getByRole('link', { name: p('list.enrich') }).click()
    await page.waitForURL(/\/tools\/enrichment\?/)
    await page.locator('.nv-headline', { hasText: facts.pathway.name }).waitFor()
    await page.goto(new URL(`/search?q=${encodeURIComponent(facts.pathway.words)}&type=pathway`, page.url()).href)
    await page.getByRole('link', { name: facts.pathway.name }).click()
    await page.waitForURL(/\/path\/map\?/)
    // A pathway without a drawing or related pathways has a list of genes alone.
    await page
      .locator('svg.path-map')
      .or(page.getByText(p('map.nothingDrawn')))
      .waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
