import { describe, expect, test } from 'vitest'
import { listDemoSpecies } from '../../demo/main.ts'
import { findDemoToLoad, mayLoadDemo, readLoadedDemo, servesDemo } from './demo-record.ts'

const tuberculosis = 'mycobacterium-tuberculosis-complex'

describe('which species of the demo are loaded at a start', () => {
  test('one that never was is loaded', () => {
    expect(findDemoToLoad(tuberculosis, {}, [], ['blastn'])).toEqual([])
  })

  test('one that is there is left alone', () => {
    expect(findDemoToLoad(tuberculosis, { [tuberculosis]: ['blastn'] }, [tuberculosis], ['blastn'])).toBeNull()
  })

  test('one loaded before BLAST+ was installed is loaded again, for it has no BLAST databases', () => {
    const done = { [tuberculosis]: ['samtools'] }
    expect(findDemoToLoad(tuberculosis, done, [tuberculosis], ['samtools', 'makeblastdb'])).toEqual(['makeblastdb'])
  })

  test('a program that was taken away is no reason to load', () => {
    const done = { [tuberculosis]: ['samtools', 'makeblastdb'] }
    expect(findDemoToLoad(tuberculosis, done, [tuberculosis], ['samtools'])).toBeNull()
  })

  test('one that the administrator has removed does not come back, whatever programs have come', () => {
    expect(findDemoToLoad(tuberculosis, { [tuberculosis]: [] }, [], ['makeblastdb'])).toBeNull()
  })

  test('the record of a portal of the first release is understood', () => {
    expect(readLoadedDemo([tuberculosis])).toEqual({ [tuberculosis]: [] })
    expect(readLoadedDemo({ [tuberculosis]: ['blastn'] })).toEqual({ [tuberculosis]: ['blastn'] })
    expect(readLoadedDemo(undefined)).toEqual({})
  })
})

describe('into which portal the demo is loaded', () => {
  const demo = listDemoSpecies('all')

  test('an empty one, but not one that a lab has loaded its own species into, even if that is one of the demo', () => {
    expect(mayLoadDemo(undefined, [], demo)).toBe(true)
    expect(mayLoadDemo(undefined, ['oryza-sativa'], demo)).toBe(false)
    expect(mayLoadDemo(undefined, ['ustilago-maydis'], demo)).toBe(false)
  })

  test('one that was killed when its first species served and homologs were being computed', () => {
    expect(demo[0]).toBe(tuberculosis)
    expect(mayLoadDemo({}, [tuberculosis], demo)).toBe(true)
    expect(findDemoToLoad(tuberculosis, readLoadedDemo({}), [tuberculosis], [])).toEqual([])
  })

  test('one in which a demo was begun without success is left to the lab that has loaded its own since', () => {
    expect(mayLoadDemo({}, ['oryza-sativa'], demo)).toBe(false)
    expect(mayLoadDemo({ [tuberculosis]: [] }, [tuberculosis, 'oryza-sativa'], demo)).toBe(true)
  })
})

describe('what a portal serves', () => {
  test('is the demo once that was loaded, and while an empty portal waits for it', () => {
    expect(servesDemo(true, { [tuberculosis]: [] }, [tuberculosis, 'barley'])).toBe(true)
    expect(servesDemo(true, undefined, [])).toBe(true)
    expect(servesDemo(true, {}, [tuberculosis])).toBe(true)
  })

  test('is not the demo where a lab has its own data alone, or wants none', () => {
    expect(servesDemo(true, undefined, ['barley'])).toBe(false)
    expect(servesDemo(true, { [tuberculosis]: [] }, ['barley'])).toBe(false)
    expect(servesDemo(false, undefined, [])).toBe(false)
  })
})
