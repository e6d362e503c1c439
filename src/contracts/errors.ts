/**
 * The one catalogue of shared error codes: HTTP status, default display type, and who can mend it.
 * Tools name the field and a message of their own beside one of these codes; they add no codes.
 */

/** How the browser shows an error (portal specification, section 4). */
export const showTypes = { silent: 0, warning: 1, error: 2, notification: 4, redirect: 9 } as const
export type ShowType = (typeof showTypes)[keyof typeof showTypes]

/** Who can fix it: the person asking, the administrator of the portal, or time. */
export type FixableBy = 'user' | 'admin' | 'later'

interface ErrorKind {
  status: number
  showType: ShowType
  fixableBy: FixableBy
}

export const errorKinds = {
  INVALID_INPUT: { status: 400, showType: showTypes.error, fixableBy: 'user' },
  NOT_SIGNED_IN: { status: 401, showType: showTypes.error, fixableBy: 'user' },
  WRONG_CREDENTIALS: { status: 401, showType: showTypes.error, fixableBy: 'user' },
  FORBIDDEN: { status: 403, showType: showTypes.error, fixableBy: 'user' },
  NOT_FOUND: { status: 404, showType: showTypes.error, fixableBy: 'user' },
  UNKNOWN_GENE: { status: 404, showType: showTypes.error, fixableBy: 'user' },
  UNKNOWN_ASSEMBLY: { status: 404, showType: showTypes.error, fixableBy: 'user' },
  UNKNOWN_SEQUENCE: { status: 404, showType: showTypes.error, fixableBy: 'user' },
  CONFLICT: { status: 409, showType: showTypes.error, fixableBy: 'user' },
  TOO_LARGE: { status: 413, showType: showTypes.error, fixableBy: 'user' },
  RANGE_NOT_SATISFIABLE: { status: 416, showType: showTypes.error, fixableBy: 'user' },
  JOB_CANCELLED: { status: 410, showType: showTypes.warning, fixableBy: 'user' },
  TOO_MANY_REQUESTS: { status: 429, showType: showTypes.warning, fixableBy: 'later' },
  ENGINE_FAILED: { status: 500, showType: showTypes.error, fixableBy: 'admin' },
  ENGINE_LIMIT: { status: 422, showType: showTypes.error, fixableBy: 'user' },
  INTERNAL: { status: 500, showType: showTypes.error, fixableBy: 'admin' },
  /** Asked for rightly, but nothing is there to answer it with: a program or data, which the administrator can add. */
  TOOL_UNAVAILABLE: { status: 409, showType: showTypes.warning, fixableBy: 'admin' },
  BUSY: { status: 503, showType: showTypes.notification, fixableBy: 'later' },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorKinds

/** Statuses that speak of what was asked, and not of who asks or how much at a time. */
const inputStatuses: readonly number[] = [400, 404, 409, 413, 416]

/**
 * What a failed run asks of its reader: to change the `input`; to try `again`, which may go better; or `nothing` that is in their
 * hands. A code that the catalogue does not have, as of an answer that never came, may go better.
 */
export const remedyOf = (errorCode: string): 'input' | 'again' | 'nothing' => {
  const kind = (errorKinds as Record<string, ErrorKind>)[errorCode]
  if (kind === undefined || kind.fixableBy === 'later') return 'again'
  if (kind.fixableBy === 'user') return inputStatuses.includes(kind.status) ? 'input' : 'nothing'
  return kind.status >= 500 ? 'again' : 'nothing'
}

/** One thing wrong with one field of the input; `message` is a message id, shown with `params` in the reader's language. */
export interface FieldProblem {
  /** Path of the field in the input, e.g. `['regions', 3]`. */
  path: (string | number)[]
  message: string
  params?: Record<string, string | number>
  /** Line of the text in the field that is meant, 1 for its first: said before the message. */
  line?: number
}

export interface PortalErrorOptions {
  /** Message id (shell's or the tool's own); the code's own text when absent. */
  message?: string
  params?: Record<string, string | number>
  problems?: FieldProblem[]
  showType?: ShowType
  /** For the log only, never sent to the browser. */
  cause?: unknown
}

/**
 * An expected failure: something that a person can be told about. Any other exception is a defect of ours
 * and reaches the browser as INTERNAL without its text.
 */
export class PortalError extends Error {
  readonly code: ErrorCode
  readonly messageId: string
  readonly params: Record<string, string | number>
  readonly problems: FieldProblem[]
  readonly showType: ShowType

  constructor(code: ErrorCode, options: PortalErrorOptions = {}) {
    super(`${code}${options.message ? `: ${options.message}` : ''}`, { cause: options.cause })
    this.name = 'PortalError'
    this.code = code
    this.messageId = options.message ?? `error.${code}`
    this.params = options.params ?? {}
    this.problems = options.problems ?? []
    this.showType = options.showType ?? errorKinds[code].showType
  }

  get status(): number {
    return errorKinds[this.code].status
  }
}

/** Shorthand for the commonest failure: one field of the input is wrong. */
export const fieldError = (
  path: (string | number)[],
  message: string,
  params: Record<string, string | number> = {},
): PortalError => new PortalError('INVALID_INPUT', { message, params, problems: [{ path, message, params }] })
