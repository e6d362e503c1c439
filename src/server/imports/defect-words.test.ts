import { expect, test } from 'vitest'
import { defectText } from '../../bio/text/defects.ts'
import { importDefects } from '../../loader/import/import-defects.ts'
import { archiveInWords, placelessIn } from './defect-words.ts'

const damaged = (reason: string) => ({
  code: 'import-archive-damaged',
  severity: 'error' as const,
  file: 'a.zip',
  line: null,
  params: { reason },
})
const told = (reason: string, language: 'en' | 'zh'): string =>
  defectText(archiveInWords(damaged(reason)), importDefects, language)

test('an archive that is cut off or damaged is told in the reader’s language, whole', () => {
  const reason = 'End of central directory record signature not found. Either not a zip file, or file is truncated.'
  expect(told(reason, 'en')).toBe(
    'The archive cannot be read, so nothing of it was used: it is incomplete, its end is missing. Download it again.',
  )
  expect(told(reason, 'zh')).not.toMatch(/[a-z]{3}/i)
  expect(told('invalid distance too far back', 'zh')).toContain('文件已损坏')
  expect(told('CRC-32: a/genome.fa', 'zh')).toContain('a/genome.fa')
})

test('no text tells where an import lies on the server', () => {
  const placeless = placelessIn('/data/in.coming/x', 'x.fasta')
  expect(placeless('/data/in.coming/x/a/b.gff3')).toBe('a/b.gff3')
  expect(placeless('None of /data/in.coming/x fits /data/in.coming/x/a.')).toBe('None of x.fasta fits a.')
  for (const other of ['/data/in.coming/x-2/a', '/data/in.coming/xy', '/data/inscoming/x'])
    expect(placeless(other)).toBe(other)
})
