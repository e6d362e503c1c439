import { expect, test } from 'vitest'
import { gff3Defects } from '../bio/annotation/gff3-defects.ts'
import { DefectLog } from '../bio/text/defects.ts'
import { renderDefects } from './command-report.ts'
import { exportDefects } from './export-defects.ts'

const log = new DefectLog(200)
for (let line = 1; line <= 500; line += 1) log.report(gff3Defects, 'gff-column-count', 'genes.gff3', line, { found: 5 })
for (let line = 1; line <= 2; line += 1) log.report(exportDefects, 'export-folder-taken', 'data', null)
const catalogue = { ...gff3Defects, ...exportDefects }
const render = (more: Parameters<typeof renderDefects>[4], language: 'en' | 'zh' = 'en') =>
  renderDefects(log.defects, log.totals(), catalogue, language, more).split('\n')
const { severity } = gff3Defects['gff-column-count']

test('of each kind the first are told with their lines, and how many more there are', () => {
  const shown = severity === 'error' ? 20 : 3
  const lines = render({ hint: true })
  expect(lines.filter((line) => line.startsWith('genes.gff3:'))).toHaveLength(shown)
  expect(lines).toContain(`    … and ${500 - shown} more of this kind (--all lists them)`)
  expect(lines.filter((line) => line.startsWith('data: '))).toHaveLength(2)
  expect(render({ hint: true }, 'zh')).toContain(`    ……另有 ${500 - shown} 处同类问题（加 --all 全部列出）`)
})

test('all are told where that is asked for, and what was not kept is counted', () => {
  const lines = render({ all: true, hint: true })
  expect(lines.filter((line) => line.startsWith('genes.gff3:'))).toHaveLength(200)
  expect(lines).toContain('    … and 300 more of this kind')
})
