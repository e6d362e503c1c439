import { FastaReader } from '../../../bio/sequence/fasta.ts'
import { reverseComplement } from '../../../bio/sequence/sequence.ts'
import { DefectLog } from '../../../bio/text/defects.ts'
import type { StoredTranscript } from '../../../database/genes.ts'
import { readDecompressed } from '../../../store/decompressed.ts'
import type { CatalogueGene, PortalData } from '../portal-data.ts'

export type GeneSequenceKind = 'genomic' | 'transcript' | 'cds' | 'protein'

/** Kinds of the bundle's files that hold the sequences, one record a transcript, named by it. */
const productFile = { transcript: 'transcripts', cds: 'cds', protein: 'proteins' } as const

/**
 * Records of a FASTA file (plain, gzip or bgzip) by name; names that are not in it are absent from the answer. The file is read
 * once, in pieces, up to the last name wanted.
 */
export const readFastaRecords = async (
  file: string,
  names: ReadonlySet<string>,
  alphabet: 'nucleotide' | 'protein',
  signal: AbortSignal,
): Promise<Map<string, string>> => {
  const records = new Map<string, string>()
  if (names.size === 0) return records
  const decoder = new TextDecoder('latin1')
  let pieces: string[] | null = null
  const reader = new FastaReader({
    file,
    log: new DefectLog(),
    alphabet,
    onRecord: ({ name }) => {
      pieces = names.has(name) && !records.has(name) ? [] : null
    },
    onResidues: (residues) => void pieces?.push(decoder.decode(residues)),
    onRecordEnd: ({ name }) => {
      if (pieces !== null) records.set(name, pieces.join(''))
      pieces = null
    },
  })
  for await (const bytes of readDecompressed(file)) {
    signal.throwIfAborted()
    reader.push(bytes)
    if (records.size === names.size) return records
  }
  reader.end()
  return records
}

/** The transcript that stands for a gene: the longest protein, then the longest spliced length, then the first id. */
const representative = (gene: CatalogueGene, coding: boolean): StoredTranscript | null => {
  const length = (parts: readonly (readonly number[])[]): number =>
    parts.reduce((sum, [start, end]) => sum + end! - start! + 1, 0)
  const candidates = gene.transcripts.filter((transcript) => !coding || transcript.cds.length > 0)
  return (
    [...candidates].sort(
      (a, b) => length(b.cds) - length(a.cds) || length(b.exons) - length(a.exons) || (a.id < b.id ? -1 : 1),
    )[0] ?? null
  )
}

interface GeneQuery {
  gene: string
  /** First word of the FASTA header: the gene's id; for more than one assembly with its assembly. */
  id: string
  description: string
  sequence: string
}

/**
 * Sequences of genes of one assembly, of the gene's longest transcript, or the gene's whole span on its strand. Genes
 * without one (the protein of a tRNA gene) are named in `without`. `auto` is the CDS for programs that take bases, and where there
 * is none the transcript.
 */
export const fetchGeneSequences = async (
  assembly: string,
  ids: readonly string[],
  kind: GeneSequenceKind | 'auto-nucleotide',
  data: PortalData,
  signal: AbortSignal,
): Promise<{ queries: GeneQuery[]; without: string[] }> => {
  const genes = await data.getGenes(assembly, [...ids])
  const queries = new Map<string, GeneQuery>()
  const queryOf = (gene: CatalogueGene, what: string, sequence: string): GeneQuery => ({
    gene: gene.id,
    id: gene.id,
    description: [gene.symbol ?? '', what, `${assembly}:${gene.sequence}:${gene.start}-${gene.end}(${gene.strand})`]
      .filter((part) => part !== '')
      .join(' '),
    sequence,
  })
  const fetchProducts = async (product: keyof typeof productFile, wanted: readonly CatalogueGene[]): Promise<void> => {
    const file = await data.bundleFile(assembly, productFile[product])
    if (file === null) return
    const byTranscript = new Map<string, CatalogueGene>()
    for (const gene of wanted) {
      const transcript = representative(gene, product !== 'transcript')
      if (transcript !== null) byTranscript.set(transcript.id, gene)
    }
    const alphabet = product === 'protein' ? 'protein' : 'nucleotide'
    const records = await readFastaRecords(file, new Set(byTranscript.keys()), alphabet, signal)
    for (const [transcript, sequence] of records) {
      const gene = byTranscript.get(transcript)!
      if (sequence !== '') queries.set(gene.id, queryOf(gene, `${product} ${transcript}`, sequence))
    }
  }
  if (kind === 'genomic') {
    for (const gene of genes) {
      const bases = await data.fetchSequence(assembly, gene.sequence, gene.start, gene.end)
      queries.set(gene.id, queryOf(gene, 'gene', gene.strand === '-' ? reverseComplement(bases) : bases))
    }
  } else if (kind === 'auto-nucleotide') {
    await fetchProducts('cds', genes)
    await fetchProducts(
      'transcript',
      genes.filter((gene) => !queries.has(gene.id)),
    )
  } else await fetchProducts(kind, genes)
  return {
    queries: genes.flatMap((gene) => queries.get(gene.id) ?? []),
    without: ids.filter((id) => !queries.has(id)),
  }
}
