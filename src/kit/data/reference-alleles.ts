import type { DefectLog } from '../../bio/text/defects.ts'
import { maxLeftOut, minLeftOut } from '../../bio/text/left-out.ts'
import { Utf16Unpacking } from '../../bio/text/text-encoding.ts'
import { variantDefects } from '../../bio/variation/variant-defects.ts'
import { keepTrueReferences } from '../../store/check-reference.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { openGenome } from '../../store/genome-fasta.ts'
import type { BakeContext } from '../loader.ts'

/** As UTF-8 where it is UTF-16; in other encodings the columns that are compared are ASCII. */
async function* unpackUtf16(pieces: AsyncIterable<Buffer>, file: string, log: DefectLog): AsyncGenerator<Buffer> {
  const unpacking = new Utf16Unpacking(file, log)
  let begun = false
  for await (const piece of pieces) {
    if (!begun) unpacking.begin(piece)
    begun = true
    const bytes = unpacking.take(piece)
    yield bytes === piece ? piece : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  unpacking.take(new Uint8Array(0), true)
}

export interface TrueReferences {
  /** The file with an empty line for each record whose REF is not the genome's; each is told. */
  pieces: AsyncIterable<Buffer>
  /**
   * To be called when all was read: refuses the file by an error in the log where more records differ than may be left out, or all do.
   * Resolves to how many differ.
   */
  close(): Promise<number>
}

/** The records of a VCF whose REF is what the genome has there; `file` names it in the log. */
export const openTrueReferences = async (
  path: string,
  file: string,
  context: Pick<BakeContext, 'directory' | 'findSequence'>,
  log: DefectLog,
): Promise<TrueReferences> => {
  const genome = await openGenome(context.directory)
  const counts = { records: 0, differing: 0 }
  const pieces = keepTrueReferences(
    unpackUtf16(readDecompressed(path), file, log),
    genome,
    context.findSequence,
    ({ line, sequence, position1, found, expected }) =>
      log.report(variantDefects, 'variants-reference-differs', file, line, {
        sequence,
        position: position1,
        found,
        expected,
      }),
    ({ line, allele, found, expected }) =>
      allele === null
        ? log.report(variantDefects, 'variants-columns', file, line, { found, expected })
        : log.report(variantDefects, 'variants-allele-beyond', file, line, { allele, count: expected }),
    counts,
  )
  return {
    pieces,
    close: async () => {
      await genome.close()
      const { records, differing } = counts
      const tooMany = differing >= minLeftOut && differing > records * maxLeftOut.unusable
      if (tooMany || (differing > 0 && differing === records))
        log.report(variantDefects, 'variants-reference-all-differ', file, null, { count: differing, total: records })
      return differing
    },
  }
}
