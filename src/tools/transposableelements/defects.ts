import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'te-no-elements': {
    severity: 'error',
    en: 'The file contains no transposable elements: neither RepeatMasker output nor GFF3 features of a matching type, class or family. A library or `classes` in species.yaml tells which names are families.',
    zh: '文件中没有转座元件：既不是 RepeatMasker 输出，GFF3 中也没有相应类型、类别或家族的特征。可用文库或 species.yaml 的 classes 说明哪些名称是家族名。',
  },
  'te-line-unreadable': {
    severity: 'warning',
    en: 'The line begins like a RepeatMasker hit but cannot be read; it was left out.',
    zh: '该行形似 RepeatMasker 结果但无法解析，已略去。',
  },
  'te-sequence-unknown': {
    severity: 'warning',
    en: '{count} of {total} transposable elements lie on sequences that are not in the genome ({names}); they were left out.',
    zh: '{total} 个转座元件中有 {count} 个位于基因组中不存在的序列上（{names}），已略去。',
  },
  'te-outside': {
    severity: 'warning',
    en: '{count} transposable elements extend beyond their sequence (first: {name}); they were left out. Does the file belong to another assembly?',
    zh: '{count} 个转座元件超出其序列末端（首个为 {name}），已略去。该文件是否属于另一组装版本？',
  },
  'te-library-unclassified': {
    severity: 'warning',
    en: 'No header in the library gives a class (in the form >name#class/family), so it cannot be used for classification.',
    zh: '文库中没有任何标题行注明类别（形如 >名称#类/家族），无法用于分类。',
  },
  'te-profiles-unreadable': {
    severity: 'error',
    en: 'These are not HMMER3 profiles (text that begins with HMMER3/).',
    zh: '不是 HMMER3 的谱文件（应为以 HMMER3/ 开头的文本）。',
  },
} as const satisfies DefectCatalogue

export default defects
