import type { ReactNode } from 'react'
import { useFormat } from '../language.tsx'
import { WithSymbols } from './with-symbols.tsx'

/** Names of genes in a row, symbols in italics and ids upright; of many the first, and how many there are. */
export const NamedGenes = ({ genes }: { genes: readonly { id: string; symbol: string | null }[] }): ReactNode => {
  const format = useFormat()
  return <WithSymbols text={format.names(genes.map(({ id, symbol }) => symbol ?? id))} genes={genes} />
}
