import { useQuery } from '@tanstack/react-query'
import type { Trait } from '../../contracts/phenotypes.ts'
import { useFormat } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { type Accessions, getAccessions, listPhenotypes, type Phenotypes } from './endpoints.ts'

const keptMs = 5 * 60_000

/** Sets of phenotypes of a species, the first with any when none is named; undefined until they are known. */
export const usePhenotypes = (species: string | undefined): Phenotypes | undefined =>
  useQuery({
    queryKey: ['phenotypes', species ?? ''],
    queryFn: ({ signal }) =>
      call(listPhenotypes, species === undefined ? {} : { species }, { signal, skipErrorHandler: true }),
    staleTime: keptMs,
    retry: false,
  }).data

export const useAccessions = (species: string | null | undefined): Accessions | undefined =>
  useQuery({
    queryKey: ['accessions', species ?? ''],
    enabled: species !== null && species !== undefined,
    queryFn: ({ signal }) => call(getAccessions, { species: species! }, { signal, skipErrorHandler: true }),
    staleTime: keptMs,
    retry: false,
  }).data

/** A trait as the reader calls it, with its unit. */
export const useTraitName = (): ((trait: Pick<Trait, 'name' | 'unit'>) => string) => {
  const format = useFormat()
  return ({ name, unit }) => `${format.text(name)}${unit === null ? '' : ` (${unit})`}`
}
