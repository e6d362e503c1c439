/** What the audit log notes, by the words that its rows hold; screens show each in the reader's language. */
export const auditActions = [
  'account deleted',
  'contact',
  'data exported',
  'email confirmed',
  'import',
  'import deleted',
  'job cancelled',
  'job retried',
  'load',
  'load cancelled',
  'load undone',
  'login',
  'login failed',
  'logout',
  'message deleted',
  'password',
  'password reset',
  'profile',
  'register',
  'rights',
  'rollback',
  'sign out elsewhere',
  'signed out',
  'token created',
  'token revoked',
] as const
export type AuditAction = (typeof auditActions)[number]

/** What an entry says beside its action: names and numbers, never a sentence, a password or anything typed in a password's place. */
export interface AuditDetail {
  /** How somebody signed in, or tried to. */
  way?: 'account' | 'admin' | 'phone'
  /** Fields of the profile that were changed; not what they say. */
  fields?: string[]
  /** Sessions that ended. */
  ended?: number
  /** Number of the release that was chosen. */
  number?: number
  access?: 'user' | 'admin'
  disabled?: boolean
  /** Number of the load that was started. */
  load?: number
}
