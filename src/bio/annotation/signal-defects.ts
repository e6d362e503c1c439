import type { DefectCatalogue } from '../text/defects.ts'

/** Of WIG and bedGraph. */
export const signalDefects = {
  'signal-undeclared': {
    severity: 'error',
    en: 'There is no fixedStep or variableStep line before "{text}", and it does not have the four columns of bedGraph.',
    zh: '“{text}”之前没有 fixedStep 或 variableStep 声明行，该行也不是 bedGraph 的四列格式。',
  },
  'signal-declaration': {
    severity: 'error',
    en: 'The line "{text}" needs chrom=, for fixedStep also start=; start, step and span must be whole numbers of at least 1.',
    zh: '声明行“{text}”须有 chrom=，fixedStep 还须有 start=；start、step、span 须为不小于 1 的整数。',
  },
  'signal-columns': {
    severity: 'error',
    en: 'The line has {found} columns instead of {expected}.',
    zh: '该行有 {found} 列，应为 {expected} 列。',
  },
  'signal-position': {
    severity: 'error',
    en: 'The position "{value}" is not a whole number of at least 1.',
    zh: '位置“{value}”不是不小于 1 的整数。',
  },
  'signal-value': {
    severity: 'error',
    en: 'The value "{value}" is not a number.',
    zh: '“{value}”不是数值。',
  },
  'signal-cut': {
    severity: 'repair',
    en: '{count} intervals extend beyond the end of their sequence and were cut there.',
    zh: '{count} 处区间超出序列末端，已截至末端。',
  },
  'signal-overlap': {
    severity: 'error',
    en: 'Two intervals overlap at {sequence}:{position}: a signal has one value at each base. Is this several tracks in one file?',
    zh: '{sequence}:{position} 处有区间相互重叠：信号轨道的每个碱基只能有一个值。该文件是否包含多条轨道？',
  },
} as const satisfies DefectCatalogue
