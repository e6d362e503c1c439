// What can be wrong with the files a lab loads, in the words that the lab reads.
//
// Severities:
//   error    the record cannot be used and no safe mend exists; a load that met one is refused
//   repair   the record was mended and is used; the text says how
//   warning  the record is used as it stands, or left out without harm to the others; the text says which

export type DefectSeverity = 'error' | 'repair' | 'warning'
export type DefectLanguage = 'en' | 'zh'

export interface DefectKind {
  severity: DefectSeverity
  /** `{name}` stands for the parameter of that name. */
  en: string
  zh: string
}

/**
 * Kinds of defects by code. A format's stand in its folder of bio/, a tool's in its `defects.ts`; no code is in two catalogues.
 * loader/defect-catalogue.ts puts them together for those who read a report.
 */
export type DefectCatalogue = Readonly<Record<string, DefectKind>>

/** Words that a parameter may name as `@word`, so that a Chinese sentence does not hold an English one. */
const words: Record<string, { en: string; zh: string }> = {
  gene: { en: 'gene', zh: '基因' },
  transcript: { en: 'transcript', zh: '转录本' },
  strand: { en: 'strand', zh: '链' },
  sequence: { en: 'sequence', zh: '序列' },
  nucleotide: { en: 'nucleotide', zh: '碱基' },
  protein: { en: 'amino acid', zh: '氨基酸' },
  'cds-and-utr': { en: 'its CDS and UTR lines', zh: '其 CDS 与 UTR 行' },
  'whole-span': { en: 'its whole span', zh: '其全长' },
  term: { en: 'term', zh: '术语' },
  'gene-name': { en: 'gene', zh: '基因' },
  'go-term': { en: 'GO identifier such as GO:0008150', zh: 'GO 编号（如 GO:0008150）' },
  'whole-number': { en: 'a whole number', zh: '整数' },
  number: { en: 'a number', zh: '数字' },
  'strand-sign': { en: 'one of + - .', zh: '+ - . 之一' },
  bases: { en: 'bases (A, C, G, T, N, …)', zh: '碱基（A、C、G、T、N 等）' },
  'yaml-text': { en: 'text', zh: '文本' },
  'yaml-text-for-readers': { en: 'text, or { en: …, zh: … }', zh: '文本，或 { en: …, zh: … }' },
  'yaml-number': { en: 'a number', zh: '数字' },
  'yaml-truth': { en: 'true or false', zh: ' true 或 false' },
  'yaml-list': { en: 'a list', zh: '列表' },
  'yaml-entries': { en: 'entries with values', zh: '若干条目及其值' },
  'yaml-nothing': { en: 'nothing', zh: '空值' },
  'archive-cut-off': { en: 'it is incomplete, its end is missing', zh: '文件不完整，缺少结尾部分' },
  'archive-invalid': { en: 'it is damaged', zh: '文件已损坏' },
  'gene-presence': { en: 'the presence of genes by DNA', zh: '基因存在与缺失（DNA 水平）' },
  'genome-alignments': { en: 'the alignment of assemblies', zh: '基因组间比对' },
  'minus-log10-p': { en: '-log10(p)', zh: '-log10(P)' },
  'log10-p': { en: 'log10(p)', zh: 'log10(P)' },
  value: { en: 'the value', zh: '数值' },
  score: { en: 'the score', zh: '得分' },
  unstranded: { en: 'unstranded', zh: '非链特异性' },
  forward: { en: 'forward', zh: '正链' },
  reverse: { en: 'reverse', zh: '负链' },
  statistic: { en: 'an effect or a test statistic', zh: '效应值或检验统计量' },
  'blocks-within': {
    en: 'blocks that cover the feature from its start to its end',
    zh: '从特征起点到终点依次排列的区块',
  },
}

export interface Defect {
  code: string
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
 * Example: `defectText({code: 'gff-column-count', severity: 'error', file: 'a.gff3', line: 7, params: {found: 5}}, gff3Defects, 'en')`
 * is "The line has 5 columns; a feature has 9, separated by tabs."
 *
 * @throws RangeError for a code that the catalogue does not have
 */
export function defectText(defect: Defect, catalogue: DefectCatalogue, language: DefectLanguage): string {
  const kind = catalogue[defect.code]
  if (kind === undefined) throw new RangeError(`no text for the defect ${defect.code}`)
  return kind[language].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = defect.params[name]
    if (value === undefined) return '?'
    const text =
      typeof value === 'string' && value[0] === '@' ? (words[value.slice(1)]?.[language] ?? value) : String(value)
    return text.length > longestShownValue ? `${text.slice(0, longestShownValue)}…` : text
  })
}

export interface DefectTotal {
  code: string
  severity: DefectSeverity
  /** How often it was met, also when more than the kept ones. */
  count: number
}

/**
 * Collects the defects of a load: totals are exact, but of each code only the first `keepPerCode` are kept, so that a
 * file with a million bad lines costs no memory and its report can be read.
 *
 * Example: after `const log = new DefectLog(2)` and three `log.report(textDefects, 'text-not-utf8', 'a.gff3', n)`,
 * `log.defects.length` is 2 and `log.count('text-not-utf8')` is 3.
 */
export class DefectLog {
  readonly keepPerCode: number
  readonly #kept: Defect[] = []
  readonly #totals = new Map<string, DefectTotal>()

  constructor(keepPerCode = 20) {
    this.keepPerCode = keepPerCode
  }

  /** Counts a defect of a catalogue; `params` may be a function, called only when the defect is kept. */
  report<Catalogue extends DefectCatalogue>(
    catalogue: Catalogue,
    code: keyof Catalogue & string,
    file: string,
    line: number | null,
    params: Record<string, string | number> | (() => Record<string, string | number>) = {},
  ): void {
    this.#add(code, catalogue[code]!.severity, file, line, params)
  }

  /** Counts a defect that another log kept. */
  add({ code, severity, file, line, params }: Defect): void {
    this.#add(code, severity, file, line, params)
  }

  /** Takes over what another log kept, and how often it met each. */
  take(defects: readonly Defect[], totals: readonly DefectTotal[]): void {
    for (const defect of defects) this.add(defect)
    for (const { code, severity, count } of totals) {
      const kept = defects.filter((defect) => defect.code === code).length
      const total = this.#totals.get(code) ?? { code, severity, count: 0 }
      total.count += count - kept
      this.#totals.set(code, total)
    }
  }

  #add(
    code: string,
    severity: DefectSeverity,
    file: string,
    line: number | null,
    params: Record<string, string | number> | (() => Record<string, string | number>),
  ): void {
    let total = this.#totals.get(code)
    if (total === undefined) {
      total = { code, severity, count: 0 }
      this.#totals.set(code, total)
    }
    total.count += 1
    if (total.count > this.keepPerCode) return
    this.#kept.push({ code, severity, file, line, params: typeof params === 'function' ? params() : params })
  }

  /** The kept defects, in the order in which they were met. */
  get defects(): readonly Defect[] {
    return this.#kept
  }

  /** How often `code` was met. */
  count(code: string): number {
    return this.#totals.get(code)?.count ?? 0
  }

  /** Exact totals of every code that was met, errors first, then repairs, then warnings; within them by count. */
  totals(): DefectTotal[] {
    const rank = { error: 0, repair: 1, warning: 2 }
    return [...this.#totals.values()]
      .map((total) => ({ ...total }))
      .sort((a, b) => rank[a.severity] - rank[b.severity] || b.count - a.count || (a.code < b.code ? -1 : 1))
  }

  /** Whether an `error` was met: the load must be refused. */
  get hasErrors(): boolean {
    for (const { severity } of this.#totals.values()) if (severity === 'error') return true
    return false
  }
}
