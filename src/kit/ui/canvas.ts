/**
 * A canvas of so many CSS pixels, emptied, whose context draws in CSS pixels and as sharp as the screen is; null where there is nothing
 * to draw on.
 */
export const openCanvas = (
  canvas: HTMLCanvasElement | null,
  width: number,
  height: number,
): CanvasRenderingContext2D | null => {
  const context = canvas?.getContext('2d') ?? null
  if (canvas === null || context === null) return null
  const ratio = window.devicePixelRatio || 1
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  return context
}

/** The dot nearest to a place, of those less than `reachPx` away; null where there is none. */
export const nearestDot = <Dot extends { x: number; y: number }>(
  dots: Iterable<Dot>,
  x: number,
  y: number,
  reachPx: number,
): Dot | null => {
  let best: Dot | null = null
  let least = reachPx ** 2
  for (const dot of dots) {
    const apart = (dot.x - x) ** 2 + (dot.y - y) ** 2
    if (apart < least) {
      least = apart
      best = dot
    }
  }
  return best
}
