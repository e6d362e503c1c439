import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'alignment-line': {
    severity: 'error',
    en: 'The line is neither PAF nor part of a chain file ({reason}).',
    zh: '该行既不是 PAF，也不属于 chain 文件（{reason}）。',
  },
  'alignment-empty': {
    severity: 'error',
    en: 'The file contains no alignment.',
    zh: '文件中没有比对记录。',
  },
  'alignment-other-assembly': {
    severity: 'error',
    en: 'No sequence of this assembly is a query in the alignment (such as {example}). Are the two swapped? The assembly must be the query, the reference the target.',
    zh: '比对的 query 中没有该组装版本的序列（例如 {example}）。方向是否相反？该组装版本应为 query，参考组装版本应为 target。',
  },
  'alignment-sequence-unknown': {
    severity: 'warning',
    en: '{count} sequences of the alignment are not in this assembly, such as {example}; their alignments were left out.',
    zh: '比对中有 {count} 条序列不属于该组装版本，例如 {example}；相应比对已略去。',
  },
  'alignment-other-reference': {
    severity: 'warning',
    en: 'The alignment of {assembly} is not to {reference}, the reference of the species ({name}, {length} bp, is not in it): it was realigned with minimap2.',
    zh: '{assembly} 的比对并非针对该物种的参考组装版本 {reference}（其中没有长 {length} bp 的 {name}）：已用 minimap2 重新比对。',
  },
  'graph-empty': {
    severity: 'error',
    en: 'The graph has no segment (S line).',
    zh: '图中没有片段（S 行）。',
  },
  'graph-too-large': {
    severity: 'error',
    en: 'The graph has more than {max} {what}.',
    zh: '图超过了上限（{what}：{max}）。',
  },
  'graph-node-twice': {
    severity: 'error',
    en: 'The graph has two segments named {name}.',
    zh: '图中有两个名为 {name} 的片段。',
  },
  'graph-link-unknown': {
    severity: 'error',
    en: 'The link points to the segment {name}, which is not in the file.',
    zh: '该连接指向片段 {name}，而文件中没有此片段。',
  },
  'graph-node-unknown': {
    severity: 'error',
    en: 'Path {path} contains {name}, which is not in the graph.',
    zh: '路径 {path} 经过 {name}，而图中没有该片段。',
  },
  'graph-no-reference': {
    severity: 'error',
    en: 'No path of the graph belongs to this assembly: sample {sample} with sequences such as {expected} was expected, but the graph has {found}. Use `sample` to specify whose paths are the assembly.',
    zh: '图中没有属于该组装版本的路径：需要样本 {sample} 及 {expected} 等序列，而图中有 {found}。请用 `sample` 指明哪些路径属于该组装版本。',
  },
  'graph-path-beyond': {
    severity: 'error',
    en: 'Path {path} ends at {found}, beyond the end of the sequence ({expected}). The graph belongs to another assembly.',
    zh: '路径 {path} 终止于 {found}，超出序列末端（{expected}）。该图属于另一组装版本。',
  },
  'graph-bases-differ': {
    severity: 'error',
    en: 'Segment {name} does not match the bases of {sequence} from position {position}. The graph belongs to another assembly.',
    zh: '片段 {name} 的碱基与 {sequence} 自 {position} 起的碱基不同。该图属于另一组装版本。',
  },
} as const satisfies DefectCatalogue

export default defects
