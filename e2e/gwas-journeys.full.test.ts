import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import enrichment from '../src/tools/enrichment/messages.ts'
import messages from '../src/tools/gwas/messages.ts'
import { download, findBarriers, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('associations, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('a trait of the loaded hits: figure, loci, the region of one with its linkage, a second trait, and candidates for enrichment', async () => {
    const { page, context, complaints } = await visit(`/tools/gwas?assembly=${facts.reference}`, {
      language,
      inspected: true,
    })
    await page.getByLabel(k('table.filter')).first().fill(facts.association.trait)
    await page.getByRole('link', { name: facts.association.trait }).click()
    await page.getByRole('heading', { level: 1, name: facts.association.trait }).waitFor()
    await page.locator('.gwas-plot path').first().waitFor()
    // Hits only: neither lambda nor a quantile plot, and it says why.
    await page.getByText(t('qq.hitsOnly')).waitFor()
    const plot = page.locator('.nv-figure', { has: page.getByRole('heading', { name: t('manhattan.title') }) })
    const drawn = await download(page, () => plot.getByRole('button', { name: 'SVG' }).click())
    // One mark a hit.
    expect(drawn.text.match(/h\.01|h0\.01/g)).toHaveLength(facts.association.hits)
    const loci = page.locator('.nv-card', { has: page.getByRole('heading', { name: t('loci.title'), exact: true }) })
    await loci.locator('tbody tr').first().click()
    const region = page.locator('#gwas-region')
    await region
      .getByRole('link', { name: t('region.gene', { gene: facts.association.name }) })
      .or(region.locator('a'))
      .first()
      .waitFor()
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel(t('miami.with')).selectOption({ label: facts.association.second })
    await page.getByRole('heading', { name: t('miami.title') }).waitFor()
    expect(new URL(page.url()).searchParams.get('view.with')).toBe(
      `${facts.association.dataset}|${facts.association.second}`,
    )
    await loci
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    await page.getByRole('menuitem', { name: translator(enrichment, language)('title'), exact: true }).click()
    await page.waitForURL(/\/tools\/enrichment\?/)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('from Example to the files of a run by GEMMA; bad values are told beside their box', async () => {
    const { page, context, complaints } = await visit(`/tools/gwas?assembly=${facts.reference}&source=pasted`, {
      language,
    })
    await settle(page)
    await page
      .getByLabel(t('field.values'))
      .first()
      .fill(`${facts.association.run.names[0]}\tlong\n${facts.association.run.names[1]}\tshort`)
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page
      .getByText(t('problem.notNumber', { line: 2, text: 'short' }))
      .first()
      .waitFor()
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    await page
      .getByText(
        t('help.variants', { samples: facts.association.run.samples, names: facts.association.run.names.join(', ') }),
      )
      .waitFor()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor({ timeout: 60_000 })
    expect(await page.locator('.nv-headline').innerText()).toContain(facts.association.run.top)
    await page.getByRole('heading', { name: t('qq.title') }).waitFor()
    await page.locator('summary', { hasText: t('about.run') }).click()
    const table = await download(page, () => page.getByRole('link', { name: 'gemma.assoc.txt' }).click())
    const rows = table.text
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
    expect(rows[0]).toContain('p_wald')
    expect(rows).toHaveLength(facts.association.run.rows)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a gene page tells the traits near it, and leads to all of them at its place', async () => {
    const { page, context, complaints } = await visit(
      `/gene?id=${facts.association.near}&assembly=${facts.reference}`,
      { language },
    )
    await openSection(page, 'gwas')
    const panel = page.locator('#gwas')
    await panel.getByRole('link', { name: t('panel.open') }).click()
    await page
      .getByRole('heading', { name: t('locus.figure') })
      .or(page.getByText(t('locus.none')))
      .first()
      .waitFor()
    await page.getByLabel(t('locus.flank')).fill('20000')
    // The gene by its names, and the segment with what was added on each side.
    await page.locator('.gwas-searched', { hasText: new RegExp(facts.association.searched) }).waitFor()
    await page.getByRole('link', { name: facts.association.trait }).first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
