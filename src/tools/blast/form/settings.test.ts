import { describe, expect, it } from 'vitest'
import { PortalError } from '../../../contracts/errors.ts'
import { parseSubjectTitle, renderBitScore, renderEvalue, renderSubjectTitle } from '../hits/tabular.ts'
import { offerPrograms, programs } from '../programs.ts'
import { glanceAtSequences, parseSequences } from '../queries.ts'
import { inputSchema } from '../tool.ts'
import { allowedOptions, parseAdvancedOptions } from './advanced-options.ts'
import { resolveSettings } from './settings.ts'

const resolve = (input: Record<string, unknown>) =>
  resolveSettings(inputSchema.parse(input), { query: 11, database: 3 })
const refusal = (input: Record<string, unknown>): string => {
  try {
    resolve(input)
  } catch (error) {
    if (error instanceof PortalError) return `${error.problems[0]?.path[0]}: ${error.messageId}`
    throw error
  }
  return 'accepted'
}

describe('programs offered', () => {
  it('are those that take the query and search the database', () => {
    expect(offerPrograms('nucleotide', 'nucleotide')).toEqual(['blastn', 'tblastx'])
    expect(offerPrograms('nucleotide', 'protein')).toEqual(['blastx'])
    expect(offerPrograms('protein', 'nucleotide')).toEqual(['tblastn'])
    expect(offerPrograms('protein', 'protein')).toEqual(['blastp'])
    expect(offerPrograms(null, null)).toEqual([...programs])
  })
})

describe('settings of a search', () => {
  it('are those of the task where nothing was chosen, and say no more on the command line than needed', () => {
    expect(resolve({ program: 'blastn' })).toMatchObject({
      task: 'megablast',
      evalue: 1e-5,
      wordSize: 28,
      scores: '1,-2',
      gapCosts: '0,0',
    })
    expect(resolve({ program: 'blastn', task: 'blastn-short' })).toMatchObject({
      evalue: 10,
      wordSize: 7,
      scores: '1,-3',
      gapCosts: '5,2',
    })
    expect(resolve({ program: 'blastp', task: 'blastp-short' })).toMatchObject({
      evalue: 10,
      wordSize: 2,
      matrix: 'PAM30',
      gapCosts: '9,1',
    })
    expect(resolve({ program: 'blastp' }).arguments.join(' ')).toBe('-task blastp -evalue 0.00001 -max_target_seqs 500')
  })

  it('translate with the genetic codes of the data unless others are chosen', () => {
    expect(resolve({ program: 'tblastx' }).arguments.join(' ')).toContain('-query_gencode 11 -db_gencode 3')
    expect(resolve({ program: 'tblastn', databaseGeneticCode: 4 })).toMatchObject({
      queryGeneticCode: null,
      databaseGeneticCode: 4,
    })
    expect(refusal({ program: 'tblastn', databaseGeneticCode: 7 })).toBe('databaseGeneticCode: geneticCode.unknown')
  })

  it('take gap costs that BLAST has statistics for, with the matrix or the scores', () => {
    expect(resolve({ program: 'blastp', matrix: 'PAM30' }).arguments.join(' ')).toContain(
      '-matrix PAM30 -gapopen 9 -gapextend 1',
    )
    expect(refusal({ program: 'blastp', gapCosts: '5,1' })).toBe('gapCosts: gapCosts.matrix')
    expect(refusal({ program: 'blastn', task: 'blastn', scores: '1,-3', gapCosts: '1,1' })).toBe('accepted')
    expect(refusal({ program: 'blastn', task: 'blastn', scores: '5,-4', gapCosts: '5,2' })).toBe(
      'gapCosts: gapCosts.scores',
    )
    expect(refusal({ program: 'blastn', task: 'blastn', scores: '2,-3', gapCosts: '0,0' })).toBe(
      'gapCosts: gapCosts.scores',
    )
    expect(refusal({ program: 'blastn', task: 'megablast', scores: '2,-3', gapCosts: '0,0' })).toBe('accepted')
    expect(refusal({ program: 'blastn', scores: '9,-9' })).toBe('scores: scores.unknown')
  })

  it('keep to what the program knows', () => {
    expect(refusal({ program: 'blastp', task: 'megablast' })).toBe('task: task.otherProgram')
    expect(refusal({ program: 'blastp', wordSize: 28 })).toBe('wordSize: wordSize.range')
    expect(refusal({ program: 'tblastx', wordSize: 6 })).toBe('wordSize: wordSize.range')
    expect(refusal({ program: 'blastn', task: 'dc-megablast', wordSize: 28 })).toBe('wordSize: wordSize.discontiguous')
    expect(refusal({ program: 'blastp', percentIdentity: 90 })).toBe('percentIdentity: percentIdentity.blastn')
    expect(refusal({ program: 'tblastx', ungapped: true })).toBe('ungapped: ungapped.always')
    expect(resolve({ program: 'blastp', ungapped: true }).arguments.join(' ')).toContain(
      '-ungapped -comp_based_stats 0',
    )
  })
})

describe('options typed as on the command line', () => {
  it('pass when listed, within bounds, each once', () => {
    expect(parseAdvancedOptions('  -xdrop_gap 30   -no_greedy -dust "20 64 1"\n-culling_limit 2', 'blastn')).toEqual({
      arguments: ['-xdrop_gap', '30', '-no_greedy', '-dust', '20 64 1', '-culling_limit', '2'],
    })
    expect(parseAdvancedOptions('', 'blastp')).toEqual({ arguments: [] })
  })

  it.each([
    ['-out /etc/x', 'advanced.unknown'],
    ['-db /etc', 'advanced.unknown'],
    ['-query /etc/passwd', 'advanced.unknown'],
    ['-import_search_strategy x', 'advanced.unknown'],
    ['-remote', 'advanced.unknown'],
    ['-num_threads 64', 'advanced.unknown'],
    ['-outfmt 0', 'advanced.unknown'],
    ['-constructor 1', 'advanced.unknown'],
    ['-__proto__ 1', 'advanced.notAnOption'],
    ['; rm -rf /', 'advanced.notAnOption'],
    ['$(id)', 'advanced.notAnOption'],
    ['-xdrop_gap 20\n-out /etc/x', 'advanced.unknown'],
    ['-xdrop_gap 20;id', 'advanced.badValue'],
    ['-xdrop_gap', 'advanced.needsValue'],
    ['-xdrop_gap -1', 'advanced.badValue'],
    ['-xdrop_gap 1e9', 'advanced.badValue'],
    ['-xdrop_gap 20 -xdrop_gap 30', 'advanced.twice'],
    ['-seg yes', 'advanced.otherProgram'],
    ['-dust "20 64', 'advanced.quote'],
    ['-dust "20 64 1; id"', 'advanced.badValue'],
    ['-word_size 7', 'advanced.hasField'],
    ['-template_type coding', 'advanced.together'],
    ['-culling_limit 1 -best_hit_overhang 0.1', 'advanced.together'],
  ])('%s is refused', (text, message) => {
    expect(parseAdvancedOptions(text, 'blastn')).toMatchObject({ problem: { message } })
  })

  it('never hold what names a file, a database or another machine', () => {
    for (const name of Object.keys(allowedOptions))
      expect(name).not.toMatch(
        /^(db|out|query|subject|remote|outfmt|.*list|.*_strategy|in_pssm|html|num_threads|filtering_db|window_masker.*|index_name)$/,
      )
  })
})

describe('sequences as people paste them', () => {
  it('may be FASTA with any line end, or bare residues with numbers between', () => {
    expect(parseSequences('>a one\r\nACGU\r\nnn\r\n>b\rAC GT\r', 'nucleotide')).toEqual({
      records: [
        { name: 'a', description: 'one', sequence: 'ACGUnn' },
        { name: 'b', description: '', sequence: 'ACGT' },
      ],
      problems: [],
    })
    expect(parseSequences('  1 acgtacgtaa 11 cc', 'nucleotide').records[0]!.sequence).toBe('acgtacgtaacc')
  })

  it('are told apart by their letters, record by record', () => {
    expect(parseSequences('>n\nACGTACGTACGT\n>p\nMKVLAAGIVGLLLAQWERT\n', 'nucleotide').problems).toEqual([
      { message: 'sequence.isProtein', params: { name: 'p' } },
    ])
    expect(glanceAtSequences('>p\nMKVLAAGIVGLLLAQ\n>q\nMKV')).toEqual({ alphabet: 'protein', count: 2, residues: 18 })
    expect(glanceAtSequences('')).toEqual({ alphabet: null, count: 0, residues: 0 })
  })
})

describe('titles of database sequences', () => {
  it('come back as they were written, whatever signs the names hold', () => {
    for (const title of [
      { name: 'chr1', gene: null, symbol: null, description: '', assembly: 'A-1.0', kind: 'genome' },
      {
        name: 'gi|5|ref|X.1|',
        gene: 'my gene%1',
        symbol: "sym'b",
        description: 'a [b] gene=c >d',
        assembly: 'R64',
        kind: 'protein',
      },
      { name: 'lcl|x', gene: null, symbol: null, description: 'words', assembly: null, kind: null },
    ] as const)
      expect(parseSubjectTitle(renderSubjectTitle(title))).toEqual(title)
  })

  it('lose what BLAST cannot carry', () => {
    expect(
      renderSubjectTitle({ name: 'x', gene: null, symbol: null, description: '激酶\tα', assembly: 'A', kind: 'cds' }),
    ).toBe('x ?? ? [A cds]')
  })

  it('of others are not taken for ours', () => {
    expect(() => parseSubjectTitle('chr1 some words')).toThrow('in none of the databases')
  })
})

describe('figures as BLAST writes them', () => {
  it('keep the digits of its tables', () => {
    const written = ['0.0', '1.96e-152', '4.71e-29', '9.00e-04', '0.003', '0.45', '2.5', '12']
    for (const text of written.filter((one) => one !== '9.00e-04')) expect(renderEvalue(Number(text))).toBe(text)
    for (const text of ['28.5', '99.9', '130', '6303', '1.234e+05']) expect(renderBitScore(Number(text))).toBe(text)
  })
})
