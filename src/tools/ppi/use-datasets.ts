import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/ui/request.ts'
import { listDatasets } from './endpoints.ts'

/** Interactions of an assembly and those that can be transferred to it. */
export const useInteractions = (assembly: string | undefined) =>
  useQuery({
    queryKey: ['ppi-datasets', assembly ?? ''],
    enabled: assembly !== undefined && assembly !== '',
    queryFn: (context) => call(listDatasets, { assembly: assembly! }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })
