import { compareGravity } from '../../bio/variation/consequences.ts'
import { proteinChange } from '../../bio/variation/protein-change.ts'
import { parseVcfRecord } from '../../bio/variation/vcf.ts'
import type { CatalogueGene, PortalData } from '../../kit/data/portal-data.ts'
import { featuresByTranscript, listProteinFeatures, longestCoding } from '../../kit/data/protein-features.ts'
import { effectsOf, readVariantLines, type VariantSet } from '../../kit/data/variant-data.ts'
import { limits, type Protein, type ProteinVariant } from './tool.ts'

/** Variants of a gene by transcript, in the order of their residues, and whether there are more than the limit. */
const readVariants = async (
  gene: CatalogueGene,
  sets: readonly VariantSet[],
  lengthBp: number,
  signal: AbortSignal,
): Promise<{ byTranscript: Map<string, ProteinVariant[]>; cut: boolean }> => {
  const byTranscript = new Map<string, ProteinVariant[]>()
  let count = 0
  let cut = false
  // What lies behind the origin of a circular sequence is numbered from 1 again.
  const regions = [
    { sequence: gene.sequence, start1: gene.start, end1: Math.min(gene.end, lengthBp) },
    ...(gene.end > lengthBp ? [{ sequence: gene.sequence, start1: 1, end1: gene.end - lengthBp }] : []),
  ]
  for (const set of sets)
    for (const region of regions)
      for await (const line of readVariantLines(set, region, signal)) {
        if (!line.includes('BCSQ=')) continue
        const record = parseVcfRecord(line)
        if (record === null) continue
        const told = new Set<string>()
        for (const effect of effectsOf(record).sort(compareGravity)) {
          if (effect.gene !== gene.id || effect.aminoAcids === null || told.has(effect.transcript)) continue
          const residue = Number(/^\d+/.exec(effect.aminoAcids)?.[0] ?? 0)
          if (residue < 1) continue
          told.add(effect.transcript)
          count += 1
          if (count > limits.variants) {
            cut = true
            continue
          }
          const list = byTranscript.get(effect.transcript) ?? []
          list.push({
            set: set.id,
            sequence: record.sequence,
            position: record.position1,
            reference: record.reference.slice(0, 50),
            alternates: record.alternates.map((one) => one.slice(0, 50)),
            residue,
            consequence: effect.consequences[0] ?? 'coding_sequence',
            change: proteinChange(effect.aminoAcids, effect.consequences, null),
          })
          byTranscript.set(effect.transcript, list)
        }
      }
  for (const list of byTranscript.values()) list.sort((a, b) => a.residue - b.residue || a.position - b.position)
  return { byTranscript, cut }
}

/** Proteins of genes of one assembly: of each gene all, the longest first, or with `longest` that one alone. */
export const readProteins = async (
  data: PortalData,
  assembly: string,
  genes: readonly CatalogueGene[],
  { sets, longest, signal }: { sets: readonly VariantSet[]; longest: boolean; signal: AbortSignal },
): Promise<{ proteins: Protein[]; beyond: number }> => {
  const features = await listProteinFeatures(
    data,
    assembly,
    genes.map(({ id }) => id),
  )
  const proteins: Protein[] = []
  let beyond = 0
  for (const gene of genes) {
    signal.throwIfAborted()
    const best = longestCoding(gene.transcripts)
    if (best === null || (best.proteinLength ?? 0) === 0) continue
    const own = featuresByTranscript(gene.transcripts, features.get(gene.id) ?? [])
    beyond += own.beyond
    const sequence = sets.length === 0 ? null : await data.getSequence(assembly, gene.sequence)
    const variants =
      sequence === null
        ? { byTranscript: new Map<string, ProteinVariant[]>(), cut: false }
        : await readVariants(gene, sets, sequence.lengthBp, signal)
    const coding = gene.transcripts
      .filter(({ cds, proteinLength }) => cds.length > 0 && (proteinLength ?? 0) > 0)
      .sort((a, b) => (b.proteinLength ?? 0) - (a.proteinLength ?? 0))
    for (const transcript of longest ? [best] : coding)
      proteins.push({
        assembly,
        gene: gene.id,
        symbol: gene.symbol,
        transcript: transcript.id,
        protein: transcript.proteinId,
        length: transcript.proteinLength ?? 0,
        features: own.byTranscript.get(transcript.id) ?? [],
        variants: variants.byTranscript.get(transcript.id) ?? [],
        variantsCut: variants.cut,
      })
  }
  return { proteins, beyond }
}
