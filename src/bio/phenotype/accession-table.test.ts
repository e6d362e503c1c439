import { expect, test } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import { parseAccessions } from './accession-table.ts'

const parse = (text: string) => {
  const log = new DefectLog()
  return { ...parseAccessions(text.split('\n'), 'a.tsv', log), log }
}

test('columns stand in any order under the usual names, others are kept as numbers or words', () => {
  const { accessions, groupings, log } = parse(
    'lon\tsample\tlat\tcountry\tpop\thabitat\tyear\n13.4\tA1\t52.5\tGermany\tEurope\toak\t1998\nNA\tA2\t\tChina\tAsia\tsoil\t2004\n121\tA3\t31.2\tChina\tAsia\toak\t1998\n116\tA4\t40\tChina\tAsia\tsoil\tNA',
  )
  expect(log.defects).toEqual([])
  expect(accessions[0]).toEqual({
    id: 'A1',
    name: null,
    population: 'Europe',
    country: 'Germany',
    latitude: 52.5,
    longitude: 13.4,
    attributes: { habitat: 'oak', year: 1998 },
  })
  expect(accessions[1]).toMatchObject({ latitude: null, longitude: null })
  expect(accessions[3]!.attributes).toEqual({ habitat: 'soil' })
  expect(groupings).toEqual(['population', 'country', 'habitat', 'year'])
})

test('an accession that stands twice and a decimal comma are errors with their lines', () => {
  const { log } = parse('accession;latitude;longitude\nA;52,5;13.4\nB;10;10\nA;1;1\n;1;1')
  expect(log.defects.map(({ code, line, params }) => [code, line, params])).toEqual([
    ['phenotype-decimal-comma', 2, { value: '52,5', column: 'latitude' }],
    ['accession-repeated', 4, { accession: 'A', line: 2 }],
    ['accession-no-name', 5, {}],
  ])
  expect(log.hasErrors).toBe(true)
})

test('a place off the globe is told and left out, the accession stays', () => {
  const { accessions, log } = parse('accession,latitude,longitude\nA,131.2,40\nB,-33.9,18.4')
  expect(log.defects.map(({ code, severity, line }) => [code, severity, line])).toEqual([
    ['accession-place', 'warning', 2],
  ])
  expect(accessions.map(({ id, latitude, longitude }) => [id, latitude, longitude])).toEqual([
    ['A', null, null],
    ['B', -33.9, 18.4],
  ])
})

test('without a column of the usual names the first one has the accessions', () => {
  const { accessions } = parse('code,name\nX1,Golden Promise\n')
  expect(accessions).toMatchObject([{ id: 'X1', name: 'Golden Promise' }])
})

test('an empty table is an error', () => {
  expect(parse('accession\tname\n').log.defects.map(({ code }) => code)).toEqual(['accession-none'])
})
