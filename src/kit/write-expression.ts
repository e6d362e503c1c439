import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { comparableValue, type ExpressionUnit, standardise } from '../bio/expression/expression-statistics.ts'
import { rankRow } from '../bio/statistics/correlation.ts'
import type { ExpressionDataset } from '../contracts/expression.ts'
import { writeMatrix } from '../store/npy-matrix.ts'
import { expressionFiles, expressionKind } from './data/expression-data.ts'
import type { BakeContext } from './loader.ts'
import { tsvLine } from './write-table.ts'

export interface WrittenExpression {
  genes: readonly string[]
  /** Row after row of the genes, `width` columns; NaN where nothing was measured. */
  values: Float64Array
  width: number
  /** Of each column over all genes, by which counts are made counts per million. */
  sums: Float64Array
  /** Column of each sample of the data set. */
  order: readonly number[]
}

/** Writes the files of a data set of genes and samples, as `openExpression` reads them; its record is added by {@link addExpression}. */
export const writeExpression = async (
  { id, unit }: { id: string; unit: ExpressionUnit },
  { genes, values, width, sums, order }: WrittenExpression,
  context: BakeContext,
): Promise<void> => {
  const files = expressionFiles(id)
  const at = (file: string): string => join(context.directory, file)
  await mkdir(at(files.folder), { recursive: true })
  const comparable = new Float64Array(order.length)
  const fillComparable = (row: number): void => {
    for (const [index, column] of order.entries())
      comparable[index] = comparableValue(values[row * width + column]!, unit, sums[column]!)
  }
  await writeMatrix(at(files.values), '<f4', genes.length, order.length, (row, into) => {
    for (const [index, column] of order.entries()) into[index] = values[row * width + column]!
  })
  await writeMatrix(at(files.standard), '<f4', genes.length, order.length, (row, into) => {
    fillComparable(row)
    into.set(standardise(comparable))
  })
  await writeMatrix(at(files.ranks), '<u2', genes.length, order.length, (row, into) => {
    fillComparable(row)
    rankRow(comparable, into)
  })
  await writeFile(at(files.genes), genes.map((gene) => `${gene}\n`).join(''))
  for (const [file, kind] of [
    [files.values, 'expression-values'],
    [files.standard, 'expression-standard'],
    [files.ranks, 'expression-ranks'],
    [files.genes, 'expression-genes'],
  ] as const)
    context.addFile(file, { kind })
}

/** Writes counts at insertion sites beside the sums over genes; columns in the order of the data set's samples. */
export const writeSites = async (
  id: string,
  {
    counts,
    siteCount,
    geneSites,
    width,
    order,
  }: {
    counts: Float32Array
    siteCount: number
    geneSites: Uint32Array
    width: number
    order: readonly number[]
  },
  context: BakeContext,
): Promise<void> => {
  const files = expressionFiles(id)
  await writeMatrix(join(context.directory, files.sites), '<f4', siteCount, order.length, (row, into) => {
    for (const [index, column] of order.entries()) into[index] = counts[row * width + column]!
  })
  await writeMatrix(join(context.directory, files.geneSites), '<u4', geneSites.length / 2, 2, (row, into) => {
    into[0] = geneSites[2 * row]!
    into[1] = geneSites[2 * row + 1]!
  })
  for (const file of [files.sites, files.geneSites]) context.addFile(file, { kind: 'expression-sites' })
}

/** Makes a data set known to the tools of expression. */
export const addExpression = (dataset: ExpressionDataset, context: BakeContext): Promise<void> =>
  context.addRecord({ kind: expressionKind, id: dataset.id, data: dataset })

/** Offers the matrix as a table, as it was read or made, where the lab has no one file of it. */
export const offerMatrix = async (
  { id, name, description, licence, simulated }: ExpressionDataset,
  { genes, samples, values }: { genes: readonly string[]; samples: readonly string[]; values: Float64Array },
  context: BakeContext,
): Promise<void> => {
  const path = `${expressionFiles(id).folder}${id}.matrix.tsv`
  // Line by line: a matrix of thousands of samples is longer than a text may be.
  const lines = function* (): Generator<string> {
    yield tsvLine(['gene', ...samples])
    for (const [row, gene] of genes.entries()) {
      const cells = samples.map((_, at) => values[row * samples.length + at]!)
      yield tsvLine([gene, ...cells.map((value) => (Number.isNaN(value) ? 'NA' : value))])
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(context.directory, path)))
  context.addFile(path, {
    kind: 'expression-file',
    download: { title: name, ...(description === null ? {} : { description }), licence, simulated },
  })
}
