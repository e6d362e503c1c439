import type { Page } from 'playwright-core'

/** The way by the Tab key from the top of a page to the button that runs its form, by the link that skips the frame. */
export interface WayToRun {
  /** Presses of Tab until Run has the focus, from the first one on. */
  stops: number
  /** Stops of the frame, which whoever does not take the link passes as well. */
  ofFrame: number
  /** Controls that had the focus while something lay over them. */
  covered: string[]
  /** Lists that stayed open when they were left. */
  leftOpen: string[]
}

/** A form with more stops than this is not walked to its end. */
const longestWay = 150

/** Walks to Run as somebody does who has no mouse. The page is as it was opened: nothing is typed. */
export const walkToRun = async (page: Page): Promise<WayToRun> => {
  const way: WayToRun = { stops: 0, ofFrame: 0, covered: [], leftOpen: [] }
  await page.evaluate(() => {
    ;(document.activeElement as HTMLElement | null)?.blur()
    scrollTo(0, 0)
    getSelection()?.removeAllRanges()
    // The next stop is sought from here.
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  way.ofFrame = await page
    .locator('.shell-header :is(a, button, input)')
    .evaluateAll((all: HTMLElement[]) => all.filter((one) => one.checkVisibility()).length)
  await page.keyboard.press('Tab')
  way.stops = 1
  await page.locator('.shell-skip:focus').waitFor()
  await page.keyboard.press('Enter')
  for (; way.stops < longestWay; ) {
    await page.keyboard.press('Tab')
    way.stops += 1
    const at = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement
      const name = `${focused.tagName.toLowerCase()} ${(focused.getAttribute('aria-label') ?? focused.innerText ?? '').trim().slice(0, 40)}`
      const { left, right, top, bottom } = focused.getBoundingClientRect()
      // A tall box need not be in sight as a whole: its first line.
      const [x, y] = [(left + right) / 2, top + Math.min(bottom - top, 24) / 2]
      const over = document.elementFromPoint(x, y)
      // The label over a radio button or a box is its own.
      const own =
        over !== null && (focused.contains(over) || over.contains(focused) || over.closest('label')?.contains(focused))
      const lists = [...document.querySelectorAll('[role=listbox], .nv-menu-list')].filter(
        (list) => list.parentElement?.contains(focused) !== true,
      )
      return {
        name,
        isRun: focused.matches('.nv-form-run .nv-button-primary'),
        covered: own !== true,
        open: lists.length > 0,
      }
    })
    if (at.covered) way.covered.push(at.name)
    if (at.open) way.leftOpen.push(at.name)
    if (at.isRun) break
  }
  return way
}
