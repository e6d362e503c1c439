import type { DefectLog } from '../bio/defects.ts'
import { FastaReader } from '../bio/fasta.ts'
import type { GeneModel } from '../bio/gene-models.ts'
import { readTextBytes } from './text-file.ts'

/** Supplied proteins by transcript id; a record is taken by its transcript's, protein's or (of one transcript) gene's name. */
export const readProteins = async (options: {
  file: string
  path: string | null
  genes: readonly GeneModel[]
  log: DefectLog
  signal: AbortSignal
}): Promise<Map<string, string>> => {
  const proteins = new Map<string, string>()
  if (options.path === null) return proteins
  const transcripts = new Map<string, string>()
  for (const gene of options.genes) {
    const coding = gene.transcripts.filter((transcript) => transcript.cds.length > 0)
    if (coding.length === 1) transcripts.set(gene.id, coding[0]!.id)
    for (const transcript of coding)
      if (transcript.proteinId !== null) transcripts.set(transcript.proteinId, transcript.id)
  }
  for (const gene of options.genes)
    for (const transcript of gene.transcripts) transcripts.set(transcript.id, transcript.id)
  let pieces: string[] = []
  const decoder = new TextDecoder('latin1')
  const reader = new FastaReader({
    file: options.file,
    log: options.log,
    alphabet: 'protein',
    onResidues: (residues) => pieces.push(decoder.decode(residues)),
    onRecordEnd: (header) => {
      const transcript = transcripts.get(header.name)
      if (transcript === undefined)
        options.log.report('protein-unknown', options.file, header.line, { name: header.name })
      else proteins.set(transcript, pieces.join(''))
      pieces = []
    },
  })
  await readTextBytes(options.path, options.file, options.log, (bytes) => reader.push(bytes), options.signal)
  reader.end()
  return proteins
}
