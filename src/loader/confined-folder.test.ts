import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DefectLog } from '../bio/text/defects.ts'
import { findFileBeside, listManifestFolder, resolveManifestFile } from './manifest.ts'

const root = mkdtempSync(join(tmpdir(), 'novodb-confined-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const folder = join(root, 'rice')
mkdirSync(join(folder, 'data'), { recursive: true })
mkdirSync(join(root, 'rice-2'))
for (const path of ['rice/data/genome.fa', 'rice/reads.bam', 'rice-2/genome.fa', 'secret']) {
  writeFileSync(join(root, path), '>chr1\nACGT\n')
}
symlinkSync('data/genome.fa', join(folder, 'inside.fa'))
symlinkSync('../secret', join(folder, 'reads.bam.bai'))
symlinkSync('..', join(folder, 'up'))

const resolveAs = async (file: string, confined: boolean) => {
  const log = new DefectLog()
  const path = await resolveManifestFile(
    folder,
    file,
    log,
    confined ? [{ path: ['assemblies', 1, 'tracks', 0, 'file'], file }] : undefined,
  )
  return path ?? log.defects.map(({ code, params }) => ({ code, entry: params.entry }))
}

test('a load from the page reads what lies in the folder, also through links within it', async () => {
  expect(await resolveAs('data/genome.fa', true)).toBe(join(folder, 'data/genome.fa'))
  expect(await resolveAs('inside.fa', true)).toBe(join(folder, 'data/genome.fa'))
  expect(await resolveAs(join(folder, 'data/genome.fa'), true)).toBe(join(folder, 'data/genome.fa'))
  expect(await resolveAs('data/../absent.fa', true)).toEqual([{ code: 'file-missing', entry: undefined }])
})

test('a load from the page reads nothing outside the folder, and names the entry; the command reads it', async () => {
  for (const file of ['../secret', '/etc/hostname', 'up/secret', '../rice-2/genome.fa', 'reads.bam.bai', '../absent'])
    expect(await resolveAs(file, true)).toEqual([{ code: 'file-outside-folder', entry: 'assemblies.1.tracks.0.file' }])
  expect(await resolveAs('../secret', false)).toBe(join(root, 'secret'))
  expect(await resolveAs('up/secret', false)).toBe(join(folder, 'up/secret'))
})

test('what lies in a folder that the settings name is read as well, and nothing beside it', async () => {
  const resolve = async (file: string) => {
    const log = new DefectLog()
    return resolveManifestFile(folder, file, log, [{ path: ['genome'], file }], [join(root, 'rice-2')])
  }
  expect(await resolve('../rice-2/genome.fa')).toBe(join(root, 'rice-2/genome.fa'))
  expect(await resolve('data/genome.fa')).toBe(join(folder, 'data/genome.fa'))
  expect(await resolve('../rice-2/../secret')).toBeNull()
})

test('an index beside an alignment is not one outside the folder either', async () => {
  expect(await findFileBeside(folder, 'reads.bam.bai', [])).toBeNull()
  expect(await findFileBeside(folder, 'reads.bam.bai')).toBe(join(folder, 'reads.bam.bai'))
  writeFileSync(join(folder, 'reads.bam.csi'), 'x')
  expect(await findFileBeside(folder, 'reads.bam.csi', [])).toBe(join(folder, 'reads.bam.csi'))
  expect(await findFileBeside(folder, 'reads.bam.crai')).toBeNull()
})

test('of a folder that is named the files within are listed, and none that a link leads to outside', async () => {
  mkdirSync(join(folder, 'salmon/leaf'), { recursive: true })
  writeFileSync(join(folder, 'salmon/leaf/quant.sf'), 'x')
  symlinkSync('../../../secret', join(folder, 'salmon/leaf/secret.sf'))
  const list = async (path: string, confined: boolean) => {
    const log = new DefectLog()
    const files = await listManifestFolder(folder, path, log, confined ? [{ path: ['folder'], file: path }] : undefined)
    return { files, codes: log.defects.map(({ code, file }) => `${code} ${file}`) }
  }
  expect(await list('salmon', true)).toEqual({
    files: ['salmon/leaf/quant.sf'],
    codes: ['file-outside-folder salmon/leaf/secret.sf'],
  })
  expect((await list('salmon', false)).files).toEqual(['salmon/leaf/quant.sf', 'salmon/leaf/secret.sf'])
  expect(await list('..', true)).toEqual({ files: null, codes: ['file-outside-folder ..'] })
  expect((await list('reads.bam', false)).codes).toEqual(['file-no-folder reads.bam'])
  expect((await list('absent', false)).codes).toEqual(['file-missing absent'])
})
