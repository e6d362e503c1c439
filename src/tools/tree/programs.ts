import type { ProgramRequirement } from '../../jobs/program.ts'
import { mafftCitation, mafftProgram } from '../../kit/programs.ts'

export const requirements: ProgramRequirement[] = [
  mafftProgram,
  {
    program: 'muscle',
    package: 'muscle',
    bioconda: 'muscle',
    versionArguments: ['-version'],
    versionPattern: /muscle v?(\d+\.\d+(?:\.\d+)?)/i,
  },
  {
    program: 'fasttree',
    package: 'fasttree',
    bioconda: 'fasttree',
    versionArguments: ['-help'],
    versionPattern: /FastTree (?:version )?(\d+\.\d+\.\d+)/i,
  },
  {
    program: 'iqtree2',
    package: 'iqtree',
    bioconda: 'iqtree',
    versionArguments: ['--version'],
    versionPattern: /version (\d+\.\d+\.\d+)/,
  },
]

export const citations = {
  mafft: mafftCitation,
  muscle: {
    text: 'Edgar RC (2022) Muscle5: high-accuracy alignment ensembles enable unbiased assessments of sequence homology and phylogeny. Nat Commun 13:6968.',
    doi: '10.1038/s41467-022-34630-w',
  },
  fasttree: {
    text: 'Price MN, Dehal PS, Arkin AP (2010) FastTree 2: approximately maximum-likelihood trees for large alignments. PLoS ONE 5:e9490.',
    doi: '10.1371/journal.pone.0009490',
  },
  iqtree: {
    text: 'Minh BQ et al. (2020) IQ-TREE 2: new models and efficient methods for phylogenetic inference in the genomic era. Mol Biol Evol 37:1530-1534.',
    doi: '10.1093/molbev/msaa015',
  },
  modelFinder: {
    text: 'Kalyaanamoorthy S et al. (2017) ModelFinder: fast model selection for accurate phylogenetic estimates. Nat Methods 14:587-589.',
    doi: '10.1038/nmeth.4285',
  },
  ufboot: {
    text: 'Hoang DT et al. (2018) UFBoot2: improving the ultrafast bootstrap approximation. Mol Biol Evol 35:518-522.',
    doi: '10.1093/molbev/msx281',
  },
  alrt: {
    text: 'Guindon S et al. (2010) New algorithms and methods to estimate maximum-likelihood phylogenies: assessing the performance of PhyML 3.0. Syst Biol 59:307-321.',
    doi: '10.1093/sysbio/syq010',
  },
  nj: {
    text: 'Saitou N, Nei M (1987) The neighbor-joining method: a new method for reconstructing phylogenetic trees. Mol Biol Evol 4:406-425.',
    doi: '10.1093/oxfordjournals.molbev.a040454',
  },
  bootstrap: {
    text: 'Felsenstein J (1985) Confidence limits on phylogenies: an approach using the bootstrap. Evolution 39:783-791.',
    doi: '10.2307/2408678',
  },
} as const
