import { expect, test } from 'vitest'
import { tellingName } from './names.ts'
import { readHeaderOrganism } from './survey.ts'

test('of names that say nothing none is taken, and the first that does', () => {
  expect(
    tellingName(['genome.fa', 'genes.gff3.gz', 'ncbi_dataset.zip', 'data', 'results', 'Download (2).zip']),
  ).toBeNull()
  expect(tellingName(['genome.fa', 'SK1.all_feature.gff', 'Y12.fa'])).toBe('SK1')
  expect(tellingName(['GCF_000146045.2.zip'])).toBe('GCF_000146045.2')
  expect(tellingName(['rice.tar.gz'])).toBe('rice')
})

test('the organism is read from headers as archives write them, and from no others', () => {
  expect(readHeaderOrganism('NC_001133.9 Saccharomyces cerevisiae S288C chromosome I, complete sequence')).toEqual({
    species: 'Saccharomyces cerevisiae',
    strain: 'S288C',
  })
  expect(
    readHeaderOrganism('JAABLG010000001.1 Ustilago maydis strain SG200 chromosome 1, whole genome shotgun sequence'),
  ).toEqual({ species: 'Ustilago maydis', strain: 'SG200' })
  for (const header of ['chr1', 'chr1 Assembled by hand', '1 dna:chromosome chromosome:R64-1-1:I:1:230218:1 REF'])
    expect(readHeaderOrganism(header)).toBeNull()
})
