import type { WaitReason } from '../../contracts/tools/jobs.ts'

/** Slurm's words (man squeue, JOB REASON CODES) that are whole. */
const words: Record<string, WaitReason> = {
  '': 'handed',
  Resources: 'resources',
  Priority: 'priority',
  NodeDown: 'down',
  PartitionDown: 'down',
  PartitionInactive: 'down',
  Reservation: 'resources',
  JobHeldAdmin: 'held',
  JobHeldUser: 'held',
  Licenses: 'licence',
}

/**
 * Why a task waits, by its scheduler's word. Example: `QOSMaxCpuPerUserLimit` is `limit`, `ReqNodeNotAvail,_UnavailableNodes:n1` is
 * `down`.
 */
export const readReason = (word: string): WaitReason => {
  // Written with blanks or underscores, as the version has it.
  const known = words[word]
  if (known !== undefined) return known
  if (/^(ReqNodeNotAvail|Nodes[ _]required[ _]for[ _]job[ _]are[ _]DOWN)/.test(word)) return 'down'
  return /^(QOS|Assoc)|Limit$/.test(word) ? 'limit' : 'other'
}
