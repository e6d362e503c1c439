import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { listContactMaps } from './endpoints.ts'
import messages from './messages.ts'
import { normalizationTitle } from './stored.ts'

export type KnownMaps = z.output<(typeof listContactMaps)['output']>

/** Contact maps of an assembly. */
export const useMaps = (assembly: string | undefined) =>
  useQuery({
    queryKey: ['contact-maps', assembly ?? ''],
    enabled: assembly !== undefined && assembly !== '',
    queryFn: (context) => call(listContactMaps, { assembly: assembly! }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })

/** How a normalization is called on screens. */
export const useNormalizationName = (): ((name: string) => string) => {
  const t = useText(messages)
  return (name) => (name === 'none' ? t('normalization.none') : normalizationTitle(name))
}

/** Bin sizes as people write them: 10 kb. */
export const useBinSize = (): ((binBp: number) => string) => {
  const format = useFormat()
  return (binBp) =>
    binBp % 1e6 === 0
      ? `${format.number(binBp / 1e6)} Mb`
      : binBp % 1000 === 0
        ? `${format.number(binBp / 1000)} kb`
        : format.basePairs(binBp)
}
