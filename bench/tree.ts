// How trees agree with the programs run by hand, and how long they take: made-up sequences through the tool's engine, and the same
// programs started here with the arguments that a person would type.
//   node dist/node/bench/tree.js
// Figures are printed, nothing is judged.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseNewick } from '../src/bio/phylogeny/newick.ts'
import { compareTrees } from '../src/bio/phylogeny/phylogeny.ts'
import { findPrograms } from '../src/jobs/programs.ts'
import type { PortalData } from '../src/kit/data/portal-data.ts'
import { runTool } from '../src/kit/run-tool.ts'
import engine from '../src/tools/tree/engine.ts'
import tool, { type TreeResult } from '../src/tools/tree/tool.ts'

const searchPath = process.env.PATH ?? ''

interface Case {
  name: string
  file: string
  input: object
  hand: [program: string, ...args: string[]][]
  /** File with the tree by hand; standard output of the last program when absent. */
  tree?: string
}

const cases: Case[] = [
  {
    name: 'MAFFT, FastTree LG Gamma20, proteins',
    file: 'proteins.fa',
    input: { method: 'fasttree' },
    hand: [
      ['mafft', '--auto', '--thread', '1', 'in.fa'],
      ['fasttree', '-lg', '-gamma', '-seed', '1', 'out0'],
    ],
  },
  {
    name: 'MAFFT, FastTree GTR Gamma20, DNA',
    file: 'bases.fa',
    input: { method: 'fasttree' },
    hand: [
      ['mafft', '--auto', '--thread', '1', 'in.fa'],
      ['fasttree', '-nt', '-gtr', '-gamma', '-seed', '1', 'out0'],
    ],
  },
  {
    name: 'MAFFT, IQ-TREE MFP, UFBoot, DNA',
    file: 'bases.fa',
    input: { method: 'iqtree', iqModel: 'MFP' },
    hand: [
      ['mafft', '--auto', '--thread', '1', 'in.fa'],
      ['iqtree2', '-s', 'out0', '-m', 'MFP', '-B', '1000', '-T', '1', '--seed', '1', '--prefix', 'x'],
    ],
    tree: 'x.treefile',
  },
  {
    name: 'MAFFT, IQ-TREE LG+G4, UFBoot and SH-aLRT, proteins',
    file: 'proteins.fa',
    input: { method: 'iqtree', iqModel: 'LG+G4', support: 'both' },
    hand: [
      ['mafft', '--auto', '--thread', '1', 'in.fa'],
      [
        'iqtree2',
        '-s',
        'out0',
        '-m',
        'LG+G4',
        '-alrt',
        '1000',
        '-B',
        '1000',
        '-T',
        '1',
        '--seed',
        '1',
        '--prefix',
        'x',
      ],
    ],
    tree: 'x.treefile',
  },
]

const main = async (): Promise<void> => {
  const scratch = await mkdtemp(join(tmpdir(), 'novodb-bench-'))
  try {
    const programs = await findPrograms(engine.programs, searchPath)
    for (const { program, version } of programs) console.log(`${program} ${version ?? '-'}`)
    for (const [number, { name, file, input, hand, tree }] of cases.entries()) {
      const sequence = await readFile(join('src/bio/phylogeny/fixtures', file), 'utf8')
      const startedAt = Date.now()
      const { result } = await runTool(engine, {
        input: tool.input.parse({ source: 'sequence', sequence, ...input }),
        // Pasted sequences ask nothing of what is loaded.
        data: {} as PortalData,
        directory: join(scratch, `tool${number}`),
        dataDir: scratch,
        searchPath,
        programs,
        portalVersion: 'bench',
        signal: new AbortController().signal,
        bounds: { timeoutMs: 3_600_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 2 * 1024 ** 3 },
        onProgress: () => undefined,
      })
      const seconds = (Date.now() - startedAt) / 1000
      const directory = join(scratch, `hand${number}`)
      await mkdir(directory)
      await writeFile(join(directory, 'in.fa'), sequence)
      let output = ''
      for (const [step, [program, ...args]] of hand.entries()) {
        output = execFileSync(program, args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
        await writeFile(join(directory, `out${step}`), output)
      }
      const byHand = tree === undefined ? output : await readFile(join(directory, tree), 'utf8')
      const made = result as TreeResult
      const { distance, splits, supportDifference, lengthDifference } = compareTrees(
        parseNewick(made.newick),
        parseNewick(byHand),
      )
      console.log(
        `${name.padEnd(52)} ${made.leaves.length} sequences, ${made.alignment?.keptColumns} columns, ${made.model}: Robinson-Foulds ${distance} of ${splits}, support differs by ${supportDifference}, length by ${lengthDifference}; ${seconds.toFixed(1)} s`,
      )
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

await main()
