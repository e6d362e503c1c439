import type { ProgramRequirement } from '../jobs/program.ts'

/** What homologues, orthogroups and collinear blocks are computed with at a load: tools that show them say what to install. */
export const homologyPrograms: ProgramRequirement[] = [
  {
    program: 'diamond',
    package: 'diamond-aligner',
    bioconda: 'diamond',
    versionArguments: ['version'],
    versionPattern: /version (\d+\.\d+\.\d+)/,
  },
  {
    program: 'mcl',
    package: 'mcl',
    bioconda: 'mcl',
    versionArguments: ['--version'],
    versionPattern: /mcl (\d+-\d+)/,
  },
]
