import { describe, it, type TestFunction } from 'vitest'
import type { Locale } from '../src/kit/ui/language.tsx'
import { full } from '../src/testing/real-data.ts'

export const locales: readonly Locale[] = ['en-US', 'zh-CN']

/** What a text of each language has. */
export const letters: Record<Locale, RegExp> = { 'en-US': /[A-Za-z]{3}/, 'zh-CN': /[\u4e00-\u9fff]{2}/ }

/** A journey of a portal that is read in one language. */
export type Journey = (title: string, walk: TestFunction, timeoutMs?: number) => void

/**
 * Journeys written for both languages, each walked in one of them, turn and turn about, so that each tool is used in English and in
 * Chinese; `npm test -- --full` walks every one in both. A walk costs some seconds of both cores, and what differs between the
 * languages, the words, is looked at on every screen by `every-screen`, in turn as well. A journey that is not walked is not listed either: the same
 * steps are.
 * @param title with `%s` for the language
 */
export const inTurn = (title: string, write: (language: Locale, journey: Journey) => void): void => {
  for (const [mine, language] of locales.entries())
    describe(title.replace('%s', language), () => {
      let index = title.length
      write(language, (name, walk, timeoutMs) => {
        index += 1
        if (full || index % locales.length === mine) it(name, walk, timeoutMs)
      })
    })
}
