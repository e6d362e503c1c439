import { expect } from 'vitest'
import { errorMessages } from '../contracts/error-messages.ts'
import { PortalError } from '../contracts/errors.ts'
import { languages, type Messages } from '../contracts/text.ts'

/** The PortalError that a promise rejects with; throws where it resolves or rejects with anything else. */
export const failure = async (promise: Promise<unknown>): Promise<PortalError> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof PortalError) return error
  throw error ?? new Error('It should have been refused.')
}

/** The same of a tool, all of whose words for it stand in the tool's messages or in those that all tools share. */
export const failureInWords = async (promise: Promise<unknown>, messages: Messages<string>): Promise<PortalError> => {
  const error = await failure(promise)
  for (const id of [error.messageId, ...error.problems.map(({ message }) => message)])
    for (const language of languages) {
      const texts: Record<string, string> = { ...errorMessages[language], ...messages[language] }
      expect(texts[id] ?? '', id).not.toBe('')
    }
  return error
}
