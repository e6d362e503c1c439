import { posix } from 'node:path'
import { getFileChecksum } from '../../store/checksum.ts'
import { importDefects } from './import-defects.ts'
import type { Finding, InputFile, RecogniseContext } from './recogniser.ts'
import { fileTexts as texts } from './texts.ts'

/** Beyond it reading everything once more would take longer than a person waits for. */
const maxVerifiedBytes = 2 * 1024 ** 3

/**
 * Compares files with a list of their MD5 sums, as md5sum writes it. `isWhole`: the list is of this download alone, so that what it lists
 * and is not there is told.
 */
export const verifyChecksums = async (
  list: InputFile,
  { all, log, signal }: RecogniseContext,
  { isWhole }: { isWhole: boolean },
): Promise<Finding> => {
  const sums = list.lines.flatMap((line) => {
    const [, sum, path] = /^([0-9a-f]{32}) [ *](\S.*)$/i.exec(line) ?? []
    return sum === undefined ? [] : [{ sum: sum.toLowerCase(), path: posix.join(list.folder, path!) }]
  })
  const files = new Map(all.map((file) => [file.path, file]))
  const present = sums.flatMap(({ sum, path }) => {
    const file = files.get(path)
    if (file === undefined && isWhole)
      log.report(importDefects, 'import-file-listed-missing', path, null, { list: list.path, file: path })
    return file === undefined ? [] : [{ sum, file }]
  })
  const bytes = present.reduce((total, { file }) => total + file.bytes, 0)
  const about = { file: list, what: texts.checksums }
  if (present.length === 0) return { ...about, take: 'none', why: texts.nothing }
  if (bytes > maxVerifiedBytes) return { ...about, take: 'none', why: tooLarge }
  for (const { sum, file } of present)
    if ((await getFileChecksum(file.absolute, { md5: true, signal })).md5 !== sum)
      log.report(importDefects, 'import-checksum', file.path, null, { list: list.path })
  return { ...about, take: 'read' }
}

const tooLarge = {
  en: 'more than 2 GB are listed, and were not compared',
  zh: '所列文件超过 2 GB，未校验',
}
