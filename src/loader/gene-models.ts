import type { DefectLog } from '../bio/defects.ts'
import { GeneModelReader } from '../bio/gene-model-reader.ts'
import type { GeneModel } from '../bio/gene-models.ts'
import { readTextBytes } from './text-file.ts'

/** Reads the gene models of an assembly from its files, each in its own format; genes in the order of the sequences, then start. */
export const readGeneModels = async (options: {
  files: string[]
  resolveFile(path: string): Promise<string | null>
  sequences: { name: string; lengthBp: number; circular: boolean; aliases: string[] }[]
  log: DefectLog
  signal: AbortSignal
  progress(fraction: number): void
}): Promise<GeneModel[]> => {
  const { log, signal } = options
  const lengths = new Map(options.sequences.map((sequence) => [sequence.name, sequence.lengthBp]))
  const aliases = new Map(
    options.sequences.flatMap(({ name, aliases: others }) => others.map((alias) => [alias.toLowerCase(), name])),
  )
  const circular = options.sequences.filter((sequence) => sequence.circular).map((sequence) => sequence.name)
  const genes: GeneModel[] = []
  const fileOf = new Map<string, string>()
  for (const [number, file] of options.files.entries()) {
    const path = await options.resolveFile(file)
    if (path === null) continue
    const reader = new GeneModelReader({ file, log, sequences: lengths, sequenceAliases: aliases, circular })
    await readTextBytes(path, file, log, (bytes) => reader.push(bytes), signal)
    for (const gene of reader.finish().genes) {
      // Within a file the reader tells equal identifiers apart; two files that both have a gene are mostly one file given twice.
      const first = fileOf.get(gene.id)
      if (first === undefined) {
        fileOf.set(gene.id, file)
        genes.push(gene)
      } else log.report('genes-in-two-files', file, null, { gene: gene.id, first })
    }
    options.progress((number + 1) / options.files.length)
  }
  return genes
}
