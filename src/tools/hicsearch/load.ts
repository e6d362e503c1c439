import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { trackDefects } from '../../bio/annotation/track-defects.ts'
import { contactDefects } from '../../bio/contacts/contact-defects.ts'
import {
  ContactLineError,
  type ContactLoop,
  type ContactRegion,
  createLoopReader,
  createRegionReader,
} from '../../bio/contacts/contact-features.ts'
import {
  type ChromosomeMatch,
  type ContactMap,
  ContactMapError,
  matchChromosomes,
} from '../../bio/contacts/contact-map.ts'
import type { ExpectedTable } from '../../bio/contacts/contact-statistics.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { refuseLeftOut } from '../../bio/text/left-out.ts'
import { textDefects } from '../../bio/text/text-defects.ts'
import { entryIdSchema, filePathSchema, refuseEqualIds } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { type BakeContext, type CheckContext, defineLoader } from '../../kit/loader.ts'
import { readInputLines } from '../../kit/read-input.ts'
import { type OnExpected, readCoolerFile } from '../../store/contacts/cooler-file.ts'
import { openCooler } from '../../store/contacts/cooler-reader.ts'
import { readHicFile } from '../../store/contacts/hic-file.ts'
import { openHic } from '../../store/contacts/hic-reader.ts'
import { writeMatrix } from '../../store/npy-matrix.ts'
import { bakeTabix } from '../../store/tabix-writer.ts'
import toolDefects from './defects.ts'
import { type BakedContacts, contactFiles } from './stored.ts'

const contactsSchema = z
  .array(
    z
      .object({
        id: entryIdSchema.describe('Name of the map in addresses, unique in the assembly.'),
        name: localizedTextSchema.describe('Shown to readers.'),
        file: filePathSchema.describe('Contact map: .cool, .mcool or .hic.'),
        tads: filePathSchema.optional().describe('Domains called on the map: BED, or BEDPE as Arrowhead writes it.'),
        loops: filePathSchema
          .optional()
          .describe('Loops called on the map: BEDPE, or a table that begins with its six columns.'),
        compartments: filePathSchema
          .optional()
          .describe(
            'Compartments called on the map: bedGraph (positive is A), BED of A and B, or the table of cooltools.',
          ),
        description: localizedTextSchema.optional(),
        licence: z.string().max(200).optional(),
        simulated: z.boolean().optional(),
      })
      .strict(),
  )
  .superRefine(refuseEqualIds)
  .describe('Contact maps of chromosomes (Hi-C).')
type Contacts = z.output<typeof contactsSchema>

const maxNamed = 5

const listNormalizations = async (path: string, map: ContactMap): Promise<string[][]> => {
  const reader = await (map.format === 'hic' ? openHic(path) : openCooler(path))
  try {
    const names: string[][] = []
    for (const { binBp } of map.resolutions) names.push(await reader.listNormalizations(binBp))
    return names
  } finally {
    await reader.close()
  }
}

/** Reads and checks the whole map; what is wrong is reported, and null is the answer. */
const readMap = async (
  file: string,
  context: CheckContext,
  onExpected?: OnExpected,
): Promise<{ path: string; map: ContactMap; normalizations: string[][] } | null> => {
  const path = await context.resolveFile(file)
  try {
    const map = /\.hic$/i.test(file) ? await readHicFile(path) : await readCoolerFile(path, context.signal, onExpected)
    return { path, map, normalizations: await listNormalizations(path, map) }
  } catch (error) {
    if (!(error instanceof ContactMapError)) throw error
    context.report(contactDefects, { code: error.code, file, line: null, params: error.params })
    return null
  }
}

/** Keeps what is expected at each distance, chromosome after chromosome, beside the map. */
const writeExpected = async (file: string, { columns, chromosomes }: ExpectedTable): Promise<void> => {
  const bins = chromosomes.reduce((sum, { averages }) => sum + averages[0]!.length, 0)
  await writeMatrix(file, '<f8', columns.length, bins, (column, row) => {
    let at = 0
    for (const { averages } of chromosomes) {
      row.set(averages[column]!, at)
      at += averages[column]!.length
    }
  })
}

/** False when the map is of another assembly. A release that differs by less than a bin is taken, and said. */
const reportMatches = (matches: ChromosomeMatch[], map: ContactMap, file: string, context: BakeContext): boolean => {
  const about = { file, line: null }
  const known = matches.filter(({ sequence }) => sequence !== null)
  if (known.length === 0) {
    const listed = (names: string[]): string => names.slice(0, maxNamed).join(', ')
    context.report(toolDefects, {
      ...about,
      code: 'contacts-sequences-all-unknown',
      params: {
        found: listed(matches.map(({ name }) => name)),
        expected: listed(context.sequences.map(({ name }) => name)),
      },
    })
    return false
  }
  const finestBp = map.resolutions[0]!.binBp
  let fits = true
  for (const { name, sequence, mapLengthBp, sequenceLengthBp } of matches) {
    if (sequence === null || sequenceLengthBp === null) {
      context.report(toolDefects, { ...about, code: 'contacts-sequence-unknown', params: { name } })
      continue
    }
    if (name !== sequence)
      context.report(toolDefects, {
        ...about,
        code: 'contacts-sequence-renamed',
        params: { from: name, to: sequence },
      })
    const apartBp = Math.abs(mapLengthBp - sequenceLengthBp)
    if (apartBp === 0) continue
    const far = apartBp >= finestBp
    context.report(toolDefects, {
      ...about,
      code: far ? 'contacts-length-far' : 'contacts-length-near',
      params: { name, found: mapLengthBp, expected: sequenceLengthBp },
    })
    if (far) fits = false
  }
  return fits
}

interface Part {
  sequence: string
  start0: number
  end0: number
}

/**
 * Domains, loops and compartments of an entry, checked line by line, with the genome's names of sequences. Reported and left out: those on
 * sequences that the genome does not have, and values that are none.
 */
const readFeatures = async (entry: Contacts[number], context: BakeContext) => {
  const lengths = new Map(context.sequences.map(({ name, lengthBp }) => [name, lengthBp]))
  /** Cut at the sequence's end, beyond which a last bin may reach; null where the genome has no such sequence. */
  const place = <Placed extends Part>(part: Placed): Placed | null => {
    const sequence = context.findSequence(part.sequence)
    const length = lengths.get(sequence ?? '')
    if (sequence === null || length === undefined) return null
    if (part.start0 >= length)
      throw new ContactLineError({ code: 'track-beyond-sequence', params: { end: part.end0, sequence, length } })
    return { ...part, sequence, end0: Math.min(part.end0, length) }
  }
  const read = async <Found>(
    file: string | undefined,
    reader: (line: string) => Found | null,
    partsOf: (found: Found) => Part[],
    withParts: (found: Found, parts: Part[]) => Found,
  ): Promise<Found[]> => {
    const placed: Found[] = []
    if (file === undefined) return placed
    const log = new DefectLog()
    const unknown = new Map<string, number>()
    let total = 0
    let unplaced = { count: 0, line: 0, example: '' }
    let unusable = { count: 0, line: 0, example: '' }
    await readInputLines(file, context, log, (line, number) => {
      try {
        const found = reader(line)
        if (found === null) return
        total += 1
        const parts = partsOf(found).map((part) => ({ part, own: place(part) }))
        const others = new Set(parts.flatMap(({ part, own }) => (own === null ? [part.sequence] : [])))
        for (const name of others) unknown.set(name, (unknown.get(name) ?? 0) + 1)
        const [example] = others
        if (example === undefined)
          placed.push(
            withParts(
              found,
              parts.flatMap(({ own }) => own ?? []),
            ),
          )
        else
          unplaced =
            unplaced.count === 0 ? { count: 1, line: number, example } : { ...unplaced, count: unplaced.count + 1 }
      } catch (error) {
        if (!(error instanceof ContactLineError)) throw error
        const { code, params } = error.problem
        log.report({ ...trackDefects, ...textDefects }, code, file, number, params)
        if (code !== 'cell-no-number') return
        total += 1
        unusable =
          unusable.count === 0
            ? { count: 1, line: number, example: params.value }
            : { ...unusable, count: unusable.count + 1 }
      }
    })
    const names = [...unknown.keys()]
    if (total > 0 && unplaced.count === total)
      log.report(trackDefects, 'track-sequences-all-unknown', file, null, {
        found: names.slice(0, maxNamed).join(', '),
        expected: context.sequences
          .slice(0, maxNamed)
          .map(({ name }) => name)
          .join(', '),
      })
    else {
      for (const [name, count] of [...unknown].slice(0, maxNamed))
        log.report(trackDefects, 'track-sequence-unknown', file, null, { name, count })
      refuseLeftOut(log, file, { why: 'unknown', total, ...unplaced })
    }
    refuseLeftOut(log, file, { why: 'unusable', total, ...unusable })
    for (const defect of log.defects) context.forward(defect)
    return placed
  }
  const segments = (kind: 'tads' | 'compartments') =>
    read<ContactRegion>(
      entry[kind],
      createRegionReader(kind),
      (one) => [one],
      (one, [part]) => ({ ...one, ...part }),
    )
  return {
    tads: await segments('tads'),
    loops: await read<ContactLoop>(
      entry.loops,
      createLoopReader(),
      ({ a, b }) => [a, b],
      (loop, [a, b]) => ({ ...loop, a: a!, b: b! }),
    ),
    compartments: await segments('compartments'),
  }
}

type Texts = { en: string; zh: string }
const inBoth = (text: Contacts[number]['name'], make: (name: string, language: 'en' | 'zh') => string): Texts => ({
  en: make(typeof text === 'string' ? text : text.en, 'en'),
  zh: make(typeof text === 'string' ? text : text.zh, 'zh'),
})

/**
 * Writes domains, loops and compartments: for the tool, for download and as tracks of the genome
 * browser (a loop as a feature of two blocks). Gives back how many there are of each.
 */
const bakeFeatures = async (
  entry: Contacts[number],
  context: BakeContext,
  simulated: boolean,
): Promise<BakedContacts['features']> => {
  const found = await readFeatures(entry, context)
  const files = contactFiles(entry.id)
  const counts: BakedContacts['features'] = { tads: null, loops: null, compartments: null }
  const title = {
    tads: inBoth(entry.name, (name, language) => (language === 'en' ? `${name}: domains` : `${name}：拓扑关联结构域`)),
    loops: inBoth(entry.name, (name, language) => (language === 'en' ? `${name}: loops` : `${name}：染色质环`)),
    compartments: inBoth(entry.name, (name, language) =>
      language === 'en' ? `${name}: compartments` : `${name}：染色质区室`,
    ),
  }
  const download = (kind: keyof typeof title) => ({
    title: title[kind],
    licence: entry.licence ?? context.licence,
    simulated,
  })
  const bakeTrack = async (kind: keyof typeof title, outFile: string, lines: string[], source: string) => {
    const log = new DefectLog()
    const written = await bakeTabix({
      source: { lines, name: source },
      format: 'bed',
      outFile: join(context.directory, outFile),
      sequences: context.sequences,
      log,
      signal: context.signal,
    })
    for (const defect of log.defects) context.forward({ ...defect, file: source, line: null })
    const index = `contacts/${basename(written.csiFile)}`
    context.addFile(outFile, { kind: 'contact-features', ...(kind === 'loops' ? {} : { download: download(kind) }) })
    context.addFile(index, { kind: 'track-index' })
    if (written.tbiFile !== null) context.addFile(`contacts/${basename(written.tbiFile)}`, { kind: 'track-index' })
    const id = `${entry.id}-${kind}`
    await context.addRecord({
      kind: 'track',
      id,
      data: {
        id,
        name: title[kind],
        description: null,
        category: { en: 'Contact maps', zh: '互作矩阵' },
        type: 'bed',
        file: outFile,
        index,
        simulated,
      },
    })
  }
  for (const kind of ['tads', 'compartments'] as const) {
    const source = entry[kind]
    if (source === undefined) continue
    const placed = found[kind]
    counts[kind] = placed.length
    const lines = placed.map(({ sequence, start0, end0, name, value }) =>
      // The fifth column of BED is a whole number up to 1000: values stand in the fourth.
      [sequence, start0, end0, kind === 'tads' ? (name ?? '.') : String(value)].join('\t'),
    )
    if (lines.length > 0) await bakeTrack(kind, files[kind], lines, source)
  }
  if (entry.loops !== undefined) {
    const placed = found.loops
    counts.loops = placed.length
    if (placed.length > 0) {
      await writeFile(
        join(context.directory, files.loops),
        placed
          .map(({ a, b, name, score }) =>
            [a.sequence, a.start0, a.end0, b.sequence, b.start0, b.end0, name ?? '.', score ?? '.'].join('\t'),
          )
          .join('\n')
          .concat('\n'),
      )
      context.addFile(files.loops, { kind: 'contact-features', download: download('loops') })
      const drawn = placed.flatMap(({ a, b, name }) => {
        const [left, right] = a.start0 <= b.start0 ? [a, b] : [b, a]
        if (left.sequence !== right.sequence || left.end0 > right.start0) return []
        const blocks = [`${left.end0 - left.start0},${right.end0 - right.start0}`, `0,${right.start0 - left.start0}`]
        const shown = [left.start0, right.end0, '0', 2, ...blocks]
        return [[left.sequence, left.start0, right.end0, name ?? '.', 0, '.', ...shown].join('\t')]
      })
      if (drawn.length > 0) await bakeTrack('loops', `contacts/${entry.id}.loops.bed.gz`, drawn, entry.loops)
    }
  }
  return counts
}

/** All that `bake` tells, without a copy of the map; lines of the features that cannot be read are told beside a wrong map, too. */
const check = async (value: Contacts, context: BakeContext): Promise<void> => {
  for (const entry of value) {
    await mkdir(join(context.directory, 'contacts'), { recursive: true })
    const read = await readMap(entry.file, context)
    const matches = read === null ? [] : matchChromosomes(read.map, context.sequences, context.findSequence)
    if (read !== null && reportMatches(matches, read.map, entry.file, context))
      await bakeFeatures(entry, context, entry.simulated ?? context.simulated)
    else await readFeatures(entry, context)
  }
}

const bake = async (value: Contacts | null, context: BakeContext): Promise<Record<string, number>> => {
  let count = 0
  for (const [number, entry] of (value ?? []).entries()) {
    await mkdir(join(context.directory, 'contacts'), { recursive: true })
    const files = contactFiles(entry.id)
    const expected: string[] = []
    const read = await readMap(entry.file, context, async (binBp, table) => {
      await writeExpected(join(context.directory, files.expected(binBp)), table)
      expected.push(files.expected(binBp))
    })
    if (read === null) continue
    const { map, path, normalizations } = read
    const matches = matchChromosomes(map, context.sequences, context.findSequence)
    if (!reportMatches(matches, map, entry.file, context)) continue
    const file = `contacts/${entry.id}.${map.format}`
    await copyFile(path, join(context.directory, file))
    const simulated = entry.simulated ?? context.simulated
    context.addFile(file, {
      kind: 'contacts',
      download: {
        title: entry.name,
        description: entry.description,
        licence: entry.licence ?? context.licence,
        simulated,
      },
    })
    for (const one of expected) context.addFile(one, { kind: 'contact-expected' })
    const baked: BakedContacts = {
      id: entry.id,
      name: entry.name,
      description: entry.description ?? null,
      format: map.format,
      file,
      genome: map.genome,
      resolutions: map.resolutions.map(({ binBp, bins, pixels }, at) => ({
        binBp,
        bins,
        pixels,
        normalizations: normalizations[at]!,
      })),
      chromosomes: matches.map(({ name, sequence, mapLengthBp }) => ({ name, sequence, lengthBp: mapLengthBp })),
      simulated,
      features: await bakeFeatures(entry, context, simulated),
    }
    await context.addRecord({ kind: 'contacts', id: entry.id, data: baked })
    count += 1
    context.progress((number + 1) / (value?.length ?? 1))
  }
  return count > 0 ? { contacts: count } : {}
}

/** Contact maps of chromosomes, offered as they are; every pixel is looked at before, and what is expected at each distance kept. */
export default defineLoader({ entry: 'contacts', scope: 'assembly', schema: contactsSchema, version: 2, check, bake })
