import { expect, test } from 'vitest'
import { createSvgInk } from './ink.ts'

test('a leaf’s gene symbol is in italics in the saved tree, its assembly upright, and signs of XML are written as such', () => {
  const ink = createSvgInk(200, 50)
  ink.text(10, 10, 'esxA H37Rv <1>', { colour: '#000', size: 11, slanted: 4 })
  ink.text(10, 30, 'MSMEG_0066', { colour: '#000', size: 11 })
  const file = ink.finish('tree', '')
  expect(file).toContain('<tspan font-style="italic">esxA</tspan> H37Rv &lt;1&gt;</text>')
  expect(file).toContain('>MSMEG_0066</text>')
})
