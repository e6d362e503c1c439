import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import messages from '../src/tools/selectivesweep/messages.ts'
import { download, findBarriers, openSection, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

const firstResultMs = 60_000

const openedJob = async (page: Page): Promise<void> => {
  await page.waitForURL(/[?&]job=/, { timeout: firstResultMs })
  await page.locator('.nv-headline').waitFor({ timeout: firstResultMs })
  await page.locator('.sweep-genome').first().waitFor({ timeout: firstResultMs })
  await settle(page)
}

inTurn('a population geneticist who reads %s looks for sweeps', (language, it) => {
  const t = translator(messages, language)
  const k = translator(kit, language)

  it('by the example: windows along the genome, a threshold that moves without a new run, genes and files', async () => {
    const { page, context, complaints } = await visit(`/tools/selectivesweep?assembly=${facts.reference}`, {
      language,
      inspected: true,
    })
    await settle(page)
    await page.locator('.nv-form-example button', { hasText: k('form.example') }).click()
    await page.locator('.sweep-populations input:checked').nth(1).waitFor()
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await openedJob(page)
    const view = page.locator('.nv-tool-result')
    // Of three strains and two the result says that this is no evidence.
    if (facts.sweep.few) await view.getByText(t('few.title')).waitFor()
    else expect(await view.getByText(t('few.title')).count()).toBe(0)
    const counted = async (): Promise<string> => page.locator('.sweep-regions .nv-card-aside').innerText()
    const before = await counted()
    const share = view.getByLabel(t('view.share'), { exact: true })
    await share.fill('1')
    await page.waitForFunction(
      (text) => document.querySelector('.sweep-regions .nv-card-aside')?.textContent !== text,
      before,
      { timeout: 20_000 },
    )
    expect(new URL(page.url()).searchParams.get('view.percent')).toBe('1')
    // A second statistic in the same windows: two figures along the genome and one of both.
    const statistics = view.getByLabel(t('view.second'), { exact: true })
    await statistics.selectOption(`piRatio_${facts.sweep.populations}`)
    await page.locator('.sweep-genome').nth(1).waitFor()
    expect(await page.locator('.nv-figure').count()).toBe(3)
    await statistics.selectOption('')
    expect(await findBarriers(page)).toEqual([])
    // The page draws points on a canvas; the file has a drawing of its own, which is hidden on the page and must not be there.
    const drawn = await download(page, () =>
      view.locator('.nv-figure').first().getByRole('button', { name: 'SVG' }).click(),
    )
    expect(drawn.text.match(/<circle /g)?.length).toBeGreaterThan(facts.sweep.windows)
    expect(drawn.text).not.toContain('visibility="hidden"')
    // At the other end what stands out most is first too.
    const peaks = async (): Promise<number[]> =>
      (await page.locator('.sweep-regions tbody tr td:nth-child(3)').allInnerTexts()).map((text) =>
        Number(text.replace('−', '-')),
      )
    const high = await peaks()
    expect(high).toEqual([...high].sort((a, b) => b - a))
    await view.getByRole('radio', { name: t('tail.low'), exact: true }).click()
    await page.waitForFunction(
      (min) =>
        Number(document.querySelector('.sweep-regions tbody td:nth-child(3)')?.textContent.replace('−', '-')) < min,
      high.at(-1)!,
    )
    const low = await peaks()
    expect(low).toEqual([...low].sort((a, b) => a - b))
    await view.getByRole('radio', { name: t('tail.high'), exact: true }).click()
    const file = await download(page, () => page.getByRole('link', { name: t('files.regions') }).click())
    const rows = file.text.trimEnd().split('\n')
    expect(rows.find((line) => line.startsWith('chrom'))).toContain(`peak_fst_${facts.sweep.populations}`)
    const regions = rows.filter((line) => /^chr[IVX\d]+\t/.test(line))
    expect(regions.length).toBeGreaterThanOrEqual(facts.sweep.regions[0])
    expect(regions.length).toBeLessThanOrEqual(facts.sweep.regions[1])
    expect(await counted()).toMatch(new RegExp(`(^|\\D)${regions.length}(\\D|$)`))
    expect(rows.join('\n')).toMatch(new RegExp(`\t${facts.geneId}`))
    await page.reload()
    await page.locator('.sweep-genome').first().waitFor({ timeout: firstResultMs })
    expect(await view.getByLabel(t('view.share'), { exact: true }).inputValue()).toBe('1')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('by a loaded table, and what stands out over one gene', async () => {
    const { page, context, complaints } = await visit(`/tools/selectivesweep?assembly=${facts.reference}`, {
      language,
    })
    await page.locator('.sweep-genome').waitFor({ timeout: firstResultMs })
    await page.getByText(t('start.title')).first().waitFor()
    // On a phone there are names below the axis, none over another, and every window drawn is a row of the numbers.
    const desk = page.viewportSize()!
    await page.setViewportSize({ width: 390, height: 800 })
    const names = page.locator('.sweep-genome svg[role=img] .sweep-sequence')
    await page.waitForFunction(
      (max) => document.querySelectorAll('.sweep-genome svg[role=img] .sweep-sequence').length <= max,
      facts.sweep.namesOnPhone[1],
    )
    const boxes = await names.evaluateAll((texts) =>
      texts.map((text) => [text.getBoundingClientRect().left, text.getBoundingClientRect().right] as const),
    )
    expect(boxes.length).toBeGreaterThanOrEqual(facts.sweep.namesOnPhone[0])
    for (const [at, [, right]] of boxes.entries()) expect(right).toBeLessThan(boxes[at + 1]?.[0] ?? 390)
    await page
      .locator('.nv-figure')
      .getByRole('button', { name: k('figure.numbers') })
      .click()
    await page.locator('.nv-figure tbody tr').first().waitFor()
    await page.setViewportSize(desk)
    await page.goto(page.url().replace(/\/tools.*/, `/gene?id=${facts.sweep.gene}&assembly=${facts.reference}`))
    const panel = page.locator('#selectivesweep')
    await openSection(page, 'selectivesweep')
    await panel.locator('tbody tr').first().waitFor({ timeout: firstResultMs })
    expect(await panel.locator('tbody tr').count()).toBe(4)
    // Other panels may lack their data on this page.
    expect(complaints.filter((complaint) => complaint.includes('selectivesweep'))).toEqual([])
    await context.close()
  })

  it('with a sample in two populations: the field says on which lines', async () => {
    const { page, context } = await visit(
      `/tools/selectivesweep?${new URLSearchParams({ assembly: facts.reference, groups: `${facts.sweep.samples[0]}\ta\n${facts.sweep.samples[1]}\tb\n${facts.sweep.samples[0]}\tb` })}`,
      { language },
    )
    await settle(page)
    await page.locator('button[type=submit]', { hasText: k('form.run') }).click()
    await page
      .getByText(t('groups.twice', { sample: facts.sweep.samples[0], line: 3, before: 1 }))
      .first()
      .waitFor({ timeout: firstResultMs })
    await context.close()
  })
})
