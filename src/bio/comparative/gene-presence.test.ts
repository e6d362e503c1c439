import { expect, test } from 'vitest'
import {
  classifyPresence,
  findLostRuns,
  findMissingBases,
  type PresenceEvidence,
  type ReadingFrame,
} from './gene-presence.ts'

const present: PresenceEvidence = {
  lengthBp: 900,
  alignedBp: 900,
  goneBp: 0,
  replacedBp: 0,
  reason: null,
  moved: false,
  parts: 1,
  insertedBp: 0,
  copies: 0,
  frame: { codons: 299, keptShare: 1, change: null, codon1: null, hgvs: null },
  annotated: true,
  paralogs: 0,
  searched: { dna: false, protein: false },
  closed: false,
}
const stateOf = (change: Partial<PresenceEvidence>) => classifyPresence({ ...present, ...change })
const gone = { alignedBp: 0, goneBp: 900, annotated: false, frame: null }
const unaligned = { alignedBp: 0, annotated: false, frame: null, reason: 'unaligned' } as const
const stop: ReadingFrame = { codons: 299, keptShare: 0.3, change: 'stop', codon1: 91, hgvs: 'p.(Gln91Ter)' }

test('a gene that is there is told by what is wrong with it first', () => {
  expect(stateOf({})).toBe('intact')
  expect(stateOf({ annotated: false })).toBe('unannotated')
  expect(stateOf({ copies: 1 })).toBe('copies')
  expect(stateOf({ moved: true, copies: 1 })).toBe('moved')
  expect(stateOf({ frame: stop, moved: true })).toBe('disrupted')
  expect(stateOf({ alignedBp: 600, goneBp: 300, frame: stop })).toBe('truncated')
  expect(stateOf({ parts: 2 })).toBe('split')
  expect(stateOf({ insertedBp: 1355 })).toBe('split')
})

test('what differs near the end of a protein does no harm; a lost start does', () => {
  expect(stateOf({ frame: { ...stop, keptShare: 0.97, codon1: 291 } })).toBe('intact')
  expect(stateOf({ frame: { ...stop, keptShare: 1, change: 'start', codon1: 1 } })).toBe('disrupted')
})

test('a gene that is not there is gone, or only what resembles it is left', () => {
  expect(stateOf(gone)).toBe('gone')
  expect(stateOf({ ...gone, alignedBp: 330, goneBp: 570 })).toBe('gone')
  expect(stateOf({ ...gone, paralogs: 1 })).toBe('paralog')
})

test('not aligned is not gone', () => {
  expect(stateOf(unaligned)).toBe('unknown')
  const searched = { dna: true, protein: true }
  expect(stateOf({ ...unaligned, searched })).toBe('not-found')
  expect(stateOf({ ...unaligned, searched, closed: true })).toBe('gone')
  expect(stateOf({ ...unaligned, closed: true })).toBe('unknown')
  expect(stateOf({ ...unaligned, searched, paralogs: 2 })).toBe('paralog')
  // A place that is another gene's is found by the gene's bases alone.
  expect(stateOf({ ...unaligned, searched: { dna: true, protein: false }, paralogs: 1 })).toBe('paralog')
  // A gene without a protein may be too different for a search by its bases.
  expect(stateOf({ ...unaligned, searched: { dna: true, protein: false }, closed: true })).toBe('unknown')
})

test('other bases in its place may be it until it was looked for', () => {
  const replaced = { ...unaligned, replacedBp: 900, reason: 'replaced' } as const
  expect(stateOf(replaced)).toBe('unknown')
  expect(stateOf({ ...replaced, searched: { dna: true, protein: true } })).toBe('gone')
})

test('behind the end of a contig and within a gap nothing is known', () => {
  const searched = { dna: true, protein: true }
  expect(stateOf({ ...gone, reason: 'gap', searched })).toBe('unknown')
  expect(stateOf({ ...unaligned, reason: 'contig-end', searched, closed: true })).toBe('unknown')
  expect(stateOf({ alignedBp: 600, goneBp: 0, reason: 'contig-end' })).toBe('unknown')
})

test('neighbours that are lost together are one run, also over one of which nothing is known', () => {
  const states = ['intact', 'gone', 'paralog', 'unknown', 'gone', 'intact', 'unknown', 'gone', 'gone'] as const
  expect(findLostRuns(states, [0, 0, 0, 0, 0, 0, 0, 0, 1])).toEqual([
    { first: 1, last: 4 },
    { first: 7, last: 7 },
    { first: 8, last: 8 },
  ])
})

test('a deletion is told from the bases beside it that are aligned, less what stands in its stead; few that match by chance do not part it', () => {
  const before = { source0: 0, other0: 5000, lengthBp: 100 }
  expect(findMissingBases([before, { source0: 1000, other0: 5140, lengthBp: 100 }], '+')).toEqual([
    { start: 101, end: 1000, lostBp: 860 },
  ])
  const turned = { source0: 1000, other0: 4860, lengthBp: 100 }
  expect(findMissingBases([before, turned], '-')).toEqual([{ start: 101, end: 1000, lostBp: 860 }])
  const chance = { source0: 500, other0: 5110, lengthBp: 12 }
  expect(findMissingBases([before, chance, { source0: 1000, other0: 5140, lengthBp: 100 }], '+')).toEqual([
    { start: 101, end: 1000, lostBp: 860 },
  ])
  // An insertion sequence in the place of another: as many bases as are missing.
  expect(findMissingBases([before, { source0: 1000, other0: 6900, lengthBp: 100 }], '+')).toEqual([
    { start: 101, end: 1000, lostBp: 900 },
  ])
  // A mismatch, and a short indel, are no deletion.
  const beside = [before, { source0: 101, other0: 5101, lengthBp: 50 }, { source0: 160, other0: 5151, lengthBp: 50 }]
  expect(findMissingBases(beside, '+')).toEqual([])
  // Two deletions beside each other are each its own.
  const middle = { source0: 400, other0: 5100, lengthBp: 300 }
  expect(findMissingBases([before, middle, { source0: 1000, other0: 5400, lengthBp: 100 }], '+')).toEqual([
    { start: 101, end: 400, lostBp: 300 },
    { start: 701, end: 1000, lostBp: 300 },
  ])
})
