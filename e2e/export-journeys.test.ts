import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchBrowser, runExample, settle, visit } from './browser.ts'
import { crawlExports } from './export-crawl.ts'

let browser: Browser
let close: () => Promise<void>
let routes: Map<string, { route: string; available: boolean }>
beforeAll(async () => {
  ;({ browser, close } = await launchBrowser())
  const answer = (await (await fetch(`${inject('portalUrl')}/api/tools/`)).json()) as {
    data: { tools: { id: string; route: string; available: boolean }[] }
  }
  routes = new Map(answer.data.tools.map((tool) => [tool.id, tool]))
})
afterAll(() => close())

const toolFolder = join(import.meta.dirname, '../src/tools')
/** Tools are those that there are; which exports one has is told by its page. */
const tools = readdirSync(toolFolder).filter((id) => existsSync(join(toolFolder, id, 'screen.tsx')))
// The genome browser's drawing is JBrowse's own, and takes minutes where nothing of it is kept.
const drawnByOthers = new Set(['jbrowse'])

describe('every export of the example of every tool is read strictly', () => {
  for (const id of tools.filter((one) => !drawnByOthers.has(one)))
    it(id, async ({ skip }) => {
      const tool = routes.get(id)!
      // Told as skipped and not as passed: nothing was read.
      if (!tool.available) skip(`${id} has no data on this portal`)
      const { page, context } = await visit(browser, tool.route)
      await settle(page)
      const asked = await runExample(page)
      const { files, problems } = await crawlExports(page)
      expect(problems).toEqual([])
      // A result without a single file is one whose exports were not found.
      if (asked) expect(files).not.toEqual([])
      await context.close()
    }, 300_000)
})
