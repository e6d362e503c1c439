import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../kit/ui/request.ts'
import { listDatasets } from './endpoints.ts'

/** Interactions of an assembly and those that can be transferred to it; undefined until they are known. */
export const useInteractions = (assembly: string | undefined): z.output<(typeof listDatasets)['output']> | undefined =>
  useQuery({
    queryKey: ['ppi-datasets', assembly ?? ''],
    enabled: assembly !== undefined && assembly !== '',
    queryFn: ({ signal }) => call(listDatasets, { assembly: assembly! }, { signal, skipErrorHandler: true }),
    staleTime: 5 * 60_000,
    retry: false,
  }).data
