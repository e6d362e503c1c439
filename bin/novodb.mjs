#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const entry = new URL('../dist/node/src/server/command-line.js', import.meta.url)
if (!existsSync(fileURLToPath(entry))) {
  process.stderr.write('NovoDB is not built yet: run "npm start" once, or "npm run build".\n')
  process.exit(1)
}
await import(entry.href)
