import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { messages as sequenceTexts } from '../src/kit/ui/gene/sequence-messages.ts'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import blast from '../src/tools/blast/messages.ts'
import { messages as home } from '../src/web/messages/home.ts'
import { messages as shell } from '../src/web/messages/shell.ts'
import { findBarriers, launchBrowser, settle, visit } from './browser.ts'
import { focused, makeGate } from './run-journey.ts'

// Where the eye and the keyboard are led: to what comes of a run, out of lists, through a long index; and what is copied.

const k = translator(kit, 'en-US')
const s = translator(shell, 'en-US')

let routes: Map<string, { route: string; available: boolean }>
let region: string
let gene: string
beforeAll(async () => {
  const ask = async <Data>(path: string): Promise<Data> =>
    ((await (await fetch(`${inject('portalUrl')}${path}`)).json()) as { data: Data }).data
  const { tools } = await ask<{ tools: { id: string; route: string; available: boolean }[] }>('/api/tools/')
  routes = new Map(tools.map((tool) => [tool.id, tool]))
  const { species } = await ask<{
    species: {
      assemblies: {
        id: string
        reference: boolean
        exampleGenes: { id: string; sequence: string; start: number; end: number }[]
      }[]
    }[]
  }>('/api/species/')
  const assembly = species[0]!.assemblies.find((one) => one.reference)!
  const [first] = assembly.exampleGenes
  region = new URLSearchParams({
    assembly: assembly.id,
    sequence: first!.sequence,
    start: String(first!.start),
    end: String(first!.end),
  }).toString()
  gene = `/gene?${new URLSearchParams({ id: first!.id, assembly: assembly.id })}`
})

describe('a result that nobody asked for here', () => {
  it('takes neither the focus nor the window when its link is opened, and is read aloud when it comes', async () => {
    const { page, context } = await visit(`${routes.get('sequencefetch')!.route}?${region}&run=1`)
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    expect(await page.evaluate(() => [document.activeElement?.tagName, scrollY])).toEqual(['BODY', 0])
    const headline = await page.locator('.nv-headline').innerText()
    expect(await page.locator('.nv-said[role=status]').first().textContent()).toBe(headline)
    await context.close()
  })

  it('does not call back who has gone on to something else', async () => {
    const { page, context } = await visit(`${routes.get('sequencefetch')!.route}?${region}`)
    await settle(page)
    const start = makeGate()
    await page.route('**/api/tools/sequencefetch/', async (route) => {
      await start.opened
      await route.continue()
    })
    await page.locator('.nv-form-run .nv-button-primary').click()
    await expect.poll(() => focused(page)).toEqual({ of: 'outcome', inWindow: true })
    const box = page.locator('.nv-tool-form input[type=checkbox]').first()
    await box.focus()
    start.open()
    await page.locator('.nv-headline').waitFor()
    await settle(page)
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await page.locator('.nv-said[role=status]').first().textContent()).not.toBe('')
    await context.close()
  })
})

describe('a result that an earlier release has kept', () => {
  it('and that can be read no more is told as such, with the way to run it again', async () => {
    const { page, context } = await visit(`${routes.get('sequencefetch')!.route}?${region}`)
    const answer = '**/api/tools/sequencefetch/'
    await page.route(answer, async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = (await response.json()) as { data: object }
      await route.fulfill({ response, json: { ...rest, data: { ...data, result: { sequence: 'ACGT' } } } })
    })
    await page.locator('.nv-form-run .nv-button-primary').click()
    await page.getByText(k('job.outdated')).waitFor()
    expect(await page.locator('.nv-headline').count()).toBe(0)
    await page.unroute(answer)
    await page.getByRole('button', { name: k('job.again') }).click()
    await page.locator('.nv-headline').waitFor()
    await context.close()
  })
})

describe('a run from what a tool shows before', () => {
  // One with a wide result, one with its form beside it.
  for (const id of ['genemapping', 'sequencefetch'])
    for (const width of [1280, 390])
      it(`of ${id}, ${width} wide: one press leads to the headline, and the question stands in one line above it`, async () => {
        const { page, context, complaints } = await visit(routes.get(id)!.route, { width, height: 720 })
        await settle(page)
        expect(await page.locator('.nv-preview li').count()).toBeGreaterThan(1)
        await page.getByRole('button', { name: k('preview.run'), exact: true }).click()
        await page.locator('.nv-headline').waitFor()
        await expect.poll(() => focused(page)).toEqual({ of: 'headline', inWindow: true })
        const form = page.locator('.nv-tool-form')
        const isFolded = width === 390 || id === 'genemapping'
        expect(await form.locator('.nv-form-run').isVisible()).toBe(!isFolded)
        if (isFolded) {
          expect((await form.boundingBox())!.height).toBeLessThan(64)
          expect(await form.locator('.nv-question').innerText()).not.toBe(k('tool.input'))
          const opener = form.getByRole('button', { name: k('form.change'), exact: true })
          expect(await opener.getAttribute('aria-expanded')).toBe('false')
          await opener.press('Enter')
          expect(await opener.getAttribute('aria-expanded')).toBe('true')
          expect(await form.locator('.nv-form-run').isVisible()).toBe(true)
          expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
        }
        expect(complaints).toEqual([])
        await context.close()
      })
})

describe('input that cannot be run', () => {
  for (const width of [1280, 390])
    it(`${width} wide: is called that, its field has the focus, and what is wrong is said once`, async () => {
      const nowhere = new URLSearchParams(region)
      nowhere.set('sequence', 'chrNowhere')
      const { page, context } = await visit(`${routes.get('sequencefetch')!.route}?${nowhere}`, {
        width,
        height: 720,
      })
      await settle(page)
      await page.locator('.nv-form-run .nv-button-primary').click()
      const box = page.locator('.nv-tool-form [aria-invalid=true]').first()
      await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true)
      const { y, height } = (await box.boundingBox())!
      expect(y >= 0 && y + height <= 720).toBe(true)
      const text = await page.locator('main').innerText()
      expect(text.split(k('refusal.title'))).toHaveLength(2)
      const message = await page.locator('.nv-field-problem').first().innerText()
      expect(message).toContain('chrNowhere')
      expect(text.split(message)).toHaveLength(2)
      expect(await page.getByRole('button', { name: k('failure.retry') }).count()).toBe(0)
      await context.close()
    })

  it('is told in the same words before anything is sent', async () => {
    const { page, context } = await visit(routes.get('sequenceextraction')!.route)
    await settle(page)
    await page.locator('.nv-form-run .nv-button-primary').click()
    await page.getByText(k('refusal.title'), { exact: true }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.closest('.nv-tool-form') !== null)).toBe(true)
    expect(new URL(page.url()).searchParams.has('run')).toBe(false)
    await context.close()
  })
})

describe('the menu of tools', () => {
  it('opens all tools by question, goes through them by arrows, and closes with Escape and when it is left', async () => {
    const { page, context, complaints } = await visit('/home')
    await settle(page)
    const entry = page.locator('.shell-nav a[href$="/tools"]')
    const panel = page.locator('.shell-tools')
    await entry.click()
    await panel.waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/home$/)
    const links = panel.locator('li a')
    expect(await links.count()).toBeGreaterThan(20)
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await panel.count()).toBe(0)
    expect(await entry.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => links.first().evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    expect(await links.nth(1).evaluate((element) => element === document.activeElement)).toBe(true)
    await page.locator('.shell-header [role=combobox], main [role=combobox]').first().focus()
    expect(await panel.count()).toBe(0)
    await entry.click()
    await links.filter({ hasText: 'BLAST' }).click()
    await page.locator('main h1', { hasText: 'BLAST' }).waitFor()
    expect(await panel.count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is one list on a phone, with the tools below their questions', async () => {
    const { page, context } = await visit('/home', { width: 390, height: 800 })
    await settle(page)
    await page.getByRole('button', { name: s('menu.open'), exact: true }).click()
    const list = page.getByRole('menu')
    expect(await list.getByText(s('question.compare'), { exact: true }).count()).toBe(1)
    await list.getByRole('menuitemradio', { name: 'BLAST', exact: true }).click()
    await page.locator('main h1', { hasText: 'BLAST' }).waitFor()
    await context.close()
  })
})

describe('by keyboard', () => {
  it('a list that opens with the focus closes when the focus goes on, with and without a choice to clear', async () => {
    const { page, context } = await visit(routes.get('blast')!.route)
    await settle(page)
    await page.getByRole('radio', { name: translator<string>(blast, 'en-US')('form.byGene') }).check()
    const box = page.locator('.nv-tool-form input[role=combobox]').first()
    for (const chosen of [false, true]) {
      await box.focus()
      await page.locator('[role=listbox]').waitFor()
      if (chosen) {
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        expect(await box.inputValue()).not.toBe('')
        await box.blur()
        await box.focus()
        await page.locator('[role=listbox]').waitFor()
      }
      for (let control = 1; control <= 20; control += 1) {
        await page.keyboard.press('Tab')
        const open = await page.evaluate(
          () =>
            [...document.querySelectorAll('[role=listbox]')].filter(
              (list) => !list.closest('.nv-combobox')?.contains(document.activeElement),
            ).length,
        )
        expect(open, `open lists after ${control} controls`).toBe(0)
        expect(await box.getAttribute('aria-expanded'), `after ${control} controls`).toBe('false')
      }
    }
    await context.close()
  })

  it('clearing a box leaves the focus in it', async () => {
    const { page, context } = await visit('/download')
    await settle(page)
    const box = page.locator('main input[role=combobox]').first()
    await box.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => box.inputValue()).not.toBe('')
    await page.locator('main .nv-combobox-clear').click()
    expect(await box.inputValue()).toBe('')
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await page.locator('[role=listbox]').count()).toBe(0)
    await context.close()
  })
})

describe('the index of a gene page', () => {
  it('that is longer than the window scrolls by itself, and keeps in sight where the reader is', async () => {
    const { page, context } = await visit(gene, { height: 300 })
    await settle(page)
    const index = page.locator('.gene-index')
    const last = index.locator('a').last()
    expect(
      await index.evaluate((box) => [box.scrollHeight > box.clientHeight, box.clientHeight <= innerHeight]),
    ).toEqual([true, true])
    await page.evaluate(() => scrollTo(0, 400))
    await index.hover()
    const scrolled = await page.evaluate(() => scrollY)
    expect(await last.evaluate((entry) => entry.getBoundingClientRect().bottom > innerHeight)).toBe(true)
    await page.mouse.wheel(0, 5000)
    await expect.poll(() => last.evaluate((entry) => entry.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
    // The page has stayed where it was.
    expect(await page.evaluate(() => scrollY)).toBe(scrolled)
    await last.click()
    const current = index.locator('[aria-current]')
    await expect
      .poll(() =>
        current.evaluate((entry) => {
          const [box, own] = [entry.parentElement!.getBoundingClientRect(), entry.getBoundingClientRect()]
          return own.top >= box.top - 1 && own.bottom <= box.bottom + 1
        }),
      )
      .toBe(true)
    await context.close()
  })
})

describe('an intranet address without HTTPS', () => {
  const host = 'portal.intranet.example'
  let intranet: Awaited<ReturnType<typeof launchBrowser>>
  beforeAll(async () => {
    intranet = await launchBrowser([`--host-resolver-rules=MAP ${host} 127.0.0.1`])
  })
  afterAll(() => intranet.close())

  it('copies all the same, and says so; where the browser refuses, it says that', async () => {
    const context = await intranet.browser.newContext()
    const page = await context.newPage()
    const address = inject('portalUrl').replace(/\/\/[^:/]+/, `//${host}`)
    await page.goto(`${address}/home`)
    expect(await page.evaluate(() => [isSecureContext, navigator.clipboard === undefined])).toEqual([false, true])
    const p = translator(home, 'en-US')
    const copy = page.getByRole('button', { name: p('cite.copy'), exact: true })
    await copy.click()
    await page.getByText(p('cite.copied'), { exact: true }).waitFor()
    expect(await copy.evaluate((element) => element === document.activeElement)).toBe(true)
    const citation = await page.locator('.home-citation').innerText()
    // What was copied is what is pasted.
    const box = page.locator('.home-search input[role=combobox]')
    await box.focus()
    await page.keyboard.press('Control+v')
    await expect.poll(() => box.inputValue()).toBe(citation)

    await page.goto(`${address}${routes.get('sequencefetch')!.route}?${region}&run=1`)
    await page.locator('.nv-headline').waitFor()
    await page.getByRole('button', { name: k('tool.link'), exact: true }).click()
    await page.getByText(k('tool.linked'), { exact: true }).waitFor()
    await page.evaluate(() => {
      document.execCommand = () => false
    })
    await page
      .getByRole('button', { name: translator(sequenceTexts, 'en-US')('sequence.copy'), exact: true })
      .first()
      .click()
    await page.getByText(k('copy.failed'), { exact: true }).waitFor()
    await context.close()
  })
})
