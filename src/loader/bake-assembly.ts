import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { browserGff3Lines } from '../bio/annotation/gene-gff3.ts'
import { type GeneMatch, GeneMatches } from '../bio/annotation/gene-matches.ts'
import type { GeneModel } from '../bio/annotation/gene-models.ts'
import { computeAssemblyStats } from '../bio/sequence/assembly-stats.ts'
import { indexSequenceNames, karyotypeOrder } from '../bio/sequence/chromosome-order.ts'
import type { DefectLog } from '../bio/text/defects.ts'
import { NameTable } from '../bio/text/name-table.ts'
import type { AssemblyManifest, SpeciesManifest } from '../contracts/manifest.ts'
import { shownRoles } from '../contracts/species.ts'
import type { BakedWriter } from '../database/baked-tables.ts'
import type { BundleSummary } from '../database/catalogue.ts'
import { nameKinds } from '../database/genes.ts'
import type { ProgramOutcome, ProgramRun } from '../jobs/program.ts'
import {
  addGeneRow,
  geneRelevance,
  geneSearchEntry,
  SearchIndexer,
  storedTranscripts,
} from '../kit/data/bundle-rows.ts'
import { proteinFeatureData } from '../kit/data/feature-data.ts'
import { GeneNames, namesOfGene } from '../kit/data/genes/gene-names.ts'
import type { BakeContext, BakedSequence, DownloadAbout } from '../kit/loader.ts'
import {
  type BakedGenome,
  bakeGenomeFasta,
  genomeFiles,
  openGenome,
  readGenomeSequences,
} from '../store/genome-fasta.ts'
import { bakeTabix } from '../store/tabix-writer.ts'
import { bakeAnnotations } from './annotations.ts'
import { bakeDefects } from './bake-defects.ts'
import { gff3Lines, productFiles, writeProducts } from './derive-products.ts'
import {
  type FollowedGenes,
  followFormerGenes,
  formerGenesFile,
  formerGenesKind,
  type Predecessor,
  writeFormerGenes,
} from './follow-genes.ts'
import { readGeneModels } from './gene-models.ts'
import type { KeptParts } from './kept-parts.ts'
import type { FoundLoader } from './manifest.ts'
import { manifestDefects } from './manifest-defects.ts'
import type { OntologyIndex } from './ontologies.ts'
import { computeOverview } from './overview.ts'
import { readProteins } from './proteins.ts'

/** Where files of a bundle are written, and by what they are named; checksums are taken when all are written. */
export interface BundleUnderConstruction {
  directory: string
  /** For programs and what is not kept. */
  scratch: string
  add(relativePath: string, note: { kind: string; meta?: Record<string, unknown> }): void
}

export interface BakeAssemblyOptions {
  manifest: SpeciesManifest
  assembly: AssemblyManifest
  /** Absolute path of each file the manifest names. */
  resolveFile(path: string): Promise<string | null>
  /** Absolute path of a file that may stand beside one of them, or null. */
  findFile(path: string): Promise<string | null>
  /** Files within a folder the manifest names; null when there is no such (reported). */
  listFolder(path: string): Promise<string[] | null>
  bundle: BundleUnderConstruction
  writer: BakedWriter
  ontology: OntologyIndex
  loaders: FoundLoader[]
  /** The bundle of the assembly that is in service: its genes are followed to those of this one. */
  predecessor?: Predecessor | null
  /** Told how many genes became what, where there are others than before. */
  onFollowed?(counts: NonNullable<FollowedGenes['counts']>): void
  /** Takes parts from earlier bundles, and keeps them for later ones; everything is computed where it is absent. */
  parts?: KeptParts
  /** Absolute paths of the files of a loader's entry; wanted with `parts`. */
  filesOf?(loader: FoundLoader): Promise<string[]>
  runProgram(run: ProgramRun, directory: string): Promise<ProgramOutcome | null>
  log: DefectLog
  signal: AbortSignal
  /** After an error the rest is read all the same, as far as it can be: for a report of everything that is wrong. */
  keepGoing?: boolean
  /** Told the sequences once the genome is read. */
  onSequences?(sequences: readonly { name: string; aliases: string[]; lengthBp: number }[]): void
  /** What is being done, and how far the assembly is, 0 to 1. */
  progress(step: string, fraction: number): void
}

const list = <T>(value: T | T[] | undefined): T[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

/** Sequences shown in summaries: enough for every chromosome of what is assembled to chromosomes. */
const summarySequences = 60
const exampleGeneCount = 8
const noAliases: string[] = []
const browserGenesFile = 'genes.browser.gff3.gz'

/** Bakes one assembly into its staged bundle and its tables; the caller seals the bundle or discards both. */
export const bakeAssembly = async (options: BakeAssemblyOptions): Promise<Omit<BundleSummary, 'files'>> => {
  const { manifest, assembly, bundle, writer, log, signal } = options
  const refuseErrors = (): void => {
    if (log.hasErrors && options.keepGoing !== true) throw new LoadRefused()
  }
  const licence = assembly.licence ?? manifest.licence ?? null
  const simulated = assembly.simulated ?? manifest.simulated ?? false
  const about = (en: string, zh: string): DownloadAbout => ({ title: { en, zh }, licence, simulated })
  const resolveAll = async (paths: string[]): Promise<string[]> => {
    const resolved = await Promise.all(paths.map((path) => options.resolveFile(path)))
    return resolved.filter((path) => path !== null)
  }
  const files = new Map<string, string>()
  const noteFile: BundleUnderConstruction['add'] = (path, note) => {
    bundle.add(path, note)
    if (!files.has(note.kind)) files.set(note.kind, join(bundle.directory, path))
  }
  type AddFile = (path: string, kind: string, download?: DownloadAbout) => void
  const addFileBy =
    (add: BundleUnderConstruction['add']): AddFile =>
    (path, kind, download) =>
      add(path, { kind, ...(download === undefined ? {} : { meta: { download } }) })
  const addFile = addFileBy(noteFile)
  /** Makes a part of the bundle, or takes it from an earlier one of the same inputs. */
  const runPart = <T>(
    name: string,
    inputs: unknown,
    paths: readonly string[],
    make: (own: DefectLog, add: AddFile) => Promise<T>,
  ): Promise<T> =>
    options.parts === undefined
      ? make(log, addFile)
      : options.parts.run(
          { name, inputs, files: paths, log, bundle },
          (own, add) => make(own, addFileBy(add)),
          noteFile,
        )

  // The genome ----------------------------------------------------------------------------------------------------------
  options.progress('genome', 0)
  let made: BakedGenome | null = null
  const genomePaths = await resolveAll(list(assembly.genome))
  const genomeInputs = { genome: assembly.genome, licence, simulated }
  await runPart('genome', genomeInputs, genomePaths, async (own, add) => {
    made = await bakeGenomeFasta({
      inputs: genomePaths,
      outDir: bundle.directory,
      log: own,
      signal,
      onProgress: ({ bytesRead, bytesTotal }) =>
        options.progress('genome', 0.25 * (bytesRead / Math.max(1, bytesTotal))),
    })
    refuseErrors()
    if (made.sequences.length === 0) {
      if (!log.hasErrors) own.report(bakeDefects, 'fasta-no-residues', list(assembly.genome)[0]!, null)
      throw new LoadRefused()
    }
    add(genomeFiles.fasta, 'genome', about('Genome sequence', '基因组序列'))
    add(genomeFiles.fai, 'genome-index')
    add(genomeFiles.gzi, 'genome-index')
    add(genomeFiles.sequences, 'genome-sequences')
    return null
  })
  const baked = made ?? (await readGenomeSequences(bundle.directory))

  const described = new Map((assembly.sequences ?? []).map((entry) => [entry.name, entry]))
  const bakedNames = new NameTable(baked.sequences.map(({ name }) => name))
  for (const name of described.keys()) {
    if (bakedNames.find(name) === null) {
      log.report(manifestDefects, 'manifest-sequence-unknown', 'species.yaml', null, { name, assembly: assembly.id })
    }
  }
  const scaffoldBp = baked.sequences.reduce((max, { lengthBp }) => Math.max(max, lengthBp), 0) / 100
  const sequences = Array.from(karyotypeOrder(bakedNames.names), (position) => {
    const sequence = baked.sequences[position]!
    const entry = described.get(sequence.name)
    // Without what is not asked for any more, in one piece: there may be a million.
    return {
      name: sequence.name,
      lengthBp: sequence.lengthBp,
      gcCount: sequence.gcCount,
      atCount: sequence.atCount,
      nCount: sequence.nCount,
      gapCount: sequence.gapCount,
      md5: sequence.md5,
      sha512t24u: sequence.sha512t24u,
      aliases: entry?.aliases ?? noAliases,
      circular: entry?.circular ?? false,
      geneticCode: entry?.geneticCode ?? assembly.geneticCode ?? manifest.geneticCode,
      role: entry?.role ?? (sequence.lengthBp >= scaffoldBp ? ('chromosome' as const) : ('scaffold' as const)),
    }
  })
  baked.sequences.length = 0
  options.onSequences?.(sequences)
  const sequenceNames = indexSequenceNames(sequences)
  const positionOf = (name: string): number => sequenceNames.findPosition(name)!
  const sequenceOf = (name: string) => sequences[positionOf(name)]!
  const findSequence = (name: string): string | null => sequenceNames.resolve(name).name

  // Gene models ---------------------------------------------------------------------------------------------------------
  options.progress('genes', 0.25)
  const { genes, circular } = await readGeneModels({
    files: list(assembly.genes),
    resolveFile: options.resolveFile,
    sequences,
    positionOf,
    scratch: bundle.scratch,
    describedCircular: new Map([...described.values()].map(({ name, circular }) => [name, circular])),
    log,
    signal,
    progress: (fraction) => options.progress('genes', 0.25 + 0.25 * fraction),
  })
  const opened: { close(): void | Promise<void> }[] = [genes]
  try {
    refuseErrors()
    for (const name of circular) sequenceOf(name).circular = true
    const genome = await openGenome(bundle.directory)
    opened.push(genome)
    const names = new GeneNames()
    for (const gene of genes) names.add(gene.id, namesOfGene(gene))
    const findGene = (name: string): string | null => names.find(name)
    const matchGene = (name: string): GeneMatch => names.match(name)

    options.progress('products', 0.5)
    const geneFile = basename(list(assembly.genes)[0] ?? '')
    const supplied =
      assembly.proteins === undefined
        ? null
        : await readProteins({
            file: assembly.proteins,
            path: await options.resolveFile(assembly.proteins),
            genes,
            scratch: bundle.scratch,
            log,
            signal,
          })
    if (supplied !== null) opened.push(supplied)
    const { files: _, ...own } = coreOf(options)
    const core = { genome: genomeInputs, ...own }
    const corePaths = [...genomePaths, ...(await resolveAll(coreOf(options).files))]
    const products = await runPart('products', core, corePaths, async (log, add) => {
      if (genes.length === 0) return null
      const written = await writeProducts({
        genes,
        genome,
        directory: bundle.directory,
        geneticCodeOf: (sequence) => sequenceOf(sequence).geneticCode,
        supplied,
        suppliedFile: assembly.proteins ?? '',
        geneFile,
        log,
        signal,
        progress: (fraction) => options.progress('products', 0.5 + 0.15 * fraction),
      })
      add(productFiles.transcripts, 'transcripts', about('Transcript sequences', '转录本序列'))
      add(productFiles.cds, 'cds', about('Coding sequences', '编码序列（CDS）'))
      add(productFiles.proteins, 'proteins', about('Protein sequences', '蛋白质序列'))
      const models = await bakeTabix({
        source: { lines: gff3Lines(sequences, genes), name: 'genes.gff3' },
        outFile: join(bundle.directory, 'genes.gff3.gz'),
        format: 'gff3',
        sequences,
        log,
        signal,
      })
      add('genes.gff3.gz', 'genes', about('Gene models', '基因模型'))
      add(basename(models.csiFile), 'genes-index')
      if (models.tbiFile !== null) add(basename(models.tbiFile), 'genes-index')
      if (genes.hasBeyond((position) => sequences[position]!.lengthBp)) {
        // The download has such genes as the GFF3 specification wants them; a look-up by region would miss what lies behind the origin.
        const split = await bakeTabix({
          source: { lines: browserGff3Lines(sequences, genes), name: 'genes.browser.gff3' },
          outFile: join(bundle.directory, browserGenesFile),
          format: 'gff3',
          sequences,
          log,
          signal,
        })
        add(browserGenesFile, 'genes-browser')
        add(basename(split.csiFile), 'genes-index')
        if (split.tbiFile !== null) add(basename(split.tbiFile), 'genes-index')
      }
      return written
    })

    // Functional annotation -----------------------------------------------------------------------------------------------
    options.progress('annotation', 0.66)
    const annotationPaths = await resolveAll((assembly.annotation ?? []).map(({ file }) => file))
    const ontologyPaths = await resolveAll((manifest.ontologies ?? []).map(({ file }) => file))
    const entries: { entry: NonNullable<AssemblyManifest['annotation']>[number]; path: string }[] = []
    for (const entry of assembly.annotation ?? []) {
      const path = await options.resolveFile(entry.file)
      if (path !== null) entries.push({ entry, path })
    }
    const annotation = await bakeAnnotations({
      entries,
      writer,
      ontology: options.ontology,
      matchGene,
      log,
      signal,
      progress: (fraction) => options.progress('annotation', 0.66 + 0.06 * fraction),
    })
    refuseErrors()

    // Genes of the annotation before -------------------------------------------------------------------------------------
    const formerNames = new Map<string, string[]>()
    if (options.predecessor != null && genes.length > 0) {
      const { predecessor } = options
      const followed = await followFormerGenes({ predecessor, genes, sequences, directory: bundle.directory, signal })
      if (followed.counts !== null) options.onFollowed?.(followed.counts)
      for (const { id, symbol, description, sequence, start1, end1, strand, ...row } of followed.rows) {
        const place = [sequence, start1, end1, strand]
        const { relation, evidence, share } = row
        await writer.add('former_genes', [id, symbol, description, ...place, relation, row.genes, evidence, share])
        // Of `elsewhere` the gene has the id already, and was not the one before.
        if (relation === 'elsewhere') continue
        for (const gene of row.genes) formerNames.set(gene, [...(formerNames.get(gene) ?? []), id])
      }
      if (followed.rows.length > 0) {
        await writeFormerGenes(followed.rows, bundle.directory)
        addFile(formerGenesFile, formerGenesKind, about('Former gene ids', '原基因编号对照'))
      }
    }

    // Rows ----------------------------------------------------------------------------------------------------------------
    options.progress('catalogue', 0.72)
    const indexer = new SearchIndexer(writer)
    const geneCounts = new Map<string, number>()
    let transcriptCount = 0
    let codingGeneCount = 0
    let longestGeneBp = 0
    let position = -1
    const examples = new ExampleGenes(assembly.examples ?? [], findGene)
    for (const gene of genes) {
      position += 1
      if (position % 2000 === 0) {
        signal.throwIfAborted()
        options.progress('catalogue', 0.72 + 0.1 * (position / genes.length))
      }
      const terms = annotation.termsOf(gene.id)
      const transcripts = storedTranscripts(gene, (number) => products?.proteinLengths[transcriptCount + number] ?? 0)
      await addGeneRow(writer, gene, position, transcripts)
      const former = formerNames.get(gene.id) ?? []
      const entry = geneSearchEntry(gene, terms)
      await indexer.add({ ...entry, names: [...(entry.names ?? []), ...former] }, [
        ...namesOfGene(gene),
        ...former.map((name) => ({ name, kind: nameKinds.former })),
      ])
      examples.consider(gene.id, geneRelevance(gene, terms.count))
      geneCounts.set(gene.sequenceName, (geneCounts.get(gene.sequenceName) ?? 0) + 1)
      transcriptCount += gene.transcripts.length
      if (gene.transcripts.some((transcript) => transcript.cds.length > 0)) codingGeneCount += 1
      longestGeneBp = Math.max(longestGeneBp, gene.end1 - gene.start1 + 1)
    }
    for (const [position, sequence] of sequences.entries()) {
      await writer.add('sequences', [
        position,
        sequence.name,
        sequence.lengthBp,
        sequence.gcCount,
        sequence.nCount,
        sequence.role,
        sequence.circular,
        sequence.geneticCode,
        geneCounts.get(sequence.name) ?? 0,
        sequence.aliases,
        sequence.md5,
        sequence.sha512t24u,
      ])
    }
    await runPart('overview', core, corePaths, async (_, add) => {
      const overview = await computeOverview(genome, sequences, genes)
      await writeFile(join(bundle.directory, 'overview.json'), JSON.stringify(overview))
      add('overview.json', 'overview')
      return null
    })

    // What tools bring or derive ------------------------------------------------------------------------------------------
    const dataTypes: Record<string, number> = { genome: sequences.length }
    if (genes.length > 0) {
      dataTypes.genes = genes.length
      dataTypes.proteins = products?.counts.proteins ?? 0
    }
    if (annotation.rowCount > 0) dataTypes.annotation = annotation.rowCount
    if (annotation.featureCount > 0) dataTypes[proteinFeatureData] = annotation.featureCount
    for (const [source, count] of annotation.sources) dataTypes[`annotation:${source}`] = count
    const context = createBakeContext(options, {
      sequences,
      findSequence,
      findGene,
      matchGene,
      genes,
      files,
      addFile: (path, { kind, download }) => addFile(path, kind, download),
      indexer,
      simulated,
      licence,
      termsOf: annotation.termSourcesOf,
    })
    const loaders = options.loaders.filter(({ loader }) => loader.scope === 'assembly')
    for (const [number, found] of loaders.entries()) {
      const { tool, loader } = found
      signal.throwIfAborted()
      const step = 0.82 + 0.13 * (number / loaders.length)
      options.progress(tool, step)
      const value = loader.entry === null ? null : (assembly as Record<string, unknown>)[loader.entry]
      if (loader.entry !== null && value === undefined && loader.always !== true) continue
      const own = {
        ...context,
        progress: (fraction: number) => options.progress(tool, step + (0.13 / loaders.length) * fraction),
      }
      const { parts } = options
      const counts =
        parts === undefined
          ? await loader.bake(value ?? null, own)
          : await parts.bake(
              {
                name: `${tool}-${loader.entry ?? 'derived'}`,
                inputs: {
                  version: loader.version,
                  value: value ?? null,
                  core,
                  annotation:
                    loader.readsTerms === true ? [assembly.annotation ?? [], manifest.ontologies ?? []] : null,
                },
                files: [
                  ...corePaths,
                  ...(await options.filesOf!(found)),
                  ...(loader.readsTerms === true ? [...annotationPaths, ...ontologyPaths] : []),
                ],
                log,
              },
              loader,
              value ?? null,
              own,
              bundle,
            )
      // Loaders of different files may add to the same kind of data.
      for (const [kind, count] of Object.entries(counts)) dataTypes[kind] = (dataTypes[kind] ?? 0) + count
      refuseErrors()
    }
    await indexer.finish()

    options.progress('indexes', 0.95)
    await writer.finish((done, of) => options.progress('indexes', 0.95 + 0.04 * (done / of)))
    const stats = computeAssemblyStats(sequences)
    return {
      lengthBp: baked.totalBp,
      gcFraction: stats.gcFraction ?? 0,
      n50Bp: stats.n50Bp,
      gapBp: sequences.reduce((sum, sequence) => sum + sequence.nCount, 0),
      sequenceCount: sequences.length,
      geneCount: genes.length,
      codingGeneCount,
      transcriptCount,
      dataTypes,
      longestGeneBp,
      sequences: sequences
        .filter(longestOf(sequences, summarySequences))
        .map(({ name, lengthBp, role, circular, aliases }) => ({
          name,
          lengthBp,
          role,
          circular,
          aliases,
          geneCount: geneCounts.get(name) ?? 0,
        })),
      sequenceRoles: shownRoles(sequences),
      exampleGenes: examples.pick().map((at) => {
        const gene = genes.at(at)
        return {
          id: gene.id,
          symbol: gene.symbol,
          description: gene.description,
          sequence: gene.sequenceName,
          start: gene.start1,
          end: gene.end1,
          strand: gene.strand,
        }
      }),
    }
  } finally {
    for (const one of opened) await one.close()
  }
}

/** What every product of an assembly's genes depends on, beside the sequence. */
const coreOf = ({ manifest, assembly }: BakeAssemblyOptions) => ({
  species: manifest.species,
  assembly: assembly.id,
  genes: assembly.genes ?? null,
  proteins: assembly.proteins ?? null,
  sequences: assembly.sequences ?? null,
  geneticCode: assembly.geneticCode ?? manifest.geneticCode,
  files: [...list(assembly.genes), ...list(assembly.proteins)],
})

/** The load cannot go on; the defects say why. */
export class LoadRefused extends Error {
  constructor() {
    super('the input has errors')
    this.name = 'LoadRefused'
  }
}

const refuse = (): never => {
  throw new LoadRefused()
}

const longestOf = <T extends { lengthBp: number }>(all: T[], count: number): ((item: T) => boolean) => {
  const kept = new Set([...all].sort((a, b) => b.lengthBp - a.lengthBp).slice(0, count))
  return (item) => kept.has(item)
}

/** Genes that examples start from: those the manifest names, then well described ones spread along the genome. */
class ExampleGenes {
  readonly #wanted: (string | null)[]
  readonly #chosen: { at: number; order: number }[] = []
  /** Of each gene, in their order; 255 of those the manifest names. */
  #worths = new Uint8Array(1024)
  #length = 0

  constructor(named: string[], findGene: (name: string) => string | null) {
    this.#wanted = named.map(findGene)
  }

  /** Takes the next gene. */
  consider(id: string, relevance: number): void {
    if (this.#length === this.#worths.length) {
      const relevances = new Uint8Array(this.#length * 2)
      relevances.set(this.#worths)
      this.#worths = relevances
    }
    const order = this.#wanted.indexOf(id)
    if (order >= 0) this.#chosen.push({ at: this.#length, order })
    this.#worths[this.#length] = order >= 0 ? isWanted : relevance
    this.#length += 1
  }

  /** Positions of the examples. */
  pick(): number[] {
    const chosen = [...this.#chosen].sort((a, b) => a.order - b.order).map(({ at }) => at)
    const missing = Math.max(0, exampleGeneCount - chosen.length)
    const counts = new Array<number>(isWanted + 1).fill(0)
    for (let at = 0; at < this.#length; at += 1) counts[this.#worths[at]!]! += 1
    // As good as the last that there is room for: at least as many as are missing, where there are so many.
    let min = isWanted
    let good = 0
    while (min > 0 && good < missing) {
      min -= 1
      good += counts[min]!
    }
    const taken = Math.min(missing, good)
    const numbers = Array.from({ length: taken }, (_, number) => Math.floor((number * good) / taken))
    let next = 0
    let number = 0
    for (let at = 0; at < this.#length && next < taken; at += 1) {
      const relevance = this.#worths[at]!
      if (relevance === isWanted || relevance < min) continue
      if (number === numbers[next]) {
        chosen.push(at)
        next += 1
      }
      number += 1
    }
    return chosen.slice(0, exampleGeneCount)
  }
}

const isWanted = 255

export const createBakeContext = (
  options: Pick<
    BakeAssemblyOptions,
    'manifest' | 'bundle' | 'writer' | 'log' | 'signal' | 'resolveFile' | 'findFile' | 'listFolder' | 'runProgram'
  > & {
    assembly: AssemblyManifest | null
  },
  parts: {
    sequences: BakedSequence[]
    findSequence(name: string): string | null
    findGene(name: string): string | null
    matchGene(name: string): GeneMatch
    genes: Iterable<GeneModel>
    files: ReadonlyMap<string, string>
    addFile: BakeContext['addFile']
    indexer: SearchIndexer
    simulated: boolean
    licence: string | null
    termsOf: BakeContext['termsOf']
  },
): BakeContext => {
  let recordCount = 0
  return {
    species: options.manifest.species,
    assembly: options.assembly?.id ?? null,
    simulated: parts.simulated,
    licence: parts.licence,
    directory: options.bundle.directory,
    signal: options.signal,
    sequences: parts.sequences,
    findSequence: parts.findSequence,
    findGene: parts.findGene,
    matchGenes: (file) => new GeneMatches({ file, match: parts.matchGene }),
    genes: async function* () {
      yield* parts.genes
    },
    bakedFile: (kind) => parts.files.get(kind) ?? null,
    addFile: parts.addFile,
    addRecord: async (record) => {
      await options.writer.add('records', [
        record.kind,
        record.id,
        recordCount,
        record.sequence,
        record.start1,
        record.end1,
        { json: record.data },
      ])
      recordCount += 1
    },
    addRow: (table, values) => options.writer.add(table, values),
    termsOf: parts.termsOf,
    addTerm: ({ source, term, name, definition = null, parents = [], ancestors = [] }) =>
      options.writer.add('terms', [source, term, name, null, definition, false, null, [], [], parents, ancestors]),
    addGeneTerm: ({ gene, source, term, evidence }) =>
      options.writer.add('gene_terms', [gene, source, term, evidence, null, null, null]),
    addSearchEntry: (entry) => parts.indexer.add(entry),
    progress: () => undefined,
    resolveFile: async (path) => (await options.resolveFile(path)) ?? refuse(),
    findFile: options.findFile,
    listFolder: async (path) => (await options.listFolder(path)) ?? refuse(),
    report: (catalogue, { code, file, line, params }) => options.log.report(catalogue, code, file, line, params),
    forward: (defect) => options.log.add(defect),
    scratch: options.bundle.scratch,
    runProgram: (run) => options.runProgram(run, options.bundle.scratch),
  }
}
