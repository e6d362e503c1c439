import type { Config } from '../config.ts'

/** What a program of a load may take. */
export const loadBounds = ({ jobTimeoutMs, jobMemoryBytes }: Pick<Config, 'jobTimeoutMs' | 'jobMemoryBytes'>) => ({
  timeoutMs: jobTimeoutMs * 4,
  memoryBytes: jobMemoryBytes,
  outputBytes: 1024 ** 4,
})
