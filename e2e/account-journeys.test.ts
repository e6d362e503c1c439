import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { accountMessages } from '../src/contracts/accounts/account-messages.ts'
import { translator } from '../src/kit/ui/language.tsx'
import { createSecretLedger } from '../src/testing/secrets.ts'
import { messages as account } from '../src/web/messages/account.ts'
import { messages as admin } from '../src/web/messages/admin.ts'
import { messages as routeTexts } from '../src/web/messages/routes.ts'
import { languagesOfChain, visit, witnessed } from './browser.ts'

let adminToken: string
/** Every password, token and code of these journeys, to be looked for in the end where they must not be. */
const secrets = createSecretLedger()

const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${inject('portalUrl')}${path}`, {
    method,
    headers: {
      ...(adminToken === undefined ? {} : { Authorization: `Bearer ${adminToken}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const { data } = (await answer.json()) as { data: Record<string, unknown> }
  return data
}

beforeAll(async () => {
  const { token } = await ask('POST', '/api/auth/login/', {
    type: 'admin',
    username: 'admin',
    password: inject('adminPassword'),
  })
  adminToken = String(token)
  secrets.note('session', adminToken)
  for (const one of [inject('adminPassword'), password, `${password} again`]) secrets.note('password', one)
})

/**
 * What the newest message to somebody says where it fits, in the outbox of a portal without mail and text messages; it may come a moment
 * after the answer, and is the newest once there are `least`.
 */
const findInOutbox = async (recipient: string, wanted: RegExp, min = 1): Promise<string> => {
  for (let tries = 0; tries < 40; tries += 1) {
    const { messages } = (await ask('GET', '/api/admin/outbox/?pageSize=100')) as {
      messages: { recipient: string; body: string }[]
    }
    const found = messages.filter((message) => message.recipient === recipient).map((one) => wanted.exec(one.body)?.[0])
    const fitting = found.filter((text) => text !== undefined)
    const newest = fitting.length < min ? undefined : fitting[0]
    if (newest !== undefined) {
      const link = /=([\w-]{43})$/.exec(newest)?.[1]
      secrets.note(link === undefined ? 'code' : 'mailed link', link ?? newest)
      return newest
    }
    await new Promise((done) => setTimeout(done, 250))
  }
  throw new Error(`nothing like ${wanted} went to ${recipient}`)
}

const password = 'Schizosaccharomyces 972h'
let turn = 0
const newcomer = (): { username: string; email: string; phone: string } => {
  turn += 1
  const mark = `${Date.now().toString(36)}${turn}`
  return {
    username: `reader.${mark}`,
    email: `reader.${mark}@example.org`,
    phone: `+86137${String(Date.now()).slice(-6)}${String(turn).padStart(2, '0')}`,
  }
}

describe.each(languagesOfChain('zh-CN'))('somebody who reads %s', (language) => {
  const a = translator(account, language)
  const k = translator(admin, language)
  const r = translator(routeTexts, language)
  const w = translator(accountMessages, language)
  const person = newcomer()

  const register = async (page: Page, who: typeof person): Promise<void> => {
    await page.goto(`${inject('portalUrl')}/users/register`)
    await page.locator('input[name=username]').fill(who.username)
    await page.locator('input[name=email]').fill(who.email)
    await page.locator('select[name=workplace]').selectOption('school')
    await page.locator('select[name=jobType]').selectOption('teacher')
    await page.locator('input[name=phone]').fill(who.phone)
    await page.locator('input[name=password]').fill(password)
    await page.locator('input[name=confirm]').fill(password)
    await page.locator('main button[type=submit]').click()
    await page.waitForURL(/\/users\/register-result$/)
  }
  const signIn = async (page: Page, username: string, secret: string): Promise<void> => {
    await page.locator('input[name=username]').fill(username)
    await page.locator('input[name=password]').fill(secret)
    await page.locator('button[type=submit]').click()
    await page.waitForURL((url) => url.pathname !== '/user/login')
    await keepToken(page)
  }
  const keepToken = async (page: Page): Promise<void> => {
    const key = 'novodb_access_token'
    const token = await page.evaluate((name) => localStorage.getItem(name) ?? sessionStorage.getItem(name), key)
    expect(token).not.toBeNull()
    secrets.note('session', token!)
  }

  it('registers with workplace and job type, is told where the mail went, confirms the address and signs in', async () => {
    const { page, context, complaints } = await visit('/users/register', { language })
    const choices = (name: string): Promise<string[]> => page.locator(`select[name=${name}] option`).allInnerTexts()
    await page.locator('select[name=workplace]').waitFor()
    expect(await choices('workplace')).toEqual([
      a('field.choose'),
      a('workplace.school'),
      a('workplace.private'),
      a('workplace.commerce'),
      a('workplace.other'),
    ])
    expect(await choices('jobType')).toEqual([
      a('field.choose'),
      a('jobType.student'),
      a('jobType.teacher'),
      a('jobType.other'),
    ])
    await page.locator('input[name=password]').fill('12345678')
    // What has begun as the first may still become it; what has not is told at once, and so is what is left too short.
    const differ = page.getByText(w('account.passwordsDiffer'))
    await page.locator('input[name=confirm]').fill('1234')
    expect(await differ.count()).toBe(0)
    await page.locator('input[name=confirm]').fill('87654321')
    await differ.waitFor()
    await page.locator('input[name=confirm]').fill('12345678')
    await differ.waitFor({ state: 'detached' })
    await page.locator('input[name=confirm]').fill('1234')
    await page.locator('input[name=confirm]').blur()
    await differ.waitFor()
    await page.locator('main button[type=submit]').click()
    for (const key of ['account.needUsername', 'account.needEmail'] as const) await page.getByText(w(key)).waitFor()
    // The specification asks for no phone number here.
    expect(await page.getByText(w('account.needPhone')).count()).toBe(0)
    await page.getByText(a('code.later')).waitFor()
    await register(page, person)
    await page.getByText(a('result.done', { username: person.username })).waitFor()
    await page.getByText(a('result.outbox', { email: person.email })).waitFor()
    const link = await findInOutbox(person.email, /\/users\/register-result#confirm=[\w-]+/)
    await page.goto(`${inject('portalUrl')}/download`)
    await page.goto(`${inject('portalUrl')}${link}`)
    await page.getByText(a('result.confirmed', { email: person.email })).waitFor()
    // Its secret stands in the address no more, nor in the history: the page can be loaded anew, and says the same.
    expect(page.url()).toBe(`${inject('portalUrl')}/users/register-result`)
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(link.split('=')[1])
    await page.reload()
    await page.getByText(a('result.confirmed', { email: person.email })).waitFor()
    await page.goto(`${inject('portalUrl')}/download`)
    await page.goto(`${inject('portalUrl')}${link}`)
    await page.getByText(a('result.confirmed', { email: person.email })).waitFor()
    await page
      .locator('main')
      .getByRole('link', { name: a('result.signIn'), exact: true })
      .click()
    await signIn(page, person.username, password)
    await page.getByRole('button', { name: person.username }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('who is not admin has no Info in the menu and is sent from /info to /disable', async () => {
    const { page, context } = await visit('/user/login', { language })
    await signIn(page, person.username, password)
    await page.getByRole('button', { name: person.username }).click()
    await page.getByRole('menuitem', { name: r('route.accountSettings') }).waitFor()
    expect(await page.getByRole('menuitem', { name: r('route.info'), exact: true }).count()).toBe(0)
    await page.goto(`${inject('portalUrl')}/info`)
    await page.waitForURL(/\/disable$/)
    await context.close()
  })

  it('fills in every field of the profile, with the messages of the specification beside those left empty', async () => {
    const { page, context } = await visit('/user/login?redirect=%2Faccount%2Fsettings', { language })
    await signIn(page, person.username, password)
    const form = page.locator('#profile form')
    await form.locator('input[name=email]').fill('')
    await form.locator('input[name=phone]').fill('')
    await form.locator('button[type=submit]').click()
    for (const key of [
      'account.needEmail',
      'account.needNickname',
      'account.needProfile',
      'account.needCountry',
      'account.needProvince',
      'account.needAddress',
    ] as const)
      await form.getByText(w(key)).waitFor()
    await form.getByText(a('settings.needPhone')).waitFor()
    // What is filled in is saved beside what is still asked for, and nothing is emptied.
    await form.locator('input[name=nickname]').fill('粟酒裂殖酵母')
    await form.locator('button[type=submit]').click()
    await page.getByText(a('settings.savedPart', { count: 6 })).waitFor()
    await form.getByText(w('account.needAddress')).waitFor()
    await page.reload()
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[name=nickname]')?.value === '粟酒裂殖酵母',
    )
    expect(await form.locator('input[name=email]').inputValue()).toBe(person.email)
    await form.locator('input[name=email]').fill(person.email)
    await form.locator('input[name=phone]').fill(person.phone)
    for (const [name, text] of Object.entries({
      nickname: '酵母',
      country: '中国',
      province: '上海',
      address: '枫林路 300 号',
    }))
      await form.locator(`input[name=${name}]`).fill(text)
    await form.locator('textarea[name=profile]').fill('Centromeres of fission yeast.')
    await form.locator('button[type=submit]').click()
    await page.getByText(a('settings.saved'), { exact: true }).waitFor()
    await page.goto(`${inject('portalUrl')}/account/center?tab=profile`)
    await page.getByText('枫林路 300 号').waitFor()
    await context.close()
  })

  it('proves the phone number by a code', async () => {
    const { page, context } = await visit('/user/login?redirect=%2Faccount%2Fsettings', { language })
    await signIn(page, person.username, password)
    const form = page.locator('#profile form')
    await form.getByRole('button', { name: a('code.get') }).click()
    await form.getByText(a('code.outbox')).waitFor()
    await form.locator('input[name=captcha]').fill(await findInOutbox(person.phone, /\b\d{6}\b/))
    await form.locator('button[type=submit]').click()
    await page.getByText(a('settings.saved'), { exact: true }).waitFor()
    const { users } = (await ask('GET', `/api/admin/users/?q=${encodeURIComponent(person.email)}`)) as {
      users: { phoneConfirmed: boolean }[]
    }
    expect(users[0]?.phoneConfirmed).toBe(true)
    await context.close()
  })

  it('signs in by phone with the code that is sent there, which works once', async () => {
    const { page, context, complaints } = await visit('/user/login?redirect=%2Faccount%2Fcenter', { language })
    await page.getByRole('tab', { name: a('login.phone') }).click()
    // How a number is confirmed stands there before anything is asked for.
    await page.getByText(a('code.loginWhy')).waitFor()
    await page.locator('input[name=phone]').fill(person.phone)
    await page.getByRole('button', { name: a('code.get') }).click()
    await page.getByText(a('code.loginOutbox')).waitFor()
    const counting = () =>
      page.waitForFunction(() =>
        /^(60|[1-5]?\d) /.test(document.querySelector('.account-code button')?.textContent ?? ''),
      )
    await counting()
    await page.locator('input[name=captcha]').fill('12')
    await page.getByRole('tab', { name: a('login.account') }).click()
    await page.locator('input[name=username]').waitFor()
    await page.getByRole('tab', { name: a('login.phone') }).click()
    // The wait goes on while another tab is looked at, and what was typed is there.
    await counting()
    expect(await page.locator('.account-code button').isDisabled()).toBe(true)
    expect(await page.locator('input[name=captcha]').inputValue()).toBe('12')
    // A number that nobody has confirmed is told the very same.
    const stranger = await visit('/user/login', { language })
    await stranger.page.getByRole('tab', { name: a('login.phone') }).click()
    await stranger.page.locator('input[name=phone]').fill(newcomer().phone)
    await stranger.page.getByRole('button', { name: a('code.get') }).click()
    await stranger.page.getByText(a('code.loginOutbox')).waitFor()
    await stranger.context.close()
    const code = await findInOutbox(person.phone, /\b\d{6}\b/, 2)
    await page.locator('input[name=captcha]').fill(code)
    await page.locator('button[type=submit]').click()
    await page.waitForURL(/\/account\/center$/)
    await page.getByRole('button', { name: person.username }).waitFor()
    await keepToken(page)
    const again = await fetch(`${inject('portalUrl')}/api/auth/login/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'phone', phone: person.phone, captcha: code }),
    })
    expect(again.status).toBe(401)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('forgets the password and sets a new one by the mailed link, which leaves the address at once', async () => {
    const { page, context } = await visit('/user/login', { language })
    await page.getByRole('link', { name: a('login.forgot') }).click()
    await page.locator('input[name=email]').fill(person.email)
    await page.locator('button[type=submit]').click()
    await page.getByText(a('forgot.outbox')).waitFor()
    const link = await findInOutbox(person.email, /\/user\/login#reset=[\w-]+/)
    await page.goto(`${inject('portalUrl')}/download`)
    await page.goto(`${inject('portalUrl')}${link}`)
    await page.locator('h1', { hasText: a('reset.title') }).waitFor()
    expect(page.url()).not.toContain('reset=')
    await page.locator('input[name=password]').fill(`${password} again`)
    await page.locator('input[name=confirm]').fill(`${password} again`)
    await page.locator('button[type=submit]').click()
    await page.getByText(a('reset.done')).waitFor()
    await signIn(page, person.username, `${password} again`)
    await context.close()
  })

  it('keeps gene sets with the account, makes a key for programs, takes the data away and deletes the account', async () => {
    const { page, context, complaints } = await visit('/user/login?redirect=%2Faccount%2Fcenter%3Ftab%3Dsets', {
      language,
    })
    const name = `cdc ${language}`
    await page.evaluate((title) => {
      const set = {
        id: '00aa11bb22cc33dd',
        name: title,
        assembly: null,
        genes: ['a', 'b'],
        created: new Date().toISOString(),
      }
      localStorage.setItem('novodb_gene_sets', JSON.stringify([set]))
    }, name)
    const secret = `${password} again`
    const kept = page.waitForResponse(
      (one) => one.url().endsWith('/api/account/gene-sets/') && one.request().method() === 'POST',
    )
    await signIn(page, person.username, secret)
    expect((await kept).status()).toBe(200)
    // Another machine has it, too.
    const other = await visit('/user/login?redirect=%2Faccount%2Fcenter%3Ftab%3Dsets', { language })
    await signIn(other.page, person.username, secret)
    await other.page.locator('td', { hasText: name }).waitFor()
    await other.context.close()

    await page.goto(`${inject('portalUrl')}/account/settings`)
    await page.locator('input[name=tokenName]').fill('pipeline')
    await page.locator('#tokens button[type=submit]').click()
    const key = await page.locator('[data-token]').innerText()
    secrets.note('API token', key)
    const answer = await fetch(`${inject('portalUrl')}/api/account/gene-sets/`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(answer.status).toBe(200)
    expect(JSON.stringify(await answer.json())).toContain(name)

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: a('settings.export') }).click(),
    ])
    const exported = await readFile(await file.path(), 'utf8')
    expect(exported).toContain(person.email)
    expect(exported).toContain(name)
    expect(exported).not.toContain(key)

    await page.getByRole('button', { name: a('settings.delete') }).click()
    await page.locator('input[name=deletePassword]').fill(secret)
    await page.locator('dialog button[type=submit]').click()
    await page.waitForURL(/\/home$/)
    await page.getByText(a('settings.deleted')).waitFor()
    expect(
      (await fetch(`${inject('portalUrl')}/api/account/`, { headers: { Authorization: `Bearer ${key}` } })).status,
    ).toBe(401)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('writes to the administrator, who finds the message, disables a user and sees it in the audit log', async () => {
    const writer = newcomer()
    const { page, context } = await visit('/contact', { language })
    await page.locator('input[name=name]').fill('Han Meimei')
    await page.locator('input[name=email]').fill(writer.email)
    await page.locator('input[name=subject]').fill(`Locus of ${writer.username}`)
    await page.locator('textarea[name=message]').fill('Where is the centromere of chromosome III?')
    await page.locator('main button[type=submit]').click()
    await page.getByText(a('contact.sentOutbox')).waitFor()
    await register(page, writer)
    await page.goto(`${inject('portalUrl')}/info?tab=messages`)
    await page.getByRole('tab', { name: a('login.admin') }).click()
    await signIn(page, 'admin', inject('adminPassword'))
    const row = page.locator('tbody tr', { hasText: writer.email })
    await row.getByRole('button', { name: k('info.markHandled') }).click()
    await row.getByText(k('info.handled'), { exact: true }).waitFor()
    await page.getByRole('tab', { name: k('info.users') }).click()
    await page.locator('input[type=search].nv-table-words').fill(writer.username)
    const user = page.locator('tbody tr', { hasText: writer.username })
    await user.getByRole('button', { name: k('info.disable'), exact: true }).click()
    await page
      .locator('dialog')
      .getByRole('button', { name: k('info.disable'), exact: true })
      .click()
    await user.getByText(k('info.disabled'), { exact: true }).waitFor()
    for (const tab of ['info.jobs', 'info.data', 'info.engines', 'info.storageTab', 'info.outbox'] as const) {
      await page.getByRole('tab', { name: k(tab), exact: true }).click()
      await page.locator('.nv-card').first().waitFor()
    }
    await page.getByRole('tab', { name: k('info.audit') }).click()
    await page.locator('tbody tr', { hasText: writer.username }).first().waitFor()
    await context.close()
  })
})

describe('what people write of themselves', () => {
  const trap = '<img src=x onerror="globalThis.trapped = true"><script>globalThis.trapped = true</script>'

  it('is shown as text and never run: in the account, to admin, and in the contact page', async () => {
    const who = newcomer()
    const about = { workplace: 'other', jobType: 'other', phone: who.phone, email: who.email }
    await ask('POST', '/api/auth/register/', { ...about, username: who.username, password, confirm: password })
    // A name with such signs in it is refused.
    expect(await ask('POST', '/api/auth/register/', { ...about, username: trap, password, confirm: password })).toBe(
      undefined,
    )
    const { token } = await ask('POST', '/api/auth/login/', { username: who.username, password })
    secrets.note('session', String(token))
    const send = async (method: string, path: string, body: object): Promise<void> => {
      const answer = await fetch(`${inject('portalUrl')}${path}`, {
        method,
        headers: { Authorization: `Bearer ${String(token)}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect([path, answer.status]).toEqual([path, 200])
    }
    const short = trap.slice(0, 50)
    await send('PUT', '/api/account/profile/', { nickname: short, profile: trap, country: short, address: trap })
    await send('POST', '/api/account/gene-sets/', { name: trap, assembly: null, genes: [trap] })
    await send('POST', '/api/account/tokens/', { name: short })
    await send('POST', '/api/contact/', { name: short, email: who.email, subject: trap, message: trap })
    await ask('PUT', '/api/admin/contact/', { en: `${trap} [press](javascript:alert(1))`, zh: trap, email: '' })
    for (const [holder, paths] of [
      [String(token), ['/account/center?tab=sets', '/account/center?tab=profile', '/account/settings', '/contact']],
      [adminToken, ['/info?tab=users', '/info?tab=messages', '/info?tab=audit', '/info?tab=outbox']],
    ] as const) {
      const { page, context } = await visit('/user/login', { language: 'en-US', token: holder })
      for (const path of paths) {
        await page.goto(`${inject('portalUrl')}${path}`)
        await page.locator('main h1').waitFor()
        if (path !== '/info?tab=outbox')
          await page.waitForFunction(
            () =>
              document.body.innerHTML.includes('&lt;img src=x') ||
              [...document.querySelectorAll('input')].some((one) => one.value.includes('<img src=x')),
          )
        expect([path, await page.evaluate(() => 'trapped' in globalThis)]).toEqual([path, false])
        expect(await page.locator('img[src=x], a[href^="javascript"]').count()).toBe(0)
      }
      await context.close()
    }
    await ask('PUT', '/api/admin/contact/', { en: '', zh: '', email: '' })
  })
})

describe('after all journeys', () => {
  it('no password, token or code stands in the log of the portal, in an address, in the console or in the text of an error', async () => {
    // Failures that carry a secret: of a wrong name, of a code and a link that are no more.
    const { page, context } = await visit('/user/login')
    const wrong: [string, object][] = [
      ['/api/auth/login/', { username: 'nobody.here', password: `${password} again` }],
      ['/api/auth/login/', { type: 'phone', phone: '13900139009', captcha: secrets.newest('code') }],
      ['/api/auth/confirm-email/', { token: secrets.newest('mailed link') }],
    ]
    for (const [path, body] of wrong) {
      const status = await page.evaluate(
        async ([to, text]) => {
          const answer = await fetch(to, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: text,
          })
          // What is not read to its end is not to be had by the watcher either.
          await answer.text()
          return answer.status
        },
        [path, JSON.stringify(body)] as const,
      )
      expect([path, status >= 400 && status < 500]).toEqual([path, true])
    }
    await expect.poll(() => witnessed.errors.length, { timeout: 5000 }).toBeGreaterThanOrEqual(wrong.length)
    await context.close()
    const log = await readFile(inject('portalLog'), 'utf8')
    expect(log).toContain('/api/auth/login/')
    for (const path of ['/api/auth/captcha/', '/api/account/tokens/', '/api/auth/password-reset/confirm/'])
      expect([path, log.includes(path)]).toEqual([path, true])
    expect(witnessed.addresses.length).toBeGreaterThan(100)
    // The journeys have made some of each kind: a search for nothing would prove nothing.
    for (const kind of ['password', 'session', 'API token', 'code', 'mailed link'] as const)
      expect([kind, secrets.count(kind) >= 1]).toEqual([kind, true])
    const { messages } = (await ask('GET', '/api/admin/outbox/?pageSize=100')) as { messages: { body: string }[] }
    const outbox = messages.map((message) => message.body).join('\n')
    expect(secrets.find({ outbox })).toEqual(['outbox: code', 'outbox: mailed link'])
    const places = {
      log,
      addresses: witnessed.addresses.join('\n'),
      console: witnessed.console.join('\n'),
      errors: witnessed.errors.join('\n'),
    }
    expect(secrets.find(places)).toEqual([])
  })
})
