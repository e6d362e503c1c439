import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nameSkeleton, parsePhone } from '../../contracts/accounts/identity.ts'
import { PortalError } from '../../contracts/errors.ts'
import {
  type AccountRow,
  createAccount,
  fillLookKeys,
  findAccount,
  findAccountByEmail,
  findAccountByPhone,
  updatePassword,
  usernameKey,
} from '../../database/accounts.ts'
import { addAuditEntry } from '../../database/audit.ts'
import type { Sql } from '../../database/connect.ts'
import { beginLoginAttempt, clearLoginFailures, countEvent, forgetAttempt } from '../../database/limits.ts'
import { spendPhoneCode, tryPhoneCode } from '../../database/phone-codes.ts'
import { createSession, deleteSession, findApiToken, findReadSession, findSession } from '../../database/sessions.ts'
import type { Caller } from '../answers/implement.ts'
import { apiTokenStart, createPassword, createToken, hashPassword, hashToken, verifySecret } from './credentials.ts'

/** A session ends after a day without `remember`, which is kept in one browser tab, and after a month with it. */
const sessionLifetimeMs = { tab: 24 * 3600 * 1000, remembered: 30 * 24 * 3600 * 1000 } as const

const minuteMs = 60_000
/** The first failures are free, then each doubles the wait, to at most five minutes: a typo costs nothing, guessing gets nowhere. */
const failureWindowMs = 15 * minuteMs
const freeFailures = { here: 5, anywhere: 50 } as const
/** Guessing from many addresses at once makes the owner wait too, but never for long. */
const longestWaitMs = { here: 5 * minuteMs, anywhere: minuteMs } as const
/** Attempts from one address, whatever the names: a class that signs in behind one address stays far below. */
const loginsPerAddress = { max: 300, windowMs: 15 * minuteMs } as const

const codeTries = 5

/** Rejects with TOO_MANY_REQUESTS and the seconds to wait when `key` has had its events of the window. */
export const limitEvents = async (sql: Sql, key: string, max: number, windowMs: number): Promise<void> => {
  const { count, remainingMs } = await countEvent(sql, key, windowMs)
  if (count > max) throw waitError(remainingMs)
}

export const waitError = (waitMs: number): PortalError =>
  new PortalError('TOO_MANY_REQUESTS', {
    message: 'account.waitSeconds',
    params: { seconds: Math.max(1, Math.ceil(waitMs / 1000)) },
  })

/** What failures are counted by: a hash, for people type passwords into the field of the name. */
export const failureKey = (username: string): string =>
  createHash('sha256').update(usernameKey(username)).digest('hex').slice(0, 32)

export interface SignedIn {
  token: string
  /** Value of the cookie that reads files where the portal requires signing in. */
  readToken: string
  expiresAt: string
  remember: boolean
  user: { username: string; access: 'user' | 'admin' }
}

const startSession = async (
  sql: Sql,
  account: AccountRow,
  remember: boolean,
  way: 'account' | 'admin' | 'phone',
): Promise<SignedIn> => {
  const [token, readToken] = [createToken(), createToken()]
  const expiresAt = await createSession(sql, {
    tokenHash: hashToken(token),
    readHash: hashToken(readToken),
    account: account.id,
    remember,
    lifetimeMs: sessionLifetimeMs[remember ? 'remembered' : 'tab'],
  })
  await addAuditEntry(sql, { actor: account.username, action: 'login', detail: { way } })
  const user = { username: account.username, access: account.access }
  return { token, readToken, expiresAt: expiresAt.toISOString(), remember, user }
}

/** Signs in by name, or confirmed e-mail address, and password; `client` is the hash of the caller's address. */
export const signIn = async (
  sql: Sql,
  credentials: { username: string; password: string; type: 'account' | 'admin'; remember?: boolean },
  client = '',
): Promise<SignedIn> => {
  const { username, password, type, remember = false } = credentials
  await limitEvents(sql, `login:${client}`, loginsPerAddress.max, loginsPerAddress.windowMs)
  const account =
    (await findAccount(sql, username)) ?? (username.includes('@') ? await findAccountByEmail(sql, username) : null)
  // By what was typed: failures at an address that showed at a name would tell whose address it is.
  const key = failureKey(username)
  const { id, here, anywhere } = await beginLoginAttempt(sql, key, client, failureWindowMs)
  const waitMs = Math.max(
    here.count > freeFailures.here
      ? Math.min(longestWaitMs.here, 1000 * 2 ** (here.count - freeFailures.here)) - here.sinceMs
      : 0,
    anywhere.count > freeFailures.anywhere
      ? Math.min(longestWaitMs.anywhere, 1000 * 2 ** (anywhere.count - freeFailures.anywhere)) - anywhere.sinceMs
      : 0,
  )
  if (waitMs > 0) {
    await forgetAttempt(sql, id)
    throw waitError(waitMs)
  }
  const matches = await verifySecret(account?.passwordHash ?? null, password)
  if (account === null || !matches || account.disabled || (type === 'admin' && account.access !== 'admin')) {
    // For a name that nobody has, too: else the time of the answer tells which names there are. What was typed is not kept.
    await addAuditEntry(sql, { actor: account?.username ?? '', action: 'login failed', detail: { way: type } })
    throw new PortalError('WRONG_CREDENTIALS')
  }
  await clearLoginFailures(sql, key, client)
  return startSession(sql, account, remember, type)
}

/** Takes a code that was sent to a number; true once for the right one within its time and tries. */
export const checkPhoneCode = async (
  sql: Sql,
  phone: string,
  purpose: 'login' | 'confirm',
  code: string,
): Promise<boolean> => {
  const codeHash = await tryPhoneCode(sql, phone, purpose, codeTries)
  const matches = await verifySecret(codeHash, code)
  return matches && codeHash !== null && (await spendPhoneCode(sql, phone, purpose, codeHash))
}

/** Signs in by a confirmed phone number and the code that was sent to it. */
export const signInByPhone = async (
  sql: Sql,
  credentials: { phone: string; captcha: string; remember: boolean },
  client: string,
): Promise<SignedIn> => {
  await limitEvents(sql, `login:${client}`, loginsPerAddress.max, loginsPerAddress.windowMs)
  const phone = parsePhone(credentials.phone) ?? ''
  const account = await findAccountByPhone(sql, phone)
  const right = await checkPhoneCode(sql, phone, 'login', credentials.captcha.trim())
  if (!right || account === null || account.disabled) {
    throw new PortalError('WRONG_CREDENTIALS', {
      message: 'account.codeWrong',
      problems: [{ path: ['captcha'], message: 'account.codeWrong' }],
    })
  }
  return startSession(sql, account, credentials.remember, 'phone')
}

export const signOut = async (sql: Sql, token: string): Promise<void> => deleteSession(sql, hashToken(token))

/** The scheme's name is compared without regard to case (RFC 9110, section 11.1). */
export const bearerToken = (request: FastifyRequest): string | null =>
  /^bearer +([A-Za-z0-9_-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1] ?? null

const cookieName = 'novodb_read'

const readCookie = (request: FastifyRequest): string | null => {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === cookieName && value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value)) return value
  }
  return null
}

/**
 * Sets or takes away the cookie by which links, images and event streams, which carry no Authorization header, are read on a portal
 * that requires signing in. It opens nothing but reading what a visitor may read elsewhere, so no other site can act with it.
 */
export const setReadCookie = (
  reply: FastifyReply,
  session: SignedIn | null,
  options: { secure: boolean },
): FastifyReply => {
  const parts = [`${cookieName}=${session?.readToken ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict']
  if (options.secure) parts.push('Secure')
  if (session === null) parts.push('Max-Age=0')
  else if (session.remember) parts.push(`Expires=${new Date(session.expiresAt).toUTCString()}`)
  return reply.header('Set-Cookie', parts.join('; '))
}

export const visitorCaller: Caller = {
  account: null,
  username: '',
  access: 'visitor',
  client: '',
  via: 'none',
  tokenHash: null,
}

/** A hash of the caller's address that cannot be looked up from outside; the address itself is not kept. */
export const clientOf = (request: FastifyRequest, clientSalt: string): string => {
  const key = `${clientSalt}\n${request.ip}`
  let hash = clientHashes.get(key)
  if (hash === undefined) {
    hash = createHash('sha256').update(key).digest('hex').slice(0, 16)
    // Of those who ask now, for a minute at most: addresses are not kept.
    if (clientHashes.size === 0) setTimeout(() => clientHashes.clear(), minuteMs).unref()
    if (clientHashes.size < 10_000) clientHashes.set(key, hash)
  }
  return hash
}
const clientHashes = new Map<string, string>()

/**
 * Who asks: a visitor without a token; a token that is unknown or expired rejects with NOT_SIGNED_IN. With `cookie`, the cookie
 * that reads stands in for a token that is not there.
 */
export const readCaller = async (
  sql: Sql,
  request: FastifyRequest,
  clientSalt: string,
  options: { cookie: boolean },
): Promise<Caller> => {
  const client = clientOf(request, clientSalt)
  const token = bearerToken(request)
  if (token === null) {
    if (request.headers.authorization !== undefined) throw new PortalError('NOT_SIGNED_IN')
    const cookie = options.cookie ? readCookie(request) : null
    const holder = cookie === null ? null : await findReadSession(sql, hashToken(cookie))
    if (holder === null) return { ...visitorCaller, client }
    // Whoever comes by the cookie may read, and is nobody else's user or administrator.
    return { ...visitorCaller, client, via: 'cookie' }
  }
  const tokenHash = hashToken(token)
  const isApiToken = token.startsWith(apiTokenStart)
  const holder = isApiToken ? await findApiToken(sql, tokenHash) : await findSession(sql, tokenHash)
  if (holder === null) throw new PortalError('NOT_SIGNED_IN')
  return { ...holder, client, via: isApiToken ? 'token' : 'session', tokenHash }
}

/** The account `admin` that was just made; its password where that was made up here, to be printed once. */
export interface MadeAdmin {
  madeUpPassword: string | null
}

/** Makes the admin account; resolves to null when there is one. */
export const ensureAdmin = async (sql: Sql, password: string | undefined): Promise<MadeAdmin | null> => {
  await fillLookKeys(sql, nameSkeleton)
  if ((await findAccount(sql, 'admin')) !== null) return null
  const chosen = password ?? createPassword()
  const created = await createAccount(sql, {
    username: 'admin',
    lookKey: nameSkeleton('admin'),
    passwordHash: await hashPassword(chosen),
    access: 'admin',
  })
  if (created === null) return null
  return { madeUpPassword: password === undefined ? chosen : null }
}

/** Sets the password of admin, making the account when there is none; its sessions end, and the wait after failures with the old one. */
export const resetAdminPassword = async (sql: Sql, password: string): Promise<void> => {
  await ensureAdmin(sql, password)
  await updatePassword(sql, 'admin', await hashPassword(password))
  await clearLoginFailures(sql, failureKey('admin'))
  await addAuditEntry(sql, { actor: 'command line', action: 'password', target: 'admin' })
}
