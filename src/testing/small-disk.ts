import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of a test's own, small enough to be filled. */
export interface SmallDisk {
  folder: string
  /** Fills it until so many bytes are left, or to the last. */
  fill(leaveBytes?: number): void
  /** Gives back all that `fill` took. */
  giveRoom(): void
  /** Takes it away, whatever still runs on it. */
  remove(): void
}

/** Null where this user may not mount: only root may, and in a closed container not even root; the reason is said. */
export const mountSmallDisk = (megabytes: number): SmallDisk | null => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-disk-'))
  const mounted =
    process.getuid?.() === 0 &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]).status === 0
  if (!mounted) {
    rmSync(folder, { recursive: true })
    console.log('No right to mount a small file system: the tests on a full disk are skipped.')
    return null
  }
  chmodSync(folder, 0o755)
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: (leaveBytes = 0) => {
      const { bavail, bsize } = statfsSync(folder)
      const blocks =
        leaveBytes === 0 ? [] : [`count=${Math.max(0, Math.floor((bavail * bsize - leaveBytes) / 65_536))}`]
      // More at the end of what is there: it can be called again.
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k', 'oflag=append', 'conv=notrunc', ...blocks])
    },
    giveRoom: () => rmSync(filler, { force: true }),
    remove: () => {
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
