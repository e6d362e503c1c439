import { describe, expect, test } from 'vitest'
import { align } from '../../testing/alignment.ts'
import { Coverage, chainAlignments, rankChains } from './alignment-chains.ts'
import type { PafRecord } from './paf.ts'
import { callVariants, mergeVariants, type StructuralVariant, type VariantOptions } from './structural-variants.ts'

const call = (records: PafRecord[], options?: VariantOptions): StructuralVariant[] =>
  callVariants(rankChains(chainAlignments(records)), options)

const brief = (variants: StructuralVariant[]) =>
  variants.map(({ class: kind, target, start0, end0, lengthBp }) => [kind, `${target}:${start0}-${end0}`, lengthBp])

describe('chains', () => {
  test('a transposon that is missing between two alignments joins them; a repeat far away does not join', () => {
    const chains = chainAlignments([
      align(['chrI', 0], ['a', 0], '+', '150000='),
      align(['chrI', 156_000], ['a', 150_000], '+', '100000='),
      align(['chrI', 500_000], ['a', 600_000], '+', '6000='),
    ])
    expect(chains.map(({ alignments }) => alignments.length)).toEqual([2, 1])
    // 5 % of the 6 kb.
    expect(chains[0]!.score).toBe(250_000 - 300)
  })

  test('alignments of the reverse strand follow each other downwards on the query', () => {
    const chains = chainAlignments([
      align(['chrI', 0], ['a', 60_000], '-', '50000='),
      align(['chrI', 50_000], ['a', 10_000], '-', '50000='),
      align(['chrI', 100_000], ['a', 200_000], '-', '50000='),
    ])
    expect(chains.map(({ alignments }) => alignments.length)).toEqual([2, 1])
  })

  test('secondary alignments are left out', () => {
    expect(chainAlignments([align(['chrI', 0], ['a', 0], '+', '500=', { kind: 'secondary' })])).toEqual([])
  })

  test('the better chain is the first to have a stretch', () => {
    const ranked = rankChains(
      chainAlignments([align(['chrI', 0], ['a', 0], '+', '10000='), align(['chrI', 8000], ['b', 0], '+', '4000=')]),
    )
    expect(ranked.map(({ ownTarget, ownQuery }) => [ownTarget, ownQuery])).toEqual([
      [1, 1],
      [0.5, 1],
    ])
  })
})

describe('coverage', () => {
  test('intervals that touch are one, and bases are counted once', () => {
    const coverage = new Coverage()
    for (const [start0, end0] of [
      [10, 20],
      [30, 40],
      [20, 25],
      [5, 8],
      [7, 12],
      [50, 50],
    ] as const)
      coverage.add('chrI', start0, end0)
    expect(coverage.intervals('chrI')).toEqual([
      [5, 25],
      [30, 40],
    ])
    expect(coverage.coveredBp('chrI', 0, 35)).toBe(25)
    expect(coverage.coveredBp('chrII', 0, 35)).toBe(0)
    expect(coverage.within('chrI', 25, 30)).toEqual([])
  })
})

describe('variants within an alignment', () => {
  test('from 50 bp on, deletions and insertions are called with their places in both assemblies', () => {
    const variants = call([align(['chrI', 1000], ['a', 500], '+', '20000=49D100=50D20000=60I30000=')])
    expect(brief(variants)).toEqual([
      ['deletion', 'chrI:21149-21199', 50],
      ['insertion', 'chrI:41199-41199', 60],
    ])
    expect(variants[0]).toMatchObject({ query: 'a', queryStart0: 20_600, queryEnd0: 20_600 })
    expect(variants[1]).toMatchObject({ queryStart0: 40_600, queryEnd0: 40_660 })
  })

  test('on the reverse strand the place in the assembly counts from its other end', () => {
    const [deletion, insertion] = call([align(['chrI', 0], ['a', 500], '-', '1000=80D1000=90I1000=')])
    expect(deletion).toMatchObject({ start0: 1000, end0: 1080, queryStart0: 2590, queryEnd0: 2590 })
    expect(insertion).toMatchObject({ start0: 2080, queryStart0: 1500, queryEnd0: 1590 })
  })

  test('gaps that only chance matches part are one variant, and other bases in place of bases a replacement', () => {
    expect(brief(call([align(['chrI', 0], ['a', 0], '+', '9000=3000D4=2900D9000=')]))).toEqual([
      ['deletion', 'chrI:9000-14904', 5900],
    ])
    expect(brief(call([align(['chrI', 0], ['a', 0], '+', '9000=300D3=500I9000=')]))).toEqual([
      ['replacement', 'chrI:9000-9303', 503],
    ])
  })

  test('what could as well lie elsewhere is not called from', () => {
    expect(call([align(['chrI', 0], ['a', 0], '+', '9000=80D9000=', { mapq: 4 })])).toEqual([])
  })
})

describe('variants between alignments', () => {
  test('a gap on one side only is a deletion or an insertion, on both a replacement', () => {
    const first = align(['chrI', 0], ['a', 0], '+', '90000=')
    expect(brief(call([first, align(['chrI', 100_000], ['a', 90_010], '+', '90000=')]))).toEqual([
      ['deletion', 'chrI:90000-100000', 9990],
    ])
    expect(brief(call([first, align(['chrI', 90_000], ['a', 100_000], '+', '90000=')]))).toEqual([
      ['insertion', 'chrI:90000-90000', 10_000],
    ])
    expect(brief(call([first, align(['chrI', 95_000], ['a', 93_000], '+', '90000=')]))).toEqual([
      ['replacement', 'chrI:90000-95000', 5000],
    ])
  })

  test('reference bases that both alignments have are twice in the assembly', () => {
    const [variant] = call([
      align(['chrI', 0], ['a', 0], '+', '90000='),
      align(['chrI', 88_000], ['a', 90_000], '+', '90000='),
    ])
    expect(variant).toMatchObject({
      class: 'tandem-duplication',
      start0: 88_000,
      end0: 90_000,
      queryStart0: 90_000,
      queryEnd0: 92_000,
      lengthBp: 2000,
    })
  })

  test('assembly bases that both alignments have are twice in the reference: one copy is deleted, the left one', () => {
    expect(
      brief(call([align(['chrI', 0], ['a', 0], '+', '90000='), align(['chrI', 90_000], ['a', 88_000], '+', '90000=')])),
    ).toEqual([['deletion', 'chrI:88000-90000', 2000]])
  })

  test('an inverted stretch between collinear neighbours is an inversion and no replacement', () => {
    const variants = call([
      align(['chrXIV', 0], ['a', 0], '+', '100000='),
      align(['chrXIV', 100_000], ['a', 100_000], '-', '32000='),
      align(['chrXIV', 132_000], ['a', 132_000], '+', '100000='),
    ])
    expect(brief(variants)).toEqual([['inversion', 'chrXIV:100000-132000', 32_000]])
  })

  test('a piece of 20 kb that lies on another chromosome is moved, not deleted', () => {
    const variants = call([
      align(['chrI', 0], ['a', 0], '+', '100000='),
      align(['chrI', 120_000], ['a', 100_000], '+', '100000='),
      align(['chrI', 100_000], ['b', 50_000], '+', '20000='),
      align(['chrII', 0], ['b', 0], '+', '50000='),
    ])
    expect(brief(variants)).toEqual([['breakpoint', 'chrII:50000-50000', 0]])
  })

  test('of an assembly whose contig reads the other way round nothing is inverted', () => {
    expect(call([align(['chrXIV', 0], ['a', 0], '-', '100000=')])).toEqual([])
  })
})

describe('joins along the assembly', () => {
  const swapped = [
    align(['chrVII', 0], ['a', 0], '+', '300000='),
    align(['chrVIII', 400_000], ['a', 300_000], '+', '100000='),
    align(['chrVIII', 0], ['b', 0], '+', '400000='),
    align(['chrVII', 300_000], ['b', 400_000], '+', '200000='),
  ]

  test('a reciprocal translocation has two breakpoints at the same two places', () => {
    const joins = call(swapped)
    expect(joins.map(({ class: kind, target, start0, mate, query }) => [kind, query, target, start0, mate])).toEqual([
      [
        'breakpoint',
        'a',
        'chrVII',
        300_000,
        { side: 'left', target: 'chrVIII', position0: 400_000, otherSide: 'right' },
      ],
      [
        'breakpoint',
        'b',
        'chrVIII',
        400_000,
        { side: 'left', target: 'chrVII', position0: 300_000, otherSide: 'right' },
      ],
    ])
  })

  test('the contigs of one chromosome have no joins where they end', () => {
    expect(
      call([align(['chrI', 0], ['a', 0], '+', '90000='), align(['chrI', 90_000], ['b', 0], '-', '90000=')]),
    ).toEqual([])
  })

  test('a moved repeat is no join', () => {
    expect(
      call([align(['chrI', 0], ['a', 0], '+', '90000='), align(['chrII', 0], ['a', 90_000], '+', '6000=')]),
    ).toEqual([])
  })

  test('over the origin of a circle nothing is broken', () => {
    const turned = [
      align(['chr', 600_000], ['a', 0], '+', '400000='),
      align(['chr', 0], ['a', 400_000], '+', '600000='),
    ]
    expect(call(turned, { circular: new Set(['chr']) })).toEqual([])
    expect(call(turned).map(({ class: kind }) => kind)).toEqual(['breakpoint'])
  })

  test('a further copy elsewhere is a duplication', () => {
    const variants = call([
      align(['chrI', 0], ['a', 0], '+', '200000='),
      align(['chrI', 50_000], ['b', 7000], '-', '20000='),
    ])
    expect(brief(variants)).toEqual([['duplication', 'chrI:50000-70000', 20_000]])
    expect(variants[0]).toMatchObject({ query: 'b', queryStart0: 7000, queryEnd0: 27_000 })
  })
})

describe('variants of several assemblies', () => {
  test('the same deletion with ends a few bases apart is one, with the places of each', () => {
    const first = call([align(['chrI', 0], ['a', 0], '+', '20000=5900D20000=')])
    const second = call([align(['chrI', 0], ['b', 0], '+', '20004=5910D20000=60I500=')])
    const merged = mergeVariants([first, second])
    expect(
      merged.map(({ class: kind, carriers }) => [kind, carriers.map(({ assembly, query }) => `${assembly}${query}`)]),
    ).toEqual([
      ['deletion', ['0a', '1b']],
      ['insertion', ['1b']],
    ])
  })

  test('a deletion and an insertion at one place stay two, and so do two of one assembly', () => {
    const one = call([align(['chrI', 0], ['a', 0], '+', '20000=100D20000=')])
    const other = call([align(['chrI', 0], ['b', 0], '+', '20000=100I20000=')])
    expect(mergeVariants([one, other]).length).toBe(2)
    const twice = call([align(['chrI', 0], ['a', 0], '+', '20000=100D30=100D20000=')])
    expect(mergeVariants([twice]).length).toBe(2)
  })

  test('a join that one assembly tells from its other side is the same', () => {
    const forward = call([
      align(['chrVII', 0], ['a', 0], '+', '300000='),
      align(['chrVIII', 400_000], ['a', 300_000], '+', '100000='),
    ])
    const backward = call([
      align(['chrVIII', 400_000], ['b', 0], '-', '100000='),
      align(['chrVII', 0], ['b', 100_000], '-', '300010='),
    ])
    const merged = mergeVariants([forward, backward])
    expect(merged.length).toBe(1)
    expect(merged[0]!.carriers.map(({ query }) => query)).toEqual(['a', 'b'])
    expect(merged[0]!.target).toBe('chrVII')
  })
})
