// A reader of small XML documents (XML 1.0, fifth edition): elements, attributes and text, for formats of drawings; and what writers escape.

/**
 * A text as it stands in XML, between tags or in an attribute.
 *
 * Example: `escapeXml('a < "b"')` is `a &#60; &#34;b&#34;`.
 */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export interface XmlElement {
  /** Without its prefix, in the letters of the file. */
  name: string
  /** Names in lower case and without prefix: formats changed their letters from release to release. */
  attributes: ReadonlyMap<string, string>
  children: XmlElement[]
  /** Its own text, entities resolved. */
  text: string
}

/** The document cannot be read; `line` from 1. */
export class XmlTextError extends Error {
  readonly line: number
  readonly reason: string
  constructor(reason: string, text: string, at: number) {
    const line = text.slice(0, at).split('\n').length
    super(`line ${line}: ${reason}`)
    this.name = 'XmlTextError'
    this.line = line
    this.reason = reason
  }
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Only the five entities of XML and characters by number: a document's own definitions are not followed. */
const resolveEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (whole, name: string) => {
        if (!name.startsWith('#')) return entities[name] ?? whole
        const code = Number.parseInt(
          name.slice(name[1] === 'x' || name[1] === 'X' ? 2 : 1),
          name[1] === 'x' || name[1] === 'X' ? 16 : 10,
        )
        return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole
      })
    : text

const bare = (name: string): string => name.slice(name.indexOf(':') + 1)
const attribute = /\s*([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y

/**
 * Reads a document to its root element. Comments, processing instructions and the document type are passed over. Throws XmlTextError
 * where it is not well-formed.
 *
 * Example: `parseXml('<a x="1"><b>t</b></a>').children[0].text` is `t`.
 */
export const parseXml = (text: string): XmlElement => {
  const root: XmlElement = { name: '', attributes: new Map(), children: [], text: '' }
  const open: XmlElement[] = [root]
  const skipTo = (end: string, from: number): number => {
    const found = text.indexOf(end, from)
    if (found < 0) throw new XmlTextError(`no ${end}`, text, from)
    return found + end.length
  }
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('<', at)
    const end = next < 0 ? text.length : next
    if (end > at) open.at(-1)!.text += resolveEntities(text.slice(at, end))
    if (next < 0) break
    if (text.startsWith('<!--', next)) at = skipTo('-->', next + 4)
    else if (text.startsWith('<![CDATA[', next)) {
      at = skipTo(']]>', next + 9)
      open.at(-1)!.text += text.slice(next + 9, at - 3)
    } else if (text.startsWith('<?', next)) at = skipTo('?>', next + 2)
    else if (text.startsWith('<!', next)) {
      const close = skipTo('>', next + 2)
      const subset = text.indexOf('[', next)
      at = subset >= 0 && subset < close ? skipTo('>', skipTo(']', subset)) : close
    } else if (text[next + 1] === '/') {
      at = skipTo('>', next + 2)
      const name = bare(text.slice(next + 2, at - 1).trim())
      const closed = open.pop()!
      if (open.length === 0 || closed.name !== name) throw new XmlTextError(`</${name}>`, text, next)
    } else {
      const named = /[^\s/>]+/y
      named.lastIndex = next + 1
      const name = named.exec(text)?.[0]
      if (name === undefined) throw new XmlTextError('<', text, next)
      at = named.lastIndex
      const attributes = new Map<string, string>()
      attribute.lastIndex = at
      for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
        attributes.set(bare(match[1]!).toLowerCase(), resolveEntities(match[2] ?? match[3] ?? ''))
        at = attribute.lastIndex
      }
      while (/\s/.test(text[at] ?? '')) at += 1
      const element: XmlElement = { name: bare(name), attributes, children: [], text: '' }
      open.at(-1)!.children.push(element)
      if (text.startsWith('/>', at)) at += 2
      else if (text[at] === '>') {
        at += 1
        open.push(element)
      } else throw new XmlTextError(`<${name}`, text, at)
    }
  }
  if (open.length > 1) throw new XmlTextError(`<${open.at(-1)!.name}>`, text, text.length)
  const [first] = root.children
  if (first === undefined || root.children.length > 1 || root.text.trim() !== '')
    throw new XmlTextError('root', text, 0)
  return first
}
