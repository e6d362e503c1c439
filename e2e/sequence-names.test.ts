import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { invite, launchBrowser, open, runExample, settle } from './browser.ts'

interface Species {
  species: {
    assemblies: {
      id: string
      reference: boolean
      sequences: { name: string }[]
      sequenceRoles: Record<string, string>
      exampleGenes: { id: string; sequence: string; start: number; end: number }[]
    }[]
  }[]
}

const k = translator(kit, 'en-US')
const role = k('sequence.accessory')
const toolFolder = join(import.meta.dirname, '../src/tools')
// The genome browser's drawing is JBrowse's own.
const tools = readdirSync(toolFolder).filter(
  (id) => existsSync(join(toolFolder, id, 'screen.tsx')) && id !== 'jbrowse' && id !== 'download',
)

let browser: Browser
let close: () => Promise<void>
let context: BrowserContext
let routes: Map<string, { route: string; available: boolean }>
let names: string[]
let reference: Species['species'][number]['assemblies'][number]

/**
 * Every sequence of every assembly is told to be an accessory chromosome: so wherever a page names one, its mark has to stand. Results,
 * figures and tables are the portal's own.
 */
beforeAll(async () => {
  ;({ browser, close } = await launchBrowser())
  const ask = async <T>(path: string): Promise<T> =>
    ((await (await fetch(`${inject('portalUrl')}${path}`)).json()) as { data: T }).data
  const { tools: listed } = await ask<{ tools: { id: string; route: string; available: boolean }[] }>('/api/tools/')
  routes = new Map(listed.map((tool) => [tool.id, tool]))
  const told = await ask<Species>('/api/species/')
  const assemblies = told.species.flatMap((one) => one.assemblies)
  reference = assemblies.find((one) => one.reference)!
  for (const one of assemblies)
    one.sequenceRoles = Object.fromEntries(one.sequences.map(({ name }) => [name, 'accessory']))
  names = [...new Set(assemblies.flatMap(({ sequences }) => sequences.map(({ name }) => name)))]
  context = await invite(browser, { language: 'en-US', unserved: true })
  await context.route('**/api/species/', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: Species }
    for (const one of body.data.species.flatMap(({ assemblies: own }) => own))
      one.sequenceRoles = Object.fromEntries(one.sequences.map(({ name }) => [name, 'accessory']))
    await route.fulfill({ response: answer, json: body })
  })
})
afterAll(() => close())

/** Texts of a page that name a sequence without a mark: the name alone or with a place behind it, in no italics, with no role beside it. */
const silentNames = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([all, said]) => {
      const known = new Set(all)
      const found: string[] = []
      const texts = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        const text = (node.textContent ?? '').trim()
        const name = /^([^\s:]+)(:[\d,]+.*)?$/.exec(text)?.[1]
        const element = node.parentElement!
        // What is typed, chosen from or only read out is no name on the page, and a header is the file's.
        if (
          name === undefined ||
          !known.has(name) ||
          element.closest('textarea, script, style, title, option, .nv-receipt, .nv-sequence-header') !== null
        )
          continue
        if (getComputedStyle(element).fontStyle === 'italic') continue
        const around = element.closest(
          'td, dd, li, p, h1, h2, h3, label, .nv-fact, .nv-card-head, .nv-headline, button, a',
        )
        const beside = [
          element.textContent,
          element.nextElementSibling?.textContent,
          around?.textContent,
          around?.parentElement?.textContent,
        ]
        if (!beside.some((one) => one?.includes(said)))
          found.push(`${text} in <${element.tagName} class="${element.getAttribute('class') ?? ''}">`)
      }
      return [...new Set(found)]
    },
    [names, role] as const,
  )

describe('a sequence that is an accessory chromosome is marked wherever it is named', () => {
  for (const id of tools)
    it(`in the example of ${id}`, async ({ skip }) => {
      const tool = routes.get(id)!
      if (!tool.available) skip(`${id} has no data on this portal`)
      const { page } = await open(context, tool.route)
      await settle(page)
      await runExample(page)
      expect(await silentNames(page)).toEqual([])
      await page.close()
    }, 300_000)

  it('on the page of a gene, of a sequence, and in the search', async () => {
    const [gene] = reference.exampleGenes
    const paths = [
      `/gene?id=${gene!.id}&assembly=${reference.id}`,
      `/detail?type=sequence&id=${gene!.sequence}&assembly=${reference.id}`,
      `/search?q=${gene!.sequence}:${gene!.start}..${gene!.end}`,
      `/search?q=${gene!.id}`,
    ]
    const silent: string[] = []
    for (const path of paths) {
      const { page } = await open(context, path)
      await settle(page)
      silent.push(...(await silentNames(page)).map((one) => `${path}: ${one}`))
      await page.close()
    }
    expect(silent).toEqual([])
  }, 300_000)

  it('nothing of it stands in a file', async () => {
    const { page } = await open(
      context,
      `/tools/genemapping?assembly=${reference.id}&genes=${reference.exampleGenes[0]!.id}&run=1`,
    )
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    const table = page.locator('.nv-table', { hasText: role }).first()
    await table.getByRole('button', { name: k('table.export') }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'TSV' }).first().click(),
    ])
    const pieces: Buffer[] = []
    for await (const piece of await file.createReadStream()) pieces.push(piece as Buffer)
    const text = Buffer.concat(pieces).toString('utf8')
    expect(text).toContain(`\t${reference.exampleGenes[0]!.sequence}\t`)
    expect(text).not.toContain(role)
    await page.close()
  }, 120_000)
})
