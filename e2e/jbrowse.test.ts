import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { launchBrowser, visit } from './browser.ts'

let browser: Browser
let close: () => Promise<void>
beforeAll(async () => {
  const launched = await launchBrowser()
  browser = launched.browser
  close = launched.close
})
afterAll(() => close())

interface Example {
  assembly: string
  id: string
  sequence: string
  start: number
  end: number
}

/** Two well described genes of the reference, from what the portal says is loaded. */
const examples = async (): Promise<Example[]> => {
  const answer = (await (await fetch(`${inject('portalUrl')}/api/species/`)).json()) as {
    data: { species: { assemblies: { id: string; reference: boolean; exampleGenes: Omit<Example, 'assembly'>[] }[] }[] }
  }
  const assembly = answer.data.species.flatMap((one) => one.assemblies).find((one) => one.reference)
  return (assembly?.exampleGenes ?? []).map((gene) => ({ ...gene, assembly: assembly?.id ?? '' }))
}

const inSight = (address: string): { sequence: string; start: number; end: number } => {
  const loc = new URL(address).searchParams.get('loc') ?? ''
  const [, sequence, start, end] = /^(.*):(\d+)\.\.(\d+)$/.exec(loc) ?? []
  return { sequence: sequence ?? '', start: Number(start), end: Number(end) }
}

it('draws the gene of an address, moves to a gene that is searched, and goes back', async () => {
  const [first, second] = await examples()
  const { page, context, complaints } = await visit(browser, `/jbrowse/?gene=${first!.id}`)
  await page.locator('.jbrowse-frame svg text').first().waitFor({ timeout: 60_000 })
  await page.waitForURL(/loc=/)
  expect(inSight(page.url()).sequence).toBe(first!.sequence)
  expect(inSight(page.url()).start).toBeLessThan(first!.start)
  expect(inSight(page.url()).end).toBeGreaterThan(first!.end)

  const box = page.locator('.jbrowse-place input')
  await box.fill(second!.id)
  await box.press('Enter')
  await page.waitForFunction(
    (gene) => {
      const found = /^(.*):(\d+)\.\.(\d+)$/.exec(new URL(location.href).searchParams.get('loc') ?? '')
      return (
        found !== null && found[1] === gene.sequence && Number(found[2]) < gene.start && Number(found[3]) > gene.end
      )
    },
    second!,
    { timeout: 30_000 },
  )
  await page.goBack()
  await page.waitForFunction(
    (gene) => {
      const found = /^(.*):(\d+)\.\.(\d+)$/.exec(new URL(location.href).searchParams.get('loc') ?? '')
      return (
        found !== null && found[1] === gene.sequence && Number(found[2]) < gene.start && Number(found[3]) > gene.end
      )
    },
    first!,
    { timeout: 30_000 },
  )
  expect(complaints).toEqual([])
  await context.close()
})

it('speaks Chinese around JBrowse, and says what a wrong place is', async () => {
  const [first] = await examples()
  const { page, context } = await visit(browser, `/jbrowse/?gene=${first!.id}`, { language: 'zh-CN' })
  await page.locator('.jbrowse-frame svg text').first().waitFor({ timeout: 60_000 })
  expect(await page.locator('.jbrowse-bar h1').textContent()).toBe('基因组浏览器')
  expect(await page.locator('.jbrowse-frame').textContent()).toContain('基因')
  await page.goto(`${inject('portalUrl')}/jbrowse/?assembly=${first!.assembly}&loc=no-such-place`)
  await page.getByText('没有这个位置').waitFor()
  await context.close()
})
