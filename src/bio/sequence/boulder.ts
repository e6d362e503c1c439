// Boulder-IO, the format that primer3_core reads and writes: lines TAG=VALUE, a record ends with a line "=".

export type BoulderRecord = Record<string, string>

/** A record as primer3_core reads it. `renderRecord({A: '1'})` is `A=1\n=\n`. Throws where a value would break the format. */
export const renderRecord = (record: BoulderRecord): string => {
  const lines = Object.entries(record).map(([tag, value]) => {
    if (/[\r\n]/.test(value) || /[=\r\n]/.test(tag)) throw new TypeError(`${tag} cannot be written in Boulder-IO`)
    return `${tag}=${value}\n`
  })
  return `${lines.join('')}=\n`
}

/** Records of a text that primer3_core wrote, in order; a value may hold "=". */
export const parseRecords = (text: string): BoulderRecord[] => {
  const records: BoulderRecord[] = []
  let record: BoulderRecord = {}
  for (const line of text.split('\n')) {
    if (line === '=') {
      records.push(record)
      record = {}
      continue
    }
    const at = line.indexOf('=')
    if (at > 0) record[line.slice(0, at)] = line.slice(at + 1)
  }
  return records
}

export interface ExplainCount {
  /** In primer3's own words, such as "low tm". */
  reason: string
  count: number
}

/**
 * Counts of an explanation. `parseExplain('considered 12, low tm 7, ok 5')` is
 * `[{reason: 'considered', count: 12}, {reason: 'low tm', count: 7}, {reason: 'ok', count: 5}]`.
 */
const parseExplain = (text: string | undefined): ExplainCount[] =>
  (text ?? '').split(/,\s*/).flatMap((part) => {
    const match = /^(.*\S)\s+(\d+)$/.exec(part.trim())
    return match === null ? [] : [{ reason: match[1]!, count: Number(match[2]) }]
  })

/** A secondary structure as primer3 draws it, in lines; its escapes for line ends and degrees are undone. */
const readStructure = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : text.replaceAll('\\n', '\n').replaceAll('&deg;', '°').trimEnd()

export interface DesignedOligo {
  /** On the template, 5′ to 3′ along it, counted from 1; a right primer reads from `end` to `start`. */
  start: number
  end: number
  sequence: string
  tm: number
  gcPercent: number
  /** Melting temperatures (°C) of the most stable dimers with itself, anywhere and at the 3′ end, and of the hairpin. */
  selfAny: number | null
  selfEnd: number | null
  hairpin: number | null
  /** Free energy (kcal/mol, sign turned) of the last five bases. */
  endStability: number | null
  penalty: number
  problems: string | null
  structures: { selfAny: string | null; selfEnd: string | null; hairpin: string | null }
}

export interface DesignedPair {
  left: DesignedOligo
  right: DesignedOligo
  internal: DesignedOligo | null
  penalty: number
  productBp: number
  productTm: number | null
  complAny: number | null
  complEnd: number | null
  structures: { complAny: string | null; complEnd: string | null }
}

export interface DesignedRecord {
  id: string
  pairs: DesignedPair[]
  explain: { left: ExplainCount[]; right: ExplainCount[]; internal: ExplainCount[]; pair: ExplainCount[] }
  warning: string | null
  /** What primer3 refused the record for. */
  error: string | null
}

/** The pairs and explanations of a record of primer3_core with thermodynamic alignment, first base 1. */
export const readDesign = (record: BoulderRecord): DesignedRecord => {
  const numberOf = (tag: string): number | null => {
    const text = record[tag]
    return text === undefined || text === '' || !Number.isFinite(Number(text)) ? null : Number(text)
  }
  const oligoOf = (side: 'LEFT' | 'RIGHT' | 'INTERNAL', rank: number): DesignedOligo | null => {
    const name = `PRIMER_${side}_${rank}`
    const place = /^(-?\d+),(\d+)$/.exec(record[name] ?? '')
    if (place === null) return null
    const from = Number(place[1])
    const length = Number(place[2])
    return {
      // The place of a right primer is that of its 5′ base.
      start: side === 'RIGHT' ? from - length + 1 : from,
      end: side === 'RIGHT' ? from : from + length - 1,
      sequence: record[`${name}_SEQUENCE`] ?? '',
      tm: numberOf(`${name}_TM`) ?? 0,
      gcPercent: numberOf(`${name}_GC_PERCENT`) ?? 0,
      selfAny: numberOf(`${name}_SELF_ANY_TH`),
      selfEnd: numberOf(`${name}_SELF_END_TH`),
      hairpin: numberOf(`${name}_HAIRPIN_TH`),
      endStability: numberOf(`${name}_END_STABILITY`),
      penalty: numberOf(`${name}_PENALTY`) ?? 0,
      problems: record[`${name}_PROBLEMS`]?.trim() || null,
      // primer3 2.6.1 spells the tag so.
      structures: {
        selfAny: readStructure(record[`${name}_SELF_ANY_STUCT`]),
        selfEnd: readStructure(record[`${name}_SELF_END_STUCT`]),
        hairpin: readStructure(record[`${name}_HAIRPIN_STUCT`]),
      },
    }
  }
  const pairs: DesignedPair[] = []
  for (let rank = 0; rank < (numberOf('PRIMER_PAIR_NUM_RETURNED') ?? 0); rank += 1) {
    const left = oligoOf('LEFT', rank)
    const right = oligoOf('RIGHT', rank)
    if (left === null || right === null) break
    const name = `PRIMER_PAIR_${rank}`
    pairs.push({
      left,
      right,
      internal: oligoOf('INTERNAL', rank),
      penalty: numberOf(`${name}_PENALTY`) ?? 0,
      productBp: numberOf(`${name}_PRODUCT_SIZE`) ?? right.end - left.start + 1,
      productTm: numberOf(`${name}_PRODUCT_TM`),
      complAny: numberOf(`${name}_COMPL_ANY_TH`),
      complEnd: numberOf(`${name}_COMPL_END_TH`),
      structures: {
        complAny: readStructure(record[`${name}_COMPL_ANY_STUCT`]),
        complEnd: readStructure(record[`${name}_COMPL_END_STUCT`]),
      },
    })
  }
  return {
    id: record.SEQUENCE_ID ?? '',
    pairs,
    explain: {
      left: parseExplain(record.PRIMER_LEFT_EXPLAIN),
      right: parseExplain(record.PRIMER_RIGHT_EXPLAIN),
      internal: parseExplain(record.PRIMER_INTERNAL_EXPLAIN),
      pair: parseExplain(record.PRIMER_PAIR_EXPLAIN),
    },
    warning: record.PRIMER_WARNING ?? null,
    error: record.PRIMER_ERROR ?? null,
  }
}
