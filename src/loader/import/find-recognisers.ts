import { readdir } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Recogniser } from './recogniser.ts'

const directory = join(dirname(fileURLToPath(import.meta.url)), 'recognisers')
// The same code runs as source (tests) and compiled.
const extension = extname(fileURLToPath(import.meta.url))

/** Every file of recognisers/, in the order in which they are asked; the folder is the only list there is. */
export const findRecognisers = async (): Promise<Recogniser[]> => {
  const names = (await readdir(directory)).filter((name) => name.endsWith(extension) && !name.includes('.test.'))
  const found = await Promise.all(
    names.map(async (name) => {
      const module = (await import(pathToFileURL(join(directory, name)).href)) as { default: Recogniser }
      return module.default
    }),
  )
  return found.sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
}
