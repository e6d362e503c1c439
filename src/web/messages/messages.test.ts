import { describe, expect, it } from 'vitest'
import { locales, translator } from '../../kit/ui/language.tsx'
import { messages as account } from './account.ts'
import { messages as admin } from './admin.ts'
import { messages as pages } from './pages.ts'
import { messages as routes } from './routes.ts'
import { messages as shell } from './shell.ts'

describe('the texts of the portal', () => {
  it.each([
    ['pages', pages],
    ['shell', shell],
    ['account', account],
    ['admin', admin],
    ['routes', routes],
  ] as const)('of the %s parse and take their parameters in both languages', (_, table) => {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const t = translator<string>(table, locale)
      for (const [key, text] of Object.entries<string>(table[locales[locale]])) {
        const parameters = Object.fromEntries([...text.matchAll(/\{(\w+)/g)].map((match) => [match[1], 2]))
        expect(t(key, parameters), key).not.toMatch(/^[a-z]+\.[\w.]+$|[{}]/)
      }
    }
  })

  it('say in Chinese what they say in English, not the English again', () => {
    const words = (text: string): string => text.replace(/\{[^}]*\}/g, '')
    const same = (Object.keys(pages.en) as (keyof typeof pages.en)[]).filter(
      (key) => /[a-z]{4}/i.test(words(pages.en[key])) && pages.en[key] === pages.zh[key],
    )
    // Names of programs and molecules stay as they are in both.
    expect(same).toEqual(['gene.seq.cdna'])
  })
})
