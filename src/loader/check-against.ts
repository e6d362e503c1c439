import { indexSequenceNames } from '../bio/sequence/chromosome-order.ts'
import type { SpeciesManifest } from '../contracts/manifest.ts'
import type { AgainstContext, AssemblySequences, CheckContext } from '../kit/loader.ts'
import type { FoundLoader } from './manifest.ts'

export type SequenceFacts = { name: string; aliases: string[]; lengthBp: number }

const openSequences = (sequences: readonly SequenceFacts[]): AssemblySequences => {
  const names = indexSequenceNames(sequences)
  const lengths = new Map(sequences.map(({ name, lengthBp }) => [name, lengthBp]))
  return {
    find: (text) => {
      const { name } = names.resolve(text)
      return name === null ? null : { name, lengthBp: lengths.get(name)! }
    },
  }
}

/** Whether an entry of the species wants the sequences of its assemblies. */
export const wantsSequences = (manifest: SpeciesManifest, loaders: readonly FoundLoader[]): boolean =>
  loaders.some(
    ({ loader }) =>
      loader.checkAgainst !== undefined && (manifest as Record<string, unknown>)[loader.entry ?? ''] !== undefined,
  )

/** Holds entries of the species to the sequences of its assemblies; `list` gives those of one, read when they are asked for. */
export const checkAgainstGenomes = async (
  manifest: SpeciesManifest,
  loaders: readonly FoundLoader[],
  context: CheckContext,
  list: (assembly: string) => Promise<readonly SequenceFacts[] | null>,
): Promise<void> => {
  if (!wantsSequences(manifest, loaders)) return
  const opened = new Map<string, AssemblySequences>()
  for (const { id } of manifest.assemblies) {
    const sequences = await list(id)
    if (sequences !== null) opened.set(id, openSequences(sequences))
  }
  const against: AgainstContext = { ...context, sequencesOf: (assembly) => opened.get(assembly) ?? null }
  for (const { loader } of loaders) {
    const value = (manifest as Record<string, unknown>)[loader.entry ?? '']
    if (loader.checkAgainst !== undefined && value !== undefined) await loader.checkAgainst(value, against)
  }
}
