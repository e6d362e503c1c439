/** A language as the menu lists it: its tag, its name in itself, a sign for it, and what the menu is called in it. */
export interface LocaleRecord {
  lang: string
  label: string
  icon: string
  title: string
}

const records: LocaleRecord[] = [
  { lang: 'en-US', label: 'English', icon: '🇺🇸', title: 'Language' },
  { lang: 'zh-CN', label: '简体中文', icon: '🇨🇳', title: '语言' },
  { lang: 'zh-TW', label: '繁體中文', icon: '🌏', title: '語言' },
  { lang: 'ja-JP', label: '日本語', icon: '🇯🇵', title: '言語' },
  { lang: 'ko-KR', label: '한국어', icon: '🇰🇷', title: '언어' },
  { lang: 'de-DE', label: 'Deutsch', icon: '🇩🇪', title: 'Sprache' },
  { lang: 'fr-FR', label: 'Français', icon: '🇫🇷', title: 'Langue' },
  { lang: 'es-ES', label: 'Español', icon: '🇪🇸', title: 'Idioma' },
  { lang: 'pt-BR', label: 'Português', icon: '🇧🇷', title: 'Idiomas' },
  { lang: 'it-IT', label: 'Italiano', icon: '🇮🇹', title: 'Lingua' },
  { lang: 'ru-RU', label: 'Русский', icon: '🇷🇺', title: 'Язык' },
  { lang: 'vi-VN', label: 'Tiếng Việt', icon: '🇻🇳', title: 'Ngôn ngữ' },
  { lang: 'id-ID', label: 'Bahasa Indonesia', icon: '🇮🇩', title: 'Bahasa' },
  { lang: 'fa-IR', label: 'فارسی', icon: '🇮🇷', title: 'زبان' },
  { lang: 'ar-EG', label: 'العربية', icon: '🇪🇬', title: 'لغة' },
  { lang: 'he-IL', label: 'עברית', icon: '🇮🇱', title: 'שפה' },
  { lang: 'ku-IQ', label: 'کوردی', icon: '🇮🇶', title: 'زمان' },
]

/** Languages with tables of their own first, then those that the deployment lists; unknown ones show as their tag. */
export const listLocaleRecords = (withTables: string[], listed: string[]): LocaleRecord[] =>
  [...new Set([...withTables, ...listed])].map(
    (lang) => records.find((record) => record.lang === lang) ?? { lang, label: lang, icon: '🌐', title: 'Language' },
  )
