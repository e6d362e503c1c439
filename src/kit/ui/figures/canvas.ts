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
