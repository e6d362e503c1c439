/** A value of a form as text: lists one item a line, nothing for what is not given. */
export const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join('\n') : value === undefined || value === null ? '' : String(value)

/** A text of a form that may be left out: undefined while it is empty. */
export const givenText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
