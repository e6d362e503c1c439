import { z } from 'zod'
import { shareAtOrBelow } from '../../bio/population/sweep-regions.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { orientLocus } from '../../contracts/region.ts'
import { listAccessions } from '../../kit/data/accession-data.ts'
import { listVariantSets } from '../../kit/data/variant-data.ts'
import { defineRoute, type ToolRoute, type ToolRouteContext } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { commentLines, formatLine, tableHead, tsvLine } from '../../kit/write-table.ts'
import { listPopulations } from './choose-populations.ts'
import { findRegions, getWindows, listChoices, regionFields, windowsOfLocus } from './endpoints.ts'
import { findOutlierRegions, type OutlierRegions } from './find-regions.ts'
import { findSeries, type OpenWindows, openSource } from './open-source.ts'
import { type Series, type Statistic, usualTail } from './series.ts'
import { type BakedSweeps, tableKind } from './stored.ts'
import tool, { limits } from './tool.ts'
import { type WindowTable, windowHeadings, windowRows } from './window-table.ts'

/** Values of a grouping that are listed for choosing. */
const maxPopulations = 100

/** Genes of a region that are named in its row; all are counted, and in the list of genes. */
const namedGenes = 50

/** Most genes that are looked for in one region. */
const genesPerRegion = 20_000

/** Regions whose genes are asked for at once. */
const regionsAtOnce = 8

const publicTable = ({ file: _, ...table }: BakedSweeps) => table

/**
 * Windows that stand for all where there are too many to send: of each segment the highest and the lowest of the first series, so that
 * no peak is lost.
 */
const thin = (table: WindowTable, values: Float64Array): number[] => {
  const count = table.start1.length
  if (count <= limits.shownWindows) return [...table.start1.keys()]
  const segment = Math.ceil((2 * count) / limits.shownWindows)
  const chosen: number[] = []
  for (let from = 0; from < count; ) {
    let end = from
    while (end < count && end < from + segment && table.sequence[end] === table.sequence[from]) end += 1
    let [highest, lowest] = [from, from]
    for (let at = from; at < end; at++) {
      if (!(values[at]! <= values[highest]!) && !Number.isNaN(values[at]!)) highest = at
      if (!(values[at]! >= values[lowest]!) && !Number.isNaN(values[at]!)) lowest = at
    }
    chosen.push(...new Set([Math.min(highest, lowest), Math.max(highest, lowest)]))
    from = end
  }
  return chosen
}

const sixDigits = (value: number): number => Number(value.toPrecision(6))

/** Genes of each region, in order. */
const genesOf = async (
  found: OutlierRegions,
  source: OpenWindows,
  { data, signal }: Pick<ToolRouteContext, 'data' | 'signal'>,
): Promise<GeneSummary[][]> => {
  const regions = found.regions.slice(0, limits.regions)
  const genes: GeneSummary[][] = []
  for (let from = 0; from < regions.length; from += regionsAtOnce) {
    signal.throwIfAborted()
    genes.push(
      ...(await Promise.all(
        regions
          .slice(from, from + regionsAtOnce)
          .map(({ sequence, start1, end1 }) =>
            data.listGenesInRegion(source.assembly, source.table.sequences[sequence]!, start1, end1, genesPerRegion),
          ),
      )),
    )
  }
  return genes
}

const statisticNames: Record<Statistic, string> = {
  fst: 'Fst (Weir-Cockerham)',
  hudson: 'Fst (Hudson)',
  dxy: 'dxy',
  pi: 'pi',
  piRatio: 'ratio of pi',
  tajimaD: "Tajima's D",
  xpclr: 'XP-CLR',
  other: 'value of the loaded table',
}

/** What each column of a series is, with the populations that it is of. */
const describeSeriesColumns = ({ series }: OpenWindows): string =>
  series
    .map(
      ({ key, label, statistic, populations }) =>
        `${key} = ${label ?? statisticNames[statistic]}${populations.length === 0 ? '' : ` of ${populations.join(' and ')}`}`,
    )
    .join('; ')

/** Head of a file: who was compared, in which windows, how each column was made. */
const headOf = (
  source: OpenWindows,
  parameters: Record<string, unknown>,
  context: ToolRouteContext,
  formula: string,
): Promise<string[]> => {
  const { of } = source
  const asked = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined))
  const about =
    'job' in of
      ? { populations: of.populations.map(({ name, samples }) => `${name} (${samples} samples)`) }
      : {
          populations: [...new Set(source.series.flatMap(({ populations }) => populations))],
          windowBp: of.loaded.windowBp,
          name: of.loaded.name,
          simulated: of.loaded.simulated,
        }
  return context.describeReceipt({
    ...('job' in of ? { job: of.job } : {}),
    parameters: { ...asked, ...about },
    assemblies: [source.assembly],
    steps: [
      {
        program: 'NovoDB selective sweep',
        version: String(tool.version),
        formula: `${formula}; columns: ${describeSeriesColumns(source)}`,
      },
    ],
  })
}

const describeQuestion = (found: OutlierRegions, question: z.output<z.ZodObject<typeof regionFields>>): string =>
  [
    `${question.series} beyond ${found.cutoff ?? 'nothing'}`,
    ...(question.second === undefined ? [] : [`${question.second} beyond ${found.secondCutoff ?? 'nothing'}`]),
    `${found.outliers.length} of ${found.windows} windows, joined over gaps of at most ${question.gapBp} bp`,
  ].join('; ')

const sourceInput = z.object({ job: regionFields.job, assembly: regionFields.assembly, table: regionFields.table })

export const routes: ToolRoute[] = [
  answerEndpoint(listChoices, async ({ assembly, variants }, { data }) => {
    const summary = await data.getAssembly(assembly)
    const sets = (await listVariantSets(data, summary.id)).filter(({ hasGenotypes }) => hasGenotypes)
    const set = sets.find(({ id }) => id === variants) ?? sets[0]
    const table = await listAccessions(data, summary.species)
    const samples = new Set(set?.samples ?? [])
    const tables = await data.listRecords<BakedSweeps>(tableKind, { assembly: summary.id })
    return {
      variantSets: sets.map(({ id, name, samples: own, sites, simulated }) => ({
        id,
        name,
        samples: own.length,
        sites,
        simulated,
      })),
      groupings: table.groupings.map((name) => ({
        name,
        populations: listPopulations(table, name, samples)
          .slice(0, maxPopulations)
          .map((one) => ({ name: one.name, samples: one.samples.length })),
      })),
      tables: tables.map((record) => publicTable(record.data)),
    }
  }),
  answerEndpoint(getWindows, async (input, context) => {
    const source = await openSource(input, context)
    const { table } = source
    const keys = [...new Set(input.series.split(',').filter((key) => key !== ''))]
    const indexes = keys.map((key) => findSeries(source, key, 'series').at)
    const rows = thin(table, table.values[indexes[0] ?? 0]!)
    const lengths = new Map((await context.data.listSequences(source.assembly)).map((one) => [one.name, one.lengthBp]))
    const counts = new Uint32Array(table.sequences.length)
    for (const row of rows) counts[table.sequence[row]!]! += 1
    return {
      sequences: table.sequences.map((name, at) => ({ name, lengthBp: lengths.get(name) ?? 0, windows: counts[at]! })),
      start: rows.map((row) => table.start1[row]!),
      end: rows.map((row) => table.end1[row]!),
      sites: table.sites === null ? null : rows.map((row) => table.sites![row]!),
      values: Object.fromEntries(
        keys.map((key, at) => {
          const values = table.values[indexes[at]!]!
          return [key, rows.map((row) => (Number.isNaN(values[row]!) ? null : sixDigits(values[row]!)))]
        }),
      ),
      total: table.start1.length,
    }
  }),
  answerEndpoint(findRegions, async (input, context) => {
    const source = await openSource(input, context)
    const found = findOutlierRegions(source, input)
    const genes = await genesOf(found, source, context)
    const { table } = source
    return {
      assembly: source.assembly,
      cutoff: found.cutoff,
      secondCutoff: found.secondCutoff,
      windows: found.windows,
      outliers: found.outliers.length,
      regionCount: found.regions.length,
      regions: genes.map((own, at) => {
        const { sequence, start1, end1, windows, peak } = found.regions[at]!
        return {
          sequence: table.sequences[sequence]!,
          start: start1,
          end: end1,
          windows,
          peakStart: table.start1[peak]!,
          peakEnd: table.end1[peak]!,
          peakValue: sixDigits(found.value[peak]!),
          peakSecond: found.second === null ? null : sixDigits(found.second[peak]!),
          geneCount: own.length,
          genes: own.slice(0, namedGenes).map(({ id, symbol }) => ({ id, symbol })),
        }
      }),
      genes: [...new Set(genes.flat().map(({ id }) => id))],
    }
  }),
  answerEndpoint(windowsOfLocus, async ({ assembly, sequence, ...asked }, context) => {
    const { start, end } = orientLocus(asked)
    const { id } = await context.data.getAssembly(assembly)
    const { name } = await context.data.getSequence(id, sequence)
    const records = await context.data.listRecords<BakedSweeps>(tableKind, { assembly: id })
    const tables = []
    for (const { data: baked } of records) {
      const { table, series } = await openSource({ assembly: id, table: baked.id }, context)
      const number = table.sequences.indexOf(name)
      const rows = [...table.start1.keys()].filter(
        (row) => table.sequence[row] === number && table.start1[row]! <= end && table.end1[row]! >= start,
      )
      tables.push({
        ...publicTable(baked),
        found: series.flatMap((about) => placeOf(about, table, rows)),
      })
    }
    return { tables }
  }),
  defineRoute({
    path: 'windows.tsv',
    summary: 'All windows with all series as a table, starts from 1',
    input: sourceInput,
    handle: async (input, context) => {
      const source = await openSource(input, context)
      const head = await headOf(source, input, context, 'windows with their values; starts count from 1, ends included')
      const body = function* (): Generator<string> {
        yield tableHead(head, windowHeadings(source.table), 'tsv')
        for (const row of windowRows(source.table)) yield tsvLine(row)
      }
      return { body: batched(body()), contentType: 'text/tab-separated-values; charset=utf-8', fileName: 'windows.tsv' }
    },
  }),
  ...(['regions.tsv', 'regions.bed'] as const).map((name) =>
    defineRoute({
      path: name,
      summary:
        name === 'regions.tsv'
          ? 'All regions beyond a threshold with the ids of all their genes as a table, starts from 1'
          : 'All regions beyond a threshold as BED; the name is the value of the peak',
      input: z.object(regionFields),
      handle: async (input, context) => {
        const source = await openSource(input, context)
        const found = findOutlierRegions(source, input)
        const { table } = source
        const isTable = name === 'regions.tsv'
        const cut = isTable && found.regions.length > limits.regions
        const listed = cut ? `; the first ${limits.regions} of ${found.regions.length} regions are listed` : ''
        const head = await headOf(source, input, context, `${describeQuestion(found, input)}${listed}`)
        const genes = isTable ? await genesOf(found, source, context) : []
        const regions = isTable ? found.regions.slice(0, limits.regions) : found.regions
        const lines = regions.map(({ sequence, start1, end1, windows, peak }, at) => {
          const chrom = table.sequences[sequence]!
          const value = sixDigits(found.value[peak]!)
          if (!isTable) return formatLine([chrom, start1 - 1, end1, value])
          const ids = genes[at]!.map(({ id }) => id)
          const second = found.second === null ? [] : [sixDigits(found.second[peak]!)]
          return tsvLine([
            ...[chrom, start1, end1, windows, table.start1[peak], table.end1[peak], value],
            ...second,
            ...[ids.length, ids.join(',')],
          ])
        })
        const second = input.second === undefined ? [] : [`peak_${input.second}`]
        const place = ['chrom', 'start', 'end', 'windows', 'peak_start', 'peak_end', `peak_${input.series}`]
        const top = isTable ? tableHead(head, [...place, ...second, 'genes', 'gene_ids'], 'tsv') : commentLines(head)
        return {
          body: `${top}${lines.join('')}`,
          contentType: `${isTable ? 'text/tab-separated-values' : 'text/x-bed'}; charset=utf-8`,
          fileName: name,
        }
      },
    }),
  ),
]

/** The window of a place that stands out most, and where it stands in the genome. */
const placeOf = (
  about: Series,
  table: WindowTable,
  rows: readonly number[],
): { key: string; windows: number; start: number; end: number; value: number; share: number }[] => {
  const values = table.values[table.keys.indexOf(about.key)]!
  const low = usualTail(about.statistic) === 'low'
  const own = rows.filter((row) => !Number.isNaN(values[row]!))
  if (own.length === 0) return []
  const best = own.reduce((best, row) =>
    (low ? values[row]! < values[best]! : values[row]! > values[best]!) ? row : best,
  )
  const value = values[best]!
  const sorted = sortedOf(values)
  let share = shareAtOrBelow(sorted, value)
  if (!low) {
    // As extreme or more: everything but what is below.
    let equal = 0
    for (let at = Math.round(share * sorted.length) - 1; at >= 0 && sorted[at] === value; at--) equal += 1
    share = 1 - share + equal / sorted.length
  }
  return [
    {
      key: about.key,
      windows: own.length,
      start: table.start1[best]!,
      end: table.end1[best]!,
      value: sixDigits(value),
      share,
    },
  ]
}

const sorted = new WeakMap<Float64Array, Float64Array>()
const sortedOf = (values: Float64Array): Float64Array => {
  const known = sorted.get(values)
  if (known !== undefined) return known
  const made = values.filter((value) => !Number.isNaN(value)).sort()
  sorted.set(values, made)
  return made
}

const batchLines = 2000

async function* batched(lines: Iterable<string>): AsyncGenerator<string> {
  let batch: string[] = []
  for (const line of lines) {
    batch.push(line)
    if (batch.length < batchLines) continue
    yield batch.join('')
    batch = []
  }
  yield batch.join('')
}
