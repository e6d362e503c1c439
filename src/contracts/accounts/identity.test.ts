import { describe, expect, test } from 'vitest'
import {
  emailSchema,
  gradePassword,
  isReservedName,
  nameSkeleton,
  parsePhone,
  passwordSchema,
  usernameSchema,
} from './identity.ts'

describe('names of users', () => {
  test.each(['li.wei', '李伟', 'José', 'mendel_1866', 'x-ray', 'Ａda'])('%s can be one', (name) => {
    expect(usernameSchema.safeParse(name).success).toBe(true)
  })

  test.each([
    ['', 'account.needUsername'],
    ['a', 'account.usernameForm'],
    ['1866', 'account.usernameForm'],
    ['two words', 'account.usernameForm'],
    ['a@b', 'account.usernameForm'],
    ['x'.repeat(33), 'account.usernameForm'],
    // Cyrillic, Greek and invisible signs: not scripts that readers here can tell apart at sight.
    ['аdmin', 'account.usernameForm'],
    ['αdmin', 'account.usernameForm'],
    ['ad\u200bmin', 'account.usernameForm'],
    ['admin', 'account.usernameReserved'],
    ['Admin2', 'account.usernameReserved'],
    ['adm1n', 'account.usernameReserved'],
    ['a.d-m_i.n', 'account.usernameReserved'],
    ['ａｄｍｉｎ', 'account.usernameReserved'],
    ['ádmín', 'account.usernameReserved'],
    ['adrnin', 'account.usernameReserved'],
    ['admın', 'account.usernameReserved'],
    ['ROOT', 'account.usernameReserved'],
    ['管理员', 'account.usernameReserved'],
  ])('“%s” cannot: %s', (name, message) => {
    const parsed = usernameSchema.safeParse(name)
    expect(parsed.error?.issues[0]?.message).toBe(message)
  })

  test('names that look alike share a skeleton, others do not', () => {
    const same = [
      ['Аdmin', 'admin'],
      ['ΑDMIN', 'admin'],
      ['lìly', 'IiIy'],
      ['b0b', 'bob'],
      ['mendel', 'rnendel'],
    ]
    for (const [one, other] of same) expect([one, nameSkeleton(one!)]).toEqual([one, nameSkeleton(other!)])
    expect(new Set(['bob', 'rob', '李伟', '李玮', 'anna', 'ana'].map(nameSkeleton)).size).toBe(6)
    expect(isReservedName('badminton')).toBe(false)
  })
})

describe('phone numbers', () => {
  test.each([
    ['13800138000', '+8613800138000'],
    ['138-0013 8000', '+8613800138000'],
    ['+86 138 0013 8000', '+8613800138000'],
    ['008613800138000', '+8613800138000'],
    ['１３８００１３８０００', '+8613800138000'],
    ['+44 (20) 7946-0958', '+442079460958'],
    ['+8602164085875', '+8602164085875'],
  ])('%s is %s', (typed, phone) => {
    expect(parsePhone(typed)).toBe(phone)
  })
  test.each(['12800138000', '1380013800', '+8612800138000', '+0123456789', '42', '', 'abc', '+1234567890123456'])(
    '“%s” is none',
    (typed) => {
      expect(parsePhone(typed)).toBeNull()
    },
  )
})

describe('addresses and passwords', () => {
  test.each([
    'a@b.cn',
    'gregor.mendel+peas@sub.example.org',
    '伟@例子.中国',
    "o'hara@example.ie",
    'x@xn--fsqu00a.xn--fiqs8s',
  ])('%s is an address', (email) => {
    expect(emailSchema.safeParse(` ${email} `).data).toBe(email)
  })
  test.each([
    'a@b',
    'a b@c.de',
    'a@b..de',
    'a@-b.de',
    'Mendel <m@b.de>',
    'a@b.de,c@d.ef',
    'a@@b.de',
    `${'a'.repeat(65)}@b.de`,
  ])('“%s” is none', (email) => {
    expect(emailSchema.safeParse(email).success).toBe(false)
  })
  test('a password has 8 to 200 characters, and is taken as it is typed, blanks too', () => {
    expect(passwordSchema.safeParse('1234567').error?.issues[0]?.message).toBe('account.passwordShort')
    expect(passwordSchema.safeParse('x'.repeat(201)).error?.issues[0]?.message).toBe('account.passwordLong')
    expect(passwordSchema.parse('  eight  ')).toBe('  eight  ')
  })
  test('the measure beside the field rises with what a guesser has to try', () => {
    expect(gradePassword('aaaaaaaaaaaa')).toBe('weak')
    expect(gradePassword('qwertyuiop')).toBe('weak')
    expect(gradePassword('mendel1866', ['mendel', 'mendel@example.org'])).toBe('weak')
    expect(gradePassword('kX9#tQ2!')).not.toBe('weak')
    expect(gradePassword('correct horse battery')).toBe('strong')
  })
})
