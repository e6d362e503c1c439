// What can be wrong with the files a lab loads, in the words that the lab reads.
//
// Severities:
//   error    the record cannot be used and no safe mend exists; a load that met one is refused
//   repair   the record was mended and is used; the text says how
//   warning  the record is used as it stands, or left out without harm to the others; the text says which

export type DefectSeverity = 'error' | 'repair' | 'warning'
export type DefectLanguage = 'en' | 'zh'

interface DefectKind {
  severity: DefectSeverity
  en: string
  zh: string
}

/** Words that a parameter may name as `@word`, so that a Chinese sentence does not hold an English one. */
const words: Record<string, { en: string; zh: string }> = {
  gene: { en: 'gene', zh: '基因' },
  transcript: { en: 'transcript', zh: '转录本' },
  strand: { en: 'strand', zh: '链' },
  sequence: { en: 'sequence', zh: '序列' },
  nucleotide: { en: 'nucleotide', zh: '核苷酸' },
  protein: { en: 'amino acid', zh: '氨基酸' },
  'cds-and-utr': { en: 'its CDS and UTR lines', zh: '其 CDS 与 UTR 行' },
  'whole-span': { en: 'its whole span', zh: '其整个区间' },
  term: { en: 'term', zh: '术语' },
  'gene-name': { en: 'gene', zh: '基因' },
  'go-term': { en: 'GO identifier such as GO:0008150', zh: 'GO 编号（如 GO:0008150）' },
  'whole-number': { en: 'a whole number', zh: '整数' },
  number: { en: 'a number', zh: '数字' },
  'strand-sign': { en: 'one of + - .', zh: '+ - . 之一' },
  bases: { en: 'bases (A, C, G, T, N, …)', zh: '碱基（A、C、G、T、N 等）' },
  'yaml-text': { en: 'a text', zh: '文本' },
  'yaml-text-for-readers': { en: 'a text, or { en: …, zh: … }', zh: '文本，或 { en: …, zh: … }' },
  'yaml-number': { en: 'a number', zh: '数字' },
  'yaml-truth': { en: 'true or false', zh: ' true 或 false' },
  'yaml-list': { en: 'a list', zh: '列表' },
  'yaml-entries': { en: 'entries with values', zh: '若干条目及其值' },
  'yaml-nothing': { en: 'nothing', zh: '空值' },
  'genome-alignments': { en: 'the alignment of assemblies', zh: '基因组间比对' },
  'minus-log10-p': { en: '-log10(p)', zh: '-log10(P)' },
  'log10-p': { en: 'log10(p)', zh: 'log10(P)' },
  value: { en: 'the value', zh: '数值' },
  score: { en: 'the score', zh: '得分' },
  statistic: { en: 'an effect or a test statistic', zh: '效应值或检验统计量' },
  'blocks-within': {
    en: 'blocks that fill the feature from its start to its end',
    zh: '从特征起点到终点依次排列的区块',
  },
}

/** Every defect there is. `{name}` in a text stands for the parameter of that name. */
export const defectCatalogue = {
  // ---- any text file
  'text-empty': {
    severity: 'error',
    en: 'The file is empty.',
    zh: '文件为空。',
  },
  'text-byte-order-mark': {
    severity: 'repair',
    en: 'The file begins with a UTF-8 byte order mark; it was skipped.',
    zh: '文件以 UTF-8 字节顺序标记（BOM）开头，已跳过。',
  },
  'text-other-encoding': {
    severity: 'repair',
    en: 'The text is {encoding}; it was read so. Save it as UTF-8 to be sure of every letter.',
    zh: '文本编码为 {encoding}，已按此读取。建议另存为 UTF-8，以确保文字无误。',
  },
  'text-encoding-mixed': {
    severity: 'error',
    en: 'The line is not {before}, as the lines before it are: the file is put together from texts of several encodings. Save all of it as UTF-8.',
    zh: '该行的编码与其前各行（{before}）不同：文件由多种编码的文本拼接而成。请将全部内容另存为 UTF-8。',
  },
  'text-encoding-unclear': {
    severity: 'error',
    en: 'The line is not valid UTF-8, and whether it is GB18030 (GBK) or Windows-1252 (Latin-1) cannot be told. Save the file as UTF-8.',
    zh: '该行不是有效的 UTF-8，也无法判断其为 GB18030（GBK）还是 Windows-1252（Latin-1）。请将文件另存为 UTF-8。',
  },
  'text-utf8-damaged': {
    severity: 'error',
    en: 'The line is UTF-8 with broken characters: the text was cut within a character, or put together from texts of several encodings.',
    zh: '该行为 UTF-8，但含有不完整的字符：文本在字符中间被截断，或由多种编码的文本拼接而成。',
  },
  'text-utf16-damaged': {
    severity: 'error',
    en: 'The file is UTF-16 with broken characters: it is cut off, or damaged. Save it as UTF-8.',
    zh: '文件为 UTF-16，但含有不完整的字符：文件被截断或已损坏。请另存为 UTF-8。',
  },
  'text-archive': {
    severity: 'error',
    en: 'The file is an archive ({kind}) of files. Unpack it, and name the file that is wanted.',
    zh: '文件是归档文件（{kind}），其中包含多个文件。请先解包，再指定所需的文件。',
  },
  'text-compressed': {
    severity: 'error',
    en: 'The content is still compressed ({kind}). Unpack it; only gzip and bgzip are read as they are.',
    zh: '内容仍处于压缩状态（{kind}）。请先解压；仅 gzip 与 bgzip 可直接读取。',
  },
  'text-binary': {
    severity: 'error',
    en: 'The line holds a NUL byte: this is not a text file.',
    zh: '该行含有 NUL 字节，这不是文本文件。',
  },
  'text-html': {
    severity: 'error',
    en: 'The file is a web page (HTML), not data. Was a download link answered by a login or error page?',
    zh: '文件是网页（HTML）而不是数据。下载链接返回的可能是登录页或错误页。',
  },
  'text-not-utf8': {
    severity: 'repair',
    en: 'The line is not valid UTF-8; it was read as Windows-1252 (Latin-1).',
    zh: '该行不是有效的 UTF-8，已按 Windows-1252（Latin-1）读取。',
  },
  'text-old-mac-newlines': {
    severity: 'repair',
    en: 'Lines end with a carriage return only (old Macintosh); each was taken as a line end.',
    zh: '行尾仅为回车符（旧版 Macintosh），已按换行处理。',
  },

  // ---- shares of any file
  'rows-unusable': {
    severity: 'error',
    en: '{count} of {total} rows ({percent} %) cannot be used (first: {example}); with more than {max} % the file is refused. Is it of another assembly, or a column under another heading?',
    zh: '{total} 行中有 {count} 行（{percent}%）无法使用（首个：{example}）；超过 {max}% 时拒绝整个文件。该文件是否属于其他组装版本，或某列的表头有误？',
  },
  'rows-unknown': {
    severity: 'error',
    en: '{count} of {total} rows ({percent} %) name genes, sequences or terms that the assembly does not have (first: {example}); with more than {max} % the file is refused. Is it of another assembly, annotation or ontology?',
    zh: '{total} 行中有 {count} 行（{percent}%）所指的基因、序列或术语不在该组装版本中（首个：{example}）；超过 {max}% 时拒绝整个文件。该文件是否属于其他组装版本、注释或本体？',
  },

  // ---- delimited tables
  'table-line-break': {
    severity: 'repair',
    en: 'A quoted cell of this row goes over {lines} lines; each line break was read as a blank.',
    zh: '该行中带引号的单元格跨 {lines} 行，换行已按空格读取。',
  },
  'table-quote-open': {
    severity: 'error',
    en: 'A quote (") that begins a cell of this row is not closed within the row.',
    zh: '该行中有单元格以引号（"）开头，但在本行记录内未闭合。',
  },
  'table-quote-inside': {
    severity: 'error',
    en: 'A quoted cell of this row goes on behind its closing quote. A quote within a quoted cell is written twice ("").',
    zh: '该行中带引号的单元格在右引号之后仍有内容。带引号的单元格内部的引号须双写（""）。',
  },

  // ---- FASTA
  'fasta-no-header': {
    severity: 'error',
    en: 'Sequence stands before the first ">" line.',
    zh: '第一个“>”行之前出现了序列。',
  },
  'fasta-no-sequences': {
    severity: 'error',
    en: 'The file holds no FASTA record.',
    zh: '文件中没有 FASTA 记录。',
  },
  'fasta-other-format': {
    severity: 'error',
    en: 'This is {found}, not FASTA. Give the sequence as a FASTA file of its own; gene models in GenBank or GFF3 belong to "genes".',
    zh: '这是 {found}，不是 FASTA。请将序列另存为单独的 FASTA 文件；GenBank 或 GFF3 中的基因模型应写在“genes”条目下。',
  },
  'fasta-no-residues': {
    severity: 'error',
    en: 'The genome has no base at all: its files hold nothing but ">" lines.',
    zh: '基因组中没有任何碱基：文件中仅有“>”行。',
  },
  'fasta-empty-name': {
    severity: 'repair',
    en: 'The ">" line has no name; the sequence was named {name}.',
    zh: '“>”行没有名称，该序列已命名为 {name}。',
  },
  'fasta-space-before-name': {
    severity: 'repair',
    en: 'Blanks stand between ">" and the name; {name} was taken as the name.',
    zh: '“>”与名称之间有空白，已将 {name} 作为名称。',
  },
  'fasta-duplicate-name': {
    severity: 'error',
    en: 'The sequence name {name} was used before, at line {firstLine}.',
    zh: '序列名称 {name} 已在第 {firstLine} 行使用过。',
  },
  'fasta-empty-sequence': {
    severity: 'warning',
    en: 'The sequence {name} has no residues.',
    zh: '序列 {name} 没有任何残基。',
  },
  'fasta-illegal-character': {
    severity: 'error',
    en: 'The character {character} in {name}, column {column}, is no {alphabet} code.',
    zh: '{name} 第 {column} 列的字符 {character} 不是{alphabet}代码。',
  },
  'fasta-blanks-or-digits': {
    severity: 'repair',
    en: 'Blanks or digits inside the sequence {name} were removed.',
    zh: '序列 {name} 中的空白或数字已删除。',
  },
  'fasta-gaps-removed': {
    severity: 'repair',
    en: 'Gap signs "-" in {name} were removed: an aligned sequence was given.',
    zh: '{name} 中的缺口符号“-”已删除：提供的是比对后的序列。',
  },
  'fasta-gaps': {
    severity: 'error',
    en: '{name} has gap signs "-": without them every place behind would move. Give the sequence as it is, with N for unknown bases.',
    zh: '{name} 含有缺口符号“-”：若删除，其后所有坐标都会移位。请提供未比对的序列，未知碱基以 N 表示。',
  },
  'fasta-dot-as-stop': {
    severity: 'repair',
    en: '"." in the protein {name} was read as a stop ("*").',
    zh: '蛋白质 {name} 中的“.”已按终止符（“*”）读取。',
  },
  'fasta-internal-stop': {
    severity: 'warning',
    en: 'The protein {name} has a stop ("*") inside.',
    zh: '蛋白质 {name} 内部含有终止符（“*”）。',
  },

  // ---- lines of GFF3, GTF
  'gff-no-features': {
    severity: 'error',
    en: 'The file holds no feature line.',
    zh: '文件中没有任何特征行。',
  },
  'gff-other-format': {
    severity: 'error',
    en: 'This is {found}, not {expected}.',
    zh: '这是 {found}，不是 {expected}。',
  },
  'gff-column-count': {
    severity: 'error',
    en: 'The line has {found} columns; a feature has 9, separated by tabs.',
    zh: '该行有 {found} 列；每个特征应为 9 列，以制表符分隔。',
  },
  'gff-attributes-absent': {
    severity: 'repair',
    en: 'The ninth column (attributes) is absent; it was read as empty.',
    zh: '缺少第九列（属性），已按空值读取。',
  },
  'gff-spaces-for-tabs': {
    severity: 'repair',
    en: 'The columns are separated by blanks instead of tabs; the line was split at the blanks.',
    zh: '各列以空格而非制表符分隔，已按空格拆分。',
  },
  'gff-extra-tabs': {
    severity: 'repair',
    en: 'The line has tabs inside the attributes; they were read as blanks.',
    zh: '属性列内含有制表符，已按空格读取。',
  },
  'gff-columns-behind': {
    severity: 'repair',
    en: 'The line has {found} columns; a feature has 9. What stands behind the attributes ("{text}") was left out.',
    zh: '该行有 {found} 列，而每个特征应为 9 列；属性列之后的内容（“{text}”）已略去。',
  },
  'gtf-gene-id-empty': {
    severity: 'repair',
    en: 'The gene_id of this {type} is empty; its gene was told by transcript and place.',
    zh: '该 {type} 的 gene_id 为空，已根据转录本与位置确定其所属基因。',
  },
  'gff-bad-coordinate': {
    severity: 'error',
    en: 'The {column} "{value}" is not a whole number.',
    zh: '{column} 列的值“{value}”不是整数。',
  },
  'gff-start-zero': {
    severity: 'error',
    en: 'The start is 0. GFF and GTF count from 1: was the file written with BED coordinates?',
    zh: '起点为 0。GFF 和 GTF 从 1 开始计数：该文件是否使用了 BED 坐标？',
  },
  'gff-start-after-end': {
    severity: 'repair',
    en: 'The start {start} lies after the end {end}; the two were exchanged.',
    zh: '起点 {start} 大于终点 {end}，已互换。',
  },
  'gff-empty-feature': {
    severity: 'warning',
    en: 'The {type} {start}..{end} holds no base (its end lies one before its start); it was left out.',
    zh: '{type} {start}..{end} 不含任何碱基（终点比起点小 1），已略去。',
  },
  'gff-bad-strand': {
    severity: 'repair',
    en: 'The strand "{value}" was read as "{used}".',
    zh: '链“{value}”已按“{used}”读取。',
  },
  'gff-bad-phase': {
    severity: 'repair',
    en: 'The phase "{value}" is none of 0, 1, 2; it was treated as missing.',
    zh: '相位“{value}”不是 0、1、2 之一，已视为缺失。',
  },
  'gff-bad-score': {
    severity: 'repair',
    en: 'The score "{value}" is not a number; it was left out.',
    zh: '得分“{value}”不是数字，已略去。',
  },
  'gff-attribute-unescaped': {
    severity: 'repair',
    en: 'An attribute value holds an unescaped ";"; the piece "{piece}" was joined to the value before it.',
    zh: '属性值中含有未转义的“;”，片段“{piece}”已并入前一个值。',
  },
  'gff-bad-escape': {
    severity: 'warning',
    en: 'An attribute holds a "%" that begins no escape; it was kept as written.',
    zh: '属性中有不构成转义的“%”，已原样保留。',
  },
  'gff-old-attributes': {
    severity: 'repair',
    en: 'The attributes are written in the GFF2 manner (key "value"); they were read so.',
    zh: '属性采用 GFF2 写法（key "value"），已按此读取。',
  },

  // ---- gene models
  'model-parent-missing': {
    severity: 'repair',
    en: 'The parent "{parent}" of this {type} is nowhere in the file; a {made} of that name was made from its parts.',
    zh: '该 {type} 的父特征“{parent}”不在文件中，已由其组成部分生成同名的 {made}。',
  },
  'model-parent-by-place': {
    severity: 'repair',
    en: 'The {type} {transcript} names no gene that is in the file; it was put under the gene {gene}, the only one without transcripts that holds it on its strand.',
    zh: '{type} {transcript} 未指明文件中的任何基因，已归入同一链上唯一包含它且尚无转录本的基因 {gene}。',
  },
  'model-gene-made': {
    severity: 'repair',
    en: 'The {type} {transcript} belongs to no gene; the gene {gene} was made for it.',
    zh: '{type} {transcript} 不属于任何基因，已为其生成基因 {gene}。',
  },
  'model-transcript-made': {
    severity: 'repair',
    en: 'The {type} lies directly under the gene {gene}; the transcript {transcript} was made for it.',
    zh: '{type} 直接位于基因 {gene} 之下，已为其生成转录本 {transcript}。',
  },
  'model-cds-orphan': {
    severity: 'repair',
    en: 'The CDS has no parent; the gene {gene} was made for it.',
    zh: '该编码序列（CDS）没有父特征，已为其生成基因 {gene}。',
  },
  'model-exon-orphan': {
    severity: 'warning',
    en: 'The {type} names no parent and no gene; it belongs to no gene model and was left out.',
    zh: '该 {type} 未注明父特征或基因，不属于任何基因模型，已略去。',
  },
  'model-parent-by-locus-tag': {
    severity: 'repair',
    en: 'The {type} names no parent; it was put under the gene {gene}, which has the same locus tag.',
    zh: '该 {type} 未注明父特征，已归入具有相同 locus tag 的基因 {gene}。',
  },
  'model-cds-given-to-transcript': {
    severity: 'repair',
    en: 'The CDS lies beside the transcripts of the gene {gene}; it was given to {transcript}, whose exons hold it.',
    zh: '该 CDS 与基因 {gene} 的转录本并列，已归入外显子包含它的转录本 {transcript}。',
  },
  'model-parent-cycle': {
    severity: 'repair',
    en: 'The feature {id} is its own ancestor; its Parent was ignored.',
    zh: '特征 {id} 是其自身的祖先，其 Parent 已忽略。',
  },
  'model-duplicate-renamed': {
    severity: 'repair',
    en: 'The {type} ID {id} was used before, at line {firstLine}; this one was renamed {renamed}.',
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
    en: 'The transcript {transcript} has no exon lines; its exons were made from {source}.',
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
    en: 'The CDS phases of {transcript} ({given}) do not fit the lengths of its parts; they were computed anew ({computed}).',
    zh: '{transcript} 的编码序列相位（{given}）与各段长度不符，已重新计算（{computed}）。',
  },
  'model-cds-length': {
    severity: 'warning',
    en: 'The CDS of {transcript} is {length} bases long from its first whole codon on, not a multiple of three; its last codon is incomplete.',
    zh: '{transcript} 的编码序列自首个完整密码子起长 {length} 个碱基，不是 3 的倍数，末尾密码子不完整。',
  },
  'model-stop-codon-joined': {
    severity: 'repair',
    en: 'The stop codon of {transcript} lay outside its CDS (the GTF manner); the CDS was extended over it.',
    zh: '{transcript} 的终止密码子位于 CDS 之外（GTF 惯例），已将 CDS 延伸至包含它。',
  },
  'model-exons-overlap': {
    severity: 'repair',
    en: 'Exons of {transcript} overlap; they were merged.',
    zh: '{transcript} 的外显子有重叠，已合并。',
  },
  'model-cds-outside-exon': {
    severity: 'repair',
    en: 'The CDS of {transcript} reaches outside its exons; the exons were extended.',
    zh: '{transcript} 的编码序列超出其外显子，外显子已延伸。',
  },
  'model-second-cds': {
    severity: 'repair',
    en: 'The transcript {transcript} has more than one CDS; {made} was made for the further one.',
    zh: '转录本 {transcript} 有多个 CDS，已为另一个生成 {made}。',
  },
  'model-span-extended': {
    severity: 'repair',
    en: 'The {type} {id} ({given}) does not hold all its parts; it was extended to {used}.',
    zh: '{type} {id}（{given}）未包含其全部组成部分，已扩展为 {used}。',
  },
  'model-span-trimmed': {
    severity: 'repair',
    en: 'The {type} {id} ({given}) is longer than its exons; {used} was used.',
    zh: '{type} {id}（{given}）长于其外显子，已采用 {used}。',
  },
  'model-strand-from-parts': {
    severity: 'repair',
    en: 'The strand "{given}" of {id} differs from that of its parts; "{used}" was taken from them.',
    zh: '{id} 的链“{given}”与其组成部分不一致，已采用后者的“{used}”。',
  },
  'model-strand-unknown': {
    severity: 'warning',
    en: 'The coding gene {gene} has no strand; its protein is read on the forward strand.',
    zh: '编码基因 {gene} 没有链信息，其蛋白质按正链读取。',
  },
  'model-split-off': {
    severity: 'repair',
    en: 'The {type} {transcript} lies on another {what} than its gene {gene}; the gene {made} was made for it.',
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
    en: 'The gene {gene} crosses the origin of the circular sequence {sequence}; its end is counted on beyond the length.',
    zh: '基因 {gene} 跨越环状序列 {sequence} 的起点，其终点按超出序列长度继续计数。',
  },
  'model-pseudogene-cds': {
    severity: 'warning',
    en: 'The gene {gene} is a pseudogene: the CDS of {transcript} was kept as exons, and no protein is made of it.',
    zh: '基因 {gene} 为假基因：{transcript} 的 CDS 仅作为外显子保留，不生成蛋白质。',
  },
  'model-sequence-renamed': {
    severity: 'repair',
    en: 'The sequence {from} is called {to} in the genome; its {count} features were put there.',
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
    en: 'The {type} {start}..{end} reaches beyond {sequence} ({length} bases); it was cut to {used}.',
    zh: '{type} {start}..{end} 超出 {sequence}（{length} 个碱基），已截为 {used}。',
  },
  'model-beyond-left-out': {
    severity: 'warning',
    en: 'The {type} {start}..{end} lies beyond {sequence} ({length} bases); it was left out. Does the annotation belong to this assembly?',
    zh: '{type} {start}..{end} 位于 {sequence}（{length} 个碱基）之外，已略去。该注释是否属于此组装版本？',
  },
  'model-no-genes': {
    severity: 'warning',
    en: 'The file holds features but no gene, transcript or CDS.',
    zh: '文件中有特征，但没有基因、转录本或 CDS。',
  },

  // ---- GenBank flat files
  'genbank-no-record': {
    severity: 'error',
    en: 'The file holds no GenBank record (no LOCUS line).',
    zh: '文件中没有 GenBank 记录（缺少 LOCUS 行）。',
  },
  'genbank-no-end': {
    severity: 'repair',
    en: 'The record {name} does not end with "//"; the end of the file was taken as its end.',
    zh: '记录 {name} 未以“//”结束，已将文件末尾视为其结尾。',
  },
  'genbank-bad-location': {
    severity: 'error',
    en: 'The location "{location}" of this {type} cannot be read.',
    zh: '无法解读该 {type} 的位置“{location}”。',
  },
  'genbank-origin-wrap': {
    severity: 'repair',
    en: 'The location "{location}" of this {type} runs backwards on a circular sequence; it was read as one across the origin.',
    zh: '该 {type} 的位置“{location}”在环状序列上为逆向，已按跨越起点读取。',
  },
  'genbank-linear-origin': {
    severity: 'warning',
    en: 'The {type} at {location} goes over the ends of {name}, which the LOCUS line calls linear: its parts are read in ascending order, and its protein is wrong if the sequence is a circle. Then name the sequence in species.yaml with "circular: true".',
    zh: '位于 {location} 的 {type} 跨越 {name} 的两端，而 LOCUS 行标明该序列为线状：其各段按升序读取；若序列实为环状，则所得蛋白质有误，请在 species.yaml 中为该序列注明“circular: true”。',
  },
  'genbank-protein': {
    severity: 'error',
    en: 'The record {name} is a protein (aa); gene models need the record of its genome.',
    zh: '记录 {name} 是蛋白质（aa）；基因模型需要其基因组的记录。',
  },
  'genbank-remote-part': {
    severity: 'warning',
    en: 'The {type} has a part in another record ({remote}); that part was left out.',
    zh: '该 {type} 有一部分位于另一条记录（{remote}），该部分已略去。',
  },
  'genbank-length-differs': {
    severity: 'warning',
    en: 'The LOCUS line of {name} says {expected} bases, the sequence has {found}.',
    zh: '{name} 的 LOCUS 行标明 {expected} 个碱基，实际序列为 {found} 个。',
  },

  // ---- functional annotation
  'annotation-no-rows': {
    severity: 'error',
    en: 'The file holds no annotation line.',
    zh: '文件中没有注释行。',
  },
  'annotation-column-count': {
    severity: 'error',
    en: 'The line has {found} columns; {format} has {expected}.',
    zh: '该行有 {found} 列；{format} 应为 {expected} 列。',
  },
  'annotation-other-separator': {
    severity: 'repair',
    en: 'The columns are separated by blanks, commas or semicolons instead of tabs; all lines were split as the first.',
    zh: '各列以空格、逗号或分号而非制表符分隔，各行已按首行的分隔方式拆分。',
  },
  'annotation-empty-field': {
    severity: 'warning',
    en: 'The {field} is empty; the line was left out.',
    zh: '{field} 为空，该行已略去。',
  },
  'annotation-term-unknown': {
    severity: 'warning',
    en: 'The term {term} is not in the ontology {source} that is loaded; it was kept without a name and without its ancestors.',
    zh: '术语 {term} 不在已加载的本体 {source} 中，已保留，但没有名称和上级术语。',
  },
  'annotation-version': {
    severity: 'error',
    en: 'The file is of {program}, whose columns are others than those of version 2; it cannot be read so far. Give an annotation of version 2, or a table of genes and terms.',
    zh: '该文件由 {program} 生成，其列与第 2 版不同，目前无法读取。请提供第 2 版的注释，或由基因与术语组成的表格。',
  },
  'annotation-bad-term': {
    severity: 'warning',
    en: '"{term}" is not a {expected}; the line was left out.',
    zh: '“{term}”不是 {expected}，该行已略去。',
  },
  'annotation-bad-evidence': {
    severity: 'warning',
    en: 'The evidence code "{evidence}" is unknown; it was kept as written.',
    zh: '证据代码“{evidence}”未知，已原样保留。',
  },
  'annotation-bad-aspect': {
    severity: 'repair',
    en: 'The aspect "{aspect}" is none of F, P, C; it was left out.',
    zh: '分支“{aspect}”不是 F、P、C 之一，已略去。',
  },
  'annotation-bad-number': {
    severity: 'repair',
    en: 'The {field} "{value}" is not a number; it was left out.',
    zh: '{field} 的值“{value}”不是数字，已略去。',
  },

  // ---- ontologies
  'obo-no-terms': {
    severity: 'error',
    en: 'The file holds no [Term] stanza.',
    zh: '文件中没有 [Term] 段。',
  },
  'obo-bad-line': {
    severity: 'warning',
    en: 'The line has no "tag: value"; it was left out.',
    zh: '该行不是“标签: 值”的形式，已略去。',
  },
  'obo-term-without-id': {
    severity: 'warning',
    en: 'The [Term] stanza has no id; it was left out.',
    zh: '该 [Term] 段没有 id，已略去。',
  },
  'obo-duplicate-id': {
    severity: 'repair',
    en: 'The term {term} is defined again (first at line {firstLine}); the two definitions were merged.',
    zh: '术语 {term} 被重复定义（首次见第 {firstLine} 行），两处定义已合并。',
  },
  'obo-parent-missing': {
    severity: 'warning',
    en: 'The term {term} names {parent}, which is not in the file; that link was left out.',
    zh: '术语 {term} 所指的 {parent} 不在文件中，该关系已略去。',
  },
  'obo-cycle': {
    severity: 'warning',
    en: 'The term {term} is its own ancestor.',
    zh: '术语 {term} 是其自身的祖先。',
  },

  // ---- references
  'reference-none': {
    severity: 'error',
    en: 'The file holds no reference.',
    zh: '文件中没有参考文献。',
  },
  'reference-unfinished': {
    severity: 'error',
    en: 'The entry {key} does not end: a brace or quote is not closed.',
    zh: '条目 {key} 没有结束：有未闭合的花括号或引号。',
  },
  'reference-no-end': {
    severity: 'repair',
    en: 'The record does not end with "ER  -"; it was ended before the next one.',
    zh: '该记录未以“ER  -”结束，已在下一条记录之前结束。',
  },
  'reference-bad-line': {
    severity: 'warning',
    en: 'The line belongs to no record; it was left out.',
    zh: '该行不属于任何记录，已略去。',
  },
  'reference-unknown-key': {
    severity: 'error',
    en: 'Genes are named for {key}, but the file has no reference of this key.',
    zh: '为 {key} 指定了基因，但文件中没有该键的参考文献。',
  },
  'reference-no-title': {
    severity: 'warning',
    en: 'The reference {key} has no title.',
    zh: '参考文献 {key} 没有标题。',
  },
  'reference-key-missing': {
    severity: 'repair',
    en: 'The entry has no key; it was named {key}.',
    zh: '该条目没有键名，已命名为 {key}。',
  },
  'reference-duplicate-key': {
    severity: 'repair',
    en: 'The key {key} was used before; this entry was renamed {renamed}.',
    zh: '键名 {key} 已被使用，此条目改名为 {renamed}。',
  },
  'reference-unknown-string': {
    severity: 'warning',
    en: 'The abbreviation {name} is not defined; its name was kept.',
    zh: '缩写 {name} 未定义，保留其名称。',
  },

  // ---- tracks
  'track-no-rows': {
    severity: 'warning',
    en: 'The track holds no feature.',
    zh: '该轨道没有任何特征。',
  },
  'variants-columns': {
    severity: 'error',
    en: 'The record has {found} columns, the heading {expected}. Is the file cut off here, or were samples taken out of the heading alone?',
    zh: '该记录有 {found} 列，表头有 {expected} 列。文件是否在此处截断，或仅从表头中去除了样品？',
  },
  'track-column-count': {
    severity: 'error',
    en: 'The line has {found} columns; {format} needs {expected}.',
    zh: '该行有 {found} 列；{format} 需要 {expected} 列。',
  },
  'track-bad-coordinate': {
    severity: 'error',
    en: 'The {column} "{value}" is not a whole number from {min} up.',
    zh: '{column} 列的值“{value}”不是不小于 {min} 的整数。',
  },
  'track-start-after-end': {
    severity: 'error',
    en: 'The start {start} lies after the end {end}.',
    zh: '起点 {start} 大于终点 {end}。',
  },
  'track-bad-blocks': {
    severity: 'error',
    en: 'The blocks "{value}" do not fit the feature: as many sizes and starts as columns 10 to 12 say, in order, from its start to its end.',
    zh: '区块“{value}”与该特征不符：第 10 至 12 列的数量、长度与起点须一致、有序，并从特征起点延伸至终点。',
  },
  'track-sequence-renamed': {
    severity: 'repair',
    en: 'The sequence {from} is called {to} in the genome; its features were put there.',
    zh: '序列 {from} 在基因组中名为 {to}，其特征已归入该序列。',
  },
  'track-sequence-unknown': {
    severity: 'warning',
    en: 'The genome has no sequence {name}; its features ({count}) cannot be shown.',
    zh: '基因组中没有序列 {name}，其特征（{count} 个）无法显示。',
  },
  'track-sequences-unknown': {
    severity: 'warning',
    en: '{count} of the {total} sequences that the file names are not in the genome ({names}); what lies on them cannot be shown.',
    zh: '文件列出的 {total} 条序列中有 {count} 条不在基因组中（{names}），其上的数据无法显示。',
  },
  'track-sequences-all-unknown': {
    severity: 'error',
    en: 'No sequence name of this track is in the genome (here: {found}; genome: {expected}).',
    zh: '该轨道中的序列名称均不在基因组中（轨道：{found}；基因组：{expected}）。',
  },
  'track-lengths-differ': {
    severity: 'warning',
    en: 'Of {total} sequences that the file and the genome share, the lengths of {count} differ (file/genome: {names}): another release, and what lies on them may be off its place.',
    zh: '文件与基因组共有的 {total} 条序列中，有 {count} 条长度不同（文件/基因组：{names}）：版本不同，其上的数据位置可能有偏差。',
  },
  'track-lengths-all-differ': {
    severity: 'error',
    en: 'No sequence that the file shares with the genome has the same length (file/genome: {names}): the track is of another assembly.',
    zh: '文件与基因组共有的序列长度均不相同（文件/基因组：{names}）：该轨道属于另一组装版本。',
  },
  'track-names-too-many': {
    severity: 'warning',
    en: 'The track has more than {limit} named features: it is shown in the genome browser, but its names are not entered into the search.',
    zh: '轨道中有名称的特征超过 {limit} 个：仍可在基因组浏览器中显示，但其名称不进入搜索。',
  },
  'track-beyond-sequence': {
    severity: 'error',
    en: 'The feature ends at {end}, beyond {sequence} ({length} bases). Does the track belong to this assembly?',
    zh: '特征终点 {end} 超出 {sequence}（{length} 个碱基）。该轨道是否属于此组装版本？',
  },
  'vcf-no-fileformat': {
    severity: 'error',
    en: 'The first line is not "##fileformat=VCFv4.x".',
    zh: '首行不是“##fileformat=VCFv4.x”。',
  },
  'vcf-version': {
    severity: 'warning',
    en: 'The VCF version {version} is not one of 4.0 to 4.5; it was read like 4.2.',
    zh: 'VCF 版本 {version} 不在 4.0 至 4.5 之列，已按 4.2 读取。',
  },
  'vcf-no-column-line': {
    severity: 'error',
    en: 'The line "#CHROM POS ID REF ALT QUAL FILTER INFO" is missing.',
    zh: '缺少“#CHROM POS ID REF ALT QUAL FILTER INFO”行。',
  },
  'vcf-bad-column-line': {
    severity: 'error',
    en: 'Column {column} of the #CHROM line is "{value}"; {expected} is required.',
    zh: '#CHROM 行第 {column} 列为“{value}”，应为 {expected}。',
  },
  'vcf-duplicate-sample': {
    severity: 'error',
    en: 'The sample {sample} stands twice in the #CHROM line.',
    zh: '样本 {sample} 在 #CHROM 行中出现两次。',
  },

  // Variants with their consequences.
  'variants-reference-differs': {
    severity: 'warning',
    en: 'REF is {found}, but {sequence}:{position} is {expected} in the genome; the record was left out.',
    zh: 'REF 为 {found}，而基因组 {sequence}:{position} 处为 {expected}；该记录已略去。',
  },
  'variants-allele-beyond': {
    severity: 'error',
    en: 'A genotype of the record has the allele {allele}, but the record has {count} with REF. Were alternative alleles taken out without the genotypes?',
    zh: '该记录的某个基因型含等位基因编号 {allele}，而该记录连同 REF 仅有 {count} 个等位基因。是否删除了备选等位基因而未更新基因型？',
  },
  'variants-reference-all-differ': {
    severity: 'error',
    en: 'The REF of {count} in {total} records is not what the genome has there. The file belongs to another assembly.',
    zh: '{total} 条记录中有 {count} 条的 REF 与基因组不符。该文件属于其他组装版本。',
  },
  'variants-file-type': {
    severity: 'error',
    en: 'The file is no VCF or BCF.',
    zh: '该文件既不是 VCF 也不是 BCF。',
  },
  'variants-contig-lines-added': {
    severity: 'repair',
    en: 'The header has no ##contig lines; those of the genome were added.',
    zh: '文件头缺少 ##contig 行，已按基因组补上。',
  },
  'variants-consequences-failed': {
    severity: 'warning',
    en: 'bcftools csq could not tell the consequences ({reason}); the variants were loaded without them.',
    zh: 'bcftools csq 未能给出变异后果（{reason}）；变异已加载，但不含后果注释。',
  },
  'variants-genes-left-out': {
    severity: 'warning',
    en: '{count} transcripts were kept from bcftools csq, which cannot read them ({reason}); {names}.',
    zh: '{count} 个转录本未交给 bcftools csq，因其无法读取（{reason}）：{names}。',
  },

  // Pan-genome graphs.
  'alignment-line': {
    severity: 'error',
    en: 'The line is neither PAF nor part of a chain file ({reason}).',
    zh: '该行既不是 PAF，也不属于 chain 文件（{reason}）。',
  },
  'alignment-empty': {
    severity: 'error',
    en: 'The file has no alignment.',
    zh: '文件中没有比对记录。',
  },
  'alignment-other-length': {
    severity: 'error',
    en: 'The alignment is of another release: {name} has {found} bp in it, and {expected} bp in the genome.',
    zh: '该比对来自另一版本的基因组：{name} 在比对中长 {found} bp，在基因组中长 {expected} bp。',
  },
  'alignment-other-assembly': {
    severity: 'error',
    en: 'No sequence of this assembly is a query of the alignment (such as {example}). Is it the other way round? The assembly is the query, the reference the target.',
    zh: '比对的 query 中没有该组装版本的序列（例如 {example}）。方向是否相反？该组装版本应为 query，参考组装应为 target。',
  },
  'alignment-sequence-unknown': {
    severity: 'warning',
    en: '{count} sequences of the alignment are not in this assembly, such as {example}; their alignments were left out.',
    zh: '比对中有 {count} 条序列不属于该组装版本，例如 {example}；相应比对已略去。',
  },
  'alignment-other-reference': {
    severity: 'warning',
    en: 'The alignment of {assembly} is not to {reference}, the reference of the species ({name}, {length} bp, is not in it): it was aligned anew with minimap2.',
    zh: '{assembly} 的比对并非针对该物种的参考组装 {reference}（其中没有长 {length} bp 的 {name}）：已用 minimap2 重新比对。',
  },
  'graph-line': {
    severity: 'error',
    en: 'The line is not as GFA has it ({reason}).',
    zh: '该行不符合 GFA 格式（{reason}）。',
  },
  'graph-version': {
    severity: 'error',
    en: 'The file is GFA version {version}; 1.0 and 1.1 can be read.',
    zh: '该文件为 GFA {version} 版，可读取 1.0 与 1.1 版。',
  },
  'graph-overlaps': {
    severity: 'error',
    en: 'Segments overlap in a link ({overlap}); only graphs whose links are 0M can be read. Make the graph blunt first.',
    zh: '边上的片段有重叠（{overlap}）；只能读取边为 0M 的图，请先将其转换为无重叠的图。',
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
    en: 'The link leads to the segment {name}, which the file does not have.',
    zh: '该连接指向片段 {name}，而文件中没有此片段。',
  },
  'graph-node-unknown': {
    severity: 'error',
    en: 'Path {path} passes {name}, which the graph does not have.',
    zh: '路径 {path} 经过 {name}，而图中没有该片段。',
  },
  'graph-no-reference': {
    severity: 'error',
    en: 'No path of the graph is of this assembly: sample {sample} with sequences such as {expected} is looked for, and the graph has {found}. Say with `sample` whose paths are the assembly.',
    zh: '图中没有属于该组装的路径：需要样本 {sample} 及 {expected} 等序列，而图中有 {found}。请用 `sample` 指明哪些路径属于该组装。',
  },
  'graph-path-beyond': {
    severity: 'error',
    en: 'Path {path} ends at {found}, beyond the end of the sequence ({expected}). The graph is of another assembly.',
    zh: '路径 {path} 终止于 {found}，超出序列末端（{expected}）。该图属于另一个组装。',
  },
  'graph-bases-differ': {
    severity: 'error',
    en: 'Segment {name} does not have the bases of {sequence} from {position} on. The graph is of another assembly.',
    zh: '片段 {name} 的碱基与 {sequence} 自 {position} 起的碱基不同。该图属于另一个组装。',
  },

  // Contact maps.
  'contacts-no-map': {
    severity: 'error',
    en: 'This is no contact map: not a {format} file.',
    zh: '这不是接触矩阵文件：并非 {format} 格式。',
  },
  'contacts-version': {
    severity: 'error',
    en: 'The file follows version {version} of its format; {expected} can be read.',
    zh: '该文件的格式版本为 {version}，可读取的版本为 {expected}。',
  },
  'contacts-part-missing': {
    severity: 'error',
    en: 'The contact map has no "{part}".',
    zh: '接触矩阵中缺少“{part}”。',
  },
  'contacts-filter': {
    severity: 'error',
    en: '"{part}" is packed with {filter}; only deflate (gzip), shuffle and Fletcher32 can be read. Write it again with gzip.',
    zh: '“{part}”以 {filter} 压缩，仅可读取 deflate（gzip）、shuffle 与 Fletcher32。请以 gzip 重新写出。',
  },
  'contacts-inconsistent': {
    severity: 'error',
    en: 'The contact map contradicts itself: {part} is {found}, which should be {expected}.',
    zh: '接触矩阵前后矛盾：{part} 为 {found}，应为 {expected}。',
  },
  'contacts-cut-off': {
    severity: 'error',
    en: 'The contact map ends too early, after {bytes} bytes.',
    zh: '接触矩阵文件不完整，仅有 {bytes} 字节。',
  },
  'contacts-sequence-renamed': {
    severity: 'repair',
    en: 'The chromosome {from} of the map is called {to} in the genome; its contacts were put there.',
    zh: '接触矩阵中的染色体 {from} 在基因组中名为 {to}，其接触已归入该序列。',
  },
  'contacts-sequence-unknown': {
    severity: 'warning',
    en: 'The genome has no sequence {name}; its contacts cannot be shown.',
    zh: '基因组中没有序列 {name}，其接触数据无法显示。',
  },
  'contacts-sequences-all-unknown': {
    severity: 'error',
    en: 'No chromosome of this map is in the genome (map: {found}; genome: {expected}).',
    zh: '该接触矩阵的染色体均不在基因组中（矩阵：{found}；基因组：{expected}）。',
  },
  'contacts-length-near': {
    severity: 'warning',
    en: 'The map has {name} with {found} bases, the genome {expected}: another release, and positions may be off by less than a bin.',
    zh: '接触矩阵中 {name} 有 {found} 个碱基，基因组中为 {expected} 个：版本不同，位置偏差小于一个 bin。',
  },
  'contacts-length-far': {
    severity: 'error',
    en: 'The map has {name} with {found} bases, the genome {expected}: another assembly.',
    zh: '接触矩阵中 {name} 有 {found} 个碱基，而基因组中为 {expected} 个：属于另一组装版本。',
  },

  // Tables of windows of population statistics.
  'windows-no-place': {
    severity: 'error',
    en: 'The table does not say where its windows lie: no columns for sequence and start ({heading}).',
    zh: '表中未说明窗口位置：缺少序列与起点列（{heading}）。',
  },
  'windows-no-values': {
    severity: 'error',
    en: 'The table has no column of values ({heading}).',
    zh: '表中没有数值列（{heading}）。',
  },
  'windows-no-numbers': {
    severity: 'error',
    en: 'No window has a number in {columns}. Name the columns of values in the manifest (columns).',
    zh: '{columns} 列中没有任何窗口的值为数字。请在清单中指定数值列（columns）。',
  },
  'windows-no-column': {
    severity: 'error',
    en: 'The table has no column "{column}".',
    zh: '表中没有“{column}”列。',
  },
  'windows-none': {
    severity: 'error',
    en: 'The table has no window that can be read.',
    zh: '表中没有可读取的窗口。',
  },
  'windows-too-many': {
    severity: 'error',
    en: 'The table has more than {limit} windows.',
    zh: '表中窗口超过 {limit} 个。',
  },
  'windows-columns': {
    severity: 'warning',
    en: 'The line has {found} columns, the heading {expected}; it was left out.',
    zh: '该行有 {found} 列，表头有 {expected} 列，已略去该行。',
  },
  'windows-place': {
    severity: 'warning',
    en: 'The window from "{start}" to "{end}" is none; the line was left out.',
    zh: '“{start}”至“{end}”不构成窗口，已略去该行。',
  },
  'windows-sequence-renamed': {
    severity: 'repair',
    en: 'The sequence {from} of the table is called {to} in the genome; its windows were put there.',
    zh: '表中的序列 {from} 在基因组中名为 {to}，其窗口已归入该序列。',
  },
  'windows-sequence-unknown': {
    severity: 'warning',
    en: 'The genome has no sequence {name}; its {count} windows were left out.',
    zh: '基因组中没有序列 {name}，其 {count} 个窗口已略去。',
  },
  'windows-sequences-all-unknown': {
    severity: 'error',
    en: 'No sequence of this table is in the genome (table: {found}; genome: {expected}).',
    zh: '该表的序列均不在基因组中（表：{found}；基因组：{expected}）。',
  },
  'windows-beyond-end': {
    severity: 'repair',
    en: '{count} windows reach beyond the end of their sequence, as windows of a fixed width do; they were cut there.',
    zh: '{count} 个窗口超出序列末端（固定宽度的窗口常有此情况），已在末端截断。',
  },
  'windows-outside': {
    severity: 'error',
    en: 'A window begins at {start} of {name}, which has {length} bases: the table is of another assembly.',
    zh: '有窗口起始于 {name} 的 {start}，而该序列仅 {length} bp：此表属于另一组装版本。',
  },

  // The species folder and its manifest.
  'manifest-missing': {
    severity: 'error',
    en: 'There is no species.yaml in {folder}.',
    zh: '{folder} 中没有 species.yaml。',
  },
  'manifest-aliases': {
    severity: 'error',
    en: 'The aliases (*name) of the file expand to more entries than a manifest can have. Write the entries out.',
    zh: '文件中的别名引用（*name）展开后的条目过多，超出清单文件的上限。请将各条目直接写出。',
  },
  'manifest-unreadable': {
    severity: 'error',
    en: 'The manifest cannot be read as YAML: {reason}',
    zh: '清单文件不是有效的 YAML：{reason}',
  },
  'manifest-entry': {
    severity: 'error',
    en: 'Entry {entry}: {reason}',
    zh: '条目 {entry}：{reason}',
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
    en: 'There is no entry {entry}; is {name} meant?',
    zh: '没有名为 {entry} 的条目；是否应为 {name}？',
  },
  'manifest-entry-kind': {
    severity: 'error',
    en: 'Entry {entry} should be {expected}; here is {found}.',
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
    en: 'Entry {entry}: nothing under {list} has the id {id}. There are: {known}',
    zh: '条目 {entry}：{list} 中没有 id 为 {id} 的数据。现有：{known}',
  },
  'manifest-sequence-unknown': {
    severity: 'error',
    en: 'The genome of {assembly} has no sequence {name}, which stands under sequences.',
    zh: '{assembly} 的基因组中没有 sequences 所列的序列 {name}。',
  },
  'manifest-duplicate-assembly': {
    severity: 'error',
    en: 'Two assemblies are named {assembly}.',
    zh: '有两个组装版本同名：{assembly}。',
  },
  'manifest-assembly-taken': {
    severity: 'error',
    en: 'The assembly {assembly} is already loaded for the species {species}; names of assemblies are unique in a portal.',
    zh: '组装版本 {assembly} 已属于物种 {species}；同一站点内组装版本的名称不得重复。',
  },
  'file-missing': {
    severity: 'error',
    en: 'There is no such file.',
    zh: '找不到该文件。',
  },
  'file-outside-folder': {
    severity: 'error',
    en: 'The entry {entry} names a file outside the species folder, which a load from the page does not read: put the file into the folder, or load the folder with the command novodb load.',
    zh: '条目 {entry} 指向物种文件夹以外的文件，从页面加载时不予读取：请把该文件放入文件夹内，或改用命令 novodb load 加载。',
  },
  'file-not-a-file': {
    severity: 'error',
    en: 'This is not a file.',
    zh: '这不是一个文件。',
  },
  'file-empty': {
    severity: 'error',
    en: 'The file is empty.',
    zh: '文件为空。',
  },
  'file-too-large': {
    severity: 'error',
    en: 'The file is larger than the {limit} MB that are read of a file of this kind.',
    zh: '文件大于此类文件可读取的上限（{limit} MB）。',
  },
  'file-damaged': {
    severity: 'error',
    en: 'The file is damaged: {reason}',
    zh: '文件已损坏：{reason}',
  },
  // ---- expression
  'expression-empty': {
    severity: 'error',
    en: 'The matrix has no row of values: a heading with the samples is expected, then a row a gene.',
    zh: '矩阵中没有数据行：应先为样本标题行，其后每个基因一行。',
  },
  'expression-columns': {
    severity: 'error',
    en: 'The row has {found} cells, the heading makes {expected} expected.',
    zh: '该行有 {found} 个单元格，按标题行应为 {expected} 个。',
  },
  'expression-no-name': {
    severity: 'warning',
    en: 'The row names no gene; it was left out.',
    zh: '该行没有基因名称，已略去。',
  },
  'expression-value': {
    severity: 'error',
    en: 'The value "{value}" of {gene} in {sample} is no number. Leave the cell empty, or write NA, where nothing was measured.',
    zh: '{gene} 在 {sample} 中的值“{value}”不是数字。未测得的值请留空或写 NA。',
  },
  'expression-negative': {
    severity: 'error',
    en: 'The value {value} of {gene} in {sample} is below zero, which the unit does not allow. Is it a logarithm or a ratio (unit: log2 or log2ratio)?',
    zh: '{gene} 在 {sample} 中的值 {value} 小于零，与所写单位不符。是否为对数或比值（unit 应为 log2 或 log2ratio）？',
  },
  'expression-sample-repeated': {
    severity: 'error',
    en: '{count} columns are headed {sample}: which of them is the sample cannot be told.',
    zh: '有 {count} 列的标题同为 {sample}，无法判断哪一列是该样本。',
  },
  'expression-sample-absent': {
    severity: 'warning',
    en: '{count} samples of the sheet are no columns of the matrix ({names}); they were left out.',
    zh: '样本表中有 {count} 个样本不在矩阵的列中（{names}），已略去。',
  },
  'expression-column-left': {
    severity: 'warning',
    en: '{count} columns of the matrix are not in the sample sheet ({names}); they were left out.',
    zh: '矩阵中有 {count} 列不在样本表中（{names}），已略去。',
  },
  'expression-column-empty': {
    severity: 'warning',
    en: '{count} columns have no value at all ({names}); they were left out.',
    zh: '有 {count} 列没有任何数值（{names}），已略去。',
  },
  'expression-no-sample': {
    severity: 'error',
    en: 'No column of the matrix is a sample.',
    zh: '矩阵中没有样本列。',
  },
  'expression-summary-rows': {
    severity: 'warning',
    en: 'Rows of htseq-count that are no genes were left out: {names}.',
    zh: '已略去 htseq-count 的汇总行（并非基因）：{names}。',
  },
  'expression-genes-unknown': {
    severity: 'warning',
    en: '{count} of {total} rows name genes that the gene models do not have ({names}); they were left out.',
    zh: '{total} 行中有 {count} 行的基因不在基因模型中（{names}），已略去。',
  },
  'expression-no-genes': {
    severity: 'error',
    en: 'No row names a gene of the gene models ({names}). Are these names of another annotation, or of probes?',
    zh: '没有一行的名称是基因模型中的基因（{names}）。是否为其他注释版本的编号或探针名？',
  },
  'expression-gene-repeated': {
    severity: 'warning',
    en: '{name} is a second row of the gene {gene}, after {before}; the first was kept.',
    zh: '{name} 与此前的 {before} 同为基因 {gene} 的数据行，仅保留第一行。',
  },
  'expression-sheet-repeated': {
    severity: 'warning',
    en: 'The row of the sample sheet has no name or repeats one ({sample}); it was left out.',
    zh: '样本表的该行没有名称或名称重复（{sample}），已略去。',
  },
  'expression-sheet-empty': {
    severity: 'error',
    en: 'The sample sheet names no sample: a heading is expected, then a row a sample, its name first.',
    zh: '样本表中没有样本：应先为标题行，其后每个样本一行，首列为样本名。',
  },
  'expression-picture': {
    severity: 'error',
    en: 'The tissue picture cannot be used: {reason}.',
    zh: '组织示意图无法使用：{reason}。',
  },
  'expression-picture-areas': {
    severity: 'warning',
    en: '{count} of {total} values of {factor} have no area of that id in the tissue picture ({names}); they will not be coloured.',
    zh: '{factor} 的 {total} 个取值中有 {count} 个在组织示意图中没有同名 id 的区域（{names}），将不着色。',
  },
  'expression-differential-columns': {
    severity: 'error',
    en: 'No columns of a fold change and of p-values are in the table ({headings}); name them under columns in species.yaml.',
    zh: '表中找不到倍数变化列与 P 值列（{headings}）；请在 species.yaml 的 columns 中写明。',
  },
  'expression-adjusted-here': {
    severity: 'warning',
    en: 'The table has no adjusted p-values: they were computed from the p-values after Benjamini and Hochberg.',
    zh: '表中没有校正后的 P 值：已按 Benjamini–Hochberg 方法由 P 值计算。',
  },
  // ---- accessions and phenotypes
  'accession-none': {
    severity: 'error',
    en: 'The table names no accession: a heading is expected, then a row an accession.',
    zh: '表中没有材料：应先为标题行，其后每份材料一行。',
  },
  'accession-columns': {
    severity: 'error',
    en: 'The row has {found} cells, the heading {expected}.',
    zh: '该行有 {found} 个单元格，而标题行有 {expected} 个。',
  },
  'accession-no-name': {
    severity: 'error',
    en: 'The row names no accession.',
    zh: '该行没有材料名称。',
  },
  'accession-repeated': {
    severity: 'error',
    en: 'The accession {accession} stands in line {line} already; each may have one row.',
    zh: '材料 {accession} 已在第 {line} 行出现；每份材料只能有一行。',
  },
  'accession-degrees': {
    severity: 'error',
    en: '"{value}" in {column} is no number of degrees; write decimal degrees, south and west below zero: -33.9.',
    zh: '{column} 列中的“{value}”不是度数；请写十进制度数，南纬与西经为负，如 -33.9。',
  },
  'accession-place': {
    severity: 'warning',
    en: '{value} in {column} is off the globe (at most {max} degrees to either side): the accession has no place on the map. Are latitude and longitude exchanged?',
    zh: '{column} 列中的 {value} 超出范围（绝对值不得大于 {max} 度），该材料不显示在地图上。经度与纬度是否颠倒？',
  },
  'expression-quantification': {
    severity: 'error',
    en: 'This is the quantification of one sample ({program}), not a matrix of genes and samples: its columns are no samples. Gather the samples into one table with a column each (tximport, tximeta).',
    zh: '这是单个样本的定量结果（{program}），不是基因与样本的矩阵：其各列并非样本。请将各样本汇总为一个表格，每个样本一列（如 tximport、tximeta）。',
  },
  'cell-no-number': {
    severity: 'warning',
    en: '"{value}" under {column} is no number; it was left out.',
    zh: '{column} 列中的“{value}”不是数字，已略去。',
  },
  'expression-comparison': {
    severity: 'error',
    en: 'This is a table of results of {program}, not a matrix of genes and samples: its columns are no samples. Name it under differential; where samples stand behind the results, name these in a sample sheet.',
    zh: '这是 {program} 的差异分析结果，不是基因与样本的矩阵：其各列并非样本。请在 differential 中列出该文件；若结果之后另有样本列，请以样本表指明。',
  },
  'expression-no-heading': {
    severity: 'error',
    en: 'The first row has a number in every column behind the first ({line}): a heading with the names of the samples is expected. A count of one sample (htseq-count) has none; gather the samples into one table with a column each.',
    zh: '首行除第一列外均为数字（{line}）：应先有写明样本名的标题行。单个样本的计数文件（htseq-count）没有标题行；请将各样本汇总为一个表格，每个样本一列。',
  },
  'phenotype-other-table': {
    severity: 'error',
    en: 'This is a table of genes ({program}), not of phenotypes: its rows are no accessions, and its columns no traits.',
    zh: '这是基因表（{program}），不是表型表：其各行并非材料，各列并非性状。',
  },
  'phenotype-decimal-comma': {
    severity: 'error',
    en: '"{value}" in {column} has a comma for the decimal point; save the table with points.',
    zh: '{column} 列中的“{value}”以逗号作小数点；请改用小数点后重新保存。',
  },
  'phenotype-column-repeated': {
    severity: 'error',
    en: 'Two columns are called {column}.',
    zh: '有两列同名：{column}。',
  },
  'phenotype-columns-left': {
    severity: 'warning',
    en: '{count} columns are no traits and were left out ({names}).',
    zh: '有 {count} 列不是性状，已略去（{names}）。',
  },
  'phenotype-columns': {
    severity: 'error',
    en: 'The row has {found} cells, the heading {expected}.',
    zh: '该行有 {found} 个单元格，而标题行有 {expected} 个。',
  },
  'phenotype-no-accession': {
    severity: 'error',
    en: 'The row names no accession.',
    zh: '该行没有材料名称。',
  },
  'phenotype-value': {
    severity: 'error',
    en: '"{value}" of the trait {trait} is no number. Leave the cell empty or write NA where nothing was measured, name other codes under missing, or state the type of the trait.',
    zh: '性状 {trait} 的值“{value}”不是数字。未测得的值请留空或写 NA，其他缺失代码写入 missing，或注明该性状的类型。',
  },
  'phenotype-binary': {
    severity: 'error',
    en: 'The trait {trait} is stated to be binary but has {count} values ({names}).',
    zh: '性状 {trait} 注明为二元性状，却有 {count} 个取值（{names}）。',
  },
  'phenotype-level': {
    severity: 'error',
    en: '"{value}" of the trait {trait} is none of its levels ({levels}).',
    zh: '性状 {trait} 的值“{value}”不属于其等级（{levels}）。',
  },
  'phenotype-too-large': {
    severity: 'error',
    en: 'The table has more than {max} cells of traits.',
    zh: '性状表的单元格超过 {max} 个。',
  },
  'phenotype-too-many-traits': {
    severity: 'error',
    en: 'The table has {found} columns of traits, at most {max} are taken. Are they genotypes? A table of traits names those to be read.',
    zh: '表中有 {found} 列性状，最多可读 {max} 列。是否为基因型？可用性状说明表指定要读取的列。',
  },
  'phenotype-traits-absent': {
    severity: 'warning',
    en: '{count} traits of the table of traits are not in the file ({names}).',
    zh: '性状说明表中有 {count} 个性状不在文件中（{names}）。',
  },
  'phenotype-traits-blank': {
    severity: 'warning',
    en: '{count} traits have no value at all and were left out ({names}).',
    zh: '有 {count} 个性状没有任何值，已略去（{names}）。',
  },
  'phenotype-traits-empty': {
    severity: 'error',
    en: 'The table of traits names none: a heading (trait, name, unit, description, type) is expected, then a row a trait.',
    zh: '性状说明表为空：应先为标题行（trait、name、unit、description、type），其后每个性状一行。',
  },
  'phenotype-trait-repeated': {
    severity: 'warning',
    en: 'The trait {trait} is described twice; the first description was kept.',
    zh: '性状 {trait} 有两行说明，保留第一行。',
  },
  'phenotype-trait-type': {
    severity: 'error',
    en: '"{type}" of the trait {trait} is no type; it is one of {types}.',
    zh: '性状 {trait} 的类型“{type}”无效，应为 {types} 之一。',
  },
  'phenotype-no-heading': {
    severity: 'error',
    en: 'The first line has numbers ({line}): a heading is expected, accession and then a name for each trait.',
    zh: '首行含有数字（{line}）：应先有标题行，即 accession 与各性状的名称。',
  },
  'phenotype-empty': {
    severity: 'error',
    en: 'The table has no trait with a value: a heading is expected, then a row an accession with a column a trait, or columns accession, trait and value.',
    zh: '表中没有任何性状值：应先为标题行，其后每份材料一行、每个性状一列，或为 accession、trait、value 三列。',
  },
  'phenotype-undescribed': {
    severity: 'warning',
    en: '{count} of {total} accessions are not in the table of accessions ({names}); they have values, but no origin and no population.',
    zh: '{total} 份材料中有 {count} 份不在材料表中（{names}）：有性状值，但没有来源与群体信息。',
  },
  'phenotype-unconnected': {
    severity: 'warning',
    en: '{count} accessions of the trait {trait} share no environment with the others, so that nothing compares them: they have no estimate.',
    zh: '性状 {trait} 有 {count} 份材料与其余材料没有共同的环境，无法比较，因此没有估计值。',
  },
  // ---- cells
  'cells-format': {
    severity: 'error',
    en: 'It is no file of cells that can be read: .h5ad (AnnData), 10x .h5, a 10x folder’s matrix.mtx, and tables of genes and cells are understood ({format}).',
    zh: '无法识别为单细胞数据文件：可读取 .h5ad（AnnData）、10x .h5、10x 目录中的 matrix.mtx，以及基因 × 细胞表格（{format}）。',
  },
  'cells-part-missing': {
    severity: 'error',
    en: 'The part {part} is missing from the file.',
    zh: '文件中缺少 {part}。',
  },
  'cells-filter': {
    severity: 'error',
    en: '{part} is packed with the HDF5 filter {filter}, which cannot be undone here; write it with gzip or without compression.',
    zh: '{part} 使用了此处无法解压的 HDF5 过滤器 {filter}；请改用 gzip 压缩或不压缩后重新保存。',
  },
  'cells-inconsistent': {
    severity: 'error',
    en: 'The file contradicts itself at {part}: {found}, where {expected} is expected.',
    zh: '文件在 {part} 处自相矛盾：实为 {found}，应为 {expected}。',
  },
  'cells-value': {
    severity: 'error',
    en: 'The value "{value}" of row {line} is no number.',
    zh: '第 {line} 行的值“{value}”不是数字。',
  },
  'cells-none': {
    severity: 'error',
    en: 'There is no cell, no gene, or no value that differs between cells.',
    zh: '没有细胞、没有基因，或各细胞的值完全相同。',
  },
  'cells-no-genes': {
    severity: 'error',
    en: 'No gene of the file is one of the gene models ({names}). Are these names of another annotation?',
    zh: '文件中没有一个基因属于基因模型（{names}）。是否为其他注释版本的编号？',
  },
  'cells-genes-unknown': {
    severity: 'warning',
    en: '{count} of {total} genes are not in the gene models ({names}); they were left out, but count in the sums of the cells.',
    zh: '{total} 个基因中有 {count} 个不在基因模型中（{names}），已略去，但仍计入各细胞的总和。',
  },
  'cells-genes-repeated': {
    severity: 'warning',
    en: '{count} rows name a gene that an earlier row has already; the first of each was kept.',
    zh: '有 {count} 行与此前的行同为一个基因，仅保留第一行。',
  },
  'cells-values-missing': {
    severity: 'warning',
    en: '{count} values are no numbers (NaN or infinite); they count as zero.',
    zh: '有 {count} 个值不是有效数字（NaN 或无穷大），按零处理。',
  },
  'cells-scaled': {
    severity: 'warning',
    en: 'Values are below zero: they were scaled, and fold changes cannot be told from them. A layer of counts or logarithms can be named (layer).',
    zh: '存在负值，说明数据已经过标准化（scale），无法由此计算倍数变化；可用 layer 指定计数或对数层。',
  },
  'cells-raw-used': {
    severity: 'warning',
    en: 'X holds scaled values (below zero); those of raw were taken.',
    zh: 'X 为标准化后的值（含负值），已改用 raw 中的值。',
  },
  'cells-metadata': {
    severity: 'warning',
    en: '{unknown} rows of the table name other cells and were left out; {without} of {total} cells have no row.',
    zh: '表中有 {unknown} 行的细胞不在数据中，已略去；{total} 个细胞中有 {without} 个没有对应的行。',
  },
  'cells-metadata-other': {
    severity: 'error',
    en: 'No row of the table names a cell of the matrix, whose first cell is {cell}.',
    zh: '表中没有一行对应矩阵中的细胞（矩阵的首个细胞为 {cell}）。',
  },
  'cells-columns-left': {
    severity: 'warning',
    en: '{count} columns of the cells name each cell apart or cannot be read ({names}); they were left out.',
    zh: '有 {count} 列几乎每个细胞各不相同或无法读取（{names}），已略去。',
  },
  'cells-map-computed': {
    severity: 'warning',
    en: 'The file has no UMAP or t-SNE: a UMAP of {count} cells was computed from principal components, and is marked so.',
    zh: '文件中没有 UMAP 或 t-SNE：已由主成分计算 {count} 个细胞的 UMAP，并予以标明。',
  },
  'cells-clusters-computed': {
    severity: 'warning',
    en: 'The file has no cell types or clusters: {count} clusters were computed (Louvain), and are marked so.',
    zh: '文件中没有细胞类型或聚类：已用 Louvain 法计算出 {count} 个聚类，并予以标明。',
  },
  'cells-no-map': {
    severity: 'error',
    en: 'The file has no UMAP or t-SNE, and of {count} cells none is computed: {min} are needed. Compute it beforehand, for example with scanpy, and save it in obsm.',
    zh: '文件中没有 UMAP 或 t-SNE，且仅有 {count} 个细胞，至少 {min} 个才能计算。请事先计算（如用 scanpy）并存入 obsm。',
  },
  'cells-sampled': {
    severity: 'warning',
    en: 'Map or clusters were computed of {sampled} of the {count} cells, taken by chance; the others were placed by their nearest neighbours among these. Kinds of few cells may be missed: a map computed beforehand, for example with scanpy, and saved in obsm is better.',
    zh: '图谱或聚类由随机抽取的 {sampled} 个细胞（共 {count} 个）计算，其余细胞按其中的最近邻放置。数量很少的细胞类型可能无法显现；最好事先计算图谱（如用 scanpy）并存入 obsm。',
  },
  // ---- interactions
  'interactions-layout': {
    severity: 'error',
    en: 'It is no file of interactions that can be read: STRING links, BioGRID tab2 and tab3, PSI-MI TAB and tables of two genes a line are understood.',
    zh: '无法识别为蛋白质互作文件：可读取 STRING 的 links、BioGRID 的 tab2 与 tab3、PSI-MI TAB，以及每行两个基因的表格。',
  },
  'interactions-columns': {
    severity: 'error',
    en: 'The line has not the columns of the heading, or lacks a gene.',
    zh: '该行与表头的列不符，或缺少基因。',
  },
  'interactions-score': {
    severity: 'error',
    en: 'A score is a number from 0 to 1, or from 0 to 1000.',
    zh: '得分应为 0 到 1 或 0 到 1000 之间的数字。',
  },
  'interactions-none': {
    severity: 'error',
    en: 'No line joins two genes of the gene models ({names}). Name a table of other names (names).',
    zh: '没有一行连接基因模型中的两个基因（{names}）。可用 names 指定名称对照表。',
  },
  'interactions-unmatched': {
    severity: 'warning',
    en: '{count} of {total} proteins are no gene of the gene models ({names}); their interactions were left out. All are listed in unmatched.txt of the data set.',
    zh: '{total} 个蛋白质中有 {count} 个在基因模型中没有对应基因（{names}），其互作已略去；完整名单见该数据集的 unmatched.txt。',
  },
  'interactions-organisms': {
    severity: 'warning',
    en: '{count} lines name a protein of another organism ({names}); they were left out.',
    zh: '有 {count} 行涉及其他物种的蛋白质（{names}），已略去。',
  },
  'interactions-self': {
    severity: 'warning',
    en: '{count} lines join a gene with itself; they were left out.',
    zh: '有 {count} 行为基因与自身的互作，已略去。',
  },
  // ---- transposable elements
  'te-no-elements': {
    severity: 'error',
    en: 'No transposable element is in the file: neither RepeatMasker output nor GFF3 features of such a type, class or family. A library or `classes` in species.yaml says which names are families.',
    zh: '文件中没有转座元件：既不是 RepeatMasker 输出，GFF3 中也没有相应类型、类别或家族的特征。可用文库或 species.yaml 的 classes 说明哪些名称是家族名。',
  },
  'te-line-unreadable': {
    severity: 'warning',
    en: 'The line begins like a hit of RepeatMasker and cannot be read; it was left out.',
    zh: '该行形似 RepeatMasker 结果但无法解析，已略去。',
  },
  'te-sequence-unknown': {
    severity: 'warning',
    en: '{count} of {total} transposable elements lie on sequences that are not in the genome ({names}); they were left out.',
    zh: '{total} 个转座元件中有 {count} 个位于基因组中不存在的序列上（{names}），已略去。',
  },
  'te-outside': {
    severity: 'warning',
    en: '{count} transposable elements end beyond their sequence (first: {name}); they were left out. Is the file of another assembly?',
    zh: '{count} 个转座元件超出其序列末端（首个为 {name}），已略去。该文件是否属于另一组装版本？',
  },
  'te-library-unclassified': {
    severity: 'warning',
    en: 'No heading of the library names a class (as >name#class/family does), so it classifies nothing.',
    zh: '文库中没有任何标题行注明类别（形如 >名称#类/家族），无法用于分类。',
  },
  'te-profiles-unreadable': {
    severity: 'error',
    en: 'These are no profiles of HMMER3 (text that begins with HMMER3/).',
    zh: '不是 HMMER3 的谱文件（应为以 HMMER3/ 开头的文本）。',
  },
  'program-missing': {
    severity: 'warning',
    en: '{program} is not installed, so {purpose} was left out; install the package {package} and load again.',
    zh: '未安装 {program}，故略去 {purpose}；请安装软件包 {package} 后重新加载。',
  },
  // ---- associations
  'gwas-no-p': {
    severity: 'error',
    en: 'No column of p-values is known among these: {columns}. Name it in the manifest (columns: p or logP).',
    zh: '以下各列中没有可识别的 P 值列：{columns}。请在清单中指定（columns 的 p 或 logP）。',
  },
  'gwas-no-place': {
    severity: 'error',
    en: 'No columns of chromosome and position, nor of a variant name, are known among these: {columns}. Name them in the manifest (columns).',
    zh: '以下各列中没有可识别的染色体与位置列，也没有变异名称列：{columns}。请在清单中指定（columns）。',
  },
  'gwas-column': {
    severity: 'error',
    en: 'The table has no column {column}; it has {columns}.',
    zh: '表中没有名为 {column} 的列；现有各列：{columns}。',
  },
  'gwas-traits': {
    severity: 'error',
    en: 'The column {column} names more than {limit} traits; split the table.',
    zh: '{column} 列中的性状超过 {limit} 个，请拆分表格。',
  },
  'gwas-none': {
    severity: 'error',
    en: 'Of {total} rows below the heading none could be used.',
    zh: '表头之下的 {total} 行均不可用。',
  },
  'gwas-missing': {
    severity: 'warning',
    en: '{count} of {total} rows have no p-value (as after a failed test); they were left out.',
    zh: '{total} 行中有 {count} 行没有 P 值（如检验失败），已略去。',
  },
  'gwas-unreadable': {
    severity: 'warning',
    en: '{count} of {total} rows have something that is no p-value; they were left out. This is the first.',
    zh: '{total} 行中有 {count} 行的 P 值无法读取，已略去；此为第一行。',
  },
  'gwas-p-beyond': {
    severity: 'error',
    en: '{count} of {total} values under the heading {column} are below 0 or above 1 (first: {value}): the column looks like {looks}, not like p-values. Name in the manifest the column of p-values (columns: p), or of -log10(p) (columns: logP).',
    zh: '表头 {column} 下的 {total} 个值中有 {count} 个小于 0 或大于 1（首个：{value}）：该列看来是 {looks}，而非 P 值。请在清单的 columns 中以 p 指明 P 值列，或以 logP 指明 -log10(P) 列。',
  },
  'gwas-sequence-unknown': {
    severity: 'warning',
    en: '{count} of {total} rows lie on sequences that are not in the genome ({names}); they were left out.',
    zh: '{total} 行中有 {count} 行位于基因组中不存在的序列上（{names}），已略去。',
  },
  'gwas-sequence-renamed': {
    severity: 'repair',
    en: 'The sequence {from} of the table is called {to} in the genome; its variants were put there.',
    zh: '表中的序列 {from} 在基因组中名为 {to}，其变异已归入该序列。',
  },
  'gwas-outside': {
    severity: 'warning',
    en: '{count} of {total} rows lie beyond the end of their sequence; they were left out. Is the table of another assembly?',
    zh: '{total} 行中有 {count} 行超出其序列末端，已略去。该表是否属于另一组装版本？',
  },
  'gwas-unplaced': {
    severity: 'warning',
    en: '{count} of {total} rows have no position, nor is their variant in the table of positions; they were left out.',
    zh: '{total} 行中有 {count} 行没有位置，其变异也不在位置表中，已略去。',
  },
  'gwas-zero': {
    severity: 'warning',
    en: '{count} p-values are 0 for want of digits; they were computed from effect and standard error where these are given, else taken as 5e-324.',
    zh: '有 {count} 个 P 值因位数不足写作 0；凡有效应值与标准误者由其计算，否则取 5e-324。',
  },
  'gwas-hits-only': {
    severity: 'warning',
    en: 'Of {count} of {total} traits the table has hits only, not all tests: no quantile plot and no lambda are given for these.',
    zh: '{total} 个性状中有 {count} 个仅含显著位点而非全部检验结果，不给出 QQ 图与 λ。',
  },
  'pathway-drawing': {
    severity: 'error',
    en: 'It is no drawing of a pathway; KGML and GPML are understood ({reason}).',
    zh: '不是通路图；可读取 KGML 与 GPML 格式（{reason}）。',
  },
  'pathway-table': {
    severity: 'error',
    en: 'It is no table of pathways; GMT, or gene, pathway and name with tabs, commas or semicolons between, are understood ({reason}).',
    zh: '不是通路表；可读取 GMT，或以制表符、逗号或分号分隔的基因、通路和名称（{reason}）。',
  },
  'pathway-genes': {
    severity: 'warning',
    en: '{count} genes of its pathways are not in this assembly and were left out, for example {gene}.',
    zh: '其通路中有 {count} 个基因不在该组装版本中，未采用，例如 {gene}。',
  },
  'pathway-none': {
    severity: 'warning',
    en: 'None of its genes is in this assembly, not even {gene}.',
    zh: '其中的基因均不在该组装版本中，包括 {gene}。',
  },
  'pathway-vocabulary': {
    severity: 'warning',
    en: 'No gene has a term of {source}, so there are no pathways of it.',
    zh: '没有基因具有 {source} 的术语，因此没有其通路。',
  },
  'motif-file': {
    severity: 'error',
    en: 'No motif can be read from it; MEME, JASPAR, TRANSFAC and plain frequency matrices are understood ({reason}).',
    zh: '无法从中读出任何基序；可读取 MEME、JASPAR、TRANSFAC 及普通频率矩阵格式（{reason}）。',
  },
  'motif-matrix': {
    severity: 'warning',
    en: 'A motif cannot be read and was left out ({reason}): {text}',
    zh: '一个基序无法读取，未采用（{reason}）：{text}',
  },
  'motif-collection-repeated': {
    severity: 'error',
    en: 'There are two collections of motifs with the id {id}; give them different ids.',
    zh: '有两个基序集的编号同为 {id}，请改为不同的编号。',
  },
  'busco-summary': {
    severity: 'warning',
    en: 'This is no short_summary of BUSCO (.txt or .json): it has no line as C:95.0%[S:94.0%,D:1.0%],F:2.0%,M:3.0%,n:255. It was left out.',
    zh: '该文件不是 BUSCO 的 short_summary（.txt 或 .json）：其中没有形如 C:95.0%[S:94.0%,D:1.0%],F:2.0%,M:3.0%,n:255 的行，已略过。',
  },
  'orthogroup-table': {
    severity: 'error',
    en: 'This is no table of orthogroups (a column "Orthogroup", then one column an assembly): {reason}',
    zh: '这不是直系同源组表（首列为“Orthogroup”，其后每个组装版本一列）：{reason}',
  },
  'hmm-file': {
    severity: 'error',
    en: 'This is no file of HMMER3 profiles as text: {reason}. HMMER2 files are converted by hmmconvert, pressed ones are written as text by hmmfetch or hmmconvert.',
    zh: '这不是 HMMER3 文本格式的谱文件：{reason}。HMMER2 文件可用 hmmconvert 转换，已压制的文件可用 hmmfetch 或 hmmconvert 写为文本。',
  },
  'hmm-alphabet': {
    severity: 'warning',
    en: 'The profile {name} is of {alphabet}, not of amino acids; it was left out.',
    zh: '谱 {name} 的字母表为 {alphabet}，而非氨基酸，已略去。',
  },
  'hmm-twice': {
    severity: 'warning',
    en: 'The profile {name} is there more than once; the first was taken.',
    zh: '谱 {name} 出现多次，采用第一个。',
  },
  'hmm-unused': {
    severity: 'warning',
    en: '{count} of {all} profiles are named by no rule, such as {example}; they are not searched.',
    zh: '{all} 个谱中有 {count} 个未被任何规则提及（如 {example}），不参与搜索。',
  },
  'hmm-none': {
    severity: 'error',
    en: 'No profile of these files is named by a rule. Give them their domains by "domains" in the manifest, or rules of your own.',
    zh: '这些文件中没有任何规则所提及的谱。请在清单的 "domains" 中注明各谱对应的结构域，或提供自己的规则。',
  },
  'tf-rule': {
    severity: 'error',
    en: 'The rule cannot be read ({reason}): {text}',
    zh: '无法读取该规则（{reason}）：{text}',
  },
  'tf-rule-missing': {
    severity: 'warning',
    en: '{count} families cannot be assigned for want of a profile: {families}.',
    zh: '因缺少相应的谱，有 {count} 个家族无法判定：{families}。',
  },
  'protein-too-long': {
    severity: 'warning',
    en: 'The protein of {gene} has {length} residues; HMMER takes at most {limit}, so it was not searched.',
    zh: '{gene} 的蛋白质长 {length} 个残基，超过 HMMER 的上限 {limit}，未参与搜索。',
  },
  'orthogroup-column': {
    severity: 'warning',
    en: 'The column {column} is no assembly that is loaded; its genes were left out.',
    zh: '列 {column} 不是已加载的组装版本，其中的基因未采用。',
  },
  'orthogroup-gene': {
    severity: 'warning',
    en: '{count} names in the column {column} are no coding genes of {assembly}, such as {example}; they were left out.',
    zh: '列 {column} 中有 {count} 个名称不是 {assembly} 的编码基因（如 {example}），未采用。',
  },
  'collinear-file': {
    severity: 'error',
    en: 'The collinear blocks cannot be read: {reason}',
    zh: '无法读取共线性区块：{reason}',
  },
  'collinear-assemblies': {
    severity: 'error',
    en: 'A PAF names sequences, not genes: say by "assemblies" which assembly each side is of, query first.',
    zh: 'PAF 文件只有序列名而无基因名：请用 "assemblies" 注明两侧各属哪个组装版本，query 在前。',
  },
  'collinear-name': {
    severity: 'warning',
    en: '{count} names in the collinear blocks are no coding genes, sequences or assemblies that are loaded, such as {example}; they were left out.',
    zh: '共线性区块中有 {count} 个名称不是已加载的编码基因、序列或组装版本（如 {example}），未采用。',
  },
  'program-failed': {
    severity: 'error',
    en: '{program} failed: {reason}',
    zh: '{program} 运行失败：{reason}',
  },
  'computation-failed': {
    severity: 'warning',
    en: 'What is computed over all assemblies could not be made: {reason} The data are in service without it; load again to try once more.',
    zh: '跨组装版本的计算未能完成：{reason} 数据已投入使用，但缺少该项结果；重新加载即可再次计算。',
  },

  // Proteins and coding sequences, derived or supplied.
  'cds-internal-stop': {
    severity: 'warning',
    en: 'The CDS of {transcript} has {count} stop codons inside (genetic code {geneticCode}).',
    zh: '{transcript} 的编码序列内部有 {count} 个终止密码子（遗传密码表 {geneticCode}）。',
  },
  'protein-unknown': {
    severity: 'warning',
    en: 'The supplied sequence {name} belongs to no transcript of the gene models; it was left out.',
    zh: '所提供的序列 {name} 不对应任何转录本，已略去。',
  },
  'protein-differs': {
    severity: 'warning',
    en: 'The supplied protein of {transcript} is not the translation of its CDS; the supplied one is kept.',
    zh: '{transcript} 所提供的蛋白质与其编码序列的翻译结果不同；保留所提供的序列。',
  },

  // Annotation against what is loaded.
  'genes-in-two-files': {
    severity: 'error',
    en: 'The gene {gene} is in {first} already; identifiers of genes are unique in an assembly.',
    zh: '基因 {gene} 已在 {first} 中；同一组装版本内基因标识符不得重复。',
  },
  'annotation-unknown-gene': {
    severity: 'warning',
    en: 'No gene, transcript or protein is named {gene}; its rows were left out.',
    zh: '没有名为 {gene} 的基因、转录本或蛋白质，相应行已略去。',
  },
  'annotation-format-unknown': {
    severity: 'error',
    en: 'The format of the annotation cannot be told from the file; name it in the manifest (format: gaf, interproscan, eggnog or table).',
    zh: '无法判断注释文件的格式，请在清单中注明（format: gaf、interproscan、eggnog 或 table）。',
  },
  'annotation-obsolete-term': {
    severity: 'warning',
    en: 'The term {term} is obsolete in the ontology.',
    zh: '术语 {term} 在该本体中已废弃。',
  },
  'annotation-alternative-term': {
    severity: 'repair',
    en: 'The term {term} is another name of {primary}; it was read as that.',
    zh: '术语 {term} 是 {primary} 的别名，已按后者处理。',
  },
} as const satisfies Record<string, DefectKind>

export type DefectCode = keyof typeof defectCatalogue

export interface Defect {
  code: DefectCode
  severity: DefectSeverity
  /** Name of the file as the lab wrote it. */
  file: string
  /** Line of the file, counted from 1; null where the defect belongs to the whole file. */
  line: number | null
  /** What the text names; a value `@word` stands for a word of both languages (gene, strand …). */
  params: Record<string, string | number>
}

// A value from a broken file can be a whole chromosome long; a message shows its beginning.
const longestShownValue = 80

/**
 * The sentence for a defect. Parameters longer than 80 characters are shortened; an absent one shows as "?".
 *
 * Example: `defectText({code: 'gff-column-count', severity: 'error', file: 'a.gff3', line: 7, params: {found: 5}}, 'en')`
 * is "The line has 5 columns; a feature has 9, separated by tabs."
 */
export function defectText(defect: Defect, language: DefectLanguage): string {
  return defectCatalogue[defect.code][language].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = defect.params[name]
    if (value === undefined) return '?'
    const text =
      typeof value === 'string' && value[0] === '@' ? (words[value.slice(1)]?.[language] ?? value) : String(value)
    return text.length > longestShownValue ? `${text.slice(0, longestShownValue)}…` : text
  })
}

export interface DefectTotal {
  code: DefectCode
  severity: DefectSeverity
  /** How often it was met, also when more than the kept ones. */
  count: number
}

/**
 * Collects the defects of a load: totals are exact, but of each code only the first `keepPerCode` are kept, so that a
 * file with a million bad lines costs no memory and its report can be read.
 *
 * Example: after `const log = new DefectLog(2)` and three `log.report('text-not-utf8', 'a.gff3', n)`,
 * `log.defects.length` is 2 and `log.count('text-not-utf8')` is 3.
 */
export class DefectLog {
  readonly keepPerCode: number
  readonly #kept: Defect[] = []
  readonly #counts = new Map<DefectCode, number>()

  constructor(keepPerCode = 20) {
    this.keepPerCode = keepPerCode
  }

  /** Counts a defect; `params` may be a function, called only when the defect is kept. */
  report(
    code: DefectCode,
    file: string,
    line: number | null,
    params: Record<string, string | number> | (() => Record<string, string | number>) = {},
  ): void {
    const count = (this.#counts.get(code) ?? 0) + 1
    this.#counts.set(code, count)
    if (count > this.keepPerCode) return
    this.#kept.push({
      code,
      severity: defectCatalogue[code].severity,
      file,
      line,
      params: typeof params === 'function' ? params() : params,
    })
  }

  /** The kept defects, in the order in which they were met. */
  get defects(): readonly Defect[] {
    return this.#kept
  }

  /** How often `code` was met. */
  count(code: DefectCode): number {
    return this.#counts.get(code) ?? 0
  }

  /** Exact totals of every code that was met, errors first, then repairs, then warnings; within them by count. */
  totals(): DefectTotal[] {
    const rank = { error: 0, repair: 1, warning: 2 }
    return [...this.#counts]
      .map(([code, count]) => ({ code, severity: defectCatalogue[code].severity as DefectSeverity, count }))
      .sort((a, b) => rank[a.severity] - rank[b.severity] || b.count - a.count || (a.code < b.code ? -1 : 1))
  }

  /** Whether an `error` was met: the load must be refused. */
  get hasErrors(): boolean {
    for (const code of this.#counts.keys()) if (defectCatalogue[code].severity === 'error') return true
    return false
  }
}
