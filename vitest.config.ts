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

/** Further rooms whose tests leave nothing behind in their process. */
const rooms = ['kit', 'web']

/** Tests in those rooms that change something global: each has a process of its own. */
const alone = [
  ...['connection', 'drafts', 'request'].map((name) => `src/kit/ui/${name}.test.ts`),
  ...['chunk', 'query-client', 'service-worker'].map((name) => `src/web/${name}.test.ts`),
]

export default defineConfig({
  test: {
    globalSetup: ['scripts/no-cluster-left.ts'],
    // Two workers: the machine that the suite is timed on has two cores, and engines run beside the tests.
    maxWorkers: 2,
    projects: [
      // Files of these two share a process and what it has read: a process for each takes longer than its tests.
      { test: { ...settings, name: 'pure', include: pure, isolate: false } },
      {
        test: {
          ...settings,
          name: 'shared',
          include: rooms.map((room) => `src/${room}/**/*.test.{ts,tsx}`),
          exclude: alone,
          isolate: false,
        },
      },
      {
        test: {
          ...settings,
          name: 'whole',
          include: [
            ...alone,
            `src/!(${['bio', 'contracts', ...rooms].join('|')})/**/*.test.{ts,tsx}`,
            'demo/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
        },
      },
    ],
  },
})
