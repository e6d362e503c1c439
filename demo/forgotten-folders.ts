import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Deletes the folders in `directory` that processes which are no more left half made: those whose names match `pattern`, whose
 * first group is the number of the process. What a living process is making stays.
 */
export async function deleteForgotten(directory: string, pattern: RegExp): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const pid = Number(pattern.exec(name)?.[1])
    if (Number.isSafeInteger(pid) && pid > 0 && !isAlive(pid))
      await rm(join(directory, name), { recursive: true, force: true })
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    // EPERM: it is there and another user's.
    return (thrown as { code?: string }).code !== 'ESRCH'
  }
}
