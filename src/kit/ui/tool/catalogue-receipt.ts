import { useCallback, useMemo } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { viewPrefix } from '../address-values.ts'
import { useAssemblies } from '../portal-data.ts'

/** The portal's version, which the server writes into the page: known before anything is asked. Pages of a development server have none. */
const portalVersion = (): string => {
  const written = document.querySelector<HTMLMetaElement>('meta[name="novodb-version"]')?.content ?? ''
  return written === '' || written.startsWith('%') ? 'development' : written
}

/**
 * The receipt of what a page reads straight from the catalogue (a record, a search): which question, to which data, by which
 * portal. Undefined until the data sets are known. `assemblies` empty: all that are loaded. Pass `parameters` memoised.
 */
export const useCatalogueReceipt = (
  page: string,
  method: string,
  parameters: Record<string, unknown>,
  assemblies: readonly string[],
): Receipt | undefined => {
  const all = useAssemblies()
  const asked = JSON.stringify(parameters)
  const scope = assemblies.join(' ')
  return useMemo(() => {
    const chosen = scope === '' ? all : all.filter((one) => scope.split(' ').includes(one.id))
    if (chosen.length === 0) return undefined
    const version = portalVersion()
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
  }, [all, scope, asked, page, method])
}

/**
 * The receipt of a table or sequence that brings none of its own: the page with its question, and the data that it reads. Taken when
 * something is downloaded, not when it is drawn.
 */
export const usePageReceipt = (what: string): (() => Receipt) => {
  const all = useAssemblies()
  return useCallback(() => {
    const query = [...new URLSearchParams(location.search)].filter(([name]) => !name.startsWith(viewPrefix))
    const named = all.filter(({ id }) => query.some(([, value]) => value === id))
    const version = portalVersion()
    return {
      tool: location.pathname.replace(/^\/(tools\/)?/, '') || 'home',
      portalVersion: version,
      startedAt: new Date().toISOString(),
      elapsedMs: 0,
      steps: [{ program: 'NovoDB page', version, formula: what }],
      data: (named.length > 0 ? named : all).map(({ id, bundle, checksum }) => ({ assembly: id, bundle, checksum })),
      parameters: Object.fromEntries(query),
      citations: [],
    }
  }, [all, what])
}
