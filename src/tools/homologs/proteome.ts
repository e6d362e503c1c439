import type { GeneOrder } from '../../bio/comparative/orthology.ts'
import { FastaReader } from '../../bio/sequence/fasta.ts'
import { cleanProtein } from '../../bio/sequence/sequence.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { streamGeneRows } from '../../database/genes.ts'
import type { PortalAssembly } from '../../kit/loader.ts'
import { readDecompressed } from '../../store/decompressed.ts'

/** The coding genes of an assembly in genome order, each with its longest protein. */
export interface Proteome {
  assembly: PortalAssembly
  genes: string[]
  /** Ids of the transcripts of the proteins, in the same order. */
  transcripts: string[]
  lengths: Int32Array
  /** Numbers of the proteins over all proteomes: equal sequences have equal numbers. */
  proteins: Int32Array
  symbols: (string | null)[]
  starts: number[]
  ends: number[]
  /** Names of the sequences by their numbers in `order`. */
  sequenceNames: string[]
  order: GeneOrder
  residues: number
}

const proteinsFile = 'proteins.fa.gz'

/** The longest protein of a gene, by the gene's number in its proteome. */
export interface GeneProtein {
  gene: number
  id: string
  protein: string
}

/**
 * Reads the coding genes from the catalogue and gives each one's longest protein (the first of equals) to `onProteins`, some at a time
 * in the order of the file, and waits for it. `numberProtein` gives equal sequences equal numbers.
 */
export const readProteome = async (
  assembly: PortalAssembly,
  sql: import('../../database/connect.ts').Sql,
  numberProtein: (protein: string) => number,
  onProteins: (proteins: readonly GeneProtein[]) => Promise<void>,
): Promise<Proteome> => {
  const genes: string[] = []
  const transcripts: string[] = []
  const symbols: (string | null)[] = []
  const starts: number[] = []
  const ends: number[] = []
  const sequences: number[] = []
  const strands: number[] = []
  const sequenceNumbers = new Map<string, number>()
  const byTranscript = new Map<string, number>()
  for await (const rows of streamGeneRows(sql, assembly.bundle)) {
    for (const row of rows) {
      let longest: { id: string; length: number } | null = null
      for (const { id, proteinLength } of row.transcripts)
        if (proteinLength !== null && proteinLength > (longest?.length ?? 0)) longest = { id, length: proteinLength }
      if (longest === null) continue
      byTranscript.set(longest.id, genes.length)
      genes.push(row.id)
      transcripts.push(longest.id)
      symbols.push(row.symbol)
      starts.push(row.start1)
      ends.push(row.end1)
      if (!sequenceNumbers.has(row.sequence)) sequenceNumbers.set(row.sequence, sequenceNumbers.size)
      sequences.push(sequenceNumbers.get(row.sequence)!)
      strands.push(row.strand === '+' ? 1 : row.strand === '-' ? -1 : 0)
    }
  }
  const lengths = new Int32Array(genes.length)
  const proteins = new Int32Array(genes.length).fill(-1)
  let residues = 0
  let pieces: string[] = []
  let waiting: GeneProtein[] = []
  const decoder = new TextDecoder('latin1')
  const file = `${await assembly.fetchFiles([proteinsFile])}/${proteinsFile}`
  const reader = new FastaReader({
    file,
    log: new DefectLog(),
    alphabet: 'protein',
    onResidues: (bytes) => pieces.push(decoder.decode(bytes)),
    onRecordEnd: ({ name }) => {
      const gene = byTranscript.get(name)
      if (gene !== undefined) {
        const protein = cleanProtein(pieces.join(''))
        lengths[gene] = protein.length
        residues += protein.length
        if (protein !== '') {
          proteins[gene] = numberProtein(protein)
          waiting.push({ gene, id: genes[gene]!, protein })
        }
      }
      pieces = []
    },
  })
  for await (const bytes of readDecompressed(file)) {
    reader.push(bytes)
    await onProteins(waiting)
    waiting = []
  }
  reader.end()
  await onProteins(waiting)
  return {
    assembly,
    genes,
    transcripts,
    lengths,
    proteins,
    symbols,
    starts,
    ends,
    sequenceNames: [...sequenceNumbers.keys()],
    order: { sequence: Int32Array.from(sequences), strand: Int8Array.from(strands) },
    residues,
  }
}
