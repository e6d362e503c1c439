import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { full } from './src/testing/real-data.ts'

/**
 * Files that took longest in the run before come first, and where none was before, the largest. Those of every
 * tool and screen take longest though they are no large files: begun last they would run while the other workers have nothing left.
 */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const last = (file: TestSpecification): number => (/\/every-[^/]*\.test\.ts$/.test(file.moduleId) ? 0 : 1)
    return sorted.sort((a, b) => last(a) - last(b))
  }
}

/**
 * Journeys that change what the portal holds for everybody, by loading and removing species, or that measure its time, as a
 * second process beside it does: one after the other, when no other journey is under way. A journey that only reads, or that
 * writes what is its visitor's own, is not named here.
 */
const alone = [
  'e2e/admin-journeys.full.test.ts',
  'e2e/divided-loads.full.test.ts',
  'e2e/failover.full.test.ts',
  'e2e/import-journeys.full.test.ts',
  'e2e/load-while-serving.full.test.ts',
  'e2e/processes.full.test.ts',
  'e2e/read-only.full.test.ts',
  'e2e/several-servers.full.test.ts',
  'e2e/slurm.full.test.ts',
  'e2e/storm.full.test.ts',
  'e2e/upgrade.full.test.ts',
]

/** Journeys that are walked with `npm test -- --full` alone: of single tools, each of whose examples is run by `every-tool`, and slow ones. */
const further = full ? [] : ['e2e/*.full.test.ts']

// What is polled for comes when it comes: a second, as is the default, is little when two files share two cores.
const settings = {
  // Files that a process walks share its Chromium, and what it has read.
  isolate: false,
  // A suite of one journey has it in one of the languages alone (`inTurn`).
  passWithNoTests: true,
  testTimeout: 90_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 15_000 } },
}

// Journeys in a real Chromium against the built portal with real data loaded by its own command.
export default defineConfig({
  test: {
    // Torn down in the reverse order: the count comes last. One portal for both projects, so it is set up here and not in them.
    globalSetup: ['scripts/no-cluster-left.ts', 'e2e/global-setup.ts'],
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          ...settings,
          name: 'together',
          include: ['e2e/**/*.test.ts'],
          exclude: [...alone, ...further],
          // One more than the cores of the machine that the suite is timed on: while one waits for the portal, two draw.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...settings,
          name: 'alone',
          include: alone,
          exclude: further,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
