import type { ProgramRequirement } from '../jobs/program.ts'

/** A program of BLAST+. */
export const blastRequirement = (program: string): ProgramRequirement => ({
  program,
  package: 'ncbi-blast+',
  bioconda: 'blast',
  versionArguments: ['-version'],
  versionPattern: /\b(\d+\.\d+\.\d+)\+/,
})

/** What homologs, orthogroups and collinear blocks are computed with at a load: tools that show them say what to install. */
export const homologyPrograms: ProgramRequirement[] = [
  {
    program: 'diamond',
    package: 'diamond-aligner',
    bioconda: 'diamond',
    versionArguments: ['version'],
    versionPattern: /version (\d+\.\d+\.\d+)/,
  },
  blastRequirement('blastp'),
  blastRequirement('makeblastdb'),
  {
    program: 'mcl',
    package: 'mcl',
    bioconda: 'mcl',
    versionArguments: ['--version'],
    versionPattern: /mcl (\d+-\d+)/,
  },
]
