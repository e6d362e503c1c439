import { expect, test } from 'vitest'
import { type ListedTool, withoutUnavailable } from './tool-list.ts'

test('menus leave out the tools that the server has no data or programs for; until it answers, none', () => {
  const tools = ['ppi', 'transcriptionfactors', 'enrichment'].map((id) => ({ id }) as ListedTool)
  const statuses = [
    { id: 'ppi', available: true },
    { id: 'transcriptionfactors', available: false },
  ]
  expect(withoutUnavailable(tools, statuses).map(({ id }) => id)).toEqual(['ppi', 'enrichment'])
  expect(withoutUnavailable(tools, undefined)).toEqual(tools)
})
