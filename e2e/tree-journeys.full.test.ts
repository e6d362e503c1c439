import { expect, inject } from 'vitest'
import { parseNewick } from '../src/bio/phylogeny/newick.ts'
import { listLeaves } from '../src/bio/phylogeny/phylogeny.ts'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/tree/messages.ts'
import { messages as pages } from '../src/web/messages/pages.ts'
import { download, findBarriers, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

const firstResultMs = 90_000
const tree = "(((a:0.1,b:0.2)95:0.3,(c:0.1,'d (x)':0.2)60:0.1)80:0.2,e:0.6,f:0.7);"

inTurn('a biologist who reads %s makes trees', (language, it) => {
  const k = translator(kit, language)
  const t = translator(messages, language)

  it('by the example: walked by keyboard, collapsed, saved as Newick and SVG, and there again after a reload', async () => {
    const { page, context, complaints } = await visit('/tools/tree', { language, inspected: true })
    await settle(page)
    await page.locator('.nv-form-example button', { hasText: k('form.example') }).click()
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await page.locator('.tree-scroll').waitFor({ timeout: firstResultMs })
    await page.waitForURL(/[?&]job=/)
    await settle(page)
    const leaves = Number(/\d+/.exec(await page.locator('.nv-headline').innerText())![0])
    expect(leaves).toBeGreaterThanOrEqual(3)

    await page.locator('.tree-scroll').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const chosen = await page.locator('.tree-node p').first().innerText()
    expect(chosen).not.toBe(t('view.hint'))

    await page.getByRole('button', { name: t('files.menu'), exact: true }).click()
    const newick = await download(page, () => page.getByRole('menuitem', { name: t('files.newick') }).click())
    expect(newick.name).toMatch(/\.nwk$/)
    expect(listLeaves(parseNewick(newick.text).root)).toHaveLength(leaves)
    const svg = await download(page, () => page.getByRole('button', { name: 'SVG', exact: true }).click())
    expect(svg.text).toMatch(/^<svg /)
    expect(svg.text).toContain('mafft')

    await page.getByRole('button', { name: t('files.menu'), exact: true }).click()
    const fasta = await download(page, () => page.getByRole('menuitem', { name: t('files.columns') }).click())
    expect(fasta.text.match(/^>/gm)).toHaveLength(leaves)
    expect(await findBarriers(page)).toEqual([])

    await page.locator('.nv-segmented label', { hasText: t('view.circular') }).click()
    await page.waitForURL(/view\.layout=circular/)
    await page.reload()
    await page.locator('.tree-round').waitFor({ timeout: firstResultMs })
    expect(complaints).toEqual([])
    await context.close()
  })

  it('of a pasted Newick: rooted and folded by keys, undone, searched; a bracket too few is told with its place', async () => {
    const { page, context, complaints } = await visit('/tools/tree?source=tree', { language })
    await settle(page)
    await page.locator('.nv-form textarea').first().fill(tree)
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await page.locator('.tree-scroll').waitFor({ timeout: firstResultMs })
    await page.waitForURL(/[?&]job=/)
    await settle(page)
    expect(await page.locator('.nv-headline').innerText()).toBe(t('head.given', { leaves: 6, inner: 3 }))
    await page.locator('.tree-scroll').focus()
    // The first key chooses the root, the second its first child.
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('r')
    await page.waitForURL(/view\.root=\d+/)
    await page.keyboard.press('ArrowRight')
    await page.getByRole('searchbox', { name: t('view.search') }).fill('d (')
    await page.locator('[role=status]', { hasText: t('view.found', { count: 1 }) }).waitFor()
    await page.getByRole('button', { name: t('node.clear') }).click()
    await page.waitForFunction(() => !location.search.includes('view.root'))

    await page.getByRole('button', { name: k('form.change'), exact: true }).click()
    await page
      .locator('.nv-form textarea')
      .first()
      .fill(tree.replace('(((', '((('.slice(1)))
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await page.locator('.nv-field-problem').first().waitFor({ timeout: firstResultMs })
    expect(complaints).toEqual([])
    await context.close()
  })

  it('from the page of a gene: its orthogroup over all assemblies', async () => {
    const { page, context, complaints } = await visit(`/gene?id=${facts.kinase.gene}&assembly=${facts.reference}`, {
      language,
    })
    await settle(page)
    await page.getByRole('button', { name: translator(pages, language)('gene.analyse') }).click()
    await page.getByRole('menuitem', { name: t('panel.orthogroup'), exact: true }).click()
    await page.locator('.tree-scroll').waitFor({ timeout: firstResultMs })
    await page.locator('.tree-notes', { hasText: t('note.three') }).waitFor()
    await page.locator('.tree-legend', { hasText: facts.relative }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
