import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DemoError } from './demo-error.ts'
import { demoPackageCache } from './package-cache.ts'
import { fetchPackage, findUnpackedPackage } from './packages.ts'
import { tuberculosisPackage } from './tuberculosis.ts'

let directory = ''
const path = process.env.PATH
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'packages-'))
})
afterEach(async () => {
  process.env.PATH = path
  await rm(directory, { recursive: true, force: true })
})

const real = await fetchPackage(tuberculosisPackage, demoPackageCache()).catch((thrown) => {
  if (thrown instanceof DemoError) return null
  throw thrown
})

test.skipIf(!real)('a package is unpacked with its files where Debian has them', async () => {
  expect(real!.version).toMatch(/^3\./)
  const genome = join(real!.root, 'usr/lib/python3/dist-packages/pytransit/genomes/H37Rv.fna')
  expect((await stat(genome)).size).toBeGreaterThan(4_400_000)
})

test('an unpacked package needs no program; without one and without apt the reason is said and nothing is left behind', async () => {
  process.env.PATH = directory
  const cache = join(directory, 'cache')
  await expect(fetchPackage('tnseq-transit', cache)).rejects.toMatchObject({ code: 'program-missing' })
  expect(await readdir(cache)).toEqual([])
  await mkdir(join(cache, 'tnseq-transit_3.2.7-1', 'root'), { recursive: true })
  // Without its version the directory is not a finished one.
  expect(await findUnpackedPackage('tnseq-transit', cache)).toBeNull()
  await writeFile(join(cache, 'tnseq-transit_3.2.7-1', 'version'), '3.2.7-1')
  expect(await fetchPackage('tnseq-transit', cache)).toMatchObject({ version: '3.2.7-1' })
})

test('what is no package name never reaches a program', async () => {
  for (const name of ['--help', '../etc', 'a b', 'Name', ''])
    await expect(fetchPackage(name, directory)).rejects.toThrow(RangeError)
})
