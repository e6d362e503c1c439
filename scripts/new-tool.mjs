// `npm run new-tool -- ID`: a new folder under src/tools/ with a small tool that works, to be turned into the one that is wanted.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fail, root } from './prepare.mjs'

const usage = `npm run new-tool -- ID [--into FOLDER]

ID      lower-case letters and digits, beginning with a letter, such as "primerdesign": the folder's name and the end of
        the tool's address
FOLDER  where the tools are; src/tools when absent`

const words = process.argv.slice(2)
const at = words.indexOf('--into')
const [, into] = at < 0 ? [] : words.splice(at, 2)
const [id, ...others] = words
if (id === undefined || others.length > 0 || (at >= 0 && into === undefined)) fail(usage)
// The rule of tool ids: what may stand in an address, a message and a file name alike.
if (!/^[a-z][a-z0-9]{1,40}$/.test(id)) fail(`"${id}" cannot be the id of a tool.\n\n${usage}`)

const tools = into === undefined ? join(root, 'src', 'tools') : resolve(into)
const folder = join(tools, id)
if (existsSync(folder)) fail(`There is a folder ${folder} already.`)

const templates = join(root, 'scripts', 'new-tool')
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(templates).sort()) {
  // Templates end in .template, so that no compiler, linter or test runner takes them for parts of the product.
  const path = join(folder, name.replace(/\.template$/, ''))
  writeFileSync(path, readFileSync(join(templates, name), 'utf8').replaceAll('TOOL_ID', id))
  process.stdout.write(`${relative(process.cwd(), path)}\n`)
}
process.stdout.write(`
It works as it is (GC content along a region): npm test. Next, say in tool.ts what goes in and comes out, then compute
it in engine.ts; docs/architecture.en.md tells what each file is for.
`)
