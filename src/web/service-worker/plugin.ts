import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Files of the frame that stand beside the bundles under a fixed name. */
const fixedFiles = ['favicon.svg', 'theme.js']

/**
 * Writes `sw.js` into the build: service-worker.js with the files of the frame (the entry, what it imports at once, their
 * styles) and a version that changes when anything of the build does. The page carries the same version.
 */
export const serviceWorkerPlugin = (): Plugin => ({
  name: 'novodb-service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const shell = new Set<string>(fixedFiles)
      const add = (name: string): void => {
        const chunk = bundle[name]
        if (shell.has(name) || chunk?.type !== 'chunk') return
        shell.add(name)
        for (const style of chunk.viteMetadata?.importedCss ?? []) shell.add(style)
        for (const next of chunk.imports) add(next)
      }
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk' && chunk.isEntry) add(chunk.fileName)
      const template = readFileSync(join(import.meta.dirname, 'service-worker.js'), 'utf8')
      const page = bundle['index.html']
      if (page?.type !== 'asset') return this.error('the build has no page to keep')
      const version = createHash('sha256')
        .update(template)
        .update(String(page.source))
        .update(Object.keys(bundle).sort().join('\n'))
        .digest('hex')
        .slice(0, 16)
      page.source = String(page.source).replace('%BUILD%', version)
      this.emitFile({
        type: 'asset',
        fileName: 'sw.js',
        source: template.replace('%VERSION%', version).replace('%SHELL%', JSON.stringify([...shell].sort())),
      })
    },
  },
})
