import { expect, test } from 'vitest'
import { receiptLines } from '../../contracts/tools/receipt.ts'
import { emptyReceipt } from '../../testing/contexts.ts'
import { checkExport } from '../../testing/strict-reader.ts'
import { type ChosenPair, renderBed, renderGff3, renderPairOrder, renderPrimerFasta } from './order-files.ts'

const oligo = (start: number, sequence: string) => ({
  start,
  end: start + sequence.length - 1,
  sequence,
  tm: 60.1,
  gcPercent: 45,
  loci: [],
})
const chosen = [1, 2].map((rank) => ({
  design: { name: 'my template', symbol: null, assembly: null, blocks: [] },
  pair: {
    rank,
    penalty: 0.5,
    productBp: 180,
    internal: rank === 1 ? null : oligo(90, 'GATTACAGATTACAGATTACA'),
    left: oligo(11 * rank, 'ACCTTGGAACGTTCAAGGCT'),
    right: oligo(171, 'TTGCAGGACCTATCGGATCA'),
  },
})) as unknown as ChosenPair[]

test('every file of chosen pairs tells how they were designed', () => {
  const receipt = {
    ...emptyReceipt,
    tool: 'primerdesign',
    steps: [{ program: 'primer3_core', version: '2.6.1' }],
    data: [{ assembly: 'A1', bundle: 'b1', checksum: 'abcdef0123456789' }],
    parameters: { source: 'sequence', tmOpt: 60, target: '70..84' },
  }
  const head = receiptLines(receipt)
  for (const [name, render] of Object.entries({
    'primers.fa': renderPrimerFasta,
    'primers.gff3': renderGff3,
    'primers.bed': renderBed,
    'order.tsv': renderPairOrder,
  }))
    expect(checkExport(name, Buffer.from(render(chosen, head)))).toEqual([])
  const [first] = renderPrimerFasta(chosen, head).split('\n')
  expect(first).toBe(
    '>my_template_1_F my template:11-30 tm=60.1 gc=45 product=180bp NovoDB test tool=primerdesign at=2026-01-01T00:00:00.000Z programs={primer3_core 2.6.1} data={A1@abcdef012345} parameters={source:sequence,tmOpt:60,target:70..84}',
  )
})
