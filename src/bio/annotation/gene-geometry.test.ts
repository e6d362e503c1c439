import { describe, expect, test } from 'vitest'
import { makeRandomBelow } from '../../testing/random.ts'
import {
  chooseRepresentative,
  clipFlank,
  codingSpan,
  createIntervalIndex,
  findExons,
  findFlank,
  findIntrons,
  findUntranslatedRegions,
  firstPhase,
  intervalsLengthBp,
  placeInterval,
  type TranscriptShape,
} from './gene-geometry.ts'

// Two exons, the coding sequence begins in the first and ends in the second: 101..200, 301..400, coding 151..200, 301..350.
const spliced: TranscriptShape = {
  id: 'g.1',
  start: 101,
  end: 400,
  exons: [
    [101, 200],
    [301, 400],
  ],
  cds: [
    [151, 200, 0],
    [301, 350, 1],
  ],
}
const at = (start1: number, end1: number) => ({ start1, end1 })

describe('parts of a transcript', () => {
  test('the intron lies between the exons', () => expect(findIntrons(spliced)).toEqual([at(201, 300)]))

  test('exons that touch or overlap, as in a ribosomal frameshift, have no intron between them', () => {
    expect(
      findIntrons({
        ...spliced,
        exons: [
          [1, 100],
          [100, 200],
          [201, 300],
          [311, 320],
        ],
      }),
    ).toEqual([at(301, 310)])
  })

  test('an exon nested in a longer one does not make an intron out of that one', () => {
    expect(
      findIntrons({
        ...spliced,
        exons: [
          [1, 100],
          [20, 30],
          [111, 120],
        ],
      }),
    ).toEqual([at(101, 110)])
  })

  test("5' UTR is upstream on the strand of the gene", () => {
    expect(findUntranslatedRegions(spliced, '+')).toEqual({ five: [at(101, 150)], three: [at(351, 400)] })
    expect(findUntranslatedRegions(spliced, '-')).toEqual({ five: [at(351, 400)], three: [at(101, 150)] })
  })

  test('a UTR that is spliced keeps its parts and leaves the intron out', () => {
    const leader: TranscriptShape = { ...spliced, cds: [[320, 350, 0]] }
    expect(findUntranslatedRegions(leader, '+').five).toEqual([at(101, 200), at(301, 319)])
    expect(intervalsLengthBp(findUntranslatedRegions(leader, '+').five)).toBe(119)
  })

  test('a non-coding transcript has no UTR and no coding span', () => {
    const trna: TranscriptShape = { ...spliced, cds: [] }
    expect(findUntranslatedRegions(trna, '+')).toEqual({ five: [], three: [] })
    expect(codingSpan(trna)).toBeNull()
  })

  test('a bacterial gene without exon rows is one exon', () => {
    expect(findExons({ ...spliced, exons: [], cds: [] })).toEqual([at(101, 400)])
    expect(findExons({ ...spliced, exons: [] })).toEqual([at(151, 200), at(301, 350)])
  })

  test('the first phase is that of the part which is read first', () => {
    expect(firstPhase(spliced, '+')).toBe(0)
    expect(firstPhase(spliced, '-')).toBe(1)
  })
})

describe('the transcript that stands for a gene', () => {
  test('is the one with the longest coding sequence, then the longest transcript, then the first id', () => {
    const longer = { ...spliced, id: 'b', cds: [...spliced.cds, [360, 370, 0] as const] }
    const untranslated = { ...spliced, id: 'c', cds: [], exons: [[1, 5000] as const] }
    expect(chooseRepresentative([untranslated, spliced, longer])?.id).toBe('b')
    expect(
      chooseRepresentative([
        { ...spliced, id: 'z' },
        { ...spliced, id: 'a' },
      ])?.id,
    ).toBe('a')
    const withLeader = { ...spliced, id: 'z', exons: [[51, 200] as const, [301, 400] as const] }
    expect(chooseRepresentative([{ ...spliced, id: 'a' }, withLeader])?.id).toBe('z')
    expect(chooseRepresentative([])).toBeNull()
  })
})

describe('flanks', () => {
  const anchor = at(1001, 2000)

  test('upstream of a gene on the reverse strand lies to its right', () => {
    expect(findFlank(anchor, { side: 'upstream', strand: '+', outsideBp: 500 })).toEqual(at(501, 1000))
    expect(findFlank(anchor, { side: 'upstream', strand: '-', outsideBp: 500 })).toEqual(at(2001, 2500))
    expect(findFlank(anchor, { side: 'downstream', strand: '+', outsideBp: 500 })).toEqual(at(2001, 2500))
    expect(findFlank(anchor, { side: 'downstream', strand: '-', outsideBp: 500 })).toEqual(at(501, 1000))
  })

  test('a promoter of -500..+100 holds 600 bases on either strand', () => {
    expect(findFlank(anchor, { side: 'upstream', strand: '+', outsideBp: 500, insideBp: 100 })).toEqual(at(501, 1100))
    expect(findFlank(anchor, { side: 'upstream', strand: '-', outsideBp: 500, insideBp: 100 })).toEqual(at(1901, 2500))
  })

  test('the inner part goes no farther than the anchor itself, and no bases asked for are no flank', () => {
    expect(findFlank(anchor, { side: 'upstream', strand: '+', outsideBp: 0, insideBp: 9999 })).toEqual(anchor)
    expect(findFlank(anchor, { side: 'upstream', strand: '+', outsideBp: 0 })).toBeNull()
  })

  test('a flank ends at the nearest neighbour, on whichever strand that one lies', () => {
    const options = { side: 'upstream', strand: '+', outsideBp: 500 } as const
    const far = { ...at(300, 600), id: 'far' }
    const near = { ...at(550, 700), id: 'near' }
    for (const neighbours of [
      [far, near],
      [near, far],
    ]) {
      expect(clipFlank(at(501, 1000), anchor, options, neighbours)).toEqual({
        flank: at(701, 1000),
        clippedBp: 200,
        at: near,
      })
    }
    const left = { side: 'downstream', strand: '+', outsideBp: 500 } as const
    expect(clipFlank(at(2001, 2500), anchor, left, [at(2101, 9000)]).flank).toEqual(at(2001, 2100))
    expect(clipFlank(at(501, 1000), anchor, options, [at(1, 500)])).toEqual({
      flank: at(501, 1000),
      clippedBp: 0,
      at: null,
    })
  })

  test('a neighbour that overlaps the start of the gene leaves no flank, but the inner part stays', () => {
    const options = { side: 'upstream', strand: '+', outsideBp: 500, insideBp: 0 } as const
    expect(clipFlank(at(501, 1000), anchor, options, [at(900, 1100)]).flank).toBeNull()
    expect(clipFlank(at(501, 1100), anchor, { ...options, insideBp: 100 }, [at(900, 1100)]).flank).toEqual(
      at(1001, 1100),
    )
    expect(
      clipFlank(at(1901, 2500), anchor, { ...options, strand: '-', insideBp: 100 }, [at(1950, 3000)]).flank,
    ).toEqual(at(1901, 2000))
  })

  test('a gene nested inside, and one that only touches the inner part, do not clip', () => {
    const options = { side: 'upstream', strand: '+', outsideBp: 500, insideBp: 200 } as const
    expect(clipFlank(at(501, 1200), anchor, options, [at(1050, 1100)]).clippedBp).toBe(0)
  })
})

describe('bringing an interval onto its sequence', () => {
  const linear = { lengthBp: 100, circular: false }
  const circular = { lengthBp: 100, circular: true }

  test('what lies beyond the ends of a linear chromosome is left out and counted', () => {
    expect(placeInterval(at(-4, 5), linear)).toEqual({
      pieces: [at(1, 5)],
      missingBeforeBp: 5,
      missingAfterBp: 0,
      crossesOrigin: false,
    })
    expect(placeInterval(at(96, 110), linear)).toMatchObject({ pieces: [at(96, 100)], missingAfterBp: 10 })
    expect(placeInterval(at(-9, 0), linear)).toMatchObject({ pieces: [], missingBeforeBp: 10 })
    expect(placeInterval(at(101, 110), linear)).toMatchObject({ pieces: [], missingAfterBp: 10 })
  })

  test('on a circular chromosome the flank of dnaA goes on across the origin', () => {
    expect(placeInterval(at(-4, 5), circular)).toEqual({
      pieces: [at(96, 100), at(1, 5)],
      missingBeforeBp: 0,
      missingAfterBp: 0,
      crossesOrigin: true,
    })
    expect(placeInterval(at(96, 110), circular).pieces).toEqual([at(96, 100), at(1, 10)])
    expect(placeInterval(at(101, 110), circular)).toMatchObject({ pieces: [at(1, 10)], crossesOrigin: false })
    expect(placeInterval(at(-9, 0), circular)).toMatchObject({ pieces: [at(91, 100)], crossesOrigin: false })
  })

  test('a flank longer than a plasmid goes around it once', () => {
    const placed = placeInterval(at(-149, 0), circular)
    expect(intervalsLengthBp(placed.pieces)).toBe(100)
    expect(placed.missingAfterBp).toBe(50)
  })
})

test('the index finds a long gene that reaches in from far away, like plain comparison does', () => {
  const random = makeRandomBelow(7)
  const genes = Array.from({ length: 300 }, () => {
    const start1 = 1 + random(10_000)
    return at(start1, start1 + random(random(10) === 0 ? 5000 : 100))
  })
  const index = createIntervalIndex(genes)
  let overlaps = 0
  for (let round = 0; round < 200; round++) {
    const start1 = random(12_000)
    const end1 = start1 + random(300)
    const expected = genes.filter((gene) => gene.start1 <= end1 && gene.end1 >= start1)
    const found = index.find(start1, end1)
    overlaps += found.length
    expect(found).toHaveLength(expected.length)
    expect(new Set(found)).toEqual(new Set(expected))
  }
  expect(overlaps).toBeGreaterThan(200)
})
