import { expect, test } from 'vitest'
import { receiptSchema } from '../contracts/tools/receipt.ts'
import { createReceipt, shortenPaths } from './receipts.ts'

const folders = [
  { directory: '/srv/novodb', name: 'data' },
  { directory: '/srv/novodb/jobs/ab/abc/run', name: '' },
  { directory: '/srv/novodb/bundles/b1', name: 'R64' },
]

test('paths of the data directory become names, wherever in the argument they stand', () => {
  const cases: [string, string][] = [
    ['/srv/novodb/bundles/b1/blast/nt', 'R64/blast/nt'],
    ['--db=/srv/novodb/bundles/b1/genome.fa', '--db=R64/genome.fa'],
    ['/srv/novodb/bundles/b1/a /srv/novodb/bundles/b1/b', 'R64/a R64/b'],
    ['/srv/novodb/bundles/b10/a', 'data/bundles/b10/a'],
    ['/srv/novodb/jobs/ab/abc/run/query.fa', 'query.fa'],
    ['/srv/novodb/jobs/ab/abc/run', '.'],
    ['/srv/novodb-old/x', '/srv/novodb-old/x'],
    ['/backup/srv/novodb/x', '/backup/srv/novodb/x'],
    ['chrI:1-100', 'chrI:1-100'],
  ]
  for (const [argument, short] of cases) expect(shortenPaths(argument, folders), argument).toBe(short)
})

test('a receipt holds the command as one could type it, each bundle and citation once, and fits the contract', () => {
  const receipt = createReceipt({
    tool: 'blast',
    portalVersion: '0.1.0',
    parameters: { evalue: 1e-5 },
    folders: folders.slice(0, 2),
  })
  receipt.addProgram({
    program: 'blastn',
    version: '2.12.0+',
    command: ['/usr/bin/blastn', '-db', '/srv/novodb/bundles/b1/blast/nt', '-out', '/srv/novodb/jobs/ab/abc/run/o.asn'],
    elapsedMs: 12,
  })
  receipt.addStep({ program: 'novodb', version: '1', formula: 'p × n' })
  for (let i = 0; i < 2; i++) {
    receipt.addData({ assembly: 'R64', bundle: 'b1', checksum: 'c', directory: '/srv/novodb/bundles/b1' })
    receipt.cite({ text: 'Camacho et al. 2009', doi: '10.1186/1471-2105-10-421' })
  }
  const built = receiptSchema.parse(receipt.build())
  expect(built.steps[0]?.command).toEqual(['blastn', '-db', 'R64/blast/nt', '-out', 'o.asn'])
  expect(built.steps[1]).toEqual({ program: 'novodb', version: '1', formula: 'p × n' })
  expect(built.data).toEqual([{ assembly: 'R64', bundle: 'b1', checksum: 'c' }])
  expect(built.citations).toHaveLength(1)
})

test('data sets that are simulated are named once; a receipt of measured ones says nothing of it', () => {
  const receipt = createReceipt({ tool: 'ppi', portalVersion: '1', parameters: {}, folders: [] })
  expect(receipt.build()).not.toHaveProperty('simulated')
  receipt.addSimulated('Complexes (simulated)')
  receipt.addSimulated('Complexes (simulated)')
  expect(receiptSchema.parse(receipt.build()).simulated).toEqual(['Complexes (simulated)'])
})
