import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  chooseCopies,
  copyRules,
  type ElementHit,
  type ElementPlace,
  type NamedGene,
  representInsertionSequences,
} from '../../bio/repeats/insertion-sequences.ts'
import { reverseComplement, wrapFasta } from '../../bio/sequence/sequence.ts'
import { findElementSummary } from '../../kit/data/element-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { type ElementCopies, limits, type StrainReport, type whyNoElements } from './tool.ts'

const [queryFile, genomesFile, hitsFile] = ['elements.fa', 'genomes.fa', 'hits.tsv']

/** Copies by family as elements are annotated; null where fewer than two of the assemblies have such an annotation. */
const countAnnotated = async (data: PortalData, assemblies: readonly string[]): Promise<ElementCopies | null> => {
  const families = new Map<string, { code: string; copies: Map<string, number> }>()
  const annotated: string[] = []
  for (const id of assemblies) {
    const summary = await findElementSummary(data, id)
    if (summary === null) continue
    annotated.push(id)
    for (const { family, code, count } of summary.families) {
      const entry = families.get(family) ?? { code, copies: new Map() }
      entry.copies.set(id, count)
      families.set(family, entry)
    }
  }
  if (annotated.length < 2 || families.size === 0) return null
  const rows = [...families].map(([family, { code, copies }]) => ({
    family,
    code,
    lengthBp: null,
    from: null,
    copies: annotated.map((id) => copies.get(id) ?? 0),
  }))
  return {
    basis: 'annotation',
    assemblies: annotated,
    without: assemblies.filter((id) => !annotated.includes(id)),
    ...cut(rows),
    places: [],
  }
}

/** The families of most copies. */
const cut = (rows: ElementCopies['families']): Pick<ElementCopies, 'families' | 'total'> => {
  const sum = ({ copies }: ElementCopies['families'][number]): number => copies.reduce((all, count) => all + count, 0)
  return {
    families: [...rows].sort((a, b) => sum(b) - sum(a) || (a.family < b.family ? -1 : 1)).slice(0, limits.families),
    total: rows.length,
  }
}

const listNamedGenes = async (data: PortalData, assembly: string, signal: AbortSignal): Promise<NamedGene[]> => {
  const genes: NamedGene[] = []
  for await (const batch of data.streamGenes(assembly)) {
    signal.throwIfAborted()
    for (const { description, sequence, start, end, strand } of batch)
      genes.push({ product: description, sequence, start, end, strand })
  }
  return genes
}

/**
 * Copies of the insertion sequences that genes are named after, by blastn of the longest of each against every genome; why not where no
 * gene names one, or the genomes are too long together. `strain` is whose copies are listed with their places.
 */
const countNamed = async (
  assemblies: readonly string[],
  strain: string | null,
  { data, signal, directory, runProgram, receipt }: EngineContext,
): Promise<ElementCopies | (typeof whyNoElements)[number]> => {
  let totalBp = 0
  for (const id of assemblies) totalBp += (await data.getAssembly(id)).lengthBp
  if (totalBp > limits.searchedBp) return 'long'
  const found = new Map<string, { from: string; place: ElementPlace }>()
  for (const id of assemblies)
    for (const [name, place] of representInsertionSequences(await listNamedGenes(data, id, signal)))
      if (!found.has(name)) found.set(name, { from: id, place })
  if (found.size === 0) return 'unnamed'
  const elements = [...found].map(([family, one]) => ({
    family,
    ...one,
    lengthBp: one.place.end - one.place.start + 1,
  }))
  const queries: string[] = []
  for (const [number, { from, place }] of elements.entries()) {
    const bases = await data.fetchSequence(from, place.sequence, place.start, place.end)
    queries.push(wrapFasta(String(number), place.strand === '-' ? reverseComplement(bases) : bases))
  }
  await writeFile(join(directory, queryFile), queries.join(''))
  const names: { genome: string; sequence: string }[] = []
  const write = async function* (): AsyncGenerator<string> {
    for (const genome of assemblies)
      for (const { name, lengthBp } of await data.listSequences(genome)) {
        // Programs take some names apart: sequences are numbered.
        yield `>${names.length}\n`
        names.push({ genome, sequence: name })
        for await (const bases of data.streamSequence(genome, name, 1, lengthBp)) yield `${bases}\n`
      }
  }
  await pipeline(Readable.from(write()), createWriteStream(join(directory, genomesFile)))
  await runProgram({
    program: 'blastn',
    arguments: [
      ...['-task', 'blastn', '-query', queryFile, '-subject', genomesFile, '-out', hitsFile, '-dust', 'no'],
      ...['-evalue', '1e-20', '-perc_identity', String(100 * copyRules.minIdentity)],
      ...['-qcov_hsp_perc', String(100 * copyRules.minCoverage), '-max_target_seqs', '100000'],
      ...['-outfmt', '6 qseqid sseqid qstart qend sstart send pident bitscore'],
    ],
  })
  const hits: ElementHit[] = []
  for (const line of (await readFile(join(directory, hitsFile), 'utf8')).split('\n')) {
    const [query, subject, ...cells] = line.split('\t')
    if (subject === undefined) continue
    const [queryStart, queryEnd, from, to, identity, bits] = cells.map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const element = elements[Number(query)]!
    const { genome, sequence } = names[Number(subject)]!
    hits.push({
      family: element.family,
      genome,
      sequence,
      start: Math.min(from, to),
      end: Math.max(from, to),
      strand: from <= to ? '+' : '-',
      identity: identity / 100,
      coverage: (queryEnd - queryStart + 1) / element.lengthBp,
      bits,
    })
  }
  const copies = chooseCopies(hits)
  const counts = new Map<string, number>()
  const keyOf = (family: string, genome: string): string => JSON.stringify([family, genome])
  for (const { family, genome } of copies)
    counts.set(keyOf(family, genome), (counts.get(keyOf(family, genome)) ?? 0) + 1)
  receipt.addStep({
    program: 'NovoDB insertion sequences',
    version: '1',
    formula: `of each insertion sequence named in descriptions of transposase genes, the longest run of such genes (within 300 bp) of the first assembly that has one, by blastn; a copy is a hit of at least ${100 * copyRules.minIdentity} % identity over ${100 * copyRules.minCoverage} % of it`,
  })
  return {
    basis: 'search',
    assemblies: [...assemblies],
    without: [],
    ...cut(
      elements.map(({ family, from, lengthBp }) => ({
        family,
        code: null,
        lengthBp,
        from,
        copies: assemblies.map((id) => counts.get(keyOf(family, id)) ?? 0),
      })),
    ),
    places: copies
      .filter(({ genome }) => genome === strain)
      .map(({ genome: _, bits: __, ...copy }) => copy)
      .sort((a, b) => (a.sequence === b.sequence ? a.start - b.start : a.sequence < b.sequence ? -1 : 1)),
  }
}

/** Copies of transposable elements by family in each of the assemblies, or why there are none. */
export const countElements = async (
  assemblies: readonly string[],
  strain: string | null,
  context: EngineContext,
): Promise<Pick<StrainReport, 'elements' | 'elementsWhy'>> => {
  const found = (await countAnnotated(context.data, assemblies)) ?? (await countNamed(assemblies, strain, context))
  return typeof found === 'string' ? { elements: null, elementsWhy: found } : { elements: found, elementsWhy: null }
}
