import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { PortalError } from '../contracts/errors.ts'
import {
  addAuditEntry,
  addLoginFailure,
  clearLoginFailures,
  countLoginFailures,
  createAccount,
  createSession,
  deleteSession,
  findAccount,
  findSession,
  updatePassword,
} from '../database/accounts.ts'
import type { Caller } from './implement.ts'

/** Argon2id with the OWASP Password Storage Cheat Sheet's parameters (19 MiB, 2 passes, 1 lane). */
const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Opaque bearer tokens of 256 random bits; only their SHA-256 is stored. */
const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** A session ends after a day without `remember`, which is kept in one browser tab, and after a month with it. */
const sessionLifetimeMs = { tab: 24 * 3600 * 1000, remembered: 30 * 24 * 3600 * 1000 } as const
const failureWindowMs = 15 * 60 * 1000
/** The first failures are free, then each doubles the wait, to at most five minutes: a typo costs nothing, guessing gets nowhere. */
const freeFailures = 5
const longestWaitMs = 5 * 60 * 1000

export const hashPassword = (password: string): Promise<string> => hash(password, argon2Options)

/** A password that people can copy from a terminal: 96 random bits. */
export const createPassword = (): string => randomBytes(12).toString('base64url')

/** What the login form takes at most, and what a password set by the keeper has at least. */
export const passwordLength = { shortest: 8, longest: 200 } as const

// Verified against when the name is unknown, so that an answer takes as long either way.
let decoy: Promise<string> | null = null

export const signIn = async (
  sql: Sql,
  credentials: { username: string; password: string; type: 'account' | 'admin'; remember?: boolean },
): Promise<{ token: string; expiresAt: string; user: { username: string; access: 'user' | 'admin' } }> => {
  const { username, password } = credentials
  const failures = await countLoginFailures(sql, username, failureWindowMs)
  if (failures.count > freeFailures) {
    const waitMs = Math.min(longestWaitMs, 1000 * 2 ** (failures.count - freeFailures))
    if (failures.sinceLastMs < waitMs) throw new PortalError('TOO_MANY_REQUESTS')
  }
  const account = await findAccount(sql, username)
  decoy ??= hashPassword(createPassword())
  const matches = await verify(account?.passwordHash ?? (await decoy), password).catch(() => false)
  const allowed =
    account !== null && matches && !account.disabled && (credentials.type !== 'admin' || account.access === 'admin')
  if (!allowed) {
    await addLoginFailure(sql, username)
    throw new PortalError('WRONG_CREDENTIALS')
  }
  await clearLoginFailures(sql, username)
  const token = randomBytes(32).toString('base64url')
  const lifetimeMs = sessionLifetimeMs[credentials.remember ? 'remembered' : 'tab']
  await createSession(sql, hashToken(token), account.id, lifetimeMs)
  await addAuditEntry(sql, { actor: account.username, action: 'login' })
  const expiresAt = new Date(Date.now() + lifetimeMs).toISOString()
  return { token, expiresAt, user: { username: account.username, access: account.access } }
}

export const signOut = async (sql: Sql, token: string): Promise<void> => deleteSession(sql, hashToken(token))

export const bearerToken = (request: FastifyRequest): string | null =>
  /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1] ?? null

/** Who asks: a visitor without a token; a token that is unknown or expired rejects with NOT_SIGNED_IN. */
export const readCaller = async (sql: Sql, request: FastifyRequest, clientSalt: string): Promise<Caller> => {
  const client = createHash('sha256').update(`${clientSalt}\n${request.ip}`).digest('hex').slice(0, 16)
  const token = bearerToken(request)
  if (token === null) {
    if (request.headers.authorization !== undefined) throw new PortalError('NOT_SIGNED_IN')
    return { account: null, username: '', access: 'visitor', client }
  }
  const session = await findSession(sql, hashToken(token))
  if (session === null) throw new PortalError('NOT_SIGNED_IN')
  return { ...session, client }
}

/** Makes the admin account when there is none; resolves to the password when it was made up here, to be printed once. */
export const ensureAdmin = async (sql: Sql, password: string | undefined): Promise<string | null> => {
  if ((await findAccount(sql, 'admin')) !== null) return null
  const chosen = password ?? createPassword()
  const created = await createAccount(sql, {
    username: 'admin',
    passwordHash: await hashPassword(chosen),
    access: 'admin',
  })
  return created && password === undefined ? chosen : null
}

/** Sets the password of admin, making the account when there is none; its sessions end, and the wait after failures with the old one. */
export const resetAdminPassword = async (sql: Sql, password: string): Promise<void> => {
  await ensureAdmin(sql, password)
  await updatePassword(sql, 'admin', await hashPassword(password))
  await clearLoginFailures(sql, 'admin')
  await addAuditEntry(sql, { actor: 'command line', action: 'password', target: 'admin' })
}
