import { namesInHeader, withoutPrefix, withoutVersion } from '../../bio/annotation/gene-matches.ts'
import { type FeatureKind, featureKind } from '../../bio/annotation/protein-hits.ts'
import type { StoredTranscript } from '../../database/genes.ts'
import type { PortalData } from './portal-data.ts'

export interface ProteinFeature {
  kind: FeatureKind
  /** Program or database: Pfam, SMART, SignalP_EUK … */
  analysis: string
  accession: string | null
  name: string | null
  /** InterPro entry. */
  entry: string | null
  entryName: string | null
  /** Residues, from 1, both included. */
  start: number
  end: number
  evalue: number | null
}

interface FeatureRow {
  gene: string
  protein: string
  analysis: string
  accession: string | null
  name: string | null
  entry: string | null
  entry_name: string | null
  start1: number
  end1: number
  evalue: number | null
}

/** Features of genes, each with the name of the protein that its file gave it to. */
export const listProteinFeatures = async (
  data: PortalData,
  assembly: string,
  genes: readonly string[],
): Promise<Map<string, (ProteinFeature & { protein: string })[]>> => {
  const found = new Map<string, (ProteinFeature & { protein: string })[]>()
  if (genes.length === 0) return found
  const bundle = await data.bundleNumber(assembly)
  const rows = await data.sql<FeatureRow[]>`
    select distinct gene, protein, analysis, accession, name, entry, entry_name, start1, end1, evalue
    from protein_features where bundle = ${bundle} and gene = any(${[...genes]})
    order by gene, start1, end1 desc, analysis, accession`
  for (const { gene, protein, analysis, accession, name, entry, entry_name: entryName, start1, end1, evalue } of rows) {
    const list = found.get(gene) ?? []
    const kind = featureKind(analysis, accession, name)
    const place = { start: start1, end: end1, evalue }
    list.push({ protein, kind, analysis, accession, name, entry, entryName, ...place })
    found.set(gene, list)
  }
  return found
}

const plain = (name: string): string => withoutVersion(withoutPrefix(name)).toLowerCase()

/** The transcript whose protein is the longest; the first of equals, null where none codes. */
export const longestCoding = (transcripts: readonly StoredTranscript[]): StoredTranscript | null =>
  transcripts.reduce<StoredTranscript | null>(
    (best, one) =>
      one.cds.length > 0 && (best === null || (one.proteinLength ?? 0) > (best.proteinLength ?? 0)) ? one : best,
    null,
  )

/**
 * Features by the transcript that they are of: the one that the file names by its own id or its protein's; those of the gene as a whole
 * are of its longest protein, which programs are usually run on. One that ends behind its protein is left out and counted.
 */
export const featuresByTranscript = (
  transcripts: readonly StoredTranscript[],
  features: readonly (ProteinFeature & { protein: string })[],
): { byTranscript: Map<string, ProteinFeature[]>; beyond: number } => {
  const exact = new Map<string, string>()
  const loose = new Map<string, string>()
  for (const { id, proteinId, cds } of transcripts) {
    if (cds.length === 0) continue
    for (const name of [id, proteinId])
      if (name !== null) {
        exact.set(name, id)
        if (!loose.has(plain(name))) loose.set(plain(name), id)
      }
  }
  const whole = longestCoding(transcripts)?.id
  const lengths = new Map(transcripts.map(({ id, proteinLength }) => [id, proteinLength ?? 0]))
  const byTranscript = new Map<string, ProteinFeature[]>()
  let beyond = 0
  for (const { protein, ...feature } of features) {
    const names = [protein, ...namesInHeader(protein)]
    const id =
      names.map((name) => exact.get(name)).find((one) => one !== undefined) ??
      names.map((name) => loose.get(plain(name))).find((one) => one !== undefined) ??
      whole
    if (id === undefined) continue
    // The stop codon may be counted by the program, and not by us.
    if (feature.end > lengths.get(id)! + 1) {
      beyond += 1
      continue
    }
    const list = byTranscript.get(id) ?? []
    list.push({ ...feature, end: Math.min(feature.end, lengths.get(id)!) })
    byTranscript.set(id, list)
  }
  return { byTranscript, beyond }
}
