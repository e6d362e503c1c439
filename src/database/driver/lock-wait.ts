import type { TransactionSql } from './connection-pool.ts'

/** How long who changes a table waits for those that hold it: waiting longer keeps every later reader and writer of it waiting as well. */
const lockTimeoutMs = 2000

/** From here on each statement of the transaction fails when it had to wait so long for a lock. */
export const boundLockWait = async (transaction: TransactionSql): Promise<void> => {
  await transaction.unsafe(`set local lock_timeout = ${lockTimeoutMs}`)
}

/** Whether a statement failed for others that hold what it wants (lock_not_available; PostgreSQL manual, appendix A). */
export const isHeld = (error: unknown): boolean => (error as { code?: string } | undefined)?.code === '55P03'

/** The same, or because it and others waited for each other (deadlock_detected). */
export const isHeldOrDeadlocked = (error: unknown): boolean =>
  isHeld(error) || (error as { code?: string } | undefined)?.code === '40P01'
