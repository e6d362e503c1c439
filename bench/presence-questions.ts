// What is known of the genes of many genomes by DNA, as it is asked for: one gene, its neighbours, whole genomes, the pan-genome.
//   node dist/node/bench/presence-questions.js [GENES [GENOMES]]
// The file is made up: nine tenths of the genes are intact, the others cut or gone. Figures are printed, nothing is judged.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countPresence } from '../src/kit/data/genes/presence-frequencies.ts'
import { createMemberWriter } from '../src/kit/data/member-file.ts'
import {
  addPresencePair,
  createPresenceData,
  type PresenceGenes,
  presenceFile,
  presenceFormat,
  presenceIndexFile,
  type StoredPresence,
} from '../src/kit/data/presence-data.ts'
import { openSink } from '../src/store/file-sink.ts'
import { makeRandom } from '../src/testing/random.ts'

const geneCount = Number(process.argv[2] ?? 11_000)
const genomeCount = Number(process.argv[3] ?? 13)
const neighbours = 30

const random = makeRandom(5)
const below = (count: number): number => Math.floor(random() * count)

const makeGenes = (genome: number): PresenceGenes => {
  const each = <T>(of: (gene: number) => T): T[] => Array.from({ length: geneCount }, (_, gene) => of(gene))
  return {
    sequences: ['chr1'],
    id: each((gene) => `G${genome}_${gene}`),
    symbol: each(() => null),
    description: each(() => 'hypothetical protein'),
    biotype: each(() => 'protein_coding'),
    sequence: each(() => 0),
    start: each((gene) => gene * 2000 + 1),
    end: each((gene) => gene * 2000 + 1500),
    strand: each(() => '+'),
  }
}

const makeRow = (gene: number, into: number): StoredPresence => {
  const kind = random()
  const lengthBp = 1200 + below(900)
  const start = gene * 2000 + below(900)
  const codons = Math.floor(lengthBp / 3) - 1
  if (kind >= 0.95) return [lengthBp, 0, lengthBp, 0, -1, 12, 0, 0, 0, 0, 0, 0, null, [], [], [], []]
  const isWhole = kind < 0.9
  const alignedBp = isWhole ? lengthBp : Math.floor(lengthBp * 0.7)
  return [
    ...([lengthBp, alignedBp, lengthBp - alignedBp, 0, -1, 2, 1, 0, 0, 0] as const),
    isWhole ? [codons, 1, -1, null, null] : [codons, 0.4, 0, 133, 'p.(Ala133ProfsTer4)'],
    ...([0, Number((0.95 + random() * 0.05).toFixed(4))] as const),
    [['chr1', start, start + lengthBp, 0]],
    [],
    [],
    [`G${into}_${gene}`],
  ]
}

const main = async (): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'novodb-bench-presence-'))
  const file = join(root, presenceFile)
  try {
    const sink = await openSink(file)
    const writer = createMemberWriter((bytes) => sink.write(bytes))
    const numbers = Array.from({ length: genomeCount }, (_, genome) => genome)
    for (const genome of numbers) await writer.add(String(genome), makeGenes(genome))
    for (const of of numbers)
      for (const into of numbers)
        if (of !== into)
          await addPresencePair(writer, of, into, {
            rows: Array.from({ length: geneCount }, (_, gene) => makeRow(gene, into)),
            runs: [],
            through: null,
          })
    await sink.end()
    await writeFile(join(root, presenceIndexFile), writer.finish())
    const sizeOf = async (name: string): Promise<string> =>
      `${((await stat(join(root, name))).size / 1e6).toFixed(1)} MB`
    console.log(
      `${geneCount} genes of each of ${genomeCount} genomes: ${await sizeOf(presenceFile)}, index ${await sizeOf(presenceIndexFile)}`,
    )
    const ids = numbers.map((genome) => `A${genome}`)
    const presence = createPresenceData({
      open: async () => ({
        about: {
          format: presenceFormat,
          programs: [],
          elapsedMs: 0,
          species: [
            {
              species: 's',
              reference: 'A0',
              assemblies: ids.map((id, bundle) => ({ id, bundle, genes: geneCount })),
            },
          ],
        },
        computedAt: '',
        findFile: async (name) => join(root, name),
        assemblies: new Map(ids.map((id, bundle) => [bundle, id])),
      }),
      listSiblings: async () => ids,
    })
    const measure = async (what: string, ask: () => Promise<unknown>): Promise<void> => {
      for (const time of ['first', 'again']) {
        const used = process.cpuUsage()
        const startedAt = performance.now()
        await ask()
        const { user, system } = process.cpuUsage(used)
        console.log(
          `${what}, ${time}: ${(performance.now() - startedAt).toFixed(0)} ms, processor ${((user + system) / 1000).toFixed(0)} ms, process ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
        )
      }
    }
    const middle = Math.floor(geneCount / 2)
    await measure('one gene in all genomes', () => presence.ofGene('A0', `G0_${middle}`))
    await measure(`${neighbours} neighbours in all genomes`, async () => {
      await presence.genes('A1')
      for (const other of ids)
        await presence.genesIn(
          'A1',
          other,
          Array.from({ length: neighbours }, (_, at) => middle + at),
        )
    })
    await measure('states of all genes in all genomes', async () => {
      for (const other of ids) await presence.states('A2', other)
    })
    await measure('pan-genome of all', () => countPresence({ presence }, ids, new AbortController().signal))
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

await main()
