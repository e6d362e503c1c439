/**
 * What can go wrong with bytes on disk. `missing`, `unknown-sequence`, `out-of-range` and `invalid-path` come from what was
 * asked; `store-away`, `store-refused` and `still-arriving` from the object store; the others say that a file (named in `file`) is not what it should be or
 * that the disk cannot take it.
 */
export type StoreErrorCode =
  | 'missing'
  | 'not-bgzf'
  | 'truncated'
  | 'corrupt'
  | 'unsupported-compression'
  | 'bad-index'
  | 'unknown-sequence'
  | 'out-of-range'
  | 'invalid-path'
  | 'not-a-bundle'
  | 'bundle-incomplete'
  | 'bundle-not-staged'
  | 'disk-full'
  | 'store-away'
  | 'store-refused'
  | 'still-arriving'

/** A failure of the store: a stable `code`, the file it is about (null when no file is), and a sentence for the log. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  readonly file: string | null

  constructor(code: StoreErrorCode, file: string | null, reason: string, options?: { cause?: unknown }) {
    super(file === null ? reason : `${file}: ${reason}`, options)
    this.name = 'StoreError'
    this.code = code
    this.file = file
  }
}

/** A disk that has not the space that something needs; both figures are of the file system that holds `file`. */
export class DiskFullError extends StoreError {
  /** What must be free at least, the reserve included. */
  readonly neededBytes: number
  readonly freeBytes: number

  constructor(folder: string, neededBytes: number, freeBytes: number, reason: string) {
    super('disk-full', folder, reason)
    this.neededBytes = neededBytes
    this.freeBytes = freeBytes
  }
}

/** Of the file system (errno(3)), of PostgreSQL (disk_full, appendix A of its manual), of this store, of the demo. */
const fullDiskCodes = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100', 'disk-full'])

/** Whether a failure, or what caused it, is a full disk, whoever met it: a file, the database, or a program by what it said. */
export function isDiskFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (('code' in at && fullDiskCodes.has(at.code)) || saysDiskFull(at.message)) return true
  }
  return false
}

/**
 * Whether a failure, or what caused it, is an object store that does not answer, or a file that is still on its way from it; by the code,
 * which goes from process to process. Null when it is neither.
 */
export function findStoreDelay(error: unknown): 'store-away' | 'still-arriving' | null {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && (at.code === 'store-away' || at.code === 'still-arriving')) return at.code
  return null
}

/** strerror(3) for ENOSPC, which programs and PostgreSQL repeat. */
export const saysDiskFull = (text: string): boolean => text.includes('No space left on device')

/**
 * Turns what the file system threw into a StoreError where there is a word for it (no such file, no space left); any other
 * value is returned as it came.
 */
export function asStoreError(thrown: unknown, file: string): unknown {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return new StoreError('missing', file, 'no such file', { cause: thrown })
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StoreError('disk-full', file, 'no space left on the disk', { cause: thrown })
  return thrown
}
