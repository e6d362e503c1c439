import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import { usableCores } from '../../jobs/usable-cores.ts'
import type { PartRun, PartsSession, PortalAssembly, PortalBakeContext, PortalParts } from '../../kit/loader.ts'
import { genomeFiles, openGenome } from '../../store/genome-fasta.ts'
import { readPafFile } from '../../store/paf-file.ts'
import { takeGivenAlignment } from './given-alignment.ts'

/** Raised when pairs are aligned otherwise. */
const alignmentVersion = 1

const aboutPairSchema = z.object({ preset: z.string(), divergence: z.number().nullable() })

export interface AlignedPair {
  file: string
  preset: string
  divergence: number | null
  reused: boolean
}

/** Files of a pair that is kept. */
const [pafFile, aboutFile] = ['pair.paf.gz', 'about.json']

/** In the place of a preset of minimap2, for an alignment that the lab gave. */
export const givenPreset = 'given'

/** Windows of an assembly by which its distance is measured, spread evenly. */
const sampleWindows = 200
const sampleWindowBp = 10_000

/**
 * minimap2's manual page gives asm5 for divergences of about 0.1 % and asm10 for about 1 %: below their geometric mean asm5 is taken.
 * Above it asm20 is: of yeast strains at 0.6 to 0.8 % it aligned half a percent more of the reference than asm10 (bench/lift.ts).
 */
const closeDivergence = Math.sqrt(0.001 * 0.01)
const choosePreset = (divergence: number | null): string =>
  divergence !== null && divergence < closeDivergence ? 'asm5' : 'asm20'

const threads = (): string[] => ['-t', String(usableCores())]
const genomeOf = async (assembly: PortalAssembly): Promise<string> =>
  join(await assembly.fetchFiles(Object.values(genomeFiles)), genomeFiles.fasta)

const writeSample = async (assembly: PortalAssembly, file: string): Promise<void> => {
  const genome = await openGenome(await assembly.fetchFiles(Object.values(genomeFiles)))
  try {
    let total = 0
    for await (const { lengthBp } of genome.sequences()) total += lengthBp
    const step = Math.max(sampleWindowBp, total / sampleWindows)
    const records: string[] = []
    // Places counted through all sequences, so that long ones are sampled more.
    let before = 0
    for await (const { name, lengthBp } of genome.sequences()) {
      for (let index = Math.ceil(before / step) * step; index < before + lengthBp; index += step) {
        const start0 = Math.floor(Math.min(index - before, Math.max(0, lengthBp - sampleWindowBp)))
        const end0 = Math.min(lengthBp, start0 + sampleWindowBp)
        records.push(`>${records.length}\n${await genome.fetch(name, start0, end0)}\n`)
      }
      before += lengthBp
    }
    await writeFile(file, records.join(''))
  } finally {
    await genome.close()
  }
}

/** Median gap-compressed divergence of windows of the assembly where they align best; null when none does. */
const measureDivergence = async (
  reference: PortalAssembly,
  assembly: PortalAssembly,
  run: PartRun,
): Promise<number | null> => {
  await writeSample(assembly, join(run.scratch, 'sample.fa'))
  await run.runProgram({
    program: 'minimap2',
    arguments: [
      ...'-c -x asm20 --secondary=no'.split(' '),
      ...threads(),
      '-o',
      'sample.paf',
      await genomeOf(reference),
      'sample.fa',
    ],
  })
  const values: number[] = []
  for await (const { divergence, blockBp } of readPafFile(join(run.scratch, 'sample.paf')))
    if (divergence !== null && blockBp >= sampleWindowBp / 10) values.push(divergence)
  values.sort((a, b) => a - b)
  return values[Math.floor(values.length / 2)] ?? null
}

const pairSchema = z.object({ reference: z.number().int(), assembly: z.number().int() })

const openAlignments = (assemblyOf: (bundle: number) => Promise<PortalAssembly>): PartsSession => ({
  compute: async (input, run) => {
    const pair = pairSchema.parse(input)
    const [reference, assembly] = [await assemblyOf(pair.reference), await assemblyOf(pair.assembly)]
    const divergence = await measureDivergence(reference, assembly, run)
    const preset = choosePreset(divergence)
    await run.runProgram({
      program: 'minimap2',
      arguments: [
        // Base by base, with mismatches told from matches; each segment of the assembly where it fits best.
        ...['-c', '--eqx', '--secondary=no', '-x', preset, ...threads()],
        ...['-o', 'pair.paf', await genomeOf(reference), await genomeOf(assembly)],
      ],
    })
    await pipeline(
      createReadStream(join(run.scratch, 'pair.paf')),
      createGzip({ level: 4 }),
      createWriteStream(join(run.directory, pafFile)),
    )
    await writeFile(
      join(run.directory, aboutFile),
      JSON.stringify({ preset, divergence } satisfies z.input<typeof aboutPairSchema>),
    )
  },
})

/** Assemblies aligned to their references, each pair a part. */
export const alignmentParts: PortalParts = {
  version: alignmentVersion,
  programs: ['minimap2'],
  open: ({ assemblyOf }) => openAlignments(assemblyOf),
}

/** A reference, and an assembly of its species. */
export interface Pair {
  reference: PortalAssembly
  assembly: PortalAssembly
}

/**
 * Aligns assemblies to their species' references, up to `share` of the progress; a lab's own alignment takes the place of one. By the
 * bundle of the assembly; null when minimap2 is not there.
 */
export const alignPairs = async (
  pairs: readonly Pair[],
  share: number,
  context: PortalBakeContext,
): Promise<Map<number, AlignedPair> | null> => {
  const aligned = new Map<number, AlignedPair>()
  for (const { reference, assembly } of pairs) {
    const file = join(context.scratch, `given-${assembly.bundle}.paf.gz`)
    if (await takeGivenAlignment(reference, assembly, file, context))
      aligned.set(assembly.bundle, { file, preset: givenPreset, divergence: null, reused: false })
  }
  const others = pairs.filter(({ assembly }) => !aligned.has(assembly.bundle))
  if (others.length === 0) return aligned
  const byBundle = new Map(
    pairs.flatMap(({ reference, assembly }) => [reference, assembly]).map((one) => [one.bundle, one]),
  )
  const contents = new Map(Array.from(byBundle.values(), (one) => [one.bundle, one.checksumOf(genomeFiles.fasta)!]))
  const partOf = ({ reference, assembly }: Pair) => ({
    of: [reference.bundle, assembly.bundle] as const,
    input: { reference: reference.bundle, assembly: assembly.bundle } satisfies z.input<typeof pairSchema>,
  })
  const computed = await context.computeParts(
    openAlignments(async (bundle) => byBundle.get(bundle)!),
    { contents, parts: others.map(partOf), share },
  )
  if ('missing' in computed) return null
  for (const pair of others) {
    const { of } = partOf(pair)
    const folder = await computed.folderOf(of)
    const about = aboutPairSchema.parse(JSON.parse(await readFile(join(folder, aboutFile), 'utf8')))
    aligned.set(pair.assembly.bundle, { file: join(folder, pafFile), ...about, reused: computed.wasKept(of) })
  }
  return aligned
}
