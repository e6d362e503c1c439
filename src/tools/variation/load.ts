import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { GeneModel } from '../../bio/annotation/gene-models.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { readSampleNames } from '../../bio/variation/vcf.ts'
import { PortalError } from '../../contracts/errors.ts'
import { entryIdSchema, filePathSchema, refuseEqualIds } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { openTrueReferences } from '../../kit/data/reference-alleles.ts'
import { type BakedVariants, variantFiles, variantsData, variantsKind } from '../../kit/data/variant-data.ts'
import { inputDefects } from '../../kit/input-defects.ts'
import { type BakeContext, defineLoader } from '../../kit/loader.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { openSink } from '../../store/file-sink.ts'
import { genomeFiles, openGenome } from '../../store/genome-fasta.ts'
import { openTabix } from '../../store/tabix-reader.ts'
import { type BakedTabix, bakeTabix } from '../../store/tabix-writer.ts'
import { csqGeneLines } from './csq-genes.ts'
import toolDefects from './defects.ts'
import { createOwnEffects, hasOtherStarts, whyNotForCsq } from './own-effects.ts'
import { besidePlinkBed, isPlinkBed, writePlinkVcf } from './plink-genotypes.ts'
import { SiteWriter, sitesOnly } from './write-sites.ts'

const entrySchema = z
  .object({
    id: entryIdSchema.describe('Name of the set in addresses, unique in the assembly.'),
    name: localizedTextSchema.describe('Shown to readers.'),
    description: localizedTextSchema.optional(),
    file: filePathSchema.describe(
      'VCF (plain, gzip, bgzip) or BCF, with genotypes of any ploidy or sites alone; or PLINK .bed, with .bim and .fam beside it.',
    ),
    licence: z.string().max(200).optional(),
    simulated: z.boolean().optional(),
  })
  .strict()
const variantsSchema = z
  .array(entrySchema)
  .superRefine(refuseEqualIds)
  .describe('Variants of accessions; consequences on genes are told by bcftools csq.')
type Entry = z.output<typeof entrySchema>

/** Sets with more ids are searched by the tool alone. */
const maxSearchEntries = 50_000
const maxNamed = 5

const missingProgram = (entry: Entry, purpose: string, context: BakeContext): void =>
  context.report(inputDefects, {
    code: 'program-missing',
    file: entry.file,
    line: null,
    params: { program: 'bcftools', purpose, package: 'bcftools' },
  })

/** First bytes of what is in the file, decompressed. */
const readStart = async (path: string): Promise<Buffer> => {
  for await (const piece of readDecompressed(path)) return piece
  return Buffer.alloc(0)
}

/** The file as a VCF: itself, what bcftools makes of a BCF, or the genotypes of PLINK; null, with a report, when it is neither. */
const asVcf = async (entry: Entry, context: BakeContext): Promise<string | null> => {
  const path = await context.resolveFile(entry.file)
  const bytes = await readStart(path)
  if (isPlinkBed(bytes)) {
    const vcf = join(context.scratch, `${entry.id}.vcf`)
    return (await writePlinkVcf(entry.file, path, vcf, context)) ? vcf : null
  }
  const start = bytes.subarray(0, 4).toString('latin1')
  if (start.startsWith('BCF')) {
    const outcome = await context.runProgram({
      program: 'bcftools',
      arguments: ['view', '-Ov', '--no-version', path],
      outputFile: `${entry.id}.vcf`,
    })
    if (outcome !== null) return join(context.scratch, `${entry.id}.vcf`)
    missingProgram(entry, basename(entry.file), context)
    return null
  }
  // The marks of UTF-8 and of UTF-16.
  if (start.replace(/^(\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff\0|\0)/, '').startsWith('#') || start === '')
    return path
  context.report(toolDefects, { code: 'variants-file-type', file: entry.file, line: 1, params: {} })
  return null
}

/** Sorts the records that fit the genome; null, with reports, when the file is not usable. */
const sortRecords = async (
  entry: Entry,
  path: string,
  outFile: string,
  context: BakeContext,
): Promise<BakedTabix | null> => {
  const log = new DefectLog()
  const references = await openTrueReferences(path, entry.file, context, log)
  let differing = 0
  let written: BakedTabix
  try {
    written = await bakeTabix({
      source: { name: entry.file, pieces: references.pieces },
      format: 'vcf',
      outFile,
      sequences: context.sequences,
      findSequence: context.findSequence,
      log,
      signal: context.signal,
    })
  } finally {
    differing = await references.close()
    for (const defect of log.defects) context.forward({ ...defect, file: entry.file })
  }
  return log.hasErrors ? null : { ...written, leftOut: written.leftOut + differing }
}

interface PreparedGenes {
  /** Name in the scratch directory; null without genes that csq can read. */
  gff3: string | null
  own: { gene: GeneModel; sequence: BakeContext['sequences'][number]; part: 'whole' | 'start' }[]
}

/** Writes the gene models for bcftools csq, but for those that it would read wrongly. */
const prepareGenes = async (context: BakeContext): Promise<PreparedGenes> => {
  const sequences = new Map(context.sequences.map((sequence) => [sequence.name, sequence]))
  const file = await openSink(join(context.scratch, 'csq.gff3'))
  let any = false
  const own: PreparedGenes['own'] = []
  try {
    await file.write('##gff-version 3\n')
    for await (const gene of context.genes()) {
      const sequence = sequences.get(gene.sequenceName)!
      if (whyNotForCsq(gene, sequence) !== null) {
        own.push({ gene, sequence, part: 'whole' })
        continue
      }
      any = true
      await file.write(`${csqGeneLines(gene).join('\n')}\n`)
      if (hasOtherStarts(sequence)) own.push({ gene, sequence, part: 'start' })
    }
    await file.end()
  } finally {
    await file.discard()
  }
  return { gff3: any ? 'csq.gff3' : null, own }
}

/** What csq is run with: each record by itself, on every allele whether or not a sample has it. */
const csqArguments = ['csq', '--local-csq', '--samples', '-', '--force', '--ncsq', '64']

/** Consequences of the sorted records by bcftools csq, a VCF in the scratch directory; null, with a report, when there are none. */
const runCsq = async (
  entry: Entry,
  sorted: string,
  genes: PreparedGenes,
  context: BakeContext,
): Promise<{ file: string; version: string } | null> => {
  if (genes.gff3 === null) return null
  const outputFile = `${entry.id}.csq.vcf`
  try {
    const outcome = await context.runProgram({
      program: 'bcftools',
      arguments: [
        ...csqArguments,
        '--fasta-ref',
        join(context.directory, genomeFiles.fasta),
        '--gff-annot',
        genes.gff3,
        '-Ov',
        '-',
      ],
      input: sitesOnly(readDecompressed(sorted), context.sequences),
      outputFile,
    })
    if (outcome === null) {
      missingProgram(entry, 'BCSQ', context)
      return null
    }
    const file = join(context.scratch, outputFile)
    const head = (await readStart(file)).subarray(0, 1 << 20).toString('latin1')
    return { file, version: /##bcftools[/_]csqVersion=(\d[\d.]*)/.exec(head)?.[1] ?? '' }
  } catch (error) {
    if (!(error instanceof PortalError) || error.code === 'JOB_CANCELLED') throw error
    const { reason, text } = error.params as { reason?: unknown; text?: unknown }
    context.report(toolDefects, {
      code: 'variants-consequences-failed',
      file: entry.file,
      line: null,
      params: { reason: String(text ?? reason ?? error.messageId).slice(-300) },
    })
    return null
  }
}

const bakeSet = async (entry: Entry, genes: PreparedGenes, context: BakeContext): Promise<BakedVariants | null> => {
  const path = await asVcf(entry, context)
  if (path === null) return null
  const files = variantFiles(entry.id)
  const at = (file: string): string => join(context.directory, file)
  await mkdir(at(`variants/${entry.id}`), { recursive: true })
  const sorted = at(`variants/${entry.id}/sorted.vcf.gz`)
  const written = await sortRecords(entry, path, sorted, context)
  if (written === null) return null
  const header = await readHeader(sorted)
  const samples = readSampleNames(header.split('\n').find((line) => line.startsWith('#CHROM')) ?? '')
  if (!header.includes('##contig='))
    context.report(toolDefects, { code: 'variants-contig-lines-added', file: entry.file, line: null, params: {} })
  context.progress(0.3)
  const csq = await runCsq(entry, sorted, genes, context)
  context.progress(0.6)
  const genome = await openGenome(context.directory)
  const own = csq === null && genes.gff3 !== null ? null : createOwnEffects(genes.own, genome)
  const known = csq !== null || (own !== null && own.sequences.size > 0)
  const writer = new SiteWriter({
    files: {
      positions: at(files.positions),
      bits: at(files.bits),
      frequencies: at(files.frequencies),
      missing: at(files.missing),
      ids: at(files.ids),
    },
    records: written.records,
    samples: samples.length,
    csq: csq === null ? null : readDecompressed(csq.file),
    findOwn: own?.find ?? null,
    ownSequences: own?.sequences ?? new Set(),
    known,
    headLines: known
      ? [
          `##INFO=<ID=BCSQ,Number=.,Type=String,Description="Consequences of each record by itself, by bcftools ${csq?.version ?? ''} csq and, where that does not know the genetic code, by NovoDB. Format: Consequence|gene|transcript|biotype|strand|amino_acid_change|dna_change">`,
        ]
      : [],
    contigs: context.sequences,
  })
  const log = new DefectLog()
  let baked: BakedTabix
  try {
    baked = await bakeTabix({
      source: { name: entry.file, pieces: writer.pass(readDecompressed(sorted)) },
      format: 'vcf',
      outFile: at(files.vcf),
      sequences: context.sequences,
      log,
      signal: context.signal,
    })
  } finally {
    await genome.close()
  }
  for (const suffix of ['', '.tbi', '.csi']) await rm(`${sorted}${suffix}`, { force: true })
  if (csq !== null) await rm(csq.file, { force: true })
  const { counts } = writer
  const simulated = entry.simulated ?? context.simulated
  const index = baked.tbiFile ?? baked.csiFile
  const licence = entry.licence ?? context.licence
  context.addFile(files.vcf, {
    kind: 'variants',
    download: { title: entry.name, description: entry.description, licence, simulated },
  })
  for (const file of [baked.csiFile, baked.tbiFile])
    if (file !== null) context.addFile(`variants/${basename(file)}`, { kind: 'variants-index' })
  for (const file of [files.positions, files.bits, files.frequencies, files.missing])
    context.addFile(file, { kind: 'variants-columns' })
  if (counts.ids > 0) context.addFile(files.ids, { kind: 'variants-columns' })
  const genotyped = counts.phased + counts.unphased
  return {
    id: entry.id,
    name: entry.name,
    description: entry.description ?? null,
    file: files.vcf,
    index: `variants/${basename(index)}`,
    samples,
    sites: baked.records,
    ploidy: counts.ploidy,
    phased: genotyped === 0 ? null : counts.unphased === 0 ? 'all' : counts.phased === 0 ? 'none' : 'some',
    sequences: baked.sequences,
    consequences: known ? { program: 'bcftools csq', version: csq?.version ?? '', counts: counts.consequences } : null,
    types: counts.types,
    hasIds: counts.ids > 0,
    leftOut: written.leftOut,
    simulated,
    licence,
  }
}

const readHeader = async (file: string): Promise<string> => {
  const open = await openTabix(file)
  try {
    return open.header
  } finally {
    await open.close()
  }
}

/** The set as a track of the genome browser. */
const addTrack = async (set: BakedVariants, context: BakeContext): Promise<void> =>
  context.addRecord({
    kind: 'track',
    id: `variants-${set.id}`,
    data: {
      id: `variants-${set.id}`,
      name: set.name,
      description: set.description,
      category: { en: 'Variants', zh: '变异' },
      type: 'vcf',
      file: set.file,
      index: set.index,
      simulated: set.simulated,
    },
  })

const addIds = async (set: BakedVariants, context: BakeContext): Promise<void> => {
  const open = await openTabix(join(context.directory, set.file))
  try {
    for (const { name } of set.sequences)
      for await (const line of open.lines(name, 0, Number.MAX_SAFE_INTEGER)) {
        const [, position, ids, reference, alternates] = line.split('\t', 5)
        if (ids === undefined || ids === '.') continue
        const [id, ...names] = ids.split(';')
        await context.addSearchEntry({
          type: 'variant',
          id: id!,
          label: id!,
          description: `${reference} > ${alternates}`,
          sequence: name,
          start1: Number(position),
          end1: Number(position) + reference!.length - 1,
          names,
          relevance: 2,
        })
      }
  } finally {
    await open.close()
  }
}

const bake = async (
  value: z.output<typeof variantsSchema> | null,
  context: BakeContext,
): Promise<Record<string, number>> => {
  if (value === null || value.length === 0) return {}
  const genes = await prepareGenes(context)
  const trans = genes.own.filter(({ gene }) => gene.transcripts.some(({ readingOrder }) => readingOrder !== undefined))
  if (trans.length > 0)
    context.report(toolDefects, {
      code: 'variants-genes-left-out',
      file: value[0]!.file,
      line: null,
      params: {
        count: trans.length,
        reason: 'trans-splicing',
        names: trans
          .slice(0, maxNamed)
          .map(({ gene }) => gene.id)
          .join(', '),
      },
    })
  let sites = 0
  let ids = 0
  for (const [number, entry] of value.entries()) {
    const set = await bakeSet(entry, genes, {
      ...context,
      progress: (fraction) => context.progress((number + fraction) / value.length),
    })
    if (set === null) continue
    await context.addRecord({ kind: variantsKind, id: set.id, data: set })
    await addTrack(set, context)
    if (set.hasIds && ids + set.sites <= maxSearchEntries) {
      await addIds(set, context)
      ids += set.sites
    }
    sites += set.sites
    context.progress((number + 1) / value.length)
  }
  return sites > 0 ? { [variantsData]: sites } : {}
}

/** Sets of variants: checked against the genome, sorted, with their consequences, and with columns by which the tool finds them. */
export default defineLoader({
  entry: 'variants',
  scope: 'assembly',
  schema: variantsSchema,
  version: 4,
  beside: (entries) => entries.flatMap(({ file }) => (/\.bed$/i.test(file) ? Object.values(besidePlinkBed(file)) : [])),
  bake,
})
