/** Cells of a line of a delimited table, quotes taken off as RFC 4180 has them. `splitCells('a,"b, c",d', ',')` is `['a', 'b, c', 'd']`. */
export const splitCells = (line: string, separator: string): string[] => {
  if (!line.includes('"')) return line.split(separator)
  const cells: string[] = []
  let at = 0
  while (at <= line.length) {
    if (line[at] === '"') {
      let text = ''
      at += 1
      for (;;) {
        const end = line.indexOf('"', at)
        if (end < 0) {
          text += line.slice(at)
          at = line.length
          break
        }
        text += line.slice(at, end)
        at = end + 1
        if (line[at] !== '"') break
        text += '"'
        at += 1
      }
      const end = line.indexOf(separator, at)
      cells.push(text + line.slice(at, end < 0 ? line.length : end))
      at = end < 0 ? line.length + 1 : end + 1
    } else {
      const end = line.indexOf(separator, at)
      cells.push(line.slice(at, end < 0 ? line.length : end))
      at = end < 0 ? line.length + 1 : end + 1
    }
  }
  return cells
}

/** What parts the cells of a table, by its heading: tab, else comma or semicolon, whichever there is more of. */
export const findSeparator = (heading: string): string => {
  if (heading.includes('\t')) return '\t'
  return heading.split(';').length > heading.split(',').length ? ';' : ','
}

/** Words that stand for a value that was not measured, in the tables of R, Excel and GEO; compared in lower case. */
const missingWords = new Set(['', 'na', 'nan', 'n/a', '#n/a', 'null', 'none', '-', '.', '#value!', '#div/0!'])

/** The number of a cell: NaN where it says that nothing was measured, null where it is no number. `readNumber('1e3')` is 1000. */
export const readNumber = (cell: string): number | null => {
  const text = cell.trim()
  const value = text === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value)) return value
  return missingWords.has(text.toLowerCase()) ? Number.NaN : null
}
