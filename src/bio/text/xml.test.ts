import { expect, test } from 'vitest'
import { parseXml, XmlTextError } from './xml.ts'

test('elements, attributes in any letters and with prefixes, text with entities and CDATA', () => {
  const root = parseXml(`<?xml version="1.0"?>
<!DOCTYPE a [ <!ENTITY bomb "x"> ]>
<!-- a > b -->
<ns:a ns:Name='x &lt; y'><b GraphId="1"/>t&#65;&#x42;&bomb;<![CDATA[<raw>&amp;]]></ns:a>`)
  expect(root.name).toBe('a')
  expect(root.attributes.get('name')).toBe('x < y')
  expect(root.children.map(({ name, attributes }) => [name, attributes.get('graphid')])).toEqual([['b', '1']])
  // A document's own entities are left as they stand: nothing grows by them.
  expect(root.text).toBe('tAB&bomb;<raw>&amp;')
})

test.each([
  ['<a><b></a>', 1],
  ['<a>\n<b x=1></b></a>', 2],
  ['<a/><b/>', 1],
  ['<a>\n\n<!-- ', 3],
  ['<a', 1],
  ['', 1],
  ['text', 1],
])('what is not well-formed is refused with its line: %j', (text, line) => {
  try {
    parseXml(text)
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(XmlTextError)
    expect((error as XmlTextError).line).toBe(line)
  }
})

test('a hundred thousand open elements are read without a deep stack', () => {
  const depth = 100_000
  expect(parseXml(`${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`).name).toBe('a')
})
