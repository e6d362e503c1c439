import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { type AlignedSegment, type AlignedSequence, buildAlignmentGraph } from '../src/bio/graph/alignment-graph.ts'
import { renderGfa } from '../src/bio/graph/variation-graph.ts'

/** The segment of chromosome III with the HIS4 and LEU2 loci. */
export const yeastGraphed = { sequence: 'chrIII', start0: 0, end0: 100_000 }

/**
 * Writes the variation graph of a segment of yeast's chromosome III from a VCF of haploid samples: each sample has the alternative
 * alleles that are called in it, and the reference elsewhere. Where two variants of a sample overlap the first counts.
 */
export const writeYeastGraph = async (genomeFile: string, vcfFile: string, outFile: string): Promise<void> => {
  const { sequence, start0, end0 } = yeastGraphed
  const genome = gunzipSync(await readFile(genomeFile)).toString('latin1')
  const record = genome.split('>').find((one) => one.split(/\s/, 1)[0] === sequence)!
  const bases = record.slice(record.indexOf('\n')).replaceAll(/\s/g, '').slice(start0, end0)
  const segments = new Map<string, { at: number; of: AlignedSegment[] }>()
  for (const line of gunzipSync(await readFile(vcfFile))
    .toString('latin1')
    .split('\n')) {
    if (line.startsWith('##') || line === '') continue
    const [chromosome, position, , reference, alternatives, , , , , ...calls] = line.split('\t')
    if (line.startsWith('#')) {
      for (const sample of calls) segments.set(sample, { at: start0, of: [] })
      continue
    }
    const at = Number(position) - 1
    if (chromosome !== sequence || at < start0 || at + reference!.length > end0) continue
    for (const [number, own] of [...segments.values()].entries()) {
      const allele = Number(calls[number]!.split(/[:/|]/)[0])
      const alternative = alternatives!.split(',')[allele - 1]
      if (!(allele > 0) || alternative === undefined || at < own.at) continue
      if (at > own.at) own.of.push({ referenceBp: at - own.at, bases: null })
      own.of.push({ referenceBp: reference!.length, bases: alternative })
      own.at = at + reference!.length
    }
  }
  const about = { sequence, start0, turned: false }
  const aligned = [...segments].map(([sample, { at, of }]): AlignedSequence => {
    const rest: AlignedSegment[] = at < end0 ? [{ referenceBp: end0 - at, bases: null }] : []
    return { ...about, name: sample, sample, assembly: sample, referenceStart0: start0, segments: [...of, ...rest] }
  })
  const reference = { ...about, name: 'R64', sample: 'R64', assembly: 'R64', bases }
  await writeFile(outFile, renderGfa(buildAlignmentGraph(reference, aligned)))
}
