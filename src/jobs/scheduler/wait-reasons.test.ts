import { expect, test } from 'vitest'
import { readReason } from './wait-reasons.ts'

test.each([
  ['', 'handed'],
  ['Resources', 'resources'],
  ['Priority', 'priority'],
  ['QOSMaxCpuPerUserLimit', 'limit'],
  ['AssocGrpMemLimit', 'limit'],
  ['PartitionTimeLimit', 'limit'],
  ['ReqNodeNotAvail, UnavailableNodes:n[1-2]', 'down'],
  ['Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions', 'down'],
  ['JobHeldAdmin', 'held'],
  ['BeginTime', 'other'],
])('Slurm’s “%s” is %s', (word, reason) => {
  expect(readReason(word)).toBe(reason)
})
