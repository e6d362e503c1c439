import type { OrthogroupTable } from './orthogroup-table.ts'
import type { ProteomeNames } from './proteome-names.ts'

/** Columns are named by FASTA files, whose ends people leave on or off, or by GFF3 files. */
const ends =
  /(\.gz|\.(fa|faa|fasta|fna|pep|aa|gff3?|gbk)|[._-](all|proteins?|peptides?|pep|prot|primaryTranscriptOnly|protein_primaryTranscriptOnly|longest|primary|translated_cds|cds|genomic))$/i

const withoutEnds = (name: string): string => {
  for (let before = name; ; ) {
    const cut = before.replace(ends, '')
    if (cut === before || cut === '') return before
    before = cut
  }
}

/** How a column was found to be an assembly: it is its id, or begins with it; or so large a share of its genes are the assembly's. */
export type ColumnMatch =
  | { at: number; by: 'id' }
  | { at: number; by: 'name' }
  | { at: number; by: 'genes'; percent: number }

/** The assembly that a column is named after; null where it is none, or could be several. */
export const matchColumnByName = (
  column: string,
  assemblies: readonly { id: string; isOwn: boolean }[],
): ColumnMatch | null => {
  const plain = withoutEnds(column).toLowerCase()
  const choose = (fits: (id: string) => boolean): number | null => {
    const found = [...assemblies.keys()].filter((at) => fits(assemblies[at]!.id.toLowerCase()))
    const own = found.filter((at) => assemblies[at]!.isOwn)
    return own.length === 1 ? own[0]! : found.length === 1 ? found[0]! : null
  }
  const same = choose((id) => id === column.toLowerCase())
  if (same !== null) return { at: same, by: 'id' }
  const named =
    choose((id) => withoutEnds(id) === plain) ??
    choose((id) => plain.startsWith(id) && /^[._-]/.test(plain.slice(id.length)))
  return named === null ? null : { at: named, by: 'name' }
}

const sampledNames = 500
/** Of the names of a column more than half must be an assembly's, and twice as many as of any other: no homologs share so many ids. */
const minShare = 0.5
const minLead = 2

/** Some names of a column, spread over the table. */
export const sampleColumn = (table: OrthogroupTable, column: number): string[] => {
  const names = table.groups.flatMap(({ members }) => members[column] ?? [])
  const step = Math.max(1, Math.floor(names.length / sampledNames))
  return names.filter((_, at) => at % step === 0).slice(0, sampledNames)
}

/** The assembly whose genes a column names, by how many of a sample are known in each; null where that tells none. */
export const matchColumnByGenes = (
  sample: readonly string[],
  counts: ReadonlyMap<number, number>,
): ColumnMatch | null => {
  const [best, second] = [...counts].sort((a, b) => b[1] - a[1])
  if (best === undefined || sample.length === 0 || best[1] <= sample.length * minShare) return null
  if (second !== undefined && best[1] < minLead * second[1]) return null
  return { at: best[0], by: 'genes', percent: Math.floor((100 * best[1]) / sample.length) }
}

export const countKnown = (sample: readonly string[], names: ProteomeNames): number =>
  sample.filter((name) => names.find(name) !== null).length
