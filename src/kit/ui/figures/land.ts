import type { GeoPermissibleObjects } from 'd3'

/** What is used of a TopoJSON file (specification 1.0): arcs of whole numbers, each point told from the one before. */
interface Topology {
  transform: { scale: number[]; translate: number[] }
  arcs: number[][][]
  objects: { land: { geometries: { arcs: number[][][] }[] } }
}

/** The land of the world as polygons of degrees, out of a file of world-atlas. */
export const readLand = ({ transform, arcs, objects }: Topology): GeoPermissibleObjects => {
  const [scaleX = 1, scaleY = 1] = transform.scale
  const [fromX = 0, fromY = 0] = transform.translate
  const decoded = arcs.map((arc) => {
    let x = 0
    let y = 0
    return arc.map(([dx = 0, dy = 0]): [number, number] => {
      x += dx
      y += dy
      return [x * scaleX + fromX, y * scaleY + fromY]
    })
  })
  /** Below zero an arc is gone through backwards: -1 is arc 0. */
  const ringOf = (indices: number[]): [number, number][] =>
    indices.flatMap((index, place) => {
      const points = index < 0 ? [...decoded[-index - 1]!].reverse() : decoded[index]!
      return place === 0 ? points : points.slice(1)
    })
  return {
    type: 'MultiPolygon',
    coordinates: objects.land.geometries.flatMap((geometry) =>
      geometry.arcs.map((polygon) => polygon.map((ring) => ringOf(ring))),
    ),
  }
}
