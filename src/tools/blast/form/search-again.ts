import tool, { type BlastInput } from '../tool.ts'

/** Bases of a pasted query that an address still holds. */
const addressBases = 1200

/** Whether a search can be offered again as an address. */
export const fitsAddress = (input: BlastInput): boolean =>
  input.subject === '' && (input.genes !== undefined || input.query.length < addressBases)

/** The same search, changed: the address of the form filled in so. A field that is changed to nothing is left out. */
export const searchAgain = (input: BlastInput, change: Record<string, string | undefined>): string => {
  const query = new URLSearchParams()
  if (input.genes !== undefined) query.set('genes', input.genes.join(','))
  else if (input.query.length < addressBases) query.set('query', input.query)
  if (input.assembly !== undefined) query.set('assembly', input.assembly)
  if (input.databases !== undefined) query.set('databases', input.databases.join(','))
  if (input.species !== undefined) query.set('species', input.species)
  query.set('program', input.program)
  if (input.task !== undefined) query.set('task', input.task)
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) query.delete(key)
    else query.set(key, value)
  }
  return `${tool.route}?${query}`
}
