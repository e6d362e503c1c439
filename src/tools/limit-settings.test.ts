import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { FoundTool } from '../kit/find-tools.ts'

type Limits = Readonly<Record<string, number>>

/** The tools as a deployment has them that sets every limit: read anew, for a schema keeps its bounds from when it is read. */
const readTools = async (settings: Record<string, Limits>): Promise<FoundTool[]> => {
  vi.resetModules()
  const { setToolLimits } = await import('../contracts/tools/tool-limits.ts')
  setToolLimits(settings)
  return (await (await import('../kit/find-tools.ts')).findTools()).filter((found) => found.tool !== null)
}

const map = (limits: Limits, change: (value: number) => number): Limits =>
  Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, change(value)]))

const own = await readTools({})
const settingsOf = (change: (value: number) => number): Record<string, Limits> =>
  Object.fromEntries(own.map(({ id, tool }) => [id, map(tool!.limits, change)]))
const raised = await readTools(settingsOf((value) => value * 3))
const lowest = await readTools(settingsOf(() => 1))

interface Property {
  default?: unknown
  maximum?: number
}

describe.each(own)('the limits of $id', ({ id, tool }) => {
  const find = (tools: FoundTool[]) => tools.find((one) => one.id === id)!.tool!

  test('are those of the deployment where it sets them', () => {
    expect(find(raised).limits).toEqual(map(tool!.limits, (value) => value * 3))
  })

  test('bound the defaults of the form too, however low they are set', () => {
    const schema = z.toJSONSchema(find(lowest).input, { io: 'input', unrepresentable: 'any' })
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Property>))
      if (typeof property.default === 'number' && property.maximum !== undefined)
        expect(property.default, name).toBeLessThanOrEqual(property.maximum)
  })
})
