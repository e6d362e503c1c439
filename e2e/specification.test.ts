import { createReadStream, existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { accountMessages } from '../src/contracts/accounts/account-messages.ts'
import { translator } from '../src/kit/ui/language.tsx'
import { messages as kit } from '../src/kit/ui/messages.ts'
import { full } from '../src/testing/real-data.ts'
import { messages as account } from '../src/web/messages/account.ts'
import { messages as admin } from '../src/web/messages/admin.ts'
import { messages as routeTexts } from '../src/web/messages/routes.ts'
import { messages as shell } from '../src/web/messages/shell.ts'
import { menuRoutes, routeTable } from '../src/web/shell/route-table.ts'
import { openSection, settle, sharedBrowser, visit } from './browser.ts'
import { inTurn } from './journeys.ts'
import { chunksOf, makeSecondBuild } from './second-build.ts'

// The portal specification, statement by statement, in a real browser; docs/specification.md says which is proved where.

const tokenKey = 'novodb_access_token'

/** Another address of the running page, without loading it anew. */
const goWithin = async (page: Page, path: string): Promise<void> => {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
}

const signInAsAdmin = async (page: Page, a: (key: 'login.admin') => string): Promise<void> => {
  await page.getByRole('tab', { name: a('login.admin') }).click()
  await page.locator('input[name=username]').fill('admin')
  await page.locator('input[name=password]').fill(inject('adminPassword'))
  await page.locator('button[type=submit]').click()
}

inTurn('the specification in %s', (language, it) => {
  const s = translator(shell, language)
  const a = translator(account, language)
  const k = translator(admin, language)
  const r = translator(routeTexts, language)
  const w = translator(accountMessages, language)
  const u = translator(kit, language)

  it('every address draws its page in the letters written, and any other is the 404 page', async () => {
    const { page, context } = await visit('/404', { language })
    await page.locator('h1').waitFor()
    const missing = s('page.404.title')
    for (const { path: pattern, access, bare } of routeTable) {
      const path = pattern.replace(':chapter', 'start')
      if (access !== undefined || bare === true || path === '/404') continue
      await goWithin(page, path)
      await page.waitForFunction(
        ([text]) => {
          const heads = [...document.querySelectorAll('main h1')]
          return heads.length === 1 && heads[0]?.textContent !== '' && heads[0]?.textContent !== text
        },
        [missing],
        { timeout: 20_000 },
      )
      expect(await page.title(), path).not.toBe('')
      expect([path, await page.locator('.shell-footer').innerText()]).toEqual([path, '沪ICP备00000000号-1'])
    }
    for (const path of ['/Home', '/tools/genesearch', '/tools/blast/more', '/nothing']) {
      await goWithin(page, path)
      await page.locator('h1', { hasText: missing }).waitFor({ timeout: 10_000 })
      await goWithin(page, '/tools')
      await page.locator('h1', { hasNotText: missing }).waitFor()
    }
    await context.close()
  })

  it('/ and /index.html lead to /home', async () => {
    for (const path of ['/', '/index.html']) {
      const { page, context } = await visit(path, { language })
      await page.waitForURL(/\/home$/)
      await context.close()
    }
  })

  it('the frame is dark at the top, green and fluid, with title, menu, Usage and the filing notice as the whole footer', async () => {
    const { page, context } = await visit('/home', { language, width: 1600 })
    await settle(page)
    const look = await page.evaluate(() => {
      const header = document.querySelector('.shell-header') as HTMLElement
      const style = getComputedStyle(header)
      return {
        position: style.position,
        background: style.backgroundColor,
        primary: getComputedStyle(document.documentElement).getPropertyValue('--primary').trim(),
        width: header.getBoundingClientRect().width,
        brand: document.querySelector('.shell-brand')?.textContent ?? '',
        menu: [...document.querySelectorAll('.shell-nav a')].map((link) => [
          link.textContent ?? '',
          link.getAttribute('href') ?? '',
        ]),
        footer: document.querySelector('.shell-footer')?.textContent ?? '',
      }
    })
    expect(look.background).toBe('rgb(11, 23, 19)')
    expect(look.position).toBe('static')
    expect(look.primary).toBe('#0f7a55')
    expect(look.width).toBe(1600)
    expect(look.brand).toBe('NovoDB')
    expect(look.menu).toEqual(menuRoutes.map((entry) => [r(`route.${entry.title}`), entry.path]))
    expect(look.footer).toBe('沪ICP备00000000号-1')
    await page.getByRole('link', { name: r('route.document'), exact: true }).click()
    await page.waitForURL(/\/document$/)
    await context.close()
  })

  if (full)
    it('figures and tables are as wide as the window lets them, and lines of text are not', async () => {
      const { data } = (await (await fetch(`${inject('portalUrl')}/api/species/`)).json()) as {
        data: { species: { assemblies: { exampleGenes: { id: string }[] }[] }[] }
      }
      const gene = data.species[0]!.assemblies[0]!.exampleGenes[0]!.id
      const { page, context } = await visit('/download', { language, width: 2400 })
      const widest = (selector: string): Promise<number> =>
        page
          .locator(selector)
          .evaluateAll((found) => Math.max(0, ...found.map((element) => element.getBoundingClientRect().width)))
      for (const [path, wide, minPx] of [
        ['/download', 'main .nv-table table', 2200],
        [`/gene?id=${encodeURIComponent(gene)}`, '.nv-figure-body svg', 1900],
        ['/document/data-formats', '.document-text', 2000],
      ] as const) {
        await page.goto(`${inject('portalUrl')}${path}`)
        await settle(page)
        await expect.poll(() => widest(wide), { message: path }).toBeGreaterThan(minPx)
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 2400])
      }
      const line = await widest('.document-text p')
      expect([line > 400, line < 900]).toEqual([true, true])
      await context.close()
    })

  it('without a filing number the foot shows nothing, but for a placeholder in the demo', async () => {
    for (const demo of [false, true]) {
      const { page, context } = await visit('/404', { language })
      await page.route('**/tools', async (route) => {
        const answer = await route.fetch()
        const body = (await answer.text()).replace(/(<meta name="novodb-filing" content=")[^"]*/, '$1')
        await route.fulfill({ response: answer, body })
      })
      await page.route('**/api/auth/options/', async (route) => {
        const answer = await route.fetch()
        const { data, ...rest } = (await answer.json()) as { data: object }
        await route.fulfill({ response: answer, json: { ...rest, data: { ...data, demo } } })
      })
      const reported = page.waitForResponse('**/api/auth/options/')
      await page.goto(`${inject('portalUrl')}/tools`)
      await reported
      await settle(page)
      if (demo) expect(await page.locator('footer.shell-footer').innerText()).toBe(s('footer.filingOfDemo'))
      else expect(await page.locator('footer.shell-footer').count()).toBe(0)
      await context.close()
    }
  })

  it('back to top shows after 400 px and takes 450 ms', async () => {
    const { page, context } = await visit('/document/data-formats', { language, height: 500 })
    await settle(page)
    const button = page.getByRole('button', { name: s('top.back') })
    await page.evaluate(() => scrollTo(0, 400))
    await page.waitForTimeout(200)
    expect(await button.count()).toBe(0)
    await page.evaluate(() => scrollTo(0, 401))
    await button.waitFor()
    await page.evaluate(() => scrollTo(0, 2000))
    const ms = await page.evaluate(
      (label) =>
        new Promise<number>((done) => {
          const began = performance.now()
          const look = (): void => {
            if (scrollY === 0) done(performance.now() - began)
            else requestAnimationFrame(look)
          }
          document.querySelector<HTMLElement>(`button[aria-label="${label}"]`)?.click()
          look()
        }),
      s('top.back'),
    )
    expect(ms).toBeGreaterThan(400)
    await context.close()
  })

  it('the login page stands without the frame and has three tabs whose messages are those of the specification', async () => {
    const { page, context } = await visit('/user/login', { language })
    expect(await page.locator('.shell-header').count()).toBe(0)
    await page.getByRole('tab').first().waitFor()
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      a('login.account'),
      a('login.admin'),
      a('login.phone'),
    ])
    for (const tab of ['login.account', 'login.admin'] as const) {
      await page.getByRole('tab', { name: a(tab) }).click()
      await page.locator('button[type=submit]').click()
      await page.getByText(w('account.needUsername')).waitFor()
      await page.getByText(w('account.needPassword')).waitFor()
    }
    await page.locator('input[name=username]').fill('nobody-here')
    await page.locator('input[name=password]').fill('not the password')
    await page.locator('button[type=submit]').click()
    await page.getByText(a('login.wrong')).waitFor()
    await page.getByRole('tab', { name: a('login.phone') }).click()
    await page.locator('button[type=submit]').click()
    await page.getByText(w('account.needPhone')).waitFor()
    await page.getByText(w('account.needCode')).waitFor()
    await page.locator('input[name=phone]').fill('12')
    await page.getByRole('button', { name: a('code.get') }).click()
    await page.getByText(w('account.phoneForm')).waitFor()
    await page.locator('input[name=phone]').fill(`139${String(Date.now()).slice(-8)}`)
    await page.getByRole('button', { name: a('code.get') }).click()
    const resend = page.locator('.account-code button')
    await page.waitForFunction(() =>
      /^(60|59|58) /.test(document.querySelector('.account-code button')?.textContent ?? ''),
    )
    expect(await resend.isDisabled()).toBe(true)
    await page.locator('input[name=captcha]').fill('000000')
    await page.locator('button[type=submit]').click()
    await page.getByText(a('login.codeWrong')).first().waitFor()
    // A login that fails for another reason is told in general words.
    await page.getByRole('tab', { name: a('login.account') }).click()
    await page.route('**/api/auth/login/', (route) => route.abort())
    await page.locator('input[name=password]').fill('whatever it is')
    await page.locator('button[type=submit]').click()
    await page.getByText(a('login.failed')).waitFor()
    await context.close()
  })

  it('a failure to fetch the current user at start leads to the login page', async () => {
    const { page, context } = await visit('/user/login', { language })
    await page.evaluate((key) => localStorage.setItem(key, 'not-a-token'), tokenKey)
    await page.goto(`${inject('portalUrl')}/search?q=DNA`)
    await page.waitForURL(/\/user\/login\?redirect=%2Fsearch%3Fq%3DDNA/)
    await page.route('**/api/auth/user/', (route) => route.abort())
    await page.goto(`${inject('portalUrl')}/tools`)
    await page.waitForURL(/\/user\/login\?redirect=%2Ftools/)
    await context.close()
  })

  it('a visitor with a dead token stays on the pages for those without an account, and the token goes', async () => {
    const { page, context } = await visit('/404', { language })
    for (const path of ['/users/register', '/users/register-result', '/contact', '/user/login']) {
      await page.evaluate((key) => localStorage.setItem(key, 'not-a-token'), tokenKey)
      await page.goto(`${inject('portalUrl')}${path}`)
      await page.waitForFunction((key) => localStorage.getItem(key) === null, tokenKey)
      await settle(page)
      expect(new URL(page.url()).pathname).toBe(path)
    }
    await context.close()
  })

  it('remember-me decides the storage, the token goes with the API but not with the login, and logout clears both storages but the language', async () => {
    for (const remember of [false, true]) {
      const { page, context } = await visit('/user/login?redirect=%2Finfo', { language })
      const sent: [string, string | undefined][] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/')) sent.push([pathname, request.headers().authorization])
      })
      if (!remember) await page.locator('input[type=checkbox]').uncheck()
      await signInAsAdmin(page, a)
      await page.getByText(a('login.success')).waitFor()
      await page.waitForURL(/\/info/)
      const [session, local] = await page.evaluate(
        (key) => [sessionStorage.getItem(key), localStorage.getItem(key)],
        tokenKey,
      )
      const token = remember ? local : session
      expect(token).toMatch(/^\S{20,}$/)
      expect(remember ? session : local).toBeNull()
      await page.locator('tbody tr').first().waitFor()
      expect(sent.find(([path]) => path === '/api/auth/login/')?.[1]).toBeUndefined()
      expect(sent.filter(([path]) => path === '/api/auth/user/').at(-1)?.[1]).toBe(`Bearer ${token}`)
      expect(sent.find(([path]) => path.startsWith('/api/admin/'))?.[1]).toBe(`Bearer ${token}`)
      // Session storage goes before local storage.
      if (remember) {
        await page.evaluate((key) => sessionStorage.setItem(key, 'the-other-one'), tokenKey)
        const asked = page.waitForRequest((request) => request.url().endsWith('/api/auth/user/'))
        await page.reload()
        expect((await asked).headers().authorization).toBe('Bearer the-other-one')
        await page.waitForURL(/\/user\/login/)
        await context.close()
        continue
      }
      await page.goto(`${inject('portalUrl')}/search?q=DNA`)
      await page.evaluate(() => localStorage.setItem('left-behind', '1'))
      await page.getByRole('button', { name: 'admin' }).click()
      const ended = page.waitForRequest((request) => request.url().endsWith('/api/auth/logout/'))
      await page.getByRole('menuitem', { name: s('menu.logout') }).click()
      expect((await ended).method()).toBe('POST')
      await page.waitForURL(/\/user\/login\?redirect=%2Fsearch%3Fq%3DDNA/)
      expect(await page.evaluate(() => [Object.keys(sessionStorage), Object.keys(localStorage)].flat())).toEqual([
        'novodb_locale',
      ])
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      await context.close()
    }
  })

  it('a redirect to another site is not followed after the login', async () => {
    const { page, context } = await visit('/user/login?redirect=%2F%2Fexample.org%2Finfo', { language })
    await signInAsAdmin(page, a)
    await page.waitForURL(`${inject('portalUrl')}/home`)
    await context.close()
  })

  it('each display type of an error is shown as the specification says', async () => {
    const { page, context } = await visit('/xx', { language })
    const press = (key: Parameters<typeof k>[0]): Promise<void> =>
      page.getByRole('button', { name: k('test.show', { type: k(key) }), exact: true }).click()
    const shown = page.locator('.shell-notice')
    const clear = async (): Promise<void> => {
      while ((await shown.count()) > 0)
        await shown
          .first()
          .getByRole('button', { name: s('notice.close') })
          .click()
    }
    await press('test.silent')
    await page.waitForTimeout(300)
    expect(await shown.count()).toBe(0)
    for (const [key, look] of [
      ['test.warning', 'shell-notice-warning shell-notice-message'],
      ['test.error', 'shell-notice-error shell-notice-message'],
      ['test.notification', 'shell-notice-error shell-notice-notification'],
      ['test.other', 'shell-notice-error shell-notice-message'],
    ] as const) {
      await press(key)
      await shown.waitFor()
      expect(await shown.getAttribute('class'), key).toContain(look)
      expect(await shown.innerText()).toContain(k('test.message'))
      await clear()
    }
    await press('test.network')
    await page.locator('.shell-notice-notification', { hasText: u('request.networkTitle') }).waitFor()
    expect(await shown.innerText()).toContain(u('request.network'))
    await clear()
    await page.getByRole('button', { name: k('test.offline') }).click()
    await page.getByText(s('notice.offline')).waitFor()
    await page.getByRole('button', { name: k('test.online') }).click()
    await page.getByText(s('notice.offline')).waitFor({ state: 'detached' })
    await press('test.redirect')
    await page.waitForURL(/\/exception\?errorCode=TEST&errorMessage=/)
    await page.locator('main', { hasText: 'TEST' }).waitFor()
    expect(await page.locator('main').innerText()).toContain(k('test.message'))
    await context.close()
  })

  it('a failure without structure shows the default text, a failure with one its own, and a 504 the network error', async () => {
    const { page, context } = await visit('/contact', { language })
    const answers: { status: number; body: string }[] = [
      { status: 500, body: 'oops' },
      {
        status: 400,
        body: JSON.stringify({ success: false, errorCode: 'X', errorMessage: 'Told by the server.', showType: 2 }),
      },
    ]
    await page.route('**/api/contact/', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ ...(answers.shift() ?? { status: 500, body: '' }), contentType: 'application/json' })
        : route.continue(),
    )
    await page.locator('input[name=name]').fill('Li Lei')
    await page.locator('input[name=email]').fill('li@example.org')
    await page.locator('input[name=subject]').fill('YAL001C')
    await page.locator('textarea[name=message]').fill('four')
    await page.locator('main button[type=submit]').click()
    await page.getByText(w('account.messageShort')).waitFor()
    await page.locator('textarea[name=message]').fill('A start codon is missing.')
    await page.locator('main button[type=submit]').click()
    // As a message, and beside the button that was pressed.
    await page.locator('.shell-notice', { hasText: u('request.default') }).waitFor()
    await page.locator('main', { hasText: u('request.default') }).waitFor()
    await page.locator('main button[type=submit]').click()
    await page.locator('.shell-notice', { hasText: 'Told by the server.' }).waitFor()
    await page.locator('main', { hasText: 'Told by the server.' }).waitFor()
    await context.close()
  })

  it('an answer 504 is an error notification titled network error', async () => {
    const login = await fetch(`${inject('portalUrl')}/api/auth/login/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'admin', username: 'admin', password: inject('adminPassword') }),
    })
    const { data } = (await login.json()) as { data: { token: string } }
    const { page, context } = await visit('/info?tab=users', { language, token: data.token })
    await page.route('**/sign-out/', (route) => route.fulfill({ status: 504, body: 'gateway timeout' }))
    await page
      .getByRole('button', { name: k('info.signOut') })
      .first()
      .click()
    const notice = page.locator('.shell-notice-error.shell-notice-notification')
    await notice.waitFor()
    expect(await notice.innerText()).toContain(u('request.networkTitle'))
    expect(await notice.innerText()).toContain(u('request.network'))
    await context.close()
  })

  it('the pages 403, 404 and 500 have their titles, on the page and in the tab', async () => {
    const { page, context } = await visit('/403', { language })
    for (const code of ['403', '404', '500'] as const) {
      await goWithin(page, `/${code}`)
      await page.locator('main h1', { hasText: s(`page.${code}.title`) }).waitFor()
      expect(await page.title()).toContain(s(`page.${code}.title`))
    }
    await context.close()
  })

  it('at start the current user is fetched, once, and a visitor stays', async () => {
    const context = await (await sharedBrowser()).newContext()
    const page = await context.newPage()
    let asked = 0
    page.on('request', (request) => {
      if (request.url() === `${inject('portalUrl')}/api/auth/user/`) asked += 1
    })
    await page.goto(`${inject('portalUrl')}/tools`)
    await settle(page)
    await page.locator('.shell-nav a').first().click()
    await settle(page)
    expect(asked).toBe(1)
    await context.close()
  })

  it('a part of the page that does not load offers one retry, and no second one', async () => {
    const context = await (await sharedBrowser()).newContext({ serviceWorkers: 'block' })
    await context.addInitScript(`localStorage.setItem('novodb_locale', '${language}')`)
    const page = await context.newPage()
    await page.goto(`${inject('portalUrl')}/tools`)
    await settle(page)
    await context.route(/\/assets\/download-page-[^/]+\.js$/, (route) => route.abort())
    await goWithin(page, '/download')
    await page.getByText(s('error.chunkWhy')).waitFor()
    await page.getByRole('button', { name: s('page.reload') }).click()
    await page.getByText(s('error.chunkAgain')).waitFor()
    expect(await page.getByRole('button', { name: s('page.reload') }).count()).toBe(0)
    // Once it loads again, all is as before.
    await context.unroute(/\/assets\/download-page-[^/]+\.js$/)
    await page.reload()
    await page.locator('main h1', { hasText: r('route.download') }).waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('novodb_chunk_retry'))).toBeNull()
    await context.close()
  })
})

describe('the language', () => {
  it('is English at first, is stored under its key, and is chosen by a list that loads the page anew', async () => {
    const { page, context } = await visit('/tools')
    expect(await page.locator('html').getAttribute('lang')).toBe('en-US')
    await page.getByRole('button', { name: 'Language' }).click()
    expect(await page.getByRole('menuitemradio').count()).toBe(2)
    await Promise.all([page.waitForEvent('load'), page.locator('[role=menuitemradio] [lang="zh-CN"]').click()])
    expect(await page.evaluate(() => localStorage.getItem('novodb_locale'))).toBe('zh-CN')
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
    await context.close()
  })

  it('without a table falls back to English, from right to left where it is written so', async () => {
    const { page, context } = await visit('/tools')
    for (const [stored, dir] of [
      ['ar-EG', 'rtl'],
      ['he-IL', 'rtl'],
      ['fa-IR', 'rtl'],
      ['ku-IQ', 'rtl'],
      ['ja-JP', 'ltr'],
      ['ARAB', 'ltr'],
    ] as const) {
      await page.evaluate((tag) => localStorage.setItem('novodb_locale', tag), stored)
      await page.reload()
      await page.locator('main h1').waitFor()
      expect([await page.locator('html').getAttribute('dir'), await page.locator('html').getAttribute('lang')]).toEqual(
        [dir, 'en-US'],
      )
    }
    await context.close()
  })

  it('from right to left leaves sequences, numbers, code and figures their own direction', async () => {
    const { data } = (await (await fetch(`${inject('portalUrl')}/api/species/`)).json()) as {
      data: { species: { assemblies: { exampleGenes: { id: string }[] }[] }[] }
    }
    const gene = data.species[0]!.assemblies[0]!.exampleGenes[0]!.id
    const { page, context } = await visit('/404')
    await page.evaluate(() => localStorage.setItem('novodb_locale', 'ar-EG'))
    const directionOf = (selector: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => `${getComputedStyle(element).direction} ${getComputedStyle(element).unicodeBidi}`)
    await page.goto(`${inject('portalUrl')}/gene?id=${encodeURIComponent(gene)}`)
    await openSection(page, 'sequences')
    for (const selector of ['.nv-sequence-box', '.nv-sequence-header', '.nv-figure-body'])
      expect([selector, await directionOf(selector)]).toEqual([selector, 'ltr isolate'])
    expect(await directionOf('.nv-figure-body svg')).toMatch(/^ltr /)
    expect(await directionOf('main h1')).toMatch(/^rtl /)
    await page.goto(`${inject('portalUrl')}/download`)
    expect(await directionOf('td.nv-cell-number')).toBe('ltr isolate')
    await context.close()
  })
})

/** Serves a folder as the portal would, with the API behind it; `root` may be changed while it runs. */
interface Host {
  url: string
  root: string
  /** Path that the portal is served under: "" at the root. */
  base: string
  asked: string[]
  close: () => Promise<void>
}

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html',
}

const startHost = async (root: string, base = ''): Promise<Host> => {
  const host: Host = { url: '', root, base, asked: [], close: async () => {} }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0]!.slice(host.base.length)
    host.asked.push(path)
    if (path.startsWith('/api/')) {
      const upstream = await fetch(`${inject('portalUrl')}${(request.url ?? '').slice(host.base.length)}`, {
        headers: { 'accept-language': request.headers['accept-language'] ?? 'en-US' },
      })
      response.writeHead(upstream.status, { 'Content-Type': 'application/json' }).end(await upstream.text())
      return
    }
    if (extname(path) !== '') {
      if (!existsSync(join(host.root, path))) {
        response.writeHead(404).end()
        return
      }
      response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'application/octet-stream' })
      createReadStream(join(host.root, path))
        .once('error', () => response.destroy())
        .pipe(response)
      return
    }
    const page = (await readFile(join(host.root, 'index.html'), 'utf8'))
      .replaceAll(/(src|href)="\.\//g, `$1="${host.base}/`)
      .replace('<head>', `<head><script>window.novodbBasePath = '${host.base}/'</script>`)
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page)
  }
  const server: Server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  host.close = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return host
}

const built = resolve(import.meta.dirname, '../dist/web')

describe('a host page', () => {
  it('that sets the base path serves the portal under it', async () => {
    const host = await startHost(built, '/genomes')
    const context = await (await sharedBrowser()).newContext()
    const page = await context.newPage()
    await page.goto(`${host.url}/genomes/`)
    await page.waitForURL(`${host.url}/genomes/home`)
    await page.goto(`${host.url}/genomes/tools/ppi`)
    await page.locator('main h1', { hasText: 'PPI' }).waitFor()
    await page.locator('.shell-nav a', { hasText: 'Search' }).click()
    await page.waitForURL(`${host.url}/genomes/search`)
    expect(host.asked).toContain('/api/auth/user/')
    await context.close()
    await host.close()
  })
})

describe('a run without a connection', () => {
  it('is refused at once, in words, and is made by itself once the connection is back', async () => {
    const { page, context } = await visit('/tools/sequencefetch')
    const u = translator(kit, 'en-US')
    await page.getByRole('button', { name: u('form.example'), exact: true }).click()
    await settle(page)
    await context.setOffline(true)
    await page.getByText('You are offline now').waitFor()
    await page.getByRole('button', { name: u('form.run'), exact: true }).click()
    await page.locator('.nv-empty-why', { hasText: u('request.network') }).waitFor()
    expect(await page.locator('.nv-waiting').count()).toBe(0)
    await context.setOffline(false)
    await page.locator('.nv-headline').waitFor()
    await page.getByText(u('request.network')).first().waitFor({ state: 'detached' })
    await context.close()
  })
})

const shellTexts = translator(shell, 'en-US')

/** A page of a host, served by its service worker: what it fetched is kept from the first word on. */
const visitKept = async (context: BrowserContext, address: string): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(address)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.reload()
  await page.locator('main h1').waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

/** Paths of requests of a page that got no answer, and of those that got one. */
const watchAnswers = (page: Page): { without: string[]; with: string[] } => {
  const paths = { without: [] as string[], with: [] as string[] }
  page.on('requestfailed', (request) => paths.without.push(new URL(request.url()).pathname))
  page.on('response', (response) => paths.with.push(new URL(response.url()).pathname))
  return paths
}

/** How often the server was asked in vain whether it is there. A lost connection is tried every five seconds. */
const tries = (paths: { without: string[] }): number => paths.without.filter((path) => path === '/api/health/').length

if (full)
  describe('the service worker', () => {
    let work: string
    let second: string
    beforeAll(async () => {
      work = await mkdtemp(join(tmpdir(), 'novodb-builds-'))
      second = join(work, 'second')
      await makeSecondBuild(second)
    }, 120_000)
    afterAll(() => rm(work, { recursive: true, force: true }))

    it('has two real builds to choose between: chunks of the first are gone from the second', async () => {
      for (const page of ['download-page', 'contact-page']) {
        const [before, after] = [chunksOf(built, page), chunksOf(second, page)]
        // A build put in the place of another keeps the other's chunks for pages that are still open.
        expect([before.length > 0, after.length]).toEqual([true, 1])
        expect(before).not.toContain(after[0])
      }
      // What is the same in both keeps its name, and so stays in the caches of browsers.
      expect(chunksOf(second, 'tools-page').length).toBe(1)
      const version = async (build: string): Promise<string> =>
        /novodb-build" content="(\w+)"/.exec(await readFile(join(build, 'index.html'), 'utf8'))![1]!
      expect(await version(second)).not.toBe(await version(built))
    })

    it('keeps the frame without a connection, tells of a new build, and Refresh brings it; answers of the API are never kept', async () => {
      const host = await startHost(built)
      const context = await (await sharedBrowser()).newContext()
      const page = await visitKept(context, `${host.url}/tools`)
      const buildOf = (): Promise<string | null> => page.locator('meta[name="novodb-build"]').getAttribute('content')
      const first = await buildOf()

      const kept = await page.evaluate(async () => {
        const addresses: string[] = []
        for (const name of await caches.keys())
          for (const request of await (await caches.open(name)).keys()) addresses.push(new URL(request.url).pathname)
        return addresses
      })
      expect(kept).toContain('/home')
      expect(kept.some((path) => path.startsWith('/assets/'))).toBe(true)
      expect(kept.filter((path) => /^\/(api|data|refget)\//.test(path))).toEqual([])

      // Without a connection the page still comes, says so, and the API does not answer from a cache.
      await context.setOffline(true)
      await page.getByText('You are offline now').waitFor()
      const asked = watchAnswers(page)
      await page.reload()
      await page.getByText('You are offline now').waitFor()
      // It stays so, whatever the browser says of its network: a question that could not be asked leads nowhere else.
      await expect.poll(() => tries(asked), { timeout: 60_000 }).toBeGreaterThanOrEqual(2)
      // Asked once, or not at all where the loss was known before the page had come to ask: never again and again.
      expect(asked.without.filter((path) => path === '/api/auth/user/').length).toBeLessThanOrEqual(1)
      expect(asked.with.filter((path) => path.startsWith('/api/'))).toEqual([])
      expect(await page.getByText('You are offline now').isVisible()).toBe(true)
      expect(new URL(page.url()).pathname).toBe('/tools')
      expect(await page.locator('main h1').innerText()).toBe('Tools')
      expect(
        await page.evaluate(() =>
          fetch('/api/species/').then(
            () => 'answered',
            () => 'refused',
          ),
        ),
      ).toBe('refused')
      // What waited is asked by itself once the connection is back, on the page as it stands.
      await page.evaluate(() => document.documentElement.setAttribute('data-document', 'this one'))
      await context.setOffline(false)
      await page.getByText('You are offline now').waitFor({ state: 'detached' })
      await expect.poll(() => asked.with).toEqual(expect.arrayContaining(['/api/auth/user/', '/api/tools/']))
      expect(await page.locator('html').getAttribute('data-document')).toBe('this one')
      expect(new URL(page.url()).pathname).toBe('/tools')
      expect(await page.locator('.tools-card').count()).toBeGreaterThan(20)

      // A second build is put in the place of the first while the page is open.
      host.root = second
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
      await page.getByText('New content is available').waitFor()
      expect(await buildOf()).toBe(first)
      // The open page asks for a part that the server no longer has: it says so, and Refresh brings the page whole.
      await goWithin(page, '/download')
      await page.getByText(shellTexts('error.chunkWhy')).waitFor()
      expect(await page.locator('html').getAttribute('data-build')).toBeNull()
      await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Refresh' }).click()])
      await page.locator('main h1', { hasText: 'Download' }).waitFor()
      expect(await page.locator('html').getAttribute('data-build')).toBe('second')
      const next = await buildOf()
      expect(next).not.toBe(first)
      await page.waitForFunction(async (name) => {
        const names = await caches.keys()
        return names.length === 1 && names[0] === `novodb-${name}`
      }, next)
      expect(
        await page.evaluate(() => navigator.serviceWorker.getRegistration().then((one) => one?.waiting ?? null)),
      ).toBeNull()
      expect(await page.getByText('New content is available').count()).toBe(0)
      await context.close()
      await host.close()
    })

    it('without a connection, a page that is not kept is told of in those words, and comes by itself once the connection is back', async () => {
      const host = await startHost(built)
      const context = await (await sharedBrowser()).newContext()
      const page = await visitKept(context, `${host.url}/tools`)
      const asked = watchAnswers(page)
      await context.setOffline(true)
      await page.getByText('You are offline now').waitFor()
      await page.locator('.shell-nav a', { hasText: 'Search' }).click()
      await page.getByText(shellTexts('error.offlineWhy')).waitFor()
      expect(new URL(page.url()).pathname).toBe('/search')
      expect(await page.getByText(shellTexts('error.chunkTitle')).count()).toBe(0)
      // The button asks the server, and does not take away what is there while it has no answer.
      const reload = page.getByRole('button', { name: shellTexts('page.reload') })
      await page.evaluate(() => document.documentElement.setAttribute('data-document', 'this one'))
      for (let press = 0; press < 2; press += 1) {
        const before = tries(asked)
        await reload.click()
        await expect.poll(() => tries(asked)).toBeGreaterThan(before)
        await page.locator('[role=alert] button:not([aria-busy])', { hasText: shellTexts('page.reload') }).waitFor()
      }
      expect(await page.locator('html').getAttribute('data-document')).toBe('this one')
      // A page that is kept can be gone back to.
      await page.goBack()
      await page.locator('main h1', { hasText: 'Tools' }).waitFor()
      await page.goForward()
      await page.getByText(shellTexts('error.offlineWhy')).waitFor()
      expect(await page.getByText('You are offline now').isVisible()).toBe(true)

      await context.setOffline(false)
      await page.locator('main h1', { hasText: 'Search' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/search')
      await page.getByText('You are offline now').waitFor({ state: 'detached' })
      expect(await page.evaluate(() => sessionStorage.getItem('novodb_chunk_retry'))).toBeNull()
      await context.close()
      await host.close()
    })

    it('is not needed to come over a change of builds: the retry of a part that is gone brings the new page', async () => {
      const host = await startHost(built)
      const context = await (await sharedBrowser()).newContext()
      const page = await context.newPage()
      await page.goto(`${host.url}/tools`)
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
      await page.locator('main h1').waitFor()
      host.root = second
      await goWithin(page, '/contact')
      await page.getByText(shellTexts('error.chunkWhy')).waitFor()
      expect(await page.evaluate(() => sessionStorage.getItem('novodb_chunk_retry'))).toBeNull()
      await Promise.all([
        page.waitForEvent('load'),
        page.getByRole('button', { name: shellTexts('page.reload') }).click(),
      ])
      await page.locator('main h1', { hasText: 'Contact' }).waitFor()
      expect(await page.locator('html').getAttribute('data-build')).toBe('second')
      // A page of the new build does not offer its own build as news.
      await page.waitForFunction(async () => {
        const registration = await navigator.serviceWorker.getRegistration()
        return registration?.waiting == null && registration?.installing == null
      })
      expect(await page.getByText('New content is available').count()).toBe(0)
      await context.close()
      await host.close()
    })
  })
