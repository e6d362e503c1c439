import { type FastaRecord, parseFastaText } from '../../bio/sequence/fasta.ts'
import { listIllegalLetters } from '../../bio/sequence/illegal-letters.ts'
import { cleanProtein, detectAlphabet } from '../../bio/sequence/sequence.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { readFastaRecords } from '../../kit/data/genes/gene-sequences.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { limits, type Protein } from './tool.ts'

/** A protein to be searched. */
export interface Query extends Pick<Protein, 'name' | 'gene' | 'transcript'> {
  protein: string
}

/** Reads pasted proteins; letters of nucleotides alone are refused, for HMMER would find nothing in them and not say why. */
export const readProteins = (text: string): Query[] => {
  if (text.trim() === '') throw fieldError(['sequence'], 'problem.noSequence')
  const letters = text.replace(/^[>;].*$/gm, '').replace(/[^A-Za-z]/g, '')
  if (letters.length >= 30 && detectAlphabet(letters) === 'nucleotide')
    throw fieldError(['sequence'], 'problem.nucleotide')
  const { records, log } = parseFastaText(text, { alphabet: 'protein' })
  const illegal = listIllegalLetters(log)
  if (illegal !== null) throw fieldError(['sequence'], 'problem.illegal', { ...illegal })
  const filled = records.filter((record: FastaRecord) => cleanProtein(record.sequence) !== '')
  if (filled.length === 0) throw fieldError(['sequence'], 'problem.noSequence')
  if (filled.length > limits.sequences)
    throw fieldError(['sequence'], 'problem.tooManySequences', { count: filled.length, limit: limits.sequences })
  return filled.map(({ name, sequence }) => {
    const protein = cleanProtein(sequence)
    if (protein.length > limits.residues)
      throw fieldError(['sequence'], 'problem.tooLong', { name, length: protein.length, limit: limits.residues })
    return { name, gene: null, transcript: null, protein }
  })
}

interface GeneProteins {
  queries: Query[]
  unknown: string[]
  noProtein: string[]
  ambiguous: { name: string; gene: string }[]
}

/** The longest protein of each gene of an assembly, the first of equals, as the load has searched it. */
export const findProteins = async (
  names: string[],
  assembly: string,
  data: PortalData,
  signal: AbortSignal,
): Promise<GeneProteins> => {
  const resolved = await data.resolveGenes(names, assembly)
  const interpretations = new Map<string, GeneSummary>(resolved.found.map(({ query, gene }) => [query, gene]))
  for (const { query, genes } of resolved.ambiguous) interpretations.set(query, genes[0]!)
  const summaries = new Map([...interpretations.values()].map((gene) => [gene.id, gene]))
  const transcripts = new Map<string, string>()
  for (const gene of await data.getGenes(assembly, [...summaries.keys()])) {
    let longest = 0
    for (const { id, proteinLength } of gene.transcripts)
      if ((proteinLength ?? 0) > longest) {
        longest = proteinLength!
        transcripts.set(gene.id, id)
      }
  }
  const file = await data.bundleFile(assembly, 'proteins')
  const records =
    file === null ? new Map() : await readFastaRecords(file, new Set(transcripts.values()), 'protein', signal)
  const queries: Query[] = []
  const noProtein: string[] = []
  for (const [id, gene] of summaries) {
    const transcript = transcripts.get(id) ?? null
    const protein = transcript === null ? '' : cleanProtein(records.get(transcript) ?? '')
    if (protein === '' || protein.length > limits.residues) noProtein.push(id)
    else queries.push({ name: id, gene, transcript, protein })
  }
  return {
    queries,
    unknown: resolved.unknown,
    noProtein,
    ambiguous: resolved.ambiguous.map(({ query, genes }) => ({ name: query, gene: genes[0]!.id })),
  }
}
