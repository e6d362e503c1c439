import type { DefectCatalogue } from '../bio/text/defects.ts'

/** Of the manifest. */
export const manifestDefects = {
  'manifest-missing': {
    severity: 'error',
    en: 'There is no species.yaml in {folder}.',
    zh: '{folder} 中没有 species.yaml。',
  },
  'manifest-aliases': {
    severity: 'error',
    en: 'The aliases (*name) in the file expand to more entries than a manifest can have. Write the entries out.',
    zh: '文件中的别名引用（*name）展开后的条目过多，超出清单文件的上限。请将各条目直接写出。',
  },
  'manifest-unreadable': {
    severity: 'error',
    en: 'The manifest cannot be read as YAML: {reason}',
    zh: '清单文件不是有效的 YAML：{reason}',
  },
  'manifest-entry-missing': {
    severity: 'error',
    en: 'Entry {entry} is missing.',
    zh: '缺少条目 {entry}。',
  },
  'manifest-entry-unknown': {
    severity: 'error',
    en: 'There is no entry {entry}.',
    zh: '没有名为 {entry} 的条目。',
  },
  'manifest-entry-misspelt': {
    severity: 'error',
    en: 'There is no entry {entry}; did you mean {name}?',
    zh: '没有名为 {entry} 的条目；是否应为 {name}？',
  },
  'manifest-entry-kind': {
    severity: 'error',
    en: 'Entry {entry} should be {expected} but is {found}.',
    zh: '条目 {entry} 应为{expected}，此处为{found}。',
  },
  'manifest-entry-choice': {
    severity: 'error',
    en: 'Entry {entry} should be one of these: {values}.',
    zh: '条目 {entry} 应为以下之一：{values}。',
  },
  'manifest-entry-rule': {
    severity: 'error',
    en: 'Entry {entry}: {reason}',
    zh: '条目 {entry}：{reasonZh}',
  },
  'manifest-id-unknown': {
    severity: 'error',
    en: 'Entry {entry}: nothing under {list} has the id {id}. Available: {known}',
    zh: '条目 {entry}：{list} 中没有 id 为 {id} 的数据。现有：{known}',
  },
  'manifest-sequence-unknown': {
    severity: 'error',
    en: 'The genome of {assembly} has no sequence {name}, which is listed under sequences.',
    zh: '{assembly} 的基因组中没有 sequences 所列的序列 {name}。',
  },
  'manifest-duplicate-assembly': {
    severity: 'error',
    en: 'Two assemblies are named {assembly}.',
    zh: '组装版本重名：{assembly}。',
  },
  'manifest-assembly-taken': {
    severity: 'error',
    en: 'The assembly {assembly} is already loaded for the species {species}; assembly names must be unique in a portal.',
    zh: '组装版本 {assembly} 已属于物种 {species}；同一站点内组装版本的名称不得重复。',
  },
} as const satisfies DefectCatalogue
