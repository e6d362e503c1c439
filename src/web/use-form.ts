import { useState } from 'react'
import type { z } from 'zod'
import { accountMessages } from '../contracts/accounts/account-messages.ts'
import type { Endpoint } from '../contracts/endpoint.ts'
import { problemOf } from '../kit/ui/controls/schema-fields.ts'
import { useText } from '../kit/ui/language.tsx'
import { messages as kit } from '../kit/ui/messages.ts'
import { call, RequestError, shownBesideFields } from '../kit/ui/request.ts'

type Problems = Record<string, string[]>

/** Names of the values that are texts. */
type TextNames<Values> = { [Name in keyof Values & string]: Values[Name] extends string ? Name : never }[keyof Values &
  string]

interface FormField {
  name: string
  value: string
  problems: string[]
  onText: (text: string) => void
}

export interface Form<Values extends Record<string, unknown>> {
  values: Values
  set: (change: Partial<Values>) => void
  /** What a field of text is given: its name, value, problems, and where what is typed goes. */
  field: <Name extends TextNames<Values>>(name: Name) => FormField
  /** Messages beside the fields, by the field's name. */
  problems: Problems
  /** What went wrong with the whole, in words; null when nothing did. */
  failure: string | null
  setFailure: (failure: string | null) => void
  busy: boolean
  /** Checks by the endpoint's own rules, then sends; resolves to whether it went well. `beside` is sent along with the values. */
  submit: (beside?: Record<string, unknown>) => Promise<boolean>
  reset: () => void
}

/** What is wrong with a field is said beside it, and wrong credentials in the words that the login has for each of its tabs. */
const shownByForm = (error: RequestError): boolean =>
  shownBesideFields(error) || error.errorCode === 'WRONG_CREDENTIALS'

/**
 * A form over an endpoint: the rules at the server's door are those beside the fields, in the reader's language. An empty
 * text counts as not given. `failureText` words a failure that no field is to blame for.
 */
export const useForm = <Input extends z.ZodType, Output extends z.ZodType, Values extends Record<string, unknown>>(
  endpoint: Endpoint<Input, Output>,
  initial: Values,
  options: {
    onDone: (answer: z.output<Output>) => void | Promise<void>
    failureText?: (error: RequestError) => string
    /** Fields that are sent also when they are empty. */
    keepEmpty?: string[]
  },
): Form<Values> => {
  const a = useText(accountMessages)
  const k = useText(kit)
  const [values, setValues] = useState(initial)
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const collect = (entries: { path: readonly (string | number)[]; text: string }[]): Problems => {
    const next: Problems = {}
    for (const { path, text } of entries) {
      const name = String(path[0] ?? '')
      // One thing at a time: the first rule that a value breaks.
      if (next[name] === undefined) next[name] = [text]
    }
    return next
  }

  const set = (change: Partial<Values>): void => {
    setValues((before) => ({ ...before, ...change }))
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))))
  }

  return {
    values,
    set,
    field: (name) => ({
      name,
      value: values[name] as string,
      problems: problems[name] ?? [],
      onText: (text) => set({ [name]: text } as unknown as Partial<Values>),
    }),
    problems,
    failure,
    setFailure,
    busy,
    reset: () => {
      setValues(initial)
      setProblems({})
      setFailure(null)
    },
    submit: async (beside = {}) => {
      const given = Object.fromEntries(
        Object.entries({ ...values, ...beside }).filter(
          ([name, value]) => value !== undefined && (value !== '' || options.keepEmpty?.includes(name) === true),
        ),
      )
      const parsed = endpoint.input.safeParse(given)
      setFailure(null)
      if (!parsed.success) {
        setProblems(
          collect(
            parsed.error.issues.map((issue) => {
              const problem = problemOf(issue, given)
              return {
                path: problem.path,
                text:
                  issue.message in accountMessages.en
                    ? a(issue.message as 'account.needEmail')
                    : k(problem.key, problem.parameters),
              }
            }),
          ),
        )
        return false
      }
      setProblems({})
      setBusy(true)
      try {
        // These the form has a place and words for.
        const answer = await call(endpoint, given as z.input<Input>, { skipErrorHandler: shownByForm })
        await options.onDone(answer)
        return true
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        const beside = collect(error.problems.map(({ path, message }) => ({ path, text: message })))
        setProblems(beside)
        if (Object.keys(beside).length === 0) setFailure(options.failureText?.(error) ?? error.message)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
