import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DemoError } from './demo-error.ts'
import type { DemoStage } from './demo-stage.ts'
import { type DemoSpecies, type PrepareDemoOptions, prepareDemo } from './main.ts'
import { makeFolder } from './species-folder.ts'

let directory = ''
const path = process.env.PATH
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'demo-'))
})
afterEach(async () => {
  process.env.PATH = path
  await rm(directory, { recursive: true, force: true })
})

async function collect(options: PrepareDemoOptions): Promise<DemoSpecies[]> {
  const all: DemoSpecies[] = []
  for await (const species of prepareDemo(options)) all.push(species)
  return all
}

test('where no Debian packages can be had, a simulated species stands in, once', async () => {
  process.env.PATH = directory
  const said: string[] = []
  const options = {
    which: 'all' as const,
    workDir: directory,
    progress: (stage: DemoStage) => said.push(stage.en, stage.zh),
  }
  const [species, ...more] = await collect(options)
  expect(more).toEqual([])
  expect(species).toMatchObject({ species: 'simulated-species', simulated: true, made: true })
  expect((await stat(join(species!.directory, 'species.yaml'))).isFile()).toBe(true)
  expect(said.join('\n')).toContain('apt-get is not installed')
  expect(said.join('\n')).toContain('改为生成一个模拟物种')
  expect(await collect(options)).toEqual([{ ...species, made: false }])
  expect(await readdir(join(directory, 'species'))).toEqual(['simulated-species'])
})

test('no demo wanted makes nothing', async () => {
  expect(await collect({ which: 'none', workDir: directory })).toEqual([])
  expect(await readdir(directory)).toEqual([])
})

const folder = () => join(directory, 'species')
const make = (version: string, write: (staging: string) => Promise<void>, neededBytes = 1000) =>
  makeFolder({ directory: folder(), version, neededBytes, make: write })
const writeVersion = (text: string) => async (staging: string) => {
  await writeFile(join(staging, 'species.yaml'), text)
}

test('a folder is made again by another version only, and a failed attempt leaves the old one', async () => {
  expect(await make('1', writeVersion('one'))).toBe(true)
  expect(await make('1', writeVersion('never'))).toBe(false)
  const failing = make('2', async (staging) => {
    await writeVersion('half')(staging)
    throw new Error('power cut')
  })
  await expect(failing).rejects.toThrow('power cut')
  expect(await readFile(join(folder(), 'species.yaml'), 'utf8')).toBe('one')
  expect(await readdir(directory)).toEqual(['species'])
  expect(await make('2', writeVersion('two'))).toBe(true)
  expect(await readFile(join(folder(), 'species.yaml'), 'utf8')).toBe('two')
})

test('a folder that would not fit the disk is not begun', async () => {
  let begun = false
  const attempt = make(
    '1',
    async () => {
      begun = true
    },
    1e18,
  )
  await expect(attempt).rejects.toThrow(DemoError)
  await expect(attempt).rejects.toMatchObject({ code: 'disk-full' })
  expect(begun).toBe(false)
})
