/** Raised when the same proteins give other hits than before: hits of earlier loads are then not used again. */
export const searchVersion = 4
/** Hits are kept up to this e-value, against the proteome that was searched. */
export const evalueLimit = 1e-5
/** DIAMOND proposes pairs up to this e-value of its own; the alignment that is kept then decides by `evalueLimit`. */
export const candidateEvalue = 1e-3
/** BLASTP tells even poor alignments of what it is given: a pair that has one has not been lost. */
export const alignmentEvalue = 10
/**
 * Where two proteins are alike in a one-sided composition (glycine in PE_PGRS proteins, serine and threonine in flocculins), BLASTP's
 * adjusted matrix takes the score of equal residues away and with it most or all of the alignment. It has done so where DIAMOND's own
 * alignment, nothing masked, has more than this many times the bits and covers this share of both proteins.
 */
export const lostFactor = 2
export const lostCoverage = 0.5
/** Pairs are aligned as if in a database of this many residues; an e-value grows in proportion with the residues searched. */
export const alignedAgainstResidues = 1e6
/**
 * Residues of queries times residues of subjects in one run of BLASTP: what it looks through in some 50 ms, as long as it takes to start.
 */
export const batchProduct = 1e9
/** Alignments of proteins that several assemblies share, kept while a load runs; some 200 bytes each. */
export const keptAlignments = 1_000_000
/** Most hits of one protein in one proteome: bounds families of transposons. */
export const targetLimit = 1000
/** Granularity of the clusters: MCL's `-I`; 1.5 is what OrthoFinder and OrthoMCL settled on. */
export const inflation = 1.5
/** Proteomes whose residues multiply to less than this are searched by BLASTP, which is as fast there and misses less. */
export const blastpProduct = 1e10
/** Kept of each gene's hits: members of its orthogroup, and the best of the rest. */
export const keptMembers = 2000
export const keptSimilar = 25

export const citations = {
  blast: { text: 'Camacho C et al. BMC Bioinformatics 10, 421 (2009).', doi: '10.1186/1471-2105-10-421' },
  compositionAdjustment: {
    text: 'Altschul SF et al. FEBS Journal 272, 5101-5109 (2005).',
    doi: '10.1111/j.1742-4658.2005.04945.x',
  },
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
