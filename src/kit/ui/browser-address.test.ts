import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseRegion } from '../../bio/sequence/region.ts'
import { browserAddress } from './browser-address.ts'

const read = (address: string, field: string): unknown => {
  const result = parseRegion(new URLSearchParams(address.split('?')[1]).get(field)!)
  return result.ok ? result.region : result.error
}

describe('the genome browser at a hit', () => {
  const hit = { assembly: 'R64', sequence: 'chrIX', start: 250, end: 1249, strand: '-' }

  it('of the reverse strand reads in its direction, margin and mark included', () => {
    const address = browserAddress(hit, { marginBp: 300, lengthBp: 1400, mark: true, more: { tracks: 'genes,hits' } })
    expect(read(address, 'loc')).toEqual({ sequenceName: 'chrIX', start1: 1, end1: 1400, strand: '-' })
    expect(read(address, 'highlight')).toEqual({ sequenceName: 'chrIX', start1: 250, end1: 1249, strand: '-' })
    expect(address).toContain('tracks=genes%2Chits')
  })

  it('of the forward strand, or of none, reads forward', () => {
    for (const strand of ['+', '.', null, undefined])
      expect(read(browserAddress({ ...hit, strand }, { marginBp: 100 }), 'loc')).toEqual({
        sequenceName: 'chrIX',
        start1: 150,
        end1: 1349,
        strand: '+',
      })
  })

  it('of a single base keeps its strand too', () => {
    expect(read(browserAddress({ ...hit, end: 250 }), 'loc')).toMatchObject({ start1: 250, end1: 250, strand: '-' })
  })

  it('is opened by every tool in this one way', () => {
    const tools = join(import.meta.dirname, '../../tools')
    const byHand = readdirSync(tools, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      // The browser's own page writes its own address; a data set has no place.
      .filter((file) => !/tools\/(jbrowse|references)\//.test(file))
      .filter((file) => readFileSync(file, 'utf8').includes('/jbrowse/?'))
    expect(byHand).toEqual([])
  })
})
