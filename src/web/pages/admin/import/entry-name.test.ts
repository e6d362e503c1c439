import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messages } from '../../../messages/import.ts'

const tools = join(import.meta.dirname, '../../../../tools')

test('what every loader takes has a name on the import page', () => {
  const loaders = readdirSync(tools, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /load[^/.]*\.ts$/.test(file),
  )
  const entries = loaders.flatMap((file) =>
    [...readFileSync(join(tools, file), 'utf8').matchAll(/defineLoader\(\{\s*entry: '(\w+)'/g)].map(
      ([, entry]) => entry!,
    ),
  )
  expect(entries.length).toBeGreaterThan(15)
  expect(entries.filter((entry) => !Object.hasOwn(messages.en, `import.kind.${entry}`))).toEqual([])
})
