import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** What can be wrong with the files of this tool. */
const defects = {
  'phenotype-undescribed': {
    severity: 'warning',
    en: '{count} of {total} accessions are not in the accession table ({names}); they have values, but no origin or population.',
    zh: '{total} 份材料中有 {count} 份不在材料信息表中（{names}）：有性状值，但没有来源与群体信息。',
  },
  'phenotype-unconnected': {
    severity: 'warning',
    en: '{count} accessions of the trait {trait} share no environment with the others and cannot be compared with them: they have no estimate.',
    zh: '性状 {trait} 有 {count} 份材料与其余材料没有共同的环境，无法比较，因此没有估计值。',
  },
} as const satisfies DefectCatalogue

export default defects
