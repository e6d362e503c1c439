import type { ProgramRequirement } from '../jobs/program.ts'

// Programs that several tools start: what brings them, and how they tell their version, is said once.

/** A program of NCBI BLAST+. All come from one package: an archive of one release is read by the formatter of the same release only. */
export const blastProgram = (program: string): ProgramRequirement => ({
  program,
  package: 'ncbi-blast+',
  bioconda: 'blast',
  versionArguments: ['-version'],
  versionPattern: /\b(\d+\.\d+\.\d+)\+/,
})

/** A program of HMMER 3. */
export const hmmerProgram = (program: string): ProgramRequirement => ({
  program,
  package: 'hmmer',
  bioconda: 'hmmer',
  versionArguments: ['-h'],
  versionPattern: /HMMER (\d+(?:\.\d+)+)/,
})

export const mclProgram: ProgramRequirement = {
  program: 'mcl',
  package: 'mcl',
  bioconda: 'mcl',
  versionArguments: ['--version'],
  versionPattern: /mcl (\d+-\d+)/,
}

export const primer3Program: ProgramRequirement = {
  program: 'primer3_core',
  package: 'primer3',
  bioconda: 'primer3',
  versionArguments: ['--about'],
  versionPattern: /release (\d+\.\d+\.\d+)/,
}

/** What homologs, orthogroups and collinear blocks are computed with at a load: tools that show them say what to install. */
export const homologyPrograms: ProgramRequirement[] = [
  {
    program: 'diamond',
    package: 'diamond-aligner',
    bioconda: 'diamond',
    versionArguments: ['version'],
    versionPattern: /version (\d+\.\d+\.\d+)/,
  },
  blastProgram('blastp'),
  blastProgram('makeblastdb'),
  mclProgram,
]

export const minimap2Program: ProgramRequirement = {
  program: 'minimap2',
  package: 'minimap2',
  bioconda: 'minimap2',
  versionArguments: ['--version'],
  versionPattern: /(\d+\.\d+(?:-r\d+)?)/,
}

/** What the presence of genes by DNA is computed with at a load, beside what aligned the genomes. */
export const presencePrograms: ProgramRequirement[] = [
  ...['blastn', 'tblastn', 'makeblastdb'].map(blastProgram),
  minimap2Program,
]

export const mafftProgram: ProgramRequirement = {
  program: 'mafft',
  package: 'mafft',
  bioconda: 'mafft',
  versionArguments: ['--version'],
  versionPattern: /v(\d+\.\d+)/,
}
export const mafftCitation = {
  text: 'Katoh K, Standley DM (2013) MAFFT multiple sequence alignment software version 7. Mol Biol Evol 30:772-780.',
  doi: '10.1093/molbev/mst010',
}
