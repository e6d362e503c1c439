import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/motif/messages.ts'
import { download, findBarriers, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

const firstResultMs = 60_000

/** Waits until the address names the job: an answer that came at once is then read again from there. */
const openedJob = async (page: Page): Promise<void> => {
  await page.waitForURL(/[?&]job=/, { timeout: firstResultMs })
  await page.locator('.nv-headline').waitFor({ timeout: firstResultMs })
  await settle(page)
}

inTurn('a biologist who reads %s looks for binding sites', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('by the example: logos and sites, a table and all sites as a file, there again after a reload', async () => {
    const { page, context, complaints } = await visit('/tools/motif', { language, inspected: true })
    await settle(page)
    await page.locator('.nv-form-example button', { hasText: k('form.example') }).click()
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await openedJob(page)
    await page.locator('.motif-logo').first().waitFor()
    const headline = await page.locator('.nv-headline').innerText()
    expect(await page.locator('.nv-card-head', { hasText: t('motifs.title') }).count()).toBeGreaterThan(0)
    expect(await page.locator('.nv-tool-result').innerText()).toContain(k('receipt.title'))
    const file = await download(page, () =>
      page
        .locator('.nv-tool-result button', { hasText: k('table.export') })
        .first()
        .click()
        .then(() => page.getByRole('menuitem').first().click()),
    )
    expect(file.text).toContain('NovoDB motif scan')
    expect(await findBarriers(page)).toEqual([])
    await page.reload()
    await page.locator('.nv-headline').waitFor({ timeout: firstResultMs })
    expect(await page.locator('.nv-headline').innerText()).toBe(headline)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('on a pasted sequence: the sites are drawn, listed and saved whole', async () => {
    const { page, context, complaints } = await visit(
      `/tools/motif?${new URLSearchParams({ source: 'sequence', motifSource: 'consensus', consensus: 'GATA HGATAR', background: 'uniform' })}`,
      { language },
    )
    await settle(page)
    await page
      .locator('.nv-form textarea')
      .first()
      .fill(`>test\n${'C'.repeat(40)}AGATAA${'G'.repeat(40)}TTATCT${'C'.repeat(20)}`)
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await openedJob(page)
    expect(await page.locator('.motif-site').count()).toBe(2)
    const file = await download(page, () => page.getByRole('link', { name: t('files.tsv') }).click())
    const rows = file.text
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
    expect(rows).toHaveLength(3)
    expect(
      rows
        .slice(1)
        .map((row) => row.split('\t').slice(3, 6).join(' '))
        .sort(),
    ).toEqual(['41 46 +', '87 92 -'])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('with a letter that is none: the field says which', async () => {
    const { page, context } = await visit(
      `/tools/motif?${new URLSearchParams({ source: 'sequence', sequence: 'ACGTACGT', motifSource: 'consensus', background: 'uniform' })}`,
      { language },
    )
    await settle(page)
    await page.locator('.nv-form textarea').nth(1).fill('TATAZ')
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await page
      .locator('.nv-field-problem', { hasText: t('motifs.bad-letter', { line: 1, text: 'Z' }) })
      .waitFor({ timeout: firstResultMs })
    await context.close()
  })

  it('of genes of one regulon in a loaded collection: its motif is enriched, and the genes go on to another tool', async () => {
    const { page, context, complaints } = await visit(
      `/tools/motif?${new URLSearchParams({ ...facts.regulon.query, assembly: facts.reference, upstreamBp: '600', run: '1' })}`,
      { language },
    )
    await openedJob(page)
    expect(await page.locator('.nv-headline').innerText()).toContain(facts.regulon.motif)
    expect(await page.locator('.nv-card-head', { hasText: t('enriched.title') }).count()).toBe(1)
    await page
      .locator('.nv-card', { hasText: t('sites.title') })
      .locator('.nv-set-menu button')
      .last()
      .click()
    await page.getByRole('menuitem').last().click()
    await page.waitForURL(/[?&](genes|set)=/)
    expect(page.url()).not.toContain('/tools/motif')
    expect(complaints).toEqual([])
    await context.close()
  })
})
