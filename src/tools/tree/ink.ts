// One set of strokes for the screen's canvas and for SVG files, so that a figure is drawn by the same lines of code in both.

type TextAnchor = 'start' | 'middle' | 'end'

export interface Ink {
  /** A line through points, x and y in turn. */
  line(points: readonly number[], colour: string, width: number, dash?: boolean): void
  /** A part of a circle, from one angle to another with the clock. */
  arc(x: number, y: number, radius: number, from: number, to: number, colour: string, width: number): void
  polygon(points: readonly number[], colour: string): void
  dot(x: number, y: number, radius: number, colour: string): void
  box(x: number, y: number, width: number, height: number, colour: string): void
  /** Text on its middle line; `turn` in radians about its anchor; the first `slanted` letters in italics. */
  text(
    x: number,
    y: number,
    text: string,
    style: {
      colour: string
      size: number
      anchor?: TextAnchor
      turn?: number
      mono?: boolean
      bold?: boolean
      slanted?: number
    },
  ): void
  /** Many small cells at once, as one picture of RGBA pixels stretched over the box; where absent, cells are drawn one by one. */
  pixels?(
    x: number,
    y: number,
    width: number,
    height: number,
    columns: number,
    rgba: Uint8ClampedArray<ArrayBuffer>,
  ): void
  /** What is drawn next stays within the box, until `release`. */
  clip(x: number, y: number, width: number, height: number): void
  release(): void
}

const textFont =
  'Roboto, "Noto Sans", "Helvetica Neue", Arial, "PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif'
const monoFont = '"Roboto Mono", Menlo, Consolas, monospace'

export const fontOf = ({ size, mono, bold }: { size: number; mono?: boolean; bold?: boolean }): string =>
  `${bold === true ? '600 ' : ''}${size}px ${mono === true ? monoFont : textFont}`

export const createCanvasInk = (context: CanvasRenderingContext2D): Ink => ({
  line(points, colour, width, dash = false) {
    context.strokeStyle = colour
    context.lineWidth = width
    context.setLineDash(dash ? [1, 3] : [])
    context.beginPath()
    context.moveTo(points[0]!, points[1]!)
    for (let at = 2; at < points.length; at += 2) context.lineTo(points[at]!, points[at + 1]!)
    context.stroke()
  },
  arc(x, y, radius, from, to, colour, width) {
    context.strokeStyle = colour
    context.lineWidth = width
    context.setLineDash([])
    context.beginPath()
    context.arc(x, y, radius, from, to)
    context.stroke()
  },
  polygon(points, colour) {
    context.fillStyle = colour
    context.beginPath()
    context.moveTo(points[0]!, points[1]!)
    for (let at = 2; at < points.length; at += 2) context.lineTo(points[at]!, points[at + 1]!)
    context.fill()
  },
  dot(x, y, radius, colour) {
    context.fillStyle = colour
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.fill()
  },
  box(x, y, width, height, colour) {
    context.fillStyle = colour
    context.fillRect(x, y, width, height)
  },
  text(x, y, text, style) {
    context.fillStyle = style.colour
    context.font = fontOf(style)
    context.textAlign = style.anchor === 'middle' ? 'center' : style.anchor === 'end' ? 'right' : 'left'
    context.textBaseline = 'middle'
    const write = (left: number, top: number): void => {
      const { slanted = 0, anchor = 'start' } = style
      if (slanted === 0) {
        context.fillText(text, left, top)
        return
      }
      const [first, rest] = [text.slice(0, slanted), text.slice(slanted)]
      const restPx = context.measureText(rest).width
      const upright = context.font
      context.font = `italic ${upright}`
      const firstPx = context.measureText(first).width
      const from = left - (anchor === 'start' ? 0 : anchor === 'end' ? firstPx + restPx : (firstPx + restPx) / 2)
      context.textAlign = 'left'
      context.fillText(first, from, top)
      context.font = upright
      context.fillText(rest, from + firstPx, top)
    }
    if (style.turn === undefined) {
      write(x, y)
      return
    }
    context.save()
    context.translate(x, y)
    context.rotate(style.turn)
    write(0, 0)
    context.restore()
  },
  pixels(x, y, width, height, columns, rgba) {
    const picture = new OffscreenCanvas(columns, rgba.length / 4 / columns)
    picture.getContext('2d')!.putImageData(new ImageData(rgba, columns), 0, 0)
    context.imageSmoothingEnabled = false
    context.drawImage(picture, x, y, width, height)
  },
  clip(x, y, width, height) {
    context.save()
    context.beginPath()
    context.rect(x, y, width, height)
    context.clip()
  },
  release() {
    context.restore()
  },
})

const number = (value: number): string => String(Math.round(value * 100) / 100)
const escapeXml = (text: string): string =>
  text.replace(/[<>&"]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' })[sign]!)

/** Collects strokes as SVG; `finish` gives the file, on white. */
export const createSvgInk = (
  width: number,
  height: number,
): Ink & { finish(title: string, description: string): string } => {
  const parts: string[] = []
  let clips = 0
  return {
    line: (points, colour, lineWidth, dash = false) => {
      const path = points.map((value, at) => `${at === 0 ? 'M' : at % 2 === 0 ? 'L' : ' '}${number(value)}`).join('')
      parts.push(
        `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${lineWidth}"${dash ? ' stroke-dasharray="1 3"' : ''}/>`,
      )
    },
    arc: (x, y, radius, from, to, colour, lineWidth) => {
      const at = (angle: number): string =>
        `${number(x + radius * Math.cos(angle))} ${number(y + radius * Math.sin(angle))}`
      parts.push(
        `<path d="M${at(from)}A${number(radius)} ${number(radius)} 0 ${to - from > Math.PI ? 1 : 0} 1 ${at(to)}" fill="none" stroke="${colour}" stroke-width="${lineWidth}"/>`,
      )
    },
    polygon: (points, colour) =>
      void parts.push(
        `<polygon points="${points
          .map((value, at) => `${number(value)}${at % 2 === 0 ? ',' : ' '}`)
          .join('')
          .trim()}" fill="${colour}"/>`,
      ),
    dot: (x, y, radius, colour) =>
      void parts.push(`<circle cx="${number(x)}" cy="${number(y)}" r="${number(radius)}" fill="${colour}"/>`),
    box: (x, y, boxWidth, boxHeight, colour) =>
      void parts.push(
        `<rect x="${number(x)}" y="${number(y)}" width="${number(boxWidth)}" height="${number(boxHeight)}" fill="${colour}"/>`,
      ),
    text: (x, y, text, { colour, size, anchor = 'start', turn, mono = false, bold = false, slanted = 0 }) => {
      const [first, rest] = [text.slice(0, slanted), text.slice(slanted)]
      const letters = `${first === '' ? '' : `<tspan font-style="italic">${escapeXml(first)}</tspan>`}${escapeXml(rest)}`
      const turned =
        turn === undefined ? '' : ` transform="rotate(${number((turn * 180) / Math.PI)} ${number(x)} ${number(y)})"`
      parts.push(
        `<text x="${number(x)}" y="${number(y)}" fill="${colour}" font-size="${size}" font-family="${escapeXml(mono ? monoFont : textFont)}"${bold ? ' font-weight="600"' : ''} text-anchor="${anchor}" dominant-baseline="central"${turned}>${letters}</text>`,
      )
    },
    clip: (x, y, boxWidth, boxHeight) => {
      clips++
      parts.push(
        `<clipPath id="clip${clips}"><rect x="${number(x)}" y="${number(y)}" width="${number(boxWidth)}" height="${number(boxHeight)}"/></clipPath><g clip-path="url(#clip${clips})">`,
      )
    },
    release: () => void parts.push('</g>'),
    finish: (title, description) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}"><title>${escapeXml(title)}</title><desc>${escapeXml(description)}</desc><rect width="100%" height="100%" fill="#ffffff"/>${parts.join('\n')}</svg>`,
  }
}
