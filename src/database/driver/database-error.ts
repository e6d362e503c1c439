/**
 * Why the database cannot be used, for the administrator of the portal. Reasons name hosts, paths and process numbers, never a
 * password or a whole connection address.
 */
export type DatabaseErrorCode =
  | 'CANNOT_CONNECT'
  | 'TOO_OLD'
  | 'WRONG_ENCODING'
  | 'READ_ONLY'
  | 'UNSUPPORTED_SYSTEM'
  | 'DATA_DIRECTORY'
  | 'PRIVATE_SERVER_FAILED'
  | 'SECOND_SERVER'
  | 'MIGRATION_EDITED'
  | 'MIGRATION_ORDER'
  | 'MIGRATION_FAILED'
  | 'DATABASE_NEWER'
  | 'NOT_EMPTY'
  | 'BACKUP_DAMAGED'
  | 'BACKUP_MISMATCH'

/** A failure of the database itself (not of a query): `code` is stable, `message` says the reason and what mends it. */
export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode

  constructor(code: DatabaseErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'DatabaseError'
    this.code = code
  }
}

/** Where the database's own messages go; a pino logger, Fastify's, or `console` fits. */
export interface DatabaseLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** What an unknown thrown value says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Whether a query failed because its server was stopped or is just starting: admin_shutdown, crash_shutdown, cannot_connect_now
 * (PostgreSQL manual, appendix A), or a connection that closed under it.
 */
export const isServerGone = (error: unknown): boolean =>
  ['57P01', '57P02', '57P03', 'CONNECTION_CLOSED'].includes((error as { code?: string } | null)?.code ?? '')
