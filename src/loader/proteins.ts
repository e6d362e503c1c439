import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { GeneModel } from '../bio/annotation/gene-models.ts'
import { FastaReader } from '../bio/sequence/fasta.ts'
import type { DefectLog } from '../bio/text/defects.ts'
import { PackedNames } from '../bio/text/packed-names.ts'
import { bakeDefects } from './bake-defects.ts'
import { readTextBytes } from './text-file.ts'

/** Proteins of transcripts, which are numbered through all genes; they lie in a file. */
export interface SuppliedProteins {
  get(transcript: number): string | null
  close(): void
}

/** Supplied proteins; a record is taken by its transcript's, protein's or (of one transcript) gene's name. */
export const readProteins = async (options: {
  file: string
  path: string | null
  genes: Iterable<GeneModel>
  scratch: string
  log: DefectLog
  signal: AbortSignal
}): Promise<SuppliedProteins> => {
  const names = new PackedNames()
  const transcriptOf: number[] = []
  const name = (text: string, transcript: number): void => {
    transcriptOf[names.add(text)] = transcript
  }
  let count = 0
  if (options.path !== null)
    for (const gene of options.genes) {
      const coding = gene.transcripts.flatMap((transcript, at) => (transcript.cds.length > 0 ? [at] : []))
      if (coding.length === 1) name(gene.id, count + coding[0]!)
      for (const at of coding) {
        const { proteinId } = gene.transcripts[at]!
        if (proteinId !== null) name(proteinId, count + at)
      }
      count += gene.transcripts.length
    }
  count = 0
  if (options.path !== null)
    for (const gene of options.genes) for (const transcript of gene.transcripts) name(transcript.id, count++)
  const handle = openSync(join(options.scratch, 'supplied-proteins'), 'w+')
  const starts = new Float64Array(count).fill(-1)
  const lengths = new Int32Array(count)
  let written = 0
  let pieces: Uint8Array[] = []
  const reader = new FastaReader({
    file: options.file,
    log: options.log,
    alphabet: 'protein',
    onResidues: (residues) => pieces.push(residues.slice()),
    onRecordEnd: (header) => {
      const known = names.find(header.name)
      if (known === null)
        options.log.report(bakeDefects, 'protein-unknown', options.file, header.line, { name: header.name })
      else {
        const bytes = Buffer.concat(pieces)
        for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done)
        starts[transcriptOf[known]!] = written
        lengths[transcriptOf[known]!] = bytes.length
        written += bytes.length
      }
      pieces = []
    },
  })
  if (options.path !== null) {
    await readTextBytes(options.path, options.file, options.log, (bytes) => reader.push(bytes), options.signal)
    reader.end()
  }
  return {
    get: (transcript) => {
      const start = starts[transcript] ?? -1
      if (start < 0) return null
      const bytes = Buffer.allocUnsafe(lengths[transcript]!)
      for (let done = 0; done < bytes.length; ) {
        const read = readSync(handle, bytes, done, bytes.length - done, start + done)
        if (read === 0) throw new Error('the file of supplied proteins ends early')
        done += read
      }
      return bytes.toString('latin1')
    },
    close: () => closeSync(handle),
  }
}
