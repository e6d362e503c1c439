import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { messages as sequenceTexts } from '../src/kit/ui/gene/sequence-messages.ts'
import { type Locale, translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { full } from '../src/testing/real-data.ts'
import { findBarriers, invite, makeTour, open, settle, type Tour } from './browser.ts'
import { crawlExports } from './export-crawl.ts'
import { letters, locales } from './journeys.ts'
import { fill, focused, toFootOfForm } from './run-journey.ts'
import { walkToRun } from './tab-stops.ts'

// The form of every tool and its example, run once: that both are drawn without barriers, where the eye and the keyboard are led, how
// sequences are named, and what the files hold.

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
const roleIn = (language: Locale): string => translator(sequenceTexts, language)('sequence.accessory')
const toolFolder = join(import.meta.dirname, '../src/tools')
// The genome browser's drawing is JBrowse's own, and takes minutes where nothing of it is kept.
const tools = readdirSync(toolFolder).filter((id) => existsSync(join(toolFolder, id, 'screen.tsx')) && id !== 'jbrowse')
const widths = [390, 1280, 1920]
/** Presses of Tab from the top of a page to Run, by the link that skips the frame; fewer than this. */
const mostStops = 25

const contexts = new Map<string, BrowserContext>()
const tours = new Map<string, Tour>()
let routes: Map<string, { route: string; available: boolean }>
let names: string[]
let reference: Species['species'][number]['assemblies'][number]

/**
 * Runs in the page, before its scripts: sequences become accessory chromosomes, and a question that is posted waits where the journey
 * holds it. Not by `route`, for which the browser keeps no script in its cache: each page then took twice the processor time.
 */
const changeAnswers = (): void => {
  const ask = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const method = input instanceof Request ? input.method : (init?.method ?? 'GET')
    if (method === 'POST' && (globalThis as { holdsPosts?: boolean }).holdsPosts === true)
      await new Promise((resolve) => addEventListener('let-posts-go', resolve, { once: true }))
    const answer = await ask(input, init)
    if (!new URL(answer.url).pathname.endsWith('/api/species/')) return answer
    const body = (await answer.json()) as { data: Species }
    for (const one of body.data.species.flatMap(({ assemblies }) => assemblies))
      one.sequenceRoles = Object.fromEntries(one.sequences.map(({ name }) => [name, 'accessory']))
    return new Response(JSON.stringify(body), { status: answer.status, headers: answer.headers })
  }
}

/** Texts of a page that name a sequence without a mark: the name alone or with a place behind it, in no italics, with no role beside it. */
const silentNames = (page: Page, language: Locale): Promise<string[]> =>
  page.evaluate(
    ([all, message]) => {
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
          element.closest('textarea, script, style, title, option, .nv-question, .nv-receipt, .nv-sequence-header') !==
            null
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
        if (!beside.some((one) => one?.includes(message)))
          found.push(`${text} in <${element.tagName} class="${element.getAttribute('class') ?? ''}">`)
      }
      return [...new Set(found)]
    },
    [names, roleIn(language)] as const,
  )

/** Runs the example from the foot of its form: first the progress, then the headline is in the window and has the focus. */
const runFromFoot = async (page: Page): Promise<void> => {
  await page.evaluate(() => Object.assign(globalThis, { holdsPosts: true }))
  await toFootOfForm(page)
  await page.locator('.nv-form-run .nv-button-primary').click()
  await expect.poll(() => focused(page)).toEqual({ of: 'outcome', inWindow: true })
  expect(await page.locator('.nv-outcome [role=status]').count()).toBe(1)
  await page.evaluate(() => {
    Object.assign(globalThis, { holdsPosts: false })
    dispatchEvent(new Event('let-posts-go'))
  })
  await page.locator('.nv-headline').waitFor({ timeout: 120_000 })
  await expect.poll(() => focused(page)).toEqual({ of: 'headline', inWindow: true })
  expect((await page.locator('.nv-headline').innerText()).trim()).not.toBe('')
}

/** Tools are walked in two files, so that neither is walked by itself when the others have ended. */
const walks = 2

/** Registers the tests of every second tool, from `part` (0 or 1) on. */
export const walkTools = (part: number): void => {
  /**
   * Every sequence of every assembly is told to be an accessory chromosome: so wherever a page names one, its mark has to stand. Results,
   * figures, tables and files are the portal's own.
   */
  beforeAll(async () => {
    const ask = async <T>(path: string): Promise<T> =>
      ((await (await fetch(`${inject('portalUrl')}${path}`)).json()) as { data: T }).data
    const { tools: listed } = await ask<{ tools: { id: string; route: string; available: boolean }[] }>('/api/tools/')
    routes = new Map(listed.map((tool) => [tool.id, tool]))
    const assemblies = (await ask<Species>('/api/species/')).species.flatMap((one) => one.assemblies)
    reference = assemblies.find((one) => one.reference)!
    names = [...new Set(assemblies.flatMap(({ sequences }) => sequences.map(({ name }) => name)))]
    for (const language of locales)
      for (const width of widths) {
        const context = await invite({ language, width, height: 720 })
        await context.addInitScript(changeAnswers)
        contexts.set(`${language} ${width}`, context)
        tours.set(`${language} ${width}`, makeTour(context))
      }
  })

  describe('the example of', () => {
    const run: string[] = []
    const draw = async (id: string, language: Locale, width: number) => {
      const tour = tours.get(`${language} ${width}`)!
      const visit = await tour.go(routes.get(id)!.route)
      const { page } = visit
      await page.setViewportSize({ width, height: 720 })
      await settle(page)
      expect(await page.locator('h1').first().innerText()).not.toBe('')
      expect(await page.locator('main').innerText()).toMatch(letters[language])
      return { ...visit, leave: () => tour.leave(visit) }
    }
    // Each tool in one language at one width, turn and turn about; in both at all of them with `npm test -- --full`.
    for (const [at, id] of tools.entries()) {
      if (at % walks !== part) continue
      const views = locales.flatMap((language) => widths.map((width) => [language, width] as const))
      // In steps that meet all of them.
      const [first, ...others] = views.map((_, number) => views[(at * (views.length - 1) + number) % views.length]!)
      const [language, width] = first!
      it(`${id} in ${language}, ${width} wide: is without barriers, runs after a few stops of the keyboard, leads to its headline, marks accessory chromosomes by name, and has files that are read strictly`, async ({
        skip,
      }) => {
        const { page, complaints, leave } = await draw(id, language, width)
        expect(await findBarriers(page)).toEqual([])
        if ((await page.locator('.nv-form-run').count()) > 0) {
          const { stops, covered, leftOpen } = await walkToRun(page)
          expect({ covered, leftOpen }).toEqual({ covered: [], leftOpen: [] })
          expect(stops).toBeLessThan(mostStops)
        }
        // Told as skipped and not as passed: nothing was read.
        if (!routes.get(id)!.available) skip(`${id} has no data on this portal`)
        const asked = await fill(page, language)
        if (asked) {
          await runFromFoot(page)
          run.push(id)
          await settle(page)
          expect(await findBarriers(page)).toEqual([])
        }
        // On a phone some of what a page offers lies in a menu.
        await page.setViewportSize({ width: Math.max(width, 1280), height: 900 })
        await settle(page)
        if (id !== 'download') expect(await silentNames(page, language)).toEqual([])
        const { files, problems } = await crawlExports(page)
        expect(problems).toEqual([])
        // A result without a single file is one whose exports were not found.
        if (asked) expect(files).not.toEqual([])
        expect(complaints).toEqual([])
        await leave()
      }, 300_000)
      for (const [language, width] of full ? others : [])
        it(`${id} in ${language}, ${width} wide: is without barriers and leads to its headline`, async ({ skip }) => {
          const { page, complaints, leave } = await draw(id, language, width)
          expect(await findBarriers(page)).toEqual([])
          if (!routes.get(id)!.available) skip(`${id} has no data on this portal`)
          if (await fill(page, language)) {
            await runFromFoot(page)
            await settle(page)
            expect(await findBarriers(page)).toEqual([])
          }
          expect(complaints).toEqual([])
          await leave()
        }, 300_000)
    }

    it('many tools can be run', () => {
      expect(new Set(run).size).toBeGreaterThanOrEqual(5)
    })
  })
}

/** Registers the tests of pages on which every sequence is an accessory chromosome. */
export const walkAccessories = (): void => {
  describe('a sequence that is an accessory chromosome', () => {
    it('is marked on the page of a gene, of a sequence, and in the search', async () => {
      const [gene] = reference.exampleGenes
      const paths = [
        `/gene?id=${gene!.id}&assembly=${reference.id}`,
        `/detail?type=sequence&id=${gene!.sequence}&assembly=${reference.id}`,
        `/search?q=${gene!.sequence}:${gene!.start}..${gene!.end}`,
        `/search?q=${gene!.id}`,
      ]
      const silent: string[] = []
      for (const path of paths) {
        const { page } = await open(contexts.get('en-US 1280')!, path)
        await settle(page)
        silent.push(...(await silentNames(page, 'en-US')).map((one) => `${path}: ${one}`))
        await page.close()
      }
      expect(silent).toEqual([])
    }, 300_000)

    it('is not marked in a file', async () => {
      const { page } = await open(
        contexts.get('en-US 1280')!,
        `/tools/genemapping?assembly=${reference.id}&genes=${reference.exampleGenes[0]!.id}&run=1`,
      )
      await page.locator('.nv-headline').waitFor()
      await settle(page)
      const table = page.locator('.nv-table', { hasText: roleIn('en-US') }).first()
      await table.getByRole('button', { name: k('table.export') }).click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'TSV' }).first().click(),
      ])
      const pieces: Buffer[] = []
      for await (const piece of await file.createReadStream()) pieces.push(piece as Buffer)
      const text = Buffer.concat(pieces).toString('utf8')
      expect(text).toContain(`\t${reference.exampleGenes[0]!.sequence}\t`)
      expect(text).not.toContain(roleIn('en-US'))
      await page.close()
    }, 120_000)
  })
}
