import type { Page } from 'playwright-core'
import { type Locale, translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { settle } from './browser.ts'

// What journeys of a run need: its form filled, its answer held back, and where the focus is.

/** What has the focus: whether it is a line of the outcome, what it says, and whether all of it is in the window. */
export const focused = (page: Page): Promise<{ of: string; inWindow: boolean }> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null) return { of: 'nothing', inWindow: false }
    const { top, bottom } = element.getBoundingClientRect()
    const of = element.matches('.nv-headline')
      ? 'headline'
      : element.closest('.nv-outcome') === null
        ? element.tagName
        : 'outcome'
    return { of, inWindow: top >= 0 && top < innerHeight && (of === 'outcome' || bottom <= innerHeight) }
  })

/** Fills the form with the tool's example; false where it has none here. */
export const fill = async (page: Page, language: Locale = 'en-US'): Promise<boolean> => {
  await settle(page)
  const example = page.getByRole('button', { name: translator(kit, language)('form.example'), exact: true })
  if ((await example.count()) === 0 || !(await example.isEnabled())) return false
  await example.click()
  await page.locator('.nv-form-run .nv-button-primary:not([aria-busy])').waitFor()
  await settle(page)
  return true
}

/** Holds back what awaits it until it is opened. */
export const makeGate = (): { opened: Promise<void>; open: () => void } => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

export const toFootOfForm = (page: Page): Promise<void> =>
  page.locator('.nv-tool-form').evaluate((form) => form.scrollIntoView({ block: 'end' }))
