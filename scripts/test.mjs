// `npm test`: installs what tests need, then lint, types, directions, unit, engine and route tests, build, browser tests.
// `npm test -- --full` adds the slow ones.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, checkNode, installPackages, installPrograms, portalRequirements, root, run, say } from './prepare.mjs'

const full = process.argv.includes('--full')
checkNode()
await installPackages()
await build()
await installPrograms(portalRequirements(), 'engines')
const missing = await installPrograms(
  [
    { program: 'chromium', package: 'chromium' },
    { program: 'bedtools', package: 'bedtools', bioconda: 'bedtools' },
    { program: 'samtools', package: 'samtools', bioconda: 'samtools' },
    { program: 'tabix', package: 'tabix', bioconda: 'htslib' },
    { program: 'gffread', package: 'gffread', bioconda: 'gffread' },
  ],
  'the browser and the reference programs that tests compare with',
)
if (missing.some((requirement) => requirement.program === 'chromium')) {
  process.stderr.write('Without Chromium the browser tests cannot run; the other tests do.\n')
}
await installPrograms([{ program: 'fc-list', package: 'fontconfig' }], 'fonts of the browser tests')

const bin = (name) => join(root, 'node_modules', '.bin', name)
const reports = join(root, 'dist', 'test-reports')
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const vitest = (config, name) => [
  bin('vitest'),
  [
    'run',
    '--config',
    config,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(reports, `${name}.json`)}`,
  ],
]
const steps = [
  ['lint', bin('biome'), ['check', '--max-diagnostics=50', '--error-on-warnings', '.']],
  ['types', bin('tsc'), ['-p', 'tsconfig.json', '--noEmit']],
  ['directions', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'src']],
  ['unit, engine and route tests', ...vitest('vitest.config.ts', 'unit')],
  ...(missing.some((requirement) => requirement.program === 'chromium')
    ? []
    : [['browser tests', ...vitest('vitest.e2e.config.ts', 'browser')]]),
]
const failed = []
for (const [name, program, args] of steps) {
  say(`— ${name}`)
  const status = await run(program, args, { env: { ...process.env, NOVODB_FULL_TESTS: full ? '1' : '' } })
  if (status !== 0) failed.push(name)
  // Nothing after a broken type is worth reading; tests are all run, so that one run tells everything.
  if (status !== 0 && name === 'types') break
}
let passed = 0
let wrong = 0
let skipped = 0
for (const name of ['unit', 'browser']) {
  try {
    const report = JSON.parse(readFileSync(join(reports, `${name}.json`), 'utf8'))
    passed += report.numPassedTests
    wrong += report.numFailedTests
    skipped += report.numPendingTests
  } catch {
    // The step did not run; it is among the failed ones or was said above.
  }
}
say(failed.length === 0 ? 'All steps are green.' : `Failed: ${failed.join(', ')}`)
process.stdout.write(`${passed} passed, ${wrong} failed, ${skipped} skipped\n`)
process.exit(failed.length === 0 ? 0 : 1)
