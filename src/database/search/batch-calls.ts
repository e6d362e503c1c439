/** How many statements of gathered calls run at a time, and how many calls one statement answers at most. */
export interface BatchLimits {
  atOnce: number
  max: number
}

/**
 * Calls that ask for one thing each, answered by statements for many: those that come in one turn of the event loop, or while `atOnce`
 * statements run, go together. `answerMany` resolves to the answers in the order of its keys; what it rejects with, all of its calls
 * reject with. To send and plan a statement costs more than to look one more name up in it.
 */
export const batchCalls = <Key, Answer>(
  answerMany: (keys: Key[]) => Promise<Answer[]>,
  { atOnce, max }: BatchLimits,
): ((key: Key) => Promise<Answer>) => {
  interface Call {
    key: Key
    resolve: (answer: Answer) => void
    reject: (error: unknown) => void
  }
  let waiting: Call[] = []
  let running = 0
  let scheduled = false

  const start = async (calls: Call[]): Promise<void> => {
    running += 1
    try {
      const answers = await answerMany(calls.map((call) => call.key))
      for (const [number, call] of calls.entries()) call.resolve(answers[number]!)
    } catch (error) {
      for (const call of calls) call.reject(error)
    } finally {
      running -= 1
      schedule()
    }
  }

  const startAll = (): void => {
    scheduled = false
    while (waiting.length > 0 && running < atOnce) {
      const calls = waiting.slice(0, max)
      waiting = waiting.slice(max)
      void start(calls)
    }
  }

  const schedule = (): void => {
    if (scheduled || waiting.length === 0 || running >= atOnce) return
    scheduled = true
    // After all that has arrived was read: the requests of one turn are together.
    setImmediate(startAll)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      schedule()
    })
}
