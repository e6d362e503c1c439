import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { getAuthOptions } from '../../contracts/accounts/auth.ts'
import { call } from '../../kit/ui/request.ts'

/** What this portal asks of its readers, and how messages reach them; undefined until it is known. */
export const useAuthOptions = (): z.output<(typeof getAuthOptions)['output']> | undefined =>
  useQuery({
    queryKey: ['auth-options'],
    queryFn: (context) => call(getAuthOptions, {}, context),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
