import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'hmm-file': {
    severity: 'error',
    en: 'This is not a text file of HMMER3 profiles: {reason}. Convert HMMER2 files with hmmconvert, and pressed ones with hmmfetch or hmmconvert.',
    zh: '这不是 HMMER3 文本格式的谱文件：{reason}。HMMER2 文件可用 hmmconvert 转换，已压制的文件可用 hmmfetch 或 hmmconvert 写为文本。',
  },
  'hmm-alphabet': {
    severity: 'warning',
    en: 'The profile {name} is for {alphabet}, not for amino acids; it was left out.',
    zh: '谱 {name} 的字母表为 {alphabet}，而非氨基酸，已略去。',
  },
  'hmm-twice': {
    severity: 'warning',
    en: 'The profile {name} occurs more than once; the first was used.',
    zh: '谱 {name} 出现多次，采用第一个。',
  },
  'hmm-unused': {
    severity: 'warning',
    en: '{count} of {all} profiles are not used by any rule, such as {example}; they are not searched.',
    zh: '{all} 个谱中有 {count} 个未被任何规则提及（如 {example}），不参与搜索。',
  },
  'hmm-none': {
    severity: 'error',
    en: 'No rule uses a profile from these files. Assign their domains with "domains" in the manifest, or provide your own rules.',
    zh: '这些文件中没有任何规则所提及的谱。请在清单的 "domains" 中注明各谱对应的结构域，或提供自己的规则。',
  },
  'tf-rule': {
    severity: 'error',
    en: 'The rule cannot be read ({reason}): {text}',
    zh: '无法读取该规则（{reason}）：{text}',
  },
  'tf-rule-missing': {
    severity: 'warning',
    en: '{count} families cannot be assigned because a profile is missing: {families}.',
    zh: '因缺少相应的谱，有 {count} 个家族无法判定：{families}。',
  },
  'protein-too-long': {
    severity: 'warning',
    en: 'The protein of {gene} has {length} residues; HMMER accepts at most {limit}, so it was not searched.',
    zh: '{gene} 的蛋白质长 {length} 个残基，超过 HMMER 的上限 {limit}，未参与搜索。',
  },
} as const satisfies DefectCatalogue

export default defects
