import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import enrichment from '../src/tools/enrichment/messages.ts'
import messages from '../src/tools/ppi/messages.ts'
import { download, findBarriers, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('protein interactions, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('the example gives a network, a file of it, and tables whose rows become gene sets', async () => {
    const { page, context, complaints } = await visit('/tools/ppi', { language })
    await page.getByText(t('start.title')).waitFor()
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await page.locator('svg[data-placed]').waitFor()
    const nodes = await page.locator('.nv-network-node').count()
    expect(nodes).toBeGreaterThan(10)
    const file = await download(page, async () => {
      await page.getByRole('button', { name: t('network.files') }).click()
      await page.getByRole('menuitem', { name: 'GraphML' }).click()
    })
    expect(file.text.match(/<node /g)).toHaveLength(nodes)
    expect(file.text).toContain(facts.complex.source)
    const drawing = await download(page, () => page.getByRole('button', { name: 'SVG' }).first().click())
    // Each gene, and the one of the key that says which were asked for.
    expect(await page.locator('[data-legend] circle').count()).toBe(1)
    expect(drawing.text.match(/<circle /g)!.length).toBe(nodes + 1)
    const interactions = page.locator('.nv-card', {
      has: page.getByRole('heading', { name: t('edges.title'), exact: true }),
    })
    await interactions.locator('tbody input[type=checkbox]').first().check()
    await interactions
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    expect(await page.getByRole('menuitem').count()).toBeGreaterThan(2)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a subunit of a complex has the others as partners; their cluster goes to enrichment in two clicks', async () => {
    const address = `/tools/ppi?assembly=${facts.reference}&genes=${facts.complex.name}&minimumScore=0.7&clustering=mcl&run=1`
    const { page, context, complaints } = await visit(address, { language, inspected: true })
    await page.locator('svg[data-placed]').waitFor()
    await settle(page)
    const labels = (
      await page
        .locator('.nv-network-node')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
    ).join()
    for (const gene of facts.complex.partners) expect(labels).toContain(gene)
    expect(await findBarriers(page)).toEqual([])
    // Shift and space choose genes by keyboard; the choice is a set.
    await page.locator('.nv-network-node[tabindex="0"]').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await page.getByText(t('network.chosen', { count: 2 })).waitFor()
    await page
      .locator('.nv-network-groups')
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    await page.getByRole('menuitem', { name: translator(enrichment, language)('title'), exact: true }).click()
    await page.waitForURL(/\/tools\/enrichment\?/)
    expect(new URL(page.url()).searchParams.get('genes')).toContain(facts.complex.gene)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('every layout draws the network, and a higher confidence hides weak interactions', async () => {
    const address = `/tools/ppi?assembly=${facts.reference}&genes=${facts.complex.name}&firstShell=100&run=1`
    const { page, context, complaints } = await visit(address, { language })
    await page.locator('svg[data-placed]').waitFor()
    const select = page.getByLabel(t('network.layout'))
    const placeOf = () => page.locator('.nv-network-node').nth(3).getAttribute('transform')
    for (const layout of ['groups', 'shells', 'circle'] as const) {
      const before = await placeOf()
      await select.selectOption(layout)
      await expect.poll(placeOf).not.toBe(before)
    }
    const counted = page.locator('.nv-figure-bar > span').last()
    const before = await counted.innerText()
    await page.locator('.nv-figure-bar input[type=number], .nv-figure-bar input').first().fill('0.95')
    await expect.poll(() => counted.innerText()).not.toBe(before)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('an assembly without interactions shows those of the reference, labelled as interologs', async () => {
    const { page, context, complaints } = await visit(
      `/tools/ppi?assembly=${facts.strain}&genes=${facts.complex.inStrain}&run=1`,
      {
        language,
      },
    )
    await page.locator('svg[data-placed]').waitFor()
    const pageText = await page.locator('main').innerText()
    expect(pageText).toContain(t('origin.interolog', { assembly: facts.reference }))
    expect(pageText).toContain(facts.reference)
    expect(await page.locator('svg[data-placed] path[stroke-dasharray]').count()).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the page of a gene shows its partners; an unknown name is told beside its box', async () => {
    const { page, context, complaints } = await visit(`/gene?id=${facts.complex.gene}&assembly=${facts.reference}`, {
      language,
    })
    await openSection(page, 'ppi')
    const panel = page.locator('#ppi')
    await panel.locator('tbody tr').first().waitFor()
    expect(await panel.innerText()).toContain(facts.complex.partners[1])
    await panel.getByRole('link', { name: t('panel.open') }).click()
    await page.waitForURL(/\/tools\/ppi\?/)
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    expect(complaints).toEqual([])
    await page.locator('textarea').first().fill('nosuchgene')
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await page.locator('.nv-field-problem').first().waitFor()
    expect(await page.locator('.nv-field-problem').first().innerText()).toContain('nosuchgene')
    await context.close()
  })
})
