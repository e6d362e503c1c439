/** A table as OrthoFinder writes it (`Orthogroups.tsv`): a column of ids, then one column an assembly, genes parted by commas. */
export interface OrthogroupTable {
  columns: string[]
  groups: { id: string; members: string[][] }[]
}

/**
 * Reads `Orthogroups.tsv` or `N0.tsv` (whose two further columns before the species are left out). Returns the reason when it is not
 * such a table.
 *
 * @example parseOrthogroupTable('Orthogroup\tA\tB\nOG1\ta1, a2\tb1\n')
 * // {columns: ['A', 'B'], groups: [{id: 'OG1', members: [['a1', 'a2'], ['b1']]}]}
 */
export const parseOrthogroupTable = (text: string): OrthogroupTable | { reason: string } => {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
  const head = lines[0]?.split('\t').map((cell) => cell.trim()) ?? []
  if (head.length < 2) return { reason: 'no tabs in the first line' }
  if (!/^(orthogroup|hog)$/i.test(head[0]!)) return { reason: `the first column is "${head[0]}"` }
  const first = head[0]!.toLowerCase() === 'hog' ? 3 : 1
  const columns = head.slice(first)
  const seen = new Set<string>()
  const groups: OrthogroupTable['groups'] = []
  for (const [number, line] of lines.slice(1).entries()) {
    const cells = line.split('\t')
    const id = cells[0]!.trim()
    if (cells.length > head.length)
      return { reason: `line ${number + 2} has ${cells.length} columns of ${head.length}` }
    if (seen.has(id)) return { reason: `${id} stands there twice` }
    seen.add(id)
    groups.push({
      id,
      members: columns.map((_, at) =>
        (cells[first + at] ?? '')
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== ''),
      ),
    })
  }
  return { columns, groups }
}
