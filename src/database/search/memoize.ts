/** What `make` makes of a key, made once for as long as the key lives: statements of kilobytes, asked for hundreds of times a second. */
export const memoize = <Key extends object, Made>(make: (key: Key) => Made): ((key: Key) => Made) => {
  const made = new WeakMap<Key, Made>()
  return (key) => {
    let one = made.get(key)
    if (one === undefined) {
      one = make(key)
      made.set(key, one)
    }
    return one
  }
}

/** A number of its own for each object: short keys for what is kept of long lists. */
export const numberObjects = (): ((key: object) => number) => {
  let last = 0
  return memoize(() => {
    last += 1
    return last
  })
}
