import tool from './tool.ts'

/** A trait in the tool, run at once. */
export const traitAddress = (species: string, dataset: string, trait: string, group?: string | null): string =>
  `${tool.route}?${new URLSearchParams({
    species,
    dataset,
    trait,
    ...(group === undefined || group === null ? {} : { group }),
    run: '1',
  })}`

export const correlationAddress = (species: string, dataset: string): string =>
  `${tool.route}?${new URLSearchParams({ task: 'correlation', species, dataset, run: '1' })}`
