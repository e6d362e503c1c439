import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { full } from './src/testing/real-data.ts'

/**
 * Files that took longest in the run before come first, and where none was before, those named here, then the largest: begun last,
 * one of them would run by itself while the other worker has nothing left.
 */
const slowest = [
  'src/database/private-server/private-server.test.ts',
  'scripts/documented-commands.full.test.ts',
  'src/server/promises.test.ts',
  'src/tools/tree/engine.test.ts',
  'src/loader/data-formats-examples.full.test.ts',
  'src/tools/homologs/load-portal.full.test.ts',
]

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = (file: TestSpecification): boolean => slowest.some((name) => file.moduleId.endsWith(`/${name}`))
    const place = (file: TestSpecification): number => (file.project.name === 'alone' ? 0 : isSlow(file) ? 1 : 2)
    return sorted.sort((a, b) => place(a) - place(b))
  }
}

/**
 * Files that change what a process has but once, or measure it: each has a process of its own. All others share two processes and what
 * these have read, since to begin a process and to read the portal's modules takes longer than most tests: they put back what
 * they change (a variable of the environment, a clock, a mock).
 */
const alone = [
  // Globals of a browser are there or not when a module is read.
  ...['connection', 'drafts', 'request'].map((name) => `src/kit/ui/${name}.test.ts`),
  ...['shell/chunk', 'shell/query-client', 'service-worker/service-worker'].map((name) => `src/web/${name}.test.ts`),
  // They measure the memory of their process.
  'src/store/genome-memory.test.ts',
  'src/loader/annotations.test.ts',
  // Limits of tools are set once a process, before the tools are read.
  'src/server/tool-limits.full.test.ts',
  'src/tools/limit-settings.test.ts',
]

/** Files that are tested with `npm test -- --full` alone: they take long, and what they show in breadth others show in part. */
const further = full ? [] : ['**/*.full.test.ts']

export default defineConfig({
  test: {
    globalSetup: ['scripts/no-cluster-left.ts'],
    // Two workers: the machine that the suite is timed on has two cores, and engines run beside the tests.
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    projects: [
      { extends: true, test: { name: 'alone', include: alone, exclude: further } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{src,demo,scripts,deploy}/**/*.test.{ts,tsx}'],
          exclude: [...alone, ...further],
          isolate: false,
        },
      },
    ],
    // Of tests that are marked as concurrent: they wait for servers that start and stop, which use the processor in between.
    maxConcurrency: 3,
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // What is waited for comes in milliseconds; on a machine that does other work besides it may be seconds.
    expect: { poll: { timeout: 60_000 } },
  },
})
