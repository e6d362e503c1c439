import type { Receipt } from '../contracts/tools/receipt.ts'

/** A receipt that says nothing, for contexts of tests. */
export const emptyReceipt: Receipt = {
  tool: 'test',
  portalVersion: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  elapsedMs: 0,
  steps: [],
  data: [],
  parameters: {},
  citations: [],
}
