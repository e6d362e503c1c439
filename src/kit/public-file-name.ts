import { basename } from 'node:path'

/**
 * Name under which a lab's file is offered: its own, made safe for a path and an address; a second of the same name gets a number.
 * `taken` are the names given so far in that folder; the new one is added.
 *
 * Example: `publicFileName('a/my table.tsv', new Set())` is `my_table.tsv`.
 */
export const publicFileName = (file: string, taken: Set<string>): string => {
  const plain =
    basename(file)
      .replace(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '') || 'file'
  let name = plain
  for (let number = 2; taken.has(name); number += 1) name = `${number}-${plain}`
  taken.add(name)
  return name
}
