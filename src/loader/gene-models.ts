import { readGeneModelsInParts } from '../bio/annotation/gene-model-reader.ts'
import type { DefectLog } from '../bio/text/defects.ts'
import { PackedNames } from '../bio/text/packed-names.ts'
import { bakeDefects } from './bake-defects.ts'
import { GeneList } from './gene-list.ts'
import { readTextBytes } from './text-file.ts'

/**
 * Reads the gene models of an assembly from its files, each in its own format; genes in the order of the sequences, then start. Sequences
 * that a file calls circular are given back where `describedCircular` says nothing of theirs.
 */
export const readGeneModels = async (options: {
  files: string[]
  resolveFile(path: string): Promise<string | null>
  sequences: readonly { name: string; lengthBp: number; aliases: string[] }[]
  /** Position of a sequence of that name. */
  positionOf(name: string): number
  /** What the manifest says of some. */
  describedCircular: ReadonlyMap<string, boolean | undefined>
  /** Where genes are written when they are many. */
  scratch: string
  log: DefectLog
  signal: AbortSignal
  progress(fraction: number): void
}): Promise<{ genes: GeneList; circular: Set<string> }> => {
  const { log, signal } = options
  const genes = new GeneList(options.scratch)
  const named = (circular: boolean) =>
    [...options.describedCircular].flatMap(([name, is]) => (is === circular ? [name] : []))
  const circular = new Set(named(true))
  const linear = new Set(named(false))
  if (options.files.length === 0) return { genes, circular }
  const lengths = new Map<string, number>()
  const aliases = new Map<string, string>()
  for (const { name, lengthBp, aliases: others } of options.sequences) {
    lengths.set(name, lengthBp)
    for (const alias of others) aliases.set(alias.toLowerCase(), name)
  }
  const ids = options.files.length > 1 ? new PackedNames() : null
  const firstFiles: number[] = []
  try {
    for (const [number, file] of options.files.entries()) {
      const path = await options.resolveFile(file)
      if (path === null) continue
      const models = await readGeneModelsInParts(
        {
          file,
          log,
          sequences: lengths,
          sequenceAliases: aliases,
          circular,
          linear,
          onGene: (gene) => {
            if (ids !== null) {
              // Within a file the reader tells equal identifiers apart; two files that both have a gene are mostly one file given twice.
              const known = ids.find(gene.id)
              if (known !== null) {
                log.report(bakeDefects, 'genes-in-two-files', file, null, {
                  gene: gene.id,
                  first: options.files[firstFiles[known]!]!,
                })
                return
              }
              firstFiles[ids.add(gene.id)] = number
            }
            genes.add(gene, options.positionOf(gene.sequenceName), number)
          },
        },
        (onBytes, ownLog) => readTextBytes(path, file, ownLog, onBytes, signal),
      )
      for (const name of models.circular) circular.add(name)
      options.progress((number + 1) / options.files.length)
    }
    genes.sort()
  } catch (error) {
    genes.close()
    throw error
  }
  return { genes, circular }
}
