/**
 * JSON of an object, piece by piece: a field that is an async iterable becomes an array of what it gives, one item in memory at
 * a time. Fields that are undefined are left out, as JSON.stringify does.
 *
 * Example: `{a: 1, b: (async function* () { yield 'x' })()}` is given out in pieces that together are `{"a":1,"b":["x"]}`.
 */
export async function* renderJsonPieces(fields: Record<string, unknown>): AsyncGenerator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (!isAsyncIterable(value)) {
      yield JSON.stringify(value)
      continue
    }
    let beforeItem = '['
    for await (const item of value) {
      yield `${beforeItem}${JSON.stringify(item)}`
      beforeItem = ','
    }
    yield beforeItem === '[' ? '[]' : ']'
  }
  yield before === '{' ? '{}' : '}'
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
