import { PortalError } from '../../contracts/errors.ts'
import type { OpenExpression } from './expression-data.ts'
import { findMeantGenes } from './genes/find-genes.ts'
import type { PortalData } from './portal-data.ts'

export interface MatrixGenes {
  /** Ids with a row in the matrix, in the order asked. */
  found: string[]
  unknown: string[]
  /** Genes that the assembly has and the matrix has not. */
  absent: string[]
  ambiguous: { name: string; gene: string }[]
}

/**
 * Names of genes as rows of a matrix. A name of several genes means the first that has a row. Rejects with UNKNOWN_GENE at the field
 * `genes` (message `problem.noGeneFound`) where none of them has one.
 */
export const findMatrixGenes = async (
  data: PortalData,
  assembly: string,
  names: string[],
  { rows }: { rows: ReadonlyMap<string, number> },
): Promise<MatrixGenes> => {
  const { ids, unknown, ambiguous } = await findMeantGenes(data, assembly, names, (id) => rows.has(id))
  const found = ids.filter((id) => rows.has(id))
  if (found.length === 0) {
    const params = { names: names.slice(0, 5).join(', ') }
    throw new PortalError('UNKNOWN_GENE', {
      message: 'problem.noGeneFound',
      params,
      problems: [{ path: ['genes'], message: 'problem.noGeneFound', params }],
    })
  }
  return { found, unknown, absent: ids.filter((id) => !rows.has(id)), ambiguous }
}

/** Genes asked for at once: the database is given lists of this length. */
const genesAtOnce = 5000

/** Symbols and descriptions of genes by id. */
export const nameGenes = async (
  data: PortalData,
  assembly: string,
  ids: readonly string[],
): Promise<Map<string, { symbol: string | null; description: string | null }>> => {
  const names = new Map<string, { symbol: string | null; description: string | null }>()
  for (let from = 0; from < ids.length; from += genesAtOnce)
    for (const { id, symbol, description } of await data.getGenes(assembly, ids.slice(from, from + genesAtOnce)))
      names.set(id, { symbol, description })
  return names
}

/** Places of the samples with these values of a factor; all without values. Rejects at the field `levels` where there is none. */
export const chooseSamples = (
  dataset: OpenExpression['dataset'],
  group: string | undefined,
  levels: readonly string[],
): number[] => {
  const factor = group ?? dataset.group
  const all = [...dataset.samples.keys()]
  if (levels.length === 0) return all
  const wanted = new Set(levels)
  const chosen = all.filter((at) => {
    const { id, factors } = dataset.samples[at]!
    return wanted.has(factor === null ? id : (factors[factor] ?? ''))
  })
  if (chosen.length === 0)
    throw new PortalError('INVALID_INPUT', {
      message: 'problem.noSample',
      problems: [{ path: ['levels'], message: 'problem.noSample' }],
    })
  return chosen
}
