import type { DefectCatalogue } from '../text/defects.ts'

/** Of features along sequences: GFF3, BED and VCF as they are indexed. */
export const trackDefects = {
  'track-no-rows': {
    severity: 'warning',
    en: 'The track contains no feature.',
    zh: '该轨道没有任何特征。',
  },
  'track-column-count': {
    severity: 'error',
    en: 'The line has {found} columns; {format} needs {expected}.',
    zh: '该行有 {found} 列；{format} 需要 {expected} 列。',
  },
  'track-bad-coordinate': {
    severity: 'error',
    en: 'The {column} "{value}" is not a whole number of at least {min}.',
    zh: '{column} 列的值“{value}”不是不小于 {min} 的整数。',
  },
  'track-start-after-end': {
    severity: 'error',
    en: 'The start {start} lies after the end {end}.',
    zh: '起点 {start} 大于终点 {end}。',
  },
  'track-bad-blocks': {
    severity: 'error',
    en: 'The blocks "{value}" do not match the feature: there must be as many sizes and starts as columns 10 to 12 state, in order, from its start to its end.',
    zh: '区块“{value}”与该特征不符：第 10 至 12 列的数量、长度与起点须一致、有序，并从特征起点延伸至终点。',
  },
  'track-sequence-renamed': {
    severity: 'repair',
    en: 'The sequence {from} is called {to} in the genome; its features were assigned to it.',
    zh: '序列 {from} 在基因组中名为 {to}，其特征已归入该序列。',
  },
  'track-sequence-unknown': {
    severity: 'warning',
    en: 'The genome has no sequence {name}; its features ({count}) cannot be shown.',
    zh: '基因组中没有序列 {name}，其特征（{count} 个）无法显示。',
  },
  'track-sequences-all-unknown': {
    severity: 'error',
    en: 'No sequence name of this track is in the genome (here: {found}; genome: {expected}).',
    zh: '该轨道中的序列名称均不在基因组中（轨道：{found}；基因组：{expected}）。',
  },
  'track-lengths-differ': {
    severity: 'warning',
    en: 'Of {total} sequences shared by the file and the genome, {count} differ in length (file/genome: {names}): the file is from another release, and features on them may be misplaced.',
    zh: '文件与基因组共有的 {total} 条序列中，有 {count} 条长度不同（文件/基因组：{names}）：版本不同，其上的数据位置可能有偏差。',
  },
  'track-lengths-all-differ': {
    severity: 'error',
    en: 'None of the sequences shared by the file and the genome has the same length (file/genome: {names}): the track belongs to another assembly.',
    zh: '文件与基因组共有的序列长度均不相同（文件/基因组：{names}）：该轨道属于另一组装版本。',
  },
  'track-beyond-sequence': {
    severity: 'error',
    en: 'The feature ends at {end}, beyond {sequence} ({length} bases). Does the track belong to this assembly?',
    zh: '特征终点 {end} 超出 {sequence}（{length} 个碱基）。该轨道是否属于此组装版本？',
  },
} as const satisfies DefectCatalogue
