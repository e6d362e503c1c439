import type { DefectLog } from '../bio/defects.ts'
import { GeneModelReader } from '../bio/gene-model-reader.ts'
import type { GeneModel } from '../bio/gene-models.ts'
import { readTextBytes } from './text-file.ts'

/**
 * Reads the gene models of an assembly from its files, each in its own format; genes in the order of the sequences, then start. Sequences
 * that a file calls circular are given back where `describedCircular` says nothing of theirs.
 */
export const readGeneModels = async (options: {
  files: string[]
  resolveFile(path: string): Promise<string | null>
  sequences: readonly { name: string; lengthBp: number; aliases: string[] }[]
  /** What the manifest says of some. */
  describedCircular: ReadonlyMap<string, boolean | undefined>
  log: DefectLog
  signal: AbortSignal
  progress(fraction: number): void
}): Promise<{ genes: GeneModel[]; circular: Set<string> }> => {
  const { log, signal } = options
  const lengths = new Map<string, number>()
  const aliases = new Map<string, string>()
  for (const { name, lengthBp, aliases: others } of options.sequences) {
    lengths.set(name, lengthBp)
    for (const alias of others) aliases.set(alias.toLowerCase(), name)
  }
  const named = (circular: boolean) =>
    [...options.describedCircular].flatMap(([name, is]) => (is === circular ? [name] : []))
  const circular = new Set(named(true))
  const linear = new Set(named(false))
  const genes: GeneModel[] = []
  const fileOf = new Map<string, string>()
  for (const [number, file] of options.files.entries()) {
    const path = await options.resolveFile(file)
    if (path === null) continue
    const reader = new GeneModelReader({ file, log, sequences: lengths, sequenceAliases: aliases, circular, linear })
    await readTextBytes(path, file, log, (bytes) => reader.push(bytes), signal)
    const models = reader.finish()
    for (const name of models.circular) circular.add(name)
    for (const gene of models.genes) {
      // Within a file the reader tells equal identifiers apart; two files that both have a gene are mostly one file given twice.
      const first = fileOf.get(gene.id)
      if (first === undefined) {
        fileOf.set(gene.id, file)
        genes.push(gene)
      } else log.report('genes-in-two-files', file, null, { gene: gene.id, first })
    }
    options.progress((number + 1) / options.files.length)
  }
  return { genes, circular }
}
