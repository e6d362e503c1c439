import { defineConfig } from 'vitest/config'

// Journeys in a real Chromium against the built portal with real data loaded by its own command.
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    // Screens are drawn two at a time: one is fetched while another is painted.
    maxConcurrency: 2,
    // Torn down in the reverse order: the count comes last.
    globalSetup: ['scripts/no-cluster-left.ts', 'e2e/global-setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
})
