import { expect, test } from 'vitest'
import { InteractionTextError, onlyTransferred, openInteractions, proteinNames } from './interaction-tables.ts'

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

test('tables: with headings in any order, or two genes and a score without', () => {
  const named = openInteractions('score,method,target,source,pmid')
  expect(named.first).toBeNull()
  expect(named.reader.read('0.9,Y2H,B,A,123', 2)).toEqual({
    ...{ a: ['A'], b: ['B'], cells: null, channel: 'Y2H', publication: '123', value: 0.9 },
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
