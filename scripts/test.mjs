// `npm test`: installs what tests need and builds, then lint, directions, types, unit, engine and route tests, browser tests.
// `npm test -- --full` adds the slow ones.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import {
  build,
  checkNode,
  compiler,
  installPackages,
  installPrograms,
  portalRequirements,
  root,
  run,
  runQuietly,
  say,
} from './prepare.mjs'

const full = process.argv.includes('--full')
const bin = (name) => join(root, 'node_modules', '.bin', name)

/** The first lines of a message, set in, without the calls within libraries. */
const indented = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !line.includes('node_modules'))
    .slice(0, 20)
    .map((line) => `    ${line.slice(0, 400)}`)
    .join('\n')

checkNode()
await installPackages()
// Checks that read the sources alone use one core, while the build and what apt unpacks use another.
const checks = (async () => {
  const types = await runQuietly(process.execPath, [compiler, '-p', 'tsconfig.json', '--noEmit'])
  const lint = await runQuietly(bin('biome'), ['check', '--max-diagnostics=50', '--error-on-warnings', '.'])
  const cruise = ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'src']
  const directions = await runQuietly(bin('depcruise'), cruise)
  return { types, lint, directions }
})()
await build()
await installPrograms(portalRequirements({ large: full }), 'engines')
await installPrograms(
  [
    { program: 'bedtools', package: 'bedtools', bioconda: 'bedtools' },
    { program: 'samtools', package: 'samtools', bioconda: 'samtools' },
    { program: 'tabix', package: 'tabix', bioconda: 'htslib' },
    { program: 'gffread', package: 'gffread', bioconda: 'gffread' },
  ],
  'the reference programs that tests compare with',
)
// By itself, since not every distribution packs it; where it is not to be had, the whole Chromium draws the same pages, slower.
const withoutWindow = { program: 'chromium-headless-shell', package: 'chromium-headless-shell' }
const shell = await installPrograms([withoutWindow], 'the browser of the browser tests, the quick one')
const chromium =
  shell.length === 0
    ? []
    : await installPrograms([{ program: 'chromium', package: 'chromium' }], 'the browser of the browser tests')
const drawn = chromium.length === 0 || process.env.NOVODB_TEST_CHROMIUM !== undefined
if (!drawn) process.stderr.write('Without Chromium the browser tests cannot run; the other tests do.\n')
await installPrograms([{ program: 'fc-list', package: 'fontconfig' }], 'fonts of the browser tests')

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
const inherit = (program, args) => () =>
  run(program, args, { env: { ...process.env, NOVODB_FULL_TESTS: full ? '1' : '' } })
const steps = [
  ...['lint', 'directions', 'types'].map((name) => [
    name,
    async () => {
      const { status, output } = (await checks)[name]
      process.stdout.write(output)
      return status
    },
  ]),
  ['unit, engine and route tests', inherit(...vitest('vitest.config.ts', 'unit'))],
  ...(drawn ? [['browser tests', inherit(...vitest('vitest.e2e.config.ts', 'browser'))]] : []),
]
const failed = []
for (const [name, step] of steps) {
  say(`— ${name}`)
  const status = await step()
  if (status !== 0) failed.push(name)
  // Nothing after a broken type is worth reading; tests are all run, so that one run tells everything.
  if (status !== 0 && name === 'types') break
}
let passed = 0
let wrong = 0
let skipped = 0
const files = []
const failures = []
/** Conditions under which the tests of a file are left out, as they stand in it. */
const conditionsOf = (file) => [
  ...new Set(
    [...readFileSync(file, 'utf8').matchAll(/\b((?:skipIf|runIf)\((?:[^()]|\([^()]*\))*\))/g)].map(([, text]) => text),
  ),
]
const leftOut = []
for (const name of ['unit', 'browser']) {
  try {
    const report = JSON.parse(readFileSync(join(reports, `${name}.json`), 'utf8'))
    passed += report.numPassedTests
    wrong += report.numFailedTests
    skipped += report.numPendingTests
    for (const file of report.testResults) {
      const name = relative(root, file.name)
      files.push({ name, seconds: (file.endTime - file.startTime) / 1000 })
      const pending = file.assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed')
      if (pending.length > 0) {
        const why = conditionsOf(file.name).join(', ') || 'by the test itself'
        leftOut.push({ count: pending.length, name, why })
      }
      const failedTests = file.assertionResults.filter(({ status }) => status === 'failed')
      for (const { fullName, failureMessages } of failedTests)
        failures.push({ title: `${name}: ${fullName}`, message: failureMessages.join('\n') })
      // A file that could not be read has no tests of its own.
      if (file.status === 'failed' && failedTests.length === 0) failures.push({ title: name, message: file.message })
    }
  } catch {
    // The step did not run; it is among the failed ones or was said above.
  }
}
const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, 10)
if (slowest.length > 0) say('The slowest test files, in seconds:')
for (const { name, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(9)}  ${name}\n`)
if (leftOut.length > 0) say('Tests that were left out, by file, and on what condition:')
for (const { count, name, why } of leftOut.sort((a, b) => b.count - a.count))
  process.stdout.write(`${String(count).padStart(9)}  ${name}: ${why}\n`)
// Told once more at the end: the end is what is read, and kept where an output is cut.
if (failures.length > 0) say('The failures:')
for (const { title, message } of failures) process.stdout.write(`${title}\n${indented(message)}\n`)
say(failed.length === 0 ? 'All steps are green.' : `Failed: ${failed.join(', ')}`)
process.stdout.write(
  `${passed} passed, ${wrong} failed, ${skipped} skipped (${((100 * skipped) / Math.max(1, passed + wrong + skipped)).toFixed(1)} %)\n`,
)
process.exit(failed.length === 0 ? 0 : 1)
