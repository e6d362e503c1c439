import { join } from 'node:path'
import { type Effect, parseEffects } from '../../bio/variation/consequences.ts'
import { type Genotypes, infoValue, parseVcfRecord, readGenotypes, type VcfRecord } from '../../bio/variation/vcf.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { LocalizedText } from '../../contracts/text.ts'
import { openTabix, type TabixFile } from '../../store/tabix-reader.ts'
import type { PortalData } from './portal-data.ts'

/** Kind of the records that the loader of variants adds. */
export const variantsKind = 'variants'
/** What an assembly's counts by data type call the sites of its variant sets. */
export const variantsData = 'variants'

/** Files of a set within its assembly's bundle. One row a record in the order of the VCF, but for `ids`. */
export const variantFiles = (set: string) => ({
  columns: `variants/${set}/`,
  vcf: `variants/${set}.vcf.gz`,
  /** uint32: POS. */
  positions: `variants/${set}/positions.npy`,
  /** uint32: `consequenceBits` (bio/variation/consequences.ts) of all effects, and from bit `typeBit` on one a type (bio/variation/vcf.ts). */
  bits: `variants/${set}/bits.npy`,
  /** float32: share of copies that are not REF among those called; NaN where none is. */
  frequencies: `variants/${set}/frequencies.npy`,
  /** float32: share of samples that are not called whole; NaN without genotypes. */
  missing: `variants/${set}/missing.npy`,
  /** uint32, two columns by rising first: hash of an id, number of its record. */
  ids: `variants/${set}/ids.npy`,
})

/** First of the bits that tell the types of a record's alleles, in the order of `variantTypes`. */
export const typeBit = 24

/** The first 32 bits of FNV-1a (Fowler, Noll, Vo) over the letters of an id, small ones as capitals. */
export const hashId = (id: string): number => {
  let hash = 0x811c9dc5
  const text = id.toUpperCase()
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** What a record's variants do to genes, as the loader noted it; nothing where consequences were not computed. */
export const effectsOf = (record: VcfRecord): Effect[] => {
  const value = infoValue(record.info, 'BCSQ')
  return typeof value === 'string' ? parseEffects(value, record.position1, record.reference, record.alternates) : []
}

/** A set of variants as its loader bakes it: record of kind `variants`. */
export interface BakedVariants {
  id: string
  name: LocalizedText
  description: LocalizedText | null
  /** Within the bundle. */
  file: string
  index: string
  samples: string[]
  sites: number
  /** Most copies that any sample has; 0 without genotypes. */
  ploidy: number
  /** Of the called genotypes of two and more copies: all phased, some, none; null where there is none. */
  phased: 'all' | 'some' | 'none' | null
  /** Sequences with records, in the order of the file; rows of the columns follow the same order. */
  sequences: { name: string; records: number }[]
  /** Records by consequence; a record counts once for each that it has. Null where consequences were not computed. */
  consequences: { program: string; version: string; counts: Record<string, number> } | null
  types: Record<string, number>
  hasIds: boolean
  /** Lines of the file that were left out, each told at loading. */
  leftOut: number
  simulated: boolean
  licence: string | null
}

/** A set of variants that is loaded. */
export interface VariantSet extends BakedVariants {
  assembly: string
  hasGenotypes: boolean
  /** Opens its VCF; close it. */
  open(): Promise<TabixFile>
  /** Absolute path of a folder in which its columns are there to be read now, under their paths in the bundle. */
  fetchColumns(): Promise<string>
  /** What no other set has: that of another release is another file. */
  key: string
}

/** The variant sets of an assembly in the order of species.yaml. */
export const listVariantSets = async (data: PortalData, assembly: string): Promise<VariantSet[]> => {
  const summary = await data.getAssembly(assembly)
  if ((summary.dataTypes[variantsData] ?? 0) === 0) return []
  const records = await data.listRecords<BakedVariants>(variantsKind, { assembly: summary.id })
  const directory = await data.bundleDirectory(summary.id)
  return records.map(({ data: set }) => ({
    ...set,
    assembly: summary.id,
    hasGenotypes: set.ploidy > 0,
    open: async () => {
      const [index, source] = await Promise.all([
        data.bundleFile(summary.id, set.index),
        data.openBundleFile(summary.id, set.file),
      ])
      if (index === null || source === null) throw new PortalError('NOT_FOUND')
      return openTabix(join(directory, set.file), { source, index })
    },
    fetchColumns: () => data.bundleFiles(summary.id, variantFiles(set.id).columns),
    key: join(directory, set.file),
  }))
}

/** Files that were asked last stay open: an index of millions of records takes longer to read than a region of its file. */
const kept = new Map<string, { opening: Promise<TabixFile>; users: number; stale: boolean }>()
const maxKept = 4

const release = async (path: string, entry: { opening: Promise<TabixFile>; users: number; stale: boolean }) => {
  entry.users -= 1
  if (entry.users === 0 && entry.stale) await entry.opening.then((open) => open.close()).catch(() => undefined)
  else if (entry.users === 0 && kept.get(path) !== entry) await entry.opening.then((open) => open.close())
}

const acquire = (set: Pick<VariantSet, 'key' | 'open'>) => {
  const path = set.key
  let entry = kept.get(path)
  if (entry === undefined) {
    entry = { opening: set.open(), users: 0, stale: false }
    const made = entry
    made.opening.catch(() => kept.get(path) === made && kept.delete(path))
    kept.set(path, entry)
    for (const [old, one] of kept) {
      if (kept.size <= maxKept) break
      if (old === path) continue
      kept.delete(old)
      one.stale = true
      if (one.users === 0) one.opening.then((open) => open.close()).catch(() => undefined)
    }
  } else {
    kept.delete(path)
    kept.set(path, entry)
  }
  entry.users += 1
  return entry
}

/** The header of the set's VCF, each line with its line feed. */
export const readVariantHeader = async (set: Pick<VariantSet, 'key' | 'open'>): Promise<string> => {
  const entry = acquire(set)
  try {
    return (await entry.opening).header
  } finally {
    await release(set.key, entry)
  }
}

/** Lines of the set's VCF that overlap a region, or all of them in the order of the file. Memory stays bounded. */
export async function* readVariantLines(
  set: Pick<VariantSet, 'key' | 'open'>,
  region: { sequence: string; start1: number; end1: number } | null,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const entry = acquire(set)
  try {
    const open = await entry.opening
    const loci =
      region === null
        ? open.sequenceNames.map((name) => ({ name, start0: 0, end0: Number.MAX_SAFE_INTEGER }))
        : [{ name: region.sequence, start0: Math.max(0, region.start1 - 1), end0: region.end1 }]
    let read = 0
    for (const { name, start0, end0 } of loci) {
      for await (const line of open.lines(name, start0, end0)) {
        read += 1
        if (read % 256 === 0) signal?.throwIfAborted()
        yield line
      }
    }
  } finally {
    await release(set.key, entry)
  }
}

/** A record with what its samples have; null without genotypes. */
export interface VariantRecord extends VcfRecord {
  genotypes: Genotypes | null
}

/**
 * Records that overlap a region, or all in the order of the file (by sequence and position), with their genotypes. Memory stays bounded
 * whatever the size of the file. `region.sequence` is the assembly's own name.
 */
export async function* readVariants(
  set: Pick<VariantSet, 'key' | 'open' | 'samples' | 'ploidy'>,
  region: { sequence: string; start1: number; end1: number } | null,
  signal?: AbortSignal,
): AsyncGenerator<VariantRecord> {
  for await (const line of readVariantLines(set, region, signal)) {
    const record = parseVcfRecord(line)
    if (record === null) continue
    yield { ...record, genotypes: readGenotypes(record, set.samples.length, set.ploidy || 2) }
  }
}
