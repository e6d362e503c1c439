import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { RegionText } from './region-text.tsx'

/** The parts that stay whole. */
const partsOf = (place: string): string[] =>
  renderToStaticMarkup(createElement(RegionText, null, place))
    .split('<wbr/>')
    .map((part) => part.replace(/<[^>]*>/g, ''))

it('a place is parted behind its colon and its dots, never within a number', () => {
  expect(partsOf('NC_000962.3:2,950,001..2,970,000')).toEqual(['NC_000962.3:', '2,950,001..', '2,970,000'])
  expect(partsOf('chr1:761,155')).toEqual(['chr1:', '761,155'])
  expect(partsOf('HLA:A:5..7')).toEqual(['HLA:A:', '5..', '7'])
})

it('places in a row are parted between each other', () => {
  expect(partsOf('chr1:5..7 chr2:9')).toEqual(['chr1:', '5..', '7 ', 'chr2:', '9'])
})
