/** How long a part of the program may take to come before it counts as failed (portal specification, section 9). */
export const chunkTimeoutMs = 120_000

/** A part of the program that did not come: after an update of the portal, or over a broken connection. */
export class ChunkLoadError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`Loading a part of the page failed (${reason})`, options)
    this.name = 'ChunkLoadError'
  }
}

/**
 * Whether a failure is one of loading: ours, one that a browser words itself for an import deeper down, or Vite's for a style that is
 * gone.
 */
export const isChunkFailure = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.name === 'ChunkLoadError' ||
    /dynamically imported module|importing a module script|unable to preload CSS/i.test(error.message))

/** Runs an import; rejects with {@link ChunkLoadError} when it fails to load or takes longer than the timeout. */
export const loadChunk = async <T>(load: () => Promise<T>, timeoutMs: number = chunkTimeoutMs): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(`timeout after ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([load(), late])
  } catch (error) {
    if (isChunkFailure(error) && !(error instanceof ChunkLoadError))
      throw new ChunkLoadError('missing', { cause: error })
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const retryKey = 'novodb_chunk_retry'

/** Whether this address may be loaded anew once more: a second failure after a reload would only go round in a circle. */
export const mayRetryChunk = (address: string): boolean => sessionStorage.getItem(retryKey) !== address

/** Loads the page anew; a module that failed to load stays failed for as long as the document lives (HTML, section 8.1.3.2). */
export const retryChunk = (address: string): void => {
  sessionStorage.setItem(retryKey, address)
  location.reload()
}

/** A page came: its address may be retried again another time. */
export const forgetChunkRetry = (): void => sessionStorage.removeItem(retryKey)
