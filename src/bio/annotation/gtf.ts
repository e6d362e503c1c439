// GTF files, line by line. Source: GTF 2.2 (Brent laboratory), with the gene and transcript lines of Ensembl and GENCODE.

import { type FeatureReaderOptions, Gff3Reader } from './gff3.ts'

/**
 * Reads feature lines of GTF and GFF2. The columns are those of GFF3; the attributes are `key "value";`. Lines whose attributes
 * are written as GFF3 are read so.
 *
 * Example: a line with `gene_id "g1"; transcript_id "t1";` gives a feature whose attributes are `{gene_id: ['g1'],
 * transcript_id: ['t1']}`.
 */
export class GtfReader extends Gff3Reader {
  constructor(options: FeatureReaderOptions) {
    super(options, 'gtf')
  }
}
