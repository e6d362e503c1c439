import { z } from 'zod'
import { GeneSetTextError, parseGeneSets } from '../../bio/annotation/gene-set-files.ts'
import { type PathwayDrawing, parsePathwayDrawing } from '../../bio/networks/pathway-drawings.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { XmlTextError } from '../../bio/text/xml.ts'
import { filePathSchema } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { type BakeContext, type CheckContext, defineLoader } from '../../kit/loader.ts'
import { readInputText } from '../../kit/read-input.ts'
import toolDefects from './defects.ts'
import { drawingId, drawingKind, type StoredDrawing, type StoredSource, sourceKind } from './stored.ts'

const sourceSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9 ._-]{0,40}$/)
  .describe('Name of the collection of pathways, e.g. "KEGG pathway", "WikiPathways"; "Pathway" when absent.')

const filesSchema = z
  .object({
    file: z
      .union([filePathSchema, z.array(filePathSchema).min(1)])
      .describe('Gene sets (GMT, or a table of gene, pathway, name) or drawings (KGML, GPML); one or a list.'),
    format: z.enum(['gmt', 'table', 'kgml', 'gpml']).optional().describe('Told by the content when absent.'),
    source: sourceSchema.optional(),
    title: localizedTextSchema.optional(),
    licence: z.string().max(200).optional(),
  })
  .strict()

const vocabularySchema = z
  .object({
    source: sourceSchema.describe('A vocabulary of the annotation whose terms are pathways, e.g. "KEGG pathway".'),
    title: localizedTextSchema.optional(),
    licence: z.string().max(200).optional(),
  })
  .strict()

const entrySchema = z
  .array(z.union([filePathSchema, filesSchema, vocabularySchema]))
  .describe('Pathways: tables of their genes, and drawings of them that the lab may use.')

type Entry = {
  file?: string | string[]
  format?: string
  source?: string
  title?: z.output<typeof localizedTextSchema>
  licence?: string
}

const usualSource = 'Pathway'

const entriesOf = (value: z.output<typeof entrySchema>): (Entry & { files: string[] })[] =>
  value.map((entry) => {
    const one: Entry = typeof entry === 'string' ? { file: entry } : entry
    return { ...one, files: one.file === undefined ? [] : [one.file].flat() }
  })

interface ReadFile {
  file: string
  drawing: PathwayDrawing | null
  sets: Map<string, { name: string | null; genes: Set<string> }>
}

/** Reads a file; null after it was reported. */
const readFile = async (file: string, format: string | undefined, context: CheckContext): Promise<ReadFile | null> => {
  const text = await readInputText(file, context)
  if (text === null) return null
  const drawn = format === 'kgml' || format === 'gpml' || (format === undefined && /^\s*<|^\uFEFF\s*</.test(text))
  try {
    if (drawn) return { file, drawing: parsePathwayDrawing(text), sets: new Map() }
    const { terms } = parseGeneSets(text, format === 'gmt' || format === 'table' ? format : 'auto')
    return { file, drawing: null, sets: terms }
  } catch (error) {
    if (!(error instanceof XmlTextError || error instanceof GeneSetTextError)) throw error
    context.report(toolDefects, {
      code: drawn ? 'pathway-drawing' : 'pathway-table',
      file,
      line: error.line === 0 ? null : error.line,
      params: { reason: error.reason },
    })
    return null
  }
}

const plainTerm = (term: string): string => term.replace(/^path:/, '')
const mapNumber = (term: string): string | null => /^[a-z]{2,5}(\d{5})$/.exec(term)?.[1] ?? null

/**
 * Genes by what drawings name them: as genes (`YBR145W`; `sce:YBR145W` of KEGG), by KEGG's orthologs (`ko:K01623`) and enzymes
 * (`ec:2.7.1.1`) where the annotation gives genes such terms.
 */
const openNodeGenes = async (context: BakeContext): Promise<(names: readonly string[]) => string[]> => {
  const byTerm = new Map<string, Set<string>>()
  for await (const gene of context.genes())
    for (const { source, term } of context.termsOf(gene.id)) {
      const key = /^(ko:)?K\d{5}$/.test(term)
        ? term.replace(/^ko:/, '')
        : source === 'EC'
          ? term.replace(/^EC:/i, '')
          : null
      if (key === null) continue
      const genes = byTerm.get(key) ?? new Set()
      genes.add(gene.id)
      byTerm.set(key, genes)
    }
  return (names) => {
    const genes = new Set<string>()
    for (const name of names) {
      const bare = name.includes(':') ? name.slice(name.indexOf(':') + 1) : name
      const own = context.findGene(name) ?? context.findGene(bare)
      if (own !== null) genes.add(own)
      if (/^(?:ko|ec):/.test(name)) for (const gene of byTerm.get(bare) ?? []) genes.add(gene)
    }
    return [...genes]
  }
}

/** Genes of the terms of a table; empty where the assembly has none of them. What it does not have is reported. */
const findSetGenes = (
  { file, sets }: ReadFile,
  context: BakeContext,
): Map<string, { name: string | null; genes: Set<string> }> => {
  const terms = new Map<string, { name: string | null; genes: Set<string> }>()
  const matches = context.matchGenes(file)
  for (const [given, set] of sets) {
    const term = plainTerm(given)
    const own = terms.get(term) ?? { name: set.name, genes: new Set() }
    own.name ??= set.name
    for (const one of set.genes) {
      const gene = matches.find(one)
      if (gene !== null) own.genes.add(gene)
    }
    terms.set(term, own)
  }
  const log = new DefectLog()
  // A list of another strain may stand at the top for all assemblies.
  const [gene] = [...sets.values()].flatMap((set) => [...set.genes])
  if (matches.matched > 0) matches.report(log)
  else if (gene !== undefined) {
    matches.report(log, { each: true })
    log.report(toolDefects, 'pathway-none', file, null, { gene })
  }
  for (const defect of log.defects) context.forward(defect)
  return matches.matched === 0 ? new Map() : terms
}

interface Pathway {
  name: string | null
  genes: Set<string>
  drawing: StoredDrawing | null
  description: string | null
}

const bake = async (value: z.output<typeof entrySchema>, context: BakeContext): Promise<Record<string, number>> => {
  const genesOf = await openNodeGenes(context)
  const entries = entriesOf(value)
  const sources = new Map<string, StoredSource>()
  const pathways = new Map<string, Map<string, Pathway>>()
  const vocabularies = new Set<string>()
  for (const [at, entry] of entries.entries()) {
    const source = entry.source ?? usualSource
    const known = sources.get(source)
    sources.set(source, {
      title: entry.title ?? known?.title ?? null,
      licence: entry.licence ?? known?.licence ?? context.licence,
      simulated: context.simulated,
    })
    if (entry.files.length === 0) vocabularies.add(source)
    const own = pathways.get(source) ?? new Map<string, Pathway>()
    pathways.set(source, own)
    const drawings: { file: string; drawing: PathwayDrawing }[] = []
    for (const name of entry.files) {
      const read = await readFile(name, entry.format, context)
      if (read === null) continue
      if (read.drawing !== null) {
        drawings.push({ file: name, drawing: read.drawing })
        continue
      }
      for (const [term, { name: given, genes }] of findSetGenes(read, context)) {
        const pathway = own.get(term) ?? { name: null, genes: new Set(), drawing: null, description: null }
        pathway.name ??= given
        for (const gene of genes) pathway.genes.add(gene)
        own.set(term, pathway)
      }
    }
    // Drawings last: they join the table's pathway of the same id, or, of KEGG, of the same number.
    for (const { file, drawing } of drawings) {
      const id = drawing.id ?? file.replace(/^.*\//, '').replace(/\.(xml|kgml|gpml)(\.gz)?$/i, '')
      const number = mapNumber(id)
      const term =
        own.has(id) || number === null ? id : ([...own.keys()].find((one) => mapNumber(one) === number) ?? id)
      const nodes = drawing.nodes.map((node) => ({ ...node, genes: node.kind === 'gene' ? genesOf(node.names) : [] }))
      const genes = new Set(nodes.flatMap((node) => node.genes))
      if (genes.size === 0) {
        const name = nodes.find(({ kind }) => kind === 'gene')?.names[0] ?? ''
        context.report(toolDefects, { code: 'pathway-none', file, line: null, params: { gene: name } })
      }
      const pathway = own.get(term) ?? { name: null, genes: new Set(), drawing: null, description: null }
      pathway.name ??= drawing.name
      pathway.description ??= drawing.description
      // What a table says of the genes stands; without one the drawing says it.
      if (pathway.genes.size === 0) pathway.genes = genes
      pathway.drawing = { ...drawing, nodes }
      own.set(term, pathway)
    }
    context.progress((at + 1) / (entries.length + 1))
  }
  let count = 0
  for (const [source, about] of sources) {
    const own = pathways.get(source)!
    if (vocabularies.has(source)) await addVocabulary(source, own, context)
    if (own.size === 0) continue
    await context.addRecord({ kind: sourceKind, id: source, data: about })
    for (const [term, { name, genes, drawing, description }] of own) {
      count += 1
      if (!vocabularies.has(source)) {
        await context.addTerm({ source, term, name, definition: description })
        for (const gene of genes) await context.addGeneTerm({ gene, source, term, evidence: null })
      }
      if (drawing !== null) await context.addRecord({ kind: drawingKind, id: drawingId(source, term), data: drawing })
      await context.addSearchEntry({
        type: 'pathway',
        id: `${source}|${term}`,
        label: name ?? term,
        description: source,
        names: [term],
        extra: description ?? '',
        relevance: 2,
      })
    }
  }
  return count === 0 ? {} : { pathways: count }
}

/** Terms of a vocabulary that the annotation gives to genes are pathways too; what is drawn of them is kept. */
const addVocabulary = async (source: string, own: Map<string, Pathway>, context: BakeContext): Promise<void> => {
  let found = 0
  for await (const gene of context.genes())
    for (const given of context.termsOf(gene.id)) {
      if (given.source !== source) continue
      found += 1
      const pathway = own.get(given.term) ?? { name: given.name, genes: new Set(), drawing: null, description: null }
      pathway.name ??= given.name
      own.set(given.term, pathway)
    }
  if (found === 0)
    context.report(toolDefects, { code: 'pathway-vocabulary', file: 'species.yaml', line: null, params: { source } })
}

/** Pathways of an assembly: their genes become annotation, so that searches and enrichment have them too; drawings are kept as records. */
export default defineLoader({
  entry: 'pathways',
  scope: 'assembly',
  inherited: true,
  readsTerms: true,
  schema: entrySchema,
  version: 1,
  bake: async (value, context): Promise<Record<string, number>> => (value === null ? {} : bake(value, context)),
})
