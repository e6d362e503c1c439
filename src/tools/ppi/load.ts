import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import {
  chooseOrganisms,
  type InteractionLine,
  type InteractionReader,
  InteractionTextError,
  interactionLayout,
  openInteractions,
  proteinNames,
} from '../../bio/networks/interaction-tables.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { refuseLeftOut } from '../../bio/text/left-out.ts'
import { TableLines } from '../../bio/text/table-lines.ts'
import { textDefects } from '../../bio/text/text-defects.ts'
import { entryIdSchema, filePathSchema, refuseEqualIds } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { type BakeContext, type CheckContext, defineLoader, describeEntry } from '../../kit/loader.ts'
import { readInputLines, readReportedLines } from '../../kit/read-input.ts'
import { openMatrix } from '../../store/npy-matrix.ts'
import { openEdges } from './bake-edges.ts'
import toolDefects from './defects.ts'
import { type InteractionSet, interactionData, interactionFiles } from './stored.ts'

const entrySchema = z
  .object({
    id: entryIdSchema.describe('Name of the data set in addresses, unique in the assembly.'),
    name: localizedTextSchema.describe('Shown to readers.'),
    file: filePathSchema.describe(
      'Links of STRING (protein.links or protein.physical.links, short, detailed or full), BioGRID (tab2, tab3), PSI-MI TAB (2.5 to 2.8: BioGRID, IntAct, MINT), or a table of two genes a line with score, evidence and publication where there are.',
    ),
    names: filePathSchema
      .optional()
      .describe(
        'Where the file names proteins as no gene model does: a table of that name and another one (STRING: protein.aliases).',
      ),
    description: localizedTextSchema.optional(),
    source: localizedTextSchema.optional(),
    licence: z.string().max(200).optional(),
    simulated: z.boolean().optional(),
  })
  .strict()

const schema = z
  .array(entrySchema)
  .superRefine(refuseEqualIds)
  .describe('Interactions of proteins: networks of pairs of genes.')
type Entry = z.output<typeof schema>[number]

const listedUnmatched = 200
const namedUnmatched = 5
/** More kinds of evidence than this are no kinds: the column holds something else. */
const maxChannels = 120
/** An example has so many partners or some more. */
const examplePartners = 12
const exampleCount = 3
const strongScore = 700

/** A line before the first of content. */
const isAside = (line: string): boolean =>
  line.trim() === '' || (line.startsWith('#') && !/^#\s*(BioGRID|protein1)/i.test(line))

/** Calls `onPair` for every row of a file of interactions. Resolves to null after the file was reported. */
const readPairs = async (
  file: string,
  context: CheckContext,
  onPair: (line: InteractionLine, reader: InteractionReader) => void,
): Promise<InteractionReader | null> => {
  let reader: InteractionReader | null = null
  const readRow = (row: string, number: number): void => {
    if (reader === null) {
      if (isAside(row)) return
      const opened = openInteractions(row)
      reader = opened.reader
      if (opened.first !== null) onPair(opened.first, reader)
      return
    }
    const read = reader.read(row, number)
    if (read !== null) onPair(read, reader)
  }
  const log = new DefectLog()
  let rows: TableLines | null = null
  let begun = false
  try {
    await readInputLines(file, context, log, (line, number) => {
      if (!begun && !isAside(line)) {
        begun = true
        if (interactionLayout(line) === 'table') rows = new TableLines({ file, log, onLine: readRow })
      }
      if (rows === null) readRow(line, number)
      else rows.addLine(line, number)
    })
    ;(rows as TableLines | null)?.end()
  } catch (error) {
    if (!(error instanceof InteractionTextError)) throw error
    if (error.reason === 'comma')
      log.report(textDefects, 'phenotype-decimal-comma', file, error.line, { value: error.cell, column: '@score' })
    else log.report(toolDefects, `interactions-${error.reason}`, file, error.line)
    reader = null
  } finally {
    for (const defect of log.defects) context.forward(defect)
  }
  return log.hasErrors ? null : reader
}

/** Finds genes by what files call proteins: names of gene models, cross-references to databases, and the names of `names`. */
const openNames = async (
  entry: Entry,
  context: BakeContext,
): Promise<{ geneOf: (names: readonly string[]) => number | null; genes: string[] }> => {
  const genes: string[] = []
  const numbers = new Map<string, number>()
  const references = new Map<string, number | null>()
  for await (const gene of context.genes()) {
    numbers.set(gene.id, genes.length)
    const own = [gene.attributes, ...gene.transcripts.map(({ attributes }) => attributes)]
    for (const attributes of own)
      for (const name of Object.keys(attributes))
        if (/^db_?xref$/i.test(name))
          for (const reference of attributes[name] ?? [])
            for (const key of [reference, reference.slice(reference.indexOf(':') + 1)]) {
              const known = references.get(key.toLowerCase())
              // A protein of two genes names neither.
              references.set(key.toLowerCase(), known === undefined || known === genes.length ? genes.length : null)
            }
    genes.push(gene.id)
  }
  const findOne = (name: string): number | null => {
    const id = context.findGene(name)
    return id === null ? (references.get(name.toLowerCase()) ?? null) : (numbers.get(id) ?? null)
  }
  const reported = new Map<string, number>()
  if (entry.names !== undefined)
    await readReportedLines(entry.names, context, (line) => {
      if (line.startsWith('#')) return
      const [protein, other] = line.split('\t')
      if (protein === undefined || other === undefined || reported.has(protein)) return
      const gene = findOne(other)
      if (gene !== null) reported.set(protein, gene)
    })
  const known = new Map<string, number | null>()
  const find = (name: string): number | null => {
    const before = known.get(name)
    if (before !== undefined) return before
    let found = reported.get(name) ?? null
    for (const one of proteinNames(name)) {
      if (found !== null) break
      found = findOne(one)
    }
    known.set(name, found)
    return found
  }
  return {
    genes,
    geneOf: (names) => {
      for (const name of names) {
        const gene = find(name)
        if (gene !== null) return gene
      }
      return null
    },
  }
}

/** Ends a reading that has told what was asked. */
class Reported extends Error {}

/** Organisms of the file whose proteins are the assembly's; null where the file does not tell organisms, or cannot be read. */
const findOrganisms = async (
  file: string,
  context: BakeContext,
  geneOf: (names: readonly string[]) => number | null,
): Promise<ReadonlySet<string> | null> => {
  const names = new Map<string, Map<string, boolean>>()
  // What is wrong with the lines is told when they are read for good.
  const silent: BakeContext = { ...context, report: () => undefined, forward: () => undefined }
  try {
    const reader = await readPairs(file, silent, ({ a, b, organisms }) => {
      if (organisms === null) throw new Reported()
      for (const [organism, own] of [
        [organisms[0], a],
        [organisms[1], b],
      ] as const) {
        // Not told of this one, such as a small molecule.
        if (organism === '') continue
        const known = names.get(organism) ?? new Map<string, boolean>()
        names.set(organism, known)
        if (own[0] !== undefined && !known.has(own[0])) known.set(own[0], geneOf(own) !== null)
      }
    })
    if (reader === null) return null
  } catch (error) {
    if (error instanceof Reported) return null
    throw error
  }
  return chooseOrganisms(
    new Map(
      [...names].map(([organism, known]) => [
        organism,
        { names: known.size, matched: [...known.values()].filter((matched) => matched).length },
      ]),
    ),
  )
}

const bakeOne = async (entry: Entry, context: BakeContext): Promise<InteractionSet | null> => {
  const { genes, geneOf } = await openNames(entry, context)
  const organisms = await findOrganisms(entry.file, context, geneOf)
  const edges = openEdges(context.scratch, genes.length)
  try {
    const matched = new Set<string>()
    const unmatched = new Set<string>()
    const channels = new Map<string, number>()
    const publications = new Map<string, number>()
    const foreign = new Set<string>()
    let foreignLines = 0
    let self = 0
    let pairs = 0
    let max = 0
    const numberOf = (names: Map<string, number>, name: string): number => {
      const known = names.get(name)
      if (known !== undefined) return known
      names.set(name, names.size)
      return names.size - 1
    }
    const reader = await readPairs(entry.file, context, (line) => {
      if (organisms !== null && line.organisms !== null) {
        // A gene of another species may have the same symbol.
        const others = line.organisms.filter((one) => one !== '' && !organisms.has(one))
        for (const other of others) if (foreign.size < namedUnmatched) foreign.add(other)
        if (others.length > 0) {
          foreignLines += 1
          return
        }
      }
      const [a, b] = [geneOf(line.a), geneOf(line.b)]
      for (const [gene, names] of [
        [a, line.a],
        [b, line.b],
      ] as const)
        if (names[0] !== undefined) (gene === null ? unmatched : matched).add(names[0])
      if (a === null || b === null) return
      if (a === b) {
        self += 1
        return
      }
      pairs += 1
      if (line.cells !== null) {
        edges.addScores(a, b, line.cells)
        return
      }
      if (line.value !== null) max = Math.max(max, line.value)
      const channel = numberOf(channels, line.channel)
      if (channels.size > maxChannels) throw new InteractionTextError('columns', 0)
      // Lines without a publication are one record a method, whichever of the two genes comes first.
      const publication = numberOf(publications, line.publication)
      edges.addEvidence({ a, b, channel, publication, value: line.value ?? Number.NaN })
    })
    if (reader === null) return null
    const about = { file: entry.file, line: null }
    const names = [...unmatched].slice(0, namedUnmatched).join(', ')
    if (pairs === 0) {
      context.report(toolDefects, { ...about, code: 'interactions-none', params: { names } })
      return null
    }
    if (max > 1000) {
      context.report(toolDefects, { ...about, code: 'interactions-score', params: {} })
      return null
    }
    const log = new DefectLog()
    const total = unmatched.size + matched.size
    const [example = ''] = unmatched
    if (refuseLeftOut(log, entry.file, { why: 'unknown', count: unmatched.size, total, line: null, example })) {
      for (const defect of log.defects) context.forward(defect)
      return null
    }
    if (unmatched.size > 0)
      context.report(toolDefects, {
        ...about,
        code: 'interactions-unmatched',
        params: { count: unmatched.size, total, names },
      })
    if (foreignLines > 0)
      context.report(toolDefects, {
        ...about,
        code: 'interactions-organisms',
        params: { count: foreignLines, names: [...foreign].join(', ') },
      })
    if (self > 0) context.report(toolDefects, { ...about, code: 'interactions-self', params: { count: self } })
    const files = interactionFiles(entry.id)
    const at = (path: string): string => join(context.directory, path)
    await mkdir(at(files.folder), { recursive: true })
    const scored = reader.layout === 'string'
    // A single nameless kind of evidence is none.
    const kinds = scored ? reader.channels : channels.size === 1 && channels.has('') ? [] : [...channels.keys()]
    const measure = reader.hasScores ? 'score' : 'records'
    const written = await edges.finish(
      { starts: at(files.starts), partners: at(files.partners), values: at(files.values) },
      {
        columns: kinds.length + 1,
        scale: measure === 'records' ? null : max <= 1 ? 1000 : 1,
        scored,
        signal: context.signal,
      },
    )
    await writeFile(at(files.genes), written.genes.map((gene) => `${genes[gene]}\n`).join(''))
    await writeFile(at(files.unmatched), [...unmatched].map((name) => `${name}\n`).join(''))
    for (const path of [files.genes, files.starts, files.partners, files.values, files.unmatched])
      context.addFile(path, { kind: 'interactions' })
    return {
      ...describeEntry(entry, context),
      layout: reader.layout,
      measure,
      channels: kinds,
      geneCount: written.genes.length,
      interactionCount: written.interactions,
      max: written.max,
      proteinCount: matched.size + unmatched.size,
      unmatchedCount: unmatched.size,
      unmatched: [...unmatched].slice(0, listedUnmatched),
      examples: (await pickExamples(at(files.starts), at(files.values), kinds.length + 1, measure)).map(
        (index) => genes[written.genes[index]!]!,
      ),
    }
  } finally {
    edges.discard()
  }
}

/** Genes whose number of strong partners makes a network worth a look, in their order. */
const pickExamples = async (
  startsFile: string,
  valuesFile: string,
  columns: number,
  measure: InteractionSet['measure'],
): Promise<number[]> => {
  const min = measure === 'score' ? strongScore : 2
  const open = await openMatrix(startsFile, '<f8')
  const starts = await open.readCells(0, open.rows)
  await open.close()
  const strong = new Uint32Array(starts.length - 1)
  const values = await openMatrix(valuesFile, '<u2')
  let gene = 0
  for await (const { first, count, cells } of values.scan())
    for (let row = 0; row < count; row += 1) {
      while (starts[gene + 1]! <= first + row) gene += 1
      if (cells[row * columns]! >= min) strong[gene]! += 1
    }
  await values.close()
  const distance = (at: number): number => Math.abs(Math.log((strong[at]! + 0.1) / examplePartners))
  return [...strong.keys()].sort((a, b) => distance(a) - distance(b) || a - b).slice(0, exampleCount)
}

/** Networks of interacting proteins, as a sparse matrix over the genes of the assembly. */
export default defineLoader({
  entry: interactionData,
  scope: 'assembly',
  schema,
  version: 3,
  bake: async (value, context): Promise<Record<string, number>> => {
    let sets = 0
    for (const [number, entry] of (value ?? []).entries()) {
      const dataset = await bakeOne(entry, context)
      if (dataset === null) continue
      await context.addRecord({ kind: interactionData, id: entry.id, data: dataset })
      sets += 1
      context.progress((number + 1) / value!.length)
    }
    return sets > 0 ? { [interactionData]: sets } : {}
  },
})
