import type { FastifyInstance } from 'fastify'
import {
  confirmEmail,
  getAuthOptions,
  getCurrentUser,
  login,
  logout,
  register,
  requestPasswordReset,
  resetPassword,
  sendCaptcha,
} from '../../contracts/accounts/auth.ts'
import { nameSkeleton, passwordBounds } from '../../contracts/accounts/identity.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import {
  confirmAccountEmail,
  createAccount,
  emailKey,
  findAccount,
  findAccountByEmail,
  findAccountByPhone,
  getAccount,
  updatePassword,
} from '../../database/accounts.ts'
import { addAuditEntry } from '../../database/audit.ts'
import { clearLoginFailures } from '../../database/limits.ts'
import { createMailedToken, findMailedToken, takeMailedToken } from '../../database/mailed-tokens.ts'
import { createPhoneCode } from '../../database/phone-codes.ts'
import { createCode, createToken, hashPassword, hashToken, requireGoodPassword } from '../accounts/credentials.ts'
import { sendConfirmation, sendPasswordChanged } from '../accounts/mails.ts'
import {
  bearerToken,
  checkPhoneCode,
  failureKey,
  limitEvents,
  setReadCookie,
  signIn,
  signInByPhone,
  signOut,
  waitError,
} from '../accounts/sessions.ts'
import { implement } from '../answers/implement.ts'
import { findDemoRecord, servesDemo } from '../demo-record.ts'
import type { Portal } from '../portal.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const codeLifetimeMs = 5 * minuteMs
const codeResendMs = minuteMs
const resetLifetimeMs = 30 * minuteMs

/**
 * Events of one address or about one person in a window. Those of an address let a class of sixty behind one of them register in a
 * lesson; those about a person bound what anybody can send them.
 */
const limits = {
  registrations: { max: 80, windowMs: hourMs },
  codesFromAddress: { max: 80, windowMs: hourMs },
  codesToPhone: { max: 10, windowMs: dayMs },
  /** Text messages cost money: no more leave the portal in an hour, whoever asks. */
  codesOfPortal: { max: 500, windowMs: hourMs },
  resetsFromAddress: { max: 60, windowMs: hourMs },
  resetsToAddress: { max: 5, windowMs: hourMs },
  linksFromAddress: { max: 120, windowMs: hourMs },
} as const

/** Signing in and out, registering, and the ways back in. */
export const mountAuth = (app: FastifyInstance, portal: Portal): void => {
  const { sql } = portal.database
  const { config, messenger } = portal

  implement(app, getCurrentUser, async (_, { caller }) => {
    // The cookie reads, but is nobody: a tab without a token has to sign in.
    if (config.requireLogin && caller.account === null) throw new PortalError('NOT_SIGNED_IN')
    return { username: caller.username, access: caller.access }
  })

  implement(app, getAuthOptions, async () => ({
    requireLogin: config.requireLogin,
    registration: config.registration,
    mail: messenger.mail,
    sms: messenger.sms,
    resendSeconds: codeResendMs / 1000,
    passwordShortest: passwordBounds.shortest,
    demo: servesDemo(
      config.demo !== 'none',
      await findDemoRecord(sql),
      (await portal.data.listSpecies()).map(({ id }) => id),
    ),
  }))

  implement(app, login, async (input, { caller, reply }) => {
    const { type, username = '', password = '', phone = '', captcha = '', remember } = input
    const session =
      type === 'phone'
        ? await signInByPhone(sql, { phone, captcha, remember }, caller.client)
        : await signIn(sql, { type, username, password, remember }, caller.client)
    if (config.requireLogin) setReadCookie(reply, session, config)
    return { token: session.token, user: session.user, expiresAt: session.expiresAt }
  })

  implement(app, logout, async (_, { request, reply, caller }) => {
    const token = bearerToken(request)
    if (token !== null && caller.via === 'session') {
      await signOut(sql, token)
      await addAuditEntry(sql, { actor: caller.username, action: 'logout' })
    }
    if (config.requireLogin) setReadCookie(reply, null, config)
    return {}
  })

  implement(app, sendCaptcha, async ({ phone, purpose }, { caller, language }) => {
    await limitEvents(sql, `code:${caller.client}`, limits.codesFromAddress.max, limits.codesFromAddress.windowMs)
    const code = createCode()
    const codeHash = await hashPassword(code)
    const waitMs = await createPhoneCode(sql, {
      phone,
      purpose,
      codeHash,
      lifetimeMs: codeLifetimeMs,
      resendMs: codeResendMs,
    })
    if (waitMs > 0) throw waitError(waitMs)
    await limitEvents(sql, `code-to:${phone}`, limits.codesToPhone.max, limits.codesToPhone.windowMs)
    // Whether anybody has the number shows neither in the answer nor in its time.
    messenger.later(async () => {
      const account = purpose === 'login' ? await findAccountByPhone(sql, phone) : null
      if (purpose === 'login' && (account === null || account.disabled)) return
      await limitEvents(sql, 'codes', limits.codesOfPortal.max, limits.codesOfPortal.windowMs)
      await messenger.sendCode(phone, code, language, codeLifetimeMs)
    })
    return { delivered: messenger.sms, resendSeconds: codeResendMs / 1000, expiresSeconds: codeLifetimeMs / 1000 }
  })

  implement(app, register, async (input, { caller, language }) => {
    const { username, email, phone = '', password, workplace, jobType, captcha } = input
    if (!config.registration) throw new PortalError('FORBIDDEN', { message: 'account.registrationClosed' })
    requireGoodPassword(password, [username, email, phone])
    await limitEvents(sql, `register:${caller.client}`, limits.registrations.max, limits.registrations.windowMs)
    // Looked at before the code is used up, and once more when the row is made.
    if ((await findAccount(sql, username)) !== null) throw taken()
    let phoneConfirmed = false
    if (captcha !== undefined) {
      if (!(await checkPhoneCode(sql, phone, 'confirm', captcha))) throw fieldError(['captcha'], 'account.codeWrong')
      // Told only to who has shown that the number is theirs.
      if ((await findAccountByPhone(sql, phone)) !== null) throw fieldError(['phone'], 'account.phoneTaken')
      phoneConfirmed = true
    }
    const id = await createAccount(sql, {
      username,
      lookKey: nameSkeleton(username),
      passwordHash: await hashPassword(password),
      access: 'user',
      email,
      phone,
      phoneConfirmed,
      workplace,
      jobType,
      language: language === 'zh' ? 'zh-CN' : 'en-US',
    })
    if (id === null) throw taken()
    await addAuditEntry(sql, { actor: username, action: 'register' })
    messenger.later(async () => {
      const owner = await findAccountByEmail(sql, email)
      if (owner === null) await sendConfirmation(portal, { id, username, email, language })
      else await messenger.sendMail({ kind: 'known', to: owner.email, username: owner.username, language })
    })
    return { username, email, delivered: messenger.mail, phoneConfirmed }
  })

  implement(app, confirmEmail, async ({ token }, { caller }) => {
    await limitEvents(sql, `link:${caller.client}`, limits.linksFromAddress.max, limits.linksFromAddress.windowMs)
    const found = await findMailedToken(sql, hashToken(token), 'confirm')
    const account = found === null ? null : await getAccount(sql, found.account)
    if (found === null || account === null) throw fieldError(['token'], 'account.linkInvalid')
    // A link opened once more finds its work done; one of another address has been replaced by the mail to that.
    if (account.emailConfirmed && emailKey(account.email) === emailKey(found.email))
      return { username: account.username, email: found.email }
    if (!(await confirmAccountEmail(sql, account.id, found.email))) throw fieldError(['token'], 'account.linkInvalid')
    await addAuditEntry(sql, { actor: account.username, action: 'email confirmed' })
    return { username: account.username, email: found.email }
  })

  implement(app, requestPasswordReset, async ({ email }, { caller, language }) => {
    await limitEvents(sql, `reset:${caller.client}`, limits.resetsFromAddress.max, limits.resetsFromAddress.windowMs)
    messenger.later(async () => {
      const account = await findAccountByEmail(sql, email)
      if (account === null || account.disabled) return
      await limitEvents(sql, `reset-to:${account.id}`, limits.resetsToAddress.max, limits.resetsToAddress.windowMs)
      const token = createToken()
      await createMailedToken(sql, {
        tokenHash: hashToken(token),
        account: account.id,
        purpose: 'reset',
        email: account.email,
        lifetimeMs: resetLifetimeMs,
      })
      await messenger.sendMail({
        kind: 'reset',
        to: account.email,
        username: account.username,
        language,
        params: { minutes: resetLifetimeMs / minuteMs },
        quoted: `${config.publicUrl}/user/login#reset=${token}`,
        usefulMs: resetLifetimeMs,
      })
    })
    return { delivered: messenger.mail, expiresSeconds: resetLifetimeMs / 1000 }
  })

  implement(app, resetPassword, async ({ token, password }, { caller, language }) => {
    await limitEvents(sql, `link:${caller.client}`, limits.linksFromAddress.max, limits.linksFromAddress.windowMs)
    // A password that is refused must not cost the link.
    requireGoodPassword(password, [])
    const found = await takeMailedToken(sql, hashToken(token), 'reset')
    const account = found === null ? null : await getAccount(sql, found.account)
    if (account === null || account.disabled) throw fieldError(['token'], 'account.linkInvalid')
    await updatePassword(sql, account.username, await hashPassword(password))
    for (const name of [account.username, account.email]) await clearLoginFailures(sql, failureKey(name))
    await addAuditEntry(sql, { actor: account.username, action: 'password reset' })
    sendPasswordChanged(portal, account, language, 'passwordReset')
    return { username: account.username }
  })
}

const taken = (): PortalError =>
  new PortalError('CONFLICT', {
    message: 'account.usernameTaken',
    problems: [{ path: ['username'], message: 'account.usernameTaken' }],
  })
