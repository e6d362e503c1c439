import { createReadStream, createWriteStream } from 'node:fs'
import { access, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import type { ProgramRequirement } from '../../jobs/program.ts'
import { usableCores } from '../../jobs/usable-cores.ts'
import type { PortalAssembly, PortalBakeContext } from '../../kit/loader.ts'
import { genomeFiles, openGenome } from '../../store/genome-fasta.ts'
import { takeGivenAlignment } from './given-alignment.ts'
import { readPafFile } from './read-paf-file.ts'

/** For the engine to declare: loaders run what engines declare. */
export const alignmentPrograms: ProgramRequirement[] = [
  {
    program: 'minimap2',
    package: 'minimap2',
    bioconda: 'minimap2',
    versionArguments: ['--version'],
    versionPattern: /(\d+\.\d+(?:-r\d+)?)/,
  },
]

/** Raised when pairs are aligned otherwise. */
const alignmentVersion = 1

const aboutPairSchema = z.object({ preset: z.string(), divergence: z.number().nullable(), version: z.string() })

export interface AlignedPair {
  file: string
  preset: string
  divergence: number | null
  reused: boolean
}

/** In the place of a preset of minimap2, for an alignment that the lab gave. */
export const givenPreset = 'given'

const writeAbout = (file: string, preset: string, divergence: number | null): Promise<void> =>
  writeFile(file, JSON.stringify({ preset, divergence, version: String(alignmentVersion) }))

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

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

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

/** Median gap-compressed divergence of windows of the assembly where they align best; null when none does, undefined without minimap2. */
const measureDivergence = async (
  reference: PortalAssembly,
  assembly: PortalAssembly,
  context: PortalBakeContext,
): Promise<number | null | undefined> => {
  await writeSample(assembly, join(context.scratch, 'sample.fa'))
  const outcome = await context.runProgram({
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
  if (outcome === null) return undefined
  const values: number[] = []
  for await (const { divergence, blockBp } of readPafFile(join(context.scratch, 'sample.paf')))
    if (divergence !== null && blockBp >= sampleWindowBp / 10) values.push(divergence)
  values.sort((a, b) => a - b)
  return values[Math.floor(values.length / 2)] ?? null
}

/** Aligns an assembly to its species' reference, unless that was done before; null when minimap2 is not there. */
export const alignPair = async (
  reference: PortalAssembly,
  assembly: PortalAssembly,
  context: PortalBakeContext,
): Promise<AlignedPair | null> => {
  const stem = join(context.cache, `${reference.uid}--${assembly.uid}.${alignmentVersion}`)
  const file = `${stem}.paf.gz`
  if (await exists(file)) {
    const { preset, divergence } = aboutPairSchema.parse(JSON.parse(await readFile(`${stem}.json`, 'utf8')))
    return { file, preset, divergence, reused: true }
  }
  if (await takeGivenAlignment(reference, assembly, `${file}.part`, context)) {
    await writeAbout(`${stem}.json`, givenPreset, null)
    await rename(`${file}.part`, file)
    return { file, preset: givenPreset, divergence: null, reused: false }
  }
  const divergence = await measureDivergence(reference, assembly, context)
  if (divergence === undefined) return null
  const preset = choosePreset(divergence)
  const outcome = await context.runProgram({
    program: 'minimap2',
    arguments: [
      // Base by base, with mismatches told from matches; each segment of the assembly where it fits best.
      ...['-c', '--eqx', '--secondary=no', '-x', preset, ...threads()],
      ...['-o', 'pair.paf', await genomeOf(reference), await genomeOf(assembly)],
    ],
  })
  if (outcome === null) return null
  const plain = join(context.scratch, 'pair.paf')
  await pipeline(createReadStream(plain), createGzip({ level: 4 }), createWriteStream(`${file}.part`))
  await rm(plain)
  await writeAbout(`${stem}.json`, preset, divergence)
  await rename(`${file}.part`, file)
  return { file, preset, divergence, reused: false }
}

/** Alignments of bundles that are gone are removed; those of other releases in service or kept stay for them. */
export const sweepPairs = async (context: PortalBakeContext): Promise<void> => {
  const kept = new Set((await context.sql<{ uid: string }[]>`select uid from bundles`).map(({ uid }) => uid))
  for (const name of await readdir(context.cache)) {
    const match = /^(.+?)--(.+?)\.(\d+)\.(?:paf\.gz|json)$/.exec(name)
    if (match === null || !kept.has(match[1]!) || !kept.has(match[2]!) || Number(match[3]) !== alignmentVersion)
      await rm(join(context.cache, name), { force: true })
  }
}
