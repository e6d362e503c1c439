import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['scripts/no-cluster-left.ts'],
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'demo/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // Two workers: the machine that the suite is timed on has two cores, and engines run beside the tests.
    maxWorkers: 2,
    // What is waited for comes in milliseconds; on a machine that does other work besides it may be seconds.
    expect: { poll: { timeout: 60_000 } },
  },
})
