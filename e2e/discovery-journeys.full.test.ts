import type { Locator, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import enrichment from '../src/tools/enrichment/messages.ts'
import motif from '../src/tools/motif/messages.ts'
import tree from '../src/tools/tree/messages.ts'
import { settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

// One question through five tools: what rises and falls with a gene, what these genes do, what turns them on, and how they are related.
// The answer is known: in yeast the G1/S cluster of Spellman et al. 1998 (doi:10.1091/mbc.9.12.3273) replicates DNA and is turned on by
// MBF through the MluI cell cycle box, ACGCGT; in the planted species one group of processes has such a box.
inTurn('from one gene to its regulon, read in %s', (language, it) => {
  const k = translator(kit, language)

  /** Sends the genes of a set menu on to another tool, and waits until that stands on the page. */
  const sendOn = async (page: Page, menu: Locator, title: string): Promise<void> => {
    await menu.click()
    await page.getByRole('menuitem', { name: title, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await settle(page)
  }
  const headline = async (page: Page): Promise<string> => {
    await page.locator('.nv-headline').waitFor({ timeout: 60_000 })
    return page.locator('.nv-headline').innerText()
  }

  it('co-expression, enrichment, promoter motifs, tree: each takes the genes of the one before in two clicks', async () => {
    const address = `/tools/Coexpression?assembly=${facts.reference}&dataset=${facts.discovery.dataset}&genes=${facts.discovery.gene}&top=${facts.discovery.top}&run=1`
    const { page, context, complaints } = await visit(address, { language })
    await headline(page)
    await settle(page)
    const save = page.getByRole('button', { name: k('sets.save') })
    await sendOn(page, save.last(), translator(enrichment, language)('title'))

    await page.locator('button[type=submit]').click()
    expect(await headline(page)).toContain(facts.discovery.term)
    await page.locator('.enr-choice', { hasText: facts.discovery.term }).first().click()
    const card = page.locator('#term-genes')
    await card.locator('tbody tr').first().waitFor()
    const replicating = (await card.locator('tbody tr').allInnerTexts()).join()
    for (const gene of facts.discovery.genes) expect(replicating).toContain(gene)
    await sendOn(page, card.getByRole('button', { name: k('sets.save') }).first(), translator(motif, language)('title'))

    await page.locator('input[value=consensus]').check()
    await page.locator('textarea').nth(1).fill('MCB ACGCGT\nTATA TATAWAWR\nGal4 CGGNNNNNNNNNNNCCG')
    await page.locator('button[type=submit]').click()
    // One of three is enriched, and it is the box of the cluster.
    expect(await headline(page)).toMatch(/ 1 [^·]*MCB( ·|$)/)
    await sendOn(page, page.getByRole('button', { name: k('sets.save') }).first(), translator(tree, language)('title'))

    await page.locator('button[type=submit]').click()
    expect(await headline(page)).toMatch(/FastTree/)
    await page.locator('canvas').first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
    // What its steps may take together: each waits for a result as long as a busy portal may let it.
  }, 300_000)
})
