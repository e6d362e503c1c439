/**
 * Arrays of PostgreSQL's own types, for the driver. It would ask the server for them at each new connection, and a connection
 * that is lost during that question ends the process with a rejection that nobody can catch. Their numbers never change.
 */

interface ArrayType {
  to: number
  from: number[]
  parse: (text: string) => unknown
  serialize: (value: unknown) => string
}

/** Element type and array type, from PostgreSQL's src/include/catalog/pg_type.dat. */
const arrayTypeOf: Record<number, number> = {
  16: 1000, // boolean
  17: 1001, // bytea
  18: 1002, // "char"
  19: 1003, // name
  20: 1016, // bigint
  21: 1005, // smallint
  23: 1007, // integer
  25: 1009, // text
  26: 1028, // oid
  114: 199, // json
  700: 1021, // real
  701: 1022, // double precision
  1042: 1014, // character
  1043: 1015, // character varying
  1082: 1182, // date
  1114: 1115, // timestamp
  1184: 1185, // timestamptz
  1186: 1187, // interval
  1700: 1231, // numeric
  2205: 2210, // regclass
  2950: 2951, // uuid
  3614: 3643, // tsvector
  3802: 3807, // jsonb
  3904: 3905, // int4range
  3926: 3927, // int8range
}

/** The map that the driver's `sql.array` looks into. */
export const arrayTypeNumbers: Readonly<Record<number, number>> = arrayTypeOf

const parseNumber = (text: string) => Number(text)
const parseDate = (text: string) => new Date(text)
const elementParsers: Record<number, (text: string) => unknown> = {
  16: (text) => text === 't',
  17: (text) => Buffer.from(text.slice(2), 'hex'),
  21: parseNumber,
  23: parseNumber,
  26: parseNumber,
  700: parseNumber,
  701: parseNumber,
  114: JSON.parse,
  3802: JSON.parse,
  1082: parseDate,
  1114: parseDate,
  1184: parseDate,
}

/** The array types as the driver's option `types` takes them; `parsers` adds to or replaces those of the elements. */
export function createArrayTypes(parsers: Record<number, (text: string) => unknown>): Record<string, ArrayType> {
  const types: Record<string, ArrayType> = {}
  for (const [element, array] of Object.entries(arrayTypeOf)) {
    const parseElement = parsers[Number(element)] ?? elementParsers[Number(element)] ?? ((text: string) => text)
    const isJson = element === '114' || element === '3802'
    types[`array${array}`] = {
      to: array,
      from: [array],
      parse: (text) => parseArray(text, parseElement),
      serialize: (value) => (Array.isArray(value) ? renderArray(value, isJson) : String(value)),
    }
  }
  return types
}

/**
 * An array in PostgreSQL's text form ("Array Input and Output Syntax" of its manual), nested as it is. NULL becomes null;
 * explicit lower bounds (`[0:1]={…}`) are dropped, since JavaScript has none.
 * @example parseArray('{1,NULL,3}', Number) // [1, null, 3]
 */
function parseArray<T>(text: string, parseElement: (text: string) => T): unknown[] {
  let at = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  const parseLevel = (): unknown[] => {
    const items: unknown[] = []
    at += 1
    while (at < text.length) {
      const character = text[at]
      if (character === '}') {
        at += 1
        return items
      }
      if (character === ',') at += 1
      else if (character === '{') items.push(parseLevel())
      else if (character === '"') items.push(parseElement(parseQuoted()))
      else {
        const start = at
        while (at < text.length && text[at] !== ',' && text[at] !== '}') at += 1
        const word = text.slice(start, at)
        items.push(word === 'NULL' ? null : parseElement(word))
      }
    }
    return items
  }
  const parseQuoted = (): string => {
    let value = ''
    at += 1
    let start = at
    while (at < text.length && text[at] !== '"') {
      if (text[at] === '\\') {
        value += text.slice(start, at)
        at += 1
        start = at
      }
      at += 1
    }
    value += text.slice(start, at)
    at += 1
    return value
  }
  return parseLevel()
}

/** The inverse of `parseArray`: every element quoted, null and undefined as NULL, `isJson` renders elements as JSON. */
function renderArray(values: readonly unknown[], isJson = false): string {
  const items = values.map((value) => {
    if (value === null || value === undefined) return 'NULL'
    if (Array.isArray(value) && !isJson) return renderArray(value)
    return `"${renderElement(value, isJson).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  })
  return `{${items.join(',')}}`
}

function renderElement(value: unknown, isJson: boolean): string {
  if (isJson) return JSON.stringify(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
