import type { Reference } from '../../bio/literature/references.ts'

/** Kind of the records of a species' publications, by their keys. */
export const referenceKind = 'reference'

/** A publication as it is baked. */
export interface BakedReference extends Reference {
  /** As the manifest says; null where it says nothing. */
  assemblies: string[] | null
}
