import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '..')

/** Pages that the second build draws otherwise, so that their chunks, and those that name them, have other names. */
const changed = ['download-page', 'contact-page']

/**
 * Builds the browser part once more into `folder`, from sources that differ in two pages, as the next release of the portal would.
 * Its pages set `document.documentElement.dataset.build` to "second" when such a page's code runs.
 */
export const makeSecondBuild = async (folder: string): Promise<void> => {
  const config = `${folder}.config.mjs`
  const from = (file: string): string => JSON.stringify(pathToFileURL(join(root, file)).pathname)
  writeFileSync(
    config,
    `import base from ${from('vite.config.ts')}
const next = {
  name: 'second-build',
  enforce: 'pre',
  transform: (code, id) =>
    /pages\\/(${changed.join('|')})\\.tsx$/.test(id)
      ? code + "\\ndocument.documentElement.dataset.build = 'second'\\n"
      : null,
}
export default { ...base, plugins: [next, ...base.plugins], build: { ...base.build, outDir: ${JSON.stringify(folder)} } }
`,
  )
  await promisify(execFile)(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', config, '--logLevel', 'error'],
    { cwd: root, env: { ...process.env, NODE_ENV: 'production', VITEST: undefined } },
  )
}

/** Names of the scripts of a build that begin so. */
export const chunksOf = (build: string, start: string): string[] =>
  readdirSync(join(build, 'assets')).filter((name) => name.startsWith(`${start}-`) && name.endsWith('.js'))
