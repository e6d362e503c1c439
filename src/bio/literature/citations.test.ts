import { describe, expect, it } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import { formatCitation, formatCslJson } from './citations.ts'
import { parseBibtex } from './references.ts'

const read = (text: string) => parseBibtex(text, { file: 'x.bib', log: new DefectLog() })

const goffeau = read(`@article{goffeau1996,
  author = {Goffeau, A. and Barrell, Bart G. and others}, title = {Life with 6000 Genes}, journal = {Science}, year = 1996,
  volume = 274, number = 5287, pages = {546--567}, doi = {10.1126/science.274.5287.546}, pmid = {8849441}, keywords = {yeast}
}`)[0]!

describe('a citation as text', () => {
  it('follows the NLM in English', () => {
    expect(formatCitation(goffeau, 'en')).toBe(
      'Goffeau A, Barrell BG, et al. Life with 6000 Genes. Science. 1996;274(5287):546-567. doi:10.1126/science.274.5287.546 PMID: 8849441',
    )
  })

  it('follows GB/T 7714 in Chinese', () => {
    expect(formatCitation(goffeau, 'zh')).toBe(
      'GOFFEAU A, BARRELL B G, et al. Life with 6000 Genes[J]. Science, 1996, 274(5287): 546-567. DOI: 10.1126/science.274.5287.546.',
    )
  })

  it('names six authors in English and three in Chinese, and a consortium as it is', () => {
    const many = read(
      '@article{a, author = {Li, Jean-Luc and B, B and C, C and D, D and {Yeast Consortium} and F, F and G, G}, title = {Why?}, year = 2001}',
    )[0]!
    expect(formatCitation(many, 'en')).toBe('Li JL, B B, C C, D D, Yeast Consortium, F F, et al. Why? 2001.')
    expect(formatCitation(many, 'zh')).toBe('LI J L, B B, C C, et al. Why?[J]. 2001.')
  })

  it('writes Chinese names without a space and "等" after them', () => {
    const chinese = read(
      '@article{a, author = {王, 伟 and others}, title = {水稻基因组}, journal = {遗传}, year = 2010}',
    )[0]!
    expect(formatCitation(chinese, 'zh')).toBe('王伟, 等. 水稻基因组[J]. 遗传, 2010.')
  })

  it('cites a chapter in its book and an entry with nothing but its key', () => {
    const [chapter, bare] = read(
      '@incollection{c, author = {A, B}, title = {Yeast}, booktitle = {Fungi}, publisher = {Press}, year = 1999, pages = {1--9}} @misc{lonely}',
    )
    expect(formatCitation(chapter!, 'zh')).toBe('A B. Yeast[M]//Fungi. Press, 1999: 1-9.')
    expect(formatCitation(chapter!, 'en')).toBe('A B. Yeast. In: Fungi. Press; 1999. p. 1-9.')
    expect(formatCitation(bare!, 'en')).toBe('lonely.')
  })
})

describe('CSL-JSON', () => {
  it('has names apart, the year as date-parts and no empty field', () => {
    expect(JSON.parse(formatCslJson([goffeau]))).toEqual([
      {
        id: 'goffeau1996',
        type: 'article-journal',
        title: 'Life with 6000 Genes',
        author: [{ family: 'Goffeau', given: 'A.' }, { family: 'Barrell', given: 'Bart G.' }, { literal: 'others' }],
        issued: { 'date-parts': [[1996]] },
        'container-title': 'Science',
        volume: '274',
        issue: '5287',
        page: '546-567',
        DOI: '10.1126/science.274.5287.546',
        PMID: '8849441',
        keyword: 'yeast',
      },
    ])
  })
})
