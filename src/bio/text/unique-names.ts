/**
 * Gives names that were not given before: the second `a` becomes `a_2`, the third `a_3`; a number that some name has by itself is passed
 * over. Names are given one by one, so that a stream of records can be named as it comes.
 *
 * Example: `const name = createNamer(); ['a', 'a', 'a_2'].map(name)` is `['a', 'a_2', 'a_2_2']`.
 */
export const createNamer = (): ((name: string) => string) => {
  const given = new Set<string>()
  /** How often each name was asked for. */
  const asked = new Map<string, number>()
  return (name) => {
    let number = (asked.get(name) ?? 0) + 1
    let unique = number === 1 ? name : `${name}_${number}`
    while (given.has(unique)) {
      number += 1
      unique = `${name}_${number}`
    }
    asked.set(name, number)
    given.add(unique)
    return unique
  }
}
