import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type ChromosomeMatch, type ContactMap, ContactMapError, matchChromosomes } from '../../bio/contact-map.ts'
import { entryIdSchema, filePathSchema, refuseEqualIds } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { type BakeContext, type CheckContext, defineLoader } from '../../kit/loader.ts'
import { readCoolerFile } from '../../store/cooler-file.ts'
import { readHicFile } from '../../store/hic-file.ts'
import type { BakedContacts } from './contacts.ts'

const contactsSchema = z
  .array(
    z
      .object({
        id: entryIdSchema.describe('Name of the map in addresses, unique in the assembly.'),
        name: localizedTextSchema.describe('Shown to readers.'),
        file: filePathSchema.describe('Contact map: .cool, .mcool or .hic.'),
        description: localizedTextSchema.optional(),
        licence: z.string().max(200).optional(),
        simulated: z.boolean().optional(),
      })
      .strict(),
  )
  .superRefine(refuseEqualIds)
  .describe('Contact maps of chromosomes (Hi-C).')
type Contacts = z.output<typeof contactsSchema>

const mostNamed = 5

/** Reads and checks the whole map; what is wrong is reported, and null is the answer. */
const readMap = async (file: string, context: CheckContext): Promise<{ path: string; map: ContactMap } | null> => {
  const path = await context.resolveFile(file)
  try {
    return { path, map: /\.hic$/i.test(file) ? await readHicFile(path) : await readCoolerFile(path, context.signal) }
  } catch (error) {
    if (!(error instanceof ContactMapError)) throw error
    context.report({ code: error.code, file, line: null, params: error.params })
    return null
  }
}

/** False when the map is of another assembly. A release that differs by less than a bin is taken, and said. */
const reportMatches = (matches: ChromosomeMatch[], map: ContactMap, file: string, context: BakeContext): boolean => {
  const about = { file, line: null }
  const known = matches.filter(({ sequence }) => sequence !== null)
  if (known.length === 0) {
    const listed = (names: string[]): string => names.slice(0, mostNamed).join(', ')
    context.report({
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
      context.report({ ...about, code: 'contacts-sequence-unknown', params: { name } })
      continue
    }
    if (name !== sequence)
      context.report({
        ...about,
        code: 'contacts-sequence-renamed',
        params: { from: name, to: sequence },
      })
    const apartBp = Math.abs(mapLengthBp - sequenceLengthBp)
    if (apartBp === 0) continue
    const far = apartBp >= finestBp
    context.report({
      ...about,
      code: far ? 'contacts-length-far' : 'contacts-length-near',
      params: { name, found: mapLengthBp, expected: sequenceLengthBp },
    })
    if (far) fits = false
  }
  return fits
}

const check = async (value: Contacts, context: CheckContext): Promise<void> => {
  for (const { file } of value) await readMap(file, context)
}

const bake = async (value: Contacts | null, context: BakeContext): Promise<Record<string, number>> => {
  let count = 0
  for (const [number, entry] of (value ?? []).entries()) {
    const read = await readMap(entry.file, context)
    if (read === null) continue
    const { map, path } = read
    const matches = matchChromosomes(map, context.sequences, context.findSequence)
    if (!reportMatches(matches, map, entry.file, context)) continue
    const file = `contacts/${entry.id}.${map.format}`
    await mkdir(join(context.directory, 'contacts'), { recursive: true })
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
    const baked: BakedContacts = {
      id: entry.id,
      name: entry.name,
      description: entry.description ?? null,
      format: map.format,
      file,
      genome: map.genome,
      resolutions: map.resolutions,
      chromosomes: matches.map(({ name, sequence, mapLengthBp }) => ({ name, sequence, lengthBp: mapLengthBp })),
      simulated,
    }
    await context.addRecord({ kind: 'contacts', id: entry.id, data: baked })
    count += 1
    context.progress((number + 1) / (value?.length ?? 1))
  }
  return count > 0 ? { contacts: count } : {}
}

/** Contact maps of chromosomes, offered as they are; every pixel is looked at before. */
export default defineLoader({ entry: 'contacts', scope: 'assembly', schema: contactsSchema, version: 1, check, bake })
