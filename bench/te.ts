// Recall and precision of whole Ty elements found by the identification, against the annotation of the yeast assemblies (Yue et al. 2017).
//   node dist/node/bench/te.js SHARED_DATA
// SHARED_DATA holds yeast/strains and yeast/te; gt, and blastn for families, are on the PATH. An element counts as found where nine tenths
// of both are in common. Figures are printed, nothing is judged.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { FamilyClasses } from '../src/bio/repeats/transposons.ts'
import { parseFastaText } from '../src/bio/sequence/fasta.ts'
import { createProgramRunner } from '../src/jobs/program.ts'
import { findPrograms } from '../src/jobs/programs.ts'
import { blastn, findElements, genomeTools, hmmer } from '../src/tools/transposableelements/find-elements.ts'
import { usualSettings } from '../src/tools/transposableelements/tool.ts'

const strains = ['S288C', 'SK1', 'Y12', 'YPS128', 'DBVPG6044', 'UWOPS034614', 'CBS432']
const share = 0.9

interface Place {
  sequence: string
  start1: number
  end1: number
}

const isSame = (a: Place, b: Place): boolean =>
  a.sequence === b.sequence &&
  Math.min(a.end1, b.end1) - Math.max(a.start1, b.start1) + 1 >=
    share * Math.max(a.end1 - a.start1 + 1, b.end1 - b.start1 + 1)

const main = async (): Promise<void> => {
  const shared = process.argv[2]
  if (shared === undefined) throw new Error('Name the directory of the shared data.')
  const root = await mkdtemp(join(tmpdir(), 'novodb-bench-te-'))
  const searchPath = process.env.PATH ?? ''
  const programs = await findPrograms([genomeTools, hmmer, blastn], searchPath)
  try {
    const read = async (path: string): Promise<string> =>
      gunzipSync(await readFile(join(shared, 'yeast', path))).toString('utf8')
    const library = await read('te/TE_lib.v20221221.tidy.fa.gz')
    await writeFile(join(root, 'library.fa'), library)
    const families = new FamilyClasses()
    for (const line of library.split('\n')) if (line.startsWith('>')) families.addHeading(line)
    for (const overlaps of ['best', 'chosen'] as const) {
      const sum = { annotated: 0, recalled: 0, found: 0, right: 0, named: 0, namedRight: 0 }
      for (const strain of strains) {
        const { records } = parseFastaText(await read(`strains/${strain}.genome.fa.gz`), { alphabet: 'nucleotide' })
        const annotated = (await read(`strains/${strain}.all_feature.gff.gz`)).split('\n').flatMap((line): Place[] => {
          const cells = line.split('\t')
          return /^TY[1-5]$/.test(cells[2] ?? '')
            ? [{ sequence: cells[0]!, start1: Number(cells[3]), end1: Number(cells[4]) }]
            : []
        })
        const directory = join(root, `${strain}-${overlaps}`)
        await mkdir(directory)
        const signal = new AbortController().signal
        const run = createProgramRunner({ directory, signal, programs, searchPath })
        const startedAt = Date.now()
        const result = await findElements(
          records.map(({ name, sequence }) => ({ name, lengthBp: sequence.length, read: async () => sequence })),
          { ...usualSettings, overlaps },
          { profiles: [], library: { path: join(root, 'library.fa'), families } },
          { directory, run, signal, progress: () => undefined },
        )
        const found = result?.elements ?? []
        const isTrue = (one: Place): boolean => annotated.some((other) => isSame(one, other))
        const named = found.filter(({ family }) => family !== null)
        const recalled = annotated.filter((one) => found.some((other) => isSame(one, other))).length
        sum.annotated += annotated.length
        sum.recalled += recalled
        sum.found += found.length
        sum.right += found.filter(isTrue).length
        sum.named += named.length
        sum.namedRight += named.filter(isTrue).length
        console.log(
          `${overlaps} ${strain}: ${recalled} of ${annotated.length} Ty; ${found.length} found, ${named.length} named by the library, ${named.filter(isTrue).length} of these right; ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
        )
        await rm(directory, { recursive: true, force: true })
      }
      console.log(
        `${overlaps}: recall ${(sum.recalled / sum.annotated).toFixed(3)} (${sum.recalled} of ${sum.annotated}); precision of all ${(sum.right / sum.found).toFixed(3)} (${sum.right} of ${sum.found}), of those named by the library ${(sum.namedRight / sum.named).toFixed(3)} (${sum.namedRight} of ${sum.named})`,
      )
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

await main()
