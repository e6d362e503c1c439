import { describe, expect, it } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import { formatBibtex, formatRis, latexToText, parseBibtex, parseRis, type Reference } from './references.ts'

function read(parse: typeof parseBibtex, text: string) {
  const log = new DefectLog()
  const references = parse(text, { file: 'x', log })
  return { references, defects: log.defects.map(({ code, line }) => `${code}@${line}`) }
}

describe('latexToText', () => {
  it.each([
    ["{\\'E}tude of {DNA} in \\textit{S.~cerevisiae}", 'Étude of DNA in S. cerevisiae'],
    ['M{\\"u}ller and M\\"uller and M\\"{u}ller', 'Müller and Müller and Müller'],
    ["Garc{\\'\\i}a, Garc\\'{\\i}a", 'García, García'],
    ["\\v{C}ech, Nov\\'ak, {\\v S}imon", 'Čech, Novák, Šimon'],
    ['Fran{\\c c}ois, {\\c{S}}ahin', 'François, Şahin'],
    ['{\\O}stergaard, {\\L}ukasz, Stra{\\ss}e, \\aa ngstr\\"om', 'Østergaard, Łukasz, Straße, ångström'],
    ['Erd\\H{o}s and \\k{A}', 'Erdős and Ą'],
    ['the $\\alpha$-amylase of \\emph{A. niger}, 5--10\\%', 'the α-amylase of A. niger, 5–10%'],
    ["``quoted'' --- so", '“quoted” — so'],
    ['R\\&D \\_ \\# \\$', 'R&D _ # $'],
  ])('%s', (latex, text) => {
    expect(latexToText(latex)).toBe(text)
  })
})

describe('parseBibtex', () => {
  it('reads nested braces, quotes, strings joined by #, and skips comments', () => {
    const { references, defects } = read(
      parseBibtex,
      `This is no entry.
@comment{ @article{no, title={no}} }
@string{sci = "Science"}
@STRING(pub = {Plant })
@Article{Goffeau1996,
  author  = "Goffeau, A. and Barrell, B. G. and {Yeast Genome Consortium} and Ludwig van Beethoven and others",
  title   = {Life with {6000} Genes: {\\'E}tude},
  journal = sci # { and } # pub # "Cell",
  year    = 1996,
  volume  = 274,
  number  = {5287},
  pages   = {546--567},
  doi     = {https://doi.org/10.1126/science.274.5287.546},
  pmid    = {8849441},
  keywords = {yeast, genome; sequence},
  month   = oct
}`,
    )
    expect(defects).toEqual([])
    expect(references).toEqual([
      {
        key: 'Goffeau1996',
        type: 'article',
        title: 'Life with 6000 Genes: Étude',
        authors: ['Goffeau, A.', 'Barrell, B. G.', 'Yeast Genome Consortium', 'van Beethoven, Ludwig', 'et al.'],
        year: 1996,
        journal: 'Science and Plant Cell',
        volume: '274',
        issue: '5287',
        pages: '546-567',
        publisher: null,
        doi: '10.1126/science.274.5287.546',
        pubmedId: '8849441',
        url: null,
        abstract: null,
        keywords: ['yeast', 'genome', 'sequence'],
        genes: [],
        line: 5,
      },
    ])
  })

  it('reads CRLF, outer parentheses, an empty entry and one without a key', () => {
    const { references, defects } = read(
      parseBibtex,
      '@book(b1,\r\n title = {A},\r\n)\r\n@misc{}\r\n@article{title = {Keyless}}\r\n@article{b1, title={Again}}',
    )
    expect(references.map(({ key, title, type }) => [key, type, title])).toEqual([
      ['b1', 'book', 'A'],
      ['reference_1', 'misc', null],
      ['reference_2', 'article', 'Keyless'],
      ['b1_2', 'article', 'Again'],
    ])
    expect(defects).toEqual([
      'reference-key-missing@4',
      'reference-key-missing@5',
      'reference-no-title@4',
      'reference-duplicate-key@6',
    ])
  })

  it('names the entry whose brace is not closed, and reads the next one', () => {
    const { references, defects } = read(
      parseBibtex,
      '@article{bad,\n title = {Open {brace},\n year = 2000\n}\n\n@article{good, title = {Good}, journal = nope}',
    )
    expect(defects).toEqual(['reference-unfinished@1', 'reference-unknown-string@6'])
    expect(references.map(({ key, journal }) => [key, journal])).toEqual([['good', 'nope']])
  })

  it('refuses what is no BibTeX', () => {
    expect(read(parseBibtex, 'a@b.c wrote this').defects).toEqual(['reference-none@null'])
  })
})

describe('parseRis', () => {
  it('reads what EndNote, Zotero and PubMed write, and values over several lines', () => {
    const { references, defects } = read(
      parseRis,
      '\ufeffTY  - JOUR\r\nA1  - Yue, Jia-Xing\r\nAU  - Li, Jing\r\nTI  - Contrasting evolutionary genome dynamics between\r\ndomesticated and wild yeasts\r\nJF  - Nature Genetics\r\nJO  - Nat Genet\r\nPY  - 2017/06/01/\r\nVL  - 49\r\nIS  - 6\r\nSP  - 913\r\nEP  - 924\r\nDO  - https://doi.org/10.1038/ng.3847\r\nUR  - https://pubmed.ncbi.nlm.nih.gov/28416820/\r\nKW  - yeast; genome\r\nKW  - PacBio\r\nER  - \r\n',
    )
    expect(defects).toEqual([])
    expect(references).toEqual([
      {
        key: 'Yue2017',
        type: 'article',
        title: 'Contrasting evolutionary genome dynamics between domesticated and wild yeasts',
        authors: ['Yue, Jia-Xing', 'Li, Jing'],
        year: 2017,
        journal: 'Nat Genet',
        volume: '49',
        issue: '6',
        pages: '913-924',
        publisher: null,
        doi: '10.1038/ng.3847',
        pubmedId: '28416820',
        url: 'https://pubmed.ncbi.nlm.nih.gov/28416820/',
        abstract: null,
        keywords: ['yeast', 'genome', 'PacBio'],
        genes: [],
        line: 1,
      },
    ])
  })
  it('ends a record that lacks ER before the next, and names lines that belong to none', () => {
    const { references, defects } = read(
      parseRis,
      'Exported 2020\nTY  - BOOK\nTI  - A\nTY  - JOUR\nAU  - B, C\nER  -\nVL  - 3\n',
    )
    expect(references.map(({ type, title }) => [type, title])).toEqual([
      ['book', 'A'],
      ['article', null],
    ])
    expect(defects).toEqual([
      'reference-bad-line@1',
      'reference-no-end@2',
      'reference-bad-line@7',
      'reference-no-title@4',
    ])
  })
})

describe('writing', () => {
  const reference: Reference = {
    key: 'Müller 2001',
    type: 'article',
    title: 'Growth at 50 % of {DNA} & RNA_1, α–β',
    authors: ['Müller, Ä.', 'The Yeast Consortium', 'et al.'],
    year: 2001,
    journal: 'Cell',
    volume: '1',
    issue: '2',
    pages: '3-9',
    publisher: null,
    doi: '10.1000/a_b~c',
    pubmedId: '123',
    url: 'https://example.org/a_b~c?x=1&y=2',
    abstract: 'One.',
    keywords: ['a', 'b'],
    genes: ['YAL001C', 'tfcX'],
    line: 1,
  }
  it('BibTeX is read back as the same reference', () => {
    const { references, defects } = read(parseBibtex, formatBibtex([reference]))
    expect(defects).toEqual([])
    expect(references).toEqual([{ ...reference, key: 'Müller_2001' }])
  })
  it('RIS is read back as the same reference', () => {
    const { references, defects } = read(parseRis, formatRis([reference, { ...reference, key: 'x', type: 'book' }]))
    expect(defects).toEqual([])
    expect(references[0]).toEqual(reference)
    expect(references[1]!.type).toBe('book')
  })
})
