import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { makeBases } from '../src/testing/random.ts'
import { formatNames } from '../src/tools/blast/hits/formats.ts'
import blast from '../src/tools/blast/messages.ts'
import { limits } from '../src/tools/blast/tool.ts'
import extraction from '../src/tools/sequenceextraction/messages.ts'
import { download, invite, open, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

/** Runs the form and waits for the job's result; gives back the address of the job. */
const run = async (page: Page): Promise<string> => {
  await page.locator('button[type=submit]').click()
  await page.waitForURL(/[?&]job=/)
  await page.locator('.nv-headline').waitFor({ timeout: 60_000 })
  await settle(page)
  return page.url().slice(inject('portalUrl').length)
}

/** The cells of a column of the table of hits, as shown. */
const column = async (page: Page, title: string): Promise<string[]> => {
  const heads = (await page.locator('.nv-table thead tr').first().locator('th').allInnerTexts()).map((one) =>
    one.trim(),
  )
  const at = heads.indexOf(title)
  expect(at, title).toBeGreaterThan(0)
  return (await page.locator(`.nv-table tbody tr td:nth-child(${at + 1})`).allInnerTexts()).map((one) => one.trim())
}

/** What a search by program interface makes, as the page would: the id of its job. */
const submit = async (input: object): Promise<string> => {
  const response = await fetch(`${inject('portalUrl')}/api/tools/blast/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
    body: JSON.stringify(input),
  })
  const answer = (await response.json()) as { data: { job: { id: string } } }
  return answer.data.job.id
}

interface Facts {
  assembly: string
  gene: string
  databases: string[]
}
const findFacts = async (): Promise<Facts> => {
  const answer = (await (await fetch(`${inject('portalUrl')}/api/species/`)).json()) as {
    data: { species: { assemblies: { id: string; reference: boolean; exampleGenes: { id: string }[] }[] }[] }
  }
  const { assemblies } = answer.data.species[0]!
  const reference = assemblies.find((one) => one.reference)!
  return {
    assembly: reference.id,
    gene: facts.spliced.gene,
    databases: assemblies.slice(0, 3).map((one) => `${one.id}/genome`),
  }
}

it('a search that was cancelled is searched anew when it is run again as it stands', async () => {
  const k = translator<string>(kit, 'en-US')
  const { assembly } = await findFacts()
  const { page, context } = await visit(
    `/tools/blast?${new URLSearchParams({ program: 'tblastx', databases: `${assembly}/genome` })}`,
  )
  await settle(page)
  // Long enough to be still at work when it is cancelled; a linear congruence draws the same bases every time.
  let state = 1
  const bases = Array.from({ length: 200_000 }, () => {
    state = (state * 48_271) % 2_147_483_647
    return 'ACGT'[state % 4]
  }).join('')
  await page.locator('.nv-form textarea').first().fill(`>made up\n${bases}`)
  const cancelled = async (): Promise<string | null> => {
    await page.locator('button[type=submit]').click()
    await page.waitForURL(/[?&]job=/)
    await page.getByRole('button', { name: k('job.cancel'), exact: true }).click({ timeout: 15_000 })
    await page.getByText(k('job.cancelled'), { exact: true }).waitFor({ timeout: 15_000 })
    return new URL(page.url()).searchParams.get('job')
  }
  const first = await cancelled()
  await page.waitForTimeout(500)
  expect(await cancelled()).not.toBe(first)
  await context.close()
}, 60_000)

inTurn('a biologist who reads %s', (language, it) => {
  const t = translator<string>(blast, language)
  const k = translator(kit, language)

  it('an answer that is there stays: the job that gave it takes its address without waiting anew', async () => {
    const { page, context, complaints } = await visit('/tools/blast', { language })
    await settle(page)
    await page.locator('.nv-form-example button').click()
    // The second time the answer is a kept one, given at once.
    for (const _ of [1, 2]) {
      await page.evaluate(() => {
        const states: string[] = []
        Object.assign(window, { states })
        new MutationObserver(() => {
          const place = document.querySelector('.nv-tool-result')
          const state = place?.querySelector('.nv-headline')
            ? 'answer'
            : place?.querySelector('.nv-job')
              ? 'job'
              : place?.querySelector('.nv-waiting')
                ? 'waiting'
                : 'other'
          if (states.at(-1) !== state) states.push(state)
        }).observe(document.body, { childList: true, subtree: true })
      })
      await run(page)
      const states = await page.evaluate(() => (window as unknown as { states: string[] }).states)
      expect(states.at(-1)).toBe('answer')
      expect(states.filter((state) => state === 'answer')).toHaveLength(1)
      // From the button to the job there is one waiting, not another between the answer and its address.
      expect(states.filter((state) => state === 'waiting').length, states.join(' ')).toBeLessThanOrEqual(1)
      await page.goBack()
      await page.locator('.nv-headline').waitFor({ state: 'detached' })
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  it('runs the example: a job, its hits, and the alignment of the gene with itself; reload, back and another browser show the same', async () => {
    const { page, context, complaints } = await visit('/tools/blast', { language })
    await settle(page)
    await page.locator('.nv-form-example button').click()
    const address = await run(page)
    const headline = await page.locator('.nv-headline').innerText()
    await page.locator('.blast-open-link').first().click()
    const alignment = page.locator('.blast-alignment').first()
    await alignment.waitFor()
    const text = await alignment.innerText()
    expect(text).toContain(t('alignment.query'))
    expect(text).toContain(t('alignment.subject'))
    // The best hit of a gene in its own genome is itself: both rows of the first block are the same bases.
    const rows = await alignment.locator('.blast-block').first().locator('code').allInnerTexts()
    expect(rows[0]).toMatch(/^[ACGTN-]{20,}$/i)
    expect(rows[2]).toBe(rows[0])
    expect(new URL(page.url()).searchParams.get('hit')).toBe('1')
    expect(await page.locator('.blast-hit svg[data-figure] polygon').count()).toBeGreaterThan(0)

    await page.reload()
    await page.locator('.blast-alignment').first().waitFor()
    expect(await page.locator('.nv-headline').innerText()).toBe(headline)

    await page.locator('.blast-hit a', { hasText: t('hit.jbrowse') }).click()
    await page.waitForURL(/\/jbrowse\//)
    expect(new URL(page.url()).searchParams.get('hits')).toBe(
      new URL(address, inject('portalUrl')).searchParams.get('job'),
    )
    await page.goBack()
    await page.locator('.nv-headline').waitFor()
    expect(await page.locator('.nv-headline').innerText()).toBe(headline)
    expect(complaints).toEqual([])
    await context.close()

    const other = await visit(address, { language })
    await other.page.locator('.nv-headline').waitFor()
    expect(await other.page.locator('.nv-headline').innerText()).toBe(headline)
    // The form of a linked search is filled in as it was run.
    expect(await other.page.locator('.nv-gene-input textarea').inputValue()).not.toBe('')
    expect(other.complaints).toEqual([])
    await other.context.close()
  })

  it('sees the hits drawn along the query, on the chromosomes and in a circle, and reaches all of it with the keyboard', async () => {
    const facts = await findFacts()
    const job = await submit({
      genes: [facts.gene],
      assembly: facts.assembly,
      program: 'blastn',
      task: 'blastn',
      databases: facts.databases,
    })
    const { page, context, complaints } = await visit(`/tools/blast?job=${job}`, { language })
    await page.locator('.blast-row').first().waitFor({ timeout: 60_000 })
    const tabs = page.locator('.nv-tabs [role=tab]')
    expect(await tabs.allInnerTexts()).toEqual(
      ['result.tabOverview', 'result.tabMap', 'result.tabCircle', 'result.tabDownloads'].map((key) => t(key)),
    )
    await tabs.first().focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('.blast-chromosome').first().waitFor()
    expect(new URL(page.url()).searchParams.get('view')).toBe('map')
    // A figure for each assembly that was hit, and a mark for each place.
    expect(await page.locator('.nv-figure svg[data-figure]').count()).toBeGreaterThan(0)
    await page.locator('.blast-mark').first().focus()
    await page.keyboard.press('Enter')
    await page.locator('.blast-alignment').first().waitFor()
    const genes = await page.locator('.blast-under a').allInnerTexts()
    await page.locator('.blast-hit button', { hasText: '' }).last().press('Enter')
    await page.locator('.blast-hit').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('hit')).toBeNull()
    await tabs.nth(1).focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('.blast-circle .blast-ribbon').first().waitFor()
    // The numbers behind the drawing are as many as its ribbons.
    const ribbons = await page.locator('.blast-circle .blast-ribbon').count()
    await page.locator('.nv-figure button', { hasText: k('figure.numbers') }).click()
    expect(await page.locator('.nv-figure tbody tr').count()).toBe(Math.min(25, ribbons))
    await tabs.nth(2).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.locator('.blast-row').first().focus()
    await page.keyboard.press(' ')
    await page.locator('.blast-alignment').first().waitFor()
    const svg = await download(page, () => page.locator('.nv-figure button', { hasText: 'SVG' }).first().click())
    expect(svg.text).toMatch(/^<svg /)
    // Under the best hit in the gene's own genome lies the gene, with a way to its page.
    expect([...genes, ...(await page.locator('.blast-under a').allInnerTexts())].join(' ')).toContain(facts.gene)
    const link = page.locator('.blast-under a', { hasText: facts.gene }).first()
    const gene = new URL((await link.getAttribute('href'))!, inject('portalUrl')).searchParams
    await link.click()
    await page.waitForURL(/\/gene\?/)
    expect(new URL(page.url()).searchParams.get('id')).toBe(gene.get('id'))
    await page.locator('h1').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  describe('with twenty proteins', () => {
    let job: string
    const queries = 20
    beforeAll(async () => {
      job = await submit({
        query: facts.proteins,
        program: 'blastp',
        databases: [facts.reference, facts.strain, facts.relative].map((id) => `${id}/protein`),
      })
    })

    it('chooses a query, sorts and filters its hits, chooses columns, and takes the table home in every format with the receipt', async () => {
      const { page, context, complaints } = await visit(`/tools/blast?job=${job}`, { language })
      const listed = page.locator('.blast-queries li button')
      await listed.first().waitFor({ timeout: 60_000 })
      expect(await listed.count()).toBe(queries)
      // The query with the most hits, so that there is something to sort.
      const counts = (await listed.locator('span').allInnerTexts()).map((text) => Number(text.replaceAll(/\D/g, '')))
      const max = counts.indexOf(Math.max(...counts))
      await listed.nth(max).click()
      await settle(page)
      expect(new URL(page.url()).searchParams.get('q') ?? '1').toBe(String(max + 1))
      const identity = t('column.identity')
      await page.locator('.nv-table thead button', { hasText: identity }).click()
      const sorted = (await column(page, identity)).map(Number)
      expect(sorted).toEqual([...sorted].sort((a, b) => a - b))
      await page.locator(`.nv-table [aria-label="${k('table.filters')}"]`).click()
      await page.locator(`[aria-label="${k('table.filterColumn', { column: identity })}"]`).fill('>=99')
      await page.waitForFunction(
        () => !/^\d+\s*\S*$/.test(document.querySelector('.nv-table-count')?.textContent ?? ''),
      )
      for (const value of await column(page, identity)) expect(Number(value)).toBeGreaterThanOrEqual(99)
      const shown = await page.locator('.nv-table tbody tr').count()
      expect(shown).toBeGreaterThan(0)
      expect(shown).toBeLessThan(counts[max]!)
      await page.locator(`[aria-label="${k('table.columns')}"]`).click()
      await page
        .locator('.nv-menu-checks label', { hasText: t('column.mismatches') })
        .locator('input')
        .check()
      await page.keyboard.press('Escape')
      expect((await column(page, t('column.mismatches'))).length).toBe(shown)

      for (const [format, all] of [
        ['TSV', false],
        ['CSV', true],
      ] as const) {
        await page.locator('.nv-table .nv-menu-button', { hasText: k('table.export') }).click()
        if (all) await page.getByRole('radio', { name: k('table.exportRowsAll', { count: counts[max]! }) }).check()
        const file = await download(page, () => page.getByRole('menuitem', { name: format, exact: true }).click())
        const lines = file.text
          .replace('\ufeff', '')
          .split(/\r?\n/)
          .filter((line) => line !== '')
        const rows = lines.filter((line) => !line.startsWith('#'))
        // The rows that pass the filter, or all where the reader chooses so; all columns, hidden on the screen or not.
        expect(rows).toHaveLength((all ? counts[max]! : shown) + 1)
        expect(rows[0]).toContain(t('column.gapOpens'))
        expect(lines[0]).toMatch(/^# NovoDB .*tool blast/)
        expect(file.text).toMatch(/^# blastp 2\.\d+\.\d+: .*-evalue/m)
      }
      await page.locator('.nv-table .nv-menu-button', { hasText: k('table.export') }).click()
      const sheet = await download(page, () => page.getByRole('menuitem', { name: 'XLSX', exact: true }).click())
      expect(sheet.name).toMatch(/\.xlsx$/)
      expect(sheet.text.startsWith('PK')).toBe(true)
      const json = await download(page, () =>
        page.locator('.nv-result-head button', { hasText: k('tool.json') }).click(),
      )
      expect(JSON.parse(json.text)).toMatchObject({
        tool: 'blast',
        result: { program: 'blastp' },
        receipt: { tool: 'blast' },
      })
      expect(complaints).toEqual([])
      await context.close()
    })

    it('takes the result home in every format of BLAST+ and the hits as FASTA', async () => {
      const { page, context, complaints } = await visit(`/tools/blast?job=${job}&view=downloads`, { language })
      await page.locator('.blast-files a').first().waitFor({ timeout: 60_000 })
      const links = page.locator('.blast-files a')
      const addresses = await links.evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href))
      const offered = addresses.flatMap((address) => /formats\/(\w+)$/.exec(address)?.[1] ?? [])
      // SAM is for nucleotides alone.
      expect(offered.sort()).toEqual(formatNames.filter((name) => name !== 'sam').sort())
      for (const address of addresses) {
        const response = await fetch(address)
        expect(response.status, address).toBe(200)
        expect(response.headers.get('content-disposition'), address).toMatch(/^attachment; filename="blast-/)
        expect((await response.text()).length, address).toBeGreaterThan(200)
      }
      const fasta = await download(page, () => links.last().click())
      expect(fasta.name).toMatch(/\.fa$/)
      expect(fasta.text).toMatch(/^>\S+:\d+-\d+ .*\n[A-Z*]+\n/)
      expect(complaints).toEqual([])
      await context.close()
    })

    it('keeps the genes of chosen hits as a set and sends them to another tool', async () => {
      const { page, context, complaints } = await visit(`/tools/blast?job=${job}`, { language })
      const row = page.locator('.nv-table tbody tr')
      await row.first().waitFor({ timeout: 60_000 })
      const [gene] = await column(page, t('column.gene'))
      await row.first().locator('.nv-cell-check input').check()
      await page.locator('.blast-actions button', { hasText: t('hit.collectGenes') }).click()
      const menu = page.locator('.blast-actions .nv-menu-button')
      await menu.click()
      await page.locator('.nv-set-form input').fill('Homologs')
      await page.locator('.nv-set-form button[type=submit]').click()
      const kept = await page.evaluate(() => localStorage.getItem('novodb_gene_sets') ?? '')
      const id = gene!.split(/\s/)[0]!
      expect(JSON.parse(kept)).toMatchObject([{ name: 'Homologs', genes: [id] }])
      await menu.click()
      await page.getByRole('menuitem', { name: translator(extraction, language)('title') }).click()
      await page.waitForURL(/\/tools\/sequenceextraction/)
      await page.locator('h1', { hasText: translator(extraction, language)('title') }).waitFor()
      await page.locator('.nv-gene-input textarea').waitFor()
      expect(await page.locator('.nv-gene-input textarea').inputValue()).toBe(id)
      expect(complaints).toEqual([])
      await context.close()
    })
  })

  it('is told beside the field what is wrong, and nothing typed is lost', async () => {
    const { page, context } = await visit('/tools/blast', { language })
    await settle(page)
    const box = page.locator('textarea').first()
    const problem = page.locator('.nv-field-problem')
    const refuse = async (text: string, expected: string, typed = true): Promise<void> => {
      if (typed) await box.fill(text)
      await page.locator('button[type=submit]').click()
      await problem.filter({ hasText: expected }).first().waitFor({ timeout: 30_000 })
      if (typed) expect(await box.inputValue()).toBe(text)
    }
    // Nothing at all.
    await refuse('', t('query.none'))
    // Letters that no base has, asked of a nucleotide program by an address that says so.
    await refuse(
      '>q\nACGTACGT@@ACGTACGTACGTACGTACGTACGTACGT',
      t('sequence.illegal', { letters: '“@” 2:9, 2:10', kinds: 1, more: 0 }),
    )
    // More sequences than are searched at once.
    const many = Array.from({ length: limits.queries + 1 }, (_, at) => `>q${at}\nACGTTGCATGCATGCATTGCA`).join('\n')
    await refuse(many, t('query.tooMany', { count: limits.queries + 1, maximum: limits.queries }))
    // An option that may not be given.
    await box.fill('>q\nACGTTGCATGCATGCATTGCATGCATGCATCG')
    await page.locator('summary', { hasText: t('form.parameters') }).click()
    await page.locator('details[open] input').last().fill('-remote')
    await refuse('', t('advanced.unknown', { option: '-remote' }), false)
    expect(await page.locator('details[open] input').last().inputValue()).toBe('-remote')
    // The wrong kind of sequence for the program, by the address that a program may write.
    await page.goto(
      `${inject('portalUrl')}/tools/blast?${new URLSearchParams({
        query: '>p1\nMKVLAAGIVGLLLAQWERTYPLKHGFDSAMNE',
        program: 'blastn',
        databases: (await findFacts()).databases[0]!,
        run: '1',
      })}`,
    )
    await problem
      .filter({ hasText: t('sequence.isProtein', { name: 'p1' }) })
      .first()
      .waitFor({ timeout: 30_000 })
    expect(await box.inputValue()).toContain('MKVLAAGIVG')
    // Too long a text, as it would be pasted: refused by the form, with the bound.
    await page.goto(`${inject('portalUrl')}/tools/blast`)
    await settle(page)
    await box.evaluate((element, length) => {
      const area = element as unknown as { value: string; dispatchEvent(event: Event): void }
      const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element) as object, 'value')?.set
      set?.call(area, `>q\n${'ACGTTGCA'.repeat(Math.ceil(length / 8))}`)
      area.dispatchEvent(new Event('input', { bubbles: true }))
    }, limits.queryCharacters)
    await page.locator('button[type=submit]').click()
    await problem
      .filter({ hasText: t('query.tooLong', { maximum: limits.queryCharacters }) })
      .first()
      .waitFor({ timeout: 30_000 })
    // A paste that is too long is refused at once, and what stood there stays; a long one is held whole, its beginning shown.
    await page.goto(`${inject('portalUrl')}/tools/blast`)
    await settle(page)
    const paste = (text: string): Promise<void> =>
      box.evaluate((element, pasted) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', pasted)
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    const kept = '>kept\nACGTTGCA\n'
    await box.fill(kept)
    await paste('A'.repeat(limits.queryCharacters))
    const refused = k('form.pasteTooLong', {
      count: kept.length + limits.queryCharacters,
      max: limits.queryCharacters,
    })
    await problem.filter({ hasText: refused }).waitFor()
    expect(await box.inputValue()).toBe(kept)
    await paste(`>long\r\n${'ACGTTGCA\r\n'.repeat(50_000)}`)
    const held = page.getByText(k('form.longText', { count: kept.length + 6 + 450_000, lines: 50_003 }))
    await held.waitFor()
    expect(await problem.count()).toBe(0)
    expect((await box.inputValue()).startsWith(`${kept}>long\nACGTTGCA\n`)).toBe(true)
    await page.waitForURL(/[?&]draft=/)
    await page.reload()
    await held.waitFor()
    await page.getByRole('button', { name: k('form.emptyBox') }).click()
    expect(await box.inputValue()).toBe('')
    await box.fill('>short\nACGT')
    await context.close()
  })

  it('is told why nothing was found and what to try, and a try is one click', async () => {
    const { databases } = await findFacts()
    const job = await submit({
      query: `>random\n${'GATCCTAGGT'.repeat(3)}CCGGTTAACCATTGGACGCGCGTATACGCGTTAGGGCCCAATCGCG`,
      program: 'blastn',
      task: 'megablast',
      databases: databases.slice(0, 1),
    })
    const { page, context } = await visit(`/tools/blast?job=${job}`, { language })
    const empty = page.locator('.nv-tool-result', { hasText: t('result.megablast') })
    await empty.waitFor({ timeout: 60_000 })
    expect(await page.locator('.nv-tool-result').innerText()).toContain(t('result.noHits', { query: 'random' }))
    await page
      .locator('.nv-tool-result a', { hasText: t('result.withBlastn') })
      .first()
      .click()
    // The same query, searched at once by another task: a result of its own.
    await page.waitForURL((url) => url.searchParams.has('job') && url.searchParams.get('job') !== job)
    await context.close()
  })

  it('can cancel a search that runs, and is told so', async () => {
    const { databases } = await findFacts()
    const bases = makeBases(400_000, language.length * 7919 + language.charCodeAt(0))
    const job = await submit({ query: `>long\n${bases}`, program: 'tblastx', databases, evalue: 1000 })
    const { page, context, complaints } = await visit(`/tools/blast?job=${job}`, { language })
    await page.locator('.nv-job button', { hasText: k('job.cancel') }).click({ timeout: 30_000 })
    await page.locator('.nv-tool-result', { hasText: k('job.cancelled') }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('reads a result on a telephone: nothing wider than the screen but what scrolls by itself', async () => {
    const facts = await findFacts()
    const job = await submit({
      genes: [facts.gene],
      assembly: facts.assembly,
      program: 'blastn',
      task: 'blastn',
      databases: facts.databases,
    })
    const context = await invite({ language, width: 390, height: 844, dark: true })
    for (const view of ['overview', 'map', 'circle', 'downloads']) {
      const { page, complaints } = await open(context, `/tools/blast?job=${job}&view=${view}&hit=1`)
      await page.locator('.blast-alignment').first().waitFor({ timeout: 60_000 })
      const [needed, given] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ])
      expect(needed, view).toBeLessThanOrEqual(given!)
      expect(complaints).toEqual([])
      await page.close()
    }
    await context.close()
  })
})
