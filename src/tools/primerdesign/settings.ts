// What primer3 is told: the settings of primer3web 4, and what a design changes of them.

/**
 * The settings that primer3web 4 starts from, where they differ from those of primer3_core 2.6.1 or where a design may change
 * them. Source: the file of primer3web 4.0.0's settings in the repository of primer3 (Untergasser et al. 2012, Nucleic Acids
 * Res 40:e115). What is not named here has the same value in both.
 */
export const primer3webSettings = {
  PRIMER_FIRST_BASE_INDEX: '1',
  PRIMER_TASK: 'generic',
  PRIMER_EXPLAIN_FLAG: '1',
  PRIMER_MIN_THREE_PRIME_DISTANCE: '3',
  PRIMER_PICK_LEFT_PRIMER: '1',
  PRIMER_PICK_RIGHT_PRIMER: '1',
  PRIMER_PICK_INTERNAL_OLIGO: '0',
  PRIMER_NUM_RETURN: '5',
  PRIMER_PRODUCT_SIZE_RANGE: '150-250 100-300 301-400 401-500 501-600 601-700 701-850 851-1000',
  PRIMER_MIN_SIZE: '18',
  PRIMER_OPT_SIZE: '20',
  PRIMER_MAX_SIZE: '23',
  PRIMER_MIN_TM: '57',
  PRIMER_OPT_TM: '59',
  PRIMER_MAX_TM: '62',
  PRIMER_PAIR_MAX_DIFF_TM: '5',
  PRIMER_TM_FORMULA: '1',
  PRIMER_SALT_CORRECTIONS: '1',
  PRIMER_SALT_MONOVALENT: '50',
  PRIMER_SALT_DIVALENT: '1.5',
  PRIMER_DNTP_CONC: '0.6',
  PRIMER_DNA_CONC: '50',
  PRIMER_MIN_GC: '30',
  PRIMER_MAX_GC: '70',
  PRIMER_GC_CLAMP: '0',
  PRIMER_MAX_POLY_X: '4',
  PRIMER_MAX_END_STABILITY: '9',
  PRIMER_THERMODYNAMIC_OLIGO_ALIGNMENT: '1',
  PRIMER_THERMODYNAMIC_TEMPLATE_ALIGNMENT: '0',
  PRIMER_MAX_SELF_ANY_TH: '45',
  PRIMER_MAX_SELF_END_TH: '35',
  PRIMER_PAIR_MAX_COMPL_ANY_TH: '45',
  PRIMER_PAIR_MAX_COMPL_END_TH: '35',
  PRIMER_MAX_HAIRPIN_TH: '24',
  PRIMER_MAX_TEMPLATE_MISPRIMING: '12',
  PRIMER_PAIR_MAX_TEMPLATE_MISPRIMING: '24',
  PRIMER_MAX_TEMPLATE_MISPRIMING_TH: '40',
  PRIMER_PAIR_MAX_TEMPLATE_MISPRIMING_TH: '70',
  PRIMER_MAX_LIBRARY_MISPRIMING: '12',
  PRIMER_PAIR_MAX_LIBRARY_MISPRIMING: '20',
  PRIMER_LIB_AMBIGUITY_CODES_CONSENSUS: '0',
  PRIMER_LIBERAL_BASE: '1',
  PRIMER_LOWERCASE_MASKING: '0',
  PRIMER_PICK_ANYWAY: '1',
  PRIMER_INSIDE_PENALTY: '-1',
  PRIMER_OUTSIDE_PENALTY: '0',
  PRIMER_INTERNAL_MIN_SIZE: '18',
  PRIMER_INTERNAL_OPT_SIZE: '20',
  PRIMER_INTERNAL_MAX_SIZE: '27',
  PRIMER_INTERNAL_MIN_TM: '57',
  PRIMER_INTERNAL_OPT_TM: '60',
  PRIMER_INTERNAL_MAX_TM: '63',
  PRIMER_INTERNAL_MIN_GC: '20',
  PRIMER_INTERNAL_MAX_GC: '80',
  PRIMER_INTERNAL_MAX_POLY_X: '5',
  PRIMER_INTERNAL_SALT_MONOVALENT: '50',
  PRIMER_INTERNAL_SALT_DIVALENT: '1.5',
  PRIMER_INTERNAL_DNTP_CONC: '0',
  PRIMER_INTERNAL_DNA_CONC: '50',
} as const satisfies Record<string, string>

/** Product sizes of quantitative PCR: short, so that each cycle doubles them whole (Nolan et al. 2006, Nat Protoc 1:1559). */
export const quantitativeProductSizes = '70-150 60-200'

/** Tags that name files or change what is written: not to be set from outside. */
const forbiddenTag =
  /^(?:PRIMER_THERMODYNAMIC_PARAMETERS_PATH|PRIMER_(?:INTERNAL_)?MISPRIMING_LIBRARY|PRIMER_(?:INTERNAL_)?MISHYB_LIBRARY|PRIMER_MASK_\w+|PRIMER_TASK|PRIMER_FIRST_BASE_INDEX|PRIMER_EXPLAIN_FLAG|PRIMER_SECONDARY_STRUCTURE_ALIGNMENT|PRIMER_ANNEALING_TEMP|PRIMER_NUM_RETURN|PRIMER_PICK_(?:LEFT|RIGHT)_PRIMER)$/

interface TagProblem {
  message: 'advanced.form' | 'advanced.tag' | 'advanced.value'
  params: Record<string, string | number>
}

/**
 * Reads further settings as lines TAG=VALUE. Only settings with numbers are taken (weights, bounds, concentrations): a tag of
 * primer3_core that names a file would be read from the server's disk.
 *
 * Example: `parseTags('PRIMER_WT_TM_GT=2')` is `{tags: {PRIMER_WT_TM_GT: '2'}, problem: null}`.
 */
export const parseTags = (text: string): { tags: Record<string, string>; problem: TagProblem | null } => {
  const tags: Record<string, string> = {}
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = raw.trim()
    if (line === '' || line === '=' || line.startsWith('#')) continue
    const match = /^([A-Z0-9_]+)\s*=\s*(.*)$/.exec(line)
    if (match === null)
      return { tags, problem: { message: 'advanced.form', params: { line: index + 1, text: line.slice(0, 60) } } }
    const [, tag = '', value = ''] = match
    if (!/^PRIMER_[A-Z0-9_]+$/.test(tag) || forbiddenTag.test(tag))
      return { tags, problem: { message: 'advanced.tag', params: { tag: tag.slice(0, 60) } } }
    if (!/^-?\d[\d.,; -]{0,200}$/.test(value))
      return {
        tags,
        problem: { message: 'advanced.value', params: { tag: tag.slice(0, 60), value: value.slice(0, 60) } },
      }
    tags[tag] = value
  }
  return { tags, problem: null }
}
