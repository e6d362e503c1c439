import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DemoError } from './demo-error.ts'
import type { ReportDemoStage } from './demo-stage.ts'
import { deleteForgotten } from './forgotten-folders.ts'
import { runProgram } from './run.ts'

/** A Debian package unpacked beside the demo: nothing of it is installed and no root rights are needed. */
export interface FetchedPackage {
  name: string
  version: string
  /** Directory that stands for `/` of the package. */
  root: string
}

const packageNamePattern = /^[a-z0-9][a-z0-9+.-]+$/

/**
 * Downloads and unpacks a package of the Debian release that this machine runs, with apt's own check of signatures and
 * checksums; a package that is already unpacked in `cacheDir` is not fetched again. Rejects with DemoError
 * `program-missing` (not a Debian system) or `packages-unreachable` (the servers do not answer, or the release has no such
 * package).
 */
export async function fetchPackage(
  name: string,
  cacheDir: string,
  progress: ReportDemoStage = () => {},
): Promise<FetchedPackage> {
  if (!packageNamePattern.test(name)) throw new RangeError(`not a package name: ${name}`)
  await mkdir(cacheDir, { recursive: true })
  const unpacked = await findUnpackedPackage(name, cacheDir)
  if (unpacked) return unpacked

  await deleteForgotten(cacheDir, /^\..+\.(\d+)$/)
  const staging = join(cacheDir, `.${name}.${process.pid}`)
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging)
  try {
    progress({ en: `fetching Debian package ${name}`, zh: `正在下载 Debian 软件包 ${name}` })
    await download(name, staging, cacheDir)
    const archive = (await readdir(staging)).find((file) => file.endsWith('.deb'))
    if (!archive) throw new DemoError('packages-unreachable', `apt-get brought no file for ${name}`)
    const version = (await runProgram('dpkg-deb', ['--field', join(staging, archive), 'Version'])).trim()
    progress({ en: `unpacking ${name} ${version}`, zh: `正在解压 ${name} ${version}` })
    await runProgram('dpkg-deb', ['--extract', join(staging, archive), join(staging, 'root')])
    await rm(join(staging, archive))
    await writeFile(join(staging, 'version'), version)
    const directory = join(cacheDir, directoryName(name, version))
    await rename(staging, directory).catch(async (thrown) => {
      // Another process was faster.
      if (!(await findUnpackedPackage(name, cacheDir))) throw thrown
    })
    return { name, version, root: join(directory, 'root') }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

// Versions may hold characters that are awkward in file names (epoch colons, tildes).
const directoryName = (name: string, version: string): string =>
  `${name}_${version.replaceAll(/[^A-Za-z0-9.+-]/g, '_')}`

/** A package that an earlier run unpacked in `cacheDir`; null when there is none. */
export async function findUnpackedPackage(name: string, cacheDir: string): Promise<FetchedPackage | null> {
  for (const entry of await readdir(cacheDir).catch(() => [])) {
    if (!entry.startsWith(`${name}_`)) continue
    const version = await readFile(join(cacheDir, entry, 'version'), 'utf8').catch(() => null)
    if (version !== null) return { name, version, root: join(cacheDir, entry, 'root') }
  }
  return null
}

/** Where nothing answers this is known within a minute, not after apt's many tries. */
const timeout = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20']

async function download(name: string, directory: string, cacheDir: string): Promise<void> {
  const whole = (thrown: unknown) => (thrown instanceof DemoError ? thrown.message : String(thrown))
  try {
    await runProgram('apt-get', [...timeout, '-qq', 'download', name], { cwd: directory })
    return
  } catch (thrown) {
    if (thrown instanceof DemoError && thrown.code === 'program-missing') throw thrown
  }
  // The machine's package lists are missing or old (a container image has none): read them into a place of our own.
  const lists = join(cacheDir, 'apt')
  await mkdir(join(lists, 'lists', 'partial'), { recursive: true })
  await mkdir(join(lists, 'cache', 'archives', 'partial'), { recursive: true })
  const privately = [
    ...timeout,
    '-o',
    `Dir::State::lists=${join(lists, 'lists')}`,
    '-o',
    `Dir::Cache=${join(lists, 'cache')}`,
    // Root's apt reads as the user _apt, who may not enter this place.
    '-o',
    'APT::Sandbox::User=',
  ]
  try {
    // apt-get update only warns when a server does not answer; --error-on=any makes it an error.
    await runProgram('apt-get', [...privately, '-qq', '--error-on=any', 'update'])
  } catch (thrown) {
    throw new DemoError('packages-unreachable', `Debian's package lists cannot be read: ${whole(thrown)}`, thrown)
  }
  try {
    await runProgram('apt-get', [...privately, '-qq', 'download', name], { cwd: directory })
  } catch (thrown) {
    throw new DemoError('packages-unreachable', whole(thrown), thrown)
  }
}
