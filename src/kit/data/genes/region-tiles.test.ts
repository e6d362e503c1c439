import { describe, expect, it } from 'vitest'
import { createRegionTiles, type TiledRegion } from './region-tiles.ts'

interface Placed {
  id: string
  start1: number
  end1: number
}

/** Genes every 700 bp, some of them 20 kb long, so that they reach over many others and over the bounds of tiles. */
const genes: Placed[] = Array.from({ length: 3000 }, (_, number) => ({
  id: `g${number}`,
  start1: number * 700 + 1,
  end1: number * 700 + (number % 17 === 0 ? 20_000 : 500),
}))

const openTiles = (maxBytes: number) => {
  const asked: [number, number][] = []
  const tiles = createRegionTiles(async (_, start1, end1) => {
    asked.push([start1, end1])
    const inside = genes.filter((gene) => gene.start1 >= start1 && gene.start1 <= end1)
    return {
      starts1: inside.map((gene) => gene.start1),
      ends1: inside.map((gene) => gene.end1),
      texts: inside.map((gene) => gene.id),
    }
  }, maxBytes)
  return { tiles, asked }
}

const region = (start1: number, end1: number): TiledRegion => ({
  bundle: 1,
  assembly: 'asm1',
  sequence: 'chr1',
  longestGeneBp: 20_000,
  start1,
  end1,
})

const overlapping = (start1: number, end1: number): string[] =>
  genes.filter((gene) => gene.start1 <= end1 && gene.end1 >= start1).map((gene) => gene.id)

describe('genes of regions, kept by stretches', () => {
  it('are those that overlap the region, also over the bounds of stretches, however often it is asked', async () => {
    const { tiles, asked } = openTiles(1e6)
    for (const [start1, end1] of [
      [1, 1],
      [131_000, 131_200],
      [131_072, 131_072],
      [120_000, 400_000],
      [600, 650],
      [5_000_000, 5_100_000],
      [120_000, 400_000],
    ] as const)
      expect(await tiles.find(region(start1, end1), 10_000)).toEqual(overlapping(start1, end1))
    expect(asked.length).toBe(new Set(asked.map((segment) => segment.join())).size)
  })

  it('are at most as many as asked for, from the left', async () => {
    const { tiles } = openTiles(1e6)
    expect(await tiles.find(region(1, 100_000), 5)).toEqual(['g0', 'g1', 'g2', 'g3', 'g4'])
  })

  it('take no more room than they may', async () => {
    const { tiles, asked } = openTiles(30_000)
    for (let start1 = 1; start1 < 2_000_000; start1 += 50_000) {
      expect(await tiles.find(region(start1, start1 + 1000), 10_000)).toEqual(overlapping(start1, start1 + 1000))
      expect(tiles.bytes()).toBeLessThanOrEqual(30_000)
    }
    const before = asked.length
    await tiles.find(region(1, 1000), 10_000)
    expect(asked.length).toBeGreaterThan(before)
  })

  it('of a region of many stretches are left to the database', async () => {
    const { tiles, asked } = openTiles(1e6)
    expect(await tiles.find(region(1, 50_000_000), 500)).toBeNull()
    expect(asked).toEqual([])
  })

  it('are asked for again after a failure', async () => {
    let failing = true
    const tiles = createRegionTiles(async () => {
      if (failing) throw new Error('away')
      return { starts1: [5], ends1: [9], texts: ['g'] }
    }, 1e6)
    await expect(tiles.find(region(1, 10), 5)).rejects.toThrow('away')
    failing = false
    expect(await tiles.find(region(1, 10), 5)).toEqual(['g'])
  })
})
