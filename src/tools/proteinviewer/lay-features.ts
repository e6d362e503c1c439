import { columnRuns, residueColumns } from '../../bio/alignment/alignment-columns.ts'
import type { FeatureKind } from '../../bio/annotation/protein-hits.ts'
import type { Feature } from './tool.ts'

/** What is named by a colour; the others have a shape of their own. */
const coloured: readonly FeatureKind[] = ['domain', 'family', 'repeat', 'site']
export const isColoured = ({ kind }: Feature): boolean => coloured.includes(kind)

/** What is one thing to the reader: the InterPro entry that unites signatures of several databases, else the signature. */
export const groupOf = ({ entry, accession, name, analysis }: Feature): string => entry ?? accession ?? name ?? analysis

/** What stands on a feature: the entry's name, which is a word, else the signature's, else its accession. */
export const labelOf = ({ entryName, name, accession, analysis }: Feature): string =>
  entryName ?? name ?? accession ?? analysis

/** What is coloured, in the order of the colours: what covers most residues first. */
export const colourGroups = (features: readonly Feature[]): { group: string; label: string }[] => {
  const groups = new Map<string, { label: string; residues: number }>()
  for (const feature of features) {
    if (!isColoured(feature)) continue
    const known = groups.get(groupOf(feature)) ?? { label: labelOf(feature), residues: 0 }
    known.residues += feature.end - feature.start + 1
    groups.set(groupOf(feature), known)
  }
  return [...groups].sort((a, b) => b[1].residues - a[1].residues).map(([group, { label }]) => ({ group, label }))
}

/**
 * Order of databases: curated domains first, then families by structure and by tree, then what programs predict. As InterPro weighs its
 * member databases, models of domains before profiles of whole proteins.
 */
const databases = [
  /^pfam$/i,
  /^smart$/i,
  /^cdd$/i,
  /^prosite ?profiles$/i,
  /^(ncbifam|tigrfam)$/i,
  /^hamap$/i,
  /^sfld$/i,
  /^prosite ?patterns$/i,
  /^prints$/i,
  /gene3d$|funfam$/i,
  /^superfamily|^ssf$/i,
  /^pirs[fr]$/i,
  /^panther$/i,
]
const databaseOrder = (analysis: string): number => {
  const at = databases.findIndex((form) => form.test(analysis))
  return at < 0 ? databases.length : at
}
const kindOrder: readonly FeatureKind[] = [
  ...(['domain', 'repeat', 'site', 'family'] as const),
  ...(['signal', 'transmembrane', 'topology', 'coil', 'disorder'] as const),
]

export interface FeatureRow {
  /** Null behind the first row of an analysis. */
  analysis: string | null
  features: Feature[]
}

/**
 * Features in rows, none over another: a group of rows for each analysis, in it the features as they come, each in the first row that has
 * room.
 */
export const layRows = (features: readonly Feature[]): FeatureRow[] => {
  const analyses = new Map<string, Feature[]>()
  for (const feature of features) analyses.set(feature.analysis, [...(analyses.get(feature.analysis) ?? []), feature])
  const gravest = (own: readonly Feature[]): number => Math.min(...own.map(({ kind }) => kindOrder.indexOf(kind)))
  const isPredicted = (own: readonly Feature[]): number => Number(!own.some(isColoured))
  const ordered = [...analyses].sort(
    ([a, one], [b, other]) =>
      isPredicted(one) - isPredicted(other) ||
      databaseOrder(a) - databaseOrder(b) ||
      gravest(one) - gravest(other) ||
      a.localeCompare(b),
  )
  return ordered.flatMap(([analysis, own]) => {
    const rows: Feature[][] = []
    for (const feature of own.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
      const free = rows.find((row) => row.at(-1)!.end < feature.start)
      if (free === undefined) rows.push([feature])
      else free.push(feature)
    }
    return rows.map((row, at) => ({ analysis: at === 0 ? analysis : null, features: row }))
  })
}

/** Of a shorter feature so much must be free to be shown beside those that are. */
const maxOverlap = 0.3

/**
 * The architecture in one row: of overlapping signatures the best one by its database, with signal peptides and segments in the membrane;
 * whole-protein families only where nothing else is known.
 */
export const summarizeFeatures = (features: readonly Feature[]): Feature[] => {
  const chosen: Feature[] = []
  const overlaps = (one: Feature, other: Feature): boolean => {
    const shared = Math.min(one.end, other.end) - Math.max(one.start, other.start) + 1
    return shared > maxOverlap * Math.min(one.end - one.start + 1, other.end - other.start + 1)
  }
  const candidates = features
    .filter(({ kind }) => kind === 'domain' || kind === 'repeat' || kind === 'family')
    .toSorted(
      (a, b) =>
        Number(a.kind === 'family') - Number(b.kind === 'family') ||
        databaseOrder(a.analysis) - databaseOrder(b.analysis) ||
        (a.evalue ?? 1) - (b.evalue ?? 1) ||
        b.end - b.start - (a.end - a.start),
    )
  for (const one of candidates) if (!chosen.some((other) => overlaps(one, other))) chosen.push(one)
  for (const kind of ['signal', 'transmembrane'] as const)
    for (const one of features)
      if (one.kind === kind && !chosen.some((other) => other.kind === kind && overlaps(one, other))) chosen.push(one)
  return chosen.sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Where a protein's residues are drawn: by themselves, or through the gaps of its row of an alignment. From 0, both included. */
export type Runs = (start: number, end: number) => [first: number, last: number][]

export const plainRuns: Runs = (start, end) => [[start - 1, end - 1]]

export const alignedRuns = (row: string): Runs => {
  const columns = residueColumns(row)
  return (start, end) => columnRuns(columns, start, end)
}
