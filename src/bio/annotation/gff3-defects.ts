import type { DefectCatalogue } from '../text/defects.ts'

/** Of lines of GFF3 and GTF. */
export const gff3Defects = {
  'gff-no-features': {
    severity: 'error',
    en: 'The file contains no feature line.',
    zh: '文件中没有任何特征行。',
  },
  'gff-other-format': {
    severity: 'error',
    en: 'This is {found}, not {expected}.',
    zh: '这是 {found}，不是 {expected}。',
  },
  'gff-column-count': {
    severity: 'error',
    en: 'The line has {found} columns; a feature has 9, separated by tabs.',
    zh: '该行有 {found} 列；每个特征应为 9 列，以制表符分隔。',
  },
  'gff-attributes-absent': {
    severity: 'repair',
    en: 'The ninth column (attributes) is missing; it was read as empty.',
    zh: '缺少第九列（属性），已按空值读取。',
  },
  'gff-spaces-for-tabs': {
    severity: 'repair',
    en: 'The columns are separated by spaces instead of tabs; the line was split at the spaces.',
    zh: '各列以空格而非制表符分隔，已按空格拆分。',
  },
  'gff-extra-tabs': {
    severity: 'repair',
    en: 'The attributes contain tabs; they were read as spaces.',
    zh: '属性列内含有制表符，已按空格读取。',
  },
  'gff-columns-behind': {
    severity: 'repair',
    en: 'The line has {found} columns; a feature has 9. The text after the attributes ("{text}") was left out.',
    zh: '该行有 {found} 列，而每个特征应为 9 列；属性列之后的内容（“{text}”）已略去。',
  },
  'gtf-gene-id-empty': {
    severity: 'repair',
    en: 'The gene_id of this {type} is empty; its gene was inferred from its transcript and position.',
    zh: '该 {type} 的 gene_id 为空，已根据转录本与位置确定其所属基因。',
  },
  'gff-bad-coordinate': {
    severity: 'error',
    en: 'The {column} "{value}" is not a whole number.',
    zh: '{column} 列的值“{value}”不是整数。',
  },
  'gff-start-zero': {
    severity: 'error',
    en: 'The start is 0. GFF and GTF start at 1: was the file written with BED coordinates?',
    zh: '起点为 0。GFF 和 GTF 从 1 开始计数：该文件是否使用了 BED 坐标？',
  },
  'gff-start-after-end': {
    severity: 'repair',
    en: 'The start {start} lies after the end {end}; they were swapped.',
    zh: '起点 {start} 大于终点 {end}，已互换。',
  },
  'gff-empty-feature': {
    severity: 'warning',
    en: 'The {type} {start}..{end} is empty (its end is one before its start); it was left out.',
    zh: '{type} {start}..{end} 不含任何碱基（终点比起点小 1），已略去。',
  },
  'gff-bad-strand': {
    severity: 'repair',
    en: 'The strand "{value}" was read as "{used}".',
    zh: '链“{value}”已按“{used}”读取。',
  },
  'gff-bad-phase': {
    severity: 'repair',
    en: 'The phase "{value}" is not 0, 1 or 2; it was treated as missing.',
    zh: '相位“{value}”不是 0、1、2 之一，已视为缺失。',
  },
  'gff-bad-score': {
    severity: 'repair',
    en: 'The score "{value}" is not a number; it was left out.',
    zh: '得分“{value}”不是数字，已略去。',
  },
  'gff-attribute-unescaped': {
    severity: 'repair',
    en: 'An attribute value contains an unescaped ";"; the piece "{piece}" was joined to the value before it.',
    zh: '属性值中含有未转义的“;”，片段“{piece}”已并入前一个值。',
  },
  'gff-bad-escape': {
    severity: 'warning',
    en: 'An attribute contains a "%" that does not start an escape; it was kept as written.',
    zh: '属性中有不构成转义的“%”，已原样保留。',
  },
  'gff-old-attributes': {
    severity: 'repair',
    en: 'The attributes are in GFF2 style (key "value"); they were read as such.',
    zh: '属性采用 GFF2 写法（key "value"），已按此读取。',
  },
} as const satisfies DefectCatalogue
