import { type Program, programFacts } from '../programs.ts'

// Options that may be typed as on the command line. What is not listed here does not reach the program: files, databases,
// remote searches, threads and formats are the portal's business. Bounds keep a slip of the keyboard from becoming an hour.

type OptionKind =
  | { kind: 'integer'; minimum: number; maximum: number }
  | { kind: 'real'; minimum: number; maximum: number }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'flag' }
  | { kind: 'filter' }

interface AllowedOption {
  programs: readonly Program[]
  value: OptionKind
}

const every: readonly Program[] = ['blastn', 'blastp', 'blastx', 'tblastn', 'tblastx']
const withGaps: readonly Program[] = ['blastn', 'blastp', 'blastx', 'tblastn']
const withStatistics: readonly Program[] = ['blastp', 'blastx', 'tblastn']
const withMatrix: readonly Program[] = every.filter((program) => programFacts[program].usesMatrix)
const truth = { kind: 'choice', values: ['true', 'false'] } as const
const drop = { kind: 'real', minimum: 0, maximum: 1000 } as const
const edge = { kind: 'real', minimum: 0.0001, maximum: 0.4999 } as const

export const allowedOptions: Record<string, AllowedOption> = {
  best_hit_overhang: { programs: every, value: edge },
  best_hit_score_edge: { programs: every, value: edge },
  culling_limit: { programs: every, value: { kind: 'integer', minimum: 0, maximum: 10_000 } },
  dbsize: { programs: every, value: { kind: 'integer', minimum: 0, maximum: 1e15 } },
  dust: { programs: ['blastn'], value: { kind: 'filter' } },
  max_intron_length: {
    programs: ['blastx', 'tblastn', 'tblastx'],
    value: { kind: 'integer', minimum: 0, maximum: 1e6 },
  },
  min_raw_gapped_score: { programs: ['blastn'], value: { kind: 'integer', minimum: 0, maximum: 1e6 } },
  no_greedy: { programs: ['blastn'], value: { kind: 'flag' } },
  off_diagonal_range: { programs: ['blastn'], value: { kind: 'integer', minimum: 0, maximum: 100 } },
  searchsp: { programs: every, value: { kind: 'integer', minimum: 0, maximum: 1e18 } },
  seg: { programs: withMatrix, value: { kind: 'filter' } },
  subject_besthit: { programs: every, value: { kind: 'flag' } },
  sum_stats: { programs: ['blastn', 'blastx', 'tblastn', 'tblastx'], value: truth },
  template_length: { programs: ['blastn'], value: { kind: 'choice', values: ['16', '18', '21'] } },
  template_type: {
    programs: ['blastn'],
    value: { kind: 'choice', values: ['coding', 'coding_and_optimal', 'optimal'] },
  },
  threshold: { programs: withMatrix, value: { kind: 'real', minimum: 0, maximum: 1000 } },
  use_sw_tback: { programs: withStatistics, value: { kind: 'flag' } },
  window_size: { programs: every, value: { kind: 'integer', minimum: 0, maximum: 1000 } },
  xdrop_gap: { programs: withGaps, value: drop },
  xdrop_gap_final: { programs: withGaps, value: drop },
  xdrop_ungap: { programs: every, value: drop },
}

/** Options that have a field of their own on the form, by that field's name. */
const formOptions: Record<string, string> = {
  task: 'task',
  evalue: 'evalue',
  word_size: 'wordSize',
  gapopen: 'gapCosts',
  gapextend: 'gapCosts',
  reward: 'scores',
  penalty: 'scores',
  matrix: 'matrix',
  max_target_seqs: 'maxTargetSeqs',
  num_alignments: 'maxTargetSeqs',
  num_descriptions: 'maxTargetSeqs',
  max_hsps: 'maxHsps',
  perc_identity: 'percentIdentity',
  qcov_hsp_perc: 'queryCoverage',
  strand: 'strand',
  query_gencode: 'queryGeneticCode',
  db_gencode: 'databaseGeneticCode',
  comp_based_stats: 'compositionStatistics',
  soft_masking: 'softMasking',
  lcase_masking: 'maskLowerCase',
  ungapped: 'ungapped',
}

export interface AdvancedProblem {
  /** Message id of the tool. */
  message:
    | 'advanced.unknown'
    | 'advanced.hasField'
    | 'advanced.otherProgram'
    | 'advanced.needsValue'
    | 'advanced.badValue'
    | 'advanced.notAnOption'
    | 'advanced.twice'
    | 'advanced.quote'
    | 'advanced.together'
  params: Record<string, string>
}

export type AdvancedOptions = { arguments: string[] } | { problem: AdvancedProblem }

/** Words as a shell would part them, without any other meaning of a shell; null when a quote is not closed. */
const splitWords = (text: string): string[] | null => {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (const sign of text) {
    if (quote !== null) {
      if (sign === quote) quote = null
      else word += sign
    } else if (sign === '"' || sign === "'") {
      quote = sign
      word ??= ''
    } else if (/\s/.test(sign)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + sign
  }
  if (quote !== null) return null
  if (word !== null) words.push(word)
  return words
}

/** The value as the program is given it, or null when it is none of its kind. */
const readValue = (kind: Exclude<OptionKind, { kind: 'flag' }>, text: string): string | null => {
  switch (kind.kind) {
    case 'choice':
      return kind.values.includes(text) ? text : null
    case 'filter':
      return /^(yes|no|\d{1,4}( \d{1,4}(\.\d{1,4})?){2})$/.test(text) ? text : null
    default: {
      const form = kind.kind === 'integer' ? /^\d{1,18}$/ : /^(\d{1,9}(\.\d{1,9})?|\.\d{1,9})$/
      const value = Number(text)
      return form.test(text) && value >= kind.minimum && value <= kind.maximum ? text : null
    }
  }
}

/** What a value should look like, for the message. */
const describeOption = ({ value }: AllowedOption): string => {
  switch (value.kind) {
    case 'flag':
      return ''
    case 'choice':
      return value.values.join(' | ')
    case 'filter':
      return 'yes | no | "20 64 1"'
    default:
      return `${value.minimum} – ${value.maximum}`
  }
}

/**
 * Reads options typed as on the command line into an argument vector; only those of the list, each within its bounds, each once.
 *
 * Example: `parseAdvancedOptions('-xdrop_gap 30 -no_greedy', 'blastn')` is `{arguments: ['-xdrop_gap', '30', '-no_greedy']}`;
 * `parseAdvancedOptions('-out /tmp/x', 'blastn')` is `{problem: {message: 'advanced.unknown', params: {option: '-out'}}}`.
 */
export const parseAdvancedOptions = (text: string, program: Program): AdvancedOptions => {
  const problem = (message: AdvancedProblem['message'], params: Record<string, string> = {}): AdvancedOptions => ({
    problem: { message, params },
  })
  const words = splitWords(text)
  if (words === null) return problem('advanced.quote')
  const result: string[] = []
  const seen = new Set<string>()
  for (let at = 0; at < words.length; at += 1) {
    const shown = words[at]!.slice(0, 60)
    const name = /^--?([a-z][a-z_]*)$/.exec(words[at]!)?.[1]
    if (name === undefined) return problem('advanced.notAnOption', { text: shown })
    const ownField = Object.hasOwn(formOptions, name) ? formOptions[name] : undefined
    if (ownField !== undefined) return problem('advanced.hasField', { option: `-${name}`, field: ownField })
    if (!Object.hasOwn(allowedOptions, name)) return problem('advanced.unknown', { option: `-${name}` })
    const option = allowedOptions[name]!
    if (!option.programs.includes(program)) return problem('advanced.otherProgram', { option: `-${name}`, program })
    if (seen.has(name)) return problem('advanced.twice', { option: `-${name}` })
    seen.add(name)
    if (option.value.kind === 'flag') {
      result.push(`-${name}`)
      continue
    }
    at += 1
    const given = words[at]
    if (given === undefined)
      return problem('advanced.needsValue', { option: `-${name}`, values: describeOption(option) })
    const value = readValue(option.value, given)
    if (value === null)
      return problem('advanced.badValue', {
        option: `-${name}`,
        value: given.slice(0, 60),
        values: describeOption(option),
      })
    result.push(`-${name}`, value)
  }
  // Pairs that the programs refuse or need together ("Incompatible with" and "Requires" of their -help).
  if (seen.has('culling_limit') && (seen.has('best_hit_overhang') || seen.has('best_hit_score_edge')))
    return problem('advanced.together', { option: '-culling_limit', other: '-best_hit_overhang, -best_hit_score_edge' })
  if (seen.has('template_type') !== seen.has('template_length'))
    return problem('advanced.together', { option: '-template_type', other: '-template_length' })
  return { arguments: result }
}
