import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { fasta, gff3 } from '../src/testing/import-sources.ts'
import { messages as dataImport } from '../src/web/messages/import.ts'
import { findBarriers, visit } from './browser.ts'
import { inTurn } from './journeys.ts'
import { signInAsAdmin } from './portal-command.ts'

// A folder is dropped and looked at; nothing is loaded, so that other journeys go on beside it.

let adminToken: string
const root = mkdtempSync(join(tmpdir(), 'novodb-dropped-'))

beforeAll(async () => {
  adminToken = await signInAsAdmin(inject('portalUrl'), inject('adminPassword'))
  mkdirSync(join(root, 'minimus', 'annotation'), { recursive: true })
  writeFileSync(join(root, 'minimus', 'genome.fa'), fasta('chr1', 'pT'))
  writeFileSync(join(root, 'minimus', 'annotation', 'genes.gff3'), gff3('chr1', 'pT'))
  writeFileSync(join(root, 'minimus', '.DS_Store'), 'left by a system')
})
afterAll(async () => {
  rmSync(root, { recursive: true, force: true })
})

/** Drops a folder as a person does from the desktop: the browser gives its entries, and not only files. */
const dropFolder = async (page: Page, folder: string): Promise<void> => {
  const box = (await page.locator('.import-drop').boundingBox())!
  const session = await page.context().newCDPSession(page)
  const at = { x: box.x + box.width / 2, y: box.y + 12 }
  const data = { items: [], files: [folder], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  await session.detach()
}

/** Goes on by Tab until what has the focus is the button with this text. */
const tabTo = async (page: Page, text: string): Promise<void> => {
  for (let stops = 0; stops < 80; stops++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate(() => document.activeElement?.textContent?.trim())) === text) return
  }
  throw new Error(`${text} is not reached by Tab`)
}

inTurn('importing, in %s', (language, it) => {
  const t = translator(dataImport, language)

  it('a folder is dropped, shown without barriers in every form of the page, and deleted by keyboard', async () => {
    const { page, context, complaints } = await visit('/info?tab=import', {
      language,
      token: adminToken,
      inspected: true,
    })
    await page.getByText(t('import.drop')).waitFor()
    const checkForms = async (): Promise<void> => {
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 1280],
        ['dark', 390],
        ['light', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        expect([colorScheme, width, await findBarriers(page)]).toEqual([colorScheme, width, []])
        const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
        expect([width, isWider]).toEqual([width, false])
      }
      await page.setViewportSize({ width: 1280, height: 900 })
    }
    await checkForms()
    await dropFolder(page, join(root, 'minimus'))
    await page.getByText(t('import.firstGenes')).waitFor({ timeout: 60_000 })
    // Below what was uploaded it stands too, folded away.
    await page.locator('td').getByText('minimus/annotation/genes.gff3').waitFor()
    expect(await page.getByText('.DS_Store').count()).toBe(0)
    // Named after the folder, and so is what is suggested.
    expect(await page.locator('.import-questions input').first().inputValue()).toBe('minimus')
    await checkForms()
    await page.locator('main').click({ position: { x: 1, y: 1 } })
    await tabTo(page, t('import.delete'))
    await page.keyboard.press('Enter')
    await page.locator('dialog[open]').waitFor()
    await tabTo(page, t('import.delete'))
    await page.keyboard.press('Enter')
    await page.getByText(t('import.drop')).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  }, 120_000)
})
