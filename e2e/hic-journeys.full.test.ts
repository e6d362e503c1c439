import { describe, expect, inject, it } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import enrichment from '../src/tools/enrichment/messages.ts'
import messages from '../src/tools/hicsearch/messages.ts'
import { download, findBarriers, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('contact maps, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('the example lists the bins that touch a gene; their numbers are a file, their genes go to enrichment', async () => {
    const { page, context, complaints } = await visit('/tools/HicSearch', { language, inspected: true })
    await page.getByRole('heading', { name: t('start.title') }).waitFor()
    // A sequence has another name on the map than in the genome.
    await page.getByText(facts.contacts.renamed).waitFor()
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    expect(await page.locator('.hic-arc').count()).toBeGreaterThan(3)
    expect(await findBarriers(page)).toEqual([])
    const table = page.locator('.nv-card', { has: page.getByRole('heading', { name: t('rows.title'), exact: true }) })
    const file = await download(page, async () => {
      await table.getByRole('button', { name: k('table.export') }).click()
      await page.getByRole('menuitem', { name: 'TSV' }).click()
    })
    const [head, first] = file.text.split('\n').filter((line) => !line.startsWith('#'))
    expect(head?.split('\t')).toContain(t('column.ratio'))
    expect(first?.split('\t')[0]).toMatch(/^chr[IVX\d]+:\d+\.\.\d+$/)
    await table
      .locator('.hic-sets')
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    await page.getByRole('menuitem', { name: translator(enrichment, language)('title'), exact: true }).click()
    await page.waitForURL(/\/tools\/enrichment\?/)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the map of a chromosome is moved, zoomed and asked for a viewpoint by keyboard, and saved', async () => {
    const address = `/hicDetail?assembly=${facts.reference}&locus=${facts.contacts.sequence}&domains=1`
    const { page, context, complaints } = await visit(address, { language, inspected: true })
    const map = page.locator('svg[data-drawn]')
    await map.waitFor()
    expect(await map.getAttribute('data-drawn')).toBe(
      `${facts.contacts.sequence}:1..${facts.contacts.lengthBp} 10000 weight contacts`,
    )
    await page.getByRole('heading', { name: t('domains.title', { sequence: facts.contacts.sequence }) }).waitFor()
    const domains = await map.locator('.hic-tad-line title').allTextContents()
    expect(domains.length).toBeGreaterThanOrEqual(facts.contacts.domains[0])
    expect(domains.length).toBeLessThanOrEqual(facts.contacts.domains[1])
    expect(domains.join('\n')).toMatch(new RegExp(facts.contacts.domain))
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    const drawing = await download(page, () => page.getByRole('button', { name: 'SVG' }).first().click())
    expect(drawing.text).toContain('data:image/png;base64,')
    await map.focus()
    await page.keyboard.press('+')
    await page.locator(`svg[data-drawn^="${facts.contacts.zoomed}"]`).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.hic-cursor').first().waitFor({ state: 'attached' })
    expect(new URL(page.url()).searchParams.get('viewpoint')).toMatch(/^\d+$/)
    await page.getByRole('radio', { name: t('detail.ratio') }).click()
    await page.locator('svg[data-drawn$="ratio"]').waitFor()
    const matrix = await download(page, () => page.getByRole('button', { name: t('figure.matrix') }).click())
    const rows = matrix.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(rows.length).toBe(rows[0]!.split('\t').length)
    expect(rows.length).toBeGreaterThan(facts.contacts.bins)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('contact maps', () => {
  const t = translator(messages, 'en-US')
  it('show what touches most between two places, each axis with its own', async () => {
    const address = `/hicDetail?assembly=${facts.reference}&locus=${facts.contacts.pair[0].locus}&otherLocus=${facts.contacts.pair[1].locus}`
    const { page, context, complaints } = await visit(address, { language: 'en-US' })
    await page.locator('svg[data-drawn]').waitFor()
    const box = (await page.locator('svg[data-drawn] image').boundingBox())!
    await page.mouse.move(
      box.x + box.width * facts.contacts.pair[0].share,
      box.y + box.height * facts.contacts.pair[1].share,
    )
    await page.locator('.hic-tooltip').waitFor()
    const centre = Number(/: ([\d.e-]+)$/.exec((await page.locator('.hic-tooltip').textContent())!)?.[1])
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * facts.contacts.pair[1].share)
    await page.locator('.hic-tooltip', { hasText: facts.contacts.pair[0].at70 }).waitFor()
    const arm = Number(/: ([\d.e-]+)$/.exec((await page.locator('.hic-tooltip').textContent())!)?.[1])
    expect(centre).toBeGreaterThan(3 * arm)
    expect(complaints).toEqual([])
    await context.close()
  })
  it('say in words what cannot be drawn, and lead on from a gene page', async () => {
    const { page, context } = await visit(`/hicDetail?assembly=${facts.reference}&locus=NOGENE`, {
      language: 'en-US',
    })
    await page.getByText('no sequence, gene or feature named “NOGENE”').first().waitFor()
    await page.goto(new URL(`/gene?id=${facts.contacts.gene}&assembly=${facts.reference}`, page.url()).href)
    const panel = page.locator('#hicsearch')
    await openSection(page, 'hicsearch')
    await panel.getByRole('link', { name: t('panel.open') }).click()
    await page.waitForURL(/\/tools\/HicSearch\?/)
    await page.locator('.nv-headline', { hasText: facts.contacts.name }).waitFor()
    await context.close()
  })
})
