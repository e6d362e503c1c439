import { createHash, randomBytes, randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { type FieldProblem, PortalError } from '../../contracts/errors.ts'

/** Argon2id with the OWASP Password Storage Cheat Sheet's parameters (19 MiB, 2 passes, 1 lane). */
const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const hashPassword = (password: string): Promise<string> => hash(password, argon2Options)

let decoy: Promise<string> | null = null

/**
 * Whether the secret fits the hash. Without a hash it is compared with one that fits nothing, so that an answer takes as long either way.
 */
export const verifySecret = async (secretHash: string | null, secret: string): Promise<boolean> => {
  decoy ??= hashPassword(createToken())
  const matches = await verify(secretHash ?? (await decoy), secret).catch(() => false)
  return matches && secretHash !== null
}

/** An opaque token of 256 random bits. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** API tokens are told from sessions by their beginning; it also lets scanners of leaked secrets find them. */
export const apiTokenStart = 'nvdb_'

/** Tokens are random enough that one pass of SHA-256 keeps them (OWASP Session Management); only this is stored. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Six digits, each number as likely as any other. */
export const createCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** A password that people can copy from a terminal: 96 random bits. */
export const createPassword = (): string => randomBytes(12).toString('base64url')

/**
 * What readers of Chinese choose most often and lists made from English sites lack: "I love you", numbers that sound like it, keyboard
 * walks.
 */
const commonInChina = [
  ...['woaini', 'woaini520', 'woaini521', 'woaini1314', 'woaini5201314', 'woaiwojia', 'woaizhongguo', 'aini1314'],
  ...['a5201314', 'qq5201314', 'aa5201314', 'love1314', 'love5201314', 'wang1234', 'zhang123', 'li123456'],
  ...[
    'a123456789',
    'aa123456',
    'aaa123456',
    'abc123456',
    'asd123456',
    'qwe123456',
    'qq123456',
    'zxc123456',
    'wo123456',
  ],
  ...['q1w2e3r4', 'q1w2e3r4t5', '1q2w3e4r', '1qaz2wsx', 'qazwsxedc', 'zaq12wsx', 'woshishui', 'nihao123', 'mima1234'],
]
let common: Set<string> | null = null

/** Whether a password is among those that leaked lists hold most often, or one of them with a digit or sign or two behind. */
const isCommonPassword = (password: string): boolean => {
  common ??= new Set([
    ...(dictionary['passwords-common'] as (string | number)[]).map((word) => String(word).toLowerCase()),
    ...commonInChina,
  ])
  const text = password.toLowerCase()
  // Dates, phone numbers, and numbers that sound like words: few enough to be tried one after the other.
  if (/^\d{1,11}$/.test(text)) return true
  if (common.has(text) || common.has(text.replace(/[\d!.?@#*_-]{1,2}$/, ''))) return true
  // One sign, or a few in turn, however long.
  return /^(.{1,3}?)\1+.?.?$/su.test(text)
}

/** Refuses a password that is guessed first: a common one, or what the account says of itself. */
export const requireGoodPassword = (password: string, about: string[]): void => {
  const text = password.normalize('NFKC').toLowerCase()
  const named = about
    .flatMap((item) => [item, item.split('@')[0]!, item.replace(/^\+\d\d/, '')])
    .map((item) => item.normalize('NFKC').toLowerCase())
    .some(
      (item) => item.length >= 4 && (text === item || text === [...item].reverse().join('') || text === item + item),
    )
  const message = named ? 'account.passwordIsName' : isCommonPassword(password) ? 'account.passwordCommon' : null
  if (message === null) return
  const problems: FieldProblem[] = [{ path: ['password'], message }]
  throw new PortalError('INVALID_INPUT', { message, problems })
}
