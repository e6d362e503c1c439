import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Locale, translator } from '../src/kit/ui/language.tsx'
import { mountSmallDisk } from '../src/testing/small-disk.ts'
import { makeSpeciesFolder } from '../src/testing/species.ts'
import { messages as admin } from '../src/web/messages/admin.ts'
import { messages as home } from '../src/web/messages/home.ts'
import { invite, open } from './browser.ts'
import { signInAsAdmin, startServer } from './portal-command.ts'

// A portal of its own whose data lie on a disk that can be filled.

const disk = mountSmallDisk(900)
let portal: Awaited<ReturnType<typeof startServer>> | undefined
let token = ''

const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await fetch(`${portal!.url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return ((await answer.json()) as { data: unknown }).data
}

beforeAll(async () => {
  if (disk === null) return
  portal = await startServer(join(disk.folder, 'data'))
  token = await signInAsAdmin(portal.url)
})
afterEach(() => disk?.giveRoom())
afterAll(async () => {
  if (portal !== undefined) {
    const ended = new Promise((resolve) => portal!.child.once('close', resolve))
    portal.child.kill('SIGTERM')
    await ended
  }
  disk?.remove()
})

const openAt = async (path: string, language: Locale, options: { width?: number; admin?: boolean } = {}) => {
  const context = await invite({
    language,
    ...(options.width === undefined ? {} : { width: options.width }),
    ...(options.admin === true ? { token } : {}),
  })
  return open(context, `${portal!.url}${path}`)
}

/** A message up to where its figures begin, which change while it is looked at. */
const saying = (text: string): RegExp =>
  new RegExp(text.slice(0, text.indexOf('§')).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))

describe.skipIf(disk === null)('a load on a full disk', () => {
  it('is told on Home to everybody and to the administrator, in both languages, and goes on by itself once there is space', {
    timeout: 240_000,
  }, async () => {
    const folders = join(disk!.folder, 'data', 'incoming')
    mkdirSync(folders, { recursive: true })
    const folder = makeSpeciesFolder(join(folders, 'testus'))
    disk!.fill(10e6)
    await ask('POST', '/api/admin/data/load/', { folder })
    const opened: { page: Page; language: Locale }[] = []
    for (const language of ['en-US', 'zh-CN'] as const) {
      const p = translator(home, language)
      const k = translator(admin, language)
      const { page } = await openAt('/home', language, { width: 1280 })
      const banner = page.locator('.home-space')
      await banner.getByText(p('home.loadLacksSpace', { name: 'Testus minimus' })).waitFor()
      await banner.getByText(saying(p('home.space', { needed: '§', free: '' }))).waitFor()
      // Whoever cannot make room is not sent to do so; nor is it said how to load data, as where there are none.
      expect(await banner.getByRole('link').count()).toBe(0)
      expect(await page.locator('.nv-empty').count()).toBe(0)
      opened.push({ page, language })
      const narrow = await openAt('/home', language, { width: 390, admin: true })
      await narrow.page
        .locator('.home-space')
        .getByRole('link', { name: p('home.spaceToDo') })
        .click()
      await narrow.page.getByText(k('info.diskFullToDo')).waitFor()
      expect(await narrow.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      await narrow.page.goto(`${portal!.url}/info?tab=data`)
      await narrow.page
        .getByText(saying(k('info.waitsForSpace', { needed: '§', free: '' })))
        .first()
        .waitFor()
      // Not the heading of that column, which sorts by it.
      const row = narrow.page.locator('tbody tr', { hasText: 'testus-minimus' })
      await row.getByRole('button', { name: k('info.log'), exact: true }).click()
      const dialog = narrow.page.locator('dialog')
      const reported = k('info.waitsForSpaceAt', { folder: join(disk!.folder, 'data'), needed: '§', free: '' })
      await dialog.getByText(saying(reported)).waitFor()
      await narrow.context.close()
    }
    disk!.giveRoom()
    // The pages that were open tell of it without being loaded anew.
    for (const { page, language } of opened) {
      await page.locator('.home-species').getByText('Testus minimus').waitFor({ timeout: 120_000 })
      await page.locator('.home-space').waitFor({ state: 'detached' })
      expect(await page.getByText(translator(home, language)('home.diskFull'), { exact: true }).count()).toBe(0)
      await page.context().close()
    }
  })

  it('is told as full also where nothing loads, with what can still be done', async () => {
    disk!.fill(10e6)
    for (const language of ['en-US', 'zh-CN'] as const) {
      const p = translator(home, language)
      const { page, context } = await openAt('/home', language)
      await page.getByText(p('home.diskFull'), { exact: true }).waitFor()
      await page.getByText(p('home.diskFullWhy')).waitFor()
      await page.locator('.home-species').first().waitFor()
      await context.close()
    }
  })
})
