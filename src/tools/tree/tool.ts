import { z } from 'zod'
import { assemblyIdSchema } from '../../contracts/manifest.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('tree', {
  sequences: 2000,
  residues: 30_000,
  characters: 3_000_000,
  accurateSequences: 300,
  iqtreeSequences: 200,
  bootstrapSequences: 200,
  relatives: 500,
  leaves: 10_000,
})

export const sources = ['genes', 'family', 'sequence', 'tree'] as const
export const molecules = ['protein', 'codon', 'cds', 'transcript', 'gene'] as const
const aligners = ['mafft', 'muscle', 'none'] as const
const mafftModes = ['auto', 'linsi', 'ginsi', 'einsi', 'fftns2'] as const
export const methods = ['fasttree', 'iqtree', 'nj'] as const
const proteinModels = ['lg', 'wag', 'jtt'] as const
const dnaModels = ['gtr', 'jc'] as const
export const supports = ['ufboot', 'alrt', 'both', 'none'] as const
export const distances = ['corrected', 'jc69', 'p'] as const

/** Fewest replicates that IQ-TREE takes for either kind of support. */
const minReplicates = 1000

export const inputSchema = z.object({
  source: z.enum(sources).default('genes'),
  genes: identifiersSchema(limits.sequences).optional(),
  assembly: assemblyIdSchema.optional(),
  similar: z.boolean().default(false),
  relatives: z.coerce.number().int().min(3).max(limits.relatives).default(Math.min(150, limits.relatives)),
  assemblies: z.array(assemblyIdSchema).max(100).default([]),
  molecule: z.enum(molecules).default('protein'),
  sequence: z.string().max(limits.characters, 'sequence.tooLong').default(''),
  codons: z.boolean().default(false),
  geneticCode: z.coerce.number().int().min(1).max(33).default(1),
  tree: z.string().max(limits.characters, 'sequence.tooLong').default(''),
  alignment: z.string().max(limits.characters, 'sequence.tooLong').default(''),
  align: z.enum(aligners).default('mafft'),
  mafftMode: z.enum(mafftModes).default('auto'),
  trim: z.enum(['none', 'gaps']).default('none'),
  maxGaps: z.coerce.number().min(0).max(99).default(50),
  method: z.enum(methods).default('fasttree'),
  proteinModel: z.enum(proteinModels).default('lg'),
  dnaModel: z.enum(dnaModels).default('gtr'),
  gamma: z.boolean().default(true),
  iqModel: z
    .string()
    .regex(/^[A-Za-z][\w+.{},*-]{0,99}$/, 'iqModel.form')
    .default('MFP'),
  support: z.enum(supports).default('ufboot'),
  replicates: z.coerce.number().int().min(minReplicates).max(10_000).default(minReplicates),
  distance: z.enum(distances).default('corrected'),
  bootstrap: z.coerce.number().int().min(0).max(1000).default(100),
  /** Where absent: FastTree's own, as it has run by hand; `ownSeed` for the others, of which one begins with another each time. */
  seed: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
})
export type TreeInput = z.output<typeof inputSchema>

/** Seed of IQ-TREE and of our own bootstrap where none is given. */
export const ownSeed = 1

const noteSchema = z.object({ id: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
export type Note = z.infer<typeof noteSchema>

/** What is known of a leaf besides its name; a pasted one has its header's words as description. */
const leafSchema = z.object({
  name: z.string(),
  gene: z.string().nullable(),
  symbol: z.string().nullable(),
  assembly: z.string().nullable(),
  species: z.string().nullable(),
  description: z.string().nullable(),
})
export type Leaf = z.infer<typeof leafSchema>

/** Kinds of support: FastTree's local SH-like, IQ-TREE's ultrafast bootstrap and SH-aLRT, the bootstrap, and what a file has. */
const supportKinds = ['sh', 'ufboot', 'alrt', 'both', 'bootstrap', 'file'] as const

export const resultSchema = z.object({
  /** As the program made it, with the leaves' names; unrooted unless a given tree says otherwise. */
  newick: z.string(),
  rooted: z.boolean().nullable(),
  supportKind: z.enum(supportKinds).nullable(),
  leaves: z.array(leafSchema),
  source: z.enum(sources),
  method: z.enum(methods).nullable(),
  /** The model that the tree was computed with, as the program calls it. */
  model: z.string().nullable(),
  logLikelihood: z.number().nullable(),
  alignment: z
    .object({
      alphabet: z.enum(['nucleotide', 'protein']),
      codons: z.boolean(),
      rows: z.number(),
      columns: z.number(),
      /** Columns that the tree rests on, 0-based half-open pieces. */
      kept: z.array(z.tuple([z.number(), z.number()])),
      keptColumns: z.number(),
      program: z.string().nullable(),
    })
    .nullable(),
  notes: z.array(noteSchema),
  /** Names that gave no leaf, one by one. */
  problems: z.array(noteSchema.extend({ query: z.string() })),
})
export type TreeResult = z.infer<typeof resultSchema>

export const alignmentSchema = z.object({ names: z.array(z.string()), rows: z.array(z.string()) })

const lettersOf = (first: string, last: string): string[] =>
  Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (_, at) =>
    String.fromCharCode(first.charCodeAt(0) + at),
  )

/** Families that biologists of these genera know by name: the ESX-secreted WXG100 proteins, and the hexose transporters. */
const knownFamilies: { genus: RegExp; genes: string[] }[] = [
  { genus: /^Mycobacterium\b/, genes: lettersOf('A', 'W').flatMap((one) => (one === 'M' ? [] : [`esx${one}`])) },
  {
    genus: /^Saccharomyces\b/,
    // HXT12 is a pseudogene.
    genes: [...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17].map((number) => `HXT${number}`), 'GAL2'],
  },
]

const hasGenes = (assembly: AssemblySummary): boolean =>
  assembly.codingGeneCount > 0 && assembly.exampleGenes.length > 0

export default defineTool({
  id: 'tree',
  route: '/tools/tree',
  category: 'compare',
  order: 20,
  icon: 'network',
  mode: 'job',
  version: 2,
  input: inputSchema,
  result: resultSchema,
  limits,
  // A given tree is drawn without any program; what a run lacks is told when it is chosen.
  needs: [],
  opens: [
    {
      target: 'geneFamily',
      query: { source: 'family', genes: '{gene}', assembly: '{assembly}', trim: 'gaps' },
      run: true,
      look: 'primary',
    },
  ],
  example: ({ assemblies }) => {
    const candidates = [...assemblies].sort((a, b) => Number(b.reference) - Number(a.reference)).filter(hasGenes)
    for (const { genus, genes } of knownFamilies) {
      const assembly = candidates.find((one) => one.reference && genus.test(one.speciesName))
      if (assembly !== undefined)
        return {
          source: 'family' as const,
          genes,
          assembly: assembly.id,
          align: 'mafft' as const,
          trim: 'gaps' as const,
        }
    }
    const first = candidates[0]
    // Members of families have relatives; the description tells them.
    const gene =
      first?.exampleGenes.find(({ description }) =>
        /kinase|transporter|permease|ATPase|dehydrogenase|helicase/i.test(description ?? ''),
      ) ?? first?.exampleGenes[0]
    if (first === undefined || gene === undefined) return null
    return { source: 'family' as const, genes: [gene.id], assembly: first.id, similar: true, trim: 'gaps' as const }
  },
})
