import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const id = 'gcalongaregion'

/** A copy of the sources, so that what is made can be judged without touching the product's own folders. */
let place: string
/** What stands among the tools before one is made. */
let product: string[]
const tools = (): string => join(place, 'src', 'tools')
const newTool = (...words: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts', 'new-tool.mjs'), ...words], { cwd: place, encoding: 'utf8' })
const run = (program: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules', '.bin', program), words, {
    cwd: place,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'novodb-new-tool-'))
  cpSync(join(root, 'src'), join(place, 'src'), { recursive: true })
  product = readdirSync(tools())
  cpSync(join(root, 'tsconfig.json'), join(place, 'tsconfig.json'))
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  writeFileSync(join(place, 'package.json'), '{"type": "module"}\n')
  const biome = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')) as Record<string, unknown>
  writeFileSync(join(place, 'biome.json'), JSON.stringify({ ...biome, vcs: { enabled: false } }))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

describe('a new tool', () => {
  test('has every file that a tool has, with its own id in them', () => {
    expect(newTool(id, '--into', tools())).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(join(tools(), id)).sort()).toEqual([
      'document.en.md',
      'document.zh.md',
      'engine.test.ts',
      'engine.ts',
      'messages.ts',
      'screen.tsx',
      'tool.ts',
    ])
    for (const file of readdirSync(join(tools(), id)))
      expect(readFileSync(join(tools(), id, file), 'utf8')).not.toContain('TOOL_ID')
    expect(readFileSync(join(tools(), id, 'tool.ts'), 'utf8')).toContain(`route: '/tools/${id}'`)
  })

  test('passes the linter as it is', () => {
    expect(run('biome', 'check', '--error-on-warnings', join('src', 'tools', id))).toMatchObject({ status: 0 })
  })

  test('passes the types as it is', { timeout: 180_000 }, () => {
    const files = readdirSync(join(tools(), id)).filter((file) => /\.tsx?$/.test(file))
    writeFileSync(
      join(place, 'tsconfig.tool.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        include: [],
        files: files.map((file) => `src/tools/${id}/${file}`),
      }),
    )
    expect(run('../typescript-native/bin/tsc', '-p', 'tsconfig.tool.json')).toEqual({ status: 0, output: '' })
  })

  test('counts rightly by its own test, and passes what is tested of all tools together', { timeout: 180_000 }, () => {
    const shared = product.filter((name) => name.endsWith('.test.ts')).map((name) => join('src', 'tools', name))
    const own = join('src', 'tools', id)
    const addresses = join('src', 'web', 'shell', 'route-table.test.ts')
    const { status, output } = run('vitest', 'run', '--root', place, '--reporter=verbose', own, ...shared, addresses)
    expect(output).toContain('one of a lab’s own has its address without standing here')
    expect(output).toContain('unknown bases do not count')
    expect(output).toContain(`the tool '${id}'`)
    expect(status, output).toBe(0)
  })

  test('never writes over a folder that is there', () => {
    const before = readFileSync(join(tools(), id, 'tool.ts'), 'utf8')
    const { status, stderr } = newTool(id, '--into', tools())
    expect(status).toBe(1)
    expect(stderr).toContain('already')
    expect(readFileSync(join(tools(), id, 'tool.ts'), 'utf8')).toBe(before)
  })

  test.each(['../elsewhere', 'PrimerDesign', '2d', 'primer-design', ''])('is not made with the id "%s"', (wrong) => {
    expect(newTool(wrong, '--into', tools()).status).toBe(1)
    expect(existsSync(join(place, 'src', 'elsewhere'))).toBe(false)
    expect(readdirSync(tools()).sort()).toEqual([...product, id].sort())
  })
})
