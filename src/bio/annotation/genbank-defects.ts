import type { DefectCatalogue } from '../text/defects.ts'

/** Of GenBank flat files. */
export const genbankDefects = {
  'genbank-no-record': {
    severity: 'error',
    en: 'The file contains no GenBank record (no LOCUS line).',
    zh: '文件中没有 GenBank 记录（缺少 LOCUS 行）。',
  },
  'genbank-no-end': {
    severity: 'repair',
    en: 'The record {name} does not end with "//"; it was read to the end of the file.',
    zh: '记录 {name} 未以“//”结束，已将文件末尾视为其结尾。',
  },
  'genbank-bad-location': {
    severity: 'error',
    en: 'The location "{location}" of this {type} cannot be read.',
    zh: '无法解读该 {type} 的位置“{location}”。',
  },
  'genbank-origin-wrap': {
    severity: 'repair',
    en: 'The location "{location}" of this {type} runs backwards on a circular sequence; it was read as crossing the origin.',
    zh: '该 {type} 的位置“{location}”在环状序列上为逆向，已按跨越起点读取。',
  },
  'genbank-linear-origin': {
    severity: 'warning',
    en: 'The {type} at {location} spans the ends of {name}, which is linear according to the LOCUS line: its parts are read in ascending order, so its protein is wrong if the sequence is circular. In that case, set "circular: true" for the sequence in species.yaml.',
    zh: '位于 {location} 的 {type} 跨越 {name} 的两端，而 LOCUS 行标明该序列为线状：其各段按升序读取；若序列实为环状，则所得蛋白质有误，请在 species.yaml 中为该序列注明“circular: true”。',
  },
  'genbank-protein': {
    severity: 'error',
    en: 'The record {name} is a protein (aa); gene models require the record of its genome.',
    zh: '记录 {name} 是蛋白质（aa）；基因模型需要其基因组的记录。',
  },
  'genbank-remote-part': {
    severity: 'warning',
    en: 'The {type} has a part in another record ({remote}); that part was left out.',
    zh: '该 {type} 有一部分位于另一条记录（{remote}），该部分已略去。',
  },
  'genbank-length-differs': {
    severity: 'warning',
    en: 'The LOCUS line of {name} states {expected} bases, but the sequence has {found}.',
    zh: '{name} 的 LOCUS 行标明 {expected} 个碱基，实际序列为 {found} 个。',
  },
} as const satisfies DefectCatalogue
