import type { BakedSearchEntry } from '../../kit/loader.ts'

/** Most named features of a track that are entered into the search: beyond it they are reads or peaks, and their names numbers. */
export const maxNamedFeatures = 20_000

/** Found as genes already, or not a feature with a place of its own. */
const otherTypes =
  /^(gene|pseudogene|ncRNA_gene|.*RNA|.*transcript|exon|CDS|intron|.*UTR|(start|stop)_codon|region|chromosome|contig|scaffold|supercontig)$/i

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export interface NamedFeature {
  /** Identity of its own in the file; null without. */
  id: string | null
  name: string
  aliases: string[]
  type: string | null
  note: string | null
  sequence: string
  start1: number
  end1: number
  strand: '+' | '-' | '.'
}

const placed = (
  sequence: string | null,
  start1: number,
  end1: number,
  strand: string | undefined,
): Pick<NamedFeature, 'sequence' | 'start1' | 'end1' | 'strand'> | null =>
  sequence === null || !Number.isSafeInteger(start1) || !Number.isSafeInteger(end1) || start1 < 1 || end1 < start1
    ? null
    : { sequence, start1, end1, strand: strand === '+' || strand === '-' ? strand : '.' }

/**
 * The named feature of a line of GFF3 or BED; null where it has no name, is a part of another, or is of a gene model.
 *
 * Example: `chrIV\tx\tcentromere\t5\t9\t.\t+\t.\tID=c4;Name=CEN4` is CEN4 at chrIV:5..9.
 */
export const readNamedFeature = (
  line: string,
  format: 'gff3' | 'bed',
  findSequence: (name: string) => string | null,
): NamedFeature | null => {
  if (line === '' || line.startsWith('#') || /^(track|browser)\s/.test(line)) return null
  const cells = line.split('\t').map((cell) => cell.trim())
  if (format === 'bed') {
    const name = cells[3] ?? ''
    const locus = placed(findSequence(cells[0]!), Number(cells[1]) + 1, Number(cells[2]), cells[5])
    if (locus === null || !/\p{L}/u.test(name)) return null
    return { id: null, name: name.slice(0, 200), aliases: [], type: null, note: null, ...locus }
  }
  const type = cells[2] ?? ''
  const attributes = new Map(
    (cells[8] ?? '').split(';').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=')
      return at < 1 ? [] : [[pair.slice(0, at).trim().toLowerCase(), pair.slice(at + 1).trim()]]
    }),
  )
  if (otherTypes.test(type) || attributes.has('parent')) return null
  const id = attributes.get('id') ?? null
  const name = decode(attributes.get('name') ?? id ?? '')
  const locus = placed(findSequence(cells[0]!), Number(cells[3]), Number(cells[4]), cells[6])
  if (locus === null || name === '') return null
  const text = (key: string): string | null => {
    const value = attributes.get(key)
    return value === undefined || value === '' ? null : decode(value).slice(0, 500)
  }
  return {
    id: id === null ? null : decode(id).slice(0, 200),
    name: name.slice(0, 200),
    aliases: (attributes.get('alias') ?? '')
      .split(',')
      .map((alias) => decode(alias).slice(0, 200))
      .filter((alias) => alias !== '')
      .slice(0, 20),
    type: type === '' ? null : type,
    note: text('note') ?? text('description'),
    ...locus,
  }
}

/**
 * Search entries of a track's named features. A centromere that is called by its type alone has the name of the chromosome's, CEN4 of
 * chromosome IV, as yeasts and plants name theirs (SGD; Arabidopsis), where the sequence has one. Equal names stay equal; ids are made
 * to differ.
 */
export const featureEntries = (
  features: readonly NamedFeature[],
  findSequence: (name: string) => string | null,
  track: string,
  ids: Set<string>,
): BakedSearchEntry[] => {
  const isCentromere = ({ type }: NamedFeature): boolean => type?.toLowerCase() === 'centromere'
  const numbers = new Map<string, number>()
  for (let number = 1; number <= 99; number++) {
    const sequence = findSequence(String(number))
    if (sequence !== null && !numbers.has(sequence)) numbers.set(sequence, number)
  }
  const centromeres = new Map<string, number>()
  for (const feature of features.filter(isCentromere))
    centromeres.set(feature.sequence, (centromeres.get(feature.sequence) ?? 0) + 1)
  return features.map((feature): BakedSearchEntry => {
    const number = numbers.get(feature.sequence)
    const unnamed = feature.name.toLowerCase() === feature.type?.toLowerCase()
    const label =
      unnamed && isCentromere(feature) && number !== undefined && centromeres.get(feature.sequence) === 1
        ? `CEN${number}`
        : feature.name
    const wanted = feature.id ?? label
    let id = wanted
    for (let copy = 2; ids.has(id); copy++) id = `${wanted}~${copy}`
    ids.add(id)
    const type = feature.type?.replaceAll('_', ' ') ?? null
    return {
      type: 'feature',
      id,
      label,
      description: [type, feature.note].filter((part) => part !== null).join('; ') || null,
      sequence: feature.sequence,
      start1: feature.start1,
      end1: feature.end1,
      strand: feature.strand,
      names: [...new Set([feature.name, ...feature.aliases])].filter((name) => name !== label),
      extra: track,
      relevance: 2,
    }
  })
}
