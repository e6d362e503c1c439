/**
 * What was asked for last, kept by its key: answers whose key says all that they depend on (the number of a bundle, a file that never
 * changes, every setting). Askers at the same time share one reading, so `read` must not end by the signal of one of them. What failed
 * is read again. `lru-cache`, under a licence beyond the project's (Blue Oak), would keep the values, and leave these promises to us.
 *
 * Example: `const lists = new RecentAnswers<string[]>(8)`, then `lists.get(file, () => readLines(file))`.
 */
export class RecentAnswers<Answer> {
  readonly #max: number
  readonly #kept = new Map<string, Promise<Answer>>()

  /** @param max Answers that are kept; the one asked for least lately goes first. */
  constructor(max: number) {
    this.#max = max
  }

  get(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const known = this.#kept.get(key)
    this.#kept.delete(key)
    const answer = known ?? read()
    this.#kept.set(key, answer)
    if (known === undefined)
      answer.catch(() => {
        if (this.#kept.get(key) === answer) this.#kept.delete(key)
      })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.#max && oldest !== undefined) this.#kept.delete(oldest)
    return answer
  }
}
