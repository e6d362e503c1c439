import { describe, expect, it } from 'vitest'
import { splitAlignment } from './alignment-blocks.ts'

describe('positions beside the rows of an alignment', () => {
  it('count residues and not gaps, and count down on the minus strand', () => {
    const blocks = splitAlignment(
      {
        queryStart1: 5,
        queryEnd1: 7,
        subjectStart1: 20,
        subjectEnd1: 17,
        queryRow: 'AC-T',
        middleRow: '|| |',
        subjectRow: 'ACGT',
      },
      'blastn',
      2,
    )
    expect(blocks.map((block) => [block.queryStart1, block.queryEnd1, block.subjectStart1, block.subjectEnd1])).toEqual(
      [
        [5, 6, 20, 19],
        [7, 7, 18, 17],
      ],
    )
  })

  it('count three bases for each residue that was translated', () => {
    const blocks = splitAlignment(
      {
        queryStart1: 100,
        queryEnd1: 111,
        subjectStart1: 30,
        subjectEnd1: 19,
        queryRow: 'MKVL',
        middleRow: 'MKVL',
        subjectRow: 'MKVL',
      },
      'tblastx',
      3,
    )
    expect(blocks.map((block) => [block.queryStart1, block.queryEnd1, block.subjectStart1, block.subjectEnd1])).toEqual(
      [
        [100, 108, 30, 22],
        [109, 111, 21, 19],
      ],
    )
  })

  it('stand at the residue before where a row is all gaps', () => {
    const blocks = splitAlignment(
      {
        queryStart1: 1,
        queryEnd1: 3,
        subjectStart1: 1,
        subjectEnd1: 6,
        queryRow: 'ACG---',
        middleRow: '|||   ',
        subjectRow: 'ACGTTT',
      },
      'blastn',
      3,
    )
    expect([blocks[1]!.queryStart1, blocks[1]!.queryEnd1]).toEqual([3, 3])
  })
})
