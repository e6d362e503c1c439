import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { GeneModel } from '../bio/annotation/gene-models.ts'
import { GeneList } from './gene-list.ts'

const directory = mkdtempSync(join(tmpdir(), 'novodb-test-gene-list-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Position of the sequence and number of the file beside each gene. */
const given: [gene: GeneModel, position: number, file: number][] = Array.from({ length: 400 }, (_, at) => {
  const position = (at * 7) % 5
  const start1 = 1 + ((at * 131) % 97) * 50
  const gene: GeneModel = {
    id: `g${(at * 59) % 400}`,
    symbol: at % 3 === 0 ? null : `sym${at}`,
    name: at % 4 === 0 ? '乙醇脱氢酶 1' : null,
    aliases: at % 2 === 0 ? [] : ['a;b', `"${at}"`, 'line\nbreak'],
    description: at % 5 === 0 ? null : `protein ${'long '.repeat(at)}`,
    biotype: 'protein_coding',
    sequenceName: `chr${position}`,
    start1,
    end1: start1 + (at % 3) * 10,
    strand: (['+', '-', '.'] as const)[at % 3]!,
    transcripts: Array.from({ length: at % 4 }, (__, number) => ({
      id: `t${at}.${number}`,
      biotype: 'mRNA',
      start1,
      end1: start1 + 10,
      exons: [{ start1, end1: start1 + 10 }],
      cds: [
        { start1, end1: start1 + 4, phase: 0 },
        { start1: start1 + 5, end1: start1 + 10, phase: 1 },
      ],
      proteinId: number === 0 ? null : `p${at}`,
      ...(at % 9 === 0 ? { readingOrder: [{ start1, end1: start1 + 4, strand: '-' as const }] } : {}),
      attributes: { ID: [`t${at}.${number}`], Note: ['ä', '=;'] },
    })),
    attributes: { ID: [`g${at}`], Dbxref: ['A:1', 'B:2'] },
  }
  return [gene, position, at % 2]
})

const read = (held: number) => {
  const list = new GeneList(directory, held)
  for (const [gene, position, file] of given) list.add(gene, position, file)
  list.sort()
  return list
}

describe('GeneList', () => {
  const wanted = [...given]
    .sort(([a, p, f], [b, q, g]) => p - q || a.start1 - b.start1 || a.end1 - b.end1 || f - g || (a.id < b.id ? -1 : 1))
    .map(([gene]) => gene)

  it.each([
    ['in memory', Number.POSITIVE_INFINITY, true],
    ['in a file from the first on', 0, false],
    ['in a file once they are many', 1500, false],
  ])('keeps genes %s, by sequence and place, those alike by file and id', (_, held, isHeld) => {
    const list = read(held)
    expect([list.length, list.isHeld]).toEqual([400, isHeld])
    expect([...list]).toEqual(wanted)
    // A second walk, while another is under way.
    const other = list[Symbol.iterator]()
    expect([other.next().value, [...list], other.next().value]).toEqual([wanted[0], wanted, wanted[1]])
    for (const at of [399, 0, 217]) expect(list.at(at)).toEqual(wanted[at])
    expect(wanted.map((__, at) => `chr${list.sequenceOf(at)}`)).toEqual(wanted.map(({ sequenceName }) => sequenceName))
    const end1 = Math.max(...wanted.map((gene) => gene.end1))
    expect([list.hasBeyond(() => end1), list.hasBeyond((position) => (position === 3 ? 10 : end1))]).toEqual([
      false,
      true,
    ])
    list.close()
    expect(readdirSync(directory)).toEqual([])
  })

  it('has no genes before there are any', () => {
    const list = new GeneList(directory)
    list.sort()
    expect([list.length, [...list]]).toEqual([0, []])
    list.close()
  })
})
