import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { messages as account } from '../src/web/messages/account.ts'
import { messages } from '../src/web/messages/notebook.ts'
import { findBarriers, settle, visit } from './browser.ts'

// From a result to a notebook that a colleague without an account reads.

const k = translator(kit, 'en-US')
const a = translator(account, 'en-US')
const n = translator(messages, 'en-US')
const zh = translator(messages, 'zh-CN')

let question: string
let drawn: string
let searched: string
beforeAll(async () => {
  const answer = await fetch(`${inject('portalUrl')}/api/species/`)
  const { data } = (await answer.json()) as {
    data: { species: { assemblies: { id: string; sequences: { name: string }[] }[] }[] }
  }
  const { assemblies } = data.species[0]!
  const assembly = assemblies[0]!
  drawn = `/pangenome?assemblies=${assemblies.map(({ id }) => id).join()}&run=1`
  searched = `/tools/GeneSearch?${new URLSearchParams({ assemblies: assembly.id, run: '1' })}`
  question = `/tools/sequencefetch?${new URLSearchParams({
    assembly: assembly.id,
    regions: `${assembly.sequences[0]!.name}:11..40`,
    run: '1',
  })}`
})

it('a result is kept with its note, run again, and read by somebody else in Chinese, who cannot change it', async () => {
  const { page, complaints } = await visit(question, { language: 'en-US', inspected: true })
  await page.getByRole('button', { name: k('notebook.add') }).click()
  await page.getByRole('menuitem', { name: k('notebook.new') }).click()
  await page.getByRole('button', { name: k('notebook.open') }).click()
  await page.getByLabel(n('title.edit')).fill('Thirty bases')
  await page.getByLabel(n('step.note', { number: 1 })).fill('They are the first.')
  await page.getByText(n('saved'), { exact: true }).waitFor()
  await page.getByText(/Result as of/).click()
  await page.locator('.note-result .nv-receipt').waitFor()
  await page.getByRole('button', { name: n('step.again') }).click()
  await page.getByText(n('again.sameData')).waitFor()
  await settle(page)
  expect(await findBarriers(page)).toEqual([])
  const address = new URL(page.url())
  expect(complaints).toEqual([])

  const reader = await visit(`${address.pathname}${address.search}`, {
    language: 'zh-CN',
    inspected: true,
    width: 390,
  })
  await reader.page.getByText(zh('reading')).waitFor()
  expect(await reader.page.getByRole('heading', { level: 1 }).textContent()).toBe('Thirty bases')
  expect(await reader.page.getByText('They are the first.').count()).toBe(1)
  expect(await reader.page.getByRole('button', { name: zh('step.remove') }).count()).toBe(0)
  expect(await findBarriers(reader.page)).toEqual([])
  expect(reader.complaints).toEqual([])
})

it('all that gene search found becomes sets by the menu, which says what was saved and leads to the list, where they are combined', async () => {
  const { page, complaints } = await visit(searched, { language: 'en-US', inspected: true })
  for (const name of ['Every gene', 'Every gene again']) {
    await page.getByRole('button', { name: k('sets.save') }).click()
    expect(await page.getByLabel(k('sets.name')).getAttribute('placeholder')).toBe('All genes')
    expect(await page.getByRole('menuitem').count()).toBeGreaterThan(3)
    await page.getByLabel(k('sets.name')).fill(name)
    await page.getByRole('button', { name: k('sets.create') }).click()
    await page.getByText(`“${name}”`).waitFor()
    if (name === 'Every gene') await page.keyboard.press('Escape')
  }
  await page
    .getByRole('button', { name: k('sets.show'), exact: true })
    .first()
    .click()
  const card = page.locator('#gene-sets')
  await card.getByText('Every gene again', { exact: true }).waitFor()
  expect(await card.locator('tbody tr').count()).toBe(2)
  await settle(page)
  expect(await findBarriers(page)).toEqual([])
  await card.getByLabel(a('center.chooseAll')).check()
  await card.getByRole('button', { name: a('center.combine') }).click()
  await page.getByRole('button', { name: n('sets.make') }).click()
  await page.getByLabel(n('step.title', { number: 3 })).waitFor()
  expect(await page.getByLabel(n('step.title', { number: 3 })).inputValue()).toBe('Every gene again ∩ Every gene')
  expect(complaints).toEqual([])
})

/** Puts the result on the page into a new notebook; the files of its archive by their paths. */
const exportResult = async (page: Page): Promise<ReturnType<typeof unzipSync>> => {
  await page.getByRole('button', { name: k('notebook.add') }).click()
  await page.getByRole('menuitem', { name: k('notebook.new') }).click()
  await page.getByRole('button', { name: k('notebook.open') }).click()
  await page.getByText(/Result as of/).waitFor()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: n('export'), exact: true }).click()
  return unzipSync(new Uint8Array(readFileSync(await (await coming).path())))
}

it('an export has the figures of the results beside their tables', async () => {
  const { page, complaints } = await visit(drawn, { language: 'en-US', inspected: true })
  await page.locator('.nv-tool-result .nv-figure').first().waitFor()
  const files = await exportResult(page)
  const figures = Object.keys(files).filter((path) => path.startsWith('steps/01-') && path.endsWith('.svg'))
  expect(figures, Object.keys(files).join()).not.toEqual([])
  // A drawing, not an empty sheet.
  for (const path of figures)
    expect(strFromU8(files[path]!)).toMatch(/^<svg[\s\S]*<(path|rect|circle|text)[ >][\s\S]*<(path|circle|text)[ >]/)
  expect(complaints).toEqual([])
})

it('an export has all pages of a result of which a step holds one, and the list tells what the notebook has', async () => {
  const { page, complaints } = await visit(`${searched}&pageSize=25`, { language: 'en-US', inspected: true })
  await page.locator('.nv-tool-result tbody tr').first().waitFor()
  expect(await page.locator('.nv-tool-result tbody tr').count()).toBe(25)
  const files = await exportResult(page)
  const readme = strFromU8(files['README.md']!)
  const [, total] = /genes is one page of the list, 25 of (\d+) rows/.exec(readme) ?? []
  expect(Number(total), readme).toBeGreaterThan(25)
  const path = Object.keys(files).find((one) => one.endsWith('/genes.tsv') && !one.includes('/api/'))!
  const lines = strFromU8(files[path]!)
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
  expect(lines).toHaveLength(Number(total) + 1)
  expect(readme).toContain(`- genes.tsv: ${total} rows`)
  expect(Object.keys(files).filter((one) => one.endsWith('/api/genes.tsv'))).toEqual([])
  await page.goto(page.url().replace(/\?.*/, ''))
  const row = page.locator('tbody tr').filter({ has: page.getByRole('link', { name: n('untitled') }) })
  await row.first().waitFor()
  await expect.poll(() => row.first().innerText()).toMatch(/\s1\s[\s\S]*\d{4}/)
  expect(complaints).toEqual([])
})
