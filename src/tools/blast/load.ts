import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FastaReader } from '../../bio/sequence/fasta.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import type { ProgramOutcome } from '../../jobs/program.ts'
import { inputDefects } from '../../kit/input-defects.ts'
import { type BakeContext, defineLoader } from '../../kit/loader.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { forgetDate } from './database-date.ts'
import { renderSubjectTitle } from './hits/tabular.ts'
import { alphabetOfKind, type DatabaseKind, databaseKinds } from './programs.ts'
import { bakedFolder } from './stored.ts'

/** Kinds of the bundle's own files from which each database is made. */
const sources: Record<DatabaseKind, string> = {
  genome: 'genome',
  transcript: 'transcripts',
  cds: 'cds',
  protein: 'proteins',
}

interface TranscriptAbout {
  gene: string
  symbol: string | null
  description: string | null
}

/** Finds what there is to say of transcripts that are asked for in the order of the genes, some of them left out. */
async function* describeTranscripts(context: BakeContext): AsyncGenerator<TranscriptAbout | null, void, string> {
  let name = yield null
  for await (const { id: gene, symbol, description, transcripts } of context.genes())
    for (const { id } of transcripts) {
      // FASTA knows no blank in a name.
      if (id.split(/\s/, 1)[0] === name) name = yield { gene, symbol, description }
    }
}

/** Longest description in a title; reports repeat it for every hit. */
const descriptionCharacters = 200

/**
 * Makes BLAST databases (version 5) of the genome, the spliced transcripts, the coding sequences and the proteins. Titles say gene,
 * symbol, description, assembly and kind, so that every BLAST format is complete by itself.
 */
export default defineLoader({
  entry: null,
  scope: 'assembly',
  schema: null,
  version: 1,
  bake: async (_, context) => {
    // The genome beside the rest: makeblastdb works on one processor, and half of its work is the genome's.
    const made = new Map<DatabaseKind, MadeDatabase>()
    let missing: string | null = null
    const bakeInTurn = async (kinds: readonly DatabaseKind[]): Promise<void> => {
      for (const kind of kinds) {
        context.signal.throwIfAborted()
        const source = context.bakedFile(sources[kind])
        if (source === null) continue
        const database = await bakeDatabase(kind, source, context)
        if (database === null) {
          missing = source
          return
        }
        made.set(kind, database)
        context.progress(made.size / databaseKinds.length)
      }
    }
    const ends = await Promise.allSettled([
      bakeInTurn(['genome']),
      bakeInTurn(databaseKinds.filter((kind) => kind !== 'genome')),
    ])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    if (missing !== null)
      context.report(inputDefects, {
        code: 'program-missing',
        file: missing,
        line: null,
        params: { program: 'makeblastdb', purpose: 'BLAST', package: 'ncbi-blast+' },
      })
    const counts: Record<string, number> = {}
    for (const kind of databaseKinds) {
      const database = made.get(kind)
      if (database === undefined || database.count === 0) continue
      counts[`blast-${kind}`] = database.count
      for (const file of database.files) context.addFile(file, { kind: `blast-${kind}` })
    }
    return counts
  },
})

interface MadeDatabase {
  /** Sequences; 0 when the source has none, and no database was made. */
  count: number
  /** In the bundle. */
  files: string[]
}

/** Makes one database in the bundle's folder; null when makeblastdb is not installed. */
const bakeDatabase = async (kind: DatabaseKind, source: string, context: BakeContext): Promise<MadeDatabase | null> => {
  const alphabet = alphabetOfKind(kind)
  const assembly = context.assembly ?? ''
  let count = 0
  const transcripts = describeTranscripts(context)
  await transcripts.next()
  const titleOf = async (name: string): Promise<string> => {
    const about = kind === 'genome' ? null : (await transcripts.next(name)).value
    return renderSubjectTitle({
      name,
      gene: about?.gene ?? null,
      symbol: about?.symbol ?? null,
      description: about?.description?.slice(0, descriptionCharacters) ?? '',
      assembly,
      kind,
    })
  }
  let any = false
  const renamed = async function* (): AsyncGenerator<string | Uint8Array> {
    let pending: (Buffer | { name: string })[] = []
    const take = async (): Promise<Buffer> => {
      const pieces: Buffer[] = []
      for (const piece of pending) {
        if (Buffer.isBuffer(piece)) pieces.push(piece)
        else {
          count += 1
          pieces.push(Buffer.from(`${count === 1 ? '' : '\n'}>${await titleOf(piece.name)}\n`, 'latin1'))
        }
      }
      pending = []
      return Buffer.concat(pieces)
    }
    const reader = new FastaReader({
      file: source,
      log: new DefectLog(),
      alphabet,
      onRecord: ({ name }) => void pending.push({ name }),
      onResidues: (residues) => {
        any = true
        pending.push(Buffer.from(residues))
      },
    })
    for await (const bytes of readDecompressed(source)) {
      reader.push(bytes)
      if (pending.length === 0) continue
      yield await take()
    }
    reader.end()
    yield Buffer.concat([await take(), Buffer.from('\n')])
  }
  // A source without a residue (no gene codes for a protein) is no mistake, but makeblastdb fails on it.
  const pieces = renamed()
  let outcome: ProgramOutcome | null
  try {
    const head: (string | Uint8Array)[] = []
    while (!any) {
      const next = await pieces.next()
      if (next.done === true) return { count: 0, files: [] }
      head.push(next.value)
    }
    const input = async function* (): AsyncGenerator<string | Uint8Array> {
      yield* head
      yield* pieces
    }
    // The path of the database is relative to the program's working directory: makeblastdb takes no blank in it.
    outcome = await context.runProgram({
      program: 'makeblastdb',
      arguments: [
        '-in',
        '-',
        '-dbtype',
        alphabet === 'protein' ? 'prot' : 'nucl',
        '-title',
        `${assembly} ${kind}`,
        '-out',
        kind,
        '-blastdb_version',
        '5',
      ],
      input: input(),
    })
  } finally {
    // Without the program nothing reads the pieces to their end, and the file would stay open.
    await pieces.return(undefined)
    await transcripts.return()
  }
  if (outcome === null) return null
  const directory = join(context.directory, bakedFolder)
  await mkdir(directory, { recursive: true })
  const files: string[] = []
  for (const file of (await readdir(context.scratch)).sort()) {
    if (!file.startsWith(`${kind}.`)) continue
    // Copied, for the scratch directory may be on another disk.
    await copyFile(join(context.scratch, file), join(directory, file))
    await forgetDate(join(directory, file))
    await rm(join(context.scratch, file))
    files.push(`${bakedFolder}/${file}`)
  }
  return { count, files }
}
