import { types } from 'pg'

type Parser = (text: string) => unknown

/**
 * PostgreSQL's int8 (counts, lengths, positions) as a number. None of the portal's values comes near 2^53; one that does not
 * fit is an error rather than a rounded number.
 */
const parseInt8 = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} does not fit a JavaScript number`)
  return value
}

const parseDate: Parser = (text) => new Date(text)
const keepText: Parser = (text) => text
const parserOf = (type: number): Parser => types.getTypeParser(type, 'text')

/** Type, its array type (numbers from PostgreSQL's src/include/catalog/pg_type.dat) and parser; a type without one is pg's. */
const columns: [number, number, Parser?][] = [
  [16, 1000], // boolean
  [17, 1001], // bytea
  [18, 1002], // "char"
  [19, 1003], // name
  [20, 1016, parseInt8],
  [21, 1005], // smallint
  [23, 1007], // integer
  [25, 1009], // text
  [26, 1028], // oid
  [114, 199], // json
  [700, 1021], // real
  [701, 1022], // double precision
  [1042, 1014], // character
  [1043, 1015], // character varying
  [1082, 1182, parseDate], // date
  [1114, 1115, parseDate], // timestamp
  [1184, 1185, parseDate], // timestamptz
  [1186, 1187, keepText], // interval
  [1700, 1231], // numeric
  [2205, 2210], // regclass
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
]
const parsers = new Map<number, Parser>()
for (const [type, array, parse = parserOf(type)] of columns) {
  parsers.set(type, parse)
  parsers.set(array, (text) => parseArray(text, parse))
}

/** pg's option `types`. */
export const columnTypes = {
  getTypeParser: (type: number): Parser => parsers.get(type) ?? parserOf(type),
}

/**
 * An array in PostgreSQL's text form ("Array Input and Output Syntax" of its manual), nested as it is. NULL becomes null;
 * explicit lower bounds (`[0:1]={…}`) are dropped, since JavaScript has none. Two to twenty times as fast as pg's own (bench/driver.ts).
 * @example parseArray('{1,NULL,3}', Number) // [1, null, 3]
 */
export function parseArray(text: string, parse: Parser): unknown[] {
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
      else if (character === '"') items.push(parse(parseQuoted()))
      else {
        const start = at
        while (at < text.length && text[at] !== ',' && text[at] !== '}') at += 1
        const word = text.slice(start, at)
        items.push(word === 'NULL' ? null : parse(word))
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
