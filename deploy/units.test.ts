import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const entryOf = (unit: string, name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!
const hardening = (unit: string): string => unit.slice(unit.indexOf('NoNewPrivileges'), unit.indexOf('[Install]'))

const server = read('deploy/novodb.service')
const worker = read('deploy/novodb-worker.service')

describe('the units of systemd', () => {
  it('start what the image starts, with the memory that the start script gives', () => {
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(read('Containerfile'))![1]!) as string[]
    expect(entryOf(server, 'ExecStart')).toBe(`/usr/bin/env ${command.join(' ')}`)
    for (const flag of command.filter((word) => word.startsWith('--')))
      expect(read('scripts/start.mjs')).toContain(`'${flag}'`)
    expect(entryOf(worker, 'ExecStart')).toBe('/usr/bin/env node bin/novodb.mjs worker')
  })

  it('are closed alike', () => {
    expect(hardening(worker)).toBe(hardening(server))
  })
})
