import { splitCells } from '../../bio/text/table-cells.ts'

/** A table as OrthoFinder, Panaroo and Roary write it: groups with their genes in each assembly. */
export interface OrthogroupTable {
  columns: string[]
  groups: { id: string; members: string[][] }[]
}

/** Columns of Panaroo and Roary before the isolates; Roary's own eleven are left out of Panaroo's short table. */
const panGenomeColumns = new Set([
  ...['gene', 'non-unique gene name', 'annotation', 'no. isolates', 'no. sequences', 'avg sequences per isolate'],
  ...['genome fragment', 'order within fragment', 'accessory fragment', 'accessory order with fragment', 'qc'],
  ...['min group size nuc', 'max group size nuc', 'avg group size nuc'],
])
/** Panaroo marks genes whose length or stop codon is not that of their group, and names genes that it found itself. */
const panarooMark = /(_(stop|len))+$/
const refound = /(^|_)refound(_|$)/

/** Groups of the lines below a heading of so many columns, each once; `membersOf` has the genes of a row by column. */
const readGroups = (
  lines: readonly string[],
  width: number,
  split: (line: string) => string[],
  membersOf: (cells: string[]) => string[][],
): OrthogroupTable['groups'] | { reason: string } => {
  const groups: OrthogroupTable['groups'] = []
  const seen = new Set<string>()
  for (const [number, line] of lines.entries()) {
    const cells = split(line)
    const id = cells[0]!.trim()
    if (cells.length > width) return { reason: `line ${number + 2} has ${cells.length} columns of ${width}` }
    if (seen.has(id)) return { reason: `${id} stands there twice` }
    seen.add(id)
    groups.push({ id, members: membersOf(cells) })
  }
  return groups
}

/** `gene_presence_absence.csv` of Panaroo or Roary: cells of genes parted by semicolons (Panaroo) or tabs (Roary). */
const parsePresenceTable = (lines: readonly string[]): OrthogroupTable | { reason: string } => {
  const head = splitCells(lines[0]!, ',').map((cell) => cell.trim())
  const at = [...head.keys()].filter((column) => !panGenomeColumns.has(head[column]!.toLowerCase()))
  const groups = readGroups(
    lines.slice(1),
    head.length,
    (line) => splitCells(line, ','),
    (cells) =>
      at.map((column) =>
        (cells[column] ?? '')
          .split(/[;\t]/)
          .map((name) => name.trim().replace(panarooMark, ''))
          .filter((name) => name !== '' && !refound.test(name)),
      ),
  )
  return Array.isArray(groups) ? { columns: at.map((column) => head[column]!), groups } : groups
}

/**
 * Reads `Orthogroups.tsv` (`Orthogroups.csv` of old versions) or `N0.tsv` of OrthoFinder (whose two further columns before the species are left out), or
 * `gene_presence_absence.csv` of Panaroo or Roary. Returns the reason when it is none of these.
 *
 * @example parseOrthogroupTable('Orthogroup\tA\tB\nOG1\ta1, a2\tb1\n')
 * // {columns: ['A', 'B'], groups: [{id: 'OG1', members: [['a1', 'a2'], ['b1']]}]}
 */
export const parseOrthogroupTable = (text: string): OrthogroupTable | { reason: string } => {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
  if (/^"?Gene"?,"?Non-unique Gene name"?,/i.test(lines[0] ?? '')) return parsePresenceTable(lines)
  const head = lines[0]?.split('\t').map((cell) => cell.trim()) ?? []
  if (head.length < 2) return { reason: 'no tabs in the first line' }
  // The column of the groups had no heading before OrthoFinder 2.3.
  if (head[0] === '' ? !/^OG\d+\t/.test(lines[1] ?? '') : !/^(orthogroup|hog)$/i.test(head[0]!))
    return { reason: `the first column is "${head[0]}"` }
  const first = head[0]!.toLowerCase() === 'hog' ? 3 : 1
  const columns = head.slice(first)
  const groups = readGroups(
    lines.slice(1),
    head.length,
    (line) => line.split('\t'),
    (cells) =>
      columns.map((_, at) =>
        (cells[first + at] ?? '')
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== ''),
      ),
  )
  return Array.isArray(groups) ? { columns, groups } : groups
}
