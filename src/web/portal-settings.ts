import type { LimitSettings } from '../contracts/tool-limits.ts'

/** Settings of the deployment that the server writes into the page; a page not served by it keeps the placeholders. */
const meta = (name: string): string => {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="novodb-${name}"]`)?.content ?? ''
  return /^%[A-Z]+%$/.test(content) ? '' : content
}

/** Name of the portal, in the header and in titles. */
export const portalTitle = (): string => meta('title') || 'NovoDB'

/** The website filing notice (ICP); empty when the deployment has none. */
export const filingNotice = (): string => meta('filing')

/** Limits of tools that the deployment sets otherwise than they do. */
export const limitSettings = (): LimitSettings => JSON.parse(meta('limits') || '{}') as LimitSettings
