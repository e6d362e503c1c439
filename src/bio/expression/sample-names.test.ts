import { describe, expect, test } from 'vitest'
import { guessReplicates, nameSamples, placeSamples } from './sample-names.ts'

describe('samples are named by what differs between the paths of their files', () => {
  test.each([
    [
      ['/d/leaf_1ReadsPerGene.out.tab', '/d/root_1ReadsPerGene.out.tab.gz'],
      ['leaf_1', 'root_1'],
    ],
    [
      ['star/leaf.ReadsPerGene.out.tab', 'star/root.ReadsPerGene.out.tab'],
      ['leaf', 'root'],
    ],
    [
      ['salmon/leaf/quant.sf', 'salmon/root/quant.sf'],
      ['leaf', 'root'],
    ],
    [
      ['k/leaf_quant/abundance.tsv', 'k/root_quant/abundance.tsv'],
      ['leaf', 'root'],
    ],
    [
      ['a/leaf.genes.results', 'a/root.genes.results'],
      ['leaf', 'root'],
    ],
    [
      ['a/leaf.sorted.markdup.bam', 'a/root.sorted.markdup.bam'],
      ['leaf', 'root'],
    ],
    [
      ['run1/leaf/quant.sf', 'run2/leaf/quant.sf'],
      ['run1', 'run2'],
    ],
    [
      ['run1/leaf/quant.sf', 'run2/leaf/quant.sf', 'run2/root/quant.sf'],
      ['run1_leaf', 'run2_leaf', 'run2_root'],
    ],
    [
      ['leaf_rep1.htseq.txt', 'leaf_rep2.htseq.txt'],
      ['leaf_rep1', 'leaf_rep2'],
    ],
    [['one/quant.sf'], ['one']],
  ])('%j', (paths, names) => {
    expect(nameSamples(paths)).toEqual(names)
  })
})

test('samples of a sheet are found by name, by what is left of a path, as R writes them, or within a path', () => {
  expect(placeSamples(['b', 'a'], ['a', 'b'])).toEqual([1, 0])
  expect(placeSamples(['leaf_1', 'leaf_10'], ['/m/leaf_10Aligned.out.bam', '/m/leaf_1Aligned.out.bam'])).toEqual([1, 0])
  expect(placeSamples(['2h-rep1'], ['X2h.rep1'])).toEqual([0])
  expect(placeSamples(['leaf'], ['run7_leaf_L001.bam'])).toEqual([0])
  expect(placeSamples(['leaf'], ['a_leaf_1.bam', 'a_leaf_2.bam'])).toEqual([null])
  expect(placeSamples(['leaf', 'stem'], ['leaf'])).toEqual([0, null])
})

test('replicates are told by rep1, or by numbers that count in every group, and by no others', () => {
  expect(guessReplicates(['WT_REP1', 'KO.rep02'])).toEqual([
    { group: 'WT', replicate: '1' },
    { group: 'KO', replicate: '2' },
  ])
  expect(guessReplicates(['WT_1', 'WT_2', 'KO_1', 'KO_2'])?.map(({ group }) => group)).toEqual(['WT', 'WT', 'KO', 'KO'])
  // Hours, of one series; and runs of an archive.
  expect(guessReplicates(['root_0', 'root_6', 'leaf_0', 'leaf_6'])).toBeNull()
  expect(guessReplicates(['day_1', 'day_2', 'day_3'])).toBeNull()
  expect(guessReplicates(['SRR100001', 'SRR100002'])).toBeNull()
})

test('a table of a hundred thousand rows is looked through for two thousand columns in a moment', () => {
  const columns = Array.from({ length: 2000 }, (_, at) => `/map/s${at}Aligned.sortedByCoord.out.bam`)
  const rows = Array.from({ length: 100_000 }, (_, at) => `gene-${at}`)
  const begun = performance.now()
  const placed = placeSamples([...rows, ...columns.map((_, at) => `s${at}`)], columns)
  // The product of both would take minutes.
  expect(performance.now() - begun).toBeLessThan(20_000)
  expect(placed.slice(0, rows.length).every((at) => at === null)).toBe(true)
  expect(placed.slice(rows.length)).toEqual(columns.map((_, at) => at))
})

test('a name that stands in a path twice, once within another, is found', () => {
  expect(placeSamples(['leaf1'], ['leaf10/leaf1.of.run7.bam', 'leaf10/leaf2.of.run7.bam'])).toEqual([0])
})
