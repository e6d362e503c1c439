import type { DefectCatalogue } from '../text/defects.ts'

/** Of tables of windows along the genome. */
export const sweepDefects = {
  'windows-no-place': {
    severity: 'error',
    en: 'The table does not give the positions of its windows: there are no columns for sequence and start ({heading}).',
    zh: '表中未说明窗口位置：缺少序列与起点列（{heading}）。',
  },
  'windows-no-values': {
    severity: 'error',
    en: 'The table has no value column ({heading}).',
    zh: '表中没有数值列（{heading}）。',
  },
  'windows-no-numbers': {
    severity: 'error',
    en: 'No window has a number in {columns}. List the value columns in the manifest (columns).',
    zh: '{columns} 列中没有任何窗口的值为数字。请在清单中指定数值列（columns）。',
  },
  'windows-no-column': {
    severity: 'error',
    en: 'The table has no column "{column}".',
    zh: '表中没有“{column}”列。',
  },
  'windows-none': {
    severity: 'error',
    en: 'The table contains no readable window.',
    zh: '表中没有可读取的窗口。',
  },
  'windows-too-many': {
    severity: 'error',
    en: 'The table has more than {limit} windows.',
    zh: '表中窗口超过 {limit} 个。',
  },
  'windows-columns': {
    severity: 'warning',
    en: 'The line has {found} columns, but the header has {expected}; it was left out.',
    zh: '该行有 {found} 列，表头有 {expected} 列，已略去该行。',
  },
  'windows-place': {
    severity: 'warning',
    en: 'The window from "{start}" to "{end}" is not valid; the line was left out.',
    zh: '“{start}”至“{end}”不构成窗口，已略去该行。',
  },
} as const satisfies DefectCatalogue
