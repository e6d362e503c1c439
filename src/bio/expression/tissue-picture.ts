/** Elements that may stand in a tissue picture: drawing and text, nothing that runs, loads or embeds. */
export const pictureElements = new Set(
  'svg g path rect circle ellipse line polyline polygon text tspan title desc defs use lineargradient radialgradient stop clippath'.split(
    ' ',
  ),
)

/**
 * A name as areas are matched by: letters and digits alone, in lower case. `areaKey('Young leaf')` is `youngleaf`, like
 * `areaKey('young_leaf')`.
 */
export const areaKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * Looks through an SVG picture that a lab supplies: its ids, or why it is refused. It may draw and write; scripts, styles, event
 * attributes, and anything from elsewhere are refused, for the picture becomes part of the page.
 */
export const inspectPicture = (svg: string): { ids: string[] } | { refused: string } => {
  if (!/<svg[\s>]/i.test(svg)) return { refused: 'no <svg> element' }
  if (/<!(DOCTYPE|ENTITY)/i.test(svg)) return { refused: 'DOCTYPE' }
  const ids: string[] = []
  const text = svg.replace(/<!--[\s\S]*?-->/g, '')
  for (const [, name = '', attributes = ''] of text.matchAll(
    /<\s*([A-Za-z_][\w:.-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/g,
  )) {
    const plain = name.toLowerCase()
    // What drawing programs note for themselves is left out by the page.
    if (plain.includes(':') || plain === 'metadata') continue
    if (!pictureElements.has(plain)) return { refused: `<${name}>` }
    for (const [, attribute = '', double, single] of attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
      const value = double ?? single ?? ''
      if (/^on/i.test(attribute)) return { refused: attribute }
      if (/(^|:)href$/i.test(attribute) && !value.trim().startsWith('#'))
        return { refused: `${attribute}="${value.slice(0, 40)}"` }
      if (/url\(\s*['"]?(?!#)/i.test(value) || /javascript:|expression\(|@import/i.test(value))
        return { refused: `${attribute}="${value.slice(0, 40)}"` }
      if (attribute === 'id') ids.push(value)
    }
  }
  return { ids }
}
