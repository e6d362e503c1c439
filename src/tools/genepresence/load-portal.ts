import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import type { Sql } from '../../database/connect.ts'
import { alignmentFiles, alignmentsAboutSchema } from '../../kit/data/alignment-files.ts'
import type { ComputedBundle } from '../../kit/data/find-computed.ts'
import { createMemberWriter } from '../../kit/data/member-file.ts'
import {
  addPresencePair,
  type PresenceAbout,
  type PresenceGenes,
  presenceFile,
  presenceFormat,
  presenceIndexFile,
  type StoredPair,
} from '../../kit/data/presence-data.ts'
import { inputDefects } from '../../kit/input-defects.ts'
import { definePortalLoader, type PartsSession, type PortalAssembly, type PortalBakeContext } from '../../kit/loader.ts'
import { presencePrograms } from '../../kit/programs.ts'
import { openSink } from '../../store/file-sink.ts'
import { genomeFiles } from '../../store/genome-fasta.ts'
import { computePair } from './compute-pair.ts'
import { openAssembly } from './open-genomes.ts'

/** Raised when the same genomes give other presences than before: the next load computes them anew, and what is stored is read until then. */
const computedVersion = 5
export const presenceKind = 'gene-presence'

const compress = promisify(gzip)
const decompress = promisify(gunzip)
/** File of a pair that is kept. */
const pairFile = 'pair.json.gz'
const genesFile = 'genes.gff3.gz'

const pairSchema = z.object({ of: z.number().int(), into: z.number().int(), alignments: z.number().int() })

const openPairs = ({
  sql,
  assemblyOf,
  computedOf,
}: {
  sql: Sql
  assemblyOf(bundle: number): Promise<PortalAssembly>
  computedOf(bundle: number): Promise<ComputedBundle>
}): PartsSession => ({
  compute: async (input, run) => {
    const pair = pairSchema.parse(input)
    const [of, into] = [await assemblyOf(pair.of), await assemblyOf(pair.into)]
    const { about, computedAt, findFile } = await computedOf(pair.alignments)
    const used = { about: alignmentsAboutSchema.parse(about), computedAt, findFile }
    const stored = await computePair({ of, into }, used, sql, run)
    await writeFile(join(run.directory, pairFile), await compress(JSON.stringify(stored)))
  },
})

const listGenes = async (assembly: PortalAssembly, sql: Sql): Promise<PresenceGenes> => {
  const opened = await openAssembly(assembly, sql)
  await opened.close()
  const sequences = [...opened.sequences.keys()]
  const numbers = new Map(sequences.map((name, number) => [name, number]))
  const genes = opened.genes.map(({ summary }) => summary)
  return {
    sequences,
    id: genes.map(({ id }) => id),
    symbol: genes.map(({ symbol }) => symbol),
    description: genes.map(({ description }) => description),
    biotype: genes.map(({ biotype }) => biotype),
    sequence: genes.map(({ sequence }) => numbers.get(sequence)!),
    start: genes.map(({ start }) => start),
    end: genes.map(({ end }) => end),
    strand: genes.map(({ strand }) => strand),
  }
}

/** What a pair is computed from, of each of its assemblies: its bases, its genes, and how it is aligned. */
const contentsOf = (
  assemblies: readonly PortalAssembly[],
  reference: PortalAssembly,
  used: ComputedBundle,
): [number, string][] =>
  assemblies.map((one) => [
    one.bundle,
    createHash('sha256')
      .update(
        [
          one.checksumOf(genomeFiles.fasta),
          one.checksumOf(genesFile),
          // By the number of the bundle, which files of alignments name.
          one.bundle,
          reference.bundle,
          used.checksumOf(alignmentFiles.byAssembly(reference.bundle, one.bundle)),
        ].join(' '),
      )
      .digest('hex'),
  ])

interface SpeciesToCompute {
  species: string
  reference: PortalAssembly
  assemblies: PortalAssembly[]
}

const bakeSpecies = async (
  species: readonly SpeciesToCompute[],
  used: ComputedBundle,
  context: PortalBakeContext,
): Promise<PresenceAbout['species'] | null> => {
  const pairs = species.flatMap(({ assemblies }) =>
    assemblies.flatMap((of) => assemblies.filter((into) => into !== of).map((into) => ({ of, into }))),
  )
  const byBundle = new Map(species.flatMap(({ assemblies }) => assemblies.map((one) => [one.bundle, one] as const)))
  const computed = await context.computeParts(
    openPairs({
      sql: context.sql,
      assemblyOf: async (bundle) => byBundle.get(bundle)!,
      computedOf: async () => used,
    }),
    {
      contents: new Map(species.flatMap(({ assemblies, reference }) => contentsOf(assemblies, reference, used))),
      parts: pairs.map(({ of, into }) => ({
        of: [of.bundle, into.bundle] as const,
        input: { of: of.bundle, into: into.bundle, alignments: used.bundle } satisfies z.input<typeof pairSchema>,
      })),
      share: 0.95,
    },
  )
  if ('missing' in computed) {
    context.report(inputDefects, {
      code: 'program-missing',
      file: 'species.yaml',
      line: null,
      params: {
        program: computed.missing,
        purpose: '@gene-presence',
        package: presencePrograms.find(({ program }) => program === computed.missing)!.package,
      },
    })
    return null
  }
  const sink = await openSink(join(context.directory, presenceFile))
  const about: PresenceAbout['species'] = []
  try {
    const writer = createMemberWriter((bytes) => sink.write(bytes))
    for (const { species: id, reference, assemblies } of species) {
      const counted: PresenceAbout['species'][number]['assemblies'] = []
      for (const assembly of assemblies) {
        const genes = await listGenes(assembly, context.sql)
        await writer.add(String(assembly.bundle), genes)
        counted.push({ id: assembly.id, bundle: assembly.bundle, genes: genes.id.length })
      }
      about.push({ species: id, reference: reference.id, assemblies: counted })
    }
    for (const { of, into } of pairs) {
      context.signal.throwIfAborted()
      const folder = await computed.folderOf([of.bundle, into.bundle])
      const bytes = await decompress(await readFile(join(folder, pairFile)))
      await addPresencePair(writer, of.bundle, into.bundle, JSON.parse(bytes.toString('utf8')) as StoredPair)
    }
    await sink.end()
    await writeFile(join(context.directory, presenceIndexFile), writer.finish())
  } finally {
    await sink.discard()
  }
  return about
}

/** Every gene of each assembly in each other assembly of its species, by DNA. */
export default definePortalLoader({
  version: computedVersion,
  over: 'genomes',
  uses: 'alignments',
  basis: (assemblies) =>
    assemblies
      .filter(({ reference, outgroup }) => reference || outgroup)
      .map(({ id, outgroup }) => `${outgroup ? '-' : ''}${id}`)
      .join(' '),
  reads: () => false,
  parts: { version: computedVersion, programs: presencePrograms.map(({ program }) => program), open: openPairs },
  bake: async (context) => {
    const startedAt = Date.now()
    const { used } = context
    const about = alignmentsAboutSchema.safeParse(used?.about)
    if (used === null || !about.success) return null
    const bySpecies = new Map<string, PortalAssembly[]>()
    // Genes of an outgroup are nearly all to be searched for, for an answer that its homologs give as well.
    for (const assembly of context.assemblies.filter(({ outgroup }) => !outgroup))
      bySpecies.set(assembly.species, [...(bySpecies.get(assembly.species) ?? []), assembly])
    const several = [...bySpecies].flatMap(([species, assemblies]): SpeciesToCompute[] => {
      const [first] = assemblies
      const reference = assemblies.find((one) => one.reference) ?? first
      return reference === undefined || assemblies.length < 2 ? [] : [{ species, reference, assemblies }]
    })
    if (several.length === 0) return null
    const species = await bakeSpecies(several, used, context)
    if (species === null) return null
    context.addFile(presenceFile, { kind: presenceKind })
    context.addFile(presenceIndexFile, { kind: `${presenceKind}-index` })
    const version = await context.runProgram({ program: 'blastn', arguments: ['-version'] })
    const told: PresenceAbout = {
      format: presenceFormat,
      programs: [
        about.data.program,
        (version?.output ?? '')
          .split('\n')[0]!
          .replace(/^blastn: /, 'BLAST+ ')
          .trim(),
      ],
      elapsedMs: Date.now() - startedAt,
      species,
    }
    const genes = species.reduce((sum, { assemblies }) => sum + assemblies.reduce((all, one) => all + one.genes, 0), 0)
    return { counts: { 'gene-presence': genes }, about: told }
  },
})
