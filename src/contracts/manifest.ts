import { z } from 'zod'
import { localizedTextSchema } from './text.ts'

/**
 * `species.yaml`: what a lab writes to load a species. The loader's own entries are here; a tool that brings data adds its
 * entry through `defineLoader` and its schema is merged in (see loader/manifest.ts), so that this file need not know it.
 */

const speciesIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'lower-case letters, digits and dashes')
  .describe('Short name of the species in addresses, e.g. "oryza-sativa".')

export const assemblyIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'letters, digits, dot, dash and underscore')
  .describe('Name of the assembly in addresses; unique in the portal, e.g. "H37Rv" or "IRGSP-1.0".')

/** Name of an entry of a list in addresses, as `id` of a track or a data set. */
export const entryIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,80}$/, 'letters, digits, dot, dash and underscore')

/** For `superRefine` of a list of entries: refuses two of one id, and says which. */
export const refuseEqualIds = (entries: readonly { id: string }[], context: z.core.$RefinementCtx<unknown>): void => {
  const seen = new Set<string>()
  for (const [number, { id }] of entries.entries()) {
    if (seen.has(id)) context.addIssue({ code: 'custom', path: [number, 'id'], message: `two are named ${id}` })
    seen.add(id)
  }
}

/** Schemas whose texts are files; what is made of one by `describe` is one as well. */
const filePaths = z.registry<{ file: true }>()

/** Whether a text of this schema is the path of a file: what the loader takes the checksum of, and reads. */
export const isFilePath = (schema: z.core.$ZodType): boolean => filePaths.get(schema as z.ZodType)?.file === true

/** A path inside the species folder, or an absolute path; never interpreted by a shell. */
export const filePathSchema = z
  .string()
  .min(1)
  .max(1000)
  .describe('File, relative to the folder of species.yaml; .gz is understood.')
  .register(filePaths, { file: true })

/** Schemas whose texts are folders. */
const folderPaths = z.registry<{ folder: true }>()

/** Whether a text of this schema is the path of a folder, of which a loader says what files it reads. */
export const isFolderPath = (schema: z.core.$ZodType): boolean => folderPaths.get(schema as z.ZodType)?.folder === true

/** A folder inside the species folder, or an absolute path. */
export const folderPathSchema = z
  .string()
  .min(1)
  .max(1000)
  .describe('Folder, relative to the folder of species.yaml.')
  .register(folderPaths, { folder: true })

const annotationFormats = [
  ...(['gaf', 'interproscan', 'eggnog', 'funannotate', 'phytozome', 'bakta', 'prokka'] as const),
  ...(['kofamscan', 'ko', 'gff3', 'table'] as const),
] as const

const annotationEntrySchema = z
  .object({
    file: filePathSchema,
    format: z.enum(annotationFormats).optional().describe('Guessed from the name and first lines when absent.'),
    source: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9 ._-]{0,40}$/)
      .optional()
      .describe('For tables: which vocabulary the terms belong to, e.g. "GO", "COG", "InterPro", "Role".'),
    title: localizedTextSchema.optional().describe('For tables: what readers see as the name of the vocabulary.'),
  })
  .strict()

const ontologyEntrySchema = z
  .object({ file: filePathSchema, source: z.string().max(40).optional().describe('e.g. "GO"') })
  .strict()

export const oneOrMore = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema).min(1)])

const sequenceEntrySchema = z
  .object({
    name: z.string(),
    aliases: z.array(z.string()).optional().describe('Other names of the sequence in tracks and queries.'),
    circular: z.boolean().optional(),
    geneticCode: z.int().min(1).max(33).optional(),
    role: z.enum(['chromosome', 'accessory', 'organelle', 'plasmid', 'scaffold']).optional(),
  })
  .strict()

export const assemblyManifestSchema = z
  .object({
    id: assemblyIdSchema,
    name: z.string().min(1).max(120).optional(),
    strain: z.string().max(120).optional(),
    accession: z.string().max(120).optional().describe('Accession in a public archive, e.g. GCA_000195955.2'),
    description: localizedTextSchema.optional(),
    reference: z.boolean().optional().describe('The assembly that screens open first.'),
    partial: localizedTextSchema
      .optional()
      .describe('Why this assembly is not a whole genome, said wherever absence is shown.'),
    outgroup: z
      .boolean()
      .optional()
      .describe('True for a relative outside of the species: shown, and left out of its pan-genome unless asked for.'),
    simulated: z.boolean().optional(),
    geneticCode: z.int().min(1).max(33).optional(),
    sequences: z.array(sequenceEntrySchema).optional(),
    examples: z.array(z.string().max(200)).max(8).optional().describe('Genes that examples start from.'),
    genome: oneOrMore(filePathSchema).describe('Genome FASTA.'),
    genes: oneOrMore(filePathSchema).optional().describe('Gene models: GFF3, GTF or GenBank.'),
    proteins: filePathSchema.optional().describe('Protein FASTA; derived from the gene models when absent.'),
    annotation: z.array(annotationEntrySchema).optional(),
    source: localizedTextSchema.optional().describe('Where the data comes from, shown with it.'),
    licence: z.string().max(200).optional(),
  })
  .strict()

export const speciesManifestSchema = z
  .object({
    novodb: z.literal(1).describe('Version of this format.'),
    species: speciesIdSchema,
    name: z.string().min(1).max(120).describe('Scientific name, shown in italics.'),
    commonName: localizedTextSchema.optional(),
    description: localizedTextSchema.optional(),
    taxonId: z.int().positive().optional().describe('NCBI Taxonomy identifier.'),
    geneticCode: z.int().min(1).max(33).default(1).describe('NCBI translation table.'),
    simulated: z.boolean().optional().describe('True when the data is simulated; said wherever it shows.'),
    source: localizedTextSchema.optional(),
    licence: z.string().max(200).optional(),
    ontologies: z.array(ontologyEntrySchema).optional(),
    assemblies: z.array(assemblyManifestSchema).min(1),
  })
  .strict()

export type SpeciesManifest = z.infer<typeof speciesManifestSchema>
export type AssemblyManifest = z.infer<typeof assemblyManifestSchema>
export type AnnotationEntry = z.infer<typeof annotationEntrySchema>
