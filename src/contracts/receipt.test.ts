import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { commandLine, type Receipt, receiptLines } from './receipt.ts'
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
    const said = execFileSync(shell, ['-c', line], {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
      // A socket as standard input would make bash read the settings of a terminal.
      stdio: ['ignore', 'pipe', 'inherit'],
    }).toString()
    expect(said.split('\0').slice(0, -1)).toEqual(words)
  })

  test('says what the program was given beside its arguments, and leaves plain words plain', () => {
    const step = {
      ...{ program: 'fasttree', version: '2.1.11', command: ['fasttree', '-nt', 'columns.fa'] },
      ...{ environment: { OMP_NUM_THREADS: '1' }, input: 'my input', output: 'tree.nwk' },
    }
    expect(commandLine(step)).toBe("OMP_NUM_THREADS=1 fasttree -nt columns.fa < 'my input' > tree.nwk")
    expect(commandLine({ program: 'NovoDB tree', version: '3', formula: 'p × n' })).toBeNull()
    const receipt: Receipt = {
      ...{ tool: 'tree', portalVersion: '1', startedAt: '2026-01-02T03:04:05Z', elapsedMs: 1, steps: [step] },
      ...{ data: [], parameters: {}, citations: [] },
    }
    expect(receiptLines(receipt)[1]).toBe(`fasttree 2.1.11: ${commandLine(step)}`)
  })
})
