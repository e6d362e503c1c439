import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { commandLine, type Receipt, receiptLines, receiptNote } from './receipt.ts'
import { shellWord } from './shell-word.ts'

const nasty = [
  "ID='rs1'",
  '',
  '`id`',
  '$HOME $(id)',
  'line one\nline two',
  "it's a\ttab and a \\ in one\r\n",
  '*.fa',
  '~/x',
  '#1',
  '{a,b}',
  '-outfmt',
  '6 qseqid sseqid',
  'a!b',
  '=ls',
  '基因 组',
  '\u0085\u2028',
]

describe('a command of a receipt', () => {
  test.each(['bash', 'sh'])('is read by %s as the arguments that the program was given', (shell) => {
    // Line ends are quoted as bash, zsh and ksh do; a plain sh may not know it yet.
    const words = nasty.filter((word) => shell === 'bash' || shellWord(word)[0] !== '$')
    const line = commandLine({ program: 'printf', version: '1', command: ['printf', '%s\\0', ...words] })!
    expect(line).not.toMatch(/[\n\r\t\u0085\u2028]/)
    const printed = execFileSync(shell, ['-c', line], {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
      // A socket as standard input would make bash read the settings of a terminal.
      stdio: ['ignore', 'pipe', 'inherit'],
    }).toString()
    expect(printed.split('\0').slice(0, -1)).toEqual(words)
  })

  test('says what the program was given beside its arguments, and leaves plain words plain', () => {
    const step = {
      program: 'fasttree',
      version: '2.1.11',
      command: ['fasttree', '-nt', 'columns.fa'],
      environment: { OMP_NUM_THREADS: '1' },
      input: 'my input',
      output: 'tree.nwk',
    }
    expect(commandLine(step)).toBe("OMP_NUM_THREADS=1 fasttree -nt columns.fa < 'my input' > tree.nwk")
    expect(commandLine({ program: 'NovoDB tree', version: '3', formula: 'p × n' })).toBeNull()
    const receipt: Receipt = {
      tool: 'tree',
      portalVersion: '1',
      startedAt: '2026-01-02T03:04:05Z',
      elapsedMs: 1,
      steps: [step],
      data: [],
      parameters: {},
      citations: [],
    }
    expect(receiptLines(receipt)[1]).toBe(`fasttree 2.1.11: ${commandLine(step)}`)
  })
})

describe('the note of a receipt', () => {
  const receipt: Receipt = {
    tool: 'tree',
    portalVersion: '1.2.3',
    startedAt: '2026-05-06T07:08:09.000Z',
    elapsedMs: 5,
    citations: [],
    steps: [
      { program: 'mafft', version: '7.505', command: ['mafft', 'a b.fa'] },
      { program: 'NovoDB tree', version: '4', formula: 'distances; (Kimura)' },
    ],
    data: [
      { assembly: 'R64', bundle: 'b1', checksum: '0123456789abcdef0123' },
      { assembly: 'S288C.2', bundle: 'b2', checksum: 'fedcba9876543210' },
    ],
    parameters: {
      source: 'genes',
      note: `5'-end [x] (y); "z" > 1\u2028`,
      empty: '',
      none: null,
      depth: { flank: 50 },
      sequence: 'ACGT'.repeat(400),
      genes: Array.from({ length: 300 }, (_, at) => `g${at}`),
    },
  }
  test('is one line with programs, data and parameters, and no sign that FASTA or Newick gives a meaning to', () => {
    const note = receiptNote(receiptLines(receipt))
    expect(note).toBe(
      `NovoDB 1.2.3 tool=tree at=2026-05-06T07:08:09.000Z programs={mafft 7.505, NovoDB tree 4} data={R64@0123456789ab, S288C.2@fedcba987654} parameters={source:genes,note:5-end {x} {y}, \\z\\ 1 ,depth:{flank:50},sequence:${'ACGT'.repeat(15)}... {1600 characters},genes:{g0,g1,g2,g3,g4,g5,g6,g7,g8,g9,... {300 in all}}}`,
    )
  })
  test('stays short, whatever was asked for', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`field${at}`, 'x'.repeat(50)]))
    expect(receiptNote(receiptLines({ ...receipt, parameters: many })).length).toBeLessThan(900)
    expect(receiptNote(receiptLines({ ...receipt, steps: [], data: [] }))).toContain('Z data={} parameters={')
  })
  test('says in every export which data sets are simulated, and nothing where none is', () => {
    const simulated = { ...receipt, simulated: ['Conditions (simulated)'] }
    expect(receiptLines(simulated)).toContain('simulated data, not measured: Conditions (simulated)')
    expect(receiptNote(receiptLines(simulated))).toContain(' simulated={Conditions {simulated}} ')
    expect(receiptNote(receiptLines({ ...simulated, data: [] }))).toContain(
      'programs={mafft 7.505, NovoDB tree 4} data={}',
    )
    expect(receiptLines(receipt).join()).not.toContain('simulated')
  })
})
