import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PortalError } from '../../../contracts/errors.ts'
import type { ToolRouteContext } from '../../../kit/engine.ts'
import { csvLine } from '../../../kit/write-table.ts'
import { blastEnvironment } from '../databases.ts'
import type { BlastResult } from '../tool.ts'
import { parseSubjectTitle } from './tabular.ts'

/** File in the run's directory from which every format is made. */
export const archiveFile = 'archive.asn'

// Every column that says something without NCBI's taxonomy databases; the usual twelve first, so that scripts written for them
// read these files too.
const allColumns =
  'std qlen slen nident positive ppos gaps qframe sframe sstrand score qcovs qcovhsp stitle btop qseq sseq'

/** The twelve columns that BLAST calls `std`. */
const usualColumns = 'qseqid sseqid pident length mismatch gapopen qstart qend sstart send evalue bitscore'.split(' ')

/** Headings of the CSV, which are BLAST's names of its columns. */
export const csvColumns = allColumns.split(' ').flatMap((name) => (name === 'std' ? usualColumns : [name]))

interface Format {
  outfmt: string
  extension: string
  contentType: string
  /** Puts names where BLAST writes the number of the sequence among all databases. */
  rename: 'json' | 'xml' | 'xml2' | 'sam' | 'csv' | null
}

export const formats = {
  pairwise: { outfmt: '0', extension: 'txt', contentType: 'text/plain; charset=utf-8', rename: null },
  anchored: { outfmt: '3', extension: 'anchored.txt', contentType: 'text/plain; charset=utf-8', rename: null },
  xml: { outfmt: '5', extension: 'xml', contentType: 'application/xml; charset=utf-8', rename: 'xml' },
  tabular: {
    outfmt: `6 ${allColumns}`,
    extension: 'tsv',
    contentType: 'text/tab-separated-values; charset=utf-8',
    rename: null,
  },
  commented: {
    outfmt: `7 ${allColumns}`,
    extension: 'outfmt7.tsv',
    contentType: 'text/tab-separated-values; charset=utf-8',
    rename: null,
  },
  // Of outfmt 6: BLAST's own CSV (outfmt 10) neither names its columns nor quotes titles that have commas.
  csv: { outfmt: `6 ${allColumns}`, extension: 'csv', contentType: 'text/csv; charset=utf-8', rename: 'csv' },
  json: { outfmt: '15', extension: 'json', contentType: 'application/json; charset=utf-8', rename: 'json' },
  xml2: { outfmt: '16', extension: 'xml2.xml', contentType: 'application/xml; charset=utf-8', rename: 'xml2' },
  sam: { outfmt: '17 SQ SR', extension: 'sam', contentType: 'text/plain; charset=utf-8', rename: 'sam' },
  archive: { outfmt: '11', extension: 'asn', contentType: 'text/plain; charset=utf-8', rename: null },
} as const satisfies Record<string, Format>

export const formatNames = Object.keys(formats) as [FormatName, ...FormatName[]]
export type FormatName = keyof typeof formats

const nameInTitle = (title: string): string => {
  try {
    return parseSubjectTitle(title).name
  } catch {
    return title.split(' ')[0] ?? title
  }
}

/** Sequences of a SAM file have each a name of its own: with several databases theirs go before it. */
const samName = (title: string, several: boolean): string => {
  const { name, assembly, kind } = parseSubjectTitle(title)
  return several ? `${assembly === null ? 'pasted' : `${assembly}/${kind}`}:${name}` : name
}

const decodeXml = (text: string): string =>
  text.replace(
    /&(lt|gt|amp|apos|quot);/g,
    (_, name: string) => ({ lt: '<', gt: '>', amp: '&', apos: "'", quot: '"' })[name]!,
  )
const encodeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' })[sign]!)

/**
 * Lines with the subjects' names where the formatter wrote their number among all databases (`gnl|BL_ORD_ID|17`, accession `17`).
 * The title, from which the name comes, stands within the two lines after the number. `onName` is told each number with its title.
 */
export async function* renameSubjects(
  lines: AsyncIterable<string>,
  kind: 'json' | 'xml' | 'xml2',
  onName?: (ordinal: string, title: string) => void,
): AsyncGenerator<string> {
  const patterns = {
    json: {
      id: /^(\s*"id": ")gnl\|BL_ORD_ID\|(\d+)(",?)$/,
      accession: /^(\s*"accession": ")\d+(",?)$/,
      title: /^\s*"title": (".*")(?:,)?$/,
      read: (text: string) => JSON.parse(text) as string,
      write: (name: string) => JSON.stringify(name).slice(1, -1),
    },
    xml: {
      id: /^(\s*<Hit_id>)gnl\|BL_ORD_ID\|(\d+)(<\/Hit_id>)$/,
      accession: /^(\s*<Hit_accession>)\d+(<\/Hit_accession>)$/,
      title: /^\s*<Hit_def>(.*)<\/Hit_def>$/,
      read: decodeXml,
      write: encodeXml,
    },
    xml2: {
      id: /^(\s*<id>)gnl\|BL_ORD_ID\|(\d+)(<\/id>)$/,
      accession: /^(\s*<accession>)\d+(<\/accession>)$/,
      title: /^\s*<title>(.*)<\/title>$/,
      read: decodeXml,
      write: encodeXml,
    },
  }[kind]
  let held: string[] = []
  const release = (): string[] => {
    const title = held.map((line) => patterns.title.exec(line)?.[1]).find((text) => text !== undefined)
    const lines = held
    held = []
    if (title === undefined) return lines
    const wholeTitle = patterns.read(title)
    const name = nameInTitle(wholeTitle)
    return lines.map((line) => {
      const ordinal = patterns.id.exec(line)?.[2]
      if (ordinal !== undefined) onName?.(ordinal, wholeTitle)
      const written = patterns.write(name)
      return line
        .replace(patterns.id, (_, before: string, __: string, after: string) => before + written + after)
        .replace(patterns.accession, (_, before: string, after: string) => before + written + after)
    })
  }
  for await (const line of lines) {
    if (patterns.id.test(line)) {
      yield* release()
      held.push(line)
    } else if (held.length > 0) {
      held.push(line)
      if (held.length === 3) yield* release()
    } else yield line
  }
  yield* release()
}

/**
 * SAM with names for `BL_ORD_ID:17` and for `Query_1`; in alignment lines the query is the first column, the subject the third. The
 * command line, which names directories, is left out of the header.
 */
export async function* renameSam(
  lines: AsyncIterable<string>,
  subjects: ReadonlyMap<string, string>,
  queries: readonly string[],
): AsyncGenerator<string> {
  const subject = (text: string): string =>
    text.replace(/^BL_ORD_ID:(\d+)$/, (whole, ordinal: string) => subjects.get(ordinal) ?? whole)
  const query = (text: string): string =>
    text.replace(/^Query_(\d+)$/, (whole, number: string) => queries[Number(number) - 1] ?? whole)
  for await (const line of lines) {
    if (line.startsWith('@SQ')) yield line.replace(/SN:(BL_ORD_ID:\d+)/, (_, name: string) => `SN:${subject(name)}`)
    else if (line.startsWith('@')) yield line.replace(/\tCL:[^\t]*/, '')
    else {
      const cells = line.split('\t')
      if (cells.length > 2) {
        cells[0] = query(cells[0]!)
        cells[2] = subject(cells[2]!)
      }
      yield cells.join('\t')
    }
  }
}

/** Tab-separated lines as CSV with its headings. */
async function* renderCsvLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield csvLine(csvColumns).trimEnd()
  for await (const line of lines) yield csvLine(line.split('\t')).trimEnd()
}

const linesOf = (file: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })

async function* withLineEnds(lines: AsyncIterable<string>, end = '\n'): AsyncGenerator<string> {
  let batch = ''
  for await (const line of lines) {
    batch += line + end
    if (batch.length > 1 << 16) {
      yield batch
      batch = ''
    }
  }
  if (batch !== '') yield batch
}

/**
 * The file of a format in the job's directory, made from the archive when it is first asked for. Rejects with CONFLICT when the
 * databases have been replaced by a later load in the meantime and the old ones are gone, for the archive does not hold their sequences.
 */
export const makeFormat = async (
  name: FormatName,
  directory: string,
  result: BlastResult,
  runProgram: ToolRouteContext['runProgram'],
): Promise<string> => {
  const format: Format = formats[name]
  if (name === 'archive') return join(directory, archiveFile)
  if (name === 'sam' && result.program !== 'blastn')
    throw new PortalError('INVALID_INPUT', { message: 'format.samOnlyBlastn', params: { program: result.program } })
  const folder = join(directory, 'formats')
  const file = join(folder, `${name}.${format.extension}`)
  if (
    await access(file).then(
      () => true,
      () => false,
    )
  )
    return file
  await mkdir(folder, { recursive: true })
  // Two readers may ask at once: each writes its own, and the last rename wins with the same content.
  const draft = join(folder, `.${name}.${randomBytes(6).toString('hex')}`)
  const run = (outfmt: string, out: string) =>
    runProgram({
      program: 'blast_formatter',
      arguments: [
        '-archive',
        join(directory, archiveFile),
        '-outfmt',
        outfmt,
        '-max_target_seqs',
        String(result.settings.maxTargetSeqs),
        '-out',
        out,
      ],
      environment: blastEnvironment(directory),
      explainFailure: (_, errorText) =>
        /No alias or index file found|BLAST Database error/.test(errorText)
          ? new PortalError('CONFLICT', { message: 'format.dataReplaced' })
          : null,
    })
  try {
    await run(format.outfmt, `${draft}.raw`)
    let lines: AsyncIterable<string> | null = null
    if (format.rename === 'sam') {
      await run(formats.json.outfmt, `${draft}.names`)
      const subjects = new Map<string, string>()
      for await (const _ of renameSubjects(linesOf(`${draft}.names`), 'json', (ordinal, title) =>
        subjects.set(ordinal, samName(title, result.databases.length > 1)),
      )) {
        // Only the names are wanted.
      }
      const queries = result.queries.map((query) => query.id)
      lines = renameSam(linesOf(`${draft}.raw`), subjects, queries)
    } else if (format.rename === 'csv') lines = renderCsvLines(linesOf(`${draft}.raw`))
    else if (format.rename !== null) lines = renameSubjects(linesOf(`${draft}.raw`), format.rename)
    if (lines === null) await rename(`${draft}.raw`, file)
    else {
      await pipeline(
        Readable.from(withLineEnds(lines, format.rename === 'csv' ? '\r\n' : '\n')),
        createWriteStream(draft),
      )
      await rename(draft, file)
    }
    return file
  } finally {
    for (const leftover of [draft, `${draft}.raw`, `${draft}.names`]) await rm(leftover, { force: true })
  }
}
