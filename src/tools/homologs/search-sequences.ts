import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FastaRecord, parseFastaText } from '../../bio/sequence/fasta.ts'
import { listIllegalLetters } from '../../bio/sequence/illegal-letters.ts'
import { type Alphabet, cleanProtein, detectAlphabet } from '../../bio/sequence/sequence.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { usableCores } from '../../jobs/usable-cores.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { alignmentEvalue } from './method.ts'
import { type AlignedPair, alignmentColumns, chooseAlignment, parseAlignment } from './pair-file.ts'
import { searchDatabaseKind } from './stored.ts'
import { limits } from './tool.ts'

interface SequenceHit {
  /** Number of the bundle of its assembly. */
  bundle: number
  gene: string
  identity: number
  coverage: number
  targetCoverage: number
  evalue: number
  bitScore: number
}

/** Reads what was pasted; proteins and coding DNA are told apart by their letters, one kind at a time. */
export const readSequences = (text: string): { records: FastaRecord[]; alphabet: Alphabet } => {
  if (text.trim() === '') throw fieldError(['sequence'], 'problem.noSequence')
  const letters = text.replace(/^[>;].*$/gm, '').replace(/[^A-Za-z]/g, '')
  const alphabet = detectAlphabet(letters) ?? 'protein'
  const { records, log } = parseFastaText(text, { alphabet })
  const illegal = listIllegalLetters(log)
  if (illegal !== null) throw fieldError(['sequence'], 'problem.illegal', { ...illegal })
  const filled = records.filter((record) => record.sequence !== '')
  if (filled.length === 0) throw fieldError(['sequence'], 'problem.noSequence')
  if (filled.length > limits.sequences)
    throw fieldError(['sequence'], 'problem.tooManySequences', { count: filled.length, limit: limits.sequences })
  for (const { name, sequence } of filled)
    if (sequence.length > limits.residues)
      throw fieldError(['sequence'], 'problem.tooLong', { name, length: sequence.length, limit: limits.residues })
  return { records: filled, alphabet }
}

/** Proteins that DIAMOND proposes for each record, the best first. */
interface Subject {
  bundle: number
  gene: string
  sequence: string
  proposed: AlignedPair
}

/** DIAMOND's own e-values are not BLASTP's: what it proposes reaches further by this factor. */
const proposalMargin = 100

/** Threads of DIAMOND. */
export const searchThreads = 4

const proposeSubjects = async (
  database: string,
  records: number,
  search: { program: string; geneticCode: string[]; evalue: number },
  context: EngineContext,
): Promise<Subject[][]> => {
  await context.runProgram({
    program: 'diamond',
    arguments: [
      ...[search.program, '--query', 'query.fa', '--db', database, '--out', 'subjects.tsv', ...search.geneticCode],
      ...['--very-sensitive', '--masking', 'none', '--evalue', String(search.evalue * proposalMargin)],
      ...['--max-target-seqs', String(limits.rows), '--max-hsps', '1'],
      ...['--threads', String(usableCores(searchThreads)), '--quiet'],
      ...['--outfmt', '6', ...alignmentColumns, 'full_sseq'],
    ],
  })
  const subjects: Subject[][] = Array.from({ length: records }, () => [])
  for (const line of (await readFile(join(context.directory, 'subjects.tsv'), 'latin1')).split('\n')) {
    const proposed = parseAlignment(line)
    if (proposed === null) continue
    const [query, subject, ...others] = line.split('\t')
    const bar = subject!.indexOf('|')
    subjects[Number(query)]!.push({
      bundle: Number(subject!.slice(0, bar)),
      gene: subject!.slice(bar + 1),
      sequence: others.at(-1)!,
      proposed,
    })
  }
  return subjects
}

/** Residues of the proteins of all assemblies: what e-values are told for. */
const countResidues = async (database: string, context: EngineContext): Promise<number> => {
  const { output } = await context.runProgram({ program: 'diamond', arguments: ['dbinfo', '--db', database] })
  const letters = /Letters\s+(\d+)/.exec(output)?.[1]
  if (letters === undefined) throw new Error(`diamond dbinfo tells no letters: ${output.slice(0, 200)}`)
  return Number(letters)
}

/**
 * Searches the proteins of all assemblies; hits by the number of the record, best first. As in a load DIAMOND proposes proteins, nothing
 * masked, and BLAST+ aligns them: figures are those of a BLASTP or BLASTX search of all these proteins.
 */
export const searchSequences = async (
  records: FastaRecord[],
  alphabet: Alphabet,
  options: { evalue: number; geneticCode: number },
  context: EngineContext,
): Promise<SequenceHit[][]> => {
  const database = await context.data.homologyFile(searchDatabaseKind)
  if (database === null) throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.notComputed' })
  // A protein is cleaned as those it is compared with were.
  const clean = (sequence: string): string => (alphabet === 'protein' ? cleanProtein(sequence) : sequence.toUpperCase())
  const fasta = records.map(({ sequence }, number) => `>${number}\n${clean(sequence)}\n`)
  await writeFile(join(context.directory, 'query.fa'), fasta.join(''))
  const program = alphabet === 'protein' ? 'blastp' : 'blastx'
  const codeOf = (option: string): string[] => (alphabet === 'protein' ? [] : [option, String(options.geneticCode)])
  const subjects = await proposeSubjects(
    database,
    records.length,
    { program, geneticCode: codeOf('--query-gencode'), evalue: options.evalue },
    context,
  )
  const residues = await countResidues(database, context)
  const hits: SequenceHit[][] = records.map(() => [])
  for (const [number, list] of subjects.entries()) {
    if (list.length === 0) continue
    const write = (name: string, text: string): Promise<void> => writeFile(join(context.directory, name), text)
    await write('one.fa', fasta[number]!)
    await write('subjects.fa', list.map(({ sequence }, at) => `>${at}\n${sequence}\n`).join(''))
    await context.runProgram({
      program,
      arguments: [
        ...['-query', 'one.fa', '-subject', 'subjects.fa', '-out', 'hits.tsv', ...codeOf('-query_gencode')],
        ...[
          '-evalue',
          String(Math.max(alignmentEvalue, options.evalue)),
          '-dbsize',
          String(residues),
          '-seg',
          'no',
          '-max_hsps',
          '1',
        ],
        ...['-max_target_seqs', String(Math.max(5, list.length)), '-outfmt', `6 ${alignmentColumns.join(' ')}`],
      ],
    })
    const aligned = new Map<number, AlignedPair>()
    for (const line of (await readFile(join(context.directory, 'hits.tsv'), 'latin1')).split('\n')) {
      const pair = parseAlignment(line)
      if (pair !== null && !aligned.has(pair.b)) aligned.set(pair.b, pair)
    }
    for (const [at, { bundle, gene, proposed }] of list.entries()) {
      const pair = chooseAlignment(aligned.get(at) ?? null, proposed)
      if (pair === null || pair.evalue > options.evalue) continue
      hits[number]!.push({
        bundle,
        gene,
        identity: pair.identity,
        coverage: pair.coverageA,
        targetCoverage: pair.coverageB,
        evalue: pair.evalue,
        bitScore: pair.bits,
      })
    }
    hits[number]!.sort((a, b) => b.bitScore - a.bitScore)
  }
  return hits
}
