import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBundle, deleteBundle, listBundles, openBundle, sweepBundles, verifyBundle } from './bundle.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'novodb-bundle-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const bake = async () => {
  const staged = await createBundle(root, { species: 'yeast', assembly: 'R64' })
  await mkdir(join(staged.directory, 'blast'))
  await writeFile(join(staged.directory, 'genome.fa.gz'), 'ACGT')
  await writeFile(join(staged.directory, 'blast/db.nsq'), 'xyz')
  staged.add('genome.fa.gz', { kind: 'genome', meta: { download: { title: 'Genome' } } })
  staged.add('blast/db.nsq', { kind: 'blast' })
  return staged
}

test('a bundle is there whole after sealing and not at all before', async () => {
  const staged = await bake()
  expect(await listBundles(root)).toEqual([])
  const sealed = await staged.seal()
  expect(await listBundles(root)).toEqual([sealed.id])
  expect(await openBundle(join(root, sealed.id))).toEqual(sealed)
  expect(await readdir(root)).toEqual([sealed.id])
  expect(await verifyBundle(join(root, sealed.id))).toEqual([])
})

test('verification names each damaged file and how', async () => {
  const sealed = await (await bake()).seal()
  await writeFile(join(sealed.directory, 'genome.fa.gz'), 'ACGA')
  await appendFile(join(sealed.directory, 'blast/db.nsq'), '!')
  expect(await verifyBundle(sealed.directory)).toEqual([
    { path: 'genome.fa.gz', problem: 'checksum' },
    { path: 'blast/db.nsq', problem: 'size' },
  ])
  await rm(join(sealed.directory, 'genome.fa.gz'))
  expect((await verifyBundle(sealed.directory))[0]).toEqual({ path: 'genome.fa.gz', problem: 'missing' })
})

test('equal content has equal checksums, whoever baked it', async () => {
  const [first, second] = [await (await bake()).seal(), await (await bake()).seal()]
  expect(first.checksum).toBe(second.checksum)
  expect(first.id).not.toBe(second.id)
})

test('the sweep removes what a killed process left and nothing of a living one', async () => {
  const staged = await bake()
  // Beyond the largest process number that Linux gives out.
  await mkdir(join(root, `staging-${hostname()}-4194305-00000000`))
  const sealed = await (await bake()).seal()
  await rm(join(sealed.directory, 'bundle.json'))
  expect((await sweepBundles(root)).sort()).toEqual([sealed.id, `staging-${hostname()}-4194305-00000000`].sort())
  expect(await readdir(staged.directory)).toContain('genome.fa.gz')
})

test('names that lead elsewhere are refused', async () => {
  const staged = await bake()
  expect(() => staged.add('../x', { kind: 'x' })).toThrow('not a path')
  expect(() => staged.add('/etc/passwd', { kind: 'x' })).toThrow('not a path')
  await expect(deleteBundle(root, '../..')).rejects.toThrow('not a bundle')
})
