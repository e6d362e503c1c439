import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { GeneModelBuilder } from '../bio/annotation/gene-models/gene-model-builder.ts'
import type { GeneModel } from '../bio/annotation/gene-models.ts'
import { Gff3Reader } from '../bio/annotation/gff3.ts'
import { codingSequence } from '../bio/sequence/coding-sequence.ts'
import { translate } from '../bio/sequence/genetic-codes.ts'
import { DefectLog } from '../bio/text/defects.ts'
import { createBakedWriter } from '../database/baked-tables.ts'
import { activateRelease, createBundle } from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { addGeneRow, geneSearchEntry, SearchIndexer, storedTranscripts } from '../kit/data/bundle-rows.ts'
import { type OpenPortalData, openPortalData } from '../kit/data/create-portal-data.ts'
import { namesOfGene } from '../kit/data/genes/gene-names.ts'
import { bakeGenomeFasta } from '../store/genome-fasta.ts'
import { openLocalFiles } from '../store/portal-files.ts'
import { openTestDatabase } from './database.ts'

/** An assembly of a test portal: texts, or files (plain or gzip). */
export interface TestAssembly {
  id: string
  fasta: string | { file: string }
  gff3?: string | { file: string }
  circular?: string[]
  /** Genetic codes by sequence; 1 where absent. */
  geneticCodes?: Record<string, number>
  geneTerms?: { gene: string; source: string; term: string; qualifier?: string }[]
  terms?: {
    source: string
    term: string
    name: string
    ancestors: string[]
    alternativeIds?: string[]
    namespace?: string | null
    replacedBy?: string | null
    obsolete?: boolean
  }[]
  /** What tools' loaders would have added. */
  records?: { kind: string; id: string; data: unknown }[]
  /** Entries of the manifest that only describe. */
  about?: { name?: string; strain?: string; source?: string; description?: string }
}

export interface TestPortal {
  data: OpenPortalData
  database: Database
  dataDir: string
  /** Files of the assembly as plain text, for reference programs. */
  fastaFile(assembly: string): string
  genes(assembly: string): GeneModel[]
  close(): Promise<void>
}

const readText = (source: string | { file: string }): string => {
  if (typeof source === 'string') return source
  const bytes = readFileSync(source.file)
  return (source.file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

/** The id of the bundle of an assembly or species of a test portal. */
export const testBundleId = (name: string): string =>
  `20260101T000000000Z-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`

/**
 * A portal's data over a real database and real baked genomes, for tests of engines: gene models are read by the readers that
 * loading uses, rows go through the tables that loading fills. It bakes neither tracks nor tools' own data.
 */
export const openTestPortal = async (
  assemblies: TestAssembly[],
  species = 'test-species',
  speciesRecords: { kind: string; id: string; data: unknown }[] = [],
): Promise<TestPortal> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'novodb-test-'))
  // A connection for each table that is being filled, and some for queries. The server is shared: making one takes seconds.
  const database = await openTestDatabase({ max: 12 })
  const { sql } = database
  const models = new Map<string, GeneModel[]>()
  const bundles: number[] = []

  for (const assembly of assemblies) {
    const uid = testBundleId(assembly.id)
    const directory = join(dataDir, 'bundles', uid)
    mkdirSync(directory, { recursive: true })
    const fasta = readText(assembly.fasta)
    writeFileSync(join(dataDir, `${assembly.id}.fa`), fasta)
    const log = new DefectLog()
    const baked = await bakeGenomeFasta({ inputs: [join(dataDir, `${assembly.id}.fa`)], outDir: directory, log })
    const lengths = new Map(baked.sequences.map((sequence) => [sequence.name, sequence.lengthBp]))
    const builder = new GeneModelBuilder({ file: 'genes.gff3', log, sequences: lengths, circular: assembly.circular })
    const reader = new Gff3Reader({
      file: 'genes.gff3',
      log,
      onFeature: (feature) => builder.add(feature),
    })
    const gff3 = assembly.gff3 === undefined ? '' : readText(assembly.gff3)
    for (const [index, line] of gff3.split(/\r?\n/).entries()) reader.addLine(line, index + 1)
    const { genes } = builder.finish()
    models.set(assembly.id, genes)
    const bases = readBases(fasta)

    const writer = await createBakedWriter(sql)
    for (const [position, sequence] of baked.sequences.entries()) {
      await writer.add('sequences', [
        position,
        sequence.name,
        sequence.lengthBp,
        sequence.gcCount,
        sequence.nCount,
        'chromosome',
        assembly.circular?.includes(sequence.name) ?? false,
        assembly.geneticCodes?.[sequence.name] ?? 1,
        genes.filter((gene) => gene.sequenceName === sequence.name).length,
        [],
        sequence.md5,
        sequence.sha512t24u,
      ])
    }
    const indexer = new SearchIndexer(writer)
    for (const [position, gene] of genes.entries()) {
      const sequence = bases.get(gene.sequenceName) ?? ''
      // Twice over: a gene across the origin of a circular sequence ends beyond its length.
      const twice = assembly.circular?.includes(gene.sequenceName) ? sequence + sequence : sequence
      const proteinLengths = gene.transcripts.map((transcript) => {
        if (transcript.cds.length === 0) return 0
        const coding = codingSequence(transcript, gene.strand, (start1, end1) => twice.slice(start1 - 1, end1))
        const table = assembly.geneticCodes?.[gene.sequenceName] ?? 1
        const protein = translate(coding.sequence, { table, phase: coding.phase, stopHandling: 'trim' })
        return protein.length
      })
      await addGeneRow(
        writer,
        gene,
        position,
        storedTranscripts(gene, (number) => proteinLengths[number]!),
      )
      await indexer.add(geneSearchEntry(gene, { count: 0, names: [] }), namesOfGene(gene))
    }
    await indexer.finish()
    for (const { source, term, name, ancestors, ...more } of assembly.terms ?? []) {
      const { namespace = null, obsolete = false, replacedBy = null, alternativeIds = [] } = more
      await writer.add('terms', [
        ...[source, term, name, namespace, null, obsolete, replacedBy, []],
        ...[alternativeIds, [], ancestors],
      ])
    }
    for (const { gene, source, term, qualifier } of assembly.geneTerms ?? []) {
      await writer.add('gene_terms', [gene, source, term, null, qualifier ?? null, null, null])
    }
    await addRecords(writer, assembly.records ?? [])
    await writer.finish()
    await createBundle(sql, writer, {
      uid,
      species,
      assembly: assembly.id,
      fingerprint: uid,
      checksum: uid,
      summary: {
        lengthBp: baked.totalBp,
        gcFraction: 0.5,
        n50Bp: 0,
        gapBp: 0,
        sequenceCount: baked.sequences.length,
        geneCount: genes.length,
        codingGeneCount: genes.filter((gene) => gene.transcripts.some((one) => one.cds.length > 0)).length,
        transcriptCount: genes.reduce((sum, gene) => sum + gene.transcripts.length, 0),
        dataTypes: { genome: 1, genes: genes.length },
        sequences: [],
        exampleGenes: [],
        longestGeneBp: Math.max(0, ...genes.map((gene) => gene.end1 - gene.start1 + 1)),
        files: [],
      },
    })
    bundles.push(writer.bundle)
  }
  if (speciesRecords.length > 0) {
    const writer = await createBakedWriter(sql)
    await addRecords(writer, speciesRecords)
    await writer.finish()
    const uid = testBundleId(species)
    await createBundle(sql, writer, {
      uid,
      species,
      assembly: null,
      fingerprint: uid,
      checksum: uid,
      summary: {
        lengthBp: 0,
        gcFraction: 0,
        n50Bp: 0,
        gapBp: 0,
        sequenceCount: 0,
        geneCount: 0,
        codingGeneCount: 0,
        transcriptCount: 0,
        dataTypes: {},
        sequences: [],
        exampleGenes: [],
        longestGeneBp: 0,
        files: [],
      },
    })
    bundles.push(writer.bundle)
  }
  await activateRelease(
    sql,
    {
      novodb: 1,
      species,
      name: 'Test species',
      geneticCode: 1,
      assemblies: assemblies.map(({ id, about }, index) => ({
        id,
        reference: index === 0,
        genome: `${id}.fa`,
        ...about,
      })),
    },
    bundles,
    {},
  )
  const data = await openPortalData({ sql, files: openLocalFiles(dataDir) })
  return {
    data,
    database,
    dataDir,
    fastaFile: (assembly) => join(dataDir, `${assembly}.fa`),
    genes: (assembly) => models.get(assembly) ?? [],
    close: async () => {
      await data.close()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const addRecords = async (
  writer: Awaited<ReturnType<typeof createBakedWriter>>,
  records: { kind: string; id: string; data: unknown }[],
): Promise<void> => {
  for (const [position, { kind, id, data }] of records.entries())
    await writer.add('records', [kind, id, position, null, null, null, { json: data }])
}

const readBases = (fasta: string): Map<string, string> =>
  new Map(
    fasta
      .split(/^>/m)
      .slice(1)
      .map((record) => {
        const end = record.indexOf('\n')
        return [record.slice(0, end).split(/\s/)[0]!, record.slice(end + 1).replace(/\s+/g, '')]
      }),
  )
