import { expect, test } from 'vitest'
import type { VcfRecord } from '../../../bio/variation/vcf.ts'
import type { PortalData } from '../../../kit/data/portal-data.ts'
import { createEffectTeller } from '../../../kit/data/variants/told-effects.ts'
import { showSite, testTrait } from './haplotype-task.ts'

const recordOf = (alternates: string[], bcsq: string): VcfRecord => ({
  sequence: 'chr1',
  position1: 100,
  end1: 101,
  ids: [],
  reference: 'AC',
  alternates,
  quality: null,
  filters: ['PASS'],
  info: `BCSQ=${bcsq}`,
  format: '',
  samples: '',
})
const siteOf = (alternates: string[], ...effects: string[]) =>
  showSite(
    { row: 0, record: recordOf(alternates, effects.join(',')), genotypes: null },
    'YFG1',
    // Nothing in these is to be looked up.
    createEffectTeller({} as PortalData, 'A1'),
  )

test('the consequence and the change of the protein are of one effect, the gravest', async () => {
  const splice = 'splice_region|YFG1|T2|protein_coding|+'
  const shift = 'splice_region&frameshift|YFG1|T1|protein_coding|+|7TEEDKL*>7TNT*|100AC>A'
  for (const effects of [
    [splice, shift],
    [shift, splice],
  ]) {
    const site = await siteOf(['A'], ...effects)
    expect(site).toMatchObject({ consequence: 'frameshift', consequences: ['frameshift', 'splice_region'] })
    expect(site.proteinChange).toBe('p.(Glu8AsnfsTer3)')
  }
})

test('of two alleles the change is that of the consequence', async () => {
  const [missense, stop] = [
    'missense|YFG1|T1|protein_coding|+|7T>7A|100AC>GC',
    'stop_gained|YFG1|T1|protein_coding|+|7T>7*|100AC>TC',
  ]
  expect(await siteOf(['GC', 'TC'], missense!, stop!)).toMatchObject({
    consequence: 'stop_gained',
    aminoAcids: '7T>7*',
  })
})

test('a graver effect that tells no protein does not borrow that of another transcript', async () => {
  const [acceptor, missense] = [
    'splice_acceptor|YFG1|T2|protein_coding|+',
    'missense|YFG1|T1|protein_coding|+|7T>7A|100AC>GC',
  ]
  expect(await siteOf(['GC'], missense!, acceptor!)).toMatchObject({ consequence: 'splice_acceptor', aminoAcids: null })
})

test.each(['anova', 'welch'] as const)(
  'two haplotypes whose values do not vary are not said to differ by %s',
  (method) => {
    const groups = [3, 4, 5].map((value, haplotype) => ({ haplotype, values: [value, value], levels: [] }))
    const { pairs, test: whole, groups: told } = testTrait(groups, null, method)
    expect([pairs, whole]).toEqual([[], null])
    expect(told.map(({ letters }) => letters)).toEqual(['a', 'a', 'a'])
  },
)
