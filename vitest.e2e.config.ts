import { defineConfig } from 'vitest/config'

// Journeys in a real Chromium against the built portal with real data loaded by its own command.
export default defineConfig({
  test: {
    // `npm test` keeps to the journeys through the portal; every screen in every size and language is `npm run test:full`.
    include:
      process.env.NOVODB_FULL_TESTS === '1'
        ? ['e2e/**/*.test.ts']
        : ['e2e/find-journeys.test.ts', 'e2e/portal-journeys.test.ts', 'e2e/jbrowse.test.ts'],
    globalSetup: ['e2e/global-setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
})
