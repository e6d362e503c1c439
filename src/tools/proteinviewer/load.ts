import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'
import type { GeneModel } from '../../bio/annotation/gene-models.ts'
import { cleanProtein } from '../../bio/sequence/sequence.ts'
import { maxResidues, readStructure, structureEnding, structureNames } from '../../bio/structure/structure-file.ts'
import { placeInBest } from '../../bio/structure/structure-places.ts'
import { filePathSchema, folderPathSchema } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { readFastaRecords } from '../../kit/data/genes/gene-sequences.ts'
import { type BakeContext, defineLoader } from '../../kit/loader.ts'
import { readInputText } from '../../kit/read-input.ts'
import toolDefects from './defects.ts'
import { type StoredChain, type StoredStructure, structureData, structureKind } from './stored.ts'

const pack = promisify(gzip)

const about = {
  source: localizedTextSchema.optional().describe('Where the structures come from, shown with them.'),
  licence: z.string().max(200).optional(),
}
const fileSchema = filePathSchema.describe('Structure of a protein as PDB or mmCIF, named by its gene.')
const schema = z
  .array(
    z.union([
      fileSchema,
      z
        .object({
          file: fileSchema,
          gene: z
            .string()
            .min(1)
            .max(200)
            .optional()
            .describe('Its gene, transcript or protein, where the name of the file is another.'),
          ...about,
        })
        .strict(),
      z
        .object({ folder: folderPathSchema.describe('Folder of structures, each named by its gene.'), ...about })
        .strict(),
    ]),
  )
  .min(1)
  .describe(
    'Structures of proteins (PDB, mmCIF; also of AlphaFold), named by gene, transcript, protein or UniProt accession.',
  )

/** A structure of 5 MB is a large one; ribosomes have some 50 MB. */
const maxBytes = 100_000_000

interface Wanted {
  file: string
  gene: string | undefined
  source: StoredStructure['source']
  licence: string | null
}

const listWanted = async (entries: z.output<typeof schema>, context: BakeContext): Promise<Wanted[]> => {
  const wanted: Wanted[] = []
  for (const entry of entries) {
    const one = typeof entry === 'string' ? { file: entry } : entry
    const rest = {
      source: ('source' in one ? one.source : undefined) ?? null,
      licence: ('licence' in one ? one.licence : undefined) ?? context.licence,
    }
    if ('file' in one) {
      wanted.push({ file: one.file, gene: 'gene' in one ? one.gene : undefined, ...rest })
      continue
    }
    const files = (await context.listFolder(one.folder)).filter((file) => structureEnding.test(file)).sort()
    if (files.length === 0)
      context.report(toolDefects, { code: 'structure-none', file: one.folder, line: null, params: {} })
    for (const file of files) wanted.push({ file, gene: undefined, ...rest })
  }
  return wanted
}

/** UniProtKB/Swiss-Prot:P9WNK7, UniProtKB:P9WNK7, uniprot_swissprot=P9WNK7 … of genes, transcripts and coding sequences. */
const accessionsOf = (gene: GeneModel): string[] =>
  [gene, ...gene.transcripts].flatMap(({ attributes }) =>
    Object.entries(attributes).flatMap(([key, values]) =>
      values.flatMap((value) => {
        const own = /^uniprot/i.test(key) ? value : /^uniprot\w*(?:\/[\w-]+)?:(.+)$/i.exec(value)?.[1]
        return own === undefined || !/^[A-Z0-9]{6,10}(-\d+)?$/i.test(own) ? [] : [own.toUpperCase()]
      }),
    ),
  )

/** Transcripts that code, of each gene; and genes by the accessions of UniProt that their models have. */
const readGenes = async (context: BakeContext) => {
  const genes = new Map<string, string[]>()
  const byAccession = new Map<string, string>()
  for await (const gene of context.genes()) {
    const transcripts = gene.transcripts.filter(({ cds }) => cds.length > 0).map(({ id }) => id)
    if (transcripts.length === 0) continue
    genes.set(gene.id, transcripts)
    for (const accession of accessionsOf(gene)) byAccession.set(accession, gene.id)
  }
  return { genes, byAccession }
}

const bake = async (entries: z.output<typeof schema> | null, context: BakeContext): Promise<Record<string, number>> => {
  if (entries === null) return {}
  const { genes, byAccession } = await readGenes(context)
  const findGene = (names: readonly string[]): string | null => {
    for (const name of names) {
      const id = context.findGene(name) ?? byAccession.get(name.toUpperCase().replace(/-\d+$/, '')) ?? null
      if (id !== null && genes.has(id)) return id
    }
    return null
  }
  const wanted = await listWanted(entries, context)
  // Whose a structure is says its name: proteins are read first, so that no more than one structure is in memory.
  const named: (Wanted & { geneId: string })[] = []
  const seen = new Set<string>()
  for (const one of wanted) {
    const report = (code: keyof typeof toolDefects, params: Record<string, string>): void =>
      context.report(toolDefects, { code, file: one.file, line: null, params })
    const names = one.gene === undefined ? structureNames(one.file) : [one.gene]
    const geneId = findGene(names)
    if (geneId === null) {
      report('structure-no-gene', { names: names.join(', '), entry: `{ file: ${one.file}, gene: … }` })
      continue
    }
    const key = JSON.stringify([geneId, basename(one.file)])
    if (seen.has(key)) report('structure-twice', { gene: geneId })
    else named.push({ ...one, geneId })
    seen.add(key)
  }
  const file = context.bakedFile('proteins')
  const transcripts = new Set(named.flatMap(({ geneId }) => genes.get(geneId)!))
  const proteins =
    file === null ? new Map<string, string>() : await readFastaRecords(file, transcripts, 'protein', context.signal)
  const byGene = new Map<string, StoredStructure[]>()
  await mkdir(join(context.directory, 'structures'), { recursive: true })
  for (const [number, one] of named.entries()) {
    context.signal.throwIfAborted()
    context.progress((0.9 * number) / named.length)
    const text = await readInputText(one.file, context, maxBytes)
    if (text === null) continue
    const { geneId } = one
    const report = (code: keyof typeof toolDefects, params: Record<string, string | number>): void =>
      context.report(toolDefects, { code, file: one.file, line: null, params })
    const structure = readStructure(text)
    if (typeof structure === 'string') {
      report(`structure-${structure}`, { limit: maxResidues })
      continue
    }
    const own = genes.get(geneId)!.map((id) => [id, cleanProtein(proteins.get(id) ?? '')] as const)
    const chains: StoredChain[] = structure.chains.flatMap((chain) => {
      const best = placeInBest(chain, own)
      if (best === null) return []
      const { protein: transcript, ...place } = best
      return [{ id: chain.id, transcript, ...place }]
    })
    if (chains.length === 0) {
      report('structure-other-protein', { gene: geneId })
      continue
    }
    const stored = `structures/${number + 1}.${structure.format === 'mmcif' ? 'cif' : 'pdb'}.gz`
    await writeFile(join(context.directory, stored), await pack(text))
    context.addFile(stored, { kind: 'structure' })
    const factors = structure.chains.flatMap(({ residues }) => residues.map(({ bFactor }) => bFactor))
    const list = byGene.get(geneId) ?? []
    list.push({
      name: basename(one.file).replace(/\.gz$/i, ''),
      file: stored,
      format: structure.format,
      title: structure.title?.slice(0, 300) ?? null,
      residues: factors.length,
      confidence: structure.predicted ? factors.reduce((sum, one) => sum + one, 0) / factors.length : null,
      chains,
      source: one.source,
      licence: one.licence,
    })
    byGene.set(geneId, list)
  }
  let count = 0
  for (const [gene, structures] of byGene) {
    await context.addRecord({ kind: structureKind, id: gene, data: { structures } })
    count += structures.length
  }
  return { [structureData]: count }
}

export default defineLoader({
  entry: 'structures',
  scope: 'assembly',
  schema,
  version: 1,
  inFolder: (files) => files.filter((file) => structureEnding.test(file)),
  bake,
})
