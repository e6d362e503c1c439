import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import mapMessages from '../src/tools/genemapping/messages.ts'
import messages from '../src/tools/pangenome/messages.ts'
import { download, findBarriers, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

inTurn('pan-genomes, read in %s', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)
  const m = translator(mapMessages, language)

  it('from Example to the genes that a strain lacks, their file, and their way to another tool', async () => {
    const { page, context, complaints } = await visit('/pangenome', { language, inspected: true })
    await page.locator('.pan-start li').first().waitFor()
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const core = page.locator('[data-class=core] td').nth(1)
    const before = Number((await core.innerText()).replace(/\D/g, ''))
    expect(before).toBeGreaterThan(facts.families)
    // Core in two of three is more than in all: the bound moves the table, the figures and the address.
    await page.getByLabel(t('classes.core'), { exact: true }).fill('60')
    await expect.poll(async () => Number((await core.innerText()).replace(/\D/g, ''))).toBeGreaterThan(before)
    expect(page.url()).toContain('view.core=60')
    // The first figure is saved, not the picture on a button above it.
    const classes = await download(page, () => page.getByRole('button', { name: 'SVG', exact: true }).first().click())
    expect(classes.text).toContain(`aria-label="${t('classes.title')}"`)
    expect(await page.locator('.pan-matrix image').getAttribute('href')).toMatch(/^data:image\/png;base64,/)
    // What the strain lacks and the reference has.
    const table = page.locator('#families')
    const all = await table.locator('.nv-card-aside').innerText()
    await table.getByLabel(t('families.present')).selectOption(facts.reference)
    await table.getByLabel(t('families.absent')).selectOption(facts.strain)
    await expect.poll(async () => table.locator('.nv-card-aside').innerText()).not.toBe(all)
    await settle(page)
    for (const missing of await table
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.textContent ?? '')))
      expect(missing).toContain(facts.strain)
    const file = await download(page, async () => {
      await table.getByRole('button', { name: t('families.file') }).click()
      await page.getByRole('menuitem', { name: t('families.fileGenes') }).click()
    })
    expect(file.name).toBe('gene-families-genes.tsv')
    expect(file.text).toMatch(/^# NovoDB/)
    expect(
      file.text.split('\n').filter((line) => /^OG-[^\s;,；，]+\t(core|softCore|shell|private)\t/.test(line)).length,
    ).toBeGreaterThan(facts.families)
    expect(await findBarriers(page)).toEqual([])
    await table
      .getByRole('button', { name: k('sets.save') })
      .first()
      .click()
    await page.getByRole('menuitem', { name: m('title') }).click()
    // It has all that it needs, and runs at once.
    await page.waitForURL(/\/tools\/genemapping\?.*run=1/)
    await page.locator('.nv-headline').waitFor()
    expect((await page.locator('.map-figure svg text').allTextContents()).some((text) => text.startsWith('chr'))).toBe(
      true,
    )
    expect(complaints).toEqual([])
    await context.close()
  })

  it('families are chosen by dragging over the matrix; the page of a gene tells its family and leads to its tree', async () => {
    const { page, context, complaints } = await visit(
      `/pangenome?assemblies=${facts.reference},${facts.strain},${facts.relative}&run=1`,
      {
        language,
      },
    )
    const matrix = page.locator('.pan-matrix svg')
    await matrix.waitFor()
    await settle(page)
    await matrix.scrollIntoViewIfNeeded()
    const box = (await matrix.boundingBox())!
    await page.mouse.move(box.x + box.width - 60, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 20, box.y + 70, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('button', { name: t('matrix.zoomTo') }).click()
    const chosen = await page.locator('.pan-bar strong').innerText()
    const count = Number(chosen.replace(/\D/g, ''))
    expect(count).toBeGreaterThan(10)
    expect(await page.locator('#families .nv-card-aside').innerText()).toBe(t('families.shown', { count }))
    await matrix.press('Home')
    await page.goto(`${inject('portalUrl')}/gene?id=${facts.kinase.gene}&assembly=${facts.reference}`)
    await openSection(page, 'pangenome')
    const panel = page.locator('#pangenome')
    await panel
      .getByText(/OG-[^\s;,；，]+/)
      .first()
      .waitFor()
    expect(await panel.innerText()).toContain(t('class.core'))
    await panel.getByRole('link', { name: t('panel.open') }).click()
    await page.waitForURL(/\/pangenome\?/)
    await page.locator('.nv-headline').waitFor()
    await page.locator('.pan-family').first().click()
    await page.waitForURL(/\/tools\/tree\?.*source=family/)
    expect(complaints).toEqual([])
    await context.close()
  })
})

inTurn('gene mapping, read in %s', (language, it) => {
  const t = translator(mapMessages, language)
  const k = translator(kit, language)

  it('from Example to a file; lists of positions with groups, and links, are drawn, and wrong lines are told', async () => {
    const { page, context, complaints } = await visit('/tools/genemapping', { language, inspected: true })
    await page.getByRole('button', { name: k('form.example'), exact: true }).click()
    await page.getByRole('button', { name: k('form.run'), exact: true }).click()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const list = new URLSearchParams({
      assembly: facts.reference,
      genes: `${facts.mapped.genes.join(' ')} nonesuch`,
      features: `${facts.mapped.other}\tkinase\nsite\t${facts.mapped.sequence}\t1000\t2000\t+\torigin\nbad\tchrXX\t5\t9\n`,
      links: `${facts.mapped.genes[0]} ${facts.mapped.linkTo}:500-900 pair`,
      family: 'true',
      run: '1',
    })
    await page.goto(`${inject('portalUrl')}/tools/genemapping?${list}`)
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const main = await page.locator('main').innerText()
    for (const text of ['nonesuch', 'chrXX', t('reason.sequence'), 'kinase', 'origin']) expect(main).toContain(text)
    const labels = page.locator('.map-figure svg .map-link text')
    expect((await labels.allTextContents()).map((text) => text.split(' ')[0]!)).toEqual(
      expect.arrayContaining(
        [...facts.mapped.genes, facts.mapped.other].map((name) => expect.stringMatching(`^${name}`)),
      ),
    )
    expect(await findBarriers(page)).toEqual([])
    await page.locator('.map-bar input[value=circle]').click()
    await page.locator('.map-circle').waitFor()
    expect(await page.locator('.map-pair').count()).toBe(facts.mapped.pairs)
    const svg = await download(page, () => page.getByRole('button', { name: 'SVG' }).first().click())
    expect(svg.text).toContain(facts.mapped.genes[1])
    const table = await download(page, async () => {
      await page
        .getByRole('button', { name: k('table.export') })
        .first()
        .click()
      await page.getByRole('menuitem').first().click()
    })
    expect(table.text).toContain(`${facts.mapped.sequence}\t1000\t2000`)
    expect(complaints).toEqual([])
    await context.close()
  })
})
