import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DemoError } from './demo-error.ts'
import { runProgram } from './run.ts'

/** A zinc finger by the spacing of its ligands, part by part; parts of varying length are aligned to the left, gaps after them. */
interface FingerPattern {
  name: string
  /** What rules call it (Pfam's accession of the family). */
  domain: string
  description: string
  /** One group of the expression for each part: [expression, greatest length]. */
  parts: readonly (readonly [string, number])[]
}

export const fingerPatterns: readonly FingerPattern[] = [
  {
    // MacPherson, Larochelle & Turcotte 2006, Microbiol. Mol. Biol. Rev. 70:583: Cys-X2-Cys-X6-Cys-X5-12-Cys-X2-Cys-X6-8-Cys. A
    // basic residue stands within the first loop of nearly all.
    name: 'Zn2Cys6_cluster',
    domain: 'PF00172',
    description: 'Zn(2)-Cys(6) cluster, seeds by its spacing',
    parts: [
      ['[^C][AST]C', 3],
      ['..C[RKHSTW]..[RKHQ]..C', 10],
      ['[^C]{5,12}', 12],
      ['C..C', 4],
      ['[^C]{6,8}', 8],
      ['C', 1],
    ],
  },
  {
    // Krishna, Majumdar & Grishin 2003, Nucleic Acids Res. 31:532: (F/Y)-X-C-X2-5-C-X3-(F/Y)-X5-hydrophobic-X2-H-X3-5-H.
    name: 'C2H2_finger',
    domain: 'PF00096',
    description: 'C2H2 zinc finger, seeds by its spacing',
    parts: [
      ['[FY].C', 3],
      ['.{2,4}', 4],
      ['C...[FY].{5}[LIVM]..H', 14],
      ['.{3,4}', 4],
      ['H', 1],
    ],
  },
  {
    // Scazzocchio 2000, Curr. Opin. Microbiol. 3:126: Cys-X2-Cys-X17-18-Cys-X2-Cys with the loop's T-P-x-W-R.
    name: 'GATA_finger',
    domain: 'PF00320',
    description: 'GATA zinc finger, seeds by its spacing',
    parts: [
      ['C..C', 4],
      ['.{4}[ST]P.WR.{7}', 16],
      ['.{1,2}', 2],
      ['C[NS].C[GA]', 5],
    ],
  },
]

/** A profile of fewer seeds would know little but those. */
const minSeeds = 3

/** Every match of a pattern in the proteins as a row of one alignment, equal rows once. */
export const alignFingers = (
  proteins: Iterable<[id: string, protein: string]>,
  { parts }: FingerPattern,
): Map<string, string> => {
  const expression = new RegExp(parts.map(([part]) => `(${part})`).join(''), 'g')
  const rows = new Map<string, string>()
  const seen = new Set<string>()
  for (const [id, protein] of proteins)
    for (const match of protein.matchAll(expression)) {
      if (/[X*]/.test(match[0])) continue
      const row = parts.map(([, longest], at) => match[at + 1]!.padEnd(longest, '-')).join('')
      if (seen.has(row)) continue
      seen.add(row)
      rows.set(`${id}/${match.index + 1}-${match.index + match[0].length}`, row)
    }
  return rows
}

export interface FactorProfile {
  name: string
  domain: string
  seeds: number
}

/**
 * Builds a profile of each finger from the proteins of the genome itself and writes all into one file. Resolves to what was built; an
 * empty list, and no file, when hmmbuild is not installed or nothing was found.
 */
export async function makeFactorProfiles(
  proteins: ReadonlyMap<string, string>,
  outFile: string,
): Promise<FactorProfile[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'novodb-profiles-'))
  try {
    const built: FactorProfile[] = []
    const texts: string[] = []
    for (const pattern of fingerPatterns) {
      const rows = alignFingers(proteins, pattern)
      if (rows.size < minSeeds) continue
      const alignment = [...rows].map(([name, row]) => `>${name}\n${row}\n`).join('')
      await writeFile(join(scratch, 'seeds.afa'), alignment)
      // Columns that half of the seeds have are match states (the default); the seed of the random numbers is fixed, so that the same
      // proteins give the same profile.
      await runProgram('hmmbuild', ['--amino', '--seed', '42', '-n', pattern.name, 'profile.hmm', 'seeds.afa'], {
        cwd: scratch,
      })
      const text = await readFile(join(scratch, 'profile.hmm'), 'utf8')
      texts.push(text.replace(/^(NAME .*\n)/m, `$1DESC  ${pattern.description}\n`).replace(/^DATE .*\n/m, ''))
      built.push({ name: pattern.name, domain: pattern.domain, seeds: rows.size })
    }
    if (built.length > 0) await writeFile(outFile, texts.join(''))
    return built
  } catch (error) {
    if (error instanceof DemoError && error.code === 'program-missing') return []
    throw error
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
