import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'
import type { GeneModel } from '../../bio/annotation/gene-models.ts'
import { cleanProtein } from '../../bio/sequence/sequence.ts'
import {
  maxResidues,
  readStructure,
  type Structure,
  structureEnding,
  structureNames,
} from '../../bio/structure/structure-file.ts'
import { placeChain } from '../../bio/structure/structure-places.ts'
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

interface ReadGene {
  transcripts: string[]
}

/** Transcripts that code, of each gene; and genes by the accessions of UniProt that their models have. */
const readGenes = async (context: BakeContext) => {
  const genes = new Map<string, ReadGene>()
  const byAccession = new Map<string, string>()
  for await (const gene of context.genes()) {
    const transcripts = gene.transcripts.filter(({ cds }) => cds.length > 0).map(({ id }) => id)
    if (transcripts.length === 0) continue
    genes.set(gene.id, { transcripts })
    for (const accession of accessionsOf(gene)) byAccession.set(accession, gene.id)
  }
  return { genes, byAccession }
}

interface Found extends Wanted {
  geneId: string
  structure: Structure
  stored: string
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
  const found: Found[] = []
  await mkdir(join(context.directory, 'structures'), { recursive: true })
  for (const [number, one] of wanted.entries()) {
    context.signal.throwIfAborted()
    context.progress((0.9 * number) / wanted.length)
    const text = await readInputText(one.file, context, maxBytes)
    if (text === null) continue
    const report = (code: keyof typeof toolDefects, params: Record<string, string | number>): void =>
      context.report(toolDefects, { code, file: one.file, line: null, params })
    const structure = readStructure(text)
    if (typeof structure === 'string') {
      report(`structure-${structure}`, { limit: maxResidues })
      continue
    }
    const names = one.gene === undefined ? structureNames(one.file) : [one.gene]
    const geneId = findGene(names)
    if (geneId === null) {
      report('structure-no-gene', { names: names.join(', '), entry: `{ file: ${one.file}, gene: … }` })
      continue
    }
    if (found.some((other) => other.geneId === geneId && basename(other.file) === basename(one.file))) {
      report('structure-twice', { gene: geneId })
      continue
    }
    const stored = `structures/${number + 1}.${structure.format === 'mmcif' ? 'cif' : 'pdb'}.gz`
    await writeFile(join(context.directory, stored), await pack(text))
    found.push({ ...one, geneId, structure, stored })
  }
  const transcripts = new Set(found.flatMap(({ geneId }) => genes.get(geneId)!.transcripts))
  const file = context.bakedFile('proteins')
  const proteins =
    file === null ? new Map<string, string>() : await readFastaRecords(file, transcripts, 'protein', context.signal)
  const byGene = new Map<string, StoredStructure[]>()
  for (const one of found) {
    const { structure, geneId } = one
    const chains: StoredChain[] = structure.chains.flatMap((chain) => {
      const placed = genes.get(geneId)!.transcripts.flatMap((transcript) => {
        const protein = cleanProtein(proteins.get(transcript) ?? '')
        const place = protein === '' ? null : placeChain(chain, protein)
        return place === null ? [] : [{ id: chain.id, transcript, ...place }]
      })
      // The protein that most of it is; of equals the longest, which more of the structure could be.
      const best = placed.sort((a, b) => b.identity * b.pairs - a.identity * a.pairs)[0]
      return best === undefined ? [] : [best]
    })
    if (chains.length === 0) {
      await rm(join(context.directory, one.stored))
      context.report(toolDefects, {
        ...{ code: 'structure-other-protein', file: one.file, line: null, params: { gene: geneId } },
      })
      continue
    }
    const factors = structure.chains.flatMap(({ residues }) => residues.map(({ bFactor }) => bFactor))
    const list = byGene.get(geneId) ?? []
    list.push({
      name: basename(one.file).replace(/\.gz$/i, ''),
      file: one.stored,
      format: structure.format,
      title: structure.title?.slice(0, 300) ?? null,
      residues: factors.length,
      confidence: structure.predicted ? factors.reduce((sum, one) => sum + one, 0) / factors.length : null,
      chains,
      source: one.source,
      licence: one.licence,
    })
    byGene.set(geneId, list)
    context.addFile(one.stored, { kind: 'structure' })
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
