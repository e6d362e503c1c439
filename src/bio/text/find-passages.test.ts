import { describe, expect, it } from 'vitest'
import { findPassages } from './find-passages.ts'

const sections = [
  { id: 'blast', title: 'BLAST', text: 'The **e-value** of a hit; see [E-value](/x). | e-value |' },
  { id: 'jbrowse', title: '基因组浏览器', text: '按 `基因` 查看轨道' },
]

describe('finding within the documents', () => {
  it('finds words in any case, without the signs of Markdown', () => {
    const found = findPassages(sections, 'E-VALUE')
    expect(found.map((one) => one.match)).toEqual(['e-value', 'E-value', 'e-value'])
    expect(found[0]).toMatchObject({ id: 'blast', title: 'BLAST', before: 'BLAST. The ' })
  })

  it('finds Chinese, and titles too', () => {
    expect(findPassages(sections, '基因').map((one) => one.id)).toEqual(['jbrowse', 'jbrowse'])
  })

  it('begins with words, and puts sections of that name first', () => {
    expect(findPassages(sections, 'value')).toHaveLength(3)
    expect(findPassages(sections, 'alue')).toEqual([])
    const more = [...sections, { id: 'evalue', title: 'E-value', text: 'what it is' }]
    expect(findPassages(more, 'e-value')[0]!.id).toBe('evalue')
  })

  it('finds nothing for nothing', () => {
    expect(findPassages(sections, '  ')).toEqual([])
    expect(findPassages(sections, 'primer')).toEqual([])
  })
})
