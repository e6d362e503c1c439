import { givenBlocksType } from './collinear-blocks.ts'

/** Whether a species' own bundle brings something to what is computed over all assemblies: orthogroups, or collinear blocks of a lab. */
export const bringsHomology = (dataTypes: Record<string, number>): boolean =>
  (dataTypes.orthogroups ?? 0) > 0 || (dataTypes[givenBlocksType] ?? 0) > 0
