import type { GraphRegion } from '../../bio/graph/variation-graph.ts'
import type { GraphResult } from './tool.ts'

/** The region of an answer with the steps of its walks. */
export const readAnsweredRegion = ({ nodes, walks, ways }: GraphResult['region']): GraphRegion => {
  const steps = ways.map((way) => way.map((step) => ({ node: step >> 1, reverse: step % 2 === 1 })))
  return { nodes, walks: walks.map(({ way, ...walk }) => ({ ...walk, steps: steps[way]! })) }
}
