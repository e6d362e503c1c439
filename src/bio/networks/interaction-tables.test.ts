import { expect, test } from 'vitest'
import {
  chooseOrganisms,
  InteractionTextError,
  onlyTransferred,
  openInteractions,
  proteinNames,
} from './interaction-tables.ts'

test('STRING: channels by the heading, the combined score last', () => {
  const { reader } = openInteractions('protein1 protein2 homology experiments experiments_transferred combined_score')
  expect(reader).toMatchObject({
    layout: 'string',
    channels: ['homology', 'experiments', 'experiments_transferred'],
    hasScores: true,
  })
  expect(reader.read('4932.Q0045 4932.YGR222W 0 292 0 292', 2)).toMatchObject({
    a: ['4932.Q0045'],
    b: ['4932.YGR222W'],
    cells: [0, 292, 0, 292],
  })
  expect(() => reader.read('4932.Q0045 4932.YGR222W 0 292', 3)).toThrow(InteractionTextError)
  expect(() => reader.read('a b 0 2 0 1.5', 3)).toThrow('score')
  expect(openInteractions('protein1 protein2 combined_score').reader.channels).toEqual([])
  expect(
    openInteractions(
      'protein1 protein2 neighborhood fusion cooccurence coexpression experimental database textmining combined_score',
    ).reader.channels,
  ).toContain('experiments')
})

test('BioGRID: names by column, experimental system and publication; a dash is nothing', () => {
  const heading =
    '#BioGRID Interaction ID\tEntrez Gene Interactor A\tEntrez Gene Interactor B\tBioGRID ID Interactor A\tBioGRID ID Interactor B\tSystematic Name Interactor A\tSystematic Name Interactor B\tOfficial Symbol Interactor A\tOfficial Symbol Interactor B\tSynonyms Interactor A\tSynonyms Interactor B\tExperimental System\tExperimental System Type\tAuthor\tPublication Source'
  const { reader } = openInteractions(heading)
  expect(reader.layout).toBe('biogrid')
  expect(
    reader.read(
      '103\t6416\t2318\t112315\t108607\tYAL001C\t-\tTFC3\tFLNC\tFUN24|tau138\t-\tTwo-hybrid\tphysical\tMarti A (1997)\tPUBMED:9006895',
      2,
    ),
  ).toMatchObject({
    a: ['YAL001C', 'TFC3', '6416', 'FUN24', 'tau138'],
    b: ['FLNC', '2318'],
    channel: 'Two-hybrid',
    publication: 'PUBMED:9006895',
    value: null,
  })
})

test('BioGRID: the numbers of the organisms, under the headings of tab2 and of tab3', () => {
  const line = (heading: string) =>
    openInteractions(
      `#BioGRID Interaction ID\tOfficial Symbol Interactor A\tOfficial Symbol Interactor B\t${heading}`,
    ).reader.read('1\tRAD51\tRAD51\t559292\t9606\tSaccharomyces cerevisiae (S288c)\tHomo sapiens', 2)?.organisms
  expect(line('Organism Interactor A\tOrganism Interactor B')).toEqual(['559292', '9606'])
  expect(
    line('Organism ID Interactor A\tOrganism ID Interactor B\tOrganism Name Interactor A\tOrganism Name Interactor B'),
  ).toEqual(['559292', '9606'])
})

// A line of BioGRID's .mitab, made up of its forms, and one of IntAct's 2.7 with quoted names.
const biogridMitab = [
  ...['entrez gene/locuslink:851262', 'entrez gene/locuslink:856892'],
  'biogrid:31674|entrez gene/locuslink:TFC3|entrez gene/locuslink:YAL001C|uniprot/swiss-prot:P34111|refseq:NP_009400',
  'biogrid:36999|entrez gene/locuslink:TFC7|entrez gene/locuslink:YOR110W',
  ...['entrez gene/locuslink:FUN24(gene name synonym)|entrez gene/locuslink:tau 138(gene name synonym)', '-'],
  ...['psi-mi:"MI:0018"(two hybrid)', '"Marti A (1997)"', 'pubmed:9006895', 'taxid:559292', 'taxid:559292'],
  ...['psi-mi:"MI:0407"(direct interaction)', 'psi-mi:"MI:0463"(biogrid)', 'biogrid:103', '-'],
]
const intactMitab = [
  ...['uniprotkb:P49418-2', 'uniprotkb:O43426'],
  ...['intact:EBI-7121510|uniprotkb:Q75MK5', 'intact:EBI-2821539'],
  'psi-mi:amph_human(display_long)|uniprotkb:"Amphiphysin | I (short)"(gene name synonym)|uniprotkb:AMPH(gene name)',
  'uniprotkb:SYNJ1(gene name)',
  ...['psi-mi:"MI:0084"(phage display)', 'Cestra et al. (1999)', 'mint:MINT-5211933|pubmed:10542231'],
  ...['taxid:9606(human)|taxid:9606("Homo sapiens")', 'taxid:9606(human)', 'psi-mi:"MI:0407"(direct interaction)'],
  ...['psi-mi:"MI:0471"(MINT)', 'intact:EBI-7121552', 'intact-miscore:0.67'],
  ...Array.from({ length: 20 }, () => '-'),
]

test('PSI-MI TAB: identifiers, symbols and aliases of BioGRID; its own numbers are nobody’s names', () => {
  const { reader, first } = openInteractions(biogridMitab.join('\t'))
  expect(reader).toMatchObject({ layout: 'mitab', hasScores: false })
  expect(first).toEqual({
    a: ['GeneID:851262', 'TFC3', 'YAL001C', 'P34111', 'NP_009400', 'FUN24', 'tau 138'],
    b: ['GeneID:856892', 'TFC7', 'YOR110W'],
    cells: null,
    value: null,
    channel: 'two hybrid',
    publication: 'PUBMED:9006895',
    organisms: ['559292', '559292'],
  })
  expect(() => reader.read('entrez gene/locuslink:851262\tentrez gene/locuslink:1', 9)).toThrow('line 9: columns')
})

test('PSI-MI TAB: names in quotation marks, isoforms of UniProt, PubMed before other publications; a negative line is none', () => {
  const { reader, first } = openInteractions([...intactMitab, 'false', '-', '-', '-', '-', '-', '-'].join('\t'))
  expect(first).toMatchObject({
    a: ['P49418-2', 'P49418', 'EBI-7121510', 'Q75MK5', 'amph_human', 'Amphiphysin | I (short)', 'AMPH'],
    b: ['O43426', 'EBI-2821539', 'SYNJ1'],
    channel: 'phage display',
    publication: 'PUBMED:10542231',
    organisms: ['9606', '9606'],
  })
  expect(reader.read([...intactMitab, 'true'].join('\t'), 2)).toBeNull()
})

test('the organism of a file is that of most matching names; a strain with a number of its own belongs to it', () => {
  const counts = (own: Record<string, [number, number]>) =>
    new Map(Object.entries(own).map(([id, [names, matched]]) => [id, { names, matched }]))
  expect([...chooseOrganisms(counts({ 9606: [900, 80], 559292: [6000, 5900], 4932: [300, 240] }))].sort()).toEqual([
    '4932',
    '559292',
  ])
  // One protein of Escherichia coli that has a name of a gene here is no strain.
  expect([...chooseOrganisms(counts({ 511145: [1, 1], 559292: [6000, 4000] }))]).toEqual(['559292'])
  expect(chooseOrganisms(new Map()).size).toBe(0)
})

test('tables: with headings in any order, or two genes and a score without', () => {
  const named = openInteractions('score,method,target,source,pmid')
  expect(named.first).toBeNull()
  expect(named.reader.read('0.9,Y2H,B,A,123', 2)).toEqual({
    a: ['A'],
    b: ['B'],
    cells: null,
    channel: 'Y2H',
    publication: '123',
    value: 0.9,
    organisms: null,
  })
  const plain = openInteractions('A\tB\t0.4')
  expect(plain.first).toMatchObject({ a: ['A'], b: ['B'], value: 0.4 })
  expect(plain.reader.hasScores).toBe(true)
  expect(openInteractions('A B').reader.hasScores).toBe(false)
  expect(openInteractions('A\tB\tpull-down').first).toMatchObject({ channel: 'pull-down', value: null })
  expect(() => plain.reader.read('A\tB\thigh', 7)).toThrow('line 7: score')
  expect(() => plain.reader.read('A\t\t1', 8)).toThrow('columns')
  expect(() => openInteractions('nothing')).toThrow('layout')
})

test('tables: a score with a decimal comma is told, and never taken for the evidence', () => {
  const thrown = (lines: string[]): unknown => {
    try {
      const { reader } = openInteractions(lines[0]!)
      for (const [at, line] of lines.slice(1).entries()) reader.read(line, at + 2)
    } catch (error) {
      return error
    }
    return null
  }
  for (const [lines, line] of [
    [['A\tB\t0,9'], 1],
    [['A;B;0,9'], 1],
    [['A B 0.5', 'A C 0,9'], 2],
    [['A,B,0,9'], 1],
    [['gene1,gene2,score', 'A,B,0,9'], 2],
    [['gene1\tgene2\tscore', 'A\tB\t0.5', 'A\tC\t0,9'], 3],
  ] as const)
    expect(thrown([...lines])).toMatchObject({ reason: 'comma', line, cell: '0,9' })
  expect(thrown(['gene1,gene2,method', 'A,B,Y2H, of Smith'])).toMatchObject({ reason: 'columns', line: 2 })
  expect(thrown(['A\tB\tpull-down', 'A\tC\t0.9'])).toMatchObject({ reason: 'score', line: 2 })
  expect(thrown(['gene1,gene2,score', 'A,B,0.9', 'A,C,1,'])).toBeNull()
})

test('names of proteins without the taxon in front and the version behind', () => {
  expect(proteinNames('4932.YAL001C')).toEqual(['4932.YAL001C', 'YAL001C'])
  expect(proteinNames('Os01g0100100')).toEqual(['Os01g0100100'])
})

test('what is known from other organisms only is told apart', () => {
  const channels = ['homology', 'experiments', 'experiments_transferred']
  expect(onlyTransferred(channels, [900, 0, 300])).toBe(true)
  expect(onlyTransferred(channels, [0, 100, 300])).toBe(false)
  expect(onlyTransferred(channels, [900, 0, 0])).toBe(false)
})
