// Classes of transposable elements. Source: Wicker et al. 2007, Nature Reviews Genetics 8:973, table 1 (codes, orders, superfamilies,
// target site duplications); RepeatMasker's class/family names after Dfam's classification; types of the Sequence Ontology.

/** Levels of the three-letter code: class, order, superfamily. X stands where a level is not known. */
export interface TransposonClass {
  /** Three letters after Wicker et al., e.g. RLC. */
  code: string
  /** 1: copied through RNA; 2: through DNA; 0 when not known. */
  class: 0 | 1 | 2
  order: TransposonOrder
  /** Name after Wicker et al.; null where the code ends with X. */
  superfamily: string | null
  /** RepeatMasker's class/family of it. */
  repeatMasker: string
  /** Length of the target site duplication as the table gives it, in bp, or its bases. */
  targetSite: string | null
}

export const transposonOrders = [
  'LTR',
  'DIRS',
  'PLE',
  'LINE',
  'SINE',
  'retrotransposon',
  'TIR',
  'Crypton',
  'Helitron',
  'Maverick',
  'transposon',
  'unknown',
] as const
export type TransposonOrder = (typeof transposonOrders)[number]

const rows: [code: string, order: TransposonOrder, superfamily: string | null, masker: string, site: string | null][] =
  [
    ['RLC', 'LTR', 'Copia', 'LTR/Copia', '4–6'],
    ['RLG', 'LTR', 'Gypsy', 'LTR/Gypsy', '4–6'],
    ['RLB', 'LTR', 'Bel–Pao', 'LTR/Pao', '4–6'],
    ['RLR', 'LTR', 'Retrovirus', 'LTR/ERV', '4–6'],
    ['RLE', 'LTR', 'ERV', 'LTR/ERV1', '4–6'],
    ['RLX', 'LTR', null, 'LTR', '4–6'],
    ['RYD', 'DIRS', 'DIRS', 'LTR/DIRS', '0'],
    ['RYN', 'DIRS', 'Ngaro', 'LTR/Ngaro', '0'],
    ['RYV', 'DIRS', 'VIPER', 'LTR/Viper', '0'],
    ['RYX', 'DIRS', null, 'LTR/DIRS', '0'],
    ['RPP', 'PLE', 'Penelope', 'PLE/Penelope', null],
    ['RPX', 'PLE', null, 'PLE', null],
    ['RIR', 'LINE', 'R2', 'LINE/R2', null],
    ['RIT', 'LINE', 'RTE', 'LINE/RTE', null],
    ['RIJ', 'LINE', 'Jockey', 'LINE/I-Jockey', null],
    ['RIL', 'LINE', 'L1', 'LINE/L1', null],
    ['RII', 'LINE', 'I', 'LINE/I', null],
    ['RIX', 'LINE', null, 'LINE', null],
    ['RST', 'SINE', 'tRNA', 'SINE/tRNA', null],
    ['RSL', 'SINE', '7SL', 'SINE/Alu', null],
    ['RSS', 'SINE', '5S', 'SINE/5S', null],
    ['RSX', 'SINE', null, 'SINE', null],
    ['RXX', 'retrotransposon', null, 'Retroposon', null],
    ['DTT', 'TIR', 'Tc1–Mariner', 'DNA/TcMar', 'TA'],
    ['DTA', 'TIR', 'hAT', 'DNA/hAT', '8'],
    ['DTM', 'TIR', 'Mutator', 'DNA/MULE', '9–11'],
    ['DTE', 'TIR', 'Merlin', 'DNA/Merlin', '8–9'],
    ['DTR', 'TIR', 'Transib', 'DNA/CMC-Transib', '5'],
    ['DTP', 'TIR', 'P', 'DNA/P', '8'],
    ['DTB', 'TIR', 'PiggyBac', 'DNA/PiggyBac', 'TTAA'],
    ['DTH', 'TIR', 'PIF–Harbinger', 'DNA/PIF-Harbinger', '3'],
    ['DTC', 'TIR', 'CACTA', 'DNA/CMC-EnSpm', '2–3'],
    ['DTX', 'TIR', null, 'DNA', null],
    ['DYC', 'Crypton', 'Crypton', 'DNA/Crypton', '0'],
    ['DHH', 'Helitron', 'Helitron', 'RC/Helitron', '0'],
    ['DMM', 'Maverick', 'Maverick', 'DNA/Maverick', '6'],
    ['DXX', 'transposon', null, 'DNA', null],
    ['XXX', 'unknown', null, 'Unknown', null],
  ]

/** Every code that `classifyTransposon` gives, in the order of the table: class I, class II, unknown. */
export const transposonClasses: readonly TransposonClass[] = rows.map(
  ([code, order, superfamily, repeatMasker, targetSite]) => ({
    code,
    class: code.startsWith('R') ? 1 : code.startsWith('D') ? 2 : 0,
    order,
    superfamily,
    repeatMasker,
    targetSite,
  }),
)

const byCode = new Map(transposonClasses.map((one) => [one.code, one]))

/** The class of a code; that of XXX for any other text. Example: `transposonClass('RLG').superfamily` is `'Gypsy'`. */
export const transposonClass = (code: string): TransposonClass => byCode.get(code) ?? byCode.get('XXX')!

/** Order of the table. */
export const transposonCodeRank = (code: string): number => {
  const rank = transposonClasses.findIndex((one) => one.code === code)
  return rank < 0 ? transposonClasses.length : rank
}

const orderNames: Record<TransposonOrder, { en: string; zh: string }> = {
  LTR: { en: 'LTR retrotransposons', zh: 'LTR 反转录转座子' },
  DIRS: { en: 'DIRS-like retrotransposons', zh: 'DIRS 类反转录转座子' },
  PLE: { en: 'Penelope-like elements (PLE)', zh: 'Penelope 类元件（PLE）' },
  LINE: { en: 'LINEs (long interspersed nuclear elements)', zh: '长散在核元件（LINE）' },
  SINE: { en: 'SINEs (short interspersed nuclear elements)', zh: '短散在核元件（SINE）' },
  retrotransposon: { en: 'Retrotransposons of unknown order', zh: '未定目的反转录转座子' },
  TIR: { en: 'TIR transposons (terminal inverted repeats)', zh: 'TIR 转座子（末端反向重复）' },
  Crypton: { en: 'Cryptons', zh: 'Crypton 转座子' },
  Helitron: { en: 'Helitrons (rolling circle)', zh: 'Helitron（滚环转座子）' },
  Maverick: { en: 'Mavericks (Polintons)', zh: 'Maverick（Polinton）' },
  transposon: { en: 'DNA transposons of unknown order', zh: '未定目的 DNA 转座子' },
  unknown: { en: 'Unclassified', zh: '未分类' },
}

export const transposonOrderName = (order: TransposonOrder, language: 'en' | 'zh'): string =>
  orderNames[order][language]

const superfamilyOf = { en: '{name} superfamily', zh: '{name} 超家族' }
const unknownSuperfamily: Record<'en' | 'zh', (order: string) => string> = {
  en: (order) => `${order}, superfamily unknown`,
  zh: (order) => `${order}（超家族未定）`,
}
const chineseSuperfamilies: Record<string, string> = {
  ERV: '内源逆转录病毒（ERV）',
  Retrovirus: '逆转录病毒',
  tRNA: '源于 tRNA 的 SINE',
  '7SL': '源于 7SL RNA 的 SINE',
  '5S': '源于 5S rRNA 的 SINE',
  Crypton: 'Crypton',
  Helitron: 'Helitron',
  Maverick: 'Maverick（Polinton）',
}
const englishSuperfamilies: Record<string, string> = {
  ERV: 'Endogenous retroviruses (ERV)',
  Retrovirus: 'Retroviruses',
  tRNA: 'SINEs derived from tRNA',
  '7SL': 'SINEs derived from 7SL RNA',
  '5S': 'SINEs derived from 5S rRNA',
  Crypton: 'Crypton',
  Helitron: 'Helitron',
  Maverick: 'Maverick (Polinton)',
}

/** Full name of a class for readers. Example: `transposonName('RLC', 'zh')` is `'Copia 超家族'`. */
export const transposonName = (code: string, language: 'en' | 'zh'): string => {
  const { superfamily, order } = transposonClass(code)
  if (superfamily === null)
    return order === 'retrotransposon' || order === 'transposon' || order === 'unknown'
      ? orderNames[order][language]
      : unknownSuperfamily[language](order === 'TIR' ? orderNames.TIR[language] : orderNames[order][language])
  const own = (language === 'zh' ? chineseSuperfamilies : englishSuperfamilies)[superfamily]
  return own ?? superfamilyOf[language].replace('{name}', superfamily)
}

/**
 * Words in class names, tried in this order on the part after the slash (the family) first and then on the whole: what RepeatMasker,
 * Dfam, EDTA, the Sequence Ontology and annotators by hand write.
 */
const patterns: [RegExp, string][] = [
  [/copia|\bty1\b/, 'RLC'],
  [/gypsy|\bty3\b|chromovir|metavir|^crm$/, 'RLG'],
  [/\bbel\b|bel-?pao|\bpao\b/, 'RLB'],
  [/retrovirus(?!.*endogen)|retroviridae/, 'RLR'],
  [/\bervk?l?\d*\b|\berv|endogenous.?retrovir/, 'RLE'],
  [/ngaro/, 'RYN'],
  [/viper/, 'RYV'],
  [/dirs|tyrosine.?recombinase/, 'RYD'],
  [/penelope|\bple\b/, 'RPP'],
  [/jockey|\bcr1\b|\brex|\bl2\b/, 'RIJ'],
  [/\brte\b|\brte-|\bbovb\b|\bproto2\b/, 'RIT'],
  [/\bl1\b|\bl1[-_ ]|\btx1\b/, 'RIL'],
  [/\br2\b|\br1\b.*\br2\b|\bnesl\b|\bcre\b/, 'RIR'],
  [/\br1\b|\bi\b|\bloa\b|\bi-nonltr\b|outcast/, 'RII'],
  [/\b7sl\b|\balu\b|\bb1\b/, 'RSL'],
  [/\b5s\b/, 'RSS'],
  [/sine.*trna|trna.*sine|\bmir\b|^trna/, 'RST'],
  [/tc-?mar|tc1|mariner|stowaway|pogo|\btigger\b|\bdtt\b/, 'DTT'],
  [/\bhat|hobo|\bac\b|\bdta\b/, 'DTA'],
  [/mule|mutator|\bmudr\b|\bdtm\b/, 'DTM'],
  [/merlin|\bdte\b/, 'DTE'],
  [/transib|\bdtr\b/, 'DTR'],
  [/piggy-?bac|\bdtb\b/, 'DTB'],
  [/harbinger|\bpif\b|\bistheel\b|tourist|\bdth\b/, 'DTH'],
  [/cacta|en-?spm|\bcmc\b|\bdtc\b/, 'DTC'],
  [/\bp\b|p.element|\bdtp\b/, 'DTP'],
  [/crypton/, 'DYC'],
  [/helitron|rolling.?circle|^rc\b/, 'DHH'],
  [/maverick|polinton/, 'DMM'],
]

const wholes: [RegExp, string][] = [
  [/non.?ltr/, 'RIX'],
  [/\bltr|long_terminal_repeat|solo.?ltr|\blard\b|\btrim\b/, 'RLX'],
  [/\bline\b|long.interspersed/, 'RIX'],
  [/\bsine\b|short.interspersed/, 'RSX'],
  [/\btir\b|terminal.inverted|\bmite\b|\bdna.transposon\b|^dna\b/, 'DTX'],
  [/retrotransposon|retroposon|retroelement|class.?i\b/, 'RXX'],
  [/transposon|transposable_element_class_ii|class.?ii\b/, 'DXX'],
]

const cache = new Map<string, string>()

/**
 * Wicker's code of a class as people and programs write it: a code itself, RepeatMasker's or EDTA's `class/family`, or a type of the
 * Sequence Ontology. XXX when the words say nothing. Names of single families (Athila, Ty1) are not classes: ask a library for them.
 *
 * Example: `classifyTransposon('LTR/Gypsy')` is `'RLG'`, of `'DNA/hAT-Ac'` `'DTA'`, of `'Copia_LTR_retrotransposon'` `'RLC'`, of
 * `'MITE/DTM'`
 * `'DTM'`, of `'Unknown'` `'XXX'`.
 */
export const classifyTransposon = (text: string): string => {
  const known = cache.get(text)
  if (known !== undefined) return known
  const code = classify(text)
  // Files repeat few names; a hostile file may not fill the memory with many.
  if (cache.size < 10_000) cache.set(text, code)
  return code
}

const classify = (text: string): string => {
  // RepeatMasker marks doubtful calls by a question mark.
  const plain = text.trim().replaceAll('?', '')
  for (const part of plain.split(/[/\s:|,()]+/))
    if (byCode.has(part.toUpperCase()) && part.length === 3) return part.toUpperCase()
  const lower = plain.toLowerCase().replaceAll('_', ' ').replace(/\s+/g, ' ')
  if (lower === '' || /^(unknown|unspecified|other|n\/?a|\.)$/.test(lower)) return 'XXX'
  const slash = lower.indexOf('/')
  const top = slash < 0 ? lower : lower.slice(0, slash)
  const family = slash < 0 ? '' : lower.slice(slash + 1)
  const within = (code: string): boolean =>
    /^(ltr|line|sine|ple|retroposon|retro)/.test(top)
      ? code.startsWith('R')
      : /^(dna|mite|tir|rc)/.test(top)
        ? code.startsWith('D')
        : true
  if (top === 'sine' || top === 'sine?') {
    if (/^trna|mir/.test(family)) return 'RST'
    if (/alu|7sl|^b1/.test(family)) return 'RSL'
    if (/5s/.test(family)) return 'RSS'
    return 'RSX'
  }
  for (const words of [family, lower]) {
    if (words === '') continue
    for (const [pattern, code] of patterns) {
      // One letter or a name such as R1 is a family only behind a slash: "class I" is no I element.
      if ((code === 'RII' || code === 'DTP' || code === 'RIR') && words !== family) continue
      if (pattern.test(words) && within(code)) return code
    }
  }
  for (const [pattern, code] of wholes) if (pattern.test(lower)) return code
  return 'XXX'
}

/** Classes of RepeatMasker's output that are no transposable elements, and of EDTA's (its table of TE_Sequence_Ontology). */
export const isOtherRepeat = (text: string): boolean =>
  /^(simple_repeat|low_complexity|satellite|rrna|trna|snrna|scrna|srprna|rna|artefact|artifact|buffer|segmental|other\/centromeric|rdna|((mini|micro)?satellite|m?sat|cent[cm]?|centro|centromeric_repeat|knob)(\/|$)|(sub)?telomer|chloroplast|mitochondri)/i.test(
    text.trim(),
  )

/** Whether a feature type of GFF3 is that of a whole transposable element or of a solo LTR: words of the Sequence Ontology. */
export const isTransposonType = (type: string): boolean =>
  /(retro)?transposon|transposable_element$|retroposon|helitron|solo.?ltr|mite\b|^(line|sine|trim|lard)(_element)?$|(line|sine)_(element|retrotransposon)|terminal_inverted_repeat_element|mobile_(genetic_)?element|_te$/i.test(
    type,
  ) && !/_gene$|gene_/i.test(type)
