import { escapeXml } from '../../../bio/text/xml.ts'
import { renderSvg } from '../table/export.ts'
import { labelWidth } from './text-width.ts'

export interface LegendKey {
  label: string
  /** A patch of this colour, or a drawing as the text of an SVG. */
  key: { colour: string } | { drawing: string }
}

/** A key as it is drawn in a file: a coloured patch, or the line that it has in place of one. */
const keyOf = (patch: Element): LegendKey['key'] => {
  const style = getComputedStyle(patch)
  const lined =
    Number.parseFloat(style.borderTopWidth) > 0 && /^(transparent|rgba\(0, 0, 0, 0\))$/.test(style.backgroundColor)
  return lined
    ? {
        drawing: `<svg width="16" height="11"><path d="M0,5.5H16" stroke="${style.borderTopColor}" stroke-width="2"${style.borderTopStyle === 'dashed' ? ' stroke-dasharray="4 3"' : ''}/></svg>`,
      }
    : { colour: style.backgroundColor }
}

/**
 * Entries of the lists marked `data-legend` beside a drawing, in the colours of the light theme, as the drawing itself is saved: a key,
 * which is a drawing or a coloured patch, and its words. Of an entry with buttons the words are what is marked `data-legend-label`.
 */
export const readLegend = (body: Element): LegendKey[] => {
  const host = document.createElement('div')
  host.dataset.theme = 'light'
  host.style.cssText = 'position:absolute;inset-inline-start:-100000px;inset-block-start:0'
  for (const list of body.querySelectorAll('[data-legend]')) host.append(list.cloneNode(true))
  document.body.append(host)
  try {
    return [...host.querySelectorAll('[data-legend] > li')].flatMap((entry): LegendKey[] => {
      const words = entry.querySelector('[data-legend-label]') ?? entry
      const label = (words.textContent ?? '').replace(/\s+/g, ' ').trim()
      const drawing = entry.querySelector('svg:not(.lucide)')
      if (drawing !== null) return [{ label, key: { drawing: renderSvg(drawing as SVGSVGElement) } }]
      const patch = entry.querySelector('[style*="background"]') ?? entry.querySelector('i, span')
      return patch === null ? [] : [{ label, key: keyOf(patch) }]
    })
  } finally {
    host.remove()
  }
}

const [rowPx, textPx, keyPx, gapPx] = [20, 12, 32, 18]
/** Of a note above a drawing: dark enough on white, and not grey as the axes are. */
const noteColour = '#8a5200'

const attribute = (tag: string, name: string): number =>
  Number(new RegExp(`\\s${name}="([\\d.]+)"`).exec(tag)?.[1] ?? Number.NaN)

/** An SVG file with the legend in rows below; as it is where there is none. */
export const withLegend = (svgText: string, keys: readonly LegendKey[]): string => {
  const tag = /<svg\b[^>]*>/.exec(svgText)?.[0] ?? ''
  const [width, height] = [attribute(tag, 'width'), attribute(tag, 'height')]
  if (keys.length === 0 || !(width > 0 && height > 0)) return svgText
  let [x, y] = [gapPx / 2, height + rowPx / 2]
  const drawn = keys.map(({ label, key }) => {
    const wide = keyPx + labelWidth(label, textPx)
    if (x > gapPx / 2 && x + wide > width) {
      x = gapPx / 2
      y += rowPx
    }
    const mark =
      'colour' in key
        ? `<rect width="11" height="11" rx="2" fill="${escapeXml(key.colour)}"/>`
        : key.drawing.replace(/^<\?xml[^>]*\?>\s*/, '')
    const entry = `<g transform="translate(${x},${y})"><g transform="translate(0,-5.5)">${mark}</g><text x="${keyPx - 4}" y="4" font-size="${textPx}" font-family="sans-serif" fill="#12231d">${escapeXml(label)}</text></g>`
    x += wide + gapPx
    return entry
  })
  const tall = y + rowPx
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${tall}"><rect width="${width}" height="${tall}" fill="#ffffff"/>${svgText.replace(/^<\?xml[^>]*\?>\s*/, '')}<g>${drawn.join('')}</g></svg>`
}

/** An SVG file with a note in a row of its own above the drawing, so that no picture is passed on without it; as it is without a note. */
export const withNote = (svgText: string, note: string | null): string => {
  const tag = /<svg\b[^>]*>/.exec(svgText)?.[0] ?? ''
  const [width, height] = [attribute(tag, 'width'), attribute(tag, 'height')]
  if (note === null || !(width > 0 && height > 0)) return svgText
  const wide = Math.max(width, labelWidth(note, textPx) + gapPx)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${height + rowPx}"><rect width="${wide}" height="${height + rowPx}" fill="#ffffff"/><text x="${gapPx / 2}" y="14" font-size="${textPx}" font-weight="600" font-family="sans-serif" fill="${noteColour}">${escapeXml(note)}</text><g transform="translate(0,${rowPx})">${svgText.replace(/^<\?xml[^>]*\?>\s*/, '')}</g></svg>`
}

/** A canvas with a note in a row of its own above the drawing; itself without a note, or where it cannot be drawn on. */
export const noteOnCanvas = (canvas: HTMLCanvasElement, note: string | null): HTMLCanvasElement => {
  if (note === null) return canvas
  const scale = canvas.clientWidth > 0 ? canvas.width / canvas.clientWidth : 1
  const noted = document.createElement('canvas')
  noted.width = canvas.width
  noted.height = canvas.height + Math.round(rowPx * scale)
  const pen = noted.getContext('2d')
  if (pen === null) return canvas
  pen.fillStyle = '#ffffff'
  pen.fillRect(0, 0, noted.width, noted.height)
  pen.fillStyle = noteColour
  pen.font = `600 ${textPx * scale}px sans-serif`
  pen.fillText(note, (gapPx / 2) * scale, 14 * scale)
  pen.drawImage(canvas, 0, noted.height - canvas.height)
  return noted
}
