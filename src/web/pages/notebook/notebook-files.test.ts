import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Notebook } from '../../../contracts/notebooks.ts'
import { emptyReceipt } from '../../../testing/contexts.ts'
import { liveSets } from './combine-sets.ts'
import { notebookFiles, resultTables, type StepFile } from './notebook-files.ts'

const receipt = {
  ...emptyReceipt,
  startedAt: '2026-01-02T03:04:05.000Z',
  elapsedMs: 1500,
  steps: [{ program: 'blastn', version: '2.12', command: ['blastn', '-query', "it's.fa"] }],
}
const run = {
  tool: 'blast',
  job: 'a'.repeat(32),
  input: { query: '>q "x"\nACGT', flag: true, none: null },
  state: 'done' as const,
  receipt,
  digest: 'd',
}
const notebook: Notebook = {
  id: '1'.repeat(32),
  title: 'RD1; rm -rf / $(touch x) \'and\' "more"',
  version: 3,
  createdAt: '',
  updatedAt: '',
  own: true,
  steps: [
    { id: 'a'.repeat(16), title: 'First\n$(id)', note: 'why *so*', createdAt: '', run, set: null },
    {
      id: 'b'.repeat(16),
      title: 'S',
      note: '',
      createdAt: '',
      run: null,
      set: { assembly: 'X', genes: ['g1', 'g2'], made: null },
    },
  ],
}
const files = notebookFiles({
  notebook,
  drawn: new Map([
    [
      'a'.repeat(16),
      [
        { path: 'hits.svg', content: '<svg/>' },
        { path: 'map.png', content: new Uint8Array([137, 80]) },
        { path: 'blast-hits.tsv', content: 'Gene\ng1\ng2\n', rows: 2, of: 2 },
      ],
    ],
  ]),
  results: new Map([
    [
      'a'.repeat(16),
      {
        result: {
          hits: [
            { id: 'g1', at: [1, 2], deep: { x: 1 } },
            { id: '=g2', at: [] },
          ],
          n: 2,
        },
        inWords: {
          hits: [
            { id: 'g1', at: [1, 2], state: 'intact' },
            { id: '=g2', at: [], state: 'absent' },
          ],
        },
        receipt,
      },
    ],
  ]),
  sets: liveSets(notebook.steps),
  portal: 'https://example.org/portal',
  toolTitle: (tool) => tool.toUpperCase(),
  exportedAt: '2026-01-03T00:00:00.000Z',
})

const textOf = (path: string): string => {
  const content = files[path]
  if (typeof content !== 'string') throw new Error(`${path} is no text`)
  return content
}

test('an export has every question, result, receipt and table, and how to run it again', () => {
  expect(Object.keys(files).sort()).toEqual([
    'README.md',
    'commands.sh',
    'notebook.ipynb',
    'notebook.json',
    'ro-crate-metadata.json',
    'sets.gmt',
    'steps/01-blast/api/hits.tsv',
    'steps/01-blast/blast-hits.tsv',
    'steps/01-blast/hits.svg',
    'steps/01-blast/input.json',
    'steps/01-blast/map.png',
    'steps/01-blast/receipt.txt',
    'steps/01-blast/result.json',
    'steps/02-s/genes.txt',
  ])
  // Codes are words in the table, and as they came in the result.
  expect(textOf('steps/01-blast/api/hits.tsv')).toMatch(/^id\tat\tstate\ng1\t1; 2\tintact\n/)
  expect(textOf('steps/01-blast/result.json')).not.toContain('intact')
  expect(files['steps/02-s/genes.txt']).toBe('g1\ng2\n')
})

test('tables have the plain fields; what a spreadsheet would compute is not left to it', () => {
  const [{ name, text } = { name: '', text: '' }] = resultTables({
    network: { pairs: [{ id: '=1+1', list: ['a', 'b'] }] },
  })
  expect(name).toBe('network.pairs')
  expect(text.split('\n')[0]).toBe('id\tlist')
  expect(text).not.toMatch(/^=1/m)
  // Columns of one length are a table as well.
  expect(resultTables({ genes: { id: ['a', 'b'], start: [1, null] }, spans: { from: [1], to: [2, 3] } })).toEqual([
    { name: 'genes', text: 'id\tstart\na\t1\nb\t\n', rows: 2, of: null },
  ])
  expect(resultTables({ mixed: [1, { id: 1 }], numbers: [1, 2] })).toEqual([])
})

describe('a page of a list of variants', () => {
  const rows = Array.from({ length: 50 }, (_, at) => ({ key: `chr1:${at}:A:G` }))
  const [first] = notebook.steps
  const step = first!.id
  const exportOf = (drawn: StepFile[]) =>
    notebookFiles({
      notebook,
      drawn: new Map([[step, drawn]]),
      results: new Map([
        [step, { result: { variants: { rows, total: 74, page: 1, pageSize: 50, genes: [{ id: 'g1' }] } }, receipt }],
      ]),
      sets: [],
      portal: 'https://example.org',
      toolTitle: (tool) => tool,
      exportedAt: '2026-01-03T00:00:00.000Z',
    })

  test('gives way to the whole table, and the README says what the result holds', () => {
    const made = exportOf([{ path: 'variants.tsv', content: 'whole', rows: 74, of: 74 }])
    expect(made['steps/01-blast/variants.tsv']).toBe('whole')
    expect(made['steps/01-blast/api/variants-rows.tsv']).toBeUndefined()
    expect(made['steps/01-blast/api/variants-genes.tsv']).toBe('id\ng1\n')
    expect(made['README.md']).toContain('- variants.tsv: 74 rows\n')
    expect(made['README.md']).toContain('- result.json: variants.rows is one page of the list, 50 of 74 rows.')
  })

  test('stays where the whole table cannot be had, which the README says', () => {
    const made = exportOf([{ path: 'variants.tsv', content: null, rows: 50, of: 74 }])
    expect(made['steps/01-blast/variants.tsv']).toBeUndefined()
    expect(made['steps/01-blast/api/variants-rows.tsv']).toBeDefined()
    expect(made['README.md']).toContain('- variants.tsv is missing')
    expect(made['README.md']).toContain('result.json has 50 of 74 rows')
  })
})

test('the script is one that a shell reads, whatever the titles say', () => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-notebook-'))
  try {
    const script = join(folder, 'commands.sh')
    // curl and jq stand for the portal here: what is run, with what, is written down.
    writeFileSync(
      script,
      textOf('commands.sh').replace('set -eu', 'set -eu\ncurl() { echo "curl $*" >&2; }\njq() { echo done; }'),
    )
    const said = execFileSync('sh', ['-c', 'sh commands.sh 2>&1; ls'], { cwd: folder, encoding: 'utf8' })
    expect(said).toContain('https://example.org/portal/api/tools/blast/')
    expect(said).toContain('@steps/01-blast/input.json')
    expect(said.split('\n')).not.toContain('x')
    expect(said.split('\n')).toContain('again')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the Jupyter notebook is of nbformat 4.5, and its code is Python', () => {
  const { cells, nbformat, nbformat_minor } = JSON.parse(textOf('notebook.ipynb'))
  expect([nbformat, nbformat_minor]).toEqual([4, 5])
  expect(new Set(cells.map(({ id }: { id: string }) => id)).size).toBe(cells.length)
  const code = cells.filter((cell: { cell_type: string }) => cell.cell_type === 'code')
  expect(code.every((cell: { outputs: unknown }) => Array.isArray(cell.outputs))).toBe(true)
  const given = /json\.loads\(("(?:[^"\\]|\\.)*")\)/.exec(code[1].source.join(''))![1]!
  expect(JSON.parse(JSON.parse(given))).toEqual(run.input)
})

test('the crate says of each run its tool, input, results and times, and describes every file', () => {
  const { '@graph': graph } = JSON.parse(textOf('ro-crate-metadata.json')) as { '@graph': Record<string, unknown>[] }
  const byId = new Map(graph.map((entity) => [entity['@id'], entity]))
  expect(byId.get('ro-crate-metadata.json')).toMatchObject({ conformsTo: { '@id': 'https://w3id.org/ro/crate/1.1' } })
  expect(byId.get(`#run-${'a'.repeat(16)}`)).toMatchObject({
    '@type': 'CreateAction',
    instrument: { '@id': '#tool-blast' },
    object: [{ '@id': 'steps/01-blast/input.json' }],
    startTime: '2026-01-02T03:04:05.000Z',
    endTime: '2026-01-02T03:04:06.500Z',
  })
  expect(byId.get('steps/01-blast/map.png')).toMatchObject({ encodingFormat: 'image/png', contentSize: '2' })
  const links = JSON.stringify(graph).matchAll(/\{"@id":"([^"]+)"\}/g)
  for (const [, id] of links) if (!/^http/.test(id!)) expect([id, byId.has(id)]).toEqual([id, true])
  for (const file of Object.keys(files)) if (file !== 'ro-crate-metadata.json') expect(byId.has(file)).toBe(true)
})
