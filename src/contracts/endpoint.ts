import { z } from 'zod'

/**
 * Endpoints as values: the server implements them, the browser and the command line call them, and OpenAPI is
 * an export of them. Input is parsed at the server's door; outputs are checked in tests.
 */

export type Access = 'anyone' | 'user' | 'admin'

export interface Endpoint<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with `{name}` parts; ends with a slash, save for files. Path parts and the query or body together make the input. */
  path: string
  summary: string
  tag: string
  access: Access
  /** Answers visitors even on a portal that requires signing in: what is needed to get there. */
  open?: boolean
  /** A token that no longer holds is passed over: whoever signs in anew still has the old one. */
  ignoresToken?: boolean
  /** For a person at the screen: a session is needed, an API token is refused (those of admin are so always). */
  sessionOnly?: boolean
  input: Input
  output: Output
  /** Bound on the request body in bytes; 1 MiB when absent. */
  bodyLimitBytes?: number
}

/** Declares an endpoint; the result is plain data that any side may import. */
export const defineEndpoint = <Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Omit<Endpoint<Input, Output>, 'access'> & { access?: Access },
): Endpoint<Input, Output> => ({ access: 'anyone', ...endpoint })

/** Fills `{name}` parts of a path from the input and gives back what is left of the input. */
export const fillPath = (
  path: string,
  input: Record<string, unknown>,
): { path: string; rest: Record<string, unknown> } => {
  const rest = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { path: filled, rest }
}

export const successSchema = <T extends z.ZodType>(data: T) => z.object({ success: z.literal(true), data })

export const failureSchema = z.object({
  success: z.literal(false),
  errorCode: z.string(),
  errorMessage: z.string(),
  showType: z.number(),
  details: z
    .object({
      problems: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).optional(),
      requestId: z.string().optional(),
    })
    .optional(),
})
export type Failure = z.infer<typeof failureSchema>
