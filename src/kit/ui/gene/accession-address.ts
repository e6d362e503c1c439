/** The record of an accession. */
export const accessionAddress = (species: string, id: string): string =>
  `/detail?${new URLSearchParams({ type: 'accession', species, id })}`
