import { basename } from 'node:path'
import { beforeEach, type RunnerTask, type RunnerTestSuite } from 'vitest'

const locales = ['en-US', 'zh-CN']

const testsOf = (suite: RunnerTestSuite): RunnerTask[] =>
  suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]))

/**
 * Journeys written for both languages (`describe.each` over the locales) are walked in one of them, turn and turn about, so that
 * each tool is used in English and in Chinese; `npm run test:full` walks every one in both. A walk costs some seconds of both
 * cores, and what differs between the languages, the words, is looked at on every screen by `every-screen` in each.
 */
beforeEach(({ task, skip }) => {
  const file = basename(task.file.name)
  if (process.env.NOVODB_FULL_TESTS === '1' || file === 'every-screen.test.ts') return
  let suite: RunnerTestSuite | undefined = task.suite
  while (suite !== undefined && !locales.some((locale) => suite?.name.includes(locale))) suite = suite.suite
  if (suite === undefined) return
  const { name } = suite
  const mine = locales.findIndex((locale) => name.includes(locale))
  const twinName = name.replace(locales[mine]!, locales[1 - mine]!)
  const twin = (suite.suite ?? suite.file).tasks.find((one) => one.name === twinName)
  const place = testsOf(suite).findIndex(({ id }) => id === task.id)
  // One that the other language leaves out is always this one's.
  if (twin?.type !== 'suite' || testsOf(twin)[place]?.mode !== 'run') return
  if ((place + file.length) % 2 !== mine) skip()
})
