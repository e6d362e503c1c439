import { z } from 'zod'

/** What names, addresses, numbers and passwords look like; the same rules on the form and at the server's door. */

/**
 * Letters that look like Latin ones, by the letter they pass for: a choice of the commonest from Cyrillic, Greek, Armenian,
 * Cherokee and Lisu capitals and letter-like signs, after Unicode Technical Standard 39 (security mechanisms), section 4.
 */
const lookAlikes: Record<string, string> = {
  a: 'аαɑᴀꭺ',
  b: 'ЬьВвʙβꮟ',
  c: 'сϲᴄⅽꮯ',
  d: 'ԁժꓒⅾꭰ',
  e: 'еєεҽℯꭼ',
  f: 'ẝϝꞙ',
  g: 'ɡցԍꮐ',
  h: 'һհнʜꮋ',
  j: 'јϳꭻ',
  k: 'кκᴋꮶ',
  l: 'іıιɩӏɪ|ǀاחⅼℓ丨ꭵ',
  m: 'мᴍⅿꮇ',
  n: 'ոռпηɴꓠ',
  o: 'оοσօᴏ०০〇ꮎ',
  p: 'рρꮲ',
  q: 'ԛզ',
  r: 'гᴦꭇꮢ',
  s: 'ѕꜱꮪ',
  t: 'тτᴛꭲ',
  u: 'υսʋᴜ',
  v: 'ѵνᴠⅴꮩ',
  w: 'ԝաᴡꮃ',
  x: 'хχⅹ乂',
  y: 'уүγʏꮍ',
  z: 'ᴢꮓ',
}
const lookAlikeOf = new Map(
  Object.entries(lookAlikes).flatMap(([letter, signs]) => [...signs].map((sign) => [sign, letter] as const)),
)

/**
 * The form that names share when a reader could take one for the other: compatibility forms, case and accents folded,
 * look-alike letters and digits replaced, and `rn`, `vv`, `cl` read as they look. Not for showing.
 * Example: `nameSkeleton('Аdmin')` with a Cyrillic А and `nameSkeleton('adm1n')` both give `admln`.
 */
export const nameSkeleton = (name: string): string =>
  [
    ...name
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}]/gu, '')
      .toLowerCase(),
  ]
    .map((sign) => lookAlikeOf.get(sign) ?? sign)
    .join('')
    .replaceAll('0', 'o')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('cl', 'd')

const reservedNames = [
  ...['admin', 'admins', 'administrator', 'administrators', 'sysadmin', 'root', 'superuser', 'system', 'sys'],
  ...['moderator', 'support', 'service', 'security', 'webmaster', 'postmaster', 'hostmaster', 'official'],
  ...['novodb', 'portal', 'visitor', 'anonymous', 'guest', 'nobody', 'null', 'undefined', 'demo', 'me', 'command line'],
  ...['管理员', '系统管理员', '超级管理员', '管理', '系统', '客服', '官方', '访客', '匿名', '游客'],
]
const reservedSkeletons = new Set(reservedNames.map((name) => nameSkeleton(name).replace(/[^\p{L}\p{N}]/gu, '')))

/** Whether a name is the administrator's or the portal's own, or could be taken for it: `Adm1n`, `admin_2`, `а-d-m-i-n`. */
export const isReservedName = (username: string): boolean => {
  const bare = (text: string): string => nameSkeleton(text).replace(/[^\p{L}\p{N}]/gu, '')
  const withoutNumber = username.normalize('NFKC').replace(/[\d\s._-]+$/u, '')
  return reservedSkeletons.has(bare(username)) || reservedSkeletons.has(bare(withoutNumber))
}

/** Latin or Chinese letters, digits, and `.`, `_`, `-` within: scripts that can be told apart at sight (UTS 39, section 5.2). */
export const usernameSchema = z
  .string('account.needUsername')
  .trim()
  .min(1, 'account.needUsername')
  .transform((name) => name.normalize('NFKC'))
  .pipe(
    z
      .string()
      .max(32, 'account.usernameForm')
      .regex(/^[\p{Script=Latin}\p{Script=Han}][\p{Script=Latin}\p{Script=Han}0-9._-]{1,31}$/u, 'account.usernameForm')
      .refine((name) => !isReservedName(name), 'account.usernameReserved'),
  )

/**
 * One reasonable pattern: a local part without blanks or quotes, a domain of labels (RFC 1035) with a last one of letters; 254 at most
 * (RFC 5321).
 */
const emailPattern =
  /^[^\s@"<>(),:;[\]\\]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:xn--[a-z0-9-]{2,59}|\p{L}{2,63})$/iu
export const emailSchema = z
  .string('account.needEmail')
  .trim()
  .min(1, 'account.needEmail')
  .max(254, 'account.emailForm')
  .regex(emailPattern, 'account.emailForm')

/**
 * A number as people write it, in the form of E.164: a mobile number of mainland China without its country code gets it; others
 * begin with `+` or `00`. Null when it is neither. Example: `parsePhone('138-0013 8000')` gives `+8613800138000`.
 */
export const parsePhone = (text: string): string | null => {
  const digits = text
    .normalize('NFKC')
    .replace(/[\s().-]/g, '')
    .replace(/^00/, '+')
  // Numbering plan of the Ministry of Industry and Information Technology: mobile numbers have 11 digits from 13 to 19.
  if (/^1[3-9]\d{9}$/.test(digits)) return `+86${digits}`
  if (/^\+861/.test(digits)) return /^\+861[3-9]\d{9}$/.test(digits) ? digits : null
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null
}
export const phoneSchema = z
  .string('account.needPhone')
  .trim()
  .min(1, 'account.needPhone')
  .max(40, 'account.phoneForm')
  .transform((text, context) => {
    const phone = parsePhone(text)
    if (phone === null) context.addIssue({ code: 'custom', message: 'account.phoneForm' })
    return phone ?? ''
  })

/** At least what NIST SP 800-63B, section 5.1.1.2, asks of a password that a person chooses; the longest bounds the work of hashing. */
export const passwordBounds = { shortest: 8, longest: 200 } as const
export const passwordSchema = z
  .string('account.needPassword')
  .min(1, 'account.needPassword')
  .min(passwordBounds.shortest, 'account.passwordShort')
  .max(passwordBounds.longest, 'account.passwordLong')

/** A code from a text message. */
export const codeSchema = z
  .string('account.needCode')
  .trim()
  .min(1, 'account.needCode')
  .regex(/^\d{6}$/, 'account.codeWrong')

export const passwordStrengths = ['weak', 'fair', 'good', 'strong'] as const
export type PasswordStrength = (typeof passwordStrengths)[number]

/**
 * A rough measure for the bar beside the field: kinds of signs by length, less for repeats, for runs along the alphabet or the
 * keyboard, and for what the person has also typed elsewhere (`about`: name, address). What is refused, the server decides.
 * Example: `gradePassword('aaaaaaaa')` is `weak`, `gradePassword('correct horse battery')` is `strong`.
 */
export const gradePassword = (password: string, about: string[] = []): PasswordStrength => {
  let text = password.toLowerCase()
  for (const known of about.flatMap((item) => item.toLowerCase().split(/[@.\s]+/)))
    if (known.length >= 3) text = text.replaceAll(known, known.slice(0, 1))
  const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', '1qaz2wsx3edc4rfv']
  const isRun = (pair: string): boolean =>
    pair[0] === pair[1] || rows.some((row) => row.includes(pair) || row.includes([...pair].reverse().join('')))
  let length = text === '' ? 0 : 1
  for (let index = 1; index < text.length; index += 1) length += isRun(text.slice(index - 1, index + 1)) ? 0.25 : 1
  const alphabet =
    (/[a-z]/.test(password) ? 26 : 0) +
    (/[A-Z]/.test(password) ? 26 : 0) +
    (/\d/.test(password) ? 10 : 0) +
    (/[^\sa-zA-Z\d]/.test(password) ? 33 : 0) +
    (/\s/.test(password) ? 1 : 0)
  const bits = length * Math.log2(Math.max(2, alphabet))
  if (password.length < passwordBounds.shortest || bits < 36) return 'weak'
  return bits < 50 ? 'fair' : bits < 70 ? 'good' : 'strong'
}
