import { type Defect, type DefectLanguage, type DefectTotal, defectText } from '../bio/defects.ts'

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

const words = {
  en: {
    error: 'error',
    repair: 'repaired',
    warning: 'warning',
    more: (count: number) => `… and ${count} more of this kind`,
    summary: (errors: number, repairs: number, warnings: number) =>
      [counted(errors, 'error'), counted(repairs, 'repair'), counted(warnings, 'warning')].join(', '),
  },
  zh: {
    error: '错误',
    repair: '已修复',
    warning: '警告',
    more: (count: number) => `……另有 ${count} 处同类问题`,
    summary: (errors: number, repairs: number, warnings: number) =>
      `${errors} 个错误，${repairs} 处修复，${warnings} 个警告`,
  },
} as const

/** Defects as a person reads them in a terminal: `file:line severity: text`, those of a kind together, totals at the end. */
export const renderDefects = (
  defects: readonly Defect[],
  totals: readonly DefectTotal[],
  language: DefectLanguage,
): string => {
  const lines: string[] = []
  const text = words[language]
  for (const total of totals) {
    const kept = defects.filter((defect) => defect.code === total.code)
    for (const defect of kept) {
      const place = defect.line === null ? defect.file : `${defect.file}:${defect.line}`
      lines.push(`${place}: ${text[defect.severity]}: ${defectText(defect, language)}`)
    }
    if (total.count > kept.length) lines.push(`    ${text.more(total.count - kept.length)}`)
  }
  const count = (severity: Defect['severity']): number =>
    totals.filter((total) => total.severity === severity).reduce((sum, total) => sum + total.count, 0)
  if (totals.length > 0) lines.push(text.summary(count('error'), count('repair'), count('warning')))
  return lines.join('\n')
}
