import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3'

/** A triangle on its point, and a bar. */
const symbolPoint: SymbolType = {
  draw(context, size) {
    const y = Math.sqrt(size / (Math.sqrt(3) * 3))
    context.moveTo(0, 2 * y)
    context.lineTo(-Math.sqrt(3) * y, -y)
    context.lineTo(Math.sqrt(3) * y, -y)
    context.closePath()
  },
}
const symbolBar: SymbolType = {
  draw(context, size) {
    const tall = Math.sqrt(size / 3)
    context.rect(-1.5 * tall, -tall / 2, 3 * tall, tall)
  },
}

/** Shapes beside the colours, so that groups are told apart without them. */
const shapes = [
  ...[symbolCircle, symbolTriangle, symbolSquare, symbolDiamond, symbolCross, symbolStar, symbolWye],
  ...[symbolPoint, symbolBar],
]
const usualArea = 34

/** Groups beyond this share one mark. */
export const maxMarks = shapes.length

/** Of what has no group. */
export const noMark = -1

const ring = (area: number): string => {
  const circle = (radius: number, sweep: 0 | 1): string =>
    `M${radius},0A${radius},${radius},0,1,${sweep},${-radius},0A${radius},${radius},0,1,${sweep},${radius},0Z`
  const radius = Math.sqrt(area / Math.PI)
  return circle(radius, 1) + circle(radius / 2, 0)
}

/** Outline of the mark of the n-th group about its middle; a ring for `noMark`, and those beyond the last have the last. */
export const markPath = (group: number, area = usualArea): string =>
  group === noMark ? ring(area) : (symbol(shapes[Math.min(group, maxMarks - 1)], area)() ?? '')
