// What a design changes of the settings that primer3 is told.

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
