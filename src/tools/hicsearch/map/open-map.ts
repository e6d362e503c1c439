import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ContactMapError } from '../../../bio/contacts/contact-map.ts'
import { fieldError, PortalError } from '../../../contracts/errors.ts'
import { findLocus as findNamedLocus } from '../../../kit/data/find-locus.ts'
import type { PortalData } from '../../../kit/data/portal-data.ts'
import { type ContactReader, WindowTooLarge } from '../../../store/contacts/contact-reader.ts'
import { openCooler } from '../../../store/contacts/cooler-reader.ts'
import { openHic } from '../../../store/contacts/hic-reader.ts'
import { openMatrix } from '../../../store/npy-matrix.ts'
import { type BakedContacts, contactFiles, contactsData } from '../stored.ts'
import { limits, type Place } from '../tool.ts'

export const listMaps = async (data: PortalData, assembly: string): Promise<BakedContacts[]> => {
  await data.getAssembly(assembly)
  return (await data.listRecords<BakedContacts>(contactsData, { assembly })).map((record) => record.data)
}

export interface OpenMap {
  map: BakedContacts
  directory: string
  reader: ContactReader
  /** Bins of a chromosome at a resolution. */
  binsOf(chromosome: number, binBp: number): number
  /** Mean contact by distance in bins; null where neither the load nor the file tells. */
  readExpected(binBp: number, chromosome: number, normalization: string): Promise<Float64Array | null>
  expectedFrom: 'chromosome' | 'file'
}

/** A map of the assembly, opened for `use`; the first when none is named. What is damaged since the load is told so. */
export const withMap = async <Answer>(
  data: PortalData,
  assembly: string,
  asked: string | undefined,
  use: (open: OpenMap) => Promise<Answer>,
): Promise<Answer> => {
  const maps = await listMaps(data, assembly)
  if (maps.length === 0) throw fieldError(['assembly'], 'problem.noMaps', { assembly })
  const map = asked === undefined ? maps[0] : maps.find(({ id }) => id === asked)
  if (map === undefined)
    throw fieldError(['map'], 'problem.unknownMap', { map: asked!, names: maps.map(({ id }) => id).join(', ') })
  const directory = await data.bundleFiles(assembly, contactFiles(map.id).prefix)
  const binsOf = (chromosome: number, binBp: number): number => Math.ceil(map.chromosomes[chromosome]!.lengthBp / binBp)
  let reader: ContactReader | null = null
  try {
    const opened = await (map.format === 'hic' ? openHic : openCooler)(join(directory, map.file))
    reader = opened
    return await use({
      map,
      directory,
      reader,
      binsOf,
      expectedFrom: map.format === 'hic' ? 'file' : 'chromosome',
      readExpected: async (binBp, chromosome, normalization) => {
        if (map.format === 'hic') return opened.readExpected(binBp, chromosome, normalization)
        const file = join(directory, contactFiles(map.id).expected(binBp))
        const resolution = map.resolutions.find((one) => one.binBp === binBp)!
        const row = ['none', ...resolution.normalizations].indexOf(normalization)
        if (row < 0 || !(await stat(file).catch(() => null))?.isFile()) return null
        const matrix = await openMatrix(file, '<f8')
        try {
          let first = 0
          for (let before = 0; before < chromosome; before += 1) first += binsOf(before, binBp)
          return await matrix.readCells(row * matrix.columns + first, binsOf(chromosome, binBp))
        } finally {
          await matrix.close()
        }
      },
    })
  } catch (error) {
    if (error instanceof ContactMapError)
      throw new PortalError('ENGINE_FAILED', { message: 'problem.damaged', params: { map: map.id }, cause: error })
    if (error instanceof WindowTooLarge)
      throw new PortalError('ENGINE_LIMIT', {
        message: 'problem.tooManyContacts',
        params: { count: error.pixels, max: limits.pixels },
      })
    throw error
  } finally {
    await reader?.close()
  }
}

export interface FoundLocus extends Place {
  lengthBp: number
  /** Number of the chromosome in the map. */
  chromosome: number
  gene: { id: string; symbol: string | null } | null
}

/** A place as it was typed, on a chromosome of the map. Contacts have no strand: a reverse place is the same segment. */
export const findLocus = async (
  data: PortalData,
  assembly: string,
  text: string,
  map: BakedContacts,
  field: string,
): Promise<FoundLocus> => {
  const { sequence, start1, end1, gene } = await findNamedLocus(data, assembly, text, [field])
  const chromosome = map.chromosomes.findIndex((one) => one.sequence === sequence.name)
  if (chromosome < 0) throw fieldError([field], 'problem.notOnMap', { sequence: sequence.name, map: map.id })
  // A map of another release may end some bases earlier.
  const lengthBp = Math.min(sequence.lengthBp, map.chromosomes[chromosome]!.lengthBp)
  const start = Math.min(start1, lengthBp)
  return {
    sequence: sequence.name,
    chromosome,
    lengthBp,
    start,
    end: Math.max(start, Math.min(end1, lengthBp)),
    gene: gene === null ? null : { id: gene.id, symbol: gene.symbol },
  }
}

/** The resolution that was asked for, or the finest at which `bins` are no more than `max`; else the coarsest. */
export const chooseResolution = (
  { resolutions }: BakedContacts,
  asked: number | undefined,
  bins: (binBp: number) => number,
  max: number,
): BakedContacts['resolutions'][number] => {
  if (asked === undefined) return resolutions.find(({ binBp }) => bins(binBp) <= max) ?? resolutions.at(-1)!
  const found = resolutions.find(({ binBp }) => binBp === asked)
  if (found === undefined)
    throw fieldError(['resolution'], 'problem.unknownResolution', {
      resolution: asked,
      names: resolutions.map(({ binBp }) => binBp).join(', '),
    })
  return found
}

/** The normalization that was asked for, or the map's first; "none" where there is none. */
export const chooseNormalization = (
  { normalizations, binBp }: BakedContacts['resolutions'][number],
  asked: string | undefined,
): string => {
  if (asked === undefined) return normalizations[0] ?? 'none'
  if (asked !== 'none' && !normalizations.includes(asked))
    throw fieldError(['normalization'], 'problem.unknownNormalization', {
      normalization: asked,
      resolution: binBp,
      names: ['none', ...normalizations].join(', '),
    })
  return asked
}

/** Factors of bins: 1 each for plain counts. A map that has no vector for this chromosome has no usable bin in it. */
export const readFactors = async (
  { reader }: OpenMap,
  binBp: number,
  range: { chromosome: number; from: number; to: number },
  normalization: string,
): Promise<Float64Array> => {
  const length = Math.max(0, range.to - range.from)
  if (normalization === 'none') return new Float64Array(length).fill(1)
  return (await reader.readWeights(binBp, range, normalization)) ?? new Float64Array(length).fill(Number.NaN)
}
