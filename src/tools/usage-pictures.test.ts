import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from '../contracts/text.ts'
import { findTools } from '../kit/find-tools.ts'

test('every tool shows a picture of its example in its section of the Usage page', async () => {
  const without = (await findTools()).flatMap(({ id, tool, directory }) =>
    tool !== null && !languages.every((language) => existsSync(join(directory, `figure.${language}.webp`))) ? [id] : [],
  )
  // Drawn by scripts/document-pictures.mjs, as the architecture's document tells.
  expect(without).toEqual([])
})
