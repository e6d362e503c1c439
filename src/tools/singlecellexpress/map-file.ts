import { escapeXml } from '../../bio/text/xml.ts'
import { viridis } from '../../kit/ui/figures/palette.ts'
import { levelColour } from './cell-colours.ts'

/** Room right of the map for what its colours mean. */
const legendPx = 240

/**
 * The map of cells as an SVG file on white: `picture` (a data address) with both axes named and the legend, either the groups in their
 * colours or the least and the most of a magnitude.
 */
export const renderMapFile = ({
  width,
  height,
  picture,
  axes,
  legend,
}: {
  width: number
  height: number
  picture: string
  axes: readonly [across: string, upwards: string]
  legend: readonly { name: string; cells: number }[] | { name: string; min: number; max: number }
}): string => {
  const left = width + 12
  const meaning =
    'min' in legend
      ? `<text x="${left}" y="20" font-size="12">${escapeXml(legend.name)}: ${legend.min.toPrecision(3)} – ${legend.max.toPrecision(3)}</text>${Array.from({ length: 50 }, (_, at) => `<rect x="${left + 3 * at}" y="28" width="3" height="10" fill="${viridis(at / 49)}"/>`).join('')}`
      : legend
          .map(
            ({ name, cells }, at) =>
              `<circle cx="${left + 6}" cy="${16 + 16 * at}" r="5" fill="${levelColour(at)}"/><text x="${left + 18}" y="${20 + 16 * at}" font-size="12">${escapeXml(name)} (${cells})</text>`,
          )
          .join('')
  const rows = 'min' in legend ? 1 : legend.length
  const [across, upwards] = axes.map(escapeXml)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width + legendPx}" height="${Math.max(height, 24 + 16 * rows)}" font-family="sans-serif">`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    `<image width="${width}" height="${height}" href="${picture}"/>`,
    `<text x="20" y="${height - 6}" font-size="11">${across} →</text>`,
    `<text transform="translate(12,${height - 20}) rotate(-90)" font-size="11">${upwards} →</text>`,
    `${meaning}</svg>`,
  ].join('')
}
