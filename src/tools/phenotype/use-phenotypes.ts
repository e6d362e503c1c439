import { useQuery } from '@tanstack/react-query'
import type { Trait } from '../../contracts/phenotypes.ts'
import { useFormat } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { getAccessions, listPhenotypes } from './endpoints.ts'

const keptMs = 5 * 60_000

/** Sets of phenotypes of a species, the first with any when none is named. */
export const usePhenotypes = (species: string | undefined) =>
  useQuery({
    queryKey: ['phenotypes', species ?? ''],
    queryFn: (context) => call(listPhenotypes, species === undefined ? {} : { species }, context),
    staleTime: keptMs,
    retry: false,
  })

export const useAccessions = (species: string | null | undefined) =>
  useQuery({
    queryKey: ['accessions', species ?? ''],
    enabled: species !== null && species !== undefined,
    queryFn: (context) => call(getAccessions, { species: species! }, context),
    staleTime: keptMs,
    retry: false,
  })

/** A trait as the reader calls it, with its unit. */
export const useTraitName = (): ((trait: Pick<Trait, 'name' | 'unit'>) => string) => {
  const format = useFormat()
  return ({ name, unit }) => format.withUnit(format.text(name), unit)
}
