import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PortalBakeContext } from '../../kit/loader.ts'
import { tableFile } from './load.ts'
import { readGivenGroups } from './orthogroups.ts'

test('a table of a bundle that cannot be read is an error, and no table is none', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'novodb-orthogroups-'))
  try {
    const context = { species: [{ bundle: 1, species: 'alpha', directory }] } as unknown as PortalBakeContext
    expect(await readGivenGroups([], [], context)).toEqual([])
    writeFileSync(join(directory, tableFile), Buffer.from('\ufeffOrthogroup\tA\nX1\ta\n', 'utf16le'))
    await expect(readGivenGroups([], [], context)).rejects.toThrow('orthogroups of alpha')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
