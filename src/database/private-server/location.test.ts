import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { removeOrphanedClusters } from './location.ts'

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'novodb-orphans-'))
afterAll(() => fs.rmSync(root, { recursive: true }))
const day = 86_400_000

describe("clusters in the system's directory whose data directory is gone", () => {
  const directory = path.join(root, 'system')
  const temporary = path.join(root, 'temporary')
  const stillThere = path.join(temporary, 'still-there')
  fs.mkdirSync(stillThere, { recursive: true })
  const make = (name: string, dataDir: string | null, usedDaysAgo: number, postmaster?: number): string => {
    const base = path.join(directory, name)
    const control = path.join(base, 'postgresql', 'global', 'pg_control')
    fs.mkdirSync(path.dirname(control), { recursive: true })
    fs.writeFileSync(control, '')
    fs.utimesSync(control, new Date(Date.now() - usedDaysAgo * day), new Date(Date.now() - usedDaysAgo * day))
    if (dataDir !== null) fs.writeFileSync(path.join(base, 'novodb-place.json'), JSON.stringify({ dataDir }))
    if (postmaster !== undefined) fs.writeFileSync(path.join(base, 'postgresql', 'postmaster.pid'), `${postmaster}\n`)
    return base
  }

  test('only the long unused ones of temporary directories are removed; those that a moved or unmounted one may want are named', () => {
    const gone = path.join(temporary, 'gone')
    const orphan = make('000000000000000a', gone, 8)
    // A process number beyond every system's limit is nobody's.
    const crashed = make('000000000000000b', gone, 8, 2 ** 30)
    const recent = make('000000000000000c', gone, 1)
    const running = make('000000000000000d', gone, 8, process.pid)
    const unmounted = make('000000000000000e', path.join(root, 'volume', 'data'), 400)
    const sibling = make('000000000000000f', `${temporary}-beside/data`, 400)
    make('0000000000000010', stillThere, 400)
    make('0000000000000011', null, 400)
    make('of the administrator', gone, 400)
    const logged: string[] = []
    const log = {
      info: (text: string) => logged.push(text),
      warn: (text: string) => logged.push(text),
      error: () => undefined,
    }
    const found = removeOrphanedClusters(log, { directory, temporaryDirectories: [temporary] })
    expect(found.removed.sort()).toEqual([orphan, crashed])
    expect(found.kept.sort()).toEqual([recent, running, unmounted, sibling])
    expect(fs.readdirSync(directory).sort()).toEqual([
      '000000000000000c',
      '000000000000000d',
      '000000000000000e',
      '000000000000000f',
      '0000000000000010',
      '0000000000000011',
      'of the administrator',
    ])
    expect(logged.join('\n')).toContain(unmounted)
    expect(removeOrphanedClusters(log, { directory: path.join(root, 'none') })).toEqual({ removed: [], kept: [] })
  })
})
