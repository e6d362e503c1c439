/**
 * Strandedness of a library, in the words of nf-core's sample sheets and in the order of STAR's columns of counts: reads of either strand,
 * those whose first read is of the gene's strand, those whose first read is of the other (STAR manual, "Counting number of reads per gene").
 */
export const strands = ['unstranded', 'forward', 'reverse'] as const
export type Strandedness = (typeof strands)[number]
