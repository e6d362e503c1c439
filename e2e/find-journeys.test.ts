import { describe, expect, inject } from 'vitest'
import { messages as sequenceTexts } from '../src/kit/ui/gene/sequence-messages.ts'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import geneSearch from '../src/tools/genesearch/messages.ts'
import sequencefetch from '../src/tools/sequencefetch/messages.ts'
import { messages as home } from '../src/web/messages/home.ts'
import { messages as pages } from '../src/web/messages/pages.ts'
import { messages as shell } from '../src/web/messages/shell.ts'
import { download, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

const ask = async <T>(path: string): Promise<T> =>
  ((await (await fetch(`${inject('portalUrl')}${path}`)).json()) as { data: T }).data

interface Assembly {
  id: string
  species: string
  name: string
  reference: boolean
  outgroup: boolean
  geneCount: number
  lengthBp: number
  exampleGenes: { id: string; symbol: string | null }[]
}
const listAssemblies = async (): Promise<Assembly[]> =>
  (await ask<{ species: { assemblies: Assembly[] }[] }>('/api/species/')).species.flatMap((one) => one.assemblies)

inTurn('a biologist who reads %s', (language, it) => {
  const t = translator(pages, language)
  const h = translator(home, language)
  const s = translator(shell, language)
  const k = translator(kit, language)

  it('sees on Home what is loaded, drawn from its own figures, and searches from there', async () => {
    const { page, context, complaints } = await visit('/home', { language })
    await page.locator('.home-ring .ring-forward').first().waitFor()
    await settle(page)
    const assemblies = await listAssemblies()
    const genes = assemblies.reduce((sum, one) => sum + one.geneCount, 0)
    const figures = await page.locator('.home-figures div').allInnerTexts()
    const figure = (name: string): string =>
      (figures.find((text) => text.endsWith(name)) ?? '').replace(name, '').trim()
    expect(figure(h('home.assemblies', { outgroups: assemblies.filter(({ outgroup }) => outgroup).length }))).toBe(
      String(assemblies.length),
    )
    expect(figure(h('home.genes'))).toBe(new Intl.NumberFormat(language).format(genes))
    // The ring draws every sequence with both strands; its genes are numbers, not decoration.
    const drawn = await page
      .locator('.home-ring .ring-forward')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')?.length ?? 0))
    expect(Math.max(...drawn)).toBeGreaterThan(1000)
    expect(await page.locator('.home-species').count()).toBeGreaterThan(0)
    // Kinds of data are named, not shown as their keys.
    expect(await page.locator('.home-tags').first().innerText()).not.toMatch(/:|-/)
    const reference = assemblies.find((one) => one.reference)!
    const wanted = reference.exampleGenes[0]!
    const box = page.locator('.home-search [role=combobox]')
    await box.fill(wanted.id)
    await page.locator('[role=option]').first().waitFor()
    await box.press('Enter')
    await page.waitForURL(/\/search\?/)
    expect(new URL(page.url()).searchParams.get('q')).toBe(wanted.id)
    await page.locator('.search-list li').first().waitFor()
    expect(await page.locator('.search-list li').first().innerText()).toContain(wanted.id)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('browses the genes of a species from its card on Home: the table has as many as the card says', async () => {
    const { page, context, complaints } = await visit('/home', { language })
    const card = page.locator('.home-species').first()
    const id = new URL(
      (await card.getByRole('link', { name: h('home.files') }).getAttribute('href'))!,
      page.url(),
    ).searchParams.get('species')
    const genes = (await listAssemblies())
      .filter(({ species }) => species === id)
      .reduce((sum, one) => sum + one.geneCount, 0)
    await card.getByRole('link', { name: translator(geneSearch, language)('open.genesOfAssemblies') }).click()
    await page.waitForURL(/\/tools\/GeneSearch\?/)
    await page.locator('.nv-table tbody tr').first().waitFor()
    const found = translator(geneSearch, language)('head.total', { count: genes })
    expect(await page.locator('.nv-table-count').first().innerText()).toBe(found)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('goes from Home to a gene by one of the examples', async () => {
    const { page, context, complaints } = await visit('/home', { language })
    const example = page.locator('.home-try button').first()
    const word = await example.innerText()
    await example.click()
    await page.waitForURL(/\/search\?/)
    const first = page.locator('.search-list li a').first()
    await first.click()
    await page.waitForURL(/\/gene\?/)
    await page.locator('.gene-head h1').waitFor()
    expect(await page.locator('.gene-head').innerText()).toContain(word)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('searches words, narrows by facets kept in the address, and goes back', async () => {
    const { page, context, complaints } = await visit(`/search?q=${facts.search.word}`, { language })
    await page.locator('.search-list li').first().waitFor()
    expect(await page.locator('.search-facet h2').allInnerTexts()).toEqual(
      expect.arrayContaining([t('search.facetType'), t('search.facetSpecies'), t('search.facetAssembly')]),
    )
    const before = await page.locator('.search-bar [role=status]').innerText()
    const facet = page.locator('.search-facet', { hasText: t('search.facetType') }).locator('button', {
      hasText: s('type.gene'),
    })
    const count = Number((await facet.locator('small').innerText()).replaceAll(',', ''))
    await facet.click()
    await page.waitForURL(/type=gene/)
    await page.locator(`.search-bar [role=status]:not(:text-is(${JSON.stringify(before)}))`).waitFor()
    // What stands on one page is counted as it is shown, orthologs once; the facet counts every entry.
    const entries = page.locator('.search-bar').getByText(t('search.entries', { count }))
    const shown = (await entries.count()) === 0 ? count : await page.locator('.search-list > li').count()
    expect(await page.locator('.search-bar [role=status]').innerText()).toBe(
      t('search.results', { count: shown, q: facts.search.word }),
    )
    for (const kind of await page.locator('.search-list li .search-name .nv-tag').allInnerTexts()) {
      expect(kind).toBe(s('type.gene'))
    }
    await page.goBack()
    await page.locator(`.search-bar [role=status]:text-is(${JSON.stringify(before)})`).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('sends chosen genes of several assemblies on with the assembly that most are of', async () => {
    const found = await ask<{ entries: { type: string; assembly: string }[] }>(
      `/api/search/?q=${facts.search.shared}&type=gene&pageSize=25`,
    )
    const counts = new Map<string, number>()
    for (const { assembly } of found.entries) counts.set(assembly, (counts.get(assembly) ?? 0) + 1)
    expect(counts.size).toBeGreaterThan(1)
    const max = Math.max(...counts.values())
    const { page, context, complaints } = await visit(`/search?q=${facts.search.shared}&type=gene`, {
      language,
    })
    await page.getByText(t('search.selectPage')).click()
    await page.getByRole('button', { name: k('sets.save') }).click()
    const heading = page.locator('[role=menu] .nv-menu-heading', { hasText: String(max) })
    await heading.first().waitFor()
    await heading.first().locator('~ [role=menuitem]').first().click()
    await page.waitForURL(/\/tools\//)
    const address = new URL(page.url()).searchParams
    expect(counts.get(address.get('assembly') ?? '')).toBe(max)
    expect(address.get('genes')?.split(',')).toHaveLength(max)
    await page.getByText(k('sets.leftOut', { count: found.entries.length - max })).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is suggested a gene of several strains once, and told in how many genomes it is', async () => {
    const { entries } = await ask<{
      entries: { label: string; id: string; assembly: string; orthologOf: number | null }[]
    }>(`/api/search/suggest/?${new URLSearchParams({ q: facts.core.name, limit: '60', orthologs: 'true' })}`)
    const others = entries.filter(({ orthologOf }) => orthologOf === 0)
    expect(others.length).toBeGreaterThan(0)
    const { page, context, complaints } = await visit('/home', { language })
    await page.locator('.home-search [role=combobox]').fill(facts.core.name)
    const first = page.locator('[role=option]').first()
    await first.waitFor()
    expect(await page.locator('[role=option]').count()).toBe(
      entries.filter(({ orthologOf }) => orthologOf === null).slice(0, 8).length,
    )
    const genomes = new Set(others.map(({ assembly }) => assembly)).size
    expect(await first.innerText()).toContain(s('search.genomes', { name: '', others: genomes }).trim())
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is forgiven a slip of the finger, and told so', async () => {
    const { page, context } = await visit(`/search?q=${facts.search.slip}`, { language })
    const note = page.locator('.search-results .nv-banner-info')
    await note.waitFor()
    expect(await note.innerText()).toContain(facts.search.slip)
    expect(await note.innerText()).toMatch(new RegExp(facts.search.meant))
    expect(await page.locator('.search-list li').count()).toBeGreaterThan(0)
    await context.close()
  })

  it('is offered the gene that a mistyped name may mean where ids are checked, and takes it', async () => {
    const reference = (await listAssemblies()).find((one) => one.reference && one.exampleGenes.length > 0)!
    const { id, symbol } = reference.exampleGenes[0]!
    const name = symbol ?? id
    const typed = name[0] + name
    const { page, context, complaints } = await visit(
      `/tools/sequenceextraction?${new URLSearchParams({ genes: typed, assembly: reference.id })}`,
      { language },
    )
    await page.getByRole('button', { name: k('genes.check'), exact: true }).click()
    await page.getByText(k('genes.nearest', { query: typed })).waitFor()
    const chip = page.locator('.nv-gene-check .nv-chip').filter({ hasText: id }).first()
    await chip.click()
    const text = await page.locator('textarea').first().inputValue()
    expect(text.trim()).toBe(id)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is told when nothing has the words', async () => {
    const { page, context } = await visit('/search?q=qqzzxxqqzzxx', { language })
    await page.getByText(t('search.none', { q: 'qqzzxxqqzzxx' })).waitFor()
    expect(await page.locator('main').innerText()).toContain(t('search.noneWhy'))
    await context.close()
  })

  it('asks for a place and fetches its sequence from there', async () => {
    const reference = (await listAssemblies()).find((one) => one.reference)!
    const { gene } = await ask<{ gene: { sequence: string; start: number; end: number } }>(
      `/api/genes/${reference.exampleGenes[0]!.id}/?assembly=${reference.id}`,
    )
    const { page, context, complaints } = await visit(
      `/search?assembly=${reference.id}&q=${gene.sequence}:${gene.start}..${gene.end}`,
      { language },
    )
    await page.locator('.search-region').waitFor()
    await page.locator('.search-region a', { hasText: translator(sequencefetch, language)('open.region') }).click()
    await page.locator('.nv-sequence-header').first().waitFor()
    expect(await page.locator('.nv-sequence-header').first().innerText()).toContain(`${gene.sequence}:${gene.start}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('asks for a place on the reverse strand, and keeps the strand up to its sequence', async () => {
    const reference = (await listAssemblies()).find((one) => one.reference)!
    const { gene } = await ask<{ gene: { sequence: string; start: number; end: number } }>(
      `/api/genes/${reference.exampleGenes[0]!.id}/?assembly=${reference.id}`,
    )
    const { page, context, complaints } = await visit(
      `/search?assembly=${reference.id}&q=${gene.sequence}:${gene.end}..${gene.start}`,
      { language },
    )
    const words = language.startsWith('zh') ? '负链' : 'reverse strand'
    await page.locator('.search-region', { hasText: words }).waitFor()
    await page.locator('.search-region a', { hasText: translator(sequencefetch, language)('open.region') }).click()
    await page.locator('.nv-headline', { hasText: words }).waitFor()
    expect(await page.locator('main').innerText()).toContain(translator(sequencefetch, language)('strand.reverse'))
    expect(new URL(page.url()).searchParams.get('sequence')).toBe(`${gene.sequence}:${gene.end}..${gene.start}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('reads everything known of a gene on its page', async () => {
    const reference = (await listAssemblies()).find((one) => one.reference)!
    const wanted = reference.exampleGenes[0]!
    const { page, context, complaints } = await visit(`/gene?id=${wanted.id}&assembly=${reference.id}`, {
      language,
    })
    await page.locator('.gene-head h1').waitFor()
    for (const section of ['summary', 'structure', 'function', 'sequences'] as const) {
      await page.locator('.gene-index', { hasText: t(`gene.${section}`) }).waitFor()
      if (section !== 'summary') await openSection(page, section)
      await expect
        .poll(async () => (await page.locator(`#${section}`).innerText()).length, { message: section })
        .toBeGreaterThan(20)
    }
    // Sequences come from the extraction tool: each kind when its tab is opened.
    await page.locator('#sequences .nv-sequence-header').first().waitFor()
    const protein = await page.locator('#sequences pre').first().innerText()
    expect(protein.replaceAll(/[\d,\s]/g, '')).toMatch(/^[MVLI][A-Z]+/)
    await page.locator('#sequences [data-tab=cds]').click()
    await page
      .locator('#sequences .nv-sequence-bar', {
        hasText: translator(sequenceTexts, language)('sequence.nt', { count: 0 }).replace(/[\d\s]/g, ''),
      })
      .first()
      .waitFor()
    expect((await page.locator('#sequences pre').first().innerText()).replaceAll(/[\d,\s]/g, '')).toMatch(/^[ACGTN]+$/i)
    // Its neighbours, in every genome where they were compared.
    expect(await page.locator('.gene-index').innerText()).toContain(t('gene.neighbourhood'))
    await page
      .locator('.nv-fold', { has: page.getByRole('heading', { name: t('gene.neighbourhood') }) })
      .locator('svg[data-figure]')
      .first()
      .waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('takes the record of a gene away as GFF3 and JSON, and prints the page whole without its controls', async () => {
    const reference = (await listAssemblies()).find((one) => one.reference)!
    const wanted = reference.exampleGenes[0]!
    const { page, context } = await visit(`/gene?id=${wanted.id}&assembly=${reference.id}`, { language })
    await openSection(page, 'sequences')
    await page.locator('#sequences pre').first().waitFor()
    await page.locator('.gene-head button', { hasText: t('gene.download') }).click()
    const gff3 = await download(page, () => page.getByRole('menuitem', { name: t('gene.downloadGff3') }).click())
    expect(gff3.text).toMatch(/^##gff-version 3\n# NovoDB /)
    expect(gff3.text).toContain(`# data ${reference.id}, bundle `)
    expect(gff3.text.match(/\tgene\t/g)).toHaveLength(1)
    expect(gff3.text).toContain(`ID=${wanted.id}`)
    await page.locator('.gene-head button', { hasText: t('gene.download') }).click()
    const json = await download(page, () => page.getByRole('menuitem', { name: t('gene.downloadJson') }).click())
    expect(JSON.parse(json.text)).toMatchObject({ gene: { id: wanted.id }, receipt: { tool: 'gene' } })
    // Folded again, it has loaded all the same.
    await page.locator('#sequences .nv-fold-button').click()
    await page.locator('#sequences pre').first().waitFor({ state: 'hidden' })
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    expect(await page.locator('.gene-head h1').isVisible()).toBe(true)
    expect(await page.locator('#sequences pre').first().isVisible()).toBe(true)
    // Between the margins of A4 nothing scrolls: figures are drawn for it, or made smaller.
    const figures = await page
      .locator('.nv-figure svg[data-figure]')
      .evaluateAll((all) =>
        all.map((one) => one.closest('.nv-layers') !== null || one.classList.contains('nv-fits-sheet')),
      )
    expect(figures.length).toBeGreaterThan(0)
    expect(figures).not.toContain(false)
    // Heads of tables are repeated on each sheet, which those with buttons are not.
    expect(await page.locator('.nv-table thead').count()).toBeGreaterThan(0)
    expect(await page.locator('.nv-table thead :is(button, input, select):visible').count()).toBe(0)
    // Where the page was and when, as on no screen.
    expect(await page.locator('.gene-printed').innerText()).toContain(`/gene?id=${wanted.id}`)
    expect(
      await page
        .locator('.shell-header, .gene-index, .nv-page-actions, .nv-card-actions, .nv-table-tools, .nv-table-foot')
        .filter({ visible: true })
        .count(),
    ).toBe(0)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
    const box = await page
      .locator('.nv-sequence-box')
      .first()
      .evaluate((one) => [one.scrollHeight, one.clientHeight])
    expect(box[0]).toBeLessThanOrEqual(box[1]! + 1)
    await context.close()
  })

  it('finds sections folded to what they found, opened by their place in the address, and as they were left on the next gene', async () => {
    const reference = (await listAssemblies()).find((one) => one.reference)!
    const wanted = reference.exampleGenes[0]!
    const address = `/gene?id=${wanted.id}&assembly=${reference.id}`
    const { page, context, complaints } = await visit(address, { language })
    await settle(page)
    const titles = await page.locator('.gene-column h2').allInnerTexts()
    expect(new Set(titles).size).toBe(titles.length)
    expect(await page.locator('#jbrowse .nv-fold-content').isHidden()).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(5000)
    // By the keyboard, and then by an address of its own.
    await page.locator('#sequences .nv-fold-button').focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('#sequences .nv-fold-button').getAttribute('aria-expanded')).toBe('false')
    await page.goto(`${inject('portalUrl')}${address}#references`)
    await page.locator('#references .nv-fold-content > :not(.nv-fold-held)').first().waitFor()
    expect(await page.locator('#references').evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(
      true,
    )
    expect(await page.locator('#sequences .nv-fold-button').getAttribute('aria-expanded')).toBe('false')
    await page.getByRole('button', { name: t('gene.openAll') }).click()
    expect(await page.locator('.nv-fold-button[aria-expanded=false]').count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('has one menu of all that can be done with a gene on a phone', async () => {
    const reference = (await listAssemblies()).find((one) => one.reference)!
    const wanted = reference.exampleGenes[0]!
    const { page, context } = await visit(`/gene?id=${wanted.id}&assembly=${reference.id}`, {
      language,
      width: 390,
      height: 844,
    })
    await settle(page)
    expect(await page.locator('.nv-page-actions :is(button, a)').count()).toBe(1)
    await page.getByRole('button', { name: t('gene.actions'), exact: true }).click()
    const items = await page.getByRole('menuitem').allInnerTexts()
    expect(items).toContain(t('gene.downloadGff3'))
    expect(items.length).toBeGreaterThan(10)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await context.close()
  })

  it('is told when no gene has the name, and where to search', async () => {
    const { page, context } = await visit('/gene?id=NOSUCHGENE1', { language })
    await page.getByText(t('gene.notFound', { id: 'NOSUCHGENE1' })).waitFor()
    await page.locator('main a', { hasText: t('search.title') }).click()
    await page.waitForURL(/\/search\?q=NOSUCHGENE1/)
    await context.close()
  })

  describe('of which everything is known', () => {
    it('sees a gene as it is: place, strand, exons, residues, terms', async () => {
      const { page, context, complaints } = await visit(`/gene?id=${facts.known.gene}&assembly=${facts.reference}`, {
        language,
      })
      await page.locator('.gene-head h1 i').waitFor()
      expect(await page.locator('.gene-head h1').innerText()).toMatch(
        new RegExp(`${facts.known.name}\\s*${facts.known.gene}`),
      )
      const summary = await page.locator('#summary').innerText()
      expect(summary).toContain(facts.known.locus)
      expect(summary).toContain(t(facts.known.reverse ? 'gene.strandMinus' : 'gene.strandPlus'))
      expect(summary).toContain(t('gene.proteinLength', { count: facts.known.residues }))
      expect(summary).toContain(t('gene.transcriptsValue', { count: 1, exons: facts.known.exons }))
      // Its protein, from the residues of the genome: begins as it should, ends before the stop.
      await openSection(page, 'sequences')
      await page.locator('#sequences pre').first().waitFor()
      expect((await page.locator('#sequences pre').first().innerText()).replaceAll(/[\d,\s]/g, '')).toMatch(
        new RegExp(`^${facts.known.begins}`),
      )
      const terms = await page.locator('#function').innerText()
      expect(terms).toContain(facts.known.term[0])
      expect(terms).toContain(facts.known.term[1])
      expect(complaints).toEqual([])
      await context.close()
    })

    it('finds a gene by its symbol in any letters, and one of another sequence', async () => {
      const { page, context } = await visit(`/gene?id=${facts.known.name.toLowerCase()}&assembly=${facts.reference}`, {
        language,
      })
      await page.locator('.gene-head h1').waitFor()
      expect(await page.locator('.gene-head h1').innerText()).toContain(facts.known.gene)
      await page.goto(`${inject('portalUrl')}/gene?id=${facts.known.elsewhere.name}&assembly=${facts.reference}`)
      await page.locator('.gene-head h1').waitFor()
      expect(await page.locator('#summary').innerText()).toContain(`${facts.known.elsewhere.sequence}:`)
      await context.close()
    })
  })
})
