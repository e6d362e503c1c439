import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findModules } from '../../bio/statistics/graph-modules.ts'
import type { EngineContext } from '../../kit/engine.ts'
import type { NetworkEdge, NetworkResult } from './tool.ts'

/** Cluster of each node from 1, the largest first, equal sizes by their first node; null for nodes that are with no other. */
export const clusterNodes = async (
  count: number,
  edges: readonly Pick<NetworkEdge, 'a' | 'b' | 'score'>[],
  { method, inflation }: Pick<NetworkResult['clustering'], 'method' | 'inflation'>,
  context: Pick<EngineContext, 'directory' | 'runProgram'>,
): Promise<(number | null)[]> => {
  if (method === 'none' || edges.length === 0) return Array.from({ length: count }, () => null)
  const membership =
    method === 'louvain'
      ? findModules(
          count,
          edges.map(({ a, b, score }) => [a, b, score] as const),
        )
      : await runMcl(count, edges, inflation, context)
  const members = new Map<number, number[]>()
  for (const [node, own] of membership.entries()) members.set(own, [...(members.get(own) ?? []), node])
  const clusters = [...members.values()]
    .filter((nodes) => nodes.length > 1)
    .sort((x, y) => y.length - x.length || x[0]! - y[0]!)
  const found: (number | null)[] = Array.from({ length: count }, () => null)
  for (const [at, nodes] of clusters.entries()) for (const node of nodes) found[node] = at + 1
  return found
}

/** MCL of the scores as weights (van Dongen 2000); a node that it leaves out is a cluster of its own. */
const runMcl = async (
  count: number,
  edges: readonly Pick<NetworkEdge, 'a' | 'b' | 'score'>[],
  inflation: number,
  { directory, runProgram }: Pick<EngineContext, 'directory' | 'runProgram'>,
): Promise<number[]> => {
  await writeFile(join(directory, 'edges.tsv'), edges.map(({ a, b, score }) => `${a}\t${b}\t${score}\n`).join(''))
  await runProgram({
    program: 'mcl',
    arguments: ['edges.tsv', '--abc', '-I', String(inflation), '-o', 'clusters.tsv', '-V', 'all'],
  })
  const membership = Array.from({ length: count }, (_, node) => count + node)
  const lines = (await readFile(join(directory, 'clusters.tsv'), 'latin1')).split('\n').filter((line) => line !== '')
  for (const [cluster, line] of lines.entries())
    for (const node of line.split('\t').map(Number)) membership[node] = cluster
  return membership
}
