import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type FastaRecord, parseFastaText } from '../../bio/fasta.ts'
import { listIllegalLetters } from '../../bio/illegal-letters.ts'
import { type Alphabet, cleanProtein, detectAlphabet } from '../../bio/sequence.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { searchDatabaseKind } from './method.ts'
import { searchColumns } from './pair-file.ts'
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

/** Searches the proteins of all assemblies; hits by the number of the record, best first. */
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
  await writeFile(
    join(context.directory, 'query.fa'),
    records.map(({ sequence }, number) => `>${number}\n${clean(sequence)}\n`).join(''),
  )
  await context.runProgram({
    program: 'diamond',
    arguments: [
      ...[alphabet === 'protein' ? 'blastp' : 'blastx', '--query', 'query.fa', '--db', database, '--out', 'hits.tsv'],
      ...(alphabet === 'protein' ? [] : ['--query-gencode', String(options.geneticCode)]),
      ...['--very-sensitive', '--evalue', String(options.evalue), '--max-target-seqs', String(limits.rows)],
      ...['--max-hsps', '1', '--threads', String(Math.min(4, availableParallelism())), '--quiet'],
      ...['--outfmt', '6', ...searchColumns],
    ],
  })
  const hits: SequenceHit[][] = records.map(() => [])
  for (const line of (await readFile(join(context.directory, 'hits.tsv'), 'latin1')).split('\n')) {
    const [query, subject, identity, evalue, bits, qstart, qend, sstart, send, qlen, slen] = line.split('\t')
    if (slen === undefined) continue
    const bar = subject!.indexOf('|')
    const share = (from: string, to: string, length: string): number =>
      (Math.abs(Number(to) - Number(from)) + 1) / Number(length)
    hits[Number(query)]!.push({
      bundle: Number(subject!.slice(0, bar)),
      gene: subject!.slice(bar + 1),
      identity: Number(identity),
      coverage: share(qstart!, qend!, qlen!),
      targetCoverage: share(sstart!, send!, slen),
      evalue: Number(evalue),
      bitScore: Number(bits),
    })
  }
  for (const list of hits) list.sort((a, b) => b.bitScore - a.bitScore)
  return hits
}
