import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, inject, it } from 'vitest'
import { accountMessages } from '../src/contracts/accounts/account-messages.ts'
import { type Locale, translator } from '../src/kit/ui/language.tsx'
import { messages as account } from '../src/web/messages/account.ts'
import { messages as admin } from '../src/web/messages/admin.ts'
import { messages as pages } from '../src/web/messages/pages.ts'
import { messages as routes } from '../src/web/messages/routes.ts'
import { messages as shell } from '../src/web/messages/shell.ts'
import { download, settle, sharedBrowser, visit } from './browser.ts'
import { inTurn } from './journeys.ts'

const facts = inject('facts')

/** The portal promises a first page of less than this much script, packed, in kB. */
const firstScriptLimitKb = 300

inTurn('a visitor who reads %s', (language, it) => {
  const t = translator(pages, language)
  const s = translator(shell, language)
  const r = translator(routes, language)
  const a = translator(account, language)
  const k = translator(admin, language)
  const w = translator(accountMessages, language)

  it('takes files away with checksums that are right', async () => {
    const { page, context, complaints } = await visit('/download', { language })
    await settle(page)
    const sums = await download(page, () =>
      page
        .locator('button', { hasText: t('download.sums') })
        .first()
        .click(),
    )
    const addresses = await download(page, () => page.locator('button', { hasText: t('download.urls') }).click())
    const lines = sums.text.trim().split('\n')
    const urls = addresses.text.trim().split('\n')
    expect(lines.length).toBeGreaterThan(3)
    expect(urls).toHaveLength(lines.length)
    expect(await page.locator('.download-command summary').innerText()).toContain(String(lines.length))
    // The smallest file, as `wget` and `sha256sum -c` would have it.
    const listed = (await (await fetch(`${inject('portalUrl')}/api/downloads/`)).json()) as {
      data: { files: { url: string; bytes: number; sha256: string }[] }
    }
    const smallest = [...listed.data.files].sort((a, b) => a.bytes - b.bytes)[0]!
    const address = urls.find((url) => url.endsWith(smallest.url))!
    const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
    expect(bytes.length).toBe(smallest.bytes)
    const sum = createHash('sha256').update(bytes).digest('hex')
    expect(lines).toContain(`${sum}  ${smallest.url.replace('/data/', '')}`)
    // The three smallest files of those in sight are ticked; the command of the page, run as it stands there, fetches them, and they are
    // found right.
    const inSight = await page
      .locator('main tbody a[download]')
      .evaluateAll((links: HTMLAnchorElement[]) => links.map((link) => link.pathname))
    const few = listed.data.files
      .filter(({ url }) => inSight.some((path) => path.endsWith(url)))
      .sort((a, b) => a.bytes - b.bytes)
      .slice(0, 3)
    expect(few).toHaveLength(3)
    for (const { url } of few)
      await page
        .locator('tr', { has: page.locator(`a[href$="${url}"]`) })
        .getByRole('checkbox')
        .check()
    const [command, check] = await page.locator('.download-script pre').allInnerTexts()
    const ticked = await download(page, () =>
      page.locator('.download-command button', { hasText: t('download.sums') }).click(),
    )
    const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-files-'))
    try {
      writeFileSync(join(folder, 'SHA256SUMS'), ticked.text)
      execFileSync('sh', ['-e', '-c', command!.replace('curl', 'curl --silent --noproxy "*"')], { cwd: folder })
      const checked = execFileSync('sh', ['-c', check!], { cwd: folder, encoding: 'utf8' })
      expect(checked.trim().split('\n')).toEqual(few.map(() => expect.stringMatching(/: OK$/)))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    // Every kind of file has a name in the reader's language.
    const kinds = await page
      .getByRole('combobox', { name: t('download.kind'), exact: true })
      .locator('option')
      .all()
    for (const kind of language === 'zh-CN' ? kinds : [])
      expect(await kind.innerText()).not.toBe(await kind.getAttribute('value'))
    // One kind of file at a time, kept in the address.
    await page.getByRole('combobox', { name: t('download.kind'), exact: true }).selectOption('genome')
    await page.waitForURL(/kind=genome/)
    await settle(page)
    const headings = await page.locator('main thead th').allInnerTexts()
    const column = headings.findIndex((heading) => heading.trim().startsWith(t('download.kind'))) + 1
    expect(column).toBeGreaterThan(0)
    for (const kind of await page.locator(`main tbody tr td:nth-child(${column})`).allInnerTexts())
      expect(kind).toBe(t('download.kind.genome'))
    expect(complaints).toEqual([])
    await context.close()
  })

  it('reads how every tool works, and comes to its section from the tool', async () => {
    const { page, context, complaints } = await visit('/tools', { language })
    await settle(page)
    const { data } = (await (await fetch(`${inject('portalUrl')}/api/tools/`)).json()) as {
      data: { tools: { id: string; route: string }[] }
    }
    const routes = await page
      .locator('main a[href^="/"]')
      .evaluateAll((links) => links.map((one) => one.getAttribute('href')))
    const listed = data.tools.filter((tool) => routes.includes(tool.route))
    expect(listed.length).toBeGreaterThanOrEqual(3)
    await page.goto(`${inject('portalUrl')}${listed[0]!.route}`)
    await page.locator(`a[href="/document/${listed[0]!.id}"]`).first().click()
    await page.waitForURL(/\/document\//)
    for (const tool of listed) {
      await page.locator(`.document-index a[href="/document/${tool.id}"]`).click()
      await page.waitForURL(new RegExp(`/document/${tool.id}$`))
      await page.locator('.document-text :is(p, li)').first().waitFor()
      await settle(page)
      const text = await page.locator('.document-text').innerText()
      expect(text.length, tool.id).toBeGreaterThan(150)
      expect(text, tool.id).not.toContain(t('document.none'))
      const figure = page.locator('.document-text figure img')
      if ((await figure.count()) > 0)
        await expect.poll(() => figure.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(600)
      if (language === 'zh-CN') expect(text, tool.id).toMatch(/[\u4e00-\u9fff]{4}/)
    }
    // A link from the time when all was one page.
    await page.goto(`${inject('portalUrl')}/document#${listed[0]!.id}`)
    await page.waitForURL(new RegExp(`/document/${listed[0]!.id}$`))
    expect(complaints).toEqual([])
    await context.close()
  })

  it('reads the Usage without scripts: contents, a chapter with its picture, and what the search finds', async () => {
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled: false, locale: language })
    const page = await context.newPage()
    await page.goto(`${inject('portalUrl')}/document`)
    expect(await page.locator('h1').innerText()).toBe(t('document.title'))
    await page.locator('a[href^="/document/blast"]').click()
    expect(await page.locator('h1').innerText()).toBe('BLAST')
    expect((await page.locator('.document-text').innerText()).length).toBeGreaterThan(1000)
    expect(await page.locator('figure img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
      600,
    )
    await page.locator('input[type=search]').fill('Karlin')
    await page.locator('input[type=search]').press('Enter')
    await page.waitForURL(/q=Karlin/)
    expect(await page.locator('.document-found mark').count()).toBeGreaterThan(0)
    await context.close()
  })

  it('is told at an address that does not exist, and finds the way home', async () => {
    const { page, context } = await visit('/no/such/page', { language })
    await page.getByText(s('page.404.title')).waitFor()
    await page.locator('main a', { hasText: s('page.home') }).click()
    await page.waitForURL(/\/home$/)
    await page.locator('.home-hero').waitFor()
    await context.close()
  })

  it('changes the language and stays on the page, with what the address held', async () => {
    const address = `/search?q=${facts.search.word}&type=gene`
    const { page, context, complaints } = await visit(address, { language })
    await page.locator('.search-list li').first().waitFor()
    const first = await page.locator('.search-list li code').first().innerText()
    const other: Locale = language === 'en-US' ? 'zh-CN' : 'en-US'
    await page.getByRole('button', { name: s('menu.language') }).click()
    await Promise.all([page.waitForEvent('load'), page.locator(`[role=menuitemradio] [lang="${other}"]`).click()])
    await page.locator('.search-list li').first().waitFor()
    expect(page.url()).toBe(`${inject('portalUrl')}${address}`)
    expect(await page.locator('html').getAttribute('lang')).toBe(other)
    expect(await page.locator('h1').innerText()).toBe(translator(pages, other)('search.title'))
    expect(await page.locator('.search-list li code').first().innerText()).toBe(first)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('chooses the dark theme, which is there again before the first paint of the next page', async () => {
    const { page, context } = await visit('/home', { language })
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    await page.getByRole('button', { name: s('menu.theme') }).click()
    await page.getByRole('menuitemradio', { name: s('theme.dark') }).click()
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.goto(`${inject('portalUrl')}/tools`)
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await ground()).toBe(dark)
    await context.close()
  })

  it('reaches the content, the menu and the search by the keyboard alone', async () => {
    const { page, context } = await visit('/tools', { language })
    await settle(page)
    const names: string[] = []
    for (let step = 0; step < 10; step += 1) {
      await page.keyboard.press('Tab')
      const [name, visible] = await page.evaluate(() => {
        const at = document.activeElement as HTMLElement
        const box = at.getBoundingClientRect()
        return [at.getAttribute('aria-label') ?? at.innerText, box.top >= 0 && box.bottom <= innerHeight] as const
      })
      // What has the focus can be seen.
      expect(visible, name).toBe(true)
      names.push(name)
    }
    expect(names[0]).toBe(s('menu.skip'))
    expect(names).toContain(r('route.home'))
    expect(names).toContain(r('route.search'))
    expect(names.indexOf(s('search.label'))).toBeGreaterThan(names.indexOf(r('route.search')))
    await page.locator('.shell-skip').focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    // A menu opens, moves and closes by keys, and gives the focus back.
    const button = page.getByRole('button', { name: s('menu.theme') })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('menuitemradio')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('menu').count()).toBe(0)
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true)
    await context.close()
  })

  it('signs in as the administrator, sees what the portal holds, and leaves no key behind', async () => {
    const { page, context, complaints } = await visit('/info', { language })
    // A visitor is sent to sign in, and comes back afterwards.
    await page.waitForURL(/\/user\/login\?redirect=%2Finfo/)
    await page.getByRole('tab', { name: a('login.admin') }).click()
    await page.locator('input[name=username]').fill('admin')
    await page.locator('input[name=password]').fill(inject('adminPassword'))
    await page.locator('button[type=submit]').click()
    await page.waitForURL(/\/info/)
    await page.locator('h1', { hasText: k('info.title') }).waitFor()
    await page.locator('tbody tr').first().waitFor()
    expect(await page.locator('main').innerText()).toContain(k('info.active'))
    await page.getByRole('tab', { name: k('info.engines') }).click()
    await page.locator('tbody tr', { hasText: 'blastn' }).first().waitFor()
    expect(await page.locator('main').innerText()).toContain(k('info.found'))
    await page.getByRole('button', { name: 'admin' }).click()
    await page.getByRole('menuitem', { name: s('menu.logout') }).click()
    await page.waitForURL(/\/user\/login/)
    const kept = await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)].flat())
    expect(kept.filter((key) => key !== 'novodb_locale')).toEqual([])
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is refused with a wrong password, in words', async () => {
    const { page, context } = await visit('/user/login', { language })
    await page.locator('button[type=submit]').click()
    await page.getByText(w('account.needUsername')).waitFor()
    await page.getByText(w('account.needPassword')).waitFor()
    await page.locator('input[name=username]').fill('admin')
    await page.locator('input[name=password]').fill('not-the-password')
    await page.locator('button[type=submit]').click()
    await page.getByText(a('login.wrong')).waitFor()
    expect(await page.locator('input[name=username]').inputValue()).toBe('admin')
    expect(page.url()).toMatch(/\/user\/login/)
    await context.close()
  })
})

describe('the first page', () => {
  it(`comes with less than ${firstScriptLimitKb} kB of script, packed`, async () => {
    const { page, context } = await visit('/home', { language: 'en-US' })
    await page.locator('.home-ring .ring-forward').first().waitFor()
    await settle(page)
    const scripts = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter((entry) => /\.js($|\?)/.test(entry.name))
        .map((entry) => ({ name: entry.name, bytes: entry.encodedBodySize })),
    )
    expect(scripts.length).toBeGreaterThan(2)
    const kb = scripts.reduce((sum, one) => sum + one.bytes, 0) / 1000
    let gzipKb = 0
    for (const { name } of scripts) gzipKb += gzipSync(await (await fetch(name)).text(), { level: 6 }).length / 1000
    const ready = await page.evaluate(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).domInteractive,
    )
    console.log(
      `Home: ${scripts.length} scripts, ${kb.toFixed(0)} kB as sent, ${gzipKb.toFixed(0)} kB by gzip; interactive after ${ready.toFixed(0)} ms`,
    )
    expect(kb).toBeLessThan(firstScriptLimitKb)
    expect(gzipKb).toBeLessThan(firstScriptLimitKb)
    await context.close()
  })
})

describe('between two pages', () => {
  it('no form of the page before is on screen under the address of the page that is still being fetched', async () => {
    const { page, context, complaints } = await visit('/tools/sequencefetch', {
      language: 'en-US',
    })
    await page.locator('form.nv-tool-form').waitFor()
    await settle(page)
    let arrive = (): void => {}
    const held = new Promise<void>((resolve) => {
      arrive = resolve
    })
    let asked = 0
    await page.route('**/assets/*.js', async (route) => {
      asked += 1
      await held
      await route.continue()
    })
    await page.locator('.shell-nav a[href="/download"]').click()
    await page.waitForURL('**/download')
    await page.locator('.shell-content .nv-waiting').waitFor()
    expect(await page.locator('form.nv-tool-form').count()).toBe(0)
    expect(asked).toBeGreaterThan(0)
    arrive()
    await page.locator('.download-command').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
