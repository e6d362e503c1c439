import type { z } from 'zod'
import { noLevel } from '../../bio/expression/cell-table.ts'
import { fieldError } from '../../contracts/errors.ts'
import { exactly } from '../../kit/data/expression-data.ts'
import { findMatrixGenes, nameGenes } from '../../kit/data/expression-genes.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { type GeneValues, perCell } from './bake-values.ts'
import { chooseGroup, type OpenCells, openCells, readSelection } from './cell-data.ts'
import { type Compared, compareGroups, findMarkers } from './compare.ts'
import { routes } from './routes.ts'
import tool, {
  type CellResult,
  type ComparedGene,
  firstMarkers,
  type GroupValues,
  limits,
  significantAt,
} from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** Steps of the histograms from which violins are drawn. */
const steps = 40

const number = (value: number): number => exactly(value) ?? 0

const nameRows = async (
  rows: Compared[],
  cells: OpenCells,
  assembly: string,
  context: EngineContext,
): Promise<ComparedGene[]> => {
  const names = await nameGenes(
    context.data,
    assembly,
    rows.map(({ row }) => cells.genes[row]!),
  )
  return rows.map(({ row, ...figures }) => {
    const id = cells.genes[row]!
    return { id, symbol: names.get(id)?.symbol ?? null, description: names.get(id)?.description ?? null, ...figures }
  })
}

/** A gene's values in cells that are divided into groups: `codes` has the group of each cell, `sizes` the cells of each group. */
const describeGroups = (
  { cells: indexes, values: own }: GeneValues,
  codes: Uint16Array,
  sizes: readonly number[],
  [min, max]: readonly [number, number],
): GroupValues[] => {
  const width = max > min ? (max - min) / steps : 1
  const stepOf = (value: number): number => Math.min(steps - 1, Math.floor((value - min) / width))
  const sums = sizes.map(() => 0)
  const counts = sizes.map(() => 0)
  const histograms = sizes.map(() => new Array<number>(steps).fill(0))
  for (let at = 0; at < indexes.length; at += 1) {
    const group = codes[indexes[at]!]!
    if (group === noLevel) continue
    sums[group]! += own[at]!
    counts[group]! += 1
    histograms[group]![stepOf(own[at]!)]! += 1
  }
  return sizes.map((size, group) => {
    histograms[group]![stepOf(0)]! += size - counts[group]!
    return {
      mean: size === 0 ? 0 : number(sums[group]! / size),
      percent: size === 0 ? 0 : number((100 * counts[group]!) / size),
      histogram: histograms[group]!,
    }
  })
}

interface Grouping {
  codes: Uint16Array
  sizes: number[]
}

/** Groups each divided by a second column: the parts of one group follow one another. */
const crossGroups = (group: Grouping, split: Grouping): Grouping => {
  const width = split.sizes.length
  const codes = new Uint16Array(group.codes.length).fill(noLevel)
  const sizes = new Array<number>(group.sizes.length * width).fill(0)
  for (let cell = 0; cell < codes.length; cell += 1) {
    const [own, part] = [group.codes[cell]!, split.codes[cell]!]
    if (own === noLevel || part === noLevel) continue
    const code = own * width + part
    codes[cell] = code
    sizes[code]! += 1
  }
  return { codes, sizes }
}

/** What each group of cells has of each gene, and each part of it. */
const describeGenes = async (
  found: string[],
  cells: OpenCells,
  group: Grouping,
  split: Grouping | null,
  assembly: string,
  context: EngineContext,
): Promise<CellResult['genes']> => {
  const names = await nameGenes(context.data, assembly, found)
  const crossed = split === null ? null : crossGroups(group, split)
  const values = await cells.openValues()
  try {
    const made: NonNullable<CellResult['genes']> = []
    for (const id of found) {
      context.signal.throwIfAborted()
      const own = await values.read(cells.rows.get(id)!)
      let [min, max] = [0, 0]
      for (const value of own.values) {
        if (value < min) min = value
        if (value > max) max = value
      }
      const range = [min, max] as const
      const parts = crossed === null ? null : describeGroups(own, crossed.codes, crossed.sizes, range)
      made.push({
        id,
        symbol: names.get(id)?.symbol ?? null,
        description: names.get(id)?.description ?? null,
        range: [number(min), number(max)],
        groups: describeGroups(own, group.codes, group.sizes, range).map((one, at) => ({
          ...one,
          parts:
            parts === null
              ? null
              : split!.sizes.map((_, part) => {
                  const index = at * split!.sizes.length + part
                  return { ...parts[index]!, cells: crossed!.sizes[index]! }
                }),
        })),
      })
    }
    return made
  } finally {
    await values.close()
  }
}

/** The second column: its levels of most cells, in the column's order; cells of the others have none. */
const readSplit = async (
  cells: OpenCells,
  asked: string,
): Promise<{ grouping: Grouping; about: NonNullable<CellResult['split']> }> => {
  const column = chooseGroup(cells.dataset, asked, 'split')
  const all = column.levels!
  const kept = [...all.keys()]
    .sort((a, b) => all[b]!.cells - all[a]!.cells || a - b)
    .slice(0, limits.splits)
    .sort((a, b) => a - b)
  const place = new Map(kept.map((level, at) => [level, at]))
  const codes = Uint16Array.from(await cells.readCodes(column), (code) => place.get(code) ?? noLevel)
  const levels = kept.map((level) => all[level]!)
  return {
    grouping: { codes, sizes: levels.map((level) => level.cells) },
    about: { name: column.name, levels, total: all.length },
  }
}

const run = async (input: Input, context: EngineContext): Promise<z.input<(typeof tool)['result']>> => {
  const { data, receipt, signal } = context
  const cells = await openCells(data, input.assembly, input.dataset)
  const { dataset } = cells
  const scaled = dataset.values === 'scaled'
  receipt.addData(input.assembly)
  receipt.addDataSet(dataset)
  const scale =
    dataset.values === 'normalised'
      ? `values: ln(1 + ${perCell} x / sum of the cell)`
      : `values as loaded (${dataset.values})`
  const progress = (share: number): void => context.progress(share)
  const answer: CellResult = {
    assembly: input.assembly,
    dataset,
    group: null,
    split: null,
    genes: null,
    markers: null,
    comparison: null,
    unknown: [],
    absent: [],
    ambiguous: [],
  }
  if (input.task === 'compare') {
    if (input.first === '') throw fieldError(['first'], 'problem.firstNeeded')
    const first = await readSelection(cells, 'first', input.first)
    const second = input.second === '' ? null : await readSelection(cells, 'second', input.second)
    const sides = new Uint8Array(first.length)
    const counts = [0, 0, 0]
    let shared = 0
    for (let cell = 0; cell < sides.length; cell += 1) {
      const inFirst = first[cell] === 1
      const inSecond = second === null ? !inFirst : second[cell] === 1
      if (inFirst && inSecond) shared += 1
      else if (inFirst || inSecond) sides[cell] = inFirst ? 1 : 2
      counts[sides[cell]!]! += 1
    }
    for (const [field, side] of [
      ['first', 1],
      ['second', 2],
    ] as const)
      if (counts[side]! < 2) throw fieldError([field], 'problem.fewCells', { count: counts[side]! })
    const values = await cells.openValues()
    try {
      const found = await compareGroups(values, sides, input.test, input.correction, scaled, progress, signal)
      answer.comparison = {
        first: counts[1]!,
        second: counts[2]!,
        shared,
        tested: found.length,
        significant: found.filter(({ adjustedPValue }) => adjustedPValue < significantAt).length,
        rows: await nameRows(found.slice(0, limits.rows), cells, input.assembly, context),
      }
    } finally {
      await values.close()
    }
  } else {
    const column = chooseGroup(dataset, input.group)
    const levels = column.levels!
    answer.group = { name: column.name, computed: column.computed, levels }
    const sizes = levels.map((level) => level.cells)
    const codes = await cells.readCodes(column)
    if (input.task === 'markers') {
      if (levels.length < 2) throw fieldError(['group'], 'problem.oneGroup', { group: column.name })
      const values = await cells.openValues()
      try {
        const found = await findMarkers(values, codes, sizes, input.correction, scaled, progress, signal)
        answer.markers = []
        for (const [level, rows] of found.entries())
          answer.markers.push({
            level,
            total: rows.filter(({ adjustedPValue }) => adjustedPValue < significantAt).length,
            rows: await nameRows(rows.slice(0, limits.markers), cells, input.assembly, context),
          })
      } finally {
        await values.close()
      }
      const first = answer.markers.flatMap(({ rows }) =>
        rows.filter(({ adjustedPValue }) => adjustedPValue < significantAt).slice(0, firstMarkers),
      )
      const shown = [...new Set(first.map(({ id }) => id))].slice(0, limits.genes)
      answer.genes = await describeGenes(shown, cells, { codes, sizes }, null, input.assembly, context)
    } else {
      if (input.genes === undefined) throw fieldError(['genes'], 'problem.genesNeeded')
      const chosen = await findMatrixGenes(data, input.assembly, input.genes, cells)
      const split = input.split === undefined ? null : await readSplit(cells, input.split)
      answer.split = split?.about ?? null
      answer.genes = await describeGenes(
        chosen.found,
        cells,
        { codes, sizes },
        split?.grouping ?? null,
        input.assembly,
        context,
      )
      answer.unknown = chosen.unknown
      answer.absent = chosen.absent
      answer.ambiguous = chosen.ambiguous
    }
  }
  receipt.addStep({
    program: 'NovoDB single cell',
    version: String(tool.version),
    formula:
      input.task === 'genes'
        ? `${scale}; mean and share of cells above zero by group${input.split === undefined ? '' : ` and ${input.split}`}`
        : `${scale}; ${
            input.task === 'compare' && input.test === 'welch'
              ? "Welch's t-test, two-sided"
              : 'Wilcoxon rank-sum test, two-sided, normal approximation with tie and continuity correction'
          }; ${input.correction === 'bh' ? 'Benjamini-Hochberg' : 'Bonferroni'} over the genes tested; log2 fold change of means of exp(value) - 1, each plus 1`,
  })
  if (input.task !== 'genes' && input.correction === 'bh')
    receipt.cite({
      text: 'Benjamini & Hochberg 1995, J R Stat Soc B 57:289',
      doi: '10.1111/j.2517-6161.1995.tb02031.x',
    })
  return answer
}

export default defineEngine({ tool, programs: [], bounds: { timeoutMs: 10 * 60_000 }, run, routes })
