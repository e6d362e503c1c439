import { hash } from 'node:crypto'

/** A row as the statement names its columns; callers state its type (see docs/decisions/0002). */
// biome-ignore lint/suspicious/noExplicitAny: what a column holds is known to the statement alone
export type Row = Record<string, any>

/** The rows of a statement. `count` is how many it gave or changed; `command` its first word. */
export type Rows<T extends readonly unknown[]> = T & { count: number; command: string }

/** A value that is bound, never pasted. */
export type Bound = string | number | bigint | boolean | Date | Uint8Array | null | readonly Bound[] | Json

/** What may stand as `${…}` in a statement: a value, a name, or a fragment. A list of fragments is none: it is joined to one first. */
export type Value =
  | Bound
  | Name
  // biome-ignore lint/suspicious/noExplicitAny: a fragment's rows are nobody's
  | Query<any>

/** A name of a table or column, quoted; a point parts schema and table. */
export class Name {
  readonly text: string
  constructor(name: string) {
    this.text = `"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`
  }
}

/** A value for a column of the type json or jsonb: without it an array would be one of PostgreSQL's. */
export class Json {
  readonly #value: unknown
  constructor(value: unknown) {
    this.#value = value
  }
  toPostgres(): string {
    return JSON.stringify(this.#value)
  }
}

export interface Statement {
  text: string
  values: unknown[]
  /** Name under which a connection keeps its plan; none: planned each time. */
  name?: string | undefined
}

const maxNames = 500
const names = new Map<string, string>()

/** The name of a text's plan, the same on every connection. Texts over many bundles are long: they are not hashed each time. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= maxNames) names.clear()
  const name = hash('sha1', text, 'base64')
  names.set(text, name)
  return name
}

/** Sends a statement and gives its rows. */
export type Run = (statement: Statement) => Promise<Rows<Row[]>>

/**
 * A statement, or a fragment of one: `` sql`… ${value}` ``. It is sent when it is first awaited, once; as a value of another statement it
 * becomes part of that.
 */
export class Query<T extends readonly unknown[]> implements Promise<Rows<T>> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly #run: Run
  readonly #strings: readonly string[]
  readonly #values: readonly Value[]
  readonly #prepare: boolean
  readonly #numbered: readonly Value[]
  #answer: Promise<Rows<T>> | undefined

  /** `numbered`: values that the text itself names as `$1`, `$2`. */
  constructor(
    run: Run,
    strings: readonly string[],
    values: readonly Value[],
    prepare: boolean,
    numbered: readonly Value[] = [],
  ) {
    this.#run = run
    this.#strings = strings
    this.#values = values
    this.#prepare = prepare
    this.#numbered = numbered
  }

  /** Sends it without waiting for the rows. */
  execute(): this {
    this.#answer ??= this.#run(this.#render()) as unknown as Promise<Rows<T>>
    return this
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited as the promise of its rows
  then<Kept = Rows<T>, Failed = never>(
    onRows?: ((rows: Rows<T>) => Kept | PromiseLike<Kept>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Kept | Failed> {
    return this.execute().#answer!.then(onRows, onError)
  }

  catch<Failed = never>(
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Rows<T> | Failed> {
    return this.then(null, onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Rows<T>> {
    return this.then().finally(onEnd)
  }

  #render(): Statement {
    const values: unknown[] = [...this.#numbered]
    const text = this.#write(values)
    return this.#prepare ? { text, values, name: nameOf(text) } : { text, values }
  }

  #write(values: unknown[]): string {
    let text = this.#strings[0]!
    for (let at = 1; at < this.#strings.length; at++) {
      const value = this.#values[at - 1] as Value
      if (value instanceof Query) text += value.#write(values)
      else if (value instanceof Name) text += value.text
      else text += `$${values.push(value)}${castOf(value)}`
      text += this.#strings[at]
    }
    return text
  }
}

/** The type of a value that says it itself; that of a string, a number or an array follows from where it stands. */
function castOf(value: Value): string {
  if (typeof value === 'boolean') return '::boolean'
  if (typeof value === 'bigint') return '::bigint'
  if (value instanceof Date) return '::timestamptz'
  if (value instanceof Uint8Array) return '::bytea'
  return value instanceof Json ? '::jsonb' : ''
}

/** Writes statements for one connection or for a pool. */
export interface SqlTag {
  <T extends readonly unknown[] = Row[]>(strings: TemplateStringsArray, ...values: Value[]): Query<T>
  /** A name of a table or column. */
  (name: string): Name
  /**
   * A statement given as text, with `$1`, `$2` for its values; several statements, parted by semicolons, where it has none. Its plan
   * is kept with `prepare`.
   */
  unsafe<T extends readonly unknown[] = Row[]>(
    text: string,
    values?: readonly Value[],
    options?: { prepare?: boolean },
  ): Query<T>
  json(value: unknown): Json
}

export function createSql(run: Run): SqlTag {
  const tag = (first: TemplateStringsArray | string, ...values: Value[]) =>
    typeof first === 'string' ? new Name(first) : new Query(run, first, values, true)
  return Object.assign(tag as SqlTag, {
    unsafe: <T extends readonly unknown[]>(
      text: string,
      values: readonly Value[] = [],
      { prepare = false }: { prepare?: boolean } = {},
    ) => new Query<T>(run, [text], [], prepare, values),
    json: (value: unknown) => new Json(value),
  })
}
