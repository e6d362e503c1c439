import type { DefectCatalogue } from './defects.ts'

/** Of any text file or table. */
export const textDefects = {
  'text-empty': {
    severity: 'error',
    en: 'The file is empty.',
    zh: '文件为空。',
  },
  'text-byte-order-mark': {
    severity: 'repair',
    en: 'The file begins with a UTF-8 byte order mark; it was skipped.',
    zh: '文件以 UTF-8 字节顺序标记（BOM）开头，已跳过。',
  },
  'text-other-encoding': {
    severity: 'repair',
    en: 'The text was read as {encoding}. Save it as UTF-8 to make sure that every character is correct.',
    zh: '文本编码为 {encoding}，已按此读取。建议另存为 UTF-8，以确保文字无误。',
  },
  'text-encoding-mixed': {
    severity: 'error',
    en: 'The line is not {before} like the lines before it: the file was assembled from texts in different encodings. Save all of it as UTF-8.',
    zh: '该行的编码与其前各行（{before}）不同：文件由多种编码的文本拼接而成。请将全部内容另存为 UTF-8。',
  },
  'text-encoding-unclear': {
    severity: 'error',
    en: 'The line is not valid UTF-8, and it is unclear whether it is GB18030 (GBK) or Windows-1252 (Latin-1). Save the file as UTF-8.',
    zh: '该行不是有效的 UTF-8，也无法判断其为 GB18030（GBK）还是 Windows-1252（Latin-1）。请将文件另存为 UTF-8。',
  },
  'text-utf8-damaged': {
    severity: 'error',
    en: 'The line is UTF-8 with broken characters: the text was cut within a character, or assembled from texts in different encodings.',
    zh: '该行为 UTF-8，但含有不完整的字符：文本在字符中间被截断，或由多种编码的文本拼接而成。',
  },
  'text-utf16-damaged': {
    severity: 'error',
    en: 'The file is UTF-16 with broken characters: it is truncated or damaged. Save it as UTF-8.',
    zh: '文件为 UTF-16，但含有不完整的字符：文件被截断或已损坏。请另存为 UTF-8。',
  },
  'text-archive': {
    severity: 'error',
    en: 'The file is an archive ({kind}). Unpack it and give the file inside that is needed.',
    zh: '文件是归档文件（{kind}），其中包含多个文件。请先解包，再指定所需的文件。',
  },
  'text-compressed': {
    severity: 'error',
    en: 'The content is still compressed ({kind}). Decompress it; only gzip and bgzip can be read directly.',
    zh: '内容仍处于压缩状态（{kind}）。请先解压；仅 gzip 与 bgzip 可直接读取。',
  },
  'text-binary': {
    severity: 'error',
    en: 'The line contains a NUL byte: this is not a text file.',
    zh: '该行含有 NUL 字节，这不是文本文件。',
  },
  'text-html': {
    severity: 'error',
    en: 'The file is a web page (HTML), not data. Did the download link return a login or error page?',
    zh: '文件是网页（HTML）而不是数据。下载链接返回的可能是登录页或错误页。',
  },
  'text-not-utf8': {
    severity: 'repair',
    en: 'The line is not valid UTF-8; it was read as Windows-1252 (Latin-1).',
    zh: '该行不是有效的 UTF-8，已按 Windows-1252（Latin-1）读取。',
  },
  'text-old-mac-newlines': {
    severity: 'repair',
    en: 'Lines end with a carriage return only (classic Mac OS); each was read as a line end.',
    zh: '行尾仅为回车符（旧版 Macintosh），已按换行处理。',
  },
  'rows-unusable': {
    severity: 'error',
    en: '{count} of {total} rows ({percent} %) cannot be used (first: {example}); above {max} % the file is refused. Does it belong to another assembly, or does a column have the wrong header?',
    zh: '{total} 行中有 {count} 行（{percent}%）无法使用（首个：{example}）；超过 {max}% 时拒绝整个文件。该文件是否属于其他组装版本，或某列的表头有误？',
  },
  'rows-unknown': {
    severity: 'error',
    en: '{count} of {total} rows ({percent} %) name genes, sequences or terms that are not in the assembly (first: {example}); above {max} % the file is refused. Does it belong to another assembly, annotation or ontology?',
    zh: '{total} 行中有 {count} 行（{percent}%）所指的基因、序列或术语不在该组装版本中（首个：{example}）；超过 {max}% 时拒绝整个文件。该文件是否属于其他组装版本、注释或本体？',
  },
  'table-line-break': {
    severity: 'repair',
    en: 'A quoted cell of this row spans {lines} lines; each line break was read as a space.',
    zh: '该行中带引号的单元格跨 {lines} 行，换行已按空格读取。',
  },
  'table-quote-open': {
    severity: 'error',
    en: 'A quotation mark (") at the start of a cell of this row is not closed within the row.',
    zh: '该行中有单元格以引号（"）开头，但在本行记录内未闭合。',
  },
  'table-quote-inside': {
    severity: 'error',
    en: 'There is text after the closing quotation mark of a cell in this row. A quotation mark within a quoted cell must be doubled ("").',
    zh: '该行中带引号的单元格在右引号之后仍有内容。带引号的单元格内部的引号须双写（""）。',
  },
  'cell-no-number': {
    severity: 'warning',
    en: '"{value}" in column {column} is not a number; it was left out.',
    zh: '{column} 列中的“{value}”不是数字，已略去。',
  },
  'phenotype-decimal-comma': {
    severity: 'error',
    en: '"{value}" in {column} has a decimal comma; save the table with decimal points.',
    zh: '{column} 列中的“{value}”以逗号作小数点；请改用小数点后重新保存。',
  },
} as const satisfies DefectCatalogue
