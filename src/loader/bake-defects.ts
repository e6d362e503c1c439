import type { DefectCatalogue } from '../bio/text/defects.ts'

/** Of files of an assembly against one another, and of what is computed from them. */
export const bakeDefects = {
  'file-changed': {
    severity: 'error',
    en: 'The file was changed while it was loaded. Load again once it is complete.',
    zh: '加载期间文件被修改。请待文件写完后重新加载。',
  },
  'former-genes-unknown': {
    severity: 'warning',
    en: 'Files of {assembly} as it is in service are gone. The assembly is made anew; its current gene ids are not followed to the new genes.',
    zh: '{assembly} 当前投入使用的数据缺少文件，将全部重新生成；现有基因编号不会对应到新的基因。',
  },
  'fasta-no-residues': {
    severity: 'error',
    en: 'The genome has no bases: its files contain only ">" lines.',
    zh: '基因组中没有任何碱基：文件中仅有“>”行。',
  },
  'annotation-term-unknown': {
    severity: 'warning',
    en: 'The term {term} is not in the loaded ontology {source}; it was kept without a name and without its ancestors.',
    zh: '术语 {term} 不在已加载的本体 {source} 中，已保留，但没有名称和上级术语。',
  },
  'computation-failed': {
    severity: 'warning',
    en: 'The comparison of all assemblies failed: {reason} The data are available without it; load again to retry.',
    zh: '跨基因组的计算未能完成：{reason} 数据已投入使用，但缺少该项结果；重新加载即可再次计算。',
  },
  'cds-internal-stop': {
    severity: 'warning',
    en: 'The CDS of {transcript} has {count} internal stop codons (genetic code {geneticCode}).',
    zh: '{transcript} 的编码序列内部有 {count} 个终止密码子（遗传密码表 {geneticCode}）。',
  },
  'protein-unknown': {
    severity: 'warning',
    en: 'The supplied sequence {name} matches no transcript in the gene models; it was left out.',
    zh: '所提供的序列 {name} 不对应任何转录本，已略去。',
  },
  'protein-differs': {
    severity: 'warning',
    en: 'The supplied protein of {transcript} is not the translation of its CDS; the supplied one was kept.',
    zh: '{transcript} 所提供的蛋白质与其编码序列的翻译结果不同；保留所提供的序列。',
  },
  'genes-in-two-files': {
    severity: 'error',
    en: 'The gene {gene} is already in {first}; gene identifiers must be unique in an assembly.',
    zh: '基因 {gene} 已在 {first} 中；同一组装版本内基因编号不得重复。',
  },
  'annotation-unknown-gene': {
    severity: 'warning',
    en: 'No gene, transcript or protein is named {gene}; its rows were left out.',
    zh: '没有名为 {gene} 的基因、转录本或蛋白质，相应行已略去。',
  },
  'annotation-format-unknown': {
    severity: 'error',
    en: 'The format of the annotation cannot be detected; specify it in the manifest (format: gaf, interproscan, eggnog or table).',
    zh: '无法判断注释文件的格式，请在清单中注明（format: gaf、interproscan、eggnog 或 table）。',
  },
  'annotation-obsolete-term': {
    severity: 'warning',
    en: 'The term {term} is obsolete in the ontology.',
    zh: '术语 {term} 在该本体中已废弃。',
  },
  'annotation-alternative-term': {
    severity: 'repair',
    en: 'The term {term} is an alternative id of {primary}; it was read as that.',
    zh: '术语 {term} 是 {primary} 的别名，已按后者处理。',
  },
} as const satisfies DefectCatalogue
