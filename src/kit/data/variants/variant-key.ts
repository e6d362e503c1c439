import type { VcfRecord } from '../../../bio/variation/vcf.ts'

/** Alleles longer than this are not spelt in a key. */
const longestInKey = 40

/** What a record is called where it has no id: `chr1:1000:A:G`. */
export const keyOf = ({ sequence, position1, reference, alternates }: VcfRecord, row: number): string => {
  const alleles = `${reference}:${alternates.join('/') || '.'}`
  return alleles.length > longestInKey ? `${sequence}:${position1}:#${row}` : `${sequence}:${position1}:${alleles}`
}
