import type { Defect } from '../../bio/text/defects.ts'

/** What the readers of archives say of one whose end is missing: the text breaks off, and is English alone. */
const cutOff = /end of central directory|unexpected (eof|end)|truncated|overflows file bounds/i

/** A damaged archive with a reason in both languages; which entry differs from its checksum is kept as it is. */
export const archiveInWords = (defect: Defect): Defect => {
  const { reason } = defect.params
  if (defect.code !== 'import-archive-damaged' || typeof reason !== 'string' || reason.startsWith('CRC-32'))
    return defect
  return {
    ...defect,
    params: { ...defect.params, reason: cutOff.test(reason) ? '@archive-cut-off' : '@archive-invalid' },
  }
}

/**
 * A text without the folder of the server that an import lies in, which itself is called `name`.
 *
 * Example: of the folder `/data/incoming/x` called `x.fasta`, `/data/incoming/x/a.gff3` is `a.gff3`, `/data/incoming/x` is `x.fasta`,
 * and `/data/incoming/x-2` is left.
 */
export const placelessIn = (folder: string, name: string): ((text: string) => string) => {
  const place = new RegExp(`${folder.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(/|(?![\\w-]))`, 'g')
  return (text) => text.replace(place, (_, within: string) => (within === '/' ? '' : name))
}
