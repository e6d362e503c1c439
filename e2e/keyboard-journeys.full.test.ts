import type { Page } from 'playwright-core'
import { beforeAll, expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { messages as shell } from '../src/web/messages/shell.ts'
import { findBarriers, settle, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

/** A region with tens of genes, on whatever species is loaded. */
let path: string
let gene: string
beforeAll(async () => {
  const answer = (await (await fetch(`${inject('portalUrl')}/api/species/`)).json()) as {
    data: {
      species: { assemblies: { id: string; reference: boolean; exampleGenes: { id: string; sequence: string }[] }[] }[]
    }
  }
  const assembly = answer.data.species[0]!.assemblies.find((one) => one.reference)!
  const [example] = assembly.exampleGenes
  gene = `/gene?${new URLSearchParams({ id: example!.id, assembly: assembly.id })}`
  const region = { sequence: example!.sequence, start: '1', end: '200000' }
  path = `/tools/sequencefetch?${new URLSearchParams({ assembly: assembly.id, ...region, run: '1' })}`
})

/** Text of what has the focus. */
const focusText = (page: Page): Promise<string> =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText.trim() ?? '')

/** Whether all of an element is in the window. */
const isWhole = (page: Page, selector: string): Promise<boolean> =>
  page.locator(selector).evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
  })

inTurn('menus, boxes with a list, and tabs by keyboard, in %s', (language, it) => {
  const k = translator(kit, language)
  const s = translator(shell, language)

  it('arrows, Home, End and letters move in a menu; Escape gives the focus back, Tab goes on from its button', async () => {
    const { page, context, complaints } = await visit('/tools', { language })
    await settle(page)
    const button = page.getByRole('button', { name: s('menu.theme') })
    const items = page.getByRole('menuitemradio')
    await button.focus()
    await page.keyboard.press('ArrowDown')
    await items.first().waitFor()
    const names = await items.allInnerTexts()
    expect(names.length).toBeGreaterThan(2)
    expect(await focusText(page)).toBe(names[0])
    const steps: [string, number][] = [
      ['ArrowDown', 1],
      ['End', names.length - 1],
      ['ArrowDown', 0],
      ['ArrowUp', names.length - 1],
      ['Home', 0],
    ]
    for (const [key, index] of steps) {
      await page.keyboard.press(key)
      expect(await focusText(page), key).toBe(names[index])
    }
    await page.keyboard.press('Escape')
    expect(await items.count()).toBe(0)
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)

    await page.keyboard.press('ArrowUp')
    expect(await focusText(page)).toBe(names.at(-1))
    await page.keyboard.press('Tab')
    expect(await items.count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.matches('.shell-header a[href*="login"]'))).toBe(true)
    await page.keyboard.press('Shift+Tab')
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Tab')
    expect(await items.count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(s('menu.language'))

    // Names of languages are each in its own.
    await page.keyboard.press('Enter')
    await items.first().waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type('eng')
    expect(await focusText(page)).toContain('English')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('a menu with fields beside its items is a dialog through which Tab goes', async () => {
    const { page, context, complaints } = await visit(path, { language, inspected: true })
    const table = page.locator('.nv-table').last()
    await table.waitFor()
    await settle(page)
    const button = table.getByRole('button', { name: k('table.export'), exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: k('table.export') })
    await dialog.waitFor()
    const radio = (): Promise<string | null> => page.evaluate(() => (document.activeElement as HTMLInputElement).type)
    expect(await radio()).toBe('radio')
    const chosen = await page.evaluate(() => (document.activeElement as HTMLInputElement).value)
    await page.keyboard.press('ArrowDown')
    expect(await radio()).toBe('radio')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).not.toBe(chosen)
    await page.keyboard.press('Tab')
    expect(await radio()).toBe('radio')
    await page.keyboard.press('Tab')
    expect(await focusText(page)).toBe('TSV')
    await page.keyboard.press('x')
    expect(await focusText(page)).toBe('XLSX')
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Tab')
    expect(await dialog.count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('lists are whole in the window of a phone', async () => {
    const { page, context, complaints } = await visit(gene, { language, width: 390, height: 800, dark: true })
    const buttons = page.locator('.nv-page-actions .nv-menu-button')
    await buttons.first().waitFor()
    await settle(page)
    for (let at = 0; at < (await buttons.count()); at += 1) {
      await buttons.nth(at).click()
      await page.locator('.nv-menu-list').waitFor()
      expect(await isWhole(page, '.nv-menu-list'), `menu ${at}`).toBe(true)
      await page.keyboard.press('Escape')
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  it('arrows move in the list of a box, Home and End in its text; Enter takes, Escape and Tab close', async () => {
    const { page, context, complaints } = await visit('/download', { language, inspected: true })
    await settle(page)
    const box = page.locator('main input[role=combobox]').first()
    const marked = (): Promise<string | null> =>
      box.evaluate(
        (input) => document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null,
      )
    await box.focus()
    const options = page.locator('.nv-combobox [role=option]')
    await options.first().waitFor()
    const names = await options.evaluateAll((all) => all.map((one) => one.textContent))
    expect(await marked()).toBeNull()
    // The list is as wide as its box, and under it.
    const [over, under] = [(await box.boundingBox())!, (await page.locator('.nv-combobox-list').boundingBox())!]
    expect([under.x, under.width].map(Math.round)).toEqual([over.x, over.width].map(Math.round))
    expect(under.y).toBeGreaterThanOrEqual(over.y + over.height)
    await page.keyboard.press('ArrowDown')
    expect(await marked()).toBe(names[0])
    await page.keyboard.press('ArrowUp')
    expect(await marked()).toBe(names.at(-1))
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Enter')
    expect(await options.count()).toBe(0)
    // What is chosen stands in the address, which is told a moment later.
    await expect.poll(() => box.inputValue()).not.toBe('')
    const text = await box.inputValue()
    await page.keyboard.press('ArrowDown')
    await options.first().waitFor()
    await page.keyboard.press('Home')
    expect(await box.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(0)
    await page.keyboard.press('End')
    expect(await box.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(text.length)
    await page.keyboard.press('Escape')
    expect(await options.count()).toBe(0)
    expect(await box.inputValue()).toBe(text)
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await options.first().waitFor()
    await page.keyboard.press('Tab')
    expect(await options.count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('Enter that ends a word of an input method searches for nothing', async () => {
    const { page, context, complaints } = await visit('/home', { language })
    await settle(page)
    const box = page.locator('main input[role=combobox]').first()
    await box.fill('kinase')
    await box.evaluate((input) =>
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true })),
    )
    await settle(page)
    expect(page.url()).toMatch(/\/home$/)
    await box.press('Enter')
    await page.waitForURL(/\/search\?/)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('arrows, Home and End choose a tab', async () => {
    const { page, context, complaints } = await visit('/user/login', { language })
    await settle(page)
    const tabs = page.getByRole('tab')
    const names = await tabs.allInnerTexts()
    expect(names.length).toBeGreaterThan(1)
    await page.locator('[role=tab][aria-selected=true]').focus()
    for (const [key, index] of [
      ['End', names.length - 1],
      ['Home', 0],
      ['ArrowLeft', names.length - 1],
      ['ArrowRight', 0],
    ] as const) {
      await page.keyboard.press(key)
      expect(await focusText(page), key).toBe(names[index])
      expect(await tabs.nth(index).getAttribute('aria-selected')).toBe('true')
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})
