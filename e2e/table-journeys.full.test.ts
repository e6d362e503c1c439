import type { Page } from 'playwright-core'
import { beforeAll, expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { checkExport, readStrictTable } from '../src/testing/strict-reader.ts'
import messages from '../src/tools/sequencefetch/messages.ts'
import { download, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

/** A segment with tens of genes, on whatever species is loaded. */
let path: string
beforeAll(async () => {
  const answer = (await (await fetch(`${inject('portalUrl')}/api/species/`)).json()) as {
    data: { species: { assemblies: { id: string; reference: boolean; exampleGenes: { sequence: string }[] }[] }[] }
  }
  const assembly = answer.data.species[0]!.assemblies.find((one) => one.reference)!
  const region = { sequence: assembly.exampleGenes[0]!.sequence, start: '1', end: '200000' }
  path = `/tools/sequencefetch?${new URLSearchParams({ assembly: assembly.id, ...region, annotate: 'true', run: '1' })}`
})

/** Headings and cells of the table of genes as they are seen. */
const seen = async (page: Page): Promise<{ headings: string[]; rows: string[][] }> => {
  const table = page.locator('.nv-table').last()
  return {
    headings: await table.locator('thead th button').allInnerTexts(),
    rows: await table
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td:not(.nv-cell-check)')].map((cell) => cell.textContent ?? '')),
      ),
  }
}

inTurn('a table that is sent to somebody else, in %s', (language, it) => {
  const k = translator(kit, language)
  const t = translator(messages, language)

  it('order, filter and columns are in the link and in the file; Back undoes them one by one', async () => {
    const { page, context, complaints } = await visit(path, { language })
    const table = page.locator('.nv-table').last()
    await table.waitFor()
    await settle(page)
    const whole = await seen(page)
    const count = async (): Promise<string> => (await table.locator('.nv-table-count').innerText()).trim()
    const all = Number((await count()).replace(/\D/g, ''))
    expect(all).toBeGreaterThan(20)
    const plainAddress = page.url()
    expect(plainAddress).not.toContain('view.t.')

    await table.locator('thead button', { hasText: t('column.start') }).click()
    await table.locator('thead button', { hasText: t('column.start') }).click()
    await table.getByRole('button', { name: k('table.filters'), exact: true }).click()
    await table.getByLabel(k('table.filterColumn', { column: t('column.strand') })).pressSequentially('+')
    await page.waitForURL(/view\.t\.\w+\.has\.strand=/)
    await table.getByRole('button', { name: k('table.columns'), exact: true }).click()
    // By its words, as people do.
    await page.locator('.nv-menu-checks label', { hasText: t('column.symbol') }).click()
    await page
      .locator('.nv-menu-checks label', { hasText: t('column.biotype') })
      .locator('input')
      .check()
    await page.keyboard.press('Escape')
    const mine = await seen(page)
    expect(mine.rows).not.toEqual(whole.rows)
    expect(mine.headings).not.toContain(t('column.symbol'))
    const starts = mine.rows.map((row) => Number(row[mine.headings.indexOf(t('column.start'))]!.replace(/\D/g, '')))
    expect(starts).toEqual([...starts].sort((a, b) => b - a))
    const shown = Number(/\d+/.exec(await count())![0])
    expect(shown).toBeLessThan(all)

    // Somebody else, who has never been here.
    const link = new URL(page.url())
    expect(link.search.length - new URL(plainAddress).search.length).toBeLessThan(120)
    const other = await visit(`${link.pathname}${link.search}`, { language })
    await other.page.locator('.nv-table').last().waitFor()
    await settle(other.page)
    expect(await seen(other.page)).toEqual(mine)
    expect(other.complaints).toEqual([])
    await other.context.close()

    // What is shown is what is downloaded; all of it where that is chosen.
    const menu = table.getByRole('button', { name: k('table.export'), exact: true })
    await menu.click()
    await page.getByRole('radio', { name: k('table.exportColumnsShown', { count: mine.headings.length }) }).check()
    const file = await download(page, () => page.getByRole('menuitem', { name: 'TSV' }).click())
    expect(checkExport(file.name, Buffer.from(file.text))).toEqual([])
    const read = readStrictTable(file.text, 'tsv')
    expect(read.headings).toEqual(mine.headings)
    expect(read.rows).toHaveLength(shown)
    expect(read.rows.slice(0, mine.rows.length).map((row) => row[0])).toEqual(mine.rows.map((row) => row[0]))
    expect(read.head).toContain(`table: ${shown} of ${all} rows; ${mine.headings.length} of 7 columns`)
    expect(read.head).toContain(`filter: ${t('column.strand')}: +`)
    expect(read.head).toContain(`sort: ${t('column.start')}, descending`)
    await menu.click()
    await page.getByRole('radio', { name: k('table.exportRowsAll', { count: all }) }).check()
    await page.getByRole('radio', { name: k('table.exportColumnsAll', { count: 7 }) }).check()
    const every = await download(page, () => page.getByRole('menuitem', { name: 'CSV' }).click())
    const readAll = readStrictTable(every.text, 'csv')
    expect(checkExport(every.name, Buffer.from(every.text))).toEqual([])
    expect([readAll.rows.length, readAll.headings.length]).toEqual([all, 7])
    expect(readAll.head).toContain('filter: none')

    for (let left = 10; left > 0 && page.url() !== plainAddress; left -= 1) {
      await page.goBack()
      await settle(page)
    }
    expect(page.url()).toBe(plainAddress)
    expect(await seen(page)).toEqual(whole)
    await page.goForward()
    await page.goForward()
    await settle(page)
    expect(page.url()).toContain('.sort=-start')
    expect((await seen(page)).rows).not.toEqual(whole.rows)
    expect(complaints).toEqual([])
    await context.close()
  })
})
