import type { DefectCatalogue } from '../text/defects.ts'

/** Of pangenome graphs in GFA. */
export const graphDefects = {
  'graph-line': {
    severity: 'error',
    en: 'The line is not valid GFA ({reason}).',
    zh: '该行不符合 GFA 格式（{reason}）。',
  },
  'graph-version': {
    severity: 'error',
    en: 'The file is GFA version {version}; only 1.0 and 1.1 can be read.',
    zh: '该文件为 GFA {version} 版，可读取 1.0 与 1.1 版。',
  },
  'graph-overlaps': {
    severity: 'error',
    en: 'Segments overlap in a link ({overlap}); only graphs whose links are 0M can be read. Convert the graph to a blunt graph first.',
    zh: '边上的片段有重叠（{overlap}）；只能读取边为 0M 的图，请先将其转换为无重叠的图。',
  },
} as const satisfies DefectCatalogue
