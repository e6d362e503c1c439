import { z } from 'zod'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { defineTool } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('jbrowse', {
  /** Regions side by side in one view. */
  regions: 60,
})

const locusSchema = z.object({
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  /** `-`: shown from right to left, so that the reverse strand reads forward. */
  strand: z.enum(['+', '-']).optional(),
})
/** 1-based, inclusive, within its sequence, under the assembly's own name of it. */
export type Place = z.infer<typeof locusSchema>

export const resultSchema = z.object({
  assembly: z.string(),
  /** What to show; several stand side by side. */
  loci: z.array(locusSchema),
  /** The gene, when one was asked for by name. */
  gene: geneSummarySchema.nullable(),
  highlights: z.array(locusSchema),
  beside: z.object({ assembly: z.string(), loci: z.array(locusSchema) }).nullable(),
  /** Address of this view within the portal. */
  address: z.string(),
})
export type BrowserLocus = z.infer<typeof resultSchema>

export default defineTool({
  id: 'jbrowse',
  route: '/jbrowse/',
  category: 'find',
  order: 7,
  icon: 'panels-top-left',
  mode: 'answer',
  version: 2,
  input: z.object({
    /** The reference when absent, or the assembly of the gene. */
    assembly: z.string().max(64).optional(),
    /** Regions (`chr1:1000..2000`, blanks between several), a sequence's name, or a gene. */
    loc: z.string().max(4000).optional(),
    /** Id, symbol or alias. */
    gene: z.string().max(200).optional(),
    /** Tracks to open, by their ids. */
    tracks: z.string().max(4000).optional(),
    /** Regions to mark. */
    highlight: z.string().max(4000).optional(),
    /** Another assembly, or the same, to be shown beside it with the collinear blocks between the two. */
    beside: z.string().max(64).optional(),
    /** What of that one. */
    besideLoc: z.string().max(4000).optional(),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'genome', entry: 'genome' }],
  opens: [
    { target: 'gene', query: { assembly: '{assembly}', loc: '{sequence}:{from}..{to}' }, look: 'primary' },
    { target: 'region', query: { assembly: '{assembly}', loc: '{region}' } },
    {
      target: 'regionPair',
      query: { assembly: '{assembly}', loc: '{loc}', beside: '{otherAssembly}', besideLoc: '{otherLoc}' },
    },
  ],
  records: { feature: '/jbrowse/?assembly={assembly}&loc={id}' },
  example: ({ assemblies }) => {
    const assembly = assemblies.find((one) => one.reference) ?? assemblies[0]
    if (assembly === undefined) return null
    const gene = assembly.exampleGenes[0]
    const sequence = assembly.sequences[0]
    if (gene !== undefined) return { assembly: assembly.id, gene: gene.id }
    return sequence === undefined ? null : { assembly: assembly.id, loc: sequence.name }
  },
})
