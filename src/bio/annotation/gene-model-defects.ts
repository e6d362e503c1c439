import type { DefectCatalogue } from '../text/defects.ts'

/** Of gene models. */
export const geneModelDefects = {
  'model-parent-missing': {
    severity: 'repair',
    en: 'The parent "{parent}" of this {type} is not in the file; a {made} with that name was created from its parts.',
    zh: '该 {type} 的父特征“{parent}”不在文件中，已由其组成部分生成同名的 {made}。',
  },
  'model-parent-by-place': {
    severity: 'repair',
    en: 'The {type} {transcript} names no gene in the file; it was assigned to {gene}, the only gene without transcripts that contains it on the same strand.',
    zh: '{type} {transcript} 未指明文件中的任何基因，已归入同一链上唯一包含它且尚无转录本的基因 {gene}。',
  },
  'model-gene-line-by-place': {
    severity: 'repair',
    en: 'The line of the gene {line} has no transcript; it was taken as that of {gene}, whose transcripts have exactly its place and strand.',
    zh: '基因 {line} 所在的行没有转录本；基因 {gene} 的转录本与其位置和链完全一致，该行已作为 {gene} 的基因行。',
  },
  'model-gene-made': {
    severity: 'repair',
    en: 'The {type} {transcript} belongs to no gene; the gene {gene} was created for it.',
    zh: '{type} {transcript} 不属于任何基因，已为其生成基因 {gene}。',
  },
  'model-transcript-made': {
    severity: 'repair',
    en: 'The {type} is a direct child of the gene {gene}; the transcript {transcript} was created for it.',
    zh: '{type} 直接位于基因 {gene} 之下，已为其生成转录本 {transcript}。',
  },
  'model-cds-orphan': {
    severity: 'repair',
    en: 'The CDS has no parent; the gene {gene} was created for it.',
    zh: '该编码序列（CDS）没有父特征，已为其生成基因 {gene}。',
  },
  'model-exon-orphan': {
    severity: 'warning',
    en: 'The {type} names no parent and no gene; it was left out.',
    zh: '该 {type} 未注明父特征或基因，不属于任何基因模型，已略去。',
  },
  'model-parent-by-locus-tag': {
    severity: 'repair',
    en: 'The {type} names no parent; it was assigned to the gene {gene}, which has the same locus tag.',
    zh: '该 {type} 未注明父特征，已归入具有相同 locus tag 的基因 {gene}。',
  },
  'model-cds-given-to-transcript': {
    severity: 'repair',
    en: 'The CDS is a sibling of the transcripts of the gene {gene}; it was assigned to {transcript}, whose exons contain it.',
    zh: '该 CDS 与基因 {gene} 的转录本并列，已归入外显子包含它的转录本 {transcript}。',
  },
  'model-parent-cycle': {
    severity: 'repair',
    en: 'The feature {id} is its own ancestor; its Parent was ignored.',
    zh: '特征 {id} 是其自身的祖先，其 Parent 已忽略。',
  },
  'model-duplicate-renamed': {
    severity: 'repair',
    en: 'The {type} ID {id} was already used on line {firstLine}; this one was renamed {renamed}.',
    zh: '{type} 的 ID {id} 已在第 {firstLine} 行使用过，此处改名为 {renamed}。',
  },
  'model-duplicate-other-type': {
    severity: 'repair',
    en: 'The ID {id} belongs to a {firstType} (line {firstLine}) and to this {type}; this one was renamed {renamed}.',
    zh: 'ID {id} 同时属于 {firstType}（第 {firstLine} 行）和此处的 {type}，此处改名为 {renamed}。',
  },
  'model-duplicate-row': {
    severity: 'repair',
    en: 'The {type} repeats an earlier line; it was used once.',
    zh: '该 {type} 与前面的行重复，只使用一次。',
  },
  'model-exon-made': {
    severity: 'repair',
    en: 'The transcript {transcript} has no exon lines; its exons were created from {source}.',
    zh: '转录本 {transcript} 没有外显子行，其外显子已由{source}生成。',
  },
  'model-gene-bare': {
    severity: 'warning',
    en: 'The gene {gene} has no transcript, exon or CDS; it was kept as a span.',
    zh: '基因 {gene} 没有转录本、外显子或 CDS，仅保留其位置。',
  },
  'model-phase-missing': {
    severity: 'repair',
    en: 'The CDS of {transcript} has no phase; it was computed from the lengths of its parts.',
    zh: '{transcript} 的编码序列缺少相位，已根据各段长度计算。',
  },
  'model-phase-wrong': {
    severity: 'repair',
    en: 'The CDS phases of {transcript} ({given}) do not match the lengths of its parts; they were recomputed ({computed}).',
    zh: '{transcript} 的编码序列相位（{given}）与各段长度不符，已重新计算（{computed}）。',
  },
  'model-cds-length': {
    severity: 'warning',
    en: 'The CDS of {transcript} is {length} bases long from its first complete codon on, which is not a multiple of three; its last codon is incomplete.',
    zh: '{transcript} 的编码序列自首个完整密码子起长 {length} 个碱基，不是 3 的倍数，末尾密码子不完整。',
  },
  'model-stop-codon-joined': {
    severity: 'repair',
    en: 'The stop codon of {transcript} was outside its CDS (GTF convention); the CDS was extended to include it.',
    zh: '{transcript} 的终止密码子位于 CDS 之外（GTF 惯例），已将 CDS 延伸至包含它。',
  },
  'model-exons-overlap': {
    severity: 'repair',
    en: 'Exons of {transcript} overlap; they were merged.',
    zh: '{transcript} 的外显子有重叠，已合并。',
  },
  'model-cds-outside-exon': {
    severity: 'repair',
    en: 'The CDS of {transcript} extends beyond its exons; the exons were extended.',
    zh: '{transcript} 的编码序列超出其外显子，外显子已延伸。',
  },
  'model-second-cds': {
    severity: 'repair',
    en: 'The transcript {transcript} has more than one CDS; {made} was created for the additional one.',
    zh: '转录本 {transcript} 有多个 CDS，已为另一个生成 {made}。',
  },
  'model-span-extended': {
    severity: 'repair',
    en: 'The {type} {id} ({given}) does not contain all its parts; it was extended to {used}.',
    zh: '{type} {id}（{given}）未包含其全部组成部分，已扩展为 {used}。',
  },
  'model-span-trimmed': {
    severity: 'repair',
    en: 'The {type} {id} ({given}) is longer than its exons; {used} was used.',
    zh: '{type} {id}（{given}）长于其外显子，已采用 {used}。',
  },
  'model-strand-from-parts': {
    severity: 'repair',
    en: 'The strand "{given}" of {id} differs from that of its parts; "{used}" was used.',
    zh: '{id} 的链“{given}”与其组成部分不一致，已采用后者的“{used}”。',
  },
  'model-strand-unknown': {
    severity: 'warning',
    en: 'The coding gene {gene} has no strand; its protein is read on the forward strand.',
    zh: '编码基因 {gene} 没有链信息，其蛋白质按正链读取。',
  },
  'model-split-off': {
    severity: 'repair',
    en: 'The {type} {transcript} lies on a different {what} than its gene {gene}; the gene {made} was created for it.',
    zh: '{type} {transcript} 与其基因 {gene} 不在同一{what}，已为其生成基因 {made}。',
  },
  'model-part-elsewhere': {
    severity: 'warning',
    en: 'The {type} lies on {sequence}, its transcript {transcript} on another sequence; it was left out.',
    zh: '该 {type} 位于 {sequence}，而其转录本 {transcript} 在另一条序列上，已略去。',
  },
  'model-trans-spliced': {
    severity: 'warning',
    en: 'The transcript {transcript} is trans-spliced; its parts are kept in their reading order.',
    zh: '转录本 {transcript} 为反式剪接，其各段按阅读顺序保存。',
  },
  'model-crosses-origin': {
    severity: 'warning',
    en: 'The gene {gene} crosses the origin of the circular sequence {sequence}; its end coordinate exceeds the sequence length.',
    zh: '基因 {gene} 跨越环状序列 {sequence} 的起点，其终点按超出序列长度继续计数。',
  },
  'model-pseudogene-cds': {
    severity: 'warning',
    en: 'The gene {gene} is a pseudogene: the CDS of {transcript} was kept as exons, and it is not translated.',
    zh: '基因 {gene} 为假基因：{transcript} 的 CDS 仅作为外显子保留，不生成蛋白质。',
  },
  'model-sequence-renamed': {
    severity: 'repair',
    en: 'The sequence {from} is called {to} in the genome; its {count} features were assigned to it.',
    zh: '序列 {from} 在基因组中名为 {to}，其 {count} 个特征已归入该序列。',
  },
  'model-sequence-unknown': {
    severity: 'warning',
    en: 'The genome has no sequence {name}; its {count} features were left out.',
    zh: '基因组中没有序列 {name}，其 {count} 个特征已略去。',
  },
  'model-sequences-all-unknown': {
    severity: 'error',
    en: 'No sequence name of this file is in the genome (here: {found}; genome: {expected}).',
    zh: '该文件中的序列名称均不在基因组中（文件：{found}；基因组：{expected}）。',
  },
  'model-beyond-clipped': {
    severity: 'repair',
    en: 'The {type} {start}..{end} extends beyond {sequence} ({length} bases); it was truncated to {used}.',
    zh: '{type} {start}..{end} 超出 {sequence}（{length} 个碱基），已截为 {used}。',
  },
  'model-beyond-left-out': {
    severity: 'warning',
    en: 'The {type} {start}..{end} lies beyond {sequence} ({length} bases); it was left out. Does the annotation belong to this assembly?',
    zh: '{type} {start}..{end} 位于 {sequence}（{length} 个碱基）之外，已略去。该注释是否属于此组装版本？',
  },
  'model-no-genes': {
    severity: 'warning',
    en: 'The file contains features but no gene, transcript or CDS.',
    zh: '文件中有特征，但没有基因、转录本或 CDS。',
  },
} as const satisfies DefectCatalogue
