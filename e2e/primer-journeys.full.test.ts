import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import primer from '../src/tools/primerdesign/messages.ts'
import { messages as pages } from '../src/web/messages/pages.ts'
import { download, findBarriers, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

const firstResultMs = 60_000

/** Waits until the address names the job: an answer that came at once is then read again from there. */
const openedJob = async (page: Page): Promise<void> => {
  await page.waitForURL(/[?&]job=/, { timeout: firstResultMs })
  await settle(page)
}

inTurn('a biologist who reads %s designs primers', (language, it) => {
  const k = translator(kit, language)
  const p = translator(primer, language)

  it('by the example: drawn, chosen by keyboard, ordered, and there again after a reload', async () => {
    const { page, context, complaints } = await visit('/tools/primerdesign', { language, inspected: true })
    await settle(page)
    await page.locator('.nv-form-example button', { hasText: k('form.example') }).click()
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    const rows = page.locator('.primer-row')
    await openedJob(page)
    await rows.first().waitFor({ timeout: firstResultMs })
    expect(await rows.count()).toBeGreaterThan(0)
    expect(new URL(page.url()).searchParams.get('job')).not.toBeNull()
    expect(await page.locator('.nv-tool-result').innerText()).toContain(k('receipt.title'))

    // The second pair by the keyboard: the address and the details follow.
    await rows.first().focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('.primer-row-chosen[data-rank="2"]').waitFor()
    expect(new URL(page.url()).searchParams.get('view.pair')).toBe('2')
    expect(await page.locator('.nv-card-head', { hasText: p('result.products', { rank: 2 }) }).count()).toBe(1)
    const left = (await page.locator('.primer-oligo-bases').first().innerText()).trim()
    expect(left).toMatch(/^[ACGT]{18,23}$/)

    await page.locator('.nv-tool-result button', { hasText: p('result.files') }).click()
    const file = await download(page, () =>
      page
        .locator('[role=menuitem]', { hasText: p('result.order') })
        .last()
        .click(),
    )
    expect(file.name).toMatch(/order\.tsv$/)
    const lines = file.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines).toHaveLength(1 + 2 * (await rows.count()))
    expect(lines.filter((line) => line.split('\t')[1] === left).length).toBeGreaterThan(0)
    expect(file.text).toContain('primer3_core')
    expect(await findBarriers(page)).toEqual([])

    await page.reload()
    await page.locator('.primer-row-chosen[data-rank="2"]').waitFor()
    expect((await page.locator('.primer-oligo-bases').first().innerText()).trim()).toBe(left)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('on a pasted sequence that allows none: the reason is told in words', async () => {
    const { page, context } = await visit('/tools/primerdesign?source=sequence', { language })
    await settle(page)
    await page.locator('.nv-form textarea').first().fill('AT'.repeat(300))
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await page
      .locator('.nv-card h2', { hasText: p('result.why', { name: 'template' }) })
      .waitFor({ timeout: firstResultMs })
    await page
      .locator('.nv-tool-result td', { hasText: p('why.gc') })
      .first()
      .waitFor({ timeout: firstResultMs })
    await context.close()
  })

  it('with a target that cannot be read: the field says so', async () => {
    const { page, context } = await visit('/tools/primerdesign?source=sequence&target=somewhere', { language })
    await settle(page)
    await page.locator('.nv-form textarea').first().fill('ACGTTGCA'.repeat(60))
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await page.locator('.nv-field-problem', { hasText: 'somewhere' }).waitFor({ timeout: firstResultMs })
    await context.close()
  })

  it('for quantitative PCR of a gene with an intron from its page: the junction lies within the product', async () => {
    const { page, context, complaints } = await visit(`/gene?id=${facts.spliced.gene}&assembly=${facts.reference}`, {
      language,
    })
    await settle(page)
    await page.getByRole('button', { name: translator(pages, language)('gene.analyse') }).click()
    await page.getByRole('menuitem', { name: p('panel.qpcr') }).click()
    await openedJob(page)
    await page.locator('.primer-row').first().waitFor({ timeout: firstResultMs })
    expect(await page.locator('.primer-junction').count()).toBe(1)
    await page
      .locator('.nv-tag', { hasText: p('kind.intended') })
      .first()
      .waitFor({ timeout: firstResultMs })
    expect(complaints).toEqual([])
    await context.close()
  })
})
