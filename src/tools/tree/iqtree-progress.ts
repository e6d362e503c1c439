/** Of a search for the model and the tree, what the former takes of the progress shown. */
const modelShare = 0.5
/** IQ-TREE's own least number of iterations (-n and -nstop); its log tells no time left before the first candidates are done. */
const minIterations = 100
/** From here on branches are tested and files written. */
const searchedShare = 0.95

const seconds = (hours: string, minutes: string, rest: string): number =>
  Number(hours) * 3600 + Number(minutes) * 60 + Number(rest)

/**
 * How far a run of IQ-TREE 2 is by what its log holds so far, 0 to 1: the model by its number among those to be tested, the tree by
 * the time that the log tells as gone and as left. Null where the log says nothing of it yet.
 *
 * @example readIqTreeProgress('Iteration 30 / LogL: -5012.496 / Time: 0h:0m:2s (0h:0m:6s left)') // { fraction: 0.2375, step: 'step.tree' }
 */
export const readIqTreeProgress = (log: string): { fraction: number; step: 'step.model' | 'step.tree' } | null => {
  const total = Number(/ModelFinder will test (?:up to )?(\d+)/.exec(log)?.[1] ?? 0)
  const chosen = total === 0 || /^Best-fit model:/m.test(log)
  if (!chosen) {
    const [table] = log.split('ModelFinder will test').slice(-1) as [string]
    const last = [...table.matchAll(/^ *(\d+) {2}\S+ +[\d.]+ +\d+ /gm)].at(-1)
    return { fraction: modelShare * Math.min(1, Number(last?.[1] ?? 0) / total), step: 'step.model' }
  }
  const from = total === 0 ? 0 : modelShare
  const searched = (share: number): { fraction: number; step: 'step.tree' } => ({
    fraction: from + (1 - from) * searchedShare * share,
    step: 'step.tree',
  })
  if (log.includes('TREE SEARCH COMPLETED')) return searched(1)
  const last = [
    ...log.matchAll(/^Iteration (\d+) \/ .*Time: (\d+)h:(\d+)m:(\d+)s(?: \((\d+)h:(\d+)m:(\d+)s left\))?/gm),
  ].at(-1)
  if (last === undefined) return total === 0 ? null : searched(0)
  const [, number, h, m, s, leftH, leftM, leftS] = last
  if (leftS === undefined) return searched(Math.min(1, Number(number) / minIterations))
  const gone = seconds(h!, m!, s!)
  const left = seconds(leftH!, leftM!, leftS)
  return searched(gone + left === 0 ? 1 : gone / (gone + left))
}
