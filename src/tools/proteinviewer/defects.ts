import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'structure-no-structure': {
    severity: 'error',
    en: 'The file contains no atom coordinates. Provide structures as PDB or mmCIF files.',
    zh: '文件中没有原子坐标。请提供 PDB 或 mmCIF 格式的结构文件。',
  },
  'structure-no-protein': {
    severity: 'error',
    en: 'The structure contains no protein: it has no alpha carbons.',
    zh: '该结构不含蛋白质：没有 α 碳原子。',
  },
  'structure-bad-coordinates': {
    severity: 'error',
    en: 'The atoms of the structure cannot be read: columns are missing, or coordinates are not numbers. The file may be cut off.',
    zh: '无法读取该结构的原子：缺少列，或坐标不是数值。文件可能不完整。',
  },
  'structure-too-large': {
    severity: 'error',
    en: 'The structure exceeds {limit} residues, the maximum.',
    zh: '该结构的残基数超过上限（{limit} 个）。',
  },
  'structure-no-gene': {
    severity: 'warning',
    en: 'No gene, transcript or protein is named {names}; the structure was left out. Rename the file, or name its gene in the manifest: {entry}.',
    zh: '没有名为 {names} 的基因、转录本或蛋白质，该结构已略去。请重命名文件，或在清单中注明其基因：{entry}。',
  },
  'structure-other-protein': {
    severity: 'warning',
    en: 'No chain of the structure matches a protein of {gene}; the structure was left out.',
    zh: '该结构没有一条链与 {gene} 的蛋白质一致，已略去。',
  },
  'structure-none': {
    severity: 'warning',
    en: 'The folder contains no structures (.cif, .pdb, .ent, also with .gz).',
    zh: '文件夹中没有结构文件（.cif、.pdb、.ent，亦可带 .gz）。',
  },
  'structure-twice': {
    severity: 'warning',
    en: 'Another structure of {gene} has the same file name; the first was used.',
    zh: '{gene} 已有同名的结构文件，采用第一个。',
  },
} satisfies DefectCatalogue

export default defects
