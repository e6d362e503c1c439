import type { DefectCatalogue } from '../text/defects.ts'

/** Of names in files that are matched to genes. */
export const geneMatchDefects = {
  'genes-matched': {
    severity: 'repair',
    en: 'Of {total} names {matched} were matched to genes: {name} as they are, {product} as transcripts or proteins, {prefix} without a prefix, {version} without a version, {header} from a FASTA header, {case} in other letter case (such as {example} to {gene}).',
    zh: '{total} 个名称中已有 {matched} 个对应到基因：原样对应 {name} 个，按转录本或蛋白质 {product} 个，去除前缀后 {prefix} 个，去除版本号后 {version} 个，取自 FASTA 标题行 {header} 个，仅大小写不同 {case} 个（如 {example} 对应到 {gene}）。',
  },
  'genes-unmatched': {
    severity: 'warning',
    en: '{count} of {total} names are not genes of the gene models ({names}); {percent} % were matched, the others were left out.',
    zh: '{total} 个名称中有 {count} 个不是基因模型中的基因（{names}）；对应率为 {percent}%，未能对应的已略去。',
  },
  'genes-ambiguous': {
    severity: 'warning',
    en: '{count} names belong to more than one gene ({names}); they were left out, not assigned to one of them.',
    zh: '有 {count} 个名称对应多个基因（{names}），无法确定所指基因，已略去。',
  },
  'genes-none': {
    severity: 'error',
    en: 'No name in the file is a gene in the gene models ({names}). Do these names come from another annotation, or from probes?',
    zh: '文件中没有一个名称是基因模型中的基因（{names}）。是否为其他注释版本的编号或探针名？',
  },
} as const satisfies DefectCatalogue
