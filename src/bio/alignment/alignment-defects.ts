import type { DefectCatalogue } from '../text/defects.ts'

/** Of alignments of genomes. */
export const alignmentDefects = {
  'alignment-other-length': {
    severity: 'error',
    en: 'The alignment is from another release: {name} has {found} bp in the alignment but {expected} bp in the genome.',
    zh: '该比对来自另一版本的基因组：{name} 在比对中长 {found} bp，在基因组中长 {expected} bp。',
  },
} as const satisfies DefectCatalogue
