import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/variation/messages.ts'
import { download, findBarriers, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('variants of strains, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('from the example to a file of all variants, and to the record of one', async () => {
    const { page, context, complaints } = await visit('/tools/variation', { language })
    await page.locator('.nv-facts').first().waitFor()
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    const rows = page.locator('.nv-table tbody tr')
    await rows.first().waitFor()
    const total = Number(/\d[\d,]*/.exec(await page.locator('.nv-headline').innerText())![0].replaceAll(',', ''))
    expect(total).toBeGreaterThan(3)
    const vcf = await download(page, async () => {
      await page.getByRole('button', { name: t('table.download') }).click()
      await page.getByRole('menuitem', { name: 'VCF' }).click()
    })
    const lines = vcf.text.trim().split('\n')
    expect(lines[0]).toMatch(/^##fileformat=VCFv4\.\d$/)
    expect(lines.filter((line) => !line.startsWith('#'))).toHaveLength(total)
    expect(vcf.text).toContain('BCSQ=')
    // So few are drawn at once.
    await page.locator('.variation-matrix image').waitFor()
    await rows.first().getByRole('link').first().click()
    await page.getByRole('heading', { name: t('record.genotypes') }).waitFor()
    expect(await page.locator('main').innerText()).toContain(facts.variation.sample)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a gene opens at its variants under /reseq/gene, and leads to its haplotypes and its linkage', async () => {
    const { page, context, complaints } = await visit(
      `/reseq/gene?id=${facts.variation.gene}&assembly=${facts.reference}`,
      {
        language,
        inspected: true,
      },
    )
    const panel = page.locator('#variation')
    await panel.locator('.variation-mark').first().waitFor()
    await expect.poll(() => panel.evaluate((one) => Math.abs(one.getBoundingClientRect().top) < innerHeight)).toBe(true)
    await panel
      .getByRole('link', { name: t('panel.haplotypes') })
      .first()
      .click()
    await page.getByRole('heading', { name: t('figure.haplotypes', { gene: facts.variation.name }) }).waitFor()
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    expect(await page.locator('main').innerText()).toContain(facts.variation.haplotypeOf)
    await page.goBack()
    await panel
      .getByRole('link', { name: t('panel.ld') })
      .first()
      .click()
    await page.getByRole('heading', { name: t('figure.ld') }).waitFor()
    expect(await page.locator('.variation-figure path').count()).toBeGreaterThan(30)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('the carriers of a chosen haplotype are listed, saved, and left again', async () => {
    const { page, context, complaints } = await visit(
      `/tools/variation?task=haplotypes&assembly=${facts.reference}&genes=${facts.variation.gene}&blocks=gametes&run=1`,
      { language },
    )
    const rows = page.locator('.variation-row')
    await rows.first().waitFor()
    const card = page.locator('.nv-card').filter({ has: page.getByRole('button', { name: t('carriers.copy') }) })
    const all = await card.locator('.nv-card-aside').innerText()
    await rows.first().focus()
    await page.keyboard.press('Enter')
    await card.getByRole('heading', { name: t('carriers.title', { haplotype: 'H1' }) }).waitFor()
    expect(await rows.first().getAttribute('aria-pressed')).toBe('true')
    const count = Number(/\d+/.exec(await card.locator('.nv-card-aside').innerText())![0])
    const tsv = await download(page, async () => {
      await card.getByRole('button', { name: k('table.export') }).click()
      await page.getByRole('menuitem', { name: 'TSV' }).click()
    })
    const lines = tsv.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines).toHaveLength(count + 1)
    for (const line of lines.slice(1)) expect(line).toMatch(/\tH1\b|\bH1\t/)
    await card.getByRole('button', { name: t('carriers.all') }).click()
    await expect.poll(() => card.locator('.nv-card-aside').innerText()).toBe(all)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('variants that are ticked, by the keyboard and over two runs, lead to the accessions that carry them', async () => {
    const { page, context, complaints } = await visit(
      `/tools/variation?assembly=${facts.reference}&region=${facts.variation.region}&run=1`,
      { language, inspected: true },
    )
    const boxes = page.locator('.nv-table tbody').getByRole('checkbox')
    await boxes.first().focus()
    await page.keyboard.press('Space')
    await page.getByText(t('chosen.count', { count: 1 })).waitFor()
    // The figure of genotypes as a table has the accessions, too.
    await page.locator('.variation-matrix image').waitFor()
    const figure = page.locator('.nv-figure').filter({ has: page.locator('.variation-matrix') })
    await figure.getByRole('button', { name: k('figure.numbers') }).click()
    expect(await figure.innerText()).toContain(facts.variation.sample)
    // What is ticked stays while another place is asked for.
    await page.goto(`${page.url().replace(/region=[^&]*/, `genes=${facts.variation.gene}`)}`.replace(/#.*/, ''))
    await page.getByText(t('chosen.count', { count: 1 })).waitFor()
    await boxes.last().focus()
    await page.keyboard.press('Space')
    await page.getByText(t('chosen.count', { count: 2 })).waitFor()
    await page.getByRole('link', { name: t('chosen.open', { count: 2 }) }).click()
    await page.getByRole('heading', { name: t('accessions.variants') }).waitFor()
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    await page.goto(`${page.url().replace('run=1', 'match=any&run=1')}`)
    const title = t('accessions.title', { match: 'any' })
    const card = page.locator('.nv-card').filter({ has: page.getByRole('heading', { name: title }) })
    await card.waitFor()
    const count = Number(/\d+/.exec(await card.locator('.nv-card-aside').innerText())![0])
    expect(count).toBeGreaterThan(0)
    await page.getByRole('heading', { name: t('accessions.groups') }).waitFor()
    const tsv = await download(page, async () => {
      await card.getByRole('button', { name: k('table.export') }).click()
      await page.getByRole('menuitem', { name: 'TSV' }).click()
    })
    expect(tsv.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toHaveLength(count + 1)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('variants that the set does not have are told at their field', async () => {
    const { page, context, complaints } = await visit(
      `/tools/variation?task=accessions&assembly=${facts.reference}&variants=nosuch1%0Anosuch2&run=1`,
      { language },
    )
    await page
      .getByText(t('problem.unknownVariants', { count: 2, names: 'nosuch1, nosuch2' }))
      .first()
      .waitFor()
    expect(complaints.filter((one) => !/4\d\d/.test(one))).toEqual([])
    await context.close()
  })

  it('a variant gets KASP primers and enzymes; what cannot be answered is told beside its box', async () => {
    const { page, context, complaints } = await visit(
      `/tools/variation?assembly=${facts.reference}&region=${facts.variation.region}&run=1`,
      {
        language,
      },
    )
    await page.locator('.nv-table tbody a').first().click()
    await page.getByRole('link', { name: t('record.marker') }).click()
    await page.getByRole('heading', { name: t('markers.kasp') }).waitFor()
    expect(await page.locator('main').innerText()).toMatch(/\[[ACGT]\/[ACGT]\]/)
    await page.goto(new URL(`/tools/variation?assembly=${facts.reference}&genes=nosuchgene&run=1`, page.url()).href)
    await page
      .getByText(t('problem.noGenes', { names: 'nosuchgene' }))
      .first()
      .waitFor()
    expect(complaints.filter((one) => !/4\d\d/.test(one))).toEqual([])
    await context.close()
  })

  it('the record page of a variant is the tool’s', async () => {
    const { page, context } = await visit(
      `/detail?type=variant&assembly=${facts.reference}&id=${facts.variation.variant}`,
      { language },
    )
    await page.getByRole('heading', { name: t('record.title', { name: facts.variation.variant }) }).waitFor()
    await context.close()
  })
})
