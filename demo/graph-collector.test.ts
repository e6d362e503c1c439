import { expect, test } from 'vitest'
import { type GfaPath, parseGfaLine, walkSteps } from '../src/bio/graph/gfa.ts'
import { reverseComplement } from '../src/bio/sequence/sequence.ts'
import { GraphCollector } from './graph-collector.ts'
import type { AlignmentRow } from './multiple-alignment.ts'

const chromosome = 'ACGTACGTTTGGAACCTTAGCAT'
const row = (genome: string, start0: number, text: string, strand: '+' | '-' = '+'): AlignmentRow => ({
  genome,
  sequence: 'c1',
  start0,
  sizeBp: text.replaceAll('-', '').length,
  strand,
  lengthBp: 100,
  text: Buffer.from(text),
})

test('a multiple alignment becomes a graph whose walks spell the rows', () => {
  const collector = new GraphCollector('c1', 2, 20)
  //                                      0         ACGTACG--TTTGG
  collector.add([row('R', 0, 'ACGTACG--TTTGG'), row('A', 10, 'ACGTTCGAATTTGG'), row('B', 5, 'AC----G--TTTCG', '-')])
  // Two bases that no block has, and a block that follows in A.
  collector.add([row('R', 14, 'CCTTAGCAT'), row('A', 24, 'CCTT--CAT')])
  const nodes = new Map<string, string>()
  const walks: GfaPath[] = []
  for (const line of collector.finish('R', chromosome).split('\n')) {
    const found = parseGfaLine(line)
    if (found?.kind === 'segment') nodes.set(found.name, found.sequence!)
    if (found?.kind === 'path') walks.push(found)
  }
  const spelled = walks.map(({ locus, walk }) => [
    locus.name,
    [...walkSteps(walk)]
      .map(([name, back]) => (back ? reverseComplement(nodes.get(name)!) : nodes.get(name)!))
      .join(''),
  ])
  expect(spelled).toEqual([
    ['R#0#c1:2-20', chromosome.slice(2, 20)],
    // The second and third base of the row on: GTTCGAATTTGG, then CCTT and C.
    ['A#0#c1:12-24', 'GTTCGAATTTGG'],
    ['B#0#c1:87-93', reverseComplement('GTTTCG')],
    ['A#0#c1:24-28', 'CCTT'],
  ])
})
