import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { successSchema } from '../../contracts/endpoint.ts'
import type { Receipt } from '../../contracts/receipt.ts'
import { useAssemblies } from './portal-data.ts'
import { addressOf } from './request.ts'

const healthSchema = successSchema(z.object({ version: z.string() }))

/**
 * The receipt of what a page reads straight from the catalogue (a record, a search): which question, to which data, by which
 * portal. Undefined until both are known. `assemblies` empty: all that are loaded. Pass `parameters` memoised.
 */
export const useCatalogueReceipt = (
  page: string,
  method: string,
  parameters: Record<string, unknown>,
  assemblies: readonly string[],
): Receipt | undefined => {
  const all = useAssemblies()
  const version = useQuery({
    queryKey: ['portal-version'],
    queryFn: async ({ signal }) => {
      const answer = healthSchema.parse(await (await fetch(addressOf('/api/health/'), { signal })).json())
      return (answer as { data: { version: string } }).data.version
    },
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  const asked = JSON.stringify(parameters)
  const scope = assemblies.join(' ')
  return useMemo(() => {
    if (version === undefined) return undefined
    const chosen = scope === '' ? all : all.filter((one) => scope.split(' ').includes(one.id))
    return {
      tool: page,
      portalVersion: version,
      startedAt: new Date().toISOString(),
      elapsedMs: 0,
      steps: [{ program: 'NovoDB catalogue', version, formula: method }],
      data: chosen.map(({ id, bundle, checksum }) => ({ assembly: id, bundle, checksum })),
      parameters: JSON.parse(asked) as Record<string, unknown>,
      citations: [],
    }
  }, [version, all, scope, asked, page, method])
}
