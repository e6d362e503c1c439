import type { LimitSettings } from '../contracts/tools/tool-limits.ts'

/** Settings of the deployment that the server writes into the page; a page not served by it keeps the placeholders. */
const meta = (name: string): string => {
  if (typeof document === 'undefined') return ''
  const content = document.querySelector<HTMLMetaElement>(`meta[name="novodb-${name}"]`)?.content ?? ''
  return /^%[A-Z]+%$/.test(content) ? '' : content
}

/** Name of the portal, in the header and in titles. */
export const portalTitle = (): string => meta('title') || 'NovoDB'

/** The website filing notice (ICP); empty when the deployment has none. */
export const filingNotice = (): string => meta('filing')

/** Limits of tools that the deployment sets otherwise than they do. */
export const limitSettings = (): LimitSettings => JSON.parse(meta('limits') || '{}') as LimitSettings

/** Locales that the deployment lists in the language menu beside those with tables. */
export const listedLocales = (): string[] => meta('languages').split(/\s+/).filter(Boolean)

/** Tools that the deployment has switched off, by id. */
export const switchedOffTools = (): ReadonlySet<string> => new Set(meta('off').split(/\s+/).filter(Boolean))

/** How the frame is laid out (portal specification, sections 1 and 9); part of the initial state. */
export interface LayoutSettings {
  title: string
  layout: 'top'
  navTheme: 'dark'
  primaryColor: string
  contentWidth: 'fluid'
  fixedHeader: boolean
  fixedSidebar: boolean
}

export const layoutSettings = (): LayoutSettings => ({
  title: portalTitle(),
  layout: 'top',
  navTheme: 'dark',
  primaryColor: '#0f7a55',
  contentWidth: 'fluid',
  fixedHeader: false,
  // Said of a side bar, which a layout with the menu at the top has none of.
  fixedSidebar: true,
})

/** Version of the build that this page is of; empty in development. */
export const buildVersion = (): string => meta('build')
