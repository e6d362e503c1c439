import { type FieldProblem, fieldError, type PortalError } from '../../../contracts/errors.ts'
import {
  geneticCodeIds,
  type Matrix,
  matrixGapCosts,
  nucleotideGapCostsFit,
  nucleotideScores,
  type Program,
  programFacts,
  type Task,
  taskDefaults,
} from '../programs.ts'
import type { BlastInput } from '../tool.ts'
import { parseAdvancedOptions } from './advanced-options.ts'

/** Input with every default of program and task filled in; null where the program knows no such parameter. */
export interface Settings {
  program: Program
  task: Task | null
  evalue: number
  maxTargetSeqs: number
  wordSize: number
  scores: string | null
  matrix: Matrix | null
  gapCosts: string | null
  queryGeneticCode: number | null
  databaseGeneticCode: number | null
  /** Options of the form that were left at the program's own default are not among them. */
  arguments: string[]
}

type SettingsInput = Pick<
  BlastInput,
  | 'program'
  | 'task'
  | 'evalue'
  | 'maxTargetSeqs'
  | 'wordSize'
  | 'scores'
  | 'matrix'
  | 'gapCosts'
  | 'ungapped'
  | 'compositionStatistics'
  | 'lowComplexity'
  | 'softMasking'
  | 'maskLowerCase'
  | 'strand'
  | 'queryGeneticCode'
  | 'databaseGeneticCode'
  | 'percentIdentity'
  | 'queryCoverage'
  | 'maxHsps'
  | 'advanced'
>

const wrong = (field: string, message: string, params: FieldProblem['params'] = {}): PortalError =>
  fieldError([field], message, params)

/**
 * Fills in defaults and gives the argument vector of the search, without query, databases, output and threads. A parameter that
 * the program does not know, left over from another program on the form, is passed over where it cannot change anything, and is an
 * error where the user must have meant something by it. Throws PortalError (INVALID_INPUT) beside the field.
 *
 * `geneticCodes` are those of the data, used where the user chose none.
 */
export const resolveSettings = (input: SettingsInput, geneticCodes: { query: number; database: number }): Settings => {
  const { program } = input
  const facts = programFacts[program]
  if (input.task !== undefined && !facts.tasks.includes(input.task))
    throw wrong('task', 'task.otherProgram', { task: input.task, program })
  const task = input.task ?? facts.tasks[0] ?? null
  const defaults = taskDefaults(program, task)
  const result: string[] = []
  const add = (name: string, ...values: (string | number)[]): void => {
    result.push(`-${name}`, ...values.map(String))
  }

  if (task !== null) add('task', task)
  const evalue = input.evalue ?? defaults.evalue
  add('evalue', evalue)
  add('max_target_seqs', input.maxTargetSeqs)

  const wordSize = input.wordSize ?? defaults.wordSize
  if (input.wordSize !== undefined) {
    const { minimum, maximum } = facts.wordSize
    if (task === 'dc-megablast' && wordSize !== 11 && wordSize !== 12) throw wrong('wordSize', 'wordSize.discontiguous')
    if (wordSize < minimum || wordSize > maximum)
      throw wrong('wordSize', 'wordSize.range', { minimum, maximum, program })
    add('word_size', wordSize)
  }

  let scores: string | null = null
  let matrix: Matrix | null = null
  let gapCosts: string | null = null
  if (facts.usesMatrix) {
    matrix = input.matrix ?? defaults.matrix
    if (input.matrix !== undefined) add('matrix', input.matrix)
    if (facts.gapped && matrix !== null) {
      gapCosts = input.gapCosts ?? (input.matrix === undefined ? defaults.gapCosts : matrixGapCosts[matrix][0]!)
      if (!matrixGapCosts[matrix].includes(gapCosts!))
        throw wrong('gapCosts', 'gapCosts.matrix', { matrix, allowed: matrixGapCosts[matrix].join('; ') })
    }
  } else {
    scores = input.scores ?? defaults.scores
    const entry = nucleotideScores.find((one) => one.scores === scores)
    if (entry === undefined)
      throw wrong('scores', 'scores.unknown', { allowed: nucleotideScores.map((one) => one.scores).join('; ') })
    const linear = task === 'megablast' && scores !== '1,-1'
    const fallback = [defaults.gapCosts, ...entry.gapCosts].find(
      (costs) => costs !== null && ((linear && costs === '0,0') || nucleotideGapCostsFit(entry.scores, costs)),
    )
    gapCosts = input.gapCosts ?? fallback ?? null
    if (gapCosts !== null && !(linear && gapCosts === '0,0') && !nucleotideGapCostsFit(entry.scores, gapCosts))
      throw wrong('gapCosts', 'gapCosts.scores', {
        scores: entry.scores,
        allowed: [...(linear ? ['0,0'] : []), ...entry.gapCosts].join('; '),
        existence: entry.stringent[0],
        extension: entry.stringent[1],
      })
    if (input.scores !== undefined) {
      const [reward, penalty] = entry.scores.split(',')
      add('reward', reward!)
      add('penalty', penalty!)
    }
  }
  // The programs know the costs that belong to a task; where scores or matrix are changed, they are always said.
  const costsChosen = input.gapCosts !== undefined || input.scores !== undefined || input.matrix !== undefined
  if (facts.gapped && gapCosts !== null && costsChosen) {
    const [existence, extension] = gapCosts.split(',')
    add('gapopen', existence!)
    add('gapextend', extension!)
  }

  if (input.ungapped) {
    if (program === 'tblastx') throw wrong('ungapped', 'ungapped.always')
    add('ungapped')
    gapCosts = null
  }
  if (facts.usesMatrix && facts.gapped) {
    if (input.compositionStatistics !== undefined) add('comp_based_stats', input.compositionStatistics)
    // Composition-based statistics need gapped alignments: the programs refuse one without the other.
    else if (input.ungapped) add('comp_based_stats', 0)
  }
  if (input.ungapped && input.compositionStatistics !== undefined && input.compositionStatistics !== '0')
    throw wrong('compositionStatistics', 'compositionStatistics.ungapped')

  if (input.lowComplexity !== 'default') add(facts.usesMatrix ? 'seg' : 'dust', input.lowComplexity)
  if (input.softMasking !== 'default') add('soft_masking', input.softMasking === 'yes' ? 'true' : 'false')
  if (input.maskLowerCase) add('lcase_masking')
  if (input.strand !== 'both' && facts.query === 'nucleotide') add('strand', input.strand)

  const geneticCode = (field: 'queryGeneticCode' | 'databaseGeneticCode', used: boolean, fallback: number) => {
    if (!used) return null
    const code = input[field] ?? fallback
    if (!(geneticCodeIds as readonly number[]).includes(code)) throw wrong(field, 'geneticCode.unknown', { code })
    add(field === 'queryGeneticCode' ? 'query_gencode' : 'db_gencode', code)
    return code
  }
  const queryGeneticCode = geneticCode('queryGeneticCode', facts.translatesQuery, geneticCodes.query)
  const databaseGeneticCode = geneticCode('databaseGeneticCode', facts.translatesDatabase, geneticCodes.database)

  if (input.percentIdentity !== undefined && input.percentIdentity > 0) {
    if (program !== 'blastn') throw wrong('percentIdentity', 'percentIdentity.blastn')
    add('perc_identity', input.percentIdentity)
  }
  if (input.queryCoverage !== undefined && input.queryCoverage > 0) add('qcov_hsp_perc', input.queryCoverage)
  if (input.maxHsps !== undefined) add('max_hsps', input.maxHsps)

  const advanced = parseAdvancedOptions(input.advanced, program)
  if ('problem' in advanced) throw wrong('advanced', advanced.problem.message, advanced.problem.params)
  if (
    (advanced.arguments.includes('-dust') || advanced.arguments.includes('-seg')) &&
    input.lowComplexity !== 'default'
  )
    throw wrong('advanced', 'advanced.twice', { option: facts.usesMatrix ? '-seg' : '-dust' })
  result.push(...advanced.arguments)

  return {
    program,
    task,
    evalue,
    maxTargetSeqs: input.maxTargetSeqs,
    wordSize,
    scores,
    matrix,
    gapCosts,
    queryGeneticCode,
    databaseGeneticCode,
    arguments: result,
  }
}
