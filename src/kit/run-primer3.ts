import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type BoulderRecord,
  type DesignedRecord,
  parseRecords,
  readDesign,
  renderRecord,
} from '../bio/sequence/boulder.ts'
import { usableCores } from '../jobs/usable-cores.ts'
import type { EngineContext } from './engine.ts'

/** Records of one run of the program; a batch of them is a step of the progress. */
const batchRecords = 50
/** Runs side by side. */
export const maxPrimer3Runs = 2

/** Untergasser et al. and SantaLucia: what every design by primer3 rests on. */
export const primer3Citations = [
  {
    text: 'Untergasser A et al. (2012) Primer3: new capabilities and interfaces. Nucleic Acids Res 40:e115',
    doi: '10.1093/nar/gks596',
  },
  {
    text: 'SantaLucia J (1998) A unified view of polymer, dumbbell, and oligonucleotide DNA nearest-neighbor thermodynamics. Proc Natl Acad Sci USA 95:1460-1465',
    doi: '10.1073/pnas.95.4.1460',
  },
] as const

/**
 * Runs primer3_core over records with `PRIMER_FIRST_BASE_INDEX=1`; answers in their order. `name` begins the names of the files in the
 * job's directory: another for each run of a job. `onDone` is told how many records are done.
 */
export const runPrimer3 = async (
  records: readonly BoulderRecord[],
  context: Pick<EngineContext, 'directory' | 'runProgram'>,
  {
    name = 'primer3',
    explainFailure,
    onDone,
  }: {
    name?: string
    explainFailure?: Parameters<EngineContext['runProgram']>[0]['explainFailure']
    onDone?: (records: number) => void
  } = {},
): Promise<DesignedRecord[]> => {
  const batches: BoulderRecord[][] = []
  for (let at = 0; at < records.length; at += batchRecords) batches.push(records.slice(at, at + batchRecords))
  const answers: DesignedRecord[][] = []
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    for (let number = next++; number < batches.length; number = next++) {
      const batch = batches[number]!
      const [asked, answered] = [`${name}-${number + 1}.txt`, `${name}-${number + 1}.out`]
      await writeFile(join(context.directory, asked), batch.map(renderRecord).join(''))
      await context.runProgram({
        program: 'primer3_core',
        arguments: ['--strict_tags'],
        inputFile: asked,
        outputFile: answered,
        ...(explainFailure === undefined ? {} : { explainFailure }),
      })
      const found = parseRecords(await readFile(join(context.directory, answered), 'utf8')).map(readDesign)
      if (found.length !== batch.length)
        throw new Error(`primer3_core answered ${found.length} of ${batch.length} records`)
      answers[number] = found
      done += batch.length
      onDone?.(done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxPrimer3Runs, usableCores(), batches.length) }, work))
  return answers.flat()
}
