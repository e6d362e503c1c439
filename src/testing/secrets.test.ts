import { describe, expect, test } from 'vitest'
import { createSecretLedger, type SecretKind } from './secrets.ts'

const samples: [SecretKind, string][] = [
  ['password', 'round & yellow peas'],
  ['session', 'Ab-_'.repeat(10)],
  ['API token', `nvdb_${'x'.repeat(43)}`],
  ['code', '402817'],
  ['mailed link', 'Zy09'.repeat(11)],
  ['service key', 'sixteen "signs" or more'],
]

describe('the search for secrets', () => {
  test.each(samples)(
    'finds a %s in every spelling in which it could leak, and names it without telling it',
    (kind, secret) => {
      const leaks = [
        `{"body":${JSON.stringify({ secret })}}`,
        `GET /login?x=${encodeURIComponent(secret)} 200`,
        `said ${secret}.`,
        ...(kind === 'code' ? [] : [Buffer.from(secret).toString('base64')]),
      ]
      for (const leak of leaks) {
        const ledger = createSecretLedger()
        ledger.note(kind, secret)
        expect([leak, ledger.find({ log: leak, urls: 'nothing' })]).toEqual([leak, [`log: ${kind}`]])
        expect(ledger.find({ log: leak }).join()).not.toContain(secret)
      }
    },
  )

  test('does not take digits of a time or a hash for a code', () => {
    const ledger = createSecretLedger()
    ledger.note('code', '402817')
    for (const text of ['0.402817 s', '1402817', 'a402817bc', '4028171', '402817.25'])
      expect([text, ledger.find({ log: text })]).toEqual([text, []])
  })

  test('refuses what would be found nowhere or everywhere', () => {
    const ledger = createSecretLedger()
    expect(() => ledger.note('password', '')).toThrow()
    expect(() => ledger.note('code', 'your code is 402817')).toThrow()
    expect(ledger.count('code')).toBe(0)
  })
})
