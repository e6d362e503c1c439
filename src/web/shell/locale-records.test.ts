import { describe, expect, it } from 'vitest'
import { isRightToLeft, readLocale } from '../../kit/ui/language.tsx'
import { listLocaleRecords } from './locale-records.ts'

describe('the language menu', () => {
  it('lists the languages that have tables, each with lang, label, icon and title', () => {
    expect(listLocaleRecords(['en-US', 'zh-CN'], [])).toEqual([
      { lang: 'en-US', label: 'English', icon: '🇺🇸', title: 'Language' },
      { lang: 'zh-CN', label: '简体中文', icon: '🇨🇳', title: '语言' },
    ])
  })

  it('lists more when the deployment does; those without a table are read in English, from right to left where they run so', () => {
    const more = listLocaleRecords(['en-US', 'zh-CN'], ['ar-EG', 'en-US', 'xx-XX'])
    expect(more.map((record) => record.lang)).toEqual(['en-US', 'zh-CN', 'ar-EG', 'xx-XX'])
    expect(more.at(-1)?.label).toBe('xx-XX')
    expect(readLocale('ar-EG')).toBe('en-US')
    expect(isRightToLeft('ar-EG')).toBe(true)
  })
})
