import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './species-folder.ts'

test('what a killed start left of a genome half made is cleared away by the next, and nothing else', async () => {
  const place = mkdtempSync(join(tmpdir(), 'novodb-forgotten-'))
  try {
    const dead = spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' }).stdout.trim()
    for (const name of [`tuberculosis.${dead}.making`, `ustilago.${process.ppid}.making`, 'zymoseptoria'])
      mkdirSync(join(place, name))
    writeFileSync(join(place, `tuberculosis.${dead}.making`, 'genome.fa'), '>H37Rv\nTTGACC\n')
    const make = (staging: string) => Promise.resolve(writeFileSync(join(staging, 'species.yaml'), 'novodb: 1\n'))
    await makeFolder({ directory: join(place, 'tuberculosis'), version: '1', neededBytes: 0, make })
    expect(readdirSync(place).sort()).toEqual(['tuberculosis', `ustilago.${process.ppid}.making`, 'zymoseptoria'])
  } finally {
    rmSync(place, { recursive: true })
  }
})
