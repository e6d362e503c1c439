import type { RequestError, RequestProblem } from '../request.ts'

/** Fields that a refusal speaks of which names none. */
const fieldsOfCode: Readonly<Record<string, readonly string[]>> = {
  UNKNOWN_ASSEMBLY: ['assembly'],
  UNKNOWN_GENE: ['genes', 'gene'],
}

/** What is wrong with which field: as the server says, or where it names no field by what is unknown. */
export const placedProblems = (
  { errorCode, problems }: Pick<RequestError, 'errorCode' | 'problems'>,
  message: string,
  names: readonly string[],
): RequestProblem[] => {
  if (problems.length > 0) return problems
  const field = fieldsOfCode[errorCode]?.find((name) => names.includes(name))
  return field === undefined ? [] : [{ path: [field], message }]
}
