import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal.ts'
import engine from './engine.ts'
import tool from './tool.ts'

const gene = (id: string, sequence: string, start: number, name?: string): string =>
  `${sequence}\tx\tgene\t${start}\t${start + 99}\t.\t-\t.\tID=${id}${name === undefined ? '' : `;Name=${name}`}`

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal([
    {
      id: 'T1',
      fasta: `>chr1\n${'ACGT'.repeat(500)}\n>chr2\n${'GATC'.repeat(250)}\n>chr3\n${'A'.repeat(40)}\n`,
      gff3: `##gff-version 3\n${[gene('g1', 'chr1', 101, 'abcA'), gene('g2', 'chr1', 901), gene('g3', 'chr2', 501, 'abcA')].join('\n')}\n`,
    },
  ])
})
afterAll(() => portal?.close())

const run = (input: object) => runEngine(engine, { assembly: 'T1', ...input }, makeEngineContext({ data: portal.data }))

describe('features on chromosomes', () => {
  test('genes and positions are placed in the order of the genome; groups of lines go before the plain list', async () => {
    const found = await run({
      genes: ['g3', 'g1', 'g1', 'nonesuch'],
      features: 'g1\tred\nsite\tchr2\t10\t20\t+\tblue\n1\t0\t5\tstart\n',
    })
    expect(
      found.features.map(({ name, gene: id, sequence, start, end, strand, group }) => [
        ...[name, id, sequence, start, end, strand, group],
      ]),
    ).toEqual([
      // Sequences are found as people write them.
      ['start', null, 'chr1', 1, 5, '.', ''],
      ['abcA', 'g1', 'chr1', 101, 200, '-', 'red'],
      ['site', null, 'chr2', 10, 20, '+', 'blue'],
      ['abcA', 'g3', 'chr2', 501, 600, '-', ''],
    ])
    expect(found.unknown).toEqual(['nonesuch'])
    expect(found.sequences.map(({ name, count }) => [name, count])).toEqual([
      ['chr1', 2],
      ['chr2', 2],
      ['chr3', 0],
    ])
  })

  test('links join genes and regions; a name of two genes means the first, and this is said', async () => {
    const found = await run({ links: 'abcA chr2:1-50 pair\ng2 chr9:1-5\n' })
    expect(found.links).toEqual([
      {
        from: { name: 'abcA', sequence: 'chr1', start: 101, end: 200 },
        to: { name: 'chr2:1-50', sequence: 'chr2', start: 1, end: 50 },
        group: 'pair',
      },
    ])
    expect(found.ambiguous).toEqual([{ name: 'abcA', gene: 'g1' }])
    expect(found.problems).toEqual([{ field: 'links', line: 2, id: 'sequence', text: 'chr9:1-5' }])
  })

  test('what lies beyond its sequence, says two strands or names nothing is told line by line', async () => {
    const found = await run({
      features: 'a\tchr3\t30\t41\nb\tchr3\t9\t5\t+\nc\tchrX\t1\t2\nnogene\nok\tchr3\t40\t40\n',
    })
    expect(found.features.map(({ name }) => name)).toEqual(['ok'])
    expect(found.problems.map(({ line, id }) => [line, id])).toEqual([
      [2, 'backwards'],
      [1, 'beyond'],
      [3, 'sequence'],
      [4, 'gene'],
    ])
  })

  test('an input without anything that can be placed is refused beside its field', async () => {
    await expect(run({})).rejects.toMatchObject({ code: 'INVALID_INPUT', problems: [{ path: ['genes'] }] })
    await expect(run({ features: 'x\tchrX\t1\t2\n' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      problems: [{ path: ['features'], params: { line: 1 } }],
    })
    await expect(run({ genes: ['nonesuch'] })).rejects.toMatchObject({ code: 'UNKNOWN_GENE' })
    await expect(run({ features: 'g1\n'.repeat(20_001) })).rejects.toMatchObject({
      problems: [{ path: ['features'], message: 'problem.tooMany' }],
    })
    await expect(run({ assembly: 'Z9', genes: ['g1'] })).rejects.toMatchObject({ code: 'UNKNOWN_ASSEMBLY' })
    expect(tool.input.safeParse({ assembly: 'T1', features: 'x'.repeat(10_000_000) }).success).toBe(false)
  })

  test('a list may hold a feature twice: nothing of it is dropped', async () => {
    const line = 'peak\tchr1\t5\t9\n'
    expect((await run({ features: line + line })).features).toHaveLength(2)
  })
})
