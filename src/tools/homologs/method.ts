import type { ProgramRequirement } from '../../jobs/program.ts'

/** Raised when the same proteins give other hits than before: hits of earlier loads are then not used again. */
export const searchVersion = 1
/** Hits are kept up to this e-value, against the proteome that was searched. */
export const evalueLimit = 1e-5
/** Most hits of one protein in one proteome: bounds families of transposons. */
export const targetLimit = 1000
/** Granularity of the clusters: MCL's `-I`; 1.5 is what OrthoFinder and OrthoMCL settled on. */
export const inflation = 1.5
/** Proteomes whose residues multiply to less than this are searched by BLASTP, which is as fast there and misses less. */
export const blastpProduct = 1e10
/** Kept of each gene's hits: members of its orthogroup, and the best of the rest. */
export const keptMembers = 2000
export const keptSimilar = 25

export const blastpRequirements: ProgramRequirement[] = ['blastp', 'makeblastdb'].map((program) => ({
  program,
  package: 'ncbi-blast+',
  bioconda: 'blast',
  versionArguments: ['-version'],
  versionPattern: /\b(\d+\.\d+\.\d+)\+/,
}))

/** What a computation says of itself: kept with it, shown with every result. */
export interface ComputedAbout {
  assemblies: { id: string; bundle: number; genes: number }[]
  searches: { query: string; target: string; program: string; hits: number; reused: boolean }[]
  orthogroups: number
  blocks: number
  edges: number
  elapsedMs: number
  inflation: number
  evalueLimit: number
}

export const citations = {
  diamond: {
    text: 'Buchfink B, Reuter K, Drost H-G. Nature Methods 18, 366-368 (2021).',
    doi: '10.1038/s41592-021-01101-x',
  },
  mcl: {
    text: 'Enright AJ, Van Dongen S, Ouzounis CA. Nucleic Acids Research 30, 1575-1584 (2002).',
    doi: '10.1093/nar/30.7.1575',
  },
  orthofinder: { text: 'Emms DM, Kelly S. Genome Biology 16, 157 (2015).', doi: '10.1186/s13059-015-0721-2' },
  inparanoid: {
    text: 'Remm M, Storm CEV, Sonnhammer ELL. Journal of Molecular Biology 314, 1041-1052 (2001).',
    doi: '10.1006/jmbi.2000.5197',
  },
  poff: { text: 'Lechner M et al. PLoS ONE 9, e105015 (2014).', doi: '10.1371/journal.pone.0105015' },
}

/** Kind of the file that pasted sequences are searched in. */
export const searchDatabaseKind = 'diamond-proteins'
