import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openInteractions } from '../src/bio/networks/interaction-tables.ts'
import { clusterNodes } from '../src/tools/ppi/cluster.ts'
import { simulateInteractions } from './simulated-interactions.ts'

const genes = Array.from({ length: 300 }, (_, at) => `Rv${String(at + 1).padStart(4, '0')}`)
const made = simulateInteractions(genes, 14, 7)

test('the same interactions are made every time, each pair once, and no gene is in two complexes', () => {
  expect(simulateInteractions(genes, 14, 7)).toEqual(made)
  expect(made.complexes).toHaveLength(14)
  const members = made.complexes.flat()
  expect(new Set(members).size).toBe(members.length)
})

test.each(['louvain', 'mcl'] as const)(
  'the planted complexes are found again by %s, from the table as it is loaded',
  async (method) => {
    const { reader } = openInteractions(made.lines[0]!)
    const indexes = new Map(genes.map((gene, at) => [gene, at]))
    const edges = made.lines.slice(1).map((line, at) => {
      const { a, b, value } = reader.read(line, at + 2)!
      return { a: indexes.get(a[0]!)!, b: indexes.get(b[0]!)!, score: value! }
    })
    const directory = await mkdtemp(join(tmpdir(), 'interactions-'))
    try {
      const clusters = await clusterNodes(
        genes.length,
        edges.filter(({ score }) => score >= 0.6),
        { method, inflation: 2 },
        {
          directory,
          runProgram: async ({ program, arguments: words }) => {
            await promisify(execFile)(program, words, { cwd: directory })
            return { stdout: '', stderr: '', exitCode: 0 } as never
          },
        },
      )
      let together = 0
      for (const members of made.complexes) {
        const found = members.map((gene) => clusters[indexes.get(gene)!]!)
        const counts = new Map<number | null, number>()
        for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1)
        const [own, max] = [...counts].sort(([, x], [, y]) => y - x)[0]!
        expect(own).not.toBeNull()
        // Its members stand together; chance interactions may bring a few strangers.
        expect(max / members.length).toBeGreaterThanOrEqual(0.8)
        together += max
      }
      expect(together / made.complexes.flat().length).toBeGreaterThan(0.95)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
)
