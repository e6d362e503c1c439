import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { alignCodons } from '../../bio/alignment/alignment-columns.ts'
import { translate } from '../../bio/sequence/genetic-codes.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { citations } from './programs.ts'
import { readFasta, type TreeSequence } from './read-sequences.ts'
import { limits, type Note, type TreeInput } from './tool.ts'

type Alphabet = 'nucleotide' | 'protein'

/** Programs see names of their own, so that whatever a name holds does no harm there: the n-th sequence, from 1. */
export const safeName = (at: number): string => `s${at + 1}`

export const renderRows = (rows: readonly string[], nameOf: (at: number) => string = safeName): string =>
  rows.map((row, at) => `>${nameOf(at)}\n${row}\n`).join('')

/** `--thread 1`: with several threads MAFFT's result depends on their order. */
const mafftArguments: Record<TreeInput['mafftMode'], string[]> = {
  auto: ['--auto'],
  linsi: ['--localpair', '--maxiterate', '1000'],
  ginsi: ['--globalpair', '--maxiterate', '1000'],
  einsi: ['--genafpair', '--maxiterate', '1000'],
  fftns2: ['--retree', '2', '--maxiterate', '0'],
}

const runAligner = async (
  rows: readonly string[],
  alphabet: Alphabet,
  input: TreeInput,
  context: EngineContext,
): Promise<string[]> => {
  const accurate = input.align === 'muscle' || ['linsi', 'ginsi', 'einsi'].includes(input.mafftMode)
  if (accurate && rows.length > limits.accurateSequences)
    throw fieldError([input.align === 'muscle' ? 'align' : 'mafftMode'], 'align.tooMany', {
      count: rows.length,
      limit: limits.accurateSequences,
    })
  await writeFile(join(context.directory, 'unaligned.fa'), renderRows(rows))
  if (input.align === 'muscle') {
    await context.runProgram({
      program: 'muscle',
      // One thread and no perturbation: the same alignment every time.
      arguments: ['-align', 'unaligned.fa', '-output', 'muscle.fa', '-threads', '1'],
      explainFailure: (_, errorText) =>
        // Version 3 has other options.
        /invalid command line option|unknown option/i.test(errorText)
          ? new PortalError('TOOL_UNAVAILABLE', { message: 'align.oldMuscle' })
          : null,
    })
    context.receipt.cite(citations.muscle)
  } else {
    await context.runProgram({
      program: 'mafft',
      arguments: [
        ...mafftArguments[input.mafftMode],
        alphabet === 'protein' ? '--amino' : '--nuc',
        '--anysymbol',
        // Its progress goes to /dev/stderr by name, which cannot be opened where standard error is a socket, as it is here.
        '--quiet',
        '--thread',
        '1',
        'unaligned.fa',
      ],
      outputFile: 'mafft.fa',
    })
    context.receipt.cite(citations.mafft)
  }
  const text = await readFile(join(context.directory, input.align === 'muscle' ? 'muscle.fa' : 'mafft.fa'), 'utf8')
  // MUSCLE gives the rows back in an order of its own.
  const byName = new Map(readFasta(text, 'alignment').map(({ name, sequence }) => [name, sequence]))
  const aligned = rows.map((_, at) => byName.get(safeName(at)) ?? '')
  if (aligned.some((row) => row.length !== aligned[0]!.length || row === ''))
    throw new Error(`${input.align} gave rows of different lengths`)
  return aligned
}

const nameList = (names: string[]): string => names.slice(0, 10).join(', ')

/**
 * Aligns sequences, coding ones by their proteins when `codons`; `none` takes them as they are. A final stop is left out of proteins and
 * a stop inside is read as X.
 */
export const alignSequences = async (
  sequences: readonly TreeSequence[],
  alphabet: Alphabet,
  codons: boolean,
  input: TreeInput,
  context: EngineContext,
  notes: Note[],
): Promise<string[]> => {
  if (input.align === 'none') {
    const [first] = sequences
    const odd = sequences.find(({ sequence }) => sequence.length !== first!.sequence.length)
    if (odd !== undefined)
      throw fieldError(['align'], 'align.lengths', {
        name: odd.leaf.name.slice(0, 60),
        length: odd.sequence.length,
        first: first!.leaf.name.slice(0, 60),
        firstLength: first!.sequence.length,
      })
    if (codons && first!.sequence.length % 3 !== 0)
      throw fieldError(['codons'], 'align.notCodons', { length: first!.sequence.length })
    return sequences.map(({ sequence }) => sequence)
  }
  const bare = sequences.map(({ sequence }) => sequence.replaceAll('-', ''))
  if (!codons) {
    const clean = alphabet === 'protein' ? bare.map((one) => one.replace(/\*+$/, '').replaceAll('*', 'X')) : bare
    return runAligner(clean, alphabet, input, context)
  }
  const cut: string[] = []
  const stopped: string[] = []
  const cds = bare.map((one, at) => {
    const { leaf, geneticCode } = sequences[at]!
    if (one.length % 3 !== 0) cut.push(leaf.name)
    const whole = one.slice(0, one.length - (one.length % 3))
    const protein = translate(whole, { table: geneticCode })
    if (/\*./.test(protein)) stopped.push(leaf.name)
    return protein.endsWith('*') ? whole.slice(0, -3) : whole
  })
  if (cut.length > 0) notes.push({ id: 'note.cutCodons', params: { count: cut.length, names: nameList(cut) } })
  if (stopped.length > 0) notes.push({ id: 'note.stops', params: { count: stopped.length, names: nameList(stopped) } })
  const proteins = cds.map((one, at) => translate(one, { table: sequences[at]!.geneticCode }).replaceAll('*', 'X'))
  const short = proteins.indexOf('')
  if (short >= 0)
    throw fieldError([input.source === 'sequence' ? 'sequence' : 'genes'], 'sequence.empty', {
      name: sequences[short]!.leaf.name,
    })
  const aligned = await runAligner(proteins, 'protein', input, context)
  return aligned.map((row, at) => alignCodons(row, cds[at]!))
}
