import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/diagnosticprimers/messages.ts'
import { download, findBarriers, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'
import { fill } from './run-journey.ts'

const facts = inject('facts')

/** A design is a job: it may take its time beside other work. */
const resultMs = 180_000

inTurn('primers that distinguish two genomes, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('from the question on Home to the gel, the second pair, and the order sheet', async () => {
    const { page, context, complaints } = await visit('/home', { language, inspected: true })
    await settle(page)
    await page.locator('a[href*="/tools/diagnosticprimers"]').first().click()
    await page.waitForURL(/\/tools\/diagnosticprimers/)
    expect(await fill(page, language)).toBe(true)
    await page.locator('.nv-form-run .nv-button-primary').click()
    await page.locator('.nv-headline').waitFor({ timeout: resultMs })
    await page.waitForURL(/[?&]job=/)
    await settle(page)

    const pairs = page.locator('.nv-card', {
      has: page.getByRole('heading', { name: t('pairs.title'), exact: true }),
    })
    const rows = pairs.locator('tbody tr')
    expect(await rows.count()).toBeGreaterThan(1)
    // The gel has a lane for the ladder and one for each genome.
    const gel = await download(page, () => page.getByRole('button', { name: 'SVG', exact: true }).first().click())
    expect(gel.text).toContain(t('gel.ladder'))

    // The second pair: the address names it, its primers and products are told.
    // Its number: in the middle of a row stand links to genes.
    await rows.nth(1).locator('td').nth(1).click()
    await page.getByRole('heading', { name: t('detail.pair', { rank: 2 }), exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('view.pair')).toBe('2')
    const forward = (await page.locator('.diagnostic-oligo').first().innerText()).trim()
    expect(forward).toMatch(/^[ACGT]{15,40}$/)
    await page.getByRole('heading', { name: t('detail.products', { rank: 2 }), exact: true }).waitFor()

    await pairs.getByRole('button', { name: t('pairs.files'), exact: true }).click()
    const order = await download(page, () =>
      page
        .getByRole('menuitem', { name: t('pairs.order'), exact: true })
        .last()
        .click(),
    )
    expect(order.name).toMatch(/order\.tsv$/)
    const lines = order.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const ordered = lines.slice(1).map((line) => line.split('\t'))
    expect(ordered.find(([name]) => name === 'pair_2_F')?.[1]).toBe(forward)
    expect(order.text).toContain('primer3_core')

    await pairs.getByRole('button', { name: t('pairs.files'), exact: true }).click()
    const products = await download(page, () =>
      page
        .getByRole('menuitem', { name: t('pairs.products'), exact: true })
        .last()
        .click(),
    )
    expect(products.text).toContain(facts.strain)
    expect(await findBarriers(page)).toEqual([])

    // The address of the job leads to the same pair.
    await page.reload()
    await page.getByRole('heading', { name: t('detail.pair', { rank: 2 }), exact: true }).waitFor()
    expect((await page.locator('.diagnostic-oligo').first().innerText()).trim()).toBe(forward)
    expect(complaints).toEqual([])
    await context.close()
  }, 300_000)

  it('with no genome to amplify the form says what is missing', async () => {
    const { page, context } = await visit('/tools/diagnosticprimers', { language })
    await settle(page)
    await page.locator('.nv-form-run .nv-button-primary').click()
    await page.getByText(t('problem.noTarget')).first().waitFor()
    expect(await page.locator('.nv-headline').count()).toBe(0)
    expect(await page.getByRole('button', { name: k('form.example'), exact: true }).count()).toBe(1)
    await context.close()
  })
})
