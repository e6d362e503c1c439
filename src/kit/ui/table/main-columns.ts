/** What a table shows where there is room for little: as many columns as a phone has the width of, a sentence counting double. */
const room = 4

/**
 * The columns that a narrow table begins with, in their order: the first, unless it names no row, the one that the rows are sorted by, and
 * those that the table says are its main ones; where it says none, the others from the left as long as there is room. All of them where
 * little would be left out.
 *
 * Example: of `gene, description (long), chromosome, start, end, biotype` sorted by `end`, it is `gene, description, end`.
 */
export const mainColumns = <Column extends { key: string; long?: boolean; main?: boolean }>(
  columns: readonly Column[],
  sortedBy: string | null,
): readonly Column[] => {
  const costOf = (column: Column): number => (column.long === true ? 2 : 1)
  const isSaid = columns.some(({ main }) => main === true)
  const kept = new Set(
    columns.filter(
      (column, at) => (at === 0 && column.main !== false) || column.key === sortedBy || column.main === true,
    ),
  )
  if (isSaid) return columns.length - kept.size < 2 ? columns : columns.filter((column) => kept.has(column))
  let left = room - [...kept].reduce((sum, column) => sum + costOf(column), 0)
  for (const column of columns) {
    if (kept.has(column)) continue
    if (costOf(column) > left) break
    kept.add(column)
    left -= costOf(column)
  }
  return columns.length - kept.size < 2 ? columns : columns.filter((column) => kept.has(column))
}
