import { z } from 'zod'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { optionalPosition1Schema } from '../../contracts/region.ts'
import { defineTool } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('sequencefetch', {
  regionBp: 10_000_000,
  regions: 10_000,
  totalBp: 200_000_000,
  shownBp: 500_000,
  annotatedRegions: 20,
  genesARegion: 500,
})

/** Most characters of a batch; a line of the longest usual form is under 100. */
export const batchCharacters = 1_000_000

/** What the tool and its FASTA route both take. */
export const regionFields = {
  assembly: z.string().min(1).max(64),
  /** Its name; without start and end also a whole place: a region as `chr1:1000..2000`, a gene, a feature. */
  sequence: z.string().max(300).optional(),
  start: optionalPosition1Schema,
  end: optionalPosition1Schema,
  regions: z.string().max(batchCharacters).optional(),
}

/** Residues a line of FASTA; 0 is one line a record. */
export const lineWidthSchema = z.coerce.number().int().min(0).max(100_000).default(60)

export const noteSchema = z.object({ id: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })

export const recordSchema = z.object({
  /** Line of the batch, counted from 1; null for the fields. */
  line: z.number().nullable(),
  name: z.string().nullable(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.enum(['+', '-']),
  lengthBp: z.number(),
  /** (G+C+S) / (A+C+G+T+U+S+W); null when not counted or without such bases. */
  gcFraction: z.number().nullable(),
  unknownBp: z.number().nullable(),
  /** Bases in lower case: soft-masked repeats. */
  maskedBp: z.number().nullable(),
  header: z.string(),
  /** The first bases, as far as the bound on shown bases goes; null when none are shown. */
  residues: z.string().nullable(),
  notes: z.array(noteSchema),
  genes: z.array(geneSummarySchema).nullable(),
  genesTruncated: z.boolean(),
})
export type FetchedRecord = z.infer<typeof recordSchema>

export default defineTool({
  id: 'sequencefetch',
  route: '/tools/sequencefetch',
  category: 'find',
  order: 30,
  icon: 'scissors',
  mode: 'answer',
  version: 2,
  input: z.object({
    ...regionFields,
    annotate: z.boolean().default(true),
    lineWidth: lineWidthSchema,
  }),
  result: z.object({
    assembly: z.string(),
    records: z.array(recordSchema),
    totalBp: z.number(),
    shownBp: z.number(),
    /** Lines of the batch that could not be read or found. */
    problems: z.array(z.object({ line: z.number(), text: z.string(), ...noteSchema.shape })),
    /** False when genes were asked for but the batch has more regions than are annotated. */
    annotatedAll: z.boolean(),
  }),
  limits,
  needs: [{ kind: 'data', dataType: 'genome', entry: 'genome' }],
  opens: [
    {
      target: 'region',
      query: { assembly: '{assembly}', sequence: '{region}' },
      run: true,
    },
  ],
  example: ({ assemblies }) => {
    const assembly = assemblies.find((one) => one.reference) ?? assemblies[0]
    if (assembly === undefined) return null
    const gene = assembly.exampleGenes[0]
    const sequence = assembly.sequences[0]
    if (gene !== undefined) {
      const { start, end } = gene
      // A gene of the reverse strand is asked for from its end to its start: the rule of the tool, shown by its example.
      const [from, to] = gene.strand === '-' ? [end, start] : [start, end]
      return { assembly: assembly.id, sequence: gene.sequence, start: from, end: to, annotate: true }
    }
    if (sequence === undefined) return null
    return { assembly: assembly.id, sequence: sequence.name, start: 1, end: Math.min(1000, sequence.lengthBp) }
  },
})
