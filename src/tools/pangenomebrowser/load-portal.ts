import { copyFile, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  Coverage,
  chainAlignments,
  chainGaps,
  type NetChain,
  rankChains,
} from '../../bio/alignment/alignment-chains.ts'
import { cutAlignment, invertPiece } from '../../bio/alignment/lift.ts'
import { cigarOperation, type PafRecord } from '../../bio/alignment/paf.ts'
import {
  callVariants,
  mergeVariants,
  minVariantBp,
  type StructuralVariant,
} from '../../bio/alignment/structural-variants.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { listSequenceRows } from '../../database/sequences.ts'
import {
  type AlignmentsAbout,
  alignmentFiles,
  renderPiece,
  renderVariant,
  renderVariantHeader,
  type SpanState,
} from '../../kit/data/alignment-files.ts'
import { inputDefects } from '../../kit/input-defects.ts'
import { definePortalLoader, type PortalAssembly, type PortalBakeContext } from '../../kit/loader.ts'
import { type FileSink, openSink } from '../../store/file-sink.ts'
import { type Genome, genomeFiles, openGenome } from '../../store/genome-fasta.ts'
import { readPafFile } from '../../store/paf-file.ts'
import type { TabixFormat } from '../../store/tabix-lines.ts'
import { bakeTabix } from '../../store/tabix-writer.ts'
import { type AlignedPair, alignmentParts, alignPairs, givenPreset } from './align-pairs.ts'

interface Sequences {
  name: string
  lengthBp: number
}

const bake = async (
  context: PortalBakeContext,
  path: string,
  about: { kind: string; format: TabixFormat; sequences: Sequences[]; title?: { en: string; zh: string } },
  source: { file: string } | { lines: Iterable<string> | AsyncIterable<string>; name: string },
): Promise<void> => {
  const outFile = join(context.directory, path)
  await mkdir(dirname(outFile), { recursive: true })
  // What is written here is our own: a line that cannot be read is a defect of ours. Only emptiness is none.
  const log = new DefectLog()
  const { csiFile, tbiFile, leftOut } = await bakeTabix({
    source,
    format: about.format,
    outFile,
    sequences: about.sequences,
    log,
    signal: context.signal,
  })
  if (leftOut > 0) throw new Error(`${path}: ${leftOut} lines could not be indexed.`)
  context.addFile(path, { kind: about.kind, ...(about.title ? { download: { title: about.title } } : {}) })
  for (const index of [csiFile, tbiFile])
    if (index !== null) context.addFile(`${path}${index.slice(outFile.length)}`, { kind: `${about.kind}-index` })
}

/** Segments of the reference that an alignment has, and those of size that it passes over. */
function* readSpans(record: PafRecord): Generator<{ start0: number; end0: number; state: SpanState }> {
  let target0 = record.targetStart0
  let from = target0
  for (const entry of record.cigar ?? []) {
    const length = Math.floor(entry / 16)
    const operation = entry & 15
    if (operation === cigarOperation.insertion) continue
    if (operation === cigarOperation.deletion && length >= minVariantBp) {
      if (target0 > from) yield { start0: from, end0: target0, state: 'aligned' }
      yield { start0: target0, end0: target0 + length, state: 'deleted' }
      from = target0 + length
    }
    target0 += length
  }
  if (target0 > from) yield { start0: from, end0: target0, state: 'aligned' }
}

/** What is aligned of the reference, and in lines what of it the assembly has; a gap that other chains fill is none. */
const describeSpans = (chains: readonly NetChain[], assembly: number): { aligned: Coverage; lines: string[] } => {
  const aligned = new Coverage()
  const gaps: { sequence: string; start0: number; end0: number; state: SpanState }[] = []
  for (const [number, chain] of chains.entries()) {
    for (const record of chain.alignments)
      for (const { start0, end0, state } of readSpans(record))
        if (state === 'aligned') aligned.add(chain.target, start0, end0)
        else gaps.push({ sequence: chain.target, start0, end0, state })
    for (const { sourceStart0: start0, sourceEnd0: end0, otherStart0, otherEnd0 } of chainGaps(chain, number))
      if (end0 - start0 >= minVariantBp)
        gaps.push({
          sequence: chain.target,
          start0,
          end0,
          state: otherEnd0 - otherStart0 >= minVariantBp ? 'replaced' : 'deleted',
        })
  }
  const lines: string[] = []
  const add = (sequence: string, start0: number, end0: number, state: SpanState): void => {
    lines.push([sequence, start0, end0, assembly, state].join('\t'))
  }
  for (const sequence of new Set(chains.map(({ target }) => target)))
    for (const [start0, end0] of aligned.intervals(sequence)) add(sequence, start0, end0, 'aligned')
  // The better chain's word is taken where two pass over the same bases.
  const reported = new Coverage()
  for (const { sequence, start0, end0, state } of gaps) {
    let from = start0
    const inside = [...aligned.within(sequence, start0, end0), ...reported.within(sequence, start0, end0)].sort(
      (a, b) => a[0] - b[0],
    )
    for (const [first, last] of [...inside, [end0, end0] as const]) {
      if (first - from >= minVariantBp) add(sequence, from, first, state)
      from = Math.max(from, last)
    }
    reported.add(sequence, start0, end0)
  }
  return { aligned, lines }
}

/** Bases beside a variant that are looked at for gaps of the assembly. */
const flankBp = 20
/** Assemblers write a gap as at least so many unknown bases. */
const minUnknown = 10

const unknownBases = async (genome: Genome, sequence: string, start0: number, end0: number): Promise<number> => {
  const lengthBp = genome.lengthOf(sequence)!
  let unknown = 0
  for await (const bases of genome.stream(sequence, Math.max(0, start0 - flankBp), Math.min(lengthBp, end0 + flankBp)))
    for (let at = 0; at < bases.length; at += 1) if ((bases.charCodeAt(at) & 0xdf) === 78) unknown += 1
  return unknown
}

/** Whether either assembly has a gap in the variant, where nobody knows what lies there. */
const liesInGap = async (variant: StructuralVariant, reference: Genome, genome: Genome): Promise<boolean> => {
  if (!['deletion', 'insertion', 'replacement', 'tandem-duplication'].includes(variant.class)) return false
  return (
    (await unknownBases(genome, variant.query, variant.queryStart0, variant.queryEnd0)) >= minUnknown ||
    (await unknownBases(reference, variant.target, variant.start0, variant.end0)) >= minUnknown
  )
}

const coveredBp = (coverage: Coverage, sequences: readonly Sequences[]): number =>
  sequences.reduce((sum, { name, lengthBp }) => sum + coverage.coveredBp(name, 0, lengthBp), 0)

interface ComparedAssembly {
  about: AlignmentsAbout['species'][number]['assemblies'][number]
  variants: StructuralVariant[]
  aligned: Coverage
}

interface Reference {
  assembly: PortalAssembly
  sequences: Awaited<ReturnType<typeof listSequenceRows>>
  genome: Genome
  pieces: FileSink
  spans: FileSink
}

/** Chains of one assembly, its files by its own places, and its variants. */
const compareAssembly = async (
  assembly: PortalAssembly,
  pair: AlignedPair,
  reference: Reference,
  context: PortalBakeContext,
): Promise<ComparedAssembly> => {
  const records: PafRecord[] = []
  for await (const record of readPafFile(pair.file)) records.push(record)
  const chains = rankChains(chainAlignments(records))
  const own: string[] = []
  const ownAligned = new Coverage()
  for (const chain of chains) {
    const score = Math.round(chain.score)
    const pieces = [
      ...chain.alignments.flatMap((record) => cutAlignment(record, chain.number, score)),
      ...chainGaps(chain, chain.number),
    ]
    for (const piece of pieces) await reference.pieces.write(`${renderPiece(piece, assembly.bundle)}\n`)
    for (const piece of pieces)
      if (piece.otherEnd0 > piece.otherStart0) own.push(renderPiece(invertPiece(piece), reference.assembly.bundle))
    for (const { queryStart0, queryEnd0 } of chain.alignments) ownAligned.add(chain.query, queryStart0, queryEnd0)
    context.signal.throwIfAborted()
  }
  const sequences = await listSequenceRows(context.sql, assembly.bundle)
  await bake(
    context,
    alignmentFiles.byAssembly(reference.assembly.bundle, assembly.bundle),
    { kind: 'alignments', format: 'bed', sequences },
    { lines: own, name: 'alignments' },
  )
  const { aligned, lines } = describeSpans(chains, assembly.bundle)
  for (const line of lines) await reference.spans.write(`${line}\n`)

  const circular = new Set(reference.sequences.flatMap(({ name, circular: is }) => (is ? [name] : [])))
  const called = callVariants(chains, { circular })
  const genome = await openGenome(await assembly.fetchFiles(Object.values(genomeFiles)))
  const variants: StructuralVariant[] = []
  try {
    for (const variant of called) if (!(await liesInGap(variant, reference.genome, genome))) variants.push(variant)
  } finally {
    await genome.close()
  }
  const counts: Record<string, number> = {}
  for (const variant of variants) counts[variant.class] = (counts[variant.class] ?? 0) + 1
  return {
    about: {
      id: assembly.id,
      bundle: assembly.bundle,
      preset: pair.preset,
      divergence: pair.divergence,
      reused: pair.reused,
      alignedBp: coveredBp(aligned, reference.sequences),
      ownAlignedBp: coveredBp(ownAligned, sequences),
      chains: chains.length,
      variants: counts,
      leftOut: called.length - variants.length,
    },
    variants,
    aligned,
  }
}

/** Bases on both sides of a place that must be aligned to say that an assembly lacks a variant there. */
const besideBp = 10

const isAligned = (aligned: Coverage, { target, start0, end0 }: StructuralVariant): boolean => {
  const [from, to] = [Math.max(0, start0 - besideBp), end0 + besideBp]
  return aligned.coveredBp(target, from, to) >= 0.9 * (to - from)
}

const writeVariants = async (
  compared: readonly ComparedAssembly[],
  reference: Reference,
  context: PortalBakeContext,
): Promise<number> => {
  const samples = compared.map(({ about }) => ({ assembly: about.bundle, id: about.id }))
  const merged = mergeVariants(compared.map(({ variants }) => variants))
  const baseAt = async (sequence: string, start0: number): Promise<string> =>
    (await reference.genome.fetch(sequence, start0, start0 + 1)).toUpperCase()
  const lines = async function* (): AsyncGenerator<string> {
    yield* renderVariantHeader(reference.assembly.id, reference.sequences, samples)
    for (const [number, variant] of merged.entries()) {
      const carried = {
        ...variant,
        carriers: variant.carriers.map((one) => ({ ...one, assembly: samples[one.assembly]!.assembly })),
      }
      for (const { line } of await renderVariant(
        carried,
        `SV${number + 1}`,
        samples,
        (sample) => isAligned(compared[sample]!.aligned, variant),
        baseAt,
      ))
        yield line
    }
  }
  const { bundle, id } = reference.assembly
  await bake(
    context,
    alignmentFiles.variants(bundle, id),
    {
      kind: 'structural-variants',
      format: 'vcf',
      sequences: reference.sequences,
      title: { en: `Structural variants against ${id}`, zh: `相对于 ${id} 的结构变异` },
    },
    { lines: lines(), name: 'variants' },
  )
  return merged.length
}

interface SpeciesToAlign {
  species: string
  /** Its reference. */
  assembly: PortalAssembly
  others: PortalAssembly[]
}

/** Of the whole, what aligning takes. */
const alignShare = 0.8

const describeSpecies = async (
  { species, assembly, others }: SpeciesToAlign,
  pairs: ReadonlyMap<number, AlignedPair>,
  context: PortalBakeContext,
  progress: (fraction: number) => void,
): Promise<AlignmentsAbout['species'][number]> => {
  const genome = await openGenome(await assembly.fetchFiles(Object.values(genomeFiles)))
  const sinks: FileSink[] = []
  const openLines = async (name: string): Promise<FileSink> => {
    const sink = await openSink(join(context.scratch, `${assembly.bundle}.${name}.bed`))
    sinks.push(sink)
    return sink
  }
  try {
    const reference: Reference = {
      assembly,
      sequences: await listSequenceRows(context.sql, assembly.bundle),
      genome,
      pieces: await openLines('pieces'),
      spans: await openLines('spans'),
    }
    const compared: ComparedAssembly[] = []
    for (const [number, other] of others.entries()) {
      context.signal.throwIfAborted()
      const pair = pairs.get(other.bundle)!
      compared.push(await compareAssembly(other, pair, reference, context))
      const path = alignmentFiles.paf(assembly.bundle, assembly.id, other.id)
      await mkdir(dirname(join(context.directory, path)), { recursive: true })
      await copyFile(pair.file, join(context.directory, path))
      context.addFile(path, {
        kind: 'alignment-paf',
        download: {
          title: {
            en: `Alignment of ${other.id} to ${assembly.id} (PAF)`,
            zh: `${other.id} 与 ${assembly.id} 的比对（PAF）`,
          },
        },
      })
      progress((number + 1) / others.length)
    }
    const { sequences } = reference
    for (const [lines, path] of [
      [reference.pieces, alignmentFiles.byReference(assembly.bundle)],
      [reference.spans, alignmentFiles.spans(assembly.bundle)],
    ] as const) {
      await lines.end()
      const { size } = await stat(lines.file)
      const source = size === 0 ? { lines: [], name: 'alignments' } : { file: lines.file }
      await bake(context, path, { kind: 'alignments', format: 'bed', sequences }, source)
    }
    const variantCount = await writeVariants(compared, reference, context)
    return {
      species,
      reference: { id: assembly.id, bundle: assembly.bundle },
      assemblies: compared.map(({ about }) => about),
      variantCount,
    }
  } finally {
    for (const sink of sinks) await sink.discard()
    await genome.close()
  }
}

/** Assemblies of one species against its reference: alignments for lifts of places, what each has of the reference, variants. */
export default definePortalLoader({
  version: 1,
  over: 'genomes',
  basis: (assemblies) =>
    assemblies
      .filter(({ reference }) => reference)
      .map(({ id }) => id)
      .join(' '),
  reads: () => false,
  parts: alignmentParts,
  bake: async (context) => {
    const startedAt = Date.now()
    const bySpecies = new Map<string, PortalAssembly[]>()
    for (const assembly of context.assemblies)
      bySpecies.set(assembly.species, [...(bySpecies.get(assembly.species) ?? []), assembly])
    const several = [...bySpecies].filter(([, assemblies]) => assemblies.length > 1)
    if (several.length === 0) return null
    const toAlign = several.map(([species, assemblies]): SpeciesToAlign => {
      const assembly = assemblies.find(({ reference }) => reference) ?? assemblies[0]!
      return { species, assembly, others: assemblies.filter((one) => one !== assembly) }
    })
    const wanted = toAlign.flatMap(({ assembly: reference, others }) =>
      others.map((assembly) => ({ reference, assembly })),
    )
    const pairs = await alignPairs(wanted, alignShare, context)
    if (pairs === null) {
      context.report(inputDefects, {
        code: 'program-missing',
        file: 'species.yaml',
        line: null,
        params: { program: 'minimap2', purpose: '@genome-alignments', package: 'minimap2' },
      })
      return null
    }
    const species: AlignmentsAbout['species'] = []
    for (const [number, one] of toAlign.entries())
      species.push(
        await describeSpecies(one, pairs, context, (fraction) =>
          context.progress(alignShare + ((1 - alignShare) * (number + fraction)) / toAlign.length),
        ),
      )
    const version = await context.runProgram({ program: 'minimap2', arguments: ['--version'] })
    const given = species.flatMap(({ assemblies }) => assemblies.filter(({ preset }) => preset === givenPreset))
    const about: AlignmentsAbout = {
      program: [
        `minimap2 ${version?.output.trim() ?? ''}`.trim(),
        ...(given.length === 0 ? [] : [`${given.map(({ id }) => id).join(', ')}: species.yaml`]),
      ].join('; '),
      species,
      elapsedMs: Date.now() - startedAt,
    }
    const variants = species.reduce((sum, { variantCount }) => sum + variantCount, 0)
    return { counts: { structuralVariants: variants }, about }
  },
})
