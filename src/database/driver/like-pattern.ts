/**
 * The pattern by which `like` finds a text anywhere, its own signs taken literally; null for an empty text, which finds everything.
 * Example: `likePattern('50%')` gives `%50\%%`.
 */
export const likePattern = (text: string): string | null =>
  text.trim() === '' ? null : `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`
