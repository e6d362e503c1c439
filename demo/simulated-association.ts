import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { DemoError } from './demo-error.ts'
import { runProgram } from './run.ts'
import { type Genotypes, writePlink } from './simulated-genotypes.ts'

/** Sites known in fewer accessions are left out by GEMMA. */
const maxUnknown = 0.1
const minFrequency = 0.02

/**
 * Runs GEMMA's univariate mixed model (X. Zhou, M. Stephens, Nature Genetics 44:821, 2012; Wald tests) with the centred kinship of the same
 * genotypes and writes its table, gzipped, to the file of each phenotype. Resolves to false, with nothing written, where GEMMA is not
 * installed.
 */
export async function runAssociations(
  genotypes: Genotypes,
  phenotypes: readonly { file: string; values: readonly (number | null)[] }[],
): Promise<boolean> {
  const work = await mkdtemp(join(tmpdir(), 'novodb-demo-gemma-'))
  const gemma = async (column: number, ...args: string[]): Promise<void> => {
    const filters = ['-miss', String(maxUnknown), '-maf', String(minFrequency)]
    const command = ['-bfile', 'genotypes', '-n', String(column), ...filters, '-outdir', '.', ...args]
    await runProgram('gemma', command, { cwd: work })
  }
  try {
    // The kinship is of every accession: with the first column, in which none is missing.
    const everyone = genotypes.accessions.map((_, at) => at % 2)
    await writePlink(join(work, 'genotypes'), genotypes, [everyone, ...phenotypes.map(({ values }) => values)])
    await gemma(1, '-gk', '1', '-o', 'kinship')
    for (const [at, { file }] of phenotypes.entries()) {
      await gemma(at + 2, '-k', 'kinship.cXX.txt', '-lmm', '1', '-o', 'association')
      await pipeline(createReadStream(join(work, 'association.assoc.txt')), createGzip(), createWriteStream(file))
    }
    return true
  } catch (thrown) {
    if (thrown instanceof DemoError && thrown.code === 'program-missing') return false
    throw thrown
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
