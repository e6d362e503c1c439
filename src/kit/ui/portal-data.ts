import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import { type AssemblySummary, listSpecies } from '../../contracts/species.ts'
import { listTools } from '../../contracts/tools/jobs.ts'
import type { ToolStatus } from '../../contracts/tools/tool.ts'
import { call, RequestError } from './request.ts'

export type SpeciesAnswer = z.output<(typeof listSpecies)['output']>

/** Species, assemblies and loads under way; asked again every few seconds while something loads, is prepared, or waits for space. */
export const useSpecies = (): UseQueryResult<SpeciesAnswer> =>
  useQuery({
    queryKey: ['species'],
    queryFn: (context) => call(listSpecies, {}, context),
    staleTime: 60_000,
    refetchInterval: ({ state: { data, error } }) =>
      // What only time mends, as a full disk, is asked for again until it answers.
      (error instanceof RequestError && error.errorCode === 'BUSY') ||
      (data !== undefined &&
        (data.demoStage !== null ||
          data.demoSpace !== null ||
          data.diskFull ||
          data.loads.some((load) => load.state === 'waiting' || load.state === 'running')))
        ? 4_000
        : false,
  })

/** All assemblies, the reference of each species first. */
export const useAssemblies = (): AssemblySummary[] => {
  const species = useSpecies().data?.species
  return useMemo(
    () =>
      (species ?? []).flatMap((one) => [...one.assemblies].sort((a, b) => Number(b.reference) - Number(a.reference))),
    [species],
  )
}

/**
 * Whether what rests on genes compared between at least `min` assemblies can be asked for. They are compared in the background after a
 * load, and only where DIAMOND and MCL are there: `lacking` says why nothing need be asked. Neither holds until it is known.
 */
export const useComparison = (min = 1): { ready: boolean; lacking: 'notComputed' | 'oneAssembly' | null } => {
  const count = useSpecies().data?.compared.length
  const lacking = count === undefined || count >= min ? null : count === 0 ? 'notComputed' : 'oneAssembly'
  return { ready: count !== undefined && lacking === null, lacking }
}

/** What the server says of every tool: whether it can be used, and its limits. */
export const useToolStatuses = (): UseQueryResult<ToolStatus[]> =>
  useQuery({
    queryKey: ['tools'],
    queryFn: async (context) => (await call(listTools, {}, context)).tools,
    staleTime: 60_000,
  })
