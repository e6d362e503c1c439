// Files that the compiler does not carry over to dist/node, or to the folder given: plain modules and texts beside the sources.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root } from './prepare.mjs'

const into = resolve(process.argv[2] ?? join(root, 'dist', 'node'))
const carried = /\.(mjs|md|json|hmm|yaml|txt|R)$/
const walk = (folder) => {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!['golden', 'fixtures', 'node_modules', 'web'].includes(entry.name)) walk(path)
    } else if (carried.test(entry.name)) {
      const target = join(into, path)
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(join(root, path), target)
    }
  }
}
for (const folder of ['src', 'demo']) walk(folder)
