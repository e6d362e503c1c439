import { expect, test } from 'vitest'
import { groupHaplotypes } from '../../../bio/variation/haplotypes.ts'
import { readGenotypes } from '../../../bio/variation/vcf.ts'
import { chooseDrawn } from './drawn-haplotypes.ts'

/** Sites at which each of `count` accessions has the bits of its own number, so that no two are alike. */
const oneEach = (count: number, copyOf: (bit: number) => string) =>
  Array.from({ length: 6 }, (_, site) => {
    const samples = Array.from({ length: count }, (_, sample) => copyOf((sample >> site) & 1))
    return readGenotypes({ format: 'GT', samples: samples.join('\t') }, count)!
  })

test('a haplotype that one accession carries is kept with it, however many there are', () => {
  const { haplotypes, assigned } = groupHaplotypes(oneEach(53, String), 53)
  expect(haplotypes).toHaveLength(53)
  for (const { copies, accessions } of haplotypes) expect([copies, accessions.length]).toEqual([1, 1])
  expect(new Set(haplotypes.flatMap(({ accessions }) => accessions)).size).toBe(53)
  for (const [accession, { haplotypes: own, state }] of assigned.entries()) {
    expect(state).toBe('complete')
    expect(haplotypes[own[0]!]!.accessions).toEqual([accession])
  }
  const { drawn, others } = chooseDrawn(haplotypes)
  expect([drawn.length, others]).toEqual([40, { count: 13, copies: 1 }])
})

test('one homozygous diploid carries two copies, and is one accession', () => {
  const { haplotypes } = groupHaplotypes(
    oneEach(41, (bit) => `${bit}/${bit}`),
    41,
  )
  for (const { copies, accessions } of haplotypes) expect([copies, accessions.length]).toEqual([2, 1])
  expect(chooseDrawn(haplotypes).others).toEqual({ count: 1, copies: 2 })
})

test('two haplotypes that one accession carries are each counted, and neither is its own', () => {
  const sites = [
    ['0|1', '0|0', '0|0'],
    ['1|0', '0|0', '0|0'],
  ].map((samples) => readGenotypes({ format: 'GT', samples: samples.join('\t') }, 3)!)
  const { haplotypes, assigned } = groupHaplotypes(sites, 3)
  expect(haplotypes).toEqual([
    { alleles: Int16Array.of(0, 0), copies: 4, accessions: [1, 2] },
    { alleles: Int16Array.of(0, 1), copies: 1, accessions: [] },
    { alleles: Int16Array.of(1, 0), copies: 1, accessions: [] },
  ])
  expect(assigned[0]).toEqual({ haplotypes: [1, 2], state: 'complete' })
  expect(chooseDrawn(haplotypes)).toEqual({ drawn: haplotypes, others: null })
})
