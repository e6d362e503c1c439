import { defineConfig } from 'vitest/config'

/** What stands in every project. */
const settings = {
  testTimeout: 180_000,
  hookTimeout: 240_000,
  // What is waited for comes in milliseconds; on a machine that does other work besides it may be seconds.
  expect: { poll: { timeout: 60_000 } },
}

/** Rooms of pure functions: no database, no process, no clock, nothing global that is changed. */
const pure = ['src/bio/**/*.test.ts', 'src/contracts/**/*.test.ts']

export default defineConfig({
  test: {
    globalSetup: ['scripts/no-cluster-left.ts'],
    // Two workers: the machine that the suite is timed on has two cores, and engines run beside the tests.
    maxWorkers: 2,
    projects: [
      // Their files share one process and what it has read: a process for each takes longer than its tests.
      { test: { ...settings, name: 'pure', include: pure, isolate: false } },
      {
        test: {
          ...settings,
          name: 'whole',
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'demo/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: pure,
        },
      },
    ],
  },
})
