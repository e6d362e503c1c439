import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { createIntl, createIntlCache, type IntlShape } from 'react-intl'
import type { Language, LocalizedText, Messages } from '../../contracts/text.ts'
import { closeUp, textIn } from '../../contracts/text.ts'

/** Locales with whole message tables, as they are stored and sent (portal specification, section 4). */
export const locales = { 'en-US': 'en', 'zh-CN': 'zh' } as const satisfies Record<string, Language>
export type Locale = keyof typeof locales

export const localeKey = 'novodb_locale'
const defaultLocale: Locale = 'en-US'

/** Two lower-case letters, optionally a dash and two upper-case letters. */
const isLocaleTag = (text: string): boolean => /^[a-z]{2}(-[A-Z]{2})?$/.test(text)

/** The locale whose table is read: what is malformed or has no table is read as en-US. */
export const readLocale = (stored: string | null): Locale =>
  stored !== null && isLocaleTag(stored) && Object.hasOwn(locales, stored) ? (stored as Locale) : defaultLocale

/** Locales whose scripts run from right to left (portal specification, section 4). */
export const isRightToLeft = (locale: string): boolean => /^(he|ar|fa|ku)\b/.test(locale)

export const currentLocale = (): Locale => readLocale(localStorage.getItem(localeKey))

/** What the reader chose in the menu, be there a table for it or not; the default when nothing well-formed is stored. */
export const chosenLocale = (): string => {
  const stored = localStorage.getItem(localeKey)
  return stored !== null && isLocaleTag(stored) ? stored : defaultLocale
}

/** Stores the choice and loads the page anew, as the specification asks; the address stays. Throws on a malformed tag. */
export const chooseLocale = (locale: string): void => {
  if (!isLocaleTag(locale))
    throw new TypeError('A locale is two lower-case letters, or those, a dash and two upper-case ones')
  localStorage.setItem(localeKey, locale)
  location.reload()
}

export type Parameters = Record<string, string | number | Date | null | undefined>
export type Translate<Key extends string> = (key: Key, parameters?: Parameters) => string

const LocaleContext = createContext<Locale>(defaultLocale)

/**
 * Gives the language to everything below and marks the document with it; `chosen` sets the direction, also where the
 * texts fall back to another language.
 */
export const LanguageProvider = ({
  locale,
  chosen = locale,
  children,
}: {
  locale: Locale
  chosen?: string
  children: ReactNode
}): ReactNode => {
  useMemo(() => {
    if (typeof document === 'undefined') return
    document.documentElement.lang = locale
    document.documentElement.dir = isRightToLeft(chosen) ? 'rtl' : 'ltr'
  }, [locale, chosen])
  return <LocaleContext value={locale}>{children}</LocaleContext>
}

export const useLocale = (): Locale => useContext(LocaleContext)
export const useLanguage = (): Language => locales[useLocale()]

const cache = createIntlCache()
const intls = new WeakMap<object, IntlShape>()

const intlOf = (messages: Messages, locale: Locale): IntlShape => {
  const table = messages[locales[locale]]
  let intl = intls.get(table)
  if (intl === undefined) {
    intl = createIntl({ locale, defaultLocale: locale, messages: table, onError: () => {} }, cache)
    intls.set(table, intl)
  }
  return intl
}

/** `t` over one table: ICU messages with plurals; a key without a message shows as the key, so that it is seen. */
export const translator = <Key extends string>(messages: Messages<Key>, locale: Locale): Translate<Key> => {
  const intl = intlOf(messages, locale)
  const table = messages[locales[locale]]
  // An empty message is meant (no help to give); the formatter would show its key.
  return (key, parameters) => {
    if (table[key] === '') return ''
    const text = intl.formatMessage({ id: key, defaultMessage: key }, parameters as Record<string, string>)
    return locales[locale] === 'zh' ? closeUp(text) : text
  }
}

/** The texts of a room or tool in the reader's language: `const t = useText(messages); t('hits', { count: 3 })`. */
export const useText = <Key extends string>(messages: Messages<Key>): Translate<Key> => {
  const locale = useLocale()
  return useMemo(() => translator(messages, locale), [messages, locale])
}

export interface Format {
  /** Grouped digits; at most `digits` decimals (0 when absent). */
  number: (value: number, digits?: number) => string
  /** Grouped digits with exactly so many decimals: of numbers that are compared with each other. */
  fixed: (value: number, digits: number) => string
  /** As `number` or, with `exact`, as `fixed`, with the minus sign of print: for axes and legends, which nobody copies as numbers. */
  tick: (value: number, digits?: number, exact?: boolean) => string
  /** Few significant digits, scientific below 0.001: for e-values and other magnitudes, never rounded to zero. */
  statistic: (value: number) => string
  /** The same of a p-value: one that is too small for a number of the machine is below 1e-300 and not nothing. */
  pValue: (value: number) => string
  percent: (fraction: number, digits?: number) => string
  date: (iso: string) => string
  dateTime: (iso: string) => string
  /** The time of day, to the second. */
  time: (iso: string) => string
  bytes: (bytes: number) => string
  /** Lengths: 950 bp, 12.4 kb, 4.41 Mb. */
  basePairs: (bp: number) => string
  /** Large counts shortened for headings, 8.06 M and 806万; exact below a million. */
  count: (value: number) => string
  duration: (ms: number) => string
  /** A time that is only estimated, in its largest unit: 20 s, 3 min, 2 h. */
  roughDuration: (ms: number) => string
  /** `chr1:1,000..2,000 (+)`: 1-based, inclusive; one base is one number. */
  region: (sequence: string, start1: number, end1: number, strand?: string) => string
  /** A quantity's name with its unit, where it has one: `Doubling time (h)`. */
  withUnit: (name: string, unit: string | null) => string
  /** A place that was asked for: its segment, and in words that it is on the reverse strand. */
  locus: (locus: { sequence: string; start: number; end: number; strand?: '+' | '-' }) => string
  /** Places as files write them, for reading: `chr1:1000..2000(-) chr2:761155..761155` is `chr1:1,000..2,000 (−) chr2:761,155`. */
  places: (text: string) => string
  list: (items: string[]) => string
  /** Names in a row, parted by semicolons where one of them has a comma of its own ("H37Rv, Broad Institute"). */
  series: (names: readonly string[]) => string
  /** Names that a reader may have to look for: the first of many, and how many there are. */
  names: (names: string[]) => string
  /** Sentences one after the other: with a space between them, which Chinese has not; empty ones are left out. */
  sentences: (sentences: readonly string[]) => string
  text: (text: LocalizedText | null | undefined) => string
}

const scaled = (value: number, step: number, units: string[], show: (v: number, digits: number) => string): string => {
  let index = 0
  let rest = value
  while (Math.abs(rest) >= step && index < units.length - 1) {
    rest /= step
    index += 1
  }
  return `${show(rest, index === 0 ? 0 : rest >= 100 ? 0 : rest >= 10 ? 1 : 2)} ${units[index]}`
}

/** Names in one line of text; what is beyond is counted. */
const maxNames = 30

/** A list with a blank between a Han conjunction and a Latin name beside it: `A、B 和 C`, `水稻和小麦`. */
const joinNames = (parts: readonly { type: string; value: string }[]): string =>
  parts
    .map(({ type, value }, at) => {
      if (type !== 'literal' || !/\p{Script=Han}/u.test(value)) return value
      const before = /[\p{Script=Latin}\p{N}]$/u.test(parts[at - 1]?.value ?? '') ? ' ' : ''
      const after = /^[\p{Script=Latin}\p{N}]/u.test(parts[at + 1]?.value ?? '') ? ' ' : ''
      return `${before}${value}${after}`
    })
    .join('')

/** The name of a sequence, if one is given, and the numbers of a place in it, with its strand. */
const writtenPlace = /^(.+:)?([1-9]\d*(?:(?:\.\.|[,^-])[1-9]\d*)*)(\([+-]\))?([,;]?)$/

/** Formats of one locale; the same numbers in both languages save for dates, durations and lists. */
export const formatFor = (locale: Locale): Format => {
  const number = (value: number, digits = 0): string =>
    new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)
  const fixed = (value: number, digits: number): string =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
  const chinese = locales[locale] === 'zh'
  const span = (start1: number, end1: number): string =>
    start1 === end1 ? number(start1) : `${number(start1)}..${number(end1)}`
  const place = (text: string): string => {
    const [, sequence = '', numbers, strand = '', end = ''] = writtenPlace.exec(text) ?? []
    if (numbers === undefined) return text
    const parts = numbers.split(',').map((part) => {
      // `a^b` lies between two bases.
      const ends = part.split(/(?:\.\.|[\^-])/).map(Number)
      return part.includes('^') ? ends.map((one) => number(one)).join('^') : span(ends[0]!, ends.at(-1)!)
    })
    const sign = strand === '' ? '' : strand === '(-)' ? ' (−)' : ' (+)'
    return `${sequence}${parts.join(', ')}${sign}${end}`
  }
  const series = (names: readonly string[]): string => {
    const hasCommas = names.some((name) => /[,，、]/.test(name))
    return names.join(hasCommas ? (chinese ? '；' : '; ') : chinese ? '、' : ', ')
  }
  const statistic = (value: number): string => {
    if (value === 0) return '0'
    if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : '–'
    const size = Math.abs(value)
    if (size < 1e-3 || size >= 1e6) {
      const [mantissa, exponent] = value.toExponential(1).split('e')
      return `${mantissa}e${Number(exponent)}`
    }
    return number(value, size < 1 ? 4 : size < 100 ? 2 : 1)
  }
  return {
    number,
    fixed,
    tick: (value, digits = 0, exact = false) => (exact ? fixed : number)(value, digits).replace('-', '−'),
    statistic,
    pValue: (value) => (value === 0 ? '< 1e-300' : statistic(value)),
    percent: (fraction, digits = 1) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }).format(fraction),
    date: (iso) =>
      new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' }).format(new Date(iso)),
    dateTime: (iso) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso)),
    time: (iso) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(new Date(iso)),
    bytes: (bytes) => scaled(bytes, 1000, ['B', 'kB', 'MB', 'GB', 'TB'], number),
    basePairs: (bp) => scaled(bp, 1000, ['bp', 'kb', 'Mb', 'Gb'], number),
    count: (value) =>
      value < 1e6
        ? number(value)
        : chinese
          ? // In tens of thousands and hundreds of millions.
            new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }).format(value)
          : scaled(value, 1000, ['', 'k', 'M', 'G'], number),
    duration: (ms) => {
      if (ms < 1000) return `${number(ms)} ms`
      const seconds = ms / 1000
      if (seconds < 60) return `${number(seconds, seconds < 10 ? 1 : 0)} ${chinese ? '秒' : 's'}`
      const minutes = Math.floor(seconds / 60)
      if (minutes < 60)
        return chinese ? `${minutes} 分 ${Math.round(seconds % 60)} 秒` : `${minutes} min ${Math.round(seconds % 60)} s`
      return chinese
        ? `${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分`
        : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
    },
    roughDuration: (ms) => {
      if (ms < 55_000) return `${Math.max(1, Math.round(ms / 10_000)) * 10} ${chinese ? '秒' : 's'}`
      const minutes = Math.round(ms / 60_000)
      if (minutes < 90) return `${minutes} ${chinese ? '分钟' : 'min'}`
      return `${Math.round(minutes / 60)} ${chinese ? '小时' : 'h'}`
    },
    region: (sequence, start1, end1, strand) =>
      `${sequence}:${span(start1, end1)}${strand === '+' || strand === '-' ? ` (${strand === '-' ? '−' : '+'})` : ''}`,
    locus: ({ sequence, start, end, strand }) =>
      `${sequence}:${span(start, end)}${strand !== '-' ? '' : chinese ? '（负链）' : ' (reverse strand)'}`,
    withUnit: (name, unit) => (unit === null ? name : chinese ? `${name}（${unit}）` : `${name} (${unit})`),
    places: (text) => text.split(/(\s+)/).map(place).join(''),
    series,
    list: (items) => joinNames(new Intl.ListFormat(locale, { type: 'conjunction' }).formatToParts(items)),
    sentences: (sentences) => sentences.filter((one) => one !== '').join(locale === 'zh-CN' ? '' : ' '),
    names: (names) =>
      names.length <= maxNames ? series(names) : `${series(names.slice(0, maxNames))} … (${number(names.length)})`,
    text: (text) => (text === null || text === undefined ? '' : textIn(text, locales[locale])),
  }
}

export const useFormat = (): Format => {
  const locale = useLocale()
  return useMemo(() => formatFor(locale), [locale])
}
