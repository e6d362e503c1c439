import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import geneSearch from '../src/tools/genesearch/messages.ts'
import extraction from '../src/tools/sequenceextraction/messages.ts'
import fetching from '../src/tools/sequencefetch/messages.ts'
import { download, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

let work: string
let genome: string
beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'novodb-e2e-reference-'))
  genome = join(work, 'genome.fa')
  const bytes = readFileSync(facts.genomeFile)
  writeFileSync(genome, facts.genomeFile.endsWith('.gz') ? gunzipSync(bytes) : bytes)
})
afterAll(async () => {
  rmSync(work, { recursive: true, force: true })
})

/** Residues of a FASTA text, by record, without line ends. */
const residuesOf = (fasta: string): string[] =>
  fasta
    .split(/^>/m)
    .slice(1)
    .map((record) => record.slice(record.indexOf('\n')).replaceAll(/\s/g, ''))

/** What the reference program cuts out of the file that was loaded. */
const faidx = (...regions: string[]): string[] =>
  residuesOf(execFileSync('samtools', ['faidx', genome, ...regions], { encoding: 'utf8' }))

const runExample = async (page: Page, example: string, run: string): Promise<void> => {
  await page.locator('.nv-form-example button', { hasText: example }).click()
  await page.locator('button[type=submit]', { hasText: run }).click()
}

inTurn('a biologist who reads %s', (language, it) => {
  const k = translator(kit, language)
  const f = translator(fetching, language)
  const x = translator(extraction, language)
  const g = translator(geneSearch, language)

  it('leads from the form to the headline of what comes when it is run by keyboard', async () => {
    const { page, context } = await visit('/tools/sequencefetch', { language })
    await settle(page)
    await page.locator('.nv-form-example button', { hasText: k('form.example') }).click()
    const run = page.locator('button[type=submit]', { hasText: k('form.run') })
    await run.focus()
    await page.keyboard.press('Enter')
    await page.locator('.nv-sequence-header').first().waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.matches('.nv-headline'))).toBe(true)
    await context.close()
  })

  describe('fetches sequences', () => {
    it('by the example: shown, downloaded, linked, and there again after a reload', async () => {
      const { page, context, complaints } = await visit('/tools/sequencefetch', { language })
      await settle(page)
      await runExample(page, k('form.example'), k('form.run'))
      await page.locator('.nv-sequence-header').first().waitFor()
      const header = await page.locator('.nv-sequence-header').first().innerText()
      const headline = await page.locator('.nv-headline').innerText()
      expect(new URL(page.url()).searchParams.get('run')).toBe('1')
      const file = await download(page, () =>
        page
          .locator('.nv-tool-result')
          .getByRole('button', { name: f('result.download'), exact: true })
          .click(),
      )
      expect(file.name).toMatch(/\.fa$/)
      const [residues] = residuesOf(file.text)
      expect(residues).toMatch(/^[ACGTN]{100,}$/i)
      const shown = (await page.locator('.nv-sequence pre').first().innerText()).replaceAll(/[\d,\s]/g, '')
      expect(residues!.startsWith(shown.slice(0, 600))).toBe(true)
      await page.reload()
      await page.locator('.nv-sequence-header').first().waitFor()
      expect(await page.locator('.nv-sequence-header').first().innerText()).toBe(header)
      expect(await page.locator('.nv-headline').innerText()).toBe(headline)
      // The result says what was run and with what.
      expect(await page.locator('.nv-tool-result').innerText()).toContain(k('receipt.title'))
      expect(complaints).toEqual([])
      await context.close()
    })

    it('of an unknown chromosome: the field says so, and nothing typed is lost', async () => {
      const { page, context } = await visit('/tools/sequencefetch', { language })
      await settle(page)
      await page.locator('.nv-form-example button').click()
      await page.locator('.nv-region [role=combobox]').fill('chrNowhere')
      await page.locator('button[type=submit]').click()
      await page.locator('.nv-field-problem', { hasText: 'chrNowhere' }).waitFor()
      expect(await page.locator('.nv-field-problem').first().innerText()).toMatch(
        language === 'en-US' ? /no sequence.*chrNowhere/i : /没有.*chrNowhere/,
      )
      expect(await page.locator('.nv-region [role=combobox]').inputValue()).toBe('chrNowhere')
      await context.close()
    })

    it('with a misplaced comma: the box refuses it, as a list of regions does', async () => {
      const { page, context } = await visit('/tools/sequencefetch', { language })
      await settle(page)
      await page.locator('.nv-form-example button').click()
      const start = page.locator('.nv-region input.nv-number').first()
      await start.fill('')
      await start.pressSequentially('12,34')
      expect(await start.inputValue()).toBe('12,34')
      await page.locator('button[type=submit]').click()
      await page.locator('.nv-field-problem', { hasText: '1,234' }).waitFor()
      await context.close()
    })

    describe('of the reference', () => {
      const { sequence, start, end, endOf, alias } = facts.fetched
      const at = (sequence: string, start: number, end: number): string =>
        `/tools/sequencefetch?assembly=${facts.reference}&sequence=${sequence}&start=${start}&end=${end}&run=1`
      const fetchFile = async (path: string): Promise<{ residues: string[]; page: string }> => {
        const { page, context, complaints } = await visit(path, { language })
        const button = page.locator('.nv-tool-result').getByRole('button', { name: f('result.download'), exact: true })
        await button.waitFor()
        const file = await download(page, () => button.click())
        const text = await page.locator('.nv-tool-result').innerText()
        expect(complaints).toEqual([])
        await context.close()
        return { residues: residuesOf(file.text), page: text }
      }

      it('gets the bases that samtools faidx gets', async () => {
        const { residues } = await fetchFile(at(sequence, start, end))
        expect(residues).toEqual(faidx(`${sequence}:${start}-${end}`))
      })

      it('gets the reverse complement when start is above end, as samtools faidx -i', async () => {
        const { residues, page } = await fetchFile(at(sequence, end, start))
        expect(residues).toEqual(faidx('--reverse-complement', `${sequence}:${start}-${end}`))
        expect(page).toContain(f('strand.reverse'))
        // A gene lies on the reverse strand: its coding sequence begins with the start codon.
        expect(residues[0]!.toUpperCase().startsWith('ATG')).toBe(true)
      })

      it('is told where the chromosome ends when asking for more', async () => {
        const { residues, page } = await fetchFile(at(endOf.sequence, endOf.lengthBp - 199, endOf.lengthBp + 9782))
        expect(residues).toEqual(faidx(`${endOf.sequence}:${endOf.lengthBp - 199}-${endOf.lengthBp}`))
        expect(page).toContain(f('note.clipped', { name: endOf.sequence, end: endOf.lengthBp, missing: 9782 }))
      })

      it('gets a list of regions in one file, each on its strand', async () => {
        const regions = `${sequence}:1000..1100\n${sequence}:1100..1000\n${alias[0]}:1-60`
        const { residues } = await fetchFile(
          `/tools/sequencefetch?${new URLSearchParams({ assembly: facts.reference, regions, run: '1' })}`,
        )
        expect(residues).toEqual([
          ...faidx(`${sequence}:1000-1100`),
          ...faidx('-i', `${sequence}:1000-1100`),
          ...faidx(`${alias[1]}:1-60`),
        ])
      })
    })
  })

  describe('extracts parts of genes', () => {
    it('by the example: promoters, listed and downloaded', async () => {
      const { page, context, complaints } = await visit('/tools/sequenceextraction', { language })
      await settle(page)
      await runExample(page, k('form.example'), k('form.run'))
      await page.locator('.nv-sequence-header').first().waitFor()
      const rows = await page.locator('.nv-tool-result tbody tr').count()
      expect(rows).toBeGreaterThan(1)
      await page.locator('.nv-tool-result button', { hasText: x('result.files') }).click()
      const file = await download(page, () => page.getByRole('menuitem', { name: x('result.fasta') }).click())
      const records = residuesOf(file.text)
      expect(records).toHaveLength(rows)
      for (const record of records) expect(record.length).toBeLessThanOrEqual(1000)
      expect(complaints).toEqual([])
      await context.close()
    })

    it('and is told by name which genes are unknown', async () => {
      const { page, context } = await visit('/tools/sequenceextraction', { language })
      await settle(page)
      await page.locator('.nv-form-example button').click()
      const box = page.locator('.nv-gene-input textarea')
      await box.fill(`${await box.inputValue()}\nNOSUCHGENE1`)
      await page.locator('button[type=submit]').click()
      await page.locator('main', { hasText: 'NOSUCHGENE1' }).waitFor()
      await page.locator('.nv-tool-result tbody tr').first().waitFor()
      expect(await page.locator('.nv-tool-result').innerText()).toContain('NOSUCHGENE1')
      expect(await page.locator('.nv-tool-result').innerText()).toContain(x('result.problems'))
      await context.close()
    })

    it('spliced as the cell does: the CDS of a gene without its introns', async () => {
      const { page, context } = await visit(
        `/tools/sequenceextraction?assembly=${facts.reference}&genes=${facts.spliced.name}&part=cds&run=1`,
        { language },
      )
      await page.locator('.nv-sequence-header').first().waitFor()
      await page.locator('.nv-tool-result button', { hasText: x('result.files') }).click()
      const file = await download(page, () => page.getByRole('menuitem', { name: x('result.fasta') }).click())
      const parts = faidx(...(facts.spliced.reverse ? ['-i'] : []), ...facts.spliced.parts)
      expect(residuesOf(file.text)).toEqual([parts.join('')])
      await context.close()
    })
  })

  describe('searches genes', () => {
    it('by the example, keeps them as a set, and sends the set to sequence extraction', async () => {
      const { page, context, complaints } = await visit('/tools/GeneSearch', { language })
      await settle(page)
      await runExample(page, k('form.example'), k('form.run'))
      const row = page.locator('.nv-tool-result tbody tr')
      await row.first().waitFor()
      expect(await page.locator('.nv-headline').innerText()).not.toBe('')
      const ids = await page.locator('.nv-tool-result tbody td.nv-cell-id:nth-child(2)').allInnerTexts()
      expect(ids.length).toBeGreaterThan(0)
      await row.first().locator('.nv-cell-check input').check()
      const menu = page.locator('.nv-table-selection .nv-menu-button')
      await menu.click()
      await page.locator('.nv-set-form input').fill('Chosen')
      await page.locator('.nv-set-form button[type=submit]').click()
      await page
        .getByText(k('sets.saved', { name: 'Chosen', count: 1 }))
        .first()
        .waitFor()
      const kept = await page.evaluate(() => localStorage.getItem('novodb_gene_sets') ?? '')
      expect(JSON.parse(kept)).toMatchObject([{ name: 'Chosen', genes: [ids[0]] }])
      // The menu stays open with the tools.
      await page.getByRole('menuitem', { name: x('title') }).click()
      await page.waitForURL(/\/tools\/sequenceextraction/)
      await page.locator('.nv-gene-input textarea').waitFor()
      expect(await page.locator('.nv-gene-input textarea').inputValue()).toBe(ids[0])
      expect(complaints).toEqual([])
      await context.close()
    })

    it('and finds page, order and columns again after a reload, and the page before by going back', async () => {
      const { page, context, complaints } = await visit('/tools/GeneSearch?run=1', { language })
      const ids = page.locator('.nv-tool-result tbody td.nv-cell-id:nth-child(2)')
      await ids.first().waitFor()
      const start = await ids.allInnerTexts()
      const other = async (before: string[]): Promise<string[]> => {
        await expect.poll(() => ids.allInnerTexts()).not.toEqual(before)
        await page.locator('.nv-table[aria-busy=false]').waitFor()
        return ids.allInnerTexts()
      }
      await page.locator('th button', { hasText: g('column.lengthBp') }).click()
      await page.waitForURL(/sort=lengthBp/)
      const short = await other(start)
      await page.locator('th button', { hasText: g('column.lengthBp') }).click()
      await page.waitForURL(/descending=true/)
      const long = await other(short)
      await page.getByRole('button', { name: k('table.next') }).click()
      await page.waitForURL(/page=2/)
      const second = await other(long)
      await page.getByRole('button', { name: k('table.columns'), exact: true }).click()
      await page.getByRole('checkbox', { name: g('column.exonCount'), exact: true }).click()
      await page.waitForURL(/view\.columns=[^&]*exonCount/)
      await page.reload()
      await page.locator('th', { hasText: g('column.exonCount') }).waitFor()
      expect(await ids.allInnerTexts()).toEqual(second)
      expect(await page.locator('th[aria-sort=descending]').innerText()).toBe(g('column.lengthBp'))
      const lengths = await page.locator('tbody tr td.nv-cell-number').allInnerTexts()
      expect(lengths.length).toBeGreaterThan(0)
      await page.goBack()
      await expect.poll(() => ids.allInnerTexts()).toEqual(long)
      expect(complaints).toEqual([])
      await context.close()
    })

    it('and takes the models of the genes found as GFF3, with the receipt', async () => {
      const { page, context } = await visit('/tools/GeneSearch', { language })
      await settle(page)
      await runExample(page, k('form.example'), k('form.run'))
      await page.locator('.nv-tool-result tbody tr').first().waitFor()
      const total = Number((await page.locator('.nv-table-count').innerText()).replaceAll(/\D/g, ''))
      await page.locator('.nv-tool-result button', { hasText: g('result.export') }).click()
      const file = await download(page, () => page.getByRole('menuitem', { name: /^GFF3/ }).click())
      expect(file.text).toMatch(/^##gff-version 3\n# NovoDB \S+, tool genesearch/)
      expect(file.text.match(/^[^#]\S*\tNovoDB\tgene\t/gm)).toHaveLength(total)
      expect(file.text).toMatch(/\tCDS\t\d+\t\d+\t\.\t[+-]\t[012]\t/)
      await context.close()
    })

    it('and exports all rows of the answer, not only the page that is shown', async () => {
      const { page, context } = await visit('/tools/GeneSearch?run=1', { language })
      await page.locator('.nv-tool-result tbody tr').first().waitFor()
      const total = Number((await page.locator('.nv-table-count').innerText()).replaceAll(/\D/g, ''))
      await page.locator('.nv-tool-result button', { hasText: g('result.export') }).click()
      const file = await download(page, () => page.getByRole('menuitem', { name: 'TSV' }).click())
      const lines = file.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      expect(lines).toHaveLength(total + 1)
      await context.close()
    })
  })
})
