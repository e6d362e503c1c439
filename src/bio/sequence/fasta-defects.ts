import type { DefectCatalogue } from '../text/defects.ts'

/** Of FASTA. */
export const fastaDefects = {
  'fasta-no-header': {
    severity: 'error',
    en: 'There is sequence before the first ">" line.',
    zh: '第一个“>”行之前出现了序列。',
  },
  'fasta-no-sequences': {
    severity: 'error',
    en: 'The file contains no FASTA record.',
    zh: '文件中没有 FASTA 记录。',
  },
  'fasta-other-format': {
    severity: 'error',
    en: 'This is {found}, not FASTA. Provide the sequence as a separate FASTA file; gene models in GenBank or GFF3 format belong under "genes".',
    zh: '这是 {found}，不是 FASTA。请将序列另存为单独的 FASTA 文件；GenBank 或 GFF3 中的基因模型应写在“genes”条目下。',
  },
  'fasta-empty-name': {
    severity: 'repair',
    en: 'The ">" line has no name; the sequence was named {name}.',
    zh: '“>”行没有名称，该序列已命名为 {name}。',
  },
  'fasta-space-before-name': {
    severity: 'repair',
    en: 'There are spaces between ">" and the name; {name} was used as the name.',
    zh: '“>”与名称之间有空白，已将 {name} 作为名称。',
  },
  'fasta-duplicate-name': {
    severity: 'error',
    en: 'The sequence name {name} was already used on line {firstLine}.',
    zh: '序列名称 {name} 已在第 {firstLine} 行使用过。',
  },
  'fasta-empty-sequence': {
    severity: 'warning',
    en: 'The sequence {name} has no residues.',
    zh: '序列 {name} 没有任何残基。',
  },
  'fasta-illegal-character': {
    severity: 'error',
    en: 'The character {character} in {name}, column {column}, is not a valid {alphabet} code.',
    zh: '{name} 第 {column} 列的字符 {character} 不是{alphabet}代码。',
  },
  'fasta-blanks-or-digits': {
    severity: 'repair',
    en: 'Spaces or digits in the sequence {name} were removed.',
    zh: '序列 {name} 中的空白或数字已删除。',
  },
  'fasta-gaps-removed': {
    severity: 'repair',
    en: 'Gap characters "-" in {name} were removed: the sequence was aligned.',
    zh: '{name} 中的空位符号“-”已删除：提供的是比对后的序列。',
  },
  'fasta-gaps': {
    severity: 'error',
    en: '{name} contains gap characters "-": removing them would shift all later positions. Provide the unaligned sequence, with N for unknown bases.',
    zh: '{name} 含有空位符号“-”：若删除，其后所有坐标都会移位。请提供未比对的序列，未知碱基以 N 表示。',
  },
  'fasta-dot-as-stop': {
    severity: 'repair',
    en: '"." in the protein {name} was read as a stop ("*").',
    zh: '蛋白质 {name} 中的“.”已按终止符（“*”）读取。',
  },
  'fasta-internal-stop': {
    severity: 'warning',
    en: 'The protein {name} contains an internal stop ("*").',
    zh: '蛋白质 {name} 内部含有终止符（“*”）。',
  },
} as const satisfies DefectCatalogue
