import { join } from 'node:path'
import type { GeneSummary } from '../../contracts/genes.ts'
import type { Sql } from '../../database/connect.ts'
import { geneSummary, streamGeneRows } from '../../database/genes.ts'
import { listSequenceRows } from '../../database/sequences.ts'
import { type CodingParts, codingPartsOf, type FollowedGenomes } from '../../kit/data/genes/gene-dna.ts'
import type { PortalAssembly } from '../../kit/loader.ts'
import { genomeFiles, openGenome } from '../../store/genome-fasta.ts'

/** A gene as it is followed. */
export interface FollowedGene {
  summary: GeneSummary
  coding: CodingParts | null
}

interface SequenceGenes {
  lengthBp: number
  circular: boolean
  geneticCode: number
  genes: GeneSummary[]
  longestBp: number
}

/** An assembly with its genes in memory and its bases on disk. */
export interface OpenedAssembly {
  assembly: PortalAssembly
  /** In genome order. */
  genes: FollowedGene[]
  sequences: ReadonlyMap<string, SequenceGenes>
  /** Bases from 1, both included; on a circle the end may lie beyond its length. */
  readBases(sequence: string, start1: number, end1: number): Promise<string>
  close(): Promise<void>
}

export const openAssembly = async (assembly: PortalAssembly, sql: Sql): Promise<OpenedAssembly> => {
  const sequences = new Map<string, SequenceGenes>()
  for (const { name, lengthBp, circular, geneticCode } of await listSequenceRows(sql, assembly.bundle))
    sequences.set(name, { lengthBp, circular, geneticCode, genes: [], longestBp: 0 })
  const genes: FollowedGene[] = []
  for await (const rows of streamGeneRows(sql, assembly.bundle))
    for (const row of rows) {
      const summary = geneSummary(row, assembly.id)
      genes.push({ summary, coding: codingPartsOf(row.transcripts, row.strand) })
      const on = sequences.get(row.sequence)
      if (on === undefined) continue
      on.genes.push(summary)
      on.longestBp = Math.max(on.longestBp, summary.end - summary.start + 1)
    }
  for (const { genes: list } of sequences.values()) list.sort((a, b) => a.start - b.start)
  const genome = await openGenome(await assembly.fetchFiles(Object.values(genomeFiles)))
  return {
    assembly,
    genes,
    sequences,
    readBases: async (name, start1, end1) => {
      const { lengthBp, circular } = sequences.get(name)!
      if (end1 <= lengthBp || !circular) return genome.fetch(name, start1 - 1, Math.min(end1, lengthBp))
      // What begins behind the origin too.
      if (start1 > lengthBp) return genome.fetch(name, start1 - 1 - lengthBp, Math.min(end1 - lengthBp, lengthBp))
      return (await genome.fetch(name, start1 - 1, lengthBp)) + (await genome.fetch(name, 0, end1 - lengthBp))
    },
    close: () => genome.close(),
  }
}

/** Number of the first gene that starts at or behind a place. */
const firstFrom = (genes: readonly GeneSummary[], start: number): number => {
  let [low, high] = [0, genes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (genes[middle]!.start < start) low = middle + 1
    else high = middle
  }
  return low
}

export const genesOver = (
  { genes, longestBp, lengthBp, circular }: SequenceGenes,
  start: number,
  end: number,
): GeneSummary[] => {
  const found = new Set<GeneSummary>()
  for (const turn of circular ? [0, -lengthBp, lengthBp] : [0]) {
    const [from, to] = [start + turn, end + turn]
    for (let at = firstFrom(genes, from - longestBp); at < genes.length && genes[at]!.start <= to; at += 1)
      if (genes[at]!.end >= from) found.add(genes[at]!)
  }
  return [...found]
}

/** Two assemblies as what follows genes reads them. */
export const followedGenomes = (
  opened: readonly OpenedAssembly[],
  alignments: FollowedGenomes['alignments'],
): FollowedGenomes & { getSequence: FollowedGenomes['getSequence'] } => {
  const of = (assembly: string): OpenedAssembly => opened.find((one) => one.assembly.id === assembly)!
  return {
    getSequence: async (assembly, name) => {
      const { lengthBp, circular, geneticCode } = of(assembly).sequences.get(name)!
      return { name, lengthBp, circular, geneticCode }
    },
    fetchSequence: (assembly, sequence, start1, end1) => of(assembly).readBases(sequence, start1, end1),
    listGenesInRegion: async (assembly, sequence, start1, end1, limit) =>
      genesOver(of(assembly).sequences.get(sequence)!, start1, end1).slice(0, limit),
    alignments,
  }
}

export const fastaOf = async (assembly: PortalAssembly): Promise<string> =>
  join(await assembly.fetchFiles(Object.values(genomeFiles)), genomeFiles.fasta)
