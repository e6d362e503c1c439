// Blocks of BED lines. Source: BED v1 specification (GA4GH, 2021), section 1.5, columns blockCount, blockSizes, blockStarts.

/**
 * Whether the blocks of a line of twelve columns fit: as many sizes and starts as it says, counted from chromStart, in order and
 * apart, the first at chromStart, the last up to chromEnd. Lines of another number of columns have none, and fit.
 *
 * Example: `bedBlocksFit('chrI\t0\t100\ta\t0\t+\t0\t0\t0\t2\t10,20,\t0,70,'.split('\t'))` is false: the last ends at 90.
 */
export function bedBlocksFit(columns: readonly string[]): boolean {
  if (columns.length !== 12) return true
  const read = (text: string) => text.replace(/,$/, '').split(',').map(Number)
  const sizes = read(columns[10]!)
  const starts = read(columns[11]!)
  return (
    sizes.length === Number(columns[9]) &&
    starts.length === sizes.length &&
    sizes.every((size) => Number.isInteger(size) && size >= 0) &&
    starts.every(
      (start, index) => Number.isInteger(start) && (index === 0 || start >= starts[index - 1]! + sizes[index - 1]!),
    ) &&
    starts[0] === 0 &&
    starts.at(-1)! + sizes.at(-1)! === Number(columns[2]) - Number(columns[1])
  )
}
